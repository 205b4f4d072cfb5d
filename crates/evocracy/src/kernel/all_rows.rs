//! Sums whose bases were chosen on some of the rows, brought to all of them.
//!
//! The design matrix of all rows takes memory and time that grow with rows times bases. So the
//! search (`fast`) sees a sample where there are many rows, and what it found is then fitted to all
//! rows, whose bases are computed for a tile of rows at a time and not kept. In each of a few rounds
//!
//! - every sum gets some of the candidates that the search left out. The products of all these bases
//!   over all rows make a [`GaussianProblem`] around the current weights, the other sums held fixed:
//!   bases are added, deleted and re-estimated there as in the search;
//! - the weights of all sums go to their joint mode. The log posterior is concave; L-BFGS climbs it in
//!   coordinates in which the Hessian of every sum by itself is about the identity.
//!
//! A round is linear in the rows. The rows are cut into the same parts whatever the number of threads,
//! and what is found in parts is added up in their order.

use super::classification::ClassSample;
use super::evidence::log_evidence;
use super::fast::unsolved;
use super::gaussian::{GaussianProblem, Limits};
use super::irls::{add_columns, add_weighted_gram, gram_scratch};
use super::sparse_sum::{SparseSum, Term};
use super::tuning::{AllRowsTuning, ClassTuning, NumericLimits, Tuning};
use crate::data::DenseRows;
use crate::error::{Error, Result};
use crate::num::{add_scaled, cholesky, dot, exp, lbfgs::Lbfgs, wide};
use crate::run::Run;

/// Rows whose bases are computed at a time.
const TILE: usize = 512;
/// Parts of the rows that may be looked at side by side.
const PARTS: usize = 8;

/// All rows, and how the sums make probabilities.
pub(super) struct AllRows<'a> {
    points: &'a DenseRows<'static>,
    sample: &'a ClassSample<'a>,
    /// Whether the sums share one likelihood.
    joint: bool,
    run: &'a Run<'a>,
}

/// What the products of a sum's bases over all rows are.
struct Products {
    /// `Phi' B Phi`, and `Phi'` times the residuals.
    cross: Vec<f64>,
    residual: Vec<f64>,
    /// The log-likelihood of the class against the others.
    log_likelihood: f64,
}

impl<'a> AllRows<'a> {
    /// The rows of a sample; whether its sums share one likelihood.
    pub(super) fn new(sample: &'a ClassSample<'a>, joint: bool, run: &'a Run<'a>) -> Self {
        Self { points: sample.training.points(), sample, joint, run }
    }

    /// Fits sums to all rows, with more bases from among the candidates. A stop leaves them as they
    /// are.
    pub(super) fn fit(&self, sums: &mut Vec<SparseSum>, candidates: &[Term]) -> Result<()> {
        let mut found = sums.clone();
        let mut curves: Vec<Vec<f64>> = vec![Vec::new(); sums.len()];
        let each = (AllRowsTuning::CANDIDATES / sums.len()).max(AllRowsTuning::LEAST_CANDIDATES);
        let task = self.run.task("all rows", AllRowsTuning::ROUNDS as u64 + 1);
        for round in candidates.chunks(each).take(AllRowsTuning::ROUNDS) {
            let (kept, factors) = match self.extend(&found, round, &mut curves) {
                Err(Error::Stopped) => return Ok(()),
                kept => kept?,
            };
            let settled = kept.iter().zip(&found).map(|(new, old)| new.terms == old.terms);
            let settled: Vec<bool> = settled.collect();
            found = kept;
            found.iter_mut().zip(settled).for_each(|(sum, settled)| sum.converged = settled);
            if self.to_mode(&mut found, &factors).is_none() {
                return Ok(());
            }
            task.watch.advance(1);
        }
        match self.finish(&mut found, curves) {
            Err(Error::Stopped) => {}
            done => {
                done?;
                *sums = found;
            }
        }
        Ok(())
    }

