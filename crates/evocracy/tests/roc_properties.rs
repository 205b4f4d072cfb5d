//! What must hold for ROC analysis whatever the rows.

use evocracy::measure::{
    Areas, BandPoint, Bootstrap, BootstrapInterval, Conditions, CostCurve, Delong, LEVEL, Order,
    PrecisionRecall, Ranking, Resampling, Roc, Span, attained_area, bootstrap_auc, bootstrap_band,
    fixed_width_band, hull, joined_area, vertical_average,
};
use evocracy::run::{Pool, Run, Stop};
use proptest::prelude::*;

type Parts = (Vec<bool>, Vec<f64>, Vec<f64>);

/// Rows of both classes with positive weights; few distinct scores, so many ties.
fn rows() -> impl Strategy<Value = Parts> {
    let row = (any::<bool>(), -6i32..6, 1u8..5);
    prop::collection::vec(row, 2..60).prop_map(|rows| {
        let mut truth: Vec<bool> = rows.iter().map(|r| r.0).collect();
        (truth[0], truth[1]) = (true, false);
        let scores = rows.iter().map(|r| f64::from(r.1) / 4.0).collect();
        (truth, scores, rows.iter().map(|r| f64::from(r.2) / 2.0).collect())
    })
}

/// The trapezium rule on points, apart from how the library sums pairs.
fn trapezium(roc: &Roc) -> f64 {
    let piece = |p: &[evocracy::measure::Point]| (p[1].fpr - p[0].fpr) * (p[0].tpr + p[1].tpr);
    roc.points().windows(2).map(piece).sum::<f64>() / 2.0
}

