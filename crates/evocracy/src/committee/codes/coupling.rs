//! Probabilities of all classes from those of every two: pairwise coupling.
//!
//! T. Hastie, R. Tibshirani, "Classification by pairwise coupling", Annals of Statistics 26 (1998)
//! 451-471; T.-F. Wu, C.-J. Lin, R. C. Weng, "Probability estimates for multi-class classification
//! by pairwise coupling", JMLR 5 (2004) 975-1005, of which this is the second approach (section 4).
//!
//! With `r_ij` the probability of class i against class j, `r_ij + r_ji = 1`, the probabilities `p`
//! minimise the sum over i and j of `(r_ji p_i - r_ij p_j)^2` among those that sum to 1. That is
//! `p'Qp` with `Q_ii` the sum over j of `r_ji^2` and `Q_ij = -r_ji r_ij`; at the minimum every
//! entry of `Qp` is `b = p'Qp`. Where the pairs agree, `r_ij = p_i / (p_i + p_j)`, and `b` is 0.
//!
//! Parts that explain `p`: with `r_ji^2 = 1 - r_ij - r_ji r_ij` the equation of class i reads
//!
//! `(K - 1) p_i = b + sum over j of r_ij (p_i + r_ji (p_i + p_j))`
//!
//! The term of j is what the member of the pair adds to class i, times K - 1. What all classes have
//! alike before any member counts is `b / (K - 1)`: how far the pairs contradict each other. No
//! term is negative.

/// The least probability of a class against another one: a member that is sure of each of two
/// classes that others are sure of would leave nothing to divide by.
const FLOOR: f64 = 1e-7;

/// The iteration ends when `Qp` differs from `b` by less.
const TOLERANCE: f64 = 1e-13;

/// More sweeps than any row needed in trials with up to 100 classes, which was 16.
const SWEEPS: usize = 100;

/// The position of a pair of classes, `low` before `high`, among all pairs: (0, 1), (0, 2), (1, 2).
fn position(low: usize, high: usize) -> usize {
    high * (high - 1) / 2 + low
}

/// Writes what each member, one for every two of `k` classes, adds to both of its classes, and
/// returns what every class has before. `second` is the probability of the second class of each
/// pair. All together sum to 1.
pub(super) fn couple(second: &[f64], k: usize, adds: &mut [[f64; 2]]) -> f64 {
    let second: Vec<f64> = second.iter().map(|r| r.clamp(FLOOR, 1.0 - FLOOR)).collect();
    let (p, b) = solve(&second, k);
    let others = (k - 1) as f64;
    let mut base = b.max(0.0) / others;
    let pairs = (1..k).flat_map(|high| (0..high).map(move |low| (low, high)));
    for ((adds, (low, high)), &r) in adds.iter_mut().zip(pairs).zip(&second) {
        let (not, both) = (1.0 - r, r * (1.0 - r) * (p[low] + p[high]));
        *adds = [(not * p[low] + both) / others, (r * p[high] + both) / others];
    }
    // What the iteration left unsolved.
    let total = base * k as f64 + adds.iter().flatten().sum::<f64>();
    adds.iter_mut().flatten().for_each(|add| *add /= total);
    base /= total;
    base
}

