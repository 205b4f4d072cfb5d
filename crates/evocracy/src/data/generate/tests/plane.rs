//! Moons lie on their circles, checkerboards have their colours.

use super::{assert_fair, assert_normal, classes, made, numbers};
use std::f64::consts::PI;

#[test]
fn moons_without_noise_lie_on_half_circles() {
    let table = made("gen:moons:rows=20000:noise=0");
    assert_fair(&table, 2);
    for (row, &class) in classes(&table).iter().enumerate() {
        let (x, y) = (numbers(&table, 0)[row], numbers(&table, 1)[row]);
        let (right, up) = if class == 0 { (x, y) } else { (1.0 - x, 0.5 - y) };
        assert!((right * right + up * up - 1.0).abs() < 1e-12 && up >= 0.0);
    }
}

#[test]
fn moons_are_blurred_by_the_noise_asked_for() {
    let (clean, noisy) =
        (made("gen:moons:rows=40000:noise=0"), made("gen:moons:rows=40000:noise=0.2"));
    assert_eq!(classes(&clean), classes(&noisy));
    for column in 0..2 {
        let gaps: Vec<f64> = numbers(&noisy, column)
            .iter()
            .zip(numbers(&clean, column))
            .map(|(noisy, clean)| noisy - clean)
            .collect();
        assert_normal(&gaps, 0.2, "n = 40,000");
    }
}

#[test]
fn a_checkerboard_has_the_colours_of_its_fields() {
    for fields in [2, 3, 4, 8] {
        let table = made(&format!("gen:checkerboard:{fields}:rows=20000"));
        let wave = |x: f64| (f64::from(fields) * PI * x).sin();
        let (x, y) = (numbers(&table, 0), numbers(&table, 1));
        for (row, &class) in classes(&table).iter().enumerate() {
            assert!((0.0..1.0).contains(&x[row]) && (0.0..1.0).contains(&y[row]));
            assert_eq!(class == 1, wave(x[row]) * wave(y[row]) < 0.0);
        }
        if fields % 2 == 0 {
            assert_fair(&table, 2);
        }
    }
}
