//! Labels that look wrong (thesis 4.9.1).
//!
//! The thesis takes a negative correlation of training and test areas over splits as a sign of
//! mislabelled samples. It is none by itself: the halves of a split are complements, so that samples
//! that make one half hard are missing from the other, and clean classes that overlap give the same.
//!
//! What does tell is where a sample stands: its scores by classifiers that were not trained on it,
//! against those of its own class, in robust standard deviations.
//!
//! Both are held against clean sets: normal samples with the class means and the common covariance of
//! the genes that are looked at, which go through the same splits and fits (a parametric bootstrap). A
//! sample is named where it is called wrongly most of the time, and is farther from its class than the
//! farthest sample of all but a share of the clean sets: that share bounds the probability that any
//! sample of a clean set is named, where values within a class are normal.

use super::given::Given;
use super::half::{Half, MEDIAN_FACTOR, Preparation, RIDGE};
use super::halving::{Halving, SplitFound};
use super::samples::{Gene, Samples};
use crate::error::{Error, Result};
use crate::evolve::{gauss, rng};
use crate::num::{add_scaled, cholesky, dot};
use crate::run::{Run, Seed, Shelf};
use serde::Serialize;

/// Clean sets that are simulated.
const SIMULATED: usize = 199;
/// The most splits that are looked at, as many as in the thesis: clean sets go through all of them.
const SPLITS: usize = 50;
/// A named sample is called wrongly at least this often.
const WRONG: f64 = 0.5;
/// The share of clean sets in which a sample is named.
const LEVEL: f64 = 0.01;

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
    /// The share of clean sets with a sample as far from its class.
    pub p_value: f64,
}

/// What was found about labels.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
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

/// Looks for wrong labels by classifiers of some genes. Without genes that can be selected, and
/// without forced cofactors, there is nothing to look at.
pub fn label_report(halving: &Halving<'_>, genes: &[u32], run: &Run<'_>) -> Result<LabelReport> {
    let given = Given { genes: genes.to_vec() };
    let splits = halving.splits.min(SPLITS);
    let own = Halving { selector: &given, splits, ..*halving };
    let like = Like::new(&own, genes)?;
    if like.width == 0 {
        return Ok(LabelReport::default());
    }
    let found = own.run(run)?;
    let clean = clean_sets(&own, &like, run)?;
    let observed = correlation(&area_pairs(&found));
    let simulated: Vec<f64> = clean.iter().filter_map(|set| set.correlation).collect();
    let n = simulated.len() as f64;
    let both = observed.filter(|_| simulated.len() > 1);
    let spread = || {
        let mean = simulated.iter().sum::<f64>() / n;
        let squares: f64 = simulated.iter().map(|r| (r - mean).powi(2)).sum();
        [mean, (squares / (n - 1.0)).sqrt()]
    };
    let p_of = |observed: f64| {
        let low = simulated.iter().filter(|r| **r <= observed).count();
        (1 + low) as f64 / (1.0 + n)
    };
    Ok(LabelReport {
        correlation: observed,
        clean: both.map(|_| spread()),
        p_value: both.map(p_of),
        suspects: suspects(halving.samples, &found, &clean),
    })
}

/// What a clean set gives.
struct Clean {
    correlation: Option<f64>,
    /// The distance of the sample that is farthest from its class.
    farthest: f64,
}

/// Simulates clean sets and puts them through the splits and fits.
fn clean_sets(halving: &Halving<'_>, like: &Like, run: &Run<'_>) -> Result<Vec<Clean>> {
    let columns: Vec<u32> = (0..like.width as u32).collect();
    let (given, preparation) = (Given { genes: columns }, Preparation::default());
    let task = run.task("clean sets", SIMULATED as u64);
    let clean = run.pool.map(SIMULATED, |number| {
        let own = Run { shelf: Shelf::none(), ..task.child("clean", number as u64) };
        let samples = like.draw(own.seed.child("values", 0))?;
        let (selector, preparation) = (&given as &dyn super::Selector, &preparation);
        let set = Halving { samples: &samples, selector, preparation, left_out: &[], ..*halving };
        let split =
            |number: usize| set.split(samples.positive(), &own.child("split", number as u64));
        let found = (0..halving.splits).map(split).collect::<Result<Vec<_>>>()?;
        task.watch.advance(1);
        let farthest = standing(samples.positive(), &found).into_iter().map(|s| s.distance);
        Ok(Clean {
            correlation: correlation(&area_pairs(&found)),
            farthest: farthest.fold(f64::NEG_INFINITY, f64::max),
        })
    });
    clean.into_iter().collect()
}

