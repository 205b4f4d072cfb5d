//! The words of the command line.

use crate::look::Look;
use crate::verbs::{combine, compare, costs, front, pick, select, show, soften};
use clap::{Args as ClapArgs, Parser, Subcommand};
use evocracy::data::catalogue::Load;
use evocracy::data::read::Format;
use evocracy::data::{Dataset, Goal, Options};
use evocracy::judge::Protocol;
use evocracy::measure::LEVEL;
use evocracy::model::Model;
use std::path::PathBuf;

/// Evolve committees of experts for classification, with the whole trade-off in view.
#[derive(Parser)]
#[command(name = "evocracy", version, arg_required_else_help = true)]
#[command(
    after_help = "First steps: evocracy demo; then evocracy fit YOUR.csv --method tree\nOptions of every command, such as --seed and --json: evocracy --help"
)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub verb: Verb,
}

/// What every verb takes.
#[derive(ClapArgs, Clone)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// Where all randomness comes from: the same seed gives the same result
    #[arg(long, global = true, hide_short_help = true, default_value_t = 1)]
    pub seed: u64,
    /// How many threads to use; the result does not depend on it [default: all cores]
    #[arg(long, global = true, hide_short_help = true)]
    pub threads: Option<usize>,
    /// The most memory that work may ask for at a time, such as 500M or 4G: what would need more
    /// is refused before it begins [default: three quarters of what the machine has]
    #[arg(long, global = true, hide_short_help = true, value_name = "BYTES", value_parser = crate::machine::bytes)]
    pub max_memory: Option<u64>,
    /// Print one JSON document on standard output and nothing else
    #[arg(long, global = true, hide_short_help = true)]
    pub json: bool,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true, hide_short_help = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum Verb {
    /// Show the main job on a data set that comes with evocracy
    Demo(Demo),
    /// Train a classifier, judge it on rows it has not seen, save it
    Fit(Fit),
    /// Evolve a front of classifiers: positives found against false alarms against complexity
    Front(front::Args),
    /// Choose a point of a front and keep it as a model of its own
    Pick(pick::Args),
    /// Make probabilities out of a classifier that says yes or no, built in or a program
    Soften(soften::Args),
    /// Find the columns (genes) that matter, with what chance would do beside them
    Select(select::Args),
    /// Predict the classes of new rows
    Predict(Predict),
    /// Judge a saved model on rows whose classes are known; compare several
    Evaluate(Evaluate),
    /// Compare methods on the same folds: figures, ranks, tests, pictures
    Compare(compare::Args),
    /// Say why a row gets its prediction
    Explain(Explain),
    /// Show what is in a model file; of a front, its points
    Show(show::Args),
    /// Show the rules of a model that is made of rules
    Rules(Rules),
    /// Judge scores that anything has made: ROC, AUC with interval, the best threshold
    Roc(Roc),
    /// Combine the labels of classifiers that you already have
    Combine(combine::Args),
    /// Measure what the papers claim: a table or figure beside what was printed
    Reproduce(Reproduce),
    /// List, show, add or remove data sets
    #[command(subcommand)]
    Data(Data),
    /// List the methods, or one with its parameters
    Methods(Methods),
    /// Print a completion script for your shell
    Completions(Completions),
}

/// A saved model and, of a front, the point that answers.
#[derive(ClapArgs)]
pub struct Saved {
    /// A model that `evocracy fit --out` saved
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// The point of a front that answers (see `evocracy show`) [default: the chosen one]
    #[arg(long, value_name = "N")]
    pub point: Option<usize>,
    #[command(flatten)]
    pub program: ExternalProgram,
}

impl Saved {
    /// The model.
    pub fn load(&self) -> anyhow::Result<Model> {
        let mut model = Model::load(&self.file)?;
        if let Some(program) = self.program.program()? {
            model = model.with_program(std::sync::Arc::new(program))?;
        }
        match self.point {
            None => Ok(model),
            Some(point) => Ok(model.at_point(point)?),
        }
    }
}

/// Saved models; what a front or a program needs is for one alone.
#[derive(ClapArgs)]
pub struct SavedModels {
    /// Models that `evocracy fit --out` saved; several are compared, row by row
    #[arg(value_name = "MODEL", required = true, num_args = 1..)]
    pub files: Vec<PathBuf>,
    /// The point of a front that answers (see `evocracy show`) [default: the chosen one]
    #[arg(long, value_name = "N")]
    pub point: Option<usize>,
    #[command(flatten)]
    pub program: ExternalProgram,
}

