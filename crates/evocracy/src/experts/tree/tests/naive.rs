//! The best split against a search that recounts every split from scratch.

use super::*;
use crate::experts::tree::Criterion;

/// Impurity from its definition, times the weight.
fn impurity(criterion: Criterion, counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let shares = counts.iter().filter(|&&w| w > 0.0).map(|w| w / total);
    total
        * match criterion {
            Criterion::Gini => shares.map(|p| p * (1.0 - p)).sum::<f64>(),
            Criterion::Entropy => shares.map(|p| -p * p.log2()).sum::<f64>(),
        }
}

/// The gain of a split given by the side of every row; `None` when a side is too light.
fn gain(small: &Small, tree: &Tree, goes_left: &dyn Fn(usize) -> bool) -> Option<f64> {
    let mut counts = [vec![0.0; small.classes], vec![0.0; small.classes]];
    for row in 0..small.labels.len() {
        counts[usize::from(!goes_left(row))][small.labels[row] as usize] += small.weights[row];
    }
    let light = |c: &Vec<f64>| {
        let weight: f64 = c.iter().sum();
        weight <= 0.0 || weight < tree.leaf
    };
    if counts.iter().any(light) {
        return None;
    }
    let all: Vec<f64> = counts[0].iter().zip(&counts[1]).map(|(a, b)| a + b).collect();
    let of = |c: &[f64]| impurity(tree.criterion, c);
    Some(of(&all) - of(&counts[0]) - of(&counts[1]))
}

/// What the naive search found: gain, column, threshold and side of missing values of a number
/// column.
type Found = (f64, usize, Option<(f64, bool)>);

fn keep(best: &mut Option<Found>, found: Found) {
    if best.is_none_or(|(gain, ..)| found.0 > gain + 1e-9) {
        *best = Some(found);
    }
}

fn naive(small: &Small, tree: &Tree) -> Option<Found> {
    let view = small.table.view();
    let mut best = None;
    for column in 0..view.columns() {
        match view.cells(column) {
            Cells::Number(values) => naive_cut(small, tree, column, values, &mut best),
            Cells::Nominal(codes) => {
                let code = |row: usize| codes[row].min(5);
                for subset in 0u32..1 << 6 {
                    let side = |row: usize| subset >> code(row) & 1 == 1;
                    if let Some(gain) = gain(small, tree, &side) {
                        keep(&mut best, (gain, column, None));
                    }
                }
            }
        }
    }
    best
}

fn naive_cut(small: &Small, tree: &Tree, column: usize, values: &[f64], best: &mut Option<Found>) {
    let weighty = |row: &usize| small.weights[*row] > 0.0;
    let rows: Vec<usize> = (0..values.len()).filter(weighty).collect();
    let mut known: Vec<f64> = rows.iter().map(|&r| values[r]).filter(|v| !v.is_nan()).collect();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let missing = rows.iter().any(|&r| values[r].is_nan());
    let mut thresholds: Vec<f64> = known.windows(2).map(|w| f64::midpoint(w[0], w[1])).collect();
    thresholds.push(f64::MAX);
    for threshold in thresholds {
        for missing_left in [false, true] {
            if missing_left && (!missing || threshold == f64::MAX) {
                continue;
            }
            let side = |row: usize| {
                if values[row].is_nan() { missing_left } else { values[row] <= threshold }
            };
            if let Some(gain) = gain(small, tree, &side) {
                let place = (threshold, missing_left && missing);
                keep(best, (gain, column, Some(place)));
            }
        }
    }
}

fn agree(small: &Small, tree: &Tree) -> Result<(), TestCaseError> {
    let grown = small.grown(&tree.clone().depth(1));
    let shown = grown.counts[..small.classes].iter().filter(|&&w| w > 0.0).count();
    let expected = naive(small, tree).filter(|_| shown > 1);
    let Some((best, column, place)) = expected else {
        prop_assert_eq!(grown.nodes.len(), 1);
        return Ok(());
    };
    prop_assert_eq!(grown.nodes.len(), 3);
    prop_assert!((grown.nodes.gain(0) - best).abs() < 1e-9);
    prop_assert_eq!(grown.nodes.column(0), column);
    // The rows really go where the gain says.
    let (cells, levels) = small.cells()[column];
    let side = |row: usize| grown.nodes.direction(0, cells, row, levels).left;
    let real = gain(small, tree, &side);
    prop_assert!(real.is_some_and(|real| (real - best).abs() < 1e-9));
    if let (Some((threshold, missing_left)), Cells::Number(values)) = (place, cells) {
        prop_assert_eq!(grown.nodes.threshold(0), threshold);
        let missing = (0..values.len()).any(|r| values[r].is_nan() && small.weights[r] > 0.0);
        let weight: f64 = grown.counts[small.classes..2 * small.classes].iter().sum();
        let heavier = 2.0 * weight >= grown.nodes.weight(0);
        let expected = if missing { missing_left } else { heavier };
        prop_assert_eq!(grown.nodes.missing_left(0), expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_best_cut_is_found(
        small in small(3, 0), entropy: bool, leaf in prop_oneof![Just(0.0), 0.5f64..4.0],
    ) {
        let criterion = if entropy { Criterion::Entropy } else { Criterion::Gini };
        agree(&small, &full().criterion(criterion).leaf(leaf))?;
    }

    #[test]
    fn the_best_subset_is_found(small in small(1, 2), entropy: bool) {
        let criterion = if entropy { Criterion::Entropy } else { Criterion::Gini };
        agree(&small, &full().criterion(criterion))?;
    }
}

proptest! {
    /// Beyond the exhaustive search the gain is still that of the split, and with two classes
    /// still the best: here every level has one class, so a split without impurity exists.
    #[test]
    fn many_levels_are_split(codes in prop::collection::vec(0u32..40, 60..200), classes in 2u32..5) {
        let labels: Vec<u32> = codes.iter().map(|c| c * 7 % 11 % classes).collect();
        let weights = vec![1.0; codes.len()];
        let small = Small::new(vec![Column::Nominal(codes)], labels, weights, classes as usize);
        let tree = full();
        let grown = small.grown(&tree.clone().depth(1));
        if grown.nodes.len() == 3 {
            let (cells, levels) = small.cells()[0];
            let side = |row: usize| grown.nodes.direction(0, cells, row, levels).left;
            let real = gain(&small, &tree, &side).unwrap();
            prop_assert!((grown.nodes.gain(0) - real).abs() < 1e-9);
            if classes == 2 {
                let whole = impurity(tree.criterion, &grown.counts[..2]);
                prop_assert!((real - whole).abs() < 1e-9);
            }
        }
    }
}
