//! Tests of the neighbours, from the inside.

use super::kd_tree::KdTree;
use super::search::{Neighbour, NeighbourSearch};
use super::*;
use crate::classify::{Classifier, Proba, Saved};
use crate::data::{Classes, Column, Field, Schema, Table, Target};
use crate::run::{Pool, Stop};
use proptest::prelude::*;

/// The nearest points by looking at all of them and sorting: the square and the first row of each,
/// and how much each of its rows counts.
fn brute(tree: &KdTree, rows: &[f64], query: &[f64], k: usize) -> Vec<(f64, u32, f64)> {
    let (axes, order) = (tree.axes, 0..tree.len());
    let square = |i: usize| {
        let difference = (0..axes).map(|axis| rows[i * axes + axis] - query[axis]);
        difference.fold(0.0, |sum, d| sum + d * d)
    };
    // Row by row, as if nothing were merged.
    let mut all: Vec<f64> =
        order.clone().flat_map(|i| (0..tree.rows_of(i)).map(move |_| i)).map(square).collect();
    all.sort_by(f64::total_cmp);
    let last = all[k.min(all.len()) - 1];
    let nearer = all.iter().filter(|&&square| square < last).count();
    let tied = all.iter().filter(|&&square| square == last).count();
    let share = (k.min(all.len()) - nearer) as f64 / tied as f64;
    let share_of = |square: f64| if square < last { 1.0 } else { share };
    let within = order.filter(|&i| square(i) <= last);
    let mut found: Vec<_> = within.map(|i| (square(i), tree.ids[i], share_of(square(i)))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found
}

fn found(points: &KdTree, queries: &[f64], k: usize) -> Vec<Vec<(f64, u32, f64)>> {
    let mut out = Vec::new();
    let mut search = NeighbourSearch::new(points, k);
    for block in queries.chunks(NeighbourSearch::BLOCK * points.axes) {
        search.each(block, block.len() / points.axes, |_, near: &[Neighbour]| {
            out.push(near.iter().map(|n| (n.square, n.id, n.share)).collect());
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
        many in any::<bool>(),
    ) {
        let count = rows.len() / axes;
        // Row numbers in an order of their own.
        let ids: Vec<u32> = (0..count as u32).map(|i| (i * 7919 + turn) % 100_003).collect();
        let (mut tree, order) = KdTree::new(&rows, axes, &ids);
        let (mut flat, flat_order) = KdTree::with_levels(&rows, axes, &ids, 0);
        if many {
            let counts: Vec<u32> = (0..count as u32).map(|i| 1 + (i * turn) % 4).collect();
            tree.counts = pick(&order, &counts);
            flat.counts = pick(&flat_order, &counts);
        }
        prop_assert!(tree.check() && flat.check());
        let mut seen = order.clone();
        seen.sort_unstable();
        prop_assert!(seen.into_iter().eq(0..count as u32));
        let in_order: Vec<f64> = order
            .iter()
            .flat_map(|&at| &rows[at as usize * axes..(at as usize + 1) * axes])
            .copied()
            .collect();
        let expected: Vec<_> =
            queries.chunks(axes).map(|query| brute(&tree, &in_order, query, k)).collect();
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
    // So far away that all distances are equal: three rows share two votes.
    assert!((proba(&near, 1e300) - 2.0 / 3.0).abs() < 1e-15);
}

#[test]
fn equal_distances_count_alike() {
    let knn = Knn::default().k(1).smoothing(0.0);
    // Whatever their order, one vote of two rows is half a vote of each.
    for (xs, labels) in [([0.0, 1.0, 9.0], [0, 1, 0]), ([1.0, 0.0, 9.0], [0, 1, 0])] {
        assert_eq!(proba(&small(&knn, &xs, &labels, &[1.0; 3]).0, 0.5), 0.5);
    }
    // Row 0 is nearest; rows 1 to 3 are as far as each other and share two places.
    let (xs, labels) = ([0.0, 2.0, 2.0, -2.0], [0, 1, 1, 0]);
    let three = knn.clone().k(3);
    let expected = 2.0 * (2.0 / 3.0) / 3.0;
    assert!((proba(&small(&three, &xs, &labels, &[1.0; 4]).0, 0.0) - expected).abs() < 1e-15);
    // Distances of standardised numbers on a grid differ by rounding alone.
    let (xs, labels) = ([0.1, 0.2, 0.3, 0.7], [1, 0, 1, 1]);
    let grid = small(&knn.clone().k(2), &xs, &labels, &[1.0; 4]).0;
    assert_eq!(proba(&grid, 0.2), 0.5);
}

#[test]
fn equal_rows_are_one_point_and_say_what_they_said() {
    let xs: Vec<f64> = (0..600).map(|i| f64::from(i * 7 % 5)).collect();
    let labels: Vec<u32> = (0..600).map(|i| u32::from(i % 3 == 0)).collect();
    let weights: Vec<f64> = (0..600).map(|i| f64::from(1 + i % 2)).collect();
    for knn in [Knn::default().k(130), Knn::default().k(300).votes(Votes::Distance)] {
        let (model, table) = small(&knn, &xs, &labels, &weights);
        assert_eq!(model.points.len(), 10, "five places of two classes");
        assert_eq!(model.points.rows(), 600);
        model.check(table.schema()).unwrap();
        // Row by row: 120 rows at each place.
        for at in [0.0, 1.0, 2.2] {
            let distance = |row: usize| (xs[row] - at).abs();
            let mut order: Vec<usize> = (0..600).collect();
            order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            let last = distance(order[knn.k - 1]);
            let tie = |row: usize| (distance(row) - last).abs() < 1e-9;
            let nearer = (0..600).filter(|&row| distance(row) < last && !tie(row)).count();
            let tied = (0..600).filter(|&row| tie(row)).count();
            let share = |row: usize| match (tie(row), distance(row) < last) {
                (true, _) => (knn.k - nearer) as f64 / tied as f64,
                (false, near) => f64::from(u8::from(near)),
            };
            let nearest = distance(order[0]);
            let inverse = |row: usize| match (knn.votes, distance(row) - nearest < 1e-9) {
                (Votes::Equal, _) | (_, true) => 1.0,
                _ => nearest / distance(row),
            };
            let mean = (0..600).map(|row| inverse(row) * share(row)).sum::<f64>() / knn.k as f64;
            let votes = |class: u32| -> f64 {
                let rows = (0..600).filter(|&row| labels[row] == class);
                rows.map(|row| weights[row] * share(row) * inverse(row) / mean).sum()
            };
            let of = |class: u32| -> f64 {
                let rows = (0..600).filter(|&row| labels[row] == class);
                rows.map(|row| weights[row]).sum::<f64>()
            };
            let all = of(0) + of(1);
            let expected = (votes(1) + of(1) / all) / (votes(0) + votes(1) + 1.0);
            let found = proba(&model, at);
            assert!((found - expected).abs() < 1e-12, "{found}, not {expected} at {at}");
        }
    }
}

#[test]
fn only_rows_of_one_class_at_one_place_are_merged() {
    let mut rows = vec![1.0, 2.0, 0.0, 2.0, 1.0, 2.0, 1.0, 2.0, 0.0, 2.0];
    let merged = merge::merge(&mut rows, 2, |row| (u32::from(row == 3), f64::from(row)));
    assert_eq!(merged.first, [0, 1, 3]);
    assert_eq!(merged.counts, [2, 2, 1]);
    assert_eq!(merged.weights, [2.0, 5.0, 3.0]);
    assert_eq!(rows, [1.0, 2.0, 0.0, 2.0, 1.0, 2.0]);
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
    assert!(forged(&|p| p.counts = vec![1; 99]));
    assert!(forged(&|p| p.counts = vec![0; 100]));
    assert!(forged(&|p| p.tiles.truncate(5)));
}