proptest! {
    #[test]
    fn areas_are_ordered((truth, scores, weights) in rows()) {
        let roc = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        prop_assert!((trapezium(&roc) - roc.auc()).abs() < 1e-12);
        prop_assert!(roc.conservative_auc() <= roc.auc() + 1e-12);
        let points: Vec<_> = roc.points().iter().map(|p| (p.fpr, p.tpr)).collect();
        prop_assert!((attained_area(&points).unwrap() - roc.conservative_auc()).abs() < 1e-12);
        let outer = hull(&points).unwrap();
        prop_assert!(joined_area(&outer).unwrap() >= roc.auc() - 1e-12);
        let parts = [(0.0, 0.3), (0.3, 0.8), (0.8, 1.0)];
        for span in [Span::Fpr as fn(f64, f64) -> Span, Span::Tpr] {
            let sum: f64 =
                parts.iter().map(|&(a, b)| roc.partial_auc(span(a, b)).unwrap().area).sum();
            prop_assert!((sum - roc.auc()).abs() < 1e-12);
        }
    }

    #[test]
    fn weights_of_one_change_nothing((truth, scores, _) in rows()) {
        let ones = vec![1.0; truth.len()];
        let plain = Ranking::new(&truth, &scores, None).unwrap();
        prop_assert_eq!(&plain, &Ranking::new(&truth, &scores, Some(&ones)).unwrap());
        prop_assert_eq!(&plain, &Order::new(&truth, &scores, None).unwrap().ranking(None).unwrap());
        prop_assert_eq!(Roc::from(&plain), Roc::new(&truth, &scores, None).unwrap());
    }

    #[test]
    fn the_hull_is_concave_and_above_the_curve((truth, scores, weights) in rows()) {
        let roc = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        let outer = roc.hull();
        for edge in outer.windows(3) {
            let turn = (edge[1].fpr - edge[0].fpr) * (edge[2].tpr - edge[0].tpr)
                - (edge[1].tpr - edge[0].tpr) * (edge[2].fpr - edge[0].fpr);
            prop_assert!(turn < 0.0);
        }
        for edge in outer.windows(2) {
            let inside = roc.points().iter().filter(|p| p.fpr >= edge[0].fpr && p.fpr <= edge[1].fpr);
            for p in inside {
                let turn = (edge[1].fpr - edge[0].fpr) * (p.tpr - edge[0].tpr)
                    - (edge[1].tpr - edge[0].tpr) * (p.fpr - edge[0].fpr);
                prop_assert!(turn <= 1e-12);
            }
        }
    }

    #[test]
    fn the_cheapest_point_is_on_the_hull(
        (truth, scores, weights) in rows(), fp in 0.1f64..9.0, miss in 0.1f64..9.0, prior in 0.01f64..0.99
    ) {
        let roc = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        let conditions = Conditions::new(fp, miss, prior).unwrap();
        let cost = |p: &evocracy::measure::Point| conditions.cost(p.fpr, p.tpr);
        let best = cost(&roc.best(&conditions));
        prop_assert!(roc.points().iter().all(|p| best <= cost(p) + 1e-9));
        let on_hull = roc.hull().iter().map(cost).fold(f64::INFINITY, f64::min);
        prop_assert!((best - on_hull).abs() < 1e-9);
        let scale = prior * miss + (1.0 - prior) * fp;
        let drawn = CostCurve::from(&roc).cost(conditions.probability_cost());
        prop_assert!((drawn * scale - best).abs() < 1e-9);
    }

    #[test]
    fn caps_and_floors_hold((truth, scores, weights) in rows(), rate in 0.0f64..=1.0) {
        let roc = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        let capped = roc.with_fpr_at_most(rate).unwrap();
        prop_assert!(capped.fpr <= rate + 1e-9);
        prop_assert!(roc.points().iter().all(|p| p.fpr > rate || p.tpr <= capped.tpr));
        let floored = roc.with_tpr_at_least(rate).unwrap();
        prop_assert!(floored.tpr >= rate - 1e-9);
        prop_assert!(roc.points().iter().all(|p| p.tpr < rate || p.fpr >= floored.fpr));
    }

    #[test]
    fn cost_curves_are_concave_and_below_trivial_classifiers((truth, scores, _) in rows()) {
        let curve = CostCurve::from(&Roc::new(&truth, &scores, None).unwrap());
        prop_assert_eq!((curve.cost(0.0), curve.cost(1.0)), (0.0, 0.0));
        for i in 0..=20 {
            let x = f64::from(i) / 20.0;
            prop_assert!(curve.cost(x) <= x.min(1.0 - x) + 1e-12);
        }
        prop_assert!(curve.area() <= 0.25 + 1e-12);
        let corners = curve.corners();
        prop_assert!(corners.windows(2).all(|c| c[0].0 < c[1].0));
    }

    #[test]
    fn precision_is_the_prior_at_the_end((truth, scores, weights) in rows()) {
        let ranking = Ranking::new(&truth, &scores, Some(&weights)).unwrap();
        let curve = PrecisionRecall::from(&ranking);
        let last = curve.points()[curve.points().len() - 1];
        prop_assert!((last.precision - ranking.prior()).abs() < 1e-12 && last.recall == 1.0);
        prop_assert!(curve.average_precision() > 0.0 && curve.average_precision() <= 1.0 + 1e-12);
        let end = ranking.gains()[curve.points().len() - 1];
        prop_assert!((end.lift - 1.0).abs() < 1e-12 && (end.share - 1.0).abs() < 1e-12);
    }

    #[test]
    fn several_areas_agree_with_one((truth, scores, weights) in rows()) {
        let turned: Vec<f64> = scores.iter().map(|s| -s).collect();
        for weights in [None, Some(&weights[..])] {
            let areas = Areas::new(&truth, &[&scores, &turned, &scores], weights).unwrap();
            let alone = Delong::new(&truth, &scores, weights).unwrap();
            prop_assert!((areas.each()[0].auc() - alone.auc()).abs() < 1e-12);
            if let Some(variance) = alone.variance() {
                prop_assert!((areas.covariance(0, 0).unwrap() - variance).abs() < 1e-12);
                prop_assert!((areas.covariance(0, 1).unwrap() + variance).abs() < 1e-12);
            }
            let order = |scores: &[f64]| Order::new(&truth, scores, weights).unwrap();
            let orders = [order(&scores), order(&turned), order(&scores)];
            let clusters: Vec<u32> = (0..truth.len() as u32).map(|row| row / 3).collect();
            let all = [&scores[..], &turned, &scores];
            let pairs = [
                (Areas::new(&truth, &all, weights), Areas::of_orders(&orders, None)),
                (
                    Areas::clustered(&truth, &all, weights, &clusters),
                    Areas::of_orders(&orders, Some(&clusters)),
                ),
            ];
            for (sorted, reused) in pairs {
                prop_assert_eq!(sorted.unwrap(), reused.unwrap());
            }
            let same = areas.compare(0, 2, LEVEL).unwrap();
            prop_assert!(same.difference == 0.0 && same.interval.low < same.interval.high);
            let apart = areas.compare(0, 1, LEVEL).unwrap();
            prop_assert!(apart.interval.low >= -1.0 && apart.interval.high <= 1.0);
            prop_assert!(apart.p_value.is_none_or(|p| (0.0..=1.0).contains(&p)));
        }
    }

    #[test]
    fn bands_hold_the_curve((truth, scores, weights) in rows(), seed in 0u64..1000) {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(seed, &stop, &pool);
        let grid: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
        let order = Order::new(&truth, &scores, Some(&weights)).unwrap();
        let draws = Resampling::stratified(&truth, None).unwrap();
        let ranking = order.ranking(None).unwrap();
        let curve = vertical_average(&[Roc::from(&ranking)], &grid).unwrap();
        let pointwise = bootstrap_band(&order, &draws, &grid, 30, LEVEL, &run).unwrap();
        let whole = fixed_width_band(&ranking, &grid, LEVEL).unwrap();
        for band in [pointwise, whole] {
            for (p, tpr) in band.points.iter().zip(&curve) {
                prop_assert!(0.0 <= p.low && p.low <= p.tpr && p.tpr <= p.high && p.high <= 1.0);
                prop_assert_eq!(p.tpr, *tpr);
            }
            let falls = |pair: &[BandPoint]| pair[1].low < pair[0].low || pair[1].high < pair[0].high;
            prop_assert!(!band.points.windows(2).any(falls));
        }
    }

    #[test]
    fn intervals_from_draws_stay_within_bounds((truth, scores, weights) in rows(), seed in 0u64..1000) {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(seed, &stop, &pool);
        let clusters: Vec<u32> = (0..truth.len() as u32).map(|row| row / 3).collect();
        let order = Order::new(&truth, &scores, Some(&weights)).unwrap();
        let draws = [
            Resampling::stratified(&truth, None).unwrap(),
            Resampling::clustered(&truth, &clusters, None).unwrap(),
        ];
        for draws in &draws {
            for kind in [BootstrapInterval::Percentile, BootstrapInterval::Bca] {
                let (_, interval) =
                    bootstrap_auc(&order, draws, 60, LEVEL, kind, &run).unwrap();
                prop_assert!(0.0 <= interval.low && interval.low < interval.high + 1e-15);
                prop_assert!(interval.high <= 1.0);
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let truth: Vec<bool> = (0..200).map(|i| i % 3 == 0).collect();
    let scores: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) + f64::from(i % 3)).collect();
    let clusters: Vec<u32> = (0..200).map(|i| i / 4).collect();
    let order = Order::new(&truth, &scores, None).unwrap();
    let grid: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).collect();
    let with = |threads: usize| {
        let (stop, pool) = (Stop::new(), Pool::new(threads).unwrap());
        let run = Run::new(9, &stop, &pool);
        let draws = [
            Resampling::stratified(&truth, None).unwrap(),
            Resampling::clustered(&truth, &clusters, None).unwrap(),
        ];
        draws.map(|draws| {
            let kind = BootstrapInterval::Bca;
            let auc = bootstrap_auc(&order, &draws, 333, LEVEL, kind, &run).unwrap();
            (auc, bootstrap_band(&order, &draws, &grid, 100, LEVEL, &run).unwrap())
        })
    };
    assert_eq!(with(1), with(8));
}

