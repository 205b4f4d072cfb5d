//! The fast formulas against the dense ones of the papers, and properties of every search.

mod search;

use super::design::{Design, Dictionary, Keep, multiply};
use super::fast::{Settings, Solution, Target, fit};
use super::gaussian::{Action, GaussianProblem, Limits};
use super::irls::{Irls, LogisticRows};
use super::{Kernel, classic, log_evidence};
use crate::data::DenseRows;
use crate::num::symmetric::Cholesky;
use crate::num::{cholesky, dot};
use crate::run::{Seed, Stop};
use proptest::prelude::*;
use rand::RngExt;

const LIMITS: Limits =
    Limits { gain: 0.01, change: 1e-3, smooth: 0.0, max_cosine: 1.0 - 1e-6, least_alpha: 0.0 };

pub(super) fn random(len: usize, seed: u64) -> Vec<f64> {
    let mut rng = Seed::new(seed).rng();
    (0..len).map(|_| rng.random::<f64>() - 0.5).collect()
}

/// Points on a line, Gaussian kernels and noisy values of a sine.
fn sine(n: usize, seed: u64) -> (Design, Vec<f64>) {
    let points: Vec<f64> = (0..n).map(|i| i as f64 * 10.0 / n as f64).collect();
    let noise = random(n, seed);
    let values = points.iter().zip(&noise).map(|(x, e)| x.sin() + 0.5 * e).collect();
    (Design::new(&gaussian(1.5), &points, n, Keep::Stored), values)
}

fn gaussian(width: f64) -> Dictionary {
    Dictionary { kernel: Kernel::Gaussian, degree: 2, widths: vec![width], bias: true, centres: 0 }
}

/// Points of two classes that overlap.
fn blobs(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let targets: Vec<f64> = (0..n).map(|i| (i % 2) as f64).collect();
    let noise = random(2 * n, seed);
    let points = (0..2 * n).map(|at| noise[at] * 3.0 + targets[at % n]).collect();
    (points, targets)
}

fn columns(design: &Design) -> Vec<f64> {
    design.columns(&(0..design.len()).collect::<Vec<usize>>())
}

/// `C = B^-1 + sum of phi phi' / alpha`, dense, as in (2.68) and (3.8).
fn covariance(columns: &[f64], precisions: &[f64], model: &[(usize, f64)]) -> Vec<f64> {
    let n = precisions.len();
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        c[i * n + i] = 1.0 / precisions[i];
    }
    for &(basis, alpha) in model {
        let phi = &columns[basis * n..(basis + 1) * n];
        for i in 0..n {
            for j in 0..n {
                c[i * n + j] += phi[i] * phi[j] / alpha;
            }
        }
    }
    c
}

/// The pool problem of all bases.
fn problem(
    columns: &[f64],
    precisions: &[f64],
    targets: &[f64],
    model: &[(usize, f64)],
) -> GaussianProblem {
    let n = precisions.len();
    let p = columns.len() / n;
    let scaled: Vec<f64> = columns.iter().enumerate().map(|(i, x)| x * precisions[i % n]).collect();
    let mut target_products = vec![0.0; p];
    multiply(&scaled, n, targets, &mut target_products);
    let squares = (0..p).map(|m| dot(&columns[m * n..(m + 1) * n], &scaled[m * n..(m + 1) * n]));
    let (mut product, mut cross) = (product(columns, precisions), vec![0.0; p * model.len()]);
    for (cross, (basis, _)) in cross.chunks_exact_mut(p).zip(model) {
        product(*basis, cross);
    }
    let mut gauss = GaussianProblem::new(squares.collect(), target_products, cross);
    gauss.active = model.iter().map(|(basis, _)| *basis).collect();
    gauss.alphas = model.iter().map(|(_, alpha)| *alpha).collect();
    gauss.refresh().unwrap();
    gauss
}

/// Writes the products of all bases with one of them.
fn product(columns: &[f64], precisions: &[f64]) -> impl FnMut(usize, &mut [f64]) {
    let n = precisions.len();
    move |at: usize, out: &mut [f64]| {
        let scaled: Vec<f64> = (0..n).map(|i| columns[at * n + i] * precisions[i]).collect();
        multiply(columns, n, &scaled, out);
    }
}