    /// Sums with the bases that are worth it, their new ones with a weight of 0; and the Cholesky
    /// factor of each one's Hessian.
    fn extend(
        &self,
        sums: &[SparseSum],
        candidates: &[Term],
        curves: &mut [Vec<f64>],
    ) -> Result<(Vec<SparseSum>, Vec<Vec<f64>>)> {
        let more = |sum: &SparseSum| {
            let mut more = sum.clone();
            let new = candidates.iter().filter(|term| !sum.terms.contains(term)).cloned();
            more.terms.extend(new);
            more.weights.resize(more.terms.len(), 0.0);
            more
        };
        let wide: Vec<SparseSum> = sums.iter().map(more).collect();
        let products = self.products(&wide)?;
        let (mut kept, mut factors) = (Vec::new(), Vec::new());
        for (at, (mut wide, products)) in wide.into_iter().zip(products).enumerate() {
            let (own, total) = (sums[at].terms.len(), wide.terms.len());
            let evidence = own_evidence(&sums[at], &products, total)?.0;
            curves[at].push(evidence);
            let problem = self.choose(&wide, own, products)?;
            let active = &problem.active;
            factors.push(problem.factor.clone());
            wide.terms = active.iter().map(|&at| wide.terms[at].clone()).collect();
            wide.weights = active.iter().map(|&at| wide.weights[at]).collect();
            wide.alphas.clone_from(&problem.alphas);
            kept.push(wide);
        }
        Ok((kept, factors))
    }

    /// Adds, deletes and re-estimates bases around the current weights.
    fn choose(&self, wide: &SparseSum, own: usize, products: Products) -> Result<GaussianProblem> {
        let Products { cross, residual: mut targets, .. } = products;
        let total = wide.terms.len();
        add_columns(&mut targets, &cross, &wide.weights);
        let squares: Vec<f64> = (0..total).map(|at| cross[at * total + at]).collect();
        // The precision of a row is 1/4 at most.
        let mean = 4.0 * squares.iter().sum::<f64>() / (total.max(1) * self.points.rows) as f64;
        let limits = Limits {
            gain: AllRowsTuning::GAIN,
            change: Tuning::COARSE_CHANGE,
            smooth: 0.0,
            max_cosine: Tuning::MAX_COSINE,
            least_alpha: ClassTuning::LEAST_ALPHA * mean,
        };
        let mut problem = GaussianProblem::new(squares, targets, cross[..own * total].to_vec());
        problem.active = (0..own).collect();
        problem.alphas.clone_from(&wide.alphas);
        problem.refresh()?;
        for _ in 0..ClassTuning::ACTIONS {
            self.run.stop.check()?;
            let adding = problem.active.len() < AllRowsTuning::MOST;
            let Some(step) = problem.best_action(&limits, adding) else { break };
            let mut product = |at: usize, out: &mut [f64]| {
                out.copy_from_slice(&cross[at * total..(at + 1) * total]);
            };
            problem.apply(step.action, &limits, &mut product);
        }
        problem.refresh()?;
        Ok(problem)
    }

    /// Brings the weights of all sums to their joint mode; `None` after a stop.
    fn to_mode(&self, sums: &mut [SparseSum], factors: &[Vec<f64>]) -> Option<()> {
        let start: Vec<f64> = sums.iter().flat_map(|sum| sum.weights.iter().copied()).collect();
        let each = |vector: &mut [f64], work: &dyn Fn(&[f64], &mut [f64])| {
            let mut rest = vector;
            for (sum, factor) in sums.iter().zip(factors) {
                let (own, others) = rest.split_at_mut(sum.terms.len());
                work(factor, own);
                rest = others;
            }
        };
        // With `L L'` the Hessian, weights are `start + L'^-1 u`.
        let weights_at = |u: &[f64]| -> Vec<f64> {
            let mut weights = u.to_vec();
            each(&mut weights, &|factor, own| cholesky::backward(factor, own.len(), 0, own));
            add_scaled(&mut weights, 1.0, &start);
            weights
        };
        let look = |u: &[f64]| {
            let (value, mut gradient) = self.gradient(sums, &weights_at(u))?;
            each(&mut gradient, &|factor, own| cholesky::forward(factor, own.len(), own));
            Some((value, gradient))
        };
        let (mut place, mut memory) = (vec![0.0; start.len()], Lbfgs::default());
        let (mut value, mut gradient) = look(&place)?;
        for _ in 0..AllRowsTuning::PASSES {
            let square = dot(&gradient, &gradient);
            if square.is_nan() || 0.5 * square < AllRowsTuning::DECREMENT {
                break;
            }
            let mut direction = memory.direction(&gradient, 1.0);
            let mut slope = dot(&direction, &gradient);
            if slope >= 0.0 {
                memory.clear();
                (direction, slope) = (gradient.iter().map(|g| -g).collect(), -square);
            }
            let mut step = 1.0;
            let next = loop {
                let mut tried = place.clone();
                add_scaled(&mut tried, step, &direction);
                let found = look(&tried)?;
                if found.0 <= value + AllRowsTuning::DESCENT * step * slope {
                    break Some((tried, found));
                }
                step *= 0.5;
                if step < AllRowsTuning::LEAST_STEP {
                    break None;
                }
            };
            let Some((tried, found)) = next else { break };
            memory.push([&place, &gradient], [&tried, &found.1]);
            (place, value, gradient) = (tried, found.0, found.1);
        }
        let weights = weights_at(&place);
        let mut rest = &weights[..];
        for sum in sums {
            let (own, others) = rest.split_at(sum.terms.len());
            sum.weights = own.to_vec();
            rest = others;
        }
        Some(())
    }