impl SavedModels {
    /// The only model.
    pub fn load(&self) -> anyhow::Result<Model> {
        let file = self.files.first().cloned().unwrap_or_default();
        let ExternalProgram { command, time_limit } = &self.program;
        let program = ExternalProgram { command: command.clone(), time_limit: *time_limit };
        Saved { file, point: self.point, program }.load()
    }
}

/// A program that makes the calls of a softened model.
#[derive(ClapArgs)]
pub struct ExternalProgram {
    /// The program that makes the calls, with its arguments; a model file never holds it
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<String>,
    /// The seconds that an answer of the program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "command")]
    pub time_limit: f64,
}

#[derive(ClapArgs)]
pub struct Rules {
    /// A model that `evocracy fit --out` saved
    pub model: PathBuf,
    /// Show so many rules
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Models of the same columns, such as of other seeds: tells which rules they have too
    #[arg(long = "beside", value_name = "MODEL", num_args = 1..)]
    pub beside: Vec<PathBuf>,
    /// Sentences, a table, or one JSON document
    #[arg(long, value_enum, default_value_t = RuleFormat::Text)]
    pub format: RuleFormat,
}

/// How rules are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RuleFormat {
    /// Sentences
    Text,
    /// A line for each rule
    Csv,
    /// One JSON document
    Json,
}

#[derive(ClapArgs)]
pub struct Demo {
    /// The picture to write
    #[arg(long, value_name = "FILE", default_value = "evocracy-demo.svg")]
    pub plot: PathBuf,
    #[command(flatten)]
    pub look: Look,
}

#[derive(ClapArgs)]
pub struct Fit {
    /// A data set's name (see `evocracy data list`), a generator such as gen:moons:rows=500, `-` for
    /// standard input, or a file: CSV, TSV, ARFF (plain or packed by gzip, zstd or xz), Parquet or
    /// idx images
    pub data: String,
    /// The method (see `evocracy methods`)
    #[arg(long, short, default_value = "tree")]
    pub method: String,
    /// A parameter of the method, such as -p depth=4; may be given again
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// What to make of the columns first: auto, ordinal, bits, bits:BINS, mdl or dense
    /// [default: auto]
    #[arg(long, value_name = "ENCODING")]
    pub encode: Option<String>,
    /// A file or data set to judge on
    #[arg(long, value_name = "DATA", conflicts_with = "holdout")]
    pub test: Option<String>,
    /// The share of rows to judge on, stratified where there are classes [default: the published
    /// test part, else 0.25]
    #[arg(long, value_name = "SHARE")]
    pub holdout: Option<f64>,
    /// Judge by cross-validation of so many folds; the saved model learns from all rows
    #[arg(long, value_name = "K", conflicts_with_all = ["holdout", "test"])]
    pub folds: Option<usize>,
    /// Repeat the cross-validation so often, each time with other folds
    #[arg(long, value_name = "N", requires = "folds", default_value_t = 1, value_parser = repeats)]
    pub repeats: usize,
    /// Judge every row by a model of all others
    #[arg(long, conflicts_with_all = ["holdout", "test", "folds", "groups", "repeats"])]
    pub leave_one_out: bool,
    /// A column that names groups of rows, such as patients: none is on both sides. It is not
    /// learnt from
    #[arg(long, value_name = "COLUMN", conflicts_with = "test")]
    pub groups: Option<String>,
    /// Give all classes the same weight in training, whatever their share of the rows
    #[arg(long)]
    pub balance: bool,
    /// Keep finished parts in this folder; the same command goes on there after it was killed
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// After judging, train the saved model again on all rows
    #[arg(long)]
    pub refit: bool,
    /// Save the model here
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub drawing: Drawing,
    #[command(flatten)]
    pub calls: costs::Calls,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub learn: Learn,
}

#[derive(ClapArgs)]
pub struct Predict {
    #[command(flatten)]
    pub model: Saved,
    /// The rows: a file, `-` for standard input, or a data set's name
    pub data: String,
    /// Write the predictions here as CSV [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Columns of the rows that are written before each prediction, as they are, parted by commas;
    /// may be given again
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Leave out rows of a CSV file that cannot be read, and list them in FILE.skipped.csv of
    /// --out FILE
    #[arg(long)]
    pub skip_bad: bool,
    #[command(flatten)]
    pub calls: costs::Calls,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(ClapArgs)]
