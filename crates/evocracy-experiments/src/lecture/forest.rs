//! A random forest over `i`, the candidate columns of a node: trees agree more (bad) and each is
//! better (good).
//!
//! L. Breiman, "Random forests", Machine Learning 45 (2001) 5-32. The margin of a row is the
//! share of the trees that vote for its class less that for the best other class `j`; the
//! strength `s` is its mean (equation 2 and 3). The raw margin of one tree is 1 where it votes
//! for the truth, -1 where it votes for `j`, else 0; the mean correlation is the variance of the
//! margin over the square of the mean standard deviation of the raw margins (equation 7). The
//! error is at most `correlation (1 - s^2) / s^2` (theorem 2.3). Here they are taken on test
//! rows.

use super::folds::{Figure, Fold, measure};
use super::{Size, open};
use crate::{Compare, Row};
use evocracy::error::Result;
use evocracy::measure::Confusion;
use evocracy::run::Run;

/// What is measured for each `i`, and the places of some of it.
const WHAT: [(&str, &str); 5] = [
    ("strength", "mean margin"),
    ("correlation", "correlation of raw margins"),
    ("tree-error", "fraction of the rows"),
    ("error", "fraction of the rows"),
    ("bound", "fraction of the rows"),
];
const CORRELATION: usize = 1;
const TREE_ERROR: usize = 2;

pub(super) fn rows(run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let sets: &[(&str, &[usize])] = if size.quick {
        &[("wdbc", &[1, 30])]
    } else {
        &[("wdbc", &[1, 2, 5, 10, 30]), ("segment:test", &[1, 2, 4, 8, 19])]
    };
    let mut rows = Vec::new();
    for (name, tried) in sets {
        rows.extend(trade(name, tried, run, size)?);
    }
    Ok(rows)
}

/// "Increasing i increases correlation among individual trees (BAD), also increases accuracy of
/// individual trees (GOOD)."
fn trade(name: &str, tried: &[usize], run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    // A third of the rows for testing, as out of a bootstrap sample: a tenth would be too few to
    // take a variance on.
    let size = Size { folds: 3, ..size };
    let figures = measure(&open(name)?, size, run, |fold| {
        let each = tried.iter().map(|&i| of_fold(fold, i, size.members));
        Ok(each.collect::<Result<Vec<_>>>()?.concat())
    })?;
    let mut rows = Vec::new();
    for (at, i) in tried.iter().enumerate() {
        for (place, (what, unit)) in WHAT.iter().enumerate() {
            let place = Figure::At(at * WHAT.len() + place);
            rows.push(figures.row(format!("forest/{name}/i={i}/{what}"), unit, place));
        }
    }
    let last = (tried.len() - 1) * WHAT.len();
    let curve = |what: usize| rows[what..].iter().step_by(WHAT.len()).map(|row| row.measured);
    let rises: Vec<f64> = curve(CORRELATION).collect();
    let falls: Vec<f64> = curve(TREE_ERROR).map(|error| -error).collect();
    let rise = Figure::Difference(last + CORRELATION, CORRELATION);
    let fall = Figure::Difference(TREE_ERROR, last + TREE_ERROR);
    for (claim, by, means) in
        [("correlation-rises", rise, rises), ("tree-error-falls", fall, falls)]
    {
        let name = |more: &str| format!("forest/{name}/{claim}{more}");
        let steps = Row::new(name("/steps"), steps_up(&means), "fraction of the steps of i");
        rows.push(figures.row(name(""), "last i less first", by).target(Compare::AtLeast(0.0)));
        rows.push(figures.t(name("/t"), by)?.target(Compare::AtLeast(2.0)));
        rows.push(steps.target(Compare::AtLeast(1.0)));
    }
    Ok(rows)
}

/// The share of the steps from one figure to the next that lead upwards.
fn steps_up(figures: &[f64]) -> f64 {
    let steps = figures.windows(2);
    steps.clone().filter(|step| step[1] > step[0]).count() as f64 / steps.len() as f64
}

/// Strength, correlation, the mean error of the trees, the error of their vote and its bound.
fn of_fold(fold: &Fold<'_>, i: usize, trees: usize) -> Result<Vec<f64>> {
    // The trees of a forest are independent of each other: forests of one tree each show what
    // every tree says.
    let settings = [("trees", "1"), ("features", &i.to_string())];
    let calls = (0..trees).map(|tree| {
        let fold = fold.child("tree", tree as u64);
        fold.calls(&fold.train("forest", &settings)?)
    });
    let calls = calls.collect::<Result<Vec<_>>>()?;
    let truth = fold.truth()?;
    let classes = fold.task.labels()?.0.len();
    let Margins { strength, correlation, vote } = margins(&truth, &calls, classes);
    let error = |calls: &[u32]| Ok(Confusion::new(&truth, calls, classes, None)?.error());
    let errors: Vec<f64> = calls.iter().map(|calls| error(calls)).collect::<Result<_>>()?;
    let mean = errors.iter().sum::<f64>() / trees as f64;
    let bound = correlation * (1.0 - strength.powi(2)) / strength.powi(2);
    Ok(vec![strength, correlation, mean, error(&vote)?, bound])
}

/// What Breiman makes of the votes of trees.
struct Margins {
    strength: f64,
    correlation: f64,
    /// The class with the most votes for each row.
    vote: Vec<u32>,
}

fn margins(truth: &[u32], calls: &[Vec<u32>], classes: usize) -> Margins {
    let mut raw = vec![Vec::new(); calls.len()];
    let (mut margin, mut vote) = (Vec::new(), Vec::new());
    let one = 1.0 / calls.len() as f64;
    for (row, &truth) in truth.iter().enumerate() {
        let mut votes = vec![0.0; classes];
        for calls in calls {
            votes[calls[row] as usize] += one;
        }
        let best = |but: Option<u32>| {
            let others = (0..classes as u32).filter(|&class| Some(class) != but);
            others.reduce(|a, b| if votes[b as usize] > votes[a as usize] { b } else { a })
        };
        let (most, other) = (best(None).unwrap_or(0), best(Some(truth)).unwrap_or(0));
        margin.push(votes[truth as usize] - votes[other as usize]);
        vote.push(most);
        for (raw, calls) in raw.iter_mut().zip(calls) {
            raw.push(f64::from(calls[row] == truth) - f64::from(calls[row] == other));
        }
    }
    let (strength, variance) = mean_and_variance(&margin);
    let deviations: f64 = raw.iter().map(|raw| mean_and_variance(raw).1.sqrt()).sum();
    let correlation = variance / (deviations / calls.len() as f64).powi(2);
    Margins { strength, correlation, vote }
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_by_hand() {
        // Trees that agree are fully correlated.
        let truth = [0, 0, 1, 1];
        let same = vec![0, 0, 1, 0];
        let equal = margins(&truth, &[same.clone(), same.clone()], 2);
        assert_eq!((equal.strength, equal.vote), (0.5, same));
        assert!((equal.correlation - 1.0).abs() < 1e-12);
        // Margins 1, 1, 0, 0: mean 1/2, variance 1/4; raw margins (1, 1, 1, -1) and (1, 1, -1, 1)
        // have variance 3/4 each.
        let apart = margins(&truth, &[vec![0, 0, 1, 0], vec![0, 0, 0, 1]], 2);
        assert_eq!(apart.strength, 0.5);
        assert!((apart.correlation - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(steps_up(&[1.0, 2.0, 2.0, 3.0]), 2.0 / 3.0);
    }
}
