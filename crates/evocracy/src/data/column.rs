//! One column of a table.

/// The code of a missing nominal value.
pub const MISSING: u32 = u32::MAX;

/// The values of one column, contiguous.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers; NaN is a missing value, infinities do not occur.
    Number(Vec<f64>),
    /// Codes into the levels of the column's field; [`MISSING`] is a missing value.
    Nominal(Vec<u32>),
}

impl Column {
    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Number(values) => values.len(),
            Self::Nominal(codes) => codes.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many values are missing.
    pub fn missing(&self) -> usize {
        match self {
            Self::Number(values) => values.iter().filter(|v| v.is_nan()).count(),
            Self::Nominal(codes) => codes.iter().filter(|&&c| c == MISSING).count(),
        }
    }
}
