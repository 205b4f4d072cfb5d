//! For each node a list of the parent sets that are worth it, the best first.
//!
//! A set is worth it where no subset of it scores as well: an order that allows the set allows the
//! subset. Sets grow from sets that are worth it, over candidates that score well alone, beside
//! the parents that a search found, or that are their neighbours there.

use super::above;
use crate::error::Result;
use crate::network::score::{with, without};
use crate::network::{Constraints, Dag, Scorer};
use crate::run::Run;

/// The most candidates of a node; their sets are bits of one word.
const MAX_CANDIDATES: usize = 64;

/// How large the lists are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Candidates by their score alone, and as many beside the parents found.
    pub candidates: usize,
    /// Sets of one size that grow further.
    pub growing: usize,
}

/// The parent sets of one node.
#[derive(Debug, Clone)]
pub(super) struct ParentSets {
    /// The candidates, sorted: bit `i` of a set is candidate `i`.
    pub candidates: Vec<u32>,
    /// Sets and their scores, the best first.
    pub sets: Vec<(u64, f64)>,
}

/// The lists of all nodes; [`Error::Stopped`](crate::error::Error::Stopped) soon after a stop.
pub(super) fn lists(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    found: &Dag,
    limits: Limits,
    run: &Run<'_>,
) -> Result<Vec<ParentSets>> {
    let of = |node: usize| -> Result<ParentSets> {
        run.stop.check()?;
        Ok(ParentSets::new(scorer, constraints, found, limits, node))
    };
    run.pool.map(found.nodes(), of).into_iter().collect()
}

impl ParentSets {
    fn new(
        scorer: &Scorer<'_>,
        constraints: &Constraints,
        found: &Dag,
        limits: Limits,
        node: usize,
    ) -> Self {
        let candidates = candidates(scorer, constraints, found, limits.candidates, node);
        let mut list = Self { candidates, sets: Vec::new() };
        list.grow(scorer, constraints, node, limits.growing);
        // What the search found is in the list even where growing did not come by.
        let known = list.mask(found.parents(node));
        if !list.sets.iter().any(|(set, _)| *set == known) {
            list.add(known, scorer.local(node, found.parents(node)));
        }
        list.sets.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        list
    }

    fn mask(&self, parents: &[u32]) -> u64 {
        let bit = |parent: &u32| self.candidates.binary_search(parent).map_or(0, |at| 1_u64 << at);
        parents.iter().map(bit).fold(0, |set, bit| set | bit)
    }

    /// The parents of a set, sorted.
    pub fn members(&self, set: u64) -> Vec<u32> {
        let has = |at: &usize| set >> at & 1 == 1;
        (0..self.candidates.len()).filter(has).map(|at| self.candidates[at]).collect()
    }

    /// Adds a set unless a subset of it is as good; says whether it did.
    fn add(&mut self, set: u64, score: f64) -> bool {
        let as_good = |(known, value): &(u64, f64)| known & !set == 0 && !above(score, *value);
        let new = !self.sets.iter().any(as_good);
        if new {
            self.sets.push((set, score));
        }
        new
    }

    /// Grows sets from the required parents, size by size.
    fn grow(&mut self, scorer: &Scorer<'_>, constraints: &Constraints, node: usize, most: usize) {
        let needed: Vec<u32> = self
            .candidates
            .iter()
            .copied()
            .filter(|&parent| constraints.requires(parent, node as u32))
            .collect();
        let first = self.mask(&needed);
        self.sets.push((first, scorer.local(node, &needed)));
        let mut growing = vec![(first, self.sets[0].1)];
        let (mut out, mut wider) = (Vec::new(), Vec::new());
        while !growing.is_empty() {
            let mut seen = std::collections::BTreeSet::new();
            let mut grown = Vec::new();
            for &(set, _) in &growing {
                let members = self.members(set);
                let mut open: Vec<u32> = Vec::new();
                for (at, &candidate) in self.candidates.iter().enumerate() {
                    with(&members, candidate, &mut wider);
                    let new = set >> at & 1 == 0 && seen.insert(set | 1 << at);
                    if new && constraints.fits(scorer.data(), node, &wider) {
                        open.push(candidate);
                    }
                }
                scorer.extensions(node, &members, &open, &mut out);
                let wider = open.iter().zip(&out);
                grown.extend(wider.map(|(c, &score)| (set | self.mask(&[*c]), score)));
            }
            grown.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            grown.retain(|&(set, score)| self.add(set, score));
            grown.truncate(most);
            growing = grown;
        }
    }
}

/// The candidates of a node, sorted.
fn candidates(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    found: &Dag,
    most: usize,
    node: usize,
) -> Vec<u32> {
    let parents = found.parents(node);
    let allowed = |parent: &u32| constraints.allows(*parent, node as u32);
    let mut chosen: Vec<u32> = parents.to_vec();
    chosen.extend(found.children(node).into_iter().filter(allowed));
    let all: Vec<u32> = (0..found.nodes() as u32).filter(allowed).collect();
    let mut scores = Vec::new();
    // Beside the parents found first: what explains the rest is not seen alone. Beside all of them
    // but one: what could take its place adds nothing beside it.
    let mut bases = vec![(parents.to_vec(), most)];
    for &parent in parents {
        let mut others = Vec::new();
        without(parents, parent, &mut others);
        bases.push((others, most.div_ceil(3)));
    }
    bases.push((Vec::new(), most));
    for (base, most) in bases {
        let mut set = Vec::new();
        let fits = |parent: &u32| {
            with(&base, *parent, &mut set);
            !parents.contains(parent) && constraints.fits(scorer.data(), node, &set)
        };
        let open: Vec<u32> = all.iter().copied().filter(fits).collect();
        scorer.extensions(node, &base, &open, &mut scores);
        let mut ranked: Vec<usize> = (0..open.len()).collect();
        ranked.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        chosen.extend(ranked.into_iter().take(most).map(|at| open[at]));
    }
    let mut unique = Vec::new();
    for node in chosen {
        if unique.len() < MAX_CANDIDATES && !unique.contains(&node) {
            unique.push(node);
        }
    }
    unique.sort_unstable();
    unique
}
