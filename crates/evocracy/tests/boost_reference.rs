//! Committees of trees against an independent implementation: `tests/reference/boost.py` holds the
//! rounds of scikit-learn's AdaBoost.

use evocracy::classify::Learner;
use evocracy::committee::{AdaBoost, AdaBoostModel};
use evocracy::data::{Column, Dataset, Field, MISSING, Options, Schema, Table, Target, Task};
use evocracy::run::{Pool, Run, Stop};
use serde_json::Value;
use std::io::Read;

/// Some number columns, rounded as the reference has them, and, last, the class.
fn load(name: &str, columns: &[usize]) -> Dataset {
    let path = format!("{}/embed/{name}.csv.gz", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let class = |row: &Vec<&str>| (*row.last().unwrap()).to_owned();
    let mut levels: Vec<String> = rows.iter().map(class).collect();
    levels.sort_unstable();
    levels.dedup();
    let number = |text: &str| f64::from(text.parse::<f64>().unwrap() as f32);
    let cells = |&j: &usize| Column::Number(rows.iter().map(|row| number(row[j])).collect());
    let mut table: Vec<Column> = columns.iter().map(cells).collect();
    let code = |text: &str| levels.iter().position(|l| *l == text).map_or(MISSING, |c| c as u32);
    table.push(Column::Nominal(rows.iter().map(|row| code(&class(row))).collect()));
    let mut fields: Vec<Field> = columns.iter().map(|j| Field::number(format!("x{j}"))).collect();
    fields.push(Field::nominal("class", levels));
    Dataset::new(name, Table::new(Schema { fields }, table).unwrap(), &Options::default()).unwrap()
}

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
    let columns: Vec<usize> = numbers("columns").map(|j| j as usize).collect();
    let data = load(name, &columns);
    let rows = data.table().rows();
    let weighted = case["weighted"] == true;
    let weight = |row: usize| if weighted { 0.5 + (row * 7 % 5) as f64 * 0.5 } else { 1.0 };
    let weights: Vec<f64> = (0..rows).map(weight).collect();
    let (classes, labels) = data.task().unwrap().labels().map(|(c, l)| (c.clone(), l)).unwrap();
    let target = Target::Class { codes: &labels, classes: &classes };
    let task = Task::new(data.features(), "class", target, Some(&weights)).unwrap();
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
