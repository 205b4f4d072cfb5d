//! The methods `evo-rvm` and `evo-logistic`: one good model, and the front it was chosen from.

use super::machines;
use super::model::FrontModel;
use super::options::{Admission, FrontOptions, sampled_rows};
use super::path::ModelPath;
use super::several;
use super::soft;
use super::thesis::{Complexity, Scheme};
use super::unseen::{Unseen, enough_left};
use crate::classify::{Fitted, Learner};
use crate::data::{Classes, Input, Task};
use crate::error::{Error, Result};
use crate::kernel::soft::{Sample, Shape, SoftFront, SoftMember, SoftOptions};
use crate::kernel::{Basis, Kernel, SparseSums, Width, WidthBounds};
use crate::run::{Run, StopReason};
use std::collections::HashMap;

crate::choices! {
    /// What a search of the thesis begins with.
    pub enum Begin {
        /// one random basis
        Basis = "basis",
        /// the bases and precisions of a relevance vector machine
        Rvm = "rvm",
    }
}

crate::params! {
    /// A front of sparse kernel machines, evolved: positives found against false alarms against size.
    pub struct EvoRvm as "evo-rvm" {
        /// how the front is searched for; all but `soft` are as in A. R. J. Clark's thesis and promise nothing for new rows
        scheme: Scheme = Scheme::Soft, Scheme::CHOICES;
        /// the bases that are summed
        kernel: Kernel = Kernel::Gaussian, Kernel::CHOICES;
        /// the width of the kernel, on inputs that are standardised
        width: Width = Width::Auto, WidthBounds;
        /// wider kernels are preferred while rows left out are less probable by at most so many standard errors (soft)
        wider: f64 = 1.0, 0.0..=10.0;
        /// how often a table of few rows is parted into folds for the choice of the width (soft)
        repeats: usize = 1, 1..=20;
        /// the degree of a polynomial kernel
        degree: usize = 2, 1..=16;
        /// the most vectors of a member (soft)
        most: usize = 40, 1..=1000;
        /// the default member is the smallest that misses the reference by at most this share of what a constant misses (soft)
        tolerance: f64 = 0.05, 0.0..=1.0;
        /// the mean of all members that miss the reference by at most this share of what a constant misses is added and answers; 0 for none (soft, two classes)
        average: f64 = 0.0, 0.0..=1.0;
        /// how operating points join the front of two classes (soft)
        admission: Admission = Admission::Expected, Admission::CHOICES;
        /// folds: for the choice of the width and for what is promised on new rows (soft, at least 3), or to average over (kfold)
        folds: usize = 5, 2..=20;
        /// how many sets of vectors are tried (soft)
        evaluations: u64 = 1000, 1..=1_000_000_000;
        /// how many training rows at most are centres of kernels, drawn from every class; 0 for all
        centres: usize = 500, 0..=1_000_000;
        /// how many training rows at most are searched on, drawn from every class; 0 for all
        rows: usize = 5000, 0..=10_000_000;
        /// what complexity is (all but soft, which counts vectors)
        complexity: Complexity = Complexity::Vectors, Complexity::CHOICES;
        /// resolutions: kernels of the width, half of it, a quarter of it, ... on every centre (all but soft)
        levels: usize = 3, 1..=8;
        /// the most changes of one mutation (all but soft)
        mutations: usize = 3, 1..=1000;
        /// what the search begins with (all but soft and nsga2)
        start: Begin = Begin::Basis, Begin::CHOICES;
        /// the most turns; a search ends after 100 without a new member (all but soft and nsga2)
        iterations: u64 = 20_000, 1..=1_000_000_000;
        /// cuts of a crossover, 0 for none (nsga2)
        cuts: usize = 0, 0..=1000;
        /// members of the population (nsga2)
        population: usize = 300, 2..=1_000_000;
        /// generations (nsga2)
        generations: u64 = 2000, 1..=1_000_000_000;
    }
}

/// How often a table of few rows is parted into folds, where that cannot be set.
const REPEATS: usize = 1;

crate::params! {
    /// A front of logistic regressions, evolved: positives found against false alarms against columns.
    pub struct EvoLogistic as "evo-logistic" {
        /// the most columns of a member
        most: usize = 40, 1..=1000;
        /// the default member is the smallest that misses the reference by at most this share of what a constant misses
        tolerance: f64 = 0.05, 0.0..=1.0;
        /// folds for the choice of the penalty and for what the front promises on new rows; at least 3 are made
        folds: usize = 5, 2..=20;
        /// how many sets of columns are tried
        evaluations: u64 = 1000, 1..=1_000_000_000;
        /// how many training rows at most are searched on, drawn from every class; 0 for all
        rows: usize = 5000, 0..=10_000_000;
    }
}

