//! Committees of one method on different rows or columns: bagging, cross-validated committees,
//! random subspaces.

use super::council::{Council, Ground, blame, train_all};
use super::forest::Bag;
use super::model::CommitteeModel;
use super::notes::Notes;
use super::vote::averaged;
use super::{Combine, OutOfBagFigures};
use crate::classify::Fitted;
use crate::data::{Task, folds};
use crate::error::{Error, Result};
use crate::method::{Members, Method};
use crate::model::Model;
use crate::run::{Run, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::json;

/// How often a sample of a single class is drawn anew.
const TRIES: u64 = 100;

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

/// Any other method than trees, which have a way of their own.
impl Council for Bag {
    const MEMBERS: Members = Members::own_or_one("tree");

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let ground = Ground::new(task)?;
        let (share, seed) = (self.sample, run.seed);
        let sample = |at: usize| sample(&ground, share, seed.child("bag", at as u64));
        let fitted = averaged(members[0].as_ref(), &ground, self.members, run, sample)?;
        let (models, combine) = fitted.model;
        let mut notes = Notes::default();
        if let Some(figures) = out_of_bag(&ground, &models, sample)? {
            notes.add("out_of_bag", json!(figures));
        }
        let model = CommitteeModel::new(ground.classes.clone(), models, combine, notes)?;
        Ok(Fitted { model, stop: fitted.stop })
    }
}

/// Rows drawn with replacement. One of a single class teaches nothing: it is drawn anew, and if
/// that does not help a row of another class takes the place of the first.
fn sample(ground: &Ground, share: f64, seed: Seed) -> Vec<u32> {
    let rows = ground.rows() as u32;
    let size = ((f64::from(rows) * share).round() as usize).max(2);
    let mut drawn = Vec::new();
    for at in 0..TRIES {
        let mut rng = seed.child("try", at).rng();
        drawn = (0..size).map(|_| rng.random_range(0..rows)).collect();
        if ground.shows_two(&drawn) {
            break;
        }
    }
    if !ground.shows_two(&drawn) {
        let only = ground.labels[drawn[0] as usize];
        let other = ground.labels.iter().position(|&label| label != only);
        drawn[0] = other.unwrap_or(0) as u32;
    }
    drawn.sort_unstable();
    drawn
}

/// What the members say together of the rows they did not draw; `None` where all were drawn.
fn out_of_bag(
    ground: &Ground,
    models: &[Model],
    sample: impl Fn(usize) -> Vec<u32>,
) -> Result<Option<OutOfBagFigures>> {
    let k = ground.classes.len();
    let mut sums = vec![0.0; ground.rows() * k];
    let mut asked = vec![0_u32; ground.rows()];
    for (at, model) in models.iter().enumerate() {
        let drawn = sample(at);
        let unseen: Vec<u32> =
            (0..ground.rows() as u32).filter(|row| drawn.binary_search(row).is_err()).collect();
        let proba = model.proba(ground.features().with_rows(&unseen))?;
        for (i, &row) in unseen.iter().enumerate() {
            let own = &mut sums[row as usize * k..(row as usize + 1) * k];
            own.iter_mut().zip(proba.row(i)).for_each(|(sum, p)| *sum += p);
            asked[row as usize] += 1;
        }
    }
    let judged: Vec<usize> = (0..ground.rows()).filter(|&row| asked[row] > 0).collect();
    if judged.is_empty() {
        return Ok(None);
    }
    let share = |&row: &usize| {
        let all = f64::from(asked[row]);
        sums[row * k..(row + 1) * k].iter().map(move |sum| (sum / all).min(1.0))
    };
    let proba: Vec<f64> = judged.iter().flat_map(share).collect();
    let labels: Vec<u32> = judged.iter().map(|&row| ground.labels[row]).collect();
    let weights: Vec<f64> = judged.iter().map(|&row| ground.weights[row]).collect();
    OutOfBagFigures::new(&labels, &proba, k, &weights).map(Some)
}

impl Council for Cross {
    const MEMBERS: Members = Members::one("tree");

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let ground = Ground::new(task)?;
        let n = self.folds.min(ground.rows());
        let seed = run.seed.child("folds", 0);
        // A part that shows a single class teaches nothing.
        let mut parts = folds(ground.rows(), Some(&ground.labels), n, seed)?;
        parts.retain(|part| ground.shows_two(&part.train));
        if parts.is_empty() {
            let what = "every fold leaves rows of a single class";
            return Err(Error::unsuitable(what, "give more rows, or more folds"));
        }
        let method = members[0].as_ref();
        let fitted = averaged(method, &ground, parts.len(), run, |at| parts[at].train.clone())?;
        let (models, combine) = fitted.model;
        let model = CommitteeModel::new(ground.classes.clone(), models, combine, Notes::default())?;
        Ok(Fitted { model, stop: fitted.stop })
    }
}

impl Council for Subspace {
    const MEMBERS: Members = Members::one("tree");

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let ground = Ground::new(task)?;
        let groups = self.columns(&ground, run.seed)?;
        let all = ground.task()?;
        let method = members[0].as_ref();
        let trained = train_all(groups.len(), run, |at, run| {
            let part = all.with_features(ground.features().with_columns(&groups[at]));
            method.train(&part, run).map_err(|e| blame(method.name(), e))
        })?;
        let combine = Combine::Mean(Combine::equal(trained.model.len()));
        let classes = ground.classes.clone();
        let model = CommitteeModel::new(classes, trained.model, combine, Notes::default())?;
        Ok(Fitted { model, stop: trained.stop })
    }
}

impl Subspace {
    /// The columns of each member.
    fn columns(&self, ground: &Ground, seed: Seed) -> Result<Vec<Vec<u32>>> {
        let schema = ground.features().table().schema();
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
