//! Pictures of what was judged.

mod many;
mod numbers;

use crate::args::{Drawing, Picture};
use crate::look::Look;
use crate::words;
use anyhow::Result;
use evocracy::data::Classes;
use evocracy::error::Error;
use evocracy::judge::{Figures, Judged, Scores};
use evocracy::measure::{
    Band, Bins, Calibration, Confusion, Delong, Interval, LEVEL, Point, PrecisionRecall, Ranking,
    Reliability, Roc,
};
use evocracy_report::{
    self as report, Iso, Mark, NamedCurve, Options, PrCurve, confusion_svg, pr_svg,
    reliability_svg, roc_svg,
};
use std::path::Path;

/// How many bins a reliability diagram has.
const BINS: usize = 10;

/// Scores with the name of what made them.
pub struct Scored {
    pub name: String,
    pub of: Scores,
}

impl Scored {
    /// The scores of judged rows, by the name of the method and of the class.
    pub fn all(judged: &Judged, name: &str) -> Vec<Self> {
        let named = |of: Scores| {
            let name =
                of.class.as_ref().map_or(name.to_owned(), |class| format!("{name}: {class}"));
            Self { name, of }
        };
        judged.scores().into_iter().map(named).collect()
    }

    fn ranking(&self) -> evocracy::error::Result<Ranking> {
        Ranking::new(&self.of.truth, &self.of.scores, self.of.weights.as_deref())
    }

    /// The ROC curve, with the place of the calls; none where all rows are of one class.
    fn curve(self) -> Option<Curve> {
        let (truth, weights) = (&self.of.truth, self.of.weights.as_deref());
        let roc = Roc::new(truth, &self.of.scores, weights).ok()?;
        let delong = Delong::new(truth, &self.of.scores, weights);
        let interval = delong.and_then(|delong| delong.interval(LEVEL)).ok();
        let mark =
            self.of.called.map(|(fpr, tpr)| Mark { fpr, tpr, label: "as called".to_owned() });
        Some(Curve { interval, mark, ..Curve::new(self.name, &roc) })
    }
}

/// The ROC curves of judged rows; of many classes the mean and the worst.
pub fn curves(judged: &Judged, name: &str) -> Vec<Curve> {
    let scored = Scored::all(judged, name);
    if scored.len() > many::MOST {
        return many::curves(scored, name);
    }
    scored.into_iter().filter_map(Scored::curve).collect()
}

/// A ROC curve with what is drawn beside it.
#[derive(Default)]
pub struct Curve {
    pub name: String,
    pub points: Vec<Point>,
    pub auc: Option<f64>,
    pub interval: Option<Interval>,
    pub mark: Option<Mark>,
    pub iso: Option<Iso>,
    pub band: Option<Band>,
    /// The corners of its hull; none where that is not drawn.
    pub hull: Vec<(f64, f64)>,
    /// A smooth curve through it, and what it is.
    pub smooth: Option<(Vec<(f64, f64)>, String)>,
}

/// The lines of a band that the picture borrows.
struct Lines {
    lower: Vec<(f64, f64)>,
    upper: Vec<(f64, f64)>,
}

impl Curve {
    /// A curve and its area alone.
    pub fn new(name: String, roc: &Roc) -> Self {
        Self { auc: Some(roc.auc()), ..Self::plain(name, roc.points().to_vec()) }
    }

    fn plain(name: String, points: Vec<Point>) -> Self {
        Self { name, points, ..Self::default() }
    }

    fn lines(&self) -> Lines {
        let band = self.band.iter().flat_map(|band| &band.points);
        let (lower, upper) = band.map(|p| ((p.fpr, p.low), (p.fpr, p.high))).unzip();
        Lines { lower, upper }
    }

    fn drawn<'a>(&'a self, lines: &'a Lines) -> NamedCurve<'a> {
        let mut drawn = NamedCurve::plain(&self.name, &self.points).hull(&self.hull);
        drawn.auc = self.auc;
        drawn.smooth = self.smooth.as_ref().map(|(points, label)| (&points[..], &label[..]));
        drawn.interval = self.interval;
        drawn.mark.clone_from(&self.mark);
        drawn.iso.clone_from(&self.iso);
        if let Some(band) = &self.band {
            let what = if band.simultaneous { "whole curve" } else { "each point" };
            let label = format!("{} band, {what}", words::level(band.level));
            drawn.band = Some(report::Band { lower: &lines.lower, upper: &lines.upper, label });
        }
        drawn
    }
}

/// Where a picture goes and what stands above it.
pub struct Canvas<'a> {
    pub path: &'a Path,
    pub look: &'a Look,
    pub title: String,
    pub subtitle: String,
    /// The confidence of intervals.
    pub level: f64,
}

/// The most classes of a drawn confusion matrix.
const MOST_DRAWN: usize = 200;

