//! Where rows are written as they come: a file that appears whole, or standard output.

use anyhow::Result;
use evocracy::run::OutputFile;
use std::io::{Stdout, Write};
use std::path::{Path, PathBuf};

/// Where the bytes go.
pub enum Place {
    Standard(Stdout),
    File(OutputFile, PathBuf),
}

impl Place {
    /// A file on its way to its name, or standard output.
    pub fn open(out: Option<&Path>) -> Result<Self> {
        Ok(match out {
            Some(path) => Self::File(OutputFile::create(path)?, path.to_owned()),
            None => Self::Standard(std::io::stdout()),
        })
    }

    /// Ends a file: a complete one gets its name, any other one a name that shows it is partial.
    /// Returns the name.
    pub fn close(self, complete: bool) -> Result<Option<PathBuf>> {
        let Self::File(file, path) = self else { return Ok(None) };
        if !complete {
            return Ok(Some(file.keep_partial()?));
        }
        file.commit()?;
        Ok(Some(path))
    }

    /// The error with the name of the place; only that of standard output keeps its kind, since
    /// a reader that has left is no failure there.
    fn name(&self, error: &std::io::Error) -> std::io::Error {
        match self {
            Self::Standard(_) => {
                let text = format!("cannot write to standard output: {error}");
                std::io::Error::new(error.kind(), text)
            }
            Self::File(_, path) => {
                std::io::Error::other(format!("cannot write `{}`: {error}", path.display()))
            }
        }
    }
}

impl Write for Place {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = match self {
            Self::Standard(out) => out.write(bytes),
            Self::File(file, _) => file.write(bytes),
        };
        written.map_err(|e| self.name(&e))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = match self {
            Self::Standard(out) => out.flush(),
            Self::File(file, _) => file.flush(),
        };
        flushed.map_err(|e| self.name(&e))
    }
}

/// A CSV cell, quoted where it must be.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r', ';', '\t']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
