//! Generalised EM on the parameters of a mixture whose conditions are fixed.
//!
//! Rows with the same outcome to which the same members apply form a cell: their responsibilities
//! are equal while conditions are fixed. A few dozen cells stand for thousands of rows.

use super::family::Family;
use super::state::{MixtureRule, TrainingSet, WEIGHTS, penalty};
use crate::num::bits;

/// Cells, and the numerator and denominator of each (see `MixtureState`).
pub(super) struct Em<'a, F> {
    data: &'a TrainingSet<'a, F>,
    /// The cell of every row.
    cell_of: Vec<u32>,
    /// A row of each cell, and the weight of all its rows.
    rows: Vec<u32>,
    weights: Vec<f64>,
    /// The cells that each member applies to.
    covered: Vec<Vec<u32>>,
    numerator: Vec<f64>,
    denominator: Vec<f64>,
}

impl<'a, F: Family> Em<'a, F> {
    pub(super) fn new(data: &'a TrainingSet<'a, F>, members: &[MixtureRule]) -> Self {
        let cell_of = partition(data, members);
        let count = cell_of.iter().max().map_or(0, |&last| last as usize + 1);
        let (mut rows, mut weights) = (vec![0; count], vec![0.0; count]);
        for (row, &cell) in cell_of.iter().enumerate() {
            rows[cell as usize] = row as u32;
            weights[cell as usize] += data.weights[row];
        }
        let covered = members.iter().map(|member| {
            let applies = |cell: &u32| bits::has(&member.covered, rows[*cell as usize] as usize);
            (0..count as u32).filter(applies).collect()
        });
        let covered = covered.collect();
        let (numerator, denominator) = (vec![0.0; count], vec![0.0; count]);
        let mut em = Self { data, cell_of, rows, weights, covered, numerator, denominator };
        em.recompute(members);
        em
    }

    fn recompute(&mut self, members: &[MixtureRule]) {
        self.numerator.fill(0.0);
        self.denominator.fill(0.0);
        for (member, covered) in members.iter().zip(&self.covered) {
            for &cell in covered {
                let cell = cell as usize;
                let density = self.data.family.density(&member.params, self.rows[cell] as usize);
                self.numerator[cell] += member.gating * density;
                self.denominator[cell] += member.gating;
            }
        }
    }

    /// What is maximised: the log-likelihood with the log-priors, less the prices.
    pub(super) fn objective(&self, members: &[MixtureRule]) -> f64 {
        let cells = self.numerator.iter().zip(&self.denominator).zip(&self.weights);
        let likelihood: f64 = cells
            .filter(|(_, weight)| **weight > 0.0)
            .map(|((numerator, denominator), weight)| weight * (numerator / denominator).ln())
            .sum();
        likelihood + penalty(self.data.family, members)
    }

    /// One E-step and one M-step for all parameters; the objective does not fall.
    ///
    /// The distributions of the members get the M-step of a mixture, as the denominators do not
    /// depend on them. Their gating weights get an MM step: -ln of a denominator is bounded from
    /// below by its tangent plane, whose maximum is in closed form (D. R. Hunter, "MM algorithms
    /// for generalized Bradley-Terry models", Annals of Statistics 32 (2004) 384-406).
    pub(super) fn step(&mut self, members: &mut [MixtureRule]) {
        let family = self.data.family;
        let divided = |by: &[f64]| -> Vec<f64> {
            self.weights.iter().zip(by).map(|(weight, by)| weight / by).collect()
        };
        let (by_numerator, by_denominator) = (divided(&self.numerator), divided(&self.denominator));
        let mut stats = vec![0.0; family.stats_len()];
        let mut ratios = Vec::with_capacity(members.len());
        for (member, covered) in members.iter_mut().zip(&self.covered) {
            stats.fill(0.0);
            let (mut gain, mut cost) = (0.0, 0.0);
            for &cell in covered {
                let (cell, row) = (cell as usize, self.rows[cell as usize] as usize);
                let density = family.density(&member.params, row);
                let own = family.component_density(&member.params, row, density);
                family.add_stats(row, own * by_numerator[cell] * member.gating, &mut stats);
                gain += density * by_numerator[cell];
                cost += by_denominator[cell];
            }
            ratios.push(if cost > 0.0 { gain / cost } else { 1.0 });
            family.fit(&stats, &mut member.params);
        }
        update_weights(members, &ratios);
        self.recompute(members);
    }

    /// Gives every row the numerator and the denominator of its cell.
    pub(super) fn write_back(&self, numerator: &mut [f64], denominator: &mut [f64]) {
        for (row, &cell) in self.cell_of.iter().enumerate() {
            numerator[row] = self.numerator[cell as usize];
            denominator[row] = self.denominator[cell as usize];
        }
    }
}

/// Multiplies the gating weights by their ratios and keeps that of the default 1, as only the
/// proportions of weights count.
///
/// Where that would lead out of bounds the weight of the default is left as it is and the others
/// are clamped. The objective still does not fall: the lower bound is a sum of concave functions,
/// one of each weight, and such a function rises all the way from the old weight to the new one.
fn update_weights(members: &mut [MixtureRule], ratios: &[f64]) {
    let bounds = WEIGHTS.0..=WEIGHTS.1;
    let mut all = members.iter().zip(ratios);
    let inside = all.all(|(member, ratio)| bounds.contains(&(member.gating * ratio / ratios[0])));
    let unit = if inside { ratios[0] } else { 1.0 };
    for (member, ratio) in members.iter_mut().zip(ratios).skip(1) {
        member.gating = (member.gating * ratio / unit).clamp(WEIGHTS.0, WEIGHTS.1);
    }
}

/// The cell of every row, by partition refinement: cells begin as the outcomes, and every member
/// splits those to which it applies in part.
fn partition<F: Family>(data: &TrainingSet<'_, F>, members: &[MixtureRule]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut cell_of: Vec<u32> =
        (0..data.rows.len()).map(|row| data.family.outcome_id(row)).collect();
    let mut count = cell_of.iter().max().map_or(0, |&last| last + 1);
    let mut split = Vec::new();
    for member in &members[1..] {
        split.clear();
        split.resize(count as usize, NONE);
        bits::each(&member.covered, |row| {
            let to = &mut split[cell_of[row] as usize];
            if *to == NONE {
                *to = count;
                count += 1;
            }
            cell_of[row] = *to;
        });
    }
    // Number the cells that are left without gaps.
    let mut number = vec![NONE; count as usize];
    let mut next = 0;
    for cell in &mut cell_of {
        let to = &mut number[*cell as usize];
        if *to == NONE {
            *to = next;
            next += 1;
        }
        *cell = *to;
    }
    cell_of
}
