//! `evocracy evaluate` of several models: compared on the same rows.

use super::fit::judge_input;
use crate::args::{Evaluate, Picture};
use crate::draw::{Canvas, check_curves, curves};
use crate::input::Input;
use crate::reporting;
use crate::shell::{Outcome, Shell};
use crate::{tables, words};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::judge::{Figures, Judged, target_field};
use evocracy::measure::LEVEL;
use evocracy::model::Model;
use evocracy::study::{ModelFigures, Paired, PairedModels};
use serde_json::json;
use std::path::Path;

pub fn run(shell: &Shell, args: &Evaluate) -> Result<Outcome> {
    check(args)?;
    let mut judged: Vec<(String, Model, Judged)> = Vec::new();
    let mut seconds = 0.0;
    for file in &args.model.files {
        let (model, said, took) = judge(shell, args, file)?;
        judged.push((file.display().to_string(), model, said));
        seconds += took;
    }
    let models: Vec<(String, &Model, &Judged)> =
        judged.iter().map(|(name, model, said)| (name.clone(), model, said)).collect();
    let report = Paired::new(&args.data, &models)?;
    let mut document = serde_json::to_value(&report)?;
    document["plot"] = json!(args.drawing.plot);
    document["timing"] = json!({ "evaluate_s": seconds });
    shell.show(&text(&report), &document)?;
    if let Some(path) = &args.drawing.plot {
        let title = format!("Predicting {}", report.target);
        let subtitle = format!("{}, {}", args.data, words::counted(report.rows as u64, "row"));
        let drawn = judged.iter().flat_map(|(name, _, said)| curves(said, name));
        let canvas = Canvas { path, look: &args.drawing.look, title, subtitle, level: LEVEL };
        shell.afterwards(canvas.roc(&drawn.collect::<Vec<_>>()))?;
        shell.remark(&format!("the picture is in {}", path.display()));
    }
    Ok(Outcome::Done)
}

/// Refuses what makes sense for one model alone.
fn check(args: &Evaluate) -> Result<()> {
    let files = &args.model.files;
    let twice = files.iter().enumerate().find(|(at, file)| files[..*at].contains(file));
    let (what, help) = if let Some((_, file)) = twice {
        (format!("the model {} is named twice", file.display()), "name each model once")
    } else if args.data == "-" {
        let what = "standard input can be read once, and each model reads the rows";
        (what.to_owned(), "write the rows into a file first")
    } else if args.max_complexity.is_some() {
        let what = "--max-complexity is for a single front";
        (what.to_owned(), "keep a point as a model of its own (see `evocracy pick`)")
    } else if args.model.point.is_some() || args.model.program.command.is_some() {
        let what = "--point and --command are for a single model";
        (what.to_owned(), "keep the point as a model of its own (see `evocracy pick`)")
    } else if args.drawing.plot.is_some() && args.drawing.picture(true) != Picture::Roc {
        ("several models are drawn as ROC curves".to_owned(), "leave out --picture")
    } else {
        return Ok(());
    };
    Err(Error::unsuitable(what, help).into())
}

/// What one model says of the rows.
fn judge(shell: &Shell, args: &Evaluate, file: &Path) -> Result<(Model, Judged, f64)> {
    let model = args.calls.applied(Model::load(file)?)?;
    if args.drawing.plot.is_some() {
        check_curves(model.classes().ok())?;
    }
    let format = args.reading.format();
    let target = Some(target_field(&model));
    let mut input = Input::open(shell, &args.data, &format, &model, target)?;
    let what = format!("evaluating {}", file.display());
    let (judged, seconds) = shell.work(&what, |run| judge_input(&model, &mut input, run));
    let mut judged = judged?;
    judged.remarks.extend(input.remarks());
    for remark in &judged.remarks {
        shell.remark(&format!("{}: {}", file.display(), words::remark(remark)));
    }
    Ok((model, judged, seconds))
}

