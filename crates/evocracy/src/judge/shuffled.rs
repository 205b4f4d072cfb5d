//! How much a model needs each column: what it loses where the cells of the column are shuffled
//! among the rows (permutation importance: L. Breiman, "Random forests", Machine Learning 45 (2001)
//! 5-32; of any model: A. Fisher, C. Rudin, F. Dominici, JMLR 20 (2019), no. 177).
//!
//! The intervals are over the shuffles: they say how certain the mean loss on these rows is, not
//! what other rows would give. Columns that tell the same share what they are worth; a model loses
//! little by either of them.

use super::judging::{fill_rest, recognised_rows, target_field};
use super::remark::Remark;
use crate::classify::Proba;
use crate::data::{Column, Field, Kind, MISSING, Schema, Table, View};
use crate::error::{Error, Result};
use crate::evolve::{Rng, below, rng, shuffle};
use crate::measure::{Interval, LEVEL, log2_likelihood, rmse};
use crate::model::{Model, Recognised, Truth};
use crate::num::t_quantile_above;
use crate::run::{Run, Seed};
use serde::Serialize;

/// No more rows than this are used, drawn from those that are given.
const MOST_ROWS: usize = 5000;
/// At least so many rows are used where there are as many.
const LEAST_ROWS: usize = 200;
/// About so many operations all predictions may take.
const OPERATIONS: usize = 100_000_000_000;

/// How well a model does: of a classifier the first two, of a model of numbers the last.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Does {
    /// The mean log2-likelihood of the true class.
    pub log2_likelihood: Option<f64>,
    /// The share of the rows that are called rightly.
    pub accuracy: Option<f64>,
    /// The root mean square error.
    pub rmse: Option<f64>,
}

/// What is lost on average over the shuffles, with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Loss {
    /// The mean.
    pub mean: f64,
    /// The interval of that mean over the shuffles.
    pub interval: Interval,
}

/// What is lost without one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnLoss {
    /// The column.
    pub column: String,
    /// By how much the log2-likelihood of a row falls, in bits.
    pub log2_likelihood: Option<Loss>,
    /// By how much the accuracy falls.
    pub accuracy: Option<Loss>,
    /// By how much the root mean square error rises.
    pub rmse: Option<Loss>,
}

impl ColumnLoss {
    /// What columns are ordered by: bits, or the error of numbers.
    pub fn first(&self) -> f64 {
        self.log2_likelihood.or(self.rmse).map_or(0.0, |loss| loss.mean)
    }
}

/// What a model loses without each of its columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Needs {
    /// On how many rows that was measured.
    pub rows: usize,
    /// Of so many with a target that the model knows, at random where they are more.
    pub of_rows: usize,
    /// How many further rows have no target, or a class that the model does not know.
    pub unknown: usize,
    /// How often each column was shuffled.
    pub repeats: usize,
    /// What the model does on the rows as they are.
    pub unshuffled: Does,
    /// The columns that were shuffled, the most needed first; less than all after a stop.
    pub columns: Vec<ColumnLoss>,
    /// What was noticed about the rows.
    pub remarks: Vec<Remark>,
}

/// Rows on which the columns of a model are going to be shuffled.
pub struct Shuffling<'a> {
    model: &'a Model,
    /// The columns of the model, then the target.
    schema: Schema,
    columns: Vec<Column>,
    most: usize,
    repeats: usize,
    met: usize,
    unknown: usize,
    recognised: Recognised,
    rng: Rng,
}

impl<'a> Shuffling<'a> {
    /// Shuffles so many times, at least twice.
    pub fn new(model: &'a Model, repeats: usize, seed: Seed) -> Result<Self> {
        if !(2..=1000).contains(&repeats) {
            return Err(Error::Param {
                of: "permutation importance".to_owned(),
                name: "repeats".to_owned(),
                expected: "a whole number from 2 to 1000".to_owned(),
                got: repeats.to_string(),
            });
        }
        let mut schema = model.schema().clone();
        let asked = schema.len().saturating_mul(repeats).saturating_mul(model.cost_of_a_row());
        let most = (OPERATIONS / asked.max(1)).clamp(LEAST_ROWS, MOST_ROWS);
        schema.fields.push(target_field(model));
        let empty = |field: &Field| match field.kind {
            Kind::Number => Column::Number(Vec::new()),
            Kind::Nominal(_) => Column::Nominal(Vec::new()),
        };
        let columns = schema.fields.iter().map(empty).collect();
        let (met, unknown, recognised) = (0, 0, Recognised::default());
        let rng = rng(seed.child("sample", 0));
        Ok(Self { model, schema, columns, most, repeats, met, unknown, recognised, rng })
    }

