//! The (1 + 1)-style elitist search with an unbounded archive.
//!
//! J. E. Fieldsend, R. M. Everson, S. Singh, "Using Unconstrained Elite Archives for
//! Multiobjective Optimization", 2003: a member of the archive is drawn, a changed copy of it is
//! scored and becomes a member unless one dominates it; members that it dominates leave. The
//! front can only come nearer. A genome may bring many points, such as a curve: it is a member
//! for as long as one of them is not dominated.

use super::{damaged, positive};
use crate::error::Result;
use crate::evolve::pareto::{Archive, Duplicates};
use crate::evolve::{Generation, Goal, Members, Next, Rng, Space, Strategy, below};
use serde::{Deserialize, Serialize};

/// The population is the archive.
///
/// A line of the log looks at all members, and a generation may be a single child: a long search
/// is faster with [`Evolution::log_every`](crate::evolve::Evolution::log_every) at 0 or large.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Elite {
    children: usize,
    start: usize,
    /// Every point that nothing dominates, with the name of its genome.
    archive: Option<Archive<u32>>,
    /// The name of the member at each place.
    names: Vec<u32>,
    /// By name: the place and how many of its points are in the archive.
    known: Vec<(u32, u32)>,
    /// Names that are free.
    free: Vec<u32>,
    /// Genomes that became members so far.
    joined: u64,
}

impl Default for Elite {
    fn default() -> Self {
        Self::new()
    }
}

impl Elite {
    /// One genome to begin with, one child at a time.
    pub fn new() -> Self {
        Self {
            children: 1,
            start: 1,
            archive: None,
            names: Vec::new(),
            known: Vec::new(),
            free: Vec::new(),
            joined: 0,
        }
    }

    /// Makes so many children of the same archive at a time, to be scored in parallel.
    #[must_use]
    pub fn children(mut self, children: usize) -> Self {
        self.children = children;
        self
    }

    /// Begins with so many random genomes.
    #[must_use]
    pub fn start(mut self, start: usize) -> Self {
        self.start = start;
        self
    }

    /// How many points there are that nothing dominates.
    pub fn points(&self) -> usize {
        self.archive.as_ref().map_or(0, Archive::len)
    }

    /// Whether the books agree, which those of a file may not: every name is either free or that
    /// of one member, who has as many points in the archive as it says.
    fn whole(&self, objectives: usize) -> Option<()> {
        let mut points = vec![0; self.known.len()];
        if let Some(archive) = &self.archive {
            let ours = archive.goals() == vec![Goal::Minimise; objectives];
            (ours && archive.duplicates() == Duplicates::KeepFirst).then_some(())?;
            for entry in archive.iter() {
                *points.get_mut(*entry.payload as usize)? += 1;
            }
        }
        let mut told = vec![false; self.known.len()];
        let members = self.names.iter().zip(0..).map(|(name, place)| (name, Some(place)));
        for (&name, place) in members.chain(self.free.iter().map(|name| (name, None))) {
            let name = name as usize;
            let new = !std::mem::replace(told.get_mut(name)?, true);
            let right = match place {
                Some(place) => points[name] > 0 && self.known[name] == (place, points[name]),
                None => points[name] == 0,
            };
            (new && right).then_some(())?;
        }
        told.iter().all(|told| *told).then_some(())
    }

    /// The name of a genome that has no points yet.
    fn name(&mut self, place: usize) -> u32 {
        let name = self.free.pop().unwrap_or_else(|| {
            self.known.push((0, 0));
            self.known.len() as u32 - 1
        });
        self.known[name as usize] = (place as u32, 0);
        name
    }

    /// Offers the points of a child; those who lost their last point for it are listed in `gone`.
    /// The child may be among them: a point of its own may dominate another.
    fn offer(
        &mut self,
        points: &[f64],
        width: usize,
        name: u32,
        gone: &mut Vec<u32>,
    ) -> Result<()> {
        let Some(archive) = &mut self.archive else { return Ok(()) };
        let known = &mut self.known;
        for point in points.chunks_exact(width) {
            let outcome = archive.exchange(point, name, |taken| {
                let count = &mut known[taken as usize].1;
                *count -= 1;
                if *count == 0 && taken != name {
                    gone.push(taken);
                }
            })?;
            known[name as usize].1 += u32::from(outcome.kept());
        }
        Ok(())
    }

    /// Takes members off the lists in the way the population will.
    fn remove(&mut self, gone: &[u32], next: &mut Next) {
        let place = |known: &[(u32, u32)], name: u32| known[name as usize].0 as usize;
        let mut places: Vec<usize> = gone.iter().map(|&name| place(&self.known, name)).collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        for at in places {
            next.remove(at);
            self.free.push(self.names.swap_remove(at));
            if let Some(&moved) = self.names.get(at) {
                self.known[moved as usize].0 = at as u32;
            }
        }
    }
}

impl<S: Space> Strategy<S> for Elite {
    fn check(&self, _: &S, goals: &[Goal]) -> Result<()> {
        positive(self.children, "children", "elite")?;
        positive(self.start, "start", "elite")?;
        Archive::<u32>::new(goals)?;
        if self.whole(goals.len()).is_some() { Ok(()) } else { Err(damaged()) }
    }

    fn size(&self) -> usize {
        self.start
    }

    fn children(&self) -> usize {
        self.children
    }

    /// Both parents of a couple are the same, so recombination copies it.
    fn select(
        &self,
        _: &S,
        population: Members<'_, S::Genome>,
        rng: &mut Rng,
        out: &mut Vec<usize>,
    ) -> Result<()> {
        if self.names.len() != population.len() {
            return Err(damaged());
        }
        for _ in 0..self.children.div_ceil(2) {
            let parent = below(population.len(), rng);
            out.extend([parent, parent]);
        }
        Ok(())
    }

    fn survive(
        &mut self,
        generation: Generation<'_, S>,
        _: &mut Rng,
        next: &mut Next,
    ) -> Result<()> {
        let children = generation.children.costs;
        let width = children[0].width();
        if self.archive.is_none() {
            self.archive = Some(Archive::new(&vec![Goal::Minimise; width])?);
        }
        let mut gone = Vec::new();
        for (child, points) in children.iter().enumerate() {
            let name = self.name(self.names.len());
            self.offer(points.flat(), width, name, &mut gone)?;
            if self.known[name as usize].1 == 0 {
                self.free.push(name);
                continue;
            }
            self.names.push(name);
            self.joined = self.joined.saturating_add(1);
            next.add(child);
        }
        self.remove(&gone, next);
        Ok(())
    }

    /// Every genome that joins is an improvement.
    fn figure(&self, _: Members<'_, S::Genome>) -> Option<f64> {
        Some(-(self.joined as f64))
    }
}
