//! ARFF, the format of Weka: dense and sparse rows.
//!
//! The declared type of an attribute is taken at its word. Levels that are declared and never
//! used are dropped, so that the same rows give the same table, and the same model, whatever
//! format they come in. In a sparse row an absent cell is 0 or the first declared level, as in
//! Weka; absent text is missing. Beside `?` the texts that stand for missing values in CSV do so
//! here too, unless they are declared levels or stand in quotes.
//!
//! Format: G. Holmes, A. Donkin, I. H. Witten (1994); the Weka manual, chapter "ARFF".

mod header;
mod token;

pub(super) use header::starts;

use super::buffer::Buffer;
use super::cell::Cell;
use super::reader::{Declared, Holds, Sink};
use super::wrong::{At, Wrong, shown};
use super::{Format, Source, place, place_at};
use crate::error::{Error, Remedy, Result, listed, nearest};
use header::{Attribute, AttributeKind};
use token::{Tokens, Unclosed, Word};

/// An opened ARFF file.
pub(super) struct Arff {
    buffer: Buffer,
    attributes: Vec<Attribute>,
    /// The words of the row at hand; `None` where a sparse row has none.
    cells: Vec<Option<Word>>,
    rows: usize,
}

impl Arff {
    pub(super) fn open(mut buffer: Buffer, format: &Format) -> Result<Self> {
        let attributes = header::read(&mut buffer, format.most_columns)?;
        Ok(Self { buffer, attributes, cells: Vec::new(), rows: 0 })
    }

    pub(super) fn columns(&self) -> Vec<Declared> {
        let declared = |attribute: &Attribute| Declared {
            name: attribute.name.clone(),
            holds: match attribute.kind {
                AttributeKind::Number => Holds::Numbers,
                AttributeKind::Text | AttributeKind::Nominal(_) => Holds::Texts,
            },
        };
        self.attributes.iter().map(declared).collect()
    }

    pub(super) fn rows_left(&self) -> Option<usize> {
        self.buffer.rows_left(self.rows)
    }

    pub(super) fn read<S: Sink>(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [S],
        format: &Format,
    ) -> Result<usize> {
        let source = self.buffer.source.clone();
        let mut read = 0;
        while read < most {
            let Some((rest, len, line)) = self.buffer.next_line()? else { break };
            let row = ArffRow { source: &source, rest, len, line };
            if !row.split(self.attributes.len(), &mut self.cells)? {
                continue;
            }
            for (sink, &column) in sinks.iter_mut().zip(wanted) {
                row.push(&self.attributes[column], self.cells[column], sink, format)?;
            }
            read += 1;
        }
        self.rows += read;
        Ok(read)
    }
}

/// A line of the data part.
struct ArffRow<'a> {
    source: &'a Source,
    /// The line and what follows it.
    rest: &'a [u8],
    len: usize,
    line: u64,
}

impl ArffRow<'_> {
    fn refuse(&self, problem: &str, expected: &str, help: impl Into<Remedy>) -> Error {
        Error::table(place(self.source, Some(self.line), None), problem, expected, help)
    }

    fn word(&self, words: &mut Tokens<'_>, stops: &[u8]) -> Result<Word> {
        words.word(stops).map_err(|Unclosed| {
            let help =
                "close the quote, or write a backslash before it where it belongs to the text";
            self.refuse("a quote is opened here and never closed", "a closing quote", help)
        })
    }

    /// Finds the cells of the row; `false` where the line holds none.
    fn split(&self, width: usize, cells: &mut Vec<Option<Word>>) -> Result<bool> {
        let text = &self.rest[..self.len];
        let mut words = Tokens::new(text, 0);
        cells.clear();
        if words.at() == self.len {
            return Ok(false);
        }
        if words.skip(b'{') {
            self.split_sparse(width, &mut words, cells)?;
            return Ok(true);
        }
        loop {
            if words.skip(b'{') {
                let problem = "the row has a weight in braces, which is not read";
                return Err(self.refuse(problem, "cells", Remedy::WeightColumn));
            }
            cells.push(Some(self.word(&mut words, b"")?));
            if !words.skip(b',') && words.at() == self.len {
                break;
            }
        }
        if cells.len() == width {
            return Ok(true);
        }
        Err(self.refuse(
            &format!("the row has {} cells", cells.len()),
            &format!("{width} cells, one for each attribute"),
            "look for a missing or extra comma, or text with spaces or commas that needs quotes",
        ))
    }

    /// The cells of a sparse row, after its opening brace.
    fn split_sparse(
        &self,
        width: usize,
        words: &mut Tokens<'_>,
        cells: &mut Vec<Option<Word>>,
    ) -> Result<()> {
        cells.resize(width, None);
        let text = &self.rest[..self.len];
        while !words.skip(b'}') {
            if words.at() == self.len {
                return Err(self.refuse("the sparse row is never closed", "a closing }", ""));
            }
            let word = self.word(words, b"}")?;
            let place = &text[word.from..word.to];
            let index = std::str::from_utf8(place).ok().and_then(|index| index.parse().ok());
            let expected = format!("an index from 0 to {}, then its value", width - 1);
            let cell = index.and_then(|index: usize| cells.get_mut(index)).ok_or_else(|| {
                self.refuse(
                    &format!("`{}` is no index of an attribute", shown(place)),
                    &expected,
                    "a sparse row is written {index value, index value}, counted from 0",
                )
            })?;
            if cell.is_some() {
                let problem = format!("the index {} comes twice", shown(place));
                return Err(self.refuse(&problem, "every index once", ""));
            }
            *cell = Some(self.word(words, b"}")?);
            words.skip(b',');
        }
        Ok(())
    }

    fn push<S: Sink>(
        &self,
        attribute: &Attribute,
        word: Option<Word>,
        sink: &mut S,
        format: &Format,
    ) -> Result<()> {
        let at = At::Line(self.line);
        let Some(word) = word else {
            let pushed = match &attribute.kind {
                AttributeKind::Number => sink.number(0.0, at),
                AttributeKind::Text => sink.missing(),
                AttributeKind::Nominal(declared) => match declared.values.first() {
                    Some(first) => sink.text(first.as_bytes(), at),
                    None => sink.missing(),
                },
            };
            return pushed.map_err(|wrong| wrong.at(self.source, at, &attribute.name, b""));
        };
        let text = word.text(&self.rest[..self.len]);
        let known = match &attribute.kind {
            AttributeKind::Nominal(declared) => declared.codes.get(&text).is_some(),
            _ => word.quoted,
        };
        let pushed = if known && !format.asked_missing(&text) {
            sink.text(&text, at)
        } else if let AttributeKind::Number = attribute.kind {
            sink.cell(Cell::new(&self.rest[word.from..], word.to - word.from), at, format)
        } else if format.is_missing(&text) {
            sink.missing()
        } else if let AttributeKind::Nominal(declared) = &attribute.kind {
            return Err(self.undeclared(attribute, &declared.values, &text));
        } else {
            sink.text(&text, at)
        };
        pushed.map_err(|wrong: Wrong| wrong.at(self.source, at, &attribute.name, &text))
    }

    fn undeclared(&self, attribute: &Attribute, values: &[String], text: &[u8]) -> Error {
        let got = shown(text);
        let help = match nearest(&got, values) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("mend the cell, or declare the value in line {}", attribute.line),
        };
        Error::table(
            place_at(self.source, At::Line(self.line), &attribute.name),
            format!("`{got}` is none of the values declared for the attribute"),
            format!("one of {}", listed(values)),
            help,
        )
    }
}
