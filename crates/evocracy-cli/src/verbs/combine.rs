//! `evocracy combine`: combine what classifiers that are there already say.

mod checks;
mod pictures;

use super::fit::judge_input;
use crate::args::{Reading, setting};
use crate::input::Input;
use crate::look::Look;
use crate::shell::{Outcome, Shell};
use crate::{reporting, tables, words};
use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::classify::{ComparedWay, CopiedExpert, ExpertReport, LabelReport};
use evocracy::data::Dataset;
use evocracy::error::Error;
use evocracy::judge::{self, Figures, Judged, Protocol, Report, target_field};
use evocracy::method;
use evocracy::model::{Core, Model};
use evocracy::run::{StopReason, write_file};
use pictures::{Picture, pictures};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The ways to combine, as they are called here.
const WAYS: [&str; 13] = [
    "auto",
    "evobn",
    "conditional",
    "k2",
    "hc",
    "tan",
    "naive",
    "loglinear",
    "hidden",
    "ds",
    "vote",
    "weighted",
    "stack",
];

/// Those that find out what depends on what, and those that are Bayesian networks.
const WITH_GRAPH: [&str; 5] = ["evobn", "conditional", "k2", "hc", "tan"];
const NETWORKS: [&str; 4] = ["evobn", "k2", "hc", "tan"];

