//! Why a committee beats its members: members that err apart.
//!
//! L. I. Kuncheva, C. J. Whitaker, "Measures of diversity in classifier ensembles", Machine
//! Learning 51 (2003) 181-207: Q statistic and disagreement from who is right where; D. D.
//! Margineantu, T. G. Dietterich, "Pruning adaptive boosting", ICML 1997: the kappa-error table.

use crate::error::{Error, Result};
use crate::num::binomial_at_most;
use serde::{Deserialize, Serialize};

/// Two members compared on the same rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The first member, counted from 0.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// Yule's Q of being right: 0 for independent members, below 0 where they err apart; `None`
    /// where it has no value.
    pub q: Option<f64>,
    /// The share of rows where exactly one of them is right.
    pub disagreement: f64,
    /// Agreement of their calls beyond chance: 1 for equal calls, 0 for chance.
    pub kappa: Option<f64>,
    /// The mean of their errors.
    pub error: f64,
}

/// Compares all pairs of members; `calls` holds the class that each member calls each row.
pub fn pairs(truth: &[u32], calls: &[Vec<u32>], classes: usize) -> Result<Vec<Pair>> {
    if calls.iter().any(|calls| calls.len() != truth.len()) || truth.is_empty() {
        return Err(Error::unsuitable(
            "members must call every row",
            "give as many calls as there are rows",
        ));
    }
    let all = (0..calls.len()).flat_map(|i| (i + 1..calls.len()).map(move |j| (i, j)));
    Ok(all.map(|(i, j)| pair(truth, (i, &calls[i]), (j, &calls[j]), classes)).collect())
}

fn pair(
    truth: &[u32],
    (first, a): (usize, &[u32]),
    (second, b): (usize, &[u32]),
    classes: usize,
) -> Pair {
    // Rows by whether the first and the second are right.
    let mut right = [[0.0_f64; 2]; 2];
    let (mut same, mut shares) = (0.0, vec![[0.0; 2]; classes]);
    for ((&t, &a), &b) in truth.iter().zip(a).zip(b) {
        right[usize::from(a == t)][usize::from(b == t)] += 1.0;
        same += f64::from(a == b);
        shares[a as usize][0] += 1.0;
        shares[b as usize][1] += 1.0;
    }
    let n = truth.len() as f64;
    let (both, neither) = (right[1][1] * right[0][0], right[1][0] * right[0][1]);
    let chance: f64 = shares.iter().map(|s| s[0] * s[1]).sum::<f64>() / (n * n);
    Pair {
        first,
        second,
        q: Some((both - neither) / (both + neither)).filter(|q| q.is_finite()),
        disagreement: (right[0][1] + right[1][0]) / n,
        kappa: Some((same / n - chance) / (1.0 - chance)).filter(|kappa| kappa.is_finite()),
        error: (2.0 * right[0][0] + right[0][1] + right[1][0]) / (2.0 * n),
    }
}

/// The chance that more than half of `n` independent experts err, each with probability `error`;
/// of an even number half of the ties go wrong.
pub fn majority_error(n: u64, error: f64) -> Result<f64> {
    if n == 0 || !(0.0..=1.0).contains(&error) {
        return Err(Error::unsuitable(
            format!("{n} experts that err with probability {error} are no committee"),
            "give at least one expert and a probability between 0 and 1",
        ));
    }
    // More than so many errors are at most so many right calls.
    let more_than = |errors: u64| binomial_at_most(n - errors - 1, n, 1.0 - error);
    Ok(if n % 2 == 1 {
        more_than(n / 2)
    } else {
        f64::midpoint(more_than(n / 2), more_than(n / 2 - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_one_experts_of_the_lecture() {
        assert!((majority_error(21, 0.3).unwrap() - 0.026).abs() < 5e-4);
        assert!((majority_error(1, 0.3).unwrap() - 0.3).abs() < 1e-12);
        assert!((majority_error(2, 0.3).unwrap() - 0.3).abs() < 1e-12);
        assert!(majority_error(0, 0.3).is_err() && majority_error(3, 1.1).is_err());
    }

    #[test]
    fn pairs_by_hand() {
        let truth = [0, 0, 0, 0, 1, 1, 1, 1];
        let a = vec![0, 0, 0, 1, 1, 1, 1, 0];
        let b = vec![0, 0, 1, 0, 1, 1, 0, 0];
        let found = pairs(&truth, &[a.clone(), b, a], 2).unwrap();
        // Both right in 4, only a in 2, only b in 1, neither in 1.
        let first = found[0];
        assert_eq!((first.first, first.second), (0, 1));
        assert!((first.q.unwrap() - (4.0 - 2.0) / (4.0 + 2.0)).abs() < 1e-15);
        assert_eq!(first.disagreement, 3.0 / 8.0);
        assert_eq!(first.error, 5.0 / 16.0);
        // Equal calls in 5 of 8; by chance (4 5 + 4 3) / 64.
        assert!((first.kappa.unwrap() - (0.625 - 0.5) / 0.5).abs() < 1e-15);
        assert_eq!((found[1].kappa, found[1].disagreement), (Some(1.0), 0.0));
        assert!(pairs(&truth, &[vec![0]], 2).is_err());
    }
}
