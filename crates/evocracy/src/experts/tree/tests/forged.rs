//! What a forged file may not hold.

use super::*;
use crate::classify::Saved;
use serde_json::{Value, json};

fn honest() -> (Small, Value) {
    let x = Column::Number(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let kind = Column::Nominal(vec![0, 1, 2, 0, 1, 2]);
    let small = Small::new(vec![x, kind], vec![0, 0, 0, 1, 2, 1], vec![1.0; 6], 3);
    let value = serde_json::to_value(small.fit(&full())).unwrap();
    (small, value)
}

fn accepted(small: &Small, value: Value) -> bool {
    serde_json::from_value::<TreeModel>(value)
        .is_ok_and(|model| model.check(small.table.schema()).is_ok())
}

#[test]
fn the_honest_model_is_accepted() {
    let (small, value) = honest();
    assert_eq!(value["nodes"]["child"], json!([1, 0, 3, 0, 0]));
    assert_eq!(value["nodes"]["feature"][2], json!(1));
    assert!(accepted(&small, value));
}

#[test]
fn every_forgery_is_refused() {
    let (small, value) = honest();
    let forgeries = [
        ("/nodes/child/0", json!(9)),
        ("/nodes/child/0", json!(0)),
        ("/nodes/child/2", json!(2)),
        ("/nodes/child/2", json!(1)),
        ("/nodes/child/2", json!(4)),
        ("/nodes/child/2", json!(u32::MAX)),
        ("/nodes/feature/0", json!(2)),
        ("/nodes/feature/0", json!(u32::MAX)),
        ("/nodes/feature/1", json!(0)),
        ("/nodes/subset/2", json!(1)),
        ("/nodes/subset/2", json!(u32::MAX)),
        ("/nodes/threshold/0", json!(null)),
        ("/nodes/threshold", json!([1.0])),
        ("/nodes/weight/1", json!(-1.0)),
        ("/nodes/gain", json!([])),
        ("/nodes/missing_left", json!([true])),
        ("/nodes/proba/0", json!(0.9)),
        ("/nodes/proba/3", json!(-1.0)),
        ("/nodes/proba", json!([0.5, 0.25, 0.25])),
        ("/nodes/pool", json!([])),
        ("/columns/0/levels", json!(3)),
        ("/columns/1/levels", json!(null)),
        ("/columns/1/levels", json!(3)),
        ("/columns", json!([])),
        ("/classes/names", json!(["one"])),
        ("/classes/positive", json!(7)),
    ];
    for (place, lie) in forgeries {
        let mut forged = value.clone();
        *forged.pointer_mut(place).unwrap() = lie.clone();
        assert!(!accepted(&small, forged), "{place} = {lie}");
    }
}

#[test]
fn numbers_that_are_not_finite_and_empty_trees_are_refused() {
    let (small, value) = honest();
    let honest: TreeModel = serde_json::from_value(value.clone()).unwrap();
    let bytes = rmp_serde::to_vec_named(&honest).unwrap();
    let threshold = honest.nodes.threshold(0).to_be_bytes();
    let place = bytes.windows(8).position(|window| window == threshold).unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        let mut forged = bytes.clone();
        forged[place..place + 8].copy_from_slice(&bad.to_be_bytes());
        let model: TreeModel = rmp_serde::from_slice(&forged).unwrap();
        assert!(model.check(small.table.schema()).is_err());
    }
    let mut empty = value;
    for array in empty["nodes"].as_object_mut().unwrap().values_mut() {
        *array = json!([]);
    }
    assert!(!accepted(&small, empty));
}
