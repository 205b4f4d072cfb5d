//! Tests of the neighbours, from the inside.

use super::kd_tree::KdTree;
use super::search::{Neighbour, NeighbourSearch};
use super::*;
use crate::classify::{Classifier, Proba, Saved};
use crate::data::{Classes, Column, Field, Schema, Table, Target};
use crate::run::{Pool, Stop};
use proptest::prelude::*;

/// The nearest points by looking at all of them and sorting.
fn brute(rows: &[f64], axes: usize, ids: &[u32], query: &[f64], k: usize) -> Vec<(f64, u32)> {
    let square = |i: usize| {
        let difference = (0..axes).map(|axis| rows[i * axes + axis] - query[axis]);
        difference.fold(0.0, |sum, d| sum + d * d)
    };
    let mut all: Vec<(f64, u32)> = (0..ids.len()).map(|i| (square(i), ids[i])).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.truncate(k);
    all
}

fn found(points: &KdTree, queries: &[f64], k: usize) -> Vec<Vec<(f64, u32)>> {
    let mut out = Vec::new();
    let mut search = NeighbourSearch::new(points, k);
    for block in queries.chunks(NeighbourSearch::BLOCK * points.axes) {
        search.each(block, block.len() / points.axes, |_, near: &[Neighbour]| {
            out.push(near.iter().map(|n| (n.square, n.id)).collect());
        });
    }
    out
}

/// Points on a coarse grid (many equal distances and duplicates) or anywhere.
fn cloud() -> impl Strategy<Value = (usize, Vec<f64>, Vec<f64>)> {
    (1_usize..=10, 1_usize..400, any::<bool>()).prop_flat_map(|(axes, count, grid)| {
        let cell = move |v: f64| if grid { v.round() } else { v };
        let cells = |len| prop::collection::vec((-3.0..3.0).prop_map(cell), len);
        (Just(axes), cells(count * axes), cells(20 * axes))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_tree_finds_what_a_look_at_all_points_finds(
        (axes, rows, queries) in cloud(),
        k in 1_usize..30,
        turn in 1_u32..1000,
    ) {
        let count = rows.len() / axes;
        // Row numbers in an order of their own.
        let ids: Vec<u32> = (0..count as u32).map(|i| (i * 7919 + turn) % 100_003).collect();
        let (tree, order) = KdTree::new(&rows, axes, &ids);
        let (flat, _) = KdTree::with_levels(&rows, axes, &ids, 0);
        prop_assert!(tree.check() && flat.check());
        let mut seen = order.clone();
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq(0..count as u32));
        let expected: Vec<_> =
            queries.chunks(axes).map(|query| brute(&rows, axes, &ids, query, k)).collect();
        prop_assert_eq!(&found(&tree, &queries, k), &expected);
        prop_assert_eq!(&found(&flat, &queries, k), &expected);
    }
}

fn small(knn: &Knn, xs: &[f64], labels: &[u32], weights: &[f64]) -> (KnnModel, Table) {
    let schema = Schema { fields: vec![Field::number("x")] };
    let table = Table::new(schema, vec![Column::Number(xs.to_vec())]).unwrap();
    let classes = Classes::new(vec!["a".into(), "b".into()]).unwrap();
    let target = Target::Class { codes: labels, classes: &classes };
    let task = Task::new(table.view(), "y", target, Some(weights)).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let model = knn.fit(&task, &Run::new(1, &stop, &pool)).unwrap().model;
    (model, table)
}

fn proba(model: &KnnModel, at: f64) -> f64 {
    let schema = Schema { fields: vec![Field::number("x")] };
    let table = Table::new(schema, vec![Column::Number(vec![at])]).unwrap();
    let mut out = Proba::new();
    model.proba_into(table.view(), &mut out).unwrap();
    out.row(0)[1]
}

#[test]
fn votes_count_as_the_documentation_says() {
    let (xs, labels, ones) = ([0.0, 1.0, 3.0], [0, 1, 1], [1.0; 3]);
    let knn = Knn::default().k(2).smoothing(0.0);
    // Rows 0 and 1 are equally far from 0.5.
    assert_eq!(proba(&small(&knn, &xs, &labels, &ones).0, 0.5), 0.5);
    assert_eq!(proba(&small(&knn, &xs, &labels, &[1.0, 3.0, 1.0]).0, 0.5), 0.75);
    // A row without weight is not there.
    assert_eq!(proba(&small(&knn, &xs, &labels, &[0.0, 1.0, 1.0]).0, 0.5), 1.0);
    // 2 votes and 1 of the shares 1/3, 2/3.
    let smooth = small(&knn.clone().smoothing(1.0), &xs, &labels, &ones).0;
    assert!((proba(&smooth, 0.5) - (1.0 + 2.0 / 3.0) / 3.0).abs() < 1e-15);
    // Distances 0.25 and 0.75: inverse 4 and 4/3.
    let near = small(&knn.votes(Votes::Distance), &xs, &labels, &ones).0;
    assert!((proba(&near, 0.25) - 0.25).abs() < 1e-15);
    assert_eq!(proba(&near, 1.0), 1.0);
    // So far away that all distances are infinite: the first rows, each with one vote.
    assert_eq!(proba(&near, 1e300), 0.5);
}

#[test]
fn among_equal_distances_the_lower_row_is_nearer() {
    let knn = Knn::default().k(1).smoothing(0.0);
    assert_eq!(proba(&small(&knn, &[0.0, 1.0], &[0, 1], &[1.0; 2]).0, 0.5), 0.0);
    assert_eq!(proba(&small(&knn, &[1.0, 0.0], &[0, 1], &[1.0; 2]).0, 0.5), 0.0);
}

#[test]
fn forged_points_are_refused() {
    let xs: Vec<f64> = (0..100).map(f64::from).collect();
    let labels: Vec<u32> = (0..100).map(|i| i % 2).collect();
    let (model, table) = small(&Knn::default(), &xs, &labels, &[1.0; 100]);
    let inputs = table.schema();
    model.check(inputs).unwrap();
    assert!(model.points.levels > 0);
    let forged = |change: &dyn Fn(&mut KdTree)| {
        let mut model = model.clone();
        change(&mut model.points);
        model.check(inputs).is_err()
    };
    assert!(forged(&|p| p.low[0] = 0.0));
    assert!(forged(&|p| p.high[0] = 99.0));
    assert!(forged(&|p| p.tiles[3] = f64::NAN));
    assert!(forged(&|p| p.axis[0] = 1));
    assert!(forged(&|p| p.levels = 64));
    assert!(forged(&|p| p.levels = 0));
    assert!(forged(&|p| p.axes = 2));
    assert!(forged(&|p| p.ids.truncate(99)));
    assert!(forged(&|p| p.ids.clear()));
    assert!(forged(&|p| p.tiles.truncate(5)));
}
