//! Five problems with two objectives: E. Zitzler, K. Deb, L. Thiele, "Comparison of
//! Multiobjective Evolutionary Algorithms: Empirical Results", 2000. The fifth is about bit
//! strings and left out.

use super::{few, front, minimised};
use crate::error::Result;
use crate::evolve::pareto::PointSet;
use crate::evolve::{Goal, Problem, Reals, ScorePoints};
use crate::run::Seed;
use std::f64::consts::PI;

/// One of the problems; all objectives are minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zdt {
    /// A convex front.
    One,
    /// A concave front.
    Two,
    /// A front in five pieces.
    Three,
    /// Very many local fronts.
    Four,
    /// A concave front that random points hit unevenly.
    Six,
}

impl Zdt {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::One, Self::Two, Self::Three, Self::Four, Self::Six];

    /// How many variables the authors used.
    pub fn variables(self) -> usize {
        match self {
            Self::One | Self::Two | Self::Three => 30,
            Self::Four | Self::Six => 10,
        }
    }

    /// The variables and their bounds.
    pub fn reals(self) -> Reals {
        let mut bounds = vec![(0.0, 1.0); self.variables()];
        if self == Self::Four {
            bounds[1..].fill((-5.0, 5.0));
        }
        Reals::new(&bounds)
    }

    /// Both objectives. There are at least two variables.
    pub fn value(self, x: &[f64]) -> [f64; 2] {
        let first = match self {
            Self::Six => six(x[0]),
            _ => x[0],
        };
        let g = self.distance(&x[1..]);
        [first, g * self.shape(first, first / g)]
    }

    /// 1 on the front, more away from it.
    fn distance(self, rest: &[f64]) -> f64 {
        let n = rest.len() as f64;
        match self {
            Self::One | Self::Two | Self::Three => 1.0 + 9.0 * rest.iter().sum::<f64>() / n,
            Self::Four => {
                let bumps = rest.iter().map(|x| x * x - 10.0 * (4.0 * PI * x).cos());
                1.0 + 10.0 * n + bumps.sum::<f64>()
            }
            Self::Six => 1.0 + 9.0 * (rest.iter().sum::<f64>() / n).powf(0.25),
        }
    }

    /// The second objective over the distance; `ratio` is the first over the distance.
    fn shape(self, first: f64, ratio: f64) -> f64 {
        match self {
            Self::One | Self::Four => 1.0 - ratio.sqrt(),
            Self::Two | Self::Six => 1.0 - ratio * ratio,
            Self::Three => 1.0 - ratio.sqrt() - ratio * (10.0 * PI * first).sin(),
        }
    }

    /// `n` points along the front; for the one in pieces those of them that lie on it.
    pub fn front(self, n: usize) -> Result<PointSet> {
        let low = if self == Self::Six { least_six() } else { 0.0 };
        let rows = (0..n).map(|i| {
            let first = low + (1.0 - low) * i as f64 / (n.max(2) - 1) as f64;
            [first, self.shape(first, first)]
        });
        front(&PointSet::from_rows(&minimised(2), rows)?)
    }
}

/// The least value of the first objective of the sixth: where its slope is zero, at
/// `tan(6 pi x) = 9 pi`.
fn least_six() -> f64 {
    six((9.0 * PI).atan() / (6.0 * PI))
}

fn six(x: f64) -> f64 {
    1.0 - (-4.0 * x).exp() * (6.0 * PI * x).sin().powi(6)
}

impl Problem<Vec<f64>> for Zdt {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise; 2]
    }

    fn score(&self, x: &Vec<f64>, _: Option<&()>, _: Seed, out: &mut ScorePoints) -> Result<()> {
        if x.len() < 2 {
            return Err(few(x.len(), 2));
        }
        out.push(&self.value(x))
    }
}
