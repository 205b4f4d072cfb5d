//! What a model is made of: parameters, columns, coefficients, vectors, importances, members, rules.

use super::tree;
use crate::verbs::rules;
use crate::{tables, words};
use anyhow::Result;
use evocracy::classify::{Diagnostics, Importances, RelevanceVector, VectorBase};
use evocracy::data::{Field, Kind};
use evocracy::method;
use evocracy::model::{Core, Model};
use serde_json::{Value, json};
use std::path::Path;

/// How many coefficients, vectors and columns a person is shown of each.
const SHOWN: usize = 20;
/// With more classes coefficients are not set side by side.
const CLASSES: usize = 6;
/// How many members and rules a person is shown.
const MEMBERS: usize = 12;
const RULES: usize = 3;
/// How many nodes of a tree the document lists.
const NODES: usize = 4095;

/// A parameter, whether it is as usual, and what is usual.
struct Setting<'a> {
    name: &'a str,
    value: &'a str,
    usual: Option<String>,
}

/// The parameters of a model, those that are not as usual first.
fn settings(model: &Model) -> Vec<Setting<'_>> {
    let name = model.about().method.split([':', '(', '+']).next().unwrap_or_default();
    let table = method::entry(name).map(|entry| (entry.table)()).unwrap_or_default();
    let usual = |name: &str| {
        table.iter().find(|param| param.name == name).map(|param| param.default.clone())
    };
    let params = model.about().params.iter();
    let mut all: Vec<Setting<'_>> =
        params.map(|(name, value)| Setting { name, value, usual: usual(name) }).collect();
    // The sort is stable: else they stay in the order of the table.
    all.sort_by_key(Setting::is_usual);
    all
}

impl Setting<'_> {
    fn is_usual(&self) -> bool {
        self.usual.as_deref() == Some(self.value)
    }
}

/// Parameters, seed and columns in words.
pub fn about(model: &Model) -> String {
    let (usual, other): (Vec<_>, Vec<_>) = settings(model).into_iter().partition(Setting::is_usual);
    let shown = |setting: &Setting<'_>| format!("{} = {}", setting.name, setting.value);
    let mut parts = Vec::new();
    for setting in &other {
        let usual = setting.usual.as_ref().map(|usual| format!(" (usual: {usual})"));
        parts.push(shown(setting) + &usual.unwrap_or_default());
    }
    if !usual.is_empty() {
        let usual: Vec<String> = usual.iter().map(shown).collect();
        parts.push(format!("as usual {}", usual.join(", ")));
    }
    let params = match &parts[..] {
        [] => String::new(),
        parts => format!("Parameters: {}.\n", parts.join("; ")),
    };
    let columns: Vec<String> = model.schema().fields.iter().map(column).collect();
    let about = model.about();
    format!(
        "{params}Columns: {}.\nTrained with seed {} by version {}.\n",
        words::listed(&columns),
        about.seed,
        about.version
    )
}

/// A column with how many levels it has.
fn column(field: &Field) -> String {
    match &field.kind {
        Kind::Number => field.name.clone(),
        Kind::Nominal(levels) => {
            format!("{} ({})", field.name, words::counted(levels.len() as u64, "level"))
        }
    }
}

/// What is inside, in words.
pub fn text(model: &Model, file: &Path) -> Result<String> {
    let diagnostics = model.diagnostics();
    let mut text = tree::text(model);
    text += &coefficients(model);
    text += &vectors(&diagnostics);
    text += &importances(model, &diagnostics);
    text += &members(model);
    // A tree is shown whole already.
    if model.tree(1).is_none()
        && let Some(few) = rules::few(model, RULES)?
    {
        text += &format!("\n{few}All of them: evocracy rules {}\n", file.display());
    }
    Ok(text)
}

/// The coefficients of an input, of each vector.
struct Coefficients {
    /// What each vector speaks for.
    vectors: Vec<String>,
    intercepts: Vec<f64>,
    /// Of each input its name and a coefficient for each vector.
    inputs: Vec<(String, Vec<f64>)>,
}

