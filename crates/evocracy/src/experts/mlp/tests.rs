//! Tests of networks, from the inside.

use super::lbfgs::{Iterate, Objective};
use super::pass::{Pass, RowBlock};
use super::train::EarlyStopping;
use super::*;
use crate::classify::{Classifier, Link, Proba, Saved};
use crate::data::{Classes, Column, Field, Schema, Table, Target};
use crate::param::{Params, Value};
use crate::run::{Pool, Seed, Stop, StopReason};
use rand::RngExt;

#[derive(serde::Deserialize)]
struct Case {
    layers: Vec<usize>,
    activation: String,
    weights: Vec<f64>,
    x: Vec<f64>,
    y: Vec<u32>,
    row_weights: Vec<f64>,
    penalty: f64,
    proba: Vec<f64>,
    value: f64,
    #[serde(rename = "slope")]
    gradient: Vec<f64>,
}

fn reference() -> Vec<Case> {
    serde_json::from_str(include_str!("../../../tests/reference/mlp.json")).unwrap()
}

fn close(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

/// Rows `x` of the case as a table.
fn table(rows: &[f64], width: usize) -> Table {
    let names = (0..width).map(|j| Field::number(format!("x{j}")));
    let column = |j: usize| Column::Number(rows.iter().skip(j).step_by(width).copied().collect());
    Table::new(Schema { fields: names.collect() }, (0..width).map(column).collect()).unwrap()
}

fn classes(count: usize) -> Classes {
    Classes::new((0..count).map(|c| format!("c{c}")).collect()).unwrap()
}

#[test]
fn loss_gradient_and_probabilities_are_those_of_the_reference() {
    let cases = reference();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let activation = Activation::parse(&case.activation).unwrap();
        let shape = Shape::new(&case.layers).unwrap();
        let total: f64 = case.row_weights.iter().sum();
        let with = Mlp::default().activation(activation);
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let penalty = case.penalty / total;
        let training = Training { with: &with, shape: &shape, run: &run, penalty };
        let rows = TrainingRows {
            inputs: case.x.clone(),
            labels: case.y.clone(),
            weights: case.row_weights.clone(),
            width: case.layers[0],
        };
        let gradient = vec![0.0; case.weights.len()];
        let mut iterate = Iterate { weights: case.weights.clone(), value: 0.0, gradient };
        Objective::new(training, &rows).evaluate(&mut iterate);
        assert!(close(&[iterate.value], &[case.value]), "{} {}", iterate.value, case.value);
        assert!(close(&iterate.gradient, &case.gradient), "{:?} {}", case.layers, case.activation);

        let classes = classes(shape.outputs());
        let model =
            MlpModel::from_weights(&classes, &case.layers, activation, case.weights).unwrap();
        let mut proba = Proba::new();
        model.proba_into(table(&case.x, case.layers[0]).view(), &mut proba).unwrap();
        assert!(close(proba.values(), &case.proba));
    }
}

#[test]
fn the_gradient_is_that_of_differences() {
    let shape = Shape::new(&[6, 20, 9, 4]).unwrap();
    for activation in [Activation::Relu, Activation::Tanh, Activation::Logistic] {
        let mut rng = Seed::new(3).rng();
        let weights = shape.start(6.0, &mut rng);
        let inputs: Vec<f64> = (0..6 * 50).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
        let labels: Vec<u32> = (0..50).map(|_| rng.random_range(0..4)).collect();
        let row_weights: Vec<f64> = (0..50).map(|_| rng.random()).collect();
        let block = RowBlock { inputs: &inputs, labels: &labels, weights: &row_weights };
        let mut pass = Pass::new(&shape, activation, 50);
        let mut gradient = vec![0.0; weights.len()];
        pass.gradient(&weights, block, &mut gradient);
        for at in (0..weights.len()).step_by(7) {
            let mut moved = |by: f64| {
                let mut weights = weights.clone();
                weights[at] += by;
                pass.loss(&weights, block)
            };
            let found = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!(
                (found - gradient[at]).abs() < 1e-6,
                "{activation:?} {at}: {found} {}",
                gradient[at]
            );
        }
    }
}

/// Two classes that no line parts: the signs of two numbers agree or not.
fn signs(rows: usize, seed: u64) -> (Table, Vec<u32>) {
    let mut rng = Seed::new(seed).rng();
    let cells: Vec<f64> = (0..2 * rows).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
    let agree = |row: &[f64]| u32::from((row[0] > 0.0) == (row[1] > 0.0));
    let labels = cells.chunks(2).map(agree).collect();
    (table(&cells, 2), labels)
}

