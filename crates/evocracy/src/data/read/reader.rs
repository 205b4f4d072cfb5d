//! One reader for every format, recognised by its content; rows are pushed into sinks.
//!
//! A format walks its rows and pushes each wanted cell into the sink of its column; what becomes
//! of it is the sink's matter. So whole tables (`infer`) and streams (`stream`) read all formats
//! in the same way.

use super::arff::Arff;
use super::buffer::Buffer;
use super::cell::Cell;
use super::idx::Images;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::text::Text;
use super::wrong::{At, Wrong};
use super::{Format, READABLE, Source, packed, place, too_wide};
use crate::error::{Error, Result};
use std::borrow::Cow;

/// Takes the cells of one column, row by row.
pub(super) trait Sink {
    /// A cell whose text may be a number, a category or missing.
    fn cell(&mut self, cell: Cell<'_>, at: At, format: &Format) -> Result<(), Wrong>;
    /// A number; NaN is missing.
    fn number(&mut self, value: f64, at: At) -> Result<(), Wrong>;
    /// A text that is not missing.
    fn text(&mut self, text: &[u8], at: At) -> Result<(), Wrong>;
    /// A missing value.
    fn missing(&mut self) -> Result<(), Wrong>;
}

/// What a format says of a column before its cells are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing: the cells will tell.
    Anything,
    /// Numbers.
    Numbers,
    /// Texts, even where they look like numbers.
    Texts,
}

/// A column of a source.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) holds: Holds,
}

/// An opened source of any format.
pub(super) enum Reader {
    Text(Text),
    Arff(Arff),
    Images(Images),
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet>),
}

/// How the bytes of a source are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Text,
    Arff,
    Parquet,
    Images,
    Labels,
}

impl Layout {
    /// Recognised by content; the file name decides only where the content leaves it open.
    fn of(buffer: &Buffer) -> Self {
        let text = buffer.filled();
        match text {
            [b'P', b'A', b'R', b'1', ..] => Self::Parquet,
            [0, 0, 8, 3, ..] => Self::Images,
            [0, 0, 8, 1, ..] => Self::Labels,
            _ if super::arff::starts(text) => Self::Arff,
            _ => Self::named(buffer.source.name()),
        }
    }

    fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let plain = packed::ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
        match plain.unwrap_or(&name).rsplit_once('.') {
            Some((_, "arff")) => Self::Arff,
            Some((_, "parquet")) => Self::Parquet,
            _ => Self::Text,
        }
    }
}

impl Reader {
    pub(super) fn open(source: &Source, format: &Format) -> Result<Self> {
        let buffer = Buffer::open(source)?;
        let reader = match Layout::of(&buffer) {
            Layout::Text => Text::open(buffer, format).map(Self::Text),
            Layout::Arff => Arff::open(buffer, format).map(Self::Arff),
            Layout::Images => Images::open(source).map(Self::Images),
            Layout::Labels => Err(Error::table(
                place(source, None, None),
                "these are the labels of images",
                READABLE,
                "give the file of images; its labels are found beside it",
            )),
            #[cfg(feature = "parquet")]
            Layout::Parquet => Parquet::open(source).map(|p| Self::Parquet(Box::new(p))),
            #[cfg(not(feature = "parquet"))]
            Layout::Parquet => Err(Error::table(
                place(source, None, None),
                "this is a Parquet file, which this build of evocracy does not read",
                READABLE,
                "build it with the feature `parquet`",
            )),
        }?;
        // Text and ARFF count as they read; the others are bounded by the bytes they have.
        if matches!(reader, Self::Text(_) | Self::Arff(_)) {
            return Ok(reader);
        }
        if reader.columns().len() > format.most_columns {
            return Err(too_wide(source, None, format.most_columns));
        }
        Ok(reader)
    }

    /// The columns in order.
    pub(super) fn columns(&self) -> Cow<'_, [Declared]> {
        match self {
            Self::Text(text) => text.columns(),
            Self::Arff(arff) => Cow::Owned(arff.columns()),
            Self::Images(images) => Cow::Owned(images.columns()),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => Cow::Borrowed(parquet.columns()),
        }
    }

    /// Pushes at most `most` rows into the sinks, each of which takes the column at the same
    /// place of `wanted`; returns how many rows there were, 0 at the end.
    pub(super) fn read<S: Sink>(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [S],
        format: &Format,
    ) -> Result<usize> {
        match self {
            Self::Text(text) => text.read(most, wanted, sinks, format),
            Self::Arff(arff) => arff.read(most, wanted, sinks, format),
            Self::Images(images) => images.read(most, wanted, sinks),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => parquet.read(most, wanted, sinks),
        }
    }

    /// How many rows are left, as far as that can be told.
    pub(super) fn rows_left(&self) -> Option<usize> {
        match self {
            Self::Text(text) => text.rows_left(),
            Self::Arff(arff) => arff.rows_left(),
            Self::Images(images) => images.rows_left(),
            #[cfg(feature = "parquet")]
            Self::Parquet(parquet) => Some(parquet.rows_left()),
        }
    }
}
