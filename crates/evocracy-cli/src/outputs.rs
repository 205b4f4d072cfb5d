//! Where results are written: never over what a command reads, and not twice to one file.

use crate::args::Verb;
use anyhow::Result;
use evocracy::error::Error;
use std::path::{Path, PathBuf};

/// A file a command names, with the words the person named it by.
type Named<'a> = (&'static str, &'a Path);

/// Refuses a command whose results would destroy its input or each other, before it starts.
pub fn check(verb: &Verb) -> Result<()> {
    let (inputs, outputs) = files(verb);
    for (at, &(what, output)) in outputs.iter().enumerate() {
        let others = inputs.iter().chain(&outputs[..at]);
        if let Some((other, _)) = others.into_iter().find(|(_, path)| same(path, output)) {
            let problem = format!("`{}` is both {other} and {what}", output.display());
            return Err(Error::unsuitable(problem, format!("give {what} another name")).into());
        }
    }
    if let Some((_, path)) =
        outputs.iter().find(|(what, path)| *what == "--plot" && !drawable(path))
    {
        let problem = format!("`{}` cannot be drawn: pictures are SVG", path.display());
        return Err(Error::unsuitable(problem, "give the picture a name that ends in .svg").into());
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
    Ok(())
}

/// The files that a command reads and those it writes.
fn files(verb: &Verb) -> (Vec<Named<'_>>, Vec<Named<'_>>) {
    fn named<'a>(
        what: &'static str,
        path: Option<&'a (impl AsRef<Path> + ?Sized)>,
    ) -> Option<Named<'a>> {
        path.map(|path| (what, path.as_ref()))
    }
    let (inputs, outputs) = match verb {
        Verb::Fit(args) => (
            [named("the data", Some(&args.data)), named("the test data", args.test.as_ref())],
            [named("--out", args.out.as_ref()), named("--plot", args.drawing.plot.as_ref())],
        ),
        Verb::Front(args) => (
            [named("the data", Some(&args.data)), None],
            [named("--out", args.out.as_ref()), named("--plot", args.plot.as_ref())],
        ),
        Verb::Select(args) => (
            [named("the data", Some(&args.data)), named("--given", args.given.as_ref())],
            [named("--out", args.out.as_ref()), named("--plot", args.plot.as_ref())],
        ),
        Verb::Pick(args) => (
            [named("the front", Some(&args.file)), None],
            [named("--out", args.out.as_ref()), None],
        ),
        Verb::Show(args) => (
            [named("the model", Some(&args.model.file)), None],
            [named("--plot", args.plot.as_ref()), None],
        ),
        Verb::Predict(args) => (
            [named("the model", Some(&args.model.file)), named("the data", Some(&args.data))],
            [named("--out", args.out.as_ref()), None],
        ),
        Verb::Evaluate(args) => (
            [named("the model", Some(&args.model.file)), named("the data", Some(&args.data))],
            [named("--plot", args.drawing.plot.as_ref()), None],
        ),
        Verb::Roc(args) => (
            [named("the table", Some(&args.table)), None],
            [named("--plot", args.drawing.plot.as_ref()), None],
        ),
        _ => ([None, None], [None, None]),
    };
    // The name of a data set is no file.
    let inputs = inputs.into_iter().flatten().filter(|(_, path)| path.exists());
    (inputs.collect(), outputs.into_iter().flatten().collect())
}

/// Whether a picture may have this name: it must not promise another format.
fn drawable(path: &Path) -> bool {
    const OTHERS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "pdf", "eps", "html"];
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    !OTHERS.contains(&ending.to_lowercase().as_str())
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
fn same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    linked(a, b) || place(a).is_some_and(|a| Some(a) == place(b))
}
