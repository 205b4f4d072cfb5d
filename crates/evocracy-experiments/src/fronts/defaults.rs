//! How defaults of the scheme `soft` were chosen: on tables that no other experiment of fronts
//! reports, each drawn anew several times, with labels exchanged where a table is easy.
//!
//! Of the settings that are not clearly worse than the best one in anything (the log-likelihood of
//! the test rows and the accuracy by the default model, the strict test area of the front), the
//! cheapest is taken: the one with the fewest vectors, or with the fewest repeats. Clearly means by
//! more than a standard error of the paired difference over the tables. `chosen/...` says what the
//! rule takes. It went by the likelihood alone at first and took 2 standard errors for `wider`, at
//! which accuracy and area of these tables were clearly lower; that is why it looks at all three.
//! Three draws of each table could not tell 0.5 from 1 (seed 2 took 0.5 by a hair), so there are
//! six; the default is the textbook's 1.
//!
//! That rates are those expected by the reference, and what promises count the rows of folds as
//! (front/unseen.rs), is held against the same tables; what trees and rules count them as, against
//! the generated ones among them.

use super::measure::{self, Judgement, Scores};
use super::promise;
use super::sets::Set;
use crate::{Compare, Findings, Row};
use evocracy::classify::Learner;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Field, Options, Schema, Split, Table};
use evocracy::error::Result;
use evocracy::front::{Admission, EvoRules, EvoRvm, EvoTree, FrontModel};
use evocracy::run::{Run, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Draws of every table.
const DRAWS: u64 = 6;
const QUICK_DRAWS: u64 = 1;

/// The most test rows.
const TEST: usize = 2000;

/// Standard errors that a wider kernel may be worse by, and how often folds are drawn.
const WIDER: [f64; 5] = [0.0, 0.25, 0.5, 1.0, 2.0];
const REPEATS: [usize; 2] = [1, 4];

/// A table: its name and source, which classes are positive and which are left out (by code), how
/// many rows are learnt from, and the share of labels that are exchanged.
struct Source {
    name: &'static str,
    open: &'static str,
    positive: &'static [u32],
    left_out: &'static [u32],
    train: usize,
    exchanged: f64,
}

const fn source(
    name: &'static str,
    open: &'static str,
    positive: &'static [u32],
    train: usize,
    exchanged: f64,
) -> Source {
    Source { name, open, positive, left_out: &[], train, exchanged }
}

const SOURCES: [Source; 13] = [
    source("moons", "gen:moons:rows=2400:noise=0.4", &[1], 400, 0.0),
    source("moons-100", "gen:moons:rows=2100:noise=0.3", &[1], 100, 0.0),
    source("ripley", "gen:ripley:rows=2250", &[1], 250, 0.0),
    source("checkerboard", "gen:checkerboard:fields=3:rows=2400", &[1], 400, 0.1),
    Source { left_out: &[0], ..source("waves", "gen:waveform:rows=3300", &[1], 200, 0.0) },
    source("xor", "gen:xor:bits=6:k=2:rows=2200", &[1], 200, 0.2),
    source("multiplexer", "gen:multiplexer:6:rows=2150", &[1], 150, 0.15),
    source("wdbc", "wdbc", &[1], 200, 0.2),
    source("car", "car", &[2], 200, 0.15),
    source("kr-vs-kp", "kr-vs-kp", &[1], 300, 0.15),
    source("mushroom", "mushroom", &[1], 150, 0.25),
    source("segment", "segment", &[0, 2, 4], 300, 0.1),
    source("digits", "digits", &[1, 3, 5, 7, 9], 400, 0.1),
];

/// One draw of a table as a set of one partition.
fn drawn(source: &Source, seed: Seed) -> Result<Set> {
    let load = Load { seed: seed.child("rows", 0).value(), ..Load::default() };
    let data = Catalogue::embedded().open(source.open, &load)?;
    let mut rng = seed.child("split", 0).rng();
    let codes = data.codes().unwrap_or_default();
    let mut rows: Vec<u32> = (0..codes.len() as u32)
        .filter(|&row| !source.left_out.contains(&codes[row as usize]))
        .collect();
    rows.shuffle(&mut rng);
    rows.truncate(source.train + TEST);
    let view = data.features().with_rows(&rows);
    let mut fields: Vec<Field> = view.fields().cloned().collect();
    let mut columns: Vec<Column> = (0..view.columns()).map(|column| view.gather(column)).collect();
    let label = |row: &u32| {
        let positive = source.positive.contains(&codes[*row as usize]);
        u32::from(positive != (rng.random::<f64>() < source.exchanged))
    };
    columns.push(Column::Nominal(rows.iter().map(label).collect()));
    fields.push(Field::nominal("positive", ["no", "yes"]));
    let options = Options { target: Some("positive".to_owned()), ..Options::default() };
    let data = Dataset::new(source.name, Table::new(Schema { fields }, columns)?, &options)?;
    let cut = source.train as u32;
    let split = Split { train: (0..cut).collect(), test: (cut..rows.len() as u32).collect() };
    Ok(Set { name: source.name, data, splits: vec![split], width: 1.0, standardised: true })
}

/// What one setting reached: means over the draws, table by table.
struct Reached {
    likelihood: Vec<f64>,
    area: Vec<f64>,
    accuracy: Vec<f64>,
    vectors: Vec<f64>,
}

fn reached<L: Learner<Model = FrontModel> + Send + Sync + 'static>(
    draws: &[Vec<Set>],
    learner: &L,
    run: &Run<'_>,
) -> Result<(Reached, Vec<Judgement>)> {
    let each = draws.first().map_or(0, Vec::len);
    let found = run.pool.map(draws.len() * each, |at| {
        let (table, draw) = (at / each, at % each);
        let set = &draws[table][draw];
        // All settings get the same seeds.
        measure::front(set, &set.splits[0], learner, &run.child(set.name, draw as u64))
    });
    let found: Vec<(Scores, Judgement)> = found.into_iter().collect::<Result<_>>()?;
    let (scores, judged): (Vec<Scores>, Vec<Judgement>) = found.into_iter().unzip();
    let mean = |of: fn(&Scores) -> f64| -> Vec<f64> {
        let tables = scores.chunks_exact(each);
        tables.map(|draws| draws.iter().map(of).sum::<f64>() / each as f64).collect()
    };
    let reached = Reached {
        likelihood: mean(|s| s.log_likelihood),
        area: mean(|s| s.test_area),
        accuracy: mean(|s| s.accuracy),
        vectors: mean(|s| s.vectors),
    };
    Ok((reached, judged))
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The figures of a setting beside those of another.
fn rows(name: &str, of: &Reached, beside: &Reached) -> Vec<Row> {
    let gain = |what: &str, a: &[f64], b: &[f64], unit| {
        Row::mean(format!("{name}/{what}"), &difference(a, b), unit)
    };
    vec![
        gain("log-likelihood-gain", &of.likelihood, &beside.likelihood, "nats a row"),
        gain("area-gain", &of.area, &beside.area, "fraction"),
        gain("accuracy-gain", &of.accuracy, &beside.accuracy, "percent"),
        Row::mean(format!("{name}/vectors"), &of.vectors, "count"),
    ]
}

/// The place of the setting that the rule takes: the cheapest that is not clearly worse.
fn taken(all: &[Reached], costs: &[f64]) -> usize {
    let measures: [fn(&Reached) -> &[f64]; 3] = [|r| &r.likelihood, |r| &r.area, |r| &r.accuracy];
    let near = |at: &usize| {
        measures.iter().all(|of| {
            let better = |a: usize, b: usize| mean(of(&all[b])) > mean(of(&all[a]));
            let best = (0..all.len()).reduce(|a, b| if better(a, b) { b } else { a }).unwrap_or(0);
            let lost = Row::mean("", &difference(of(&all[best]), of(&all[*at])), "");
            let error = lost.sd.unwrap_or(0.0) / (of(&all[best]).len() as f64).sqrt();
            lost.measured <= error
        })
    };
    (0..all.len()).filter(near).reduce(|a, b| if costs[b] < costs[a] { b } else { a }).unwrap_or(0)
}

pub(super) fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let count = if quick { QUICK_DRAWS } else { DRAWS };
    let sources = if quick { &SOURCES[1..3] } else { &SOURCES[..] };
    let draws: Vec<Vec<Set>> = sources
        .iter()
        .map(|source| (0..count).map(|n| drawn(source, run.seed.child(source.name, n))).collect())
        .collect::<Result<_>>()?;
    let task = run.task("settings", (WIDER.len() + REPEATS.len() + 4) as u64);
    let learner = |learner: EvoRvm| if quick { learner.evaluations(50).most(6) } else { learner };
    let mut found = Vec::new();
    let mut settings = Vec::new();
    for wider in WIDER {
        settings.push(reached(&draws, &learner(EvoRvm::default().wider(wider)), &task)?.0);
        found.extend(rows(&format!("wider-{wider}"), &settings[settings.len() - 1], &settings[0]));
        task.watch.advance(1);
    }
    let standard = EvoRvm::default();
    let vectors: Vec<f64> = settings.iter().map(|reached| mean(&reached.vectors)).collect();
    let choice = Row::new("chosen/wider", WIDER[taken(&settings, &vectors)], "standard errors");
    found.push(choice.target(Compare::About(standard.wider, 0.0)));
    let mut settings = Vec::new();
    for repeats in REPEATS {
        settings.push(reached(&draws, &learner(EvoRvm::default().repeats(repeats)), &task)?.0);
        let last = &settings[settings.len() - 1];
        found.extend(rows(&format!("repeats-{repeats}"), last, &settings[0]));
        task.watch.advance(1);
    }
    let times = REPEATS.map(|repeats| repeats as f64);
    let choice = Row::new("chosen/repeats", times[taken(&settings, &times)], "count");
    found.push(choice.target(Compare::About(standard.repeats as f64, 0.0)));
    let (usual, judged) = reached(&draws, &learner(EvoRvm::default()), &task)?;
    task.watch.advance(1);
    let counted = learner(EvoRvm::default().admission(Admission::Counted));
    let (counted, _) = reached(&draws, &counted, &task)?;
    task.watch.advance(1);
    let gain = difference(&usual.area, &counted.area);
    let unit = "fraction, over rates that are counted";
    found.push(Row::mean("expected/area-gain", &gain, unit).target(Compare::AtLeast(0.0)));
    let held: Vec<promise::Held> = judged.iter().map(promise::held).collect();
    found.extend(promise::rows(&held));
    // Of trees and rules only what they promise, on generated tables: rules of many columns are slow.
    let generated = sources.iter().zip(draws).filter(|(source, _)| source.open.starts_with("gen:"));
    let draws: Vec<Vec<Set>> = generated.map(|(_, draws)| draws).collect();
    let (trees, rules) = if quick {
        (EvoTree::default().evaluations(16), EvoRules::default().evaluations(8))
    } else {
        (EvoTree::default(), EvoRules::default())
    };
    found.push(covered("evo-tree", &draws, &trees, &task)?);
    found.push(covered("evo-rules", &draws, &rules, &task)?);
    Ok(found.into())
}

/// How often the promises of a method held.
fn covered<L: Learner<Model = FrontModel> + Send + Sync + 'static>(
    name: &str,
    draws: &[Vec<Set>],
    learner: &L,
    task: &Run<'_>,
) -> Result<Row> {
    let (_, judged) = reached(draws, learner, task)?;
    task.watch.advance(1);
    let held: Vec<promise::Held> = judged.iter().map(promise::held).collect();
    Ok(promise::coverage(format!("{name}/promise-coverage"), &held))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_takes_the_smallest_that_is_not_clearly_worse() {
        let of = |likelihood: [f64; 3], vectors: f64| Reached {
            likelihood: likelihood.to_vec(),
            area: vec![0.9; 3],
            accuracy: vec![80.0; 3],
            vectors: vec![vectors; 3],
        };
        let best = of([-0.30, -0.40, -0.50], 20.0);
        let noisy = of([-0.29, -0.44, -0.49], 10.0);
        let worse = of([-0.35, -0.45, -0.55], 2.0);
        assert_eq!(taken(&[best, noisy, worse], &[20.0, 10.0, 2.0]), 1);
    }
}
