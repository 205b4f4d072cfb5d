//! Reliability, decompositions, calibration and margins against scikit-learn, statsmodels and
//! numpy; see `reference/probabilities.py`.

use super::near::{near, same, uniform};
use evocracy::committee::calibrate::{Isotonic, Platt};
use evocracy::measure::{
    Bins, Calibration, Decomposition, LEVEL, MarginSummary, Reliability, brier, classwise_ece,
    margins,
};
use serde::Deserialize;

const TOLERANCE: f64 = 1e-11;
/// Of what statsmodels finds by iteration.
const FITTED: f64 = 1e-9;

#[derive(Deserialize)]
struct Reference {
    two_classes: Vec<Two>,
    more_classes: Vec<More>,
}

#[derive(Deserialize)]
struct Two {
    name: String,
    big: Option<[u64; 2]>,
    truth: Option<Vec<bool>>,
    proba: Option<Vec<f64>>,
    weights: Option<Vec<f64>>,
    width: Table,
    mass: Table,
    exact: Option<[f64; 5]>,
    binned: [f64; 5],
    /// Intercept, slope and their errors.
    line: Option<[Option<f64>; 4]>,
    shift: Option<f64>,
    platt: Option<[f64; 2]>,
    grid: Vec<f64>,
    isotonic: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct Table {
    /// Weight, mean, rate and interval.
    bins: Vec<[f64; 5]>,
    ece: f64,
    mce: f64,
}

#[derive(Deserialize)]
struct More {
    name: String,
    labels: Vec<u32>,
    proba: Vec<Vec<f64>>,
    weights: Option<Vec<f64>>,
    top: Table,
    classwise: f64,
    parts: [f64; 5],
    quantiles: [f64; 5],
    mean: f64,
    deviation: f64,
    negative: f64,
}

fn reference() -> Reference {
    let mut found: Reference =
        serde_json::from_str(include_str!("../reference/probabilities.json")).unwrap();
    for case in &mut found.two_classes {
        if let Some([scores, truth]) = case.big {
            let u = uniform(scores, 100_000);
            let v = uniform(truth, 100_000);
            case.truth = Some(u.iter().zip(v).map(|(u, v)| v < 0.1 + 0.7 * u * u).collect());
            case.proba = Some(u);
        }
    }
    found
}

impl Two {
    fn rows(&self) -> (&[bool], &[f64], Option<&[f64]>) {
        let (truth, proba) = (self.truth.as_deref(), self.proba.as_deref());
        (truth.unwrap(), proba.unwrap(), self.weights.as_deref())
    }
}

#[track_caller]
fn tables(name: &str, ours: &Reliability, theirs: &Table) {
    assert_eq!(ours.bins().len(), theirs.bins.len(), "{name}");
    for (ours, theirs) in ours.bins().iter().zip(&theirs.bins) {
        let ours = [ours.weight, ours.mean, ours.rate, ours.interval.low, ours.interval.high];
        for (a, b) in ours.iter().zip(theirs) {
            near(name, "bin", *a, *b, TOLERANCE);
        }
    }
    near(name, "ECE", ours.ece(), theirs.ece, TOLERANCE);
    near(name, "MCE", ours.mce(), theirs.mce, TOLERANCE);
}

#[track_caller]
fn terms(name: &str, ours: &Decomposition, theirs: &[f64; 5]) {
    let all = [
        ours.reliability,
        ours.resolution,
        ours.uncertainty,
        ours.within_variance,
        ours.within_covariance,
    ];
    for (a, b) in all.iter().zip(theirs) {
        near(name, "term", *a, *b, TOLERANCE);
    }
    near(name, "sum", ours.sum(), ours.brier, 1e-12);
}

#[test]
fn reliability_tables() {
    for case in reference().two_classes {
        let (truth, proba, weights) = case.rows();
        let table = |bins| Reliability::new(truth, proba, bins, LEVEL, weights).unwrap();
        tables(&case.name, &table(Bins::Width(10)), &case.width);
        tables(&case.name, &table(Bins::Mass(7)), &case.mass);
    }
}

#[test]
fn decompositions() {
    for case in reference().two_classes {
        let (truth, proba, weights) = case.rows();
        let parts = |bins| Decomposition::new(truth, proba, bins, weights).unwrap();
        terms(&case.name, &parts(Bins::Width(10)), &case.binned);
        let exact = parts(Bins::Distinct);
        let three = exact.reliability - exact.resolution + exact.uncertainty;
        near(&case.name, "Murphy's sum", three, exact.brier, 1e-12);
        if let Some(theirs) = case.exact {
            terms(&case.name, &exact, &theirs);
        }
    }
}

#[test]
fn calibration_lines() {
    for case in reference().two_classes {
        let (truth, proba, weights) = case.rows();
        let ours = Calibration::new(truth, proba, weights).unwrap();
        same(&case.name, "in the large", ours.in_the_large, case.shift, FITTED);
        assert_eq!(ours.line.is_some(), case.line.is_some(), "{}", case.name);
        if let (Some(ours), Some(theirs)) = (ours.line, case.line) {
            let ours = [ours.intercept, ours.slope, ours.intercept_error, ours.slope_error];
            for (a, b) in ours.iter().zip(theirs) {
                near(&case.name, "line", *a, b.unwrap_or(*a), FITTED);
            }
        }
    }
}

#[test]
fn calibration_maps() {
    for case in reference().two_classes {
        let (truth, proba, weights) = case.rows();
        if let Some([slope, intercept]) = case.platt {
            let ours = Platt::fit(proba, truth, weights).unwrap();
            near(&case.name, "slope", ours.slope, slope, FITTED);
            near(&case.name, "intercept", ours.intercept, intercept, FITTED);
        }
        if let Some(theirs) = &case.isotonic {
            let ours = Isotonic::fit(proba, truth, weights).unwrap();
            for (score, value) in case.grid.iter().zip(theirs) {
                near(&case.name, "isotonic", ours.apply(*score), *value, TOLERANCE);
            }
        }
    }
}

#[test]
fn any_number_of_classes() {
    for case in reference().more_classes {
        let k = case.proba[0].len();
        let (labels, proba, weights) = (&case.labels, case.proba.concat(), case.weights.as_deref());
        let bins = Bins::Width(15);
        let top = Reliability::of_top(labels, &proba, k, bins, LEVEL, weights).unwrap();
        tables(&case.name, &top, &case.top);
        let classwise = classwise_ece(labels, &proba, k, bins, weights).unwrap();
        near(&case.name, "class-wise ECE", classwise, case.classwise, TOLERANCE);
        let parts = Decomposition::of_classes(labels, &proba, k, bins, weights).unwrap();
        terms(&case.name, &parts, &case.parts);
        let score = brier(labels, &proba, k, weights).unwrap();
        near(&case.name, "Brier", parts.brier, score, 1e-13);
        let found = MarginSummary::new(&margins(labels, &proba, k).unwrap(), weights).unwrap();
        let quantiles =
            [found.least, found.lower_quartile, found.median, found.upper_quartile, found.greatest];
        for (a, b) in quantiles.iter().zip(case.quantiles) {
            near(&case.name, "quantile", *a, b, TOLERANCE);
        }
        near(&case.name, "mean", found.mean, case.mean, TOLERANCE);
        near(&case.name, "deviation", found.deviation, case.deviation, TOLERANCE);
        near(&case.name, "negative", found.negative, case.negative, TOLERANCE);
    }
}
