//! MultiSURF: how much each attribute tells near rows of different classes apart (Urbanowicz,
//! Olson, Schmitt, Meeker, Moore 2018, "Benchmarking relief-based feature selection methods").
//!
//! For each target row, the rows nearer than the mean distance less half its standard deviation
//! count. An attribute gains where a near row of another class differs in it and loses where one
//! of the same class does. The mean over the near rows of a class is taken, other classes weighed
//! by their frequency, and the mean over the targets is the weight: from -1 to 1.
//!
//! Rows are compared as sets of literals: levels are the same or not, numbers differ by the share
//! of all intervals that lie between them, a missing value differs from nothing. Distances
//! are counted 64 literals and differences 64 rows at a time, so the cost is quadratic in the rows
//! with a small factor (40,000 rows of 135 bits take seconds). Where that is too much, targets are
//! taken at equal steps; near rows still come from all.

use super::condition::{Layout, LiteralRows, Transposed};
use crate::num::bits::{common, count, has, insert};
use crate::num::wide;
use crate::run::Run;

/// About how many words are looked at before targets are left out.
const MOST_WORK: usize = 8_000_000_000;

/// Targets are scored in so many parts, whatever the number of threads.
const PARTS: usize = 64;

/// The weight of every attribute.
pub(crate) fn multisurf(
    layout: &Layout,
    rows: &LiteralRows,
    labels: &[u32],
    classes: usize,
    run: &Run<'_>,
) -> Vec<f64> {
    let table = Compared::new(layout, rows, labels, classes);
    let targets = table.targets();
    let run = run.task("multisurf", targets.len() as u64);
    let parts = run.pool.map(PARTS, |part| {
        let mut sums = vec![0.0; layout.attributes()];
        let mut work = TargetBuffers::default();
        for &target in targets.iter().skip(part).step_by(PARTS) {
            if run.stop.requested() {
                break;
            }
            table.score(target, &mut work, &mut sums);
            run.watch.advance(1);
        }
        sums
    });
    let mut weights = vec![0.0; layout.attributes()];
    for part in parts {
        weights.iter_mut().zip(part).for_each(|(weight, sum)| *weight += sum);
    }
    for weight in &mut weights {
        *weight /= targets.len().max(1) as f64;
    }
    weights
}

/// Rows made ready to be compared.
struct Compared<'a> {
    layout: &'a Layout,
    rows: &'a LiteralRows,
    labels: &'a [u32],
    by_literal: Transposed,
    of_class: Vec<Vec<u64>>,
    /// The share of the rows of each class.
    shares: Vec<f64>,
    /// The literals of attributes whose values are the same or not.
    plain: Vec<u64>,
    /// The attributes whose values are intervals in order, and each row's.
    ordered: Vec<(usize, Vec<f32>)>,
    /// The plain attributes that each row knows; empty where every row knows all.
    known: Vec<u64>,
}

/// The working memory of a target.
#[derive(Default)]
struct TargetBuffers {
    distance: Vec<f32>,
    near: Vec<u64>,
}

impl<'a> Compared<'a> {
    fn new(layout: &'a Layout, rows: &'a LiteralRows, labels: &'a [u32], classes: usize) -> Self {
        let by_literal = Transposed::new(layout, rows);
        let mut of_class = vec![vec![0; by_literal.words()]; classes];
        for (row, &label) in labels.iter().enumerate() {
            insert(&mut of_class[label as usize], row);
        }
        let share = |set: &Vec<u64>| f64::from(count(set)) / labels.len() as f64;
        let shares = of_class.iter().map(share).collect();
        let (mut plain, mut ordered) = (vec![0; layout.words()], Vec::new());
        for attribute in 0..layout.attributes() {
            let span = layout.span(attribute);
            if layout.ordered(attribute) && span.len() > 2 {
                let place = |row: usize| {
                    let own = span.clone().find(|&literal| has(rows.row(row), literal));
                    own.map_or(f32::NAN, |own| (own - span.start) as f32 / (span.len() - 1) as f32)
                };
                ordered.push((attribute, (0..rows.len()).map(place).collect()));
            } else {
                span.for_each(|literal| insert(&mut plain, literal));
            }
        }
        let mut made = Self {
            layout,
            rows,
            labels,
            by_literal,
            of_class,
            shares,
            plain,
            ordered,
            known: Vec::new(),
        };
        made.known = made.find_known();
        made
    }

