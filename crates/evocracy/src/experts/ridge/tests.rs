//! Tests of the decomposition, from the inside.

use super::spectrum::Spectrum;
use super::*;
use crate::classify::{Regressor, Saved};
use crate::data::{Column, Field, Schema, Table};
use crate::run::{Seed, Stop};
use proptest::prelude::*;
use rand::RngExt;
use std::borrow::Cow;

struct Rows {
    columns: Vec<Vec<f64>>,
    target: Vec<f64>,
    weights: Vec<f64>,
}

impl Rows {
    fn random(rows: usize, width: usize, seed: u64) -> Self {
        let mut rng = Seed::new(seed).rng();
        let mut draw = |len: usize| (0..len).map(|_| rng.random::<f64>() - 0.3).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = (0..width).map(|_| draw(rows)).collect();
        let target = draw(rows).iter().zip(&columns[0]).map(|(e, x)| e + 2.0 * x + 5.0).collect();
        let mut weights: Vec<f64> = draw(rows).iter().map(|w| w.max(0.0)).collect();
        weights[0] = 0.5;
        weights[1] = 0.7;
        Self { columns, target, weights }
    }

    fn inputs(&self) -> DenseRows<'_> {
        let columns = self.columns.iter().map(|c| Cow::Borrowed(&c[..])).collect();
        DenseRows { rows: self.target.len(), columns }
    }

    fn spectrum(&self) -> Spectrum {
        Spectrum::new(&self.inputs(), &self.target, &self.weights, &Stop::new()).unwrap().unwrap()
    }

    fn model(&self, penalty: f64) -> RidgeModel {
        RidgeModel::new(&self.spectrum(), penalty)
    }

    fn predict(&self, model: &RidgeModel, row: usize) -> f64 {
        let linear = self.columns.iter().zip(model.coefficients()).map(|(x, c)| x[row] * c);
        model.intercept() + linear.sum::<f64>()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_normal_equations_hold(
        rows in 3_usize..60,
        width in 1_usize..20,
        penalty in 1e-3..100.0,
        seed in 0_u64..1000,
    ) {
        let rows = Rows::random(rows, width, seed);
        let model = rows.model(penalty);
        let residuals: Vec<f64> = (0..rows.target.len())
            .map(|i| rows.weights[i] * (rows.target[i] - rows.predict(&model, i)))
            .collect();
        prop_assert!(residuals.iter().sum::<f64>().abs() < 1e-9);
        for (column, coefficient) in rows.columns.iter().zip(model.coefficients()) {
            let pull: f64 = column.iter().zip(&residuals).map(|(x, r)| x * r).sum();
            prop_assert!((pull - penalty * coefficient).abs() < 1e-9);
        }
    }

    #[test]
    fn rows_left_out_have_the_errors_of_fits_without_them(
        count in 4_usize..20,
        width in 1_usize..8,
        penalty in 1e-2..10.0,
        seed in 0_u64..1000,
    ) {
        let mut rows = Rows::random(count, width, seed);
        let found = rows.spectrum().errors(penalty).left_out;
        let total: f64 = rows.weights.iter().sum();
        let mut expected = 0.0;
        for i in 0..count {
            let weight = std::mem::replace(&mut rows.weights[i], 0.0);
            if weight > 0.0 {
                let model = rows.model(penalty);
                expected += weight / total * (rows.target[i] - rows.predict(&model, i)).powi(2);
            }
            rows.weights[i] = weight;
        }
        prop_assert!((found - expected).abs() <= 1e-8 * expected.max(1.0), "{found} {expected}");
    }
}

#[test]
fn the_variance_is_that_of_least_squares_without_a_penalty() {
    let mut rows = Rows::random(50, 1, 4);
    rows.weights = vec![3.0; 50];
    let model = rows.model(1e-9);
    let x = &rows.columns[0];
    let mean = x.iter().sum::<f64>() / 50.0;
    let spread: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    let squares: f64 = (0..50).map(|i| (rows.target[i] - rows.predict(&model, i)).powi(2)).sum();
    let schema = Schema { fields: vec![Field::number("x")] };
    let table = Table::new(schema, vec![Column::Number(vec![2.0, 1e300])]).unwrap();
    let (mut found, mut variance) = ([0.0; 2], [0.0; 2]);
    model.predict_into(table.view(), &mut found, Some(&mut variance)).unwrap();
    let expected = squares / 48.0 * (1.0 + 1.0 / 50.0 + (2.0 - mean).powi(2) / spread);
    assert!((variance[0] - expected).abs() < 1e-9, "{} {expected}", variance[0]);
    assert!(found.iter().chain(&variance).all(|v| v.is_finite()));
}

#[test]
fn a_target_that_does_not_vary_and_inputs_that_do_not_are_fitted() {
    let mut rows = Rows::random(20, 3, 1);
    rows.target = vec![7.0; 20];
    rows.columns[1] = vec![0.0; 20];
    rows.columns[2] = rows.columns[0].clone();
    let spectrum = rows.spectrum();
    for by in [Choose::Loo, Choose::Gcv] {
        let model = RidgeModel::new(&spectrum, spectrum.choose(by, &Stop::new()).unwrap());
        assert!((rows.predict(&model, 3) - 7.0).abs() < 1e-12);
    }
}

#[test]
fn forged_models_are_refused() {
    let model = Rows::random(20, 3, 1).model(1.0);
    let inputs = Schema { fields: ["a", "b", "c"].map(Field::number).to_vec() };
    model.check(&inputs).unwrap();
    let text = serde_json::to_value(&model).unwrap();
    let forged = |field: &str, value: serde_json::Value| {
        let mut text = text.clone();
        text[field] = value;
        serde_json::from_value::<RidgeModel>(text).unwrap().check(&inputs).is_err()
    };
    assert!(forged("coefficients", serde_json::json!([1.0, 2.0])));
    assert!(forged("means", serde_json::json!([1.0])));
    assert!(forged("doubts", serde_json::json!([1.0])));
    assert!(forged("noise", serde_json::json!(-1.0)));
    assert!(forged("doubt", serde_json::json!(1e200)));
    assert!(forged("axes", serde_json::json!([])));
}