    /// The covariance and the evidence of every sum at the mode.
    fn finish(&self, sums: &mut [SparseSum], curves: Vec<Vec<f64>>) -> Result<()> {
        let products = self.products(sums)?;
        for ((sum, products), mut curve) in sums.iter_mut().zip(products).zip(curves) {
            let k = sum.terms.len();
            let (evidence, factor) = own_evidence(sum, &products, k)?;
            sum.covariance = vec![0.0; k * k];
            cholesky::inverse(&factor, k, &mut sum.covariance);
            curve.push(evidence);
            (sum.evidence, sum.curve) = (evidence, curve);
        }
        Ok(())
    }

    /// The negative log posterior of weights, and its gradient.
    fn gradient(&self, sums: &[SparseSum], weights: &[f64]) -> Option<(f64, Vec<f64>)> {
        let parts = self.run.pool.map(PARTS, |part| {
            let (mut log, mut gradient) = (0.0, vec![0.0; weights.len()]);
            self.each_tile(part, sums, weights, |tile| {
                log += tile.log_likelihood;
                let columns = tile.columns.iter().zip(&tile.sums);
                let mut products = gradient.iter_mut();
                for (columns, own) in columns {
                    let each = columns.chunks_exact(tile.rows).zip(products.by_ref());
                    wide(
                        #[inline(always)]
                        || each.for_each(|(column, sum)| *sum += dot(column, &own.residuals)),
                    );
                }
            });
            (log, gradient)
        });
        if self.run.stop.requested() {
            return None;
        }
        let alphas = sums.iter().flat_map(|sum| &sum.alphas);
        let mut gradient: Vec<f64> = alphas.clone().zip(weights).map(|(a, w)| a * w).collect();
        let mut value = 0.5 * dot(&gradient, weights);
        for (log, part) in parts {
            value -= log;
            add_scaled(&mut gradient, -1.0, &part);
        }
        Some((value, gradient))
    }

    /// The products of the bases of every sum over all rows.
    fn products(&self, sums: &[SparseSum]) -> Result<Vec<Products>> {
        let weights: Vec<f64> = sums.iter().flat_map(|sum| sum.weights.iter().copied()).collect();
        let empty = |sum: &SparseSum| {
            let k = sum.terms.len();
            Products { cross: vec![0.0; k * k], residual: vec![0.0; k], log_likelihood: 0.0 }
        };
        let parts = self.run.pool.map(PARTS, |part| {
            let mut all: Vec<Products> = sums.iter().map(empty).collect();
            let mut scaled = Vec::new();
            self.each_tile(part, sums, &weights, |tile| {
                let each = all.iter_mut().zip(tile.columns.iter().zip(&tile.sums));
                for (out, (columns, own)) in each {
                    let k = out.residual.len();
                    scaled.resize(gram_scratch(tile.rows, k), 0.0);
                    add_weighted_gram(&mut out.cross, columns, &own.precisions, k, &mut scaled);
                    for (out, column) in
                        out.residual.iter_mut().zip(columns.chunks_exact(tile.rows))
                    {
                        *out += dot(column, &own.residuals);
                    }
                    out.log_likelihood += own.log_likelihood;
                }
            });
            all
        });
        self.run.stop.check()?;
        let mut all: Vec<Products> = sums.iter().map(empty).collect();
        for part in parts {
            for (sum, part) in all.iter_mut().zip(part) {
                add_scaled(&mut sum.cross, 1.0, &part.cross);
                add_scaled(&mut sum.residual, 1.0, &part.residual);
                sum.log_likelihood += part.log_likelihood;
            }
        }
        // Of few bases only the lower half is there.
        for Products { cross, residual, .. } in &mut all {
            let k = residual.len();
            (0..k).for_each(|j| (0..j).for_each(|i| cross[j * k + i] = cross[i * k + j]));
        }
        Ok(all)
    }

