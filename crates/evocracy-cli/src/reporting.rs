//! A report in plain words: how rows are called, what that is worth, and beside what.

use crate::tables;
use crate::words::{self, count, counted, number, percent, short, whole};
use evocracy::classify::{ChosenOn, Criterion, Decision};
use evocracy::data::Classes;
use evocracy::judge::{Baseline, Calls, Capped, Noticed, Report};
use evocracy::measure::{Interval, LEVEL};

/// How many classes have a line each.
const MOST_LINES: usize = 20;

/// The classes of a report, unless it is about numbers.
pub fn classes(report: &Report) -> Option<Classes> {
    named(report.classes.as_ref(), report.positive.as_ref())
}

/// The classes of these names.
pub fn named(names: Option<&Vec<String>>, positive: Option<&String>) -> Option<Classes> {
    Classes::new(names?.clone()).ok()?.with_positive(positive?).ok()
}

/// How rows are called, in a sentence; nothing where the most probable class is called.
pub fn decision(report: &Report) -> String {
    classes(report).map_or(String::new(), |classes| called(&report.model.decision, &classes))
}

/// How a decision calls rows of these classes, in a sentence; nothing where it is plain.
pub fn called(decision: &Decision, classes: &Classes) -> String {
    if decision.is_plain() {
        return String::new();
    }
    let positive = &classes.names()[classes.positive()];
    let (how, why) = (words::decision(decision, classes), chosen(decision, positive));
    let how = if let Some(rest) = how.strip_prefix("the ") { format!("The {rest}") } else { how };
    format!("{how}{why}.\n")
}

/// What a decision was chosen for, and on which rows.
fn chosen(decision: &Decision, positive: &str) -> String {
    let why = match decision.criterion {
        Criterion::Given => String::new(),
        Criterion::Cost(c) => format!(
            ": the least cost where a false alarm costs {}, a miss {} and {} are `{positive}`",
            number(c.false_positive),
            number(c.false_negative),
            percent(c.prior)
        ),
        Criterion::MaxFpr(cap) => {
            format!(": the most found with at most {} false alarms", percent(cap))
        }
        Criterion::MinTpr(floor) => {
            format!(": the fewest false alarms with at least {} found", percent(floor))
        }
    };
    let rows = counted(decision.rows as u64, "row");
    let on = match decision.on {
        ChosenOn::Nothing => String::new(),
        ChosenOn::TrainingRows => format!(", on {rows} the model was trained on"),
        ChosenOn::OutOfFold => {
            format!(", on {rows} to train on, judged by models that were not trained on them")
        }
        ChosenOn::RowsSetAside => format!(", on {rows} set aside"),
    };
    format!("{why}{on}")
}

/// How many judged rows equal a training row, as the end of a sentence; nothing where none does.
pub fn equal(report: &Report) -> String {
    let repeated = report.remarks.iter().find_map(|remark| match remark.noticed {
        Noticed::RepeatedRows { repeated, estimated, .. } => Some((repeated, estimated)),
        _ => None,
    });
    repeated.map_or(String::new(), |(repeated, estimated)| {
        let about = if estimated { "about " } else { "" };
        format!(", {about}{repeated} of which equal a training row")
    })
}

/// How many rows equal another one, as the end of a sentence; nothing where none does.
pub fn twins(report: &Report) -> Option<String> {
    report.remarks.iter().find_map(|remark| match remark.noticed {
        Noticed::TwinRows { twins, .. } => {
            Some(format!("; {twins} rows of the table equal another one"))
        }
        _ => None,
    })
}

/// What the figures on the judged rows mean, with what stands beside them.
pub fn figures(report: &Report) -> String {
    let Some(test) = &report.test else { return String::new() };
    let classes = classes(report);
    let mut text = words::figures(test, classes.as_ref());
    match &report.baseline {
        Some(Baseline::Class { class, accuracy }) => {
            text += &format!("Always saying `{class}` is right for {}.", percent(*accuracy));
        }
        Some(Baseline::Mean { rmse, mae }) => {
            text += &format!(
                "Always saying the mean of these rows has a root mean square error of {rmse:.4}, a mean absolute error of {mae:.4}.\n"
            );
        }
        None => {}
    }
    if let (Some(calls), Some(classes)) = (&report.calls, &classes) {
        text += &worth(calls, classes, test.rows());
    }
    text
}

