//! Relevance vector machines whose precisions are evolved (thesis, 3.4.1).
//!
//! A genome holds the precisions alpha of the bases that are switched on; all others are infinite.
//! The weights follow by IRLS. Complexity is `C(alpha) = sum 1 / (1 + alpha)` (3.18), or the number of
//! vectors: true and false positive rates do not depend on the scale of the weights, so that a search
//! drives precisions up to where C is nearly 0 and the rates are the same.

use super::family::Family;
use crate::error::{Error, Result};
use crate::evolve::{Rng, Space, below, chance, laplace, unit};
use crate::kernel::irls::{Irls, LogisticRows};
use crate::kernel::{Basis, Design, complexity};
use crate::num::exp;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Powers of ten between which precisions are.
const LEAST: f64 = -12.0;
const MOST: f64 = 12.0;

/// Turns without a new member after which mutation also switches bases on and off (3.4.1).
const FRUITLESS: u64 = 20;

/// Newton steps, the least decrement worth one, and the share of the largest weight that the last one
/// changes a weight by. The order of the scores depends on the weights, however small all of them are;
/// and they are to follow from the precisions alone, not from the weights that a fit started from:
/// after a last step like this they agree to about 1e-11.
const STEPS: usize = 40;
const DECREMENT: f64 = 1e-4;
const SHARE: f64 = 1e-6;

crate::choices! {
    /// What the complexity of an evolved machine is.
    pub enum Complexity {
        /// the number of bases beside the bias
        Vectors = "vectors",
        /// the sum of 1 / (1 + alpha), as the thesis has it
        Alpha = "alpha",
    }
}

/// The bases that are switched on.
#[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::front) struct Precisions {
    /// Positions in the design matrix, ascending.
    pub(in crate::front) bases: Vec<u32>,
    /// The logarithm to base 10 of each precision.
    pub(in crate::front) logs: Vec<f64>,
}

impl Clone for Precisions {
    fn clone(&self) -> Self {
        Self { bases: self.bases.clone(), logs: self.logs.clone() }
    }

    /// Reuses memory, which the derived one would not.
    fn clone_from(&mut self, source: &Self) {
        self.bases.clone_from(&source.bases);
        self.logs.clone_from(&source.logs);
    }
}

impl Precisions {
    /// Bases of a design matrix, in ascending order, and their precisions.
    pub(in crate::front) fn new(bases: &[usize], alphas: &[f64]) -> Self {
        let logs = alphas.iter().map(|alpha| alpha.log10().clamp(LEAST, MOST)).collect();
        Self { bases: bases.iter().map(|&basis| basis as u32).collect(), logs }
    }

    /// The precisions.
    pub(in crate::front) fn alphas(&self) -> Vec<f64> {
        self.logs.iter().map(|log| 10_f64.powf(*log)).collect()
    }

    fn switch_on(&mut self, basis: u32, log: f64) {
        if let Err(at) = self.bases.binary_search(&basis) {
            self.bases.insert(at, basis);
            self.logs.insert(at, log);
        }
    }

    fn switch_off(&mut self, at: usize) {
        self.bases.remove(at);
        self.logs.remove(at);
    }
}

/// Machines over a design matrix.
pub(in crate::front) struct Machines<'a> {
    pub(in crate::front) design: &'a Design,
    pub(in crate::front) targets: Vec<f64>,
    pub(in crate::front) complexity: Complexity,
    /// The most changes of one mutation.
    pub(in crate::front) mutations: usize,
    /// How many points a crossover has; 0 for none.
    pub(in crate::front) cuts: usize,
    /// Memory of fits that are over.
    idle: Mutex<Vec<Scratch>>,
}

#[derive(Debug, Default)]
struct Scratch {
    irls: Irls,
    columns: Vec<f64>,
    alphas: Vec<f64>,
    start: Vec<f64>,
}

impl<'a> Machines<'a> {
    pub(in crate::front) fn new(
        design: &'a Design,
        targets: Vec<f64>,
        complexity: Complexity,
        mutations: usize,
        cuts: usize,
    ) -> Self {
        Self { design, targets, complexity, mutations, cuts, idle: Mutex::new(Vec::new()) }
    }

    /// Changes one precision, switches a basis off or on, each as likely.
    fn perturb(&self, genome: &mut Precisions, rng: &mut Rng) {
        match below(3, rng) {
            0 => {
                let at = below(genome.bases.len(), rng);
                // p(e) ~ exp(-|e| / 2)
                let log = genome.logs[at] + 2.0 * laplace(rng);
                if log <= MOST || genome.bases.len() == 1 {
                    genome.logs[at] = log.clamp(LEAST, MOST);
                } else {
                    genome.switch_off(at);
                }
            }
            1 => Self::off(genome, rng),
            _ => self.on(genome, rng),
        }
    }

    /// Switches a basis off, but for the last one.
    fn off(genome: &mut Precisions, rng: &mut Rng) {
        if genome.bases.len() > 1 {
            genome.switch_off(below(genome.bases.len(), rng));
        }
    }

    /// Switches on a basis that is off.
    fn on(&self, genome: &mut Precisions, rng: &mut Rng) {
        let log = LEAST + (MOST - LEAST) * unit(rng);
        let off = self.design.len() - genome.bases.len();
        // The so-many-th of those that are off.
        let mut basis = below(off, rng) as u32;
        for &on in &genome.bases {
            basis += u32::from(on <= basis);
        }
        if off > 0 {
            genome.switch_on(basis, log);
        }
    }
}

