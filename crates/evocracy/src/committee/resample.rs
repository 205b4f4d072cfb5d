//! Committees of one method on different rows or columns: bagging, cross-validated committees,
//! random subspaces.

use super::assembly::{Assembly, Ensemble, train_member, train_members};
use super::forest::Bag;
use super::learning_curve;
use super::{Combine, CommitteeModel, TrainingRows};
use crate::classify::{CurvePoint, Diagnostics, Fitted, OutOfBagFigures, Proba};
use crate::data::{Schema, folds};
use crate::error::{Error, Result};
use crate::experts::Tree;
use crate::method::{Members, Method};
use crate::model::Model;
use crate::run::{Run, Seed, StopReason};
use rand::RngExt;
use rand::seq::SliceRandom;
use std::any::Any;

/// How often a sample of a single class is drawn anew.
const TRIES: u64 = 100;

/// How many members are asked about the rows they did not draw at a time.
const ASKED: usize = 16;

crate::params! {
    /// A cross-validated committee: each member leaves out another fold; they are averaged.
    pub struct Cross as "cross" {
        /// how many folds, and members
        folds: usize = 10, 2..=100_000;
    }
}

crate::params! {
    /// Random subspaces: each member sees some of the columns; they are averaged.
    pub struct Subspace as "subspace" {
        /// how many members; not used where groups are given
        members: usize = 25, 1..=100_000;
        /// what share of the columns each member sees
        share: f64 = 0.5, 1e-6..=1.0;
        /// columns of each member instead of a draw: groups parted by |, names in them by commas
        groups: String = String::new(), ..;
    }
}

/// The general way, for any method. Plain trees go the fast way of `forest`.
impl Ensemble for Bag {
    const MEMBERS: Members = Members::own_or_one("tree");

    fn is_fast(member: &dyn Method) -> bool {
        member.learner().is_some_and(<dyn Any>::is::<Tree>)
    }

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let (share, seed) = (self.sample, assembly.run.seed);
        let sample = |at: usize| sample(&assembly.rows, share, seed.child("bag", at as u64));
        let mut members = trained_on(assembly, self.members, sample)?;
        let mut diagnostics = assembly.diagnostics(&[])?;
        match out_of_bag(&assembly.rows, &members.model, assembly.run, sample) {
            // The members are whole; what is not is said of them.
            Err(Error::Stopped) => members.stop = StopReason::Interrupted,
            judged => {
                let (figures, curve) = judged?;
                diagnostics.learning_curve = figures.is_some().then_some(curve);
                diagnostics.out_of_bag = figures;
            }
        }
        averaged(assembly, members, diagnostics)
    }
}

/// Members of the same method with their numbers, each trained on rows of its own.
fn trained_on(
    assembly: &Assembly<'_>,
    n: usize,
    rows: impl Fn(usize) -> Vec<u32> + Sync,
) -> Result<Fitted<Vec<(usize, Model)>>> {
    let all = assembly.rows.task()?;
    train_members(n, assembly.run, |at, run| {
        let fitted = train_member(assembly.member(), &all.with_rows(&rows(at)), run)?;
        Ok(Fitted { model: (at, fitted.model), stop: fitted.stop })
    })
}

/// The mean of numbered members.
fn averaged(
    assembly: &Assembly<'_>,
    members: Fitted<Vec<(usize, Model)>>,
    diagnostics: Diagnostics,
) -> Result<Fitted<CommitteeModel>> {
    let model: Vec<Model> = members.model.into_iter().map(|(_, model)| model).collect();
    let combine = Combine::Mean(Combine::equal(model.len()));
    assembly.committee(Fitted { model, stop: members.stop }, combine, diagnostics)
}

/// Rows drawn with replacement. Nothing can be learnt from a sample of a single class: it is drawn
/// anew, and after [`TRIES`] such samples a row of another class takes the place of the first.
fn sample(rows: &TrainingRows, share: f64, seed: Seed) -> Vec<u32> {
    let n = rows.len() as u32;
    let size = ((f64::from(n) * share).round() as usize).max(2);
    let mut drawn = Vec::new();
    for at in 0..TRIES {
        let mut rng = seed.child("try", at).rng();
        drawn = (0..size).map(|_| rng.random_range(0..n)).collect();
        if rows.show_two_classes(&drawn) {
            break;
        }
    }
    if !rows.show_two_classes(&drawn) {
        let only = rows.labels[drawn[0] as usize];
        let other = rows.labels.iter().position(|&label| label != only);
        drawn[0] = other.unwrap_or(0) as u32;
    }
    drawn.sort_unstable();
    drawn
}

