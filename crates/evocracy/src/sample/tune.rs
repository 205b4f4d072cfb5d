//! The weight of errors and the width of the prior, by cross-validation on the training rows.
//!
//! Every candidate samples shorter chains without each fold; the one whose probabilities of the rows
//! of the folds have the least Brier score is taken, the first among equals.

use super::model::LIMIT;
use super::prior::Priors;
use super::rows::{BLOCK, Blocks, LabelledRows};
use super::sampled::sample;
use super::settings::Sampling;
use super::units::{HardUnits, Units};
use crate::data::{DenseRows, folds, holdout, pick};
use crate::error::{Error, Result};
use crate::run::{Run, Seed, Ticker};

/// Candidates of the weight of a row that is called wrongly. Both lists were chosen on generated
/// tables (`gen:moons`, `gen:checkerboard`); the least of each are for tables of many columns.
const LAMBDAS: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Candidates of the width of the prior.
const WIDTHS: [f64; 3] = [1.5, 3.0, 6.0];

/// The share of the samples in the search, and of the proposals for each: candidates are told apart
/// long before chains have mixed.
const SAMPLES: usize = 4;
const STEPS: usize = 16;

/// Rows of a fold that candidates are compared on at most, drawn from both classes: more would not
/// tell them apart better.
const ROWS: usize = 1000;

/// Rows of one class against the rest.
pub(super) struct Rows<'a> {
    pub(super) inputs: &'a DenseRows<'a>,
    pub(super) positive: &'a [bool],
    pub(super) weights: &'a [f64],
}

impl Rows<'_> {
    pub(super) fn hard(&self, units: Units) -> HardUnits {
        HardUnits { units, rows: LabelledRows::new(self.inputs, self.positive, self.weights) }
    }

    fn subset(&self, rows: &[u32]) -> (DenseRows<'static>, Vec<bool>, Vec<f64>) {
        (self.inputs.subset(rows), pick(rows, self.positive), pick(rows, self.weights))
    }
}

/// What was chosen, by name.
pub(super) type Chosen = Vec<(String, f64)>;

/// The same options with the weight and the width that were left open, and those of them that were
/// chosen by cross-validation.
pub(super) fn tune(
    with: &Sampling,
    units: Units,
    rows: &Rows<'_>,
    priors: impl Fn(f64) -> Result<Priors> + Sync,
    run: &Run<'_>,
) -> Result<(Sampling, Chosen)> {
    let open = |given: f64, all: &[f64]| if given > 0.0 { vec![given] } else { all.to_vec() };
    let (lambdas, widths) = (open(with.lambda, &LAMBDAS), open(with.width, &WIDTHS));
    let candidates: Vec<(f64, f64)> = widths
        .iter()
        .flat_map(|&width| lambdas.iter().map(move |&lambda| (lambda, width)))
        .collect();
    let fallback = candidates[candidates.len() / 2];
    let choose = |(lambda, width): (f64, f64)| Sampling { lambda, width, ..with.clone() };
    if candidates.len() == 1 {
        return Ok((choose(candidates[0]), Chosen::new()));
    }
    let labels: Vec<u32> = rows.positive.iter().map(|&positive| u32::from(positive)).collect();
    let positives = labels.iter().filter(|label| **label == 1).count();
    let k = with.folds.min(positives).min(labels.len() - positives);
    if k < 2 {
        return Ok((choose(fallback), Chosen::new()));
    }
    let shorter = |candidate| Sampling {
        samples: (with.samples / SAMPLES).max(with.levels),
        chains: 1,
        steps: (with.thin(rows.inputs.rows * units.count) as usize / STEPS).max(1),
        ..choose(candidate)
    };
    let splits = folds(labels.len(), Some(&labels), k, run.seed.child("folds", 0))?;
    let judged_rows = |fold: usize| {
        judged_rows(&splits[fold].test, &labels, run.seed.child("judged", fold as u64))
    };
    let judged_rows = (0..k).map(judged_rows).collect::<Result<Vec<_>>>()?;
    let run = run.task("cross-validation", (candidates.len() * k) as u64);
    let judged = run.pool.map(candidates.len() * k, |number| {
        let (candidate, fold) = (number / k, number % k);
        let (inputs, positive, weights) = rows.subset(&splits[fold].train);
        let own = Rows { inputs: &inputs, positive: &positive, weights: &weights };
        let (held, truth, weights) = rows.subset(&judged_rows[fold]);
        let with = shorter(candidates[candidate]);
        // All candidates see the same draws.
        let run = run.child("fold", fold as u64).part("candidate", candidate as u64);
        let found =
            brier(&with, units, &own, &priors(with.width)?, (&held, &truth, &weights), &run);
        run.watch.advance(1);
        found
    });
    let judged = judged.into_iter().collect::<Result<Vec<f64>>>()?;
    let sums = judged.chunks(k).map(|own| own.iter().sum::<f64>());
    let best = sums.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at);
    let best = best.map_or(fallback, |at| candidates[at]);
    let named = [("lambda", with.lambda, best.0), ("width", with.width, best.1)];
    let chosen = named.into_iter().filter(|(_, given, _)| *given <= 0.0);
    Ok((choose(best), chosen.map(|(name, _, value)| (name.to_owned(), value)).collect()))
}