#[derive(ClapArgs)]
pub struct Args {
    /// The rows with their true classes and what each expert says of them: a file, `-` for
    /// standard input, or a data set's name. All columns are labels, also those of digits
    pub table: String,
    /// The column of true classes
    #[arg(long, value_name = "COLUMN")]
    pub truth: String,
    /// The columns of experts, parted by commas, a name with a comma in quotes; may be given again
    /// [default: all others]
    #[arg(long, value_name = "COLUMN,...")]
    pub experts: Vec<String>,
    /// How to combine: auto, evobn, conditional, k2, hc, tan, naive, loglinear, hidden, ds, vote,
    /// weighted or stack
    #[arg(long, short, default_value = "auto")]
    pub method: String,
    /// A parameter of the method, such as -p folds=10; may be given again
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// A table of other rows with the same columns, to judge on
    #[arg(long, value_name = "DATA")]
    pub test: Option<String>,
    /// Draw what depends on what here, as SVG
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
    #[command(flatten)]
    pub look: Look,
    /// Write the Bayesian network here, in the format BIF
    #[arg(long, value_name = "FILE")]
    pub bif: Option<PathBuf>,
    /// A column of row weights
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Save the combiner here
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let name = method_name(&args.method)?;
    let method = method::make(&name, &args.params)?;
    check_pictures(args, &name)?;
    let reading = format!("reading {}", args.table);
    let data = shell.work(&reading, |run| checks::open(shell, args, run)).0?;
    let task = data.task()?;
    let Ok((classes, _)) = task.labels() else {
        let what = format!("the truth `{}` is not made of classes", args.truth);
        return Err(Error::unsuitable(what, "name the column of true classes with --truth").into());
    };
    checks::check_test(shell, args, &data)?;
    for note in checks::oddities(task.features, classes) {
        shell.remark(&note);
    }
    let what = format!("combining {} columns", task.features.columns());
    let (fitted, seconds) = shell.work(&what, |run| judge::train(method.as_ref(), &task, run));
    let fitted = fitted?;
    let model = fitted.model;
    let Core::Labels(labels) = model.core() else {
        let what = format!("`{}` does not combine labels", args.method);
        return Err(Error::unsuitable(what, format!("take one of {}", WAYS.join(", "))).into());
    };
    for way in &labels.report().left_out {
        shell.remark(&format!("note: {} was left out: {}", short(&way.way), way.why));
    }
    let (test, stop) = other_rows(shell, args, &model, fitted.stop)?;
    let report = test.as_ref().zip(args.test.as_ref()).map(|(judged, name)| {
        let protocol = Protocol::Table { name: name.clone() };
        Report::new(&model, &data.name, protocol, None, Some(judged))
    });
    let report = report.transpose()?;
    let pictures = pictures(shell, args, &data, labels)?;
    let mut text = found(args, &data, labels.report());
    if fitted.stop == StopReason::Interrupted {
        text += "The work was interrupted: this is the best so far.\n";
    }
    if let Some(name) = args.test.as_ref().filter(|_| test.is_none()) {
        text += &format!("Because of the interruption it was not judged on {name}.\n");
    }
    text += &judged(args, report.as_ref());
    text += &format!("\n{}\n\n", experts(labels.report()));
    let mut document = document(args, &data, &model, labels.report());
    let written = |what: &str| pictures.iter().find(|p| p.what == what).map(|p| p.path);
    document["graph"] = json!(written("graph"));
    document["bif"] = json!(written("network"));
    document["test"] = json!(report.as_ref().and_then(|report| report.test.as_ref()));
    let points = report.as_ref().map_or(&[][..], |report| &report.operating_points);
    document["operating_points"] = json!(points);
    document["stop"] = json!(stop);
    document["timing"] = json!({ "fit_s": seconds });
    shell.show(&text, &document)?;
    // Nothing is written before all else is done.
    shell.afterwards(write(args, &model, &pictures))?;
    shell.tell(&format!("\n{}", files(args, &pictures).trim_end()))?;
    Ok(match stop {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// Refuses pictures of ways that have none before any work is done. What `auto` takes is not known
/// yet.
fn check_pictures(args: &Args, method: &str) -> Result<()> {
    let refuse = |what: &str, known: &[&str]| -> Result<()> {
        let problem = format!("`{}` {what}", short(method));
        Err(Error::unsuitable(problem, format!("take --method {}", known.join(", "))).into())
    };
    let one_of = |known: &[&str]| short(method) == "auto" || known.contains(&short(method));
    if args.graph.is_some() && !one_of(&WITH_GRAPH) {
        return refuse("has no graph of what depends on what", &WITH_GRAPH);
    }
    if args.bif.is_some() && !one_of(&NETWORKS) {
        return refuse("is no Bayesian network", &NETWORKS);
    }
    Ok(())
}

/// The name of a way as `--method` takes it.
fn short(way: &str) -> &str {
    way.strip_prefix("labels-").unwrap_or(way)
}

/// The name in the list of methods.
fn method_name(way: &str) -> Result<String> {
    match short(way) {
        "evobn" => Ok("evobn".to_owned()),
        short if WAYS.contains(&short) => Ok(format!("labels-{short}")),
        _ => Err(Error::unknown("way to combine", way, None, WAYS).into()),
    }
}

/// What is said of the other rows, if there are any, and how all ended. After Ctrl-C there is no time
/// to judge, which is no reason to lose the rest.
fn other_rows(
    shell: &Shell,
    args: &Args,
    model: &Model,
    trained: StopReason,
) -> Result<(Option<Judged>, StopReason)> {
    let Some(test) = &args.test else { return Ok((None, trained)) };
    if Shell::stopped() {
        return Ok((None, StopReason::Interrupted));
    }
    match judge_on(shell, args, test, model) {
        Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => {
            Ok((None, StopReason::Interrupted))
        }
        judged => Ok((Some(judged?), trained)),
    }
}

fn judge_on(shell: &Shell, args: &Args, test: &str, model: &Model) -> Result<Judged> {
    let format = args.reading.format();
    let mut input = Input::open(shell, test, &format, model, Some(target_field(model)))?;
    let judged =
        shell.work(&format!("judging on {test}"), |run| judge_input(model, &mut input, run)).0;
    shell.remarks(&input.remarks());
    shell.remarks(judged.as_ref().map_or(&[][..], |judged| &judged.remarks));
    judged
}

/// By what experts are combined.
fn by(report: &LabelReport) -> String {
    let ways: Vec<String> = report.blended.iter().map(|way| short(&way.way).to_owned()).collect();
    match &ways[..] {
        [] => short(&report.way).to_owned(),
        [way] => format!("{way}, its probabilities tempered"),
        _ => format!("a blend of {}", words::listed(&ways)),
    }
}

/// What was combined, how and why, in sentences.
fn found(args: &Args, data: &Dataset, report: &LabelReport) -> String {
    let mut text = format!(
        "Combined {} by {} on {} of {} to find `{}`.\n",
        words::counted(report.experts.len() as u64, "expert"),
        by(report),
        words::counted(data.table().rows() as u64, "row"),
        data.name,
        args.truth,
    );
    text += &chosen(report);
    // Of all rows: who answers only where it is easy is not the best.
    let best = report
        .experts
        .iter()
        .filter_map(|expert| Some((expert.accuracy? * (1.0 - expert.abstains), &expert.name)));
    // The first one among equals.
    let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
    if let Some((accuracy, name)) = best {
        text += &format!(
            "The best expert, `{name}`, is right in {} of all rows.\n",
            words::percent(accuracy)
        );
    }
    let named = |which: fn(&&ExpertReport) -> bool| -> Vec<String> {
        report.experts.iter().filter(which).map(|expert| expert.name.clone()).collect()
    };
    let redundant = named(|expert| expert.redundant);
    if !redundant.is_empty() {
        text += &match &redundant[..] {
            [one] => format!("Could be left out while the others stay: {one}.\n"),
            several => format!(
                "Each of these alone could be left out while the others stay: {}.\n",
                words::listed(several)
            ),
        };
    }
    text += &sources(report);
    text
}

/// Which experts copy one source, and which may do so: a group that gains no more on rows that were
/// held out than chance does is no reason to claim a source.
fn sources(report: &LabelReport) -> String {
    let names = |group: &[&CopiedExpert]| {
        let one =
            |expert: &&CopiedExpert| format!("{} ({})", expert.name, words::percent(expert.copied));
        words::listed(&group.iter().map(one).collect::<Vec<String>>())
    };
    let mut text = String::new();
    for group in &report.sources {
        let (clear, other): (Vec<&CopiedExpert>, Vec<&CopiedExpert>) =
            group.iter().partition(|expert| expert.is_clear());
        text += &match (clear.len(), other.len()) {
            (0 | 1, _) => format!(
                "Behind {} there may be one source, or chance; in brackets, how much would be copied.\n",
                names(&group.iter().collect::<Vec<_>>())
            ),
            (_, 0) => format!(
                "One source seems to stand behind {}; in brackets, how much is copied.\n",
                names(&clear)
            ),
            _ => format!(
                "One source seems to stand behind {}, and may stand behind {}; in brackets, how much is copied.\n",
                names(&clear),
                names(&other)
            ),
        };
    }
    text
}

/// Why this way was taken, and how it does on rows that were held out.
fn chosen(report: &LabelReport) -> String {
    let Some(own) = report.compared.first() else {
        return "How it does on rows that were held out was not measured.\n".to_owned();
    };
    let rows = report.judged_rows;
    let mut text = format!(
        "On {rows} of these rows, held out in turn, it is right in {} with {:.3} bits a row (0 is perfect).\n",
        words::percent(own.accuracy),
        // Not -0.000 where it is perfect.
        (-own.log2_likelihood).max(0.0) + 0.0,
    );
    if let Some(next) = report.compared.get(1) {
        let clear = if next.behind > 2.0 * next.error { "clearly" } else { "not clearly" };
        text += &format!(
            "It was chosen among {} ways for that likelihood, on the same rows, so that the figures lean to the good side; the next, {}, is {clear} behind: {:.3} bits a row, standard error {:.3}.\n",
            report.compared.len(),
            short(&next.way),
            next.behind,
            next.error,
        );
    }
    text
}

fn judged(args: &Args, report: Option<&Report>) -> String {
    let (Some(report), Some(test)) = (report, &args.test) else { return String::new() };
    let rows = report.test.as_ref().map_or(0, Figures::rows);
    let rows = words::counted(rows as u64, "row");
    let (figures, tables) = (reporting::figures(report), reporting::tables(report));
    format!("\nJudged on {test}, {rows}:\n{figures}\n{tables}\n")
}

/// What is known of each expert, as a table.
fn experts(report: &LabelReport) -> String {
    // Of a network, what stands behind an expert that is missing is looked at in its place.
    let blended = report.blended.iter().map(|way| short(&way.way));
    let network = blended.chain([short(&report.way)]).any(|way| NETWORKS.contains(&way));
    let unseen = if network { "not looked at where all answer" } else { "not looked at" };
    let row = |expert: &ExpertReport| {
        let number = |value: Option<f64>, show: fn(f64) -> String| {
            value.map_or_else(|| "-".to_owned(), show)
        };
        let remark = match (&expert.same_as, expert.relevant, expert.redundant) {
            (Some(other), ..) => format!("says what {other} says"),
            (None, false, _) => unseen.to_owned(),
            (None, true, true) => "adds nothing".to_owned(),
            (None, true, false) => String::new(),
        };
        vec![
            expert.name.clone(),
            number(expert.accuracy, words::percent),
            words::percent(expert.abstains),
            number(expert.adds, |bits| format!("{bits:.4}")),
            remark,
        ]
    };
    let header = ["expert", "right", "abstains", "adds (bits a row)", ""];
    let mut text = tables::plain(&header, report.experts.iter().map(row));
    if report.compared.len() > 1 {
        let blended = !report.blended.is_empty();
        let row = |way: &ComparedWay| {
            let mut cells = vec![
                short(&way.way).to_owned(),
                words::percent(way.accuracy),
                format!("{:.4}", way.log2_likelihood),
                format!("{:.4}", way.behind),
                format!("{:.4}", way.error),
            ];
            cells.extend(blended.then(|| weight(report, way)));
            cells
        };
        let header = ["way", "right", "log2-likelihood", "behind", "standard error", "weight"];
        let header = &header[..if blended { 6 } else { 5 }];
        text += &format!(
            "\n\nThe ways on rows that were held out:\n{}",
            tables::plain(header, report.compared.iter().map(row))
        );
    }
    text
}

/// The weight of a way in what combines.
fn weight(report: &LabelReport, way: &ComparedWay) -> String {
    let found = report.blended.iter().find(|blended| blended.way == way.way);
    found.map_or(String::new(), |blended| format!("{:.2}", blended.weight))
}

/// Writes the combiner, its graph and its network.
fn write(args: &Args, model: &Model, pictures: &[Picture<'_>]) -> Result<()> {
    if let Some(path) = &args.out {
        model.save(path)?;
    }
    for Picture { path, text, .. } in pictures {
        write_file(path, &[text.as_bytes()])?;
    }
    Ok(())
}

fn files(args: &Args, pictures: &[Picture<'_>]) -> String {
    let mut text = match &args.out {
        Some(path) => format!("Saved in {}.\n", path.display()),
        None => "The combiner was not saved: add --out FILE to keep it.\n".to_owned(),
    };
    for Picture { what, path, .. } in pictures {
        text += &format!("The {what} is in {}.\n", path.display());
    }
    text
}

fn document(args: &Args, data: &Dataset, model: &Model, report: &LabelReport) -> Value {
    json!({
        "method": model.about().method,
        "way": report.way,
        "dataset": data.name,
        "truth": args.truth,
        "rows": model.about().rows,
        "seed": model.about().seed,
        "classes": model.classes().ok().map(|classes| classes.names().to_vec()),
        "blended": report.blended,
        "left_out": report.left_out,
        "compared": report.compared,
        "judged_rows": report.judged_rows,
        "experts": report.experts,
        "arcs": report.arcs,
        "arcs_of": report.arcs_of,
        "confidence": report.confidence,
        "sources": report.sources,
        "saved": args.out,
    })
}
