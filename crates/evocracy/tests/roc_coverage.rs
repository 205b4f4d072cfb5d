//! Intervals, tests and bands keep their promise on simulated rows, within Monte-Carlo error.

use evocracy::measure::{
    AreaTest, AreaVariance, Areas, BootstrapInterval, Clusters, Delong, LEVEL, Order, Ranking,
    Resampling, bootstrap_auc, bootstrap_band, fixed_width_band,
};
use evocracy::num::{normal_quantile, normal_tail};
use evocracy::run::{Pool, Run, Seed, Stop};
use rand::{Rng, RngExt};

/// The distance of the means of the two normal classes.
const GAP: f64 = 1.2;

fn normal(rng: &mut impl Rng) -> f64 {
    normal_quantile(rng.random_range(1e-12..1.0))
}

fn rows(trial: u64, positives: usize, negatives: usize) -> (Vec<bool>, Vec<f64>) {
    let mut rng = Seed::new(11).child("coverage", trial).rng();
    let truth: Vec<bool> = (0..positives + negatives).map(|row| row < positives).collect();
    let scores = truth.iter().map(|&t| normal(&mut rng) + GAP * f64::from(t)).collect();
    (truth, scores)
}

fn true_auc() -> f64 {
    1.0 - normal_tail(GAP / 2f64.sqrt())
}

/// The share of trials that hold, which must be the nominal one within `slack` and four
/// standard deviations of simulation.
#[track_caller]
fn covers(trials: u64, nominal: f64, slack: f64, holds: impl Fn(u64) -> bool) {
    let share = (0..trials).filter(|&trial| holds(trial)).count() as f64 / trials as f64;
    let error = 4.0 * (nominal * (1.0 - nominal) / trials as f64).sqrt();
    assert!((share - nominal).abs() <= slack + error, "{share} instead of {nominal}");
}

#[test]
fn delong_intervals_cover() {
    for level in [0.8, 0.95] {
        let inside = |trial, plain: bool| {
            let (truth, scores) = rows(trial, 60, 90);
            let delong = Delong::new(&truth, &scores, None).unwrap();
            let found = if plain { delong.plain_interval(level) } else { delong.interval(level) };
            let found = found.unwrap();
            found.low <= true_auc() && true_auc() <= found.high
        };
        covers(3000, level, 0.01, |trial| inside(trial, false));
        covers(3000, level, 0.015, |trial| inside(trial, true));
    }
}

#[test]
fn intervals_cover_where_one_class_is_tiny() {
    // Few positives: conservative is allowed, too sure of itself is not.
    for positives in [1, 2, 5] {
        let held = (0..2000).filter(|&trial| {
            let (truth, scores) = rows(trial, positives, 50);
            let found = Delong::new(&truth, &scores, None).unwrap().interval(LEVEL).unwrap();
            found.low <= true_auc() && true_auc() <= found.high
        });
        let share = held.count() as f64 / 2000.0;
        assert!(share >= if positives == 2 { 0.75 } else { 0.88 }, "{positives}: {share}");
    }
}

#[test]
fn bootstrap_intervals_cover() {
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    for kind in [BootstrapInterval::Percentile, BootstrapInterval::Bca] {
        covers(600, 0.9, 0.02, |trial| {
            let (truth, scores) = rows(trial, 60, 60);
            let order = Order::new(&truth, &scores, None).unwrap();
            let draws = Resampling::stratified(&truth, None).unwrap();
            let run = Run::new(trial, &stop, &pool);
            let (_, found) = bootstrap_auc(&order, &draws, 400, 0.9, kind, &run).unwrap();
            found.low <= true_auc() && true_auc() <= found.high
        });
    }
}

#[test]
fn the_paired_test_errs_as_often_as_it_says() {
    covers(3000, 0.95, 0.01, |trial| {
        let (truth, hidden) = rows(trial, 60, 60);
        let mut rng = Seed::new(12).child("noise", trial).rng();
        let mut noisy = || hidden.iter().map(|s| s + normal(&mut rng)).collect::<Vec<f64>>();
        let areas = Areas::new(&truth, &[&noisy(), &noisy()], None).unwrap();
        areas.compare(0, 1, LEVEL).unwrap().p_value.unwrap() > 0.05
    });
}

