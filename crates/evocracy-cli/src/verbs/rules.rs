//! `evocracy rules`: the rules of a model, as sentences or as a table.

use crate::args::{RuleFormat, Rules};
use crate::shell::{Outcome, Shell};
use crate::words;
use anyhow::Result;
use evocracy::classify::{Counted, Decides, Rule, Rulebook, Support};
use evocracy::data::Schema;
use evocracy::error::Error;
use evocracy::measure::wilson;
use evocracy::model::Model;
use serde_json::{Value, json};
use std::path::Path;

pub fn run(shell: &Shell, args: &Rules) -> Result<Outcome> {
    let model = Model::load(&args.model)?;
    let (book, inputs) = rules_of(&model)?;
    let others = args.beside.iter().map(|path| other(path, &inputs));
    let others: Vec<Rulebook> = others.collect::<Result<_>>()?;
    let stable = (!others.is_empty()).then(|| Stable::new(&book, &others));
    let shown = Shown::new(&model, (book, inputs), args.top, stable)?;
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

/// The first few rules in words; nothing for a model that is not made of rules.
pub fn few(model: &Model, top: usize) -> Result<Option<String>> {
    let Some(rules) = model.rules() else { return Ok(None) };
    Ok(Some(Shown::new(model, rules, Some(top), None)?.text()))
}

/// The rules of a model for programs; nothing where it is not made of rules.
pub fn document(model: &Model) -> Result<Option<Value>> {
    let Some(rules) = model.rules() else { return Ok(None) };
    Ok(Some(Shown::new(model, rules, None, None)?.document(model)))
}

fn rules_of(model: &Model) -> Result<(Rulebook, Schema)> {
    model.rules().ok_or_else(|| {
        let problem = format!("a model of `{}` is not made of rules", model.about().method);
        let help =
            "fit one that is: --method moe-ga, tree, forest, foil, ucs or, for numbers, moe-regression";
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
    /// The weight of all of them.
    weight: f64,
    /// How many there are where equal ones are counted each.
    listed: u64,
    /// Whether one of them applies to every row.
    has_default: bool,
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
    /// The first `top` rules, or all.
    fn new(
        model: &Model,
        (mut book, inputs): (Rulebook, Schema),
        top: Option<usize>,
        stable: Option<Stable>,
    ) -> Result<Self> {
        let (all, votes) = (book.rules.len(), book.decides == Decides::Votes);
        let has_default = !votes && all > 1 && book.rules.iter().any(|rule| rule.tests.is_empty());
        let weight = book.rules.iter().map(|rule| rule.weight).sum();
        let listed = book.rules.iter().map(|rule| rule.numerosity).sum();
        book.rules.truncate(top.unwrap_or(all));
        let says = Says::of(model)?;
        Ok(Self { book, inputs, says, all, weight, listed, has_default, stable })
    }

    fn text(&self) -> String {
        let Self { book, inputs, says, all, stable, .. } = self;
        let default = if self.has_default { ", the default among them" } else { "" };
        let count = words::counted(*all as u64, "rule");
        let of = match book.unlisted {
            0 => String::new(),
            more => format!(", the heaviest of {} leaves", self.listed + more),
        };
        let mut text = format!("{count}{default}{of}: {}.\n", book.reading);
        if let Some(stable) = stable {
            let (share, others) = (100.0 * stable.share(), stable.models - 1);
            let others = words::counted(others as u64, "other model");
            text += &format!("Of {others} a rule is in {share:.0} % on average.\n");
        }
        for (at, rule) in book.rules.iter().enumerate() {
            let condition = match rule.words(inputs) {
                words if rule.tests.is_empty() => words,
                words => format!("if {words}"),
            };
            let then = match says {
                Says::Classes(names) => names[rule.best()].clone(),
                Says::Number => format!("about {:.4}", rule.says[0]),
            };
            text += &format!("\n{}. {condition}\n   then {then}\n", at + 1);
            text += &format!("   {}\n", standing(rule, book, says));
            text += &format!("   {}", counts(rule, at, book.decides, self.weight, says));
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
        let mut text = format!(
            "rule,condition,{names},weight,numerosity,support,applies,hits,decides,right{models}\n"
        );
        for (at, rule) in self.book.rules.iter().enumerate() {
            let says: Vec<String> = rule.says.iter().map(ToString::to_string).collect();
            let found = self.stable.as_ref().map_or(String::new(), |s| format!(",{}", s.found[at]));
            text += &format!(
                "{},{},{},{},{},{},{}{found}\n",
                at + 1,
                quote(&rule.words(&self.inputs)),
                says.join(","),
                rule.weight,
                rule.numerosity,
                rule.support,
                standing_cells(rule)
            );
        }
        text
    }

    fn document(&self, model: &Model) -> Value {
        let Self { book, inputs, says, all, stable, .. } = self;
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
            "missing": book.missing,
            "decides": book.decides,
            "columns": columns,
            "says": says.names(),
            "count": all,
            "unlisted": book.unlisted,
            "rules": book.rules.iter().enumerate().map(rule).collect::<Vec<Value>>(),
        });
        if let Some(stable) = stable {
            json["models"] = json!(stable.models);
            json["stability"] = json!(stable.share());
        }
        json
    }
}

/// How many training rows it applies to, how many of them are what it says, and the same of those
/// it decides; empty where they were not counted.
fn standing_cells(rule: &Rule) -> String {
    let cells = |counted: Option<&Counted>| {
        let hits = counted.and_then(|counted| counted.classes.get(rule.best()));
        let text = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
        format!("{},{}", text(counted.map(|counted| counted.rows)), text(hits.copied()))
    };
    let standing = rule.standing.as_ref();
    let decides = standing.and_then(|standing| standing.decides.as_ref());
    format!("{},{}", cells(standing.map(|standing| &standing.applies)), cells(decides))
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

/// What stands behind a rule: what its training rows are, then what the model makes of them.
fn standing(rule: &Rule, book: &Rulebook, says: &Says) -> String {
    let Some(standing) = &rule.standing else { return support(rule, book.support) };
    let mut text = format!("applies to {}", of_rows(&standing.applies, rule, says));
    if let Some(decides) = &standing.decides
        && *decides != standing.applies
    {
        let does = match book.decides {
            Decides::MostWeight => "outweighs all others in",
            Decides::First | Decides::None | Decides::Votes => "decides",
        };
        text += &format!("\n   {does} {}", of_rows(decides, rule, says));
    }
    text
}

/// Training rows, and how many of them are what the rule says.
fn of_rows(counted: &Counted, rule: &Rule, says: &Says) -> String {
    let rows = words::counted(counted.rows, "training row");
    if counted.rows == 0 {
        return rows;
    }
    match (says, counted.mean) {
        (Says::Number, Some(mean)) => format!("{rows} with a mean of {mean:.4}"),
        (Says::Classes(names), _) => {
            let (best, all) = (rule.best(), counted.rows as f64);
            let hits = counted.classes.get(best).copied().unwrap_or(0);
            let interval = wilson(hits as f64, all, 0.95).map_or(String::new(), |interval| {
                format!(
                    ", 95 % interval {:.1} % to {:.1} %",
                    100.0 * interval.low,
                    100.0 * interval.high
                )
            });
            let share = 100.0 * hits as f64 / all;
            format!("{rows}, {hits} of them {} ({share:.1} %{interval})", names[best])
        }
        _ => rows,
    }
}

/// How many rows it has, where they were not counted.
fn support(rule: &Rule, support: Support) -> String {
    let does = match support {
        Support::Applies => "applies to",
        Support::Answers => "answers for",
        Support::Votes => return votes_of(rule),
    };
    let rows = (rule.support * 10.0).round() / 10.0;
    let s = if rows == 1.0 { "" } else { "s" };
    format!("{does} {rows} training row{s}")
}

/// What a rule of voting trees gives of all votes on the rows they were trained on.
fn votes_of(rule: &Rule) -> String {
    let share = words::percent(rule.support);
    format!("gives {share} of all votes on training rows, as its trees drew or weighed them")
}

/// What the model says where the rule applies, and how much that counts beside other rules, which
/// weigh `total` together.
fn counts(rule: &Rule, at: usize, decides: Decides, total: f64, says: &Says) -> String {
    let share = 100.0 * rule.weight / total;
    let outcome = outcome(rule, says);
    if decides == Decides::Votes {
        let leaves = match rule.numerosity {
            0 | 1 => String::new(),
            many => format!("; {many} leaves together"),
        };
        let share = words::percent(rule.weight);
        return format!("votes {outcome} with {share} of all votes{leaves}");
    }
    let mut text = match decides {
        Decides::First => format!("says {outcome}"),
        _ if rule.tests.is_empty() => format!("the model gives it {outcome}; the default"),
        // Weights of a mixture span many orders: that a rule comes first is what they mean.
        Decides::MostWeight if !(0.1..=99.9).contains(&share) => {
            format!("the model gives it {outcome}; number {} by weight", at + 1)
        }
        _ => format!("the model gives it {outcome}; {share:.1} % of all weight"),
    };
    if rule.numerosity > 1 {
        text += &format!("; stands for {} rules", rule.numerosity);
    }
    text
}
