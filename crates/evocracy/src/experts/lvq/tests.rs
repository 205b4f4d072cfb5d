//! Tests of codebooks, from the inside.

use super::*;
use crate::classify::{Classifier, Proba, Saved};
use crate::data::{Classes, Column, Field, Schema, Table, Target};
use crate::param::Value;
use crate::run::{Pool, Seed, Stop};
use serde_json::{Value as Json, json};

fn numbers(value: &Json) -> Vec<f64> {
    match value {
        Json::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap()],
    }
}

/// The vectors of a book, one after the other.
fn flat(book: &Codebook) -> Vec<f64> {
    let vector = |at| (0..book.inputs).map(move |j| book.cell(at, j));
    (0..book.len()).flat_map(vector).collect()
}

#[test]
fn every_step_of_every_rule_is_that_of_the_reference() {
    let text = include_str!("../../../tests/reference/lvq.json");
    let given: Json = serde_json::from_str(text).unwrap();
    let (x, start) = (numbers(&given["x"]), numbers(&given["start"]));
    let labels: Vec<u32> = numbers(&given["labels"]).iter().map(|&l| l as u32).collect();
    let truth: Vec<u32> = numbers(&given["y"]).iter().map(|&l| l as u32).collect();
    let of = |key: &str| given[key].as_f64().unwrap();
    let kinds = given["kinds"].as_object().unwrap();
    assert_eq!(kinds.len(), 5);
    for (kind, books) in kinds {
        let with = Lvq::default()
            .kind(LvqKind::parse(kind).unwrap())
            .rate(of("rate"))
            .window(of("window"))
            .epsilon(of("epsilon"));
        let book = Codebook::new(2, labels.clone(), |at| start[2 * at..2 * at + 2].to_vec());
        let mut trainer = Trainer::new(&with, book);
        for (step, row) in numbers(&given["order"]).into_iter().enumerate() {
            let row = row as usize;
            let left = 1.0 - step as f64 / 36.0;
            trainer.show(&x[2 * row..2 * row + 2], truth[row], left, step / 12 + 1);
            let expected = numbers(&books[step]);
            for (found, expected) in flat(&trainer.book).iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-12, "{kind}, step {step}");
            }
        }
    }
}

/// Three classes in two columns, in two heaps each.
fn heaps(rows: usize, seed: u64) -> (Table, Vec<u32>) {
    let mut rng = Seed::new(seed).rng();
    let labels: Vec<u32> = (0..rows as u32).map(|row| row % 3).collect();
    let heap: Vec<f64> = (0..rows).map(|_| f64::from(rng.random_range(0..2_u8))).collect();
    let noise: Vec<f64> = (0..2 * rows).map(|_| rng.random::<f64>() - 0.5).collect();
    let x = (0..rows).map(|i| f64::from(labels[i]) + 0.8 * noise[i]).collect();
    let y = (0..rows).map(|i| 2.0 * heap[i] + f64::from(labels[i]) + noise[rows + i]).collect();
    let schema = Schema { fields: vec![Field::number("x"), Field::number("y")] };
    (Table::new(schema, vec![Column::Number(x), Column::Number(y)]).unwrap(), labels)
}

fn fit(with: &Lvq, table: &Table, labels: &[u32], weights: Option<&[f64]>) -> LvqModel {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let classes = Classes::new(["a", "b", "c"].map(str::to_owned).to_vec()).unwrap();
    let target = Target::Class { codes: labels, classes: &classes };
    let task = Task::new(table.view(), "class", target, weights).unwrap();
    with.fit(&task, &Run::new(1, &stop, &pool)).unwrap().model
}

fn proba(model: &LvqModel, table: &Table) -> Proba {
    let mut proba = Proba::new();
    model.proba_into(table.view(), &mut proba).unwrap();
    proba
}