impl Canvas<'_> {
    fn write(&self, draw: impl FnOnce(&Options) -> String) -> Result<()> {
        self.look.write(self.path, (self.title.clone(), self.subtitle.clone()), draw)
    }

    /// Draws a picture of judged rows.
    pub fn judged(
        &self,
        picture: Picture,
        judged: &Judged,
        figures: &Figures,
        name: &str,
    ) -> Result<()> {
        match (picture, judged.classes(), figures.classes()) {
            (Picture::Confusion, Some(said), Some(figures)) => {
                self.confusion(said.classes.names(), &figures.confusion)
            }
            (Picture::Roc, ..) => self.roc(&curves(judged, name)),
            (Picture::Predicted | Picture::Residuals, ..) => numbers::draw(self, picture, judged),
            _ => self.scored(picture, &Scored::all(judged, name)),
        }
    }

    /// Draws ROC curves.
    pub fn roc(&self, curves: &[Curve]) -> Result<()> {
        some(curves)?;
        let lines: Vec<Lines> = curves.iter().map(Curve::lines).collect();
        let drawn: Vec<NamedCurve<'_>> =
            curves.iter().zip(&lines).map(|(curve, lines)| curve.drawn(lines)).collect();
        self.write(|options| roc_svg(&drawn, options))
    }

    /// Draws precision-recall curves or reliability diagrams.
    pub fn scored(&self, picture: Picture, scored: &[Scored]) -> Result<()> {
        some(scored)?;
        if picture == Picture::Reliability { self.reliability(scored) } else { self.pr(scored) }
    }

    fn pr(&self, scored: &[Scored]) -> Result<()> {
        let rankings = scored.iter().map(Scored::ranking);
        let rankings: Vec<Ranking> = rankings.collect::<evocracy::error::Result<_>>()?;
        let curves: Vec<PrecisionRecall> = rankings.iter().map(PrecisionRecall::from).collect();
        let points: Vec<Vec<(f64, f64)>> = curves
            .iter()
            .map(|curve| curve.points().iter().map(|p| (p.recall, p.precision)).collect())
            .collect();
        let drawn: Vec<PrCurve<'_>> = scored
            .iter()
            .zip(&curves)
            .zip(&points)
            .map(|((scored, curve), points)| PrCurve {
                name: &scored.name,
                points,
                average: Some(curve.average_precision()),
                ..PrCurve::default()
            })
            .collect();
        // One level of chance is drawn where all curves share it.
        let prior = rankings[0].prior();
        let shared = rankings.iter().all(|ranking| ranking.prior() == prior);
        let data = report::PrecisionRecall { curves: &drawn, prevalence: shared.then_some(prior) };
        self.write(|options| pr_svg(&data, options))
    }

    fn reliability(&self, scored: &[Scored]) -> Result<()> {
        let mut tables = Vec::new();
        for of in scored {
            let Scores { truth, scores, weights, .. } = &of.of;
            let weights = weights.as_deref();
            let table = Reliability::new(truth, scores, Bins::Width(BINS), self.level, weights)?;
            let slope = Calibration::new(truth, scores, weights)?
                .line
                .map_or(String::new(), |line| format!(", slope {:.2}", line.slope));
            let bins: Vec<report::Bin> = table.bins().iter().map(bin).collect();
            tables.push((bins, format!("ECE {:.3}{slope}", table.ece())));
        }
        let drawn: Vec<report::Reliability<'_>> = scored
            .iter()
            .zip(&tables)
            .map(|(of, (bins, note))| report::Reliability { name: &of.name, bins, note })
            .collect();
        self.write(|options| reliability_svg(&drawn, options))
    }

    /// Draws a confusion matrix.
    pub fn confusion(&self, names: &[String], confusion: &Confusion) -> Result<()> {
        readable(names.len())?;
        let classes: Vec<&str> = names.iter().map(String::as_str).collect();
        let counts: Vec<f64> = (0..names.len()).flat_map(|class| confusion.row(class)).collect();
        let data = report::Confusion { classes: &classes, counts: &counts };
        self.write(|options| confusion_svg(&data, options))
    }
}

fn bin(bin: &evocracy::measure::Bin) -> report::Bin {
    report::Bin {
        from: bin.low,
        to: bin.high,
        rows: bin.weight,
        mean: bin.mean,
        rate: bin.rate,
        interval: Some(bin.interval),
    }
}

/// Refuses a picture that cannot be drawn of these classes, before any work is done; there are none
/// where numbers are predicted.
pub fn check(drawing: &Drawing, classes: Option<&Classes>) -> Result<()> {
    if drawing.plot.is_none() {
        return Ok(());
    }
    let picture = drawing.picture(classes.is_some());
    match (picture, classes) {
        (Picture::Confusion, Some(classes)) => readable(classes.len()),
        (Picture::Predicted | Picture::Residuals, Some(_)) => Err(of_numbers()),
        (Picture::Predicted | Picture::Residuals, None) | (_, Some(_)) => Ok(()),
        (_, None) => {
            let what = format!("there is nothing to draw: a {} is of classes", picture.words());
            let help = "take --picture predicted or residuals, or leave out --plot";
            Err(Error::unsuitable(what, help).into())
        }
    }
}

/// Refuses a picture of numbers where there are scores of classes.
pub fn check_scores(drawing: &Drawing) -> Result<()> {
    match drawing.picture(true) {
        Picture::Predicted | Picture::Residuals => Err(of_numbers()),
        _ => Ok(()),
    }
}

/// What is drawn of numbers, and these are classes.
fn of_numbers() -> anyhow::Error {
    let what = "there is nothing to draw: such a picture is of predicted numbers, not of classes";
    Error::unsuitable(what, "take --picture roc, pr, reliability or confusion").into()
}

/// Refuses curves of numbers, which have none.
pub fn check_curves(classes: Option<&Classes>) -> Result<()> {
    if classes.is_some() { Ok(()) } else { some::<()>(&[]) }
}

fn readable(classes: usize) -> Result<()> {
    if classes <= MOST_DRAWN {
        return Ok(());
    }
    let what =
        format!("a picture of {classes} classes cannot be read: at most {MOST_DRAWN} are drawn");
    Err(Error::unsuitable(what, "leave out --picture; --json has all cells").into())
}

/// Rows of one class have no curve.
fn some<T>(curves: &[T]) -> Result<()> {
    if !curves.is_empty() {
        return Ok(());
    }
    let what = "there is nothing to draw: it takes rows of at least two classes";
    Err(Error::unsuitable(what, "leave out --plot").into())
}
