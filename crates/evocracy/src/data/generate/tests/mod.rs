//! Every generator has the properties it is known for. Where a property is statistical, the
//! seed is fixed and the tolerance is four standard errors for the stated number of rows.

mod bits;
mod curves;
mod genes;
mod mixtures;
mod plane;
mod specs;

use super::GeneratorPlan;
use crate::data::{Column, Table};

/// The table of a text, with seed 1 unless the text says otherwise.
fn made(spec: &str) -> Table {
    GeneratorPlan::parse(spec).and_then(|plan| plan.generate(1)).expect(spec)
}

/// The numbers of a column.
fn numbers(table: &Table, column: usize) -> &[f64] {
    match &table.columns()[column] {
        Column::Number(values) => values,
        Column::Nominal(_) => panic!("column {column} holds levels"),
    }
}

/// The codes of a column.
fn codes(table: &Table, column: usize) -> &[u32] {
    match &table.columns()[column] {
        Column::Nominal(codes) => codes,
        Column::Number(_) => panic!("column {column} holds numbers"),
    }
}

/// The codes of the last column.
fn classes(table: &Table) -> &[u32] {
    codes(table, table.columns().len() - 1)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let (x, y) = (mean(a), mean(b));
    a.iter().zip(b).map(|(a, b)| (a - x) * (b - y)).sum::<f64>() / a.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    covariance(values, values)
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    covariance(a, b) / (variance(a) * variance(b)).sqrt()
}

/// A count of `n` trials lies within four standard errors of what probability `p` lets expect.
fn assert_share(count: usize, n: usize, p: f64, what: &str) {
    let (share, error) = (count as f64 / n as f64, (p * (1.0 - p) / n as f64).sqrt());
    assert!((share - p).abs() <= 4.0 * error, "{what}: {share} is not {p} +- 4 * {error}");
}

/// Values are normal with mean 0: mean and variance lie within four standard errors.
fn assert_normal(values: &[f64], sd: f64, what: &str) {
    let n = values.len() as f64;
    let (mean, var) = (mean(values), variance(values));
    assert!(mean.abs() <= 4.0 * sd / n.sqrt(), "{what}: the mean is {mean}");
    let error = sd * sd * (2.0 / n).sqrt();
    assert!((var - sd * sd).abs() <= 4.0 * error, "{what}: the variance is {var}");
}

/// Every class has an equal share.
fn assert_fair(table: &Table, levels: u32) {
    for level in 0..levels {
        let count = classes(table).iter().filter(|&&code| code == level).count();
        assert_share(count, table.rows(), 1.0 / f64::from(levels), "a class");
    }
}

#[test]
fn normal_numbers_are_normal() {
    let mut draw = super::draw::Draw::new(crate::run::Seed::new(5), "normal", 0);
    let n = 200_000;
    let values: Vec<f64> = (0..n).map(|_| draw.normal()).collect();
    assert_normal(&values, 1.0, "n = 200,000");
    // Quantiles of the standard normal distribution, from its tables.
    for (limit, p) in [(-1.959_964, 0.025), (-0.674_490, 0.25), (1.0, 0.841_345), (2.326_348, 0.99)]
    {
        let below = values.iter().filter(|&&value| value < limit).count();
        assert_share(below, n, p, "a quantile");
    }
    let (odd, even): (Vec<f64>, Vec<f64>) = values.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert!(correlation(&odd, &even).abs() < 4.0 / (n as f64 / 2.0).sqrt());
}
