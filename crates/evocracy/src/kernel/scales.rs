//! A scale for every input, learnt from the evidence: inputs that do not matter shrink.
//!
//! The bases and precisions that a rough search finds at the scales so far say how the log
//! evidence changes with each entry of the design matrix (Tipping 2001, appendix C),
//! `dL / dPhi = b w' - B Phi Sigma`, where `b` is what each row pulls at the weights `w` and `B` the
//! precision of each row; the kernel says how the entry changes with each scale. For classes the
//! mode is held fixed. Each scale moves against its slope by a step of its own, which grows while
//! the slope keeps its sign and shrinks when it turns (M. Riedmiller, H. Braun, "A direct adaptive
//! method for faster backpropagation learning", ICNN 1993). The evidence has many peaks: there are
//! three climbs, from the width, half of it and a quarter, and the best scales of all count. All
//! this is done on 300 rows at most, drawn by chance from every class.

use super::bases::{Basis, Kernel};
use super::design::{Design, Dictionary};
use super::fast::Solution;
use super::irls::add_columns;
use super::width::{Score, Start, Tunable};
use crate::data::DenseRows;
use crate::error::{Error, Result};
use crate::num::dot;
use crate::run::{Run, Stop};

crate::choices! {
    /// How inputs are scaled.
    pub enum Scales {
        /// all alike: the width is that of every input
        Shared = "shared",
        /// each by a scale of its own, under which the training rows are most probable
        Learnt = "learnt",
    }
}

/// Rows on which scales are learnt.
const ROWS: usize = 300;

/// Where climbs begin: at the width, at half of it and at a quarter. Wide kernels do not see what
/// bends.
const STARTS: [f64; 3] = [0.0, std::f64::consts::LN_2, 2.0 * std::f64::consts::LN_2];

/// Searches of a climb at most, and searches in a row that need not raise the evidence.
const ROUNDS: usize = 60;
const PATIENCE: usize = 10;

/// A rise of the log evidence that counts.
const WORTH: f64 = 0.1;

/// Steps of the logarithm of a scale: the first, the least and the most; what they grow and shrink
/// by.
const STEPS: [f64; 3] = [0.2, 0.01, 1.0];
const GROW: f64 = 1.3;
const SHRINK: f64 = 0.5;

/// The logarithm of a scale stays within this.
const FAR: f64 = 7.0;

/// A search at some scales.
pub(super) struct Fit {
    pub(super) sparse: Solution,
    /// What each row pulls, and its precision.
    pub(super) pulls: Vec<f64>,
    pub(super) precisions: Vec<f64>,
}

/// The scales of the inputs; none where all are alike.
pub(super) fn learn<T: Tunable>(all: &T, width: f64, run: &Run<'_>) -> Result<Vec<f64>> {
    if all.basis_options().scales == Scales::Shared {
        return Ok(Vec::new());
    }
    if all.basis_options().kernel == Kernel::Columns {
        return Err(Error::unsuitable(
            "there are no scales to learn: every input is a base of its own",
            "take another kernel, or `scales=shared`",
        ));
    }
    let some = all.part(&all.training().draw(all.labels(), ROWS, "scales"));
    let task = run.task("scales", STARTS.len() as u64);
    let ends = run.pool.map(STARTS.len(), |at| {
        let end = climb(&some, width, STARTS[at], run.stop);
        task.watch.advance(1);
        end
    });
    let mut best = (f64::NEG_INFINITY, vec![0.0; some.training().points().inputs()]);
    for end in ends {
        let end = end?;
        best = if end.0 > best.0 { end } else { best };
    }
    Ok(best.1.iter().map(|log| log.exp()).collect())
}

/// The highest log evidence on the way up from scales that are all alike, and their logarithms
/// there.
fn climb<T: Tunable>(some: &T, width: f64, from: f64, stop: &Stop) -> Result<(f64, Vec<f64>)> {
    let inputs = some.training().points().inputs();
    let (logs, steps, signs) = (vec![from; inputs], vec![STEPS[0]; inputs], vec![0.0; inputs]);
    let mut pace = Rprop { logs, steps, signs };
    let (mut top, mut best, mut idle) = (f64::NEG_INFINITY, vec![0.0; inputs], 0);
    let mut starts: Vec<Start> = Vec::new();
    for _ in 0..ROUNDS {
        if stop.requested() || idle == PATIENCE {
            break;
        }
        let scales: Vec<f64> = pace.logs.iter().map(|log| log.exp()).collect();
        let tried = some.on(some.training().scaled(&scales));
        let (dictionary, design) =
            tried.basis_options().design(width, tried.training(), tried.labels())?;
        let fits = tried.fits(&design, &starts, stop)?;
        let score = Score::of(&fits, tried.training().rows);
        if score.crowded {
            // Such a machine knows the rows by heart.
            break;
        }
        idle = if score.log > top + WORTH { 0 } else { idle + 1 };
        if score.log > top {
            (top, best) = (score.log, pace.logs.clone());
        }
        let points = tried.training().points();
        let mut slopes = vec![0.0; inputs];
        for fit in &fits {
            add_slopes(&mut slopes, fit, &dictionary, &design, points);
        }
        pace.step(&slopes);
        starts = fits.into_iter().map(|fit| fit.sparse.start()).collect();
    }
    Ok((top, best))
}

