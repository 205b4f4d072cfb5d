//! A scale for every input, learnt from the evidence: inputs that do not matter shrink.
//!
//! A coarse search at the current scales finds bases and precisions, from which follows the gradient
//! of the log evidence by the entries of the design matrix (Tipping 2001, appendix C),
//! `dL / dPhi = b w' - B Phi Sigma`, where `b` are the residuals at the weights `w` and `B` the
//! precisions of the rows; the chain rule through the kernel gives the gradient by the logarithms of
//! the scales. For classes the mode is held fixed. Rprop ascends it (M. Riedmiller, H. Braun, "A
//! direct adaptive method for faster backpropagation learning", ICNN 1993): each scale has a step
//! of its own, which grows while its derivative keeps its sign and shrinks when that changes. The
//! evidence has many local maxima: there are three ascents, from the width, half of it and a
//! quarter, and the best scales of all count. All this is done on a stratified sample of the rows.

use super::bases::{Basis, Kernel};
use super::design::{Design, Dictionary};
use super::fast::Solution;
use super::irls::add_columns;
use super::tuning::{NumericLimits, ScaleTuning, Tuning};
use super::width::{Score, Start, Tunable};
use crate::classify::Part;
use crate::data::DenseRows;
use crate::error::{Error, Result};
use crate::num::dot;
use crate::run::{Run, Stop};
use std::collections::BTreeMap;

crate::choices! {
    /// How inputs are scaled.
    pub enum Scales {
        /// all alike: the width is that of every input
        Shared = "shared",
        /// each by a scale of its own, under which the training rows are most probable
        Learnt = "learnt",
    }
}

