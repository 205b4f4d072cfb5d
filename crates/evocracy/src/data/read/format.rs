//! How to read a table, as far as that is the person's choice.

use super::Written;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Texts that stand for a missing value.
pub const MISSING_TEXTS: [&str; 10] =
    ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A"];

/// Texts that stand for a missing value where the others are numbers. Among categories they may be
/// one: `-` beside `+`, `none` beside `some`.
const MISSING_NUMBERS: [&str; 2] = ["-", "none"];

/// How to read a table. The defaults read nearly everything as it is.
#[derive(Debug, Clone)]
pub struct Format {
    /// What separates cells; by default the most frequent of `,` `;` tab `|` in the header. Only
    /// text tables have it.
    pub delimiter: Option<u8>,
    /// Whether the first line holds names; without it columns are `column 1`, `column 2`, ...
    /// Only text tables have it.
    pub header: bool,
    /// Further texts that stand for a missing value.
    pub missing: Vec<String>,
    /// Columns to read as categories, whatever they hold.
    pub nominal: Vec<String>,
    /// Columns to read as numbers: anything else in them is an error.
    pub number: Vec<String>,
    /// The most columns that a table may have: a small file can hold millions of empty ones.
    pub most_columns: usize,
    /// The decimal mark, `.` or `,`; by default the point.
    pub decimal: Option<u8>,
    /// What lines begin with that hold no row. Only text tables have it.
    pub comment: Option<u8>,
    /// Whether a [`Stream`](super::Stream) leaves out rows with a cell that cannot be read, and
    /// lists them, instead of ending with an error. Only for text tables.
    pub skip_bad: bool,
}

impl Default for Format {
    fn default() -> Self {
        let (delimiter, header) = (None, true);
        let (missing, nominal, number) = (Vec::new(), Vec::new(), Vec::new());
        let (most_columns, skip_bad) = (Self::MOST_COLUMNS, false);
        let (decimal, comment) = (None, None);
        Self {
            delimiter,
            header,
            missing,
            nominal,
            number,
            most_columns,
            decimal,
            comment,
            skip_bad,
        }
    }
}

impl Format {
    /// The most columns of a table unless told otherwise.
    pub const MOST_COLUMNS: usize = 100_000;

    /// The decimal mark.
    #[inline]
    pub(super) fn point(&self) -> u8 {
        self.decimal.unwrap_or(b'.')
    }

    /// Whether a cell that is a plain number is that number.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.missing.is_empty() && self.decimal.is_none_or(|mark| mark == b'.')
    }

    pub(super) fn is_missing(&self, cell: &[u8]) -> bool {
        // All standard texts are short; most cells are settled by their length.
        cell.is_empty()
            || (cell.len() <= 4 && MISSING_TEXTS.iter().any(|text| text.as_bytes() == cell))
            || self.asked_missing(cell)
    }

    /// Whether a text stands for a missing value in a column of numbers.
    pub(super) fn is_missing_number(&self, cell: &[u8]) -> bool {
        no_number(cell) || self.is_missing(cell)
    }

    /// Whether the person said that this text stands for a missing value.
    pub(super) fn asked_missing(&self, cell: &[u8]) -> bool {
        self.missing.iter().any(|text| text.as_bytes() == cell)
    }
}

/// Whether a text is no slip among numbers, though it is none.
pub(super) fn no_number(cell: &[u8]) -> bool {
    cell.len() <= 4 && MISSING_NUMBERS.iter().any(|text| text.as_bytes() == cell)
}

/// What has to be known of how a table was read, to read the next one in the same way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Further texts that stood for a missing value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The decimal mark that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<u8>,
    /// What lines without a row began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<u8>,
    /// Columns whose numbers were not written as plain numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<(String, Written)>,
}

impl Reading {
    /// How a table of these columns was read.
    pub(crate) fn of(format: &Format, written: Vec<(String, Written)>) -> Self {
        let Format { missing, decimal, comment, .. } = format.clone();
        Self { missing, decimal, comment, written }
    }

    /// Whether nothing has to be known.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The format for the next table: what it leaves open is as it was.
    #[must_use]
    pub fn below(&self, format: &Format) -> Format {
        let mut format = format.clone();
        for text in &self.missing {
            if !format.missing.contains(text) {
                format.missing.push(text.clone());
            }
        }
        format.decimal = format.decimal.or(self.decimal);
        format.comment = format.comment.or(self.comment);
        format
    }

    /// Refuses what no table was read by.
    pub(crate) fn check(&self) -> Result<()> {
        if self.decimal.is_some_and(|mark| ![b'.', b','].contains(&mark)) {
            return Err(Error::model_file("its decimal mark is neither a point nor a comma"));
        }
        if self.comment.is_some_and(|mark| !mark.is_ascii_graphic()) {
            return Err(Error::model_file("its mark of comments is no character"));
        }
        Ok(())
    }
}