#[test]
fn rows_of_one_cluster_are_drawn_together() {
    let truth = [true, true, false, false, true, false];
    let clusters = [7, 7, 3, 3, 9, 9];
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(2, &stop, &pool);
    let draws = Resampling::clustered(&truth, &clusters, None).unwrap();
    let seen = draws.draw(50, &run, <[u32]>::to_vec).unwrap();
    for counts in seen {
        assert!(counts[0] == counts[1] && counts[2] == counts[3] && counts[4] == counts[5]);
        assert!(counts[0] > 0 && counts[2] > 0); // one cluster in its stratum: always drawn
    }
    assert!(Resampling::clustered(&truth, &[1], None).is_err());
    assert!(Resampling::stratified(&[true], None).is_err());
}

#[test]
fn any_measure_can_be_bootstrapped() {
    let truth: Vec<bool> = (0..100).map(|i| i % 4 == 0).collect();
    let scores: Vec<f64> = (0..100).map(|i| f64::from(i * 13 % 29) + f64::from(i % 4)).collect();
    let order = Order::new(&truth, &scores, None).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let run = Run::new(4, &stop, &pool);
    let draws = Resampling::stratified(&truth, None).unwrap();
    let part = |counts: &[u32]| {
        let roc = Roc::from(&order.ranking(Some(counts)).unwrap());
        roc.partial_auc(Span::Fpr(0.0, 0.2)).unwrap().area
    };
    let found = Bootstrap::new(&draws, 300, &run, part).unwrap();
    let interval = found.percentile(LEVEL).unwrap();
    assert!(interval.low < found.estimate() && found.estimate() < interval.high);
    // More confidence, wider; both kinds in order.
    for level in [0.5, 0.8, 0.99] {
        let a = draws.acceleration(&run, part).unwrap();
        for pair in [found.percentile(level), found.bca(level, a)].map(Result::unwrap) {
            assert!(pair.low <= pair.high);
        }
    }
    assert!(found.percentile(0.99).unwrap().low <= found.percentile(0.8).unwrap().low);
}
