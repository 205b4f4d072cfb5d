//! Labels that look wrong (thesis 4.9.1).
//!
//! The thesis takes a negative correlation of training and test areas over splits as a sign of
//! mislabelled samples. It is none by itself: the halves of a split are complements, so that samples
//! that make one half hard are missing from the other, and clean classes that overlap give the same.
//! So the correlation is held against its distribution for clean normal classes of the same sizes
//! and the same area.
//!
//! What does tell is where a sample stands: its scores by classifiers that were not trained on it,
//! against those of its own class. A sample is named where it is called wrongly most of the time and
//! its score is too far from its class for chance (a normal tail around median and median absolute
//! deviation, times the number of samples).

use super::classifier::auc_of;
use super::halving::SplitFound;
use super::samples::Samples;
use crate::data::halves;
use crate::error::Result;
use crate::evolve::{gauss, rng};
use crate::num::{normal_quantile, normal_tail};
use crate::run::{Run, Seed};
use serde::Serialize;

/// Clean sets that are simulated.
const SIMULATED: usize = 199;
/// A named sample is called wrongly at least this often.
const WRONG: f64 = 0.5;
/// And its corrected tail is at most this.
const LEVEL: f64 = 0.01;
/// The median absolute deviation of normal values is their standard deviation divided by this.
const MAD: f64 = 1.4826;

/// A sample whose label may be wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspect {
    /// The sample, counted from 1.
    pub sample: usize,
    /// The class it is labelled with.
    pub class: String,
    /// How often classifiers that were not trained on it called it wrongly.
    pub wrong: f64,
    /// How far its score is from the median of its class, towards the other, in robust standard
    /// deviations.
    pub distance: f64,
    /// The probability of that for any of the samples.
    pub p_value: f64,
}

/// What was found about labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelReport {
    /// The correlation of training and test areas over halves; none where they do not vary.
    pub correlation: Option<f64>,
    /// Mean and standard deviation of the same for clean labels.
    pub clean: Option<[f64; 2]>,
    /// The share of clean sets whose correlation is as low.
    pub p_value: Option<f64>,
    /// The samples most at odds with their label.
    pub suspects: Vec<Suspect>,
}

/// The training and the test area of every half: a mean over its classifiers.
pub fn area_pairs(found: &[SplitFound]) -> Vec<[f64; 2]> {
    let of = |half: &super::HalfFound| {
        let n = half.classifiers.len() as f64;
        let mean = |side: usize| half.classifiers.iter().map(|one| one.auc[side]).sum::<f64>() / n;
        (n > 0.0).then(|| [mean(0), mean(1)])
    };
    found.iter().flatten().filter_map(of).collect()
}

/// The correlation of pairs; none where one side does not vary.
pub fn correlation(pairs: &[[f64; 2]]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / n;
    let (a, b) = (mean(0), mean(1));
    let sum = |f: fn(f64, f64) -> f64| -> f64 { pairs.iter().map(|p| f(p[0] - a, p[1] - b)).sum() };
    let scale = (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt();
    (scale > 1e-12).then(|| sum(|x, y| x * y) / scale)
}

/// Looks for wrong labels in the splits of one set of genes.
pub fn label_report(samples: &Samples, found: &[SplitFound], run: &Run<'_>) -> Result<LabelReport> {
    let pairs = area_pairs(found);
    let observed = correlation(&pairs);
    let (mut clean, mut p_value) = (None, None);
    if let Some(observed) = observed {
        let area = pairs.iter().flatten().sum::<f64>() / (2 * pairs.len()) as f64;
        let simulated = run.pool.map(SIMULATED, |number| {
            let seed = run.seed.child("clean", number as u64);
            clean_correlation(samples.positive(), area, found.len(), seed)
        });
        let simulated: Vec<f64> =
            simulated.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        if simulated.len() > 1 {
            let n = simulated.len() as f64;
            let mean = simulated.iter().sum::<f64>() / n;
            let squares: f64 = simulated.iter().map(|r| (r - mean).powi(2)).sum();
            clean = Some([mean, (squares / (n - 1.0)).sqrt()]);
            let low = simulated.iter().filter(|r| **r <= observed).count();
            p_value = Some((1 + low) as f64 / (1.0 + n));
        }
    }
    Ok(LabelReport { correlation: observed, clean, p_value, suspects: suspects(samples, found) })
}

/// The correlation over splits of one score whose classes are normal and have this area.
fn clean_correlation(truth: &[bool], area: f64, splits: usize, seed: Seed) -> Result<Option<f64>> {
    let shift = normal_quantile(area.clamp(0.01, 0.9999)) * std::f64::consts::SQRT_2;
    let mut draws = rng(seed);
    let scores: Vec<f64> =
        truth.iter().map(|&t| gauss(&mut draws) + if t { shift } else { 0.0 }).collect();
    let codes = Samples::codes(truth);
    let mut pairs = Vec::with_capacity(2 * splits);
    for number in 0..splits {
        let split = halves(truth.len(), Some(&codes), seed.child("split", number as u64))?;
        let of = |rows: &[u32]| {
            let own: Vec<f64> = rows.iter().map(|&row| scores[row as usize]).collect();
            let truth: Vec<bool> = rows.iter().map(|&row| truth[row as usize]).collect();
            auc_of(&own, &truth)
        };
        let (a, b) = (of(&split.train), of(&split.test));
        pairs.extend([[a, b], [b, a]]);
    }
    Ok(correlation(&pairs))
}

/// The samples whose out-of-half scores do not fit their class.
fn suspects(samples: &Samples, found: &[SplitFound]) -> Vec<Suspect> {
    let n = samples.rows();
    let (mut wrong, mut score, mut times) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for one in found.iter().flatten().flat_map(|half| &half.judged) {
        let row = one.row as usize;
        wrong[row] += one.wrong;
        score[row] += one.score;
        times[row] += 1.0;
    }
    let mean =
        |sums: &[f64], row: usize| if times[row] > 0.0 { sums[row] / times[row] } else { 0.0 };
    let mut named = Vec::new();
    for class in [true, false] {
        let rows: Vec<usize> = (0..n).filter(|&row| samples.positive()[row] == class).collect();
        let towards = |row: usize| if class { -mean(&score, row) } else { mean(&score, row) };
        let centre = median(rows.iter().map(|&row| towards(row)).collect());
        let spread = MAD * median(rows.iter().map(|&row| (towards(row) - centre).abs()).collect());
        for row in rows {
            let distance = if spread > 0.0 { (towards(row) - centre) / spread } else { 0.0 };
            let p_value = (normal_tail(distance) * n as f64).min(1.0);
            let wrong = mean(&wrong, row);
            if wrong >= WRONG && p_value <= LEVEL {
                let class = samples.class_names()[usize::from(!class)].clone();
                named.push(Suspect { sample: row + 1, class, wrong, distance, p_value });
            }
        }
    }
    named.sort_by(|a, b| b.wrong.total_cmp(&a.wrong).then(b.distance.total_cmp(&a.distance)));
    named
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { 0.0 } else { f64::midpoint(values[(n - 1) / 2], values[n / 2]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_classes_that_overlap_have_a_negative_correlation_too() {
        let truth: Vec<bool> = (0..132).map(|row| row < 35).collect();
        let found = clean_correlation(&truth, 0.8, 50, Seed::new(1)).unwrap().unwrap();
        assert!(found < -0.5, "{found}");
        assert_eq!(correlation(&[[1.0, 0.5], [1.0, 0.7]]), None);
        assert_eq!(correlation(&[[1.0, 2.0], [2.0, 1.0], [3.0, 0.0]]), Some(-1.0));
    }
}
