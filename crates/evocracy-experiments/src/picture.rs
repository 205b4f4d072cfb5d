//! Pictures beside the figures.

use serde::{Serialize, Serializer};

/// A picture as an SVG file. In JSON it is its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The name of the file.
    pub name: &'static str,
    /// What the file holds.
    pub svg: String,
}

impl Serialize for Picture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
