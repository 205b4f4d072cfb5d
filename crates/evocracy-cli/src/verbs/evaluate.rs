//! `evocracy evaluate`: a saved model on rows whose classes are known.

use super::fit::judge_input;
use crate::args::Evaluate;
use crate::draw::{self, Canvas};
use crate::input::Input;
use crate::reporting;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::judge::{Protocol, Report, target_field};
use evocracy::measure::LEVEL;
use serde_json::json;

pub fn run(shell: &Shell, args: &Evaluate) -> Result<Outcome> {
    let model = args.calls.applied(args.model.load()?)?;
    draw::check(&args.drawing, model.classes().ok())?;
    let format = args.reading.format();
    let target = Some(target_field(&model));
    let mut input = Input::open(shell, &args.data, &format, &model, target)?;
    let (judged, seconds) = shell
        .work(&format!("evaluating {}", args.data), |run| judge_input(&model, &mut input, run));
    let judged = judged?;
    let protocol = Protocol::Table { name: args.data.clone() };
    let mut report = Report::new(&model, &args.data, protocol, None, Some(&judged))?;
    report.remarks.extend(input.remarks());
    shell.remarks(&report.remarks);
    let Some(figures) = &report.test else { unreachable!("rows were judged") };
    let words = format!(
        "The model {} (method {}) judged on the {} rows of {}{}.\n{}{}\n{}\n",
        args.model.file.display(),
        report.method,
        figures.rows(),
        args.data,
        reporting::equal(&report),
        reporting::decision(&report),
        reporting::figures(&report),
        reporting::tables(&report),
    );
    let mut json = serde_json::to_value(&report)?;
    json["timing"] = json!({ "evaluate_s": seconds });
    shell.show(&words, &json)?;
    if let Some(path) = &args.drawing.plot {
        let title = format!("Predicting {}", report.target);
        let subtitle = format!("{}, {} rows", args.data, figures.rows());
        let canvas = Canvas { path, title, subtitle, level: LEVEL };
        let drawn = canvas.judged(args.drawing.picture, &judged, figures, &report.method);
        shell.afterwards(drawn)?;
        shell.tell(&format!("The {} is in {}.", args.drawing.picture.words(), path.display()))?;
    }
    Ok(Outcome::Done)
}
