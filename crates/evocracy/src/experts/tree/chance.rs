//! Splits drawn at random (P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees",
//! Machine Learning 63 (2006) 3-42): a number column is cut at a place between its least and its
//! greatest value in the node, a nominal one parts its levels by tossing coins.

use super::arena::Span;
use super::grow::{AnyTally, Best, Grower};
use super::score::{Mass, Tally};
use super::search::{Cut, Here, Subsets};
use crate::data::MISSING;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

impl Grower<'_> {
    /// A random split of a column, if it has one.
    pub(super) fn draw_split(
        &mut self,
        column: usize,
        span: Span,
        here: Here<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Best> {
        let ranked = &self.columns.columns[column];
        let (mass, rows) = (&self.mass, self.arena.rows(span));
        if let Some(levels) = ranked.levels {
            let cells = (&ranked.ranks[..], levels, rows);
            let gain = match &mut self.tally {
                AnyTally::Pair(tally) => self.subsets.draw(tally, mass, cells, here, rng),
                AnyTally::Gini(tally) => self.subsets.draw(tally, mass, cells, here, rng),
                AnyTally::Entropy(tally) => self.subsets.draw(tally, mass, cells, here, rng),
            }?;
            return Some(Best { column, gain, cut: None });
        }
        let (least, most, missing) = extent(&ranked.ranks, rows)?;
        let (below, drawn) = if least == most {
            // All known values are the same: they part from the missing ones or not at all.
            (missing.then_some(least)?, None)
        } else {
            let (low, high) = (ranked.values[least as usize], ranked.values[most as usize]);
            let share: f64 = rng.random();
            let place = low * (1.0 - share) + high * share;
            let place = if place < high { place.max(low) } else { low };
            let inside = &ranked.values[least as usize..most as usize];
            (least + inside.partition_point(|&value| value <= place) as u32 - 1, Some(place))
        };
        let sums = &mut self.sides;
        count(mass, &ranked.ranks, rows, below, sums);
        let above = if drawn.is_some() { most } else { MISSING };
        let cut = Cut { gain: 0.0, below, above, missing_left: false, drawn };
        let cut = match &mut self.tally {
            AnyTally::Pair(tally) => weigh(tally, sums, here, cut),
            AnyTally::Gini(tally) => weigh(tally, sums, here, cut),
            AnyTally::Entropy(tally) => weigh(tally, sums, here, cut),
        }?;
        Some(Best { column, gain: cut.gain, cut: Some(cut) })
    }
}

/// The least and the greatest rank of the rows, and whether a value is missing; `None` where all
/// are.
fn extent(ranks: &[u32], rows: &[u32]) -> Option<(u32, u32, bool)> {
    let (mut least, mut most, mut missing) = (MISSING, 0, false);
    for &row in rows {
        let rank = ranks[row as usize];
        least = least.min(rank);
        missing |= rank == MISSING;
        most = most.max(if rank == MISSING { 0 } else { rank });
    }
    (least != MISSING).then_some((least, most, missing))
}

/// The class weights of the rows up to a rank, and of those whose value is missing.
fn count(mass: &Mass<'_>, ranks: &[u32], rows: &[u32], below: u32, sums: &mut [Vec<f64>; 2]) {
    let [left, absent] = sums;
    left.fill(0.0);
    absent.fill(0.0);
    for row in rows.iter().map(|&row| row as usize) {
        let (rank, class, weight) = (ranks[row], mass.labels[row] as usize, mass.weights[row]);
        // A product instead of a branch: the side is hard to guess for the processor.
        left[class] += weight * f64::from(u8::from(rank <= below));
        if rank == MISSING {
            absent[class] += weight;
        }
    }
}

/// The gain of a cut with the missing values on the better side; `None` where a side is too light.
fn weigh<T: Tally>(
    tally: &mut T,
    [left, absent]: &[Vec<f64>; 2],
    here: Here<'_>,
    cut: Cut,
) -> Option<Cut> {
    tally.start(here.all);
    tally.block(left, 1.0);
    let fits = here.allows(tally);
    let right = fits.then(|| Cut { gain: tally.gain(), ..cut });
    if cut.above == MISSING || absent.iter().all(|&weight| weight == 0.0) {
        return right;
    }
    tally.block(absent, 1.0);
    let fits = here.allows(tally);
    let left = fits.then(|| Cut { gain: tally.gain(), missing_left: true, ..cut });
    match (right, left) {
        (Some(right), Some(left)) => Some(if left.gain > right.gain { left } else { right }),
        (right, left) => right.or(left),
    }
}

impl Subsets {
    /// The gain of a random subset of a nominal column; [`Subsets::each`] tells which it is.
    fn draw<T: Tally>(
        &mut self,
        tally: &mut T,
        mass: &Mass<'_>,
        (codes, levels, rows): (&[u32], u32, &[u32]),
        here: Here<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Option<f64> {
        self.count(mass, codes, levels, rows);
        let count = self.present.len();
        let gain = (count > 1).then(|| {
            self.left.iter_mut().for_each(|side| *side = rng.random());
            if self.left.iter().all(|&side| side == self.left[0]) {
                let one = rng.random_range(0..count);
                self.left[one] = !self.left[one];
            }
            tally.start(here.all);
            for position in (0..count).filter(|&position| self.left[position]) {
                tally.block(self.weights(position), 1.0);
            }
            here.allows(tally).then(|| tally.gain())
        });
        self.clear();
        gain.flatten()
    }
}
