//! A comparison of predictions that were made elsewhere, against scikit-learn, scipy and
//! scikit-posthocs; see `reference/compare.py`.

use evocracy::data::read::{Format, Source, read_table};
use evocracy::data::{Dataset, Options};
use evocracy::error::Result;
use evocracy::run::{Pool, Run, Stop};
use evocracy::study::{Asked, CompareReport, Folded, Metric, compare};
use serde::Deserialize;
use std::collections::BTreeMap;

const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Reference {
    two: Vec<Set>,
    three: Set,
    over: Vec<Over>,
}

#[derive(Deserialize)]
struct Set {
    name: String,
    data: String,
    assigned: Vec<Vec<u32>>,
    outside: BTreeMap<String, String>,
    expected: BTreeMap<String, BTreeMap<String, f64>>,
    folds: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    first: String,
    second: String,
    metric: String,
    mean: f64,
    error: f64,
    t: f64,
    p: f64,
}

#[derive(Deserialize)]
struct Over {
    metric: String,
    ranks: Vec<f64>,
    chi: f64,
    chi_p: f64,
    nemenyi: Vec<Vec<f64>>,
    wilcoxon: Vec<Signed>,
}

#[derive(Deserialize)]
struct Signed {
    first: String,
    second: String,
    p: f64,
}

fn reference() -> Reference {
    serde_json::from_str(include_str!("reference/compare.json")).unwrap()
}

fn near(what: &str, ours: f64, theirs: f64) {
    let far = (ours - theirs).abs() > TOLERANCE * theirs.abs().max(1.0);
    assert!(!far, "{what}: {ours}, not {theirs}");
}

/// The comparison of what was made elsewhere; no method is trained.
fn compared(sets: &[&Set]) -> Result<CompareReport> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(1, &stop, &pool);
    let table = |text: &str| {
        let source = Source::memory("t.csv", text.as_bytes().to_vec());
        read_table(&[source], &Format::default()).map(|(table, _)| table)
    };
    let mut datasets = Vec::new();
    for set in sets {
        let data = Dataset::new(&set.name, table(&set.data)?, &Options::default())?;
        let mut folded = Folded::with_folds(data, &set.assigned)?;
        for (name, text) in &set.outside {
            folded.outside(name, &table(text)?, name)?;
        }
        datasets.push(folded);
    }
    Ok(compare(&datasets, &[], &Asked::default(), &run)?.report)
}

/// Figures and tests within every set.
fn check(report: &CompareReport, sets: &[&Set]) {
    for (ours, theirs) in report.sets.iter().zip(sets) {
        for method in &ours.methods {
            let expected = &theirs.expected[&method.name];
            assert_eq!(method.figures.len(), expected.len(), "{}", theirs.name);
            for (metric, figure) in &method.figures {
                let what = format!("{} {} {}", theirs.name, method.name, metric.name());
                near(&what, figure.value, expected[metric.name()]);
                let folds = &theirs.folds[&method.name][metric.name()];
                assert_eq!(figure.folds.len(), folds.len());
                for (ours, theirs) in figure.folds.iter().zip(folds) {
                    near(&what, ours.unwrap(), *theirs);
                }
                let interval = figure.interval.unwrap();
                assert!(interval.low <= figure.value && figure.value <= interval.high, "{what}");
            }
        }
        for pair in &theirs.pairs {
            let metric = Metric::parse(&pair.metric).unwrap();
            let found =
                ours.pairs.iter().find(|of| (&of.first, &of.second) == (&pair.first, &pair.second));
            let found = &found.unwrap().by[&metric];
            let what = format!("{} {} {} {}", theirs.name, pair.first, pair.second, pair.metric);
            near(&what, found.mean, pair.mean);
            near(&what, found.error.unwrap(), pair.error);
            near(&what, found.t.unwrap(), pair.t);
            near(&what, found.p_value.unwrap(), pair.p);
        }
    }
}

#[test]
fn figures_and_tests_are_those_of_scikit_learn_and_scipy() -> Result<()> {
    let reference = reference();
    let sets: Vec<&Set> = reference.two.iter().collect();
    let report = compared(&sets)?;
    check(&report, &sets);
    for theirs in &reference.over {
        let ours = &report.over_sets[&Metric::parse(&theirs.metric)?];
        for (ours, theirs) in ours.friedman.average_ranks.iter().zip(&theirs.ranks) {
            near("rank", *ours, *theirs);
        }
        near("chi-square", ours.friedman.chi_square, theirs.chi);
        near("its p", ours.friedman.chi_square_p, theirs.chi_p);
        let both = ours.nemenyi.p_values.iter().flatten().zip(theirs.nemenyi.iter().flatten());
        // Their quantiles of the range are good to some digits only.
        both.for_each(|(ours, theirs)| assert!((ours - theirs).abs() < 1e-4, "{ours} {theirs}"));
        for (ours, theirs) in ours.wilcoxon.iter().zip(&theirs.wilcoxon) {
            assert_eq!((&ours.first, &ours.second), (&theirs.first, &theirs.second));
            near("Wilcoxon", ours.test.p_value, theirs.p);
        }
    }
    let three = [&reference.three];
    check(&compared(&three)?, &three);
    Ok(())
}
