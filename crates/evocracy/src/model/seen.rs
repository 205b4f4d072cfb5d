//! Which rows a model was trained on, as far as hashes can tell: of a table that it is judged on,
//! the rows that it has learnt from can be counted.
//!
//! Of many rows the smallest hashes are kept (a bottom-k sketch: A. Z. Broder, "On the resemblance
//! and containment of documents", SEQUENCES 1997, 21-29). Judged rows whose hash lies below the
//! largest one that is kept are a random sample of all, of which each is known to be there or not.
//! A row is taken for another with a probability of at most 16,384 / 2^64.

use crate::data::{Cells, Classes, MISSING, Schema, Target, Task, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The hashes of training rows, target included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenRows {
    /// Ascending, each once.
    hashes: Vec<u64>,
    /// Whether all are there, and not just the smallest.
    whole: bool,
}

/// How many judged rows were recognised as training rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recognised {
    /// How many rows were judged.
    pub rows: usize,
    /// How many of them would have been recognised.
    pub looked_at: usize,
    /// How many of those were.
    pub found: usize,
}

/// The true values of rows that are looked for.
#[derive(Debug, Clone, Copy)]
pub enum Truth<'a> {
    /// Codes of classes.
    Codes(&'a [u32], &'a Classes),
    /// Numbers.
    Numbers(&'a [f64]),
}

impl SeenRows {
    /// No more hashes than this are kept.
    pub const MOST: usize = 16_384;

    /// The rows of a task, by the columns of a schema and the target.
    pub fn of(schema: &Schema, task: &Task<'_>) -> Self {
        let rows = || (0..task.rows()).map(|row| task.row_id(row));
        let mut hashes = match task.target() {
            Target::Class { codes, classes } => {
                let codes: Vec<u32> = rows().map(|row| codes[row]).collect();
                hashes(schema, task.features, Truth::Codes(&codes, classes))
            }
            Target::Number(values) => {
                let values: Vec<f64> = rows().map(|row| values[row]).collect();
                hashes(schema, task.features, Truth::Numbers(&values))
            }
        };
        hashes.sort_unstable();
        hashes.dedup();
        let whole = hashes.len() <= Self::MOST;
        hashes.truncate(Self::MOST);
        hashes.shrink_to_fit();
        Self { hashes, whole }
    }

    /// Whether rows that are equal are a sign of the same row: not where most of the `rows` training
    /// rows equal another one.
    pub fn tells(&self, rows: usize) -> bool {
        !self.whole || 2 * self.hashes.len() >= rows
    }

    /// Looks for rows with their true values among them.
    pub fn look_for(&self, schema: &Schema, rows: View<'_>, truth: Truth<'_>, of: &mut Recognised) {
        for hash in hashes(schema, rows, truth) {
            let place = self.hashes.binary_search(&hash);
            of.rows += 1;
            of.found += usize::from(place.is_ok());
            let within = self.whole || place.unwrap_or_else(|at| at) < self.hashes.len();
            of.looked_at += usize::from(within);
        }
    }

    /// Refuses what a damaged file could hold.
    pub fn check(&self) -> Result<()> {
        if self.hashes.len() <= Self::MOST && self.hashes.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        Err(Error::model_file("its list of training rows is inconsistent"))
    }
}

impl Recognised {
    /// How many of all rows, as far as those that were looked at tell.
    pub fn estimate(&self) -> usize {
        let share = self.found as f64 / self.looked_at.max(1) as f64;
        (share * self.rows as f64).round() as usize
    }

    /// Whether every row was looked at.
    pub fn is_exact(&self) -> bool {
        self.looked_at == self.rows
    }
}