pub struct Evaluate {
    #[command(flatten)]
    pub model: SavedModels,
    /// The rows with their classes: a file, `-` for standard input, or a data set's name
    pub data: String,
    #[command(flatten)]
    pub drawing: Drawing,
    /// Of a front of two classes, the areas of the points of at most this complexity (in --json)
    #[arg(long, value_name = "N", value_parser = pick::complexity)]
    pub max_complexity: Option<f64>,
    #[command(flatten)]
    pub calls: costs::Calls,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(ClapArgs)]
pub struct Roc {
    /// The rows with their true classes and their scores: a file, `-` for standard input, or a
    /// data set's name
    pub table: String,
    /// The column of true classes
    #[arg(long, value_name = "COLUMN")]
    pub truth: String,
    /// The columns of scores, parted by commas; may be given again
    #[arg(long, value_name = "COLUMN,...", required = true, value_delimiter = ',')]
    pub score: Vec<String>,
    /// The class that counts as positive, against all others [default: of two classes the last,
    /// by alphabet or by size]
    #[arg(long, value_name = "CLASS")]
    pub positive: Option<String>,
    /// Low scores mean positive
    #[arg(long)]
    pub lower: bool,
    #[command(flatten)]
    pub aim: costs::Aim,
    /// The confidence of all intervals
    #[arg(long, default_value_t = LEVEL)]
    pub level: f64,
    /// The area between two false positive rates as well, such as 0:0.1
    #[arg(long, value_name = "FROM:TO", value_parser = rates)]
    pub partial: Option<(f64, f64)>,
    /// An interval of the AUC from so many draws of rows, or of clusters, as well [default: 2000]
    #[arg(long, value_name = "DRAWS", num_args = 0..=1, default_missing_value = "2000", require_equals = true, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub bootstrap: Option<u32>,
    /// A smooth curve through each as well: that of two normal distributions (binormal)
    #[arg(long)]
    pub smooth: bool,
    /// What a row stands for, in the table of a thousand of them
    #[arg(long, value_enum, default_value_t = Unit::Rows)]
    pub unit: Unit,
    /// A column of row weights
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// A column that names the patient (or other cluster) of each row: clusters, not rows, are
    /// then taken as independent
    #[arg(long, value_name = "COLUMN")]
    pub clusters: Option<String>,
    #[command(flatten)]
    pub drawing: Drawing,
    #[command(flatten)]
    pub reading: Reading,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Unit {
    /// A row
    Rows,
    /// A person
    People,
}

impl Unit {
    /// Several of them.
    pub fn many(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::People => "people",
        }
    }

    /// None of them.
    pub fn none(self) -> &'static str {
        match self {
            Self::Rows => "no row",
            Self::People => "nobody",
        }
    }
}

/// What to draw, and where.
#[derive(ClapArgs)]
pub struct Drawing {
    /// Draw a picture of the judged rows here, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What the picture shows [default: roc, of numbers predicted]
    #[arg(long, value_enum, requires = "plot")]
    pub picture: Option<Picture>,
    #[command(flatten)]
    pub look: Look,
}

impl Drawing {
    /// What is drawn of classes or of numbers.
    pub fn picture(&self, classes: bool) -> Picture {
        let usual = if classes { Picture::Roc } else { Picture::Predicted };
        self.picture.unwrap_or(usual)
    }
}

/// Kinds of pictures.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Picture {
    /// True positive rate against false positive rate
    Roc,
    /// Precision against recall
    Pr,
    /// How often what was given a probability happened
    Reliability,
    /// What was called what
    Confusion,
    /// Predicted numbers against true ones
    Predicted,
    /// True numbers less predicted ones, against predicted ones
    Residuals,
}

impl Picture {
    /// What it is called in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Roc => "ROC curve",
            Self::Pr => "precision-recall curve",
            Self::Reliability => "reliability diagram",
            Self::Confusion => "confusion matrix",
            Self::Predicted => "picture of predicted against true numbers",
            Self::Residuals => "picture of residuals",
        }
    }
}

#[derive(ClapArgs)]
pub struct Explain {
    #[command(flatten)]
    pub model: Saved,
    /// The rows: a file, `-` for standard input, or a data set's name
    pub data: String,
    /// Which rows, counted from 0 without the header: 5 or 0,5,9 or 0-99 or all
    #[arg(long, visible_alias = "rows", value_name = "ROWS")]
    pub row: Rows,
    /// Words for a person, or a line for each part and class
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub format: ExplainFormat,
    /// Write the parts here as CSV [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

/// How explanations are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExplainFormat {
    /// The strongest pieces of evidence for the prediction
    Text,
    /// A line for each row, part and class
    Csv,
}

/// Some rows of a table: ranges that rise and do not touch, each with its first and last row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows(Vec<(usize, usize)>);