/// The rows of a fold that candidates are compared on: all, or a sample of both classes.
fn judged_rows(test: &[u32], labels: &[u32], seed: Seed) -> Result<Vec<u32>> {
    if test.len() <= ROWS {
        return Ok(test.to_vec());
    }
    let share = ROWS as f64 / test.len() as f64;
    Ok(pick(&holdout(test.len(), Some(&pick(test, labels)), share, seed)?.test, test))
}

/// The sum of the squared errors of the probabilities of held-out rows.
fn brier(
    with: &Sampling,
    units: Units,
    rows: &Rows<'_>,
    priors: &Priors,
    (held, truth, weights): (&DenseRows<'_>, &[bool], &[f64]),
    run: &Run<'_>,
) -> Result<f64> {
    let one = crate::run::Pool::new(1)?;
    let run = Run { pool: &one, ..run.clone() };
    let hard = rows.hard(units);
    let part = sample(with, &hard, priors, rows.inputs.rows * units.count, &run)?;
    if held.columns.iter().any(|column| column.iter().any(|x| x.abs() > LIMIT)) {
        return Err(Error::unsuitable("a column holds a number beyond 1e100", "leave it out"));
    }
    let blocks = Blocks::new(held, 0..held.rows);
    let mut out = vec![[part.base; BLOCK]; blocks.len()];
    let mut ticker = Ticker::new(run.stop);
    for (sample, weight) in part.values.chunks_exact(units.parameters()).zip(&part.weights) {
        ticker.tick(held.rows * units.parameters())?;
        units.add_calls(sample, &blocks, *weight, &mut out);
    }
    let each = out.as_flattened().iter().zip(truth).zip(weights);
    Ok(each.map(|((p, &yes), w)| w * (p - f64::from(u8::from(yes))).powi(2)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first rows of a table that is sorted by class show one class only.
    #[test]
    fn judged_rows_are_of_both_classes_wherever_these_stand() -> Result<()> {
        let sorted: Vec<u32> = (0..6000).map(|row| u32::from(row >= 4500)).collect();
        let mixed: Vec<u32> = (0..6000).map(|row| u32::from(row % 4 == 0)).collect();
        let test: Vec<u32> = (0..6000).filter(|row| row % 2 == 0).collect();
        for labels in [&sorted, &mixed] {
            let found = judged_rows(&test, labels, Seed::new(3))?;
            assert_eq!(found.len(), ROWS);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(found.iter().all(|row| test.binary_search(row).is_ok()));
            let own = test.iter().filter(|row| labels[**row as usize] == 1).count() as f64;
            let expected = own * ROWS as f64 / test.len() as f64;
            let positives = found.iter().filter(|row| labels[**row as usize] == 1).count() as f64;
            assert!((positives - expected).abs() <= 1.0, "{positives}, expected {expected}");
        }
        assert_eq!(judged_rows(&test[..ROWS], &sorted, Seed::new(3))?, &test[..ROWS]);
        Ok(())
    }
}
