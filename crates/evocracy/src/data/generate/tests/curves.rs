//! sinc on its grid, Friedman's function by its variance.

use super::super::{friedman1, sinc};
use super::{assert_normal, made, mean, numbers, variance};
use std::f64::consts::PI;

#[test]
fn sinc_on_a_grid_is_exact() {
    let table = made("gen:sinc:rows=201:noise=0:grid=true");
    for (step, (&x, &y)) in numbers(&table, 0).iter().zip(numbers(&table, 1)).enumerate() {
        assert!((x - (step as f64 - 100.0) / 10.0).abs() < 1e-12);
        // Euler's product over the zeros of the sine, cut off.
        let product: f64 = (1..100_000).map(|k| 1.0 - (x / (PI * f64::from(k))).powi(2)).product();
        assert!((y - product).abs() < 1e-3, "sinc({x}) is {y}");
    }
    assert_eq!((numbers(&table, 0)[0], numbers(&table, 0)[200]), (-10.0, 10.0));
    assert_eq!(sinc(0.0), 1.0);
    assert_eq!(table.schema().names().collect::<Vec<_>>(), ["x", "y"]);
}

#[test]
fn sinc_off_the_grid_is_uniform_with_its_noise() {
    let n = 50_000;
    let table = made(&format!("gen:sinc:rows={n}:noise=0.2"));
    let (x, y) = (numbers(&table, 0), numbers(&table, 1));
    assert!(x.iter().all(|x| (-10.0..10.0).contains(x)));
    // Uniform on [-10, 10]: mean 0, variance 100/3, fourth central moment 2000.
    assert!(mean(x).abs() < 4.0 * (100.0 / 3.0 / f64::from(n)).sqrt());
    let error = ((2000.0 - (100.0_f64 / 3.0).powi(2)) / f64::from(n)).sqrt();
    assert!((variance(x) - 100.0 / 3.0).abs() < 4.0 * error);
    let rest: Vec<f64> = x.iter().zip(y).map(|(&x, y)| y - sinc(x)).collect();
    assert_normal(&rest, 0.2, "n = 50,000");
}

/// Mean and variance of Friedman's function: three terms in closed form, the sine by the
/// midpoint rule.
fn friedman_moments() -> (f64, f64) {
    let steps = 1000;
    let at = |i: i32| (f64::from(i) + 0.5) / f64::from(steps);
    let (mut first, mut second) = (0.0, 0.0);
    for i in 0..steps {
        for j in 0..steps {
            let value = 10.0 * (PI * at(i) * at(j)).sin() / f64::from(steps);
            first += value / f64::from(steps);
            second += value * value;
        }
    }
    let sine = second - first * first;
    let square = 400.0 * (1.0 / 80.0 - 1.0 / 144.0);
    (first + 20.0 / 12.0 + 5.0 + 2.5, sine + square + 100.0 / 12.0 + 25.0 / 12.0)
}

#[test]
fn friedmans_function_has_its_mean_and_variance() {
    let n = 100_000;
    let table = made(&format!("gen:friedman1:rows={n}"));
    assert_eq!(table.columns().len(), 11);
    let (expected, spread) = friedman_moments();
    let y = numbers(&table, 10);
    let total = spread + 1.0;
    assert!((mean(y) - expected).abs() < 4.0 * (total / f64::from(n)).sqrt());
    // The kurtosis is below the normal one, so this is more than four standard errors.
    assert!((variance(y) - total).abs() < 4.0 * total * (2.0 / f64::from(n)).sqrt());
    let rest: Vec<f64> = (0..n as usize)
        .map(|row| y[row] - friedman1(std::array::from_fn(|j| numbers(&table, j)[row])))
        .collect();
    assert_normal(&rest, 1.0, "n = 100,000");
    // The inputs that say nothing are uniform, too, and the noise does not move them.
    let quiet = made(&format!("gen:friedman1:rows={n}:noise=0"));
    assert_eq!(quiet.columns()[..10], table.columns()[..10]);
    assert!((mean(numbers(&table, 9)) - 0.5).abs() < 4.0 / (12.0 * f64::from(n)).sqrt());
}