/// Normal samples like those of a study: its class means and common covariance.
struct Like {
    truth: Vec<bool>,
    width: usize,
    /// The means of the positive class, then those of the others.
    means: [Vec<f64>; 2],
    /// The lower factor of the covariance.
    factor: Vec<f64>,
}

impl Like {
    /// The genes, prepared on all samples, and the forced cofactors.
    fn new(halving: &Halving<'_>, genes: &[u32]) -> Result<Self> {
        let truth = halving.samples.positive().to_vec();
        let all: Vec<u32> = (0..truth.len() as u32).collect();
        let Halving { samples, preparation, left_out, .. } = *halving;
        let half = Half::new(samples, &truth, (&all, &[]), preparation, left_out);
        let place = |gene: &u32| half.genes.binary_search(gene).ok();
        let columns: Vec<&[f64]> =
            genes.iter().filter_map(place).map(|at| half.column(at)).chain(half.forced()).collect();
        let mut means = [Vec::new(), Vec::new()];
        let mut residuals: Vec<Vec<f64>> = Vec::new();
        for column in &columns {
            let mean = |class: bool| {
                let own = column.iter().zip(&truth).filter(|(_, t)| **t == class);
                let (sum, count) = own.fold((0.0, 0.0), |(s, n), (value, _)| (s + value, n + 1.0));
                sum / count
            };
            let (positive, others) = (mean(true), mean(false));
            means[0].push(positive);
            means[1].push(others);
            let centre = |t: &bool| if *t { positive } else { others };
            residuals.push(column.iter().zip(&truth).map(|(v, t)| v - centre(t)).collect());
        }
        let width = columns.len();
        let freedom = (truth.len() - 2) as f64;
        let mut covariance = vec![0.0; width * width];
        for j in 0..width {
            for i in j..width {
                covariance[j * width + i] = dot(&residuals[i], &residuals[j]) / freedom;
            }
            // A gene may be constant within both classes, or a copy of another.
            covariance[j * width + j] = covariance[j * width + j] * (1.0 + RIDGE) + RIDGE;
        }
        if !cholesky::factor(&mut covariance, width) {
            return Err(Error::unsuitable(
                "the covariance of the most frequent columns cannot be factored",
                "leave out the checks",
            ));
        }
        Ok(Self { truth, width, means, factor: covariance })
    }

    fn draw(&self, seed: Seed) -> Result<Samples> {
        let (n, width) = (self.truth.len(), self.width);
        let mut draws = rng(seed);
        let mut cells = vec![0.0; n * width];
        let mut sample = vec![0.0; width];
        for (row, &class) in self.truth.iter().enumerate() {
            sample.copy_from_slice(&self.means[usize::from(!class)]);
            for (j, column) in self.factor.chunks_exact(width).enumerate() {
                add_scaled(&mut sample[j..], gauss(&mut draws), &column[j..]);
            }
            for (gene, value) in sample.iter().enumerate() {
                cells[gene * n + row] = *value;
            }
        }
        let gene = |at: usize| Gene {
            name: at.to_string(),
            label: None,
            column: at + 1,
            indicator: false,
        };
        let names = ["positive".to_owned(), "others".to_owned()];
        Samples::of((0..width).map(gene).collect(), cells, self.truth.clone(), names)
    }
}

/// Where a sample stands.
struct Standing {
    wrong: f64,
    distance: f64,
}

