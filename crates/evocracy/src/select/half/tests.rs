//! What is fitted to the training half, by values that are known.

use super::*;
use crate::select::samples::Gene;

const TRAIN: [u32; 4] = [0, 1, 2, 3];
const TEST: [u32; 4] = [4, 5, 6, 7];

/// Columns of eight samples, whose classes take turns.
fn samples(columns: &[[f64; 8]]) -> Samples {
    let gene =
        |at: usize| Gene { name: at.to_string(), label: None, column: at + 1, indicator: false };
    let positive = (0..8).map(|row| row % 2 == 0).collect();
    let genes = (0..columns.len()).map(gene).collect();
    Samples::of(genes, columns.concat(), positive, ["a".to_owned(), "b".to_owned()]).unwrap()
}

fn half<'a>(samples: &'a Samples, preparation: &'a Preparation) -> Half<'a> {
    Half::new(samples, samples.positive(), (&TRAIN, &TEST), preparation, &[])
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 1e-6, "{found:?}, expected {expected:?}");
    }
}

#[test]
fn the_floor_is_that_of_training_values() {
    let log = Preparation { scale: Scale::Log, ..Preparation::default() };
    // The median of 1, 2 and 3.
    let noisy = samples(&[[-1.0, -2.0, -3.0, 8.0, -100.0, -200.0, -300.0, 1e-9]]);
    assert_near(&[half(&noisy, &log).floor], &[2.0 * MEDIAN_FACTOR]);
    let positive = samples(&[[4.0, 2.0, 8.0, 0.0, 1e-9, 1.0, 1.0, 1.0]]);
    assert_near(&[half(&positive, &log).floor], &[2.0]);
    assert_near(&[half(&positive, &Preparation::default()).floor], &[0.0]);
}

#[test]
fn columns_are_standardised_by_training_values() {
    // 1 and 4 are 0 and 2 as logarithms; the mean of what is known stands for what is missing.
    let values = [
        [1.0, 4.0, 1.0, 4.0, 9.0, 90.0, 900.0, 9000.0],
        [1.0, f64::NAN, 3.0, 2.0, 7.0, 7.0, 8.0, 9.0],
    ];
    let samples = samples(&values);
    let raw = Preparation::default();
    let root = 2.0_f64.sqrt();
    assert_near(half(&samples, &raw).column(1), &[-root, 0.0, root, 0.0]);
    let log = Preparation { scale: Scale::Log, ..Preparation::default() };
    assert_near(half(&samples, &log).column(0), &[-1.0, 1.0, -1.0, 1.0]);
    // Test values by the mean 1 and the deviation 1 of the training half.
    let (_, test) = half(&samples, &log).prepare(0, &TEST);
    assert_near(&test, &values[0][4..].iter().map(|v| v.log2() - 1.0).collect::<Vec<_>>());
}

/// All values of the cofactor are below the floor of the gene, which is 1.
#[test]
fn logarithms_leave_cofactors_as_they_are() {
    let values =
        [[1.0, 4.0, 16.0, 64.0, 1.0, 2.0, 4.0, 8.0], [0.1, 0.1, 0.2, 0.2, 0.3, 0.1, 0.1, 0.2]];
    let samples = samples(&values);
    // Logarithms 0, 2, 4, 6 less what -1, -1, 1, 1 explains of them.
    let log =
        |adjust, force| Preparation { scale: Scale::Log, adjust, force, ..Preparation::default() };
    for preparation in [log(vec![1], Vec::new()), log(Vec::new(), vec![1])] {
        let half = half(&samples, &preparation);
        assert_eq!(half.genes, [0]);
        assert_near(half.column(0), &[-1.0, 1.0, -1.0, 1.0]);
        assert_near(&half.cofactors.train, &[-1.0, -1.0, 1.0, 1.0]);
        // 0.3 is three deviations of 0.05 above the mean of 0.15.
        assert_near(&half.cofactors.test, &[3.0, -1.0, -1.0, 1.0]);
    }
    // One that is offered can be selected, and does not lower the floor for others.
    let offered = Preparation { scale: Scale::Log, offer: vec![1], ..Preparation::default() };
    let half = half(&samples, &offered);
    assert_eq!(half.genes, [0, 1]);
    assert_near(&[half.floor], &[1.0]);
    assert_near(half.column(1), &[-1.0, -1.0, 1.0, 1.0]);
    assert_near(&half.prepare(1, &TEST).1, &[3.0, -1.0, -1.0, 1.0]);
    assert!(half.column(0).iter().all(|value| value.abs() > 0.4), "logarithms 0, 2, 4, 6");
}

/// A column is the same at any scale that is not refused.
#[test]
fn very_small_and_very_large_values_are_values() {
    let values = [1.0, 4.0, 16.0, 64.0, 1.0, 2.0, 4.0, 8.0];
    let scales = [1.0, 1e-300, 1e-200, 1e-141, 1e148];
    let samples = samples(&scales.map(|scale| values.map(|value| value * scale)));
    let raw = Preparation::default();
    let half = half(&samples, &raw);
    for at in 1..scales.len() {
        assert_near(half.column(at), half.column(0));
        assert_near(&half.prepare(at, &TEST).1, &half.prepare(0, &TEST).1);
    }
}
