//! The choice of inputs, where there are many.
//!
//! Where most of many inputs say nothing, all rows are about as far from each other and no kernel
//! tells them apart. So every input by itself is held against the classes: Pearson's chi-square test
//! of the classes in intervals of about as many rows each. For a few numbers `e`, the inputs of a
//! p-value below that at which `e` of them are expected by chance are a candidate; so are all inputs.
//! The candidate counts under which rows that are left out are most probable, each under its best
//! width. What a fold leaves out has no part in the tests of its inputs, so that noise gains nothing
//! by having been picked.
//!
//! Inputs that matter only together with others are not found in this way.

use super::classification::ClassSample;
use super::tuning::{InputTuning, WidthTuning};
use super::width::{Choose, Trial, Tunable, Width, choose_width};
use crate::error::Result;
use crate::num::chi_square_tail;
use crate::run::Run;

crate::choices! {
    /// Which inputs count.
    pub enum Inputs {
        /// of more than 30 those that tell the classes apart, if rows that are left out say so
        Auto = "auto",
        /// all of them
        All = "all",
    }
}

/// The width, and the inputs that count where not all of them do.
pub(super) struct Chosen {
    pub(super) width: f64,
    pub(super) inputs: Option<Vec<usize>>,
}

/// The inputs and the width for some rows. All inputs stay where they are few, or where the width is
/// given or found by the evidence.
pub(super) fn choose(all: &ClassSample<'_>, wanted: Inputs, run: &Run<'_>) -> Result<Chosen> {
    let (options, count) = (all.basis_options(), all.training.points().inputs());
    let few = wanted == Inputs::All || count <= InputTuning::FEW || !options.kernel.has_width();
    let trial = if few || options.width != Width::Auto || options.choose != Choose::Cross {
        None
    } else {
        Some(Trial::new(all, run)?).filter(|trial| !trial.splits.is_empty())
    };
    let Some(trial) = trial else {
        return Ok(Chosen { width: choose_width(all, run)?, inputs: None });
    };
    let (width, mut top) = trial.cross_validate(None, run)?;
    let mut best = Chosen { width, inputs: None };
    let p_values = p_values(all, &trial, run);
    let mut before = 0;
    for expected in InputTuning::EXPECTED {
        let below = |part: usize| -> Vec<usize> {
            let limit = expected / count as f64;
            (0..count).filter(|&input| p_values[input][part] <= limit).collect()
        };
        let kept = below(0);
        let each: Vec<Vec<usize>> = (1..=trial.splits.len()).map(below).collect();
        let new = kept.len() > before && kept.len() < count && !each.iter().any(Vec::is_empty);
        if !new || run.stop.requested() {
            continue;
        }
        before = kept.len();
        // A candidate that cannot be fitted does not count.
        if let Ok((width, score)) = trial.cross_validate(Some((&kept, &each)), run)
            && score > top + WidthTuning::EQUAL
        {
            (best, top) = (Chosen { width, inputs: Some(kept) }, score);
        }
    }
    Ok(best)
}

/// The p-value of every input: on all rows, and without the rows that each fold leaves out. 1 once
/// there is a stop.
fn p_values(all: &ClassSample<'_>, trial: &Trial<ClassSample<'_>>, run: &Run<'_>) -> Vec<Vec<f64>> {
    let points = all.training.points();
    let task = run.task("inputs", points.inputs() as u64);
    run.pool.map(points.inputs(), |input| {
        if run.stop.requested() {
            return vec![1.0; trial.splits.len() + 1];
        }
        let weights = all.training.weights.as_deref();
        let values = &points.columns[input];
        let table = Contingency::new(values, &all.labels, weights, all.classes);
        let without = |fold: usize| {
            let mut table = table.clone();
            for &at in &trial.splits[fold].test {
                table.add(trial.rows[at as usize] as usize, -1.0);
            }
            table.p_value()
        };
        task.watch.advance(1);
        std::iter::once(table.p_value()).chain((0..trial.splits.len()).map(without)).collect()
    })
}

/// How often each class has each interval of an input.
#[derive(Debug, Clone)]
struct Contingency<'a> {
    intervals: Vec<u8>,
    labels: &'a [u32],
    row_weights: Option<&'a [f64]>,
    classes: usize,
    /// Interval after interval.
    weights: Vec<f64>,
    rows: f64,
}

