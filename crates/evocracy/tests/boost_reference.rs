//! Committees of trees against an independent implementation: `tests/reference/boost.py` holds the
//! rounds of scikit-learn's AdaBoost.

mod embedded;

use embedded::load;
use evocracy::classify::Learner;
use evocracy::committee::{AdaBoost, AdaBoostModel};
use evocracy::data::{Target, Task};
use evocracy::run::{Pool, Run, Stop};
use serde_json::Value;

/// Column and threshold of the first question of every member.
fn first_questions(model: &AdaBoostModel) -> Vec<(u64, f64)> {
    let trees = &serde_json::to_value(model).unwrap()["grove"]["trees"];
    let mut start = 0;
    let sizes = trees["sizes"].as_array().unwrap().iter();
    let questions = sizes.map(|size| {
        let root = start;
        start += size[0].as_u64().unwrap() as usize;
        // Two bits below the column tell its kind and where missing values go.
        (trees["mark"][root].as_u64().unwrap() >> 2, trees["value"][root].as_f64().unwrap())
    });
    questions.collect()
}

fn assert_rounds_agree(case: &Value) {
    let name = case["data"].as_str().unwrap();
    let numbers = |key: &str| case[key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap());
    let columns: Vec<u32> = numbers("columns").map(|j| j as u32).collect();
    // Rounded as the reference has them.
    let data = load(name, None, |number| f64::from(number as f32));
    let rows = data.table().rows();
    let weighted = case["weighted"] == true;
    let weight = |row: usize| if weighted { 0.5 + (row * 7 % 5) as f64 * 0.5 } else { 1.0 };
    let weights: Vec<f64> = (0..rows).map(weight).collect();
    let (classes, labels) = data.task().unwrap().labels().map(|(c, l)| (c.clone(), l)).unwrap();
    let target = Target::Class { codes: &labels, classes: &classes };
    let task =
        Task::new(data.features().with_columns(&columns), "class", target, Some(&weights)).unwrap();
    let expected = case["rounds"].as_array().unwrap();
    assert!(expected.len() >= 6, "{name}");
    let depth = case["depth"].as_u64().unwrap() as usize;
    let params = AdaBoost::default().rounds(expected.len()).depth(depth);
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let model = params.fit(&task, &Run::new(1, &stop, &pool)).unwrap().model;
    assert_eq!(model.rounds().len(), expected.len(), "{name}");
    let ours = model.rounds().iter().zip(first_questions(&model));
    for (round, ((ours, (column, threshold)), theirs)) in ours.zip(expected).enumerate() {
        let place = format!("{name} of depth {depth}, round {round}");
        let of = |key: &str| theirs[key].as_f64().unwrap();
        assert_eq!(column as f64, of("column"), "{place}");
        assert!((threshold - of("threshold")).abs() < 1e-6 * (1.0 + threshold.abs()), "{place}");
        assert!((ours.error - of("error")).abs() < 1e-9, "{place}: {} {}", ours.error, of("error"));
        assert!((ours.vote - of("vote")).abs() < 1e-9, "{place}: {} {}", ours.vote, of("vote"));
        if !weighted {
            let wrong = ours.training_error * rows as f64;
            assert!((wrong - of("wrong")).abs() < 1e-6, "{place}: {wrong} {}", of("wrong"));
        }
    }
}

#[test]
fn boosting_goes_the_way_of_the_reference() {
    let all: Value = serde_json::from_str(include_str!("reference/boost.json")).unwrap();
    let cases = all["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    cases.iter().for_each(assert_rounds_agree);
}
