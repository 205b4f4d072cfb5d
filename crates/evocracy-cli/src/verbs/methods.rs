//! `evocracy methods`: what there is to train.

use crate::args::Methods;
use crate::shell::{Outcome, Shell};
use crate::tables;
use anyhow::Result;
use evocracy::classify::Predicts;
use evocracy::method::{self, Entry, Members, registry};
use serde_json::{Value, json};

pub fn run(shell: &Shell, args: &Methods) -> Result<Outcome> {
    let all = registry();
    let Some(name) = &args.name else {
        let rows = all
            .iter()
            .map(|entry| vec![written(entry), predicts(entry).to_owned(), (entry.summary)()]);
        let words = format!(
            "{}\n\nCommittees name their members: bag:knn, stack:tree+knn+(bag:logistic).\nParameters of one: evocracy methods {}\n",
            tables::plain(&["method", "predicts", "what it is"], rows),
            all[0].name
        );
        let json: Vec<Value> = all.iter().map(as_json).collect();
        shell.show(&words, &json!({ "methods": json }))?;
        return Ok(Outcome::Done);
    };
    let entry = &method::entry(name)?;
    let rows = (entry.table)()
        .into_iter()
        .map(|param| vec![param.name.to_owned(), param.default, param.takes, param.meaning]);
    let words = format!(
        "{}\n{}\n{}\n",
        (entry.summary)(),
        members(entry),
        tables::plain(&["parameter", "default", "takes", "meaning"], rows)
    );
    shell.show(&words, &as_json(entry))?;
    Ok(Outcome::Done)
}

/// The name as it is written, with a place for members.
fn written(entry: &Entry) -> String {
    match (entry.members.most, entry.members.least) {
        (0, _) => entry.name.to_owned(),
        (1, 0) => format!("{}[:MEMBER]", entry.name),
        (1, _) => format!("{}:MEMBER", entry.name),
        (_, 0) => format!("{}[:MEMBER+...]", entry.name),
        _ => format!("{}:MEMBER+...", entry.name),
    }
}

/// What members it has, in words.
fn members(entry: &Entry) -> String {
    let Members { most, default, own, .. } = entry.members;
    let name = entry.name;
    match most {
        0 => String::new(),
        _ if default.is_empty() && own.is_empty() => format!(
            "Without members it combines columns of labels. With members, {name}:MEMBER+..., these are trained on a share of the rows and it combines what they say of the others.\nA member's parameter has its number before it: -p 1.NAME=VALUE.\n"
        ),
        _ if default.is_empty() => format!(
            "Without a member it is {name}:{own}, and faster than with any other.\nA member's parameter has its number before it: -p 1.NAME=VALUE.\n"
        ),
        _ => format!(
            "Without members it is {name}:{default}.\nA member's parameter has its number before it: -p 1.NAME=VALUE.\n"
        ),
    }
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
        "members": { "least": entry.members.least, "most": entry.members.most, "default": entry.members.default },
    })
}
