//! The words of `evocracy compare`.

use crate::args::{Learn, Reading, repeats, setting};
use crate::look::Look;
use clap::Args as ClapArgs;
use evocracy::study::Metric;
use std::path::PathBuf;

/// What is compared unless something is named.
pub const USUAL: &str = "tree,naive-bayes,logistic,knn,forest";

/// Every method that fits the task.
pub const ALL: &str = "all";

/// No method: only what `--also` names.
pub const NONE: &str = "none";

#[derive(ClapArgs)]
pub struct Args {
    /// Data sets, parted by commas: names (see `evocracy data list`), generators, or files
    #[arg(value_delimiter = ',', required = true)]
    pub data: Vec<String>,
    /// The methods, parted by commas; `all` for every method that fits the task, `none` for none
    #[arg(long, short, value_name = "METHOD,...", value_delimiter = ',', default_value = USUAL)]
    pub methods: Vec<String>,
    /// A parameter of one of the methods, such as -p knn.k=3; may be given again
    #[arg(short = 'p', long = "param", value_name = "METHOD.NAME=VALUE", value_parser = setting)]
    pub params: Vec<(String, String)>,
    /// How many folds each cross-validation has
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub folds: usize,
    /// How often the cross-validation is repeated, each time with other folds
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = repeats)]
    pub repeats: usize,
    /// Keep the rows together that are equal in this column, such as those of one patient; it is not
    /// learnt from
    #[arg(long, value_name = "COLUMN")]
    pub groups: Option<String>,
    /// What methods are ranked by: `auc`, `accuracy`, `tpr_at_5`, `tpr_at_10`, `log2_likelihood` or
    /// `brier`; of numbers `rmse`, `mae` or `r2` [default: auc, of numbers rmse]
    #[arg(long, value_name = "MEASURE", value_parser = metric)]
    pub by: Option<Metric>,
    /// Tune each method's parameters on the training rows of every fold, trying so many settings
    /// [default: 32]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "32", require_equals = true, value_parser = candidates)]
    pub tune: Option<usize>,
    /// Probabilities that were made elsewhere on the same folds, judged beside the methods: a table
    /// with columns row, repeat, fold and one for each class; may be given again
    #[arg(long, value_name = "NAME=FILE", value_parser = setting)]
    pub also: Vec<(String, String)>,
    /// Write the folds here, as CSV: row, repeat and fold, counted from 0
    #[arg(long, value_name = "FILE")]
    pub folds_out: Option<PathBuf>,
    /// Keep finished fits in this folder; the same command goes on there after it was killed
    #[arg(long, value_name = "FOLDER")]
    pub resume: Option<PathBuf>,
    /// Draw a picture here, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub look: Look,
    /// What the picture shows [default: roc of one data set, ranks of several]
    #[arg(long, value_enum, requires = "plot")]
    pub picture: Option<Picture>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub learn: Learn,
}

/// Pictures of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Picture {
    /// The ROC curves of all methods on one data set
    Roc,
    /// The average ranks over several data sets, with the critical difference
    Ranks,
}

impl Args {
    /// What is drawn, where something is.
    pub fn picture(&self) -> Picture {
        let usual = if self.data.len() > 1 { Picture::Ranks } else { Picture::Roc };
        self.picture.unwrap_or(usual)
    }
}

fn metric(text: &str) -> Result<Metric, String> {
    let names = Metric::ALL.map(Metric::name).join(", ");
    Metric::parse(text).map_err(|error| match error.help() {
        Some(help) if help.starts_with("did you mean") => help,
        _ => format!("expected one of {names}"),
    })
}

fn candidates(text: &str) -> Result<usize, String> {
    let candidates = text.parse().ok().filter(|n| (2..=100_000).contains(n));
    candidates.ok_or_else(|| "expected a whole number from 2 to 100000".to_owned())
}
