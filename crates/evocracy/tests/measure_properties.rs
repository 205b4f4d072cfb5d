//! What must hold for the measures whatever the rows.

use evocracy::measure::{
    Delong, Judgement, LEVEL, Roc, auc, brier, hand_till, log2_likelihood, r2, rmse,
};
use proptest::prelude::*;

/// Truth, score and weight of rows of both classes; few distinct scores, so many ties.
fn rows() -> impl Strategy<Value = Vec<(bool, f64, u8)>> {
    let row = (any::<bool>(), -6i32..6, 0u8..4);
    prop::collection::vec(row, 2..60).prop_map(|rows| {
        let mut rows: Vec<_> =
            rows.into_iter().map(|(t, s, w)| (t, f64::from(s) / 4.0, w)).collect();
        (rows[0].0, rows[1].0) = (true, false);
        (rows[0].2, rows[1].2) = (rows[0].2.max(1), rows[1].2.max(1));
        rows
    })
}

type Figure = fn(&[f64], &[f64], Option<&[f64]>) -> evocracy::error::Result<f64>;
type Parts = (Vec<bool>, Vec<f64>, Vec<f64>);

fn parts(rows: &[(bool, f64, u8)]) -> Parts {
    let truth = rows.iter().map(|r| r.0).collect();
    let scores = rows.iter().map(|r| r.1).collect();
    (truth, scores, rows.iter().map(|r| f64::from(r.2)).collect())
}

fn repeated(rows: &[(bool, f64, u8)]) -> Parts {
    let rows: Vec<_> = rows.iter().flat_map(|r| vec![*r; r.2 as usize]).collect();
    parts(&rows)
}

/// Labels, row-major probabilities of three classes and weights.
fn judged() -> impl Strategy<Value = Vec<(u32, [f64; 3], u8)>> {
    let row = (0u32..3, 1u32..6, 1u32..6, 1u32..6, 0u8..4);
    prop::collection::vec(row, 2..40).prop_map(|rows| {
        let mut rows: Vec<_> = rows
            .into_iter()
            .map(|(label, a, b, c, weight)| {
                let sum = f64::from(a + b + c);
                (label, [a, b, c].map(|x| f64::from(x) / sum), weight)
            })
            .collect();
        (rows[0].0, rows[1].0) = (0, 1);
        (rows[0].2, rows[1].2) = (rows[0].2.max(1), rows[1].2.max(1));
        rows
    })
}

