//! The measures against scikit-learn, scipy and plain definitions; see `reference/measure.py`.

mod common;

use evocracy::measure::{
    Confusion, Delong, Judgement, LEVEL, Roc, brier, hand_till, log2_likelihood, mae, r2, rmse,
    wilson,
};
use evocracy::num::{argmax, normal_quantile};
use serde::Deserialize;

const TOLERANCE: f64 = 1e-9;

type Figure = fn(&[f64], &[f64], Option<&[f64]>) -> evocracy::error::Result<f64>;

#[derive(Deserialize)]
struct Reference {
    two_classes: Vec<Ranked>,
    probabilities: Vec<Judged>,
    numbers: Vec<Numbers>,
    rates: Vec<Rate>,
    quantiles: Vec<(f64, f64)>,
}

#[derive(Deserialize)]
struct Ranked {
    name: String,
    truth: Vec<bool>,
    scores: Vec<f64>,
    weights: Option<Vec<f64>>,
    fpr: Vec<f64>,
    tpr: Vec<f64>,
    thresholds: Vec<f64>,
    auc: f64,
    delong_variance: Option<f64>,
    interval: Option<(f64, f64)>,
}

#[derive(Deserialize)]
struct Judged {
    name: String,
    labels: Vec<u32>,
    proba: Vec<Vec<f64>>,
    weights: Option<Vec<f64>>,
    classes: usize,
    auc: Option<f64>,
    brier: f64,
    log2_likelihood: f64,
    accuracy: f64,
    confusion: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Numbers {
    name: String,
    truth: Vec<f64>,
    predicted: Vec<f64>,
    weights: Option<Vec<f64>>,
    rmse: f64,
    mae: f64,
    r2: f64,
}

#[derive(Deserialize)]
struct Rate {
    successes: f64,
    trials: f64,
    level: f64,
    low: f64,
    high: f64,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("reference/measure.json")).unwrap()
}

#[track_caller]
fn near(name: &str, what: &str, ours: f64, theirs: f64) {
    common::near(name, what, ours, theirs, TOLERANCE);
}

#[test]
fn curves_and_areas() {
    for case in reference().two_classes {
        let roc = Roc::new(&case.truth, &case.scores, case.weights.as_deref()).unwrap();
        near(&case.name, "auc", roc.auc(), case.auc);
        assert_eq!(roc.points().len(), case.fpr.len(), "{}", case.name);
        for (i, p) in roc.points().iter().enumerate() {
            near(&case.name, "fpr", p.fpr, case.fpr[i]);
            near(&case.name, "tpr", p.tpr, case.tpr[i]);
            assert!(i == 0 || (p.threshold - case.thresholds[i - 1]).abs() < TOLERANCE);
        }
    }
}

#[test]
fn variances_and_intervals_of_areas() {
    for case in reference().two_classes {
        let delong = Delong::new(&case.truth, &case.scores, case.weights.as_deref()).unwrap();
        near(&case.name, "auc", delong.auc(), case.auc);
        assert_eq!(delong.variance().is_some(), case.delong_variance.is_some(), "{}", case.name);
        if let (Some(ours), Some(theirs)) = (delong.variance(), case.delong_variance) {
            // In units of itself: a variance is far below 1.
            let ratio = if theirs == 0.0 { 1.0 + ours } else { ours / theirs };
            near(&case.name, "variance ratio", ratio, 1.0);
        }
        let interval = delong.interval(LEVEL).unwrap();
        assert!(0.0 <= interval.low && interval.low <= case.auc, "{}", case.name);
        assert!(case.auc <= interval.high && interval.high <= 1.0, "{}", case.name);
        if let Some((low, high)) = case.interval {
            near(&case.name, "low", interval.low, low);
            near(&case.name, "high", interval.high, high);
        }
    }
}

#[test]
fn figures_of_probabilities() {
    for case in reference().probabilities {
        let (k, labels, weights) = (case.classes, &case.labels, case.weights.as_deref());
        let called: Vec<u32> = case.proba.iter().map(|p| argmax(p) as u32).collect();
        let proba = case.proba.concat();
        let judged = Judgement::new(labels, &proba, k, 1, weights).unwrap();
        if let Some(auc) = case.auc {
            near(&case.name, "auc", judged.auc.unwrap(), auc);
            near(&case.name, "M", hand_till(labels, &proba, k, weights).unwrap(), auc);
        }
        let likelihood = log2_likelihood(labels, &proba, k, weights).unwrap();
        near(&case.name, "log2-likelihood", likelihood, case.log2_likelihood);
        near(&case.name, "Brier", brier(labels, &proba, k, weights).unwrap(), case.brier);
        near(&case.name, "accuracy", judged.accuracy, case.accuracy);
        assert_eq!(judged.log2_likelihood, likelihood);
        near(&case.name, "judged Brier", judged.brier, case.brier);
        let confusion = Confusion::new(labels, &called, k, weights).unwrap();
        for (truth, row) in case.confusion.iter().enumerate() {
            for (called, &cell) in row.iter().enumerate() {
                near(&case.name, "cell", confusion.count(truth, called), cell);
            }
        }
        assert_eq!(judged.confusion, confusion);
    }
}

#[test]
fn errors_of_numbers() {
    for case in reference().numbers {
        let weights = case.weights.as_deref();
        let ours = |f: Figure| f(&case.truth, &case.predicted, weights).unwrap();
        near(&case.name, "rmse", ours(rmse), case.rmse);
        near(&case.name, "mae", ours(mae), case.mae);
        near(&case.name, "r2", ours(r2), case.r2);
    }
}

#[test]
fn intervals_of_rates_and_normal_quantiles() {
    let reference = reference();
    for case in &reference.rates {
        let interval = wilson(case.successes, case.trials, case.level).unwrap();
        near("wilson", "low", interval.low, case.low);
        near("wilson", "high", interval.high, case.high);
    }
    for &(p, quantile) in &reference.quantiles {
        near("normal", "quantile", normal_quantile(p), quantile);
    }
}
