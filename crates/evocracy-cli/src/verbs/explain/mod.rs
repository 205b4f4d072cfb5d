//! `evocracy explain`: why rows get their predictions.

mod many;

use crate::args::{Explain, ExplainFormat};
use crate::input::Input;
use crate::shell::{Outcome, Shell};
use crate::tables;
use anyhow::Result;
use evocracy::classify::{Explanation, Link};
use evocracy::data::View;
use evocracy::model::Model;
use evocracy::run::Run;
use serde_json::{Value, json};

/// How many pieces of evidence a person is shown.
const SHOWN: usize = 20;

pub fn run(shell: &Shell, args: &Explain) -> Result<Outcome> {
    let model = args.model.load()?;
    let format = args.reading.format();
    let mut input = Input::open(shell, &args.data, &format, &model, None)?;
    let text = args.format == ExplainFormat::Text && args.out.is_none();
    let Some(row) = args.row.single().filter(|_| text) else {
        return many::run(shell, args, &model, input);
    };
    let (table, _) = shell.work(&format!("reading {}", args.data), |_| input.row(row));
    let table = table?;
    let explained = shell
        .work("asking the model", |run| Explained::of(&model, table.view(), (row, &args.data), run))
        .0?;
    shell.remarks(&input.remarks());
    shell.show(&explained.words, &explained.json)?;
    Ok(Outcome::Done)
}

/// A row with its prediction and why.
struct Explained {
    row: usize,
    explanation: Explanation,
    /// The probability of each class, or the number.
    output: Vec<f64>,
    words: String,
    json: Value,
}

impl Explained {
    /// Of the only row of the view; it has this number in this table.
    fn of(model: &Model, view: View<'_>, (row, data): (usize, &str), run: &Run) -> Result<Self> {
        let explanation = model.explain(view, 0)?;
        let parts: Vec<Value> = explanation
            .parts
            .iter()
            .map(|part| {
                let column = part.column.map(|column| &model.schema().fields[column].name);
                json!({ "column": column, "because": part.because, "adds": part.adds })
            })
            .collect();
        let mut json = json!({
            "row": row,
            "method": model.about().method,
            "base": explanation.base,
            "parts": parts,
            "link": explanation.link,
        });
        let head = format!("Row {row} of {data}");
        if model.is_classifier() {
            let proba = model.proba(view)?;
            let names = model.classes()?.names();
            let best = model.call(proba.row(0))?;
            json["classes"] = json!(names);
            json["prediction"] = json!(names[best]);
            json["proba"] = json!(proba.row(0));
            let errors = model.standard_errors(view, run)?;
            let error = errors.and_then(|errors| errors.first().copied());
            let said = error.map_or(String::new(), |error| format!(" (standard error {error:.3})"));
            if let Some(error) = error {
                json["standard_error"] = json!(error);
            }
            let p = proba.row(0)[best];
            let call = format!("`{}` with probability {p:.3}{said}", names[best]);
            let words = format!("{head}: {call}.\n{}", reasons(&explanation, &names[best], best));
            let output = proba.row(0).to_vec();
            return Ok(Self { row, explanation, output, words, json });
        }
        let (mut value, mut variance) = ([0.0], [0.0]);
        model.predict_into(view, &mut value, Some(&mut variance))?;
        let (value, sd) = (value[0], variance[0].sqrt());
        (json["prediction"], json["sd"]) = (json!(value), json!(sd));
        let call = format!("{value:.4} (standard deviation {sd:.4})");
        let words = format!("{head}: {call}.\n{}", reasons(&explanation, &model.about().target, 0));
        Ok(Self { row, explanation, output: vec![value], words, json })
    }
}

/// The evidence for the predicted class or number, the strongest first.
fn reasons(explanation: &Explanation, name: &str, best: usize) -> String {
    let scale = match explanation.link {
        Link::Identity if explanation.base.len() == 1 => "Each piece of evidence moves it by:",
        Link::Identity => "Each piece of evidence moves the probability of the class by:",
        Link::Softmax => "Each piece of evidence moves the log-odds of the class by:",
        Link::Winner => "The class with the most points wins; each piece of evidence gives it:",
    };
    // On the log scale only differences between classes count: show the class against the rest.
    let rest = |adds: &[f64]| (adds.iter().sum::<f64>() - adds[best]) / (adds.len() - 1) as f64;
    let weight = |adds: &[f64]| match explanation.link {
        Link::Identity | Link::Winner => adds[best],
        Link::Softmax => adds[best] - rest(adds),
    };
    let mut parts: Vec<(f64, &str)> =
        explanation.parts.iter().map(|part| (weight(&part.adds), part.because.as_str())).collect();
    parts.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let start = format!("({name} before any evidence)");
    let rows = std::iter::once((weight(&explanation.base), start.as_str()))
        .chain(parts.iter().take(SHOWN).copied())
        .map(|(weight, because)| vec![format!("{weight:+.3}"), because.to_owned()])
        .collect::<Vec<_>>();
    let mut text = format!("{scale}\n{}\n", tables::plain(&["by", "because"], rows.into_iter()));
    if parts.len() > SHOWN {
        text += &format!("and {} weaker pieces (all of them with --json)\n", parts.len() - SHOWN);
    }
    text
}
