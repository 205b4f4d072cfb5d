//! The contract that every registered method keeps, on tables of every kind: `contract/classes.rs`
//! has what only those that predict classes promise, `contract/numbers.rs` the same for numbers,
//! `contract/online.rs` what models that learn row by row promise, `contract/params.rs` what
//! parameter tables promise, `contract/stops.rs` that all can be stopped at any moment,
//! `contract/weights.rs` what weights of rows mean.

#[path = "contract/classes.rs"]
mod classes;
mod common;
#[path = "contract/numbers.rs"]
mod numbers;
#[path = "contract/online.rs"]
mod online;
#[path = "contract/params.rs"]
mod params;
#[path = "contract/stops.rs"]
mod stops;
#[path = "contract/weights.rs"]
mod weights;

use common::{open, settings, train};
use evocracy::classify::Predicts;
use evocracy::data::{Column, Dataset, Field, MISSING, Options, Schema, Table, Task, View};
use evocracy::error::{Error, Result};
use evocracy::method::{Method, make, registry};
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use rand::{Rng, RngExt};

/// All methods, the slow ones with small settings.
fn methods() -> Vec<Box<dyn Method>> {
    let all = registry();
    let small = all.iter().map(|entry| make(entry.name, &settings(entry.small)));
    small.map(|method| method.expect("small settings are valid")).collect()
}

fn methods_for(predicts: Predicts) -> Vec<Box<dyn Method>> {
    methods().into_iter().filter(|method| method.predicts() == predicts).collect()
}

/// Numbers and levels, both with missing values, three classes, weights.
fn mixed(rows: usize, seed: u64) -> Dataset {
    let mut rng = Seed::new(seed).rng();
    let mut columns: [Vec<f64>; 3] = Default::default();
    let (mut colour, mut class) = (Vec::new(), Vec::new());
    for row in 0..rows {
        let kind = row as u32 % 3;
        class.push(kind);
        let noise = |rng: &mut rand_chacha::ChaCha8Rng| rng.random::<f64>() - 0.5;
        columns[0].push(f64::from(kind) + noise(&mut rng));
        columns[1].push(if rng.random_bool(0.3) { f64::NAN } else { 1e6 * noise(&mut rng) });
        columns[2].push(rng.random_range(0.0..2.0));
        let level = if rng.random_bool(0.6) { kind } else { rng.next_u32() % 4 };
        colour.push(if rng.random_bool(0.1) { MISSING } else { level });
    }
    let [signal, gaps, weight] = columns;
    let schema = Schema {
        fields: vec![
            Field::number("signal"),
            Field::number("gaps"),
            Field::number("weight"),
            Field::nominal("colour", ["blue", "green", "red", "white"]),
            Field::nominal("class", ["a", "b", "c"]),
        ],
    };
    let columns = vec![
        Column::Number(signal),
        Column::Number(gaps),
        Column::Number(weight),
        Column::Nominal(colour),
        Column::Nominal(class),
    ];
    let table = Table::new(schema, columns).expect("a sound table");
    let options = Options { weights: Some("weight".into()), ..Options::default() };
    Dataset::new("mixed", table, &options).expect("a sound data set")
}

/// The mixed table with a target that the method predicts.
fn mixed_for(method: &dyn Method, rows: usize, seed: u64) -> Dataset {
    match method.predicts() {
        Predicts::Class => mixed(rows, seed),
        Predicts::Number => numbers::numbers(rows, seed),
    }
}

/// All tables that a method takes.
fn tables(method: &dyn Method) -> Vec<Dataset> {
    match method.predicts() {
        Predicts::Class => classes::tables(method),
        Predicts::Number => numbers::tables(),
    }
}

/// The probabilities or the numbers that a model predicts.
fn answers(model: &Model, rows: View<'_>) -> Result<Vec<f64>> {
    if model.is_classifier() {
        Ok(model.proba(rows)?.values().to_vec())
    } else {
        model.predict(rows)
    }
}

fn check_predictions(name: &str, model: &Model, data: &Dataset) -> Result<()> {
    if model.is_classifier() {
        classes::check_predictions(name, model, data)
    } else {
        numbers::check_predictions(name, model, data)
    }
}

