//! `evocracy soften`: probabilities out of a hard classifier, built in or a program.

use super::contours;
use super::fit::{identity, resumed_parts};
use crate::args::{ExternalProgram, Learn, Reading, setting};
use crate::look::Look;
use crate::shell::{Outcome, Shell};
use crate::{reporting, words};
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
use evocracy::sample::{AbcMlp, ChainModel, Mixing};
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
    let (found, seconds) = shell.work(&format!("sampling {}", what(args)), |run| {
        let run = Run { shelf, ..run.clone() };
        sample(&method, program.as_ref(), thin, (&data, split), &run)
    });
    let mut found = found?;
    found.model = found.model.with_reading(data.reading());
    if let Some(path) = &args.out {
        found.model.save(path)?;
    }
    let resumed = store.map(|store| resumed_parts(shell, &store));
    let restarts = program.map_or(0, |program| program.restarts());
    let outcome = show(shell, args, &data, protocol, &found, (seconds, resumed, restarts))?;
    // A program is not asked again after it was stopped.
    if let Some(path) = args.plot.as_ref().filter(|_| found.judged.is_some()) {
        shell.afterwards(contours::draw(&found.model, &data, (path, &args.look)))?;
        shell.tell(&format!("The picture is in {}.", path.display()))?;
    }
    Ok(outcome)
}

/// What was sampled, and what it says of the rows it is judged on.
struct Found {
    model: Model,
    stop: StopReason,
    pruned: Option<Thinned>,
    /// Nothing where the work was stopped and a program would have to be asked.
    judged: Option<Judged>,
    /// The mean standard error of its probabilities.
    error: Option<f64>,
}

/// Samples, prunes and judges.
fn sample(
    method: &Encoded,
    program: Option<&Command>,
    thin: Option<Thin>,
    (data, split): (&Dataset, &Split),
    run: &Run<'_>,
) -> evocracy::error::Result<Found> {
    let task = data.task()?;
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    let Fitted { mut model, mut stop } = judge::train(method, &train, run)?;
    // A model that was taken from the folder has no program.
    if let (Some(program), true) = (program, model.chain().is_some_and(ChainModel::lacks_program)) {
        model = model.with_program(Arc::new(program.clone()))?;
    }
    let mut pruned = None;
    if let (Some(how), StopReason::Finished) = (thin, stop) {
        match committee::thin(model.clone(), how, &train, run) {
            Ok((fewer, figures)) => (model, pruned) = (fewer, Some(figures)),
            // What was sampled is there.
            Err(Error::Stopped) => {}
            Err(error) => return Err(error),
        }
        if run.stop.requested() {
            stop = StopReason::Interrupted;
        }
    }
    if program.is_some() && stop == StopReason::Interrupted {
        return Ok(Found { model, stop, pruned, judged: None, error: None });
    }
    let judged = Some(Judged::task(&model, &test, data.weighted())?);
    let errors = model.standard_errors(test.features, run)?;
    let error = errors.map(|errors| errors.iter().sum::<f64>() / errors.len().max(1) as f64);
    Ok(Found { model, stop, pruned, judged, error })
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
    let Found { model, stop, pruned, judged, error } = found;
    let mut report = Report::new(model, &data.name, protocol, None, judged.as_ref())?;
    report.stop = *stop;
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
    let text = words(args, data, model, &report, pruned.as_ref(), *error);
    let mut document = serde_json::to_value(&report)?;
    document["saved"] = json!(args.out);
    document["pruned"] = json!(pruned);
    document["standard_error"] = json!(error);
    document["restarts"] = json!(restarts);
    document["mixing"] = mixing(model).map(|mixing| json!(mixing)).collect();
    document["timing"] = json!({ "fit_s": seconds });
    if let Some(parts) = resumed {
        document["resumed_parts"] = Value::from(parts);
    }
    shell.show(&text, &document)?;
    Ok(match stop {
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

fn mixing(model: &Model) -> impl Iterator<Item = &Mixing> {
    let parts = model.chain().map_or(&[][..], |chain| chain.parts());
    parts.iter().filter_map(|part| part.mixing.as_ref())
}

/// How the chains have mixed, those of several classes with the name of theirs.
fn mixing_words(model: &Model) -> String {
    let mut text = String::new();
    let several = mixing(model).count() > 1;
    let classes = model.classes().map_or(&[][..], |classes| classes.names());
    for (class, mixing) in mixing(model).enumerate() {
        let of = classes.get(class).filter(|_| several);
        text += &format!(
            "{}{} of {} each: {:.0} % of the proposals were accepted{}{}{}.\n",
            of.map_or(String::new(), |class| format!("`{class}`: ")),
            words::counted(mixing.levels as u64, "target"),
            words::counted(mixing.chains as u64, "chain"),
            100.0 * mixing.acceptance,
            mixing.effective.map_or(String::new(), |effective| format!(
                ", the worst is worth {effective:.0} independent samples"
            )),
            mixing.r_hat.map_or(String::new(), |r_hat| format!(" (R-hat {r_hat:.2})")),
            mixing.autocorrelation.map_or(String::new(), |lag| format!(
                ", successive samples of a chain correlate by up to {lag:.2}"
            )),
        );
    }
    text
}

/// What was found, in sentences and a table.
fn words(
    args: &Args,
    data: &Dataset,
    model: &Model,
    report: &Report,
    pruned: Option<&Thinned>,
    error: Option<f64>,
) -> String {
    let mut text = format!(
        "Sampled {} on {} of {} to predict `{}`.\n",
        what(args),
        words::counted(model.about().rows as u64, "row"),
        data.name,
        data.target_name(),
    );
    if report.stop == StopReason::Interrupted {
        text += match pruned {
            Some(_) => "Pruning was interrupted: this is what there is so far.\n",
            None => {
                "The work was interrupted: this is what there is so far, and nothing was pruned.\n"
            }
        };
    }
    text += &mixing_words(model);
    if let Some(pruned) = pruned {
        text += &format!(
            "Pruned from {} to {} classifiers, {:.1} times fewer to ask: on the training rows the AUC of `{}` goes from {:.4} to {:.4}, and probabilities move by {:.4} (root mean square).\n",
            pruned.before,
            pruned.after,
            pruned.fewer,
            pruned.class,
            pruned.auc[0],
            pruned.auc[1],
            pruned.rms
        );
    }
    if let Some(figures) = &report.test {
        let rows = words::counted(figures.rows() as u64, "row");
        text += &format!("\nJudged on {rows} ({}):\n", report.test_rows_are);
        text += &format!("{}\n{}\n\n", reporting::figures(report), reporting::tables(report));
    }
    if let Some(error) = error {
        text += &format!(
            "By how the chains differ, the probabilities of these rows have a standard error of {error:.3} on average.\n"
        );
    }
    text += &match &args.out {
        Some(path) if args.program.command.is_some() => format!(
            "Saved in {0}; the file holds no command: say `evocracy predict {0} DATA --command ...`.\n",
            path.display()
        ),
        Some(path) => format!("Saved in {}.\n", path.display()),
        None => "The model was not saved: add --out FILE to keep it.\n".to_owned(),
    };
    text
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
