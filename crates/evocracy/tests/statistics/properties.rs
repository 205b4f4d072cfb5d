//! What must hold whatever the rows.

use evocracy::committee::calibrate::{Between, Isotonic, Platt};
use evocracy::measure::significance::{
    Alternative, Better, Friedman, McNemar, Nemenyi, Null, Zeros, benjamini_hochberg, holm,
    mann_whitney, wilcoxon,
};
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
        prop_assert_eq!(ours.kappa().is_some_and(|k| k > 1.0 - 1e-12), perfect && ours.kappa().is_some());
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
            let two: Vec<_> =
                rows.iter().map(|&(t, c, w)| (t % 2, if turn { 1 - c % 2 } else { c % 2 }, w)).collect();
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
                prop_assert!(found.within_variance < 1e-30 && found.within_covariance.abs() < 1e-15);
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
            let mapped: Vec<f64> = inner.iter()
                .map(|p| 1.0 / (1.0 + (-(line.intercept + line.slope * logit(*p))).exp())).collect();
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
            scores.iter_mut().for_each(|s| *s = -*s);
            all.iter_mut().for_each(|r| r.1 = -r.1);
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
            let now = [if platt.slope < 0.0 { 1.0 - p } else { p }, linear.apply(score), step.apply(score)];
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
    fn adjusted_p_values_keep_the_order_and_only_grow(p in prop::collection::vec(0.0f64..=1.0, 0..40)) {
        let (first, second) = (holm(&p).unwrap(), benjamini_hochberg(&p).unwrap());
        for i in 0..p.len() {
            prop_assert!(p[i] <= second[i] && second[i] <= first[i] + 1e-15 && first[i] <= 1.0);
            for j in 0..p.len() {
                if p[i] <= p[j] {
                    prop_assert!(first[i] <= first[j] && second[i] <= second[j]);
                }
            }
        }
    }

    #[test]
    fn counted_groups_equal_enumeration(values in prop::collection::vec(0i32..6, 2..9), cut in 1usize..8) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let cut = cut.min(values.len() - 1);
        let wins = |chosen: u32| -> f64 {
            let is = |i: usize| chosen >> i & 1 == 1;
            (0..values.len()).filter(|&i| is(i)).map(|i| {
                (0..values.len()).filter(|&j| !is(j)).map(|j| {
                    if values[i] > values[j] { 1.0 } else if values[i] == values[j] { 0.5 } else { 0.0 }
                }).sum::<f64>()
            }).sum()
        };
        let seen = wins((1 << cut) - 1);
        let all: Vec<f64> = (0..1u32 << values.len())
            .filter(|chosen| chosen.count_ones() as usize == cut).map(wins).collect();
        let share = |f: &dyn Fn(f64) -> bool| all.iter().filter(|u| f(**u)).count() as f64 / all.len() as f64;
        let (less, greater) = (share(&|u| u <= seen), share(&|u| u >= seen));
        let p = |side| mann_whitney(&values[..cut], &values[cut..], side, Null::Exact).unwrap();
        prop_assert_eq!(p(Alternative::Less).u, seen);
        prop_assert!((p(Alternative::Less).p_value - less).abs() < 1e-12);
        prop_assert!((p(Alternative::Greater).p_value - greater).abs() < 1e-12);
        let two = (2.0 * less.min(greater)).min(1.0);
        prop_assert!((p(Alternative::TwoSided).p_value - two).abs() < 1e-12);
        let turned = mann_whitney(&values[cut..], &values[..cut], Alternative::Greater, Null::Exact);
        prop_assert!((turned.unwrap().p_value - less).abs() < 1e-12);
    }

    #[test]
    fn counted_signs_equal_enumeration(values in prop::collection::vec(-5i32..6, 1..9), pratt: bool) {
        let d: Vec<f64> = values.into_iter().map(f64::from).collect();
        let zeros = if pratt { Zeros::Pratt } else { Zeros::Drop };
        let ranked: Vec<f64> = d.iter().copied().filter(|d| pratt || *d != 0.0).collect();
        let rank = |v: f64| -> f64 {
            let below = ranked.iter().filter(|d| d.abs() < v.abs()).count() as f64;
            let equal = ranked.iter().filter(|d| d.abs() == v.abs()).count() as f64;
            below + (equal + 1.0) / 2.0
        };
        let ranks: Vec<f64> = ranked.iter().filter(|d| **d != 0.0).map(|d| rank(*d)).collect();
        let seen: f64 = ranked.iter().filter(|d| **d > 0.0).map(|d| rank(*d)).sum();
        let sums: Vec<f64> = (0..1u32 << ranks.len()).map(|signs| {
            ranks.iter().enumerate().filter(|(i, _)| signs >> i & 1 == 1).map(|(_, r)| r).sum()
        }).collect();
        let share = |f: &dyn Fn(f64) -> bool| sums.iter().filter(|s| f(**s)).count() as f64 / sums.len() as f64;
        let p = |side| wilcoxon(&d, zeros, side, Null::Exact).unwrap();
        prop_assert_eq!(p(Alternative::Less).above, seen);
        prop_assert!((p(Alternative::Less).p_value - share(&|s| s <= seen)).abs() < 1e-12);
        prop_assert!((p(Alternative::Greater).p_value - share(&|s| s >= seen)).abs() < 1e-12);
    }

    #[test]
    fn mcnemar_equals_coin_flips(first in 0u64..12, second in 0u64..12) {
        let all = first + second;
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (all - i) as f64 / (i + 1) as f64);
        let tail: f64 = (0..=first.min(second)).map(choose).sum::<f64>() / 2f64.powi(all as i32);
        let test = McNemar::of(first, second);
        prop_assert!((test.p_value - (2.0 * tail).min(1.0)).abs() < 1e-12);
        let turned = McNemar::of(second, first);
        prop_assert_eq!((test.p_value, test.chi_square), (turned.p_value, turned.chi_square));
    }

    #[test]
    fn ranks_of_methods_only_know_the_order(rows in prop::collection::vec(prop::collection::vec(0i32..6, 4), 2..12)) {
        let of = |f: &dyn Fn(i32) -> f64, better| {
            let results: Vec<Vec<f64>> = rows.iter().map(|r| r.iter().map(|&v| f(v)).collect()).collect();
            Friedman::new(&results, better).unwrap()
        };
        let plain = of(&f64::from, Better::Higher);
        prop_assert_eq!(&plain, &of(&|v| f64::from(v).exp(), Better::Higher));
        prop_assert_eq!(&plain, &of(&|v| -f64::from(v), Better::Lower));
        prop_assert!((plain.average_ranks.iter().sum::<f64>() - 10.0).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&plain.chi_square_p));
        let nemenyi = Nemenyi::new(&plain, 0.05).unwrap();
        for (i, row) in nemenyi.p_values.iter().enumerate() {
            for (j, p) in row.iter().enumerate() {
                prop_assert_eq!(*p, nemenyi.p_values[j][i]);
                let apart = (plain.average_ranks[i] - plain.average_ranks[j]).abs();
                let different = apart >= nemenyi.critical_difference;
                prop_assert!((*p <= 0.05) == different || (p - 0.05).abs() < 1e-9);
                let together = nemenyi.groups.iter().any(|g| g.contains(&i) && g.contains(&j));
                prop_assert_eq!(together, !different);
            }
        }
    }

    #[test]
    fn margin_summaries_know_neither_order_nor_repetition(rows in rows()) {
        let (_, margins, weights) = parts(&rows);
        let (_, margins2, _) = parts(&listed(&rows, |r| r.2));
        let ours = MarginSummary::new(&margins, Some(&weights)).unwrap();
        let again = MarginSummary::new(&margins2, None).unwrap();
        let five = |s: &MarginSummary| [s.least, s.lower_quartile, s.median, s.upper_quartile, s.greatest];
        prop_assert_eq!(five(&ours), five(&again));
        prop_assert!(five(&ours).is_sorted());
        prop_assert!((ours.mean - again.mean).abs() < 1e-12);
        prop_assert!((ours.deviation - again.deviation).abs() < 1e-9);
    }
}
