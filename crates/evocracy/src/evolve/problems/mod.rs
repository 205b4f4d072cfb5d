//! Problems with known fronts, to try a multi-objective search on.

mod dtlz;
mod zdt;

pub use dtlz::Dtlz;
pub use zdt::Zdt;

use super::Goal;
use super::pareto::{Archive, PointSet};
use crate::error::{Error, Result};

/// Only the points that nothing dominates.
fn front(points: &PointSet) -> Result<PointSet> {
    let mut archive = Archive::new(points.goals())?;
    for at in 0..points.len() {
        archive.insert(points.costs(at), ())?;
    }
    archive.points()
}

/// A genome that is too short for the problem.
fn few(given: usize, wanted: usize) -> Error {
    Error::unsuitable(
        format!("{given} variables where the problem needs {wanted} or more"),
        "search in the space of the problem's `reals`",
    )
}

fn minimised(objectives: usize) -> Vec<Goal> {
    vec![Goal::Minimise; objectives]
}

#[cfg(test)]
mod tests;
