//! Ranks of values, equal values sharing the mean of theirs.

/// Ranks from 1, twice over so that they are whole, and what ties take from the variance.
pub(super) struct Ranks {
    /// Twice the rank of every value, in the order given.
    pub doubled: Vec<usize>,
    /// The sum over groups of equal values of `t^3 - t`.
    pub ties: f64,
}

impl Ranks {
    /// Ranks in ascending order. NaN must have been refused; 0 and -0 are equal.
    pub(super) fn of(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        // Adding 0 turns -0 into 0.
        order.sort_unstable_by(|&a, &b| (values[a] + 0.0).total_cmp(&(values[b] + 0.0)));
        let mut doubled = vec![0; values.len()];
        let (mut before, mut ties) = (0, 0.0);
        for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
            // The mean of before + 1, ..., before + t, doubled.
            for &value in group {
                doubled[value] = 2 * before + group.len() + 1;
            }
            let t = group.len() as f64;
            ties += t * t * t - t;
            before += group.len();
        }
        Self { doubled, ties }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_their_ranks() {
        let ranks = Ranks::of(&[3.0, -0.0, 0.0, 7.0]);
        assert_eq!((ranks.doubled, ranks.ties), (vec![6, 3, 3, 8], 6.0));
        assert_eq!(Ranks::of(&[]).doubled, [0_usize; 0]);
    }
}