impl Rows {
    /// Stands for the last row, whichever it is.
    pub const LAST: usize = usize::MAX;

    /// The row, where there is one only.
    pub fn single(&self) -> Option<usize> {
        match self.0[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// The ranges, in the order of the table.
    pub fn ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().copied()
    }
}

impl std::str::FromStr for Rows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self(vec![(0, Self::LAST)]));
        }
        let wanted =
            || "expected rows counted from 0, such as 5 or 0,5,9 or 0-99, or all".to_owned();
        let row = |text: &str| text.trim().parse().ok().filter(|row| *row < Self::LAST);
        let range = |text: &str| match text.split_once('-') {
            Some((first, last)) => Some((row(first)?, row(last)?)),
            None => row(text).map(|row| (row, row)),
        };
        let ranges: Option<Vec<(usize, usize)>> = text.split(',').map(range).collect();
        let mut ranges = ranges.filter(|all| all.iter().all(|(a, b)| a <= b)).ok_or_else(wanted)?;
        ranges.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        Ok(Self(merged))
    }
}

#[derive(Subcommand)]
pub enum Data {
    /// List all data sets that can be opened by name
    List,
    /// Show what a data set holds
    Show {
        /// A data set's name or a file
        data: String,
        #[command(flatten)]
        reading: Reading,
        #[command(flatten)]
        learn: Learn,
    },
    /// Copy a file into your data folder, to open it by name
    Add {
        /// The name to open it by
        name: String,
        /// A CSV, TSV or ARFF file, plain or gzipped, or a Parquet file
        file: PathBuf,
        /// Replace a data set of that name
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        reading: Reading,
    },
    /// Remove a data set from your data folder
    Remove {
        /// The name it was added by
        name: String,
    },
}

#[derive(ClapArgs)]
pub struct Reproduce {
    /// The experiment; without one, all are listed
    pub name: Option<String>,
    /// A small version, for a first look
    #[arg(long)]
    pub quick: bool,
    /// Write the pictures of the experiment into this folder, as SVG
    #[arg(long, value_name = "FOLDER", requires = "name")]
    pub pictures: Option<PathBuf>,
    /// Renew the section of the experiment in this page of Markdown, made where it is missing
    #[arg(long, value_name = "FILE", requires = "name")]
    pub page: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub struct Methods {
    /// The method to show with its parameters
    pub name: Option<String>,
}

#[derive(ClapArgs)]
pub struct Completions {
    /// The shell to complete for
    pub shell: clap_complete::Shell,
}

/// How to read tables.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "Reading tables")]
pub struct Reading {
    /// What separates cells: a character or tab [default: found in the first line]
    #[arg(long, value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// The first line holds a row, not names
    #[arg(long)]
    pub no_header: bool,
    /// The decimal mark: , or . [default: as the model's training table, else .]
    #[arg(long, value_name = "MARK", value_parser = decimal)]
    pub decimal: Option<u8>,
    /// What lines begin with that hold no row, such as # [default: # before the first line]
    #[arg(long, value_name = "MARK", value_parser = comment)]
    pub comment: Option<u8>,
    /// A text that stands for a missing value, beside the empty cell, ?, NA, NaN, null, None
    #[arg(long, value_name = "TEXT")]
    pub missing: Vec<String>,
    /// Read this column as categories
    #[arg(long, value_name = "COLUMN")]
    pub nominal: Vec<String>,
    /// Read this column as numbers
    #[arg(long, value_name = "COLUMN")]
    pub number: Vec<String>,
    /// The most columns that a table may have [default: 100000]
    #[arg(long, value_name = "N")]
    pub max_columns: Option<usize>,
}

/// What to predict from what.
#[derive(ClapArgs, Clone, Default)]
#[command(next_help_heading = "What to learn")]
pub struct Learn {
    /// The column to predict [default: class, target, label or y; else the last]
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,
    /// The class that counts as positive [default: the last in alphabetical order]
    #[arg(long, value_name = "CLASS")]
    pub positive: Option<String>,
    /// Leave out the rows without a target, which are else an error
    #[arg(long)]
    pub drop_unlabelled: bool,
    /// A column of row weights
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// A column not to learn from; may be given again
    #[arg(long, value_name = "COLUMN")]
    pub ignore: Vec<String>,
    /// Learn from this column though its texts nearly all differ, it counts the rows or has no name,
    /// as names of rows do; may be given again
    #[arg(long = "use", value_name = "COLUMN")]
    pub take: Vec<String>,
}

impl Fit {
    /// How to read the table; the column of groups is not learnt from.
    pub fn load(&self, seed: u64) -> Load {
        let mut load = self.reading.load(&self.learn, seed);
        if let Some(column) = &self.groups {
            load.options.ignore.push(column.clone());
        }
        load
    }

