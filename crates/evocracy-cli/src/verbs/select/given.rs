//! The columns of `--given`, from a file that names them.

use super::texts;
use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::Dataset;
use evocracy::data::read::Format;
use evocracy::error::Error;
use evocracy::select::Samples;
use std::collections::BTreeSet;
use std::path::Path;

/// What the first line may say above the names, the likeliest first.
const HEADERS: [&str; 11] = [
    "gene", "genes", "column", "columns", "feature", "features", "name", "names", "id", "probe",
    "variable",
];
/// What separates no cells: a line is one name then, whatever it holds.
const NOTHING: u8 = 0x1f;

/// The genes of a file: the names in its column with the most known ones.
pub fn given(samples: &Samples, data: &Dataset, file: &Path) -> Result<Vec<u32>> {
    let features = data.features();
    let fields = (0..features.columns()).map(|at| features.field(at).name.as_str());
    let own: BTreeSet<&str> =
        fields.chain(samples.genes().iter().map(|gene| gene.name.as_str())).collect();
    let known = |cells: &[String]| cells.iter().filter(|cell| own.contains(cell.as_str())).count();
    // A pipe can be opened once.
    let source = Shell::beside(file)?;
    let read = |delimiter: Option<u8>| -> Result<Vec<String>> {
        let format = Format { header: false, delimiter, ..Format::default() };
        // The first of equals, where no line says which one it is.
        let columns = texts(&source, &format)?.into_iter().map(|(_, cells)| cells).rev();
        let likely = |cells: &Vec<String>| {
            let said = header(cells).map_or(HEADERS.len(), |(at, _)| at);
            (known(cells), HEADERS.len() - said)
        };
        Ok(columns.max_by_key(likely).unwrap_or_default())
    };
    let cells = match (read(None), read(Some(NOTHING))) {
        // A name may hold what separates cells elsewhere.
        (Ok(cells), Ok(lines)) => {
            if known(&lines) > known(&cells) {
                lines
            } else {
                cells
            }
        }
        (Err(_), Ok(lines)) if known(&lines) > 0 => lines,
        (cells, _) => cells?,
    };
    let mut names = &cells[..];
    // A column of the table may be called `name`; it is not named twice.
    if let Some((_, first)) = header(&cells)
        && (!own.contains(first) || cells[1..].iter().any(|cell| cell == first))
    {
        names = &cells[1..];
    }
    let mut genes = Vec::new();
    for name in names.iter().filter(|name| !name.is_empty()) {
        genes.extend(samples.find(name)?);
    }
    genes.sort_unstable();
    genes.dedup();
    if genes.is_empty() {
        let what = format!("`{}` names no columns", file.display());
        return Err(Error::unsuitable(what, "give one column name in each line").into());
    }
    Ok(genes)
}

/// Whether the first cell can be a header: which one, and the cell.
fn header(cells: &[String]) -> Option<(usize, &str)> {
    let first = cells.first()?;
    let at = HEADERS.iter().position(|header| first.eq_ignore_ascii_case(header))?;
    Some((at, first))
}
