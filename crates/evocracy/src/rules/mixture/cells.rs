//! Generalised EM on the parameters of a mixture whose conditions stand still.
//!
//! Rows to which the same members apply and that have the same outcome are one cell: nothing tells
//! them apart while conditions stand still. A few dozen cells take the place of thousands of rows.

use super::family::Family;
use super::state::{Ground, Member, WEIGHTS};
use crate::num::bits;

/// A cell that no row is in.
const NONE: u32 = u32::MAX;

/// Cells, and the sums over members in each of them (see `State`).
pub(super) struct Cells<'a, F> {
    ground: &'a Ground<'a, F>,
    /// The cell of every row.
    of: Vec<u32>,
    /// A row of each cell, and the weight of all of them.
    rows: Vec<u32>,
    weights: Vec<f64>,
    /// The cells that each member applies to.
    hits: Vec<Vec<u32>>,
    above: Vec<f64>,
    below: Vec<f64>,
}

impl<'a, F: Family> Cells<'a, F> {
    pub(super) fn new(ground: &'a Ground<'a, F>, members: &[Member]) -> Self {
        let of = refine(ground, members);
        let count = of.iter().max().map_or(0, |&most| most as usize + 1);
        let (mut rows, mut weights) = (vec![NONE; count], vec![0.0; count]);
        for (row, &cell) in of.iter().enumerate() {
            rows[cell as usize] = row as u32;
            weights[cell as usize] += ground.weights[row];
        }
        let hits = members.iter().map(|member| {
            let inside = |cell: &u32| {
                let row = rows[*cell as usize];
                row != NONE && bits::has(&member.hits, row as usize)
            };
            (0..count as u32).filter(inside).collect()
        });
        let hits = hits.collect();
        let (above, below) = (vec![0.0; count], vec![0.0; count]);
        let mut cells = Self { ground, of, rows, weights, hits, above, below };
        cells.refresh(members);
        cells
    }

    fn refresh(&mut self, members: &[Member]) {
        self.above.fill(0.0);
        self.below.fill(0.0);
        for (member, hits) in members.iter().zip(&self.hits) {
            for &cell in hits {
                let cell = cell as usize;
                let density = self.ground.family.density(&member.says, self.rows[cell] as usize);
                self.above[cell] += member.weight * density;
                self.below[cell] += member.weight;
            }
        }
    }

    /// What is maximised: log-likelihood, priors, prices.
    pub(super) fn objective(&self, members: &[Member]) -> f64 {
        let costs = |member: &Member| self.ground.family.prior(&member.says) - member.price;
        let cells = self.above.iter().zip(&self.below).zip(&self.weights);
        let likelihood: f64 = cells
            .filter(|(_, weight)| **weight > 0.0)
            .map(|((above, below), weight)| weight * (above / below).ln())
            .sum();
        likelihood + members.iter().map(costs).sum::<f64>()
    }

    /// One step on all parameters; the objective does not fall.
    ///
    /// What members say: the M-step of a mixture, as the denominators do not depend on it. Their
    /// weights: -ln of a denominator is bounded from below by its tangent plane, whose maximum is
    /// in closed form (D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals
    /// of Statistics 32 (2004) 384-406).
    pub(super) fn step(&mut self, members: &mut [Member]) {
        let family = self.ground.family;
        let share = |sums: &[f64]| -> Vec<f64> {
            self.weights.iter().zip(sums).map(|(weight, sum)| weight / sum).collect()
        };
        let (over, under) = (share(&self.above), share(&self.below));
        let mut tally = vec![0.0; family.width()];
        let mut rises = Vec::with_capacity(members.len());
        for (member, hits) in members.iter_mut().zip(&self.hits) {
            tally.fill(0.0);
            let (mut gain, mut cost) = (0.0, 0.0);
            for &cell in hits {
                let (cell, row) = (cell as usize, self.rows[cell as usize] as usize);
                let density = family.density(&member.says, row);
                let own = family.own(&member.says, row, density);
                family.tally(row, own * over[cell] * member.weight, &mut tally);
                gain += density * over[cell];
                cost += under[cell];
            }
            rises.push(if cost > 0.0 { gain / cost } else { 1.0 });
            family.fit(&tally, &mut member.says);
        }
        reweigh(members, &rises);
        self.refresh(members);
    }

    /// Gives every row the sums of its cell.
    pub(super) fn spread(&self, above: &mut [f64], below: &mut [f64]) {
        for (row, &cell) in self.of.iter().enumerate() {
            above[row] = self.above[cell as usize];
            below[row] = self.below[cell as usize];
        }
    }
}

/// Multiplies weights by their rises and keeps that of the default 1, as only ratios count.
///
/// Where that would lead out of bounds the default does not move and the others stop at their
/// bound: the tangent plane falls apart into a concave function of each weight, which rises on the
/// whole way from the old weight to the new one.
fn reweigh(members: &mut [Member], rises: &[f64]) {
    let bounds = WEIGHTS.0..=WEIGHTS.1;
    let mut all = members.iter().zip(rises);
    let inside = all.all(|(member, rise)| bounds.contains(&(member.weight * rise / rises[0])));
    let unit = if inside { rises[0] } else { 1.0 };
    for (member, rise) in members.iter_mut().zip(rises).skip(1) {
        member.weight = (member.weight * rise / unit).clamp(WEIGHTS.0, WEIGHTS.1);
    }
}

/// The cell of every row: beginning with the outcomes, every member splits the cells it divides.
fn refine<F: Family>(ground: &Ground<'_, F>, members: &[Member]) -> Vec<u32> {
    let mut of: Vec<u32> = (0..ground.rows.len()).map(|row| ground.family.kind(row)).collect();
    let mut count = of.iter().max().map_or(0, |&most| most + 1);
    let mut split = Vec::new();
    for member in &members[1..] {
        split.clear();
        split.resize(count as usize, NONE);
        bits::each(&member.hits, |row| {
            let to = &mut split[of[row] as usize];
            if *to == NONE {
                *to = count;
                count += 1;
            }
            of[row] = *to;
        });
    }
    // Number the cells that are left without gaps.
    let mut number = vec![NONE; count as usize];
    let mut next = 0;
    for cell in &mut of {
        let to = &mut number[*cell as usize];
        if *to == NONE {
            *to = next;
            next += 1;
        }
        *cell = *to;
    }
    of
}
