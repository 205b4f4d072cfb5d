//! Fast relevance vector machines (Tipping and Faul 2003) for numbers and for two classes.
//!
//! The evidence is raised one precision at a time, always where it rises most. To know where that
//! is, all candidates must be scored, which means looking through the whole design matrix. So
//! there are two loops:
//!
//! - within a *pool* of some candidates the exact algorithm runs until nothing there raises the
//!   evidence;
//! - a *sweep* looks through the matrix and makes a new pool of the bases in the model and the
//!   candidates that promise most, as long as they are not all alike.
//!
//! The first pool is an even sample of the bases. The search ends when a sweep finds no candidate
//! that is worth it, neither beside the bases in the model nor in the place of one, and the
//! precisions and the noise have settled. Beyond the actions of the paper a basis may thus take the
//! place of another: a centre finds its best row at once.
//!
//! The evidence has many peaks. From below, with nothing in the model, no basis may be worth it by
//! itself though some together are. So the search begins anew from above, unless told otherwise:
//! from what the classic algorithm leaves of an even sample of the bases. The better end counts.
//! Where the search from below ends with nothing, there is a start from above in any case.
//!
//! For numbers the pool problem is Gaussian and solved exactly by `Gauss`, so that the evidence
//! never falls. For classes it is Gaussian around the mode of the weights
//! ([`Irls`](super::irls::Irls)); after each basis that comes a new mode is found. There the
//! evidence may fall a little: the best model is kept, and sweeps that no longer raise it end the
//! search.
//!
//! Rounding: matrices that are not positive definite get as much jitter on the diagonal as makes
//! them so, 1e-14 to 1e-8 of each entry (`num/cholesky.rs`), and are refused beyond. A precision is
//! at most 1e12 times the square of its basis and at least 1e-26 times it. A basis whose cosine with
//! one in the model is beyond [`Settings::aligned`] is not taken.
//!
//! | file | job |
//! |---|---|
//! | `numbers`, `classes` | the search for either target |
//! | `offers` | what each candidate promises |

mod classification;
mod regression;
mod scores;

use super::classic;
use super::design::Design;
use super::gaussian::{GaussianProblem, Limits};
use super::irls::LogisticRows;
use crate::error::{Error, Result};
use crate::num::{cholesky, dot, wide};
use crate::run::Stop;
use scores::Scores;

/// Candidates that a sweep takes into the pool.
const POOL: usize = 64;

/// Candidates of the first pool, and bases of the start from above.
const FIRST: usize = 128;

/// What is to be learnt from a design matrix.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// 0 or 1 for every row, and what is known of its log-odds beforehand.
    Classes(&'a [f64], Option<&'a [f64]>),
}

impl Target<'_> {
    /// An error where targets, weights and settings do not fit the design, or are no numbers.
    pub(super) fn check(
        &self,
        design: &Design,
        weights: Option<&[f64]>,
        settings: &Settings<'_>,
    ) -> Result<()> {
        let n = design.rows();
        let fits = |values: &[f64]| values.len() == n && values.iter().all(|v| v.is_finite());
        let (targets, offsets) = match self {
            Self::Numbers(values) => (fits(values), true),
            Self::Classes(values, offsets) => (
                fits(values) && values.iter().all(|v| *v == 0.0 || *v == 1.0),
                offsets.is_none_or(fits),
            ),
        };
        let weighed = |weights: &[f64]| {
            let total: f64 = weights.iter().sum();
            fits(weights) && weights.iter().all(|w| *w >= 0.0) && total > 0.0 && total.is_finite()
        };
        let positive = |v: f64| v.is_finite() && v > 0.0;
        let wrong = if n == 0 {
            "there are no rows"
        } else if !targets {
            "there must be a target for each row: a finite number, for classes 0 or 1"
        } else if !offsets {
            "there must be an offset for each row: a finite number"
        } else if !weights.is_none_or(weighed) {
            "there must be a weight for each row: finite and not negative, not all 0"
        } else if !settings.noise.is_none_or(positive) {
            "the noise must be a finite number above 0"
        } else if !(settings.smooth.is_finite() && settings.smooth >= 0.0) {
            "the factor of the smoothness prior must be a finite number, not negative"
        } else {
            return Ok(());
        };
        Err(Error::unsuitable(format!("{wrong} ({n} rows)"), "mend what the machine is given"))
    }
}

/// How to learn.
#[derive(Debug, Clone)]
pub struct Settings<'a> {
    /// A rise of the log evidence that is worth a basis coming, or taking another's place.
    pub gain: f64,
    /// A change of log alpha that is none.
    pub change: f64,
    /// Sweeps through the matrix at most.
    pub sweeps: usize,
    /// Bases whose cosine is beyond this are the same.
    pub aligned: f64,
    /// The factor `c` of the smoothness prior `exp(-c DF)`, for numbers only.
    pub smooth: f64,
    /// The variance of the noise, where it is known.
    pub noise: Option<f64>,
    /// Bases to start with, and their precisions.
    pub start: &'a [(usize, f64)],
    /// Whether to search from several starts: the evidence has many peaks.
    pub explore: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            gain: 0.01,
            change: 1e-3,
            sweeps: 200,
            aligned: 1.0 - 1e-6,
            smooth: 0.0,
            noise: None,
            start: &[],
            explore: true,
        }
    }
}

