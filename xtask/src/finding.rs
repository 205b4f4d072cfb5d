//! Something a check found, and where.

use crate::{Failure, Outcome};

/// A file, a line counted from 1 (0 for the whole file) and what is wrong there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub file: String,
    pub line: usize,
    pub what: String,
}

impl Finding {
    pub fn new(file: &str, line: usize, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into() }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// Prints all findings; none is a success.
pub(crate) fn report(check: &str, looked_at: &str, findings: &[Finding]) -> Outcome {
    for finding in findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("{check}: {looked_at}, nothing to mend");
            Ok(())
        }
        1 => Err(Failure::Failed(format!("{check}: 1 place to mend"))),
        count => Err(Failure::Failed(format!("{check}: {count} places to mend"))),
    }
}
