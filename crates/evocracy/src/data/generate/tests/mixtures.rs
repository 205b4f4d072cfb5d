//! Ripley's mixture and Breiman's waveforms against their Bayes errors, which
//! `tests/reference/bayes_errors.py` computed in another way.

use super::super::{ripley_posterior, waveform_posterior};
use super::{assert_fair, assert_normal, assert_share, classes, made, mean, numbers, variance};
use crate::data::Table;
use crate::data::catalogue::{Catalogue, Load};
use crate::num::argmax;

/// By the midpoint rule. The 8 % of the literature are the error on the published test rows.
const RIPLEY: f64 = 0.089_327;

/// From 1,000,000 rows, with its standard error. Breiman et al. counted 14 % on 5,000 rows.
const WAVEFORM: (f64, f64) = (0.133_073, 0.000_161);

/// How many rows the rule "class 1 where the posterior exceeds 1/2" gets wrong.
fn ripley_errors(table: &Table) -> usize {
    let (x, y) = (numbers(table, 0), numbers(table, 1));
    let wrong =
        |row: &usize| (ripley_posterior(x[*row], y[*row]) > 0.5) != (classes(table)[*row] == 1);
    (0..table.rows()).filter(wrong).count()
}

#[test]
fn ripleys_mixture_has_its_bayes_error() {
    let n = 100_000;
    let table = made(&format!("gen:ripley:rows={n}"));
    assert_fair(&table, 2);
    assert_share(ripley_errors(&table), n, RIPLEY, "the Bayes rule on generated rows");
    // The published test rows come from another generator.
    let published = Catalogue::embedded().open("ripley-synth:test", &Load::default()).unwrap();
    assert_share(ripley_errors(published.table()), 1000, RIPLEY, "on the published test rows");
    assert_eq!(ripley_errors(published.table()), 80, "the 8 % of the literature");
    let names = |table: &Table| table.schema().names().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(names(&table), names(published.table()));
}

#[test]
fn ripleys_posterior_is_calibrated_and_sane_everywhere() {
    let n = 100_000;
    let table = made(&format!("gen:ripley:rows={n}:seed=2"));
    let (x, y) = (numbers(&table, 0), numbers(&table, 1));
    let posterior: Vec<f64> = (0..n).map(|row| ripley_posterior(x[row], y[row])).collect();
    for low in 0..5 {
        let (low, high) = (f64::from(low) / 5.0, f64::from(low + 1) / 5.0);
        let inside: Vec<usize> =
            (0..n).filter(|&row| (low..high).contains(&posterior[row])).collect();
        let expected = mean(&inside.iter().map(|&row| posterior[row]).collect::<Vec<_>>());
        let ones = inside.iter().filter(|&&row| classes(&table)[row] == 1).count();
        assert_share(ones, inside.len(), expected, "class 1 among equal posteriors");
    }
    for (x, y) in [(1e6, 0.0), (-1e6, 1e6), (0.0, -1e100)] {
        assert!((0.0..=1.0).contains(&ripley_posterior(x, y)), "({x}, {y})");
    }
}

#[test]
fn waveforms_have_their_bayes_error() {
    let n = 30_000;
    let table = made(&format!("gen:waveform:rows={n}"));
    assert_eq!(table.columns().len(), 22);
    assert_fair(&table, 3);
    let (mut wrong, mut risks) = (0, Vec::new());
    for row in 0..n {
        let values: Vec<f64> = (0..21).map(|j| numbers(&table, j)[row]).collect();
        let posterior = waveform_posterior(&values);
        assert!((posterior.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let best = argmax(&posterior);
        wrong += usize::from(best != classes(&table)[row] as usize);
        risks.push(1.0 - posterior[best]);
    }
    assert_share(wrong, n, WAVEFORM.0, "the Bayes rule");
    // Breiman's figure is a count, too: of 5,000 rows.
    assert_share(5000 * 14 / 100, 5000, WAVEFORM.0, "the 14 % of the literature");
    let error = (variance(&risks) / n as f64).sqrt().hypot(WAVEFORM.1);
    assert!((mean(&risks) - WAVEFORM.0).abs() < 4.0 * error, "the posterior: {}", mean(&risks));
}

#[test]
fn further_attributes_of_waveforms_are_noise() {
    let (narrow, wide) = (made("gen:waveform:rows=20000"), made("gen:waveform:40:rows=20000"));
    assert_eq!(wide.columns().len(), 41);
    assert_eq!(narrow.columns()[..21], wide.columns()[..21]);
    assert_eq!(classes(&narrow), classes(&wide));
    for column in 21..40 {
        assert_normal(numbers(&wide, column), 1.0, "n = 20,000");
    }
    for far in [1e3, -1e3] {
        assert!(waveform_posterior(&[far; 21]).iter().all(|p| p.is_finite()));
    }
}

#[test]
fn the_mean_waves_are_blends_of_two() {
    // The mean of a class is the mean of its two waves; n = 10,000 rows a class or nearly so.
    let table = made("gen:waveform:rows=30000:seed=3");
    let tent = |peak: usize, place: usize| 6.0 - (place.abs_diff(peak) as f64).min(6.0);
    for (class, peaks) in [(0, (11, 15)), (1, (11, 7)), (2, (15, 7))] {
        for place in 1..=21 {
            let all = numbers(&table, place - 1).iter().zip(classes(&table));
            let values: Vec<f64> = all.filter(|(_, c)| **c == class).map(|(v, _)| *v).collect();
            let expected = f64::midpoint(tent(peaks.0, place), tent(peaks.1, place));
            let error = (variance(&values) / values.len() as f64).sqrt();
            assert!((mean(&values) - expected).abs() < 4.0 * error, "class {class}, place {place}");
        }
    }
}
