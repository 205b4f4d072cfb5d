//! Results in plain words.

use evocracy::classify::{Call, Decision, Diagnostics};
use evocracy::data::Classes;
use evocracy::judge::{Figures, Noticed, Remark, Severity};
use evocracy::measure::{Judgement, Regression};
use serde_json::Value;
use std::borrow::Cow;

/// How many classes are set side by side.
const MOST_CLASSES: usize = 20;

/// How many kinds of mistakes are shown where there are more classes.
const MOST_MISTAKES: usize = 20;

/// Text for a terminal: control characters of cells and names, which could move the cursor or
/// change colours, are shown escaped.
pub fn printable(text: &str) -> Cow<'_, str> {
    let hostile = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(hostile) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if hostile(c) { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A level of confidence without needless digits: `95 %`.
pub fn level(level: f64) -> String {
    format!("{} %", number((1e9 * level).round() / 1e7))
}

/// A count of rows; weights can make it broken.
pub fn count(rows: f64) -> String {
    if rows.fract() == 0.0 { format!("{rows}") } else { format!("{rows:.1}") }
}

/// A number of things: `1 row`, `2 rows`.
pub fn counted(n: u64, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// Names, the first few of many.
pub fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A number as short as it can be written.
pub fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    if plain { format!("{value}") } else { format!("{value:e}") }
}

/// A number with as many digits as a person reads.
pub fn short(value: f64) -> String {
    let plain = |text: String| {
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        text
    };
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) {
        let digits = if value == 0.0 { 0 } else { 3 - (value.abs().log10().floor() as i32).min(3) };
        return plain(format!("{value:.*}", digits as usize));
    }
    match format!("{value:.3e}").split_once('e') {
        Some((digits, power)) => format!("{}e{power}", plain(digits.to_owned())),
        None => value.to_string(),
    }
}

/// Rounds so that the sum is kept: those with the largest fractions are rounded up.
pub fn whole(exact: [f64; 4]) -> [f64; 4] {
    let mut whole = exact.map(f64::floor);
    let missing = (exact.iter().sum::<f64>() - whole.iter().sum::<f64>()).round() as usize;
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&a, &b| (exact[b] - whole[b]).total_cmp(&(exact[a] - whole[a])));
    for &i in order.iter().take(missing) {
        whole[i] += 1.0;
    }
    whole
}

/// What figures mean; classes are those of the model.
pub fn figures(figures: &Figures, classes: Option<&Classes>) -> String {
    match (figures, classes) {
        (Figures::Classes(judged), Some(classes)) => judgement(judged, classes),
        (Figures::Numbers(judged), _) => regression(judged),
        (Figures::Classes(_), None) => String::new(),
    }
}

/// One sentence for comparison, as on the training rows.
pub fn in_short(figures: &Figures) -> String {
    match figures {
        Figures::Classes(judged) => format!("accuracy is {:.1} %", 100.0 * judged.accuracy),
        Figures::Numbers(judged) => format!("root mean square error is {:.4}", judged.rmse),
    }
}

/// The confusion matrix of classes as a table.
pub fn table(figures: &Figures, classes: Option<&Classes>) -> String {
    match (figures.classes(), classes) {
        (Some(judged), Some(classes)) => confusion(judged, classes),
        _ => String::new(),
    }
}

/// A remark with what the person can do about it.
pub fn remark(remark: &Remark) -> String {
    let head = match remark.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
    };
    let advice = match &remark.noticed {
        Noticed::ManyTexts { decimal_comma: true, .. } => {
            "; if these are numbers with a decimal comma, say --decimal ,".to_owned()
        }
        Noticed::ManyTexts { like_numbers: true, left_out: true, column, .. } => format!(
            "; if these are numbers, write them like 1234.5; --use '{column}' takes them as texts"
        ),
        Noticed::ManyTexts { like_numbers: true, .. } => {
            "; if these are numbers, write them like 1234.5; else leave the column out with --ignore"
                .to_owned()
        }
        Noticed::ManyTexts { left_out: false, .. } => {
            "; if it names the rows, leave it out with --ignore".to_owned()
        }
        Noticed::Unmixed { stuck: 1.., .. } => {
            "; let them run longer (-p steps=N), or allow larger distances".to_owned()
        }
        // More samples of such chains would tell no more.
        Noticed::Unmixed { r_hat: Some(_), .. } => {
            "; more proposals between samples (-p steps=N) help, or a smaller -p lambda".to_owned()
        }
        Noticed::Unmixed { .. } => "; -p samples=N keeps more".to_owned(),
        Noticed::ManyTexts { column, .. } | Noticed::RowNames { column, .. } => {
            format!("; --use '{column}' takes it")
        }
        _ => String::new(),
    };
    format!("{head}: {}{advice}", remark.text)
}

