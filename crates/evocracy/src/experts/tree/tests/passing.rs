//! Rows that are passed without a look are never those of the best place.

use crate::experts::tree::score::{PairGini, RowWeights, SplitScore};
use crate::experts::tree::search::{FIRST, LANES, NodeContext, TIE, best_cut, row_of};
use crate::run::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;

/// The same tally; a patient one looks at every place, another counts the strides it passed.
#[derive(Default)]
struct Watched {
    pair: PairGini<false>,
    patient: bool,
    passed: usize,
    skipped: usize,
}

impl SplitScore for Watched {
    fn start(&mut self, all: &[f64]) {
        self.pair.start(all);
    }
    fn row(&mut self, row_weights: &RowWeights, entry: u32) {
        self.pair.row(row_weights, entry);
    }
    fn block(&mut self, weights: &[f64], sign: f64) {
        self.pair.block(weights, sign);
    }
    fn gain(&self) -> f64 {
        self.pair.gain()
    }
    fn beats(&self, least_gain: f64) -> bool {
        self.pair.beats(least_gain)
    }
    fn passes(&mut self, row_weights: &RowWeights, entries: &[u32], sure: f64) -> bool {
        let passes = !self.patient && self.pair.passes(row_weights, entries, sure);
        self.passed += usize::from(passes);
        passes
    }
    fn skips(&mut self, row_weights: &RowWeights, entries: &[u32; LANES], least: f64) -> bool {
        let skips = !self.patient && self.pair.skips(row_weights, entries, least);
        self.skipped += usize::from(skips);
        skips
    }
    fn sides(&self) -> [f64; 2] {
        self.pair.sides()
    }
}

#[test]
fn the_best_place_is_never_passed() {
    let mut rng = Seed::new(9).rng();
    let (mut passed, mut skipped) = (0, 0);
    for case in 0..200 {
        let rows = rng.random_range(1100..2500_u32);
        // From no signal to a strong one, from equal weights to wild ones, with ties.
        let signal = f64::from(case % 5) / 8.0;
        let wild = [0.0, 1.0, 8.0][case as usize % 3];
        let lean = |row: u32| if row < rows / 3 { signal } else { -signal / 2.0 };
        let labels: Vec<u32> =
            (0..rows).map(|row| u32::from(rng.random_bool(0.5 + lean(row)))).collect();
        let weights: Vec<f64> =
            (0..rows).map(|_| (wild * rng.random_range(-1.0..1.0_f64)).exp()).collect();
        let mut row_weights = RowWeights::new(&labels);
        row_weights.weigh((&weights).into(), 2);
        let mut all = [0.0; 2];
        labels.iter().zip(&weights).for_each(|(&label, weight)| all[label as usize] += weight);
        // Ranks that follow the rows, some of them shared.
        let mut ranks = vec![0; rows as usize];
        for row in 1..rows as usize {
            ranks[row] = ranks[row - 1] + u32::from(rng.random_bool(0.8));
        }
        let mut entries: Vec<u32> = (0..rows).collect();
        if case % 4 == 0 {
            ranks.shuffle(&mut rng);
            entries.sort_by_key(|&row| (ranks[row as usize], row));
        }
        let rank = |entry: u32| ranks[row_of(entry) as usize];
        for at in 1..entries.len() {
            let is_new = rank(entries[at]) != rank(entries[at - 1]);
            entries[at] |= if is_new { FIRST } else { 0 };
        }
        let tie = TIE * (all[0] + all[1]);
        let context = NodeContext { all: &all, tie, leaf: 0.0, floor: f64::NEG_INFINITY };
        let list = (&ranks[..], &entries[..]);
        let mut patient = Watched { patient: true, ..Watched::default() };
        let mut hasty = Watched::default();
        let slow = best_cut(&mut patient, &row_weights, list, context, &mut Vec::new());
        let fast = best_cut(&mut hasty, &row_weights, list, context, &mut Vec::new());
        assert_eq!(fast, slow, "case {case}");
        // A floor below the best gain changes nothing; with one above, nothing better is found.
        let gain = slow.map_or(0.0, |cut| cut.gain);
        let low = NodeContext { floor: 0.9 * gain, ..context };
        assert_eq!(best_cut(&mut hasty, &row_weights, list, low, &mut Vec::new()), slow, "{case}");
        let high = NodeContext { floor: 1.1 * gain, ..context };
        let found = best_cut(&mut hasty, &row_weights, list, high, &mut Vec::new());
        assert!(found.is_none_or(|cut| cut.gain <= gain), "{case}");
        passed += hasty.passed;
        skipped += hasty.skipped;
    }
    assert!(passed > 1000 && skipped > 1000, "{passed}, {skipped}");
}
