//! How a data set is to be opened.

use super::super::Options;
use super::super::read::Format;

/// How to read a data set and what to predict in it.
#[derive(Debug, Clone)]
pub struct Load {
    /// How to read text tables.
    pub format: Format,
    /// What to predict.
    pub options: Options,
    /// Where the rows of generated data sets are drawn from, unless their name says otherwise.
    pub seed: u64,
}

impl Default for Load {
    fn default() -> Self {
        Self { format: Format::default(), options: Options::default(), seed: 1 }
    }
}
