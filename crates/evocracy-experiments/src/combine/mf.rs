//! MF, the handwritten numerals of six feature sets: an MLP and an LVQ for each, TR1 of 700 rows, TR2
//! and TS of 650 each.

use super::experts::{Expert, Parts, labels};
use super::labels::{Repeats, beside, stability};
use crate::{Compare, Experiment, Findings};
use evocracy::data::catalogue::Load;
use evocracy::data::{Dataset, Options, Table};
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "combine-mf",
    about: "twelve experts on six feature sets of numerals, combined by their labels (EvoBN, table 2)",
    run,
};

const SETS: [&str; 6] = ["fac", "fou", "kar", "mor", "pix", "zer"];
const PRINTED: [(&str, f64); 4] = [
    ("worst-expert/mean", 69.67),
    ("best-expert/mean", 96.89),
    ("k2/best", 99.10),
    ("evobn/best", 99.28),
];

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let data = open()?;
    let experts: Vec<Expert> = SETS
        .iter()
        .flat_map(|set| {
            let columns = format!("{set}*");
            [
                Expert::new("mlp", &[("columns", &columns)]),
                Expert::new("lvq", &[("columns", &columns)]),
            ]
        })
        .collect();
    let repeats = if quick { 2 } else { 10 };
    let task = run.task("repeats", repeats);
    let mut found = Repeats::default();
    let mut first = None;
    for repeat in 0..repeats {
        let run = task.child("repeat", repeat);
        let parts = Parts::of_all(data.table().rows(), [700, 650, 650], &run);
        let labels = labels(&data, &parts, &experts, &run)?;
        found.push(&labels, &run)?;
        first.get_or_insert(labels);
        task.watch.advance(1);
    }
    let mut rows = found.rows("");
    let least = (found.mean("k2") - 0.2).max(97.7);
    beside(
        quick,
        &mut rows,
        &PRINTED,
        &[
            ("evobn/mean", Compare::AtLeast((100.0 * least).round() / 100.0)),
            ("loglinear/mean", Compare::AtLeast(98.3)),
            ("auto/mean", Compare::AtLeast(98.2)),
        ],
    );
    if let Some(labels) = &first {
        rows.extend(stability(labels, repeats, &task)?);
    }
    Ok(rows.into())
}

/// The columns of all six sets, whose rows are the same numerals, and the class.
fn open() -> Result<Dataset> {
    let catalogue = crate::sets::catalogue();
    let (mut schema, mut columns) = (None, Vec::new());
    for set in SETS {
        let data = catalogue.open(&format!("mfeat-{set}"), &Load::default())?;
        let (own, mut own_columns) = data.table().clone().into_parts();
        let class = own_columns.pop();
        match &mut schema {
            None => schema = Some((own, class)),
            // The class is the last column of each.
            Some((all, _)) => {
                let at = all.len() - 1;
                let fields = own.fields.into_iter().take(own_columns.len());
                all.fields.splice(at..at, fields);
            }
        }
        columns.append(&mut own_columns);
    }
    let (schema, class) = schema.unwrap_or_default();
    columns.extend(class);
    Dataset::new("mfeat", Table::new(schema, columns)?, &Options::default())
}
