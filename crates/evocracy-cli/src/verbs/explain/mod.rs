//! `evocracy explain`: why a row gets its prediction.

use crate::args::Explain;
use crate::input::Input;
use crate::shell::{Outcome, Shell};
use crate::tables;
use anyhow::Result;
use evocracy::classify::{Explanation, Link};
use serde_json::{Value, json};

/// How many pieces of evidence a person is shown.
const SHOWN: usize = 20;

pub fn run(shell: &Shell, args: &Explain) -> Result<Outcome> {
    let model = args.model.load()?;
    let format = args.reading.format();
    let mut input = Input::open(shell, &args.data, &format, &model, None)?;
    let (table, _) = shell.work(&format!("reading {}", args.data), |_| input.row(args.row));
    let table = table?;
    let explanation = model.explain(table.view(), 0)?;
    shell.remarks(&input.remarks());
    let parts: Vec<Value> = explanation
        .parts
        .iter()
        .map(|part| {
            let column = part.column.map(|column| &model.schema().fields[column].name);
            json!({ "column": column, "because": part.because, "adds": part.adds })
        })
        .collect();
    let mut json = json!({
        "row": args.row,
        "method": model.about().method,
        "base": explanation.base,
        "parts": parts,
        "link": explanation.link,
    });
    let head = format!("Row {} of {}", args.row, args.data);
    let words = if model.is_classifier() {
        let proba = model.proba(table.view())?;
        let names = model.classes()?.names();
        let best = model.call(proba.row(0))?;
        json["classes"] = json!(names);
        json["prediction"] = json!(names[best]);
        json["proba"] = json!(proba.row(0));
        let error = shell
            .work("asking the chains", |run| model.standard_errors(table.view(), run))
            .0?
            .and_then(|errors| errors.first().copied());
        let said = error.map_or(String::new(), |error| format!(" (standard error {error:.3})"));
        if let Some(error) = error {
            json["standard_error"] = json!(error);
        }
        let call = format!("`{}` with probability {:.3}{said}", names[best], proba.row(0)[best]);
        format!("{head}: {call}.\n{}", reasons(&explanation, &names[best], best))
    } else {
        let (mut value, mut variance) = ([0.0], [0.0]);
        model.predict_into(table.view(), &mut value, Some(&mut variance))?;
        let (value, sd) = (value[0], variance[0].sqrt());
        (json["prediction"], json["sd"]) = (json!(value), json!(sd));
        let call = format!("{value:.4} (standard deviation {sd:.4})");
        format!("{head}: {call}.\n{}", reasons(&explanation, &model.about().target, 0))
    };
    shell.show(&words, &json)?;
    Ok(Outcome::Done)
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
