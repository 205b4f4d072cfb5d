//! ROC curves of what was judged.

use anyhow::Result;
use evocracy::error::Error;
use evocracy::measure::{Interval, Roc};
use evocracy_report::{Mark, NamedCurve, Options, roc_svg};
use std::path::Path;

/// A curve to be drawn.
pub struct Curve {
    pub name: String,
    pub roc: Roc,
    pub interval: Option<Interval>,
    /// Where the calls of the model lie.
    pub called: Option<Mark>,
}

impl Curve {
    fn drawn(&self) -> NamedCurve<'_> {
        let mut drawn = NamedCurve::new(&self.name, &self.roc);
        drawn.interval = self.interval;
        drawn.mark.clone_from(&self.called);
        drawn
    }
}

/// Writes the ROC picture. A number has no such curve.
pub fn plot(path: &Path, title: &str, subtitle: &str, curves: &[Curve]) -> Result<()> {
    if curves.is_empty() {
        let what = "there is no ROC curve to draw: it takes rows of at least two classes";
        return Err(Error::unsuitable(what, "leave out --plot").into());
    }
    let options =
        Options { title: title.to_owned(), subtitle: subtitle.to_owned(), ..Options::default() };
    let curves: Vec<NamedCurve<'_>> = curves.iter().map(Curve::drawn).collect();
    std::fs::write(path, roc_svg(&curves, &options)).map_err(|e| Error::io("write", path, e).into())
}