/// What was learnt: the bases in the model and all that is known of their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The bases, as positions in the design matrix, in ascending order.
    pub bases: Vec<usize>,
    /// The precision of each weight.
    pub alphas: Vec<f64>,
    /// The most probable weights.
    pub weights: Vec<f64>,
    /// Their covariance, column after column.
    pub covariance: Vec<f64>,
    /// The variance of the noise, for numbers.
    pub noise: Option<f64>,
    /// The log evidence.
    pub evidence: f64,
    /// The log evidence after each pool, less the smoothness prior where there is one.
    pub curve: Vec<f64>,
    /// Whether nothing was left to gain; else the search was stopped.
    pub converged: bool,
}

/// Learns a sparse model. Rows count as often as `weights` say.
pub fn fit(
    design: &Design,
    target: Target<'_>,
    weights: Option<&[f64]>,
    settings: &Settings<'_>,
    stop: &Stop,
) -> Result<Solution> {
    target.check(design, weights, settings)?;
    let mut search = SparseSearch::new(design, settings, stop);
    match target {
        Target::Numbers(numbers) => search.numbers(numbers, weights),
        Target::Classes(targets, offsets) => {
            search.classes(&LogisticRows { targets, weights, offsets })
        }
    }
}

/// The bases in the model.
#[derive(Debug, Clone, Default)]
struct ActiveSet {
    bases: Vec<usize>,
    alphas: Vec<f64>,
    weights: Vec<f64>,
    /// Their columns, one after the other.
    columns: Vec<f64>,
}

/// The search for a sparse model.
struct SparseSearch<'a> {
    design: &'a Design,
    settings: &'a Settings<'a>,
    stop: &'a Stop,
    limits: Limits,
    state: ActiveSet,
    gauss: GaussianProblem,
    /// The candidates of the pool, those in the model first, and their columns.
    pool: Vec<usize>,
    pooled: Vec<f64>,
    /// Room for a column.
    column: Vec<f64>,
    curve: Vec<f64>,
}

impl<'a> SparseSearch<'a> {
    fn new(design: &'a Design, settings: &'a Settings<'a>, stop: &'a Stop) -> Self {
        let Settings { gain, change, smooth, aligned, .. } = *settings;
        let limits = Limits { gain, change, smooth, aligned, least: 0.0 };
        let (state, gauss) = (ActiveSet::default(), GaussianProblem::default());
        let (pool, pooled, curve) = (Vec::new(), Vec::new(), Vec::new());
        let column = vec![0.0; design.rows()];
        let mut search =
            Self { design, settings, stop, limits, state, gauss, pool, pooled, column, curve };
        search.begin(settings.start);
        search
    }

    /// Starts from a model of these bases and precisions. Copies of a basis are the same as one of
    /// their summed variance.
    fn begin(&mut self, start: &[(usize, f64)]) {
        let n = self.design.rows();
        self.state = ActiveSet::default();
        let ActiveSet { bases, alphas, columns, .. } = &mut self.state;
        let mut lengths: Vec<f64> = Vec::new();
        for &(basis, alpha) in start {
            let known = basis < self.design.len() && !bases.contains(&basis);
            if !(known && alpha.is_finite() && alpha > 0.0) {
                continue;
            }
            let at = columns.len();
            columns.resize(at + n, 0.0);
            let (before, own) = columns.split_at_mut(at);
            self.design.column_into(basis, own);
            let length = dot(own, own).sqrt();
            let same = |(old, old_length): (&[f64], &f64)| {
                dot(old, own).abs() > self.limits.aligned * length * old_length
            };
            if let Some(at) = before.chunks_exact(n).zip(&lengths).position(same) {
                alphas[at] = 1.0 / (1.0 / alphas[at] + (length / lengths[at]).powi(2) / alpha);
                columns.truncate(bases.len() * n);
            } else {
                bases.push(basis);
                alphas.push(alpha);
                lengths.push(length);
            }
        }
        self.state.weights.resize(self.state.bases.len(), 0.0);
    }

    /// Starts from what the classic algorithm, begun so much broader than usual, leaves of an even
    /// sample of the bases; returns the noise.
    fn begin_from_above(
        &mut self,
        target: Target<'_>,
        weights: Option<&[f64]>,
        broad: f64,
    ) -> Result<f64> {
        let sample: Vec<usize> = even(self.design.len(), FIRST).collect();
        let start = (self.settings.noise, broad);
        let left = classic::prune(self.design, target, weights, &sample, start, self.stop)?;
        self.begin(&left.0);
        Ok(left.1)
    }

