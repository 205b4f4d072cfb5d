//! Pictures of a comparison.

use super::args::{Args, Picture};
use crate::draw::{Canvas, Curve};
use crate::look::Look;
use crate::words;
use anyhow::Result;
use evocracy::error::Error;
use evocracy::judge::{Judged, SaidClasses};
use evocracy::measure::{LEVEL, Roc};
use evocracy::study::{CompareReport, Folded};
use evocracy_report::{Ranks, cd_svg};
use std::path::Path;

/// Draws the curves of the first data set, or the ranks over all.
pub fn draw(
    report: &CompareReport,
    datasets: &[Folded],
    judged: &[Vec<Option<Judged>>],
    args: &Args,
    path: &Path,
) -> Result<()> {
    match (args.picture(), datasets.first(), judged.first()) {
        (Picture::Roc, Some(folded), Some(judged)) => {
            roc(report, folded, judged, (path, &args.look))
        }
        _ => ranks(report, (path, &args.look)),
    }
}

/// One curve for each method, of the first repeat that counts.
fn roc(
    report: &CompareReport,
    folded: &Folded,
    judged: &[Option<Judged>],
    (path, look): (&Path, &Look),
) -> Result<()> {
    let Some(set) = report.sets.first() else { return Ok(()) };
    let said = judged.iter().map(|judged| judged.as_ref().and_then(Judged::classes));
    let mut curves = Vec::new();
    for (method, (said, judged)) in set.methods.iter().zip(said.zip(judged)) {
        if let (Some(said), Some(judged)) = (said, judged) {
            curves.extend(curve(&method.name, said, judged, set.repeats.first().copied()));
        }
    }
    let rows = words::counted(folded.data.table().rows() as u64, "row");
    let positive = set.positive.clone().unwrap_or_default();
    let against = if set.classes.as_ref().is_some_and(|classes| classes.len() > 2) {
        " against the rest"
    } else {
        ""
    };
    let subtitle = format!(
        "{}, {rows}, positive {positive}{against}; out of fold, cross-validation of {} folds",
        set.dataset, report.folds
    );
    let title = format!("Predicting {}", set.data.target);
    Canvas { path, look, title, subtitle, level: LEVEL }.roc(&curves)
}

/// The curve of the positive class; none where the rows show one class.
fn curve(name: &str, said: &SaidClasses, judged: &Judged, repeat: Option<u32>) -> Option<Curve> {
    let (k, positive) = (said.classes.len(), said.classes.positive());
    let rows: Vec<usize> =
        (0..judged.rows()).filter(|&at| Some(judged.places[at].repeat) == repeat).collect();
    let truth: Vec<bool> = rows.iter().map(|&at| said.labels[at] as usize == positive).collect();
    let scores: Vec<f64> = rows.iter().map(|&at| said.proba[at * k + positive]).collect();
    let weights = judged.weights.as_ref();
    let weights: Option<Vec<f64>> =
        weights.map(|weights| rows.iter().map(|&at| weights[at]).collect());
    let roc = Roc::new(&truth, &scores, weights.as_deref()).ok()?;
    Some(Curve::new(name.to_owned(), &roc))
}

/// The critical-difference diagram.
fn ranks(report: &CompareReport, (path, look): (&Path, &Look)) -> Result<()> {
    let Some(over) = report.over_sets.get(&report.by) else {
        let what = "there are no average ranks to draw: fewer than two methods or data sets have the figure everywhere";
        return Err(Error::unsuitable(what, "leave out --plot").into());
    };
    let methods: Vec<(&str, f64)> = over
        .methods
        .iter()
        .map(String::as_str)
        .zip(over.friedman.average_ranks.iter().copied())
        .collect();
    let ranks = Ranks { methods: &methods, critical: Some(over.nemenyi.critical_difference) };
    let title = format!("Average ranks by {}", super::words::named(report.by));
    let subtitle = format!("{} data sets: {}", over.sets.len(), over.sets.join(", "));
    look.write(path, (title, subtitle), |options| cd_svg(&ranks, options))
}
