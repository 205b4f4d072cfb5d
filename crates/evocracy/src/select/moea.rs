//! Multi-objective evolution of gene sets: the area under the ROC curve against complexity (thesis,
//! algorithm 5), with an archive of unlimited size.
//!
//! A genome is a set of genes with a precision each. A child changes 1 to 3 of them: a gene is
//! changed, switched off or switched on. Weights are ridge-fitted, from those of the parent.
//!
//! The complexity of the thesis, `C(alpha) = sum 1 / (1 + alpha)`, is ill-posed for a single gene: its
//! area does not depend on alpha, so that C falls for nothing. It is on offer; the default is the
//! number of genes. Areas of few samples are often equal, so among equal areas the set with fewer
//! genes counts as the better one, and among sets of one size the more likely one.

use super::by_scores::{apart, largest};
use super::selector::Way;
use super::{Half, SparseClassifier};
use crate::error::{Error, Result};
use crate::evolve::multi::Elite;
use crate::evolve::{
    Batch, Evolution, Goal, Problem, Rng, ScorePoints, Scored, Space, Until, below, chance,
    laplace, unit,
};
use crate::kernel::few::{FewColumns, MOST};
use crate::measure::{ColumnAuc, PairCounter, screen};
use crate::num::dot;
use crate::run::{Run, Seed};

crate::choices! {
    /// What the complexity of a gene set is.
    pub enum SetComplexity {
        /// the number of genes
        Genes = "genes",
        /// the thesis's C(alpha)
        Alpha = "alpha",
    }
}

crate::params! {
    /// Evolves gene sets: area under the ROC curve against complexity; a front of classifiers.
    pub struct ByMoea as "moea" {
        /// how many gene sets are tried on each half
        evaluations: u64 = 20_000, 1..=1_000_000_000;
        /// the most genes of a set
        most: usize = 6, 1..=MOST;
        /// what complexity is
        complexity: SetComplexity = SetComplexity::Genes, SetComplexity::CHOICES;
        /// how strongly weights are drawn towards 0, where complexity is the number of genes
        penalty: f64 = 1.0, 1e-6..=1e6;
        /// the share of new genes that are drawn by their rank in single areas; others are drawn evenly
        ranked: f64 = 0.5, 0.0..=1.0;
        /// sets that are tried between two looks at the archive
        children: usize = 32, 1..=4096;
        /// sets tried in vain after which a search ends, in multiples of children; 0 for never
        stale: u64 = 0, 0..=1_000_000_000;
    }
}

/// The least and the largest logarithm (base 10) of a precision (thesis 4.3).
const LOGS: [f64; 2] = [-12.0, 12.0];
/// The most changes of a child.
const CHANGES: usize = 3;

/// Genes, as places in the half, with the logarithm of the precision of each.
#[derive(Debug, Clone, Copy, PartialEq)]
struct GeneSet {
    len: usize,
    places: [u32; MOST],
    logs: [f64; MOST],
}

impl GeneSet {
    fn places(&self) -> &[u32] {
        &self.places[..self.len]
    }

    fn push(&mut self, place: u32, log: f64) {
        if self.len < MOST && !self.places().contains(&place) {
            (self.places[self.len], self.logs[self.len]) = (place, log);
            self.len += 1;
        }
    }

    fn remove(&mut self, at: usize) {
        self.len -= 1;
        (self.places[at], self.logs[at]) = (self.places[self.len], self.logs[self.len]);
    }
}

/// All gene sets of a half.
struct Sets<'a> {
    params: &'a ByMoea,
    genes: usize,
    /// Places by the area of their gene, the best first.
    order: Vec<usize>,
}