/// The result of a coarse search, with what the gradient follows from.
pub(super) struct Fit {
    pub(super) solution: Solution,
    /// The residual of each row (the derivative of its log-likelihood by the sum), and its
    /// precision.
    pub(super) residuals: Vec<f64>,
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
    let some = all.subset(&all.training().sample(all.labels(), Tuning::TRIAL_ROWS, "scales"));
    let task = run.task("scales", ScaleTuning::STARTS.len() as u64);
    let ends = run.pool.map(ScaleTuning::STARTS.len(), |at| {
        let end = ascend(&some, width, ScaleTuning::STARTS[at], run.stop);
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

/// The highest log evidence of an ascent from equal scales, and the logarithms of the scales
/// there.
fn ascend<T: Tunable>(some: &T, width: f64, from: f64, stop: &Stop) -> Result<(f64, Vec<f64>)> {
    let inputs = some.training().points().inputs();
    let (log_scales, steps, signs) =
        (vec![from; inputs], vec![ScaleTuning::FIRST_STEP; inputs], vec![0.0; inputs]);
    let mut rprop = Rprop { log_scales, steps, signs };
    let (mut top, mut best, mut idle) = (f64::NEG_INFINITY, vec![0.0; inputs], 0);
    let mut starts: Vec<Start> = Vec::new();
    for _ in 0..ScaleTuning::ROUNDS {
        if stop.requested() || idle == ScaleTuning::PATIENCE {
            break;
        }
        let scales: Vec<f64> = rprop.log_scales.iter().map(|log| log.exp()).collect();
        let tried = some.scaled(&scales);
        let (dictionary, design) =
            tried.basis_options().design(width, tried.training(), tried.labels(), stop)?;
        let fits = tried.coarse_fits(&design, &starts, stop)?;
        let score = Score::of(&fits, tried.training().points().rows);
        if score.saturated {
            // A model of so many vectors over-fits.
            break;
        }
        idle = if score.log > top + Tuning::COARSE_GAIN { 0 } else { idle + 1 };
        if score.log > top {
            (top, best) = (score.log, rprop.log_scales.clone());
        }
        let points = tried.training().points();
        let mut gradient = vec![0.0; inputs];
        for fit in &fits {
            add_gradient(&mut gradient, fit, &dictionary, &design, points);
        }
        rprop.step(&gradient);
        starts = fits.into_iter().map(|fit| fit.solution.start()).collect();
    }
    Ok((top, best))
}

/// The logarithms of the scales, and the step and the last sign of each.
struct Rprop {
    log_scales: Vec<f64>,
    steps: Vec<f64>,
    signs: Vec<f64>,
}

impl Rprop {
    fn step(&mut self, gradient: &[f64]) {
        for (at, derivative) in gradient.iter().enumerate() {
            let sign = if *derivative == 0.0 { 0.0 } else { derivative.signum() };
            let agreement = sign * self.signs[at];
            if agreement > 0.0 {
                self.steps[at] =
                    (self.steps[at] * ScaleTuning::GROW).min(ScaleTuning::LARGEST_STEP);
            } else if agreement < 0.0 {
                self.steps[at] =
                    (self.steps[at] * ScaleTuning::SHRINK).max(ScaleTuning::LEAST_STEP);
            }
            self.signs[at] = sign;
            self.log_scales[at] = (self.log_scales[at] + sign * self.steps[at])
                .clamp(-ScaleTuning::LARGEST_LOG, ScaleTuning::LARGEST_LOG);
        }
    }
}

/// Whether a file may hold such scales.
pub(super) fn are_valid(scales: &[f64], inputs: usize) -> bool {
    let fits = scales.is_empty() || scales.len() == inputs;
    let valid = |scale: &f64| *scale == 0.0 || NumericLimits::SCALES.contains(scale);
    fits && scales.iter().all(valid)
}

/// The scales of the inputs in words, the largest first, if each has its own: a part of an
/// explanation that adds nothing to any of the outputs.
pub(super) fn scales_part(
    scales: &[f64],
    outputs: usize,
    name: impl Fn(usize) -> String,
) -> Option<Part> {
    const SHOWN: usize = 10;
    let mut order: Vec<usize> = (0..scales.len()).collect();
    order.sort_by(|&a, &b| scales[b].total_cmp(&scales[a]));
    let each = |&input: &usize| format!("{} by {:.3}", name(input), scales[input]);
    let count = order.partition_point(|&input| scales[input] > 0.0);
    let mut words: Vec<String> = order[..count].iter().take(SHOWN).map(each).collect();
    if count > SHOWN {
        words.push(format!("{} others by less", count - SHOWN));
    }
    if count < scales.len() {
        words.push(format!("{} do not count", scales.len() - count));
    }
    let because = format!("inputs are scaled: {}", words.join(", "));
    (!scales.is_empty()).then(|| Part { column: None, because, adds: vec![0.0; outputs] })
}

/// The scales by the names of the inputs, for the diagnostics of a model.
pub(super) fn scales_diagnostic(
    scales: &[f64],
    name: impl Fn(usize) -> String,
) -> Option<BTreeMap<String, f64>> {
    let each = scales.iter().enumerate().map(|(input, scale)| (name(input), *scale));
    (!scales.is_empty()).then(|| each.collect())
}

/// Adds the gradient of the log evidence by the logarithms of the scales.
fn add_gradient(
    gradient: &mut [f64],
    fit: &Fit,
    dictionary: &Dictionary,
    design: &Design,
    points: &DenseRows<'_>,
) {
    let (n, k) = (design.rows(), fit.solution.bases.len());
    let columns = design.columns(&fit.solution.bases);
    for (j, &basis) in fit.solution.bases.iter().enumerate() {
        let Basis::Centre { row, width } = design.bases()[basis] else { continue };
        // The derivatives of the evidence by the entries of the column.
        let mut entry_gradient = vec![0.0; n];
        add_columns(&mut entry_gradient, &columns, &fit.solution.covariance[j * k..(j + 1) * k]);
        for (i, derivative) in entry_gradient.iter_mut().enumerate() {
            *derivative =
                fit.residuals[i] * fit.solution.weights[j] - fit.precisions[i] * *derivative;
        }
        let centre = points.row(row);
        chain_kernel(
            dictionary,
            points,
            &centre,
            width,
            &columns[j * n..(j + 1) * n],
            &mut entry_gradient,
        );
        for (input, derivative) in gradient.iter_mut().enumerate() {
            let (at, column) = (centre[input], &points.columns[input]);
            let distances: Vec<f64> = match dictionary.kernel {
                Kernel::Gaussian => column.iter().map(|x| (x - at) * (x - at)).collect(),
                Kernel::Laplacian => column.iter().map(|x| (x - at).abs()).collect(),
                _ => column.iter().map(|x| x * at).collect(),
            };
            *derivative += dot(&entry_gradient, &distances);
        }
    }
}

/// The chain rule: multiplies the derivatives by the entries of a column by those of the entries by
/// the logarithm of a scale, but for the factor that differs from input to input: the squared
/// distance, the distance or the product along it.
fn chain_kernel(
    dictionary: &Dictionary,
    points: &DenseRows<'_>,
    centre: &[f64],
    width: f64,
    column: &[f64],
    entry_gradient: &mut [f64],
) {
    for (row, (derivative, value)) in entry_gradient.iter_mut().zip(column).enumerate() {
        *derivative *= match dictionary.kernel {
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
    use crate::kernel::evidence::{gaussian_log_likelihood, log_evidence};
    use crate::kernel::tests::random;
    use crate::num::cholesky;

    const ROWS: usize = 30;
    const NOISE: f64 = 0.3;

    /// The problem at some scales, four bases in the model with precisions that stay.
    fn solve(kernel: Kernel, log_scales: &[f64]) -> (Fit, Dictionary, Design, Vec<f64>) {
        let mut points = random(ROWS * log_scales.len(), 1);
        for (at, value) in points.iter_mut().enumerate() {
            *value *= 2.0 * log_scales[at / ROWS].exp();
        }
        let widths = vec![0.9];
        let dictionary = Dictionary { kernel, degree: 3, widths, bias: true, centres: 0 };
        let design = Design::new(&dictionary, &points, ROWS, Keep::Stored);
        let (bases, alphas) = (vec![0, 3, 8, 21], vec![0.5, 0.2, 1.3, 0.7]);
        let (k, beta, values) = (4, 1.0 / NOISE, random(ROWS, 2));
        let columns = design.columns(&bases);
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
        let likelihood = gaussian_log_likelihood(ROWS as f64, dot(&rest, &rest), beta);
        let evidence = log_evidence(likelihood, &alphas, &weights, &factor);
        let (noise, curve, converged) = (Some(NOISE), Vec::new(), true);
        let solution =
            Solution { bases, alphas, weights, covariance, noise, evidence, curve, converged };
        let residuals = rest.iter().map(|rest| beta * rest).collect();
        (Fit { solution, residuals, precisions: vec![beta; ROWS] }, dictionary, design, points)
    }

    #[test]
    fn the_gradient_is_that_of_the_evidence() {
        for kernel in [Kernel::Gaussian, Kernel::Laplacian, Kernel::Polynomial, Kernel::Linear] {
            let log_scales = [0.3, -0.5, 0.1];
            let (fit, dictionary, design, points) = solve(kernel, &log_scales);
            let mut gradient = [0.0; 3];
            let points = &DenseRows::from_slice(&points, ROWS);
            add_gradient(&mut gradient, &fit, &dictionary, &design, points);
            for (input, derivative) in gradient.iter().enumerate() {
                let at = |by: f64| {
                    let mut log_scales = log_scales;
                    log_scales[input] += by;
                    solve(kernel, &log_scales).0.solution.evidence
                };
                let found = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!(
                    (found - derivative).abs() < 1e-5 * (1.0 + found.abs()),
                    "{found} {derivative}"
                );
            }
        }
    }
}
