//! The contract of methods that predict a class.

use super::{methods_for, mixed, model_or_advice, open, train};
use evocracy::classify::Predicts;
use evocracy::data::{Column, Dataset, Field, Goal, MISSING, Options, Schema, Table, Target, Task};
use evocracy::error::Result;
use evocracy::method::{Method, make, registry};
use evocracy::model::Model;

/// Methods over all rules of some bits: mushroom has too many.
const EXHAUSTIVE: [&str; 2] = ["moe-batch", "moe-online"];

fn methods() -> Vec<Box<dyn Method>> {
    methods_for(Predicts::Class)
}

/// All tables that a method takes.
pub fn tables(method: &dyn Method) -> Vec<Dataset> {
    let mut tables = vec![open("iris"), open("pima"), open("car"), mixed(200, 1), mixed(9, 2)];
    if !EXHAUSTIVE.contains(&method.name()) {
        let mushroom = open("mushroom");
        let some: Vec<u32> = (0..mushroom.table().rows() as u32).step_by(4).collect();
        tables.push(mushroom.part("mushroom", &some).expect("rows of the table"));
    }
    tables
}

#[test]
fn more_bits_than_there_is_room_for_are_refused_with_advice() -> Result<()> {
    let data = open("mushroom");
    for name in EXHAUSTIVE {
        let error = train(make(name, &[])?.as_ref(), &data.task()?, 1, 1).unwrap_err();
        assert!(error.to_string().contains("3^53 rules"), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("bits:2")), "{error}");
    }
    Ok(())
}

/// Probabilities sum to 1 and explanations rebuild them.
pub fn check_predictions(name: &str, model: &Model, data: &Dataset) -> Result<()> {
    let proba = model.proba(data.features())?;
    assert_eq!(proba.rows(), data.table().rows());
    for row in 0..proba.rows() {
        let values = proba.row(row);
        assert!(values.iter().all(|p| (0.0..=1.0).contains(p)), "{name}: {values:?}");
        assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}: {values:?}");
    }
    for row in (0..proba.rows()).step_by(proba.rows() / 7 + 1) {
        let rebuilt = model.explain(data.features(), row)?.rebuild();
        for (rebuilt, p) in rebuilt.iter().zip(proba.row(row)) {
            assert!((rebuilt - p).abs() < 1e-9, "{name}, row {row}: {rebuilt} is not {p}");
        }
    }
    Ok(())
}

/// With the settings that a person gets who gives none.
#[test]
fn every_method_learns_something() -> Result<()> {
    for entry in registry().iter().filter(|entry| entry.predicts == Predicts::Class) {
        let (data, test) = (mixed(300, 7), mixed(300, 8));
        let fitted = train(make(entry.name, &[])?.as_ref(), &data.task()?, 1, 1)?;
        let proba = fitted.model.proba(test.features())?;
        let codes = test.codes().expect("classes");
        let right = (0..300).filter(|&row| proba.best(row) as u32 == codes[row]).count();
        assert!(right > 150, "{}: {right} of 300 right, chance is 100", entry.name);
    }
    Ok(())
}

#[test]
fn a_level_of_rows_held_back_is_not_known() -> Result<()> {
    let data = mixed(200, 4);
    let Column::Nominal(colours) = &data.table().columns()[3] else { panic!("levels") };
    let white = |row: &u32| colours[*row as usize] == 3;
    let (held, rows): (Vec<u32>, Vec<u32>) = (0..200).partition(white);
    let blank: Vec<u32> = colours.iter().map(|&c| if c == 3 { MISSING } else { c }).collect();
    let (schema, mut columns) = data.table().clone().into_parts();
    columns[3] = Column::Nominal(blank);
    let blank = Table::new(schema, columns)?;
    for method in methods() {
        let name = method.name();
        let model = train(method.as_ref(), &data.task()?.with_rows(&rows), 1, 1)?.model;
        let colour = model.schema().fields.iter().find(|field| field.name == "colour");
        assert_eq!(colour.expect(name).levels(), ["blue", "green", "red"], "{name}");
        let met = model.proba(data.features().with_rows(&held))?;
        let missing = model.proba(blank.view().with_rows(&held))?;
        assert_eq!(met.values(), missing.values(), "{name}");
    }
    Ok(())
}

/// A table of two columns that make life hard, with two classes.
fn hard(values: Vec<f64>, codes: Vec<u32>) -> Result<Dataset> {
    let rows = values.len();
    let schema = Schema {
        fields: vec![
            Field::number("x"),
            Field::nominal("only", ["one"]),
            Field::nominal("class", ["no", "yes"]),
        ],
    };
    let columns =
        vec![Column::Number(values), Column::Nominal(vec![0; rows]), Column::Nominal(codes)];
    Dataset::new("hard", Table::new(schema, columns)?, &Options::default())
}

#[test]
fn degenerate_tables_give_a_model_or_a_clear_error() -> Result<()> {
    let cases = [
        (vec![1.0, 1.0, 1.0, 1.0], vec![0, 1, 0, 1]),
        (vec![f64::NAN; 4], vec![0, 1, 0, 1]),
        (vec![0.0, 1.0], vec![0, 1]),
        (vec![1e300, -1e300, 1e300, -1e300], vec![0, 1, 0, 1]),
        (vec![1e-320, 2e-320, 1e-320, 3e-320], vec![0, 1, 0, 1]),
        (vec![f64::NAN, 5.0, 5.0, f64::NAN], vec![0, 1, 1, 0]),
        ((0..50).map(|i| 1e9 + f64::from(i)).collect(), (0..50).map(|i| i % 2).collect()),
    ];
    for method in methods() {
        for (values, codes) in &cases {
            model_or_advice(method.as_ref(), &hard(values.clone(), codes.clone())?)?;
        }
    }
    Ok(())
}

#[test]
fn tasks_that_cannot_be_learnt_are_refused() -> Result<()> {
    for method in methods() {
        let refused = |task: &Task<'_>| train(method.as_ref(), task, 1, 1).unwrap_err().to_string();
        let data = mixed(30, 1);
        let task = data.task()?;
        assert!(refused(&task.with_rows(&[])).contains("no rows"));
        assert!(refused(&task.with_rows(&[0, 3, 6])).contains("class `a`"));
        let (classes, labels) = task.labels()?;
        let target = Target::Class { codes: &labels, classes };
        let zeros = vec![0.0; 30];
        assert!(
            refused(&Task::new(task.features, "class", target, Some(&zeros))?).contains("weight")
        );
        for bad in [f64::NAN, -1.0, f64::INFINITY] {
            let weights = vec![bad; 30];
            assert!(Task::new(task.features, "class", target, Some(&weights)).is_err());
        }
        let options =
            Options { target: Some("signal".into()), goal: Goal::Number, ..Options::default() };
        let number = Dataset::new("n", mixed(30, 1).table().clone(), &options)?;
        assert!(refused(&number.task()?).contains("is a number"));
    }
    Ok(())
}
