//! The points of several classes.
//!
//! Three classes have a ROC surface (D. Mossman, "Three-way ROCs", 1999): a row is called the class
//! whose weighted probability is the largest, and all weights together trade how many rows of each
//! class are missed. The front holds, over all members and a lattice of weights, what nothing beats
//! in the three misclassification rates and the size. With more classes there would be too many
//! points to look at: members are called by their most probable class and trade error and size.

use super::path::ModelPath;
use super::points::{FrontPoint, FrontPoints, Objective, Promise};
use crate::classify::Decision;
use crate::data::Classes;
use crate::error::Result;
use crate::evolve::Goal;
use crate::evolve::pareto::Archive;
use crate::measure::{LEVEL, wilson};

/// Steps of the lattice of weights along an edge.
const STEPS: usize = 15;

/// The share of each class that is called otherwise, and of all rows; and how many rows of equal
/// weight would be as telling, of each class and of all.
struct Misses {
    rates: Vec<f64>,
    rows: Vec<f64>,
}

impl ModelPath {
    /// The points of more than two classes, and the place of the default one.
    pub(super) fn errors(
        &self,
        classes: &Classes,
        complexity_is: &str,
    ) -> Result<(FrontPoints, usize)> {
        let objective = |name: String| Objective { name, higher_is_better: false };
        let mut objectives = vec![objective("error".to_owned())];
        // What is missed of a class can only be counted on its rows.
        let seen =
            |class: usize| self.rows.iter().any(|&r| self.labels[r as usize] as usize == class);
        let three = classes.len() == 3 && (0..3).all(seen);
        if three {
            let missed = classes.names().iter().map(|name| objective(format!("missed {name}")));
            objectives.extend(missed);
        }
        let traded = if three { 1..4 } else { 0..1 };
        let goals = vec![Goal::Minimise; traded.len() + 1];
        let mut archive: Archive<(usize, Vec<f64>)> = Archive::new(&goals)?;
        let lattice = if three { lattice() } else { vec![Vec::new()] };
        for (member, &size) in self.sizes.iter().enumerate() {
            for weights in &lattice {
                let misses = self.misses(&self.rows, &self.proba[member], weights, classes);
                let mut values = misses.rates[traded.clone()].to_vec();
                values.push(size);
                archive.insert(&values, (member, weights.clone()))?;
            }
        }
        let plain = if three { vec![1.0; 3] } else { Vec::new() };
        let mut kept: Vec<(usize, Vec<f64>)> =
            archive.iter().map(|entry| entry.payload.clone()).collect();
        kept.sort_by(|a, b| {
            a.0.cmp(&b.0).then_with(|| a.1.partial_cmp(&b.1).unwrap_or(a.0.cmp(&b.0)))
        });
        let default = (self.chosen, plain);
        let place = kept.iter().position(|point| *point == default).unwrap_or_else(|| {
            let place = kept.partition_point(|point| point.0 <= default.0);
            kept.insert(place, default);
            place
        });
        let mut points = FrontPoints::new(objectives, complexity_is, LEVEL);
        for (member, weights) in kept {
            let (point, judged) = self.point(member, weights, classes)?;
            points.push(&point)?;
            points.judged_on(judged);
        }
        Ok((points, place))
    }

    /// A point, and on how many rows its promises were measured.
    fn point(
        &self,
        member: usize,
        weights: Vec<f64>,
        classes: &Classes,
    ) -> Result<(FrontPoint, Vec<f64>)> {
        let training = self.misses(&self.rows, &self.proba[member], &weights, classes).rates;
        let held = self.unseen.as_ref().map(|unseen| {
            let mut found = self.misses(&unseen.rows, &unseen.proba[member], &weights, classes);
            found.rows.iter_mut().for_each(|rows| *rows *= unseen.telling());
            found
        });
        let (mut promised, mut judged) = (Vec::new(), Vec::new());
        if let Some(Misses { rates, rows }) = held
            && rows.iter().all(|rows| *rows > 0.0)
        {
            for (&value, &rows) in rates.iter().zip(&rows) {
                let interval = wilson((value * rows).min(rows), rows, LEVEL)?;
                promised.push(Promise { value, interval });
            }
            judged = rows;
        }
        let complexity = self.sizes[member];
        let point = FrontPoint { member, threshold: None, weights, complexity, training, promised };
        Ok((point, judged))
    }

    /// What a member calls wrongly: the share of all rows, and with three classes of each.
    fn misses(&self, rows: &[u32], proba: &[f64], weights: &[f64], classes: &Classes) -> Misses {
        let decision = Decision::weighted(weights);
        let k = classes.len();
        let each = weights.len();
        let (mut wrong, mut all, mut squares) =
            (vec![0.0; each + 1], vec![0.0; each + 1], vec![0.0; each + 1]);
        for (&row, proba) in rows.iter().zip(proba.chunks_exact(k)) {
            let (w, label) = (self.weights[row as usize], self.labels[row as usize] as usize);
            let missed = decision.of(proba, classes.positive()) != label;
            let places = [Some(0), (each > 0).then_some(label + 1)];
            for place in places.into_iter().flatten() {
                wrong[place] += if missed { w } else { 0.0 };
                all[place] += w;
                squares[place] += w * w;
            }
        }
        let share = |of: &[f64], all: &[f64]| -> Vec<f64> {
            of.iter().zip(all).map(|(of, all)| if *all > 0.0 { of / all } else { 0.0 }).collect()
        };
        let squared: Vec<f64> = all.iter().map(|sum| sum * sum).collect();
        Misses { rates: share(&wrong, &all), rows: share(&squared, &squares) }
    }
}

/// Weights of three classes, none of them 0; equal ones are all 1.
fn lattice() -> Vec<Vec<f64>> {
    let step = 3.0 / STEPS as f64;
    let mut found = Vec::new();
    for first in 1..STEPS - 1 {
        for second in 1..STEPS - first {
            let third = STEPS - first - second;
            let weights = if first == second && second == third {
                vec![1.0; 3]
            } else {
                [first, second, third].map(|of| of as f64 * step).to_vec()
            };
            found.push(weights);
        }
    }
    found
}
