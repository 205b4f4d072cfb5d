//! The comparison in plain words.

use crate::failure::Told;
use crate::shell::Shell;
use crate::tables;
use crate::words::{self, counted, listed, percent};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::study::{
    CompareReport, Difference, MethodReport, Metric, Outcome, OverSets, SetReport, Spent,
};

/// What a metric is called at the head of a column.
pub fn named(metric: Metric) -> &'static str {
    match metric {
        Metric::Auc => "AUC",
        Metric::Accuracy => "accuracy",
        Metric::TprAt5 => "found at 5 %",
        Metric::TprAt10 => "found at 10 %",
        Metric::Log2Likelihood => "bits a row",
        Metric::Brier => "Brier",
        Metric::Rmse => "RMSE",
        Metric::Mae => "MAE",
        Metric::R2 => "R2",
    }
}

/// Everything, set after set.
pub fn all(report: &CompareReport, spent: &[Spent]) -> String {
    let mut text = String::new();
    for set in &report.sets {
        text += &set_words(report, set);
    }
    if let Some(over) = report.over_sets.get(&report.by) {
        text += &over_words(report.by, over);
    }
    text + &times(report, spent)
}

/// What to worry about, and what failed.
pub fn remark(shell: &Shell, report: &CompareReport) {
    let several = report.sets.len() > 1;
    for set in &report.sets {
        let place = if several { format!("{}: ", set.dataset) } else { String::new() };
        for remark in &set.remarks {
            shell.remark(&format!("{place}{}", words::remark(remark)));
        }
        for method in &set.methods {
            match (&method.failure, method.outcome) {
                (Some(failure), _) => {
                    let help = failure.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
                    let name = &method.name;
                    shell.remark(&format!("{place}{name} failed: {}{help}", failure.message));
                }
                (None, Outcome::Unfinished) => {
                    shell.remark(&format!("{place}interrupted before {} was done", method.name));
                }
                _ => {}
            }
        }
        if report.repeats > set.repeats.len() && set.methods.iter().any(judged) {
            shell.remark(&format!(
                "{place}interrupted: {} of {} repeats count, those that all of these methods finished",
                set.repeats.len(),
                report.repeats
            ));
        }
    }
}

/// An error where no method was judged on any set: what is wanted is not there.
pub fn all_failed(report: &CompareReport) -> Result<()> {
    let mut methods = report.sets.iter().flat_map(|set| &set.methods);
    if methods.clone().any(judged) {
        return Ok(());
    }
    let Some(failed) = methods.find(|method| method.failure.is_some()) else { return Ok(()) };
    let what = format!("every method failed, {} first", failed.name);
    let help = failed.failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default();
    // The document on standard output tells of it.
    Err(anyhow::Error::new(Error::unsuitable(what, help)).context(Told))
}

fn judged(method: &MethodReport) -> bool {
    method.outcome == Outcome::Judged
}

/// The folds of a comparison: `3 cross-validations of 10 folds`.
fn folds(report: &CompareReport) -> String {
    let whole = report.groups.as_ref();
    let whole = whole.map_or(String::new(), |column| format!(", each `{column}` kept whole"));
    match report.repeats {
        1 => format!("a cross-validation of {} folds{whole}", report.folds),
        repeats => format!("{repeats} cross-validations of {} folds{whole}", report.folds),
    }
}

fn set_words(report: &CompareReport, set: &SetReport) -> String {
    let target = match &set.classes {
        Some(classes) => format!("{} classes", classes.len()),
        None => "a number to predict".to_owned(),
    };
    let tuned = report.tuned.map_or(String::new(), |candidates| {
        format!(
            " Parameters were tuned on the training rows of each fold, {candidates} settings tried."
        )
    });
    let mut text = format!(
        "{}: {}, {target}; {}, the same for all methods.{tuned}\n\n{}\n\n",
        set.dataset,
        counted(set.data.rows as u64, "row"),
        folds(report),
        figures(report, set),
    );
    for method in set.methods.iter().filter(|method| !judged(method)) {
        text += &match &method.failure {
            Some(failure) => format!("{} failed: {}.\n", method.name, failure.message),
            None => format!("{} was not finished.\n", method.name),
        };
    }
    text + &against_best(report.by, set)
}

/// The methods of a set that were judged, best first.
fn by_rank(by: Metric, set: &SetReport) -> Vec<&MethodReport> {
    let rank = |method: &MethodReport| {
        method.figures.get(&by).and_then(|figure| figure.rank).unwrap_or(f64::INFINITY)
    };
    let mut methods: Vec<&MethodReport> =
        set.methods.iter().filter(|method| judged(method)).collect();
    methods.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    methods
}

fn figures(report: &CompareReport, set: &SetReport) -> String {
    let by = report.by;
    let others = Metric::of(set.classes.as_ref().map(Vec::len)).iter().copied();
    let others: Vec<Metric> = others.filter(|metric| *metric != by).collect();
    let interval = format!("{} interval", words::level(report.level));
    let mut header = vec!["method", "rank", named(by), interval.as_str()];
    header.extend(others.iter().map(|metric| named(*metric)));
    header.push("size");
    let row = |method: &MethodReport| {
        let figure = method.figures.get(&by);
        let mut cells = vec![
            method.name.clone(),
            figure.and_then(|figure| figure.rank).map_or(String::new(), words::number),
            figure.map_or(String::new(), |figure| value(by, figure.value)),
            figure.and_then(|figure| figure.interval).map_or(String::new(), |interval| {
                format!("{} to {}", value(by, interval.low), value(by, interval.high))
            }),
        ];
        let value = |metric: &Metric| method.figures.get(metric).map(|f| value(*metric, f.value));
        cells.extend(others.iter().map(|metric| value(metric).unwrap_or_default()));
        cells.push(method.bytes.map_or(String::new(), bytes));
        cells
    };
    tables::plain(&header, by_rank(by, set).into_iter().map(row))
}

