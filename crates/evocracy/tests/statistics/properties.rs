//! What must hold for measures and maps whatever the rows.

use evocracy::committee::calibrate::{Between, Isotonic, Platt};
use evocracy::measure::{
    Average, Bins, Calibration, Confusion, Decomposition, LEVEL, MarginSummary, Rate, Reliability,
};
use proptest::prelude::*;

/// Truth, probability (few different ones) and weight of rows of both classes.
fn rows() -> impl Strategy<Value = Vec<(bool, f64, u8)>> {
    let row = (any::<bool>(), 0i32..=20, 0u8..4);
    prop::collection::vec(row, 2..60).prop_map(|rows| {
        let mut rows: Vec<_> =
            rows.into_iter().map(|(t, p, w)| (t, f64::from(p) / 20.0, w)).collect();
        (rows[0].0, rows[1].0) = (true, false);
        (rows[0].2, rows[1].2) = (rows[0].2.max(1), rows[1].2.max(1));
        rows
    })
}

/// True class, called class and weight.
fn calls() -> impl Strategy<Value = Vec<(u32, u32, u8)>> {
    prop::collection::vec((0u32..4, 0u32..4, 0u8..4), 1..60).prop_map(|mut rows| {
        rows[0].2 = rows[0].2.max(1);
        rows
    })
}

fn confusion(rows: &[(u32, u32, u8)], weighted: bool) -> Confusion {
    let truth: Vec<u32> = rows.iter().map(|r| r.0).collect();
    let called: Vec<u32> = rows.iter().map(|r| r.1).collect();
    let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2)).collect();
    Confusion::new(&truth, &called, 4, weighted.then_some(&weights[..])).unwrap()
}

type Parts = (Vec<bool>, Vec<f64>, Vec<f64>);

fn parts(rows: &[(bool, f64, u8)]) -> Parts {
    let truth = rows.iter().map(|r| r.0).collect();
    let proba = rows.iter().map(|r| r.1).collect();
    (truth, proba, rows.iter().map(|r| f64::from(r.2)).collect())
}

/// Every row as often as its weight says, in another order.
fn listed<T: Copy>(rows: &[T], times: impl Fn(&T) -> u8) -> Vec<T> {
    let mut all: Vec<T> = rows.iter().flat_map(|r| vec![*r; times(r) as usize]).collect();
    all.reverse();
    all
}