fn fit(with: &Mlp, table: &Table, labels: &[u32], weights: Option<&[f64]>) -> MlpModel {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let classes = classes(2);
    let target = Target::Class { codes: labels, classes: &classes };
    let task = Task::new(table.view(), "y", target, weights).unwrap();
    let fitted = with.fit(&task, &Run::new(1, &stop, &pool)).unwrap();
    assert_eq!(fitted.stop, StopReason::Finished);
    fitted.model
}

fn right(model: &MlpModel, table: &Table, labels: &[u32]) -> usize {
    let mut proba = Proba::new();
    model.proba_into(table.view(), &mut proba).unwrap();
    (0..labels.len()).filter(|&row| proba.best(row) as u32 == labels[row]).count()
}

#[test]
fn every_solver_and_activation_learns_what_is_not_linear() {
    let ((table, labels), (other, truth)) = (signs(400, 1), signs(400, 2));
    for solver in ["adam", "lbfgs"] {
        for activation in ["relu", "tanh", "logistic"] {
            for (hidden, hold) in [("20", "0"), ("10,6", "0.25")] {
                let settings = [
                    ("solver", solver),
                    ("activation", activation),
                    ("hidden", hidden),
                    ("hold", hold),
                    ("penalty", "0.1"),
                    ("rate", "0.02"),
                    ("tolerance", "1e-5"),
                    ("patience", "50"),
                ];
                let settings = settings.map(|(k, v)| (k.to_owned(), v.to_owned()));
                let model = fit(&Mlp::with(&settings).unwrap(), &table, &labels, None);
                let found = right(&model, &other, &truth);
                assert!(found > 370, "{solver} {activation} {hidden}: {found} of 400");
            }
        }
    }
}