    fn find_known(&self) -> Vec<u64> {
        let words = self.layout.attributes().div_ceil(64);
        let mut known = vec![0; words * self.rows.len()];
        let mut all = true;
        for attribute in 0..self.layout.attributes() {
            if self.ordered.iter().any(|(ordered, _)| *ordered == attribute) {
                continue;
            }
            for (row, known) in known.chunks_exact_mut(words).enumerate() {
                let knows = self.layout.span(attribute).any(|l| has(self.rows.row(row), l));
                known[attribute / 64] |= u64::from(knows) << (attribute % 64);
                all &= knows;
            }
        }
        if all { Vec::new() } else { known }
    }

    fn targets(&self) -> Vec<usize> {
        let count = self.rows.len();
        let each = count * (self.layout.words() + self.ordered.len())
            + self.layout.attributes() * self.by_literal.words() * 2 * self.shares.len();
        let most = (MOST_WORK / each.max(1)).clamp(1, count.max(1));
        (0..most).map(|at| at * count / most).collect()
    }

    /// Adds the weight that the target gives to every attribute.
    fn score(&self, target: usize, work: &mut TargetBuffers, sums: &mut [f64]) {
        wide(
            #[inline(always)]
            || self.measure(target, &mut work.distance),
        );
        find_near(target, work);
        let own = self.labels[target] as usize;
        for (class, rows) in self.of_class.iter().enumerate() {
            let near: Vec<u64> = work.near.iter().zip(rows).map(|(near, of)| near & of).collect();
            let count = count(&near);
            if count == 0 {
                continue;
            }
            let share =
                if class == own { -1.0 } else { self.shares[class] / (1.0 - self.shares[own]) };
            let factor = share / f64::from(count);
            for (attribute, sum) in sums.iter_mut().enumerate() {
                *sum += factor * self.differences(attribute, target, &near, f64::from(count));
            }
        }
    }

    /// The distance of every row from the target.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn measure(&self, target: usize, distance: &mut Vec<f32>) {
        let own: Vec<u64> =
            self.rows.row(target).iter().zip(&self.plain).map(|(row, plain)| row & plain).collect();
        let plain = self.layout.attributes() - self.ordered.len();
        distance.clear();
        distance.extend(self.rows.each().map(
            #[inline(always)]
            |row| plain as f32 - common(row, &own) as f32,
        ));
        if !self.known.is_empty() {
            let words = self.layout.attributes().div_ceil(64);
            let own = &self.known[target * words..(target + 1) * words];
            for (distance, row) in distance.iter_mut().zip(self.known.chunks_exact(words)) {
                *distance -= plain as f32 - common(row, own) as f32;
            }
        }
        for (_, places) in &self.ordered {
            let own = places[target];
            for (distance, place) in distance.iter_mut().zip(places) {
                let apart = (place - own).abs();
                *distance += if apart.is_nan() { 0.0 } else { apart };
            }
        }
    }

    /// The sum of the differences of the target from a set of `count` rows in one attribute.
    fn differences(&self, attribute: usize, target: usize, near: &[u64], count: f64) -> f64 {
        let span = self.layout.span(attribute);
        let row = self.rows.row(target);
        let Some(own) = span.clone().find(|&literal| has(row, literal)) else { return 0.0 };
        let among = |literal: usize| {
            wide(
                #[inline(always)]
                || common(near, self.by_literal.with(literal)),
            )
        };
        if self.layout.ordered(attribute) && span.len() > 2 {
            let steps = (span.len() - 1) as f64;
            return span.map(|l| f64::from(among(l)) * own.abs_diff(l) as f64 / steps).sum();
        }
        if self.known.is_empty() {
            return count - f64::from(among(own));
        }
        span.filter(|&literal| literal != own).map(|literal| f64::from(among(literal))).sum()
    }
}

