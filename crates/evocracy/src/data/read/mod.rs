//! Readers: from bytes to tables, with errors that name file, line and column.
//!
//! [`read_table`] reads a whole table and infers what its columns hold; [`Stream`] reads rows
//! chunk by chunk into columns that are known already, in bounded memory.

mod cell;
mod infer;
mod marks;
mod records;
mod source;
mod stream;

pub use source::Source;
pub use stream::{Stream, Unseen};

pub use infer::{read_table, read_table_until};

use crate::error::{Error, Place, Result};
use records::Records;

/// Texts that stand for a missing value.
pub const MISSING_TEXTS: [&str; 9] = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "#N/A"];

/// How to read a text table. The defaults read nearly everything as it is.
#[derive(Debug, Clone)]
pub struct Format {
    /// What separates cells; by default the most frequent of `,` `;` tab `|` in the header.
    pub delimiter: Option<u8>,
    /// Whether the first line holds names; without it columns are `column 1`, `column 2`, ...
    pub header: bool,
    /// Further texts that stand for a missing value.
    pub missing: Vec<String>,
    /// Columns to read as categories, whatever they hold.
    pub nominal: Vec<String>,
    /// Columns to read as numbers: anything else in them is an error.
    pub number: Vec<String>,
}

impl Default for Format {
    fn default() -> Self {
        let (delimiter, header) = (None, true);
        let (missing, nominal, number) = (Vec::new(), Vec::new(), Vec::new());
        Self { delimiter, header, missing, nominal, number }
    }
}

impl Format {
    fn is_missing(&self, cell: &[u8]) -> bool {
        // All standard texts are short; most cells are settled by their length.
        (cell.len() <= 4 && MISSING_TEXTS.iter().any(|text| text.as_bytes() == cell))
            || self.missing.iter().any(|text| text.as_bytes() == cell)
    }
}

/// The table at a path: a file, or what comes once, such as a pipe. `None` where there is nothing
/// to read from.
pub fn at(path: &std::path::Path) -> Result<Option<Source>> {
    if path.is_file() {
        return Ok(Some(Source::file(path)));
    }
    if path.is_dir() || !path.exists() {
        return Ok(None);
    }
    let pipe = std::fs::File::open(path).map_err(|e| Error::io("read", path, e))?;
    Ok(Some(Source::once(path.display().to_string(), pipe)))
}

/// Opens a source and reads its header: the records that follow and the column names.
fn open(source: &Source, format: &Format) -> Result<(Records, Vec<String>)> {
    let mut records = Records::open(source, format.delimiter)?;
    let empty = || {
        let help = "a table has a line of column names and a line for each row";
        Error::table(place(source, None, None), "the file is empty", "a table", help)
    };
    if !format.header {
        let count = records.peek_width()?.ok_or_else(empty)?;
        return Ok((records, (1..=count).map(|n| format!("column {n}")).collect()));
    }
    let record = records.next()?.ok_or_else(empty)?;
    let line = record.line();
    let mut names: Vec<String> = Vec::with_capacity(record.len());
    for (j, cell) in record.cells().enumerate() {
        let name = cell::text(cell)
            .map_err(|()| not_utf8(place(source, Some(line), Some(format!("{}", j + 1)))))?;
        names.push(if name.is_empty() { format!("column {}", j + 1) } else { name.to_owned() });
    }
    check_names(source, line, &names)?;
    Ok((records, names))
}

fn check_names(source: &Source, line: u64, names: &[String]) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(Error::table(
            place(source, Some(line), Some(twice.clone())),
            format!("two columns are called `{twice}`"),
            "a different name for each column",
            "rename one of them in the first line",
        ));
    }
    let number = |name: &String| cell::number(name.as_bytes()).is_some();
    if names.iter().all(number) {
        return Err(Error::table(
            place(source, Some(line), None),
            "the first line holds only numbers",
            "column names",
            "add a line of names, or say --no-header",
        ));
    }
    Ok(())
}

/// The texts of one column of a side table, line by line; the last column where none is named.
pub(super) fn texts(source: &Source, column: Option<&str>) -> Result<Vec<String>> {
    let (mut records, names) = open(source, &Format::default())?;
    let position = match column {
        None => names.len() - 1,
        Some(name) => names.iter().position(|n| n == name).ok_or_else(|| {
            let known = names.iter().map(String::as_str);
            Error::unknown("column", name, Some(source.name().to_owned()), known)
        })?,
    };
    let mut texts = Vec::new();
    while let Some(record) = records.next()? {
        infer::check_width(&record, names.len(), source)?;
        texts.push(String::from_utf8_lossy(record.cell(position)).into_owned());
    }
    Ok(texts)
}

fn place(source: &Source, line: Option<u64>, column: Option<String>) -> Place {
    Place { source: source.name().to_owned(), line, column }
}

fn not_utf8(place: Place) -> Error {
    let help = "save the file as UTF-8 (`iconv -f latin1 -t utf-8 OLD > NEW` helps with most)";
    Error::table(place, "the cell is not text", "UTF-8", help)
}

fn infinite(place: Place, cell: &[u8]) -> Error {
    let got: String = String::from_utf8_lossy(cell).chars().take(60).collect();
    let help = "leave the cell empty where the value is unknown";
    Error::table(place, format!("`{got}` is infinite"), "a finite number", help)
}

fn not_a_number(place: Place, cell: &[u8], why: &str) -> Error {
    let got: String = String::from_utf8_lossy(cell).chars().take(60).collect();
    let column = place.column.clone().unwrap_or_default();
    Error::table(
        place,
        format!("`{got}` is not a number{why}"),
        "a number",
        format!(
            "mend the cell; or say --missing '{got}' if it means unknown, or --nominal '{column}' if the column holds categories"
        ),
    )
}
