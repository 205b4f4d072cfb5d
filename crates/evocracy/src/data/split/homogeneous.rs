//! Nearly homogeneous partitions (Aupetit 2009, Neurocomputing 72, 1379-1389), as used inside
//! the evolution of relevance vector machines (thesis, 3.5.1).
//!
//! A path goes through all rows, from each to its nearest neighbour that was not visited, and
//! the rows on it are dealt to the parts in turn: neighbours end in different parts, so the parts
//! have nearly the same distribution. The path starts at the row furthest from a random one,
//! because a start in the middle tends to run along a class boundary.

use super::refuse;
use crate::data::{Cells, Encoder, Encoding, Input, Task};
use crate::error::Result;
use crate::run::Seed;
use rand::RngExt;

/// Parts the rows of a task into `k` lists of positions with nearly the same distribution.
/// Distances are those of the dense encoding: standardised numbers, one column per level. Time
/// grows with the square of the rows.
pub fn homogeneous(task: &Task<'_>, k: usize, seed: Seed) -> Result<Vec<Vec<u32>>> {
    let (points, _) = standard_points(task)?;
    homogeneous_points(&points, task.rows(), k, seed)
}

/// The rows of a task as points, one after the other, in the dense encoding fitted to them; and
/// how many numbers a point has.
pub fn standard_points(task: &Task<'_>) -> Result<(Vec<f64>, usize)> {
    let encoded = Encoder::fit(Encoding::Auto, Input::Dense, task)?.encode(task.features)?;
    let view = encoded.view();
    let (rows, width) = (view.rows(), view.columns());
    let mut points = vec![0.0; rows * width];
    for column in 0..width {
        if let Cells::Number(values) = view.cells(column) {
            for row in 0..rows {
                points[row * width + column] = values[view.row_id(row)];
            }
        }
    }
    Ok((points, width))
}

/// As [`homogeneous`], for `rows` points that stand one after the other in `points`.
pub fn homogeneous_points(
    points: &[f64],
    rows: usize,
    k: usize,
    seed: Seed,
) -> Result<Vec<Vec<u32>>> {
    if k < 1 || k > rows {
        return Err(refuse("parts", &format!("a whole number from 1 to {rows} (the rows)"), &k));
    }
    let width = points.len() / rows;
    let point = |row: u32| &points[row as usize * width..(row as usize + 1) * width];
    let distance = |a: u32, b: u32| -> f64 {
        point(a).iter().zip(point(b)).map(|(x, y)| (x - y) * (x - y)).sum()
    };
    let random = seed.child("homogeneous", 0).rng().random_range(0..rows as u32);
    let mut here =
        furthest((0..rows as u32).filter(|&row| row != random), |row| distance(random, row))
            .unwrap_or(random);
    let mut left: Vec<u32> = (0..rows as u32).collect();
    let mut parts = vec![Vec::with_capacity(rows / k + 1); k];
    for step in 0..rows {
        parts[step % k].push(here);
        left.retain(|&row| row != here);
        match furthest(left.iter().copied(), |row| -distance(here, row)) {
            Some(next) => here = next,
            None => break,
        }
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    Ok(parts)
}

/// The row of the largest value, the first among equals.
fn furthest(rows: impl Iterator<Item = u32>, value: impl Fn(u32) -> f64) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for row in rows {
        let value = value(row);
        if best.is_none_or(|(top, _)| value > top) {
            best = Some((value, row));
        }
    }
    best.map(|(_, row)| row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_disjoint_cover_all_rows_and_differ_by_one(
            points in prop::collection::vec(-5.0f64..5.0, 2..120), k in 1usize..5, seed: u64,
        ) {
            let rows = points.len() / 2;
            prop_assume!(k <= rows);
            let parts = homogeneous_points(&points[..rows * 2], rows, k, Seed::new(seed)).unwrap();
            let mut all: Vec<u32> = parts.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..rows as u32).collect::<Vec<_>>());
            let sizes: Vec<usize> = parts.iter().map(Vec::len).collect();
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn a_line_of_points_is_dealt_in_turn_from_one_end() -> Result<()> {
        let points: Vec<f64> = (0..9).map(f64::from).collect();
        let parts = homogeneous_points(&points, 9, 3, Seed::new(4))?;
        for part in parts {
            assert!(part.windows(2).all(|pair| pair[1] - pair[0] == 3));
        }
        Ok(())
    }
}
