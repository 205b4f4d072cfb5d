//! Which point of a front to take.
//!
//! Every function takes the points of a front and gives a figure for each of them, in order; the
//! point to take is that of the largest figure, or of the smallest [`achievement`]. Costs are
//! first scaled to their range in the front, so that units do not matter.

use super::indicators::finite;
use super::points::{PointSet, check};
use crate::error::{Error, Result};

/// How much each point gains over the next simpler one, for how much more complexity.
///
/// Y. Jin, B. Sendhoff, E. Körner, "Simultaneous Generation of Accurate and Interpretable Neural
/// Network Classifiers", 2006: with the points in the order of their complexity, the second
/// objective, the gain in the first over the growth of the second. Here both are scaled to their
/// range. The simplest point has gained nothing: it has no figure. A knee is where the gain was
/// large and the next one is small: see [`knee_by_gain`].
pub fn performance_gain(front: &PointSet) -> Result<Vec<Option<f64>>> {
    let scaled = Scaled::new(front, Some(2))?;
    let order = scaled.order(1);
    let mut gains = vec![None; front.len()];
    for pair in order.windows(2) {
        let [simple, complex] = [scaled.row(pair[0]), scaled.row(pair[1])];
        let growth = complex[1] - simple[1];
        let gain = simple[0] - complex[0];
        gains[pair[1]] = Some(if growth > 0.0 { gain / growth } else { 0.0 });
    }
    Ok(gains)
}

/// The point after which the gain falls most: more complexity gains less from there on.
pub fn knee_by_gain(front: &PointSet) -> Result<usize> {
    let gains = performance_gain(front)?;
    let order = Scaled::new(front, Some(2))?.order(1);
    let falls =
        order.windows(2).filter_map(|pair| Some((gains[pair[0]]? - gains[pair[1]]?, pair[0])));
    Ok(largest(falls).unwrap_or(order[order.len() - 1]))
}

/// The least that must be given up per unit gained by moving from a point to another one.
///
/// L. Rachmawati, D. Srinivasan, "Multiobjective Evolutionary Algorithm With Controllable Focus
/// on the Knees of the Pareto Front", 2009. Both sums are over the scaled objectives. A large
/// figure means that every move away is a bad bargain. Infinite where no move gains anything.
pub fn trade_off(front: &PointSet) -> Result<Vec<f64>> {
    let scaled = Scaled::new(front, None)?;
    let bargain = |from: &[f64], to: &[f64]| {
        let (mut lost, mut gained) = (0.0, 0.0);
        for (a, b) in from.iter().zip(to) {
            lost += (b - a).max(0.0);
            gained += (a - b).max(0.0);
        }
        if gained > 0.0 { lost / gained } else { f64::INFINITY }
    };
    let rows = || (0..front.len()).map(|at| scaled.row(at));
    Ok(rows()
        .map(|from| rows().map(|to| bargain(from, to)).fold(f64::INFINITY, f64::min))
        .collect())
}

/// How far each point lies before the line, or the plane, through the extreme points: I. Das, "On
/// characterizing the 'knee' of the Pareto curve based on Normal-Boundary Intersection", 1999.
///
/// The extreme points are those that are best in one objective. After scaling, the plane through
/// them is taken as that through the unit points, which it is where each extreme point is worst
/// in the others. Positive towards the ideal point.
pub fn bulge(front: &PointSet) -> Result<Vec<f64>> {
    let scaled = Scaled::new(front, None)?;
    let m = front.objectives() as f64;
    let before = |row: &[f64]| {
        // With two objectives both extremes are worst in the other: the line is exact.
        (1.0 - row.iter().sum::<f64>()) / m.sqrt()
    };
    Ok((0..front.len()).map(|at| before(scaled.row(at))).collect())
}

