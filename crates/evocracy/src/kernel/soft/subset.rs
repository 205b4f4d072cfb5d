//! The search for subsets of the bases, evolved: at every size the one nearest to the reference.
//!
//! How near a subset is, is the Kullback-Leibler divergence of its best logistic model from the
//! reference, summed over the rows; what is traded is that and the number of bases. Moves are made in
//! the quadratic approximation of the divergence around the reference, weighted least squares, where
//! the gain of an added basis and the loss of a dropped one have closed forms (orthogonal least
//! squares: S. Chen, C. F. N. Cowan, P. M. Grant, 1991): among some random candidates the one of the
//! largest gain is taken, a *tournament*. The divergence itself decides what is kept.

use crate::error::{Error, Result};
use crate::evolve::{Goal, Problem, Rng, ScorePoints, Space, below};
use crate::kernel::Design;
use crate::kernel::irls::{Irls, LogisticRows};
use crate::kernel::tuning::SoftTuning;
use crate::num::{cholesky, dot};
use crate::run::{Seed, Stop};
use std::sync::OnceLock;

/// Positions of bases in the design matrix, ascending, without the bias, which every model has.
pub(super) type Subset = Vec<u32>;

/// What is projected, and the products that the moves need.
pub(super) struct Projection<'a> {
    design: &'a Design,
    /// The reference's probability of every row.
    pub(super) targets: Vec<f64>,
    weights: Option<Vec<f64>>,
    /// `B = w p (1 - p)` of the reference.
    precisions: Vec<f64>,
    /// `phi' B f` and `phi' B phi` of every basis.
    target_products: Vec<f64>,
    squares: Vec<f64>,
    /// `Phi' B phi` of the bases that were ever in a model.
    gram: Vec<OnceLock<Box<[f64]>>>,
    /// The sum of the entropies of the reference.
    entropy: f64,
    /// The most bases of a subset.
    most: usize,
    stop: &'a Stop,
}

impl<'a> Projection<'a> {
    /// The design's first basis is the bias.
    pub(super) fn new(
        design: &'a Design,
        log_odds: &[f64],
        weights: Option<Vec<f64>>,
        most: usize,
        stop: &'a Stop,
    ) -> Self {
        let targets = super::reference::probabilities(log_odds);
        let weight = |row: usize| weights.as_ref().map_or(1.0, |weights| weights[row]);
        let precision = |row: usize| weight(row) * (targets[row] * (1.0 - targets[row])).max(1e-6);
        let precisions: Vec<f64> = (0..targets.len()).map(precision).collect();
        let wanted: Vec<f64> = precisions.iter().zip(log_odds).map(|(b, f)| b * f).collect();
        let (mut target_products, mut squares) = (Vec::new(), Vec::new());
        design.products_into(stop, &wanted, &precisions, &mut target_products, &mut squares);
        let entropy_of = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
        let entropy = (0..targets.len())
            .map(|row| weight(row) * (entropy_of(targets[row]) + entropy_of(1.0 - targets[row])))
            .sum();
        let gram = (0..design.len()).map(|_| OnceLock::new()).collect();
        Self {
            design,
            targets,
            weights,
            precisions,
            target_products,
            squares,
            gram,
            entropy,
            most,
            stop,
        }
    }

    /// The products of all bases with one.
    fn products(&self, basis: usize) -> &[f64] {
        self.gram[basis].get_or_init(|| {
            let mut column = vec![0.0; self.design.rows()];
            self.design.column_into(basis, &mut column);
            column.iter_mut().zip(&self.precisions).for_each(|(value, b)| *value *= b);
            let mut products = Vec::new();
            self.design.products_into(self.stop, &column, &[], &mut products, &mut Vec::new());
            products.into_boxed_slice()
        })
    }

    /// The weighted least squares of a subset and the bias; none where it is singular.
    fn least_squares(&self, subset: &[u32]) -> Option<LeastSquares> {
        let bases: Vec<usize> = [0].into_iter().chain(subset.iter().map(|&b| b as usize)).collect();
        let k = bases.len();
        let mut matrix = vec![0.0; k * k];
        for (j, &basis) in bases.iter().enumerate() {
            let products = self.products(basis);
            for (i, &other) in bases.iter().enumerate() {
                matrix[j * k + i] = products[other];
            }
            matrix[j * k + j] += SoftTuning::WEIGHT_PRECISION;
        }
        let mut factor = vec![0.0; k * k];
        cholesky::factor_with_jitter(&matrix, k, &mut factor).then(|| {
            let mut weights: Vec<f64> = bases.iter().map(|&b| self.target_products[b]).collect();
            cholesky::solve(&factor, k, &mut weights);
            LeastSquares { bases, factor, weights }
        })
    }

    /// How much a basis beside those of a model would lower the squares.
    fn gain(&self, fit: &LeastSquares, basis: usize, scratch: &mut Vec<f64>) -> f64 {
        scratch.clear();
        scratch.extend(fit.bases.iter().map(|&other| self.products(other)[basis]));
        let residual = self.target_products[basis] - dot(scratch, &fit.weights);
        cholesky::forward(&fit.factor, fit.bases.len(), scratch);
        let rest = self.squares[basis] - dot(scratch, scratch);
        // What is left of a basis that the others nearly span is rounding.
        if rest <= SoftTuning::SPANNED * self.squares[basis] {
            0.0
        } else {
            residual * residual / rest
        }
    }

