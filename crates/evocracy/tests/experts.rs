//! Experts against an independent implementation: `tests/reference/experts.py` holds what
//! scikit-learn's models say.

mod common;
mod embedded;

use embedded::load;
use evocracy::data::Task;
use evocracy::method;
use evocracy::model::{Core, Model};
use serde_json::Value;

fn reference(method: &str) -> Vec<Value> {
    let text = include_str!("reference/experts.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all[method].as_array().unwrap().clone()
}

/// The weights of the reference.
fn weights(case: &Value, rows: usize) -> Vec<f64> {
    let weight = |row: usize| 0.5 + (row * 7 % 5) as f64 * 0.5;
    (0..rows).map(|row| if case["weighted"] == true { weight(row) } else { 1.0 }).collect()
}

fn fit(name: &str, settings: &[(&str, String)], task: &Task<'_>) -> Model {
    let settings: Vec<_> = settings.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    let method = method::make(name, &settings).unwrap();
    common::train(method.as_ref(), task, 1, 1).unwrap().model
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

/// The largest difference, relative to numbers above 1.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / b.abs().max(1.0));
    differences.fold(0.0, f64::max)
}

#[test]
fn logistic_regressions_are_those_of_the_reference() {
    for case in reference("logistic") {
        let data = load(case["data"].as_str().unwrap(), None, |v| v);
        let task = data.task().unwrap();
        let weights = weights(&case, task.rows());
        let task = Task::new(task.features, "class", task.target(), Some(&weights)).unwrap();
        let settings = ["penalty", "mix"].map(|key| (key, case[key].to_string()));
        let tight = ("tolerance", "1e-12".to_owned());
        let model = fit("logistic", &[settings[0].clone(), settings[1].clone(), tight], &task);
        let Core::Logistic(core) = model.core() else { panic!("not a logistic regression") };
        let found: Vec<f64> = core.coefficients().flatten().copied().collect();
        let about = [&case["data"], &case["penalty"], &case["mix"], &case["weighted"]];
        let off = apart(&found, &numbers(&case["coefficients"]));
        assert!(off < 1e-6, "coefficients of {about:?} are off by {off}");
        let expected = numbers(&case["proba"]);
        let proba = model.proba(data.features()).unwrap();
        let off = apart(&proba.values()[..expected.len()], &expected);
        assert!(off < 1e-7, "probabilities of {about:?} are off by {off}");
    }
}

#[test]
fn neighbours_are_those_of_the_reference() {
    for case in reference("neighbours") {
        let data = load(case["data"].as_str().unwrap(), None, |v| v);
        let rows = data.table().rows() as u32;
        let (train, test): (Vec<u32>, Vec<u32>) = (0..rows).partition(|row| row % 2 == 0);
        let settings = [
            ("k", case["k"].to_string()),
            ("votes", case["votes"].as_str().unwrap().to_owned()),
            ("smoothing", "0".to_owned()),
        ];
        let model = fit("knn", &settings, &data.task().unwrap().with_rows(&train));
        let proba = model.proba(data.features().with_rows(&test)).unwrap();
        let off = apart(proba.values(), &numbers(&case["proba"]));
        assert!(off < 1e-9, "k = {}, votes = {}: off by {off}", case["k"], case["votes"]);
    }
}

#[test]
fn ridge_regressions_and_their_penalties_are_those_of_the_reference() {
    for case in reference("ridge") {
        let target = case["target"].as_u64().map(|t| t as usize);
        let data = load(case["data"].as_str().unwrap(), target, |v| v);
        let task = data.task().unwrap();
        let weights = weights(&case, task.rows());
        let task = Task::new(task.features, "y", task.target(), Some(&weights)).unwrap();
        let model = fit("ridge", &[("penalty", case["penalty"].to_string())], &task);
        let Core::Ridge(core) = model.core() else { panic!("not a ridge regression") };
        let about = [&case["data"], &case["target"], &case["weighted"], &case["penalty"]];
        let chosen = case["chosen"].as_f64().unwrap();
        assert!((core.penalty() / chosen - 1.0).abs() < 1e-9, "{about:?}: {}", core.penalty());
        let off = apart(core.coefficients(), &numbers(&case["coefficients"]));
        assert!(off < 1e-9, "coefficients of {about:?} are off by {off}");
        let off = apart(&[core.intercept()], &numbers(&case["intercept"]));
        assert!(off < 1e-9, "the intercept of {about:?} is off by {off}");
    }
}

#[test]
fn stumps_are_those_of_the_reference() {
    for case in reference("stumps") {
        let data = load(case["data"].as_str().unwrap(), None, |v| f64::from(v as f32 * 1024.0));
        let task = data.task().unwrap();
        let weights = weights(&case, task.rows());
        let task = Task::new(task.features, "class", task.target(), Some(&weights)).unwrap();
        let criterion = case["criterion"].as_str().unwrap().to_owned();
        let settings = [("criterion", criterion), ("smoothing", "0".to_owned())];
        let model = fit("stump", &settings, &task);
        let Core::Stump(core) = model.core() else { panic!("not a stump") };
        let nodes = serde_json::to_value(core).unwrap()["nodes"].clone();
        let first = |field: &str| nodes[field][0].as_f64().unwrap();
        let proba = model.proba(data.features()).unwrap();
        for (fact, expected) in case["facts"].as_object().unwrap() {
            let found = match fact.as_str() {
                "column" => first("feature"),
                "threshold" => first("threshold"),
                "gain" => first("gain") / first("weight"),
                class => proba.row(0)[class[1..].parse::<usize>().unwrap()],
            };
            let expected = expected.as_f64().unwrap();
            let close = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
            assert!(close, "{fact} is {found}, not {expected}, in {case}");
        }
        assert!(case["facts"].as_object().unwrap().len() >= 3);
    }
}
