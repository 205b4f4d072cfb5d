//! The leaves of many trees as rules, those of most weight first.
//!
//! A leaf gives the vote of its tree to every row that reaches it. How much that is on training rows,
//! as its tree drew or weighed them, is its share of all votes; leaves with the same tests are one
//! rule, whose shares are added. A large forest has more leaves than anybody reads, so the heaviest
//! leaves alone become rules.
//!
//! Invariant: which rules there are and their order are for ever, as model files hold counts of
//! training rows in that order.

use super::FlatTrees;
use super::tree::{LeafOutput, PackedTree, Side, Split};
use crate::classify::{Decides, Missing, Rule, Rulebook, Support, Test};
use std::cmp::Ordering;

/// How many leaves are put into words.
const LEAVES: usize = 1024;
/// How many rules there are at most.
const RULES: usize = 200;

/// A leaf and the share of all votes on training rows that it gives.
#[derive(Debug, Clone, Copy)]
struct Heavy {
    share: f64,
    tree: u32,
    node: u32,
}

impl Heavy {
    /// The heaviest first; among equals the first one.
    fn order(&self, other: &Self) -> Ordering {
        let place = |leaf: &Self| (leaf.tree, leaf.node);
        other.share.total_cmp(&self.share).then_with(|| place(self).cmp(&place(other)))
    }
}

impl FlatTrees {
    /// The heaviest leaves as rules.
    pub(crate) fn rulebook(&self) -> Rulebook {
        let (leaves, all) = self.heaviest();
        let mut rules = self.joined(&leaves);
        rules.sort_by(|a, b| b.support.total_cmp(&a.support));
        rules.truncate(RULES);
        let listed: u64 = rules.iter().map(|rule| rule.numerosity).sum();
        let reading = format!(
            "every row has a leaf of each of the {} trees, and these vote; a missing value goes the \
             way it went in training",
            self.trees().len()
        );
        Rulebook {
            reading,
            support: Support::Votes,
            missing: Missing::IsSent,
            decides: Decides::Votes,
            unlisted: all.saturating_sub(listed),
            rules,
        }
    }

    /// The heaviest leaves tree by tree, and how many leaves there are.
    fn heaviest(&self) -> (Vec<Heavy>, u64) {
        let (mut found, mut all): (Vec<Heavy>, u64) = (Vec::new(), 0);
        let keep = |found: &mut Vec<Heavy>| {
            if found.len() > LEAVES {
                found.select_nth_unstable_by(LEAVES, Heavy::order);
                found.truncate(LEAVES);
            }
        };
        for (number, tree) in self.trees().iter().enumerate() {
            let leaves = || (0..tree.len()).filter(|&node| tree.split(node).is_none());
            let total: f64 = leaves().map(|node| tree.node(node).value).sum();
            let vote = self.vote(number) / self.all_votes();
            for node in leaves() {
                // Leaves without weight count equally.
                let part = if total > 0.0 { tree.node(node).value / total } else { 1.0 };
                found.push(Heavy { share: vote * part, tree: number as u32, node: node as u32 });
                all += 1;
                if found.len() >= 4 * LEAVES {
                    keep(&mut found);
                }
            }
        }
        keep(&mut found);
        found.sort_unstable_by_key(|leaf| (leaf.tree, leaf.node));
        (found, all)
    }

    /// The rules of some leaves, in order of their trees; leaves with the same tests are one.
    fn joined(&self, leaves: &[Heavy]) -> Vec<Rule> {
        let mut rules: Vec<(Vec<u64>, Rule)> = Vec::with_capacity(leaves.len());
        for leaves in leaves.chunk_by(|a, b| a.tree == b.tree) {
            let number = leaves[0].tree as usize;
            let tree = &self.trees()[number];
            let splits: Vec<usize> =
                (0..tree.len()).filter(|&node| tree.split(node).is_some()).collect();
            let vote = self.vote(number) / self.all_votes();
            for leaf in leaves {
                let says = self.says(tree, leaf.node as usize);
                let Some(tests) = self.tests(tree, &splits, leaf.node as usize) else { continue };
                let mut rule = Rule::new(tests, says, vote, leaf.share);
                rule.tests.sort_by_key(Test::column);
                rules.push((key(&rule.tests), rule));
            }
        }
        // The sort is stable: of equal ones the first stays first.
        rules.sort_by(|(a, _), (b, _)| a.cmp(b));
        let same = |a: &(Vec<u64>, Rule), b: &(Vec<u64>, Rule)| a.0 == b.0;
        rules.chunk_by(same).map(join).collect()
    }

