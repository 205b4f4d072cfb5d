//! Fast relevance vector machines (Tipping and Faul 2003) for numbers and for two classes.
//!
//! The log evidence is raised by one precision at a time, always by the one that raises it most. To
//! find that one, all candidates must be scored, which means reading the whole design matrix. So
//! there are two loops:
//!
//! - within a *pool* of some candidates the exact algorithm runs until nothing there raises the
//!   evidence;
//! - a *sweep* reads the matrix and makes a new pool of the bases in the model and the candidates
//!   with the largest gains, unless they are nearly collinear.
//!
//! The first pool is an even sample of the bases. The search has converged when a sweep finds no
//! candidate that is worth adding or worth replacing a basis in the model, and when the precisions
//! and the noise no longer change. Replacements go beyond the actions of the paper: a centre moves to
//! its best row in one action.
//!
//! The evidence has many local maxima. Forward, from the empty model, no basis may be worth adding
//! by itself though several together are. So there is, unless told otherwise, a second search:
//! backward, from what the classic algorithm leaves of an even sample of the bases. The better end
//! counts. Where the forward search ends with the empty model, the backward search is made in any
//! case.
//!
//! For numbers the pool problem is Gaussian and solved exactly by `GaussianProblem`, so that the
//! evidence never falls. For classes it is the Laplace approximation around the posterior mode of
//! the weights ([`Irls`](super::irls::Irls)); after each added basis a new mode is found. There the
//! evidence may fall a little: the best model is kept, and sweeps that no longer raise the evidence
//! end the search.
//!
//! Rounding: matrices that are not positive definite get as much jitter on the diagonal as makes
//! them so, 1e-14 to 1e-8 of each entry (`num/cholesky.rs`), and are refused beyond. A precision is
//! at most 1e12 times the square of its basis and at least 1e-26 times it. A basis whose cosine with
//! one in the model exceeds [`Settings::max_cosine`] is not added.
//!
//! | file | job |
//! |---|---|
//! | `regression`, `classification` | the search for either target |
//! | `scores` | the gain of every candidate |

mod classification;
mod regression;
mod scores;

use super::classic;
use super::design::Design;
use super::gaussian::{GaussianProblem, Limits};
use super::irls::LogisticRows;
use super::tuning::{PoolTuning, Tuning};
use crate::error::{Error, Result};
use crate::num::{cholesky, dot, wide};
use crate::run::Stop;
use scores::Scores;

/// What is to be learnt from a design matrix.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// 0 or 1 for every row, and the offset of its log-odds.
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

/// How to search. All other constants of the search stand in `tuning`.
#[derive(Debug, Clone)]
pub struct Settings<'a> {
    /// The least rise of the log evidence that is worth adding or replacing a basis.
    pub gain: f64,
    /// A smaller change of log alpha is none.
    pub change: f64,
    /// The most sweeps through the design matrix.
    pub sweeps: usize,
    /// Bases with a larger cosine are duplicates.
    pub max_cosine: f64,
    /// The factor `c` of the smoothness prior `exp(-c DF)`, for numbers only.
    pub smooth: f64,
    /// The variance of the noise, where it is known.
    pub noise: Option<f64>,
    /// Bases to start with, and their precisions.
    pub start: &'a [(usize, f64)],
    /// Whether to search from several starts: the evidence has many local maxima.
    pub explore: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            gain: Tuning::GAIN,
            change: Tuning::CHANGE,
            sweeps: Tuning::SWEEPS,
            max_cosine: Tuning::MAX_COSINE,
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
    /// Whether the search converged; else it was stopped.
    pub converged: bool,
}

/// Learns a sparse model. Rows are weighted by `weights`.
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

/// The bases in the model, with precision and weight.
#[derive(Debug, Clone, Default)]
struct ActiveSet {
    bases: Vec<usize>,
    alphas: Vec<f64>,
    weights: Vec<f64>,
    /// Their columns, one after the other.
    columns: Vec<f64>,
}

impl ActiveSet {
    /// Takes over the bases, precisions and weights that a problem ended with, whose candidates
    /// are `bases` with `columns`.
    fn adopt(&mut self, problem: &GaussianProblem, bases: &[usize], columns: &[f64]) {
        let n = columns.len().checked_div(bases.len()).unwrap_or(0);
        self.alphas.clone_from(&problem.alphas);
        self.weights.clone_from(&problem.mean);
        self.bases = problem.active.iter().map(|&at| bases[at]).collect();
        self.columns.clear();
        for &at in &problem.active {
            self.columns.extend_from_slice(&columns[at * n..(at + 1) * n]);
        }
    }
}

/// The search for a sparse model.
struct SparseSearch<'a> {
    design: &'a Design,
    settings: &'a Settings<'a>,
    stop: &'a Stop,
    limits: Limits,
    model: ActiveSet,
    problem: GaussianProblem,
    /// The candidates of the pool, those in the model first, and their columns.
    pool: Vec<usize>,
    pool_columns: Vec<f64>,
    /// Scratch for a column.
    column: Vec<f64>,
    curve: Vec<f64>,
}

impl<'a> SparseSearch<'a> {
    fn new(design: &'a Design, settings: &'a Settings<'a>, stop: &'a Stop) -> Self {
        let Settings { gain, change, smooth, max_cosine, .. } = *settings;
        let limits = Limits { gain, change, smooth, max_cosine, least_alpha: 0.0 };
        let (model, problem) = (ActiveSet::default(), GaussianProblem::default());
        let (pool, pool_columns, curve) = (Vec::new(), Vec::new(), Vec::new());
        let column = vec![0.0; design.rows()];
        let mut search = Self {
            design,
            settings,
            stop,
            limits,
            model,
            problem,
            pool,
            pool_columns,
            column,
            curve,
        };
        search.set_model(settings.start);
        search
    }

