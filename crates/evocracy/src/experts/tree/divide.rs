//! One step of growth: the best split of a node over the columns tried, and carrying it out.

use super::arena::{Arena, Span};
use super::grow::{AnyScore, Best, Candidates, Grower, Grown, Job, enough, with_score};
use super::node_rows::NodeRows;
use super::nodes::SplitRule;
use super::score::RowWeights;
use super::search::{Cut, NodeContext, TIE, best_cut};
use crate::data::MISSING;

impl Grower<'_> {
    /// The best split over the columns tried; the lowest column among equals.
    pub(super) fn best_split(
        &mut self,
        grown: &Grown,
        job: Job,
        candidates: &mut dyn Candidates,
        total: f64,
    ) -> Option<Best> {
        let all = &grown.counts[job.node * self.classes..(job.node + 1) * self.classes];
        let tie = TIE * all.iter().sum::<f64>();
        let floor = f64::NEG_INFINITY;
        let mut context = NodeContext { all, tie, leaf: enough(self.limits.leaf), floor };
        let mut best: Option<Best> = None;
        self.tried.clear();
        self.found.clear();
        candidates.first(self.columns.len(), &mut self.tried);
        if candidates.cuts().is_some() {
            let NodeRows { row_weights, arena, .. } = &self.node_rows;
            self.drawing.weigh(row_weights, arena.rows(job.span));
        }
        while best.is_none() && !self.tried.is_empty() {
            for i in 0..self.tried.len() {
                let column = self.tried[i] as usize;
                let levels = self.columns.ranked[column].levels;
                if !grown.nodes.has_room(levels, self.limits.words) {
                    continue;
                }
                let found = match candidates.cuts() {
                    None => self.try_column(column, job.span, context),
                    Some(rng) => self.draw_split(column, job.span, context, rng),
                };
                let Some(found) = found else { continue };
                self.found.push((found.gain, column as u32));
                if best.is_none_or(|best| found.gain > best.gain + tie) {
                    best = Some(found);
                    context.floor = if candidates.picks() { floor } else { found.gain };
                    self.choose(found);
                }
            }
            self.tried.clear();
            if best.is_none() {
                candidates.further(self.columns.len(), &mut self.tried);
            }
        }
        let picked = best.and_then(|_| candidates.pick(&mut self.found));
        if let Some(column) = picked.filter(|&c| best.is_some_and(|b| b.column != c as usize)) {
            best = self.try_column(column as usize, job.span, context);
            if let Some(best) = best {
                self.choose(best);
            }
        }
        best.filter(|best| best.gain + tie >= self.limits.gain * total)
    }

    /// Keeps what carrying out a split that was just found needs: the levels of a nominal one,
    /// the values that a drawn one was compared with.
    fn choose(&mut self, found: Best) {
        match found.cut {
            None => {
                self.chosen.clear();
                self.chosen.extend(self.subsets.each());
            }
            Some(Cut { drawn: Some(_), .. }) => self.drawing.keep(),
            Some(_) => {}
        }
    }

    fn try_column(&mut self, column: usize, span: Span, context: NodeContext<'_>) -> Option<Best> {
        let NodeRows { row_weights, arena, ranks, .. } = &self.node_rows;
        let ranks = &ranks[column][..];
        let Some(levels) = self.columns.ranked[column].levels else {
            let list = arena.entries(column, (ranks, row_weights), span, &mut self.scratch);
            let (entries, absent) = ((ranks, list), &mut self.absent);
            let cut = with_score!(&mut self.score, score => {
                best_cut(score, row_weights, entries, context, absent)
            })?;
            return Some(Best { column, gain: cut.gain, cut: Some(cut) });
        };
        let cells = (ranks, levels, arena.rows(span));
        let gain = with_score!(&mut self.score, score => {
            self.subsets.best(score, row_weights, cells, context)
        })?;
        Some(Best { column, gain, cut: None })
    }

    /// Carries a split out; how many rows reached a leaf by it.
    pub(super) fn divide(
        &mut self,
        grown: &mut Grown,
        job: Job,
        best: Best,
        tried: usize,
    ) -> usize {
        let (lens, missing_seen) = self.send(job.span, best);
        let heavier = self.sides[0].iter().sum::<f64>() >= self.sides[1].iter().sum::<f64>();
        let ranked = &self.columns.ranked[best.column];
        let (rule, missing_left) = match best.cut {
            Some(Cut { drawn: Some(place), missing_left, .. }) => {
                (SplitRule::Threshold(place), missing_left)
            }
            // Only missing values on the right: no number may exceed the threshold.
            Some(Cut { above: MISSING, .. }) => (SplitRule::Threshold(f64::MAX), false),
            Some(Cut { rows, missing_left, .. }) => {
                let rows = rows.map(|row| self.node_rows.id(row));
                (SplitRule::Threshold(self.columns.between(best.column, rows)), missing_left)
            }
            None => {
                let levels = ranked.levels.unwrap_or(0);
                let missing = self.level_left[levels as usize];
                (SplitRule::Levels { levels, sides: &self.chosen }, missing)
            }
        };
        let missing_left = if missing_seen { missing_left } else { heavier };
        let first = grown.nodes.split(job.node, best.column, rule, missing_left, best.gain);
        self.sides.iter().for_each(|counts| grown.add_leaf(counts));
        self.queue(job, first, lens, tried)
    }

    /// Marks the side of every row of the node and sums the class weights of both sides anew
    /// (differences would leave a trace of rounding where a class has gone). The rows on each
    /// side, and whether a value was missing.
    fn send(&mut self, span: Span, best: Best) -> ([usize; 2], bool) {
        for &(level, left) in &self.chosen {
            self.level_left[level as usize] = left;
        }
        let Self { node_rows, sides, level_left, drawing, .. } = self;
        let NodeRows { row_weights, arena, ranks, .. } = node_rows;
        let ranked = &self.columns.ranked[best.column];
        let ranks = &ranks[best.column][..];
        match best.cut {
            None => {
                let levels = ranked.levels.unwrap_or(0);
                sum(arena, span, row_weights, sides, |row| {
                    (level_left[ranks[row].min(levels) as usize], ranks[row] == MISSING)
                })
            }
            Some(Cut { drawn: Some(place), missing_left, .. }) => {
                let mut values = drawing.kept();
                sum(arena, span, row_weights, sides, |_| {
                    let value = values.next().unwrap_or(f64::NAN);
                    let missing = value.is_nan();
                    (value <= place || (missing && missing_left), missing)
                })
            }
            Some(Cut { below, missing_left, .. }) => {
                // The rank of a missing value is the highest number: with one more it is 0.
                let more = u32::from(missing_left);
                let goes_left = |rank: u32| rank.wrapping_add(more) <= below + more;
                sum(arena, span, row_weights, sides, |row| {
                    (goes_left(ranks[row]), ranks[row] == MISSING)
                })
            }
        }
    }
}

