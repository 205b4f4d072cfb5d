//! What a random tree tries at a node.

use crate::experts::tree::grow::Candidates;
use crate::run::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Where number columns are cut and how levels are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cuts {
    /// Where it helps most.
    Best,
    /// At random.
    Random,
}

/// The rules of drawing.
#[derive(Debug, Clone, Copy)]
pub(super) struct SplitRules {
    /// How many columns are tried at a node.
    pub(super) features: usize,
    pub(super) cuts: Cuts,
    /// One of so many best splits is taken at random.
    pub(super) among: usize,
}

/// Columns drawn without replacement at every node; further ones, one by one, while none has a
/// split.
#[derive(Debug)]
pub(super) struct RandomCandidates {
    rng: ChaCha8Rng,
    rules: SplitRules,
    /// All columns; the first `tried` of them were drawn at this node.
    order: Vec<u32>,
    tried: usize,
}

impl RandomCandidates {
    pub(super) fn new(rules: SplitRules, seed: Seed) -> Self {
        Self { rng: seed.rng(), rules, order: Vec::new(), tried: 0 }
    }

    fn draw(&mut self, count: usize, into: &mut Vec<u32>) {
        for _ in 0..count.min(self.order.len() - self.tried) {
            let drawn = self.rng.random_range(self.tried..self.order.len());
            self.order.swap(self.tried, drawn);
            into.push(self.order[self.tried]);
            self.tried += 1;
        }
    }
}

impl Candidates for RandomCandidates {
    fn count(&self, columns: usize) -> usize {
        match self.rules.cuts {
            Cuts::Best => self.rules.features.min(columns),
            // Nothing needs to be in order.
            Cuts::Random => 0,
        }
    }

    fn first(&mut self, columns: usize, into: &mut Vec<u32>) {
        if self.order.len() != columns {
            self.order = (0..columns as u32).collect();
        }
        self.tried = 0;
        self.draw(self.rules.features, into);
    }

    fn further(&mut self, _columns: usize, into: &mut Vec<u32>) {
        self.draw(1, into);
    }

    fn cuts(&mut self) -> Option<&mut ChaCha8Rng> {
        (self.rules.cuts == Cuts::Random).then_some(&mut self.rng)
    }

    fn picks(&self) -> bool {
        self.rules.among > 1
    }

    fn pick(&mut self, found: &mut [(f64, u32)]) -> Option<u32> {
        if !self.picks() {
            return None;
        }
        // The order in which columns were drawn must not matter.
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let count = self.rules.among.min(found.len());
        Some(found[self.rng.random_range(0..count)].1)
    }
}
