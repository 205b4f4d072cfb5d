//! "Subsampling is best for unstable learners": bagging helps trees and not nearest neighbours.

use super::folds::{Figure, Settings, measure};
use super::{Size, open};
use crate::{Compare, Row};
use evocracy::error::Result;
use evocracy::run::Run;

/// A tree as the members of a bag are: grown to the end.
const FULL: [(&str, &str); 3] = [("prune_folds", "0"), ("leaf", "1"), ("smoothing", "0")];

pub(super) fn rows(run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let sets: &[&str] = if size.quick { &["pima"] } else { &["wdbc", "pima", "segment:test"] };
    let mut rows = Vec::new();
    for name in sets {
        rows.extend(gains(name, run, size)?);
    }
    Ok(rows)
}

fn gains(name: &str, run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let members = size.members.to_string();
    let members = [("members", members.as_str())];
    // What it is called, the method and its settings.
    let trained: [(&str, &str, Settings<'_>); 5] = [
        ("tree", "tree", &FULL),
        ("pruned-tree", "tree", &[]),
        ("bag", "bag", &members),
        ("knn", "knn", &[]),
        ("bag:knn", "bag:knn", &members),
    ];
    let figures = measure(&open(name)?, size, run, |fold| {
        let models = trained.iter().map(|(_, method, settings)| fold.train(method, settings));
        models.map(|model| fold.error(&model?)).collect()
    })?;
    let fraction = "fraction of the rows";
    let mut rows = Vec::new();
    for (at, (what, ..)) in trained.iter().enumerate() {
        let name = format!("bagging/{name}/{what}/error");
        rows.push(figures.row(name, fraction, Figure::At(at)));
    }
    let (tree, knn) = (Figure::Difference(0, 2), Figure::Difference(3, 4));
    // A gain beyond noise for trees; none for neighbours.
    for (what, gain, target) in
        [("tree", tree, Compare::AtLeast(2.0)), ("knn", knn, Compare::AtMost(2.0))]
    {
        let name = |more: &str| format!("bagging/{name}/{what}/gain{more}");
        rows.push(figures.row(name(""), fraction, gain));
        rows.push(figures.t(name("/t"), gain)?.target(target));
    }
    Ok(rows)
}
