//! Five problems with any number of objectives: K. Deb, L. Thiele, M. Laumanns, E. Zitzler,
//! "Scalable Test Problems for Evolutionary Multiobjective Optimization", 2005.

use super::{few, front, minimised};
use crate::error::{Error, Result};
use crate::evolve::pareto::PointSet;
use crate::evolve::{Goal, Problem, Reals, ScorePoints};
use crate::run::Seed;
use std::f64::consts::{FRAC_PI_2, PI};

/// The most objectives.
const MOST: usize = 16;
/// The most objectives of a front that has to be told from what it dominates.
const MOST_KEPT: usize = 6;

/// A problem and how many objectives it has, all minimised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dtlz {
    kind: DtlzKind,
    goals: Vec<Goal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DtlzKind {
    One,
    Two,
    Three,
    Four,
    Seven,
}

impl Dtlz {
    /// Problem number 1, 2, 3, 4 or 7 with this many objectives, 2 to 16.
    pub fn new(number: usize, objectives: usize) -> Result<Self> {
        let kind = match number {
            1 => DtlzKind::One,
            2 => DtlzKind::Two,
            3 => DtlzKind::Three,
            4 => DtlzKind::Four,
            7 => DtlzKind::Seven,
            _ => {
                return Err(Error::unsuitable(
                    format!("there is no problem DTLZ{number} here"),
                    "choose 1, 2, 3, 4 or 7",
                ));
            }
        };
        if !(2..=MOST).contains(&objectives) {
            return Err(Error::unsuitable(
                format!("a problem with {objectives} objectives"),
                format!("ask for 2 to {MOST}"),
            ));
        }
        Ok(Self { kind, goals: minimised(objectives) })
    }

    /// How many variables the authors used.
    pub fn variables(&self) -> usize {
        let rest = match self.kind {
            DtlzKind::One => 5,
            DtlzKind::Two | DtlzKind::Three | DtlzKind::Four => 10,
            DtlzKind::Seven => 20,
        };
        self.goals.len() - 1 + rest
    }

    /// The variables and their bounds.
    pub fn reals(&self) -> Reals {
        Reals::cube(self.variables(), 0.0, 1.0)
    }

    /// Writes the objectives. There are at least as many variables as objectives.
    pub fn value(&self, x: &[f64], out: &mut [f64]) {
        let (place, rest) = x.split_at(self.goals.len() - 1);
        match self.kind {
            DtlzKind::One => plane(place, 0.5 * (1.0 + bumps(rest)), out),
            DtlzKind::Two => sphere(place, 1.0, 1.0 + bowl(rest), out),
            DtlzKind::Three => sphere(place, 1.0, 1.0 + bumps(rest), out),
            DtlzKind::Four => sphere(place, 100.0, 1.0 + bowl(rest), out),
            DtlzKind::Seven => {
                let g = 1.0 + 9.0 * rest.iter().sum::<f64>() / rest.len() as f64;
                pieces(place, g, out);
            }
        }
    }

    /// Points all over the front: those of a lattice with this many steps along each edge.
    pub fn front(&self, steps: usize) -> Result<PointSet> {
        let m = self.goals.len();
        let mut points = PointSet::new(&self.goals)?;
        if self.kind == DtlzKind::Seven {
            let (mut row, side) = (vec![0.0; m], steps.saturating_add(1));
            let Some(all) = side.checked_pow(m as u32 - 1).filter(|_| m <= MOST_KEPT) else {
                return Err(Error::unsuitable(
                    format!("the front of DTLZ7 with {m} objectives and {steps} steps"),
                    format!("ask for at most {MOST_KEPT} objectives, and fewer steps"),
                ));
            };
            for number in 0..all {
                let digit = |j: usize| number / side.pow(j as u32) % side;
                let place: Vec<f64> =
                    (0..m - 1).map(|j| digit(j) as f64 / steps.max(1) as f64).collect();
                pieces(&place, 1.0, &mut row);
                points.push(&row)?;
            }
            return front(&points);
        }
        lattice(m, steps, &mut |parts| {
            let whole = match self.kind {
                DtlzKind::One => 2.0 * steps as f64,
                _ => parts.iter().map(|&part| (part * part) as f64).sum::<f64>().sqrt(),
            };
            let row: Vec<f64> = parts.iter().map(|&part| part as f64 / whole).collect();
            points.push(&row)
        })?;
        Ok(points)
    }
}

/// Every way to part `steps` into `m` whole numbers.
fn lattice(m: usize, steps: usize, visit: &mut impl FnMut(&[usize]) -> Result<()>) -> Result<()> {
    let mut parts = vec![0; m];
    parts[m - 1] = steps;
    loop {
        visit(&parts)?;
        // The next in lexicographic order: one more in the place before the last that is not 0.
        let Some(last) = parts.iter().rposition(|&part| part > 0).filter(|&last| last > 0) else {
            return Ok(());
        };
        let rest = std::mem::take(&mut parts[last]) - 1;
        parts[last - 1] += 1;
        parts[m - 1] += rest;
    }
}

fn bumps(rest: &[f64]) -> f64 {
    let sum = rest.iter().map(|x| (x - 0.5) * (x - 0.5) - (20.0 * PI * (x - 0.5)).cos());
    100.0 * (rest.len() as f64 + sum.sum::<f64>())
}

fn bowl(rest: &[f64]) -> f64 {
    rest.iter().map(|x| (x - 0.5) * (x - 0.5)).sum()
}

fn plane(place: &[f64], scale: f64, out: &mut [f64]) {
    let mut product = scale;
    let last = out.len() - 1;
    for (j, x) in place.iter().enumerate() {
        out[last - j] = product * (1.0 - x);
        product *= x;
    }
    out[0] = product;
}

fn sphere(place: &[f64], bend: f64, radius: f64, out: &mut [f64]) {
    let mut product = radius;
    let last = out.len() - 1;
    for (j, &x) in place.iter().enumerate() {
        let angle = FRAC_PI_2 * if bend == 1.0 { x } else { x.powf(bend) };
        let (sin, cos) = angle.sin_cos();
        out[last - j] = product * sin;
        product *= cos;
    }
    out[0] = product;
}

fn pieces(place: &[f64], g: f64, out: &mut [f64]) {
    let last = out.len() - 1;
    out[..last].copy_from_slice(place);
    let sum = place.iter().map(|x| x / (1.0 + g) * (1.0 + (3.0 * PI * x).sin())).sum::<f64>();
    out[last] = (1.0 + g) * (out.len() as f64 - sum);
}

impl Problem<Vec<f64>> for Dtlz {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn score(&self, x: &Vec<f64>, _: Option<&()>, _: Seed, out: &mut ScorePoints) -> Result<()> {
        if x.len() < self.goals.len() {
            return Err(few(x.len(), self.goals.len()));
        }
        let mut room = [0.0; MOST];
        let row = &mut room[..self.goals.len()];
        self.value(x, row);
        out.push(row)
    }
}
