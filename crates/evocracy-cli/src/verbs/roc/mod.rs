//! `evocracy roc`: what scores are worth, whatever made them.

mod figures;
mod table;
mod words;

use crate::args::{Picture, Roc as Args};
use crate::draw::{Canvas, Curve, Scored};
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::measure::{
    Band, Confusion, Order, Ranking, Resampling, bootstrap_band, fixed_width_band,
};
use evocracy::run::Run;
use evocracy_report::{Iso, Mark};
use figures::{Figure, Figures};
use serde_json::json;
use table::Scores;

/// The false positive rates of a band.
const GRID: usize = 200;

/// Draws of rows for a band.
const REPLICATES: usize = 1000;

/// With more rows than this the band that needs no draws is narrow enough.
const MOST_DRAWN: usize = 20_000;

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let (scores, read) =
        shell.work(&format!("reading {}", args.table), |run| Scores::read(shell, args, run.stop));
    let scores = scores?;
    let (figures, judge) = shell.work("judging", |_| Figures::new(args, &scores));
    let figures = figures?;
    let remarks = remarks(args, &figures);
    shell.remarks(&remarks);
    if args.drawing.plot.is_some() {
        shell.work("drawing", |run| draw(args, &scores, &figures, run)).0?;
    }
    let mut json = serde_json::to_value(&figures)?;
    json["dataset"] = json!(args.table);
    json["seed"] = json!(shell.seed);
    json["remarks"] = json!(remarks);
    json["plot"] = json!(args.drawing.plot);
    json["timing"] = json!({ "read_s": read, "judge_s": judge });
    let mut text = words::all(&figures);
    if let Some(path) = &args.drawing.plot {
        text += &format!("The {} is in {}.\n", args.drawing.picture.words(), path.display());
    }
    shell.show(&text, &json)?;
    Ok(Outcome::Done)
}

/// Intervals from fewer clusters than this, or than this with a class, are too narrow.
const FEW_CLUSTERS: usize = 20;
const FEW_WITH_A_CLASS: usize = 8;

/// Scores that point the wrong way, and clusters that are few.
fn remarks(args: &Args, figures: &Figures) -> Vec<String> {
    let mut notes = Vec::new();
    let mut ways = Vec::new();
    if args.positive.is_none() {
        ways.push(format!("with --positive {} they rank above", figures.others));
    }
    ways.push(if args.lower {
        "without --lower high scores mean positive".to_owned()
    } else {
        "with --lower low scores mean positive".to_owned()
    });
    for figure in figures.scores.iter().filter(|figure| figure.auc_interval.high < 0.5) {
        notes.push(format!(
            "note: by `{}` the {} rows rank below the others (AUC {:.4}); {}",
            figure.name,
            figures.positive,
            figure.auc,
            ways.join(", ")
        ));
    }
    if let Some(clusters) = &figures.clusters {
        let fewest = clusters.with_positives.min(clusters.with_negatives);
        if clusters.count < FEW_CLUSTERS || fewest < FEW_WITH_A_CLASS {
            notes.push(format!(
                "note: there are {} clusters, {} with `{}` and {} with others; intervals from so few are too narrow",
                clusters.count, clusters.with_positives, figures.positive, clusters.with_negatives,
            ));
        }
    }
    notes
}

fn draw(args: &Args, scores: &Scores, figures: &Figures, run: &Run<'_>) -> Result<()> {
    let Some(path) = &args.drawing.plot else { return Ok(()) };
    let subtitle = format!("{}, {} rows, positive {}", args.table, figures.rows, figures.positive);
    let title = format!("Judging {}", figures.truth);
    let mut canvas = Canvas { path, title, subtitle, level: args.level };
    match args.drawing.picture {
        Picture::Roc => {
            let curves = figures.scores.iter().zip(&scores.columns);
            let curves =
                curves.map(|(figure, (_, column))| curve(figures, figure, scores, column, run));
            canvas.roc(&curves.collect::<Result<Vec<_>>>()?)
        }
        Picture::Confusion => {
            let best = figures.best();
            canvas.subtitle += &format!(", {}", words::rule(figures, best));
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
    figures: &Figures,
    figure: &Figure,
    scores: &Scores,
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
    let label = figure.best.threshold.map_or("nobody called".to_owned(), |threshold| {
        format!("threshold {}", words::short(threshold))
    });
    let best = figure.best.point;
    Ok(Curve {
        name: figure.name.clone(),
        roc: figure.roc.clone(),
        interval: Some(figure.auc_interval),
        mark: Some(Mark { fpr: best.fpr, tpr: best.tpr, label }),
        iso: iso.filter(|_| alone).map(|slope| Iso { slope, label: costs }),
        band,
        hull: alone,
    })
}

/// The band of a curve; none for very many rows in clusters, which would take long to draw.
fn band(level: f64, scores: &Scores, column: &[f64], run: &Run<'_>) -> Result<Option<Band>> {
    let grid: Vec<f64> = (0..=GRID).map(|i| i as f64 / GRID as f64).collect();
    let weights = scores.weights.as_deref();
    let many = scores.truth.len() > MOST_DRAWN;
    let draws = match &scores.clusters {
        Some(_) if many => return Ok(None),
        Some(clusters) => Resampling::clustered(&scores.truth, clusters, weights)?,
        None if many => {
            let ranking = Ranking::new(&scores.truth, column, weights)?;
            return Ok(Some(fixed_width_band(&ranking, &grid, level)?));
        }
        None => Resampling::stratified(&scores.truth, weights)?,
    };
    let order = Order::new(&scores.truth, column, weights)?;
    Ok(Some(bootstrap_band(&order, &draws, &grid, REPLICATES, level, run)?))
}

/// What the best score calls the rows at its best point.
fn called(scores: &Scores, best: &Figure) -> Result<Confusion> {
    let column = scores.columns.iter().find(|(name, _)| *name == best.name);
    let column = column.map_or(&[][..], |(_, column)| &column[..]);
    let threshold = best.best.point.threshold;
    let truth: Vec<u32> = scores.truth.iter().map(|&t| u32::from(t)).collect();
    let calls: Vec<u32> = column.iter().map(|&score| u32::from(score >= threshold)).collect();
    Ok(Confusion::new(&truth, &calls, 2, scores.weights.as_deref())?)
}

fn scored(scores: &Scores) -> Vec<Scored> {
    let of = |(name, column): &(String, Vec<f64>)| Scored {
        name: name.clone(),
        truth: scores.truth.clone(),
        scores: column.clone(),
        weights: scores.weights.clone(),
        called: None,
    };
    scores.columns.iter().map(of).collect()
}
