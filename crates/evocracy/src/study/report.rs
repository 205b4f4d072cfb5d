//! The comparison as one serialisable value; `docs/compare.schema.json` is its schema.

use super::entrant::Entrant;
use super::figures::{MetricReport, figures, ranks};
use super::folded::Folded;
use super::metric::Metric;
use super::over_sets::OverSets;
use super::trials::{End, Spent, Trials, Tried, judged};
use super::within::{PairReport, pairs};
use crate::error::{Error, Result};
use crate::judge::{Data, Judged, Noticed, Remark, remark};
use crate::measure::LEVEL;
use crate::run::{Run, StopReason};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The version of the shape of a comparison.
pub const VERSION: u32 = 1;

/// Seconds so far, by whatever clock the caller reads; asked for on the thread that works.
pub type Clock<'a> = &'a (dyn Fn() -> f64 + Sync);

/// What is asked of a comparison.
#[derive(Clone, Copy, Default)]
pub struct Asked<'a> {
    /// What methods are ranked by, and tuned for; the area under the ROC curve, or of numbers the
    /// root mean squared error, where nothing is said.
    pub by: Option<Metric>,
    /// Tune each method's parameters on the training rows of each fold, trying so many candidates.
    pub tune: Option<usize>,
    /// Measures fits and predictions.
    pub clock: Option<Clock<'a>>,
}

impl fmt::Debug for Asked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asked").field("by", &self.by).field("tune", &self.tune).finish()
    }
}

/// A comparison with what is not part of its report.
#[derive(Debug)]
pub struct Compared {
    /// The comparison.
    pub report: CompareReport,
    /// What each method said of the rows of each set, in the order of the report.
    pub judged: Vec<Vec<Option<Judged>>>,
    /// The seconds it took, where there is a clock.
    pub spent: Vec<Spent>,
}

/// Methods side by side.
#[derive(Debug, Clone, Serialize)]
pub struct CompareReport {
    /// The version of this shape.
    pub compare: u32,
    /// The seed.
    pub seed: u64,
    /// Folds of each cross-validation.
    pub folds: usize,
    /// How often it is repeated.
    pub repeats: usize,
    /// The column whose equal cells stay in one fold.
    pub groups: Option<String>,
    /// What methods are ranked by.
    pub by: Metric,
    /// How many candidates are tried for each training, where parameters are tuned.
    pub tuned: Option<usize>,
    /// The confidence of all intervals.
    pub level: f64,
    /// The methods; those that were made elsewhere come last.
    pub methods: Vec<String>,
    /// Each data set.
    pub sets: Vec<SetReport>,
    /// Over all sets, by each metric that can be compared.
    pub over_sets: BTreeMap<Metric, OverSets>,
    /// How the work ended.
    pub stop: StopReason,
}

/// The methods on one data set.
#[derive(Debug, Clone, Serialize)]
pub struct SetReport {
    /// The name of the data set.
    pub dataset: String,
    /// The data.
    pub data: Data,
    /// The classes, unless the target is a number.
    pub classes: Option<Vec<String>>,
    /// The positive one.
    pub positive: Option<String>,
    /// The repeats that count, counted from 0: those that every judged method finished.
    pub repeats: Vec<u32>,
    /// Each method.
    pub methods: Vec<MethodReport>,
    /// Each pair of the methods that were judged.
    pub pairs: Vec<PairReport>,
    /// What to worry about.
    pub remarks: Vec<Remark>,
}

/// A method on a data set.
#[derive(Debug, Clone, Serialize)]
pub struct MethodReport {
    /// The method.
    pub name: String,
    /// Its settings, where they are not the defaults.
    pub settings: BTreeMap<String, String>,
    /// Whether its predictions were made elsewhere.
    pub outside: bool,
    /// Whether it was judged.
    pub outcome: Outcome,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// What it is worth.
    pub figures: BTreeMap<Metric, MetricReport>,
    /// How large its models are in their own terms, in the mean over the folds.
    pub size: BTreeMap<String, f64>,
    /// How many bytes the model file of the first fold has.
    pub bytes: Option<u64>,
    /// What was found for each fold, where parameters are tuned: settings other than the defaults.
    pub tuned: Vec<BTreeMap<String, String>>,
}

