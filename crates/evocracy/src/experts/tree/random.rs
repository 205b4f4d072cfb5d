//! Splits drawn at random (P. Geurts, D. Ernst, L. Wehenkel, "Extremely randomized trees",
//! Machine Learning 63 (2006) 3-42): a number column is cut at a place between its least and its
//! greatest value in the node, the levels of a nominal one are sent to either side at random.

use super::arena::Span;
use super::grow::{AnyScore, Best, Grower, with_score};
use super::node_rows::NodeRows;
use super::score::{RowWeights, SplitScore};
use super::search::{Cut, NodeContext, Subsets};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How many values are compared side by side.
const LANES: usize = 4;

/// Scratch for drawing: the values of a node's rows in a column, those of the best column so far,
/// and the class weights of the rows where there are two classes.
#[derive(Debug, Default)]
pub(super) struct DrawScratch {
    values: Vec<f64>,
    kept: Vec<f64>,
    pairs: Vec<[f64; 2]>,
}

impl DrawScratch {
    /// Takes in the class weights of a node's rows, which serve all its columns.
    pub(super) fn weigh(&mut self, row_weights: &RowWeights, rows: &[u32]) {
        self.pairs.clear();
        if row_weights.is_pair {
            self.pairs.extend(rows.iter().map(|&row| row_weights.pair(row as usize)));
        }
    }

    /// Takes in the values of the rows; the least and the greatest, if any is known, and whether
    /// one is missing.
    fn load(&mut self, cells: &[f64], rows: &[u32]) -> Option<([f64; 2], bool)> {
        self.values.clear();
        self.values.extend(rows.iter().map(|&row| cells[row as usize]));
        // Side by side, so that no comparison waits for the one before.
        let (chunks, rest) = self.values.as_chunks::<LANES>();
        let (mut lows, mut highs) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
        let mut missing = false;
        let mut update = |lane: usize, value: f64| {
            lows[lane] = if value < lows[lane] { value } else { lows[lane] };
            highs[lane] = if value > highs[lane] { value } else { highs[lane] };
            missing |= value.is_nan();
        };
        for chunk in chunks {
            (0..LANES).for_each(|lane| update(lane, chunk[lane]));
        }
        for &value in rest {
            update(0, value);
        }
        let low = lows.into_iter().fold(f64::INFINITY, f64::min);
        let high = highs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        (low <= high).then_some(([low, high], missing))
    }

    /// Keeps the values that were looked at last.
    pub(super) fn keep(&mut self) {
        std::mem::swap(&mut self.values, &mut self.kept);
    }

    /// The values that were kept, row after row.
    pub(super) fn kept(&self) -> impl Iterator<Item = f64> + '_ {
        self.kept.iter().copied()
    }

    /// Sums the class weights of the rows up to a value and, if there are any, of those whose
    /// value is missing.
    fn count(
        &self,
        row_weights: &RowWeights,
        rows: &[u32],
        (place, missing): (f64, bool),
        [left, absent]: &mut [Vec<f64>; 2],
    ) {
        // A product instead of a branch: the side is hard to guess for the processor.
        let share = |value: f64| f64::from(u8::from(value <= place));
        left.fill(0.0);
        absent.fill(0.0);
        let class_of = |row: u32| {
            (row_weights.labels[row as usize] as usize, row_weights.weight(row as usize))
        };
        if row_weights.is_pair {
            // Side by side, so that no sum waits for the one before.
            let mut sums = [[0.0; 2]; LANES];
            let add = |[a, b]: [f64; 2], pair: [f64; 2], value: f64| {
                let share = share(value);
                [a + pair[0] * share, b + pair[1] * share]
            };
            let (pairs, rest) = self.pairs.as_chunks::<LANES>();
            let (values, end) = self.values.as_chunks::<LANES>();
            for (pairs, values) in pairs.iter().zip(values) {
                for lane in 0..LANES {
                    sums[lane] = add(sums[lane], pairs[lane], values[lane]);
                }
            }
            for (&pair, &value) in rest.iter().zip(end) {
                sums[0] = add(sums[0], pair, value);
            }
            left[0] = sums.iter().map(|sums| sums[0]).sum();
            left[1] = sums.iter().map(|sums| sums[1]).sum();
        } else {
            for (&row, &value) in rows.iter().zip(&self.values) {
                let (class, weight) = class_of(row);
                left[class] += weight * share(value);
            }
        }
        if missing {
            let rows = rows.iter().zip(&self.values).filter(|(_, value)| value.is_nan());
            for (class, weight) in rows.map(|(&row, _)| class_of(row)) {
                absent[class] += weight;
            }
        }
    }
}

