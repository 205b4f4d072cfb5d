//! The choice of the kernel's width, where it is not given.
//!
//! Widths are tried in steps of sqrt 2 around the median distance between training rows, from four
//! times it down to a quarter, and on as long as the narrowest is the best, down to a 64th. They
//! are tried on a stratified sample of the training rows. Cross-validation takes the width with the
//! highest out-of-fold log-likelihood, the evidence the one with the highest log evidence; the
//! wider one among equals. To compare widths a coarse search is enough.
//!
//! Narrow kernels need many vectors and thus time: several widths in a row that are worse than the
//! best end the search, and so does a width at which more than half of the rows are vectors, as
//! narrower kernels need still more. But there are problems, such as a chessboard, that only narrow
//! kernels can fit; so the search does not end before some width is clearly better than a model
//! without kernels.

use super::bases::Kernel;
use super::design::Design;
use super::fast::Settings;
use super::options::BasisOptions;
use super::scales::Fit;
use super::training::TrainingRows;
use super::tuning::{NumericLimits, Tuning, WidthTuning};
use crate::data::{DenseRows, Split, folds, rarest};
use crate::error::Result;
use crate::param::{Allowed, Bounds, Value};
use crate::run::{Run, Stop};

/// A width that is given, or to be chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    /// To be chosen.
    Auto,
    /// Given.
    Fixed(f64),
}

impl Value for Width {
    fn parse(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { text.parse().ok().map(Self::Fixed) }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Fixed(width) => width.show(),
        }
    }
}

/// The widths that are allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WidthBounds;

impl Bounds<Width> for WidthBounds {
    fn hold(&self, value: &Width) -> bool {
        match value {
            Width::Auto => true,
            Width::Fixed(width) => NumericLimits::WIDTHS.contains(width),
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed { choices: vec!["auto"], ..NumericLimits::WIDTHS.allowed() }
    }

    fn takes(&self) -> String {
        "`auto`, or a number above 0".to_owned()
    }
}

crate::choices! {
    /// How a width is found.
    pub enum Choose {
        /// rows that are left out are most probable (5 folds)
        Cross = "cross-validation",
        /// the training rows are most probable
        Evidence = "evidence",
    }
}

/// A training set whose width and scales can be chosen.
pub(super) trait Tunable: Sync + Sized {
    /// The inputs.
    fn training(&self) -> &TrainingRows;
    /// The options of the bases.
    fn basis_options(&self) -> &BasisOptions;
    /// The classes of the rows, if they have any.
    fn labels(&self) -> Option<&[u32]>;
    /// The same targets with each input times its scale.
    fn scaled(&self, scales: &[f64]) -> Self;
    /// The same targets with some of the inputs.
    fn with_inputs(&self, inputs: &[usize]) -> Self;
    /// Some of the rows.
    fn subset(&self, rows: &[u32]) -> Self;
    /// The results of a coarse search for each target, started from some bases of each where there
    /// are any.
    fn coarse_fits(&self, design: &Design, starts: &[Start], stop: &Stop) -> Result<Vec<Fit>>;
    /// The log-likelihood of other rows under a model that a coarse search learnt from these.
    fn held_out_score(&self, test: &Self, width: f64, stop: &Stop) -> Result<Score>;

    /// The log evidence that a coarse search reaches.
    fn evidence_score(&self, width: f64, stop: &Stop) -> Result<Score> {
        let (_, design) =
            self.basis_options().design(width, self.training(), self.labels(), stop)?;
        let fits = self.coarse_fits(&design, &[], stop)?;
        Ok(Score::of(&fits, self.training().points().rows))
    }
}

/// How well a width or scales fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Score {
    /// The log evidence, or the out-of-fold log-likelihood.
    pub(super) log: f64,
    /// Whether more than half of the rows are vectors, and there are many.
    pub(super) saturated: bool,
}

impl Score {
    /// By the log evidence.
    pub(super) fn of(fits: &[Fit], rows: usize) -> Self {
        let vectors = fits.iter().map(|fit| fit.solution.bases.len()).max().unwrap_or(0);
        Self::new(fits.iter().map(|fit| fit.solution.evidence).sum(), vectors, rows)
    }

    pub(super) fn new(log: f64, vectors: usize, rows: usize) -> Self {
        Self { log, saturated: vectors > WidthTuning::FEW_VECTORS && 2 * vectors > rows }
    }
}

/// Bases to start with, and their precisions.
pub(super) type Start = Vec<(usize, f64)>;

/// The width for some rows: the given one, or the one with the best score.
pub(super) fn choose_width<T: Tunable>(all: &T, run: &Run<'_>) -> Result<f64> {
    let options = all.basis_options();
    if let Width::Fixed(width) = options.width {
        return Ok(width);
    }
    let trial = Trial::new(all, run)?;
    if !options.kernel.has_width() || trial.splits.is_empty() {
        return Ok(trial.median(None));
    }
    if options.choose == Choose::Evidence {
        let parts = (trial.rows.len(), 1);
        let score = |width, _| trial.some.evidence_score(width, run.stop);
        return Ok(best_width(trial.median(None), parts, run, score)?.0);
    }
    Ok(trial.cross_validate(None, run)?.0)
}

/// The rows on which widths are tried, and their folds.
pub(super) struct Trial<T> {
    /// The rows whose distances are looked at.
    near: T,
    /// The rows that widths are tried on, and where they stand.
    some: T,
    pub(super) rows: Vec<u32>,
    /// None where a class or the sample is too small.
    pub(super) splits: Vec<Split>,
}

