//! Rates, agreement and costs of labels against scikit-learn; see `reference/labels.py`.

use super::near::{near, same, uniform};
use evocracy::measure::{Average, Confusion, CostMatrix, Rate};
use serde::Deserialize;

const TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct Case {
    name: String,
    big: Option<Vec<u64>>,
    classes: usize,
    truth: Option<Vec<u32>>,
    called: Option<Vec<u32>>,
    weights: Option<Vec<f64>>,
    each: Vec<Each>,
    averages: Averages,
    mcc: Option<f64>,
    kappa: Option<f64>,
    balanced: f64,
    costs: Vec<Vec<f64>>,
    prior: Vec<f64>,
    total_cost: f64,
    mean_cost: f64,
    rate_cost: Option<f64>,
    expected_cost: Option<f64>,
}

#[derive(Deserialize)]
struct Each {
    precision: Option<f64>,
    recall: Option<f64>,
    specificity: Option<f64>,
    npv: Option<f64>,
    f_half: Option<f64>,
    f_one: Option<f64>,
    f_two: Option<f64>,
}

/// Precision, recall and F2.
#[derive(Deserialize)]
struct Averages {
    r#macro: [Option<f64>; 3],
    micro: [Option<f64>; 3],
    weighted: [Option<f64>; 3],
}

impl Case {
    fn confusion(&self) -> Confusion {
        let (mut truth, mut called) = (self.truth.clone(), self.called.clone());
        if let Some(seeds) = &self.big {
            let draws: Vec<_> = seeds.iter().map(|&seed| uniform(seed, 100_000)).collect();
            let class = |u: f64| (u * self.classes as f64) as u32;
            truth = Some(draws[0].iter().map(|&u| class(u)).collect());
            let call = |i: usize| class(if draws[1][i] < 0.7 { draws[0][i] } else { draws[2][i] });
            called = Some((0..100_000).map(call).collect());
        }
        let weights = self.weights.as_deref();
        Confusion::new(&truth.unwrap(), &called.unwrap(), self.classes, weights).unwrap()
    }
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("../reference/labels.json")).unwrap()
}

#[test]
fn rates_of_every_class() {
    for case in cases() {
        let confusion = case.confusion();
        for (class, theirs) in case.each.iter().enumerate() {
            let ours = confusion.outcomes(class);
            let check = |what, ours, theirs| same(&case.name, what, ours, theirs, TOLERANCE);
            check("precision", ours.precision(), theirs.precision);
            check("recall", ours.recall(), theirs.recall);
            check("tpr", confusion.tpr(class), theirs.recall);
            check("specificity", ours.specificity(), theirs.specificity);
            check("fpr", confusion.fpr(class), theirs.specificity.map(|s| 1.0 - s));
            check("npv", ours.npv(), theirs.npv);
            check("F 0.5", ours.f_beta(0.5), theirs.f_half);
            check("F 1", ours.f_beta(1.0), theirs.f_one);
            check("F 2", ours.f_beta(2.0), theirs.f_two);
        }
    }
}

#[test]
fn averages_over_classes() {
    for case in cases() {
        let confusion = case.confusion();
        let rates = [Rate::Precision, Rate::Recall, Rate::FBeta(2.0)];
        for (average, theirs) in [
            (Average::Macro, case.averages.r#macro),
            (Average::Micro, case.averages.micro),
            (Average::Weighted, case.averages.weighted),
        ] {
            for (rate, theirs) in rates.iter().zip(theirs) {
                let ours = confusion.average(*rate, average).map(|found| found.value);
                same(&case.name, &format!("{average:?} {rate:?}"), ours, theirs, TOLERANCE);
            }
        }
    }
}

#[test]
fn agreement_in_one_number() {
    for case in cases() {
        let confusion = case.confusion();
        same(&case.name, "MCC", confusion.mcc(), case.mcc, TOLERANCE);
        same(&case.name, "kappa", confusion.kappa(), case.kappa, TOLERANCE);
        let balanced = confusion.balanced_accuracy();
        near(&case.name, "balanced accuracy", balanced, case.balanced, TOLERANCE);
    }
}

#[test]
fn costs() {
    for case in cases() {
        let confusion = case.confusion();
        let costs = CostMatrix::new(&case.costs).unwrap();
        let total = confusion.total_cost(&costs).unwrap();
        near(&case.name, "total cost", total, case.total_cost, TOLERANCE);
        let mean = confusion.mean_cost(&costs).unwrap();
        near(&case.name, "mean cost", mean, case.mean_cost, TOLERANCE);
        let rate = confusion.rate_cost(&costs).unwrap();
        same(&case.name, "cost of rates", rate, case.rate_cost, TOLERANCE);
        let expected = confusion.expected_cost(&costs, &case.prior).unwrap();
        same(&case.name, "expected cost", expected, case.expected_cost, TOLERANCE);
    }
}