/// Marks the side of every row of a node and sums the class weights of both sides, given whether
/// a row goes left and whether its value is missing. The rows on each side, and whether a value
/// was missing.
fn sum(
    arena: &mut Arena,
    span: Span,
    row_weights: &RowWeights,
    sides: &mut [Vec<f64>; 2],
    mut goes: impl FnMut(usize) -> (bool, bool),
) -> ([usize; 2], bool) {
    let (mut lens, mut missing) = ([0; 2], false);
    if !row_weights.is_pair {
        for side in sides.iter_mut() {
            side.fill(0.0);
        }
        arena.mark(span, |row| {
            let (left, absent) = goes(row);
            missing |= absent;
            sides[usize::from(!left)][row_weights.labels[row] as usize] += row_weights.weight(row);
            lens[usize::from(!left)] += 1;
            left
        });
        return (lens, missing);
    }
    // Two classes: products instead of places that wait for each other.
    let mut sums = [0.0; 4];
    arena.mark(span, |row| {
        let (left, absent) = goes(row);
        missing |= absent;
        let ([a, b], share) = (row_weights.pair(row), f64::from(u8::from(left)));
        let other = 1.0 - share;
        sums = [sums[0] + a * share, sums[1] + b * share, sums[2] + a * other, sums[3] + b * other];
        lens[0] += usize::from(left);
        left
    });
    lens[1] = span.len - lens[0];
    sides[0].copy_from_slice(&sums[..2]);
    sides[1].copy_from_slice(&sums[2..]);
    (lens, missing)
}