    /// Takes rows in; they hold the target. Of many rows a random sample is kept (algorithm R of
    /// J. S. Vitter, ACM Transactions on Mathematical Software 11 (1985) 37-57).
    pub fn add(&mut self, rows: View<'_>) -> Result<()> {
        let conformed = self.schema.conform(rows)?;
        let own = conformed.view();
        let mut cells: Vec<Column> = (0..own.columns()).map(|column| own.gather(column)).collect();
        if let (Some(Column::Nominal(codes)), Ok(classes)) =
            (cells.last_mut(), self.model.classes())
            && let Some(rest) = classes.rest()
        {
            fill_rest(codes, rest as u32, rows, &self.model.about().target);
        }
        self.recognise(rows, &cells);
        for row in 0..own.rows() {
            let known = match cells.last() {
                Some(Column::Nominal(codes)) => codes[row] != MISSING,
                Some(Column::Number(values)) => !values[row].is_nan(),
                None => false,
            };
            if !known {
                self.unknown += 1;
                continue;
            }
            self.met += 1;
            let place =
                if self.met <= self.most { self.met - 1 } else { below(self.met, &mut self.rng) };
            if place < self.most {
                let all = self.columns.iter_mut().zip(&cells);
                all.for_each(|(column, cells)| put(column, place, cells, row));
            }
        }
        Ok(())
    }

    /// Counts rows that the model was trained on.
    fn recognise(&mut self, rows: View<'_>, cells: &[Column]) {
        let Some(seen) = self.model.seen().filter(|seen| seen.tells(self.model.about().rows))
        else {
            return;
        };
        let of = &mut self.recognised;
        match (cells.last(), self.model.classes()) {
            (Some(Column::Nominal(codes)), Ok(classes)) if !codes.contains(&MISSING) => {
                seen.look_for(self.model.schema(), rows, Truth::Codes(codes, classes), of);
            }
            (Some(Column::Number(values)), Err(_)) => {
                seen.look_for(self.model.schema(), rows, Truth::Numbers(values), of);
            }
            _ => {}
        }
    }

