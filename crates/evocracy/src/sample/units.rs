//! The built-in hard classifiers: a weighted vote of units, positive where it is above 0.
//!
//! `y(x) = 1` where `sum_h v_h z_h(x) + b > 0`, else 0 (A. R. J. Clark's thesis, (5.12), (5.13)).
//! Three kinds differ in their units:
//!
//! - `mlp`: `z_h = tanh(w_h x + b_h)`, (5.10) and (5.11);
//! - `linear`: the inputs themselves;
//! - `rules`: `z_h = 1` where input `h mod M` is above a threshold, else 0.
//!
//! Parameters are: the weights of the first unit to all inputs, of the second unit and so on; a bias
//! or threshold for each unit; the votes; the bias of the sum.
//!
//! Every unit is computed from its own parameters and every sum from all units, in a fixed order: the
//! answer does not depend on what moved before, to the last bit. The hyperbolic tangent is a ratio of
//! polynomials ([`tanh`]) within 1e-4 of it, which loops over wide registers can compute.

use super::hard::{Hard, Trial, Within, Wrong};
use super::quick::Quick;
use super::rows::{BLOCK, Blocks, LabelledRows, Lanes};
use crate::error::Result;
use crate::num::wide;
use serde::{Deserialize, Serialize};

/// Where [`tanh`] is cut to 1: the ratio would exceed it.
pub(super) const CUT: f64 = 4.97;

/// The hyperbolic tangent to within 1e-4: Lambert's continued fraction, cut after seven terms.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub fn tanh(x: f64) -> f64 {
    let x = x.clamp(-CUT, CUT);
    let s = x * x;
    let above = x * (135_135.0 + s * (17_325.0 + s * (378.0 + s)));
    let below = 135_135.0 + s * (62_370.0 + s * (3150.0 + s * 28.0));
    above / below
}

/// What the units are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Hidden units of a network: the hyperbolic tangent of a weighted sum of all inputs.
    Tanh,
    /// The inputs themselves.
    Input,
    /// Whether one input is above a threshold.
    Above,
}

/// The shape of a vote of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    /// What the units are.
    pub unit: Unit,
    /// How many inputs there are.
    pub inputs: usize,
    /// How many units there are.
    pub count: usize,
}

impl Units {
    /// A network of one hidden layer; a linear classifier where it has no units.
    pub fn mlp(inputs: usize, hidden: usize) -> Self {
        match hidden {
            0 => Self { unit: Unit::Input, inputs, count: inputs },
            count => Self { unit: Unit::Tanh, inputs, count },
        }
    }

    /// A vote of threshold rules, each on one input in turn.
    pub fn rules(inputs: usize, count: usize) -> Self {
        Self { unit: Unit::Above, inputs, count }
    }

    /// How many weights a unit has for inputs.
    fn weights(&self) -> usize {
        if self.unit == Unit::Tanh { self.inputs } else { 0 }
    }

    /// Where the biases of units, the votes and the bias of the sum begin.
    pub fn places(&self) -> [usize; 3] {
        let biases = self.count * self.weights();
        let votes = biases + if self.unit == Unit::Input { 0 } else { self.count };
        [biases, votes, votes + self.count]
    }

    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        self.places()[2] + 1
    }

    /// The unit that a parameter belongs to; `None` for votes and their bias.
    fn unit_of(&self, parameter: usize) -> Option<usize> {
        let [biases, votes, _] = self.places();
        if parameter < biases {
            Some(parameter / self.weights())
        } else {
            (parameter < votes).then(|| parameter - biases)
        }
    }

    /// Writes a unit at the rows of a block.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn unit_into(&self, parameters: &[f64], unit: usize, block: &[Lanes], out: &mut Lanes) {
        let [biases, ..] = self.places();
        match self.unit {
            Unit::Tanh => {
                let weights = &parameters[unit * self.inputs..(unit + 1) * self.inputs];
                let mut sum = [parameters[biases + unit]; BLOCK];
                for (weight, column) in weights.iter().zip(block) {
                    for i in 0..BLOCK {
                        sum[i] += weight * column[i];
                    }
                }
                for i in 0..BLOCK {
                    out[i] = tanh(sum[i]);
                }
            }
            Unit::Input => *out = block[unit],
            Unit::Above => {
                let (threshold, column) = (parameters[biases + unit], &block[unit % self.inputs]);
                for i in 0..BLOCK {
                    out[i] = if column[i] > threshold { 1.0 } else { 0.0 };
                }
            }
        }
    }

    /// Adds a unit's vote to the sums of a block.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn vote(&self, parameters: &[f64], unit: usize, values: &Lanes, sums: &mut Lanes) {
        let vote = parameters[self.places()[1] + unit];
        for i in 0..BLOCK {
            sums[i] += vote * values[i];
        }
    }

    /// Adds `weight` to the answer of every row that is called positive: answers are block after
    /// block.
    pub(super) fn add_calls(
        &self,
        parameters: &[f64],
        rows: &Blocks,
        weight: f64,
        out: &mut [Lanes],
    ) {
        let bias = parameters[self.places()[2]];
        wide(
            #[inline(always)]
            || {
                let mut values = [0.0; BLOCK];
                for (block, out) in out.iter_mut().enumerate() {
                    let block = rows.block(block);
                    let mut sums = [bias; BLOCK];
                    for unit in 0..self.count {
                        self.unit_into(parameters, unit, block, &mut values);
                        self.vote(parameters, unit, &values, &mut sums);
                    }
                    for i in 0..BLOCK {
                        out[i] += if sums[i] > 0.0 { weight } else { 0.0 };
                    }
                }
            },
        );
    }
}

