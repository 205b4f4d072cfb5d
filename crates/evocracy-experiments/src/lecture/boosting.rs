//! Boosting stumps: training error, its bound and test error over the rounds; weights that reach
//! the members as weights or as samples.

use super::folds::{Figure, Figures, Fold, measure};
use super::{Size, open};
use crate::{Compare, Row};
use evocracy::committee::{AdaBoostModel, Round};
use evocracy::error::{Error, Result};
use evocracy::model::{Core, Model};
use evocracy::run::Run;

const FRACTION: &str = "fraction of the rows";

pub(super) fn rows(run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let curves: &[&str] = if size.quick { &["wdbc"] } else { &["wdbc", "kr-vs-kp"] };
    for name in curves {
        rows.extend(curve(name, run, size)?);
    }
    let sets: &[&str] =
        if size.quick { &["pima"] } else { &["wdbc", "pima", "ripley-synth", "kr-vs-kp", "car"] };
    for name in sets {
        rows.extend(ways(name, run, size)?);
    }
    Ok(rows)
}

/// The places of the figures of a fold that belong to no shown round.
const REACHED: usize = 0;
const ZERO: usize = 1;
const AT_ZERO: usize = 2;
const ABOVE: usize = 3;
const ROUNDS: usize = 4;

/// The round after which the test error is said not to rise.
const LATE: usize = 100;

fn curve(name: &str, run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let shown: &[usize] =
        if size.quick { &[1, 10, LATE, 300] } else { &[1, 3, 10, 30, LATE, 300, 1000] };
    let data = open(name)?;
    let figures = measure(&data, size, run, |fold| of_fold(fold, shown))?;
    let mut rows = Vec::new();
    for (at, round) in shown.iter().enumerate() {
        for (what, place) in [("train-error", 0), ("bound", 1), ("test-error", 2)] {
            let name = format!("boosting/{name}/{round}/{what}");
            rows.push(figures.row(name, FRACTION, Figure::At(ROUNDS + 3 * at + place)));
        }
    }
    rows.extend(verdicts(name, &figures, shown)?);
    Ok(rows)
}

/// What the lecture says of the curves: the training error reaches 0 under its bound; the test
/// error does not rise in a thousand rounds, and falls even after the training error is 0.
fn verdicts(name: &str, figures: &Figures, shown: &[usize]) -> Result<Vec<Row>> {
    let test_error = |round| ROUNDS + 3 * (shown.partition_point(|&r| r < round)) + 2;
    let last = test_error(shown[shown.len() - 1]);
    let name = |what: &str| format!("boosting/{name}/{what}");
    let at = |what, place| figures.row(name(what), FRACTION, Figure::At(place));
    let reached = figures.row(name("reaches-zero"), "fraction of the folds", Figure::At(REACHED));
    let everywhere = reached.measured == 1.0;
    let rises = Figure::Difference(last, test_error(LATE));
    let mut rows = vec![
        reached.target(Compare::AtLeast(1.0)),
        at("above-bound", ABOVE).target(Compare::AtMost(0.0)),
        figures.row(name("test-error-rises"), FRACTION, rises),
        figures.t(name("test-error-rises/t"), rises)?.target(Compare::AtMost(2.0)),
    ];
    if everywhere {
        let falls = Figure::Difference(AT_ZERO, last);
        rows.extend([
            figures.row(name("rounds-to-zero"), "rounds", Figure::At(ZERO)),
            at("test-error-at-zero", AT_ZERO),
            figures.row(name("falls-after-zero"), FRACTION, falls).target(Compare::AtLeast(0.0)),
            figures.t(name("falls-after-zero/t"), falls)?.target(Compare::AtLeast(2.0)),
        ]);
    }
    Ok(rows)
}

/// Whether the training error reaches 0, when (else the last round), the test error then, how
/// far the training error ever is above its bound, and for each shown round training error,
/// bound and test error.
fn of_fold(fold: &Fold<'_>, shown: &[usize]) -> Result<Vec<f64>> {
    let last = shown[shown.len() - 1];
    let model = boosted(fold, last, "reweighting")?;
    let rounds = history(&model)?;
    let test_error = |wanted: usize| match wanted {
        all if all == last => fold.error(&model),
        fewer => fold.error(&boosted(fold, fewer, "reweighting")?),
    };
    let zero = rounds.iter().position(|round| round.training_error == 0.0);
    let (reached, zero) = (f64::from(zero.is_some()), zero.map_or(last, |at| at + 1));
    let bound = |round: &Round| round.bound.unwrap_or(f64::NAN);
    let above = rounds.iter().map(|round| round.training_error - bound(round));
    let above = above.fold(0.0, f64::max);
    let mut figures = vec![reached, zero as f64, test_error(zero)?, above];
    for &wanted in shown {
        // A perfect member ends the rounds: from then on nothing changes.
        let round = rounds[wanted.min(rounds.len()) - 1];
        figures.extend([round.training_error, bound(&round), test_error(wanted)?]);
    }
    Ok(figures)
}

/// Stumps boosted for some rounds: the first rounds of a longer run are the same.
fn boosted(fold: &Fold<'_>, rounds: usize, by: &str) -> Result<Model> {
    fold.train("adaboost", &[("rounds", &rounds.to_string()), ("by", by)])
}

fn history(model: &Model) -> Result<&[Round]> {
    match model.core() {
        Core::AdaBoost(model) => Ok(AdaBoostModel::rounds(model)),
        _ => Err(Error::unsuitable("this is no AdaBoost model", "")),
    }
}

/// "Reweighting is better as resampling is just an approximation."
fn ways(name: &str, run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let ways = ["reweighting", "resampling"];
    let data = open(name)?;
    let figures = measure(&data, size, run, |fold| {
        ways.iter().map(|by| fold.error(&boosted(fold, size.members, by)?)).collect()
    })?;
    let name = |what: &str| format!("weights/{name}/{what}");
    let worse = Figure::Difference(1, 0);
    Ok(vec![
        figures.row(name("reweighting/error"), FRACTION, Figure::At(0)),
        figures.row(name("resampling/error"), FRACTION, Figure::At(1)),
        figures.row(name("resampling-worse-by"), FRACTION, worse).target(Compare::AtLeast(0.0)),
        figures.t(name("resampling-worse-by/t"), worse)?.target(Compare::AtLeast(2.0)),
    ])
}