/// A figure with the digits that suit it.
fn value(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Accuracy | Metric::TprAt5 | Metric::TprAt10 => percent(value),
        Metric::Auc | Metric::Brier | Metric::R2 => format!("{value:.4}"),
        Metric::Log2Likelihood => format!("{value:.3}"),
        // In the unit of the target, whatever its size.
        _ => words::number(format!("{value:.3e}").parse().unwrap_or(value)),
    }
}

/// An amount of bytes.
fn bytes(n: u64) -> String {
    match n as f64 {
        few if few < 1e3 => format!("{few} B"),
        some if some < 1e6 => format!("{:.1} kB", some / 1e3),
        many => format!("{:.1} MB", many / 1e6),
    }
}

fn p_value(p: Option<f64>) -> String {
    match p {
        None => "none".to_owned(),
        Some(p) if p < 1e-4 => "below 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

/// How the best method differs from the others.
fn against_best(by: Metric, set: &SetReport) -> String {
    let methods = by_rank(by, set);
    let Some((best, others)) = methods.split_first().filter(|(_, others)| !others.is_empty())
    else {
        return String::new();
    };
    let rows = others.iter().filter_map(|other| {
        let found = set.pairs.iter().find_map(|pair| match (&pair.first, &pair.second) {
            (first, second) if *first == best.name && *second == other.name => {
                Some((1.0, pair.by.get(&by)?))
            }
            (first, second) if *first == other.name && *second == best.name => {
                Some((-1.0, pair.by.get(&by)?))
            }
            _ => None,
        });
        let (sign, Difference { mean, p_value: p, p_adjusted, .. }) = found?;
        // Adding 0 makes a 0 of -0.
        let difference = value(by, sign * mean + 0.0);
        Some(vec![other.name.clone(), difference, p_value(*p), p_value(*p_adjusted)])
    });
    let header = ["against", "difference", "p", "p after Holm"];
    format!(
        "{} is best by {}. Differences fold by fold, with the corrected resampled t test; Holm over all {}:\n\n{}\n\n",
        best.name,
        named(by),
        counted(set.pairs.len() as u64, "pair"),
        tables::plain(&header, rows)
    )
}

fn over_words(by: Metric, over: &OverSets) -> String {
    let mut order: Vec<usize> = (0..over.methods.len()).collect();
    let ranks = &over.friedman.average_ranks;
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    let best = order.first().copied().unwrap_or(0);
    let rows = order.iter().map(|&at| {
        let pair = over.wilcoxon.iter().find(|pair| {
            let both = [&pair.first, &pair.second];
            at != best && both.contains(&&over.methods[at]) && both.contains(&&over.methods[best])
        });
        let mut cells = vec![over.methods[at].clone(), format!("{:.2}", ranks[at])];
        match pair {
            None => cells.extend([String::new(), String::new(), String::new()]),
            Some(pair) => cells.extend([
                p_value(Some(over.nemenyi.p_values[best][at])),
                p_value(Some(pair.test.p_value)),
                p_value(pair.p_adjusted),
            ]),
        }
        cells
    });
    let header = ["method", "average rank", "p (Nemenyi)", "p (Wilcoxon)", "p after Holm"];
    let mut text = format!(
        "Over {} by {}: Friedman's chi-square {:.3}, p = {}{}. Ranks that differ by less than {:.3} cannot be told apart (Nemenyi, 5 %). P-values are those against the best:\n\n{}\n\n",
        counted(over.sets.len() as u64, "data set"),
        named(by),
        over.friedman.chi_square,
        p_value(Some(over.friedman.chi_square_p)),
        over.friedman.f_p.map_or(String::new(), |p| {
            format!(" (Iman and Davenport's F, p = {})", p_value(Some(p)))
        }),
        over.nemenyi.critical_difference,
        tables::plain(&header, rows)
    );
    if !over.left_out.is_empty() {
        let names = listed(&over.left_out);
        text += &format!("Left out, because they were not judged on every set: {names}.\n\n");
    }
    text
}

/// What it cost.
fn times(report: &CompareReport, spent: &[Spent]) -> String {
    if spent.is_empty() {
        return String::new();
    }
    let several = report.sets.len() > 1;
    let mut header = vec!["method", "fits", "fit", "predict"];
    if several {
        header.insert(0, "data");
    }
    let seconds = |s: f64| if s < 1e-4 { "below 0.0001".to_owned() } else { format!("{s:.4}") };
    let rows = spent.iter().map(|of| {
        let fits = of.fits.to_string();
        let mut cells = vec![of.method.clone(), fits, seconds(of.fit_s), seconds(of.predict_s)];
        if several {
            cells.insert(0, of.dataset.clone());
        }
        cells
    });
    format!("CPU seconds of a fit and of its prediction:\n\n{}\n", tables::plain(&header, rows))
}
