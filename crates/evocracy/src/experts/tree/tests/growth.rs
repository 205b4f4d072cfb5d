//! Growth, prediction, explanation, stopping.

use super::*;
use crate::classify::Saved;
use crate::classify::{Classifier, Proba};
use crate::error::Error;
use crate::experts::tree::Criterion;
use crate::experts::tree::grow::Candidates;
use crate::run::StopReason;

/// Tries all columns, but says it tries few, so that nodes are sorted when they are split; may
/// raise a flag after some nodes.
struct Odd<'a> {
    nodes: usize,
    raise: Option<(usize, &'a Stop)>,
    one_by_one: bool,
}

impl Candidates for Odd<'_> {
    fn count(&self, _columns: usize) -> usize {
        0
    }

    fn first(&mut self, columns: usize, into: &mut Vec<u32>) {
        if let Some((_, stop)) = self.raise.filter(|(after, _)| *after == self.nodes) {
            stop.request();
        }
        self.nodes += 1;
        into.extend(0..if self.one_by_one { 1 } else { columns as u32 });
    }

    fn further(&mut self, columns: usize, into: &mut Vec<u32>) {
        if self.one_by_one {
            into.extend(1..columns as u32);
        }
    }
}

fn grow_odd(small: &Small, odd: &mut Odd<'_>, stop: &Stop) -> crate::error::Result<Grown> {
    let pool = Pool::new(1).unwrap();
    let run = Run::new(1, stop, &pool);
    let columns = Columns::gather(small.table.view(), &run)?;
    let mut grower = Grower::new(&columns, &small.labels, small.classes, full().limits());
    // The second tree of a grower must not see anything of the first.
    let other: Vec<f64> = small.weights.iter().map(|w| w + 1.0).collect();
    grower.grow((&other).into(), &mut All, &run).unwrap();
    grower.grow((&small.weights).into(), odd, &run)
}

