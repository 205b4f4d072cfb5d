//! Relevance vector regression with Gaussian kernels against R's `kernlab`
//! (`reference/rvm_kernlab.R`), which has no bias and starts from all bases.

use evocracy::kernel::fast::{Settings, Solution, Target, fit};
use evocracy::kernel::{Design, Dictionary, Keep, Kernel, classic};
use evocracy::run::Stop;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    sigma: f64,
    x: Vec<f64>,
    y: Vec<f64>,
    kept: Vec<usize>,
    weights: Vec<f64>,
    noise: f64,
    fitted: Vec<f64>,
}

fn rms(a: &[f64], b: &[f64]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / a.len() as f64).sqrt()
}

#[test]
fn curve_noise_and_evidence_are_those_of_kernlab_or_better() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("reference/rvm_kernlab.json")).unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let n = case.x.len();
        let widths = vec![1.0 / case.sigma.sqrt()];
        let dictionary =
            Dictionary { kernel: Kernel::Gaussian, degree: 2, widths, bias: false, centres: 0 };
        let design = Design::new(&dictionary, &case.x, n, Keep::Stored);
        let (target, stop) = (Target::Numbers(&case.y), Stop::new());

        // Its weights on our bases give its curve: the kernels are the same.
        let known = Solution {
            bases: case.kept.clone(),
            alphas: vec![1.0; case.kept.len()],
            weights: case.weights,
            covariance: vec![0.0; case.kept.len() * case.kept.len()],
            noise: Some(case.noise),
            evidence: 0.0,
            curve: Vec::new(),
            converged: true,
        };
        assert!(rms(&known.predict(&design).unwrap().0, &case.fitted) < 1e-9);

        // Its bases with the precisions that suit them best.
        let start: Vec<(usize, f64)> = case.kept.iter().map(|&base| (base, 1.0)).collect();
        let settings = Settings { start: &start, ..Settings::default() };
        let theirs = classic::fit(&design, target, None, &settings, &stop).unwrap();
        assert!(rms(&theirs.predict(&design).unwrap().0, &case.fitted) < 0.1 * case.noise.sqrt());
        let noise = theirs.noise.unwrap();
        assert!((noise / case.noise).ln().abs() < 1e-3, "{noise} {}", case.noise);

        let ours = fit(&design, target, None, &Settings::default(), &stop).unwrap();
        assert!(ours.evidence > theirs.evidence - 0.5, "{} {}", ours.evidence, theirs.evidence);
        assert!(ours.bases.len() <= case.kept.len(), "{:?} {:?}", ours.bases, case.kept);
        let noise = ours.noise.unwrap();
        assert!((noise / case.noise).ln().abs() < 0.1, "{noise} {}", case.noise);
        let apart = rms(&ours.predict(&design).unwrap().0, &case.fitted);
        assert!(apart < 0.3 * case.noise.sqrt(), "{apart}");
    }
}