/// Forty patients of four rows each; rows of a patient share a part of their scores. Every third
/// patient has rows of both classes.
fn patients(trial: u64) -> (Vec<bool>, [Vec<f64>; 2], Vec<u32>) {
    let mut rng = Seed::new(17).child("patients", trial).rng();
    let (mut truth, mut scores, mut of) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
    for patient in 0..40_u32 {
        let shared = normal(&mut rng);
        for row in 0..4 {
            let ill = if patient % 3 == 0 { row % 2 == 0 } else { patient % 3 == 1 };
            let own = shared + GAP * 2f64.sqrt() * f64::from(ill);
            truth.push(ill);
            for scores in &mut scores {
                scores.push(own + normal(&mut rng));
            }
            of.push(patient);
        }
    }
    (truth, scores, of)
}

#[test]
fn intervals_and_tests_of_clustered_rows_keep_their_promise() {
    let inside = |trial: u64, clustered: bool| {
        let (truth, [first, _], of) = patients(trial);
        let areas = if clustered {
            Areas::clustered(&truth, &[&first], None, &of).unwrap()
        } else {
            Areas::new(&truth, &[&first], None).unwrap()
        };
        let found = areas.each()[0].interval(LEVEL).unwrap();
        found.low <= true_auc() && true_auc() <= found.high
    };
    covers(2000, LEVEL, 0.02, |trial| inside(trial, true));
    let rows = (0..2000).filter(|&trial| inside(trial, false)).count();
    assert!(rows < 1800, "rows taken for patients cover {rows} of 2000");
    covers(2000, LEVEL, 0.02, |trial| {
        let (truth, [first, second], of) = patients(trial);
        let areas = Areas::clustered(&truth, &[&first, &second], None, &of).unwrap();
        areas.compare(0, 1, LEVEL).unwrap().p_value.unwrap() > 0.05
    });
    // The share of the ill above 1.5, whose truth is known.
    let real = normal_tail((1.5 - GAP * 2f64.sqrt()) / 2f64.sqrt());
    covers(2000, LEVEL, 0.02, |trial| {
        let (truth, [first, _], of) = patients(trial);
        let clusters = Clusters::of_rows(&truth, &of, None).unwrap();
        let is = |row: usize| first[row] >= 1.5;
        let found = clusters.rate_interval(&truth, None, true, LEVEL, is).unwrap();
        found.low <= real && real <= found.high
    });
}

#[test]
fn clusters_of_one_row_are_rows_and_perfect_clusters_are_few() {
    let (truth, scores) = rows(3, 40, 60);
    let other: Vec<f64> = rows(4, 40, 60).1;
    let alone: Vec<u32> = (0..100).rev().collect();
    let both: [&[f64]; 2] = [&scores, &other];
    let by_row = Areas::new(&truth, &both, None).unwrap();
    let by_cluster = Areas::clustered(&truth, &both, None, &alone).unwrap();
    for (i, j) in [(0, 0), (0, 1), (1, 1)] {
        let (a, b) = (by_row.covariance(i, j).unwrap(), by_cluster.covariance(i, j).unwrap());
        assert!((a - b).abs() < 1e-15, "{a} {b}");
    }
    // Four patients of a thousand rows each, told apart perfectly: four, not four thousand.
    let truth: Vec<bool> = (0..4000).map(|row| row < 2000).collect();
    let scores: Vec<f64> = truth.iter().map(|&t| f64::from(t)).collect();
    let of: Vec<u32> = (0..4000).map(|row| row / 1000).collect();
    let areas = Areas::clustered(&truth, &[&scores], None, &of).unwrap();
    let found = areas.each()[0].interval(LEVEL).unwrap();
    assert!(found.low < 0.4 && found.high == 1.0, "{found:?}");
    let clusters = Clusters::of_rows(&truth, &of, None).unwrap();
    let rate = clusters.rate_interval(&truth, None, false, LEVEL, |row| scores[row] > 0.5);
    assert!(rate.unwrap().high > 0.6);
}

