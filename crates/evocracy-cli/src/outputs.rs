//! Where results are written: never over what a command reads, and not twice to one file.

use crate::args::{Evaluate, Predict, Verb};
use crate::look::{self, Look};
use crate::verbs::compare;
use anyhow::Result;
use evocracy::data::catalogue::Catalogue;
use evocracy::error::Error;
use evocracy::run::OutputFile;
use std::path::{Path, PathBuf};

/// A file a command names, with the words the person named it by.
type Named<'a> = (&'static str, &'a Path);

/// A file a command reads, or one it may write beside what was named, with what it is.
type Read = (&'static str, PathBuf);

/// Refuses a command whose results would destroy its input or each other, before it starts.
pub fn check(catalogue: &Catalogue, verb: &Verb) -> Result<()> {
    let (inputs, outputs) = files(catalogue, verb);
    for (at, &(what, output)) in outputs.iter().enumerate() {
        let inputs = inputs.iter().map(|(what, path)| (*what, path.as_path()));
        let mut others = inputs.chain(outputs[..at].iter().copied());
        if let Some((other, _)) = others.find(|(_, path)| same(path, output)) {
            let problem = format!("`{}` is both {other} and {what}", output.display());
            return Err(Error::unsuitable(problem, format!("give {what} another name")).into());
        }
    }
    for (what, derived) in derived(verb) {
        let read = inputs.iter().find(|(_, path)| same(path, &derived));
        if let Some((input, _)) = read {
            let problem =
                format!("`{}` is {input}, and would be written over by {what}", derived.display());
            return Err(Error::unsuitable(problem, "give --out another name").into());
        }
    }
    // Found out after the work, it would be lost.
    for (_, path) in &outputs {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let problem = format!(
                "cannot write `{}`: there is no folder `{}`",
                path.display(),
                folder.display()
            );
            return Err(Error::unsuitable(problem, "make the folder first").into());
        }
    }
    for (what, path) in &outputs {
        check_name(verb, what, path)?;
    }
    if look_of(verb).is_some_and(Look::any) && !outputs.iter().any(|(what, _)| is_picture(what)) {
        let option = if matches!(verb, Verb::Combine(_)) { "--graph" } else { "--plot" };
        let what = "there is no picture for --title or --size";
        return Err(Error::unsuitable(what, format!("draw one with {option} FILE")).into());
    }
    // Predictions are written beside the file and renamed, which would put an ordinary file in
    // the place of a device.
    if let Verb::Predict(args) = verb
        && let Some(path) = &args.out
        && std::fs::metadata(path).is_ok_and(|place| !place.is_file())
    {
        let problem = format!("`{}` is not an ordinary file", path.display());
        let help = "without --out the predictions go to standard output";
        return Err(Error::unsuitable(problem, help).into());
    }
    outputs.iter().try_for_each(|(_, path)| writable(path))
}

/// Whether a picture is written to what is named so.
fn is_picture(what: &str) -> bool {
    ["--plot", "--graph"].contains(&what)
}

/// How the picture of a command looks, where it may draw one.
fn look_of(verb: &Verb) -> Option<&Look> {
    Some(match verb {
        Verb::Demo(args) => &args.look,
        Verb::Fit(args) => &args.drawing.look,
        Verb::Evaluate(args) => &args.drawing.look,
        Verb::Roc(args) => &args.drawing.look,
        Verb::Front(args) => &args.look,
        Verb::Soften(args) => &args.look,
        Verb::Select(args) => &args.look,
        Verb::Compare(args) => &args.look,
        Verb::Show(args) => &args.look,
        Verb::Combine(args) => &args.look,
        _ => return None,
    })
}

/// Refuses a name whose ending promises another format than what is written.
fn check_name(verb: &Verb, what: &str, path: &Path) -> Result<()> {
    /// Of what is no model.
    const OTHERS: [&str; 14] = [
        "csv", "tsv", "arff", "parquet", "json", "svg", "png", "jpg", "jpeg", "gif", "pdf", "eps",
        "html", "bif",
    ];
    let predictions = matches!(verb, Verb::Predict(_));
    let parts = matches!(verb, Verb::Explain(_));
    let model = matches!(
        verb,
        Verb::Fit(_) | Verb::Front(_) | Verb::Pick(_) | Verb::Soften(_) | Verb::Combine(_)
    );
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = ending.to_lowercase();
    let refuse = |problem: &str, help: &str| {
        Err(Error::unsuitable(format!("`{}` {problem}", path.display()), help).into())
    };
    match what {
        what if is_picture(what) => look::check_name(path),
        "--page" if !["", "md"].contains(&ending.as_str()) => {
            refuse("is no name for a page of Markdown", "let it end in .md")
        }
        "--out" if model && OTHERS.contains(&ending.as_str()) => {
            refuse("is no name for a model", "let it end in .evo")
        }
        "--out" if predictions && (ending == "evo" || OTHERS[2..].contains(&ending.as_str())) => {
            refuse("is no name for predictions: they are CSV", "let it end in .csv")
        }
        "--out" if parts && (ending == "evo" || OTHERS[1..].contains(&ending.as_str())) => {
            refuse("is no name for explanations: they are CSV", "let it end in .csv")
        }
        _ => Ok(()),
    }
}

/// Refuses a place that cannot be written to. Nothing of it is left.
fn writable(path: &Path) -> Result<()> {
    if path.is_dir() {
        let problem = format!("cannot write `{}`: it is a folder", path.display());
        return Err(Error::unsuitable(problem, "give the name of a file in it").into());
    }
    // A pipe or a device is opened once only.
    if std::fs::metadata(path).is_ok_and(|place| !place.is_file()) {
        return Ok(());
    }
    drop(OutputFile::create(path)?);
    Ok(())
}

