//! True and false positive rates of scored rows at any threshold.

use super::points::Promise;
use crate::error::Result;
use crate::measure::{LEVEL, wilson};

/// Scores of the rows of one class, the highest first, with the weight of all up to each.
#[derive(Debug, Clone)]
struct ClassScores {
    scores: Vec<f64>,
    weight: Vec<f64>,
    /// The number of rows of equal weight that would be as telling (Kish 1965).
    effective: f64,
}

impl ClassScores {
    fn new(mut rows: Vec<(f64, f64)>) -> Self {
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut weight = Vec::with_capacity(rows.len());
        for (_, w) in &rows {
            sum += w;
            squares += w * w;
            weight.push(sum);
        }
        let scores = rows.into_iter().map(|(score, _)| score).collect();
        Self { scores, weight, effective: if squares > 0.0 { sum * sum / squares } else { 0.0 } }
    }

    /// The share of the weight that scores at least the threshold.
    fn share(&self, threshold: f64) -> f64 {
        let called = self.scores.partition_point(|score| *score >= threshold);
        match (called, self.weight.last()) {
            (0, _) | (_, None) => 0.0,
            (called, Some(all)) => self.weight[called - 1] / all,
        }
    }
}

/// Scored rows of two classes.
#[derive(Debug, Clone)]
pub(super) struct ScoredRows {
    positive: ClassScores,
    negative: ClassScores,
}

/// The true and the false positive rate.
pub(super) type Rates = [f64; 2];

impl ScoredRows {
    pub(super) fn new(truth: &[bool], scores: &[f64], weights: &[f64]) -> Self {
        let of = |class: bool| {
            let rows = (0..truth.len()).filter(|&row| truth[row] == class);
            ClassScores::new(rows.map(|row| (scores[row], weights[row])).collect())
        };
        Self { positive: of(true), negative: of(false) }
    }

    /// The same where every row is only as telling as a part of one.
    pub(super) fn telling(mut self, part: f64) -> Self {
        self.positive.effective *= part;
        self.negative.effective *= part;
        self
    }

    /// The rates where scores of the threshold and more are called positive.
    pub(super) fn at(&self, threshold: f64) -> Rates {
        [self.positive.share(threshold), self.negative.share(threshold)]
    }

    /// How many positive and negative rows of equal weight would be as telling.
    pub(super) fn effective(&self) -> Rates {
        [self.positive.effective, self.negative.effective]
    }

    /// The rates at a threshold with their intervals.
    pub(super) fn promises(&self, threshold: f64) -> Result<Vec<Promise>> {
        let promise = |(value, rows): (f64, f64)| {
            let interval = wilson((value * rows).min(rows), rows, LEVEL)?;
            Ok(Promise { value, interval })
        };
        self.at(threshold).into_iter().zip(self.effective()).map(promise).collect()
    }
}

/// The most operating points of one scorer. More show nothing to the eye.
const MOST: f64 = 200.0;

/// The operating points of a scorer that none of its others beats, from calling nothing positive to
/// calling all, evenly thinned: thresholds between two scores, and the rates to be expected where
/// each row is positive with some probability.
pub(super) fn corners(positive: &[f64], scores: &[f64], weights: &[f64]) -> Vec<(f64, Rates)> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let of = |row: usize| [weights[row] * positive[row], weights[row] * (1.0 - positive[row])];
    let all = order.iter().fold([0.0; 2], |sum, &row| [sum[0] + of(row)[0], sum[1] + of(row)[1]]);
    let mut found: Vec<(f64, Rates)> = Vec::new();
    let (mut called, mut last) = ([0.0; 2], f64::INFINITY);
    let mut keep = |threshold: f64, called: Rates, last_one: bool| {
        let rates = [called[0] / all[0], called[1] / all[1]].map(|rate: f64| rate.min(1.0));
        let (before, same_alarms) = match found.last() {
            None => (Rates::default(), false),
            Some((_, before)) => (*before, before[1] >= rates[1]),
        };
        // More finds for the same alarms replace a point; more alarms without finds add none.
        if same_alarms {
            found.pop();
        } else if !found.is_empty() && rates[0] <= before[0] {
            return;
        }
        let step = rates[0] + rates[1] - found.last().map_or(-1.0, |(_, r)| r[0] + r[1]);
        // Where alarms are few, one more or less matters.
        let least = if rates[1] < 0.02 { 0.2 / MOST } else { 2.0 / MOST };
        if found.is_empty() || step >= least || last_one || same_alarms {
            found.push((threshold, rates));
        }
    };
    let mut at = 0;
    while at < order.len() {
        let score = scores[order[at]];
        // Half-way between two scores, so that the rounding of a score does not change its call.
        let between = if last.is_infinite() { last } else { f64::midpoint(last, score) };
        keep(between, called, false);
        while at < order.len() && scores[order[at]] == score {
            let [p, n] = of(order[at]);
            called = [called[0] + p, called[1] + n];
            at += 1;
        }
        last = score;
    }
    keep(0.0, called, true);
    found
}

/// The rates to be expected at a threshold.
pub(super) fn expected_rates(
    positive: &[f64],
    scores: &[f64],
    weights: &[f64],
    threshold: f64,
) -> Rates {
    let (mut called, mut all) = ([0.0; 2], [0.0; 2]);
    for ((p, score), w) in positive.iter().zip(scores).zip(weights) {
        let shares = [w * p, w * (1.0 - p)];
        for class in 0..2 {
            all[class] += shares[class];
            called[class] += if *score >= threshold { shares[class] } else { 0.0 };
        }
    }
    [called[0] / all[0], called[1] / all[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_what_no_threshold_beats_and_rates_are_counted_alike() {
        let truth = [true, true, false, true, false, false];
        let scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.5];
        let found = corners(&truth.map(|t| f64::from(u8::from(t))), &scores, &[1.0; 6]);
        let rates: Vec<Rates> = found.iter().map(|(_, rates)| *rates).collect();
        assert_eq!(rates, [[2.0 / 3.0, 0.0], [1.0, 1.0 / 3.0]]);
        let rows = ScoredRows::new(&truth, &scores, &[1.0; 6]);
        for (threshold, rates) in found {
            assert_eq!(rows.at(threshold), rates);
        }
        assert_eq!(rows.at(f64::INFINITY), [0.0, 0.0]);
        assert_eq!(rows.at(0.0), [1.0, 1.0]);
    }

    #[test]
    fn weights_count_like_repeated_rows() {
        let weighted = ScoredRows::new(&[true, true, false], &[0.9, 0.1, 0.4], &[3.0, 1.0, 2.0]);
        assert_eq!(weighted.at(0.5), [0.75, 0.0]);
        assert_eq!(weighted.effective(), [1.6, 1.0]);
    }
}