impl Coefficients {
    fn of(model: &Model) -> Option<Self> {
        let (vectors, intercepts, each): (_, _, Vec<&[f64]>) = match model.core() {
            Core::Logistic(logistic) => {
                let names = model.classes().ok()?.names();
                let vectors = match names {
                    [first, second] => vec![format!("{second} against {first}")],
                    many => many.to_vec(),
                };
                (vectors, logistic.intercepts().to_vec(), logistic.coefficients().collect())
            }
            Core::Ridge(ridge) => {
                let vectors = vec![model.about().target.clone()];
                (vectors, vec![ridge.intercept()], vec![ridge.coefficients()])
            }
            _ => return None,
        };
        let inputs = model.inputs();
        let of = |(at, name): (usize, &str)| {
            let values = each.iter().filter_map(|vector| vector.get(at).copied());
            (name.to_owned(), values.collect())
        };
        let inputs = inputs.names().enumerate().map(of).collect();
        Some(Self { vectors, intercepts, inputs })
    }

    fn document(&self) -> Value {
        let vector = |(at, name): (usize, &String)| {
            let input = |(name, values): &(String, Vec<f64>)| json!({ "input": name, "coefficient": values[at] });
            json!({
                "of": name,
                "intercept": self.intercepts[at],
                "coefficients": self.inputs.iter().map(input).collect::<Vec<_>>(),
            })
        };
        self.vectors.iter().enumerate().map(vector).collect()
    }
}

fn coefficients(model: &Model) -> String {
    let Some(all) = Coefficients::of(model) else { return String::new() };
    let what = if model.is_classifier() { "log-odds" } else { "the prediction" };
    let mut text = format!(
        "\nCoefficients: what one unit of an input adds to {what}; a number enters in standard deviations from its mean in training, a level as 0 or 1.\n"
    );
    if all.vectors.len() > CLASSES {
        text += &format!("They are of {} classes; --json has them.\n", all.vectors.len());
        return text;
    }
    let mut order: Vec<usize> = (0..all.inputs.len()).collect();
    let size =
        |at: usize| all.inputs[at].1.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    let header: Vec<&str> =
        std::iter::once("input").chain(all.vectors.iter().map(String::as_str)).collect();
    let row = |name: &str, values: &[f64]| -> Vec<String> {
        let values = values.iter().map(|value| words::short(*value));
        std::iter::once(name.to_owned()).chain(values).collect()
    };
    let rows = order.iter().take(SHOWN).map(|&at| row(&all.inputs[at].0, &all.inputs[at].1));
    let rows = std::iter::once(row("(intercept)", &all.intercepts)).chain(rows);
    text += &tables::plain(&header, rows);
    text.push('\n');
    if order.len() > SHOWN {
        text += &format!("and {} smaller ones; --json has all.\n", order.len() - SHOWN);
    }
    text
}

/// The relevance vectors, of each class where there are several.
fn vectors(diagnostics: &Diagnostics) -> String {
    let mut text = String::new();
    let each = diagnostics.by_class.iter().map(|(class, own)| (Some(class), own));
    for (class, own) in std::iter::once((None, diagnostics)).chain(each) {
        let Some(vectors) = &own.vectors else { continue };
        if text.is_empty() {
            let width = diagnostics.width.map(|width| format!(" of width {}", words::short(width)));
            text = format!(
                "\nRelevance vectors: weights of kernels{} around training rows, which are counted from 0.\n",
                width.unwrap_or_default()
            );
        }
        if let Some(class) = class {
            let none = if vectors.is_empty() { " none" } else { "" };
            text += &format!("For {class}:{none}\n");
        }
        if vectors.is_empty() {
            continue;
        }
        let mut order: Vec<&RelevanceVector> = vectors.iter().collect();
        order.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        let row = |vector: &&RelevanceVector| {
            let base = match &vector.base {
                VectorBase::Bias { .. } => "(bias)".to_owned(),
                VectorBase::Column { column } => column.clone(),
                VectorBase::Centre { row, .. } => format!("row {row}"),
            };
            vec![base, words::short(vector.weight)]
        };
        text += &tables::plain(&["vector", "weight"], order.iter().take(SHOWN).map(row));
        text.push('\n');
        if order.len() > SHOWN {
            text += &format!("and {} of less weight; --json has all.\n", order.len() - SHOWN);
        }
    }
    text
}

