//! The best split of a node in one column.
//!
//! Numbers: every half way between neighbouring distinct values, with the rows whose value is
//! missing on either side, and the split of known from missing values. Nominal columns: subsets
//! of the levels, a missing value counting as one more level. The order is optimal for two
//! classes (Breiman et al. 1984, theorem 4.5: sort the levels by the share of one class); for
//! more classes up to [`EXHAUSTIVE`] levels are tried in all subsets, and beyond that the
//! levels are ordered by the share of each class in turn (one against the rest), a heuristic.
//!
//! Two splits are equal when their gains differ by less than [`TIE`] of the node's weight, which
//! is far above rounding and far below any real difference; then the earlier one stays.

use super::score::{RowWeights, SplitScore};
use crate::data::MISSING;

/// Gains closer than this share of the node's weight are equal.
pub(super) const TIE: f64 = 1e-12;

/// How many rows move to the left at once where none of the places among them can be the best.
const STRIDE: usize = 32;

/// In lists of fewer entries a stride is too large a part of the whole to be passed.
const MANY: usize = 32 * STRIDE;

/// How many places are looked at side by side where hardly one of them is the best.
pub(super) const LANES: usize = 8;

/// With more than two classes, up to this many levels are tried in all subsets.
const EXHAUSTIVE: usize = 10;

/// What is the same for all columns of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeContext<'a> {
    /// The class weights of the node.
    pub(super) all: &'a [f64],
    /// Gains that differ by less are equal.
    pub(super) tie: f64,
    /// The least weight of a side.
    pub(super) leaf: f64,
    /// The best gain of the columns before: a column need not tell gains that are not above it.
    pub(super) floor: f64,
}

impl NodeContext<'_> {
    pub(super) fn allows<T: SplitScore>(&self, score: &T) -> bool {
        score.sides().iter().all(|&weight| weight > 0.0 && weight >= self.leaf)
    }
}

/// A split of a number column between two ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    pub(super) gain: f64,
    /// The highest rank on the left.
    pub(super) below: u32,
    /// The lowest rank on the right; [`MISSING`] where only missing values are there.
    pub(super) above: u32,
    /// A row with each of these ranks.
    pub(super) rows: [u32; 2],
    pub(super) missing_left: bool,
    /// The threshold, where it was drawn; the ranks then say nothing. Else it lies half way
    /// between them.
    pub(super) drawn: Option<f64>,
}

/// The mark of an entry whose value differs from that of the entry before. An entry is a row in a
/// list sorted by the values of a column: half the size of a row with its rank.
pub(super) const FIRST: u32 = 1 << 31;

/// The mark of an entry whose row is of the second of two classes.
pub(super) const SECOND: u32 = 1 << 30;

/// The row of an entry.
#[inline]
pub(super) fn row_of(entry: u32) -> u32 {
    entry & !(FIRST | SECOND)
}

/// The best cut of a number column, given its ranks and the entries of the node in order.
pub(super) fn best_cut<T: SplitScore>(
    score: &mut T,
    row_weights: &RowWeights,
    (ranks, entries): (&[u32], &[u32]),
    context: NodeContext<'_>,
    absent: &mut Vec<f64>,
) -> Option<Cut> {
    let rank = |entry: u32| ranks[row_of(entry) as usize];
    let (&first, &last) = (entries.first()?, entries.last()?);
    if rank(first) == rank(last) {
        return None;
    }
    let cut = |(gain, [below, above]): (f64, [u32; 2])| {
        let (rows, [below, above]) = ([below, above].map(row_of), [below, above].map(rank));
        Cut { gain, below, above, rows, missing_left: false, drawn: None }
    };
    score.start(context.all);
    if rank(last) != MISSING {
        return scan(score, row_weights, entries, context).map(cut);
    }
    let (known, missing) = entries.split_at(entries.partition_point(|&e| rank(e) != MISSING));
    let right = scan(score, row_weights, known, context).map(cut);
    // The scan leaves the last known row on the right.
    let &end = known.last()?;
    let known_from_missing =
        move_last(score, row_weights, end, context).map(|gain| cut((gain, [end, missing[0]])));
    absent.clear();
    absent.resize(context.all.len(), 0.0);
    for row in missing.iter().map(|&entry| row_of(entry) as usize) {
        absent[row_weights.labels[row] as usize] += row_weights.weight(row);
    }
    score.start(context.all);
    score.block(absent, 1.0);
    let left = scan(score, row_weights, known, context)
        .map(|found| Cut { missing_left: true, ..cut(found) });
    [left, known_from_missing].into_iter().fold(right, |best, cut| better(best, cut, context.tie))
}