    /// Calls `visit` with every tile of a part of the rows, until there is a stop.
    fn each_tile(
        &self,
        part: usize,
        sums: &[SparseSum],
        weights: &[f64],
        mut visit: impl FnMut(&Tile),
    ) {
        let n = self.points.rows;
        let (from, end) = (part * n / PARTS, (part + 1) * n / PARTS);
        let mut tile = Tile::new(sums.len());
        for start in (from..end).step_by(TILE) {
            if self.run.stop.requested() {
                return;
            }
            let points = self.points.between(start, end.min(start + TILE));
            tile.rows = points.rows;
            let mut rest = weights;
            for ((sum, columns), own) in sums.iter().zip(&mut tile.columns).zip(&mut tile.sums) {
                let weights;
                (weights, rest) = rest.split_at(sum.terms.len());
                sum.columns_into(&points, columns);
                own.logits.clear();
                own.logits.resize(points.rows, 0.0);
                add_columns(&mut own.logits, columns, weights);
            }
            self.differentiate(start, &mut tile);
            visit(&tile);
        }
    }

    /// Residuals, precisions and log-likelihoods of a tile from its logits.
    fn differentiate(&self, start: usize, tile: &mut Tile) {
        let first = self.sample.classes - tile.sums.len();
        for own in &mut tile.sums {
            own.residuals.resize(tile.rows, 0.0);
            own.precisions.resize(tile.rows, 0.0);
            own.log_likelihood = 0.0;
        }
        tile.log_likelihood = 0.0;
        for row in 0..tile.rows {
            let weight = self.sample.training.weight(start + row);
            let label = self.sample.labels[start + row] as usize;
            let top = tile.sums.iter().map(|own| own.logits[row]).fold(f64::MIN, f64::max);
            let total: f64 = if self.joint {
                tile.sums.iter().map(|own| exp(own.logits[row] - top)).sum()
            } else {
                1.0
            };
            for (at, own) in tile.sums.iter_mut().enumerate() {
                let logit = own.logits[row];
                // The class and all others, each from its own side: 1 - p would be 0 for large odds.
                let (p, others) = if self.joint {
                    let p = exp(logit - top) / total;
                    (p, (1.0 - p).max(0.0))
                } else {
                    let e = exp(-logit.abs());
                    let (high, low) = (1.0 / (1.0 + e), e / (1.0 + e));
                    if logit < 0.0 { (low, high) } else { (high, low) }
                };
                let is_own = first + at == label;
                own.residuals[row] = weight * if is_own { others } else { -p };
                own.precisions[row] = weight * p * others;
                let right = if is_own { p } else { others };
                own.log_likelihood += weight * right.max(NumericLimits::LEAST_PROBABILITY).ln();
                tile.log_likelihood += match (self.joint, is_own) {
                    (true, true) => weight * (logit - top - total.ln()),
                    (true, false) => 0.0,
                    (false, _) => {
                        let odds = if is_own { logit } else { -logit };
                        weight * (odds.min(0.0) - exp(-odds.abs()).ln_1p())
                    }
                };
            }
        }
    }
}

/// Some rows at a time: the columns of every sum, and what follows from their logits.
struct Tile {
    rows: usize,
    columns: Vec<Vec<f64>>,
    sums: Vec<OwnRows>,
    /// The log-likelihood of the rows under all sums.
    log_likelihood: f64,
}

/// The rows of a tile as a sum sees them.
#[derive(Clone, Default)]
struct OwnRows {
    logits: Vec<f64>,
    residuals: Vec<f64>,
    precisions: Vec<f64>,
    log_likelihood: f64,
}

impl Tile {
    fn new(sums: usize) -> Self {
        let (columns, each) = (vec![Vec::new(); sums], vec![OwnRows::default(); sums]);
        Self { rows: 0, columns, sums: each, log_likelihood: 0.0 }
    }
}

/// The log evidence of a sum, the first of whose `total` bases these products are of, and the
/// Cholesky factor of its Hessian.
fn own_evidence(sum: &SparseSum, products: &Products, total: usize) -> Result<(f64, Vec<f64>)> {
    let k = sum.terms.len();
    let cell = |at: usize| products.cross[at / k * total + at % k];
    let mut hessian: Vec<f64> = (0..k * k).map(cell).collect();
    (0..k).for_each(|j| hessian[j * k + j] += sum.alphas[j]);
    let mut factor = vec![0.0; k * k];
    if !cholesky::factor_with_jitter(&hessian, k, &mut factor) {
        return Err(unsolved());
    }
    let evidence = log_evidence(products.log_likelihood, &sum.alphas, &sum.weights, &factor);
    if evidence.is_finite() { Ok((evidence, factor)) } else { Err(unsolved()) }
}
