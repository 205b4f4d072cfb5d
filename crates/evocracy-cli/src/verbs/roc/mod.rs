//! `evocracy roc`: what scores are worth, whatever made them.

mod extra;
mod table;
mod words;

use crate::args::{Picture, Roc as Args};
use crate::draw::{Canvas, Curve, Scored, check_scores};
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::judge::{Noticed, Question, RocReport, ScoreFigures, ScoreTable, Scores};
use evocracy::measure::{
    Band, Confusion, Order, Ranking, Resampling, bootstrap_band, fixed_width_band,
};
use evocracy::run::Run;
use evocracy_report::{Iso, Mark};
use extra::Extra;
use serde_json::json;

/// The false positive rates of a band.
const GRID: usize = 200;

/// Draws of rows for a band.
const REPLICATES: usize = 1000;

/// With more rows than this the band that needs no draws is narrow enough.
const MOST_DRAWN: usize = 20_000;

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    check_scores(&args.drawing)?;
    let (scores, read) =
        shell.work(&format!("reading {}", args.table), |run| table::read(shell, args, run.stop));
    let scores = scores?;
    let asked = Question {
        cost_fp: args.aim.cost_fp.unwrap_or(1.0),
        cost_fn: args.aim.cost_fn.unwrap_or(1.0),
        prior: args.aim.prior,
        criterion: args.aim.criterion(),
        level: args.level,
    };
    let (report, judge) = shell.work("judging", |_| RocReport::new(&scores, &asked));
    let report = report.map_err(in_words)?;
    let extras = shell.work("drawing rows", |run| extra::find(args, &scores, &report, run)).0?;
    for remark in &report.remarks {
        let advice = match &remark.noticed {
            Noticed::RanksBelow { .. } => format!("; {}", other_ways(args, &report)),
            _ => String::new(),
        };
        shell.remark(&format!("{}{advice}", crate::words::remark(remark)));
    }
    let mut json = serde_json::to_value(&report)?;
    extra::add(args, &extras, &mut json);
    json["dataset"] = json!(args.table);
    json["seed"] = json!(shell.seed);
    json["plot"] = json!(args.drawing.plot);
    json["timing"] = json!({ "read_s": read, "judge_s": judge });
    let extra = extra::words(args, &extras, report.clusters.is_some());
    shell.show(&words::all(&report, &extra, args.unit), &json)?;
    if let Some(path) = &args.drawing.plot {
        let drawn = shell.work("drawing", |run| draw(args, &scores, &report, &extras, run)).0;
        shell.afterwards(drawn)?;
        shell.tell(&format!(
            "The {} is in {}.",
            args.drawing.picture(true).words(),
            path.display()
        ))?;
    }
    Ok(Outcome::Done)
}

/// An error in the words of the command line.
fn in_words(error: Error) -> Error {
    match error {
        Error::Param { name, expected, got, .. } => {
            let option = match name.as_str() {
                "false_positive" => "--cost-fp",
                "false_negative" => "--cost-fn",
                "prior" => "--prior",
                "cap on the false positive rate" => "--max-fpr",
                "floor under the true positive rate" => "--min-tpr",
                other => other,
            };
            Error::Param { of: "roc".to_owned(), name: option.to_owned(), expected, got }
        }
        other => other,
    }
}

/// What to try with scores that rank the positives below the others.
fn other_ways(args: &Args, report: &RocReport) -> String {
    let mut ways = Vec::new();
    if args.positive.is_none() {
        ways.push(format!("with --positive {} they rank above", report.others));
    }
    ways.push(if args.lower {
        "without --lower high scores mean positive".to_owned()
    } else {
        "with --lower low scores mean positive".to_owned()
    });
    ways.join(", ")
}

