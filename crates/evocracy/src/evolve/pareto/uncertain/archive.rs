//! An archive that goes by the probability of dominance.

use super::{Pairing, share, suitable};
use crate::error::{Error, Result};
use crate::evolve::Goal;
use crate::evolve::pareto::points::{PointSet, covers, same_goals};
use crate::param::refuse;
use serde::{Deserialize, Serialize};

/// Solutions none of which is dominated by another with a probability above a level.
///
/// A new one becomes a member unless a member dominates it with more than that probability or has
/// the same draws, and members that it so dominates leave. With a single draw for each solution this
/// is the ordinary archive. A higher level keeps more: it takes more certainty to turn a solution away. Likely
/// dominance is not transitive, so what is kept may depend on the order of arrival; members never
/// dominate each other above the level.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Read<T>", bound(deserialize = "T: Deserialize<'de>"))]
pub struct UncertainArchive<T> {
    goals: Vec<Goal>,
    level: f64,
    pairing: Pairing,
    members: Vec<Kept<T>>,
    /// The least and the greatest costs of each member's draws: most pairs need no more.
    #[serde(skip)]
    boxes: Vec<(Vec<f64>, Vec<f64>)>,
}

/// A member.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept<T> {
    /// The draws of its objectives.
    pub sample: PointSet,
    /// What came with it.
    pub payload: T,
}

/// What is read before it is checked.
#[derive(Deserialize)]
struct Read<T> {
    goals: Vec<Goal>,
    level: f64,
    pairing: Pairing,
    members: Vec<Kept<T>>,
}

impl<T> TryFrom<Read<T>> for UncertainArchive<T> {
    type Error = Error;

    fn try_from(read: Read<T>) -> Result<Self> {
        let mut archive = Self::new(&read.goals, read.level, read.pairing)?;
        let many = read.members.len();
        for member in read.members {
            archive.insert(member.sample, member.payload)?;
        }
        if archive.len() == many {
            return Ok(archive);
        }
        Err(Error::unsuitable(
            "an archive in which one solution dominates or equals another",
            "the file is damaged: copy it again",
        ))
    }
}

impl<T> UncertainArchive<T> {
    /// An empty archive. The level is at least one half, so that two solutions can never turn
    /// each other away, and below one.
    pub fn new(goals: &[Goal], level: f64, pairing: Pairing) -> Result<Self> {
        PointSet::new(goals)?;
        if !(0.5..1.0).contains(&level) {
            let expected = "a number from 0.5, below 1".into();
            return Err(refuse("uncertain archive", "level", expected, level.to_string()));
        }
        let goals = goals.to_vec();
        Ok(Self { goals, level, pairing, members: Vec::new(), boxes: Vec::new() })
    }

    /// Offers a solution; says whether it is a member now.
    pub fn insert(&mut self, sample: PointSet, payload: T) -> Result<bool> {
        same_goals(&sample, &PointSet::new(&self.goals)?)?;
        suitable(&sample, &sample, self.pairing)?;
        if let Some(member) = self.members.first() {
            suitable(&member.sample, &sample, self.pairing)?;
        }
        let Some(room) = sample.bounds() else { return Ok(false) };
        let likely = |a: (&PointSet, &[f64]), b: (&PointSet, &[f64])| {
            // Where not even the least costs cover the greatest, no draw can dominate.
            covers(a.1, b.1) && share(a.0, b.0, self.pairing) > self.level
        };
        let each = || self.members.iter().zip(&self.boxes);
        let equal =
            |m: &Kept<T>, bounds: &(Vec<f64>, Vec<f64>)| *bounds == room && m.sample == sample;
        if each().any(|(m, bounds)| {
            equal(m, bounds) || likely((&m.sample, &bounds.0), (&sample, &room.1))
        }) {
            return Ok(false);
        }
        let stay: Vec<bool> =
            each().map(|(m, (_, high))| !likely((&sample, &room.0), (&m.sample, high))).collect();
        let mut at = stay.iter();
        self.members.retain(|_| at.next() == Some(&true));
        let mut at = stay.iter();
        self.boxes.retain(|_| at.next() == Some(&true));
        self.members.push(Kept { sample, payload });
        self.boxes.push(room);
        Ok(true)
    }

    /// The members in the order in which they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Kept<T>> {
        self.members.iter()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}
