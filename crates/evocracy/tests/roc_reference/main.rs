//! ROC analysis against scikit-learn, scipy and R's pROC; see `reference/roc.py` and `roc.R`.

mod cases;
#[path = "../common/mod.rs"]
mod common;

use cases::{proc, reference};
use evocracy::measure::{
    AreaTest, AreaVariance, Areas, Bootstrap, Conditions, CostCurve, Delong, LEVEL, Order,
    PrecisionRecall, Ranking, Resampling, Roc, Span, auc, decision_curve, one_against_rest,
    unpaired,
};
use evocracy::run::{Pool, Run, Stop};

const TOLERANCE: f64 = 1e-9;

#[track_caller]
fn near(name: &str, what: &str, ours: f64, theirs: f64) {
    common::near(name, what, ours, theirs, TOLERANCE);
}

#[test]
fn curves_hulls_costs_and_parts() {
    let cases = reference().cases;
    assert!(cases.len() >= 20);
    for case in cases {
        let (name, weights) = (&case.name, case.weights.as_deref());
        let roc = Roc::new(&case.truth, &case.scores, weights).unwrap();
        near(name, "auc", roc.auc(), case.auc);
        near(name, "auc alone", auc(&case.truth, &case.scores, weights).unwrap(), case.auc);
        near(name, "conservative", roc.conservative_auc(), case.conservative);
        let hull = roc.hull();
        // scipy may keep points on a straight line; all of its points lie on our hull.
        let on_hull = |f: f64| {
            let at =
                hull.windows(2).find(|p| p[0].fpr <= f && f <= p[1].fpr && p[0].fpr < p[1].fpr);
            at.map(|p| p[0].tpr + (f - p[0].fpr) / (p[1].fpr - p[0].fpr) * (p[1].tpr - p[0].tpr))
        };
        for &(f, t) in case.hull.iter().filter(|(f, _)| *f > 0.0) {
            near(name, "hull", on_hull(f).unwrap(), t);
        }
        let known = |f: f64, t: f64| case.hull.iter().any(|p| (p.0 - f).hypot(p.1 - t) < 1e-9);
        assert!(hull.iter().all(|p| known(p.fpr, p.tpr)), "{name}");
        for &(cap, corrected) in &case.partial {
            let part = roc.partial_auc(Span::Fpr(0.0, cap)).unwrap();
            near(name, "partial", part.corrected, corrected);
        }
        let curve = CostCurve::from(&roc);
        for cost in &case.costs {
            let conditions = Conditions::new(cost.alarm, cost.miss, cost.prior).unwrap();
            let best = roc.best(&conditions);
            near(name, "least cost", conditions.cost(best.fpr, best.tpr), cost.least);
            let scale = cost.prior * cost.miss + (1.0 - cost.prior) * cost.alarm;
            let drawn = curve.cost(conditions.probability_cost());
            near(name, "cost curve", drawn * scale, cost.least);
        }
        let youden = roc.youden();
        near(name, "Youden", youden.tpr - youden.fpr, case.youden);
    }
}

#[test]
fn precision_lift_and_net_benefit() {
    for case in reference().cases {
        let (name, weights) = (&case.name, case.weights.as_deref());
        let ranking = Ranking::new(&case.truth, &case.scores, weights).unwrap();
        let curve = PrecisionRecall::from(&ranking);
        near(name, "average precision", curve.average_precision(), case.average_precision);
        assert_eq!(curve.points().len(), case.cuts.len(), "{name}");
        for (i, p) in curve.points().iter().enumerate() {
            near(name, "precision", p.precision, case.precision[i]);
            near(name, "recall", p.recall, case.recall[i]);
            near(name, "cut", p.threshold, case.cuts[i]);
        }
        for (ours, &(share, gain)) in ranking.gains().iter().zip(&case.lift) {
            near(name, "share", ours.share, share);
            near(name, "gain", ours.gain, gain);
            near(name, "lift", ours.lift, gain / share);
        }
        let proba: Vec<f64> = case.scores.iter().map(|s| 1.0 / (1.0 + (-s).exp())).collect();
        let ranking = Ranking::new(&case.truth, &proba, weights).unwrap();
        let thresholds: Vec<f64> = case.benefit.iter().map(|b| b.0).collect();
        let found = decision_curve(&ranking, &thresholds, None).unwrap();
        for (ours, theirs) in found.iter().zip(&case.benefit) {
            near(name, "net benefit", ours.model, theirs.1);
            near(name, "treat all", ours.all, theirs.2);
        }
    }
}

