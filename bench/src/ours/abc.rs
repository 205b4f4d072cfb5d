//! Chains of hard networks: full Gaussian proposals within a tolerance; an external program; a pruned
//! chain.

use super::experts::load;
use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result, bail};
use evocracy::committee::{Thin, thin};
use evocracy::data::Cells;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::method::Method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop};
use evocracy::sample::{
    AbcMlp, Distance, Hard, HardUnits, LabelledRows, Prior, Priors, Program, Proposal, Target,
    Units, Walk,
};
use evocracy_external::Command;
use std::path::Path;
use std::process;
use std::time::{Duration, Instant};

/// Proposals of a case: as many as the peers make.
const PROPOSALS: usize = 20_000;

/// The tolerance and the standard deviation of steps.
const EPSILON: f64 = 0.3;
const STEP: f64 = 0.05;

pub fn run(case: &str, folder: &Path) -> Result<Measured> {
    match case {
        "external-wall" => external(folder),
        "pruned-predict" => predict(true),
        _ => chain(case, folder),
    }
}

/// The chain that `bench_abc_numpy.py` runs, from the same start.
fn chain(case: &str, folder: &Path) -> Result<Measured> {
    let data = load(&folder.join(format!("{case}.bin")))?;
    let view = data.features();
    let mut columns = Vec::new();
    for column in 0..view.columns() {
        let Cells::Number(values) = view.cells(column) else { bail!("numbers only") };
        columns.extend_from_slice(values);
    }
    let codes = data.codes().context("the table has classes")?;
    let positive: Vec<bool> = codes.iter().map(|&code| code == 1).collect();
    let hidden: usize = case.split('-').nth(1).unwrap_or_default().parse()?;
    let units = Units::mlp(view.columns(), hidden);
    let hard = HardUnits { units, rows: LabelledRows::from_columns(&columns, &positive)? };
    let [biases, votes, last] = units.places();
    let is_bias = |at: usize| (biases..votes).contains(&at) || at == last;
    let student = Prior::Student { nu: 3.0, alpha: 0.05 };
    let prior = |at| if is_bias(at) { Prior::Flat } else { student };
    let priors = Priors::new((0..units.parameters()).map(prior))?;
    let bytes = std::fs::read(folder.join(format!("{case}.start")))?;
    let start: Vec<f64> =
        bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let with = (Distance::Auc { totals: hard.totals() }, Proposal::All(STEP));
    let mut rng = evocracy::evolve::rng(Seed::new(1));
    let (seconds, accepted) = clock::time(|| {
        let mut walk = Walk::new(&hard, &priors, with, start.clone())?;
        let mut accepted = 0;
        for _ in 0..PROPOSALS {
            accepted += usize::from(walk.step(Target::Tolerance(EPSILON), &mut rng)?);
        }
        Ok(accepted)
    })?;
    let quality = Some(accepted as f64 / PROPOSALS as f64);
    Ok(Measured { seconds, quality, ..Measured::default() })
}

/// A program that reads a line and writes 250 labels: the wall-clock seconds of 20,000 answers.
fn external(folder: &Path) -> Result<Measured> {
    let program = folder.join("trivial");
    if !program.exists() {
        let source = folder.join("trivial.rs");
        std::fs::write(&source, TRIVIAL)?;
        let mut rustc = process::Command::new("rustc");
        let made = rustc.arg("-O").arg("-o").arg(&program).arg(&source).status();
        if !made.context("rustc is needed")?.success() {
            bail!("the trivial program does not compile");
        }
    }
    let data = Catalogue::embedded().open("ripley-synth:train", &Load::default())?;
    let command = Command::new(&format!("'{}'", program.display()), Duration::from_secs(10))?;
    let mut session = command.open(data.features())?;
    let parameters: Vec<f64> = (0..29).map(|at| f64::from(at) / 7.0).collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        for _ in 0..PROPOSALS {
            session.labels(&parameters)?;
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(Measured { seconds: best, ..Measured::default() })
}

const TRIVIAL: &str = r#"
use std::io::{BufRead, Write};
fn main() {
    let (stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let labels = format!("{{\"labels\":\"{}\"}}\n", "01".repeat(125));
    for line in stdin.lines() {
        let Ok(line) = line else { return };
        let answer = if line.starts_with("{\"columns\"") {
            "{\"rows\":250,\"parameters\":29}\n"
        } else {
            &labels
        };
        if stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}
"#;

/// Predicts Ripley's test rows with a chain, pruned or whole.
pub fn predict(pruned: bool) -> Result<Measured> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let split = data.published.first().context("a published part")?;
    let task = data.task()?;
    let train = task.with_rows(&split.train);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let with = AbcMlp::default().lambda(4.0).width(4.0).steps(100);
    let mut model: Model = with.train(&train, &run)?.model;
    if pruned {
        model = thin(model, Thin::Simplex, &train, &run)?.0;
    }
    let test = task.features.with_rows(&split.test);
    let (seconds, _) = clock::time(|| Ok(model.proba(test)?))?;
    Ok(Measured { seconds, ..Measured::default() })
}
