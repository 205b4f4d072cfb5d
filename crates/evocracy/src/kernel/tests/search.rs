//! What a search must find.

use super::*;
use crate::kernel::complexity;

fn numbers(design: &Design, values: &[f64], settings: &Settings<'_>) -> Solution {
    fit(design, Target::Numbers(values), None, settings, &Stop::new()).unwrap()
}

#[test]
fn the_evidence_of_numbers_never_falls() {
    for seed in 0..20 {
        let (design, values) = sine(60, seed);
        let found = numbers(&design, &values, &Settings::default());
        assert!(found.converged && found.bases.len() < 15, "{found:?}");
        assert!(found.curve.windows(2).all(|pair| pair[1] >= pair[0] - 1e-7), "{:?}", found.curve);
    }
}

fn both(design: &Design, target: Target<'_>) -> (Solution, Solution) {
    let (stop, settings) = (Stop::new(), Settings::default());
    let ours = fit(design, target, None, &settings, &stop).unwrap();
    (ours, classic::fit(design, target, None, &settings, &stop).unwrap())
}

#[test]
fn fast_is_as_good_as_classic_on_numbers() {
    for seed in 0..5 {
        let (design, values) = sine(80, seed);
        let (ours, theirs) = both(&design, Target::Numbers(&values));
        assert!(ours.evidence >= theirs.evidence - 1.0, "{} {}", ours.evidence, theirs.evidence);
    }
    // Bases of which many are needed at once.
    let points: Vec<f64> = random(80, 5).iter().map(|x| 3.5 * x).collect();
    let noise = random(80, 6);
    let values: Vec<f64> =
        points.iter().zip(noise).map(|(x, e)| (3.5 * x).sin() + 0.35 * e).collect();
    for (kernel, width) in [(Kernel::Gaussian, 1.0), (Kernel::Polynomial, 2.3)] {
        let dictionary = Dictionary { kernel, degree: 8, ..gaussian(width) };
        let design = Design::new(&dictionary, &points, 80, Keep::Stored);
        let (ours, theirs) = both(&design, Target::Numbers(&values));
        let (ours, theirs) = (ours.evidence, theirs.evidence);
        assert!(ours >= theirs - 1.0, "{kernel:?}: {ours} {theirs}");
    }
}

/// Points of two classes, input after input, that no single wide basis separates: two concentric
/// rings, exclusive or, two spirals, a chessboard.
fn entangled(kind: usize, n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (noise, place) = (random(2 * n, seed), random(2 * n, seed + 1));
    let mut points = vec![0.0; 2 * n];
    let mut targets = vec![0.0; n];
    for i in 0..n {
        let class = (i / 2 + i / 3) % 2;
        let (angle, side) = (std::f64::consts::TAU * place[i], class as f64);
        let (x, y) = match kind {
            0 => ((0.5 + side) * angle.cos(), (0.5 + side) * angle.sin()),
            1 => {
                let x = place[n + i].signum();
                (x, x * (2.0 * side - 1.0))
            }
            2 => {
                let (turn, far) = (4.0 * (place[i] + 0.5), 0.3 + place[i] + 0.5);
                let angle = turn + std::f64::consts::PI * side;
                (far * angle.cos(), far * angle.sin())
            }
            _ => (2.0 * place[i], 2.0 * place[n + i]),
        };
        let board = usize::from((x > 0.0) == (y > 0.0)) as f64;
        targets[i] = if kind < 3 { side } else { board };
        points[i] = x + 0.4 * noise[i];
        points[n + i] = y + 0.4 * noise[n + i];
    }
    (points, targets)
}

/// The rows of an embedded data set, its inputs standardised.
fn embedded(name: &str) -> (Vec<f64>, Vec<f64>) {
    use crate::data::catalogue::{Catalogue, Load};
    let data = Catalogue::embedded().open(name, &Load::default()).unwrap();
    let view = data.features();
    let mut points = Vec::new();
    for column in 0..view.columns() {
        let crate::data::Column::Number(values) = view.gather(column) else { panic!("{name}") };
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let spread = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
        points.extend(values.iter().map(|v| (v - mean) / spread));
    }
    let (_, labels) = data.task().unwrap().labels().unwrap();
    (points, labels.iter().map(|&label| f64::from(label)).collect())
}

