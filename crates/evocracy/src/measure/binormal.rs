//! A smooth ROC curve: scores that some rising function would turn into two normal distributions.
//!
//! D. D. Dorfman and E. Alf, "Maximum-likelihood estimation of parameters of signal-detection theory
//! and determination of confidence intervals - rating-method data", Journal of Mathematical Psychology
//! 6 (1969) 487-496. Scores of many values are cut into categories first: C. E. Metz, B. A. Herman and
//! J.-H. Shen, "Maximum likelihood estimation of receiver operating characteristic (ROC) curves from
//! continuously-distributed data", Statistics in Medicine 17 (1998) 1033-1053.
//!
//! Where `F` is the false and `T` the true positive rate, `z(T) = a + b z(F)` with the standard normal
//! quantile `z`. The curve depends on the order of the scores alone. Weights count as repetitions.

use super::ranking::Ranking;
use crate::num::{add_scaled, cholesky, dot, normal_quantile, normal_tail};
use serde::Serialize;

/// The most categories that scores are cut into.
const MOST_CATEGORIES: usize = 20;

/// Steps of the search; it usually takes about ten.
const MOST_STEPS: usize = 500;

/// A search that moves no parameter by more than this has ended.
const STILL: f64 = 1e-9;

/// Slopes beyond this, or less than its inverse, are of curves that no two normal distributions have.
const STEEPEST: f64 = 50.0;

/// The curve of two normal distributions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Binormal {
    /// The distance of the means, in standard deviations of the positives.
    pub a: f64,
    /// The standard deviation of the negatives, in those of the positives.
    pub b: f64,
    /// The area under the curve: `Phi(a / sqrt(1 + b^2))`.
    pub auc: f64,
    /// How many categories the scores were cut into.
    pub categories: usize,
}

/// Why there is no such curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoBinormal {
    /// All positives score above all negatives, or below: any curve that is steep enough fits.
    Separated,
    /// Fewer than two points lie off the edges of the square, at different rates each.
    FewPoints,
    /// The likelihood has no greatest value, or none was found.
    Unbounded,
}

impl Binormal {
    /// The curve of greatest likelihood.
    pub fn fit(ranking: &Ranking) -> Result<Self, NoBinormal> {
        let area = ranking.auc();
        if area <= 0.0 || area >= 1.0 {
            return Err(NoBinormal::Separated);
        }
        let cells = cells(ranking);
        if !spread(&cells) {
            return Err(NoBinormal::FewPoints);
        }
        let mut at = start(&cells);
        let mut likelihood = log_likelihood(&cells, &at).ok_or(NoBinormal::Unbounded)?;
        for _ in 0..MOST_STEPS {
            let step = scoring_step(&cells, &at).ok_or(NoBinormal::Unbounded)?;
            let (next, gained) = rise(&cells, &at, &step, likelihood);
            let moved = next.iter().zip(&at).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            (at, likelihood) = (next, gained);
            if !(1.0 / STEEPEST..=STEEPEST).contains(&at[1]) {
                return Err(NoBinormal::Unbounded);
            }
            if moved <= STILL {
                let (a, b) = (at[0], at[1]);
                let auc = phi(a / b.hypot(1.0));
                return Ok(Self { a, b, auc, categories: cells.len() });
            }
        }
        Err(NoBinormal::Unbounded)
    }

    /// The true positive rate at a false positive rate.
    pub fn tpr_at(&self, fpr: f64) -> f64 {
        if fpr <= 0.0 || fpr >= 1.0 {
            return f64::from(u8::from(fpr >= 1.0));
        }
        phi(self.a + self.b * normal_quantile(fpr))
    }
}

/// Positive and negative weight of every category, from the highest scores down, as even as the
/// scores allow where both classes count the same.
fn cells(ranking: &Ranking) -> Vec<[f64; 2]> {
    let (positives, negatives) = (ranking.positives(), ranking.negatives());
    let few = ranking.groups().len() <= MOST_CATEGORIES;
    let (mut cells, mut open, mut seen) = (Vec::new(), [0.0; 2], 0.0);
    for group in ranking.groups() {
        open[0] += group.positive;
        open[1] += group.negative;
        seen += f64::midpoint(group.positive / positives, group.negative / negatives);
        // The last category takes what rounding leaves.
        let due = seen * MOST_CATEGORIES as f64 >= cells.len() as f64 + 1.0;
        if few || (due && cells.len() + 1 < MOST_CATEGORIES) {
            cells.push(std::mem::take(&mut open));
        }
    }
    if open != [0.0; 2] {
        cells.push(open);
    }
    cells
}

