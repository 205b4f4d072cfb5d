//! Errors are data: what was wrong, where, what was expected and what to do.
//!
//! Every fallible function of the library returns [`Result`]. The shell decides how an
//! [`Error`] looks; nothing here prints, and no bad input panics.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of everything in evocracy that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A cell, row or header of an input table.
    #[error("{0}")]
    Table(Box<TableError>),
    /// A parameter outside its range, or of the wrong type.
    #[error("parameter `{name}` of `{of}` must be {expected}, not `{got}`")]
    Param {
        /// The method or function the parameter belongs to.
        of: String,
        /// The parameter.
        name: String,
        /// The values it takes.
        expected: String,
        /// The value given.
        got: String,
    },
    /// A name that nothing is known by.
    #[error("there is no {what} `{name}`{}", within(.place.as_deref()))]
    Unknown {
        /// What was looked for: "method", "column", "data set", ...
        what: &'static str,
        /// The name as given.
        name: String,
        /// Where it was looked for, when that helps.
        place: Option<String>,
        /// The nearest known name.
        near: Option<String>,
        /// All known names, in the order to show them.
        known: Vec<String>,
    },
    /// Data that a method or measure cannot work with.
    #[error("{what}")]
    Unsuitable {
        /// What does not fit.
        what: String,
        /// What to do about it.
        help: String,
    },
    /// A genome that could not be scored. The search is as it was before the generation.
    #[error("generation {generation}, genome {index} ({genome}): {source}")]
    Evaluation {
        /// The generation, 0 for the first population.
        generation: u64,
        /// The place of the genome in its generation, counted from 1.
        index: usize,
        /// The genome in words.
        genome: String,
        /// What went wrong.
        source: Box<Error>,
    },
    /// The operating system refused.
    #[error("cannot {action} `{}`: {source}", .path.display())]
    Io {
        /// "read", "write", ...
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A model file that cannot be loaded.
    #[error("cannot load this model: {problem}")]
    ModelFile {
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        help: &'static str,
    },
    /// A member of a committee could not be trained or used.
    #[error("{member}: {source}")]
    Member {
        /// Which one.
        member: String,
        /// What went wrong with it.
        source: Box<Error>,
    },
    /// The work was stopped before there was anything worth keeping.
    #[error("stopped before there was a usable result")]
    Stopped,
}

/// A place in an input table and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub problem: String,
    /// What was expected instead.
    pub expected: String,
    /// What to do about it; may be empty.
    pub help: String,
}

/// A place in a source: file, line and column, as far as they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// File name, data set name or "standard input".
    pub source: String,
    /// Line, counted from 1 with the header; `None` for the whole source.
    pub line: Option<u64>,
    /// Column, by name where there is one, else its number from 1.
    pub column: Option<String>,
    /// Row, counted from 1, of a source without lines.
    pub row: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A table made in memory has no source to name.
        let source = Some(self.source.clone()).filter(|source| !source.is_empty());
        let line = self.line.map(|line| format!("line {line}"));
        let column = self.column.as_ref().map(|column| format!("column `{column}`"));
        let row = self.row.map(|row| format!("row {row}"));
        let parts: Vec<String> = [source, line, row, column].into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)?;
        if self.expected.is_empty() { Ok(()) } else { write!(f, "; expected {}", self.expected) }
    }
}

fn within(place: Option<&str>) -> String {
    place.map_or(String::new(), |p| format!(" in {p}"))
}

impl Error {
    /// An error at a place of a table.
    pub fn table(
        place: Place,
        problem: impl Into<String>,
        expected: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (problem, expected, help) = (problem.into(), expected.into(), help.into());
        Self::Table(Box::new(TableError { place, problem, expected, help }))
    }

    /// Data that does not fit, and what to do about it.
    pub fn unsuitable(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Unsuitable { what: what.into(), help: help.into() }
    }

    /// A model file that does not load, with the usual advice.
    pub fn model_file(problem: impl Into<String>) -> Self {
        Self::ModelFile {
            problem: problem.into(),
            help: "the file is damaged or is not an evocracy model; copy it again or train anew with `evocracy fit`",
        }
    }

    /// A refusal of the operating system.
    pub fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// An unknown name, with the nearest of the known ones.
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        place: Option<String>,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let near = nearest(name, &known).map(str::to_owned);
        Self::Unknown { what, name: name.to_owned(), place, near, known }
    }

    /// One word for the kind of error, stable for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Table(_) => "table",
            Self::Param { .. } => "parameter",
            Self::Unknown { .. } => "unknown",
            Self::Unsuitable { .. } => "unsuitable",
            Self::Evaluation { .. } => "evaluation",
            Self::Io { .. } => "io",
            Self::ModelFile { .. } => "model-file",
            Self::Member { source, .. } => source.kind(),
            Self::Stopped => "stopped",
        }
    }

    /// What the person can do about it, if there is something to say.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Table(e) if !e.help.is_empty() => Some(e.help.clone()),
            Self::Unknown { near: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            Self::Unknown { what, known, .. } if !known.is_empty() => {
                Some(format!("known {}: {}", plural(what), listed(known)))
            }
            Self::Unsuitable { help, .. } if !help.is_empty() => Some(help.clone()),
            Self::ModelFile { help, .. } => Some((*help).to_owned()),
            Self::Evaluation { source, .. } | Self::Member { source, .. } => source.help(),
            _ => None,
        }
    }
}

fn plural(what: &str) -> String {
    if what.ends_with("class") { format!("{what}es") } else { format!("{what}s") }
}

/// The first names of a list, with the number of those left out.
pub(crate) fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

/// The known name nearest to `name`, if one is near enough to be a slip of the keyboard.
pub fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(&wanted, &k.to_lowercase()), k))
        .filter(|(distance, k)| {
            let letters = k.chars().count().min(name.chars().count());
            // At least one letter is right: `x` is no slip for `y`.
            *distance <= 1 + letters / 4 && *distance < letters
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, k)| k.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_different_word_is_not() {
        let known = ["tree".to_owned(), "naive-bayes".to_owned()];
        assert_eq!(nearest("tere", &known), Some("tree"));
        assert_eq!(nearest("Naive_Bayes", &known), Some("naive-bayes"));
        assert_eq!(nearest("forest", &known), None);
        assert_eq!(nearest("x", &["y".to_owned(), "X1".to_owned()]), None);
        assert_eq!(nearest("x", &["X".to_owned()]), Some("X"));
    }

    #[test]
    fn a_table_error_says_where_what_and_what_was_expected() {
        let place =
            Place { source: "a.csv".into(), line: Some(7), column: Some("age".into()), row: None };
        let error = Error::table(place, "`3O` is not a number", "a number", "mend the cell");
        assert_eq!(
            error.to_string(),
            "a.csv, line 7, column `age`: `3O` is not a number; expected a number"
        );
        assert_eq!(error.help().as_deref(), Some("mend the cell"));
    }
}