#[test]
fn fast_is_as_good_as_classic_on_classes() {
    let mut problems: Vec<(String, f64, Vec<f64>, Vec<f64>)> = Vec::new();
    for (kind, widths) in [vec![1.0, 4.0], vec![1.0, 4.0], vec![1.0], vec![1.0]].iter().enumerate()
    {
        for &width in widths {
            let (points, targets) = entangled(kind, 150, 1);
            problems.push((format!("entangled {kind}"), width, points, targets));
        }
    }
    for (name, widths) in [("ripley-synth:train", [2.0, 8.0]), ("pima:train", [1.0, 4.0])] {
        for width in widths {
            let (points, targets) = embedded(name);
            problems.push((name.to_owned(), width, points, targets));
        }
    }
    for (name, width, points, targets) in problems {
        let dictionary = Dictionary { centres: 60, ..gaussian(width) };
        let design = Design::new(&dictionary, &points, targets.len(), Keep::Stored);
        let (ours, theirs) = both(&design, Target::Classes(&targets, None));
        let (ours, theirs) = (ours.evidence, theirs.evidence);
        assert!(ours >= theirs - 1.0, "{name} {width}: {ours} {theirs}");
    }
}

#[test]
fn a_constant_in_the_targets_changes_neither_noise_nor_fit() {
    let (design, values) = sine(80, 1);
    let unit = vec![1.0; 80];
    for learn in [fit, classic::fit] {
        let of = |constant: f64| {
            let moved: Vec<f64> = values.iter().map(|v| v + constant).collect();
            let target = Target::Numbers(&moved);
            let found = learn(&design, target, None, &Settings::default(), &Stop::new()).unwrap();
            let mut rest = moved.clone();
            let mut column = vec![0.0; 80];
            for (basis, weight) in found.bases.iter().zip(&found.weights) {
                design.column_into(*basis, &mut column);
                crate::num::add_scaled(&mut rest, -weight, &column);
            }
            (found.noise.unwrap(), dot(&rest, &rest) / dot(&unit, &unit))
        };
        let (noise, rest) = of(0.0);
        for constant in [-1e3, 1e4, 1e6] {
            let moved = of(constant);
            assert!((moved.0 / noise - 1.0).abs() < 0.05, "{constant}: {} {noise}", moved.0);
            assert!((moved.1 / rest - 1.0).abs() < 0.05, "{constant}: {} {rest}", moved.1);
        }
    }
    // Targets that are constant have a model as well.
    assert!(numbers(&design, &[7.0; 80], &Settings::default()).evidence.is_finite());
}

/// A basis that nearly equals one in the model must not replace a third.
#[test]
fn near_duplicates_converge() {
    for (seed, apart) in [(1, 3e-4), (2, 1e-3), (3, 1.3e-3), (4, 2e-3)] {
        let (a, b, c, e) =
            (random(100, seed), random(100, seed + 9), random(100, seed + 99), random(100, 5));
        let near: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + apart * b).collect();
        let values: Vec<f64> = (0..100).map(|i| a[i] + b[i] + 0.2 * c[i] + 0.05 * e[i]).collect();
        let design = Design::from_columns([a, near, c].concat(), 100).unwrap();
        let found = numbers(&design, &values, &Settings::default());
        assert!(found.converged);
        assert!(found.curve.windows(2).all(|pair| pair[1] >= pair[0] - 1e-6), "{:?}", found.curve);
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let (design, values) = sine(20, 1);
    let classes: Vec<f64> = values.iter().map(|v| f64::from(u8::from(*v > 0.0))).collect();
    let (nan, few) = (vec![f64::NAN; 20], vec![1.0; 19]);
    let noise = Settings { noise: Some(-1.0), ..Settings::default() };
    let smooth = Settings { smooth: f64::NAN, ..Settings::default() };
    let usual = Settings::default();
    assert!(Design::from_columns(vec![f64::INFINITY; 40], 20).is_err());
    for learn in [fit, classic::fit] {
        for (design, target, weights, settings) in [
            (&design, Target::Numbers(&few), None, &usual),
            (&design, Target::Numbers(&nan), None, &usual),
            (&design, Target::Numbers(&values), Some(&few[..]), &usual),
            (&design, Target::Numbers(&values), Some(&nan[..]), &usual),
            (&design, Target::Numbers(&values), Some(&[0.0; 20][..]), &usual),
            (&design, Target::Numbers(&values), None, &noise),
            (&design, Target::Numbers(&values), None, &smooth),
            (&design, Target::Classes(&values, None), None, &usual),
            (&design, Target::Classes(&classes, Some(&few)), None, &usual),
            (&design, Target::Classes(&classes, Some(&nan)), None, &usual),
        ] {
            let found = learn(design, target, weights, settings, &Stop::new());
            assert!(found.is_err(), "{target:?} {weights:?} {settings:?}");
        }
    }
}