/// Finds the rows nearer than the mean less half the standard deviation.
fn find_near(target: usize, work: &mut TargetBuffers) {
    let others = (work.distance.len() - 1).max(1) as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for &distance in &work.distance {
        sum += f64::from(distance);
        squares += f64::from(distance) * f64::from(distance);
    }
    // The target itself is at distance 0 and adds nothing.
    let mean = sum / others;
    let spread = (squares / others - mean * mean).max(0.0).sqrt();
    let limit = (mean - spread / 2.0) as f32;
    work.near.clear();
    for block in work.distance.chunks(64) {
        let bits = block.iter().enumerate();
        work.near.push(bits.fold(0, |all, (at, d)| all | u64::from(*d < limit) << at));
    }
    work.near[target / 64] &= !(1 << (target % 64));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Field, MISSING, Schema, Table};
    use crate::evolve::{Rng, below, chance, rng};
    use crate::run::{Pool, Seed, Stop};

    /// The difference of two cells: levels by equality, numbers by their place in 0..=top.
    fn apart(columns: &[Column], column: usize, a: usize, b: usize, top: f64) -> f64 {
        match &columns[column] {
            Column::Nominal(codes) if codes[a] == MISSING || codes[b] == MISSING => 0.0,
            Column::Nominal(codes) => f64::from(u8::from(codes[a] != codes[b])),
            Column::Number(values) => {
                let apart = (values[a] - values[b]).abs() / top;
                if apart.is_nan() { 0.0 } else { apart }
            }
        }
    }

    /// MultiSURF as it is written down, pair by pair.
    fn naive(columns: &[Column], labels: &[u32], classes: u32, top: f64) -> Vec<f64> {
        let n = labels.len();
        let mut weights = vec![0.0; columns.len()];
        let share = |class: u32| labels.iter().filter(|&&l| l == class).count() as f64 / n as f64;
        for i in 0..n {
            let distance =
                |j: usize| (0..columns.len()).map(|c| apart(columns, c, i, j, top)).sum();
            let all: Vec<f64> = (0..n).filter(|&j| j != i).map(distance).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let spread = all.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / all.len() as f64;
            let limit = mean - spread.sqrt() / 2.0;
            for class in 0..classes {
                let near = |&j: &usize| j != i && labels[j] == class && distance(j) < limit - 1e-6;
                let near: Vec<usize> = (0..n).filter(near).collect();
                let factor =
                    if class == labels[i] { -1.0 } else { share(class) / (1.0 - share(labels[i])) };
                for (column, weight) in weights.iter_mut().enumerate() {
                    let sum: f64 = near.iter().map(|&j| apart(columns, column, i, j, top)).sum();
                    *weight += factor * sum / (near.len().max(1) * n) as f64;
                }
            }
        }
        weights
    }

    fn check(fields: Vec<Field>, columns: &[Column], labels: &[u32], top: f64) {
        let table = Table::new(Schema { fields }, columns.to_vec()).expect("a sound table");
        let layout = Layout::of_view(table.view(), &vec![1.0; labels.len()], 16).unwrap();
        let rows = LiteralRows::new(&layout, table.view());
        let (stop, pool) = (Stop::new(), Pool::new(2).expect("a pool"));
        let run = Run::new(1, &stop, &pool);
        let ours = multisurf(&layout, &rows, labels, 3, &run);
        for (ours, naive) in ours.iter().zip(naive(columns, labels, 3, top)) {
            assert!((ours - naive).abs() < 1e-6, "{ours}, {naive}");
        }
    }

    #[test]
    fn weights_are_those_of_the_definition() {
        let mut rng = rng(Seed::new(1));
        for rows in [20, 64, 130] {
            let labels: Vec<u32> = (0..rows).map(|_| below(3, &mut rng) as u32).collect();
            for missing in [0.0, 0.1] {
                let codes = |count: usize, rng: &mut Rng| {
                    let code = |rng: &mut Rng| below(count, rng) as u32;
                    let cell =
                        |rng: &mut Rng| if chance(missing, rng) { MISSING } else { code(rng) };
                    Column::Nominal((0..rows).map(|_| cell(rng)).collect())
                };
                let bit = |at: usize| Field::nominal(format!("b{at}"), ["0", "1"]);
                let columns: Vec<Column> = (0..70).map(|_| codes(2, &mut rng)).collect();
                check((0..70).map(bit).collect(), &columns, &labels, 1.0);
                // Numbers from 0 to 7, each of them an interval of its own.
                let number = |rng: &mut Rng| {
                    let value = |rng: &mut Rng| below(8, rng) as f64;
                    let cell =
                        |rng: &mut Rng| if chance(missing, rng) { f64::NAN } else { value(rng) };
                    let mut values: Vec<f64> = (0..rows).map(|_| cell(rng)).collect();
                    (0..8).for_each(|value| values[value] = value as f64);
                    Column::Number(values)
                };
                let columns = vec![
                    number(&mut rng),
                    codes(3, &mut rng),
                    number(&mut rng),
                    codes(2, &mut rng),
                ];
                let fields = vec![
                    Field::number("x"),
                    Field::nominal("few", ["a", "b", "c"]),
                    Field::number("y"),
                    Field::nominal("bit", ["0", "1"]),
                ];
                check(fields, &columns, &labels, 7.0);
            }
        }
    }
}