/// What the calls are worth.
fn worth(calls: &Calls, classes: &Classes, rows: usize) -> String {
    let mut text = String::new();
    if let Some(only) = calls.only.as_ref().filter(|_| rows > 1) {
        text += &format!(" The model calls every row `{only}`.");
    }
    let positive = calls.classes.get(classes.positive()).filter(|_| classes.len() == 2);
    if let Some(line) = positive {
        if let Some(precision) = line.precision {
            let (name, share) = (&line.class, percent(precision));
            text += &format!(" Of the rows called `{name}`, {share} are (precision).");
        }
        text += &line.f1.map_or(String::new(), |f1| format!(" F1 {f1:.3},"));
    }
    let head = if text.ends_with(',') { " balanced" } else { " Balanced" };
    text += &format!("{head} accuracy {}", percent(calls.balanced_accuracy));
    text += &calls.matthews.map_or(String::new(), |r| format!(", Matthews' coefficient {r:.3}"));
    text += ".\n";
    if let Some(cost) = &calls.cost {
        text += &format!(
            "Its calls cost {} per 1000 rows; always saying `{}` would cost {}.\n",
            short(1000.0 * cost.mean),
            cost.always,
            short(1000.0 * cost.mean_of_always)
        );
    }
    text
}

/// The confusion matrix, a line for each of several classes, and what other thresholds do.
pub fn tables(report: &Report) -> String {
    let (Some(test), Some(classes)) = (&report.test, classes(report)) else {
        return String::new();
    };
    let mut text = words::table(test, Some(&classes));
    if let Some(calls) = report.calls.as_ref().filter(|_| (3..=MOST_LINES).contains(&classes.len()))
    {
        text += &format!("\n\n{}", lines(calls));
    }
    let operating = operating(&report.operating_points, &classes);
    if !operating.is_empty() {
        text += &format!("\n\n{operating}");
    }
    text
}

/// What other thresholds do, as every report of two classes says it; nothing where rows were not
/// ranked.
pub fn operating(points: &[Capped], classes: &Classes) -> String {
    let Some(first) = points.first() else { return String::new() };
    let people = &first.point.per_1000;
    let positives = count((people.true_positives + people.false_negatives).round());
    let positive = &classes.names()[classes.positive()];
    format!(
        "What other thresholds do on these rows, with {} intervals; out of 1000 rows {positives} are `{positive}`:\n{}",
        words::level(LEVEL),
        table_of(points)
    )
}

/// Every class against the rest.
fn lines(calls: &Calls) -> String {
    let share = |rate: Option<f64>| rate.map_or("none".to_owned(), percent);
    let row = |line: &evocracy::judge::CallsOfClass| {
        vec![
            line.class.clone(),
            count(line.rows),
            count(line.called),
            share(line.precision),
            share(line.recall),
            line.f1.map_or("none".to_owned(), |f1| format!("{f1:.3}")),
        ]
    };
    let header = ["class", "rows", "called", "precision", "recall", "F1"];
    tables::plain(&header, calls.classes.iter().map(row))
}

/// The points at some false positive rates.
fn table_of(points: &[Capped]) -> String {
    let rate = |rate: f64, interval: &Interval| {
        format!("{} ({} to {})", percent(rate), percent(interval.low), percent(interval.high))
    };
    let row = |capped: &Capped| {
        let (point, o) = (&capped.point, &capped.point.per_1000);
        let people = [o.true_positives, o.false_negatives, o.false_positives, o.true_negatives];
        let people = whole(people);
        vec![
            format!("at most {}", words::level(capped.max_fpr)),
            point.threshold.map_or("none".to_owned(), short),
            rate(point.fpr, &point.fpr_interval),
            rate(point.tpr, &point.tpr_interval),
            count(people[0]),
            count(people[1]),
            count(people[2]),
        ]
    };
    let header = [
        "false alarms",
        "threshold",
        "false alarms",
        "found",
        "of 1000: found",
        "missed",
        "alarms",
    ];
    tables::plain(&header, points.iter().map(row))
}