fn alike(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).map_or(a == b, |(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

proptest! {
    #[test]
    fn agreement_stays_in_its_range_and_is_symmetric(rows in calls()) {
        let turned: Vec<_> = rows.iter().map(|&(t, c, w)| (c, t, w)).collect();
        let (ours, other) = (confusion(&rows, true), confusion(&turned, true));
        for (a, b) in [(ours.mcc(), other.mcc()), (ours.kappa(), other.kappa())] {
            prop_assert!(alike(a, b));
            prop_assert!(a.is_none_or(|a| (-1.0..=1.0).contains(&a)));
        }
        // Names of classes do not matter.
        let renamed: Vec<_> = rows.iter().map(|&(t, c, w)| (3 - t, 3 - c, w)).collect();
        let renamed = confusion(&renamed, true);
        prop_assert!(alike(ours.mcc(), renamed.mcc()) && alike(ours.kappa(), renamed.kappa()));
        prop_assert!((ours.balanced_accuracy() - renamed.balanced_accuracy()).abs() < 1e-12);
        let perfect = ours.error() == 0.0;
        prop_assert!(ours.kappa().is_none_or(|kappa| (kappa > 1.0 - 1e-12) == perfect));
        let micro = ours.average(Rate::FBeta(1.0), Average::Micro).unwrap().value;
        prop_assert!((micro - ours.accuracy()).abs() < 1e-12);
        let recall = ours.average(Rate::Recall, Average::Weighted).unwrap().value;
        prop_assert!((recall - ours.accuracy()).abs() < 1e-12);
    }

    #[test]
    fn weights_of_calls_repeat_them(rows in calls()) {
        let all = confusion(&listed(&rows, |r| r.2), false);
        prop_assert_eq!(confusion(&rows, true), all);
    }

    #[test]
    fn turning_two_classes_round_turns_the_coefficient(rows in calls()) {
        let of = |turn: bool| {
            let call = |c: u32| if turn { 1 - c % 2 } else { c % 2 };
            let two: Vec<_> = rows.iter().map(|&(t, c, w)| (t % 2, call(c), w)).collect();
            confusion(&two, true).mcc()
        };
        prop_assert!(alike(of(false), of(true).map(|mcc| -mcc)));
    }

    #[test]
    fn a_brier_score_is_the_sum_of_its_terms(rows in rows(), bins in 1usize..12) {
        let (truth, proba, weights) = parts(&rows);
        let (truth2, proba2, _) = parts(&listed(&rows, |r| r.2));
        for bins in [Bins::Width(bins), Bins::Mass(bins), Bins::Distinct] {
            let found = Decomposition::new(&truth, &proba, bins, Some(&weights)).unwrap();
            prop_assert!((found.sum() - found.brier).abs() < 1e-14);
            let again = Decomposition::new(&truth2, &proba2, bins, None).unwrap();
            prop_assert!((found.reliability - again.reliability).abs() < 1e-12);
            prop_assert!((found.resolution - again.resolution).abs() < 1e-12);
            prop_assert!(found.resolution <= found.uncertainty + 1e-14);
            if bins == Bins::Distinct {
                prop_assert!(found.within_variance < 1e-30);
                prop_assert!(found.within_covariance.abs() < 1e-15);
            }
        }
    }

    #[test]
    fn tables_know_neither_order_nor_repetition(rows in rows(), bins in 1usize..12) {
        let (truth, proba, weights) = parts(&rows);
        let (truth2, proba2, _) = parts(&listed(&rows, |r| r.2));
        for bins in [Bins::Width(bins), Bins::Mass(bins)] {
            let ours = Reliability::new(&truth, &proba, bins, LEVEL, Some(&weights)).unwrap();
            let again = Reliability::new(&truth2, &proba2, bins, LEVEL, None).unwrap();
            prop_assert_eq!(ours.bins().len(), again.bins().len());
            for (a, b) in ours.bins().iter().zip(again.bins()) {
                prop_assert_eq!((a.low, a.high, a.weight), (b.low, b.high, b.weight));
                prop_assert!((a.rate - b.rate).abs() < 1e-12 && (a.mean - b.mean).abs() < 1e-12);
                prop_assert!(a.low <= a.mean + 1e-12 && a.mean <= a.high + 1e-12);
                prop_assert!(a.interval.low <= a.rate && a.rate <= a.interval.high);
            }
            prop_assert!(ours.ece() <= ours.mce() + 1e-12 && ours.mce() <= 1.0);
        }
    }

    #[test]
    fn recalibrated_probabilities_are_calibrated(rows in rows()) {
        let (truth, proba, weights) = parts(&rows);
        let found = Calibration::new(&truth, &proba, Some(&weights)).unwrap();
        let (truth2, proba2, _) = parts(&listed(&rows, |r| r.2));
        let again = Calibration::new(&truth2, &proba2, None).unwrap();
        prop_assert_eq!(found.missing, again.missing);
        prop_assert!(alike(found.in_the_large, again.in_the_large));
        if let (Some(line), Some(again)) = (found.line, again.line) {
            prop_assert!((line.slope - again.slope).abs() <= 1e-8 * again.slope.abs().max(1.0));
            let logit = |p: f64| (p / (1.0 - p)).ln();
            let inner: Vec<f64> = proba.iter().map(|p| p.clamp(1e-15, 1.0 - 1e-15)).collect();
            let map = |p: &f64| 1.0 / (1.0 + (-line.intercept - line.slope * logit(*p)).exp());
            let mapped: Vec<f64> = inner.iter().map(map).collect();
            let mean = |v: &[f64]| v.iter().zip(&weights).map(|(v, w)| v * w).sum::<f64>();
            let positive: Vec<f64> = truth.iter().map(|&t| f64::from(t)).collect();
            prop_assert!((mean(&mapped) - mean(&positive)).abs() < 1e-6);
        }
    }

    #[test]
    fn calibration_maps_never_fall_and_repeat_weights(rows in rows(), turn: bool) {
        let (truth, mut scores, weights) = parts(&rows);
        let mut all = listed(&rows, |r| r.2);
        if turn {
            scores = scores.iter().map(|s| -s).collect();
            all = all.iter().map(|r| (r.0, -r.1, r.2)).collect();
        }
        let (truth2, scores2, _) = parts(&all);
        let platt = Platt::fit(&scores, &truth, Some(&weights)).unwrap();
        let again = Platt::fit(&scores2, &truth2, None).unwrap();
        let linear = Isotonic::fit(&scores, &truth, Some(&weights)).unwrap();
        linear.check().unwrap();
        let same = Isotonic::fit(&scores2, &truth2, None).unwrap();
        let step = linear.clone().between(Between::Step);
        let mut before: Option<[f64; 3]> = None;
        for i in -60..=60 {
            let score = f64::from(i) / 40.0;
            prop_assert!((platt.apply(score) - again.apply(score)).abs() < 1e-9);
            prop_assert!((linear.apply(score) - same.apply(score)).abs() < 1e-12);
            let p = platt.apply(score);
            let rising = if platt.slope < 0.0 { 1.0 - p } else { p };
            let now = [rising, linear.apply(score), step.apply(score)];
            prop_assert!(now.iter().all(|p| (0.0..=1.0).contains(p)));
            if let Some(before) = before {
                prop_assert!(now.iter().zip(before).all(|(now, before)| *now >= before - 1e-15));
            }
            before = Some(now);
        }
    }

    #[test]
    fn isotonic_values_are_the_min_max_of_means(rows in rows()) {
        // f(x) = max over a <= x of min over b >= x of the mean between them
        // (Robertson, Wright, Dykstra, "Order Restricted Statistical Inference", 1988, 1.4).
        let (truth, scores, weights) = parts(&rows);
        let map = Isotonic::fit(&scores, &truth, Some(&weights)).unwrap();
        let mut values: Vec<f64> =
            rows.iter().filter(|r| r.2 > 0).map(|r| r.1).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let mean = |a: f64, b: f64| {
            let within = || rows.iter().filter(|r| r.1 >= a && r.1 <= b);
            let positive: f64 = within().filter(|r| r.0).map(|r| f64::from(r.2)).sum();
            positive / within().map(|r| f64::from(r.2)).sum::<f64>()
        };
        for &x in &values {
            let best = values.iter().filter(|a| **a <= x).map(|&a| {
                let least = values.iter().filter(|b| **b >= x).map(|&b| mean(a, b));
                least.fold(f64::INFINITY, f64::min)
            }).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!((map.apply(x) - best).abs() < 1e-12);
        }
    }

    #[test]
    fn margin_summaries_know_neither_order_nor_repetition(rows in rows()) {
        let (_, margins, weights) = parts(&rows);
        let (_, margins2, _) = parts(&listed(&rows, |r| r.2));
        let ours = MarginSummary::new(&margins, Some(&weights)).unwrap();
        let again = MarginSummary::new(&margins2, None).unwrap();
        let five = |s: &MarginSummary| {
            [s.least, s.lower_quartile, s.median, s.upper_quartile, s.greatest]
        };
        prop_assert_eq!(five(&ours), five(&again));
        prop_assert!(five(&ours).is_sorted());
        prop_assert!((ours.mean - again.mean).abs() < 1e-12);
        prop_assert!((ours.deviation - again.deviation).abs() < 1e-9);
    }
}
