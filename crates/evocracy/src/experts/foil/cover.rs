//! Rules, one after the other, until the rows are covered.

use super::Foil;
use super::search::{Condition, Counts, Orders, Scope};
use crate::data::{Cells, MISSING, View};
use crate::run::{Run, StopReason};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A gain below this share of the weight of the class is rounding.
const ROUNDING: f64 = 1e-12;

/// Conditions, and the weight of each class in the rows that came to them and fulfil them.
#[derive(Debug)]
pub(super) struct LearntRule {
    pub(super) conditions: Vec<Condition>,
    pub(super) class: u32,
    pub(super) counts: Vec<f64>,
}

/// All rules, and the weight of the classes in all rows and in those without a rule.
#[derive(Debug)]
pub(super) struct Covered {
    pub(super) rules: Vec<LearntRule>,
    pub(super) all: Vec<f64>,
    pub(super) rest: Vec<f64>,
    pub(super) stop: StopReason,
}

/// Learns the rules.
pub(super) fn cover(
    with: &Foil,
    rows: View<'_>,
    labels: &[u32],
    weights: &[f64],
    classes: usize,
    run: &Run<'_>,
) -> Covered {
    let columns: Vec<Cells<'_>> = (0..rows.columns()).map(|column| rows.cells(column)).collect();
    let mut left: Vec<u32> =
        (0..labels.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let mut orders = orders(rows, &columns, &left);
    let by_class = |rows: &[u32]| {
        let mut counts = vec![0.0; classes];
        for &row in rows {
            counts[labels[row as usize] as usize] += weights[row as usize];
        }
        counts
    };
    let all = by_class(&left);
    let mut rng = run.seed.child("foil", 0).rng();
    let (mut rules, mut stop) = (Vec::new(), StopReason::Finished);
    for class in class_order(&all) {
        let scope = Scope { columns: &columns, rows, labels, weights, class, least: with.least };
        for _ in 0..with.rules {
            if run.stop.requested() {
                stop = StopReason::Interrupted;
                break;
            }
            let Some(conditions) = rule(with, &scope, &left, &orders, &mut rng) else { break };
            let applies = |row: u32| {
                let id = rows.row_id(row as usize);
                conditions.iter().all(|condition| condition.holds(&columns, id))
            };
            let hit: Vec<u32> = left.iter().copied().filter(|&row| applies(row)).collect();
            left.retain(|&row| !applies(row));
            for order in &mut orders {
                order.retain(|&row| !applies(row));
            }
            rules.push(LearntRule { conditions, class, counts: by_class(&hit) });
        }
        run.watch.advance(1);
    }
    Covered { rules, all, rest: by_class(&left), stop }
}

/// The classes with rows, from the least weight to the most, which is left to the default.
fn class_order(weights: &[f64]) -> Vec<u32> {
    let mut classes: Vec<u32> =
        (0..weights.len() as u32).filter(|&class| weights[class as usize] > 0.0).collect();
    classes.sort_by(|&a, &b| weights[a as usize].total_cmp(&weights[b as usize]));
    classes.pop();
    classes
}

/// The rows with a value in each column, those of numbers in ascending order.
fn orders(rows: View<'_>, columns: &[Cells<'_>], left: &[u32]) -> Orders {
    let id = |row: &u32| rows.row_id(*row as usize);
    let order = |cells: &Cells<'_>| match cells {
        Cells::Number(values) => {
            let known = left.iter().copied().filter(|row| !values[id(row)].is_nan());
            let mut order: Vec<u32> = known.collect();
            order.sort_by(|a, b| values[id(a)].total_cmp(&values[id(b)]));
            order
        }
        Cells::Nominal(codes) => {
            left.iter().copied().filter(|row| codes[id(row)] != MISSING).collect()
        }
    };
    columns.iter().map(order).collect()
}

/// A rule for the class of the scope; `None` where there is none to keep.
fn rule(
    with: &Foil,
    scope: &Scope<'_>,
    left: &[u32],
    orders: &Orders,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Condition>> {
    let (mut inside, mut orders) = (left.to_vec(), orders.clone());
    let mut counts = scope.count(&inside);
    let mut conditions: Vec<Condition> = Vec::new();
    while conditions.len() < with.conditions && counts.own >= with.least && counts.other > 0.0 {
        let Some(next) = choose(with.within, scope, &orders, counts, rng) else { break };
        let holds = |row: &u32| next.holds(scope.columns, scope.rows.row_id(*row as usize));
        let kept: Vec<u32> = inside.iter().copied().filter(holds).collect();
        let after = scope.count(&kept);
        if after.own < with.least {
            break;
        }
        (inside, counts) = (kept, after);
        for order in &mut orders {
            order.retain(holds);
        }
        conditions.push(next);
    }
    (!conditions.is_empty()).then_some(conditions)
}

/// The condition with the best gain, or one of those near it; `None` where nothing gains.
fn choose(
    within: f64,
    scope: &Scope<'_>,
    orders: &Orders,
    counts: Counts,
    rng: &mut ChaCha8Rng,
) -> Option<Condition> {
    let (mut first, mut best) = (None, ROUNDING * counts.own);
    scope.each(orders, counts, |condition, gain| {
        if gain > best {
            (first, best) = (Some(condition), gain);
        }
    });
    if within >= 1.0 || first.is_none() {
        return first;
    }
    let mut near = Vec::new();
    let least = (within * best).max(ROUNDING * counts.own);
    scope.each(orders, counts, |condition, gain| {
        if gain >= least {
            near.push(condition);
        }
    });
    near.get(rng.random_range(0..near.len().max(1))).copied()
}
