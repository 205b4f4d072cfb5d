//! A check of the default of `auto`, which blends, on tables that no other experiment of combiners
//! reports; the choice itself was not made by rows kept here. Experts of six kinds on embedded and generated sets, trained on a part of the rows and
//! combined on another of several sizes; and experts that copy one another in other ways than in
//! `combine-copies`.
//!
//! `blend` is `auto` as it is, `ten-folds` the same on ten folds, `single` the one way of the greatest
//! cross-validated likelihood. The last rows are means over all tables with the paired difference.

use super::copies::{Copying, draw};
use super::experts::{Expert, Parts, labels};
use super::labels::Labels;
use crate::{Experiment, Findings, Row};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "combine-defaults",
    about: "a blend of ways or the best one, on other tables: a check of the default of combiners",
    run,
};

/// The ways that are compared, with their settings.
type Compared = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
const WAYS: [Compared; 5] = [
    ("blend", "labels-auto", &[("folds", "0")]),
    ("ten-folds", "labels-auto", &[("folds", "10")]),
    ("single", "labels-auto", &[("folds", "0"), ("single", "true")]),
    ("hc", "labels-hc", &[("folds", "0")]),
    ("evobn", "evobn", &[("folds", "0")]),
];

/// Sets, and how many rows go to the experts, to the combiner and to the test.
const SETS: [(&str, [usize; 3]); 8] = [
    ("digits", [300, 700, 700]),
    ("digits", [300, 200, 700]),
    ("car", [300, 600, 700]),
    ("wdbc", [100, 200, 250]),
    ("pima", [150, 250, 130]),
    ("gen:waveform:rows=2500:seed=5", [200, 800, 1500]),
    ("gen:waveform:rows=2500:seed=6", [200, 100, 1500]),
    ("gen:checkerboard:rows=2500:noise=0.1:seed=5", [300, 700, 1500]),
];

const COPIES: [(&str, Copying, usize); 5] = [
    ("even", copying(5, &[4, 4, 2], 0.6, 1.0, 0.5), 600),
    ("few-rows", copying(4, &[5, 2, 1], 0.8, 0.6, 0.5), 150),
    ("independent", copying(6, &[1, 1, 1, 1, 1, 1, 1, 1], 0.0, 0.7, 0.45), 500),
    ("pairs", copying(3, &[2, 2, 2, 2, 2], 0.5, 1.0, 0.6), 1500),
    ("one-group", copying(8, &[10], 0.4, 0.5, 0.5), 800),
];

const fn copying(
    classes: u32,
    groups: &'static [usize],
    copied: f64,
    falls: f64,
    least: f64,
) -> Copying {
    Copying { classes, groups, copied, falls, accuracy: [least, 0.2] }
}

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let repeats = if quick { 1 } else { 5 };
    let task = run.task("tables", (SETS.len() + COPIES.len()) as u64);
    let mut rows = Vec::new();
    // For each way the accuracies and the likelihoods of all tables and repeats.
    let mut all = vec![[Vec::new(), Vec::new()]; WAYS.len()];
    let mut add = |name: &str, each: Vec<Vec<[f64; 2]>>| {
        for (at, (way, ..)) in WAYS.iter().enumerate() {
            for (of, unit) in ["percent", "bits"].into_iter().enumerate() {
                let values: Vec<f64> = each.iter().map(|ways| ways[at][of]).collect();
                rows.push(Row::mean(format!("{name}/{way}/{unit}"), &values, unit));
                all[at][of].extend(values);
            }
        }
    };
    let sets = if quick { &SETS[3..5] } else { &SETS[..] };
    for (at, (name, sizes)) in sets.iter().enumerate() {
        let data = Catalogue::embedded().open(name, &Load::default())?;
        let rows = data.table().rows();
        let each = (0..repeats).map(|repeat| {
            let run = task.child(name, 100 * at as u64 + repeat);
            let parts = Parts::of_all(rows, *sizes, &run);
            judge(&labels(&data, &parts, &experts(), &run)?, &run)
        });
        add(&format!("{}-{}", short(name), sizes[1]), each.collect::<Result<_>>()?);
        task.watch.advance(1);
    }
    let copies = if quick { &COPIES[1..2] } else { &COPIES[..] };
    for (name, how, train) in copies {
        let each = (0..repeats).map(|repeat| {
            let run = task.child(name, repeat);
            judge(&draw(how, [*train, 2000], &run)?.labels, &run)
        });
        add(&format!("copies-{name}"), each.collect::<Result<_>>()?);
        task.watch.advance(1);
    }
    for (at, (way, ..)) in WAYS.iter().enumerate().skip(1) {
        for (of, unit) in ["percent", "bits"].into_iter().enumerate() {
            let gained: Vec<f64> =
                all[0][of].iter().zip(&all[at][of]).map(|(blend, other)| blend - other).collect();
            rows.push(Row::mean(format!("blend-less-{way}/{unit}"), &gained, unit));
        }
    }
    Ok(rows.into())
}

fn judge(labels: &Labels, run: &Run<'_>) -> Result<Vec<[f64; 2]>> {
    let each = run.pool.map(WAYS.len(), |at| {
        let (_, method, settings) = WAYS[at];
        labels.judged(method, settings, &run.child(method, 0))
    });
    each.into_iter().collect()
}

/// The name of a set without its parameters.
fn short(name: &str) -> &str {
    let name = name.strip_prefix("gen:").unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}

/// Two of each kind, weak ones among them.
fn experts() -> Vec<Expert> {
    let mut experts = Vec::new();
    for _ in 0..2 {
        experts.push(Expert::new("mlp", &[("hidden", "6"), ("epochs", "30")]));
        experts.push(Expert::new("lvq", &[]));
        experts.push(Expert::new("tree", &[]));
        experts.push(Expert::new("knn", &[]));
        experts.push(Expert::new("naive-bayes", &[]));
        experts.push(Expert::new("adaboost", &[("rounds", "10")]));
    }
    experts
}
