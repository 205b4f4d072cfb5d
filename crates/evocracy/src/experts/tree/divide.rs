//! One step of growth: the best split of a node over the columns tried, and carrying it out.

use super::arena::Span;
use super::grow::{AnyTally, Best, Candidates, Grower, Grown, Job, enough};
use super::nodes::Rule;
use super::search::{Cut, Here, TIE, best_cut};
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
        let here = Here { all, tie, leaf: enough(self.limits.leaf) };
        let mut best: Option<Best> = None;
        self.tried.clear();
        self.found.clear();
        candidates.first(self.columns.len(), &mut self.tried);
        while best.is_none() && !self.tried.is_empty() {
            for i in 0..self.tried.len() {
                let column = self.tried[i] as usize;
                let levels = self.columns.columns[column].levels;
                if !grown.nodes.has_room(levels, self.limits.words) {
                    continue;
                }
                let found = match candidates.cuts() {
                    None => self.try_column(column, job.span, here),
                    Some(rng) => self.draw_split(column, job.span, here, rng),
                };
                let Some(found) = found else { continue };
                self.found.push((found.gain, column as u32));
                if best.is_none_or(|best| found.gain > best.gain + tie) {
                    best = Some(found);
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
            best = self.try_column(column as usize, job.span, here);
            if let Some(best) = best {
                self.choose(best);
            }
        }
        best.filter(|best| best.gain + tie >= self.limits.gain * total)
    }

    /// Keeps the levels of a nominal split that was just found.
    fn choose(&mut self, found: Best) {
        if found.cut.is_none() {
            self.chosen.clear();
            self.chosen.extend(self.subsets.each());
        }
    }

    fn try_column(&mut self, column: usize, span: Span, here: Here<'_>) -> Option<Best> {
        let ranked = &self.columns.columns[column];
        let mass = &self.mass;
        let Some(levels) = ranked.levels else {
            let entries = self.arena.entries(column, ranked, span, &mut self.keys);
            let absent = &mut self.absent;
            let cut = match &mut self.tally {
                AnyTally::Pair(tally) => best_cut(tally, mass, entries, here, absent),
                AnyTally::Gini(tally) => best_cut(tally, mass, entries, here, absent),
                AnyTally::Entropy(tally) => best_cut(tally, mass, entries, here, absent),
            }?;
            return Some(Best { column, gain: cut.gain, cut: Some(cut) });
        };
        let cells = (&ranked.ranks[..], levels, self.arena.rows(span));
        let gain = match &mut self.tally {
            AnyTally::Pair(tally) => self.subsets.best(tally, mass, cells, here),
            AnyTally::Gini(tally) => self.subsets.best(tally, mass, cells, here),
            AnyTally::Entropy(tally) => self.subsets.best(tally, mass, cells, here),
        }?;
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
        let ranked = &self.columns.columns[best.column];
        let (rule, missing_left) = match best.cut {
            // Only missing values on the right: no number may exceed the threshold.
            Some(Cut { above: MISSING, .. }) => (Rule::Threshold(f64::MAX), false),
            Some(Cut { below, above, missing_left, drawn, .. }) => {
                let threshold = drawn.unwrap_or_else(|| ranked.between(below, above));
                (Rule::Threshold(threshold), missing_left)
            }
            None => {
                let levels = ranked.levels.unwrap_or(0);
                let missing = self.level_left[levels as usize];
                (Rule::Levels { levels, sides: &self.chosen }, missing)
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
        self.sides.iter_mut().for_each(|side| side.fill(0.0));
        let Self { mass, sides, level_left, .. } = self;
        let ranked = &self.columns.columns[best.column];
        let levels = ranked.levels.unwrap_or(0);
        let (mut lens, mut missing) = ([0; 2], false);
        self.arena.mark(span, |row| {
            let row = row as usize;
            let rank = ranked.ranks[row];
            missing |= rank == MISSING;
            let left = match best.cut {
                None => level_left[rank.min(levels) as usize],
                Some(cut) if rank == MISSING => cut.missing_left,
                Some(cut) => rank <= cut.below,
            };
            let side = usize::from(!left);
            sides[side][mass.labels[row] as usize] += mass.weights[row];
            lens[side] += 1;
            left
        });
        (lens, missing)
    }
}