/// How a method fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was judged.
    Judged,
    /// It failed.
    Failed,
    /// The work was interrupted before.
    Unfinished,
}

/// Why a method failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The first fold it failed in, and its repeat, counted from 0.
    pub fold: u32,
    /// The repeat.
    pub repeat: u32,
    /// One word for the kind of error.
    pub kind: &'static str,
    /// The error.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Compares methods on data sets, on the same folds each. A method that fails is reported with its
/// error; stopping keeps the methods that are finished.
pub fn compare(
    datasets: &[Folded],
    entrants: &[Entrant],
    asked: &Asked<'_>,
    run: &Run<'_>,
) -> Result<Compared> {
    let by = check(datasets, entrants, asked)?;
    let trials = Trials::new(datasets, entrants, asked, by)?;
    let ends = trials.run(run)?;
    let names = names(datasets, entrants);
    let (mut sets, mut all, mut spent) = (Vec::new(), Vec::new(), Vec::new());
    for (folded, ends) in datasets.iter().zip(&ends) {
        spent.extend(seconds(folded, entrants, ends));
        let (set, judged) = set_report(folded, entrants, ends, run)?;
        sets.push(set);
        all.push(judged);
    }
    let mut over_sets = BTreeMap::new();
    for metric in Metric::ALL {
        if let Some(over) = OverSets::new(metric, &sets, &names)? {
            over_sets.insert(metric, over);
        }
    }
    let stopped = ends.iter().flatten().flatten().any(|end| matches!(end, End::Stopped));
    if stopped && !all.iter().flatten().any(Option::is_some) {
        return Err(Error::Stopped);
    }
    let (folds, repeats) = datasets.first().map_or((0, 0), |of| (of.folds, of.repeats));
    let report = CompareReport {
        compare: VERSION,
        seed: run.seed.value(),
        folds,
        repeats,
        groups: datasets.first().and_then(|folded| folded.groups.clone()),
        by,
        tuned: asked.tune,
        level: LEVEL,
        methods: names,
        sets,
        over_sets,
        stop: if stopped { StopReason::Interrupted } else { StopReason::Finished },
    };
    Ok(Compared { report, judged: all, spent })
}

/// What is compared by, where the question makes sense.
fn check(datasets: &[Folded], entrants: &[Entrant], asked: &Asked<'_>) -> Result<Metric> {
    let Some(first) = datasets.first() else {
        return Err(Error::unsuitable("there is no data set to compare on", "name one"));
    };
    let kind = |folded: &Folded| folded.data.classes().is_some();
    if let Some(other) = datasets.iter().find(|other| kind(other) != kind(first)) {
        let (classes, numbers) = if kind(first) { (first, other) } else { (other, first) };
        let what = format!(
            "the target of {} is a class and that of {} a number",
            classes.data.name, numbers.data.name
        );
        return Err(Error::unsuitable(what, "compare on data sets of one kind"));
    }
    let usual = if kind(first) { Metric::Auc } else { Metric::Rmse };
    let by = asked.by.unwrap_or(usual);
    if let Some(without) = datasets.iter().find(|of| !Metric::of_set(&of.data).contains(&by)) {
        let known: Vec<&str> = Metric::of_set(&without.data).iter().map(|of| of.name()).collect();
        let what = format!("`{}` is no measure of {}", by.name(), without.data.name);
        return Err(Error::unsuitable(what, format!("take one of {}", known.join(", "))));
    }
    for folded in datasets {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let outside = folded.outside.iter().map(|(name, _)| name.as_str());
        let twice =
            entrants.iter().map(Entrant::name).chain(outside).find(|name| !seen.insert(*name));
        if let Some(name) = twice {
            let what = format!("`{name}` is compared twice");
            return Err(Error::unsuitable(what, "name each method once"));
        }
        if seen.is_empty() {
            return Err(Error::unsuitable("there is nothing to compare", "name some methods"));
        }
    }
    Ok(by)
}