fn text(report: &Paired) -> String {
    let mut text = format!(
        "{} models judged on the {} of {}, to predict `{}`.\n\n{}\n\n",
        report.models.len(),
        words::counted(report.rows as u64, "row"),
        report.dataset,
        report.target,
        figures(report),
    );
    let decisions = decisions(report);
    if !decisions.is_empty() {
        text += &format!("{decisions}\n");
    }
    text += &operating(report);
    for pair in &report.pairs {
        text += &pair_words(pair, report.pairs.len());
    }
    text
}

/// How each model calls rows, where it is not by the most probable class.
fn decisions(report: &Paired) -> String {
    let Some(classes) = reporting::named(report.classes.as_ref(), report.positive.as_ref()) else {
        return String::new();
    };
    let line = |model: &ModelFigures| {
        let words = reporting::called(&model.decision, &classes);
        if words.is_empty() { words } else { format!("{}: {words}", model.name) }
    };
    report.models.iter().map(line).collect()
}

/// What other thresholds of each model do.
fn operating(report: &Paired) -> String {
    let Some(classes) = reporting::named(report.classes.as_ref(), report.positive.as_ref()) else {
        return String::new();
    };
    let one = |model: &ModelFigures| {
        let words = reporting::operating(&model.operating_points, &classes);
        if words.is_empty() { words } else { format!("{}: {words}\n\n", model.name) }
    };
    report.models.iter().map(one).collect()
}

fn figures(report: &Paired) -> String {
    if report.classes.is_none() {
        let header = ["model", "method", "RMSE", "MAE", "R2"];
        let row = |model: &ModelFigures| {
            let Figures::Numbers(of) = &model.figures else { return Vec::new() };
            let r2 = of.r2.map_or(String::new(), |r2| format!("{r2:.4}"));
            let errors = [of.rmse, of.mae].map(|error| format!("{error:.4}"));
            [vec![model.name.clone(), model.method.clone()], errors.to_vec(), vec![r2]].concat()
        };
        return tables::plain(&header, report.models.iter().map(row));
    }
    let header =
        ["model", "method", "accuracy", "interval", "AUC", "interval", "bits a row", "Brier"];
    let row = |model: &ModelFigures| {
        let Some(of) = model.figures.classes() else { return Vec::new() };
        let accuracy = of.accuracy_interval;
        vec![
            model.name.clone(),
            model.method.clone(),
            words::percent(of.accuracy),
            format!("{} to {}", words::percent(accuracy.low), words::percent(accuracy.high)),
            of.auc.map_or(String::new(), |auc| format!("{auc:.4}")),
            of.auc_interval.map_or(String::new(), |i| format!("{:.4} to {:.4}", i.low, i.high)),
            format!("{:.3}", of.log2_likelihood),
            format!("{:.4}", of.brier),
        ]
    };
    tables::plain(&header, report.models.iter().map(row))
}

/// Two models, in sentences.
fn pair_words(pair: &PairedModels, pairs: usize) -> String {
    let holm = |p: Option<f64>| {
        p.filter(|_| pairs > 1).map_or(String::new(), |p| format!(" ({p:.4} after Holm)"))
    };
    let mut text = format!("{} against {}: ", pair.first, pair.second);
    if let Some(auc) = &pair.auc {
        let p = auc.p_value.map_or("unknown".to_owned(), |p| format!("{p:.4}"));
        text += &format!(
            "the AUC differs by {:.4} ({:.4} to {:.4}), p = {p}{} after DeLong; ",
            auc.difference + 0.0,
            auc.interval.low,
            auc.interval.high,
            holm(pair.auc_p_adjusted),
        );
    }
    text + &format!(
        "only the first is right on {}, only the second on {}, p = {:.4}{} after McNemar.\n",
        words::counted(pair.calls.first, "row"),
        pair.calls.second,
        pair.calls.p_value,
        holm(pair.calls_p_adjusted),
    )
}
