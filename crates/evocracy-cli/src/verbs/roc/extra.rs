//! Figures of scores that are asked for by options: the area of a part of the curve, and an interval of
//! the whole area by drawing rows.

use super::resampling;
use crate::args::Roc as Args;
use crate::words::{count, percent};
use anyhow::Result;
use evocracy::judge::{RocReport, ScoreTable};
use evocracy::measure::{BootstrapInterval, Interval, Order, PartialArea, Span, bootstrap_auc};
use evocracy::run::Run;
use serde_json::{Value, json};

/// What was asked of one score beside its usual figures.
pub struct Extra {
    name: String,
    partial: Option<PartialArea>,
    drawn: Option<Interval>,
}

/// What was asked of every score.
pub fn find(
    args: &Args,
    scores: &ScoreTable,
    report: &RocReport,
    run: &Run<'_>,
) -> Result<Vec<Extra>> {
    let mut found = Vec::new();
    for (figures, (name, column)) in report.scores.iter().zip(&scores.columns) {
        let span = args.partial.map(|(from, to)| Span::Fpr(from, to));
        let partial = span.map(|span| figures.roc.partial_auc(span)).transpose()?;
        let draw = |replicates| -> Result<Interval> {
            let order = Order::new(&scores.truth, column, scores.weights.as_deref())?;
            let (rows, kind) = (resampling(scores)?, BootstrapInterval::Bca);
            Ok(bootstrap_auc(&order, &rows, replicates as usize, args.level, kind, run)?.1)
        };
        let drawn = args.bootstrap.map(draw).transpose()?;
        found.push(Extra { name: name.clone(), partial, drawn });
    }
    Ok(found)
}

/// In sentences.
pub fn words(args: &Args, extras: &[Extra], clusters: bool) -> String {
    let mut text = String::new();
    for Extra { name, partial, drawn } in extras {
        if let (Some(part), Some((from, to))) = (partial, args.partial) {
            text += &format!(
                "{name}: between false positive rates of {} and {} the area is {:.4}; on the scale from 0.5, chance, to 1, perfect, {:.4}.\n",
                percent(from),
                percent(to),
                part.area,
                part.corrected
            );
        }
        if let (Some(interval), Some(draws)) = (drawn, args.bootstrap) {
            text += &format!(
                "{name}: by {} draws of {} the interval of the AUC is {:.4} to {:.4} (bootstrap, BCa).\n",
                count(f64::from(draws)),
                if clusters { "clusters" } else { "rows" },
                interval.low,
                interval.high
            );
        }
    }
    text
}

/// Beside the figures of each score in the document.
pub fn add(args: &Args, extras: &[Extra], document: &mut Value) {
    for (at, Extra { partial, drawn, .. }) in extras.iter().enumerate() {
        let figures = &mut document["scores"][at];
        if let (Some(part), Some((from, to))) = (partial, args.partial) {
            let (area, corrected) = (part.area, part.corrected);
            figures["partial"] =
                json!({ "from": from, "to": to, "area": area, "corrected": corrected });
        }
        if let (Some(interval), Some(replicates)) = (drawn, args.bootstrap) {
            figures["bootstrap"] = json!({ "replicates": replicates, "interval": interval });
        }
    }
}
