//! Do several methods differ over several data sets?
//!
//! M. Friedman, "The use of ranks to avoid the assumption of normality implicit in the analysis of
//! variance", Journal of the American Statistical Association 32 (1937) 675-701; the less
//! conservative F of R. L. Iman, J. M. Davenport, Communications in Statistics A 9 (1980) 571-595.

use super::ranks::Ranks;
use crate::error::{Error, Result};
use crate::measure::check;
use crate::num::{chi_square_tail, f_tail};
use serde::Serialize;

/// Which results are good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// High ones, such as accuracy.
    Higher,
    /// Low ones, such as error.
    Lower,
}

/// The outcome of the test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Friedman {
    /// How many data sets there are.
    pub datasets: usize,
    /// The mean rank of every method; 1 is best.
    pub average_ranks: Vec<f64>,
    /// Friedman's statistic, corrected for ties; 0 where all methods tie everywhere.
    pub chi_square: f64,
    /// Its p-value by the chi-square distribution.
    pub chi_square_p: f64,
    /// Iman and Davenport's `(n - 1) X / (n (k - 1) - X)`; `None` where all data sets rank all
    /// methods alike, which makes it infinite.
    pub f: Option<f64>,
    /// The p-value of `f`.
    pub f_p: Option<f64>,
}

impl Friedman {
    /// Ranks the results: one row for each data set, one result for each method.
    pub fn new(results: &[Vec<f64>], better: Better) -> Result<Self> {
        let methods = results.first().map_or(0, Vec::len);
        if results.len() < 2 || methods < 2 {
            return Err(Error::unsuitable(
                format!("{methods} methods on {} data sets", results.len()),
                "the test needs at least two of each",
            ));
        }
        let (mut sums, mut ties) = (vec![0.0; methods], 0.0);
        for row in results {
            check::same_length("results of a data set", row.len(), methods)?;
            check::finite("result", row)?;
            let turned: Vec<f64> = match better {
                Better::Higher => row.iter().map(|r| -r).collect(),
                Better::Lower => row.clone(),
            };
            let ranks = Ranks::of(&turned);
            ties += ranks.ties;
            for (sum, doubled) in sums.iter_mut().zip(ranks.doubled) {
                *sum += doubled as f64 / 2.0;
            }
        }
        let (n, k) = (results.len() as f64, methods as f64);
        let chi_square = statistic(&sums, ties, n, k);
        let room = n * (k - 1.0) - chi_square;
        // Ranks are halves and their sums exact: what is left of no room is rounding.
        let f = (room > 1e-9 * n * k).then(|| (n - 1.0) * chi_square / room);
        Ok(Self {
            datasets: results.len(),
            average_ranks: sums.iter().map(|sum| sum / n).collect(),
            chi_square,
            chi_square_p: chi_square_tail(chi_square, k - 1.0),
            f,
            f_p: f.map(|f| f_tail(f, k - 1.0, (k - 1.0) * (n - 1.0))),
        })
    }
}

/// `12 / (n k (k + 1)) sum (R_j - n (k + 1) / 2)^2`, divided by `1 - ties / (n (k^3 - k))`.
fn statistic(sums: &[f64], ties: f64, n: f64, k: f64) -> f64 {
    let middle = n * (k + 1.0) / 2.0;
    let squares: f64 = sums.iter().map(|sum| (sum - middle).powi(2)).sum();
    let left = n * (k * k * k - k) - ties;
    if left <= 0.0 { 0.0 } else { 12.0 * (k - 1.0) * squares / left }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_everywhere_and_agreement_everywhere() {
        let same = Friedman::new(&vec![vec![0.5; 3]; 4], Better::Higher).unwrap();
        assert_eq!((same.chi_square, same.chi_square_p, same.f), (0.0, 1.0, Some(0.0)));
        assert_eq!(same.average_ranks, [2.0; 3]);
        let agreed = Friedman::new(&vec![vec![0.9, 0.8, 0.7]; 4], Better::Higher).unwrap();
        assert_eq!((agreed.average_ranks.as_slice(), agreed.f), (&[1.0, 2.0, 3.0][..], None));
        assert!((agreed.chi_square - 8.0).abs() < 1e-12);
        let lower = Friedman::new(&vec![vec![0.9, 0.8, 0.7]; 4], Better::Lower).unwrap();
        assert_eq!(lower.average_ranks, [3.0, 2.0, 1.0]);
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(Friedman::new(&[], Better::Higher).is_err());
        assert!(Friedman::new(&[vec![1.0, 2.0]], Better::Higher).is_err());
        assert!(Friedman::new(&[vec![1.0, 2.0], vec![1.0]], Better::Higher).is_err());
        assert!(Friedman::new(&[vec![1.0, 2.0], vec![1.0, f64::NAN]], Better::Higher).is_err());
    }
}