impl Learner for EvoRvm {
    type Model = FrontModel;
    const INPUT: Input = Input::Dense;
    const PROMISES: bool = true;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        if self.scheme != Scheme::Soft {
            return machines::learn(self, task, run);
        }
        let Self {
            kernel,
            width,
            wider,
            repeats,
            degree,
            most,
            tolerance,
            average,
            admission,
            folds,
            evaluations,
            centres,
            rows,
            ..
        } = *self;
        let soft = SoftOptions { shape: Shape { kernel, degree }, most, centres, evaluations };
        let options = FrontOptions {
            soft,
            width,
            wider,
            repeats,
            tolerance,
            average,
            admission,
            folds,
            rows,
        };
        learn(&options, task, run)
    }
}

impl Learner for EvoLogistic {
    type Model = FrontModel;
    const INPUT: Input = Input::Dense;
    const PROMISES: bool = true;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        let Self { most, tolerance, folds, evaluations, rows } = *self;
        let shape = Shape { kernel: Kernel::Columns, degree: 1 };
        let soft = SoftOptions { shape, most, centres: 0, evaluations };
        let options = FrontOptions {
            soft,
            width: Width::Auto,
            wider: 0.0,
            repeats: REPEATS,
            tolerance,
            average: 0.0,
            admission: Admission::Expected,
            folds,
            rows,
        };
        learn(&options, task, run)
    }
}

fn learn(options: &FrontOptions, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
    check_classes(task)?;
    let (classes, _) = task.labels()?;
    let model = if classes.len() == 2 {
        two_classes(options, task, classes, run)?
    } else {
        several::learn(options, task, classes, run)?
    };
    Ok(fitted(model, run))
}

/// A model and whether it was cut short.
pub(super) fn fitted(model: FrontModel, run: &Run<'_>) -> Fitted<FrontModel> {
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Fitted { model, stop }
}

fn two_classes(
    options: &FrontOptions,
    task: &Task<'_>,
    classes: &Classes,
    run: &Run<'_>,
) -> Result<FrontModel> {
    let (sample, rows) = Sample::new(task, classes.positive())?;
    let searched = sampled_rows(options.rows, &sample.labels(), run);
    let some = sample.subset(&searched);
    let left = enough_left(&searched, &sample.labels());
    let found = soft::search(options, &sample, (&some, &searched), left.as_deref(), run)?;
    let positive = classes.positive();
    let both = |proba: Vec<f64>| -> Vec<f64> {
        let both = |p: f64| if positive == 1 { [1.0 - p, p] } else { [p, 1.0 - p] };
        proba.into_iter().flat_map(both).collect()
    };
    let code = |label: u32| if label == 1 { positive as u32 } else { 1 - positive as u32 };
    let path = ModelPath {
        sizes: found.front.all().map(|member| member.terms.len() as f64).collect(),
        proba: soft::proba(&found.front, &sample, &searched).into_iter().map(both).collect(),
        expected: Some(found.reference),
        unseen: found
            .unseen
            .map(|unseen| Unseen { proba: unseen.proba.into_iter().map(both).collect(), ..unseen }),
        rows: searched.clone(),
        admission: (options.admission, run.seed.child("admission", 0)),
        // The average stands behind the members.
        chosen: match found.front.average {
            Some(_) => found.front.members.len(),
            None => found.front.nearest_enough(options.tolerance),
        },
        labels: sample.labels().into_iter().map(code).collect(),
        weights: sample.weights.clone().unwrap_or_else(|| vec![1.0; sample.rows()]),
    };
    let (points, chosen) = path.points(classes, options.complexity_is(), run.stop)?;
    let id = |row: usize| task.row_id(rows[searched[row] as usize] as usize) as u32;
    let mut sums = SharedSums::new(&found.front, sample.points.inputs());
    for member in found.front.all() {
        sums.add(&found.front, member, 1.0, id);
    }
    FrontModel::of_sums(classes.clone(), sums.sums, points, chosen)
}

/// Refuses rows of which no front can be made: rates need rows to be counted on, and a class of one
/// row has none left when that row is.
pub(super) fn check_classes(task: &Task<'_>) -> Result<()> {
    let (classes, labels) = task.labels()?;
    let mut rows = vec![0; classes.len()];
    for (&label, _) in labels.iter().zip(task.weights()).filter(|(_, weight)| *weight > 0.0) {
        rows[label as usize] += 1;
    }
    if rows.iter().filter(|&&rows| rows > 0).count() < 2 {
        return Err(Error::unsuitable(
            "all training rows with a weight are of one class",
            "training rows must show at least two classes",
        ));
    }
    let Some(single) = rows.iter().position(|&rows| rows == 1) else { return Ok(()) };
    Err(Error::unsuitable(
        format!("the class `{}` has a single training row with a weight", classes.names()[single]),
        "a front needs at least two rows of each class, better ten or more",
    ))
}

