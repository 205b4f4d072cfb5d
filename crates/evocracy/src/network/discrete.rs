//! A table of small codes: what networks are learnt from.

use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::evolve::{Rng, below};
use crate::num::bits;

/// The code of a missing value inside a column of 16 bits.
const GAP: u16 = u16::MAX;

/// Variables of at most so many states have a set of rows for each state.
const MAX_BITMAPS: u32 = 16;

/// Columns of codes, column by column, each code below the number of states of its variable.
///
/// Codes take 16 bits. Variables of few states also keep, for each state, the set of rows that
/// have it, one bit a row: counts are then intersections of such sets. Missing values are allowed
/// here; structure search refuses them, and [`expectation_maximisation`] takes them.
///
/// [`expectation_maximisation`]: super::expectation_maximisation
#[derive(Debug, Clone, PartialEq)]
pub struct Discrete {
    rows: usize,
    states: Vec<u32>,
    codes: Vec<u16>,
    /// Where the sets of a variable begin in `sets`; `None` for variables of many states.
    starts: Vec<Option<usize>>,
    sets: Vec<u64>,
    missing: usize,
    /// How much each row counts; `None` where all count as one.
    weights: Option<Vec<f64>>,
}

impl Discrete {
    /// The most states that a variable may have.
    pub const MAX_STATES: u32 = GAP as u32;

    /// A table of columns of codes: for each its number of states and a code for each row, below
    /// that number or [`MISSING`].
    pub fn new(columns: &[(u32, &[u32])]) -> Result<Self> {
        let rows = columns.first().map_or(0, |(_, codes)| codes.len());
        let mut packed = Vec::with_capacity(rows.saturating_mul(columns.len()));
        for (at, (states, codes)) in columns.iter().enumerate() {
            if !(1..=Self::MAX_STATES).contains(states) {
                return Err(Error::unsuitable(
                    format!("variable {} has {states} states", at + 1),
                    format!("a variable has 1 to {} states", Self::MAX_STATES),
                ));
            }
            if codes.len() != rows {
                return Err(Error::unsuitable(
                    format!("column {} has {} rows, the first {rows}", at + 1, codes.len()),
                    "give columns of one length",
                ));
            }
            for &code in *codes {
                if code >= *states && code != MISSING {
                    return Err(Error::unsuitable(
                        format!("column {} holds the code {code} of {states} states", at + 1),
                        "count codes from 0",
                    ));
                }
                packed.push(if code == MISSING { GAP } else { code as u16 });
            }
        }
        Self::packed(rows, columns.iter().map(|(states, _)| *states).collect(), packed)
    }

    /// A table of codes that are known to be sound.
    pub(super) fn packed(rows: usize, states: Vec<u32>, codes: Vec<u16>) -> Result<Self> {
        if rows >= u32::MAX as usize {
            return Err(Error::unsuitable(format!("{rows} rows"), "use fewer than 2^32 rows"));
        }
        let words = rows.div_ceil(64);
        let missing = codes.iter().filter(|code| **code == GAP).count();
        let (mut starts, mut sets) = (Vec::with_capacity(states.len()), Vec::new());
        for (at, states) in states.iter().enumerate() {
            if *states > MAX_BITMAPS {
                starts.push(None);
                continue;
            }
            let start = sets.len();
            starts.push(Some(start));
            sets.resize(start + words * *states as usize, 0);
            for (row, &code) in codes[at * rows..(at + 1) * rows].iter().enumerate() {
                if code != GAP {
                    bits::insert(&mut sets[start + code as usize * words..], row);
                }
            }
        }
        Ok(Self { rows, states, codes, starts, sets, missing, weights: None })
    }

    /// The same table with a weight above 0 for every row: scores, mutual information and tables of
    /// networks then count rows by it. Weights that are all 1 are no weights.
    pub fn with_weights(mut self, weights: &[f64]) -> Result<Self> {
        if weights.len() != self.rows {
            return Err(Error::unsuitable("every row needs a weight", ""));
        }
        if let Some(bad) = weights.iter().find(|weight| !(1e-100..=1e100).contains(*weight)) {
            return Err(Error::unsuitable(
                format!("a row has the weight {bad}"),
                "weights must be finite and above 0",
            ));
        }
        self.weights = weights.iter().any(|&weight| weight != 1.0).then(|| weights.to_vec());
        Ok(self)
    }

    /// How much each row counts; `None` where all count as one.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// How much a row counts.
    #[inline]
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.states.len()
    }

    /// How many states a variable has.
    #[inline]
    pub fn states(&self, variable: usize) -> u32 {
        self.states[variable]
    }

    /// How many states each variable has.
    pub fn all_states(&self) -> &[u32] {
        &self.states
    }

    /// How many values are missing.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// The code of a variable in a row, or [`MISSING`].
    #[inline]
    pub fn code(&self, row: usize, variable: usize) -> u32 {
        match self.codes[variable * self.rows + row] {
            GAP => MISSING,
            code => u32::from(code),
        }
    }

    /// Writes the codes of a row; missing ones are [`MISSING`].
    pub fn row_into(&self, row: usize, out: &mut Vec<u32>) {
        out.clear();
        out.extend((0..self.variables()).map(|variable| self.code(row, variable)));
    }

    /// The packed codes of a variable. Without missing values they are codes as they are.
    #[inline]
    pub(super) fn column(&self, variable: usize) -> &[u16] {
        &self.codes[variable * self.rows..(variable + 1) * self.rows]
    }

    /// The sets of rows of a variable's states, one after the other.
    #[inline]
    pub(super) fn sets(&self, variable: usize) -> Option<&[u64]> {
        let start = self.starts[variable]?;
        Some(&self.sets[start..start + self.words() * self.states[variable] as usize])
    }

    /// How many words a set of rows has.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.rows.div_ceil(64)
    }

    /// The given rows, in their order; a row may come more than once.
    pub fn select(&self, rows: &[u32]) -> Result<Self> {
        if let Some(row) = rows.iter().find(|row| **row as usize >= self.rows) {
            return Err(Error::unsuitable(format!("row {row} of {} rows", self.rows), ""));
        }
        let columns = (0..self.variables()).map(|variable| self.column(variable));
        let codes = columns.flat_map(|column| rows.iter().map(|row| column[*row as usize]));
        let mut some = Self::packed(rows.len(), self.states.clone(), codes.collect())?;
        let of = |weights: &Vec<f64>| rows.iter().map(|row| weights[*row as usize]).collect();
        some.weights = self.weights.as_ref().map(of);
        Ok(some)
    }

    /// As many rows drawn with replacement.
    pub fn resample(&self, rng: &mut Rng) -> Result<Self> {
        let rows: Vec<u32> = (0..self.rows).map(|_| below(self.rows, rng) as u32).collect();
        self.select(&rows)
    }

    /// Refuses a table that structure cannot be learnt from.
    pub(super) fn check_complete(&self) -> Result<()> {
        if self.rows == 0 || self.variables() == 0 {
            return Err(Error::unsuitable("a table without rows or variables", ""));
        }
        if self.missing > 0 {
            return Err(Error::unsuitable(
                format!("{} values are missing where a structure is to be learnt", self.missing),
                "leave out the rows with missing values, or make missing a state of its own",
            ));
        }
        Ok(())
    }
}