fn model_of(gauss: &GaussianProblem) -> Vec<(usize, f64)> {
    gauss.active.iter().copied().zip(gauss.alphas.iter().copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// (2.93) and (2.94) with `C` inverted as it stands, whatever was added, changed or deleted.
    #[test]
    fn scores_are_those_of_the_dense_covariance(seed in 0_u64..1_000_000) {
        let mut rng = Seed::new(seed).rng();
        let (n, p) = (rng.random_range(3..12_usize), rng.random_range(2..9_usize));
        let columns = random(n * p, seed + 1);
        let targets = random(n, seed + 2);
        let precisions: Vec<f64> = (0..n).map(|_| rng.random_range(0.2..5.0)).collect();
        let mut gauss = problem(&columns, &precisions, &targets, &[(0, 0.7)]);
        let mut product = product(&columns, &precisions);
        for _ in 0..12 {
            let alpha = 10_f64.powf(rng.random_range(-1.0..1.5));
            let k = gauss.active.len();
            let candidate = rng.random_range(0..p);
            let action = match gauss.active.iter().position(|&at| at == candidate) {
                None => Action::Add { candidate, alpha },
                Some(at) if k > 1 && rng.random_bool(0.4) => Action::Delete { at },
                Some(at) => Action::Reestimate { at, alpha },
            };
            gauss.apply(action, &LIMITS, &mut product);
            let c = covariance(&columns, &precisions, &model_of(&gauss));
            let dense = Cholesky::new(&c, n).unwrap();
            for m in 0..p {
                let phi = &columns[m * n..(m + 1) * n];
                let mut solved = phi.to_vec();
                dense.solve(&mut solved);
                let (s, q) = (dot(phi, &solved), dot(&targets, &solved));
                prop_assert!((gauss.s[m] - s).abs() < 1e-8 * (1.0 + s.abs()));
                prop_assert!((gauss.q[m] - q).abs() < 1e-8 * (1.0 + q.abs()));
            }
        }
    }

    /// The evidence is (2.67), and its derivative by log alpha is `(1 - alpha (Sigma_jj + mu_j^2)) / 2`.
    #[test]
    fn evidence_and_gradient_are_those_of_the_dense_covariance(seed in 0_u64..1_000_000) {
        let mut rng = Seed::new(seed).rng();
        let (n, k) = (rng.random_range(3..12_usize), rng.random_range(1..6_usize));
        let columns = random(n * k, seed + 1);
        let targets = random(n, seed + 2);
        let beta: f64 = rng.random_range(0.5..4.0);
        let precisions = vec![beta; n];
        let alphas: Vec<f64> = (0..k).map(|_| rng.random_range(0.1..10.0)).collect();
        let dense = |alphas: &[f64]| {
            let model: Vec<(usize, f64)> = alphas.iter().copied().enumerate().collect();
            let mut c = covariance(&columns, &precisions, &model);
            let mut solved = targets.clone();
            Cholesky::new(&c, n).unwrap().solve(&mut solved);
            assert!(cholesky::factor(&mut c, n));
            let norm = n as f64 * std::f64::consts::TAU.ln();
            -0.5 * (norm + cholesky::log_det(&c, n) + dot(&targets, &solved))
        };
        let model: Vec<(usize, f64)> = alphas.iter().copied().enumerate().collect();
        let gauss = problem(&columns, &precisions, &targets, &model);
        let mut apart = targets.clone();
        for j in 0..k {
            crate::num::add_scaled(&mut apart, -gauss.mean[j], &columns[j * n..(j + 1) * n]);
        }
        let likelihood = super::evidence::gaussian_log_likelihood(n as f64, dot(&apart, &apart), beta);
        prop_assert!((gauss.evidence(likelihood) - dense(&alphas)).abs() < 1e-9);
        for j in 0..k {
            let mut moved = alphas.clone();
            moved[j] = alphas[j] * 1e-5_f64.exp();
            let mut back = alphas.clone();
            back[j] = alphas[j] * (-1e-5_f64).exp();
            let slope = (dense(&moved) - dense(&back)) / 2e-5;
            let ours = 0.5 * (1.0 - alphas[j] * (gauss.sigma[j * k + j] + gauss.mean[j].powi(2)));
            prop_assert!((slope - ours).abs() < 1e-5, "{slope} {ours}");
        }
    }

    /// The gain of an action is the rise of the dense evidence less the smoothness penalty, whose
    /// degrees of freedom are `N - tr(B^-1 C^-1)`.
    #[test]
    fn gains_are_those_of_the_dense_evidence(seed in 0_u64..1_000_000, smooth in 0..3_u8) {
        let mut rng = Seed::new(seed).rng();
        let (n, p) = (rng.random_range(4..12_usize), rng.random_range(3..9_usize));
        let columns = random(n * p, seed + 1);
        let targets: Vec<f64> = random(n, seed + 2).iter().map(|t| 3.0 * t).collect();
        let precisions: Vec<f64> = (0..n).map(|_| rng.random_range(0.5..9.0)).collect();
        let limits = Limits { gain: 1e-6, smooth: 0.5 * f64::from(smooth), ..LIMITS };
        let mut gauss = problem(&columns, &precisions, &targets, &[(0, 0.7), (1, 0.1)]);
        let mut product = product(&columns, &precisions);
        let objective = |gauss: &GaussianProblem| {
            let mut c = covariance(&columns, &precisions, &model_of(gauss));
            let dense = Cholesky::new(&c, n).unwrap();
            let mut solved = targets.clone();
            dense.solve(&mut solved);
            let freedom: f64 = (0..n).map(|i| {
                let mut unit = vec![0.0; n];
                unit[i] = 1.0;
                dense.solve(&mut unit);
                1.0 - unit[i] / precisions[i]
            }).sum();
            assert!((freedom - gauss.degrees_of_freedom()).abs() < 1e-8, "{freedom}");
            assert!(cholesky::factor(&mut c, n));
            -0.5 * (cholesky::log_det(&c, n) + dot(&targets, &solved)) - limits.smooth * freedom
        };
        for _ in 0..20 {
            let Some(step) = gauss.best_action(&limits, true) else { break };
            let before = objective(&gauss);
            prop_assert!(gauss.apply(step.action, &limits, &mut product));
            let risen = objective(&gauss) - before;
            prop_assert!((risen - step.gain).abs() < 1e-7, "{:?}: {risen}", step);
        }
    }

    /// At the mode the gradient is 0, and the evidence is that of the dense Laplace approximation.
    #[test]
    fn irls_finds_the_mode(seed in 0_u64..1_000_000) {
        let mut rng = Seed::new(seed).rng();
        let (n, k) = (rng.random_range(2..30_usize), rng.random_range(1..6_usize));
        let columns: Vec<f64> = random(n * k, seed + 1).iter().map(|v| 6.0 * v).collect();
        let targets: Vec<f64> = (0..n).map(|_| f64::from(u8::from(rng.random_bool(0.5)))).collect();
        let weights: Vec<f64> = (0..n).map(|_| rng.random_range(0.1..3.0)).collect();
        let offsets = random(n, seed + 3);
        let alphas: Vec<f64> = (0..k).map(|_| 10_f64.powf(rng.random_range(-4.0..2.0))).collect();
        let rows = LogisticRows { targets: &targets, weights: Some(&weights), offsets: Some(&offsets) };
        let mut irls = Irls::new(n, k);
        let evidence = irls.fit(&columns, &rows, &alphas, None).unwrap();
        let (mut log_odds, mut log) = (offsets.clone(), 0.0);
        for j in 0..k {
            crate::num::add_scaled(&mut log_odds, irls.weights[j], &columns[j * n..(j + 1) * n]);
        }
        let mut residuals = vec![0.0; n];
        for i in 0..n {
            let p = 1.0 / (1.0 + (-log_odds[i]).exp());
            residuals[i] = weights[i] * (targets[i] - p);
            log += weights[i] * if targets[i] > 0.5 { p.ln() } else { (1.0 - p).ln() };
        }
        for j in 0..k {
            let slope = dot(&columns[j * n..(j + 1) * n], &residuals) - alphas[j] * irls.weights[j];
            prop_assert!(slope.abs() < 2e-2 * (1.0 + alphas[j].sqrt()), "slope {slope}");
        }
        let again = log_evidence(log, &alphas, &irls.weights, &irls.factor);
        prop_assert!((evidence - again).abs() < 1e-6 * (1.0 + again.abs()), "{evidence} {again}");
    }
}