fn draw(
    args: &Args,
    scores: &ScoreTable,
    figures: &RocReport,
    extras: &[Extra],
    run: &Run<'_>,
) -> Result<()> {
    let Some(path) = &args.drawing.plot else { return Ok(()) };
    let subtitle = format!("{}, {} rows, positive {}", args.table, figures.rows, figures.positive);
    let title = format!("Judging {}", figures.truth);
    let mut canvas = Canvas { path, look: &args.drawing.look, title, subtitle, level: args.level };
    match args.drawing.picture(true) {
        Picture::Roc => {
            let curves = figures.scores.iter().zip(&scores.columns);
            let curves = curves.zip(extras).map(|((figure, (_, column)), extra)| {
                let curve = curve(args, figures, figure, scores, column, run)?;
                Ok(Curve { smooth: extra.line(), ..curve })
            });
            canvas.roc(&curves.collect::<Result<Vec<_>>>()?)
        }
        Picture::Confusion => {
            let Some(best) = figures.best() else { return Ok(()) };
            canvas.subtitle += &format!(", {}", words::rule(figures, best, args.unit));
            let names = [figures.others.clone(), figures.positive.clone()];
            canvas.confusion(&names, &called(scores, best)?)
        }
        Picture::Reliability if scores.turned => {
            let what = "low scores that mean positive are no probabilities of it";
            Err(Error::unsuitable(what, "draw the ROC curve instead").into())
        }
        picture => canvas.scored(picture, &scored(scores)),
    }
}

/// The curve of one score; a single one with its band.
fn curve(
    args: &Args,
    figures: &RocReport,
    figure: &ScoreFigures,
    scores: &ScoreTable,
    column: &[f64],
    run: &Run<'_>,
) -> Result<Curve> {
    let alone = figures.scores.len() == 1;
    let band = if alone { band(figures.level, scores, column, run)? } else { None };
    let c = &figures.conditions;
    let costs = format!(
        "equal cost: FP {}, FN {}, prior {}",
        words::short(c.false_positive),
        words::short(c.false_negative),
        words::short(c.prior)
    );
    let iso = c.slope().filter(|_| figures.chosen_by == "cost");
    let label = figure.best.threshold.map_or(format!("{} called", args.unit.none()), |threshold| {
        format!("threshold {}", words::short(threshold))
    });
    let best = figure.best.point;
    Ok(Curve {
        interval: Some(figure.auc_interval),
        mark: Some(Mark { fpr: best.fpr, tpr: best.tpr, label }),
        iso: iso.filter(|_| alone).map(|slope| Iso { slope, label: costs }),
        band,
        hull: if alone {
            figure.roc.hull().iter().map(|p| (p.fpr, p.tpr)).collect()
        } else {
            Vec::new()
        },
        ..Curve::new(figure.name.clone(), &figure.roc)
    })
}

/// The band of a curve; none for very many rows in clusters, which would take long to draw.
fn band(level: f64, scores: &ScoreTable, column: &[f64], run: &Run<'_>) -> Result<Option<Band>> {
    let grid: Vec<f64> = (0..=GRID).map(|i| i as f64 / GRID as f64).collect();
    let weights = scores.weights.as_deref();
    let many = scores.truth.len() > MOST_DRAWN;
    match &scores.clusters {
        Some(_) if many => return Ok(None),
        None if many => {
            let ranking = Ranking::new(&scores.truth, column, weights)?;
            return Ok(Some(fixed_width_band(&ranking, &grid, level)?));
        }
        _ => {}
    }
    let draws = resampling(scores)?;
    let order = Order::new(&scores.truth, column, weights)?;
    Ok(Some(bootstrap_band(&order, &draws, &grid, REPLICATES, level, run)?))
}

/// How rows are drawn: clusters as wholes, else rows within their class.
fn resampling(scores: &ScoreTable) -> Result<Resampling> {
    let weights = scores.weights.as_deref();
    Ok(match &scores.clusters {
        Some(clusters) => Resampling::clustered(&scores.truth, clusters, weights)?,
        None => Resampling::stratified(&scores.truth, weights)?,
    })
}

/// What the best score calls the rows at its best point.
fn called(scores: &ScoreTable, best: &ScoreFigures) -> Result<Confusion> {
    let column = scores.columns.iter().find(|(name, _)| *name == best.name);
    let column = column.map_or(&[][..], |(_, column)| &column[..]);
    let threshold = best.best.point.threshold;
    let truth: Vec<u32> = scores.truth.iter().map(|&t| u32::from(t)).collect();
    let calls: Vec<u32> = column.iter().map(|&score| u32::from(score >= threshold)).collect();
    Ok(Confusion::new(&truth, &calls, 2, scores.weights.as_deref())?)
}

fn scored(table: &ScoreTable) -> Vec<Scored> {
    let of = |(name, column): &(String, Vec<f64>)| {
        let (truth, scores) = (table.truth.clone(), column.clone());
        let weights = table.weights.clone();
        let of = Scores { class: None, truth, scores, weights, called: None };
        Scored { name: name.clone(), of }
    };
    table.columns.iter().map(of).collect()
}