/// The logarithms of the scales and how fast each moves.
struct Rprop {
    logs: Vec<f64>,
    steps: Vec<f64>,
    signs: Vec<f64>,
}

impl Rprop {
    fn step(&mut self, slopes: &[f64]) {
        for (at, slope) in slopes.iter().enumerate() {
            let sign = if *slope == 0.0 { 0.0 } else { slope.signum() };
            let turned = sign * self.signs[at];
            if turned > 0.0 {
                self.steps[at] = (self.steps[at] * GROW).min(STEPS[2]);
            } else if turned < 0.0 {
                self.steps[at] = (self.steps[at] * SHRINK).max(STEPS[1]);
            }
            self.signs[at] = sign;
            self.logs[at] = (self.logs[at] + sign * self.steps[at]).clamp(-FAR, FAR);
        }
    }
}

/// Whether a file may hold such scales.
pub(super) fn are_valid(scales: &[f64], inputs: usize) -> bool {
    let fits = scales.is_empty() || scales.len() == inputs;
    fits && scales.iter().all(|scale| (1e-10..=1e10).contains(scale))
}

/// The scales of the inputs for a person to read, the largest first, if each has its own.
pub(super) fn scales_in_words(scales: &[f64], name: impl Fn(usize) -> String) -> Option<String> {
    const SHOWN: usize = 10;
    let mut order: Vec<usize> = (0..scales.len()).collect();
    order.sort_by(|&a, &b| scales[b].total_cmp(&scales[a]));
    let each = |&input: &usize| format!("{} by {:.3}", name(input), scales[input]);
    let mut words: Vec<String> = order.iter().take(SHOWN).map(each).collect();
    if scales.len() > SHOWN {
        words.push(format!("{} others by less", scales.len() - SHOWN));
    }
    (!scales.is_empty()).then(|| format!("inputs are scaled: {}", words.join(", ")))
}

/// The scales by the names of the inputs, for the diagnostics of a model.
pub(super) fn scales_diagnostic(
    scales: &[f64],
    name: impl Fn(usize) -> String,
) -> Option<(String, serde_json::Value)> {
    let each: serde_json::Map<String, serde_json::Value> =
        scales.iter().enumerate().map(|(input, scale)| (name(input), (*scale).into())).collect();
    (!scales.is_empty()).then(|| ("scales".to_owned(), each.into()))
}

/// Adds how the log evidence changes with the logarithm of each scale.
fn add_slopes(
    slopes: &mut [f64],
    fit: &Fit,
    dictionary: &Dictionary,
    design: &Design,
    points: &DenseRows<'_>,
) {
    let (n, k) = (design.rows(), fit.sparse.bases.len());
    let mut columns = vec![0.0; n * k];
    for (&basis, column) in fit.sparse.bases.iter().zip(columns.chunks_exact_mut(n.max(1))) {
        design.column_into(basis, column);
    }
    for (j, &basis) in fit.sparse.bases.iter().enumerate() {
        let Basis::Centre { row, width } = design.bases()[basis] else { continue };
        // How the evidence changes with each entry of the column.
        let mut rises = vec![0.0; n];
        add_columns(&mut rises, &columns, &fit.sparse.covariance[j * k..(j + 1) * k]);
        for (i, rise) in rises.iter_mut().enumerate() {
            *rise = fit.pulls[i] * fit.sparse.weights[j] - fit.precisions[i] * *rise;
        }
        let centre = points.row(row);
        entry_slopes(dictionary, points, &centre, width, &columns[j * n..(j + 1) * n], &mut rises);
        for (input, slope) in slopes.iter_mut().enumerate() {
            let (at, column) = (centre[input], &points.columns[input]);
            let moves: Vec<f64> = match dictionary.kernel {
                Kernel::Gaussian => column.iter().map(|x| (x - at) * (x - at)).collect(),
                Kernel::Laplacian => column.iter().map(|x| (x - at).abs()).collect(),
                _ => column.iter().map(|x| x * at).collect(),
            };
            *slope += dot(&rises, &moves);
        }
    }
}

