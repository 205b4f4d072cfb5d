//! `evocracy compare`: methods side by side on the same folds.

mod args;
mod draw;
mod files;
mod words;

pub use args::Args;

use super::fit::resumed_parts;
use crate::draw::check_curves;
use crate::machine;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use args::{ALL, NONE, Picture};
use evocracy::classify::Predicts;
use evocracy::error::{Error, nearest};
use evocracy::run::{FolderStore, Run, Seed, Shelf, StopReason};
use evocracy::study::{Asked, Compared, Entrant, Folded, compare, fitting};
use serde_json::json;

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    // A slip in a name is found before anything is read.
    let mut entrants = entrants(args)?;
    drawable(args)?;
    let (datasets, read) = shell.work("reading", |run| datasets(shell, args, run));
    let mut datasets = datasets?;
    if args.methods.iter().any(|name| name == ALL) {
        entrants.extend(all(shell, args, &entrants, &datasets)?);
    }
    unused(args, &entrants)?;
    of_such_data(args, &entrants, &datasets)?;
    if let Some(path) = &args.folds_out {
        files::write_folds(path, &datasets)?;
    }
    for (name, file) in &args.also {
        files::read_outside(name, file, &mut datasets)?;
    }
    if entrants.is_empty() && args.also.is_empty() {
        return only_folds(shell, args, &datasets);
    }
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    let key = format!("{} compare", env!("CARGO_PKG_VERSION"));
    let shelf = store.as_ref().map_or(Shelf::none(), |store| Shelf::new(store, &key));
    let asked = Asked { by: args.by, tune: args.tune, clock: Some(&machine::thread_seconds) };
    let (found, seconds) = shell.work("comparing", |run| {
        compare(&datasets, &entrants, &asked, &Run { shelf, ..run.clone() })
    });
    let Compared { report, judged, spent } = found?;
    let resumed = store.map(|store| resumed_parts(shell, &store));
    words::remark(shell, &report);
    let mut document = serde_json::to_value(&report)?;
    document["plot"] = json!(args.plot);
    document["timing"] = json!({ "read_s": read, "compare_s": seconds, "cpu": spent });
    if let Some(parts) = resumed {
        document["resumed_parts"] = json!(parts);
    }
    // What was found is shown before anything is drawn, which may fail.
    shell.show(&words::all(&report, &spent), &document)?;
    words::all_failed(&report)?;
    if let Some(path) = &args.plot {
        shell.afterwards(draw::draw(&report, &datasets, &judged, args, path))?;
        shell.remark(&format!("the picture is in {}", path.display()));
    }
    Ok(match report.stop {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// The methods that are named.
fn entrants(args: &Args) -> Result<Vec<Entrant>> {
    let named = args.methods.iter().map(|name| name.trim());
    let named = named.filter(|name| ![ALL, NONE].contains(name));
    named.map(|name| entrant(args, name)).collect()
}

/// A method with its own parameters.
fn entrant(args: &Args, name: &str) -> Result<Entrant> {
    let own = args.params.iter().filter_map(|(key, value)| {
        let key = key.strip_prefix(name)?.strip_prefix('.')?;
        Some((key.to_owned(), value.clone()))
    });
    Ok(Entrant::new(name, &own.collect::<Vec<_>>())?)
}

/// Refuses parameters that are of none of the methods.
fn unused(args: &Args, entrants: &[Entrant]) -> Result<()> {
    let of = |key: &str, name: &str| key.strip_prefix(name).is_some_and(|key| key.starts_with('.'));
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name().to_owned()).collect();
    let unknown = args.params.iter().find(|(key, _)| !names.iter().any(|name| of(key, name)));
    let Some((key, value)) = unknown else { return Ok(()) };
    let what = format!("the parameter `{key}` is of none of the methods");
    let (head, rest) = key.split_once('.').map_or((None, key.as_str()), |(method, rest)| {
        // The number of a member belongs to the parameter.
        if method.parse::<usize>().is_ok() { (None, key) } else { (Some(method), rest) }
    });
    // A committee is named with its members: of `vote:tree+knn` it is not `vote` alone.
    let with_members =
        |name: &&String| name.split_once(':').is_some_and(|(committee, _)| Some(committee) == head);
    let whole = names.iter().find(with_members);
    let near = head.filter(|_| whole.is_none()).and_then(|method| nearest(method, &names));
    let help = if let Some(near) = near {
        format!("did you mean the method `{near}`?")
    } else {
        let name = whole.or(names.first()).map_or("tree", String::as_str);
        format!("name the method first, such as -p {name}.{rest}={value}")
    };
    Err(Error::unsuitable(what, help).into())
}

/// Every method that fits the task, but for those that are named.
fn all(shell: &Shell, args: &Args, named: &[Entrant], datasets: &[Folded]) -> Result<Vec<Entrant>> {
    let classes = datasets.iter().any(|folded| folded.data.classes().is_some());
    let (names, left_out) = fitting(if classes { Predicts::Class } else { Predicts::Number });
    if !left_out.is_empty() {
        shell.remark(&format!(
            "left out, because their members must be named: {}",
            left_out.join(", ")
        ));
    }
    let is_named = |name: &&&str| named.iter().any(|entrant| entrant.name() == **name);
    names.iter().filter(|name| !is_named(name)).map(|name| entrant(args, name)).collect()
}

/// The data sets with their folds.
fn datasets(shell: &Shell, args: &Args, run: &Run<'_>) -> Result<Vec<Folded>> {
    let mut load = args.reading.load(&args.learn, shell.seed);
    load.options.ignore.extend(args.groups.clone());
    let mut datasets: Vec<Folded> = Vec::new();
    for name in &args.data {
        let data = shell.open(name, &load, run.stop)?;
        if datasets.iter().any(|folded| folded.data.name == data.name) {
            let what = format!("`{}` is named twice", data.name);
            return Err(Error::unsuitable(what, "name each data set once").into());
        }
        let (groups, seed) = (args.groups.clone(), Seed::new(shell.seed));
        datasets.push(Folded::grouped(data, args.folds, args.repeats, groups, seed)?);
    }
    Ok(datasets)
}

/// Refuses a picture that there cannot be, before any work.
fn drawable(args: &Args) -> Result<()> {
    if args.plot.is_none() {
        return Ok(());
    }
    let (what, help) = match (args.picture(), args.data.len()) {
        (Picture::Roc, 2..) => (
            "ROC curves are those of one data set, and several are named",
            "draw the ranks with --picture ranks, or compare on one data set",
        ),
        (Picture::Ranks, 1) => (
            "average ranks are those over several data sets, and one is named",
            "draw the ROC curves with --picture roc, or name more data sets",
        ),
        _ => return Ok(()),
    };
    Err(Error::unsuitable(what, help).into())
}

/// Refuses a picture that these data and methods do not have, before any work.
fn of_such_data(args: &Args, entrants: &[Entrant], datasets: &[Folded]) -> Result<()> {
    if args.plot.is_none() {
        return Ok(());
    }
    match args.picture() {
        Picture::Roc => datasets.iter().try_for_each(|folded| check_curves(folded.data.classes())),
        Picture::Ranks if entrants.len() + args.also.len() < 2 => {
            let what = "average ranks are those of several methods, and one is named";
            Err(Error::unsuitable(what, "name more methods with -m, or leave out --plot").into())
        }
        Picture::Ranks => Ok(()),
    }
}

/// Where there is nothing to compare, the folds are what was asked for.
fn only_folds(shell: &Shell, args: &Args, datasets: &[Folded]) -> Result<Outcome> {
    let Some(path) = &args.folds_out else {
        let what = "there is nothing to compare";
        let help =
            "name methods with -m, predictions with --also, or write the folds with --folds-out";
        return Err(Error::unsuitable(what, help).into());
    };
    let sets: Vec<&str> = datasets.iter().map(|folded| folded.data.name.as_str()).collect();
    let words = format!("The folds of {} are in {}.\n", sets.join(", "), path.display());
    shell.show(&words, &json!({ "sets": sets, "folds_out": path, "seed": shell.seed }))?;
    Ok(Outcome::Done)
}
