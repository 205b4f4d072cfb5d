//! The pruning sequence against all subtrees of small trees.

use super::*;
use crate::experts::tree::Criterion;
use crate::experts::tree::prune::{collapse_points, prune};

/// Cost and leaves of every subtree that can be pruned to below a node.
fn subtrees(grown: &Grown, small: &Small, node: usize) -> Vec<(f64, usize)> {
    let counts = &grown.counts[node * small.classes..(node + 1) * small.classes];
    let mut all = vec![(Criterion::Gini.impurity(counts) / grown.nodes.weight(0), 1)];
    if let Some([left, right]) = grown.nodes.children(node) {
        let (left, right) = (subtrees(grown, small, left), subtrees(grown, small, right));
        for a in &left {
            all.extend(right.iter().map(|b| (a.0 + b.0, a.1 + b.1)));
        }
    }
    all
}

fn leaves_below(grown: &Grown, small: &Small) -> (f64, usize) {
    let leaf = |node: &usize| grown.nodes.children(*node).is_none();
    let impurity = |node: usize| {
        Criterion::Gini.impurity(&grown.counts[node * small.classes..(node + 1) * small.classes])
    };
    let leaves: Vec<usize> = (0..grown.nodes.len()).filter(leaf).collect();
    let total: f64 = leaves.iter().map(|&node| impurity(node)).sum();
    (total / grown.nodes.weight(0), leaves.len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn pruning_finds_the_smallest_tree_of_least_cost(small in small(1, 1)) {
        let grown = small.grown(&full().depth(4));
        let points = collapse_points(&grown, small.classes, Criterion::Gini);
        let levels: Vec<_> = small.cells().iter()
            .map(|(cells, levels)| matches!(cells, Cells::Nominal(_)).then_some(*levels)).collect();
        let all = subtrees(&grown, &small, 0);
        let mut alphas: Vec<f64> = points.iter().copied().filter(|p| p.is_finite()).collect();
        alphas.sort_by(f64::total_cmp);
        let last = alphas.last().copied().unwrap_or(0.0);
        let between: Vec<f64> = alphas.windows(2).map(|w| f64::midpoint(w[0], w[1])).collect();
        alphas.extend(between);
        alphas.extend([0.0, last + 1.0]);
        alphas.sort_by(f64::total_cmp);
        let mut smaller = usize::MAX;
        for alpha in alphas {
            let kept = prune(&grown, &points, alpha, &levels);
            let (risk, leaves) = leaves_below(&kept, &small);
            let cost = |&(risk, leaves): &(f64, usize)| risk + alpha * leaves as f64;
            let least = all.iter().map(cost).fold(f64::INFINITY, f64::min);
            let fewest = all.iter().filter(|t| cost(t) <= least + 1e-12).map(|t| t.1).min();
            prop_assert!((cost(&(risk, leaves)) - least).abs() < 1e-12);
            prop_assert_eq!(Some(leaves), fewest);
            prop_assert!(leaves <= smaller);
            smaller = leaves;
        }
        prop_assert_eq!(smaller, 1);
        // Nothing collapses below any strength: the tree is copied as it is.
        let same = prune(&grown, &points, f64::NEG_INFINITY, &levels);
        prop_assert_eq!(same.nodes, grown.nodes);
    }
}

#[test]
fn cross_validation_keeps_what_is_real_and_cuts_what_is_noise() {
    // The class follows x with every seventh row turned; noise has nothing to say.
    let rows = 400;
    let x: Vec<f64> = (0..rows).map(|i| f64::from(i * 37 % 400)).collect();
    let noise: Vec<f64> = (0..rows).map(|i| f64::from(i * i % 101)).collect();
    let labels: Vec<u32> =
        x.iter().enumerate().map(|(i, &x)| u32::from((x < 200.0) != (i % 7 == 0))).collect();
    let columns = vec![Column::Number(noise), Column::Number(x)];
    let small = Small::new(columns, labels, vec![1.0; 400], 2);
    let model = small.fit(&Tree::default());
    assert_eq!(model.describe(small.table.schema()).lines().count(), 2);
    assert_eq!(model.importance(), [0.0, 1.0]);
    assert!(small.fit(&Tree::default().prune_folds(0)).nodes.leaves() > 30);
}
