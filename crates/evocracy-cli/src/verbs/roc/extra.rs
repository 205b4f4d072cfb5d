//! Figures of scores that are asked for by options: the area of a part of the curve, an interval of
//! the whole area by drawing rows, a smooth curve.

use super::resampling;
use crate::args::Roc as Args;
use crate::words::{count, percent};
use anyhow::Result;
use evocracy::judge::{RocReport, ScoreTable};
use evocracy::measure::{
    Binormal, BootstrapInterval, Interval, NoBinormal, Order, PartialArea, Ranking, Span,
    bootstrap_auc,
};
use evocracy::run::Run;
use serde_json::{Value, json};

/// What was asked of one score beside its usual figures.
pub struct Extra {
    name: String,
    partial: Option<PartialArea>,
    drawn: Option<Interval>,
    smooth: Option<Result<Binormal, NoBinormal>>,
}

/// Steps of a smooth curve that is drawn.
const STEPS: usize = 400;

impl Extra {
    /// The smooth curve as a line, and what it is.
    pub fn line(&self) -> Option<(Vec<(f64, f64)>, String)> {
        let curve = self.smooth.as_ref()?.as_ref().ok()?;
        // Closer together at the ends, where curves are steep.
        let rate = |step: usize| {
            let share = step as f64 / STEPS as f64;
            0.5 - 0.5 * (std::f64::consts::PI * share).cos()
        };
        let points = (0..=STEPS).map(rate).map(|fpr| (fpr, curve.tpr_at(fpr))).collect();
        Some((points, format!("{}, smoothed (binormal): AUC {:.3}", self.name, curve.auc)))
    }
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
        let smooth = args
            .smooth
            .then(|| Ranking::new(&scores.truth, column, scores.weights.as_deref()))
            .transpose()?
            .map(|ranking| Binormal::fit(&ranking));
        found.push(Extra { name: name.clone(), partial, drawn, smooth });
    }
    Ok(found)
}

/// In sentences.
pub fn words(args: &Args, extras: &[Extra], clusters: bool) -> String {
    let mut text = String::new();
    for Extra { name, partial, drawn, smooth } in extras {
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
        text += &smooth.as_ref().map_or(String::new(), |smooth| smooth_words(name, smooth));
    }
    text
}

/// The smooth curve, or why there is none.
fn smooth_words(name: &str, smooth: &Result<Binormal, NoBinormal>) -> String {
    let why = match smooth {
        Ok(Binormal { a, b, auc, categories }) => {
            return format!(
                "{name}: the smooth curve of two normal distributions (binormal, maximum likelihood over {categories} categories of scores) has a = {a:.4}, b = {b:.4} and the area {auc:.4}.\n"
            );
        }
        Err(NoBinormal::Separated) => "the score parts the classes perfectly, so that many fit",
        Err(NoBinormal::FewPoints) => {
            "it takes two points off the edges, at different rates of both kinds"
        }
        Err(NoBinormal::Unbounded) => "the likelihood has no greatest value, or none was found",
    };
    format!("{name}: there is no smooth curve: {why}.\n")
}

/// The same for the document.
fn smooth_json(smooth: &Result<Binormal, NoBinormal>) -> Value {
    let curve = smooth.as_ref().ok();
    json!({
        "model": "binormal",
        "a": curve.map(|curve| curve.a),
        "b": curve.map(|curve| curve.b),
        "auc": curve.map(|curve| curve.auc),
        "categories": curve.map(|curve| curve.categories),
        "none": smooth.as_ref().err(),
    })
}

/// Beside the figures of each score in the document.
pub fn add(args: &Args, extras: &[Extra], document: &mut Value) {
    for (at, Extra { partial, drawn, smooth, .. }) in extras.iter().enumerate() {
        let figures = &mut document["scores"][at];
        if let Some(smooth) = smooth {
            figures["smooth"] = smooth_json(smooth);
        }
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