#[test]
fn every_rule_learns() {
    let ((table, labels), (other, truth)) = (heaps(300, 1), heaps(300, 2));
    for kind in [LvqKind::Lvq1, LvqKind::Olvq1, LvqKind::Lvq21, LvqKind::Lvq3, LvqKind::Glvq] {
        let model = fit(&Lvq::default().kind(kind).rate(0.1), &table, &labels, None);
        let proba = proba(&model, &other);
        let right = (0..300).filter(|&row| proba.best(row) as u32 == truth[row]).count();
        assert!(right > 270, "{kind:?}: {right} of 300");
        // The likelihood of the truth is better than that of knowing nothing.
        let bits = |row: usize| proba.row(row)[truth[row] as usize].max(1e-15).log2();
        let mean = (0..300).map(bits).sum::<f64>() / 300.0;
        assert!(mean > -0.5, "{kind:?}: {mean} bits a row");
        assert_eq!(model.vectors().count(), 15);
    }
}

#[test]
fn explanations_have_the_bits_of_the_probabilities() {
    let (table, labels) = heaps(60, 3);
    let model = fit(&Lvq::default(), &table, &labels, None);
    let far =
        vec![Column::Number(vec![1e150, -1e150, 1e9]), Column::Number(vec![1e150, 3.0, -7.0])];
    let far = Table::new(table.schema().clone(), far).unwrap();
    for table in [&table, &far] {
        let proba = proba(&model, table);
        for row in 0..table.rows() {
            assert_eq!(model.explain(table.view(), row).unwrap().rebuild(), proba.row(row));
        }
    }
}

#[test]
fn heavy_rows_are_shown_more_often() {
    let mut rng = Seed::new(4).rng();
    assert_eq!(shown(&[2.0; 4], &mut rng), [0, 1, 2, 3]);
    let drawn = shown(&[vec![1.0; 500], vec![3.0; 500]].concat(), &mut rng);
    assert_eq!(drawn.len(), 1000);
    let heavy = drawn.iter().filter(|&&row| row >= 500).count();
    assert!((700..800).contains(&heavy), "{heavy}");
}

#[test]
fn a_class_without_rows_is_never_called() {
    let (table, labels) = heaps(60, 5);
    let weights: Vec<f64> = labels.iter().map(|&label| f64::from(u8::from(label != 1))).collect();
    let model = fit(&Lvq::default(), &table, &labels, Some(&weights));
    let proba = proba(&model, &table);
    for row in 0..60 {
        assert_eq!(proba.row(row)[1], 0.0);
        assert_eq!(model.explain(table.view(), row).unwrap().rebuild(), proba.row(row));
    }
}

#[test]
fn the_scale_is_the_most_likely_one() {
    let (table, labels) = heaps(90, 6);
    let model = fit(&Lvq::default(), &table, &labels, None);
    let loss = |factor: f64| {
        let mut json = serde_json::to_value(&model).unwrap();
        json["scale"] = json!(json["scale"].as_f64().unwrap() * factor);
        let proba = proba(&serde_json::from_value(json).unwrap(), &table);
        let given = 3.0 / 93.0;
        let of = |row: usize| {
            let logs = proba.row(row).iter().map(|p| p.ln());
            let own = logs.clone().nth(labels[row] as usize).unwrap();
            (1.0 - given) * own + given / 3.0 * logs.sum::<f64>()
        };
        -(0..90).map(of).sum::<f64>()
    };
    assert!(loss(1.0) < loss(1.01) && loss(1.0) < loss(0.99));
}

#[test]
fn forged_books_are_refused() {
    let (table, labels) = heaps(30, 7);
    let model = fit(&Lvq::default(), &table, &labels, None);
    model.check(table.schema()).unwrap();
    let forged = |change: &dyn Fn(&mut Json)| {
        let mut json = serde_json::to_value(&model).unwrap();
        change(&mut json);
        serde_json::from_value::<LvqModel>(json).unwrap().check(table.schema()).is_err()
    };
    assert!(forged(&|json| json["book"]["labels"][0] = json!(2)));
    assert!(forged(&|json| json["book"]["labels"][14] = json!(3)));
    assert!(forged(&|json| json["book"]["labels"] = json!([])));
    assert!(forged(&|json| json["book"]["inputs"] = json!(3)));
    assert!(forged(&|json| json["book"]["cells"][0] = json!(1e101)));
    assert!(forged(&|json| json["book"]["cells"] = json!([1.0])));
    assert!(forged(&|json| json["scale"] = json!(-1.0)));
    assert!(forged(&|json| json["scale"] = json!(1e51)));
}
