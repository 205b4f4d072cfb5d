//! Points of objectives as costs in one contiguous block.

use crate::error::{Error, Result};
use crate::evolve::Goal;
use serde::{Deserialize, Serialize};

/// How two points stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The first is no worse in every objective and better in at least one.
    Dominates,
    /// The second dominates the first.
    Dominated,
    /// They agree in every objective.
    Equal,
    /// Each is better in some objective.
    Apart,
}

impl Relation {
    /// The relation of two points of costs.
    #[inline]
    pub fn of(a: &[f64], b: &[f64]) -> Self {
        let (mut better, mut worse) = (false, false);
        for (a, b) in a.iter().zip(b) {
            better |= a < b;
            worse |= a > b;
        }
        match (better, worse) {
            (true, false) => Self::Dominates,
            (false, true) => Self::Dominated,
            (false, false) => Self::Equal,
            (true, true) => Self::Apart,
        }
    }
}

/// Whether no cost of `a` is above that of `b`: `a` dominates or equals `b`.
#[inline]
pub(super) fn covers(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// Points with the same goals; none of their objectives is NaN.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawPoints")]
pub struct PointSet {
    goals: Vec<Goal>,
    /// Row by row.
    costs: Vec<f64>,
}

/// What is read before it is checked.
#[derive(Deserialize)]
struct RawPoints {
    goals: Vec<Goal>,
    costs: Vec<f64>,
}

impl TryFrom<RawPoints> for PointSet {
    type Error = Error;

    fn try_from(block: RawPoints) -> Result<Self> {
        let mut points = Self::new(&block.goals)?;
        let odd = block.costs.len() % block.goals.len();
        if odd > 0 {
            return Err(wrong_length(odd, block.goals.len()));
        }
        refuse_nan(&block.costs)?;
        points.push_costs(&block.costs);
        Ok(points)
    }
}

impl PointSet {
    /// No points yet. There must be a goal at least.
    pub fn new(goals: &[Goal]) -> Result<Self> {
        if goals.is_empty() {
            return Err(Error::unsuitable("there is no objective", "give one goal or more"));
        }
        Ok(Self { goals: goals.to_vec(), costs: Vec::new() })
    }

    /// Rows of objectives with these goals.
    pub fn from_rows<R: AsRef<[f64]>>(
        goals: &[Goal],
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self> {
        let mut points = Self::new(goals)?;
        for row in rows {
            points.push(row.as_ref())?;
        }
        Ok(points)
    }

    /// Rows of objectives that are all minimised; the first row tells how many there are.
    pub fn minimised<R: AsRef<[f64]>>(rows: impl IntoIterator<Item = R>) -> Result<Self> {
        let mut rows = rows.into_iter().peekable();
        let objectives = rows.peek().map_or(0, |row| row.as_ref().len());
        Self::from_rows(&vec![Goal::Minimise; objectives], rows)
    }

    /// Adds a point, given by its objectives.
    pub fn push(&mut self, objectives: &[f64]) -> Result<()> {
        check(objectives, &self.goals)?;
        self.costs.extend(self.goals.iter().zip(objectives).map(|(goal, &x)| goal.turn(x)));
        Ok(())
    }

    /// Adds points, given by their costs, none of which is NaN.
    pub(crate) fn push_costs(&mut self, costs: &[f64]) {
        debug_assert_eq!(costs.len() % self.goals.len(), 0);
        // Zeros lose their sign, so that costs that compare equal have equal bits.
        self.costs.extend(costs.iter().map(|cost| cost + 0.0));
    }

    /// Adds a point, given by its costs, unless one of them is NaN.
    pub(super) fn push_turned(&mut self, costs: &[f64]) -> Result<()> {
        check(costs, &self.goals)?;
        self.push_costs(costs);
        Ok(())
    }

    /// Forgets the points and keeps the room they took.
    pub fn clear(&mut self) {
        self.costs.clear();
    }

    /// What every objective is for.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// How many objectives a point has.
    pub fn objectives(&self) -> usize {
        self.goals.len()
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.costs.len() / self.goals.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The costs of a point: the less the better.
    #[inline]
    pub fn costs(&self, point: usize) -> &[f64] {
        let m = self.goals.len();
        &self.costs[point * m..(point + 1) * m]
    }

    /// The objectives of a point as they were given.
    pub fn point(&self, point: usize) -> Vec<f64> {
        objectives(&self.goals, self.costs(point))
    }

    /// The costs of all points, row by row.
    pub fn block(&self) -> &[f64] {
        &self.costs
    }

    /// The costs of every point.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.costs.chunks_exact(self.goals.len())
    }

    /// How one point stands to another.
    pub fn relation(&self, a: usize, b: usize) -> Relation {
        Relation::of(self.costs(a), self.costs(b))
    }

    /// Only these points, in the given order.
    #[must_use]
    pub fn select(&self, chosen: &[u32]) -> Self {
        let costs = chosen.iter().flat_map(|&at| self.costs(at as usize)).copied().collect();
        Self { goals: self.goals.clone(), costs }
    }

    /// The least and the greatest cost of each objective; `None` without points.
    pub fn bounds(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let first = self.rows().next()?.to_vec();
        Some(self.rows().fold((first.clone(), first), |(mut low, mut high), row| {
            for (j, &cost) in row.iter().enumerate() {
                low[j] = low[j].min(cost);
                high[j] = high[j].max(cost);
            }
            (low, high)
        }))
    }
}

/// The objectives with these costs.
pub(super) fn objectives(goals: &[Goal], costs: &[f64]) -> Vec<f64> {
    goals.iter().zip(costs).map(|(goal, &cost)| goal.turn(cost)).collect()
}

/// As many objectives as goals, none of them NaN.
#[inline]
pub(super) fn check(objectives: &[f64], goals: &[Goal]) -> Result<()> {
    if objectives.len() != goals.len() {
        return Err(wrong_length(objectives.len(), goals.len()));
    }
    refuse_nan(objectives)
}

#[inline]
fn refuse_nan(objectives: &[f64]) -> Result<()> {
    match objectives.iter().position(|x| x.is_nan()) {
        None => Ok(()),
        Some(at) => Err(Error::unsuitable(
            format!("objective {} of a point is NaN", at + 1),
            "NaN can neither dominate nor be dominated: give a bad point an infinite cost instead",
        )),
    }
}

fn wrong_length(given: usize, wanted: usize) -> Error {
    Error::unsuitable(
        format!("a point has {given} objectives where there are {wanted} goals"),
        "give every point one number for each goal",
    )
}

/// Two sets are measured together only if they agree on what the objectives are for.
pub(super) fn same_goals(a: &PointSet, b: &PointSet) -> Result<()> {
    if a.goals == b.goals {
        return Ok(());
    }
    Err(Error::unsuitable(
        "the two sets of points have different goals",
        "give both sets the same objectives in the same order",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Goal::{Maximise, Minimise};

    #[test]
    fn any_mix_of_goals_becomes_costs_and_comes_back() -> Result<()> {
        let goals = [Minimise, Maximise];
        let points =
            PointSet::from_rows(&goals, [[1.0, 5.0], [1.0, 4.0], [0.5, 4.0], [-0.0, -0.0]])?;
        assert_eq!(points.relation(0, 1), Relation::Dominates);
        assert_eq!(points.relation(1, 0), Relation::Dominated);
        assert_eq!(points.relation(0, 2), Relation::Apart);
        assert_eq!(points.relation(2, 2), Relation::Equal);
        assert_eq!(points.point(0), [1.0, 5.0]);
        assert!(points.costs(3).iter().all(|cost| cost.to_bits() == 0));
        Ok(())
    }

    #[test]
    fn nan_and_wrong_lengths_are_refused() {
        let mut points = PointSet::new(&[Minimise, Maximise]).unwrap();
        assert!(points.push(&[0.0, f64::NAN]).is_err());
        assert!(points.push(&[0.0]).is_err());
        assert!(points.is_empty());
        assert!(points.push(&[f64::INFINITY, f64::NEG_INFINITY]).is_ok());
        assert!(PointSet::new(&[]).is_err());
        let forged = r#"{"goals":["minimise","minimise"],"costs":[1.0]}"#;
        assert!(serde_json::from_str::<PointSet>(forged).is_err());
        // A zero that was forged loses its sign.
        let forged = r#"{"goals":["minimise"],"costs":[-0.0,0.0]}"#;
        let points: PointSet = serde_json::from_str(forged).unwrap();
        assert!(points.block().iter().all(|cost| cost.to_bits() == 0));
    }
}