proptest! {
    #[test]
    fn the_area_is_the_share_of_pairs_in_order(rows in rows()) {
        let (truth, scores, weights) = parts(&rows);
        let (mut pairs, mut ordered) = (0.0, 0.0);
        for (t, s, w) in &rows {
            for (u, v, x) in rows.iter().filter(|other| *t && !other.0) {
                let weight = f64::from(*w) * f64::from(*x);
                prop_assert!(!u);
                pairs += weight;
                ordered += weight * if s > v { 1.0 } else if s == v { 0.5 } else { 0.0 };
            }
        }
        let found = auc(&truth, &scores, Some(&weights)).unwrap();
        prop_assert!((found - ordered / pairs).abs() < 1e-12);
    }

    #[test]
    fn the_area_only_knows_the_order(rows in rows()) {
        let (truth, scores, _) = parts(&rows);
        let before = Roc::new(&truth, &scores, None).unwrap();
        // Exact in floating point for quarters, so different scores stay different.
        let cubed: Vec<f64> = scores.iter().map(|s| s * s * s - 7.0).collect();
        let after = Roc::new(&truth, &cubed, None).unwrap();
        prop_assert_eq!(before.auc(), after.auc());
        let rates = |roc: &Roc| roc.points().iter().map(|p| (p.fpr, p.tpr)).collect::<Vec<_>>();
        prop_assert_eq!(rates(&before), rates(&after));
        let turned: Vec<f64> = scores.iter().map(|s| -s).collect();
        let inverse = auc(&truth, &turned, None).unwrap();
        prop_assert!((inverse + before.auc() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_curve_climbs_from_corner_to_corner(rows in rows()) {
        let (truth, scores, weights) = parts(&rows);
        let roc = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        let points = roc.points();
        let (first, last) = (points[0], points[points.len() - 1]);
        prop_assert_eq!((first.fpr, first.tpr, last.fpr, last.tpr), (0.0, 0.0, 1.0, 1.0));
        let mut area = 0.0;
        for p in points.windows(2) {
            prop_assert!(p[0].fpr <= p[1].fpr && p[0].tpr <= p[1].tpr);
            prop_assert!(p[0].threshold > p[1].threshold);
            prop_assert!(p[0].fpr < p[1].fpr || p[0].tpr < p[1].tpr);
            area += (p[1].fpr - p[0].fpr) * (p[0].tpr + p[1].tpr) / 2.0;
        }
        prop_assert!((area - roc.auc()).abs() < 1e-12);
        for p in &points[1..] {
            prop_assert_eq!(roc.at(p.threshold), *p);
        }
    }

    #[test]
    fn weights_repeat_rows(rows in rows()) {
        let (truth, scores, weights) = parts(&rows);
        let (truth2, scores2, _) = repeated(&rows);
        let weighted = Roc::new(&truth, &scores, Some(&weights)).unwrap();
        prop_assert_eq!(weighted, Roc::new(&truth2, &scores2, None).unwrap());
        let errors = |f: Figure| {
            let number = |t: &[bool]| t.iter().map(|&t| f64::from(t)).collect::<Vec<_>>();
            let listed = f(&number(&truth2), &scores2, None).unwrap();
            (f(&number(&truth), &scores, Some(&weights)).unwrap() - listed).abs()
        };
        prop_assert!(errors(rmse) < 1e-12 && errors(r2) < 1e-9);
    }

    #[test]
    fn the_order_of_rows_does_not_matter(rows in rows(), turn in 0usize..60) {
        let mut other = rows.clone();
        other.rotate_left(turn % rows.len());
        other.reverse();
        let (truth, scores, _) = parts(&rows);
        let (truth2, scores2, _) = parts(&other);
        prop_assert_eq!(
            Roc::new(&truth, &scores, None).unwrap(), Roc::new(&truth2, &scores2, None).unwrap()
        );
        prop_assert_eq!(
            Delong::new(&truth, &scores, None).unwrap(),
            Delong::new(&truth2, &scores2, None).unwrap()
        );
    }

    #[test]
    fn intervals_hold_the_area_and_have_a_width(rows in rows(), level in 0.5f64..0.999) {
        let (truth, scores, weights) = parts(&rows);
        for weights in [None, Some(&weights[..])] {
            let delong = Delong::new(&truth, &scores, weights).unwrap();
            let interval = delong.interval(level).unwrap();
            prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            prop_assert!(interval.low <= delong.auc() && delong.auc() <= interval.high);
            prop_assert!(interval.low < interval.high);
        }
    }

    #[test]
    fn a_judgement_knows_neither_order_nor_repetition(rows in judged()) {
        let of = |rows: &[(u32, [f64; 3], u8)], weighted: bool| {
            let labels: Vec<u32> = rows.iter().map(|r| r.0).collect();
            let proba: Vec<f64> = rows.iter().flat_map(|r| r.1).collect();
            let weights: Vec<f64> = rows.iter().map(|r| f64::from(r.2)).collect();
            let weights = weighted.then_some(&weights[..]);
            let m = hand_till(&labels, &proba, 3, weights).unwrap();
            let bits = log2_likelihood(&labels, &proba, 3, weights).unwrap();
            let score = brier(&labels, &proba, 3, weights).unwrap();
            let judged = Judgement::new(&labels, &proba, 3, 0, weights).unwrap();
            ([m, bits, score, judged.accuracy], judged.confusion)
        };
        let (weighted, confusion) = of(&rows, true);
        let mut listed: Vec<_> = rows.iter().flat_map(|r| vec![*r; r.2 as usize]).collect();
        listed.reverse();
        let (repeated, same) = of(&listed, false);
        prop_assert_eq!(confusion, same);
        for (a, b) in weighted.iter().zip(repeated) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }

    #[test]
    fn for_two_classes_hand_and_till_give_the_usual_area(rows in rows()) {
        let (truth, scores, weights) = parts(&rows);
        let labels: Vec<u32> = truth.iter().map(|&t| u32::from(t)).collect();
        // Sixteenths: p and 1 - p are exact, so ties stay ties.
        let proba: Vec<f64> =
            scores.iter().map(|s| 0.5 + s / 4.0).flat_map(|p| [1.0 - p, p]).collect();
        let m = hand_till(&labels, &proba, 2, Some(&weights)).unwrap();
        prop_assert!((m - auc(&truth, &scores, Some(&weights)).unwrap()).abs() < 1e-12);
        let judged = Judgement::new(&labels, &proba, 2, 1, Some(&weights)).unwrap();
        prop_assert!((judged.auc.unwrap() - m).abs() < 1e-12);
        prop_assert_eq!(judged.auc_interval.unwrap().level, LEVEL);
    }
}
