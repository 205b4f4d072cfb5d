//! `evocracy rules`: the rules of a model, as sentences or as a table.

use crate::args::{RuleFormat, Rules};
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::classify::{Rule, Rulebook};
use evocracy::data::Schema;
use evocracy::error::Error;
use evocracy::model::Model;
use serde_json::{Value, json};

pub fn run(shell: &Shell, args: &Rules) -> Result<Outcome> {
    let model = Model::load(&args.model)?;
    let Some((mut book, inputs)) = model.rules() else {
        let problem = format!("a model of `{}` is not made of rules", model.about().method);
        let help = "fit one that is: --method moe-ga, moe-regression or foil";
        return Err(Error::unsuitable(problem, help).into());
    };
    let all = book.rules.len();
    book.rules.truncate(args.top.unwrap_or(all));
    let says = Says::of(&model)?;
    let words = match args.format {
        RuleFormat::Csv => csv(&book, &inputs, &says),
        RuleFormat::Text | RuleFormat::Json => text(&book, &inputs, &says, all),
    };
    let json = document(&model, &book, &inputs, &says, all);
    if args.format == RuleFormat::Json && !shell.json {
        shell.show(&serde_json::to_string_pretty(&json)?, &json)?;
    } else {
        shell.show(&words, &json)?;
    }
    Ok(Outcome::Done)
}

/// What the figures of a rule are.
enum Says {
    /// The probabilities of these classes.
    Classes(Vec<String>),
    /// Mean and standard deviation.
    Number,
}

impl Says {
    fn of(model: &Model) -> Result<Self> {
        let classes = || Ok(Self::Classes(model.classes()?.names().to_vec()));
        if model.is_classifier() { classes() } else { Ok(Self::Number) }
    }

    fn names(&self) -> Vec<String> {
        match self {
            Self::Classes(names) => names.clone(),
            Self::Number => vec!["mean".to_owned(), "sd".to_owned()],
        }
    }
}

fn text(book: &Rulebook, inputs: &Schema, says: &Says, all: usize) -> String {
    let mut text = format!("{all} rules: {}.\n", book.reading);
    for (at, rule) in book.rules.iter().enumerate() {
        let condition = match rule.words(inputs) {
            words if rule.tests.is_empty() => words,
            words => format!("if {words}"),
        };
        text += &format!("\n{}. {condition}\n   then {}\n", at + 1, outcome(rule, says));
        text += &format!("   {}\n", standing(rule));
    }
    if book.rules.len() < all {
        text += &format!("\nand {} more\n", all - book.rules.len());
    }
    text
}

/// What a rule says: the classes from the most probable on, or a number.
fn outcome(rule: &Rule, says: &Says) -> String {
    let Says::Classes(names) = says else {
        return format!("{:.4} +- {:.4}", rule.says[0], rule.says[1]);
    };
    let mut parts: Vec<(&String, f64)> = names.iter().zip(rule.says.iter().copied()).collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let parts: Vec<String> =
        parts.iter().map(|(name, share)| format!("{name} {share:.3}")).collect();
    parts.join(", ")
}

/// What stands behind a rule.
fn standing(rule: &Rule) -> String {
    let weight = if (0.001..1e6).contains(&rule.weight) {
        format!("{:.3}", rule.weight)
    } else {
        format!("{:.1e}", rule.weight)
    };
    let rows = (rule.support * 10.0).round() / 10.0;
    let equal = match rule.numerosity {
        1 => String::new(),
        n => format!(", stands for {n} rules"),
    };
    format!("applies to {rows} training rows, weight {weight}{equal}")
}

/// A line for each rule.
fn csv(book: &Rulebook, inputs: &Schema, says: &Says) -> String {
    let quote = |text: &str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let name = |name: &String| match says {
        Says::Classes(_) => quote(&format!("p({name})")),
        Says::Number => name.clone(),
    };
    let names: Vec<String> = says.names().iter().map(name).collect();
    let mut text = format!("rule,condition,{},weight,numerosity,support\n", names.join(","));
    for (at, rule) in book.rules.iter().enumerate() {
        let says: Vec<String> = rule.says.iter().map(ToString::to_string).collect();
        text += &format!(
            "{},{},{},{},{},{}\n",
            at + 1,
            quote(&rule.words(inputs)),
            says.join(","),
            rule.weight,
            rule.numerosity,
            rule.support
        );
    }
    text
}

fn document(model: &Model, book: &Rulebook, inputs: &Schema, says: &Says, all: usize) -> Value {
    let rule = |rule: &Rule| {
        let mut json = json!(rule);
        json["condition"] = json!(rule.words(inputs));
        json
    };
    let columns: Vec<&String> = inputs.fields.iter().map(|field| &field.name).collect();
    json!({
        "method": model.about().method,
        "reading": book.reading,
        "columns": columns,
        "says": says.names(),
        "count": all,
        "rules": book.rules.iter().map(rule).collect::<Vec<Value>>(),
    })
}
