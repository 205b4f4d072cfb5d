//! The words of `evocracy select`.

use crate::args::{Learn, Reading, setting, share};
use crate::look::Look;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// A data set's name (see `evocracy data list`), a generator such as gen:genes:rows=60, or a
    /// file: CSV, TSV, ARFF (plain or gzipped), Parquet or idx images
    pub data: String,
    /// The way to select: ard, rvm, moea, l1, forest, auc or screen
    #[arg(long, default_value = "ard")]
    pub by: String,
    /// A parameter of the way to select, such as -p rounds=20; may be given again
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// How many random splits into halves
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub splits: u32,
    /// How often all is repeated with permuted labels, for p-values; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub permutations: u32,
    /// The share of false discoveries up to which a column is called
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    pub fdr: f64,
    /// What is done to values first: raw, or log (after raising small ones to a floor)
    #[arg(long, default_value = "raw", value_parser = ["raw", "log"])]
    pub scale: String,
    /// A column that is part of every classifier, and that all others are adjusted for; may be
    /// given again
    #[arg(long, value_name = "COLUMN")]
    pub force: Vec<String>,
    /// A column that all others are adjusted for; may be given again
    #[arg(long, value_name = "COLUMN")]
    pub adjust: Vec<String>,
    /// A column of another scale than the others, such as an age: it can be selected like them, and
    /// --scale log leaves it as it is; may be given again
    #[arg(long, value_name = "COLUMN")]
    pub offer: Vec<String>,
    /// A table with a column of column names and one that says what they are: `name`, `description`,
    /// `label` or `title`, else the last
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    /// Instead of selecting, judge the columns that this file names: one in each line, or in a column
    /// of a table, such as what --out wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by", "params"])]
    pub given: Option<PathBuf>,
    /// How many columns to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Do not look for masked columns, wrong labels and groups within classes
    #[arg(long)]
    pub no_checks: bool,
    /// Keep finished parts in this folder; the same command goes on there after it was killed
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// Write all selected columns here as CSV, or everything as JSON where the name ends in .json
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw a picture here, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub look: Look,
    /// What the picture shows
    #[arg(long, value_enum, default_value_t = Picture::Counts, requires = "plot")]
    pub picture: Picture,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub learn: Learn,
}

/// Pictures of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Picture {
    /// How often every column was selected, in all and on both halves
    Counts,
    /// How many columns classifiers have, against their areas
    Genes,
    /// Training against test areas, with the region of chance
    Areas,
}
