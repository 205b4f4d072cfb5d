//! `evocracy front`: evolve a front, show it, save it.

use super::fit::{identity, resumed_parts};
use super::show;
use crate::args::{Learn, Reading, setting};
use crate::look::Look;
use crate::shell::{Outcome, Shell};
use crate::words;
use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::data::Dataset;
use evocracy::error::Error;
use evocracy::front::FrontModel;
use evocracy::judge;
use evocracy::method;
use evocracy::model::Model;
use evocracy::run::{FolderStore, Run, Shelf, StopReason};
use serde_json::json;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// A data set's name (see `evocracy data list`), a generator such as gen:moons:rows=500, or a
    /// file: CSV, TSV, ARFF (plain or gzipped), Parquet or idx images
    pub data: String,
    /// The method: one whose name begins with evo- (see `evocracy methods`)
    #[arg(long, short, default_value = "evo-rvm")]
    pub method: String,
    /// A parameter of the method, such as -p most=10; may be given again
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// Keep finished parts in this folder; the same command goes on there after it was killed
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// Save the front here
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the front here, as SVG
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
    let method = method::make(&args.method, &args.params)?;
    if !args.method.starts_with("evo-") {
        return Err(Error::unsuitable(
            format!("`{}` makes one model, not a front", args.method),
            "take a method whose name begins with evo-, such as evo-rvm",
        )
        .into());
    }
    let load = args.reading.load(&args.learn, shell.seed);
    let reading = format!("reading {}", args.data);
    let data = shell.work(&reading, |run| shell.open(&args.data, &load, run.stop)).0?;
    shell.remarks(&judge::remark::many_texts(&data));
    let data = if args.learn.positive.is_some() { data.against_rest()? } else { data };
    if args.plot.is_some() && data.classes().is_none_or(|classes| classes.len() != 2) {
        let what = "fronts of two classes are drawn, and these are not two";
        let help = "leave out --plot, or put one class against all others with --positive CLASS";
        return Err(Error::unsuitable(what, help).into());
    }
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    let key = store.as_ref().map(|_| identity(&args.method, &args.params, &data));
    let shelf = match (&store, &key) {
        (Some(store), Some(key)) => Shelf::new(store, key),
        _ => Shelf::none(),
    };
    let task = data.task()?;
    let (fitted, seconds) = shell.work(&format!("evolving {}", args.method), |run| {
        judge::train(method.as_ref(), &task, &Run { shelf, ..run.clone() })
    });
    let fitted = fitted?;
    let model = fitted.model.with_reading(data.reading());
    if let Some(path) = &args.out {
        model.save(path)?;
    }
    let Some(front) = model.front() else {
        return Err(Error::unsuitable("this method made no front", "take evo-rvm").into());
    };
    let resumed = store.map(|store| resumed_parts(shell, &store));
    let text = words(args, &data, &model, front, fitted.stop);
    let mut document = show::document(&model, None);
    document["saved"] = json!(args.out);
    document["timing"] = json!({ "fit_s": seconds });
    document["stop"] = json!(fitted.stop);
    if let Some(parts) = resumed {
        document["resumed_parts"] = json!(parts);
    }
    shell.show(&text, &document)?;
    if let Some(path) = &args.plot {
        shell.afterwards(show::draw(front, &model, None, &data.name, (path, &args.look)))?;
        shell.tell(&format!("The picture is in {}.", path.display()))?;
    }
    Ok(match fitted.stop {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// What was found, in sentences and a table.
fn words(
    args: &Args,
    data: &Dataset,
    model: &Model,
    front: &FrontModel,
    stop: StopReason,
) -> String {
    let mut text = format!(
        "Evolved {} on {} of {} to predict `{}`.\n",
        args.method,
        words::counted(data.table().rows() as u64, "row"),
        data.name,
        data.target_name(),
    );
    if let Some(classes) = data.classes().filter(|classes| classes.rest().is_some()) {
        let positive = &classes.names()[classes.positive()];
        text += &format!("All classes but `{positive}` count as one, `not {positive}`.\n");
    }
    if let Some(rows) = front.points().searched() {
        text += &format!(
            "The search took {rows} of these rows, drawn from every class; `-p rows=0` takes all.\n"
        );
    }
    if stop == StopReason::Interrupted {
        text += "The search was interrupted: this is the best so far.\n";
    }
    text += &format!("\n{}\n", show::points(front, model, None));
    text += &match &args.out {
        Some(path) => format!("Saved in {0}; see `evocracy pick {0}`.\n", path.display()),
        None => "The front was not saved: add --out FILE to keep it.\n".to_owned(),
    };
    text
}
