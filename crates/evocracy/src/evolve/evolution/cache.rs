//! What genomes scored before, so that none is scored twice.
//!
//! Entries stand in the order they came in, which is what is saved; the index that finds them is
//! made anew and never iterated. The oldest entry gives way when the cache is full.

use crate::evolve::ScorePoints;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Kept<P>", into = "Kept<P>")]
#[serde(bound(serialize = "P: Clone + Serialize", deserialize = "P: Clone + Deserialize<'de>"))]
pub(super) struct Cache<P> {
    limit: usize,
    /// The number of the oldest entry, counted from the beginning.
    first: u64,
    entries: VecDeque<CacheEntry<P>>,
    index: HashMap<Vec<u64>, u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CacheEntry<P> {
    key: Vec<u64>,
    points: ScorePoints,
    phenotype: Option<P>,
}

/// A cache as it is saved.
#[derive(Serialize, Deserialize)]
struct Kept<P> {
    limit: usize,
    entries: VecDeque<CacheEntry<P>>,
}

impl<P> Cache<P> {
    pub fn new(limit: usize) -> Self {
        Self { limit, first: 0, entries: VecDeque::new(), index: HashMap::new() }
    }

    pub fn knows(&self, key: &[u64]) -> bool {
        self.index.contains_key(key)
    }

    pub fn get(&self, key: &[u64]) -> Option<(&ScorePoints, &Option<P>)> {
        let number = self.index.get(key)?;
        let known = &self.entries[(number - self.first) as usize];
        Some((&known.points, &known.phenotype))
    }

    /// The scores that are remembered.
    pub fn scores(&self) -> impl Iterator<Item = &ScorePoints> {
        self.entries.iter().map(|known| &known.points)
    }
}

impl<P: Clone> Cache<P> {
    pub fn insert(&mut self, key: &[u64], points: &ScorePoints, phenotype: Option<&P>) {
        let known =
            CacheEntry { key: key.to_vec(), points: points.clone(), phenotype: phenotype.cloned() };
        self.push(known);
    }

    fn push(&mut self, known: CacheEntry<P>) {
        if self.entries.len() == self.limit
            && let Some(oldest) = self.entries.pop_front()
        {
            self.index.remove(&oldest.key);
            self.first += 1;
        }
        self.index.insert(known.key.clone(), self.first + self.entries.len() as u64);
        self.entries.push_back(known);
    }
}

impl<P: Clone> From<Kept<P>> for Cache<P> {
    fn from(kept: Kept<P>) -> Self {
        let mut cache = Self::new(kept.limit.max(1));
        kept.entries.into_iter().for_each(|known| cache.push(known));
        cache
    }
}

impl<P> From<Cache<P>> for Kept<P> {
    fn from(cache: Cache<P>) -> Self {
        Self { limit: cache.limit, entries: cache.entries }
    }
}
