//! `evocracy rules`: the rules of a model, as sentences or as a table.

use crate::args::{RuleFormat, Rules};
use crate::shell::{Outcome, Shell};
use crate::words::counted;
use anyhow::Result;
use evocracy::classify::{Rule, Rulebook, Support};
use evocracy::data::Schema;
use evocracy::error::Error;
use evocracy::model::Model;
use serde_json::{Value, json};
use std::path::Path;

pub fn run(shell: &Shell, args: &Rules) -> Result<Outcome> {
    let model = Model::load(&args.model)?;
    let (mut book, inputs) = rules_of(&model)?;
    let others = args.beside.iter().map(|path| other(path, &inputs));
    let others: Vec<Rulebook> = others.collect::<Result<_>>()?;
    let stable = (!others.is_empty()).then(|| Stable::new(&book, &others));
    let all = book.rules.len();
    book.rules.truncate(args.top.unwrap_or(all));
    let shown = Shown { book, inputs, says: Says::of(&model)?, all, stable };
    let words = match args.format {
        RuleFormat::Csv => shown.csv(),
        RuleFormat::Text | RuleFormat::Json => shown.text(),
    };
    let json = shown.document(&model);
    if args.format == RuleFormat::Json && !shell.json {
        shell.show(&serde_json::to_string_pretty(&json)?, &json)?;
    } else {
        shell.show(&words, &json)?;
    }
    Ok(Outcome::Done)
}

fn rules_of(model: &Model) -> Result<(Rulebook, Schema)> {
    model.rules().ok_or_else(|| {
        let problem = format!("a model of `{}` is not made of rules", model.about().method);
        let help = "fit one that is: --method moe-ga, ucs, foil or, for numbers, moe-regression";
        Error::unsuitable(problem, help).into()
    })
}

/// The rules of a model to compare with; its columns must be the same.
fn other(path: &Path, inputs: &Schema) -> Result<Rulebook> {
    let (book, own) = rules_of(&Model::load(path)?)?;
    if own.is_like(inputs) {
        return Ok(book);
    }
    let problem = format!("the rules of {} are about other columns", path.display());
    Err(Error::unsuitable(problem, "fit it to the same data, in the same encoding").into())
}

/// Which rules other models have too.
struct Stable {
    /// How many models there are, this one included.
    models: usize,
    /// How many of them have each rule.
    found: Vec<usize>,
}

impl Stable {
    fn new(book: &Rulebook, others: &[Rulebook]) -> Self {
        // The default rule is the same one whatever is more frequent.
        let same =
            |a: &Rule, b: &Rule| a.tests == b.tests && (a.tests.is_empty() || a.best() == b.best());
        let has = |rule: &Rule, book: &Rulebook| book.rules.iter().any(|other| same(rule, other));
        let count = |rule: &Rule| 1 + others.iter().filter(|book| has(rule, book)).count();
        Self { models: 1 + others.len(), found: book.rules.iter().map(count).collect() }
    }

    /// The mean share of the other models that have a rule.
    fn share(&self) -> f64 {
        let others: usize = self.found.iter().map(|found| found - 1).sum();
        others as f64 / ((self.models - 1) * self.found.len().max(1)) as f64
    }
}

/// Rules, ready to be shown.
struct Shown {
    book: Rulebook,
    inputs: Schema,
    says: Says,
    /// How many there are, shown or not.
    all: usize,
    stable: Option<Stable>,
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

impl Shown {
    fn text(&self) -> String {
        let Self { book, inputs, says, all, stable } = self;
        let mut text = format!("{}: {}.\n", counted(*all as u64, "rule"), book.reading);
        if let Some(stable) = stable {
            let (share, others) = (100.0 * stable.share(), stable.models - 1);
            let others = counted(others as u64, "other model");
            text += &format!("Of {others} a rule is in {share:.0} % on average.\n");
        }
        for (at, rule) in book.rules.iter().enumerate() {
            let condition = match rule.words(inputs) {
                words if rule.tests.is_empty() => words,
                words => format!("if {words}"),
            };
            text += &format!("\n{}. {condition}\n   then {}\n", at + 1, outcome(rule, says));
            text += &format!("   {}", standing(rule, book.support));
            if let Some(Stable { models, found }) = stable {
                text += &format!(", in {} of {models} models", found[at]);
            }
            text += "\n";
        }
        if book.rules.len() < *all {
            text += &format!("\nand {} more\n", all - book.rules.len());
        }
        text
    }

    /// A line for each rule.
    fn csv(&self) -> String {
        let quote = |text: &str| {
            if text.contains([',', '"', '\n']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_owned()
            }
        };
        let name = |name: &String| match &self.says {
            Says::Classes(_) => quote(&format!("p({name})")),
            Says::Number => name.clone(),
        };
        let names: Vec<String> = self.says.names().iter().map(name).collect();
        let models = if self.stable.is_some() { ",models" } else { "" };
        let names = names.join(",");
        let mut text = format!("rule,condition,{names},weight,numerosity,support{models}\n");
        for (at, rule) in self.book.rules.iter().enumerate() {
            let says: Vec<String> = rule.says.iter().map(ToString::to_string).collect();
            let found = self.stable.as_ref().map_or(String::new(), |s| format!(",{}", s.found[at]));
            text += &format!(
                "{},{},{},{},{},{}{found}\n",
                at + 1,
                quote(&rule.words(&self.inputs)),
                says.join(","),
                rule.weight,
                rule.numerosity,
                rule.support
            );
        }
        text
    }

    fn document(&self, model: &Model) -> Value {
        let Self { book, inputs, says, all, stable } = self;
        let rule = |(at, rule): (usize, &Rule)| {
            let mut json = json!(rule);
            json["condition"] = json!(rule.words(inputs));
            if let Some(stable) = stable {
                json["models"] = json!(stable.found[at]);
            }
            json
        };
        let columns: Vec<&String> = inputs.fields.iter().map(|field| &field.name).collect();
        let mut json = json!({
            "method": model.about().method,
            "reading": book.reading,
            "support": book.support,
            "columns": columns,
            "says": says.names(),
            "count": all,
            "rules": book.rules.iter().enumerate().map(rule).collect::<Vec<Value>>(),
        });
        if let Some(stable) = stable {
            json["models"] = json!(stable.models);
            json["stability"] = json!(stable.share());
        }
        json
    }
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
fn standing(rule: &Rule, support: Support) -> String {
    let weight = if (0.001..1e6).contains(&rule.weight) {
        format!("{:.3}", rule.weight)
    } else {
        format!("{:.1e}", rule.weight)
    };
    let equal = match rule.numerosity {
        1 => String::new(),
        n => format!(", stands for {n} rules"),
    };
    let does = match support {
        Support::Applies => "applies to",
        Support::Answers => "answers for",
    };
    let rows = (rule.support * 10.0).round() / 10.0;
    let s = if rows == 1.0 { "" } else { "s" };
    format!("{does} {rows} training row{s}, weight {weight}{equal}")
}