/// Whether two points lie off the edges, at different false and at different true positive rates: a
/// line through them then rises.
fn spread(cells: &[[f64; 2]]) -> bool {
    let total = |class: usize| cells.iter().map(|cell| cell[class]).sum::<f64>();
    let (all, mut sum) = ([total(0), total(1)], [0.0; 2]);
    let mut inside: Vec<[f64; 2]> = Vec::new();
    for cell in cells {
        (0..2).for_each(|class| sum[class] += cell[class]);
        let share = [sum[0] / all[0], sum[1] / all[1]];
        if share.iter().all(|share| (1e-12..1.0 - 1e-12).contains(share)) {
            inside.push(share);
        }
    }
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return false };
    (0..2).all(|class| last[class] - first[class] > 1e-12)
}

/// Where the search begins: `a`, `b` by least squares through the deviates, and the cuts. A little
/// weight in every cell keeps them apart.
fn start(cells: &[[f64; 2]]) -> Vec<f64> {
    let more = 0.5 / cells.len() as f64;
    let deviates = |class: usize| -> Vec<f64> {
        let total: f64 = cells.iter().map(|cell| cell[class]).sum::<f64>() + 0.5;
        let mut sum = 0.0;
        let cuts = cells[..cells.len() - 1].iter();
        cuts.map(|cell| {
            sum += cell[class] + more;
            normal_quantile(sum / total)
        })
        .collect()
    };
    let (up, cuts) = (deviates(0), deviates(1));
    let n = cuts.len() as f64;
    let mean = |of: &[f64]| of.iter().sum::<f64>() / n;
    let (x, y) = (mean(&cuts), mean(&up));
    let across: f64 = cuts.iter().zip(&up).map(|(c, u)| (c - x) * (u - y)).sum();
    let along: f64 = cuts.iter().map(|c| (c - x) * (c - x)).sum();
    let b = if along > 0.0 { (across / along).clamp(0.1, 10.0) } else { 1.0 };
    [vec![y - b * x, b], cuts].concat()
}

/// The probability of each category, for positives and negatives; none where cuts are out of order.
fn chances(at: &[f64], class: usize) -> Option<Vec<f64>> {
    let (a, b) = (at[0], at[1]);
    let ends = at[2..].iter().map(|&cut| phi(if class == 0 { a + b * cut } else { cut }));
    let mut before = 0.0;
    let chances: Vec<f64> =
        ends.chain([1.0]).map(|end| end - std::mem::replace(&mut before, end)).collect();
    let apart = at[2..].windows(2).all(|pair| pair[0] < pair[1]);
    (apart && b > 0.0 && chances.iter().all(|chance| *chance > 0.0)).then_some(chances)
}

fn log_likelihood(cells: &[[f64; 2]], at: &[f64]) -> Option<f64> {
    let of = |class: usize| -> Option<f64> {
        let chances = chances(at, class)?;
        Some(cells.iter().zip(chances).map(|(cell, chance)| cell[class] * chance.ln()).sum())
    };
    Some(of(0)? + of(1)?).filter(|sum| sum.is_finite())
}

/// A step of Fisher's scoring; none where the information has no inverse.
fn scoring_step(cells: &[[f64; 2]], at: &[f64]) -> Option<Vec<f64>> {
    let n = at.len();
    let (mut step, mut information) = (vec![0.0; n], vec![0.0; n * n]);
    for class in 0..2 {
        let total: f64 = cells.iter().map(|cell| cell[class]).sum();
        let chances = chances(at, class)?;
        let mut before = vec![0.0; n];
        for (k, (cell, chance)) in cells.iter().zip(chances).enumerate() {
            let after = slope(at, class, k);
            let change: Vec<f64> = after.iter().zip(&before).map(|(x, y)| x - y).collect();
            add_scaled(&mut step, cell[class] / chance, &change);
            for (row, d) in information.chunks_exact_mut(n).zip(&change) {
                add_scaled(row, total * d / chance, &change);
            }
            before = after;
        }
    }
    let mut factor = vec![0.0; n * n];
    if !cholesky::factor_with_jitter(&information, n, &mut factor) {
        return None;
    }
    cholesky::solve(&factor, n, &mut step);
    dot(&step, &step).is_finite().then_some(step)
}

/// How the chance of the first `k + 1` categories changes with each parameter.
fn slope(at: &[f64], class: usize, k: usize) -> Vec<f64> {
    let mut slope = vec![0.0; at.len()];
    let Some(&cut) = at.get(2 + k) else { return slope };
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if class == 0 {
        let d = density(at[0] + at[1] * cut);
        (slope[0], slope[1], slope[2 + k]) = (d, d * cut, d * at[1]);
    } else {
        slope[2 + k] = density(cut);
    }
    slope
}

