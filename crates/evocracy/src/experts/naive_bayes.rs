//! Naive Bayes: columns are independent given the class. Numbers are Gaussian with a mean and
//! variance for each class, levels are counted with Laplace smoothing, missing values say
//! nothing. It learns online: the statistics of a stream do not depend on its chunks.

use crate::classify::{
    Classifier, Explanation, Fitted, Learner, Link, Online, Part, Proba, Saved, check_lessons,
    softmax_in_place,
};
use crate::data::{Cells, Classes, Field, Input, Kind, MISSING, Schema, Task, View};
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};
use serde::{Deserialize, Serialize};

/// The largest mean: the square of a distance from it does not overflow.
const FARTHEST: f64 = 1e150;

crate::params! {
    /// Naive Bayes: columns independent given the class, Gaussian numbers, counted levels.
    pub struct NaiveBayes as "naive-bayes" {
        /// how many rows of each level are added to the counts (Laplace smoothing)
        smoothing: f64 = 1.0, 1e-9..=1e6;
        /// what is added to the variance of a number within a class, as a share of its variance over all classes
        floor: f64 = 1e-3, 1e-12..=1.0;
    }
}

/// A fitted naive Bayes model: what it has counted, from which probabilities follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NaiveBayesModel {
    classes: Classes,
    smoothing: f64,
    floor: f64,
    /// The weight of the rows of each class.
    weight: Vec<f64>,
    columns: Vec<Evidence>,
}

/// What was seen of one column, for each class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Evidence {
    Number(Vec<Moments>),
    /// The weight of every level, class after class.
    Nominal(Vec<Vec<f64>>),
}

/// Weight, mean and sum of squared deviations, updated one value at a time (West 1979).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Moments {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64, weight: f64) {
        if weight > 0.0 {
            self.weight += weight;
            let step = value - self.mean;
            self.mean += step * (weight / self.weight);
            self.squares += weight * step * (value - self.mean);
        }
    }

    /// The moments of both samples together (Chan, Golub, LeVeque 1979).
    fn merge(self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        if weight <= 0.0 {
            return self;
        }
        let step = other.mean - self.mean;
        Self {
            weight,
            mean: self.mean + step * (other.weight / weight),
            squares: self.squares
                + other.squares
                + step * step * (self.weight * other.weight / weight),
        }
    }

    fn variance(self) -> f64 {
        if self.weight > 0.0 { self.squares / self.weight } else { 0.0 }
    }
}

