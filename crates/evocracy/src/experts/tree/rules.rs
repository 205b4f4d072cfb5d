//! The leaves of a tree as rules: the tests on the way to each, one for each column.

use super::nodes::Nodes;
use crate::classify::{Decides, Missing, Rule, Rulebook, Support, Test};
use crate::data::{Field, Kind, Schema};

/// The test of the rows that go to one side of a split.
fn test(nodes: &Nodes, node: usize, field: &Field, left: bool) -> Test {
    let column = nodes.column(node);
    match &field.kind {
        Kind::Nominal(levels) => {
            let side = |left| nodes.levels(node, levels.len() as u32, left);
            match (side(left), side(!left).is_empty()) {
                // Only missing values go to a side without levels.
                (none, _) if none.is_empty() => Test::Missing { column },
                (_, true) => Test::Known { column },
                (levels, _) => Test::Among { column, levels },
            }
        }
        Kind::Number => match (nodes.threshold(node), left) {
            (f64::MAX, true) => Test::Known { column },
            (f64::MAX, false) => Test::Missing { column },
            (cut, true) => Test::Between { column, low: None, high: Some(cut) },
            (cut, false) => Test::Between { column, low: Some(cut.next_up()), high: None },
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
            let test = field.map(|field| test(nodes, node, field, is_left));
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
        rules,
    }
}
