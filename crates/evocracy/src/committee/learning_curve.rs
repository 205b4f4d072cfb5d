//! How the error falls as members join: a learning curve over the number of members, on the rows
//! that they did not see.

use crate::classify::CurvePoint;
use crate::num::argmax;

/// How many members a curve of `n` looks at: 1, 2, 5, 10, 20, 50 and so on, and all.
pub(super) fn sizes(n: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
    let steps = powers.flat_map(|power| [1, 2, 5].map(|step| power.saturating_mul(step)));
    steps.take_while(|&size| size < n).chain([n]).collect()
}

/// The weight of the rows that are called wrongly and of all rows, by sums of probabilities;
/// rows with a count of 0 in `members`, which nobody was asked about, do not count.
pub(super) fn wrong_and_total(
    sums: &[f64],
    members: &[u32],
    labels: &[u32],
    weights: &[f64],
) -> [f64; 2] {
    let classes = sums.len() / members.len().max(1);
    let rows = sums.chunks_exact(classes.max(1)).zip(members).zip(labels.iter().zip(weights));
    let rows = rows.filter(|((_, members), _)| **members > 0);
    rows.fold([0.0; 2], |[wrong, all], ((sums, _), (&label, &weight))| {
        let is_wrong = argmax(sums) != label as usize;
        [wrong + weight * f64::from(u8::from(is_wrong)), all + weight]
    })
}

/// The points of `sizes`, each with its [`wrong_and_total`]; those without a row are left out.
pub(super) fn points(sizes: &[usize], errors: &[[f64; 2]]) -> Vec<CurvePoint> {
    let all = sizes.iter().zip(errors).filter(|(_, [_, all])| *all > 0.0);
    all.map(|(&members, [wrong, all])| CurvePoint { members, error: wrong / all }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_to_all() {
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(7), [1, 2, 5, 7]);
        assert_eq!(sizes(100), [1, 2, 5, 10, 20, 50, 100]);
        assert_eq!(sizes(usize::MAX).last(), Some(&usize::MAX));
    }

    #[test]
    fn rows_count_by_weight_once_somebody_was_asked() {
        let sums = [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.0, 0.0];
        let sums = wrong_and_total(&sums, &[1, 1, 2, 0], &[0, 0, 1, 1], &[1.0, 2.0, 4.0, 8.0]);
        assert_eq!(sums, [6.0, 7.0]);
        let points = points(&[1, 2], &[[0.0, 0.0], sums]);
        assert_eq!(points, [CurvePoint { members: 2, error: 6.0 / 7.0 }]);
    }
}