    /// A pool of the bases in the model and an even sample of the others.
    fn sample(&mut self) {
        let n = self.design.rows();
        let even = even(self.design.len(), FIRST);
        self.pool.clone_from(&self.state.bases);
        self.pool.extend(even.filter(|basis| !self.state.bases.contains(basis)));
        self.pooled.clone_from(&self.state.columns);
        self.pooled.resize(self.pool.len() * n, 0.0);
        let (k, columns) = (self.state.bases.len(), self.pooled.chunks_exact_mut(n.max(1)));
        for (&basis, column) in self.pool.iter().zip(columns).skip(k) {
            self.design.column_into(basis, column);
        }
    }

    /// Makes a pool of the bases in the model and the most promising candidates; returns what the
    /// best of them promises.
    fn refill(&mut self, scores: &Scores) -> f64 {
        let mut offers = scores.offers(&self.state, &self.limits);
        let promised = offers.first().map_or(0.0, |offer| offer.0);
        // The best, and an even sample of the others: the best alone may be all alike.
        let step = (offers.len() / (2 * POOL)).max(1);
        let mut place = 0;
        offers.retain(|_| {
            place += 1;
            place <= POOL || place % step == 0
        });
        self.pool.clone_from(&self.state.bases);
        self.pooled.clone_from(&self.state.columns);
        // First those that differ from each other, then the best of the rest.
        let mut sketches = Vec::new();
        for nearest in [0.98, f64::INFINITY] {
            offers.retain(|&(_, basis)| {
                let full = self.pool.len() >= self.state.bases.len() + POOL;
                full || !self.admit(basis, nearest, &mut sketches)
            });
        }
        promised
    }

    /// Takes a candidate into the pool unless its cosine with another one there is beyond
    /// `nearest`. Cosines are told from a sample of the rows.
    fn admit(&mut self, basis: usize, nearest: f64, sketches: &mut Vec<f64>) -> bool {
        const SAMPLE: usize = 64;
        let n = self.design.rows();
        let mut sketch = self.design.sketch(basis, n.div_ceil(SAMPLE), &mut self.column);
        let length = dot(&sketch, &sketch).sqrt().max(f64::MIN_POSITIVE);
        for value in &mut sketch {
            *value /= length;
        }
        let near = wide(
            #[inline(always)]
            || sketches.chunks_exact(sketch.len()).any(|old| dot(old, &sketch).abs() > nearest),
        );
        if !near {
            self.design.column_into(basis, &mut self.column);
            self.pooled.extend_from_slice(&self.column);
            self.pool.push(basis);
            sketches.extend(sketch);
        }
        !near
    }

    /// The bases, precisions and weights that the problem of the pool ended with.
    fn adopt(&mut self) {
        let (n, gauss, state) = (self.design.rows(), &self.gauss, &mut self.state);
        state.bases.clear();
        state.bases.extend(gauss.active.iter().map(|&at| self.pool[at]));
        state.alphas.clone_from(&gauss.alphas);
        state.weights.clone_from(&gauss.mean);
        state.columns.clear();
        for &at in &gauss.active {
            state.columns.extend_from_slice(&self.pooled[at * n..(at + 1) * n]);
        }
    }

    /// What was found, in the order of the bases.
    fn finish(&mut self, factor: &[f64], noise: Option<f64>, end: (f64, bool)) -> Solution {
        let state = &self.state;
        let k = state.bases.len();
        let mut sigma = vec![0.0; k * k];
        cholesky::inverse(factor, k, &mut sigma);
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_unstable_by_key(|&at| state.bases[at]);
        let cells = order.iter().flat_map(|&j| order.iter().map(move |&i| j * k + i));
        Solution {
            bases: order.iter().map(|&at| state.bases[at]).collect(),
            alphas: order.iter().map(|&at| state.alphas[at]).collect(),
            weights: order.iter().map(|&at| state.weights[at]).collect(),
            covariance: cells.map(|cell| sigma[cell]).collect(),
            noise,
            evidence: end.0,
            curve: std::mem::take(&mut self.curve),
            converged: end.1,
        }
    }
}

/// An even sample of so many bases, the first among them. Steps of equal length might fall in with
/// an order of the rows, such as classes in turns; these are longer or shorter by a golden ratio.
fn even(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.min(len);
    let place = move |at: usize| {
        let part = (at as f64 * 0.618_033_988_749_895).fract();
        ((at as f64 + part) * len as f64 / count as f64) as usize
    };
    (0..count).map(place)
}

pub(super) fn unsolved() -> Error {
    Error::unsuitable(
        "the weights of the relevance vector machine cannot be solved for",
        "rescale the columns, or take another width",
    )
}
