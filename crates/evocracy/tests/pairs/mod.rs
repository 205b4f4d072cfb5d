//! A front of many small machines, made of training rows at random: what a front must carry.

use evocracy::classify::{Fitted, Learner};
use evocracy::data::{Column, Input, Task};
use evocracy::error::Result;
use evocracy::front::{FrontModel, FrontPoint, FrontPoints, Promise};
use evocracy::kernel::{Basis, Kernel, SparseSums};
use evocracy::measure::Interval;
use evocracy::run::{Run, StopReason};
use rand::RngExt;

evocracy::params! {
    /// Machines of two random training rows each: what a front of them must carry.
    pub struct Pairs as "pairs-of-rows" {
        /// how many machines
        machines: usize = 20, 1..=100_000;
    }
}

/// A point with some promise.
pub fn point(member: usize, threshold: Option<f64>) -> FrontPoint {
    let share = 1.0 / (member as f64 + 2.0);
    let interval = Interval { low: share / 2.0, high: 1.0, level: 0.95 };
    FrontPoint {
        member,
        threshold,
        weights: Vec::new(),
        complexity: 2.0,
        training: vec![1.0 - share, share],
        promised: vec![Promise { value: share, interval }; 2],
    }
}

impl Learner for Pairs {
    type Model = FrontModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        let (classes, _) = task.labels()?;
        let view = task.features;
        let columns: Vec<Vec<f64>> = (0..view.columns())
            .map(|column| match view.gather(column) {
                Column::Number(values) => values,
                Column::Nominal(_) => unreachable!("dense inputs are numbers"),
            })
            .collect();
        let mut sums = SparseSums::new(Kernel::Gaussian, 1, view.columns());
        let width = (view.columns() as f64).sqrt();
        let bias = sums.add_basis(Basis::Bias);
        for row in 0..task.rows() {
            let inputs: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            let centre = sums.add_centre(task.row_id(row) as u32, &inputs);
            sums.add_basis(Basis::Centre { row: centre, width });
        }
        let mut rng = run.seed.rng();
        let mut points = FrontPoints::of_rates("vectors", 0.95);
        for member in 0..self.machines {
            let mut draw = || rng.random_range(1..=task.rows() as u32);
            let (first, second) = (draw(), draw());
            sums.add_sum(&[(bias, 0.1), (first, 2.0), (second, -1.0 - member as f64 / 1e4)]);
            points.push(&point(member, Some(0.25 + 0.5 / (member as f64 + 1.0))))?;
        }
        let model = FrontModel::of_sums(classes.clone(), sums, points, 0)?;
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}