/// As much of a step as does not lower the likelihood; where none does, the place as it is.
fn rise(cells: &[[f64; 2]], at: &[f64], step: &[f64], likelihood: f64) -> (Vec<f64>, f64) {
    let mut share = 1.0;
    for _ in 0..40 {
        let mut next = at.to_vec();
        add_scaled(&mut next, share, step);
        match log_likelihood(cells, &next) {
            Some(found) if found >= likelihood => return (next, found),
            _ => share *= 0.5,
        }
    }
    (at.to_vec(), likelihood)
}

fn phi(x: f64) -> f64 {
    normal_tail(-x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn of(rows: impl IntoIterator<Item = (bool, f64)>) -> Result<Binormal, NoBinormal> {
        let (truth, scores): (Vec<bool>, Vec<f64>) = rows.into_iter().unzip();
        Binormal::fit(&Ranking::new(&truth, &scores, None).unwrap())
    }

    /// The 109 ratings of Hanley and McNeil (Radiology 143, 1982); the estimates are those that the
    /// manual of Stata prints for its `rocfit`.
    #[test]
    fn published_ratings_give_the_published_curve() {
        let ratings = |counts: [usize; 5], truth: bool| {
            let each = counts.into_iter().zip(1..);
            each.flat_map(move |(count, rating)| {
                (0..count).map(move |_| (truth, f64::from(rating)))
            })
        };
        let rows = ratings([33, 6, 6, 11, 2], false).chain(ratings([3, 2, 2, 11, 33], true));
        let found = of(rows).unwrap();
        assert!((found.a - 1.656_782).abs() < 1e-4, "{found:?}");
        assert!((found.b - 0.713_002).abs() < 1e-4, "{found:?}");
        assert!((found.auc - 0.911_331).abs() < 1e-5, "{found:?}");
        assert_eq!(found.categories, 5);
    }

    /// Normal scores have the curve that they were drawn from, however they are stretched.
    #[test]
    fn simulated_normal_scores_give_their_parameters() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (a, b) = (1.2, 0.7);
        let rows: Vec<(bool, f64)> = (0..20_000)
            .map(|row| {
                let z: f64 = StandardNormal.sample(&mut rng);
                // Positives N(a / b, 1 / b), negatives N(0, 1).
                if row % 4 == 0 { (true, (a + z) / b) } else { (false, z) }
            })
            .collect();
        let found = of(rows.clone()).unwrap();
        assert!((found.a - a).abs() < 0.07 && (found.b - b).abs() < 0.04, "{found:?}");
        assert!((found.auc - phi(a / b.hypot(1.0))).abs() < 0.01, "{found:?}");
        assert_eq!(of(rows.into_iter().map(|(truth, score)| (truth, score.exp()))), Ok(found));
        let (low, high) = (found.tpr_at(0.1), found.tpr_at(0.2));
        assert!(low < high && (low - phi(a + b * normal_quantile(0.1))).abs() < 0.03);
        assert_eq!((found.tpr_at(0.0), found.tpr_at(1.0)), (0.0, 1.0));
    }

    #[test]
    fn cases_without_such_a_curve_are_said() {
        let apart = (0..20).map(|row| (row >= 10, f64::from(row)));
        assert_eq!(of(apart.clone()), Err(NoBinormal::Separated));
        assert_eq!(of(apart.map(|(truth, score)| (truth, -score))), Err(NoBinormal::Separated));
        // One threshold, one point.
        let one = (0..40).map(|row| (row % 2 == 0, f64::from(u8::from(row % 3 == 0))));
        assert_eq!(of(one), Err(NoBinormal::FewPoints));
        // Points one above the other.
        let wall = [(true, 3.0), (true, 2.0), (false, 3.0), (false, 1.0), (true, 1.0)];
        assert_eq!(of(wall), Err(NoBinormal::FewPoints));
        // Equal scores have no point at all.
        let equal = (0..10).map(|row| (row % 2 == 0, 1.0));
        assert_eq!(of(equal), Err(NoBinormal::FewPoints));
    }

    /// Small samples in any order either have a curve or say why not; nothing hangs or panics.
    #[test]
    fn every_small_sample_is_answered() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let mut fitted = 0;
        for rows in 4..60 {
            let draw = |row: i32, z: f64| (row % 3 == 0, (2.0 * z).round() + f64::from(row % 3));
            let rows: Vec<_> =
                (0..rows).map(|row| draw(row, StandardNormal.sample(&mut rng))).collect();
            if let Ok(found) = of(rows) {
                fitted += 1;
                assert!(found.auc > 0.0 && found.auc < 1.0 && found.b > 0.0, "{found:?}");
            }
        }
        assert!(fitted > 20, "{fitted}");
    }
}
