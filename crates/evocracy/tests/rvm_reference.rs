//! Relevance vector regression on the columns of a table against scikit-learn's `ARDRegression`
//! (`reference/rvm.py`), which raises the same evidence.

use evocracy::kernel::fast::{Settings, Target, fit};
use evocracy::kernel::{Design, classic};
use evocracy::run::Stop;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    x: Vec<Vec<f64>>,
    y: Vec<f64>,
    kept: Vec<usize>,
    coefficients: Vec<f64>,
    noise: f64,
    alphas: Vec<f64>,
    variances: Vec<f64>,
}

#[test]
fn bases_weights_noise_and_variances_are_those_of_scikit_learn() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("reference/rvm.json")).unwrap();
    for case in cases {
        let design = Design::from_columns(case.x.concat(), case.y.len()).unwrap();
        let settings = Settings { gain: 1e-9, change: 1e-7, ..Settings::default() };
        let (target, stop) = (Target::Numbers(&case.y), Stop::new());
        let near = |ours: f64, theirs: f64| (ours / theirs - 1.0).abs() < 1e-3;
        let fast = fit(&design, target, None, &settings, &stop).unwrap();
        let slow = classic::fit(&design, target, None, &settings, &stop).unwrap();
        assert!((fast.evidence - slow.evidence).abs() < 0.01, "{fast:?} {slow:?}");
        assert_eq!(fast.bases, case.kept);
        assert!(near(fast.noise.unwrap(), case.noise));
        let k = case.kept.len();
        for j in 0..k {
            assert!(near(fast.weights[j], case.coefficients[j]), "{fast:?}");
            assert!(near(fast.alphas[j], case.alphas[j]), "{fast:?}");
            assert!(near(fast.covariance[j * k + j], case.variances[j]), "{fast:?}");
        }
    }
}
