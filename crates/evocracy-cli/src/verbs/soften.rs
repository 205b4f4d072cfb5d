//! `evocracy soften`: probabilities out of a hard classifier, built in or a program.

mod said;

use super::contours;
use super::fit::{identity, resumed_parts};
use crate::args::{ExternalProgram, Learn, Reading, setting};
use crate::look::Look;
use crate::shell::{Outcome, Shell};
use crate::words;
use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::classify::Fitted;
use evocracy::committee::{self, HardKind, Thin, Thinned};
use evocracy::data::{Dataset, Encoding, Split};
use evocracy::error::Error;
use evocracy::judge::{self, Judged, Protocol, Report};
use evocracy::method::{ENCODE, Method};
use evocracy::model::Model;
use evocracy::param::Params;
use evocracy::run::{FolderStore, Run, Seed, Shelf, StopReason};
use evocracy::sample::{AbcMlp, ChainModel};
use evocracy_external::Command;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// Hard classifiers that come with evocracy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Hard {
    /// Networks with one hidden layer, of -p hidden=7 units
    Mlp,
    /// Straight lines
    Linear,
    /// Votes of -p hidden=7 rules, each a threshold of one column; at least one for each column
    Rules,
}

impl Hard {
    /// What it is called in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Mlp => "hard network",
            Self::Linear => "hard linear",
            Self::Rules => "threshold rule",
        }
    }
}

#[derive(ClapArgs)]
pub struct Args {
    /// A data set's name (see `evocracy data list`), a generator such as gen:moons:rows=500, or a
    /// file: CSV, TSV, ARFF (plain or gzipped), Parquet or idx images
    pub data: String,
    /// The classifier whose parameters are sampled
    #[arg(long, value_enum, default_value_t = Hard::Mlp, conflicts_with = "command")]
    pub classifier: Hard,
    #[command(flatten)]
    pub program: ExternalProgram,
    /// How parameters are sampled: costs, epsilon, smc, rejection or printed [default: costs]
    #[arg(long, value_name = "SAMPLER")]
    pub sampler: Option<String>,
    /// How many samples are kept of all chains together [default: 1900]
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// How many chains run side by side, of costs: for each cost [default: 4]
    #[arg(long, value_name = "N")]
    pub chains: Option<usize>,
    /// A parameter of the sampler (see `evocracy methods abc-mlp`), such as -p hidden=7; may be
    /// given again
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// Keep fewer classifiers that answer like all: simplex, rvm, rvm-classification, top:N, auc:X or
    /// bmc
    #[arg(long, value_name = "HOW")]
    pub prune: Option<String>,
    /// What to make of the columns first: auto, ordinal, bits, bits:BINS, mdl or dense [default:
    /// dense; as they are for programs]
    #[arg(long, value_name = "ENCODING")]
    pub encode: Option<String>,
    /// The share of rows to judge on, a stratified sample [default: the published test part,
    /// else 0.25]
    #[arg(long, value_name = "SHARE")]
    pub holdout: Option<f64>,
    /// Keep finished parts of chains in this folder; the same command goes on there after it was
    /// killed
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// Save the model here
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the contours of the probability here, as SVG: two classes and two columns of numbers
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub look: Look,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub learn: Learn,
}

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let settings = settings(args);
    let with = AbcMlp::with(&settings)?;
    let thin = args.prune.as_deref().map(Thin::parse).transpose()?;
    let encoding = args.encode.as_deref().map_or(Ok(Encoding::Auto), Encoding::parse)?;
    let program = args.program.program()?;
    let kind = match (args.classifier, &program) {
        (_, Some(program)) => HardKind::Program(Arc::new(program.clone())),
        (Hard::Mlp, None) => HardKind::Mlp,
        (Hard::Linear, None) => HardKind::Linear,
        (Hard::Rules, None) => HardKind::Rules,
    };
    let method = Encoded { method: committee::Soften { kind, with }, encoding };
    tell_unread(shell, args, &method.method, &settings);
    let load = args.reading.load(&args.learn, shell.seed);
    let reading = format!("reading {}", args.data);
    let data = shell.work(&reading, |run| shell.open(&args.data, &load, run.stop)).0?;
    if args.plot.is_some() {
        contours::check(&data)?;
    }
    shell.remarks(&judge::remark::many_texts(&data));
    let protocol = match args.holdout {
        Some(share) => Protocol::Holdout { share, groups: None },
        None => Protocol::usual(&data),
    };
    let splits = protocol.splits(&data, Seed::new(shell.seed))?;
    let Some(split) = splits.only() else {
        let what = "there are no rows to judge on";
        return Err(Error::unsuitable(what, "hold some out with --holdout").into());
    };
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    // What the columns are made into is no parameter of the sampler, but decides what is kept.
    let mut kept = settings.clone();
    kept.extend(args.encode.clone().map(|encoding| (ENCODE.to_owned(), encoding)));
    let key = identity(&what(args), &kept, &data);
    let shelf = store.as_ref().map_or(Shelf::none(), |store| Shelf::new(store, &key));
    let what = what(args);
    let (sampled, seconds) = shell.work(&format!("sampling {what}"), |run| {
        let run = Run { shelf, ..run.clone() };
        sample(&method, program.as_ref(), thin, (&data, split), &run)
    });
    let mut sampled = sampled?;
    sampled.model = sampled.model.with_reading(data.reading());
    // Saved before it is judged: whatever happens from here on, the chains are not lost.
    if let Some(path) = &args.out {
        sampled.model.save(path)?;
    }
    let (judged, judging) = shell.work("judging", |run| judge(&sampled.model, (&data, split), run));
    if let (Err(_), Some(path)) = (&judged, &args.out) {
        shell.remark(&format!("the sampled model is in {}, not judged", path.display()));
    }
    let found = Found { judged: judged?, ..sampled };
    let resumed = store.map(|store| resumed_parts(shell, &store));
    let restarts = program.map_or(0, |program| program.restarts());
    let figures = (seconds + judging, resumed, restarts);
    let outcome = show(shell, args, &data, protocol, &found, figures)?;
    // What was not judged in time is not drawn either.
    if let Some(path) = args.plot.as_ref().filter(|_| found.judged.rows.is_some()) {
        shell.afterwards(contours::draw(&found.model, &data, (path, &args.look)))?;
        shell.tell(&format!("The picture is in {}.", path.display()))?;
    }
    Ok(outcome)
}

