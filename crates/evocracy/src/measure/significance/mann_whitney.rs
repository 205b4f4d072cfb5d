//! Are the values of one group larger than those of another?
//!
//! H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically
//! larger than the other", Annals of Mathematical Statistics 18 (1947) 50-60.

use super::exact::{exact_p, subset_sums};
use super::ranks::Ranks;
use super::{Alternative, Null, normal_p};
use crate::error::{Error, Result};
use crate::measure::check;
use serde::Serialize;

/// Up to this many values in both groups, [`Null::Auto`] counts.
const FEW: usize = 50;
/// Beyond this many values counting would take seconds.
const MOST: usize = 120;

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MannWhitney {
    /// In how many pairs the value of the first group is the larger one, ties one half.
    pub u: f64,
    /// `u` as a share of all pairs: the area under the ROC curve of the first group.
    pub share: f64,
    /// The p-value.
    pub p_value: f64,
    /// Whether the p-value was counted.
    pub exact: bool,
}

/// Tests whether values of the first group tend to be larger or smaller than those of the second.
///
/// [`Null::Auto`] counts for at most 50 different values, else uses the normal approximation with
/// tie and continuity correction. [`Null::Exact`] takes up to 120 values; with ties it counts the
/// arrangements of the values seen.
pub fn mann_whitney(
    first: &[f64],
    second: &[f64],
    alternative: Alternative,
    null: Null,
) -> Result<MannWhitney> {
    comparable("first", first)?;
    comparable("second", second)?;
    let (m, n) = (first.len() as f64, second.len() as f64);
    let ranks = Ranks::of(&[first, second].concat());
    let sum: usize = ranks.doubled[..first.len()].iter().sum();
    let u = sum as f64 / 2.0 - m * (m + 1.0) / 2.0;
    let exact = match null {
        Null::Auto => ranks.ties == 0.0 && ranks.doubled.len() <= FEW,
        Null::Exact => true,
        Null::Normal { .. } => false,
    };
    let p_value = if exact {
        check::at_most("values to count exactly", ranks.doubled.len(), MOST)?;
        exact_p(&subset_sums(&ranks.doubled, first.len()), sum, alternative)
    } else {
        let continuity = !matches!(null, Null::Normal { continuity: false });
        normal_p(u, m * n / 2.0, variance(m, n, ranks.ties), continuity, alternative)
    };
    Ok(MannWhitney { u, share: u / m / n, p_value, exact })
}

/// The variance of `u`: ties make it vary less. `all (all - 1)` is 0 only where there is one value.
fn variance(m: f64, n: f64, ties: f64) -> f64 {
    let all = m + n;
    m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)))
}

/// The two-sided p-value of `u`, normal with continuity correction, where `ties` is the sum of
/// `t^3 - t` over groups of `t` equal values.
pub(crate) fn tie_corrected_p(u: f64, m: f64, n: f64, ties: f64) -> f64 {
    normal_p(u, m * n / 2.0, variance(m, n, ties), true, Alternative::TwoSided)
}

fn comparable(name: &str, group: &[f64]) -> Result<()> {
    if group.is_empty() {
        return Err(Error::unsuitable(
            format!("the {name} group has no values"),
            "both groups need at least one",
        ));
    }
    if group.iter().any(|v| v.is_nan()) {
        return Err(Error::unsuitable(
            format!("the {name} group holds a value that is no number"),
            "leave out rows without a value",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_groups_are_counted() {
        let test = |alternative| {
            mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0], alternative, Null::Auto).unwrap()
        };
        // One of 20 arrangements.
        assert_eq!(
            (test(Alternative::Greater).p_value, test(Alternative::Less).p_value),
            (0.05, 1.0)
        );
        let both = test(Alternative::TwoSided);
        assert_eq!((both.u, both.share, both.p_value, both.exact), (9.0, 1.0, 0.1, true));
    }

    #[test]
    fn equal_values_and_bad_input() {
        let same = mann_whitney(&[1.0; 4], &[1.0; 3], Alternative::TwoSided, Null::Auto).unwrap();
        assert_eq!((same.p_value, same.share, same.exact), (1.0, 0.5, false));
        let two = Alternative::TwoSided;
        assert!(mann_whitney(&[], &[1.0], two, Null::Auto).is_err());
        assert!(mann_whitney(&[f64::NAN], &[1.0], two, Null::Auto).is_err());
        assert!(mann_whitney(&[1.0; 100], &[1.0; 100], two, Null::Exact).is_err());
    }
}
