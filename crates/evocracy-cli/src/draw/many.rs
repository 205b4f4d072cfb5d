//! ROC curves of many classes: their mean, and those that are called worst.

use super::{Curve, Scored};
use evocracy::measure::{Point, Roc, vertical_average};

/// With more classes than this their curves would hide each other.
pub const MOST: usize = 5;

/// Which classes have a curve of their own then.
const WORST: [&str; 3] = ["worst", "second worst", "third worst"];

/// Steps of the mean curve.
const STEPS: usize = 1000;

/// The mean curve of all classes, each against the rest, and the curves of the smallest areas. The
/// area under a mean of curves is the mean of their areas.
pub fn curves(scored: Vec<Scored>, name: &str) -> Vec<Curve> {
    let roc = |of: &Scored| Roc::new(&of.of.truth, &of.of.scores, of.of.weights.as_deref()).ok();
    let known = scored.into_iter().filter_map(|of| Some((roc(&of)?, of)));
    let (rocs, mut scored): (Vec<Roc>, Vec<Option<Scored>>) =
        known.map(|(roc, of)| (roc, Some(of))).unzip();
    let areas: Vec<f64> = rocs.iter().map(Roc::auc).collect();
    let mut order: Vec<usize> = (0..rocs.len()).collect();
    // The first one among equals.
    order.sort_by(|&a, &b| areas[a].total_cmp(&areas[b]).then(a.cmp(&b)));
    let worst = order.into_iter().zip(WORST).filter_map(|(class, place)| {
        let mut curve = scored[class].take()?.curve()?;
        curve.name = format!("{}, {place} of {}", curve.name, areas.len());
        Some(curve)
    });
    let mean = mean(&rocs).map(|points| Curve {
        auc: Some(areas.iter().sum::<f64>() / areas.len() as f64),
        ..Curve::plain(format!("{name}: macro average of {} classes", areas.len()), points)
    });
    mean.into_iter().chain(worst).collect()
}

/// The mean true positive rate at every false positive rate.
fn mean(rocs: &[Roc]) -> Option<Vec<Point>> {
    let grid: Vec<f64> = (0..=STEPS).map(|step| step as f64 / STEPS as f64).collect();
    let rates = vertical_average(rocs, &grid).ok()?;
    let threshold = f64::NAN;
    let start = Point { threshold, fpr: 0.0, tpr: 0.0 };
    let rest = grid.iter().zip(rates).map(|(&fpr, tpr)| Point { threshold, fpr, tpr });
    Some(std::iter::once(start).chain(rest).collect())
}