/// What Ctrl-C came in between of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Sampling,
    Pruning,
}

/// What was sampled, and what it says of the rows it is judged on.
struct Found {
    model: Model,
    /// The step that was interrupted, if one was.
    broke: Option<Step>,
    pruned: Option<Thinned>,
    judged: JudgedRows,
}

/// What was said of the rows to judge on.
#[derive(Default)]
struct JudgedRows {
    /// Nothing where the work was interrupted before.
    rows: Option<Judged>,
    /// The mean standard error of the probabilities.
    error: Option<f64>,
    /// Whether the work was interrupted before all was known.
    broke: bool,
}

impl Found {
    fn stop(&self) -> StopReason {
        let broke = self.broke.is_some() || self.judged.broke;
        if broke { StopReason::Interrupted } else { StopReason::Finished }
    }
}

/// Samples and prunes.
fn sample(
    method: &Encoded,
    program: Option<&Command>,
    thin: Option<Thin>,
    (data, split): (&Dataset, &Split),
    run: &Run<'_>,
) -> evocracy::error::Result<Found> {
    let train = data.task()?.with_rows(&split.train);
    let Fitted { mut model, stop } = judge::train(method, &train, run)?;
    // A model that was taken from the folder has no program.
    if let (Some(program), true) = (program, model.chain().is_some_and(ChainModel::lacks_program)) {
        model = model.with_program(Arc::new(program.clone()))?;
    }
    let mut broke = (stop == StopReason::Interrupted).then_some(Step::Sampling);
    let mut pruned = None;
    if let (Some(how), None) = (thin, broke) {
        match committee::thin(model.clone(), how, &train, run) {
            Ok((fewer, figures)) => (model, pruned) = (fewer, Some(figures)),
            // What was sampled is there.
            Err(Error::Stopped) => broke = Some(Step::Pruning),
            Err(error) => return Err(error),
        }
    }
    Ok(Found { model, broke, pruned, judged: JudgedRows::default() })
}