#[test]
fn a_weight_of_two_is_a_row_twice() {
    let (table, labels) = signs(60, 4);
    let weights: Vec<f64> = (0..60).map(|row| f64::from(row % 3)).collect();
    let twice: Vec<u32> = (0..60).flat_map(|row| vec![row; row as usize % 3]).collect();
    let again = table.view().with_rows(&twice).to_table().unwrap();
    let labels_again: Vec<u32> = twice.iter().map(|&row| labels[row as usize]).collect();
    let with = Mlp::default().hidden("4".into()).solver(Solver::Lbfgs).epochs(15);
    let a = fit(&with, &table, &labels, Some(&weights));
    let b = fit(&with, &again, &labels_again, None);
    for (a, b) in a.weights().iter().zip(b.weights()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn rows_held_out_choose_the_weights() {
    let (table, mut labels) = signs(80, 5);
    labels.iter_mut().step_by(8).for_each(|label| *label = 1 - *label);
    let with = Mlp::default().penalty(0.0).hold(0.3).epochs(60).patience(60).tolerance(0.0);
    // The same weights to begin with and the same rows held out: only the end differs.
    let long = fit(&with, &table, &labels, None);
    let short = fit(&with.clone().patience(1), &table, &labels, None);
    let loss = |model: &MlpModel| {
        let shape = Shape::new(model.layers()).unwrap();
        let mut rng = Seed::new(1).child("mlp", 0).rng();
        shape.start(6.0, &mut rng);
        let inputs = DenseRows::new(table.view(), DenseRows::LIMIT).unwrap();
        let [learnt, held] =
            TrainingRows::<f64>::split(&inputs, &labels, &[1.0; 80], 0.3, &mut rng);
        assert_eq!((learnt.len(), held.len()), (56, 24));
        held.loss(&mut Pass::new(&shape, Activation::Relu, 256), model.weights())
    };
    assert!(loss(&long) <= loss(&short), "{} {}", loss(&long), loss(&short));
}

#[test]
fn training_ends_after_rounds_without_a_gain() {
    let with = Mlp::default().patience(2).tolerance(0.1);
    let judged = |held: bool| {
        let mut stopping = EarlyStopping::new(&with, held, &[0]);
        assert!(stopping.continues(1.0, &[1]));
        // A little better is better, but no gain.
        assert!(stopping.continues(0.95, &[2]));
        assert!(!stopping.continues(0.96, &[3]));
        stopping.best(vec![3])
    };
    assert_eq!(judged(true), (vec![2], StopReason::Finished));
    assert_eq!(judged(false), (vec![3], StopReason::Finished));
}

#[test]
fn hard_networks_are_sure() {
    let (table, labels) = signs(100, 6);
    let with = Mlp::default().hidden("5".into()).epochs(20);
    let soft = fit(&with, &table, &labels, None);
    let hard = fit(&with.hard(true), &table, &labels, None);
    assert_eq!(soft.weights(), hard.weights());
    let (mut a, mut b) = (Proba::new(), Proba::new());
    soft.proba_into(table.view(), &mut a).unwrap();
    hard.proba_into(table.view(), &mut b).unwrap();
    for row in 0..100 {
        assert_eq!(a.best(row), b.best(row));
        assert_eq!(b.row(row)[b.best(row)], 1.0);
        let explanation = hard.explain(table.view(), row).unwrap();
        assert_eq!(explanation.link, Link::Winner);
        assert_eq!(explanation.rebuild(), b.row(row));
    }
}

#[test]
fn weights_can_be_taken_out_and_put_back() {
    let (table, labels) = signs(50, 7);
    let model = fit(&Mlp::default().hidden("3,2".into()).epochs(2), &table, &labels, None);
    assert_eq!(model.layers(), [2, 3, 2, 2]);
    assert_eq!(model.weights().len(), 9 + 8 + 6);
    assert_eq!(model.with_weights(model.weights().to_vec()).unwrap(), model);
    assert!(model.with_weights(vec![0.0; 22]).is_err());
    assert!(model.with_weights(vec![f64::NAN; 23]).is_err());
    let build = |layers: &[usize], count| {
        MlpModel::from_weights(&classes(2), layers, Activation::Tanh, vec![0.5; count])
    };
    assert!(build(&[2, 3, 2], 17).is_ok());
    assert!(build(&[2, 3, 2], 16).is_err() && build(&[2, 3, 3], 21).is_err());
    assert!(build(&[2, 0, 2], 2).is_err() && build(&[2], 0).is_err());
}

#[test]
fn a_raised_flag_leaves_the_weights_of_the_start() {
    let (table, labels) = signs(50, 8);
    let classes = classes(2);
    let target = Target::Class { codes: &labels, classes: &classes };
    let task = Task::new(table.view(), "y", target, None).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    stop.request();
    for (solver, hold) in [(Solver::Adam, 0.0), (Solver::Adam, 0.5), (Solver::Lbfgs, 0.0)] {
        let with = Mlp::default().solver(solver).hold(hold);
        let fitted = with.fit(&task, &Run::new(1, &stop, &pool)).unwrap();
        assert_eq!(fitted.stop, StopReason::Interrupted);
        let start = Shape::new(&[2, 100, 2]).unwrap();
        let start = start.start(6.0, &mut Seed::new(1).child("mlp", 0).rng());
        let same = fitted.model.weights().iter().zip(&start).all(|(a, b)| (a - b).abs() < 1e-7);
        assert!(same, "{solver:?} {hold}");
    }
}

#[test]
fn only_widths_name_layers() {
    for bad in ["", "0", "5,", "5,,2", "-1", "x", "1.5", "100001"] {
        assert!(Mlp::default().hidden(bad.into()).check().is_err(), "{bad}");
    }
    let deep = vec!["2"; 16].join(",");
    assert!(Mlp::default().hidden(deep.clone()).check().is_ok());
    assert!(Mlp::default().hidden(format!("{deep},2")).check().is_err());
    assert_eq!(widths("50, 20"), Some(vec![50, 20]));
}

#[test]
fn forged_networks_are_refused() {
    let (table, labels) = signs(50, 9);
    let model = fit(&Mlp::default().hidden("3".into()).epochs(1), &table, &labels, None);
    model.check(table.schema()).unwrap();
    let forged = |key: &str, value: serde_json::Value| {
        let mut json = serde_json::to_value(&model).unwrap();
        json[key] = value;
        let forged: MlpModel = serde_json::from_value(json).unwrap();
        forged.check(table.schema()).is_err()
    };
    assert!(forged("layers", serde_json::json!([2, 4, 2])));
    assert!(forged("layers", serde_json::json!([2, usize::MAX, 2])));
    assert!(forged("layers", serde_json::json!([3, 3, 2])));
    assert!(forged("layers", serde_json::json!([])));
    assert!(forged("center", serde_json::json!([0.0])));
    assert!(forged("center", serde_json::json!([0.0, 1e200])));
    assert!(forged("weights", serde_json::json!(vec![1e101; 17])));
    assert!(forged("weights", serde_json::json!([])));
}
