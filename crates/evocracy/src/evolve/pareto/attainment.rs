//! What several runs of a search attain: C. M. Fonseca, P. J. Fleming, "On the performance
//! assessment and comparison of stochastic multiobjective optimizers", 1996; V. Grunert da
//! Fonseca, C. M. Fonseca, A. O. Hall, "Inferential Performance Assessment of Stochastic
//! Optimisers and the Attainment Function", 2001.
//!
//! A run attains a place if one of its points dominates or equals it. The surface of a share is
//! the edge of all that is attained by that share of the runs: the median surface is what half
//! of them reach.

use super::points::{PointSet, check, covers, same_goals};
use crate::error::{Error, Result};
use crate::evolve::Goal;

/// The fronts of several runs.
#[derive(Debug, Clone)]
pub struct Attainment {
    runs: Vec<PointSet>,
}

impl Attainment {
    /// One set of points for each run.
    pub fn new(runs: Vec<PointSet>) -> Result<Self> {
        let Some(first) = runs.first() else {
            return Err(Error::unsuitable("no runs", "give the points of at least one run"));
        };
        runs.iter().try_for_each(|run| same_goals(first, run))?;
        Ok(Self { runs })
    }

    /// The share of runs that attain a place, given by its objectives.
    pub fn share(&self, place: &[f64]) -> Result<f64> {
        let goals = self.goals();
        check(place, goals)?;
        let place: Vec<f64> = goals.iter().zip(place).map(|(goal, &x)| goal.turn(x)).collect();
        let attains = |run: &&PointSet| run.rows().any(|row| covers(row, &place));
        Ok(self.runs.iter().filter(attains).count() as f64 / self.runs.len() as f64)
    }

    /// The corners of the surface that at least `runs` of the runs attain, by the first cost,
    /// for two objectives.
    pub fn surface(&self, runs: usize) -> Result<PointSet> {
        let goals = self.goals();
        if goals.len() != 2 || !(1..=self.runs.len()).contains(&runs) {
            return Err(Error::unsuitable(
                format!("a surface of {runs} runs with {} objectives", goals.len()),
                format!("ask for 1 to {} runs of two objectives", self.runs.len()),
            ));
        }
        let mut steps: Vec<(f64, f64, usize)> = Vec::new();
        for (run, points) in self.runs.iter().enumerate() {
            steps.extend(points.rows().map(|row| (row[0], row[1], run)));
        }
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        // How low each run has come so far along the first cost, and all of that in order.
        let mut lowest = vec![f64::INFINITY; self.runs.len()];
        let mut ranked = lowest.clone();
        let (mut surface, mut before) = (PointSet::new(goals)?, f64::INFINITY);
        for together in steps.chunk_by(|a, b| a.0 == b.0) {
            for &(_, height, run) in together {
                lower(&mut ranked, &mut lowest[run], height);
            }
            let height = ranked[runs - 1];
            if height < before {
                surface.push_costs(&[together[0].0, height]);
                before = height;
            }
        }
        Ok(surface)
    }

    fn goals(&self) -> &[Goal] {
        self.runs[0].goals()
    }
}

/// Lowers one of the heights and keeps them in order.
fn lower(ranked: &mut [f64], now: &mut f64, height: f64) {
    if height >= *now {
        return;
    }
    let from = ranked.partition_point(|x| x < now);
    let to = ranked.partition_point(|x| *x <= height);
    ranked.copy_within(to..from, to + 1);
    ranked[to] = height;
    *now = height;
}
