//! The contract of methods that predict a number.

use super::{methods_for, mixed, model_or_advice, train};
use evocracy::classify::Predicts;
use evocracy::data::{Column, Dataset, Field, Goal, Options, Schema, Table, Target, Task};
use evocracy::error::Result;
use evocracy::method::{Method, make, registry};
use evocracy::model::Model;

fn methods() -> Vec<Box<dyn Method>> {
    let methods = methods_for(Predicts::Number);
    assert!(!methods.is_empty());
    methods
}

/// The mixed table with its first column as the target; the class column is a feature.
pub fn numbers(rows: usize, seed: u64) -> Dataset {
    number_target(mixed(rows, seed).table().clone(), "signal", Some("weight"))
}

fn number_target(table: Table, target: &str, weights: Option<&str>) -> Dataset {
    let options = Options {
        target: Some(target.into()),
        weights: weights.map(str::to_owned),
        goal: Goal::Number,
        ..Options::default()
    };
    Dataset::new("numbers", table, &options).expect("a sound data set")
}

pub fn tables() -> Vec<Dataset> {
    vec![numbers(200, 1), numbers(9, 2), numbers(2, 3)]
}

/// Numbers are finite and explanations rebuild them.
pub fn check_predictions(name: &str, model: &Model, data: &Dataset) -> Result<()> {
    let rows = data.table().rows();
    let (mut found, mut variance) = (vec![0.0; rows], vec![0.0; rows]);
    model.predict_into(data.features(), &mut found, Some(&mut variance))?;
    assert_eq!(found, model.predict(data.features())?);
    assert!(found.iter().all(|value| value.is_finite()), "{name}: {found:?}");
    assert!(variance.iter().all(|v| v.is_finite() && *v >= 0.0), "{name}: {variance:?}");
    for row in (0..rows).step_by(rows / 7 + 1) {
        let rebuilt = model.explain(data.features(), row)?.rebuild();
        assert_eq!(rebuilt.len(), 1);
        let close = (rebuilt[0] - found[row]).abs() <= 1e-9 * found[row].abs().max(1.0);
        assert!(close, "{name}, row {row}: {} is not {}", rebuilt[0], found[row]);
    }
    assert!(model.proba(data.features()).is_err());
    assert!(model.classes().is_err() && !model.is_classifier());
    Ok(())
}

/// With the settings that a person gets who gives none.
#[test]
fn every_method_learns_something() -> Result<()> {
    for entry in registry().iter().filter(|entry| entry.predicts == Predicts::Number) {
        let (data, test) = (numbers(300, 7), numbers(300, 8));
        let model = train(make(entry.name, &[])?.as_ref(), &data.task()?, 1, 1)?.model;
        let (found, truth) = (model.predict(test.features())?, test.task()?.numbers()?);
        let judged = evocracy::measure::Regression::new(&truth, &found, None)?;
        let r2 = judged.r2.expect("the truth varies");
        assert!(r2 > 0.5, "{}: r2 is {r2}", entry.name);
    }
    Ok(())
}

#[test]
fn degenerate_tables_give_a_model_or_a_clear_error() -> Result<()> {
    let steps = |from: f64| (0..50).map(|i| from + f64::from(i)).collect::<Vec<_>>();
    let cases = [
        (vec![1.0; 4], vec![1.0, 2.0, 3.0, 4.0]),
        (vec![1.0, 2.0, 3.0, 4.0], vec![7.0; 4]),
        (vec![f64::NAN; 4], vec![1.0, 2.0, 3.0, 4.0]),
        (vec![0.0], vec![1.0]),
        (vec![1e300, -1e300, 1e300, -1e300], vec![1.0, 2.0, 1.0, 2.0]),
        (vec![1e-320, 2e-320, 1e-320, 3e-320], vec![1.0, 2.0, 1.0, 2.0]),
        (vec![1.0, 2.0, 3.0], vec![1e300, -1e300, 0.0]),
        (vec![1.0, 2.0, 3.0], vec![1e-310, 2e-310, 0.0]),
        (steps(1e9), steps(1e9)),
    ];
    for method in methods() {
        for (values, target) in &cases {
            let fields = vec![Field::number("x"), Field::number("y")];
            let columns = vec![Column::Number(values.clone()), Column::Number(target.clone())];
            let data = number_target(Table::new(Schema { fields }, columns)?, "y", None);
            model_or_advice(method.as_ref(), &data)?;
        }
    }
    Ok(())
}

#[test]
fn tasks_that_cannot_be_learnt_are_refused() -> Result<()> {
    for method in methods() {
        let refused = |task: &Task<'_>| train(method.as_ref(), task, 1, 1).unwrap_err();
        let data = numbers(30, 1);
        let task = data.task()?;
        assert!(refused(&task.with_rows(&[])).to_string().contains("no rows"));
        let values = task.numbers()?;
        let zeros = vec![0.0; 30];
        let weightless = Task::new(task.features, "y", Target::Number(&values), Some(&zeros))?;
        assert!(refused(&weightless).to_string().contains("weight"));
        let mut gap = values;
        gap[3] = f64::NAN;
        let task = Task::new(task.features, "y", Target::Number(&gap), None)?;
        assert!(refused(&task).to_string().contains("NaN"));
        let error = refused(&mixed(30, 1).task()?);
        assert!(error.to_string().contains("is a class"), "{error}");
        assert!(error.help().is_some());
    }
    Ok(())
}