/// How well the rows are called by the members that did not draw them, and how that changes from
/// member to member; `None` where all rows were drawn by all.
fn out_of_bag(
    rows: &TrainingRows,
    members: &[(usize, Model)],
    run: &Run<'_>,
    sample: impl Fn(usize) -> Vec<u32> + Sync,
) -> Result<(Option<OutOfBagFigures>, Vec<CurvePoint>)> {
    let TrainingRows { labels, weights, .. } = rows;
    let (mut mean, mut counts) = (Proba::new(), vec![0_u32; rows.len()]);
    mean.reset(rows.len(), rows.classes.len());
    let (sizes, mut errors) = (learning_curve::sizes(members.len()), Vec::new());
    // Some members at a time: the outputs of all would take many times the memory of the table.
    for (part, some) in members.chunks(ASKED).enumerate() {
        let outputs = run.pool.map(some.len(), |at| {
            let (number, model) = &some[at];
            let drawn = sample(*number);
            let unseen = |row: &u32| drawn.binary_search(row).is_err();
            let unseen: Vec<u32> = (0..rows.len() as u32).filter(unseen).collect();
            let proba = model.proba_until(rows.features().with_rows(&unseen), run.stop)?;
            Ok((unseen, proba))
        });
        for (at, output) in outputs.into_iter().enumerate() {
            let (unseen, proba) = output?;
            for (i, &row) in unseen.iter().enumerate() {
                let sums = mean.row_mut(row as usize);
                sums.iter_mut().zip(proba.row(i)).for_each(|(sum, p)| *sum += p);
                counts[row as usize] += 1;
            }
            if sizes[errors.len()] == part * ASKED + at + 1 {
                let sums = mean.values();
                errors.push(learning_curve::wrong_and_total(sums, &counts, labels, weights));
            }
        }
    }
    for (row, &count) in counts.iter().enumerate() {
        let all = f64::from(count.max(1));
        mean.row_mut(row).iter_mut().for_each(|p| *p = (*p / all).min(1.0));
    }
    let figures = OutOfBagFigures::new(&mean, &counts, labels, weights)?;
    Ok((figures, learning_curve::points(&sizes, &errors)))
}

impl Ensemble for Cross {
    const MEMBERS: Members = Members::one("tree");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let (n, seed) = (self.folds.min(rows.len()), assembly.run.seed.child("folds", 0));
        // Nothing can be learnt from rows of a single class.
        let mut parts = folds(rows.len(), Some(&rows.labels), n, seed)?;
        parts.retain(|part| rows.show_two_classes(&part.train));
        if parts.is_empty() {
            let what = "every fold leaves rows of a single class";
            return Err(Error::unsuitable(what, "give more rows, or more folds"));
        }
        let members = trained_on(assembly, parts.len(), |at| parts[at].train.clone())?;
        averaged(assembly, members, assembly.diagnostics(&[])?)
    }
}

impl Ensemble for Subspace {
    const MEMBERS: Members = Members::one("tree");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let features = assembly.rows.features();
        let groups = self.columns(features.table().schema(), assembly.run.seed)?;
        let all = assembly.rows.task()?;
        let members = train_members(groups.len(), assembly.run, |at, run| {
            let part = all.with_features(features.with_columns(&groups[at]));
            let fitted = train_member(assembly.member(), &part, run)?;
            Ok(Fitted { model: (at, fitted.model), stop: fitted.stop })
        })?;
        averaged(assembly, members, assembly.diagnostics(&[])?)
    }
}

impl Subspace {
    /// The columns of each member.
    fn columns(&self, schema: &Schema, seed: Seed) -> Result<Vec<Vec<u32>>> {
        if !self.groups.is_empty() {
            let find = |name: &str| Ok(schema.find(name.trim(), "the table")? as u32);
            let group = |names: &str| names.split(',').map(find).collect::<Result<Vec<u32>>>();
            return self.groups.split('|').map(group).collect();
        }
        let columns = schema.len();
        let some = ((columns as f64 * self.share).round() as usize).clamp(1, columns);
        let draw = |at: usize| {
            let mut all: Vec<u32> = (0..columns as u32).collect();
            all.shuffle(&mut seed.child("columns", at as u64).rng());
            all.truncate(some);
            all.sort_unstable();
            all
        };
        Ok((0..self.members).map(draw).collect())
    }
}