/// The place of every sample by the classifiers that were not trained on it.
fn standing(truth: &[bool], found: &[SplitFound]) -> Vec<Standing> {
    let n = truth.len();
    let (mut wrong, mut score, mut times) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for one in found.iter().flatten().flat_map(|half| &half.judged) {
        let row = one.row as usize;
        wrong[row] += one.wrong;
        score[row] += one.score;
        times[row] += 1.0;
    }
    let towards = |row: usize| {
        let mean = score[row] / f64::max(times[row], 1.0);
        if truth[row] { -mean } else { mean }
    };
    let scale = |class: bool| {
        let own: Vec<f64> = (0..n).filter(|&row| truth[row] == class).map(towards).collect();
        let centre = median(own.clone());
        let spread = MEDIAN_FACTOR * median(own.iter().map(|v| (v - centre).abs()).collect());
        (centre, spread)
    };
    let scales = [scale(false), scale(true)];
    let one = |row: usize| {
        let (centre, spread) = scales[usize::from(truth[row])];
        let distance = if spread > 0.0 { (towards(row) - centre) / spread } else { 0.0 };
        Standing { wrong: wrong[row] / f64::max(times[row], 1.0), distance }
    };
    (0..n).map(one).collect()
}

/// The samples whose scores by other halves do not fit their class.
fn suspects(samples: &Samples, found: &[SplitFound], clean: &[Clean]) -> Vec<Suspect> {
    let mut named = Vec::new();
    for (row, Standing { wrong, distance }) in
        standing(samples.positive(), found).into_iter().enumerate()
    {
        let far = clean.iter().filter(|set| set.farthest >= distance).count();
        let p_value = (1 + far) as f64 / (1 + clean.len()) as f64;
        if wrong >= WRONG && p_value <= LEVEL {
            let class = samples.class_names()[usize::from(!samples.positive()[row])].clone();
            named.push(Suspect { sample: row + 1, class, wrong, distance, p_value });
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
    use crate::data::generate::{Generator, Genes};
    use crate::data::{Dataset, Options};
    use crate::run::{Pool, Stop};

    #[test]
    fn correlations() {
        assert_eq!(correlation(&[[1.0, 0.5], [1.0, 0.7]]), None);
        assert_eq!(correlation(&[[1.0, 2.0], [2.0, 1.0], [3.0, 0.0]]), Some(-1.0));
    }

    /// Tables of two informative genes, with a wrong label in each class or without.
    fn reports(
        tables: u64,
        rows: usize,
        wrong: bool,
        shift: f64,
    ) -> Vec<(LabelReport, [usize; 2])> {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let (preparation, given) = (Preparation::default(), Given { genes: vec![0, 1] });
        let one = |number: u64| {
            let run = Run::new(number, &stop, &pool);
            let genes = Genes::default().rows(rows).genes(2).informative(2).masked(0).shift(shift);
            let table = genes.generate(run.seed).unwrap();
            let data = Dataset::new("genes", table, &Options::default()).unwrap();
            let clean = Samples::new(&data).unwrap();
            let mut labels = clean.positive().to_vec();
            let first = |class| labels.iter().position(|&label| label == class).unwrap();
            let flipped = [first(true), first(false)];
            if wrong {
                for &row in &flipped {
                    labels[row] = !labels[row];
                }
            }
            let samples = clean.with_labels(labels).unwrap();
            let halving = Halving {
                samples: &samples,
                selector: &given,
                preparation: &preparation,
                splits: 10,
                left_out: &[],
            };
            (label_report(&halving, &given.genes, &run).unwrap(), flipped)
        };
        (0..tables).map(one).collect()
    }

    #[test]
    fn clean_tables_have_no_named_sample_and_an_even_p_value() {
        let found = reports(100, 30, false, 1.5);
        let named = found.iter().filter(|(report, _)| !report.suspects.is_empty()).count();
        // One is expected at most; six come by chance once in a thousand times.
        assert!(named <= 5, "{named}");
        let p_values: Vec<f64> = found.iter().filter_map(|(report, _)| report.p_value).collect();
        let mean = p_values.iter().sum::<f64>() / p_values.len() as f64;
        // The mean of as many even values has a standard deviation of 0.03.
        assert!(p_values.len() > 90 && (mean - 0.5).abs() < 0.1, "{mean}");
    }

    #[test]
    fn wrong_labels_of_classes_that_are_apart_are_named() {
        // Classes of 45: among 15 the farthest of clean samples may be as far, and half are named.
        let found = reports(10, 90, true, 6.0);
        let hits = found.iter().flat_map(|(report, flipped)| {
            flipped.iter().filter(|&&row| report.suspects.iter().any(|s| s.sample == row + 1))
        });
        let hits = hits.count();
        assert!(hits >= 17, "{hits}");
    }
}