    fn says(&self, tree: &PackedTree, leaf: usize) -> Vec<f64> {
        let classes = self.classes.len();
        match tree.output(leaf, classes) {
            LeafOutput::Shares(shares) => shares.to_vec(),
            LeafOutput::Class(class) => {
                (0..classes).map(|other| f64::from(u8::from(other == class))).collect()
            }
        }
    }

    /// The tests on the way to a leaf; none where one of them parts nothing. `splits` are the nodes
    /// that are splits.
    fn tests(&self, tree: &PackedTree, splits: &[usize], leaf: usize) -> Option<Vec<Test>> {
        let (mut tests, mut node) = (Vec::new(), leaf);
        while node > 0 {
            let parent = *splits.get((node - 1) / 2)?;
            tests.push(self.test(tree, tree.split(parent)?, node % 2 == 1)?);
            node = parent;
        }
        tests.reverse();
        Some(tests)
    }

    /// The test of the rows that go to one side of a split.
    fn test(&self, tree: &PackedTree, split: Split, is_left: bool) -> Option<Test> {
        let column = tree.column(split);
        let between = |low, high| Some(Test::Between { column, low, high });
        match tree.side(split) {
            Side::UpTo(f64::MAX) if is_left => Some(Test::Known { column }),
            Side::UpTo(f64::MAX) => Some(Test::Missing { column }),
            Side::NotAbove(f64::MAX) => None,
            Side::UpTo(cut) | Side::NotAbove(cut) if is_left => between(None, Some(cut)),
            Side::UpTo(cut) | Side::NotAbove(cut) => between(Some(cut.next_up()), None),
            Side::Levels { left, .. } => {
                let goes_left = |level: u32| left[level as usize / 64] >> (level % 64) & 1 == 1;
                let all = 0..self.columns.get(column).copied().flatten()?;
                let (own, others): (Vec<u32>, Vec<u32>) =
                    all.partition(|&level| goes_left(level) == is_left);
                // Only missing values go to a side without levels.
                Some(match (own.is_empty(), others.is_empty()) {
                    (true, _) => Test::Missing { column },
                    (_, true) => Test::Known { column },
                    _ => Test::Among { column, levels: own },
                })
            }
        }
    }
}

/// One rule for some with the same tests: what they say, weighed by their votes.
fn join(same: &[(Vec<u64>, Rule)]) -> Rule {
    let mut all = same[0].1.clone();
    if same.len() == 1 {
        return all;
    }
    let sum = |of: fn(&Rule) -> f64| same.iter().map(|(_, rule)| of(rule)).sum::<f64>();
    all.weight = sum(|rule| rule.weight);
    all.support = sum(|rule| rule.support);
    all.numerosity = same.len() as u64;
    for (class, says) in all.says.iter_mut().enumerate() {
        let part = |(_, rule): &(Vec<u64>, Rule)| rule.weight * rule.says[class];
        *says = (same.iter().map(part).sum::<f64>() / all.weight).min(1.0);
    }
    all
}

