//! Whether rates on test rows lie where the front said they would.

use super::measure::Judgement;
use crate::{Compare, Row};
use evocracy::front::FrontPoint;
use evocracy::num::normal_quantile;

/// The most points of a front that are looked at, besides the default one.
const POINTS: usize = 20;

/// How often promises held, and how wide they were.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    default: Count,
    spread: Count,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    inside: f64,
    all: f64,
    width: f64,
    binomial: f64,
    /// That of the test part alone.
    test: f64,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.inside += other.inside;
        self.all += other.all;
        self.width += other.width;
        self.binomial += other.binomial;
        self.test += other.test;
    }
}

/// Holds the promises of one front against its test rows.
pub(super) fn held(judged: &Judgement) -> Held {
    let points = judged.front.points();
    let told: Vec<usize> = (0..points.len()).filter(|&at| tells(&points.get(at))).collect();
    let step = told.len().div_ceil(POINTS).max(1);
    let mut held = Held::default();
    let chosen = judged.front.chosen();
    if tells(&points.get(chosen)) {
        held.default.add(point(judged, chosen));
    }
    for &at in told.iter().skip(step / 2).step_by(step) {
        held.spread.add(point(judged, at));
    }
    held
}

/// Whether a promise of a point could fail: calling no row, or every row, cannot.
fn tells(point: &FrontPoint) -> bool {
    let all = |rate: f64| point.training.iter().all(|found| (found - rate).abs() < 1e-9);
    !all(0.0) && !all(1.0)
}

/// Both rates of one point.
fn point(judged: &Judgement, at: usize) -> Count {
    let mut count = Count::default();
    let points = judged.front.points();
    for (objective, rows) in [judged.positives, judged.negatives].into_iter().enumerate() {
        let Ok(Some(interval)) = points.predicted(at, objective, rows) else { continue };
        let promise = points.get(at).promised[objective];
        let seen = judged.seen[objective];
        // The textbook's interval of the difference of two binomial rates, by the rows of the
        // class in the training and in the test part. Intervals count three rows of folds as two (trees
        // and rules five as one), so that they are wider by construction.
        let p = promise.value;
        let deviation = (p * (1.0 - p) * (1.0 / seen + 1.0 / rows)).sqrt();
        let rate = judged.test[at][objective];
        count.all += 1.0;
        count.inside += f64::from(u8::from((interval.low..=interval.high).contains(&rate)));
        count.width += interval.high - interval.low;
        count.binomial += 2.0 * normal_quantile(0.975) * deviation;
        count.test += 2.0 * normal_quantile(0.975) * (p * (1.0 - p) / rows).sqrt();
    }
    count
}

/// How often the promises of some fronts held.
pub(super) fn coverage(name: String, fronts: &[Held]) -> Row {
    let mut count = Count::default();
    for held in fronts {
        count.add(held.spread);
    }
    Row::new(name, count.inside / count.all, "fraction")
}

/// The figures over all fronts.
pub(super) fn rows(fronts: &[Held]) -> Vec<Row> {
    let (mut default, mut spread) = (Count::default(), Count::default());
    for held in fronts {
        default.add(held.default);
        spread.add(held.spread);
    }
    let coverage = |name: &str, count: Count| {
        Row::new(name, count.inside / count.all, "fraction").target(Compare::AtLeast(0.9))
    };
    let all = default.width + spread.width;
    let width = all / (default.binomial + spread.binomial);
    let to_test = all / (default.test + spread.test);
    vec![
        coverage("promise/coverage", spread),
        coverage("promise/default-coverage", default),
        Row::new("promise/width", width, "ratio").target(Compare::AtMost(1.5)),
        Row::new("promise/width-to-test", to_test, "ratio"),
    ]
}
