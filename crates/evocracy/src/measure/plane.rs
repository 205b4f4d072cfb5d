//! Sets of classifiers as points of the ROC plane: who is not beaten, the convex hull, and the
//! two areas of figure 2.4 of A. R. J. Clark's thesis (Exeter, 2011).
//!
//! The areas differ in what they promise between the points. *Conservative rectangles* count
//! only what some classifier does attain: the region under the attainment surface, the stairs
//! below the points. The *trapezium rule* joins neighbours by straight lines, which takes a
//! classifier that tosses a coin between the two. *Mann-Whitney* counts pairs of rows in order;
//! for the points of one ranking it equals the trapezium rule always, and the conservative
//! rectangles only where no positive ties with a negative. (The thesis says the latter without
//! its condition; its (2.42) runs to `N_+ve` where `N_-ve` is meant, and counts the pairs in
//! which the negative row has the *larger* chance of being negative.)

use super::roc::{Point, Roc};
use crate::error::{Error, Result};

/// Twice the area of a triangle of rates below which it is a straight line and rounding.
const STRAIGHT: f64 = 1e-15;

/// A point of the ROC plane: the false and the true positive rate.
pub type Rates = (f64, f64);

/// The points that no other beats, by rising false positive rate.
///
/// Of equal points one is kept.
pub fn unbeaten(points: &[Rates]) -> Result<Vec<Rates>> {
    if let Some(at) = points.iter().position(|p| !(is_rate(p.0) && is_rate(p.1))) {
        let (fpr, tpr) = points[at];
        return Err(Error::unsuitable(
            format!("point {} is ({fpr}, {tpr})", at + 1),
            "points of the ROC plane are pairs of rates between 0 and 1",
        ));
    }
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut best = f64::NEG_INFINITY;
    sorted.retain(|p| {
        let better = p.1 > best;
        best = best.max(p.1);
        better
    });
    Ok(sorted)
}

/// The area under the attainment surface of a set of classifiers (conservative rectangles).
///
/// One hard classifier at (F, T) has the area T (1 - F); no classifiers have none.
pub fn attained_area(points: &[Rates]) -> Result<f64> {
    let front = unbeaten(points)?;
    let ends = front.iter().skip(1).map(|p| p.0).chain([1.0]);
    Ok(front.iter().zip(ends).map(|(p, end)| (end - p.0) * p.1).sum())
}

/// The area under the straight lines that join (0, 0), the unbeaten classifiers and (1, 1).
pub fn joined_area(points: &[Rates]) -> Result<f64> {
    let front = unbeaten(points)?;
    let line: Vec<Rates> = [(0.0, 0.0)].into_iter().chain(front).chain([(1.0, 1.0)]).collect();
    Ok(line.windows(2).map(|p| (p[1].0 - p[0].0) * f64::midpoint(p[0].1, p[1].1)).sum())
}

/// The convex hull of a set of classifiers, from (0, 0) to (1, 1): what can be attained by
/// tossing coins between them, and all that can be optimal under some costs and prior.
pub fn hull(points: &[Rates]) -> Result<Vec<Rates>> {
    let front = unbeaten(points)?;
    let line: Vec<Rates> = [(0.0, 0.0)].into_iter().chain(front).chain([(1.0, 1.0)]).collect();
    let kept = outer(line.len(), |i| line[i]);
    Ok(kept.into_iter().map(|i| line[i]).collect())
}

impl Roc {
    /// The upper convex hull of the curve, from (0, 0) to (1, 1), without points that lie on a
    /// straight line between others.
    pub fn hull(&self) -> Vec<Point> {
        let points = self.points();
        let kept = outer(points.len(), |i| (points[i].fpr, points[i].tpr));
        kept.into_iter().map(|i| points[i]).collect()
    }

    /// The area of conservative rectangles below the points of the curve: what can be attained
    /// without tossing coins. Less than [`Roc::auc`] by half the ties between the classes.
    pub fn conservative_auc(&self) -> f64 {
        let areas = self.points().windows(2).map(|p| (p[1].fpr - p[0].fpr) * p[0].tpr);
        areas.sum()
    }

    /// The true positive rate at a false positive rate, on the straight line between the
    /// points; the highest one where the curve is vertical.
    pub fn tpr_at(&self, fpr: f64) -> f64 {
        let points = self.points();
        let after = points.partition_point(|p| p.fpr <= fpr).max(1);
        let Some(next) = points.get(after) else { return 1.0 };
        let last = points[after - 1];
        let share = ((fpr - last.fpr) / (next.fpr - last.fpr)).clamp(0.0, 1.0);
        last.tpr + share * (next.tpr - last.tpr)
    }
}

/// The places of the points on the upper hull of points sorted by both rates (A. M. Andrew,
/// "Another efficient algorithm for convex hulls in two dimensions", 1979).
fn outer(n: usize, at: impl Fn(usize) -> Rates) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for i in 0..n {
        while let [.., a, b] = kept[..] {
            let (a, b, c) = (at(a), at(b), at(i));
            let cross = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
            if cross < -STRAIGHT {
                break;
            }
            kept.pop();
        }
        kept.push(i);
    }
    kept
}

fn is_rate(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hard_classifier_has_the_area_of_its_rectangle() {
        let area = attained_area(&[(0.2, 0.7)]).unwrap();
        assert!((area - 0.7 * 0.8).abs() < 1e-15);
        let truth = [true, true, true, false, false];
        let roc = Roc::new(&truth, &[1.0, 1.0, 0.0, 1.0, 0.0], None).unwrap();
        assert!((roc.conservative_auc() - 2.0 / 3.0 * 0.5).abs() < 1e-15);
        assert!((roc.auc() - joined_area(&[(0.5, 2.0 / 3.0)]).unwrap()).abs() < 1e-15);
        assert_eq!(attained_area(&[]).unwrap(), 0.0);
        assert_eq!(joined_area(&[]).unwrap(), 0.5);
    }

    #[test]
    fn hulls_pass_over_the_beaten_and_the_collinear() {
        let points = [(0.5, 0.5), (0.1, 0.4), (0.2, 0.6), (0.3, 0.8), (0.25, 0.3), (0.1, 0.4)];
        assert_eq!(hull(&points).unwrap(), [(0.0, 0.0), (0.1, 0.4), (0.3, 0.8), (1.0, 1.0)]);
        assert_eq!(hull(&[]).unwrap(), [(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(hull(&[(0.0, 0.0), (1.0, 1.0)]).unwrap(), [(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(unbeaten(&points).unwrap(), [(0.1, 0.4), (0.2, 0.6), (0.3, 0.8)]);
        assert!(hull(&[(0.5, 1.5)]).is_err() && unbeaten(&[(f64::NAN, 0.5)]).is_err());
    }

    #[test]
    fn rates_between_points_lie_on_the_line() {
        let roc = Roc::new(&[true, false, true, false], &[4.0, 3.0, 2.0, 2.0], None).unwrap();
        let found: Vec<f64> = [0.0, 0.25, 0.5, 0.75, 1.0].map(|f| roc.tpr_at(f)).into();
        assert_eq!(found, [0.5, 0.5, 0.5, 0.75, 1.0]);
    }
}