/// How rows are called, where that is not by the most probable class.
pub fn decision(decision: &Decision, classes: &Classes) -> String {
    let positive = &classes.names()[classes.positive()];
    match &decision.call {
        Call::MostProbable => "the most probable class is called".to_owned(),
        Call::Threshold(least) if least.is_finite() => {
            format!("`{positive}` is called where its probability is at least {}", number(*least))
        }
        Call::Threshold(_) => format!("`{positive}` is never called"),
        Call::Costs(_) => "the class of least expected cost is called".to_owned(),
    }
}

/// What the figures on unseen rows mean.
fn judgement(judged: &Judgement, classes: &Classes) -> String {
    let confusion = &judged.confusion;
    let right: f64 = (0..classes.len()).map(|class| confusion.count(class, class)).sum();
    let mut text = format!(
        "It is right for {} of {} {}: accuracy {} (95 % interval {} to {}).\n",
        count(right),
        count(confusion.total()),
        unit(judged),
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

/// How well training rows are called by the members that did not see them, where that is known.
pub fn out_of_bag(diagnostics: &Diagnostics) -> String {
    diagnostics.out_of_bag.map_or(String::new(), |figures| {
        let right = percent(1.0 - figures.error);
        format!("Members that did not see a training row are right for {right}.\n")
    })
}

/// Which members do not heed the weights of rows, where some do not.
pub fn resampled(diagnostics: &Diagnostics) -> String {
    let names = diagnostics.resampled_by_weight.iter().flatten();
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return String::new();
    }
    format!("Members that heed no weights were given rows drawn by them: {}.\n", names.join(", "))
}

/// What a confusion matrix counts: rows, or their weight where rows weigh differently.
fn unit(judged: &Judgement) -> &'static str {
    match judged.confusion.total() {
        total if total != judged.rows as f64 => "of the weight",
        1.0 => "row",
        _ => "rows",
    }
}

/// What the figures of a regression on unseen rows mean.
fn regression(judged: &Regression) -> String {
    let share = judged.r2.map_or(String::new(), |r2| {
        if r2 < 0.0 {
            format!(" That is worse than always saying the mean (R2 {r2:.4}).")
        } else {
            format!(" It explains {} of the variance (R2 {r2:.4}).", percent(r2))
        }
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

/// The confusion matrix as a table; of many classes the most frequent mistakes.
fn confusion(judged: &Judgement, classes: &Classes) -> String {
    if classes.len() > MOST_CLASSES {
        return mistakes(judged, classes);
    }
    let header: Vec<String> = std::iter::once("truth".to_owned())
        .chain(classes.names().iter().map(|name| format!("called {name}")))
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = classes.names().iter().enumerate().map(|(truth, name)| {
        let counts = judged.confusion.row(truth).into_iter().map(count);
        std::iter::once(name.clone()).chain(counts).collect()
    });
    crate::tables::plain(&header, rows)
}

/// The most frequent mistakes, for classes too many to be set side by side.
fn mistakes(judged: &Judgement, classes: &Classes) -> String {
    let names = classes.names();
    let wrong = judged.confusion.cells().iter().filter(|(truth, called, _)| truth != called);
    let mut all: Vec<(f64, usize, usize)> =
        wrong.map(|&(truth, called, rows)| (rows, truth as usize, called as usize)).collect();
    // A stable sort: mistakes of equal frequency stay in the order of the classes.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rows = all.iter().take(MOST_MISTAKES).map(|&(rows, truth, called)| {
        vec![names[truth].clone(), names[called].clone(), count(rows)]
    });
    let table = crate::tables::plain(&["truth", "called", "rows"], rows);
    match all.len().saturating_sub(MOST_MISTAKES) {
        0 => table,
        more => format!("{table}\nand {more} rarer mistakes (all of them with --json)"),
    }
}

/// What a model is made of: `12 leaves, depth 4`.
pub fn size(size: &[(&'static str, u64)]) -> String {
    let part = |(what, n): &(&str, u64)| match (what.strip_suffix('s'), n) {
        (None, _) => format!("{what} {n}"),
        (Some("leave"), 1) => "1 leaf".to_owned(),
        (Some(one), 1) => format!("1 {one}"),
        (Some(_), _) => format!("{n} {what}"),
    };
    size.iter().map(part).collect::<Vec<_>>().join(", ")
}

/// The same for programs.
pub fn size_json(size: &[(&'static str, u64)]) -> Value {
    size.iter().map(|(what, n)| ((*what).to_owned(), serde_json::json!(n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_whole_and_a_thousand() {
        assert_eq!(whole([120.0, 77.5, 32.5, 770.0]), [120.0, 78.0, 32.0, 770.0]);
        assert_eq!(whole([0.3, 0.3, 0.3, 999.1]), [1.0, 0.0, 0.0, 999.0]);
        assert_eq!(whole([0.0, 0.0, 0.0, 1000.0]), [0.0, 0.0, 0.0, 1000.0]);
    }

    #[test]
    fn numbers_are_short_and_keep_their_size() {
        for (value, text) in [
            (0.0, "0"),
            (110.0, "110"),
            (0.331_44, "0.3314"),
            (-1e-7, "-1e-7"),
            (123_456.7, "123457"),
            (1.5e300, "1.5e300"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