/// Multiplies what each entry of a column raises by how the entry changes with the logarithm of a
/// scale, but for the part that differs from input to input: the squared distance, the distance
/// or the product along it.
fn entry_slopes(
    dictionary: &Dictionary,
    points: &DenseRows<'_>,
    centre: &[f64],
    width: f64,
    column: &[f64],
    rises: &mut [f64],
) {
    for (row, (rise, value)) in rises.iter_mut().zip(column).enumerate() {
        *rise *= match dictionary.kernel {
            Kernel::Gaussian => -2.0 * value / (width * width),
            Kernel::Laplacian => -value / width,
            Kernel::Polynomial => {
                let inner = 1.0 + dot(&points.row(row), centre) / (width * width);
                let power = inner.powf(dictionary.degree as f64 - 1.0);
                2.0 * dictionary.degree as f64 * power / (width * width)
            }
            Kernel::Linear | Kernel::Columns => 2.0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::design::Keep;
    use crate::kernel::evidence::{gaussian, log_evidence};
    use crate::num::cholesky;
    use crate::run::Seed;
    use rand::RngExt;

    const ROWS: usize = 30;
    const NOISE: f64 = 0.3;

    fn random(len: usize, seed: u64) -> Vec<f64> {
        let mut rng = Seed::new(seed).rng();
        (0..len).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect()
    }

    /// The problem at some scales, four bases in the model with precisions that stay.
    fn solve(kernel: Kernel, logs: &[f64]) -> (Fit, Dictionary, Design, Vec<f64>) {
        let mut points = random(ROWS * logs.len(), 1);
        for (at, value) in points.iter_mut().enumerate() {
            *value *= logs[at / ROWS].exp();
        }
        let widths = vec![0.9];
        let dictionary = Dictionary { kernel, degree: 3, widths, bias: true, centres: 0 };
        let design = Design::new(&dictionary, &points, ROWS, Keep::Stored);
        let (bases, alphas) = (vec![0, 3, 8, 21], vec![0.5, 0.2, 1.3, 0.7]);
        let (k, beta, values) = (4, 1.0 / NOISE, random(ROWS, 2));
        let mut columns = vec![0.0; ROWS * k];
        for (&basis, column) in bases.iter().zip(columns.chunks_exact_mut(ROWS)) {
            design.column_into(basis, column);
        }
        let column = |j: usize| &columns[j * ROWS..(j + 1) * ROWS];
        let mut factor: Vec<f64> =
            (0..k * k).map(|at| beta * dot(column(at / k), column(at % k))).collect();
        (0..k).for_each(|j| factor[j * k + j] += alphas[j]);
        assert!(cholesky::factor(&mut factor, k));
        let mut weights: Vec<f64> = (0..k).map(|j| beta * dot(column(j), &values)).collect();
        cholesky::solve(&factor, k, &mut weights);
        let mut covariance = vec![0.0; k * k];
        cholesky::inverse(&factor, k, &mut covariance);
        let mut sums = vec![0.0; ROWS];
        add_columns(&mut sums, &columns, &weights);
        let rest: Vec<f64> = values.iter().zip(&sums).map(|(t, y)| t - y).collect();
        let likelihood = gaussian(ROWS as f64, dot(&rest, &rest), beta);
        let evidence = log_evidence(likelihood, &alphas, &weights, &factor);
        let (noise, curve, converged) = (Some(NOISE), Vec::new(), true);
        let sparse =
            Solution { bases, alphas, weights, covariance, noise, evidence, curve, converged };
        let pulls = rest.iter().map(|rest| beta * rest).collect();
        (Fit { sparse, pulls, precisions: vec![beta; ROWS] }, dictionary, design, points)
    }

    #[test]
    fn slopes_are_those_of_the_evidence() {
        for kernel in [Kernel::Gaussian, Kernel::Laplacian, Kernel::Polynomial, Kernel::Linear] {
            let logs = [0.3, -0.5, 0.1];
            let (fit, dictionary, design, points) = solve(kernel, &logs);
            let mut slopes = [0.0; 3];
            let points = &DenseRows::from_slice(&points, ROWS);
            add_slopes(&mut slopes, &fit, &dictionary, &design, points);
            for (input, slope) in slopes.iter().enumerate() {
                let at = |by: f64| {
                    let mut logs = logs;
                    logs[input] += by;
                    solve(kernel, &logs).0.sparse.evidence
                };
                let found = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((found - slope).abs() < 1e-5 * (1.0 + found.abs()), "{found} {slope}");
            }
        }
    }
}