/// A vote of units on labelled rows.
#[derive(Debug, Clone)]
pub struct HardUnits {
    /// The shape.
    pub units: Units,
    /// The rows.
    pub rows: LabelledRows,
}

impl Hard for HardUnits {
    fn parameters(&self) -> usize {
        self.units.parameters()
    }

    fn totals(&self) -> [f64; 2] {
        self.rows.totals
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        let cells = self.units.count * self.rows.blocks.len();
        Ok(Box::new(UnitTrial {
            of: self,
            kept: vec![[0.0; BLOCK]; cells],
            tried: vec![[0.0; BLOCK]; cells],
            moved: vec![true; self.units.count],
            whole: Vec::new(),
            at: Vec::new(),
            quick: Quick::default(),
        }))
    }
}

/// Units at all rows: those kept, and those of the last call that moved. Where all parameters move,
/// units are not stored: a chain that moves them all never reads one again.
struct UnitTrial<'a> {
    of: &'a HardUnits,
    /// Block after block, unit after unit.
    kept: Vec<Lanes>,
    tried: Vec<Lanes>,
    /// Which units the last call computed anew.
    moved: Vec<bool>,
    /// All parameters of the last call, where they all moved; else empty.
    whole: Vec<f64>,
    /// The parameters that were kept and whose units are not stored; else empty.
    at: Vec<f64>,
    /// All parameters of the last call in single precision.
    quick: Quick,
}

impl Trial for UnitTrial<'_> {
    fn call(
        &mut self,
        parameters: &[f64],
        moved: Option<&[u32]>,
        within: Within<'_>,
    ) -> Result<Option<Wrong>> {
        self.whole.clear();
        if let Some(moved) = moved {
            self.store();
            self.moved.fill(false);
            let units = moved.iter().filter_map(|&at| self.of.units.unit_of(at as usize));
            units.for_each(|unit| self.moved[unit] = true);
        } else {
            self.whole.extend_from_slice(parameters);
            self.quick.set(self.of.units, parameters, self.of.rows.reach);
        }
        let mut wrong = Wrong::default();
        for block in 0..self.of.rows.blocks.len() {
            let here = self.block(parameters, block);
            wrong.missed += here.missed;
            wrong.alarms += here.alarms;
            if !within(wrong) {
                return Ok(None);
            }
        }
        Ok(Some(wrong))
    }

    fn keep(&mut self) {
        if !self.whole.is_empty() {
            std::mem::swap(&mut self.at, &mut self.whole);
            return;
        }
        let count = self.of.units.count;
        for (kept, tried) in self.kept.chunks_exact_mut(count).zip(self.tried.chunks_exact(count)) {
            for (unit, moved) in self.moved.iter().enumerate() {
                if *moved {
                    kept[unit] = tried[unit];
                }
            }
        }
    }
}

impl UnitTrial<'_> {
    /// Computes the units of the kept parameters where that was left out.
    fn store(&mut self) {
        if self.at.is_empty() {
            return;
        }
        let Self { of: HardUnits { units, rows }, kept, at, .. } = self;
        wide(
            #[inline(always)]
            || {
                for (block, kept) in kept.chunks_exact_mut(units.count).enumerate() {
                    for (unit, kept) in kept.iter_mut().enumerate() {
                        units.unit_into(at, unit, rows.blocks.block(block), kept);
                    }
                }
            },
        );
        at.clear();
    }

    /// What is wrong in a block.
    fn block(&mut self, parameters: &[f64], block: usize) -> Wrong {
        let Self { of, kept, tried, moved, whole, quick, .. } = self;
        let all = !whole.is_empty();
        let HardUnits { units, rows } = of;
        let own = block * units.count..(block + 1) * units.count;
        let (kept, tried) = (&kept[own.clone()], &mut tried[own]);
        let [positive, negative] = &rows.weights[block];
        wide(
            #[inline(always)]
            || {
                let quickly = if all { quick.sums(*units, rows.quick(block)) } else { None };
                if let Some(sums) = quickly {
                    return wrong(&sums, positive, negative);
                }
                let cells = rows.blocks.block(block);
                let mut sums = [parameters[units.places()[2]]; BLOCK];
                let mut own = [0.0; BLOCK];
                for unit in 0..units.count {
                    let values = if all {
                        units.unit_into(parameters, unit, cells, &mut own);
                        &own
                    } else if moved[unit] {
                        units.unit_into(parameters, unit, cells, &mut tried[unit]);
                        &tried[unit]
                    } else {
                        &kept[unit]
                    };
                    units.vote(parameters, unit, values, &mut sums);
                }
                wrong(&sums, positive, negative)
            },
        )
    }
}