    /// Sets the model to these bases and precisions. Duplicates of a basis become one basis with
    /// the sum of their prior variances.
    fn set_model(&mut self, start: &[(usize, f64)]) {
        let n = self.design.rows();
        self.model = ActiveSet::default();
        let ActiveSet { bases, alphas, columns, .. } = &mut self.model;
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
                dot(old, own).abs() > self.limits.max_cosine * length * old_length
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
        self.model.weights.resize(self.model.bases.len(), 0.0);
    }

    /// Sets the model to what the classic algorithm leaves of an even sample of the bases, started
    /// from `precision_factor` times the usual precisions; returns the noise.
    fn set_pruned_model(
        &mut self,
        target: Target<'_>,
        weights: Option<&[f64]>,
        precision_factor: f64,
    ) -> Result<f64> {
        let sample: Vec<usize> = even_sample(self.design.len(), PoolTuning::FIRST).collect();
        let start = (self.settings.noise, precision_factor);
        let left = classic::pruned(self.design, target, weights, &sample, start, self.stop)?;
        self.set_model(&left.0);
        Ok(left.1)
    }

    /// Makes a pool of the bases in the model and an even sample of the others.
    fn sample_pool(&mut self) {
        let n = self.design.rows();
        let sample = even_sample(self.design.len(), PoolTuning::FIRST);
        self.pool.clone_from(&self.model.bases);
        self.pool.extend(sample.filter(|basis| !self.model.bases.contains(basis)));
        self.pool_columns.clone_from(&self.model.columns);
        self.pool_columns.resize(self.pool.len() * n, 0.0);
        let (k, columns) = (self.model.bases.len(), self.pool_columns.chunks_exact_mut(n.max(1)));
        for (&basis, column) in self.pool.iter().zip(columns).skip(k) {
            self.design.column_into(basis, column);
        }
    }

    /// Makes a pool of the bases in the model and the candidates with the largest gains; returns the
    /// largest.
    fn refill_pool(&mut self, scores: &Scores) -> f64 {
        let mut ranked = scores.ranked(&self.model, &self.limits);
        let largest = ranked.first().map_or(0.0, |(gain, _)| *gain);
        // The best, and an even sample of the others: the best alone may be nearly collinear.
        let step = (ranked.len() / (2 * PoolTuning::SIZE)).max(1);
        let mut rank = 0;
        ranked.retain(|_| {
            rank += 1;
            rank <= PoolTuning::SIZE || rank % step == 0
        });
        self.pool.clone_from(&self.model.bases);
        self.pool_columns.clone_from(&self.model.columns);
        // First those that differ from each other, then the best of the rest.
        let mut directions = Vec::new();
        for max_cosine in [PoolTuning::COSINE, f64::INFINITY] {
            ranked.retain(|&(_, basis)| {
                let full = self.pool.len() >= self.model.bases.len() + PoolTuning::SIZE;
                full || !self.add_to_pool(basis, max_cosine, &mut directions)
            });
        }
        largest
    }

    /// Adds a candidate to the pool unless its cosine with one of those added before, whose
    /// `directions` are given, exceeds `max_cosine`. Cosines are estimated from some of the rows.
    fn add_to_pool(&mut self, basis: usize, max_cosine: f64, directions: &mut Vec<f64>) -> bool {
        let n = self.design.rows();
        let mut direction =
            self.design.every_nth(basis, n.div_ceil(PoolTuning::COSINE_ROWS), &mut self.column);
        let length = dot(&direction, &direction).sqrt().max(f64::MIN_POSITIVE);
        for value in &mut direction {
            *value /= length;
        }
        let collinear = wide(
            #[inline(always)]
            || {
                let mut known = directions.chunks_exact(direction.len());
                known.any(|known| dot(known, &direction).abs() > max_cosine)
            },
        );
        if !collinear {
            self.design.column_into(basis, &mut self.column);
            self.pool_columns.extend_from_slice(&self.column);
            self.pool.push(basis);
            directions.extend(direction);
        }
        !collinear
    }

    /// The solution, in the order of the bases; `end` is its evidence and whether it converged.
    fn finish(&mut self, factor: &[f64], noise: Option<f64>, end: (f64, bool)) -> Solution {
        let model = &self.model;
        let k = model.bases.len();
        let mut sigma = vec![0.0; k * k];
        cholesky::inverse(factor, k, &mut sigma);
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_unstable_by_key(|&at| model.bases[at]);
        let cells = order.iter().flat_map(|&j| order.iter().map(move |&i| j * k + i));
        Solution {
            bases: order.iter().map(|&at| model.bases[at]).collect(),
            alphas: order.iter().map(|&at| model.alphas[at]).collect(),
            weights: order.iter().map(|&at| model.weights[at]).collect(),
            covariance: cells.map(|cell| sigma[cell]).collect(),
            noise,
            evidence: end.0,
            curve: std::mem::take(&mut self.curve),
            converged: end.1,
        }
    }
}

/// An even sample of so many bases, the first among them. Steps of equal length might match a period
/// in the order of the rows, such as alternating classes; these vary by the golden ratio.
fn even_sample(len: usize, count: usize) -> impl Iterator<Item = usize> {
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
