//! The contract of methods that predict a number.

use super::{mixed, train};
use evocracy::classify::Predicts;
use evocracy::data::{Column, Dataset, Field, Goal, MISSING, Options, Schema, Table, Target, Task};
use evocracy::error::{Error, Result};
use evocracy::method::Method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop, StopReason};

fn methods() -> Vec<Box<dyn Method>> {
    let methods = super::methods_for(Predicts::Number);
    assert!(!methods.is_empty());
    methods
}

/// The mixed table with its first column as the target; the class column is a feature.
fn numbers(rows: usize, seed: u64) -> Dataset {
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

fn tables() -> Vec<Dataset> {
    vec![numbers(200, 1), numbers(9, 2), numbers(2, 3)]
}

fn check_predictions(name: &str, model: &Model, data: &Dataset) -> Result<()> {
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

#[test]
fn predictions_are_finite_and_explanations_rebuild_them() -> Result<()> {
    for method in methods() {
        for data in tables() {
            let fitted = train(method.as_ref(), &data.task()?, 1, 2)?;
            assert_eq!(fitted.stop, StopReason::Finished);
            check_predictions(method.name(), &fitted.model, &data)?;
        }
    }
    Ok(())
}

#[test]
fn every_method_learns_something() -> Result<()> {
    for method in methods() {
        let (data, test) = (numbers(300, 7), numbers(300, 8));
        let model = train(method.as_ref(), &data.task()?, 1, 1)?.model;
        let (found, truth) = (model.predict(test.features())?, test.task()?.numbers()?);
        let judged = evocracy::measure::Regression::new(&truth, &found, None)?;
        let r2 = judged.r2.expect("the truth varies");
        assert!(r2 > 0.5, "{}: r2 is {r2}", method.name());
    }
    Ok(())
}

#[test]
fn a_saved_model_is_the_same_model_for_any_number_of_threads() -> Result<()> {
    for method in methods() {
        for data in tables() {
            let model = |threads| Ok(train(method.as_ref(), &data.task()?, 5, threads)?.model);
            let (one, eight): (Model, Model) = (model(1)?, model(8)?);
            assert_eq!(one.to_bytes()?, eight.to_bytes()?, "{}", method.name());
            let loaded = Model::from_bytes(&one.to_bytes()?)?;
            assert_eq!(loaded.to_bytes()?, one.to_bytes()?);
            assert_eq!(loaded.predict(data.features())?, one.predict(data.features())?);
        }
    }
    Ok(())
}

#[test]
fn a_raised_stop_flag_gives_a_usable_model_or_says_so() -> Result<()> {
    for method in methods() {
        let data = numbers(500, 3);
        let (stop, pool) = (Stop::new(), Pool::new(2)?);
        stop.request();
        match method.train(&data.task()?, &Run::new(1, &stop, &pool)) {
            Ok(fitted) => {
                assert_eq!(fitted.stop, StopReason::Interrupted, "{}", method.name());
                check_predictions(method.name(), &fitted.model, &data)?;
            }
            Err(error) => assert!(matches!(error, Error::Stopped), "{}: {error}", method.name()),
        }
    }
    Ok(())
}

#[test]
fn zero_weight_rows_do_not_count() -> Result<()> {
    for method in methods() {
        let data = numbers(120, 4);
        let task = data.task()?;
        let values = task.numbers()?;
        let kept: Vec<u32> = (0..60).collect();
        let weights: Vec<f64> = (0..120).map(|row| f64::from(u8::from(row < 60))).collect();
        let ones = vec![1.0; 120];
        let of = |weights| Task::new(task.features, "signal", Target::Number(&values), weights);
        let a = train(method.as_ref(), &of(Some(&weights))?, 1, 1)?.model;
        let b = train(method.as_ref(), &of(Some(&ones))?.with_rows(&kept), 1, 1)?.model;
        let (a, b) = (a.predict(data.features())?, b.predict(data.features())?);
        for (x, y) in a.iter().zip(&b) {
            assert!((x - y).abs() < 1e-9, "{}: {x} is not {y}", method.name());
        }
    }
    Ok(())
}

#[test]
fn columns_are_found_by_name_and_new_levels_count_as_missing() -> Result<()> {
    for method in methods() {
        let data = numbers(200, 1);
        let model = train(method.as_ref(), &data.task()?, 1, 1)?.model;
        let expected = model.predict(data.features())?;
        let (mut schema, mut columns) = data.table().clone().into_parts();
        schema.fields.reverse();
        columns.reverse();
        let turned = Table::new(schema.clone(), columns.clone())?;
        assert_eq!(model.predict(turned.view())?, expected, "{}", method.name());

        let colour = schema.find("colour", "")?;
        schema.fields[colour] = Field::nominal("colour", ["violet"]);
        columns[colour] = Column::Nominal(vec![0; 200]);
        let unseen = Table::new(schema.clone(), columns.clone())?;
        columns[colour] = Column::Nominal(vec![MISSING; 200]);
        let missing = Table::new(schema.clone(), columns.clone())?;
        assert_eq!(model.predict(unseen.view())?, model.predict(missing.view())?);

        schema.fields.remove(colour);
        columns.remove(colour);
        let error = model.predict(Table::new(schema, columns)?.view()).unwrap_err().to_string();
        assert!(error.contains("`colour`"), "{error}");
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
            match train(method.as_ref(), &data.task()?, 1, 1) {
                Ok(fitted) => check_predictions(method.name(), &fitted.model, &data)?,
                Err(error) => assert!(error.help().is_some(), "{}: {error}", method.name()),
            }
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