impl<'a> Contingency<'a> {
    fn new(
        values: &[f64],
        labels: &'a [u32],
        row_weights: Option<&'a [f64]>,
        classes: usize,
    ) -> Self {
        let most = values.len() / InputTuning::INTERVAL_ROWS;
        let intervals = intervals(values, most.clamp(2, InputTuning::INTERVALS));
        let weights = vec![0.0; (InputTuning::INTERVALS + 1) * classes];
        let mut table = Self { intervals, labels, row_weights, classes, weights, rows: 0.0 };
        (0..values.len()).for_each(|row| table.add(row, 1.0));
        table
    }

    fn add(&mut self, row: usize, sign: f64) {
        let cell = usize::from(self.intervals[row]) * self.classes + self.labels[row] as usize;
        self.weights[cell] += sign * self.row_weights.map_or(1.0, |weights| weights[row]);
        self.rows += sign;
    }

    /// The p-value of Pearson's test; weights count as shares of the rows.
    fn p_value(&self) -> f64 {
        let total: f64 = self.weights.iter().sum();
        let of_class = |class| self.weights.iter().skip(class).step_by(self.classes).sum::<f64>();
        let classes: Vec<f64> = (0..self.classes).map(of_class).collect();
        let (mut square, mut intervals) = (0.0, 0);
        for cells in self.weights.chunks_exact(self.classes) {
            let own: f64 = cells.iter().sum();
            if own <= 1e-9 * total {
                continue;
            }
            intervals += 1;
            for (cell, class) in cells.iter().zip(&classes).filter(|(_, class)| **class > 0.0) {
                let expected = own * class / total;
                square += (cell - expected).powi(2) / expected;
            }
        }
        let present = classes.iter().filter(|class| **class > 0.0).count();
        let freedom = (intervals.max(1) - 1) * (present.max(1) - 1);
        if freedom == 0 { 1.0 } else { chi_square_tail(square * self.rows / total, freedom as f64) }
    }
}

/// The interval of every value; there are about as many values in each. Few values that differ have
/// an interval each.
fn intervals(values: &[f64], most: usize) -> Vec<u8> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut starts: Vec<f64> = (1..most).map(|at| sorted[at * sorted.len() / most]).collect();
    starts.dedup();
    values.iter().map(|value| starts.partition_point(|start| start <= value) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten, twenty, thirty and forty rows of two values and two classes.
    fn cells() -> (Vec<f64>, Vec<u32>) {
        let each = [(0.0, 0, 10), (0.0, 1, 20), (1.0, 0, 30), (1.0, 1, 40)];
        let row = |(value, class, count)| std::iter::repeat_n((value, class), count);
        each.into_iter().flat_map(row).unzip()
    }

    #[test]
    fn the_p_value_is_that_of_pearsons_test() {
        let (values, labels) = cells();
        // N (ad - bc)^2 / (30 70 40 60) = 50/63, one degree of freedom.
        let expected = libm::erfc((50.0_f64 / 126.0).sqrt());
        let table = Contingency::new(&values, &labels, None, 2);
        assert!((table.p_value() - expected).abs() < 1e-12, "{}", table.p_value());
        // Weights in proportion change nothing; rows that are taken out are as if not there.
        let weights = vec![3.0; labels.len() + 1];
        let (more, other) = ([&values[..], &[1.0]].concat(), [&labels[..], &[0]].concat());
        let mut weighed = Contingency::new(&more, &other, Some(&weights), 2);
        assert!((weighed.p_value() - expected).abs() > 1e-6);
        weighed.add(labels.len(), -1.0);
        assert!((weighed.p_value() - expected).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_about_as_many_values_each() {
        let values: Vec<f64> = (0..80).map(|at| f64::from(at * 37 % 80).powi(3)).collect();
        let intervals = intervals(&values, 8);
        let mut counts = [0; 8];
        for &interval in &intervals {
            counts[usize::from(interval)] += 1;
        }
        assert_eq!(counts, [10; 8]);
        let constant = Contingency::new(&[1.0; 6], &[0, 1, 0, 1, 0, 1], None, 2);
        assert_eq!(constant.p_value(), 1.0);
    }
}