#[test]
fn a_stop_ends_the_search_with_the_model_so_far() {
    let (points, targets) = blobs(100, 2);
    let stop = Stop::new();
    stop.request();
    for keep in [Keep::Stored, Keep::Computed] {
        let design = Design::new(&gaussian(1.0), &points, 100, keep);
        for target in [Target::Classes(&targets, None), Target::Numbers(&targets)] {
            for learn in [fit, classic::fit] {
                let found = learn(&design, target, None, &Settings::default(), &stop).unwrap();
                assert!(!found.converged && found.curve.len() <= 2, "{found:?}");
            }
        }
    }
}

/// `p (1 - p)` is exact for large log-odds of either sign.
#[test]
fn rows_far_from_the_boundary_keep_their_precision() {
    let mut irls = Irls::default();
    let rows = LogisticRows { targets: &[1.0, 0.0], weights: None, offsets: Some(&[50.0, -50.0]) };
    irls.fit(&[0.0, 0.0], &rows, &[1.0], None).unwrap();
    assert!(irls.precisions.iter().all(|p| (p / (-50_f64).exp() - 1.0).abs() < 1e-12));
    assert!((irls.residuals[0] + irls.residuals[1]).abs() < 1e-30 && irls.residuals[0] > 0.0);
}

#[test]
fn an_empty_model_has_no_complexity() {
    assert!(complexity(&[]).is_sign_positive());
}

#[test]
fn a_weight_of_two_is_a_row_twice() {
    let (points, targets) = blobs(40, 3);
    let weights: Vec<f64> = (0..40).map(|i| f64::from(i % 3)).collect();
    let times = |values: &[f64]| -> Vec<f64> {
        let each = values.iter().zip(&weights);
        each.flat_map(|(v, w)| std::iter::repeat_n(*v, *w as usize)).collect()
    };
    let all = columns(&Design::new(&gaussian(1.0), &points, 40, Keep::Stored));
    let repeated: Vec<f64> = all.chunks_exact(40).flat_map(times).collect();
    let twice = times(&targets);
    let stop = Stop::new();
    for classes in [true, false] {
        let target = |t| if classes { Target::Classes(t, None) } else { Target::Numbers(t) };
        let settings = Settings::default();
        let once = Design::from_columns(all.clone(), 40).unwrap();
        let once = fit(&once, target(&targets), Some(&weights), &settings, &stop).unwrap();
        let copies = Design::from_columns(repeated.clone(), twice.len()).unwrap();
        let copies = fit(&copies, target(&twice), None, &settings, &stop).unwrap();
        assert_eq!(once.bases, copies.bases);
        assert!((once.evidence - copies.evidence).abs() < 1e-6);
    }
}

#[test]
fn bases_stored_and_computed_are_the_same() {
    let (points, targets) = blobs(70, 5);
    for kernel in
        [Kernel::Gaussian, Kernel::Laplacian, Kernel::Polynomial, Kernel::Linear, Kernel::Columns]
    {
        let dictionary = Dictionary { kernel, widths: vec![1.0, 0.5], ..gaussian(1.0) };
        let stored = Design::new(&dictionary, &points, 70, Keep::Stored);
        let computed = Design::new(&dictionary, &points, 70, Keep::Computed);
        assert_eq!(columns(&stored), columns(&computed));
        let some = Dictionary { centres: 20, ..dictionary.clone() };
        let some = Design::new(&some, &points, 70, Keep::Stored);
        assert!(
            some.len() <= 41 && some.bases().iter().all(|basis| stored.bases().contains(basis))
        );
        let learn = |design: &Design| {
            fit(design, Target::Classes(&targets, None), None, &Settings::default(), &Stop::new())
        };
        assert_eq!(learn(&stored).unwrap(), learn(&computed).unwrap());
    }
}

