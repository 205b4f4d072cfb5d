//! The levels of a nominal column under construction.

use super::cell;
use super::format::no_number;
use super::intern::Codes;
use super::number::{self, Written, has_decimal_comma};
use super::wrong::{self, At, Wrong, not_a_number};
use super::{Format, shown};
use crate::data::{Column, Kind, MISSING};
use crate::error::{Error, Place, Remedy, Result};

/// A column that was inferred to hold categories is taken for numbers with a slip in them when
/// it has more than this many different numbers ...
const MANY_NUMBERS: usize = 20;
/// ... and at least this share of its cells are numbers.
const MOSTLY_NUMBERS: f64 = 0.5;

/// What a text looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Like {
    Text,
    /// It would be a number with another decimal mark.
    Comma,
    /// It stands for a missing value where others are numbers.
    Missing,
    Number(Written),
}

impl Like {
    fn of(text: &str, format: &Format) -> Self {
        if let Some((written, _)) = number::read(text.as_bytes(), format) {
            return Self::Number(written);
        }
        match format.decimal {
            _ if no_number(text.as_bytes()) => Self::Missing,
            None if has_decimal_comma(text) => Self::Comma,
            _ => Self::Text,
        }
    }
}

/// The first text of a column that is no number.
pub(super) struct FirstText {
    pub(super) at: At,
    pub(super) text: String,
}

#[derive(Default)]
pub(super) struct Levels {
    pub(super) codes: Vec<u32>,
    texts: Vec<String>,
    likes: Vec<Like>,
    index: Codes,
    /// Of each kind of text the place and the code of the first one.
    firsts: Vec<(Like, At, u32)>,
}

impl Levels {
    /// Appends the text of a known level; `false` where it is new.
    #[inline]
    pub(super) fn push_known(&mut self, text: &[u8]) -> bool {
        let code = self.index.get(text);
        self.codes.extend(code);
        code.is_some()
    }

    pub(super) fn push(&mut self, text: &[u8], at: At, format: &Format) -> Result<(), Wrong> {
        if self.push_known(text) {
            return Ok(());
        }
        let code = u32::try_from(self.texts.len()).ok().filter(|&code| code < MISSING);
        let code = code.ok_or(Wrong::TooManyLevels)?;
        let level = wrong::text(text)?;
        let like = Like::of(level, format);
        self.texts.push(level.to_owned());
        self.likes.push(like);
        self.index.insert(text, code);
        if self.firsts.iter().all(|first| first.0 != like) {
            self.firsts.push((like, at, code));
        }
        self.codes.push(code);
        Ok(())
    }

    /// The first text that is no number, if it is not one with another decimal mark.
    pub(super) fn first_text(&self) -> Option<FirstText> {
        let text = |(like, ..): &&(Like, At, u32)| matches!(like, Like::Text | Like::Comma);
        let &(_, at, code) = self.firsts.iter().find(text)?;
        Some(FirstText { at, text: shown(self.texts[code as usize].as_bytes()) })
    }

    /// Refuses a column of numbers with slips: read as categories it would ruin a model without a
    /// word.
    pub(super) fn check(&self, place: impl Fn(At) -> Place) -> Result<()> {
        let mut rows = vec![0_usize; self.texts.len()];
        for &code in self.codes.iter().filter(|&&code| code != MISSING) {
            rows[code as usize] += 1;
        }
        // Rows and different texts of those that look like one of these.
        let count = |wanted: &dyn Fn(Like) -> bool| {
            let like = self.likes.iter().zip(&rows).filter(|(like, _)| wanted(**like));
            like.fold((0, 0), |(all, different), (_, rows)| (all + rows, different + 1))
        };
        let (present, _) = count(&|like| like != Like::Missing);
        let many = |(rows, different): (usize, usize)| {
            different > MANY_NUMBERS && rows as f64 >= MOSTLY_NUMBERS * present as f64
        };
        let first = |wanted: &dyn Fn(Like) -> bool| {
            let found = self.firsts.iter().find(|(like, ..)| wanted(*like));
            found.map(|&(_, at, code)| (place(at), &self.texts[code as usize]))
        };
        let plain = Like::Number(Written::Plain);
        let commas = count(&|like| like == Like::Comma);
        let with_commas = count(&|like| [Like::Comma, plain].contains(&like));
        if many(with_commas)
            && commas.0 >= with_commas.0 - commas.0
            && let Some((place, text)) = first(&|like| like == Like::Comma)
        {
            let column = place.column.clone().unwrap_or_default();
            let problem = format!(
                "`{}` is not a number, though with a decimal comma {} of the column's {present} cells are",
                shown(text.as_bytes()),
                with_commas.0
            );
            return Err(Error::table(place, problem, "a number", Remedy::DecimalMark { column }));
        }
        let kinds =
            [Written::Plain, Written::Percent, Written::Date, Written::Moment, Written::Time];
        let counts = kinds.map(|kind| (kind, count(&|like| like == Like::Number(kind))));
        // The first of the most frequent.
        let Some(&(kind, found)) = counts.iter().rev().max_by_key(|(_, (rows, _))| *rows) else {
            return Ok(());
        };
        let other = |like: Like| ![Like::Missing, Like::Number(kind)].contains(&like);
        let Some((place, text)) = first(&other).filter(|_| many(found)) else { return Ok(()) };
        let what = kind.one();
        let why = format!("{what}, though {} of the column's {present} cells are", found.0);
        Err(not_a_number(place, text.as_bytes(), &why))
    }

    /// The levels in canonical order and the codes that follow from it.
    pub(super) fn finish(mut self) -> (Kind, Column) {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        order.sort_by(|&a, &b| {
            cell::by_value_then_text(&self.texts[a as usize], &self.texts[b as usize])
        });
        let mut code_of = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            code_of[old as usize] = new as u32;
        }
        for code in self.codes.iter_mut().filter(|code| **code != MISSING) {
            *code = code_of[*code as usize];
        }
        self.codes.shrink_to_fit();
        let take = |&old: &u32| std::mem::take(&mut self.texts[old as usize]);
        (Kind::Nominal(order.iter().map(take).collect()), Column::Nominal(self.codes))
    }
}
