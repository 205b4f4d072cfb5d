//! Distributions of rank sums, by counting.
//!
//! Ranks are given twice over, so that the half ranks of ties are whole numbers. Counting only
//! adds, so the floating counts are good to nearly all their digits.

use super::Alternative;

/// For every sum, how many subsets of `size` of the ranks have it.
pub(super) fn subset_sums(doubled: &[usize], size: usize) -> Vec<f64> {
    let width = doubled.iter().sum::<usize>() + 1;
    let mut counts = vec![0.0; (size + 1) * width];
    counts[0] = 1.0;
    let mut reached = 0;
    for (done, &rank) in doubled.iter().enumerate() {
        reached += rank;
        for taken in (1..=size.min(done + 1)).rev() {
            let (fewer, more) = counts.split_at_mut(taken * width);
            let fewer = &fewer[(taken - 1) * width..];
            for sum in rank..=reached {
                more[sum] += fewer[sum - rank];
            }
        }
    }
    counts.split_off(size * width)
}

/// For every sum, how likely it is if every rank counts with probability 1/2.
pub(super) fn sign_sums(doubled: &[usize]) -> Vec<f64> {
    let width = doubled.iter().sum::<usize>() + 1;
    let mut chances = vec![0.0; width];
    chances[0] = 1.0;
    let mut reached = 0;
    for &rank in doubled {
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { chances[sum - rank] } else { 0.0 };
            chances[sum] = f64::midpoint(chances[sum], with);
        }
    }
    chances
}

/// The p-value of a sum under a distribution: two-sided, twice the smaller tail.
pub(super) fn exact_p(counts: &[f64], at: usize, alternative: Alternative) -> f64 {
    let total: f64 = counts.iter().sum();
    let at = at.min(counts.len() - 1);
    let below = counts[..=at].iter().sum::<f64>() / total;
    let above = counts[at..].iter().rev().sum::<f64>() / total;
    match alternative {
        Alternative::TwoSided => (2.0 * below.min(above)).min(1.0),
        Alternative::Less => below.min(1.0),
        Alternative::Greater => above.min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_and_signs_are_counted() {
        assert_eq!(subset_sums(&[1, 2, 3], 2), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(subset_sums(&[3, 3], 1), [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
        assert_eq!(sign_sums(&[1, 2]), [0.25; 4]);
        assert_eq!(sign_sums(&[]), [1.0]);
    }
}