#[test]
fn kernels_are_their_formulas() {
    let (a, b): ([f64; 2], [f64; 2]) = ([0.3, -1.0], [1.1, 0.5]);
    let points = [a[0], b[0], a[1], b[1]];
    let value = |kernel| {
        let mut out = [0.0; 2];
        let points = &DenseRows::from_slice(&points, 2);
        crate::kernel::bases::kernel_into(kernel, 3, points, 0, &b, 0.7, &mut out);
        out[0]
    };
    let square = 0.8 * 0.8 + 1.5 * 1.5;
    let product = 0.3 * 1.1 - 0.5;
    assert!((value(Kernel::Gaussian) - (-square / 0.49_f64).exp()).abs() < 1e-12);
    assert!((value(Kernel::Laplacian) - (-2.3 / 0.7_f64).exp()).abs() < 1e-12);
    assert!((value(Kernel::Polynomial) - (1.0 + product / 0.49_f64).powi(3)).abs() < 1e-12);
    assert!((value(Kernel::Linear) - product).abs() < 1e-12);
}

#[test]
fn a_start_from_the_optimum_stays_there() {
    let (points, targets) = blobs(150, 8);
    let design = Design::new(&gaussian(1.0), &points, 150, Keep::Stored);
    let target = Target::Classes(&targets, None);
    let first = fit(&design, target, None, &Settings::default(), &Stop::new()).unwrap();
    let start = first.start();
    let settings = Settings { start: &start, explore: false, ..Settings::default() };
    let again = fit(&design, target, None, &settings, &Stop::new()).unwrap();
    assert_eq!(first.bases, again.bases);
    assert!((first.evidence - again.evidence).abs() < 1e-3);
    // Positions out of range and invalid precisions are ignored.
    let start = [(usize::MAX, 1.0), (3, f64::NAN), (4, -1.0)];
    let settings = Settings { start: &start, ..Settings::default() };
    assert!(fit(&design, target, None, &settings, &Stop::new()).unwrap().converged);
}

#[test]
fn duplicates_of_a_basis_are_added_once() {
    let (design, values) = sine(50, 2);
    let mut twice = columns(&design);
    twice.extend_from_within(..);
    let once = numbers(&design, &values, &Settings::default());
    let found = numbers(&Design::from_columns(twice, 50).unwrap(), &values, &Settings::default());
    let mut bases: Vec<usize> = found.bases.iter().map(|basis| basis % design.len()).collect();
    bases.sort_unstable();
    bases.dedup();
    assert_eq!(bases.len(), found.bases.len());
    assert!((once.evidence - found.evidence).abs() < 0.5);
}

#[test]
fn a_smooth_model_has_fewer_degrees_of_freedom() {
    let free = |smooth: f64| -> f64 {
        let total = (0..10).map(|seed| {
            let points: Vec<f64> = (0..100).map(|i| f64::from(i) / 10.0).collect();
            let dictionary = Dictionary { widths: vec![2.0, 1.0, 0.5, 0.1], ..gaussian(1.0) };
            let design = Design::new(&dictionary, &points, 100, Keep::Stored);
            let noise = random(100, seed);
            let values: Vec<f64> = points.iter().zip(noise).map(|(x, e)| x.sin() + e).collect();
            let found = numbers(&design, &values, &Settings { smooth, ..Settings::default() });
            let k = found.bases.len();
            (0..k).map(|j| 1.0 - found.alphas[j] * found.covariance[j * k + j]).sum::<f64>()
        });
        total.sum()
    };
    assert!(free(1.0) < free(0.0), "{} {}", free(1.0), free(0.0));
}

/// The objective is the evidence less the smoothness penalty: a search with the prior must end
/// higher than one without.
#[test]
fn the_penalised_evidence_is_what_is_maximised() {
    for seed in 0..5 {
        let (design, values) = sine(60, seed);
        let learn = |smooth| numbers(&design, &values, &Settings { smooth, ..Settings::default() });
        let (plain, smooth) = (learn(0.0), learn(2.0));
        let height = |found: &Solution| {
            let k = found.bases.len();
            let free =
                (0..k).map(|j| 1.0 - found.alphas[j] * found.covariance[j * k + j]).sum::<f64>();
            found.evidence - 2.0 * free
        };
        assert!(height(&smooth) >= height(&plain) - 0.01);
        assert!((height(&smooth) - smooth.curve.last().unwrap()).abs() < 1e-6);
        assert!(smooth.curve.windows(2).all(|pair| pair[1] >= pair[0] - 1e-7));
    }
}

#[test]
fn a_known_noise_stays() {
    let (design, values) = sine(50, 4);
    let found = numbers(&design, &values, &Settings { noise: Some(0.04), ..Settings::default() });
    assert_eq!(found.noise, Some(0.04));
}