/// What a model says of the rows it is judged on. The Ctrl-C that ended the sampling leaves a moment
/// for that; a program is not asked again.
fn judge(
    model: &Model,
    (data, split): (&Dataset, &Split),
    run: &Run<'_>,
) -> evocracy::error::Result<JudgedRows> {
    let late = Run { stop: Shell::late(), ..run.clone() };
    let test = data.task()?.with_rows(&split.test);
    let mut found = JudgedRows::default();
    let mut ask = || {
        found.rows = Some(Judged::task_in(model, &test, data.weighted(), &late)?);
        let errors = model.standard_errors(test.features, &late)?;
        found.error = errors.map(|errors| errors.iter().sum::<f64>() / errors.len().max(1) as f64);
        Ok(())
    };
    match ask() {
        Err(Error::Stopped) => found.broke = true,
        done => done?,
    }
    Ok(found)
}

/// Shows what was found.
fn show(
    shell: &Shell,
    args: &Args,
    data: &Dataset,
    protocol: Protocol,
    found: &Found,
    (seconds, resumed, restarts): (f64, Option<u64>, u64),
) -> Result<Outcome> {
    let Found { model, pruned, judged: JudgedRows { rows, error, .. }, .. } = found;
    let mut report = Report::new(model, &data.name, protocol, None, rows.as_ref())?;
    report.stop = found.stop();
    report.remarks = judge::remark::unmixed(model);
    shell.remarks(&report.remarks);
    if pruned.is_some()
        && Thin::parse(args.prune.as_deref().unwrap_or_default())
            .is_ok_and(|how| how == Thin::RvmClassification)
    {
        shell.remark(
            "warning: a machine that is fitted to the classes forgets the chain and over-fits; --prune rvm imitates the chain instead.",
        );
    }
    if restarts > 0 {
        shell.remark(&format!(
            "warning: the program ended or did not answer in time and was started again {}.",
            words::counted(restarts, "time")
        ));
    }
    let text = said::words(args, data, found, &report);
    let mut document = serde_json::to_value(&report)?;
    document["saved"] = json!(args.out);
    document["pruned"] = json!(pruned);
    document["standard_error"] = json!(error);
    document["restarts"] = json!(restarts);
    document["mixing"] = said::mixing(model).map(|mixing| json!(mixing)).collect();
    document["timing"] = json!({ "fit_s": seconds });
    if let Some(parts) = resumed {
        document["resumed_parts"] = Value::from(parts);
    }
    shell.show(&text, &document)?;
    Ok(match report.stop {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// A method with the encoding that was asked for.
struct Encoded {
    method: committee::Soften,
    encoding: Encoding,
}

impl Method for Encoded {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn train_encoded(
        &self,
        _: Encoding,
        task: &evocracy::data::Task<'_>,
        run: &Run<'_>,
    ) -> evocracy::error::Result<Fitted<Model>> {
        self.method.train_encoded(self.encoding, task, run)
    }
}

/// Says which of the given parameters change nothing.
fn tell_unread(
    shell: &Shell,
    args: &Args,
    method: &committee::Soften,
    settings: &[(String, String)],
) {
    let sampler = settings.iter().rev().find(|(name, _)| name == "sampler");
    let sampler = sampler.map_or("costs", |(_, sampler)| sampler.as_str());
    for (name, _) in settings.iter().filter(|(name, _)| !method.reads(name)) {
        let what = what(args);
        shell.remark(&format!("note: `{name}` changes nothing for {what} sampled by {sampler}"));
    }
}

/// The classifier in words.
fn what(args: &Args) -> String {
    match &args.program.command {
        Some(command) => format!("the program `{command}`"),
        None => format!("{} classifiers", args.classifier.words()),
    }
}

/// All options as parameters of the sampler.
fn settings(args: &Args) -> Vec<(String, String)> {
    let mut settings = args.params.clone();
    let mut set = |name: &str, value: Option<String>| {
        settings.extend(value.map(|value| (name.to_owned(), value)));
    };
    set("sampler", args.sampler.clone());
    set("samples", args.samples.map(|n| n.to_string()));
    set("chains", args.chains.map(|n| n.to_string()));
    settings
}

/// A program that makes calls, and its time limit.
impl ExternalProgram {
    /// The program, if one is given.
    pub fn program(&self) -> Result<Option<Command>> {
        let Some(command) = &self.command else { return Ok(None) };
        let limit = std::time::Duration::try_from_secs_f64(self.time_limit)
            .ok()
            .filter(|limit| !limit.is_zero())
            .ok_or_else(|| {
                let what = format!("--time-limit {} is no time", self.time_limit);
                Error::unsuitable(what, "give seconds above 0")
            })?;
        Ok(Some(Command::new(command, limit)?.until(Shell::stopped)))
    }
}
