//! The leaves of a tree as rules: the tests on the way to each, one for each column.

use super::nodes::Nodes;
use crate::classify::{Decides, Missing, Rule, Rulebook, Support, Test};
use crate::data::{Field, Kind, Schema};

/// The tests of the rows that go to one side of a split.
fn test(nodes: &Nodes, node: usize, field: &Field, left: bool) -> Option<Test> {
    let column = nodes.column(node);
    let between = |low, high| Some(Test::Between { column, low, high });
    match &field.kind {
        Kind::Nominal(levels) => {
            let levels = nodes.levels(node, levels.len() as u32, left);
            Some(Test::Among { column, levels })
        }
        Kind::Number => match (nodes.threshold(node), left) {
            // It tells known values from missing ones, which is no test of a value.
            (f64::MAX, _) => None,
            (cut, true) => between(None, Some(cut)),
            (cut, false) => between(Some(cut.next_up()), None),
        },
    }
}

/// The leaves from left to right; `inputs` are the columns the tree was fitted to.
pub(super) fn rulebook(nodes: &Nodes, classes: usize, inputs: &Schema) -> Rulebook {
    let mut rules = Vec::new();
    let mut stack = vec![(0, Vec::new())];
    while let Some((node, tests)) = stack.pop() {
        let Some([left, right]) = nodes.children(node) else {
            rules.push(Rule::new(
                tests,
                nodes.shares(node, classes).to_vec(),
                1.0,
                nodes.weight(node),
            ));
            continue;
        };
        // The last one pushed is taken first.
        for (child, is_left) in [(right, false), (left, true)] {
            let field = inputs.fields.get(nodes.column(node));
            let test = field.and_then(|field| test(nodes, node, field, is_left));
            stack.push((child, tests.iter().cloned().chain(test).collect()));
        }
    }
    let reading = "every row has exactly one rule, a leaf of the tree; a missing value goes the \
                   way it went in training";
    Rulebook {
        reading: reading.to_owned(),
        support: Support::Applies,
        missing: Missing::IsSent,
        decides: Decides::First,
        unlisted: 0,
        rules,
    }
}