#[test]
fn clusters_are_not_taken_for_rows() {
    // Every patient has four equal rows: drawn one by one they look too certain.
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(5, &stop, &pool);
    let (one, score) = rows(0, 30, 30);
    let truth: Vec<bool> = one.iter().flat_map(|&t| [t; 4]).collect();
    let scores: Vec<f64> = score.iter().flat_map(|&s| [s; 4]).collect();
    let patients: Vec<u32> = (0..240).map(|row| row / 4).collect();
    let order = Order::new(&truth, &scores, None).unwrap();
    let deviation = |draws: Resampling| {
        let found = bootstrap_auc(&order, &draws, 2000, LEVEL, BootstrapInterval::Percentile, &run);
        found.unwrap().0.deviation()
    };
    let by_row = deviation(Resampling::stratified(&truth, None).unwrap());
    let by_patient = deviation(Resampling::clustered(&truth, &patients, None).unwrap());
    let plain = Order::new(&one, &score, None).unwrap();
    let draws = Resampling::stratified(&one, None).unwrap();
    let found = bootstrap_auc(&plain, &draws, 2000, LEVEL, BootstrapInterval::Percentile, &run);
    let right = found.unwrap().0.deviation();
    assert!((by_patient / right - 1.0).abs() < 0.1, "{by_patient} {right}");
    assert!((by_row / right - 0.5).abs() < 0.06, "{by_row} {right}");
}

#[test]
fn bands_cover() {
    let grid: Vec<f64> = (1..50).map(|i| f64::from(i) / 50.0).collect();
    let curve: Vec<f64> = grid.iter().map(|&f| normal_tail(-normal_quantile(f) - GAP)).collect();
    // The whole curve, at least as often as promised.
    let held = (0..1000).filter(|&trial| {
        let (truth, scores) = rows(trial, 50, 80);
        let ranking = Ranking::new(&truth, &scores, None).unwrap();
        let band = fixed_width_band(&ranking, &grid, 0.8).unwrap();
        band.points.iter().zip(&curve).all(|(p, t)| p.low <= *t && *t <= p.high)
    });
    assert!(held.count() >= 770);
    // Each point, about as often as promised.
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let places = [0.1, 0.3, 0.6];
    let mut held = [0; 3];
    for trial in 0..400 {
        let (truth, scores) = rows(trial, 80, 80);
        let order = Order::new(&truth, &scores, None).unwrap();
        let draws = Resampling::stratified(&truth, None).unwrap();
        let run = Run::new(trial, &stop, &pool);
        let band = bootstrap_band(&order, &draws, &places, 300, 0.9, &run).unwrap();
        for (held, p) in held.iter_mut().zip(&band.points) {
            let t = normal_tail(-normal_quantile(p.fpr) - GAP);
            *held += u32::from(p.low <= t && t <= p.high);
        }
    }
    for held in held {
        let share = f64::from(held) / 400.0;
        assert!((share - 0.9).abs() < 0.03 + 4.0 * (0.09f64 / 400.0).sqrt(), "{share}");
    }
}

#[test]
fn planned_power_is_reached() {
    for variance in [AreaVariance::Obuchowski, AreaVariance::HanleyMcNeil] {
        let test = AreaTest { against: 0.65, variance, ..AreaTest::new(true_auc()) };
        let sizes = test.sizes(0.8, 1.0).unwrap();
        let (m, n) = (sizes.positives as usize, sizes.negatives as usize);
        covers(1500, 0.8, 0.06, |trial| {
            let (truth, scores) = rows(trial, m, n);
            let found = Delong::new(&truth, &scores, None).unwrap();
            found.interval(LEVEL).unwrap().low > 0.65
        });
    }
}
