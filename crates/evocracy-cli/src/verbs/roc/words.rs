//! The figures in plain words.

use crate::args::Unit;
use crate::tables;
pub use crate::words::short;
use crate::words::{count, level, number, percent, whole};
use evocracy::judge::{OperatingPoint, PER, Pair, RocReport, ScoreFigures};
use evocracy::measure::Interval;

/// All of it, with what was asked for beside.
pub fn all(figures: &RocReport, extra: &str, unit: Unit) -> String {
    let mut text = head(figures);
    text += &format!("\n{}\n\n", table(figures));
    for pair in &figures.comparisons {
        text += &compared(pair, figures.comparisons.len());
    }
    text += extra;
    if !figures.comparisons.is_empty() || !extra.is_empty() {
        text += "\n";
    }
    let Some(best) = figures.best() else { return text };
    text += &advice(figures, best, unit);
    text + &format!("\n{}\n", thousand(figures, &best.best, unit))
}

fn head(figures: &RocReport) -> String {
    let total = figures.positives + figures.negatives;
    let what = if figures.weighted { "of the weight" } else { "rows" };
    let how = match &figures.clusters {
        None => "after DeLong, on the logit scale".to_owned(),
        Some(clusters) => format!("after Obuchowski, for rows in {} clusters", clusters.count),
    };
    format!(
        "{} of {} {what} are `{}`, the positive class ({}). {} intervals are {how}.\n",
        count(figures.positives),
        count(total),
        figures.positive,
        percent(figures.positives / total),
        level(figures.level),
    )
}

fn range(interval: &Interval, digits: usize) -> String {
    format!("{:.digits$} to {:.digits$}", interval.low, interval.high)
}

fn table(figures: &RocReport) -> String {
    let header = ["score", "AUC", "interval", "best threshold", "TPR", "FPR", "cost per 1000"];
    let row = |figure: &ScoreFigures| {
        vec![
            figure.name.clone(),
            format!("{:.4}", figure.auc),
            range(&figure.auc_interval, 4),
            figure.best.threshold.map_or("none".to_owned(), short),
            format!("{:.4}", figure.best.tpr),
            format!("{:.4}", figure.best.fpr),
            short(PER * figure.best.expected_cost),
        ]
    };
    tables::plain(&header, figures.scores.iter().map(row))
}

fn compared(pair: &Pair, pairs: usize) -> String {
    let found = &pair.found;
    let adjusted = match pair.p_adjusted {
        Some(p) if pairs > 1 => format!(", {} for all pairs at once after Holm", chance(p)),
        _ => String::new(),
    };
    let p = found.p_value.map_or("no p-value: nothing varies".to_owned(), chance);
    format!(
        "{} against {}: the AUC differs by {:+.4} ({}), {p}{adjusted}.\n",
        pair.first,
        pair.second,
        found.difference,
        range(&found.interval, 4),
    )
}

fn chance(p: f64) -> String {
    if p < 1e-4 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

fn advice(figures: &RocReport, best: &ScoreFigures, unit: Unit) -> String {
    let c = &figures.conditions;
    let chosen = &best.best;
    let why = match figures.chosen_by {
        "max-fpr" => "With no more false alarms than asked for".to_owned(),
        "min-tpr" => "With as many found as asked for".to_owned(),
        _ => format!(
            "Where a false alarm costs {}, a miss {} and {} are positive",
            number(c.false_positive),
            number(c.false_negative),
            percent(c.prior)
        ),
    };
    let what = match chosen.threshold {
        None => format!("call {} positive", unit.none()),
        Some(_) => format!("call positive what scores {}", rule(figures, best, unit)),
    };
    let caution = match chosen.threshold {
        None => "",
        Some(_) => {
            "The threshold was chosen on these rows: on new ones it will do a little worse.\n"
        }
    };
    format!(
        "{why}, the best is {}: {what}. That finds {} of the positives ({}) and raises a false alarm for {} of the others ({}).\n{caution}",
        best.name,
        percent(chosen.tpr),
        shares(&chosen.tpr_interval),
        percent(chosen.fpr),
        shares(&chosen.fpr_interval),
    )
}

/// What is called positive: `0.81 or more`.
pub fn rule(figures: &RocReport, best: &ScoreFigures, unit: Unit) -> String {
    match best.best.threshold {
        None => format!("{} called", unit.none()),
        Some(threshold) if figures.lower => format!("{} or less", number(threshold)),
        Some(threshold) => format!("{} or more", number(threshold)),
    }
}

fn shares(interval: &Interval) -> String {
    format!("{} to {}", percent(interval.low), percent(interval.high))
}

/// What happens to a thousand rows, in whole rows that sum to a thousand.
fn thousand(figures: &RocReport, chosen: &OperatingPoint, unit: Unit) -> String {
    let o = &chosen.per_1000;
    let exact = [o.true_positives, o.false_negatives, o.false_positives, o.true_negatives];
    let whole = whole(exact);
    let cell = |i: usize| {
        if whole[i] == 0.0 && exact[i] > 0.0 { "fewer than 1".to_owned() } else { count(whole[i]) }
    };
    let called = format!("called {}", figures.positive);
    let header = [&format!("out of 1000 {}", unit.many()), &called, "not"];
    let rows = [
        vec![figures.positive.clone(), cell(0), cell(1)],
        vec![figures.others.clone(), cell(2), cell(3)],
    ];
    tables::plain(&header, rows.into_iter())
}
