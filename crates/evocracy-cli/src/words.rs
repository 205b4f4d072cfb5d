//! Results in plain words.

use evocracy::data::Classes;
use evocracy::measure::{Judgement, Regression};

/// A share as a percentage.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A count of rows; weights can make it broken.
fn count(rows: f64) -> String {
    if rows.fract() == 0.0 { format!("{rows}") } else { format!("{rows:.1}") }
}

/// What the figures on unseen rows mean.
pub fn judgement(judged: &Judgement, classes: &Classes) -> String {
    let confusion = &judged.confusion;
    let right: f64 = (0..classes.len()).map(|class| confusion.count(class, class)).sum();
    let mut text = format!(
        "It is right for {} of {} rows: accuracy {} (95 % interval {} to {}).\n",
        count(right),
        count(confusion.total()),
        percent(judged.accuracy),
        percent(judged.accuracy_interval.low),
        percent(judged.accuracy_interval.high),
    );
    if classes.len() == 2 {
        text += &trade_off(judged, classes);
    }
    let ranking = match (judged.auc, judged.auc_interval) {
        (Some(auc), Some(i)) => {
            format!("AUC {auc:.3} (95 % interval {:.3} to {:.3})", i.low, i.high)
        }
        (Some(auc), None) => format!("AUC {auc:.3} (mean over pairs of classes)"),
        (None, _) => format!("no AUC ({})", judged.auc_note.as_deref().unwrap_or("")),
    };
    text += &format!(
        "{ranking}; log2-likelihood {:.3} bits a row (0 is perfect, probabilities floored at {:e}); Brier score {:.4}.\n",
        judged.log2_likelihood, judged.log2_floor, judged.brier,
    );
    text
}

/// What the figures of a regression on unseen rows mean.
pub fn regression(judged: &Regression) -> String {
    let share = judged.r2.map_or(String::new(), |r2| {
        format!(" It explains {} of the variance (R2 {r2:.4}).", percent(r2.max(0.0)))
    });
    format!(
        "Its root mean square error is {:.4}, its mean absolute error {:.4}.{share}\n",
        judged.rmse, judged.mae
    )
}

/// True positives against false alarms.
fn trade_off(judged: &Judgement, classes: &Classes) -> String {
    let confusion = &judged.confusion;
    let positive = classes.positive();
    let negative = 1 - positive;
    let name = &classes.names()[positive];
    let (hits, alarms) = (confusion.count(positive, positive), confusion.count(negative, positive));
    let of = |class: usize| confusion.row(class).iter().sum::<f64>();
    let share = |rate: Option<f64>| rate.map_or(String::new(), |r| format!(" ({})", percent(r)));
    format!(
        "It finds {} of {} `{name}`{} and raises a false alarm for {} of {} others{}.\n",
        count(hits),
        count(of(positive)),
        share(confusion.tpr(positive)),
        count(alarms),
        count(of(negative)),
        share(confusion.fpr(positive)),
    )
}

/// The confusion matrix as a table.
pub fn confusion(judged: &Judgement, classes: &Classes) -> String {
    let header: Vec<String> = std::iter::once("truth".to_owned())
        .chain(classes.names().iter().map(|name| format!("called {name}")))
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = classes.names().iter().enumerate().map(|(truth, name)| {
        let counts = judged.confusion.row(truth).iter().map(|&rows| count(rows));
        std::iter::once(name.clone()).chain(counts).collect()
    });
    crate::tables::plain(&header, rows)
}

/// What a model is made of: `12 leaves, depth 4`.
pub fn size(size: &[(&'static str, u64)]) -> String {
    let part = |(what, n): &(&str, u64)| {
        if what.ends_with('s') { format!("{n} {what}") } else { format!("{what} {n}") }
    };
    size.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The same for programs.
pub fn size_json(size: &[(&'static str, u64)]) -> serde_json::Value {
    size.iter().map(|(what, n)| ((*what).to_owned(), serde_json::json!(n))).collect()
}
