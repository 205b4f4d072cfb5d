//! The leaves of a tree as rules: the tests on the way to each, one for each column.

use super::nodes::Nodes;
use crate::classify::{Decides, Missing, Rule, Rulebook, Support, Test, demand};
use crate::data::{Cells, Field, Kind, MISSING, Schema};

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
    let mut stack: Vec<(usize, Vec<Test>)> = vec![(0, Vec::new())];
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
            // One test of a column at every step: a long path has no more tests than columns.
            let mut tests = tests.clone();
            if let Some(test) = test {
                demand(&mut tests, test);
            }
            stack.push((child, tests));
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

/// The same rules, found by the way of a row down the tree instead of by their tests.
pub(crate) struct LeafRules<'a> {
    nodes: &'a Nodes,
    /// The rule of each leaf.
    rules: Vec<u32>,
    /// The levels of each column.
    levels: Vec<u32>,
}

impl<'a> LeafRules<'a> {
    pub(super) fn new(nodes: &'a Nodes, inputs: &Schema) -> Self {
        let (mut rules, mut next) = (vec![0; nodes.len()], 0);
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if let Some([left, right]) = nodes.children(node) {
                stack.extend([right, left]);
            } else {
                rules[node] = next;
                next += 1;
            }
        }
        let levels = inputs.fields.iter().map(|field| field.levels().len() as u32).collect();
        Self { nodes, rules, levels }
    }

    /// The rule whose tests row `id` of the table passes. It has a value in every column whose values
    /// a rule tests: a missing one meets only splits that ask whether there is one.
    pub(crate) fn applying(&self, cells: &[Cells<'_>], id: usize) -> Option<u32> {
        let mut node = 0;
        while let Some([left, right]) = self.nodes.children(node) {
            let column = self.nodes.column(node);
            let to = self.nodes.direction(node, cells[column], id, self.levels[column]);
            // A level that is on neither side passes neither test.
            if to.unknown && !is_missing(cells[column], id) {
                return None;
            }
            node = if to.left { left } else { right };
        }
        Some(self.rules[node])
    }
}

fn is_missing(cells: Cells<'_>, id: usize) -> bool {
    match cells {
        Cells::Number(values) => values[id].is_nan(),
        Cells::Nominal(codes) => codes[id] == MISSING,
    }
}