/// The better of two cuts of one column: more gain, or among equals the lower threshold.
fn better(best: Option<Cut>, cut: Option<Cut>, tie: f64) -> Option<Cut> {
    match (best, cut) {
        (Some(best), Some(cut)) => {
            let wins = cut.gain > best.gain + tie
                || (cut.gain >= best.gain - tie && cut.below < best.below);
            Some(if wins { cut } else { best })
        }
        (best, cut) => best.or(cut),
    }
}

/// The gain of the split of the known from the missing values, after a scan of the known ones,
/// of which `end` is the last.
fn move_last<T: SplitScore>(
    score: &mut T,
    row_weights: &RowWeights,
    end: u32,
    context: NodeContext<'_>,
) -> Option<f64> {
    score.row(row_weights, end);
    let gain = score.gain();
    (gain.is_finite() && context.allows(score)).then_some(gain)
}

/// Moves row after row to the left and keeps the best place between distinct values: its gain
/// and the entries before and after it.
fn scan<T: SplitScore>(
    score: &mut T,
    row_weights: &RowWeights,
    entries: &[u32],
    context: NodeContext<'_>,
) -> Option<(f64, [u32; 2])> {
    let mut least_gain = f64::NEG_INFINITY;
    let mut best = None;
    // On the way up to the best place there is nothing to pass.
    let mut rises = false;
    let (mut at, end) = (0, entries.len().saturating_sub(1));
    while at < end {
        let next = (at + STRIDE).min(end);
        // Less by a tie than what counts: far above the rounding of a bound.
        let sure = least_gain.max(context.floor) - context.tie;
        let tries = entries.len() >= MANY && next - at == STRIDE && !rises;
        rises = false;
        if tries && score.passes(row_weights, &entries[at..next], sure) {
            at = next;
            continue;
        }
        while at < next {
            let few = (at + LANES).min(next);
            let least = least_gain.max(context.floor - context.tie);
            let chunk = entries[at..few].as_array().filter(|_| least > f64::NEG_INFINITY);
            if !chunk.is_some_and(|chunk| score.skips(row_weights, chunk, least)) {
                for pair in entries[at..=few].windows(2) {
                    let &[this, next] = pair else { continue };
                    score.row(row_weights, this);
                    if next & FIRST != 0 && score.beats(least_gain) && context.allows(score) {
                        let gain = score.gain();
                        least_gain = gain + context.tie;
                        best = Some((gain, [this, next]));
                        rises = true;
                    }
                }
            }
            at = few;
        }
    }
    best
}

/// What a gain must exceed to replace the best one; a gain that is not a number never does.
fn least_gain(best: Option<f64>, context: NodeContext<'_>) -> f64 {
    best.map_or(f64::NEG_INFINITY, |best| best + context.tie)
}

/// Scratch for the subsets of a nominal column, and the best one found.
#[derive(Debug)]
pub(super) struct Subsets {
    classes: usize,
    /// Class weights of every level; the last level stands for missing values.
    table: Vec<f64>,
    /// Levels seen in the node, in ascending order once they are complete.
    pub(super) present: Vec<u32>,
    seen: Vec<bool>,
    /// Positions in `present`, in the order in which they move to the left.
    moves: Vec<u32>,
    /// Which positions in `present` are on the left in the best split of this column.
    pub(super) left: Vec<bool>,
}

impl Subsets {
    pub(super) fn new(levels: usize, classes: usize) -> Self {
        Self {
            classes,
            table: vec![0.0; (levels + 1) * classes],
            present: Vec::new(),
            seen: vec![false; levels + 1],
            moves: Vec::new(),
            left: Vec::new(),
        }
    }

