//! Rows in the order of their scores, for measures of many weightings of the same rows.

use super::check::{self, Weights};
use super::ranking::{Group, Ranking};
use super::sort;
use crate::error::{Error, Result};

/// The rows of a table from the highest score to the lowest, so that a resampled table can be
/// ranked without sorting again.
#[derive(Debug, Clone)]
pub struct Order {
    /// Row numbers, the highest score first; ascending among ties.
    pub(super) rows: Vec<u32>,
    /// Where each group of equal scores ends.
    pub(super) ends: Vec<u32>,
    /// The score of each group.
    scores: Vec<f64>,
    /// By place, not by row.
    pub(super) positive: Vec<bool>,
    weights: Option<Vec<f64>>,
}

impl Order {
    /// Sorts the rows. Scores may be infinite but not NaN; rows of weight 0 leave no trace.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        check::same_length("scores", scores.len(), truth.len())?;
        Weights::new(weights, truth.len())?.in_reach()?;
        let (rows, ends) = sorted(scores)?;
        let firsts = std::iter::once(0).chain(ends.iter().map(|&e| e as usize));
        let at = firsts.take(ends.len()).map(|first| scores[rows[first] as usize] + 0.0);
        Ok(Self {
            scores: at.collect(),
            positive: rows.iter().map(|&r| truth[r as usize]).collect(),
            weights: weights.map(|w| rows.iter().map(|&r| w[r as usize]).collect()),
            rows,
            ends,
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The ranking of the rows, each `counts[row]` times; each once if there are no counts.
    pub fn ranking(&self, counts: Option<&[u32]>) -> Result<Ranking> {
        if let Some(counts) = counts {
            check::same_length("counts", counts.len(), self.rows())?;
        }
        let mut groups = Vec::with_capacity(self.ends.len());
        self.each_group(counts, |group| groups.push(group));
        let effective = match &self.weights {
            Some(weights) => self.effective(weights, counts),
            None => groups.iter().fold((0.0, 0.0), |(p, n), g| (p + g.positive, n + g.negative)),
        };
        Ranking::from_groups(groups, effective)
    }

    /// Kish's effective numbers of positives and negatives; a row drawn twice is two rows.
    fn effective(&self, weights: &[f64], counts: Option<&[u32]>) -> (f64, f64) {
        let largest = weights.iter().fold(0.0, |a: f64, &w| a.max(w));
        let mut sums = [(0.0, 0.0); 2];
        for (at, &row) in self.rows.iter().enumerate() {
            let count = counts.map_or(1.0, |c| f64::from(c[row as usize]));
            let weight = weights[at] / largest;
            let side = &mut sums[usize::from(self.positive[at])];
            *side = (side.0 + count * weight, side.1 + count * weight * weight);
        }
        let [negative, positive] =
            sums.map(|(sum, squares)| if squares > 0.0 { sum * sum / squares } else { 0.0 });
        (positive, negative)
    }

    /// The area under the ROC curve of the rows, each `counts[row]` times; NaN where a class
    /// has no rows left or the counts are not one per row. As [`Ranking::auc`] of [`Order::ranking`], without building it.
    pub fn auc(&self, counts: &[u32]) -> f64 {
        if counts.len() != self.rows() {
            return f64::NAN;
        }
        if self.weights.is_none() {
            return self.auc_of_counts(counts);
        }
        let (mut above, mut negatives, mut area) = (0.0, 0.0, 0.0);
        self.each_group(Some(counts), |g| {
            area += g.negative * (above + g.positive / 2.0);
            above += g.positive;
            negatives += g.negative;
        });
        (area / (above * negatives)).clamp(0.0, 1.0)
    }

    /// The same in whole numbers: this is what a bootstrap does most of the time.
    fn auc_of_counts(&self, counts: &[u32]) -> f64 {
        let (mut above, mut negatives, mut twice) = (0, 0, 0);
        let mut start = 0;
        for &end in &self.ends {
            let places = start..end as usize;
            let (mut all, mut positive) = (0, 0);
            for (&row, &is_positive) in self.rows[places.clone()].iter().zip(&self.positive[places])
            {
                let count = u64::from(counts[row as usize]);
                all += count;
                positive += count * u64::from(is_positive);
            }
            start = end as usize;
            twice += (all - positive) * (2 * above + positive);
            above += positive;
            negatives += all - positive;
        }
        twice as f64 / 2.0 / (above as f64 * negatives as f64)
    }

    /// Whether each row is positive, and its weight where there are some.
    pub(super) fn by_row(&self) -> (Vec<bool>, Option<Vec<f64>>) {
        let mut truth = vec![false; self.rows()];
        let mut weights = self.weights.as_ref().map(|_| vec![0.0; self.rows()]);
        for (at, &row) in self.rows.iter().enumerate() {
            truth[row as usize] = self.positive[at];
            if let Some(weights) = &mut weights {
                weights[row as usize] = self.weight(at);
            }
        }
        (truth, weights)
    }

    /// Whether it orders rows of these classes and weights.
    pub(super) fn is_of(&self, truth: &[bool], weights: Option<&[f64]>) -> bool {
        let same = |(at, &row): (usize, &u32)| {
            let weight = weights.map_or(1.0, |weights| weights[row as usize]);
            self.positive[at] == truth[row as usize] && self.weight(at) == weight
        };
        self.rows() == truth.len()
            && self.weights.is_some() == weights.is_some()
            && self.rows.iter().enumerate().all(same)
    }

    /// The weight of the row at a place.
    pub(super) fn weight(&self, place: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[place])
    }

    /// Calls `each` with every group that has weight.
    fn each_group(&self, counts: Option<&[u32]>, mut each: impl FnMut(Group)) {
        let mut start = 0;
        for (&end, &score) in self.ends.iter().zip(&self.scores) {
            let mut sides = [0.0; 2];
            for at in start..end as usize {
                let count = counts.map_or(1.0, |c| f64::from(c[self.rows[at] as usize]));
                sides[usize::from(self.positive[at])] += count * self.weight(at);
            }
            start = end as usize;
            let [negative, positive] = sides;
            if positive + negative > 0.0 {
                each(Group { score, positive, negative });
            }
        }
    }
}

/// Row numbers by falling score, ties by row, and where each group of ties ends.
fn sorted(scores: &[f64]) -> Result<(Vec<u32>, Vec<u32>)> {
    check::numbers(scores)?;
    if u32::try_from(scores.len()).is_err() {
        return Err(Error::unsuitable("more than 2^32 rows", "judge a sample of the rows"));
    }
    let keys: Vec<u64> = scores.iter().map(|&s| sort::key(s)).collect();
    let (low, high) = keys.iter().fold((u64::MAX, 0), |(l, h), &k| (l.min(k), h.max(k)));
    let spare_bits = (high.wrapping_sub(low)).leading_zeros();
    let row_bits = 64 - (keys.len() as u64).leading_zeros();
    // The leading bits of the key, then the row: one number to sort, and ties come by row.
    let leading = |key: u64| ((key - low) << spare_bits.min(63)) >> row_bits;
    let packed = keys.iter().zip(0u64..);
    let mut packed: Vec<u64> = packed.map(|(&key, row)| leading(key) << row_bits | row).collect();
    sort::sort(&mut packed, &mut vec![0; keys.len()]);
    let mut rows: Vec<u32> = Vec::with_capacity(packed.len());
    let mut ends = Vec::new();
    let mask = (1 << row_bits) - 1;
    for run in packed.chunk_by(|a, b| a >> row_bits == b >> row_bits) {
        let start = rows.len();
        rows.extend(run.iter().map(|p| (p & mask) as u32));
        if run.len() > 1 {
            // Only here can the bits that did not fit make a difference.
            let run = &mut rows[start..];
            run.sort_by_key(|&row| keys[row as usize]);
            let inner = run.windows(2).zip(start as u32 + 1..);
            let differ = |pair: &[u32]| keys[pair[0] as usize] != keys[pair[1] as usize];
            ends.extend(inner.filter(|(pair, _)| differ(pair)).map(|(_, end)| end));
        }
        ends.push(rows.len() as u32);
    }
    Ok((rows, ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_that_differ_in_the_last_bit_are_told_apart() {
        let near = [1.0, 1.0 + f64::EPSILON, -7e300, 1.0, 1.0 - f64::EPSILON, 7e300, 0.0, -0.0];
        let (rows, ends) = sorted(&near).unwrap();
        assert_eq!(rows, [5, 1, 0, 3, 4, 6, 7, 2]);
        assert_eq!(ends, [1, 2, 4, 5, 7, 8]);
        assert_eq!(sorted(&[0.5; 3]).unwrap(), (vec![0, 1, 2], vec![3]));
        assert_eq!(sorted(&[0.5]).unwrap(), (vec![0], vec![1]));
    }

    #[test]
    fn counts_repeat_rows() {
        let truth = [true, false, true, false];
        let scores = [3.0, 2.0, 2.0, 1.0];
        let order = Order::new(&truth, &scores, Some(&[1.0, 2.0, 0.5, 1.0])).unwrap();
        let counted = order.ranking(Some(&[0, 1, 2, 3])).unwrap();
        let rows = [1, 2, 2, 3, 3, 3];
        let pick = |from: &[f64]| rows.iter().map(|&r: &usize| from[r]).collect::<Vec<_>>();
        let listed = Ranking::new(
            &rows.map(|r| truth[r]),
            &pick(&scores),
            Some(&pick(&[1.0, 2.0, 0.5, 1.0])),
        );
        assert_eq!(counted, listed.unwrap());
        assert_eq!(order.auc(&[0, 1, 2, 3]), counted.auc());
        assert!(order.auc(&[0, 1, 0, 1]).is_nan() && order.ranking(Some(&[1])).is_err());
    }
}