#[test]
fn predictions_are_sound_and_explanations_rebuild_them() -> Result<()> {
    for method in methods() {
        for data in tables(method.as_ref()) {
            let name = format!("{} on {}", method.name(), data.name);
            let fitted = train(method.as_ref(), &data.task()?, 1, 2)?;
            assert_eq!(fitted.stop, StopReason::Finished);
            check_predictions(&name, &fitted.model, &data)?;
        }
    }
    Ok(())
}

#[test]
fn a_saved_model_is_the_same_model() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    for method in methods() {
        for data in tables(method.as_ref()) {
            let model = train(method.as_ref(), &data.task()?, 1, 1)?.model;
            let path = folder.path().join("model.evo");
            model.save(&path)?;
            let loaded = Model::load(&path)?;
            assert_eq!(loaded.to_bytes()?, model.to_bytes()?);
            assert_eq!(answers(&loaded, data.features())?, answers(&model, data.features())?);
            assert_eq!(loaded.about(), model.about());
        }
    }
    Ok(())
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() -> Result<()> {
    for method in methods() {
        for data in tables(method.as_ref()) {
            let bytes =
                |threads| train(method.as_ref(), &data.task()?, 5, threads)?.model.to_bytes();
            let once = bytes(1)?;
            assert_eq!(once, bytes(1)?, "{} on {}", method.name(), data.name);
            assert_eq!(once, bytes(8)?, "{} on {}", method.name(), data.name);
        }
    }
    Ok(())
}

#[test]
fn a_raised_stop_flag_gives_a_usable_model_or_says_so() -> Result<()> {
    for method in methods() {
        let data = mixed_for(method.as_ref(), 500, 3);
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
        let data = mixed_for(method.as_ref(), 120, 4);
        let task = data.task()?;
        let kept: Vec<u32> = (0..60).collect();
        let weights: Vec<f64> = (0..120).map(|row| f64::from(u8::from(row < 60))).collect();
        let ones = vec![1.0; 120];
        let of = |weights| Task::new(task.features, task.target_name(), task.target(), weights);
        let a = train(method.as_ref(), &of(Some(&weights))?, 1, 1)?.model;
        let b = train(method.as_ref(), &of(Some(&ones))?.with_rows(&kept), 1, 1)?.model;
        let (a, b) = (answers(&a, data.features())?, answers(&b, data.features())?);
        for (x, y) in a.iter().zip(&b) {
            assert!((x - y).abs() < 1e-9, "{}: {x} is not {y}", method.name());
        }
    }
    Ok(())
}

#[test]
fn columns_are_found_by_name_and_new_levels_count_as_missing() -> Result<()> {
    for method in methods() {
        let data = mixed_for(method.as_ref(), 200, 1);
        let model = train(method.as_ref(), &data.task()?, 1, 1)?.model;
        let expected = answers(&model, data.features())?;
        let (mut schema, mut columns) = data.table().clone().into_parts();
        schema.fields.reverse();
        columns.reverse();
        let turned = Table::new(schema.clone(), columns.clone())?;
        assert_eq!(answers(&model, turned.view())?, expected, "{}", method.name());

        // Another level list, a level of which training did not show.
        let colour = schema.find("colour", "")?;
        schema.fields[colour] = Field::nominal("colour", ["violet"]);
        columns[colour] = Column::Nominal(vec![0; 200]);
        let unseen = Table::new(schema.clone(), columns.clone())?;
        columns[colour] = Column::Nominal(vec![MISSING; 200]);
        let missing = Table::new(schema.clone(), columns.clone())?;
        assert_eq!(answers(&model, unseen.view())?, answers(&model, missing.view())?);

        schema.fields.remove(colour);
        columns.remove(colour);
        let lacking = Table::new(schema, columns)?;
        let error = answers(&model, lacking.view()).unwrap_err().to_string();
        assert!(error.contains("`colour`"), "{error}");
    }
    Ok(())
}

/// Whatever the table, training gives a model whose predictions are sound or an error with advice.
fn model_or_advice(method: &dyn Method, data: &Dataset) -> Result<()> {
    match train(method, &data.task()?, 1, 1) {
        Ok(fitted) => check_predictions(method.name(), &fitted.model, data),
        Err(error) => {
            assert!(error.help().is_some(), "{}: {error}", method.name());
            Ok(())
        }
    }
}