impl Learner for NaiveBayes {
    type Model = NaiveBayesModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<NaiveBayesModel>> {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let (classes, labels) = task.labels()?;
        let schema = Schema { fields: task.features.fields().cloned().collect() };
        let mut model = NaiveBayesModel::start(&schema, classes);
        (model.smoothing, model.floor) = (self.smoothing, self.floor);
        model.learn(task.features, &labels, &task.weights())?;
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

impl Online for NaiveBayesModel {
    fn start(schema: &Schema, classes: &Classes) -> Self {
        let k = classes.len();
        let empty = |kind: &Kind| match kind {
            Kind::Number => Evidence::Number(vec![Moments::default(); k]),
            Kind::Nominal(levels) => Evidence::Nominal(vec![vec![0.0; levels.len()]; k]),
        };
        let columns = schema.fields.iter().map(|field| empty(&field.kind)).collect();
        let NaiveBayes { smoothing, floor } = NaiveBayes::default();
        Self { classes: classes.clone(), smoothing, floor, weight: vec![0.0; k], columns }
    }

    /// The columns are taken in their order: the model does not know their names.
    fn learn(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> Result<()> {
        check_lessons(&self.classes, rows, labels, weights)?;
        self.check_columns(rows)?;
        for (&label, &weight) in labels.iter().zip(weights) {
            self.weight[label as usize] += weight;
        }
        for (j, evidence) in self.columns.iter_mut().enumerate() {
            let each = labels.iter().zip(weights).enumerate();
            match (evidence, rows.cells(j)) {
                (Evidence::Number(moments), Cells::Number(values)) => {
                    for (row, (&label, &weight)) in each {
                        let value = values[rows.row_id(row)];
                        if !value.is_nan() {
                            moments[label as usize].add(value, weight);
                        }
                    }
                }
                (Evidence::Nominal(counts), Cells::Nominal(codes)) => {
                    for (row, (&label, &weight)) in each {
                        let code = codes[rows.row_id(row)];
                        if code != MISSING {
                            counts[label as usize][code as usize] += weight;
                        }
                    }
                }
                // The kinds of the columns were checked.
                _ => {}
            }
        }
        if self.columns.iter().any(Evidence::overflowed) {
            return Err(Error::unsuitable(
                "the numbers of a column are too large to have a variance",
                "rescale the column",
            ));
        }
        Ok(())
    }
}

impl Evidence {
    /// Whether it can be evidence of such a column.
    fn fits(&self, field: &Field) -> bool {
        match (self, &field.kind) {
            (Self::Number(_), Kind::Number) => true,
            (Self::Nominal(counts), Kind::Nominal(levels)) => {
                counts.iter().all(|counts| counts.len() == levels.len())
            }
            _ => false,
        }
    }

    fn overflowed(&self) -> bool {
        match self {
            Self::Number(moments) => {
                let all = moments.iter().fold(Moments::default(), |all, &one| all.merge(one));
                let large = |m: &Moments| !m.squares.is_finite() || m.mean.abs() > FARTHEST;
                moments.iter().any(large) || large(&all)
            }
            Self::Nominal(_) => false,
        }
    }
}

/// The log-likelihood of the values of one column under each class, made from the evidence before a
/// batch of rows.
enum LogLikelihood {
    /// Mean, 1 / (2 variance) and -ln(standard deviation) for each class.
    Number(Vec<[f64; 3]>),
    /// The log-probability of each class, level after level.
    Nominal(Vec<f64>),
}

impl NaiveBayesModel {
    /// Refuses rows whose columns are not of the kinds that the model has seen.
    fn check_columns(&self, rows: View<'_>) -> Result<()> {
        let fit = rows.columns() == self.columns.len()
            && self.columns.iter().zip(rows.fields()).all(|(evidence, field)| evidence.fits(field));
        if fit {
            Ok(())
        } else {
            Err(Error::unsuitable("the columns are not those of the training data", ""))
        }
    }

    fn log_prior(&self) -> Vec<f64> {
        // A class without rows keeps a prior that is tiny rather than 0, whose logarithm
        // would not be a number.
        let total: f64 = self.weight.iter().sum();
        self.weight.iter().map(|w| (w.max(1e-9) / total.max(1e-9)).ln()).collect()
    }

    fn log_likelihood(&self, column: usize) -> LogLikelihood {
        match &self.columns[column] {
            Evidence::Number(moments) => {
                let all = moments.iter().fold(Moments::default(), |a, &b| a.merge(b));
                let extra = self.floor * all.variance();
                let of = |m: &Moments| {
                    // A class without values here takes the mean and variance of the whole column;
                    // a constant column gives all classes the same likelihood.
                    let m = if m.weight > 0.0 { *m } else { all };
                    let variance = m.variance() + extra;
                    let variance = if variance > f64::MIN_POSITIVE { variance } else { 1.0 };
                    [m.mean, 0.5 / variance, -0.5 * variance.ln()]
                };
                LogLikelihood::Number(moments.iter().map(of).collect())
            }
            Evidence::Nominal(counts) => {
                // Only levels that training showed count: others, which may come from rows that
                // are held out, say nothing and do not thin out the rest.
                let levels = counts.first().map_or(0, Vec::len);
                let seen = |&level: &usize| counts.iter().any(|counts| counts[level] > 0.0);
                let seen: Vec<usize> = (0..levels).filter(seen).collect();
                let k = counts.len();
                let mut logs = vec![0.0; levels * k];
                for (class, counts) in counts.iter().enumerate() {
                    let total = counts.iter().sum::<f64>() + self.smoothing * seen.len() as f64;
                    for &level in &seen {
                        let share = (counts[level] + self.smoothing) / total;
                        logs[level * k + class] = share.ln();
                    }
                }
                LogLikelihood::Nominal(logs)
            }
        }
    }
}

impl LogLikelihood {
    fn is_finite(&self) -> bool {
        match self {
            Self::Number(parts) => parts.iter().flatten().all(|part| part.is_finite()),
            Self::Nominal(logs) => logs.iter().all(|log| log.is_finite()),
        }
    }

    /// Adds what the column says of the row to each class; `false` when the value is missing.
    fn add(&self, cells: Cells<'_>, id: usize, sums: &mut [f64]) -> bool {
        match (self, cells) {
            (Self::Number(parts), Cells::Number(values)) if !values[id].is_nan() => {
                for (sum, [mean, half, log]) in sums.iter_mut().zip(parts) {
                    let step = values[id] - mean;
                    // Bounded, so that a value absurdly far from all classes does not make
                    // infinity minus infinity of their difference.
                    *sum += log - (step * step * half).min(1e300);
                }
                true
            }
            (Self::Nominal(logs), Cells::Nominal(codes)) if codes[id] != MISSING => {
                let at = codes[id] as usize * sums.len();
                for (sum, log) in sums.iter_mut().zip(&logs[at..]) {
                    *sum += log;
                }
                true
            }
            _ => false,
        }
    }
}

impl Classifier for NaiveBayesModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.check_columns(rows)?;
        out.reset(rows.rows(), self.classes.len());
        let prior = self.log_prior();
        for row in 0..rows.rows() {
            out.row_mut(row).copy_from_slice(&prior);
        }
        for column in 0..rows.columns() {
            let (log_likelihood, cells) = (self.log_likelihood(column), rows.cells(column));
            for row in 0..rows.rows() {
                log_likelihood.add(cells, rows.row_id(row), out.row_mut(row));
            }
        }
        for row in 0..rows.rows() {
            softmax_in_place(out.row_mut(row));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        self.check_columns(rows)?;
        let mut parts = Vec::new();
        for column in 0..rows.columns() {
            let mut adds = vec![0.0; self.classes.len()];
            if self.log_likelihood(column).add(rows.cells(column), rows.row_id(row), &mut adds) {
                // Only differences between classes matter: centred parts compare.
                let mean = adds.iter().sum::<f64>() / adds.len() as f64;
                for add in &mut adds {
                    *add -= mean;
                }
                let value = rows.show(row, column).unwrap_or_default();
                let because = format!("{} = {value}", rows.field(column).name);
                parts.push(Part { column: Some(column), because, adds });
            }
        }
        Ok(Explanation { base: self.log_prior(), parts, link: Link::Softmax })
    }
}

impl Saved for NaiveBayesModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        let weight = |w: &f64| w.is_finite() && *w >= 0.0;
        let sound = |evidence: &Evidence| match evidence {
            Evidence::Number(moments) => {
                let sound = |m: &Moments| {
                    weight(&m.weight) && m.mean.abs() <= FARTHEST && weight(&m.squares)
                };
                moments.len() == k && moments.iter().all(sound)
            }
            Evidence::Nominal(counts) => counts.len() == k && counts.iter().flatten().all(weight),
        };
        let each = |(evidence, field): (&Evidence, &Field)| evidence.fits(field) && sound(evidence);
        let parameters = self.smoothing.is_finite()
            && self.smoothing > 0.0
            && self.floor.is_finite()
            && self.floor > 0.0;
        let shapes = self.columns.len() == inputs.len() && self.weight.len() == k;
        if parameters
            && shapes
            && self.weight.iter().all(weight)
            && self.columns.iter().zip(&inputs.fields).all(each)
            // Finite sums may overflow together.
            && self.log_prior().iter().all(|log| log.is_finite())
            && (0..self.columns.len()).all(|column| self.log_likelihood(column).is_finite())
        {
            Ok(())
        } else {
            Err(Error::model_file("its naive Bayes statistics are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("columns", self.columns.len() as u64)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::Online;
    use crate::data::{Column, Table};

    #[test]
    fn numbers_are_refused_from_where_the_model_could_not_be_loaded() -> Result<()> {
        let classes = Classes::new(vec!["p".to_owned(), "q".to_owned()])?;
        let schema = Schema { fields: vec![Field::number("x")] };
        for (values, fits) in [
            ([1e149, 2e149, 3e149, 4e149], true),
            ([1e151, 2e151, 3e151, 4e151], false),
            ([1e200; 4], false),
            ([-1e200; 4], false),
        ] {
            let table = Table::new(schema.clone(), vec![Column::Number(values.to_vec())])?;
            let mut model = NaiveBayesModel::start(&schema, &classes);
            let learnt = model.learn(table.view(), &[0, 1, 0, 1], &[1.0; 4]);
            assert_eq!(learnt.is_ok(), fits, "{values:?}");
            assert_eq!(model.check(&schema).is_ok(), fits, "{values:?}");
        }
        Ok(())
    }

    #[test]
    fn forged_means_and_weights_that_overflow_are_refused() -> Result<()> {
        let schema = Schema { fields: vec![Field::number("x"), Field::nominal("c", ["a", "b"])] };
        let classes = Classes::new(vec!["p".to_owned(), "q".to_owned()])?;
        let start = NaiveBayesModel::start(&schema, &classes);
        assert!(start.check(&schema).is_ok());
        let moments = |mean: f64, squares: f64| Moments { weight: 1.0, mean, squares };
        let forged: [fn(&mut NaiveBayesModel); 5] = [
            |model| model.weight = vec![1e308; 2],
            |model| model.weight[0] = f64::NAN,
            |model| model.columns[1] = Evidence::Nominal(vec![vec![1e308; 2]; 2]),
            |model| model.columns[1] = Evidence::Nominal(vec![vec![-1.0; 2]; 2]),
            |model| model.floor = f64::INFINITY,
        ];
        for forge in forged {
            let mut model = start.clone();
            forge(&mut model);
            assert!(model.check(&schema).is_err(), "{model:?}");
        }
        for numbers in [
            vec![moments(1e308, 0.0), moments(-1e308, 0.0)],
            vec![moments(0.0, 1e308), moments(1e200, 1e308)],
            vec![moments(f64::INFINITY, 1.0); 2],
        ] {
            let mut model = start.clone();
            model.columns[0] = Evidence::Number(numbers);
            assert!(model.check(&schema).is_err(), "{model:?}");
        }
        Ok(())
    }
}