fn repeated(small: &Small) -> Small {
    let rows: Vec<u32> = (0..small.labels.len() as u32)
        .flat_map(|row| vec![row; small.weights[row as usize].round() as usize])
        .collect();
    let view = small.table.view().with_rows(&rows);
    let columns = (0..view.columns()).map(|j| view.gather(j)).collect();
    let labels = rows.iter().map(|&r| small.labels[r as usize]).collect();
    let table = Table::new(small.table.schema().clone(), columns).unwrap();
    Small { table, labels, weights: vec![1.0; rows.len()], classes: small.classes }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn weights_count_as_repeated_rows(
        mut small in small(2, 1), leaf in 0.0f64..3.0, entropy: bool, prune in 0.0f64..0.1,
    ) {
        small.weights.iter_mut().for_each(|w| *w = w.round());
        let criterion = if entropy { Criterion::Entropy } else { Criterion::Gini };
        let tree = full().leaf(leaf).criterion(criterion).smoothing(1.0).prune(prune);
        prop_assert_eq!(small.fit(&tree), repeated(&small).fit(&tree));
    }

    #[test]
    fn sorting_in_the_node_gives_the_same_tree(small in small(3, 1)) {
        let stop = Stop::new();
        let mut odd = Odd { nodes: 0, raise: None, one_by_one: false };
        let grown = grow_odd(&small, &mut odd, &stop).unwrap();
        prop_assert_eq!(grown.nodes, small.grown(&full()).nodes);
    }

    #[test]
    fn a_full_tree_separates_whatever_can_be(small in small(2, 1)) {
        let model = small.fit(&full());
        let view = small.table.view();
        let mut out = Proba::new();
        model.proba_into(view, &mut out).unwrap();
        let alike = |a: usize, b: usize| (0..3).all(|j| view.show(a, j) == view.show(b, j));
        for row in (0..view.rows()).filter(|&row| small.weights[row] > 0.0) {
            let mut counts = vec![0.0; small.classes];
            for other in (0..view.rows()).filter(|&other| alike(row, other)) {
                counts[small.labels[other] as usize] += small.weights[other];
            }
            let total: f64 = counts.iter().sum();
            for (share, count) in out.row(row).iter().zip(&counts) {
                prop_assert!((share - count / total).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_explanations_rebuild_them(
        small in small(2, 1), smoothing in 0.0f64..5.0, folds in 0usize..4,
    ) {
        let model = small.fit(&full().smoothing(smoothing).prune_folds(folds));
        let view = small.table.view();
        prop_assert!(model.check(small.table.schema()).is_ok());
        let mut out = Proba::new();
        model.proba_into(view, &mut out).unwrap();
        for row in 0..view.rows() {
            prop_assert!((out.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let rebuilt = model.explain(view, row).unwrap().rebuild();
            for (a, b) in rebuilt.iter().zip(out.row(row)) {
                prop_assert!((a - b).abs() < 1e-12);
            }
        }
        let importance: f64 = model.importance().iter().sum();
        prop_assert!(importance == 0.0 || (importance - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_tree_survives_its_file(small in small(2, 1)) {
        let model = small.fit(&full());
        let bytes = rmp_serde::to_vec_named(&model).unwrap();
        prop_assert_eq!(rmp_serde::from_slice::<TreeModel>(&bytes).unwrap(), model);
    }
}

fn staircase(rows: usize) -> Small {
    let x = (0..rows).map(|i| i as f64).collect();
    let labels = (0..rows).map(|i| (i % 2) as u32).collect();
    Small::new(vec![Column::Number(x)], labels, vec![1.0; rows], 2)
}

#[test]
fn a_very_deep_tree_is_grown_walked_and_described() {
    let small = staircase(3000);
    let tree = full().depth(1_000_000);
    let model = small.fit(&tree);
    let size = model.size();
    assert_eq!(size[0], ("leaves", 3000));
    assert!(size[1].1 > 500, "{size:?}");
    let mut out = Proba::new();
    model.proba_into(small.table.view(), &mut out).unwrap();
    assert!((0..3000).all(|row| out.best(row) == small.labels[row] as usize));
    assert_eq!(model.describe(small.table.schema()).lines().count(), 5998);
    let pruned = small.fit(&tree.prune(1.0));
    assert_eq!(pruned.size()[0], ("leaves", 1));
}

#[test]
fn a_raised_flag_stops_growth() {
    let small = staircase(200);
    let stop = Stop::new();
    let mut odd = Odd { nodes: 0, raise: Some((5, &stop)), one_by_one: false };
    let grown = grow_odd(&small, &mut odd, &stop).unwrap();
    assert_eq!(grown.stop, StopReason::Interrupted);
    assert_eq!(grown.nodes.len(), 2 * 6 + 1);
    let raised = Stop::new();
    raised.request();
    let pool = Pool::new(1).unwrap();
    let classes = small.class_names();
    let target = Target::Class { codes: &small.labels, classes: &classes };
    let task = Task::new(small.table.view(), "y", target, None).unwrap();
    let stopped = Tree::default().fit(&task, &Run::new(1, &raised, &pool));
    assert!(matches!(stopped, Err(Error::Stopped)));
}

#[test]
fn further_columns_are_tried_when_the_first_cannot_be_split() {
    let mut small = staircase(50);
    small.table = Table::new(
        Schema { fields: vec![Field::number("same"), Field::number("x")] },
        vec![Column::Number(vec![1.0; 50]), small.table.columns()[0].clone()],
    )
    .unwrap();
    let stop = Stop::new();
    let mut odd = Odd { nodes: 0, raise: None, one_by_one: true };
    let grown = grow_odd(&small, &mut odd, &stop).unwrap();
    assert_eq!(grown.nodes.leaves(), 50);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let small = staircase(300);
    let classes = small.class_names();
    let target = Target::Class { codes: &small.labels, classes: &classes };
    let task = Task::new(small.table.view(), "y", target, None).unwrap();
    let fit = |threads| {
        let (stop, pool) = (Stop::new(), Pool::new(threads).unwrap());
        let run = Run::new(1, &stop, &pool);
        let model = Tree::default().fit(&task, &run).unwrap().model;
        (model, run.watch.snapshot())
    };
    assert_eq!(fit(1), fit(3));
}

#[test]
fn progress_reaches_its_total() {
    let small = staircase(300);
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool).task("tree", 300);
    let columns = Columns::gather(small.table.view(), &run).unwrap();
    let mut grower = Grower::new(&columns, &small.labels, 2, Tree::default().limits());
    grower.grow((&small.weights).into(), &mut All, &run).unwrap();
    assert_eq!(run.watch.snapshot().done, 300);
}

#[test]
fn a_tree_reads_well() {
    let nan = f64::NAN;
    let glu = vec![90.0, 100.0, 110.0, 155.0, 145.0, 160.0, nan, nan];
    let odor = vec![0, 1, 1, 0, 2, 2, 0, MISSING];
    let schema =
        Schema { fields: vec![Field::number("glu"), Field::nominal("odor", ["a", "l", "f", "n"])] };
    let columns = vec![Column::Number(glu), Column::Nominal(odor)];
    let table = Table::new(schema, columns).unwrap();
    let labels = vec![0, 0, 0, 1, 2, 2, 1, 1];
    let small = Small { table, labels, weights: vec![1.0; 8], classes: 3 };
    let model = small.fit(&full());
    let text = model.describe(small.table.schema());
    let expected = "glu <= 127.5: c0 1.000 (3 rows)\n\
        glu > 127.5 or is missing\n  \
          odor is a or is missing: c1 1.000 (3 rows)\n  \
          odor is f: c2 1.000 (2 rows)\n";
    assert_eq!(text, expected);
    let why = |row: usize| -> Vec<String> {
        let parts = model.explain(small.table.view(), row).unwrap().parts;
        parts.into_iter().map(|part| part.because).collect()
    };
    assert_eq!(why(0), ["glu <= 127.5"]);
    assert_eq!(why(4), ["glu > 127.5", "odor is f"]);
    assert_eq!(why(7), ["glu is missing", "odor is missing"]);
    assert!(model.explain(small.table.view().with_columns(&[1, 0]), 0).is_err());
}

/// A tree of a table whose nodes of up to `small` rows are taken apart.
fn grown_apart(table: &Small, columns: &Columns<'_>, weights: &[f64], small: usize) -> Grown {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let mut grower = Grower::new(columns, &table.labels, table.classes, full().limits());
    grower.small = small;
    // Twice: what the first tree leaves behind is not to be seen.
    grower.grow(weights.into(), &mut All, &run).unwrap();
    grower.grow(weights.into(), &mut All, &run).unwrap()
}

proptest! {
    /// However the rows are kept, the tree is the same to the last bit.
    #[test]
    fn rows_may_be_taken_apart_and_ordered_anew(table in small(3, 1), cut in 1usize..6) {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let ordered = Columns::gather(table.table.view(), &run).unwrap();
        let unordered = Columns::unordered(table.table.view(), &run).unwrap();
        let plain = grown_apart(&table, &ordered, &table.weights, 0);
        for columns in [&ordered, &unordered] {
            for small in [0, cut] {
                let grown = grown_apart(&table, columns, &table.weights, small);
                prop_assert_eq!(&grown.nodes, &plain.nodes);
                prop_assert_eq!(&grown.counts, &plain.counts);
            }
        }
    }

    /// Rows of weight 1 are counted, others are weighed: with twice the weights all gains are twice
    /// as large, to the last bit.
    #[test]
    fn counted_rows_split_as_weighed_ones(table in small(3, 1), cut in 0usize..6) {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let columns = Columns::gather(table.table.view(), &Run::new(1, &stop, &pool)).unwrap();
        let of = |weight: f64| {
            let weigh = |&w: &f64| if w > 0.0 { weight } else { 0.0 };
            let weights: Vec<f64> = table.weights.iter().map(weigh).collect();
            grown_apart(&table, &columns, &weights, cut)
        };
        let (ones, twos) = (of(1.0), of(2.0));
        prop_assert_eq!(ones.nodes.len(), twos.nodes.len());
        for node in 0..ones.nodes.len() {
            prop_assert_eq!(ones.nodes.children(node), twos.nodes.children(node));
            prop_assert_eq!(ones.nodes.threshold(node), twos.nodes.threshold(node));
            prop_assert_eq!(2.0 * ones.nodes.gain(node), twos.nodes.gain(node));
            if ones.nodes.children(node).is_some() {
                prop_assert_eq!(ones.nodes.column(node), twos.nodes.column(node));
            }
        }
    }
}
