//! Are paired differences centred at 0?
//!
//! F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945) 80-83;
//! differences of 0 also after J. W. Pratt, Journal of the American Statistical Association 54
//! (1959) 655-667.

use super::exact::{exact_p, sign_sums};
use super::ranks::Ranks;
use super::{Alternative, Null, normal_p};
use crate::error::Result;
use crate::measure::check;
use serde::Serialize;

/// Up to this many differences [`Null::Auto`] counts.
const FEW: usize = 50;
/// Beyond this many differences counting would take seconds.
const MOST: usize = 300;

/// What becomes of differences of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zeros {
    /// They are left out before ranking (Wilcoxon).
    #[default]
    Drop,
    /// They are ranked, then left out (Pratt).
    Pratt,
}

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// The sum of the ranks of differences above 0.
    pub above: f64,
    /// The sum of the ranks of differences below 0.
    pub below: f64,
    /// How many differences are not 0.
    pub differences: usize,
    /// The p-value; 1 where all differences are 0.
    pub p_value: f64,
    /// Whether the p-value was counted.
    pub exact: bool,
}

/// Tests whether differences tend to be above or below 0.
///
/// [`Null::Auto`] counts for at most 50 differences without zeros and ties, else uses the normal
/// approximation with tie and continuity correction. [`Null::Exact`] takes up to 300; with ties
/// it counts the signs of the ranks seen. Ties are exact equalities: round differences that
/// carry rounding errors.
pub fn wilcoxon(
    differences: &[f64],
    zeros: Zeros,
    alternative: Alternative,
    null: Null,
) -> Result<Wilcoxon> {
    check::finite("difference", differences)?;
    let kept: Vec<f64> = match zeros {
        Zeros::Drop => differences.iter().copied().filter(|d| *d != 0.0).collect(),
        Zeros::Pratt => differences.to_vec(),
    };
    let ranks = Ranks::of(&kept.iter().map(|d| d.abs()).collect::<Vec<_>>());
    let signed = || kept.iter().zip(&ranks.doubled).filter(|(d, _)| **d != 0.0);
    let above: usize = signed().filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
    let below: usize = signed().filter(|(d, _)| **d < 0.0).map(|(_, r)| r).sum();
    let counted: Vec<usize> = signed().map(|(_, rank)| *rank).collect();
    let plain = ranks.ties == 0.0 && counted.len() == differences.len();
    let exact = match null {
        Null::Auto => plain && counted.len() <= FEW,
        Null::Exact => true,
        Null::Normal { .. } => false,
    };
    let p_value = if exact {
        check::at_most("differences to count exactly", counted.len(), MOST)?;
        exact_p(&sign_sums(&counted), above, alternative)
    } else {
        // Each rank r counts or not: mean r / 2, variance r^2 / 4. Ties and zeros need no
        // further correction, for these are the ranks that are left.
        let variance = counted.iter().map(|&r| (r as f64 / 2.0).powi(2)).sum::<f64>() / 4.0;
        let continuity = !matches!(null, Null::Normal { continuity: false });
        let mean = (above + below) as f64 / 4.0;
        normal_p(above as f64 / 2.0, mean, variance, continuity, alternative)
    };
    let (above, below) = (above as f64 / 2.0, below as f64 / 2.0);
    Ok(Wilcoxon { above, below, differences: counted.len(), p_value, exact })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_differences_are_counted() {
        let test = |d: &[f64]| wilcoxon(d, Zeros::Drop, Alternative::TwoSided, Null::Auto).unwrap();
        let all = test(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((all.above, all.below, all.p_value, all.exact), (15.0, 0.0, 0.0625, true));
        let none = test(&[0.0, 0.0]);
        assert_eq!((none.differences, none.p_value), (0, 1.0));
        assert_eq!(test(&[]).p_value, 1.0);
        assert!(wilcoxon(&[f64::NAN], Zeros::Drop, Alternative::Less, Null::Auto).is_err());
        assert!(wilcoxon(&[1.0; 301], Zeros::Drop, Alternative::Less, Null::Exact).is_err());
    }

    #[test]
    fn pratt_keeps_the_ranks_of_zeros() {
        let test =
            |zeros| wilcoxon(&[0.0, 1.0, -2.0], zeros, Alternative::TwoSided, Null::Exact).unwrap();
        assert_eq!((test(Zeros::Drop).above, test(Zeros::Drop).below), (1.0, 2.0));
        assert_eq!((test(Zeros::Pratt).above, test(Zeros::Pratt).below), (2.0, 3.0));
    }
}