/// The methods, then what was made elsewhere on any set.
fn names(datasets: &[Folded], entrants: &[Entrant]) -> Vec<String> {
    let mut names: Vec<String> = entrants.iter().map(|entrant| entrant.name().to_owned()).collect();
    for (name, _) in datasets.iter().flat_map(|folded| &folded.outside) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The mean seconds of every method that was tried on a set.
fn seconds(folded: &Folded, entrants: &[Entrant], ends: &[Vec<End>]) -> Vec<Spent> {
    let of = |(entrant, ends): (&Entrant, &Vec<End>)| {
        let known = ends.iter().filter_map(|end| match end {
            End::Done(tried) => tried.seconds,
            _ => None,
        });
        let known: Vec<[f64; 2]> = known.collect();
        let mean = |at: usize| known.iter().map(|both| both[at]).sum::<f64>() / known.len() as f64;
        (!known.is_empty()).then(|| Spent {
            dataset: folded.data.name.clone(),
            method: entrant.name().to_owned(),
            fits: known.len(),
            fit_s: mean(0),
            predict_s: mean(1),
        })
    };
    entrants.iter().zip(ends).filter_map(of).collect()
}

/// The repeats that a method finished; none where it failed.
fn finished(folded: &Folded, ends: &[End]) -> Vec<u32> {
    if ends.iter().any(|end| matches!(end, End::Failed(_))) {
        return Vec::new();
    }
    let whole = |repeat: &u32| {
        let first = *repeat as usize * folded.folds;
        ends[first..first + folded.folds].iter().all(|end| matches!(end, End::Done(_)))
    };
    (0..folded.repeats as u32).filter(whole).collect()
}

/// The repeats that count: the first one that most methods finished, and those that all of these
/// finished beside.
fn counted(folded: &Folded, finished: &[Vec<u32>]) -> Vec<u32> {
    let all = 0..folded.repeats as u32;
    let have = |repeat: u32| finished.iter().filter(|of| of.contains(&repeat)).count();
    let most = all.clone().map(have).max().unwrap_or(0);
    if most == 0 {
        // Nobody was tried, or nobody finished: what was made elsewhere has all repeats.
        return all.collect();
    }
    let Some(first) = all.clone().find(|repeat| have(*repeat) == most) else { return Vec::new() };
    let mut taken = finished.iter().filter(|of| of.contains(&first));
    let shared: Vec<u32> = taken.next().cloned().unwrap_or_default();
    taken.fold(shared, |shared, of| shared.into_iter().filter(|r| of.contains(r)).collect())
}

/// The methods on one set, and what each said.
fn set_report(
    folded: &Folded,
    entrants: &[Entrant],
    ends: &[Vec<End>],
    run: &Run<'_>,
) -> Result<(SetReport, Vec<Option<Judged>>)> {
    let finished: Vec<Vec<u32>> = ends.iter().map(|ends| finished(folded, ends)).collect();
    let repeats = counted(folded, &finished);
    let own = run.pool.map(entrants.len(), |at| {
        let whole = repeats.iter().all(|repeat| finished[at].contains(repeat));
        method_report(folded, &entrants[at], &ends[at], whole.then_some(&repeats))
    });
    let outside = run.pool.map(folded.outside.len(), |at| {
        let (name, said) = &folded.outside[at];
        outside_report(folded, name, said, &repeats)
    });
    let (mut methods, mut all) = (Vec::new(), Vec::new());
    for found in own.into_iter().chain(outside) {
        let (method, judged) = found?;
        methods.push(method);
        all.push(judged);
    }
    rank(&mut methods);
    let classes = folded.data.classes();
    let mut remarks = remark::many_texts(&folded.data);
    let groups = folded.group_of()?;
    remarks.extend(remark::twin_rows(&folded.data, groups.as_deref()));
    if let (Some(column), Some(groups)) = (folded.groups.clone(), groups) {
        let groups = groups.into_iter().collect::<BTreeSet<u32>>().len();
        remarks.push(Noticed::DependentRows { column, groups }.into());
    }
    let set = SetReport {
        dataset: folded.data.name.clone(),
        data: Data::new(&folded.data),
        classes: classes.map(|classes| classes.names().to_vec()),
        positive: classes.map(|classes| classes.names()[classes.positive()].clone()),
        pairs: pairs(&methods, folded.folds)?,
        repeats,
        methods,
        remarks,
    };
    Ok((set, all))
}

/// Ranks the methods of a set by every metric.
fn rank(methods: &mut [MethodReport]) {
    for metric in Metric::ALL {
        let value = |method: &MethodReport| method.figures.get(&metric).map(|of| of.value);
        let values: Vec<Option<f64>> = methods.iter().map(value).collect();
        for (method, rank) in methods.iter_mut().zip(ranks(&values, metric.better())) {
            if let Some(figure) = method.figures.get_mut(&metric) {
                figure.rank = rank;
            }
        }
    }
}

/// What a method is worth on the repeats that count, where it finished them.
fn method_report(
    folded: &Folded,
    entrant: &Entrant,
    ends: &[End],
    repeats: Option<&Vec<u32>>,
) -> Result<(MethodReport, Option<Judged>)> {
    let mut report = MethodReport {
        name: entrant.name().to_owned(),
        settings: entrant.settings().iter().cloned().collect(),
        outside: false,
        outcome: Outcome::Unfinished,
        failure: failure(folded, ends),
        figures: BTreeMap::new(),
        size: BTreeMap::new(),
        bytes: None,
        tuned: Vec::new(),
    };
    if report.failure.is_some() {
        report.outcome = Outcome::Failed;
        return Ok((report, None));
    }
    let Some(repeats) = repeats else { return Ok((report, None)) };
    let tried = ends.iter().map(|end| match end {
        End::Done(tried) => Some(tried.as_ref()),
        _ => None,
    });
    let tried: Vec<Option<&Tried>> = tried.collect();
    let (judged, ends) = judged(folded, &tried, repeats)?;
    report.outcome = Outcome::Judged;
    report.figures = figures(&judged, &ends, folded.folds)?;
    let place = |at: usize| folded.splits.place(at).1;
    let count = tried.iter().enumerate().filter(|(at, _)| repeats.contains(&place(*at)));
    let count: Vec<&Tried> = count.filter_map(|(_, tried)| *tried).collect();
    for (what, n) in count.iter().flat_map(|tried| &tried.size) {
        *report.size.entry(what.clone()).or_default() += *n as f64 / count.len() as f64;
    }
    report.bytes = tried.first().copied().flatten().and_then(|tried| tried.bytes);
    let tuned = count.iter().map(|tried| tried.tuned.iter().cloned().collect());
    report.tuned = tuned.collect();
    if report.tuned.iter().all(BTreeMap::is_empty) {
        report.tuned.clear();
    }
    Ok((report, Some(judged)))
}

/// The first failure.
fn failure(folded: &Folded, ends: &[End]) -> Option<Failure> {
    let failed = ends.iter().enumerate().find_map(|(at, end)| match end {
        End::Failed(error) => Some((at, error)),
        _ => None,
    });
    failed.map(|(at, error)| {
        let (fold, repeat) = folded.splits.place(at);
        let (kind, message, help) = (error.kind(), error.to_string(), error.help());
        Failure { fold, repeat, kind, message, help }
    })
}

/// What was made elsewhere, on the repeats that count.
fn outside_report(
    folded: &Folded,
    name: &str,
    said: &[Tried],
    repeats: &[u32],
) -> Result<(MethodReport, Option<Judged>)> {
    let (judged, ends) = judged(folded, &said.iter().map(Some).collect::<Vec<_>>(), repeats)?;
    let report = MethodReport {
        name: name.to_owned(),
        settings: BTreeMap::new(),
        outside: true,
        outcome: Outcome::Judged,
        failure: None,
        figures: figures(&judged, &ends, folded.folds)?,
        size: BTreeMap::new(),
        bytes: None,
        tuned: Vec::new(),
    };
    Ok((report, Some(judged)))
}