impl Grower<'_> {
    /// A random split of a column, if it has one.
    pub(super) fn draw_split(
        &mut self,
        column: usize,
        span: Span,
        context: NodeContext<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Best> {
        let ranked = &self.columns.ranked[column];
        let NodeRows { row_weights, arena, ranks, .. } = &self.node_rows;
        let rows = arena.rows(span);
        if let Some(levels) = ranked.levels {
            let cells = (&ranks[column][..], levels, rows);
            let gain = with_score!(&mut self.score, score => {
                self.subsets.draw(score, row_weights, cells, context, rng)
            })?;
            return Some(Best { column, gain, cut: None });
        }
        let ([low, high], missing) = self.drawing.load(&ranked.cells, rows)?;
        let place = if low < high {
            let share: f64 = rng.random();
            let place = low * (1.0 - share) + high * share;
            if place < high { place.max(low) } else { low }
        } else if missing {
            // All known values are the same: they are split from the missing ones or not at all.
            f64::MAX
        } else {
            return None;
        };
        let sums = &mut self.sides;
        self.drawing.count(row_weights, rows, (place, missing), sums);
        let drawn = Some(place);
        let cut = Cut { gain: 0.0, below: 0, above: 0, rows: [0; 2], missing_left: false, drawn };
        let cut = with_score!(&mut self.score, score => weigh(score, sums, context, cut))?;
        Some(Best { column, gain: cut.gain, cut: Some(cut) })
    }
}

/// The gain of a cut with the missing values on the better side; `None` where a side is too light.
fn weigh<T: SplitScore>(
    score: &mut T,
    [left, absent]: &[Vec<f64>; 2],
    context: NodeContext<'_>,
    cut: Cut,
) -> Option<Cut> {
    score.start(context.all);
    score.block(left, 1.0);
    let fits = context.allows(score);
    let right = fits.then(|| Cut { gain: score.gain(), ..cut });
    if cut.drawn == Some(f64::MAX) || absent.iter().all(|&weight| weight == 0.0) {
        return right;
    }
    score.block(absent, 1.0);
    let fits = context.allows(score);
    let left = fits.then(|| Cut { gain: score.gain(), missing_left: true, ..cut });
    match (right, left) {
        (Some(right), Some(left)) => Some(if left.gain > right.gain { left } else { right }),
        (right, left) => right.or(left),
    }
}

impl Subsets {
    /// The gain of a random subset of a nominal column; [`Subsets::each`] tells which it is.
    fn draw<T: SplitScore>(
        &mut self,
        score: &mut T,
        row_weights: &RowWeights,
        (codes, levels, rows): (&[u32], u32, &[u32]),
        context: NodeContext<'_>,
        rng: &mut ChaCha8Rng,
    ) -> Option<f64> {
        self.count(row_weights, codes, levels, rows);
        let count = self.present.len();
        let gain = (count > 1).then(|| {
            self.left.iter_mut().for_each(|side| *side = rng.random());
            if self.left.iter().all(|&side| side == self.left[0]) {
                let one = rng.random_range(0..count);
                self.left[one] = !self.left[one];
            }
            score.start(context.all);
            for position in (0..count).filter(|&position| self.left[position]) {
                score.block(self.weights(position), 1.0);
            }
            context.allows(score).then(|| score.gain())
        });
        self.clear();
        gain.flatten()
    }
}