    /// What is lost without each column. After a stop only the columns that were done are there; an
    /// error where none was.
    pub fn measure(self, run: &Run<'_>) -> Result<Needs> {
        let rows = self.columns.last().map_or(0, Column::len);
        if rows == 0 {
            let what = format!("no row has a `{}` that the model knows", self.model.about().target);
            return Err(Error::unsuitable(what, "give rows whose target is known"));
        }
        let threads = run.pool.threads().min(self.columns.len());
        run.reserve("shuffled rows", &[rows, self.columns.len(), threads])?;
        let table = Table::new(self.schema.clone(), self.columns.clone())?;
        let unshuffled = self.does(&table, run)?;
        let features = self.model.schema().len();
        let task = run.task("columns", (features * self.repeats) as u64);
        let found = run.pool.map(features, |column| self.losses(column, unshuffled, &task));
        let mut columns = Vec::with_capacity(features);
        for found in found {
            match found {
                Ok(column) => columns.push(column),
                Err(Error::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        if columns.is_empty() {
            return Err(Error::Stopped);
        }
        // The sort is stable: columns that matter as much stay in their order.
        columns.sort_by(|a, b| b.first().total_cmp(&a.first()));
        Ok(Needs {
            rows,
            of_rows: self.met,
            unknown: self.unknown,
            repeats: self.repeats,
            unshuffled,
            columns,
            remarks: recognised_rows(&self.recognised).into_iter().collect(),
        })
    }

    /// What is lost where a column is shuffled.
    fn losses(&self, column: usize, before: Does, run: &Run<'_>) -> Result<ColumnLoss> {
        let mut rng = rng(run.seed.child("column", column as u64));
        let mut columns = self.columns.clone();
        let mut all = Vec::with_capacity(self.repeats);
        for _ in 0..self.repeats {
            run.stop.check()?;
            match &mut columns[column] {
                Column::Number(values) => shuffle(values, &mut rng),
                Column::Nominal(codes) => shuffle(codes, &mut rng),
            }
            let table = Table::new(self.schema.clone(), columns)?;
            all.push(self.does(&table, run)?);
            columns = table.into_parts().1;
            run.watch.advance(1);
        }
        let loss = |of: fn(&Does) -> Option<f64>, sign: f64| {
            let before = of(&before)?;
            let each: Option<Vec<f64>> =
                all.iter().map(|does| Some(sign * (before - of(does)?))).collect();
            Some(mean_loss(&each?))
        };
        Ok(ColumnLoss {
            column: self.schema.fields[column].name.clone(),
            log2_likelihood: loss(|does| does.log2_likelihood, 1.0),
            accuracy: loss(|does| does.accuracy, 1.0),
            rmse: loss(|does| does.rmse, -1.0),
        })
    }

    /// How well the model does on rows with the target in the last column.
    fn does(&self, table: &Table, run: &Run<'_>) -> Result<Does> {
        let features: Vec<u32> = (0..self.model.schema().len() as u32).collect();
        let rows = table.view().with_columns(&features);
        match (table.columns().last(), self.model.classes()) {
            (Some(Column::Nominal(truth)), Ok(classes)) => {
                let proba: Proba = self.model.proba_until(rows, run.stop)?;
                let calls = self.model.decision().calls(proba.values(), classes);
                let right = calls.iter().zip(truth).filter(|(call, truth)| call == truth).count();
                Ok(Does {
                    log2_likelihood: Some(log2_likelihood(
                        truth,
                        proba.values(),
                        classes.len(),
                        None,
                    )?),
                    accuracy: Some(right as f64 / truth.len() as f64),
                    rmse: None,
                })
            }
            (Some(Column::Number(truth)), Err(_)) => {
                run.stop.check()?;
                let predicted = self.model.predict(rows)?;
                Ok(Does { rmse: Some(rmse(truth, &predicted, None)?), ..Does::default() })
            }
            _ => Err(Error::unsuitable("the target is of another kind", "")),
        }
    }
}

/// Puts a cell in its place, which is at most one behind the last.
fn put(column: &mut Column, place: usize, cells: &Column, row: usize) {
    fn put<T>(column: &mut Vec<T>, place: usize, cell: T) {
        match column.get_mut(place) {
            Some(old) => *old = cell,
            None => column.push(cell),
        }
    }
    match (column, cells) {
        (Column::Number(values), Column::Number(cells)) => put(values, place, cells[row]),
        (Column::Nominal(codes), Column::Nominal(cells)) => put(codes, place, cells[row]),
        _ => {}
    }
}

/// The mean of at least two losses with its interval by Student's t.
fn mean_loss(each: &[f64]) -> Loss {
    let count = each.len() as f64;
    let mean = each.iter().sum::<f64>() / count;
    let squares: f64 = each.iter().map(|loss| (loss - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let half = t_quantile_above((1.0 - LEVEL) / 2.0, count - 1.0) * error;
    Loss { mean, interval: Interval { low: mean - half, high: mean + half, level: LEVEL } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Options};
    use crate::method::make;
    use crate::run::{Pool, Stop};

    /// Sixty rows: the class is whether `x` is above 30, or the number is `2 x + 1/2`; `noise` has no part.
    fn rows(number: bool) -> Dataset {
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let noise: Vec<f64> = (0..60).map(|row| f64::from(row * 37 % 60)).collect();
        let (y, codes) = (x.iter().map(|x| 2.0 * x + 0.5), x.iter().map(|x| u32::from(*x > 29.5)));
        let (field, target) = if number {
            (Field::number("class"), Column::Number(y.collect()))
        } else {
            (Field::nominal("class", ["no", "yes"]), Column::Nominal(codes.collect()))
        };
        let schema = Schema { fields: vec![Field::number("noise"), Field::number("x"), field] };
        let columns = vec![Column::Number(noise), Column::Number(x), target];
        let table = Table::new(schema, columns).unwrap();
        Dataset::new("rows", table, &Options::default()).unwrap()
    }

    fn needs(data: &Dataset, method: &str, threads: usize, stop: &Stop) -> Result<Needs> {
        let pool = Pool::new(threads)?;
        let quiet = Stop::new();
        let model = make(method, &[])?.train(&data.task()?, &Run::new(1, &quiet, &pool))?.model;
        let run = Run::new(1, stop, &pool);
        let mut shuffling = Shuffling::new(&model, 10, run.seed)?;
        shuffling.add(data.table().view())?;
        shuffling.measure(&run)
    }

    #[test]
    fn a_column_that_nothing_asks_for_is_lost_without_loss() -> Result<()> {
        let stop = Stop::new();
        let found = needs(&rows(false), "tree", 1, &stop)?;
        assert_eq!((found.rows, found.of_rows, found.unknown, found.repeats), (60, 60, 0, 10));
        assert_eq!(found.unshuffled.accuracy, Some(1.0));
        let [x, noise] = &found.columns[..] else { panic!("two columns") };
        assert_eq!((x.column.as_str(), noise.column.as_str()), ("x", "noise"));
        let none = noise.accuracy.unwrap();
        assert_eq!((none.mean, none.interval.low, none.interval.high), (0.0, 0.0, 0.0));
        // Half of each class keeps its side by chance: half of the accuracy is lost.
        let lost = x.accuracy.unwrap();
        assert!((lost.mean - 0.5).abs() < 0.1, "{lost:?}");
        assert!(lost.interval.low < lost.mean && lost.mean < lost.interval.high);
        // Any number of threads gives the same.
        assert_eq!(needs(&rows(false), "tree", 3, &stop)?, found);
        Ok(())
    }

    #[test]
    fn of_numbers_the_error_rises() -> Result<()> {
        let found = needs(&rows(true), "ridge", 1, &Stop::new())?;
        let x = found.columns.iter().find(|loss| loss.column == "x").unwrap();
        // Two independent draws of the uniform distribution on 0..118 differ by 118 / sqrt(6).
        assert!((x.rmse.unwrap().mean - 48.2).abs() < 6.0, "{x:?}");
        assert!(x.accuracy.is_none() && found.columns[0].column == "x");
        Ok(())
    }

    #[test]
    fn rows_without_a_known_class_are_counted_and_a_stop_ends_it() -> Result<()> {
        let (data, stop, pool) = (rows(false), Stop::new(), Pool::new(1)?);
        let run = Run::new(1, &stop, &pool);
        let model = make("tree", &[])?.train(&data.task()?, &run)?.model;
        let schema =
            Schema { fields: vec![Field::number("x"), Field::nominal("class", ["maybe", "no"])] };
        let columns =
            vec![Column::Number(vec![1.0, 2.0, 3.0]), Column::Nominal(vec![0, 1, MISSING])];
        let few = Table::new(schema.clone(), columns)?;
        let mut shuffling = Shuffling::new(&model, 2, run.seed)?;
        assert!(shuffling.add(few.view()).is_err(), "a column is lacking");
        let columns = few.columns().to_vec();
        let fields = [schema.fields, vec![Field::number("noise")]].concat();
        let few =
            Table::new(Schema { fields }, [columns, vec![Column::Number(vec![0.0; 3])]].concat())?;
        shuffling.add(few.view())?;
        let found = shuffling.measure(&run)?;
        assert_eq!((found.rows, found.unknown), (1, 2));
        assert!(Shuffling::new(&model, 2, run.seed)?.measure(&run).is_err(), "no row");
        assert!(Shuffling::new(&model, 1, run.seed).is_err(), "one shuffle has no spread");
        stop.request();
        assert!(matches!(needs(&data, "tree", 1, &stop), Err(Error::Stopped)));
        Ok(())
    }

    #[test]
    fn of_many_rows_some_are_drawn() -> Result<()> {
        let (data, stop, pool) = (rows(false), Stop::new(), Pool::new(1)?);
        let run = Run::new(1, &stop, &pool);
        let model = make("tree", &[])?.train(&data.task()?, &run)?.model;
        let mut shuffling = Shuffling::new(&model, 2, run.seed)?;
        (0..100).try_for_each(|_| shuffling.add(data.table().view()))?;
        let found = shuffling.measure(&run)?;
        assert_eq!((found.rows, found.of_rows), (MOST_ROWS, 6000));
        Ok(())
    }
}