/// What weights would make each point the choice: how far it is from the worst value of each
/// objective, as shares that sum to one (K. Deb, "Multi-Objective Optimization Using Evolutionary
/// Algorithms", 2001, section 8.3). Row by row.
pub fn pseudo_weights(front: &PointSet) -> Result<Vec<Vec<f64>>> {
    let scaled = Scaled::new(front, None)?;
    let weights = |row: &[f64]| {
        let rest: Vec<f64> = row.iter().map(|x| 1.0 - x).collect();
        let total: f64 = rest.iter().sum();
        let even = 1.0 / row.len() as f64;
        rest.iter().map(|x| if total > 0.0 { x / total } else { even }).collect()
    };
    Ok((0..front.len()).map(|at| weights(scaled.row(at))).collect())
}

/// The point whose pseudo-weights are nearest to the wanted ones, by the sum of differences.
pub fn by_weights(front: &PointSet, wanted: &[f64]) -> Result<usize> {
    check(wanted, front.goals())?;
    let far = |weights: Vec<f64>| {
        let differences = weights.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        -differences.sum::<f64>()
    };
    let weights = pseudo_weights(front)?.into_iter().enumerate();
    Ok(largest(weights.map(|(at, weights)| (far(weights), at))).unwrap_or(0))
}

/// How far each point falls short of an aspiration: A. P. Wierzbicki, "The Use of Reference
/// Objectives in Multiobjective Optimization", 1980. The smaller the better; negative where the
/// aspiration is surpassed in every objective.
///
/// The largest weighted shortfall, plus a small share `rho` of their sum, which keeps points that
/// are dominated from being chosen. Weights are positive; objectives are not scaled here.
pub fn achievement(
    front: &PointSet,
    aspiration: &[f64],
    weights: &[f64],
    rho: f64,
) -> Result<Vec<f64>> {
    check(aspiration, front.goals())?;
    check(weights, front.goals())?;
    let positive = |x: &f64| *x > 0.0 && x.is_finite();
    let share = 0.0..f64::INFINITY;
    let reachable = aspiration.iter().all(|x| x.is_finite());
    if !weights.iter().all(positive) || !share.contains(&rho) || !reachable {
        return Err(Error::unsuitable(
            "an infinite aspiration, a weight that is not positive, or a negative share of the sum",
            "give a finite aspiration, positive weights and a share from 0, such as 0.0001",
        ));
    }
    finite(front)?;
    let goals = front.goals().iter();
    let wanted: Vec<f64> = goals.zip(aspiration).map(|(goal, &x)| goal.turn(x)).collect();
    let short = |row: &[f64]| {
        let parts = row.iter().zip(&wanted).zip(weights).map(|((x, w), weight)| weight * (x - w));
        parts.clone().fold(f64::NEG_INFINITY, f64::max) + rho * parts.sum::<f64>()
    };
    Ok(front.rows().map(short).collect())
}

/// Who has the largest figure; the first of equals.
fn largest(figures: impl Iterator<Item = (f64, usize)>) -> Option<usize> {
    let best = figures.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, at)| at)
}

/// Costs from 0, the best in the front, to 1, the worst; 0 where all agree.
struct Scaled {
    width: usize,
    flat: Vec<f64>,
}

impl Scaled {
    fn new(front: &PointSet, objectives: Option<usize>) -> Result<Self> {
        finite(front)?;
        if objectives.is_some_and(|wanted| wanted != front.objectives()) {
            return Err(Error::unsuitable(
                format!("points with {} objectives where 2 are compared", front.objectives()),
                "give performance and complexity alone, in this order",
            ));
        }
        let (low, high) = front.bounds().unwrap_or_default();
        let scale = |(x, (low, high)): (&f64, (&f64, &f64))| {
            if high > low { (x - low) / (high - low) } else { 0.0 }
        };
        let flat = front.rows().flat_map(|row| row.iter().zip(low.iter().zip(&high)).map(scale));
        Ok(Self { width: front.objectives(), flat: flat.collect() })
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.flat[at * self.width..(at + 1) * self.width]
    }

    /// The points in the order of one objective, equal ones by the other objectives.
    fn order(&self, objective: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.flat.len() / self.width).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (self.row(a), self.row(b));
            a[objective].total_cmp(&b[objective]).then(b[0].total_cmp(&a[0]))
        });
        order
    }
}
