//! Tests of the solvers, from the inside.

use super::problem::{Iterate, Problem};
use super::solve::{Solved, solve};
use super::*;
use crate::run::{Pool, Seed, Stop, StopReason};
use proptest::prelude::*;
use rand::RngExt;
use std::borrow::Cow;

/// Random rows with linear log-odds, weights from 0 to 2.
fn problem(
    rows: usize,
    columns: usize,
    classes: usize,
    seed: u64,
    with: &Logistic,
) -> Problem<'static> {
    let mut rng = Seed::new(seed).rng();
    let mut draw =
        |len: usize| -> Vec<f64> { (0..len).map(|_| 4.0 * rng.random::<f64>() - 2.0).collect() };
    let truth = draw(columns * classes);
    let cells: Vec<Vec<f64>> = (0..columns).map(|_| draw(rows)).collect();
    let noise = draw(rows * classes);
    let label = |row: usize| {
        let score = |class: usize| {
            let linear = (0..columns).map(|j| cells[j][row] * truth[class * columns + j]);
            linear.sum::<f64>() + 2.0 * noise[row * classes + class]
        };
        crate::num::argmax(&(0..classes).map(score).collect::<Vec<_>>()) as u32
    };
    let labels: Vec<u32> = (0..rows).map(label).collect();
    let weights: Vec<f64> = draw(rows).iter().map(|w| (w + 1.5).max(0.0)).collect();
    let inputs = DenseRows { rows, columns: cells.into_iter().map(Cow::Owned).collect() };
    Problem::new(inputs, &labels, weights, classes, with)
}

fn solved(problem: &Problem<'_>, with: &Logistic) -> Solved {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    solve(problem, with, &Run::new(1, &stop, &pool))
}

fn never_rises(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[1] <= pair[0] + 1e-13 * pair[0].abs())
}

/// The derivatives by differences of the objective.
fn numeric_gradient(problem: &Problem<'_>, iterate: &Iterate, at: usize) -> f64 {
    let value = |by: f64| {
        let mut theta = iterate.theta.clone();
        theta[at] += by;
        let l1 = theta.iter().enumerate().map(|(at, t)| problem.l1_at(at) * t.abs());
        let l1: f64 = l1.sum();
        problem.at(theta).value - l1
    };
    (value(1e-5) - value(-1e-5)) / 2e-5
}

#[test]
fn gradient_and_hessian_are_those_of_the_objective() {
    for classes in [2, 3, 5] {
        let with = Logistic::default().penalty(0.7).mix(0.3);
        let problem = problem(300, 4, classes, 5, &with);
        let size = problem.len();
        let theta: Vec<f64> = (0..size).map(|i| ((i * 37 % 11) as f64 - 5.0) / 7.0).collect();
        let iterate = problem.at(theta);
        let matrix = problem.hessian(&iterate);
        for at in 0..size {
            let found = numeric_gradient(&problem, &iterate, at);
            assert!(
                (found - iterate.gradient[at]).abs() < 1e-4,
                "{found} {}",
                iterate.gradient[at]
            );
            let gradient = |by: f64| {
                let mut theta = iterate.theta.clone();
                theta[at] += by;
                problem.at(theta).gradient
            };
            let (above, below) = (gradient(1e-5), gradient(-1e-5));
            for j in 0..size {
                let found = (above[j] - below[j]) / 2e-5;
                let expected = matrix[at.min(j) * size + at.max(j)];
                assert!((found - expected).abs() < 1e-4, "{classes} {at} {j}: {found} {expected}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn the_conditions_of_optimality_hold_and_the_objective_never_rises(
        rows in 5_usize..400,
        columns in 1_usize..12,
        classes in 2_usize..5,
        penalty in prop_oneof![Just(0.0), 0.01..30.0],
        mix in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0],
        seed in 0_u64..1000,
    ) {
        let with = Logistic::default().penalty(penalty).mix(mix).tolerance(1e-9);
        let problem = problem(rows, columns, classes, seed, &with);
        let solved = solved(&problem, &with);
        prop_assert!(never_rises(&solved.values), "{:?}", solved.values);
        prop_assert_eq!(solved.stop, StopReason::Finished);
        let iterate = problem.at(solved.theta);
        // At the floor of the penalty the optimum is far away and flat.
        let enough = if penalty > 0.0 { 1e-9 } else { 1e-7 };
        let violation = problem.violation(&iterate) / problem.total;
        prop_assert!(violation <= enough, "{violation:e} after {} steps", solved.values.len());
    }

    #[test]
    fn the_solvers_for_many_coefficients_find_the_same(
        rows in 20_usize..200,
        columns in 1_usize..8,
        classes in 2_usize..5,
        lasso in any::<bool>(),
        seed in 0_u64..1000,
    ) {
        let mix = if lasso { 0.5 } else { 0.0 };
        let with = Logistic::default().mix(mix).tolerance(1e-10).rounds(20_000);
        let problem = problem(rows, columns, classes, seed, &with);
        let few = solved(&problem, &with);
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let many = solve::solve_large(&problem, &with, &Run::new(1, &stop, &pool));
        prop_assert!(never_rises(&many.values));
        let (few, many) = (problem.at(few.theta), problem.at(many.theta));
        for (a, b) in few.proba.iter().zip(&many.proba) {
            prop_assert!((a - b).abs() < 1e-7, "{a} {b}");
        }
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let with = Logistic::default().tolerance(1e-12);
    let one = problem(5000, 3, 3, 8, &with);
    let back = |column: &Cow<'_, [f64]>| Cow::Owned(column.iter().rev().copied().collect());
    let other = Problem::new(
        DenseRows { rows: one.rows, columns: one.columns.iter().map(back).collect() },
        &one.labels.iter().rev().copied().collect::<Vec<_>>(),
        one.weights.iter().rev().copied().collect(),
        3,
        &with,
    );
    let (a, b) = (solved(&one, &with), solved(&other, &with));
    for (a, b) in a.theta.iter().zip(&b.theta) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn classes_that_a_plane_parts_have_finite_coefficients() {
    for (classes, mix) in [(2, 0.0), (2, 1.0), (3, 0.0), (3, 1.0)] {
        let with = Logistic::default().penalty(0.0).mix(mix);
        let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 20.0 - 1.5).collect();
        let labels: Vec<u32> = (0..60).map(|i| i * classes / 60).collect();
        let inputs = DenseRows { rows: 60, columns: vec![Cow::Owned(x)] };
        let problem = Problem::new(inputs, &labels, vec![1.0; 60], classes as usize, &with);
        let solved = solved(&problem, &with);
        assert!(never_rises(&solved.values));
        assert!(solved.theta.iter().all(|t| t.is_finite()), "{:?}", solved.theta);
        let iterate = problem.at(solved.theta);
        assert!(iterate.value < 1e-2, "{}", iterate.value);
    }
}

#[test]
fn a_raised_flag_gives_the_shares_of_the_classes() {
    let with = Logistic::default();
    let problem = problem(100, 2, 2, 1, &with);
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    stop.request();
    let solved = solve(&problem, &with, &Run::new(1, &stop, &pool));
    assert_eq!(solved.stop, StopReason::Interrupted);
    assert_eq!(solved.theta[..2], [0.0, 0.0]);
}
