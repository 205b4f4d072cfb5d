//! Cost curves: what the best point of a ROC curve costs under every condition.
//!
//! C. Drummond, R. C. Holte, "Cost curves: an improved method for visualizing classifier
//! performance", Machine Learning 65 (2006) 95-130. A point (F, T) is the line
//! `(1 - T) x + F (1 - x)` over the probability-cost `x`; the curve is the lower envelope of the
//! lines, so each piece belongs to one point of the convex hull.

use super::roc::{Point, Roc};
use serde::Serialize;

/// The conditions under which one point of the curve is best.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostPiece {
    /// The least probability-cost.
    pub from: f64,
    /// The greatest probability-cost.
    pub to: f64,
    /// The point that is best there.
    pub point: Point,
}

/// The normalised expected cost, 0 to 1, of the best point over the probability-cost
/// [`Conditions::probability_cost`](super::Conditions::probability_cost).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostCurve {
    pieces: Vec<CostPiece>,
}

impl CostPiece {
    /// The normalised expected cost of the point at a probability-cost.
    pub fn cost(&self, probability_cost: f64) -> f64 {
        (1.0 - self.point.tpr) * probability_cost + self.point.fpr * (1.0 - probability_cost)
    }
}

impl CostCurve {
    /// The pieces, from probability-cost 0 to 1, none empty.
    pub fn pieces(&self) -> &[CostPiece] {
        &self.pieces
    }

    /// The least normalised expected cost at a probability-cost between 0 and 1.
    pub fn cost(&self, probability_cost: f64) -> f64 {
        let last = self.pieces.len() - 1;
        let at = self.pieces.partition_point(|p| p.to < probability_cost).min(last);
        self.pieces[at].cost(probability_cost)
    }

    /// The corners of the curve as pairs of probability-cost and cost.
    pub fn corners(&self) -> Vec<(f64, f64)> {
        let starts = self.pieces.iter().map(|p| (p.from, p.cost(p.from)));
        let last = self.pieces.last().map(|p| (p.to, p.cost(p.to)));
        starts.chain(last).collect()
    }

    /// The area under the curve: the expected cost where all probability-costs are as likely.
    pub fn area(&self) -> f64 {
        let of = |p: &CostPiece| (p.to - p.from) * f64::midpoint(p.cost(p.from), p.cost(p.to));
        self.pieces.iter().map(of).sum()
    }
}

impl From<&Roc> for CostCurve {
    fn from(roc: &Roc) -> Self {
        let hull = roc.hull();
        // Neighbours on the hull cost the same where x (T' - T) = (1 - x) (F' - F).
        let meet = |p: &[Point]| {
            let (across, up) = (p[1].fpr - p[0].fpr, p[1].tpr - p[0].tpr);
            across / (across + up)
        };
        let ends: Vec<f64> = hull.windows(2).map(meet).chain([1.0]).collect();
        let starts = [0.0].into_iter().chain(ends.iter().copied());
        let pieces = hull.iter().zip(starts).zip(&ends);
        let pieces = pieces.map(|((&point, from), &to)| CostPiece { from, to, point });
        Self { pieces: pieces.filter(|p| p.from < p.to).collect() }
    }
}
