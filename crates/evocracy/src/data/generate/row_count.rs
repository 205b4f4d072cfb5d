//! How many rows: a number, or every combination of the bits.

use super::{MOST_CELLS, Shape};
use crate::error::Result;
use crate::param::{Allowed, Bounds, Value, refuse};

/// With more bits than this, `rows=all` is refused.
pub(super) const MOST_BITS_OF_ALL: usize = 20;

/// How many rows of bits to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowCount {
    /// Every combination of the bits once, counting up in binary; the first bit is the highest.
    All,
    /// This many rows of fair, independent bits.
    Count(usize),
}

impl RowCount {
    /// The values that a parameter of rows takes.
    pub const RANGE: RowRange = RowRange;

    /// The shape of a table of `bits` bits and a class.
    pub(super) fn shape(self, name: &str, bits: usize) -> Result<Shape> {
        let rows = match self {
            Self::Count(rows) => rows,
            Self::All if bits <= MOST_BITS_OF_ALL => 1 << bits,
            Self::All => {
                let expected = format!(
                    "a whole number for {bits} bits (`all` takes at most {MOST_BITS_OF_ALL})"
                );
                return Err(refuse(name, "rows", expected, self.show()));
            }
        };
        Ok(Shape { rows, columns: bits.saturating_add(1) })
    }
}

impl Value for RowCount {
    fn parse(text: &str) -> Option<Self> {
        if text == "all" { Some(Self::All) } else { text.parse().ok().map(Self::Count) }
    }

    fn show(&self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Count(rows) => rows.to_string(),
        }
    }
}

/// The numbers of rows that can be asked for.
#[derive(Debug, Clone, Copy)]
pub struct RowRange;

impl Bounds<RowCount> for RowRange {
    fn hold(&self, value: &RowCount) -> bool {
        match value {
            RowCount::All => true,
            RowCount::Count(rows) => (2..=MOST_CELLS).contains(rows),
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed { choices: vec!["all"], ..Bounds::<usize>::allowed(&(2..=MOST_CELLS)) }
    }
}
