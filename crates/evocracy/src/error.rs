//! Errors are data: what was wrong, where, what was expected and what to do.
//!
//! Every fallible function of the library returns [`Result`]. The shell decides how an
//! [`Error`] looks; nothing here prints, and no bad input panics. What to do is a [`Remedy`]: the
//! library names no option of a shell, and each shell words the remedies with its own.

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
        /// The known names that may have been meant, the likeliest first.
        near: Vec<String>,
        /// All known names, in the order to show them.
        known: Vec<String>,
    },
    /// Data that a method or measure cannot work with.
    #[error("{what}")]
    Unsuitable {
        /// What does not fit.
        what: String,
        /// What to do about it.
        help: Remedy,
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
        help: Remedy,
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
    pub help: Remedy,
}

/// What to do about an error. A shell that has options for it words it with these; `Display` is
/// for the library, which has none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Advice that is the same in every shell; empty where there is none.
    Text(String),
    /// Choose another column as the target.
    OtherTarget,
    /// Choose another target, or read this one as classes.
    TargetAsClasses,
    /// Choose a method that predicts numbers, another target, or read this one as classes.
    MethodForNumbers,
    /// Mend the cell, let its text stand for a missing value, or read its column as classes.
    MendCell {
        /// What the cell holds.
        text: String,
        /// The column.
        column: String,
    },
    /// Write the texts of this column as numbers, or take them as they are.
    TextsAsNumbers {
        /// The column.
        column: String,
    },
    /// Read the numbers of a column with another decimal mark, or the column as texts.
    DecimalMark {
        /// The column.
        column: String,
    },
    /// Fill in the targets, or leave out the rows without one.
    DropUnlabelled,
    /// Add a line of column names, or read the file as one without it.
    AddHeader,
    /// Give the weights of the rows as a column.
    WeightColumn,
    /// Take the data set without the part that was asked for, and hold out some of its rows.
    HoldOut {
        /// The part, as in `NAME:PART`.
        part: String,
    },
    /// Name the method without members.
    NoMembers {
        /// The method.
        method: &'static str,
    },
    /// Look through the methods for one that predicts a class.
    ListMethods,
    /// Leave out columns, cut numbers into fewer bins, or take a method that searches for rules.
    FewerBits,
    /// Copy the model file again, or train the model again.
    TrainAgain,
    /// Give the program that makes the calls of a model.
    GiveProgram,
    /// Take fewer rows, columns or classes, a method that needs less, or allow more memory.
    MoreMemory,
    /// Allow more columns, if the table is meant to have so many.
    MoreColumns,
    /// Say what it costs to call a row of each class each other.
    CostOfEveryPair,
    /// Ask for nothing that is about calls.
    NoDecision,
    /// Choose a decision in training, or give the threshold.
    DecideInTraining,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::OtherTarget => f.write_str("choose another target column"),
            Self::TargetAsClasses => f.write_str("choose another target, or read it as classes"),
            Self::MethodForNumbers => f.write_str(
                "choose a method that predicts numbers or another target, or read it as classes",
            ),
            Self::MendCell { text, column } => write!(
                f,
                "mend the cell; or let `{text}` mean missing if it is unknown, or read `{column}` as nominal if the column holds categories"
            ),
            Self::TextsAsNumbers { column } => write!(
                f,
                "if these are numbers, write them like 1234.5; else take `{column}` as it is, though it names the rows"
            ),
            Self::DecimalMark { column } => write!(
                f,
                "read the table with a decimal comma, or with a decimal point if the comma parts thousands, or read `{column}` as nominal"
            ),
            Self::DropUnlabelled => f.write_str(
                "fill it in or remove the rows; rows are counted from 0, the header not counted",
            ),
            Self::AddHeader => f.write_str("add a line of names, or read the file without a header"),
            Self::WeightColumn => f.write_str("give the weights as a column of their own"),
            Self::HoldOut { part } => {
                write!(f, "leave out `:{part}` and hold out a share of the rows")
            }
            Self::NoMembers { method } => write!(f, "name the method `{method}`"),
            Self::ListMethods => f.write_str("choose a method that predicts a class"),
            Self::FewerBits => f.write_str(
                "leave out columns, cut numbers into fewer bins (encode as bits:2), or use a method that searches for rules, such as moe-ga",
            ),
            Self::GiveProgram => f.write_str("give the program that the model was sampled from"),
            Self::MoreMemory => f.write_str(
                "take fewer rows, columns or classes, a method that needs less memory, or raise the limit",
            ),
            Self::MoreColumns => f.write_str(
                "look for a wrong delimiter; if the table is that wide, raise the limit",
            ),
            Self::CostOfEveryPair => f.write_str("give a cost for every pair of classes"),
            Self::NoDecision => f.write_str("leave out costs, rates and thresholds"),
            Self::DecideInTraining => f.write_str(
                "train it again with what its calls are to be good for, or give the threshold",
            ),
            Self::TrainAgain => f.write_str(
                "the file is damaged or is not an evocracy model; copy it again or train anew",
            ),
        }
    }
}

