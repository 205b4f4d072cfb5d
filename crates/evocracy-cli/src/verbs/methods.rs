//! `evocracy methods`: what there is to train.

use crate::args::Methods;
use crate::shell::{Outcome, Shell};
use crate::tables;
use anyhow::Result;
use evocracy::classify::Predicts;
use evocracy::error::Error;
use evocracy::method::{Entry, registry};
use serde_json::{Value, json};

pub fn run(shell: &Shell, args: &Methods) -> Result<Outcome> {
    let all = registry();
    let Some(name) = &args.name else {
        let rows = all.iter().map(|entry| {
            vec![entry.name.to_owned(), predicts(entry).to_owned(), (entry.summary)()]
        });
        let words = format!(
            "{}\n\nParameters of one: evocracy methods {}\n",
            tables::plain(&["method", "predicts", "what it is"], rows),
            all[0].name
        );
        let json: Vec<Value> = all.iter().map(as_json).collect();
        shell.show(&words, &json!({ "methods": json }))?;
        return Ok(Outcome::Done);
    };
    let entry = all
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| Error::unknown("method", name, None, all.iter().map(|entry| entry.name)))?;
    let rows = (entry.table)()
        .into_iter()
        .map(|param| vec![param.name.to_owned(), param.default, param.takes, param.meaning]);
    let words = format!(
        "{}\n\n{}\n",
        (entry.summary)(),
        tables::plain(&["parameter", "default", "takes", "meaning"], rows)
    );
    shell.show(&words, &as_json(entry))?;
    Ok(Outcome::Done)
}

fn predicts(entry: &Entry) -> &'static str {
    match entry.predicts {
        Predicts::Class => "a class",
        Predicts::Number => "a number",
    }
}

fn as_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "predicts": entry.predicts,
        "summary": (entry.summary)(),
        "parameters": (entry.table)(),
    })
}