impl<T: Tunable> Trial<T> {
    pub(super) fn new(all: &T, run: &Run<'_>) -> Result<Self> {
        let sample = |most, purpose| all.training().sample(all.labels(), most, purpose);
        let near = all.subset(&sample(WidthTuning::MEDIAN_ROWS, "median"));
        let rows = sample(Tuning::TRIAL_ROWS, "width");
        let some = all.subset(&rows);
        let parts = match some.labels() {
            Some(labels) => WidthTuning::FOLDS.min(rarest(labels)),
            None if rows.len() < 2 * WidthTuning::FOLDS => 0,
            None => WidthTuning::FOLDS,
        };
        let seed = run.seed.child("width", 0);
        let splits =
            if parts < 2 { Vec::new() } else { folds(rows.len(), some.labels(), parts, seed)? };
        Ok(Self { near, some, rows, splits })
    }

    /// The median distance between rows, by some of the inputs or all.
    fn median(&self, inputs: Option<&[usize]>) -> f64 {
        let kernel = self.near.basis_options().kernel;
        match inputs {
            Some(inputs) => {
                median_distance(kernel, self.near.with_inputs(inputs).training().points())
            }
            None => median_distance(kernel, self.near.training().points()),
        }
    }

    /// The width under which rows that are left out are most probable, and the logarithm of their
    /// probability. `inputs` are those that count, on all rows and without the rows of each fold.
    pub(super) fn cross_validate(
        &self,
        inputs: Option<(&[usize], &[Vec<usize>])>,
        run: &Run<'_>,
    ) -> Result<(f64, f64)> {
        let median = self.median(inputs.map(|(all, _)| all));
        best_width(median, (self.rows.len(), self.splits.len()), run, |width, fold| {
            let Split { train, test } = &self.splits[fold];
            let (train, test) = (self.some.subset(train), self.some.subset(test));
            let Some((_, each)) = inputs else {
                return train.held_out_score(&test, width, run.stop);
            };
            let (train, test) = (train.with_inputs(&each[fold]), test.with_inputs(&each[fold]));
            train.held_out_score(&test, width, run.stop)
        })
    }
}

/// The median distance between rows that differ; for polynomials the median norm of a row.
/// 1 where the kernel has no width.
pub(super) fn median_distance(kernel: Kernel, points: &DenseRows<'_>) -> f64 {
    if !kernel.has_width() {
        return 1.0;
    }
    let rows: Vec<Vec<f64>> = (0..points.rows).map(|row| points.row(row)).collect();
    let origin = vec![0.0; points.inputs()];
    let mut lengths = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if kernel == Kernel::Polynomial {
            lengths.push(distance(kernel, row, &origin));
        } else {
            lengths.extend(rows[..at].iter().map(|other| distance(kernel, row, other)));
        }
    }
    lengths.retain(|length| NumericLimits::DISTANCES.contains(length));
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0)
}

fn distance(kernel: Kernel, a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| a - b);
    match kernel {
        Kernel::Laplacian => apart.map(f64::abs).sum(),
        _ => apart.map(|d| d * d).sum::<f64>().sqrt(),
    }
}

/// The settings of a coarse search, for models that are only compared with each other.
pub(super) fn coarse() -> Settings<'static> {
    Settings {
        gain: Tuning::COARSE_GAIN,
        change: Tuning::COARSE_CHANGE,
        sweeps: Tuning::COARSE_SWEEPS,
        explore: false,
        ..Settings::default()
    }
}

/// The width with the highest score, and that score: the sum of `parts` (folds, or one fit) that `score` computes
/// for so many `rows`. Widths that fail do not count; the first error where all do.
fn best_width(
    median: f64,
    (rows, parts): (usize, usize),
    run: &Run<'_>,
    score: impl Fn(f64, usize) -> Result<Score> + Sync,
) -> Result<(f64, f64)> {
    let total = |width| -> Result<Score> {
        let scores: Result<Vec<Score>> =
            run.pool.map(parts, |part| score(width, part)).into_iter().collect();
        let (log, saturated) = scores?.iter().fold((0.0, false), |(log, saturated), score| {
            (log + score.log, saturated || score.saturated)
        });
        Ok(Score { log, saturated })
    };
    let task = run.task("widths", 2 * WidthTuning::STEPS as u64 + 1);
    // Kernels of infinite width are constant.
    let baseline = total(NumericLimits::KERNEL).map_or(f64::INFINITY, |score| score.log);
    let clear = baseline + WidthTuning::CLEAR_GAIN * rows as f64;
    let (mut top, mut failed): (Option<(f64, f64)>, _) = (None, None);
    let (mut worse, mut saturated) = (0, false);
    for step in (-WidthTuning::STEPS - WidthTuning::FURTHER_STEPS..=WidthTuning::STEPS).rev() {
        let found = top.is_some_and(|(best, _)| best > clear);
        let enough = worse >= WidthTuning::PATIENCE || saturated;
        let ended = (enough && found) || (step < -WidthTuning::STEPS && worse > 0);
        if ended || run.stop.requested() {
            break;
        }
        let width = median * 2_f64.powf(f64::from(step) / 2.0);
        match total(width) {
            Ok(score) => {
                let better = top.is_none_or(|(best, _)| score.log > best + WidthTuning::EQUAL);
                worse = if better { 0 } else { worse + 1 };
                top = if better { Some((score.log, width)) } else { top };
                saturated |= score.saturated;
            }
            Err(error) => failed = failed.or(Some(error)),
        }
        task.watch.advance(1);
    }
    match (top, failed) {
        (Some((best, width)), _) => Ok((width, best)),
        (None, Some(error)) => Err(error),
        (None, None) => Ok((median, f64::NEG_INFINITY)),
    }
}