/// What is wrong where sums above 0 are positive.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn wrong(sums: &Lanes, positive: &Lanes, negative: &Lanes) -> Wrong {
    const WIDTH: usize = 8;
    let (mut missed, mut alarms) = ([0.0; WIDTH], [0.0; WIDTH]);
    for from in (0..BLOCK).step_by(WIDTH) {
        for i in 0..WIDTH {
            let above = sums[from + i] > 0.0;
            missed[i] += if above { 0.0 } else { positive[from + i] };
            alarms[i] += if above { negative[from + i] } else { 0.0 };
        }
    }
    Wrong { missed: missed.iter().sum(), alarms: alarms.iter().sum() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DenseRows;
    use crate::evolve::{below, gauss, rng};
    use crate::run::Seed;

    #[test]
    fn the_ratio_is_near_the_hyperbolic_tangent_and_rises() {
        let mut before = -1.1;
        for step in -1000..=1000 {
            let x = f64::from(step) / 100.0;
            let found = tanh(x);
            assert!((found - x.tanh()).abs() < 1e-4, "tanh({x}) is not {found}");
            assert!(found >= before && found.abs() <= 1.0);
            before = found;
        }
    }

    /// The answer of one row, computed naively.
    fn naive(units: Units, parameters: &[f64], row: &[f64]) -> bool {
        let m = units.inputs;
        let mut at = parameters.iter();
        let mut take = |n: usize| -> Vec<f64> { at.by_ref().take(n).copied().collect() };
        let values: Vec<f64> = match units.unit {
            Unit::Tanh => {
                let (w, b) = (take(m * units.count), take(units.count));
                let sum = |h: usize| (0..m).fold(b[h], |sum, j| sum + w[h * m + j] * row[j]);
                (0..units.count).map(|h| tanh(sum(h))).collect()
            }
            Unit::Input => row.to_vec(),
            Unit::Above => {
                let t = take(units.count);
                (0..units.count).map(|h| f64::from(u8::from(row[h % m] > t[h]))).collect()
            }
        };
        let (votes, bias) = (take(units.count), take(1)[0]);
        values.iter().zip(&votes).fold(bias, |sum, (z, v)| sum + v * z) > 0.0
    }

    #[test]
    fn few_moved_parameters_give_the_answer_of_all() {
        let (n, m) = (77, 3);
        let mut rng = rng(Seed::new(4));
        let cells: Vec<f64> = (0..n * m).map(|_| gauss(&mut rng)).collect();
        let rows = DenseRows::from_slice(&cells, n);
        let positive: Vec<bool> = (0..n).map(|row| cells[row] + cells[n + row] > 0.3).collect();
        let weights: Vec<f64> = (0..n).map(|row| f64::from(row as u32 % 3)).collect();
        for units in [Units::mlp(m, 5), Units::mlp(m, 0), Units::rules(m, 7)] {
            let hard = HardUnits { units, rows: LabelledRows::new(&rows, &positive, &weights) };
            let mut trial = hard.start().unwrap();
            let mut at: Vec<f64> = (0..units.parameters()).map(|_| gauss(&mut rng)).collect();
            trial.call(&at, None, &|_| true).unwrap();
            trial.keep();
            for step in 0..200 {
                let mut next = at.clone();
                let moved = [below(at.len(), &mut rng) as u32, below(at.len(), &mut rng) as u32];
                for i in moved {
                    next[i as usize] += gauss(&mut rng);
                }
                let found = trial.call(&next, Some(&moved), &|_| true).unwrap().unwrap();
                let mut expected = Wrong::default();
                for row in 0..n {
                    match (naive(units, &next, &rows.row(row)), positive[row]) {
                        (true, false) => expected.alarms += weights[row],
                        (false, true) => expected.missed += weights[row],
                        _ => {}
                    }
                }
                assert_eq!(found, expected);
                assert_eq!(
                    hard.start().unwrap().call(&next, None, &|_| true).unwrap(),
                    Some(found)
                );
                let most = expected.missed + expected.alarms - 1.0;
                let bound = |wrong: Wrong| wrong.missed + wrong.alarms <= most;
                assert_eq!(trial.call(&next, Some(&moved), &bound).unwrap(), None);
                if step % 2 == 0 {
                    trial.call(&next, Some(&moved), &|_| true).unwrap();
                    trial.keep();
                    at = next;
                }
            }
        }
    }
}
