//! NSGA-II: K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective
//! genetic algorithm: NSGA-II", 2002.
//!
//! Parents and children are sorted into fronts. The best fronts live on; the one that does not fit
//! in whole is thinned where it is most crowded, one by one (see [`Crowding::thin`]), which
//! spreads it more evenly than the original's one pass. Parents are chosen by tournaments of two:
//! the better front wins, then the larger crowding distance.

use super::{damaged, positive};
use crate::error::Result;
use crate::evolve::pareto::{Crowding, PointSet, Sorter};
use crate::evolve::{Generation, Goal, Members, Next, Rng, Space, Strategy, below};
use rand::Rng as _;
use serde::{Deserialize, Serialize};

/// NSGA-II with as many children as members.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Nsga2 {
    size: usize,
    /// The front and the crowding distance of each member.
    standing: Vec<(u32, f64)>,
    /// How many members of the first front a child dominated so far.
    beaten: u64,
    #[serde(skip)]
    work: Work,
}

/// Memory that is used again in every generation.
#[derive(Debug, Clone, Default)]
struct Work {
    points: Option<PointSet>,
    sorter: Sorter,
    crowding: Crowding,
    kept: Vec<(u32, f64)>,
}

impl Nsga2 {
    /// A population of `size`.
    pub fn new(size: usize) -> Self {
        Self { size, standing: Vec::new(), beaten: 0, work: Work::default() }
    }

    /// The front of each member, from 0, and its crowding distance there.
    pub fn standing(&self) -> &[(u32, f64)] {
        &self.standing
    }

    /// The better of two members drawn at random.
    fn tournament(&self, rng: &mut Rng) -> usize {
        let (a, b) = (below(self.standing.len(), rng), below(self.standing.len(), rng));
        let ((front_a, room_a), (front_b, room_b)) = (self.standing[a], self.standing[b]);
        let first = if front_a != front_b {
            front_a < front_b
        } else if room_a != room_b {
            room_a > room_b
        } else {
            rng.next_u64() >> 63 == 0
        };
        if first { a } else { b }
    }
}

impl Work {
    /// Takes the points of parents and children.
    fn load<S: Space>(&mut self, generation: &Generation<'_, S>) -> Result<()> {
        let width = generation.children.one(0)?.len();
        if self.points.as_ref().is_none_or(|points| points.objectives() != width) {
            self.points = Some(PointSet::new(&vec![Goal::Minimise; width])?);
        }
        let Some(points) = &mut self.points else { return Ok(()) };
        points.clear();
        for members in [generation.parents, generation.children] {
            for i in 0..members.len() {
                points.push_costs(members.one(i)?);
            }
        }
        Ok(())
    }

    /// Lists who lives on, front by front, and how they stand. Gives back how many of the former
    /// first front a child dominates.
    fn choose(&mut self, size: usize, next: &mut Next, standing: &mut Vec<(u32, f64)>) -> u64 {
        let Some(points) = &self.points else { return 0 };
        let former = standing.iter().zip(self.sorter.sort(points));
        let beaten = former.filter(|((front, _), now)| *front == 0 && **now > 0).count();
        standing.clear();
        for (front, members) in self.sorter.fronts().enumerate() {
            let left = size - standing.len();
            if left == 0 {
                break;
            }
            self.kept.clear();
            self.crowding.thin(points, members, left.min(members.len()), &mut self.kept);
            for &(member, room) in &self.kept {
                next.keep(member as usize);
                standing.push((front as u32, room));
            }
        }
        beaten as u64
    }
}

impl<S: Space> Strategy<S> for Nsga2 {
    fn check(&self, _: &S, _: &[Goal]) -> Result<()> {
        positive(self.size, "size", "nsga2")
    }

    fn size(&self) -> usize {
        self.size
    }

    fn children(&self) -> usize {
        self.size
    }

    fn select(
        &self,
        _: &S,
        population: Members<'_, S::Genome>,
        rng: &mut Rng,
        out: &mut Vec<usize>,
    ) -> Result<()> {
        if self.standing.len() != population.len() {
            return Err(damaged());
        }
        let even = self.size.next_multiple_of(2);
        out.extend((0..even).map(|_| self.tournament(rng)));
        Ok(())
    }

    fn survive(
        &mut self,
        generation: Generation<'_, S>,
        _: &mut Rng,
        next: &mut Next,
    ) -> Result<()> {
        self.work.load(&generation)?;
        let beaten = self.work.choose(self.size, next, &mut self.standing);
        self.beaten = self.beaten.saturating_add(beaten);
        Ok(())
    }

    /// The search improves where a child dominates a member of the first front.
    fn figure(&self, _: Members<'_, S::Genome>) -> Option<f64> {
        Some(-(self.beaten as f64))
    }
}
