//! The files of a case: made by `peers/data.py`, or data sets of the folders of `EVOCRACY_DATA`.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

const VARIABLE: &str = "EVOCRACY_DATA";

/// Whether a case names a data set of `EVOCRACY_DATA`: the name of a file, which has a dot.
pub fn published(case: &str) -> bool {
    case.contains('.')
}

/// The data set that a case names, in the first folder of `EVOCRACY_DATA` that has it.
pub fn find(case: &str) -> Result<PathBuf> {
    let folders = std::env::var_os(VARIABLE).filter(|folders| !folders.is_empty());
    let folders = folders.with_context(|| {
        format!("the case `{case}` is a data set of a folder that the variable {VARIABLE} names; it is not set")
    })?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(case));
    let found = paths.find(|path| path.is_file());
    found.with_context(|| format!("no folder of {VARIABLE} holds the data set `{case}`"))
}

/// The table of a case as it was published, or as `peers/data.py` made it.
pub fn table(case: &str, folder: &Path) -> Result<PathBuf> {
    if published(case) { find(case) } else { Ok(folder.join(format!("{case}.csv"))) }
}
