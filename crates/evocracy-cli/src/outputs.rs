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
        Verb::Predict(args) => (
            [named("the model", Some(&args.model)), named("the data", Some(&args.data))],
            [named("--out", args.out.as_ref()), None],
        ),
        Verb::Evaluate(args) => (
            [named("the model", Some(&args.model)), named("the data", Some(&args.data))],
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

/// Whether two paths lead to one file, which need not exist yet.
fn same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    place(a).is_some_and(|a| Some(a) == place(b))
}
