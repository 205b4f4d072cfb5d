//! Folds that are written, and what was made on them that is read.

use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::read::{Format, read_table_until};
use evocracy::error::Error;
use evocracy::run::OutputFile;
use evocracy::study::Folded;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes the fold of every row in every repeat; where there are several data sets, with their
/// names.
pub fn write_folds(path: &Path, datasets: &[Folded]) -> Result<()> {
    let several = datasets.len() > 1;
    let failed = |e| Error::io("write", path, e);
    let mut file = BufWriter::new(OutputFile::create(path)?);
    let head = if several { "data,row,repeat,fold" } else { "row,repeat,fold" };
    writeln!(file, "{head}").map_err(failed)?;
    for folded in datasets {
        let name = quoted(&folded.data.name);
        for of in folded.assigned() {
            let cells = format!("{},{},{}", of.row, of.repeat, of.fold);
            let line = if several { format!("{name},{cells}") } else { cells };
            writeln!(file, "{line}").map_err(failed)?;
        }
    }
    let file = file.into_inner().map_err(|e| failed(e.into_error()))?;
    Ok(file.commit()?)
}

fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']);
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// Reads predictions that were made elsewhere, for every data set that is compared on.
pub fn read_outside(name: &str, file: &str, datasets: &mut [Folded]) -> Result<()> {
    let source = Shell::beside(Path::new(file))?;
    let (table, _) = read_table_until(Shell::stop(), &[source], &Format::default())?;
    let several = datasets.len() > 1;
    let named = table.schema().names().any(|name| name == "data");
    if several && !named {
        let what = format!("{file} does not say which data set a row is of");
        return Err(
            Error::unsuitable(what, "add a column `data` with the names of the data sets").into()
        );
    }
    for folded in datasets {
        folded.outside(name, &table, file)?;
    }
    Ok(())
}
