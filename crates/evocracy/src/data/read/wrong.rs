//! What can be wrong with a cell, and the errors that follow from it.

use super::{Source, Written};
use crate::error::{Error, Place, Remedy, Result};
use std::fmt;

/// Where in a source a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// In this line of a text, from 1.
    Line(u64),
    /// In this row of a file without lines, from 1.
    Row(u64),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// What can be wrong with a cell.
pub(super) enum Wrong {
    Infinite,
    /// No number that is written so.
    NotANumber(Written),
    NotUtf8,
    TooManyLevels,
    /// None of these levels.
    NotALevel(String),
}

impl Wrong {
    /// The error for `cell`, as it is to be shown.
    pub(super) fn at(self, source: &Source, at: At, column: &str, cell: &[u8]) -> Error {
        let place = place_at(source, at, column);
        match self {
            Self::Infinite => infinite(place, cell),
            Self::NotANumber(wanted) => not_a_number(place, cell, wanted.one()),
            Self::NotUtf8 => not_utf8(place),
            Self::NotALevel(expected) => {
                let problem = format!("`{}` is none of the classes the model knows", shown(cell));
                Error::table(place, problem, expected, "mend the cell or remove the row")
            }
            Self::TooManyLevels => {
                Error::table(place, "the column has too many different texts", "categories", "")
            }
        }
    }
}

/// The cell as text.
pub(super) fn text(cell: &[u8]) -> Result<&str, Wrong> {
    std::str::from_utf8(cell).map_err(|_| Wrong::NotUtf8)
}

/// The start of a cell for a message.
pub(super) fn shown(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).chars().take(60).collect()
}

pub(super) fn place(source: &Source, line: Option<u64>, column: Option<String>) -> Place {
    Place { source: source.name().to_owned(), line, column, row: None }
}

pub(super) fn place_at(source: &Source, at: At, column: &str) -> Place {
    let mut place = place(source, None, Some(column.to_owned()));
    match at {
        At::Line(line) => place.line = Some(line),
        At::Row(row) => place.row = Some(row),
    }
    place
}

pub(super) fn not_utf8(place: Place) -> Error {
    let help = "save the file as UTF-8 (`iconv -f latin1 -t utf-8 OLD > NEW` helps with most)";
    Error::table(place, "the cell is not text", "UTF-8", help)
}

fn infinite(place: Place, cell: &[u8]) -> Error {
    let help = "leave the cell empty where the value is unknown";
    Error::table(place, format!("`{}` is infinite", shown(cell)), "a finite number", help)
}

/// The error for a cell that is not `what`: what it should be, and perhaps why.
pub(super) fn not_a_number(place: Place, cell: &[u8], what: &str) -> Error {
    let got = shown(cell);
    let column = place.column.clone().unwrap_or_default();
    Error::table(
        place,
        format!("`{got}` is not {what}"),
        what.split(',').next().unwrap_or_default(),
        Remedy::MendCell { text: got, column },
    )
}