impl<T: Into<String>> From<T> for Remedy {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
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
        help: impl Into<Remedy>,
    ) -> Self {
        let (problem, expected, help) = (problem.into(), expected.into(), help.into());
        Self::Table(Box::new(TableError { place, problem, expected, help }))
    }

    /// Data that does not fit, and what to do about it.
    pub fn unsuitable(what: impl Into<String>, help: impl Into<Remedy>) -> Self {
        Self::Unsuitable { what: what.into(), help: help.into() }
    }

    /// A model file that does not load, with the usual advice.
    pub fn model_file(problem: impl Into<String>) -> Self {
        Self::ModelFile { problem: problem.into(), help: Remedy::TrainAgain }
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
        Self::unknown_but(what, name, place, known, None)
    }

    /// An unknown name where it is known what is meant by it, as far as that is not empty.
    pub fn unknown_but<'a>(
        what: &'static str,
        name: &str,
        place: Option<String>,
        known: impl IntoIterator<Item = &'a str>,
        meant: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let mut near: Vec<String> = meant.into_iter().map(str::to_owned).collect();
        if near.is_empty() {
            near.extend(nearest(name, &known).map(str::to_owned));
        }
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

    /// What to do about it, where the error says so itself.
    pub fn remedy(&self) -> Option<&Remedy> {
        let remedy = match self {
            Self::Table(e) => &e.help,
            Self::Unsuitable { help, .. } | Self::ModelFile { help, .. } => help,
            Self::Evaluation { source, .. } | Self::Member { source, .. } => {
                return source.remedy();
            }
            _ => return None,
        };
        (*remedy != Remedy::Text(String::new())).then_some(remedy)
    }

    /// What the person can do about it in words, if there is something to say.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Unknown { near, .. } if !near.is_empty() => {
                Some(format!("did you mean `{}`?", near.join("` or `")))
            }
            Self::Unknown { what, known, .. } if !known.is_empty() => {
                Some(format!("known {}: {}", plural(what), listed(known)))
            }
            Self::Evaluation { source, .. } | Self::Member { source, .. } => source.help(),
            _ => self.remedy().map(ToString::to_string),
        }
    }
}

fn plural(what: &str) -> String {
    // A way to combine: known ways to combine.
    if let Some(to) = what.strip_prefix("way ") {
        return format!("ways {to}");
    }
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

    /// The source files of the library below a folder, without those of tests.
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("tests") || path.ends_with("tests.rs") {
                continue;
            }
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// What to do is a [`Remedy`]: the library does not know what the options of a shell are called.
    #[test]
    fn no_text_of_the_library_names_an_option_of_the_command() {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
        assert!(files.len() > 100);
        let option = |line: &str| {
            let mut after = line.split("--").skip(1);
            after.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        };
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            for line in text[..end].lines().filter(|line| !line.trim_start().starts_with("//")) {
                let named = option(line) || line.contains("`evocracy ");
                assert!(!named, "{}: {line}", file.display());
            }
        }
    }
}
