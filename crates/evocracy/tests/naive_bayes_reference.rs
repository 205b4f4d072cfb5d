//! Naive Bayes against scikit-learn (`reference/naive_bayes.py`), and its promise that the
//! chunks in which rows arrive do not matter.

mod common;

use common::{open, settings, train};
use evocracy::classify::{Online, Proba};
use evocracy::data::{
    Classes, Column, Dataset, Field, MISSING, Options, Schema, Table, Target, Task,
};
use evocracy::error::Result;
use evocracy::experts::NaiveBayesModel;
use evocracy::method::make;
use evocracy::model::Model;
use proptest::prelude::*;
use serde::Deserialize;

/// Probabilities agree to this, absolutely ...
const TOLERANCE: f64 = 1e-9;
/// ... and their logarithms to this share of themselves, so that a probability of 1e-40 is not
/// passed over. Our smallest floor, 1e-12 of the variance of a column, keeps it from being
/// tighter.
const LOG_TOLERANCE: f64 = 1e-10;

#[derive(Deserialize)]
struct Case {
    data: String,
    weighted: bool,
    classes: Vec<String>,
    rows: Vec<u32>,
    log_proba: Vec<Vec<f64>>,
}

fn cases() -> Vec<Case> {
    serde_json::from_str(include_str!("reference/naive_bayes.json")).unwrap()
}

/// The model of all rows, with the weights 1, 2, 3, 1, ... where the case is weighted.
fn fit(data: &Dataset, weighted: bool) -> Result<Model> {
    let weights: Vec<f64> = (0..data.table().rows()).map(|row| 1.0 + (row % 3) as f64).collect();
    let mut task = data.task()?;
    if weighted {
        let (codes, classes) = (data.codes().unwrap(), data.classes().unwrap());
        let target = Target::Class { codes, classes };
        task = Task::new(task.features, data.target_name(), target, Some(&weights))?;
    }
    let settings = settings(&[("smoothing", "1"), ("floor", "1e-12")]);
    Ok(train(make("naive-bayes", &settings)?.as_ref(), &task, 1, 1)?.model)
}

fn compare(case: &Case, proba: &Proba) {
    assert_eq!(proba.rows(), case.log_proba.len());
    for (row, logs) in case.log_proba.iter().enumerate() {
        for (ours, &log) in proba.row(row).iter().zip(logs) {
            let place = format!("{}, weighted {}, row {row}", case.data, case.weighted);
            let theirs = log.exp();
            assert!((ours - theirs).abs() < TOLERANCE, "{place}: {ours}, expected {theirs}");
            // Below this a probability loses its digits.
            if theirs > 1e-300 {
                let off = (ours.ln() - log).abs();
                assert!(off < LOG_TOLERANCE * log.abs().max(1.0), "{place}: log off by {off}");
            }
        }
    }
}

#[test]
fn probabilities_are_those_of_an_independent_implementation() -> Result<()> {
    for case in cases() {
        let data = open(&case.data);
        let model = fit(&data, case.weighted)?;
        assert_eq!(model.classes()?.names(), case.classes, "{}", case.data);
        compare(&case, &model.proba(data.features().with_rows(&case.rows))?);
    }
    Ok(())
}

/// One row: a number, a level (4 is missing), a class, a weight.
type Row = (Option<f64>, u32, u32, f64);

fn any_row() -> impl Strategy<Value = Row> {
    let number = prop_oneof![1 => Just(None), 4 => (-1e9..1e9).prop_map(Some)];
    (number, 0..5_u32, 0..3_u32, prop_oneof![Just(0.0), Just(1.0), 1e-3..1e3])
}

fn table(rows: &[Row]) -> Table {
    let fields = vec![Field::number("x"), Field::nominal("c", ["p", "q", "r", "s"])];
    let numbers = rows.iter().map(|row| row.0.unwrap_or(f64::NAN)).collect();
    let codes = rows.iter().map(|row| if row.1 == 4 { MISSING } else { row.1 }).collect();
    let columns = vec![Column::Number(numbers), Column::Nominal(codes)];
    Table::new(Schema { fields }, columns).unwrap()
}

/// The model that has learnt the rows in chunks that end at the cuts.
fn learnt(rows: &[Row], cuts: &[usize]) -> NaiveBayesModel {
    let table = table(rows);
    let classes = Classes::new(["a", "b", "c"].map(String::from).to_vec()).unwrap();
    let mut model = NaiveBayesModel::start(table.schema(), &classes);
    let mut start = 0;
    for &end in cuts.iter().chain([&rows.len()]) {
        let ids: Vec<u32> = (start as u32..end as u32).collect();
        let labels: Vec<u32> = rows[start..end].iter().map(|row| row.2).collect();
        let weights: Vec<f64> = rows[start..end].iter().map(|row| row.3).collect();
        model.learn(table.view().with_rows(&ids), &labels, &weights).unwrap();
        start = end;
    }
    model
}

proptest! {
    #[test]
    fn any_chunks_give_the_bytes_of_one_batch(
        rows in prop::collection::vec(any_row(), 1..80),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(rows.len() + 1)).collect();
        cuts.sort_unstable();
        let bytes = |cuts: &[usize]| rmp_serde::to_vec_named(&learnt(&rows, cuts)).unwrap();
        prop_assert_eq!(bytes(&cuts), bytes(&[]));
    }
}

/// The trait and the method must be the same learner.
#[test]
fn learning_online_is_fitting() -> Result<()> {
    let rows: Vec<Row> =
        (0..30_u32).map(|i| (Some(f64::from(i * i % 17)), i % 5, i % 3, 1.0)).collect();
    let (mut schema, mut columns) = table(&rows).into_parts();
    schema.fields.push(Field::nominal("class", ["a", "b", "c"]));
    columns.push(Column::Nominal(rows.iter().map(|row| row.2).collect()));
    let data = Dataset::new("rows", Table::new(schema, columns)?, &Options::default())?;
    let fitted = train(make("naive-bayes", &[])?.as_ref(), &data.task()?, 1, 1)?;
    let evocracy::model::Core::NaiveBayes(core) = fitted.model.core() else {
        panic!("naive Bayes makes a naive Bayes model")
    };
    assert_eq!(*core, learnt(&rows, &[7, 7, 20]));
    Ok(())
}