/// What was measured, and of each column its figures.
type Shares = (Vec<&'static str>, Vec<(String, Vec<f64>)>);

/// What training found out about how much columns matter: of each a number or two.
fn shares(model: &Model, diagnostics: &Diagnostics) -> Option<Shares> {
    let impurity = "share of the impurity taken away";
    if let Core::Tree(tree) = model.core() {
        let inputs = model.inputs();
        let each = inputs.names().zip(tree.importance());
        return Some((
            vec![impurity],
            each.map(|(name, share)| (name.to_owned(), vec![share])).collect(),
        ));
    }
    Some(match diagnostics.importance.as_ref()? {
        Importances::Trees(trees) => {
            let mut header = vec![impurity];
            if trees.iter().any(|column| column.permutation.is_some()) {
                header.push("accuracy lost out of bag");
            }
            let of = |own: &evocracy::classify::TreeImportance| {
                (own.column.clone(), std::iter::once(own.impurity).chain(own.permutation).collect())
            };
            (header, trees.iter().map(of).collect())
        }
        Importances::Shares(columns) => {
            let of = |own: &evocracy::classify::ColumnShare| (own.column.clone(), vec![own.share]);
            (vec!["share of the votes"], columns.iter().map(of).collect())
        }
        Importances::Bits(columns) => {
            let of = |(name, bits): (&String, &f64)| (name.clone(), vec![*bits]);
            (vec!["bits a training row"], columns.iter().map(of).collect())
        }
    })
}

fn importances(model: &Model, diagnostics: &Diagnostics) -> String {
    let Some((measures, mut columns)) = shares(model, diagnostics) else { return String::new() };
    if columns.len() < 2 {
        return String::new();
    }
    columns.sort_by(|a, b| b.1[0].total_cmp(&a.1[0]));
    let header: Vec<&str> = std::iter::once("column").chain(measures).collect();
    let row = |(name, values): &(String, Vec<f64>)| -> Vec<String> {
        let values = values.iter().map(|value| format!("{value:.4}"));
        std::iter::once(name.clone()).chain(values).collect()
    };
    let table = tables::plain(&header, columns.iter().take(SHOWN).map(row));
    let more = match columns.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("and {more} that matter less; --json has all.\n"),
    };
    format!(
        "\nHow much columns mattered in training (--data DATA measures it on rows):\n{table}\n{more}"
    )
}

fn members(model: &Model) -> String {
    let members = model.core().members();
    if members.is_empty() {
        return String::new();
    }
    let shown = members.iter().take(MEMBERS).map(|member| {
        let columns = words::counted(member.schema().len() as u64, "column");
        vec![member.about().method.clone(), words::size(&member.core().size()), columns]
    });
    let more = match members.len().saturating_sub(MEMBERS) {
        0 => String::new(),
        more => format!("and {more} more; --json has all.\n"),
    };
    format!("\nMembers:\n{}\n{more}", tables::plain(&["method", "size", "of"], shown))
}

/// Adds what is inside to the document of a model.
pub fn document(model: &Model, json: &mut Value) -> Result<()> {
    let settings: Vec<Value> = settings(model)
        .iter()
        .map(|own| json!({ "name": own.name, "value": own.value, "usual": own.usual, "is_usual": own.is_usual() }))
        .collect();
    let field = |field: &Field| match &field.kind {
        Kind::Number => json!({ "name": field.name, "kind": "number" }),
        Kind::Nominal(levels) => json!({ "name": field.name, "kind": "nominal", "levels": levels }),
    };
    let diagnostics = model.diagnostics();
    let importance = shares(model, &diagnostics).map(|(measures, columns)| {
        let column =
            |(name, values): &(String, Vec<f64>)| json!({ "column": name, "values": values });
        json!({ "measures": measures, "columns": columns.iter().map(column).collect::<Vec<_>>() })
    });
    let member = |member: &Model| {
        let columns: Vec<&str> = member.schema().names().collect();
        json!({ "method": member.about().method, "size": words::size_json(&member.core().size()), "columns": columns })
    };
    json["settings"] = settings.into();
    json["fields"] = model.schema().fields.iter().map(field).collect();
    json["reading"] = serde_json::to_value(model.reading())?;
    json["tree"] = serde_json::to_value(model.tree(NODES))?;
    json["coefficients"] = Coefficients::of(model).map_or(Value::Null, |all| all.document());
    json["importance"] = importance.unwrap_or_default();
    json["members"] = model.core().members().iter().map(member).collect();
    json["diagnostics"] = serde_json::to_value(&diagnostics)?;
    json["rules"] = rules::document(model)?.unwrap_or_default();
    Ok(())
}