/// A column, by what its cells stand for: the same for the same cell in any table.
enum Cell<'a> {
    Number(&'a [f64]),
    /// Of each level.
    Level(Vec<u64>, &'a [u32]),
    /// Numbers of a column that was nominal in training: levels are spelt as they are.
    Spelt(&'a [f64]),
    /// The table lacks the column.
    Nothing,
}

impl Cell<'_> {
    fn of(&self, row: usize) -> u64 {
        match self {
            Self::Number(values) => number(values[row]),
            Self::Level(levels, codes) => {
                levels.get(codes[row] as usize).copied().unwrap_or(ABSENT)
            }
            Self::Spelt(values) if values[row].is_nan() => ABSENT,
            Self::Spelt(values) => text(&values[row].to_string()),
            Self::Nothing => ABSENT,
        }
    }
}

/// The hash of every row in view.
fn hashes(schema: &Schema, rows: View<'_>, truth: Truth<'_>) -> Vec<u64> {
    let positions: HashMap<&str, usize> =
        rows.fields().enumerate().map(|(at, field)| (field.name.as_str(), at)).collect();
    let cell = |name: &str, nominal: bool| match positions.get(name) {
        None => Cell::Nothing,
        Some(&at) => match rows.cells(at) {
            Cells::Number(values) if nominal => Cell::Spelt(values),
            Cells::Number(values) => Cell::Number(values),
            Cells::Nominal(codes) => {
                let levels = rows.field(at).levels();
                Cell::Level(levels.iter().map(|level| text(level)).collect(), codes)
            }
        },
    };
    let columns: Vec<Cell<'_>> = schema
        .fields
        .iter()
        .map(|field| cell(&field.name, matches!(field.kind, crate::data::Kind::Nominal(_))))
        .collect();
    let names: Vec<u64> = match truth {
        Truth::Codes(_, classes) => classes.names().iter().map(|name| text(name)).collect(),
        Truth::Numbers(_) => Vec::new(),
    };
    let target = |row: usize| match truth {
        Truth::Codes(codes, _) => names.get(codes[row] as usize).copied().unwrap_or(ABSENT),
        Truth::Numbers(values) => number(values[row]),
    };
    let of = |row: usize| {
        let id = rows.row_id(row);
        columns.iter().fold(mixed(0, target(row)), |hash, column| mixed(hash, column.of(id)))
    };
    (0..rows.rows()).map(of).collect()
}

/// What stands for a missing cell.
const ABSENT: u64 = MISSING as u64;

/// What stands for a number: no difference between the zeros.
fn number(value: f64) -> u64 {
    if value.is_nan() { ABSENT } else { (value + 0.0).to_bits() }
}

/// What stands for a text: FNV-1a (G. Fowler, L. C. Noll, P. Vo), mixed once more.
fn text(text: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    mixed(1, text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Both in one: the finaliser of `MurmurHash3` (A. Appleby).
fn mixed(hash: u64, value: u64) -> u64 {
    let mut x = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value;
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::data::{Column, Field, Table};

    fn look(seen: &SeenRows, schema: &Schema, task: &Task<'_>) -> Recognised {
        let (classes, labels) = task.labels().expect("classes");
        let mut found = Recognised::default();
        seen.look_for(schema, task.features, Truth::Codes(&labels, classes), &mut found);
        found
    }

    #[test]
    fn rows_are_recognised_whatever_codes_and_order() -> Result<()> {
        let data = Catalogue::embedded().open("pima", &Load::default())?;
        let task = data.task()?;
        let schema = Schema { fields: data.features().fields().cloned().collect() };
        let (first, others): (Vec<u32>, Vec<u32>) =
            ((0..300).rev().collect(), (200..532).collect());
        let seen = SeenRows::of(&schema, &task.with_rows(&first));
        let found = look(&seen, &schema, &task.with_rows(&others));
        assert_eq!((found.rows, found.found, found.estimate()), (332, 100, 100));
        assert!(found.is_exact() && seen.tells(300) && seen.check().is_ok());
        // Levels of another order, and numbers in their place.
        let fields = vec![Field::nominal("k", ["2", "1"]), Field::number("x")];
        let schema = Schema { fields: fields.clone() };
        let train = Table::new(
            schema.clone(),
            vec![Column::Nominal(vec![0, 1]), Column::Number(vec![0.0, f64::NAN])],
        )?;
        let classes = Classes::new(vec!["a".to_owned(), "b".to_owned()])?;
        let target = Target::Class { codes: &[0, 1], classes: &classes };
        let seen = SeenRows::of(&schema, &Task::new(train.view(), "y", target, None)?);
        let fields = vec![Field::number("x"), Field::number("other"), Field::number("k")];
        let column = |values: [f64; 3]| Column::Number(values.to_vec());
        let columns =
            [[-0.0, f64::NAN, 0.0], [7.0, 8.0, 9.0], [2.0, 1.0, 1.0]].map(column).to_vec();
        let rows = Table::new(Schema { fields }, columns)?;
        let mut found = Recognised::default();
        seen.look_for(&schema, rows.view(), Truth::Codes(&[0, 1, 0], &classes), &mut found);
        assert_eq!((found.rows, found.found), (3, 2));
        Ok(())
    }

    #[test]
    fn of_many_rows_a_sample_is_looked_at() -> Result<()> {
        let (rows, known) = (60_000_u32, 40_000);
        let schema = Schema { fields: vec![Field::number("x")] };
        let values: Vec<f64> = (0..rows).map(f64::from).collect();
        let table = Table::new(schema.clone(), vec![Column::Number(values.clone())])?;
        let task = Task::new(table.view(), "y", Target::Number(&values), None)?;
        let trained: Vec<u32> = (0..known).collect();
        let seen = SeenRows::of(&schema, &task.with_rows(&trained));
        assert_eq!(seen.hashes.len(), SeenRows::MOST);
        // Half of these were learnt from.
        let judged: Vec<u32> = (known - 10_000..known + 10_000).collect();
        let numbers: Vec<f64> = judged.iter().map(|&row| f64::from(row)).collect();
        let mut found = Recognised::default();
        let view = table.view().with_rows(&judged);
        seen.look_for(&schema, view, Truth::Numbers(&numbers), &mut found);
        assert!(!found.is_exact() && found.looked_at > 6_000, "{found:?}");
        assert!(found.estimate().abs_diff(10_000) < 400, "{found:?}");
        Ok(())
    }

    #[test]
    fn a_forged_list_is_refused() {
        let of = |hashes: Vec<u64>| SeenRows { hashes, whole: true }.check();
        assert!(of(vec![1, 2]).is_ok());
        assert!(of(vec![2, 1]).is_err() && of(vec![1, 1]).is_err());
        assert!(of((0..=SeenRows::MOST as u64).collect()).is_err());
    }
}