/// A file with what it is to the command.
fn named<'a>(
    what: &'static str,
    path: Option<&'a (impl AsRef<Path> + ?Sized)>,
) -> Option<Named<'a>> {
    path.map(|path| (what, path.as_ref()))
}

/// What a command reads and what it writes, where it was named.
type Files<'a> = (Vec<Option<Named<'a>>>, Vec<Option<Named<'a>>>);

fn of_predict(args: &Predict) -> Files<'_> {
    let inputs = vec![
        named("the model", Some(&args.model.file)),
        named("the data", Some(&args.data)),
        named("--costs", args.calls.costs.as_ref()),
    ];
    (inputs, vec![named("--out", args.out.as_ref())])
}

/// What is written beside a file of predictions under a name that follows from it.
fn derived(verb: &Verb) -> Vec<Read> {
    let Verb::Predict(args) = verb else { return Vec::new() };
    let Some(out) = &args.out else { return Vec::new() };
    let partial = ("what is kept of the predictions after an error", OutputFile::partial_name(out));
    let list = args.skip_bad.then(|| ("the list of rows that are left out", skipped_name(out)));
    [partial].into_iter().chain(list).collect()
}

/// The list of rows that could not be read, beside the predictions.
pub fn skipped_name(out: &Path) -> PathBuf {
    let mut path = out.as_os_str().to_owned();
    path.push(".skipped.csv");
    PathBuf::from(path)
}

fn of_evaluate(args: &Evaluate) -> Files<'_> {
    let models = args.model.files.iter().map(|file| named("the model", Some(file)));
    let others = [named("the data", Some(&args.data)), named("--costs", args.calls.costs.as_ref())];
    (models.chain(others).collect(), vec![named("--plot", args.drawing.plot.as_ref())])
}

fn of_compare(args: &compare::Args) -> Files<'_> {
    let data = args.data.iter().map(|data| named("the data", Some(data)));
    let also = args.also.iter().map(|(_, file)| named("--also", Some(file)));
    let outputs =
        vec![named("--folds-out", args.folds_out.as_ref()), named("--plot", args.plot.as_ref())];
    (data.chain(also).collect(), outputs)
}

/// The files that a command reads and those it writes.
fn files<'a>(catalogue: &Catalogue, verb: &'a Verb) -> (Vec<Read>, Vec<Named<'a>>) {
    let (inputs, outputs) = match verb {
        Verb::Fit(args) => (
            vec![
                named("the data", Some(&args.data)),
                named("the test data", args.test.as_ref()),
                named("--costs", args.calls.costs.as_ref()),
            ],
            vec![named("--out", args.out.as_ref()), named("--plot", args.drawing.plot.as_ref())],
        ),
        Verb::Demo(args) => (Vec::new(), vec![named("--plot", Some(&args.plot))]),
        Verb::Front(args) => (
            vec![named("the data", Some(&args.data))],
            vec![named("--out", args.out.as_ref()), named("--plot", args.plot.as_ref())],
        ),
        Verb::Soften(args) => (
            vec![named("the data", Some(&args.data))],
            vec![named("--out", args.out.as_ref()), named("--plot", args.plot.as_ref())],
        ),
        Verb::Select(args) => (
            vec![
                named("the data", Some(&args.data)),
                named("--given", args.given.as_ref()),
                named("--names", args.names.as_ref()),
            ],
            vec![named("--out", args.out.as_ref()), named("--plot", args.plot.as_ref())],
        ),
        Verb::Pick(args) => {
            (vec![named("the front", Some(&args.file))], vec![named("--out", args.out.as_ref())])
        }
        Verb::Show(args) => (
            vec![named("the model", Some(&args.model.file)), named("the data", args.data.as_ref())],
            vec![named("--plot", args.plot.as_ref())],
        ),
        Verb::Predict(args) => of_predict(args),
        Verb::Explain(args) => (
            vec![named("the model", Some(&args.model.file)), named("the data", Some(&args.data))],
            vec![named("--out", args.out.as_ref())],
        ),
        Verb::Evaluate(args) => of_evaluate(args),
        Verb::Compare(args) => of_compare(args),
        Verb::Combine(args) => (
            vec![named("the table", Some(&args.table)), named("the test data", args.test.as_ref())],
            vec![
                named("--out", args.out.as_ref()),
                named("--graph", args.graph.as_ref()),
                named("--bif", args.bif.as_ref()),
            ],
        ),
        Verb::Roc(args) => (
            vec![named("the table", Some(&args.table))],
            vec![named("--plot", args.drawing.plot.as_ref())],
        ),
        Verb::Reproduce(args) => (Vec::new(), vec![named("--page", args.page.as_ref())]),
        _ => (Vec::new(), Vec::new()),
    };
    let inputs = inputs.into_iter().flatten().flat_map(|input| read_from(catalogue, input));
    (inputs.collect(), outputs.into_iter().flatten().collect())
}

/// The files behind what is read: data may also be opened by a name that stands for several.
fn read_from(catalogue: &Catalogue, (what, path): Named<'_>) -> impl Iterator<Item = Read> {
    let named = path.to_str().filter(|_| !path.exists());
    let files = named.map_or_else(|| vec![path.to_owned()], |name| catalogue.files(name));
    files.into_iter().map(move |file| (what, file))
}

/// Whether two names are links to the same file.
#[cfg(unix)]
fn linked(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    id(a).is_some_and(|a| Some(a) == id(b))
}

#[cfg(not(unix))]
fn linked(_a: &Path, _b: &Path) -> bool {
    false
}

/// Whether two paths lead to one file, which need not exist yet.
pub fn same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    linked(a, b) || place(a).is_some_and(|a| Some(a) == place(b))
}