    /// Adds the best of some random candidates; nothing where none helps.
    fn add(&self, subset: &mut Subset, candidates: usize, rng: &mut Rng) {
        let Some(fit) = self.least_squares(subset) else { return };
        let (mut best, mut scratch) = ((0.0, 0), Vec::new());
        let others = self.design.len() - 1;
        for at in 0..candidates.min(others) {
            // All of them in order where all are wanted.
            let basis = 1 + if candidates >= others { at } else { below(others, rng) };
            if subset.binary_search(&(basis as u32)).is_ok() {
                continue;
            }
            let gain = self.gain(&fit, basis, &mut scratch);
            if gain > best.0 {
                best = (gain, basis);
            }
        }
        if best.0 > 0.0
            && let Err(at) = subset.binary_search(&(best.1 as u32))
        {
            subset.insert(at, best.1 as u32);
        }
    }

    /// Drops the basis of the least loss among some random ones.
    fn drop(&self, subset: &mut Subset, candidates: usize, rng: &mut Rng) {
        let Some(fit) = self.least_squares(subset) else { return };
        let variances = cholesky::inverse_diagonal(&fit.factor, fit.bases.len());
        let loss = |at: usize| fit.weights[at + 1].powi(2) / variances[at + 1];
        let drawn: Vec<usize> = (0..candidates).map(|_| below(subset.len(), rng)).collect();
        let least =
            drawn.into_iter().reduce(|best, at| if loss(at) < loss(best) { at } else { best });
        if let Some(at) = least {
            subset.remove(at);
        }
    }

    /// How much of the weighted squares the bias and a subset leave, up to a constant.
    #[cfg(test)]
    pub(super) fn squares_left(&self, subset: &[u32]) -> f64 {
        self.least_squares(subset).map_or(f64::INFINITY, |fit| {
            let taken = fit.bases.iter().zip(&fit.weights);
            -taken.map(|(&basis, weight)| weight * self.target_products[basis]).sum::<f64>()
        })
    }

    /// The path of greedy additions, from the bias alone on: the start of the search.
    pub(super) fn greedy(&self, rng: &mut Rng) -> Vec<Subset> {
        let mut path: Vec<Subset> = vec![Vec::new()];
        for size in 0..self.most {
            let mut next = path[size].clone();
            self.add(&mut next, usize::MAX, rng);
            if next.len() == size || self.stop.requested() {
                break;
            }
            path.push(next);
        }
        path
    }

    /// Weights of the bias and the bases of a subset whose model is nearest to the reference, and
    /// its divergence.
    pub(super) fn fit(&self, subset: &[u32], start: Option<&[f64]>) -> Result<(Vec<f64>, f64)> {
        let bases: Vec<usize> = [0].into_iter().chain(subset.iter().map(|&b| b as usize)).collect();
        let columns = self.design.columns(&bases);
        let mut alphas = vec![SoftTuning::WEIGHT_PRECISION; bases.len()];
        alphas[0] = SoftTuning::BIAS_PRECISION;
        let rows = LogisticRows {
            targets: &self.targets,
            weights: self.weights.as_deref(),
            offsets: None,
        };
        let mut irls = Irls::new(self.targets.len(), bases.len());
        irls.tolerance = SoftTuning::DECREMENT;
        irls.fit_until(&columns, &rows, &alphas, start, self.stop)?;
        let divergence = (-irls.log_likelihood - self.entropy).max(0.0);
        Ok((irls.weights, divergence))
    }
}

/// A weighted least squares fit.
struct LeastSquares {
    /// The bias, then those of the subset.
    bases: Vec<usize>,
    factor: Vec<f64>,
    weights: Vec<f64>,
}

impl Space for Projection<'_> {
    type Genome = Subset;

    fn sample(&self, rng: &mut Rng) -> Result<Subset> {
        let mut subset = Vec::new();
        self.add(&mut subset, 1, rng);
        Ok(subset)
    }

    fn recombine(&self, parents: [&Subset; 2], children: [&mut Subset; 2], _: &mut Rng) {
        children.into_iter().zip(parents).for_each(|(child, parent)| child.clone_from(parent));
    }

    /// Adds, drops or exchanges one basis or two, each as good as a tournament finds it.
    fn mutate(&self, subset: &mut Subset, rng: &mut Rng) {
        let candidates = SoftTuning::TOURNAMENTS[below(SoftTuning::TOURNAMENTS.len(), rng)];
        for _ in 0..=below(SoftTuning::MOVES, rng) {
            let kind = below(4, rng);
            if kind < 3 && !subset.is_empty() {
                self.drop(subset, 1 + below(3, rng), rng);
            }
            if kind > 0 && subset.len() < self.most {
                self.add(subset, candidates, rng);
            }
        }
    }

    fn admit(&self, subset: &Subset) -> Result<()> {
        let known = subset.iter().all(|&b| b > 0 && (b as usize) < self.design.len());
        if known && subset.is_sorted_by(|a, b| a < b) && subset.len() <= self.most {
            return Ok(());
        }
        Err(Error::unsuitable("a subset of other bases", "begin the search anew"))
    }

    fn key(&self, subset: &Subset, out: &mut Vec<u64>) -> bool {
        out.extend(subset.iter().map(|&basis| u64::from(basis)));
        true
    }
}

/// A subset's bases and weights, for children to start from: the bias first.
pub(super) type Fit = (Subset, Vec<f64>);

impl Problem<Subset> for Projection<'_> {
    type Phenotype = Fit;

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise, Goal::Minimise]
    }

    fn score(
        &self,
        subset: &Subset,
        parent: Option<&Fit>,
        _: Seed,
        out: &mut ScorePoints,
    ) -> Result<Fit> {
        let start = parent.map(|(bases, weights)| {
            let of = |basis: &u32| bases.binary_search(basis).map_or(0.0, |at| weights[at + 1]);
            [weights[0]].into_iter().chain(subset.iter().map(of)).collect::<Vec<f64>>()
        });
        let (weights, divergence) = self.fit(subset, start.as_deref())?;
        out.push(&[subset.len() as f64, divergence])?;
        Ok((subset.clone(), weights))
    }
}