impl Space for Machines<'_> {
    type Genome = Precisions;

    /// One basis, nearly free.
    fn sample(&self, rng: &mut Rng) -> Result<Precisions> {
        let basis = below(self.design.len(), rng) as u32;
        Ok(Precisions { bases: vec![basis], logs: vec![LEAST] })
    }

    /// Exchanges every second stretch between random cuts; copies where there are no cuts.
    fn recombine(&self, [a, b]: [&Precisions; 2], children: [&mut Precisions; 2], rng: &mut Rng) {
        let [first, second] = children;
        first.clone_from(a);
        second.clone_from(b);
        if self.cuts == 0 || a == b {
            return;
        }
        let mut cuts: Vec<u32> =
            (0..self.cuts).map(|_| below(self.design.len() + 1, rng) as u32).collect();
        cuts.sort_unstable();
        let swapped = |basis: u32| cuts.partition_point(|&cut| cut <= basis) % 2 == 1;
        let from = |here: &Precisions, there: &Precisions, child: &mut Precisions| {
            child.bases.clear();
            child.logs.clear();
            let taken = |of: &Precisions, swap: bool| -> Vec<(u32, f64)> {
                let both = of.bases.iter().copied().zip(of.logs.iter().copied());
                both.filter(|(basis, _)| swapped(*basis) == swap).collect()
            };
            let mut all = taken(here, false);
            all.extend(taken(there, true));
            all.sort_unstable_by_key(|(basis, _)| *basis);
            (child.bases, child.logs) = all.into_iter().unzip();
        };
        from(a, b, first);
        from(b, a, second);
        for (child, parent) in [(first, a), (second, b)] {
            if child.bases.is_empty() {
                child.clone_from(parent);
            }
        }
    }

    fn mutate(&self, genome: &mut Precisions, rng: &mut Rng) {
        for _ in 0..=below(self.mutations, rng) {
            self.perturb(genome, rng);
        }
    }

    fn mutate_after(&self, genome: &mut Precisions, fruitless: u64, rng: &mut Rng) {
        self.mutate(genome, rng);
        if fruitless >= FRUITLESS {
            for _ in 0..=below(self.mutations, rng) {
                if chance(0.5, rng) { self.on(genome, rng) } else { Self::off(genome, rng) }
            }
        }
    }

    fn admit(&self, genome: &Precisions) -> Result<()> {
        let known = genome.bases.iter().all(|&basis| (basis as usize) < self.design.len());
        let logs = genome.logs.iter().all(|log| (LEAST..=MOST).contains(log));
        let sound = known && logs && genome.bases.is_sorted_by(|a, b| a < b);
        if sound && genome.bases.len() == genome.logs.len() && !genome.bases.is_empty() {
            return Ok(());
        }
        Err(Error::unsuitable("precisions of other bases", "begin the search anew"))
    }

    fn key(&self, genome: &Precisions, out: &mut Vec<u64>) -> bool {
        out.extend(genome.bases.iter().map(|&basis| u64::from(basis)));
        out.extend(genome.logs.iter().map(|log| log.to_bits()));
        true
    }
}

/// The weights of some bases.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::front) struct Weights {
    pub(in crate::front) bases: Vec<u32>,
    pub(in crate::front) values: Vec<f64>,
    /// What they are multiplied with where they are used, see [`factor`].
    pub(in crate::front) factor: f64,
}

/// The search may drive all log-odds to nearly 0, where probabilities could not be told apart: they
/// are brought to 1 at most. The order of the rows stays the same.
fn factor(log_odds: &[f64]) -> f64 {
    let largest = log_odds.iter().fold(0.0_f64, |most, odds| most.max(odds.abs()));
    if largest > 0.0 && largest < 1.0 { 1.0 / largest } else { 1.0 }
}

impl Family for Machines<'_> {
    type Fitted = Weights;

    fn rows(&self) -> usize {
        self.targets.len()
    }

    fn complexity(&self, genome: &Precisions) -> f64 {
        match self.complexity {
            Complexity::Alpha => complexity(&genome.alphas()),
            Complexity::Vectors => {
                let bias = |basis: &&u32| self.design.bases()[**basis as usize] == Basis::Bias;
                (genome.bases.len() - genome.bases.iter().filter(bias).count()) as f64
            }
        }
    }

    fn fit(
        &self,
        genome: &Precisions,
        weights: Option<&[f64]>,
        start: Option<&Weights>,
        scores: &mut Vec<f64>,
    ) -> Result<Weights> {
        let taken = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut scratch = taken.unwrap_or_default();
        let Scratch { irls, columns, alphas, start: first } = &mut scratch;
        let n = self.rows();
        columns.resize(genome.bases.len() * n, 0.0);
        for (&basis, column) in genome.bases.iter().zip(columns.chunks_exact_mut(n)) {
            self.design.column_into(basis as usize, column);
        }
        alphas.clear();
        alphas.extend(genome.logs.iter().map(|log| 10_f64.powf(*log)));
        let start = start.map(|known| {
            let of = |basis| known.bases.binary_search(basis).map_or(0.0, |at| known.values[at]);
            first.clear();
            first.extend(genome.bases.iter().map(of));
            &first[..]
        });
        let rows = LogisticRows { targets: &self.targets, weights, offsets: None };
        irls.limit(STEPS, DECREMENT, SHARE);
        let fitted = irls.fit(columns, &rows, alphas, start).map(|_| {
            // Probabilities, as the model will give them: what they cannot tell apart is tied.
            let factor = factor(&irls.log_odds);
            scores.clear();
            scores.extend(irls.log_odds.iter().map(|odds| 1.0 / (1.0 + exp(-factor * odds))));
            Weights { bases: genome.bases.clone(), values: irls.weights.clone(), factor }
        });
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        fitted
    }
}
