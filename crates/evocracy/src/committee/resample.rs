//! Committees of one method on different rows or columns: bagging, cross-validated committees,
//! random subspaces.

use super::Combine;
use super::council::{Council, Ground, blame, train_all};
use super::curve;
use super::forest::Bag;
use super::model::CommitteeModel;
use super::notes;
use crate::classify::{CurvePoint, Diagnostics, Fitted, OutOfBagFigures};
use crate::data::{Task, folds};
use crate::error::{Error, Result};
use crate::method::{Members, Method};
use crate::model::Model;
use crate::run::{Run, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;

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
        let bags = averaged(members[0].as_ref(), &ground, self.members, run, sample)?;
        let mut notes = notes::start(members, &ground);
        let (figures, curve) = out_of_bag(&ground, &bags.model, run, sample)?;
        notes.learning_curve = figures.is_some().then_some(curve);
        notes.out_of_bag = figures;
        committee(&ground, bags, notes)
    }
}

/// Members of the same method with their numbers, each on rows of its own.
fn averaged(
    method: &dyn Method,
    ground: &Ground,
    n: usize,
    run: &Run<'_>,
    rows: impl Fn(usize) -> Vec<u32> + Sync,
) -> Result<Fitted<Vec<(usize, Model)>>> {
    let all = ground.task()?;
    train_all(n, run, |at, run| {
        let rows = rows(at);
        let fitted =
            method.train(&all.with_rows(&rows), run).map_err(|e| blame(method.name(), e))?;
        Ok(Fitted { model: (at, fitted.model), stop: fitted.stop })
    })
}

/// Members that are averaged.
fn committee(
    ground: &Ground,
    members: Fitted<Vec<(usize, Model)>>,
    notes: Diagnostics,
) -> Result<Fitted<CommitteeModel>> {
    let models: Vec<Model> = members.model.into_iter().map(|(_, model)| model).collect();
    let combine = Combine::Mean(Combine::equal(models.len()));
    let model = CommitteeModel::new(ground.classes.clone(), models, combine, notes)?;
    Ok(Fitted { model, stop: members.stop })
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

/// What the members say together of the rows they did not draw, and how it gets better from
/// member to member; `None` where all rows were drawn by all.
fn out_of_bag(
    ground: &Ground,
    members: &[(usize, Model)],
    run: &Run<'_>,
    sample: impl Fn(usize) -> Vec<u32> + Sync,
) -> Result<(Option<OutOfBagFigures>, Vec<CurvePoint>)> {
    let k = ground.classes.len();
    let mut sums = vec![0.0; ground.rows() * k];
    let mut asked = vec![0_u32; ground.rows()];
    let (sizes, mut standings) = (curve::sizes(members.len()), Vec::new());
    // A few at a time: what all say would be many times the table.
    for (part, few) in members.chunks(ASKED).enumerate() {
        let said = run.pool.map(few.len(), |at| {
            let (number, model) = &few[at];
            let drawn = sample(*number);
            let unseen: Vec<u32> =
                (0..ground.rows() as u32).filter(|row| drawn.binary_search(row).is_err()).collect();
            let proba = model.proba(ground.features().with_rows(&unseen))?;
            Ok((unseen, proba))
        });
        for (at, said) in said.into_iter().enumerate() {
            let (unseen, proba) = said?;
            for (i, &row) in unseen.iter().enumerate() {
                let own = &mut sums[row as usize * k..(row as usize + 1) * k];
                own.iter_mut().zip(proba.row(i)).for_each(|(sum, p)| *sum += p);
                asked[row as usize] += 1;
            }
            if sizes[standings.len()] == part * ASKED + at + 1 {
                let (labels, weights) = (&ground.labels, &ground.weights);
                standings.push(curve::standing(&sums, &asked, labels, weights));
            }
        }
    }
    let points = curve::points(&sizes, &standings);
    let judged: Vec<usize> = (0..ground.rows()).filter(|&row| asked[row] > 0).collect();
    if judged.is_empty() {
        return Ok((None, points));
    }
    let share = |&row: &usize| {
        let all = f64::from(asked[row]);
        sums[row * k..(row + 1) * k].iter().map(move |sum| (sum / all).min(1.0))
    };
    let proba: Vec<f64> = judged.iter().flat_map(share).collect();
    let labels: Vec<u32> = judged.iter().map(|&row| ground.labels[row]).collect();
    let weights: Vec<f64> = judged.iter().map(|&row| ground.weights[row]).collect();
    Ok((Some(OutOfBagFigures::new(&labels, &proba, k, &weights)?), points))
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
        let trained = averaged(method, &ground, parts.len(), run, |at| parts[at].train.clone())?;
        committee(&ground, trained, notes::start(members, &ground))
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
            let fitted = method.train(&part, run).map_err(|e| blame(method.name(), e))?;
            Ok(Fitted { model: (at, fitted.model), stop: fitted.stop })
        })?;
        committee(&ground, trained, notes::start(members, &ground))
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