#[test]
fn one_class_against_the_rest() {
    for case in reference().one_rest {
        let found = one_against_rest(&case.labels, &case.proba, 4, case.weights.as_deref());
        let found = found.unwrap();
        for (ours, theirs) in found.areas.iter().zip(&case.each) {
            near(&case.name, "area", ours.unwrap(), *theirs);
        }
        near(&case.name, "mean", found.mean, case.mean);
        if let Some(theirs) = case.weighted_mean {
            near(&case.name, "weighted mean", found.weighted_mean, theirs);
        }
    }
}

#[test]
fn delong_as_in_proc() {
    let cases = reference().cases;
    for theirs in proc().cases {
        let name = &theirs.name;
        let case = cases.iter().find(|c| c.name == *name).unwrap();
        let areas = Areas::new(&case.truth, &[&case.scores, &case.second], None).unwrap();
        let delong = areas.each()[0];
        near(name, "auc", delong.auc(), theirs.auc);
        let alone = Delong::new(&case.truth, &case.scores, None).unwrap();
        near(name, "variance", alone.variance().unwrap_or(-1.0), delong.variance().unwrap_or(-1.0));
        assert_eq!(delong.variance().is_some(), theirs.variance.is_some(), "{name}");
        if let Some(variance) = theirs.variance {
            near(name, "variance", delong.variance().unwrap() * 1e3, variance * 1e3);
            near(name, "covariance", areas.covariance(0, 1).unwrap(), theirs.covariance.unwrap());
        }
        if let Some((low, high)) = theirs.plain.filter(|(low, high)| low < high) {
            let ours = delong.plain_interval(LEVEL).unwrap();
            near(name, "low", ours.low, low);
            near(name, "high", ours.high, high);
        }
        let paired = areas.compare(0, 1, LEVEL).unwrap();
        if let Some(z) = theirs.z {
            near(name, "z", paired.statistic.unwrap(), z);
            near(name, "p", paired.p_value.unwrap(), theirs.p.unwrap());
        }
        let half = |odd: usize, from: &[f64]| {
            let rows = (odd..case.truth.len()).step_by(2);
            let truth: Vec<bool> = rows.clone().map(|row| case.truth[row]).collect();
            Delong::new(&truth, &rows.map(|row| from[row]).collect::<Vec<_>>(), None)
        };
        if let Some(t) = theirs.t {
            let (a, b) = (half(1, &case.scores).unwrap(), half(0, &case.second).unwrap());
            let apart = unpaired(&a, &b, LEVEL).unwrap();
            near(name, "t", apart.statistic.unwrap(), t);
            near(name, "degrees of freedom", apart.freedom.unwrap(), theirs.df.unwrap());
            near(name, "p apart", apart.p_value.unwrap(), theirs.apart_p.unwrap());
        }
    }
}

#[test]
fn parts_and_points_as_in_proc() {
    let cases = reference().cases;
    for theirs in proc().cases {
        let name = &theirs.name;
        let case = cases.iter().find(|c| c.name == *name).unwrap();
        let roc = Roc::new(&case.truth, &case.scores, None).unwrap();
        let part = |span| roc.partial_auc(span).unwrap();
        near(name, "F range", part(Span::Fpr(0.0, 0.2)).area, theirs.fpr);
        near(name, "F corrected", part(Span::Fpr(0.0, 0.2)).corrected, theirs.fpr_corrected);
        near(name, "F strip", part(Span::Fpr(0.1, 0.4)).area, theirs.strip);
        near(name, "T range", part(Span::Tpr(0.7, 1.0)).area, theirs.tpr);
        near(name, "T corrected", part(Span::Tpr(0.7, 1.0)).corrected, theirs.tpr_corrected);
        near(name, "Youden", roc.youden().tpr - roc.youden().fpr, theirs.youden);
        // pROC's weights (5, 0.1): a miss costs five alarms, one row in ten is positive.
        let conditions = Conditions::new(1.0, 5.0, 0.1).unwrap();
        let ours = roc.best(&conditions);
        let best = conditions.cost(1.0 - theirs.best.0, theirs.best.1);
        near(name, "best", conditions.cost(ours.fpr, ours.tpr), best);
    }
}

