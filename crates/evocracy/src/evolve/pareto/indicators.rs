//! How near a set is to a known front, and how evenly it lies there.

use super::points::{PointSet, same_goals};
use crate::error::{Error, Result};

/// The mean distance of a point to the nearest of the reference (D. A. Van Veldhuizen, 1999; the
/// mean of plain distances, as is usual now). 0 where every point is one of the reference.
pub fn generational_distance(points: &PointSet, reference: &PointSet) -> Result<f64> {
    mean_nearest(points, reference, |point, reference| (point - reference) * (point - reference))
}

/// The mean distance of a reference point to the region that the nearest point dominates
/// (H. Ishibuchi et al., "Modified Distance Calculation in Generational Distance and Inverted
/// Generational Distance", 2015). A set that dominates another is never worse.
pub fn igd_plus(points: &PointSet, reference: &PointSet) -> Result<f64> {
    mean_nearest(reference, points, |reference, point| {
        let worse = (point - reference).max(0.0);
        worse * worse
    })
}

/// The mean over `from` of the least distance to one of `to`.
fn mean_nearest(from: &PointSet, to: &PointSet, part: impl Fn(f64, f64) -> f64) -> Result<f64> {
    same_goals(from, to)?;
    finite(from)?;
    finite(to)?;
    let total: f64 = from
        .rows()
        .map(|a| {
            let squares = to.rows().map(|b| a.iter().zip(b).map(|(&a, &b)| part(a, b)).sum());
            squares.fold(f64::INFINITY, |least: f64, square: f64| least.min(square)).sqrt()
        })
        .sum();
    Ok(total / from.len() as f64)
}

/// How unevenly a set lies along a front: 0 for even gaps that reach both ends.
///
/// With two objectives the Delta of K. Deb et al., 2002, over the gaps between neighbours; with
/// more its form by A. Zhou et al., "Combining Model-based and Genetics-based Offspring
/// Generation for Multi-objective Optimization Using a Convergence Criterion", 2006, over the
/// distances to the nearest other point. The ends are the reference points that are best in one
/// objective. Neither looks at how near the front is.
pub fn spread(points: &PointSet, reference: &PointSet) -> Result<f64> {
    same_goals(points, reference)?;
    finite(points)?;
    finite(reference)?;
    if points.len() < 2 || points.objectives() < 2 {
        return Err(Error::unsuitable(
            "the spread of fewer than two points, or of points with one objective",
            "measure it where there are gaps",
        ));
    }
    let two = points.objectives() == 2;
    let (to_ends, gaps) = if two { along(points, reference) } else { around(points, reference) };
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let uneven: f64 = gaps.iter().map(|gap| (gap - mean).abs()).sum();
    let whole = to_ends + gaps.len() as f64 * mean;
    // Points that all agree, with both ends, have no gaps to be uneven.
    Ok(if whole > 0.0 { (to_ends + uneven) / whole } else { 0.0 })
}

/// The distances between the ends of both sets, and the gaps between neighbours.
fn along(points: &PointSet, reference: &PointSet) -> (f64, Vec<f64>) {
    let (points, reference) = (by_first(points), by_first(reference));
    let last = |rows: &[&[f64]]| rows.len() - 1;
    let ends = distance(points[0], reference[0])
        + distance(points[last(&points)], reference[last(&reference)]);
    (ends, points.windows(2).map(|pair| distance(pair[0], pair[1])).collect())
}

fn by_first(points: &PointSet) -> Vec<&[f64]> {
    let mut rows: Vec<&[f64]> = points.rows().collect();
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    rows
}

/// The distances from the ends of the reference to the set, and from each point to its nearest.
fn around(points: &PointSet, reference: &PointSet) -> (f64, Vec<f64>) {
    let nearest = |to: &[f64], but: usize| {
        let others = points.rows().enumerate().filter(|(at, _)| *at != but);
        others.map(|(_, row)| distance(row, to)).fold(f64::INFINITY, f64::min)
    };
    let ends = (0..points.objectives()).map(|j| {
        let best = reference.rows().min_by(|a, b| a[j].total_cmp(&b[j]));
        best.map_or(0.0, |end| nearest(end, usize::MAX))
    });
    (ends.sum(), points.rows().enumerate().map(|(at, row)| nearest(row, at)).collect())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Distances need points, all of them finite.
pub(super) fn finite(points: &PointSet) -> Result<()> {
    if !points.is_empty() && points.block().iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Error::unsuitable(
        "a set without points, or with an infinite objective",
        "give sets with points at a finite distance",
    ))
}
