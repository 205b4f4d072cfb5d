//! The contract that every registered method keeps, on tables of every kind: here those that
//! predict classes, in `contract/numbers.rs` those that predict numbers.

#[path = "contract/numbers.rs"]
mod numbers;

use evocracy::classify::{Fitted, Predicts};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Field, Goal, MISSING, Options, Schema, Table, Target, Task};
use evocracy::error::{Error, Result};
use evocracy::method::{Method, make, registry};
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use rand::{Rng, RngExt};

fn methods() -> Vec<Box<dyn Method>> {
    methods_for(Predicts::Class)
}

fn methods_for(predicts: Predicts) -> Vec<Box<dyn Method>> {
    let all = registry();
    let fitting = all.iter().filter(|entry| entry.predicts == predicts);
    fitting.map(|entry| make(entry.name, &[]).expect("defaults are valid")).collect()
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

/// Methods over all rules of some bits: mushroom has too many.
const EXHAUSTIVE: [&str; 2] = ["moe-batch", "moe-online"];

/// All tables that a method takes.
fn tables(method: &dyn Method) -> Vec<Dataset> {
    let open = |name| Catalogue::embedded().open(name, &Load::default()).expect(name);
    let mut tables = vec![open("iris"), open("pima"), open("car"), mixed(200, 1), mixed(9, 2)];
    if !EXHAUSTIVE.contains(&method.name()) {
        tables.push(open("mushroom"));
    }
    tables
}

#[test]
fn more_bits_than_there_is_room_for_are_refused_with_advice() -> Result<()> {
    let data = Catalogue::embedded().open("mushroom", &Load::default())?;
    for name in EXHAUSTIVE {
        let error = train(make(name, &[])?.as_ref(), &data.task()?, 1, 1).unwrap_err();
        assert!(error.to_string().contains("3^53 rules"), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("bits:2")), "{error}");
    }
    Ok(())
}

fn train(method: &dyn Method, task: &Task<'_>, seed: u64, threads: usize) -> Result<Fitted<Model>> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    method.train(task, &Run::new(seed, &stop, &pool))
}

fn check_predictions(name: &str, model: &Model, data: &Dataset) -> Result<()> {
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

#[test]
fn probabilities_sum_to_one_and_explanations_rebuild_them() -> Result<()> {
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
fn every_method_learns_something() -> Result<()> {
    for method in methods() {
        let data = mixed(300, 7);
        let test = mixed(300, 8);
        let fitted = train(method.as_ref(), &data.task()?, 1, 1)?;
        let proba = fitted.model.proba(test.features())?;
        let codes = test.codes().expect("classes");
        let right = (0..300).filter(|&row| proba.best(row) as u32 == codes[row]).count();
        assert!(right > 150, "{}: {right} of 300 right, chance is 100", method.name());
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
            assert_eq!(loaded.proba(data.features())?, model.proba(data.features())?);
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
        let data = mixed(500, 3);
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
        let data = mixed(120, 4);
        let task = data.task()?;
        let (classes, labels) = task.labels()?;
        let kept: Vec<u32> = (0..60).collect();
        let weights: Vec<f64> = (0..120).map(|row| f64::from(u8::from(row < 60))).collect();
        let target = Target::Class { codes: &labels, classes };
        let weighted = Task::new(task.features, "class", target, Some(&weights))?;
        let ones = vec![1.0; 120];
        let cut = Task::new(task.features, "class", target, Some(&ones))?.with_rows(&kept);
        let a = train(method.as_ref(), &weighted, 1, 1)?.model.proba(data.features())?;
        let b = train(method.as_ref(), &cut, 1, 1)?.model.proba(data.features())?;
        for (x, y) in a.values().iter().zip(b.values()) {
            assert!((x - y).abs() < 1e-9, "{}: {x} is not {y}", method.name());
        }
    }
    Ok(())
}

#[test]
fn columns_are_found_by_name_and_new_levels_count_as_missing() -> Result<()> {
    for method in methods() {
        let data = mixed(200, 1);
        let model = train(method.as_ref(), &data.task()?, 1, 1)?.model;
        let expected = model.proba(data.features())?;
        let (schema, columns) = data.table().clone().into_parts();
        let order = [4, 3, 1, 0, 2];
        let field = |j: &usize| schema.fields[*j].clone();
        let shuffled = Table::new(
            Schema { fields: order.iter().map(field).collect() },
            order.iter().map(|&j| columns[j].clone()).collect(),
        )?;
        assert_eq!(model.proba(shuffled.view())?, expected, "{}", method.name());

        // Another level list, a level of which training did not show.
        let (mut schema, mut columns) = (schema, columns);
        schema.fields[3] = Field::nominal("colour", ["violet"]);
        columns[3] = Column::Nominal(vec![0; 200]);
        let unseen = Table::new(schema.clone(), columns.clone())?;
        columns[3] = Column::Nominal(vec![MISSING; 200]);
        let missing = Table::new(schema.clone(), columns.clone())?;
        assert_eq!(model.proba(unseen.view())?, model.proba(missing.view())?);

        schema.fields.remove(0);
        columns.remove(0);
        let lacking = Table::new(schema, columns)?;
        let error = model.proba(lacking.view()).unwrap_err().to_string();
        assert!(error.contains("`signal`"), "{error}");
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
            let data = hard(values.clone(), codes.clone())?;
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
