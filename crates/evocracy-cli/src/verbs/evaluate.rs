//! `evocracy evaluate`: a saved model on rows whose classes are known.

use crate::args::Evaluate;
use crate::draw::Canvas;
use crate::input::Input;
use crate::judge::{self, Judged};
use crate::shell::{Outcome, Shell};
use crate::words;
use anyhow::Result;
use evocracy::data::Classes;
use evocracy::measure::LEVEL;
use evocracy::model::Model;
use serde_json::json;

pub fn run(shell: &Shell, args: &Evaluate) -> Result<Outcome> {
    let model = Model::load(&args.model)?;
    let classes = model.classes().ok();
    let target = judge::target_field(&model)?;
    let format = args.reading.format();
    let mut input = Input::open(shell, &args.data, &format, &model, Some(target))?;
    let (judged, seconds) = shell
        .work(&format!("evaluating {}", args.data), |run| Judged::input(&model, &mut input, run));
    let judged = judged?;
    let remarks = input.remarks();
    shell.remarks(&remarks);
    if let Some(path) = &args.drawing.plot {
        let subtitle = format!("{}, {} rows", args.data, judged.rows());
        let canvas = Canvas {
            path,
            title: format!("Predicting {}", model.about().target),
            subtitle,
            level: LEVEL,
        };
        judged.draw(&canvas, args.drawing.picture, &model.about().method)?;
    }
    let words = format!(
        "The model {} (method {}) judged on the {} rows of {}.\n{}\n{}\n",
        args.model.display(),
        model.about().method,
        judged.rows(),
        args.data,
        judged.words(),
        judged.table(),
    );
    let json = json!({
        "method": model.about().method,
        "dataset": args.data,
        "seed": model.about().seed,
        "classes": classes.map(Classes::names),
        "positive": classes.map(|classes| &classes.names()[classes.positive()]),
        "test": judged.json(),
        "model": { "size": words::size_json(&model.core().size()) },
        "remarks": remarks,
        "timing": { "evaluate_s": seconds },
    });
    shell.show(&words, &json)?;
    Ok(Outcome::Done)
}
