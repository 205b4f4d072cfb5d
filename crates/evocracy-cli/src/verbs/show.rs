//! `evocracy show`: what is in a model file; of a front, its points.

use crate::args::Show;
use crate::shell::{Outcome, Shell};
use crate::{tables, words};
use anyhow::Result;
use evocracy::data::Classes;
use evocracy::front::{FrontModel, FrontPoint};
use evocracy::model::Model;
use serde_json::{Value, json};

/// How many points of a front a person is shown.
const SHOWN: usize = 50;

pub fn run(shell: &Shell, args: &Show) -> Result<Outcome> {
    let model = args.model.load()?;
    let about = model.about();
    let mut text = format!(
        "{}: {} (method {}), trained on {} rows to predict `{}` from {}.\n",
        args.model.file.display(),
        words::size(&model.core().size()),
        about.method,
        about.rows,
        about.target,
        words::counted(model.schema().len() as u64, "column"),
    );
    if let Ok(classes) = model.classes() {
        let names = words::listed(classes.names());
        text += &format!("Classes: {names}; {}.\n", words::decision(model.decision(), classes));
    }
    if let Some(front) = model.front() {
        text += &format!("\n{}", points(front));
    }
    shell.show(&text, &document(&model))?;
    Ok(Outcome::Done)
}

fn document(model: &Model) -> Value {
    let about = model.about();
    let classes = model.classes().ok();
    let front = model.front().map(|front| {
        let points: Vec<FrontPoint> = front.points().iter().collect();
        json!({
            "chosen": front.chosen(),
            "objectives": front.points().objectives(),
            "complexity_is": front.points().complexity_is(),
            "points": points,
        })
    });
    json!({
        "method": about.method,
        "params": about.params.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "seed": about.seed,
        "rows": about.rows,
        "target": about.target,
        "version": about.version,
        "columns": model.schema().names().collect::<Vec<_>>(),
        "classes": classes.map(Classes::names),
        "decision": model.decision(),
        "size": words::size_json(&model.core().size()),
        "front": front,
    })
}

/// The points as a table, the chosen one marked.
fn points(front: &FrontModel) -> String {
    let points = front.points();
    let mut header = vec!["point".to_owned(), points.complexity_is().to_owned()];
    let promised = points.iter().next().is_some_and(|point| !point.promised.is_empty());
    header.push("threshold".to_owned());
    for objective in points.objectives() {
        header.push(format!("{} in training", objective.name));
        if promised {
            header.push(format!("{} promised", objective.name));
        }
    }
    let step = points.len().div_ceil(SHOWN);
    let shown = |at: &usize| at.is_multiple_of(step) || *at == front.chosen();
    let row = |at: usize| {
        let point = points.get(at);
        let mark = if at == front.chosen() { "*" } else { "" };
        let threshold = point.threshold.map_or(String::new(), |t| format!("{t:.4}"));
        let mut row = vec![format!("{at}{mark}"), words::number(point.complexity), threshold];
        for (objective, value) in point.training.iter().enumerate() {
            row.push(format!("{value:.4}"));
            if let Some(promise) = point.promised.get(objective) {
                let interval = promise.interval;
                let (low, high) = (interval.low, interval.high);
                row.push(format!("{:.4} ({low:.4} to {high:.4})", promise.value));
            }
        }
        row
    };
    let rows = (0..points.len()).filter(shown).map(row);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let table = tables::plain(&header, rows);
    let left = if step > 1 {
        format!("One of {step} points is shown; --json has all {}.\n", points.len())
    } else {
        String::new()
    };
    format!("{table}\n\n{left}The point marked * answers; --point N takes another.\n")
}
