//! Tests against scipy, statsmodels and scikit-posthocs; see `reference/significance.py`.

use super::near::{close, near, uniform};
use evocracy::measure::significance::{
    Alternative, Better, Friedman, McNemar, Nemenyi, Null, Zeros, benjamini_hochberg,
    corrected_t_folds, holm, mann_whitney, wilcoxon,
};
use evocracy::num;
use serde::Deserialize;

/// Of p-values, in units of themselves.
const TOLERANCE: f64 = 1e-10;

#[derive(Deserialize)]
struct Reference {
    groups: Vec<Groups>,
    pairs: Vec<Pairs>,
    resampled: Vec<Resampled>,
    rows_apart: Vec<RowsApart>,
    tables: Vec<Table>,
    many: Vec<Many>,
    tails: Vec<(String, f64, f64, f64, f64)>,
}

#[derive(Deserialize)]
struct Groups {
    name: String,
    big: Option<(u64, usize)>,
    first: Option<Vec<f64>>,
    second: Option<Vec<f64>>,
    null: String,
    statistic: f64,
    p: [f64; 3],
}

#[derive(Deserialize)]
struct Pairs {
    name: String,
    differences: Vec<f64>,
    pratt: bool,
    null: String,
    statistic: f64,
    p: [f64; 3],
}

#[derive(Deserialize)]
struct Resampled {
    name: String,
    differences: Vec<f64>,
    k: usize,
    t: f64,
    error: f64,
    p: [f64; 3],
}

#[derive(Deserialize)]
struct RowsApart {
    first: u64,
    second: u64,
    p: f64,
    chi: Option<[f64; 2]>,
}

#[derive(Deserialize)]
struct Table {
    name: String,
    results: Vec<Vec<f64>>,
    ranks: Vec<f64>,
    chi: f64,
    chi_p: f64,
    f: f64,
    f_p: f64,
    nemenyi: Vec<Vec<f64>>,
    cd: [f64; 2],
}

#[derive(Deserialize)]
struct Many {
    name: String,
    p: Vec<f64>,
    holm: Vec<f64>,
    bh: Vec<f64>,
}

const SIDES: [Alternative; 3] = [Alternative::TwoSided, Alternative::Less, Alternative::Greater];

fn reference() -> Reference {
    serde_json::from_str(include_str!("../reference/significance.json")).unwrap()
}

fn null(name: &str) -> Null {
    match name {
        "exact" => Null::Exact,
        "normal" => Null::Normal { continuity: true },
        "plain" => Null::Normal { continuity: false },
        _ => Null::Auto,
    }
}

#[test]
fn two_groups() {
    for case in reference().groups {
        let (mut first, mut second) = (case.first, case.second);
        if let Some((seed, cut)) = case.big {
            let u = uniform(seed, 100_000);
            first = Some(u[..cut].to_vec());
            second = Some(u[cut..].iter().map(|u| u + 0.004).collect());
        }
        let (first, second) = (first.unwrap(), second.unwrap());
        for (side, p) in SIDES.iter().zip(case.p) {
            let ours = mann_whitney(&first, &second, *side, null(&case.null)).unwrap();
            near(&case.name, "U", ours.u, case.statistic, 1e-15);
            close(&case.name, "p", ours.p_value, p, TOLERANCE);
        }
    }
}

#[test]
fn paired_differences() {
    for case in reference().pairs {
        let zeros = if case.pratt { Zeros::Pratt } else { Zeros::Drop };
        for (side, p) in SIDES.iter().zip(case.p) {
            let ours = wilcoxon(&case.differences, zeros, *side, null(&case.null)).unwrap();
            near(&case.name, "W+", ours.above, case.statistic, 1e-15);
            close(&case.name, "p", ours.p_value, p, TOLERANCE);
        }
    }
}

#[test]
fn differences_on_folds() {
    for case in reference().resampled {
        for (side, p) in SIDES.iter().zip(case.p) {
            let ours = corrected_t_folds(&case.differences, case.k, *side).unwrap();
            near(&case.name, "t", ours.t, case.t, 1e-11);
            near(&case.name, "error", ours.error, case.error, 1e-12);
            close(&case.name, "p", ours.p_value, p, TOLERANCE);
        }
    }
}

#[test]
fn rows_that_tell_two_classifiers_apart() {
    for case in reference().rows_apart {
        let name = format!("{} against {}", case.first, case.second);
        let ours = McNemar::of(case.first, case.second);
        close(&name, "p", ours.p_value, case.p, TOLERANCE);
        if let Some([chi, p]) = case.chi {
            near(&name, "chi-square", ours.chi_square, chi, 1e-12);
            close(&name, "its p", ours.chi_square_p, p, TOLERANCE);
        }
    }
}

#[test]
fn several_methods() {
    for case in reference().tables {
        let ours = Friedman::new(&case.results, Better::Higher).unwrap();
        for (a, b) in ours.average_ranks.iter().zip(&case.ranks) {
            near(&case.name, "rank", *a, *b, 1e-12);
        }
        near(&case.name, "chi-square", ours.chi_square, case.chi, 1e-11);
        close(&case.name, "its p", ours.chi_square_p, case.chi_p, TOLERANCE);
        near(&case.name, "F", ours.f.unwrap(), case.f, 1e-10);
        close(&case.name, "its p", ours.f_p.unwrap(), case.f_p, 1e-9);
        for (alpha, cd) in [0.05, 0.1].into_iter().zip(case.cd) {
            let ours = Nemenyi::new(&ours, alpha).unwrap();
            close(&case.name, "critical difference", ours.critical_difference, cd, 1e-9);
            for (a, b) in ours.p_values.concat().iter().zip(case.nemenyi.concat()) {
                // The peer takes 1 - cdf, so its small tails are rounding.
                near(&case.name, "pair", *a, b, 1e-9);
            }
        }
    }
}

#[test]
fn many_p_values() {
    for case in reference().many {
        for (a, b) in holm(&case.p).unwrap().iter().zip(&case.holm) {
            near(&case.name, "Holm", *a, *b, 1e-14);
        }
        for (a, b) in benjamini_hochberg(&case.p).unwrap().iter().zip(&case.bh) {
            near(&case.name, "Benjamini-Hochberg", *a, *b, 1e-14);
        }
    }
}

#[test]
fn tails_of_distributions() {
    for (name, x, a, b, theirs) in reference().tails {
        let what = format!("at {x}, {a}, {b}");
        let (ours, tolerance) = match name.as_str() {
            "normal" => (num::normal_tail(x), 1e-13),
            "chi" => (num::chi_square_tail(x, a), 1e-12),
            "t" => (num::t_tail(x, a), 1e-11),
            "f" => (num::f_tail(x, a, b), 1e-11),
            "binomial" => (num::binomial_at_most(x as u64, a as u64, b), 1e-11),
            "range" => (num::normal_range_tail(x, a as usize), 1e-9),
            _ => (num::normal_range_quantile(x, a as usize), 1e-9),
        };
        close(&name, &what, ours, theirs, tolerance);
    }
}