/// Equal for equal tests only.
fn key(tests: &[Test]) -> Vec<u64> {
    let mut key = Vec::new();
    for test in tests {
        key.push(test.column() as u64);
        match test {
            Test::Among { levels, .. } => {
                key.push(levels.len() as u64);
                key.extend(levels.iter().map(|&level| u64::from(level)));
            }
            Test::Between { low, high, .. } => {
                // NaN is no bound.
                key.extend([low, high].map(|bound| bound.unwrap_or(f64::NAN).to_bits()));
            }
            // No column has so many levels.
            Test::Known { .. } => key.push(u64::MAX),
            Test::Missing { .. } => key.push(u64::MAX - 1),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use crate::classify::{Rulebook, Support};
    use crate::data::Cells;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::error::Result;
    use crate::method::make;
    use crate::model::Model;
    use crate::run::{Pool, Run, Stop};

    fn fitted(data: &str, method: &str, settings: &[(&str, &str)]) -> Result<(Model, Rulebook)> {
        let data = Catalogue::embedded().open(data, &Load::default())?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let settings: Vec<(String, String)> = settings.iter().map(owned).collect();
        let run = Run::new(1, &stop, &pool);
        let model = make(method, &settings)?.train(&data.task()?, &run)?.model;
        let model = model.having_counted(&data.task()?, &run)?;
        let book = model.rules().expect("trees are rules").0;
        Ok((model, book))
    }

    /// The votes of all rules that apply to a row are the output of the model.
    fn rules_vote_as_the_model_does(
        data: &str,
        method: &str,
        settings: &[(&str, &str)],
    ) -> Result<()> {
        let (model, book) = fitted(data, method, settings)?;
        assert_eq!(book.unlisted, 0, "the figures of this test need all leaves");
        let data = Catalogue::embedded().open(data, &Load::default())?;
        let rows = data.features();
        let cells: Vec<Cells<'_>> = (0..rows.columns()).map(|column| rows.cells(column)).collect();
        let proba = model.proba(rows)?;
        for row in 0..rows.rows() {
            let mut votes = vec![0.0; proba.classes()];
            let applying = |rule: &&crate::classify::Rule| rule.applies(&cells, row, book.missing);
            for rule in book.rules.iter().filter(applying) {
                let all = votes.iter_mut().zip(&rule.says);
                all.for_each(|(vote, says)| *vote += rule.weight * says);
            }
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            assert!(votes.iter().zip(proba.row(row)).all(close), "{method}, row {row}");
        }
        let shares: f64 = book.rules.iter().map(|rule| rule.support).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        Ok(())
    }

    #[test]
    fn the_votes_of_the_rules_are_those_of_the_trees() -> Result<()> {
        rules_vote_as_the_model_does("iris", "forest", &[("trees", "10")])?;
        rules_vote_as_the_model_does("iris", "extra-trees", &[("trees", "3"), ("leaf", "5")])?;
        // Levels, and stumps that come again.
        rules_vote_as_the_model_does("car", "forest", &[("trees", "4"), ("depth", "4")])?;
        rules_vote_as_the_model_does("iris", "adaboost", &[("probability", "share")])?;
        rules_vote_as_the_model_does("iris", "bag", &[("members", "5")])
    }

    #[test]
    fn of_many_leaves_the_heaviest_are_listed_and_counted_on_training_rows() -> Result<()> {
        let (model, book) = fitted("pima", "forest", &[])?;
        assert_eq!(book.support, Support::Votes);
        assert!(book.rules.len() <= super::RULES && book.unlisted > 0);
        let listed: u64 = book.rules.iter().map(|rule| rule.numerosity).sum();
        let size = model.core().size();
        let leaves = size.iter().find(|(what, _)| *what == "leaves").expect("leaves").1;
        assert_eq!(listed + book.unlisted, leaves);
        assert!(book.rules.is_sorted_by(|a, b| a.support >= b.support));
        for rule in &book.rules {
            let standing = rule.standing.as_ref().expect("no value is missing");
            assert!(standing.decides.is_none());
            assert_eq!(standing.applies.classes.iter().sum::<u64>(), standing.applies.rows);
        }
        // What was counted comes back from the file.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.evo");
        model.save(&path)?;
        assert_eq!(Model::load(&path)?.rules().expect("rules").0, book);
        Ok(())
    }
}
