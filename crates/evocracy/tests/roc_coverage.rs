//! Intervals, tests and bands keep their promise on simulated rows, within Monte-Carlo error.

use evocracy::measure::{
    AreaTest, AreaVariance, Areas, BootstrapInterval, Delong, LEVEL, Order, Ranking, Resampling,
    bootstrap_auc, bootstrap_band, fixed_width_band, resampled,
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

#[test]
fn the_test_from_draws_errs_as_often_as_it_says_and_agrees_with_delong() {
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let judged = |trial: u64| {
        let (truth, hidden) = rows(trial, 60, 60);
        let mut rng = Seed::new(13).child("noise", trial).rng();
        let mut noisy = || hidden.iter().map(|s| s + normal(&mut rng)).collect::<Vec<f64>>();
        let (first, second) = (noisy(), noisy());
        let order = |scores: &[f64]| Order::new(&truth, scores, None).unwrap();
        // A row is a cluster of its own, so DeLong's test is about the same.
        let patients: Vec<u32> = (0..120).collect();
        let draws = Resampling::clustered(&truth, &patients, None).unwrap();
        let run = Run::new(trial, &stop, &pool);
        let (a, b) = (order(&first), order(&second));
        let drawn = resampled(&a, &b, &draws, 400, LEVEL, &run).unwrap();
        let areas = Areas::new(&truth, &[&first, &second], None).unwrap();
        (drawn, areas.compare(0, 1, LEVEL).unwrap())
    };
    covers(600, 0.95, 0.015, |trial| judged(trial).0.p_value.unwrap() > 0.05);
    for trial in 0..20 {
        let (drawn, delong) = judged(trial);
        assert!((drawn.difference - delong.difference).abs() < 1e-12);
        assert!((drawn.statistic.unwrap() / delong.statistic.unwrap() - 1.0).abs() < 0.25);
    }
    // Where nothing varies there is no certainty.
    let truth = [true, true, false, false];
    let perfect = Order::new(&truth, &[4.0, 3.0, 2.0, 1.0], None).unwrap();
    let draws = Resampling::stratified(&truth, None).unwrap();
    let run = Run::new(1, &stop, &pool);
    let same = resampled(&perfect, &perfect, &draws, 50, LEVEL, &run).unwrap();
    assert_eq!((same.difference, same.p_value), (0.0, Some(1.0)));
    assert!(same.interval.low < -0.2 && same.interval.high > 0.2);
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