    /// Which rows to judge on.
    pub fn protocol(&self, data: &Dataset) -> Protocol {
        let groups = self.groups.clone();
        if let Some(name) = self.test.clone() {
            return Protocol::Table { name };
        }
        match (self.folds, self.holdout) {
            (Some(folds), _) => Protocol::Folds { folds, repeats: self.repeats, groups },
            (None, Some(share)) => Protocol::Holdout { share, groups },
            (None, None) if self.leave_one_out => Protocol::LeaveOneOut,
            (None, None) if groups.is_some() => {
                Protocol::Holdout { share: Protocol::SHARE, groups }
            }
            (None, None) => Protocol::usual(data),
        }
    }
}

impl Reading {
    pub fn format(&self) -> Format {
        Format {
            delimiter: self.delimiter,
            header: !self.no_header,
            missing: self.missing.clone(),
            nominal: self.nominal.clone(),
            number: self.number.clone(),
            most_columns: self.max_columns.unwrap_or(Format::MOST_COLUMNS),
            decimal: self.decimal,
            comment: self.comment,
            skip_bad: false,
        }
    }

    /// The same options as words of a command line, each with a space before it.
    pub fn words(&self) -> String {
        let quoted = |text: &str| {
            let plain = |c: char| c.is_alphanumeric() || "_-.,:/".contains(c);
            let is_plain = !text.is_empty() && text.chars().all(plain);
            if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
        };
        let byte = |mark: u8| match mark {
            b'\t' => "tab".to_owned(),
            mark => quoted(&char::from(mark).to_string()),
        };
        let Self { delimiter, no_header, decimal, comment, missing, nominal, number, max_columns } =
            self;
        let mut words = String::new();
        let marks = [("delimiter", delimiter), ("decimal", decimal), ("comment", comment)];
        for (name, mark) in marks {
            words.extend(mark.map(|mark| format!(" --{name} {}", byte(mark))));
        }
        if *no_header {
            words += " --no-header";
        }
        for (name, texts) in [("missing", missing), ("nominal", nominal), ("number", number)] {
            // What begins with a dash would be taken for an option.
            let between = |text: &str| if text.starts_with('-') { '=' } else { ' ' };
            words.extend(
                texts.iter().map(|text| format!(" --{name}{}{}", between(text), quoted(text))),
            );
        }
        words.extend(max_columns.map(|most| format!(" --max-columns {most}")));
        words
    }

    pub fn load(&self, learn: &Learn, seed: u64) -> Load {
        let Learn { target, positive, drop_unlabelled, weights, ignore, take } = learn.clone();
        // A target column that was asked to be nominal or a number is taken at its word.
        let asked = |columns: &[String]| target.as_ref().is_some_and(|t| columns.contains(t));
        let goal = if asked(&self.number) { Goal::Number } else { Goal::Auto };
        let row_names = Some(take);
        let options =
            Options { target, positive, weights, ignore, goal, row_names, drop_unlabelled };
        Load { format: self.format(), options, seed }
    }
}

/// A parameter of a method: `NAME=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as depth=4")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A range of rates: `FROM:TO`.
fn rates(text: &str) -> Result<(f64, f64), String> {
    let rate = |text: &str| text.trim().parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    let rates = text.split_once(':').and_then(|(from, to)| Some((rate(from)?, rate(to)?)));
    let wanted = || "expected two rates from 0 to 1, the lower first, such as 0:0.1".to_owned();
    rates.filter(|(from, to): &(f64, f64)| from < to).ok_or_else(wanted)
}

pub fn repeats(text: &str) -> Result<usize, String> {
    let wanted = || format!("expected a whole number from 1 to {}", Protocol::MOST_REPEATS);
    let repeats = text.parse().ok().filter(|n| (1..=Protocol::MOST_REPEATS).contains(n));
    repeats.ok_or_else(wanted)
}

fn decimal(text: &str) -> Result<u8, String> {
    match text {
        "," => Ok(b','),
        "." => Ok(b'.'),
        _ => Err("expected , or .".to_owned()),
    }
}

fn comment(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_punctuation() && *byte != b'"' => Ok(*byte),
        _ => Err("expected one mark, such as # or %".to_owned()),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text == "tab" || text == "\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("expected one character (not a quote) or `tab`".to_owned()),
    }
}
