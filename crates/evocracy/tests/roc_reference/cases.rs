//! The files that `reference/roc.py` and `reference/roc.R` wrote.

use serde::Deserialize;

#[derive(Deserialize)]
pub struct Reference {
    pub cases: Vec<Case>,
    pub one_rest: Vec<OneRest>,
    pub bootstraps: Vec<Resampled>,
    pub powers: Vec<Power>,
    pub million: Million,
}

#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub truth: Vec<bool>,
    pub scores: Vec<f64>,
    pub second: Vec<f64>,
    pub weights: Option<Vec<f64>>,
    pub auc: f64,
    pub partial: Vec<(f64, f64)>,
    pub hull: Vec<(f64, f64)>,
    pub costs: Vec<Cost>,
    pub youden: f64,
    pub conservative: f64,
    pub precision: Vec<f64>,
    pub recall: Vec<f64>,
    pub cuts: Vec<f64>,
    pub average_precision: f64,
    pub lift: Vec<(f64, f64)>,
    pub benefit: Vec<(f64, f64, f64)>,
}

#[derive(Deserialize)]
pub struct Cost {
    pub alarm: f64,
    pub miss: f64,
    pub prior: f64,
    pub least: f64,
}

#[derive(Deserialize)]
pub struct OneRest {
    pub name: String,
    pub labels: Vec<u32>,
    pub proba: Vec<f64>,
    pub weights: Option<Vec<f64>>,
    pub each: Vec<f64>,
    pub mean: f64,
    pub weighted_mean: Option<f64>,
}

#[derive(Deserialize)]
pub struct Resampled {
    pub name: String,
    pub truth: Vec<bool>,
    pub scores: Vec<f64>,
    pub replicates: Vec<f64>,
    pub deviation: f64,
    pub percentile: (f64, f64),
    pub bca: (f64, f64),
}

#[derive(Deserialize)]
pub struct Power {
    pub kind: String,
    pub auc: f64,
    pub against: f64,
    pub m: f64,
    pub n: f64,
    pub correlation: Option<f64>,
    pub expected: f64,
}

#[derive(Deserialize)]
pub struct Million {
    pub rows: u32,
    pub points: usize,
    pub at: Vec<(usize, f64, f64)>,
    pub first: f64,
    pub second: f64,
    pub average_precision: f64,
}

#[derive(Deserialize)]
pub struct Proc {
    pub cases: Vec<ProcCase>,
    pub million: ProcMillion,
    pub power: Vec<ProcPower>,
}

#[derive(Deserialize)]
pub struct ProcCase {
    pub name: String,
    pub auc: f64,
    pub variance: Option<f64>,
    pub covariance: Option<f64>,
    pub plain: Option<(f64, f64)>,
    pub z: Option<f64>,
    pub p: Option<f64>,
    pub t: Option<f64>,
    pub df: Option<f64>,
    pub apart_p: Option<f64>,
    pub fpr: f64,
    pub fpr_corrected: f64,
    pub strip: f64,
    pub tpr: f64,
    pub tpr_corrected: f64,
    pub youden: f64,
    pub best: (f64, f64),
}

#[derive(Deserialize)]
pub struct ProcMillion {
    pub first: f64,
    pub second: f64,
    pub variance: f64,
    pub covariance: f64,
    pub z: f64,
}

#[derive(Deserialize)]
pub struct ProcPower {
    pub auc: f64,
    pub ratio: f64,
    pub power: f64,
    pub cases: f64,
}

pub fn reference() -> Reference {
    serde_json::from_str(include_str!("../reference/roc.json")).unwrap()
}

pub fn proc() -> Proc {
    serde_json::from_str(include_str!("../reference/roc_proc.json")).unwrap()
}