/// Sums over shared bases, as they are put together.
pub(super) struct SharedSums {
    pub(super) sums: SparseSums,
    /// Where a training row's centre and a basis are kept: width as bits, 0 for a column.
    centres: HashMap<u32, usize>,
    bases: HashMap<(u32, u64), u32>,
    bias: Option<u32>,
}

impl SharedSums {
    pub(super) fn new(front: &SoftFront, inputs: usize) -> Self {
        let Shape { kernel, degree } = front.shape;
        let sums = SparseSums::new(kernel, degree, inputs);
        Self { sums, centres: HashMap::new(), bases: HashMap::new(), bias: None }
    }

    /// Adds a member, its weights times a factor. `id` is the number of a row of its sample in the
    /// training table.
    pub(super) fn add(
        &mut self,
        front: &SoftFront,
        member: &SoftMember,
        factor: f64,
        id: impl Fn(usize) -> u32,
    ) {
        let bias = *self.bias.get_or_insert_with(|| self.sums.add_basis(Basis::Bias));
        let mut terms = vec![(bias, factor * member.bias)];
        for &(basis, weight) in &member.terms {
            let (key, basis) = match basis {
                Basis::Bias => continue,
                Basis::Column(input) => ((input as u32, 0), Basis::Column(input)),
                Basis::Centre { row, width } => {
                    let table_row = id(row);
                    let sums = &mut self.sums;
                    let centre = *self
                        .centres
                        .entry(table_row)
                        .or_insert_with(|| sums.add_centre(table_row, &front.centre(row)));
                    ((table_row, width.to_bits()), Basis::Centre { row: centre, width })
                }
            };
            let sums = &mut self.sums;
            let place = *self.bases.entry(key).or_insert_with(|| sums.add_basis(basis));
            terms.push((place, factor * weight));
        }
        self.sums.add_sum(&terms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Dataset, Field, Options, Schema, Table};
    use crate::num::logit::logistic;
    use crate::run::{Pool, Seed, Stop};
    use rand::RngExt;

    /// Two columns of numbers, the first one telling.
    fn rows() -> Result<Dataset> {
        let mut rng = Seed::new(5).rng();
        let class: Vec<u32> = (0..90).map(|row| u32::from(row % 3 == 0)).collect();
        let mut column = |gap: f64| {
            let of = |&class: &u32| gap * f64::from(class) + rng.random_range(-1.0..1.0);
            Column::Number(class.iter().map(of).collect())
        };
        let columns = vec![column(0.9), column(0.3), Column::Nominal(class.clone())];
        let fields = ["a", "b"].map(Field::number).into_iter();
        let fields = fields.chain([Field::nominal("class", ["no", "yes"])]).collect();
        Dataset::new("rows", Table::new(Schema { fields }, columns)?, &Options::default())
    }

    /// By default the rates of points are those that the reference expects: a row counts as positive
    /// by its probability there.
    #[test]
    fn points_have_the_rates_that_the_reference_expects() -> Result<()> {
        let data = rows()?;
        let task = data.task()?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let run = Run::new(3, &stop, &pool);
        let options = |kernel, centres, wider| FrontOptions {
            soft: SoftOptions {
                shape: Shape { kernel, degree: if centres > 0 { 2 } else { 1 } },
                most: 4,
                centres,
                evaluations: 40,
            },
            width: Width::Auto,
            wider,
            repeats: 1,
            tolerance: 0.05,
            average: 0.0,
            admission: Admission::Expected,
            folds: 3,
            rows: 0,
        };
        let kernels = EvoRvm::default().most(4).evaluations(40).folds(3).rows(0);
        let columns = EvoLogistic::default().most(4).evaluations(40).folds(3).rows(0);
        for (model, options) in [
            (kernels.fit(&task, &run)?.model, options(Kernel::Gaussian, 500, 1.0)),
            (columns.fit(&task, &run)?.model, options(Kernel::Columns, 0, 0.0)),
        ] {
            let (sample, _) = Sample::new(&task, 1)?;
            let all: Vec<u32> = (0..90).collect();
            let found = soft::search(&options, &sample, (&sample, &all), None, &run)?;
            let members: Vec<&SoftMember> = found.front.all().collect();
            let positives: f64 = found.reference.iter().sum();
            assert!(model.points().len() > 4);
            for point in model.points().iter() {
                let least = point.threshold.unwrap_or(0.5);
                let odds = found.front.log_odds(members[point.member], &sample.points);
                let called =
                    odds.iter().zip(&found.reference).filter(|(y, _)| logistic(**y) >= least);
                let [count, sum] =
                    called.fold([0.0; 2], |[count, sum], (_, p)| [count + 1.0, sum + p]);
                let wanted = [sum / positives, (count - sum) / (90.0 - positives)];
                let apart: f64 =
                    point.training.iter().zip(wanted).map(|(a, b)| (a - b).abs()).sum();
                assert!(apart < 1e-9, "{point:?} {wanted:?}");
            }
        }
        Ok(())
    }
}
