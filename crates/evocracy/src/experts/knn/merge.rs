//! Rows of the same class at the same place made one point: a table of a million rows may have a
//! dozen different ones, and a search that meets each of them would take time by its square.

use std::cmp::Ordering;

/// The points that rows were merged to, in the order of their first rows.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Merged {
    /// The first row of each point.
    pub(super) first: Vec<u32>,
    /// How many rows it stands for.
    pub(super) counts: Vec<u32>,
    /// The weight of all of them.
    pub(super) weights: Vec<f64>,
}

/// Merges rows of `axes` coordinates, one after the other; `of` tells the class and the weight of a
/// row. The coordinates of the points are left in `rows`.
pub(super) fn merge(rows: &mut Vec<f64>, axes: usize, of: impl Fn(u32) -> (u32, f64)) -> Merged {
    let count = rows.len() / axes.max(1);
    let place = |row: u32| &rows[row as usize * axes..(row as usize + 1) * axes];
    let compare = |a: u32, b: u32| {
        let mut each = place(a).iter().zip(place(b)).map(|(a, b)| a.total_cmp(b));
        let first = each.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
        first.then_with(|| of(a).0.cmp(&of(b).0))
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    let mut points: Vec<&[u32]> = order.chunk_by(|&a, &b| compare(a, b).is_eq()).collect();
    points.sort_unstable_by_key(|point| point[0]);
    let mut merged = Merged::default();
    for point in points {
        merged.first.push(point[0]);
        merged.counts.push(point.len() as u32);
        merged.weights.push(point.iter().map(|&row| of(row).1).sum());
    }
    for (to, &from) in merged.first.iter().enumerate() {
        let from = from as usize * axes;
        rows.copy_within(from..from + axes, to * axes);
    }
    rows.truncate(merged.first.len() * axes);
    merged
}