impl Sets<'_> {
    /// A new gene. By rank, the logarithm of the rank is even: the best ten are drawn as often as the
    /// next ninety.
    fn draw(&self, rng: &mut Rng) -> u32 {
        if chance(self.params.ranked, rng) {
            let rank = (self.genes as f64).powf(unit(rng)) as usize;
            return self.order[rank.clamp(1, self.genes) - 1] as u32;
        }
        below(self.genes, rng) as u32
    }

    fn log(&self, rng: &mut Rng) -> f64 {
        match self.params.complexity {
            SetComplexity::Genes => 0.0,
            SetComplexity::Alpha => LOGS[0] + (LOGS[1] - LOGS[0]) * unit(rng),
        }
    }

    /// One change: of a gene, off or on, each as likely.
    fn change(&self, set: &mut GeneSet, rng: &mut Rng) {
        match below(3, rng) {
            0 => {
                let at = below(set.len, rng);
                if self.params.complexity == SetComplexity::Alpha {
                    // p(e) is proportional to exp(-|e| / 2).
                    let log = set.logs[at] + 2.0 * laplace(rng);
                    if log <= LOGS[1] {
                        set.logs[at] = log.max(LOGS[0]);
                    } else if set.len > 1 {
                        set.remove(at);
                    }
                } else {
                    let place = self.draw(rng);
                    if !set.places().contains(&place) {
                        set.places[at] = place;
                    }
                }
            }
            1 if set.len > 1 => set.remove(below(set.len, rng)),
            2 if set.len < self.params.most => {
                let place = self.draw(rng);
                let log = self.log(rng);
                set.push(place, log);
            }
            _ => {}
        }
    }
}

impl Space for Sets<'_> {
    type Genome = GeneSet;

    fn sample(&self, rng: &mut Rng) -> Result<GeneSet> {
        let mut set = GeneSet { len: 0, places: [0; MOST], logs: [0.0; MOST] };
        set.push(below(self.genes, rng) as u32, LOGS[0]);
        Ok(set)
    }

    fn recombine(&self, parents: [&GeneSet; 2], children: [&mut GeneSet; 2], _: &mut Rng) {
        let [first, second] = children;
        (*first, *second) = (*parents[0], *parents[1]);
    }

    fn mutate(&self, set: &mut GeneSet, rng: &mut Rng) {
        for _ in 0..=below(CHANGES, rng) {
            self.change(set, rng);
        }
    }

    fn admit(&self, set: &GeneSet) -> Result<()> {
        let known = set.places().iter().all(|&place| (place as usize) < self.genes);
        if known && (1..=MOST).contains(&set.len) {
            return Ok(());
        }
        Err(Error::unsuitable("a gene set of other genes", "begin the search anew"))
    }
}

/// What a set grew into: its weights, the bias first, for children to start from.
#[derive(Debug, Clone, Copy)]
struct Grown {
    set: GeneSet,
    weights: [f64; MOST + 1],
}

/// Scores sets on a half.
struct Areas<'a> {
    half: &'a Half<'a>,
    params: &'a ByMoea,
    single: Vec<ColumnAuc>,
    /// The absolute correlation of each gene with the class.
    correlations: Vec<f64>,
    /// Half the least difference of two areas, for each gene and one more.
    tie: f64,
}

const GOALS: [Goal; 2] = [Goal::Maximise, Goal::Minimise];

impl<'a> Areas<'a> {
    fn new(half: &'a Half<'a>, params: &'a ByMoea) -> Self {
        let single = screen(&half.columns, &half.truth);
        let class = half.adjusted_targets();
        let scale = (dot(&class, &class) * half.rows() as f64).sqrt();
        let of = |column: &[f64]| (dot(column, &class) / scale).abs().min(1.0);
        let correlations = half.columns.chunks_exact(half.rows()).map(of).collect();
        let positives = half.truth.iter().filter(|t| **t).count() as f64;
        let pairs = positives * (half.rows() as f64 - positives);
        // Areas differ by half a pair at least.
        let tie = 0.25 / pairs.max(1.0) / (MOST + 2) as f64;
        Self { half, params, single, correlations, tie }
    }

    /// Fits the weights of a set, from those of its parent.
    fn grow(&self, set: &GeneSet, parent: Option<&Grown>, few: &mut FewColumns) -> Grown {
        let empty: &[f64] = &[];
        let (mut columns, mut alphas) = ([empty; MOST], [self.params.penalty; MOST]);
        few.weights = [0.0; MOST + 1];
        few.weights[0] = parent.map_or(0.0, |parent| parent.weights[0]);
        for (at, &place) in set.places().iter().enumerate() {
            columns[at] = self.half.column(place as usize);
            let known = parent.and_then(|parent| {
                let at = parent.set.places().iter().position(|&own| own == place)?;
                Some(parent.weights[at + 1])
            });
            few.weights[at + 1] = known.unwrap_or(0.0);
            if self.params.complexity == SetComplexity::Alpha {
                alphas[at] = 10_f64.powf(set.logs[at]);
            }
        }
        few.fit(&columns[..set.len], &self.half.targets, &alphas[..set.len]);
        Grown { set: *set, weights: few.weights }
    }

