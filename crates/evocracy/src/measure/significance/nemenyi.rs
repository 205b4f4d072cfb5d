//! Which methods differ, once Friedman's test says that some do.
//!
//! P. B. Nemenyi, "Distribution-free multiple comparisons", thesis, Princeton, 1963: two
//! methods differ where their average ranks are at least
//! `CD = q(alpha, k) / sqrt(2) sqrt(k (k + 1) / (6 n))` apart; `q` is the upper quantile of the
//! range of `k` standard normal variables.

use super::Friedman;
use crate::error::{Error, Result};
use crate::num::{normal_range_quantile, normal_range_tail};
use serde::Serialize;

/// Which methods can be told apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nemenyi {
    /// The level at which methods are told apart.
    pub alpha: f64,
    /// Average ranks further apart than this differ.
    pub critical_difference: f64,
    /// The p-value of every pair of methods, already adjusted for their number; 1 for a method
    /// and itself.
    pub p_values: Vec<Vec<f64>>,
    /// Sets of methods, best first, that cannot be told apart and are part of no larger such set:
    /// the bars of a critical-difference diagram.
    pub groups: Vec<Vec<usize>>,
}

impl Nemenyi {
    /// Compares all pairs of methods at the level `alpha`, for example 0.05.
    pub fn new(friedman: &Friedman, alpha: f64) -> Result<Self> {
        if !(alpha > 0.0 && alpha < 1.0) {
            return Err(Error::Param {
                of: "nemenyi".to_owned(),
                name: "alpha".to_owned(),
                expected: "a level between 0 and 1".to_owned(),
                got: alpha.to_string(),
            });
        }
        let ranks = &friedman.average_ranks;
        let k = ranks.len();
        // The standard deviation of a difference is sqrt(2) times that of a normal variable.
        let unit = ((k * (k + 1)) as f64 / (12.0 * friedman.datasets as f64)).sqrt();
        let critical_difference = normal_range_quantile(alpha, k) * unit;
        let p = |a: f64, b: f64| normal_range_tail((a - b).abs() / unit, k);
        let p_values = ranks.iter().map(|&a| ranks.iter().map(|&b| p(a, b)).collect()).collect();
        let groups = groups(ranks, critical_difference);
        Ok(Self { alpha, critical_difference, p_values, groups })
    }
}

fn groups(ranks: &[f64], critical: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    let mut found = Vec::new();
    let mut covered = 0;
    for from in 0..order.len() {
        let within = |&&m: &&usize| ranks[m] - ranks[order[from]] < critical;
        let to = from + order[from..].iter().take_while(within).count();
        // One that ends where an earlier one ends lies within it.
        if to > covered {
            found.push(order[from..to].to_vec());
            covered = to;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Better;
    use super::*;

    #[test]
    fn groups_are_the_largest_runs() {
        assert_eq!(groups(&[1.0, 3.0, 2.0, 6.0], 1.5), [vec![0, 2], vec![2, 1], vec![3]]);
        assert_eq!(groups(&[1.0, 3.0, 2.0], 5.0), [vec![0, 2, 1]]);
        assert_eq!(groups(&[1.0, 1.0], 0.1), [vec![0, 1]]);
    }

    #[test]
    fn demsars_example() {
        // Demsar 2006, 3.2.2: four methods on 14 data sets, CD = 2.569 sqrt(20 / 84) = 1.25.
        let results = vec![vec![0.9, 0.8, 0.7, 0.6]; 14];
        let friedman = Friedman::new(&results, Better::Higher).unwrap();
        let nemenyi = Nemenyi::new(&friedman, 0.05).unwrap();
        assert!((nemenyi.critical_difference - 1.25).abs() < 0.005);
        assert_eq!(nemenyi.p_values[2][2], 1.0);
        assert!(nemenyi.p_values[0][3] < 1e-6 && nemenyi.groups.len() == 3);
        assert!(Nemenyi::new(&friedman, 1.0).is_err());
    }
}