/// The minimum and its value, by Algorithm 2: `p_t` becomes
/// `(p'Qp - sum over the others of Q_tj p_j) / Q_tt`, then all are normalised, class after class.
fn solve(second: &[f64], k: usize) -> (Vec<f64>, f64) {
    // Of i against j.
    let r = |i: usize, j: usize| {
        if i > j { second[position(j, i)] } else { 1.0 - second[position(i, j)] }
    };
    let mut q = vec![0.0; k * k];
    for i in 0..k {
        for j in (0..k).filter(|&j| j != i) {
            q[i * k + i] += r(j, i) * r(j, i);
            q[i * k + j] = -r(j, i) * r(i, j);
        }
    }
    let mut p = vec![1.0 / k as f64; k];
    let mut qp = vec![0.0; k];
    let mut b = 0.0;
    for _ in 0..SWEEPS {
        // Anew in every sweep, so that errors of rounding do not add up.
        for (row, value) in q.chunks_exact(k).zip(&mut qp) {
            *value = row.iter().zip(&p).map(|(q, p)| q * p).sum();
        }
        b = p.iter().zip(&qp).map(|(p, qp)| p * qp).sum();
        if qp.iter().all(|value| (value - b).abs() < TOLERANCE) {
            break;
        }
        let mut b = b;
        for t in 0..k {
            let own = q[t * k + t];
            let step = (b - qp[t]) / own;
            let total = 1.0 + step;
            b = (b + step * (step * own + 2.0 * qp[t])) / (total * total);
            p[t] += step;
            for (j, (p, qp)) in p.iter_mut().zip(&mut qp).enumerate() {
                *qp = (*qp + step * q[t * k + j]) / total;
                *p /= total;
            }
        }
    }
    (p, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coupled(second: &[f64], k: usize) -> (Vec<f64>, f64) {
        let mut adds = vec![[0.0; 2]; second.len()];
        let base = couple(second, k, &mut adds);
        let mut p = vec![base; k];
        for high in 1..k {
            for low in 0..high {
                let [a, b] = adds[position(low, high)];
                (p[low], p[high]) = (p[low] + a, p[high] + b);
            }
        }
        (p, base)
    }

    /// Solved in exact fractions by elimination of `[Q e; e' 0] [p; -b] = [0; 1]`:
    /// `tests/reference/coupling.py`.
    #[test]
    fn coupled_probabilities_are_those_of_exact_fractions() {
        let cases: [(&[f64], &[f64], f64); 3] = [
            (
                &[0.1, 0.2, 0.7],
                &[0.735_028_956_952_653_9, 0.080_661_532_031_763_09, 0.184_309_511_015_583],
                2.388_202_280_733_178_2e-6,
            ),
            (
                &[0.4, 0.3, 0.8, 0.45, 0.1, 0.65],
                &[
                    0.410_139_999_912_992_5,
                    0.196_308_609_827_884_64,
                    0.217_192_151_729_491_72,
                    0.176_359_238_529_631_12,
                ],
                0.049_215_020_202_659_82,
            ),
            (&[0.1, 0.9, 0.1], &[1.0 / 3.0; 3], 16.0 / 75.0),
        ];
        for (second, expected, b) in cases {
            let k = expected.len();
            let (p, base) = coupled(second, k);
            for (p, expected) in p.iter().zip(expected) {
                assert!((p - expected).abs() < 1e-11, "{second:?}: {p} is not {expected}");
            }
            assert!((base * (k - 1) as f64 - b).abs() < 1e-11, "{second:?}: {base}, {b}");
        }
    }

    #[test]
    fn pairs_that_agree_are_taken_at_their_word() {
        let truth = [0.5, 0.02, 0.3, 0.18];
        let mut second = Vec::new();
        for high in 1..4 {
            second.extend((0..high).map(|low| truth[high] / (truth[high] + truth[low])));
        }
        let (p, base) = coupled(&second, 4);
        assert!(p.iter().zip(truth).all(|(p, truth)| (p - truth).abs() < 1e-10), "{p:?}");
        assert!(base < 1e-12);
        // Two classes have what their member says.
        assert!((coupled(&[0.3], 2).0[1] - 0.3).abs() < 1e-12);
    }

    #[test]
    fn members_that_are_sure_or_contradict_each_other_break_nothing() {
        // A linear congruence of small period: bits of no pattern that the classes share.
        let mut state = 1_u32;
        for k in 2..30 {
            for sure in [true, false] {
                let mut draw = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let r = f64::from(state >> 8) / f64::from(1 << 24);
                    if sure { r.round() } else { r }
                };
                let second: Vec<f64> = (0..k * (k - 1) / 2).map(|_| draw()).collect();
                let (p, base) = coupled(&second, k);
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(base >= 0.0 && p.iter().all(|p| *p >= 0.0), "{second:?}: {p:?}");
                // The iteration came to its end: the parts are those of its solution.
                let (solved, _) = solve(
                    &second.iter().map(|r| r.clamp(FLOOR, 1.0 - FLOOR)).collect::<Vec<_>>(),
                    k,
                );
                let near = |(p, solved): (&f64, &f64)| (p - solved).abs() < 1e-9;
                assert!(p.iter().zip(&solved).all(near), "{second:?}: {p:?}, {solved:?}");
            }
        }
    }

    #[test]
    fn a_class_that_wins_clearly_has_more_than_the_mean_of_its_wins() {
        let (p, _) = coupled(&[0.05, 0.05, 0.5], 3);
        assert!(p[0] > 0.85, "{p:?}: the mean of wins gives 0.63");
    }
}