#[test]
fn intervals_from_replicates_as_in_scipy() {
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let run = Run::new(1, &stop, &pool);
    for case in reference().bootstraps {
        let name = &case.name;
        let order = Order::new(&case.truth, &case.scores, None).unwrap();
        let draws = Resampling::stratified(&case.truth, None).unwrap();
        let measure = |counts: &[u32]| order.auc(counts);
        let estimate = measure(&vec![1; case.truth.len()]);
        let found = Bootstrap::from_replicates(estimate, case.replicates.clone()).unwrap();
        near(name, "deviation", found.deviation(), case.deviation);
        let percentile = found.percentile(LEVEL).unwrap();
        near(name, "percentile low", percentile.low, case.percentile.0);
        near(name, "percentile high", percentile.high, case.percentile.1);
        let bca = found.bca(LEVEL, draws.acceleration(&run, measure).unwrap()).unwrap();
        near(name, "bca low", bca.low, case.bca.0);
        near(name, "bca high", bca.high, case.bca.1);
    }
}

#[test]
fn power_and_sizes() {
    for case in reference().powers {
        let variance = match case.kind.as_str() {
            "Obuchowski" => AreaVariance::Obuchowski,
            _ => AreaVariance::HanleyMcNeil,
        };
        let (against, correlation) = (case.against, case.correlation);
        let test = AreaTest { against, correlation, variance, ..AreaTest::new(case.auc) };
        near(&case.kind, "power", test.power(case.m, case.n).unwrap(), case.expected);
    }
    for case in proc().power {
        let test = AreaTest::new(case.auc);
        near("pROC", "power", test.power(case.cases, case.ratio * case.cases).unwrap(), case.power);
        let sizes = test.sizes(case.power, case.ratio).unwrap();
        assert!((sizes.positives as f64 - case.cases.ceil()).abs() <= 1.0);
    }
}

#[test]
fn a_million_rows() {
    let (ours, theirs) = (reference().million, proc().million);
    let fraction = |x: f64| x - x.floor();
    let rows = || (1..=ours.rows).map(f64::from);
    let truth: Vec<bool> = rows().map(|i| fraction(i * 2f64.sqrt()) < 0.3).collect();
    let shifted = |root: f64, by: f64| {
        let rows = rows().zip(&truth);
        rows.map(|(i, &t)| fraction(i * root.sqrt()) + by * f64::from(t)).collect::<Vec<f64>>()
    };
    let first = shifted(3.0, 0.4);
    let second: Vec<f64> = shifted(5.0, 0.3).iter().map(|s| (1000.0 * s).floor()).collect();
    let roc = Roc::new(&truth, &first, None).unwrap();
    assert_eq!(roc.points().len(), ours.points);
    for &(k, fpr, tpr) in &ours.at {
        near("million", "fpr", roc.points()[k].fpr, fpr);
        near("million", "tpr", roc.points()[k].tpr, tpr);
    }
    near("million", "first", roc.auc(), ours.first);
    near("million", "second", auc(&truth, &second, None).unwrap(), ours.second);
    let curve = PrecisionRecall::new(&truth, &second, None).unwrap();
    near("million", "average precision", curve.average_precision(), ours.average_precision);
    let areas = Areas::new(&truth, &[&first, &second], None).unwrap();
    near("million", "first area", areas.each()[0].auc(), theirs.first);
    near("million", "second area", areas.each()[1].auc(), theirs.second);
    near("million", "variance", areas.each()[0].variance().unwrap() / theirs.variance, 1.0);
    near("million", "covariance", areas.covariance(0, 1).unwrap() * 1e7, theirs.covariance * 1e7);
    let compared = areas.compare(0, 1, LEVEL).unwrap();
    near("million", "z", compared.statistic.unwrap(), theirs.z);
}