    /// The gain of the best subset of a nominal column with `levels` levels; [`Subsets::each`]
    /// then tells which it is.
    pub(super) fn best<T: SplitScore>(
        &mut self,
        score: &mut T,
        row_weights: &RowWeights,
        (codes, levels, rows): (&[u32], u32, &[u32]),
        context: NodeContext<'_>,
    ) -> Option<f64> {
        self.count(row_weights, codes, levels, rows);
        let shown = context.all.iter().filter(|&&w| w > 0.0).count();
        let gain = if self.present.len() < 2 {
            None
        } else if shown > 2 && self.present.len() <= EXHAUSTIVE {
            self.try_all(score, context)
        } else {
            // With two classes either one gives the optimal order.
            let turns = if shown > 2 { self.classes } else { 1 };
            let first = context.all.iter().position(|&w| w > 0.0).unwrap_or(0);
            let class = |direction| if shown > 2 { direction } else { first };
            (0..turns).fold(None, |gain, direction| {
                self.try_order(score, class(direction), gain, context)
            })
        };
        self.clear();
        gain
    }

    /// The levels of the best subset and whether they go left; `levels` itself is missing. The
    /// lowest level is always on the left.
    pub(super) fn each(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let turned = !self.left.first().copied().unwrap_or(true);
        self.present.iter().zip(&self.left).map(move |(&level, &left)| (level, left != turned))
    }

    pub(super) fn count(
        &mut self,
        row_weights: &RowWeights,
        codes: &[u32],
        levels: u32,
        rows: &[u32],
    ) {
        self.present.clear();
        for &row in rows {
            let row = row as usize;
            let level = codes[row].min(levels) as usize;
            if !self.seen[level] {
                self.seen[level] = true;
                self.present.push(level as u32);
            }
            self.table[level * self.classes + row_weights.labels[row] as usize] +=
                row_weights.weight(row);
        }
        self.present.sort_unstable();
        self.left.clear();
        self.left.resize(self.present.len(), false);
    }

    /// Leaves the tables as they were found, touching only what was used.
    pub(super) fn clear(&mut self) {
        for &level in &self.present {
            let level = level as usize;
            self.seen[level] = false;
            self.table[level * self.classes..(level + 1) * self.classes].fill(0.0);
        }
    }

    pub(super) fn weights(&self, position: usize) -> &[f64] {
        let level = self.present[position] as usize;
        &self.table[level * self.classes..(level + 1) * self.classes]
    }

    /// All subsets that hold the first level, in the order of a Gray code: one level changes
    /// sides from one subset to the next.
    fn try_all<T: SplitScore>(&mut self, score: &mut T, context: NodeContext<'_>) -> Option<f64> {
        let count = self.present.len();
        let mut best: Option<f64> = None;
        let mut left = 1_u32;
        score.start(context.all);
        score.block(self.weights(0), 1.0);
        for step in 1..=1_u32 << (count - 1) {
            let gain = score.gain();
            let proper = left.count_ones() < count as u32;
            if proper && gain > least_gain(best, context) && context.allows(score) {
                best = Some(gain);
                for (position, side) in self.left.iter_mut().enumerate() {
                    *side = left >> position & 1 == 1;
                }
            }
            let flipped = step.trailing_zeros() + 1;
            if flipped < count as u32 {
                left ^= 1 << flipped;
                let sign = if left >> flipped & 1 == 1 { 1.0 } else { -1.0 };
                score.block(self.weights(flipped as usize), sign);
            }
        }
        best
    }

    /// Moves level after level to the left, in the order of the share of `class`.
    fn try_order<T: SplitScore>(
        &mut self,
        score: &mut T,
        class: usize,
        best: Option<f64>,
        context: NodeContext<'_>,
    ) -> Option<f64> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        moves.extend(0..self.present.len() as u32);
        let share = |position: u32| {
            let weights = self.weights(position as usize);
            weights[class] / weights.iter().sum::<f64>()
        };
        moves.sort_unstable_by(|&a, &b| share(a).total_cmp(&share(b)).then(a.cmp(&b)));
        score.start(context.all);
        let (mut best, mut taken) = (best, None);
        for (done, &position) in moves.iter().enumerate().take(moves.len() - 1) {
            score.block(self.weights(position as usize), 1.0);
            let gain = score.gain();
            if gain > least_gain(best, context) && context.allows(score) {
                best = Some(gain);
                taken = Some(done);
            }
        }
        if let Some(taken) = taken {
            self.left.fill(false);
            moves[..=taken].iter().for_each(|&position| self.left[position as usize] = true);
        }
        self.moves = moves;
        best
    }
}
