//! How to read a table, as far as that is the person's choice.

/// Texts that stand for a missing value.
pub const MISSING_TEXTS: [&str; 9] = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "#N/A"];

/// How to read a table. The defaults read nearly everything as it is.
#[derive(Debug, Clone)]
pub struct Format {
    /// What separates cells; by default the most frequent of `,` `;` tab `|` in the header. Only
    /// text tables have it.
    pub delimiter: Option<u8>,
    /// Whether the first line holds names; without it columns are `column 1`, `column 2`, ...
    /// Only text tables have it.
    pub header: bool,
    /// Further texts that stand for a missing value.
    pub missing: Vec<String>,
    /// Columns to read as categories, whatever they hold.
    pub nominal: Vec<String>,
    /// Columns to read as numbers: anything else in them is an error.
    pub number: Vec<String>,
    /// The most columns that a table may have: a small file can hold millions of empty ones.
    pub most_columns: usize,
}

impl Default for Format {
    fn default() -> Self {
        let (delimiter, header) = (None, true);
        let (missing, nominal, number) = (Vec::new(), Vec::new(), Vec::new());
        let most_columns = Self::MOST_COLUMNS;
        Self { delimiter, header, missing, nominal, number, most_columns }
    }
}

impl Format {
    /// The most columns of a table unless told otherwise.
    pub const MOST_COLUMNS: usize = 100_000;

    pub(super) fn is_missing(&self, cell: &[u8]) -> bool {
        // All standard texts are short; most cells are settled by their length.
        cell.is_empty()
            || (cell.len() <= 4 && MISSING_TEXTS.iter().any(|text| text.as_bytes() == cell))
            || self.asked_missing(cell)
    }

    /// Whether the person said that this text stands for a missing value.
    pub(super) fn asked_missing(&self, cell: &[u8]) -> bool {
        self.missing.iter().any(|text| text.as_bytes() == cell)
    }
}