    /// The point of a set.
    fn point(
        &self,
        set: &GeneSet,
        parent: Option<&Grown>,
        (few, pairs): (&mut FewColumns, &mut PairCounter),
    ) -> ([f64; 2], Grown) {
        let (area, likely, grown) = if set.len == 1 {
            // The order of the samples by one gene is that of its values.
            let place = set.places[0] as usize;
            let auc = self.single[place].auc;
            let mut weights = [0.0; MOST + 1];
            weights[1] = if auc < 0.5 { -1.0 } else { 1.0 };
            (auc.max(1.0 - auc), self.correlations[place], Grown { set: *set, weights })
        } else {
            let grown = self.grow(set, parent, few);
            let likely = (few.log_likelihood / self.half.rows() as f64).exp().min(1.0);
            (pairs.auc(&few.log_odds), likely, grown)
        };
        let point = match self.params.complexity {
            SetComplexity::Genes => [area + self.tie * (likely - set.len as f64), set.len as f64],
            SetComplexity::Alpha => {
                let terms = set.logs[..set.len].iter().map(|log| 1.0 / (1.0 + 10_f64.powf(*log)));
                [area, terms.sum()]
            }
        };
        (point, grown)
    }
}

impl Problem<GeneSet> for Areas<'_> {
    type Phenotype = Grown;

    fn goals(&self) -> &[Goal] {
        &GOALS
    }

    fn score(
        &self,
        set: &GeneSet,
        parent: Option<&Grown>,
        _: Seed,
        out: &mut ScorePoints,
    ) -> Result<Grown> {
        let scratch =
            (&mut FewColumns::new(self.half.rows()), &mut PairCounter::new(&self.half.truth));
        let (point, grown) = self.point(set, parent, scratch);
        out.push(&point)?;
        Ok(grown)
    }

    /// One after the other with the same memory: splits run in parallel, not sets.
    fn score_all(
        &self,
        batch: &Batch<'_, GeneSet, Grown>,
        _: &Run<'_>,
        out: &mut [Scored<Grown>],
    ) -> Result<()> {
        let mut few = FewColumns::new(self.half.rows());
        let mut pairs = PairCounter::new(&self.half.truth);
        for (i, place) in out.iter_mut().enumerate() {
            let (point, grown) =
                self.point(batch.genome(i), batch.parent(i), (&mut few, &mut pairs));
            place.points.push(&point)?;
            place.set(Ok(grown));
        }
        Ok(())
    }
}

impl Way for ByMoea {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        if half.genes.is_empty() {
            return Ok(Vec::new());
        }
        let areas = Areas::new(half, self);
        let apart: Vec<f64> = areas.single.iter().map(apart).collect();
        let order = largest(&apart, apart.len());
        let sets = Sets { params: self, genes: half.genes.len(), order };
        let strategy = Elite::new().children(self.children);
        let mut search = Evolution::new(sets, strategy, &GOALS, run.seed.value())?.log_every(0);
        let mut until = Until::Evaluations(self.evaluations);
        if self.stale > 0 {
            until = until.or(Until::Stale(self.stale));
        }
        search.run(&areas, &until, run)?;
        let state = search.state();
        let mut few = FewColumns::new(half.rows());
        let of = |(set, grown): (&GeneSet, &Option<Grown>)| {
            let places: Vec<usize> = set.places().iter().map(|&place| place as usize).collect();
            if half.forces() {
                return half.refit(&places, self.penalty, run);
            }
            let grown = grown.unwrap_or_else(|| areas.grow(set, None, &mut few));
            Ok(SparseClassifier {
                genes: places.iter().map(|&at| half.genes[at]).collect(),
                weights: grown.weights[1..=set.len].to_vec(),
                bias: grown.weights[0],
                cofactors: Vec::new(),
            })
        };
        let mut front: Vec<SparseClassifier> = state
            .members()
            .genomes
            .iter()
            .zip(state.phenotypes())
            .map(of)
            .collect::<Result<_>>()?;
        front.sort_by(|a, b| (a.genes.len(), &a.genes).cmp(&(b.genes.len(), &b.genes)));
        Ok(front)
    }
}
