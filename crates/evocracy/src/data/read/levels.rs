//! The levels of a nominal column under construction.

use super::cell;
use super::intern::Codes;
use super::wrong::{self, At, Wrong, not_a_number};
use crate::data::{Column, Kind, MISSING};
use crate::error::{Place, Result};

/// A column that was inferred to hold categories is taken for numbers with a slip in them when
/// it has more than this many different numbers ...
const MANY_NUMBERS: usize = 20;
/// ... and at least this share of its cells are numbers.
const MOSTLY_NUMBERS: f64 = 0.95;

#[derive(Default)]
pub(super) struct Levels {
    pub(super) codes: Vec<u32>,
    texts: Vec<String>,
    index: Codes,
    /// Place and code of the first cell that is not a number.
    first_text: Option<(At, u32)>,
}

impl Levels {
    /// Appends the text of a known level; `false` where it is new.
    #[inline]
    pub(super) fn push_known(&mut self, text: &[u8]) -> bool {
        let code = self.index.get(text);
        self.codes.extend(code);
        code.is_some()
    }

    pub(super) fn push(&mut self, text: &[u8], at: At) -> Result<(), Wrong> {
        if self.push_known(text) {
            return Ok(());
        }
        let code = u32::try_from(self.texts.len()).ok().filter(|&code| code < MISSING);
        let code = code.ok_or(Wrong::TooManyLevels)?;
        self.texts.push(wrong::text(text)?.to_owned());
        self.index.insert(text, code);
        if self.first_text.is_none() && cell::number(text).is_none() {
            self.first_text = Some((at, code));
        }
        self.codes.push(code);
        Ok(())
    }

    /// Refuses a column of numbers with a few slips: read as categories it would ruin a model
    /// without a word.
    pub(super) fn check(&self, place: impl Fn(At) -> Place) -> Result<()> {
        let Some((at, code)) = self.first_text else { return Ok(()) };
        let numeric: Vec<bool> =
            self.texts.iter().map(|text| cell::number(text.as_bytes()).is_some()).collect();
        let present = self.codes.iter().filter(|&&code| code != MISSING).count();
        let numbers = self.codes.iter().filter(|&&c| c != MISSING && numeric[c as usize]).count();
        let different = numeric.iter().filter(|&&numeric| numeric).count();
        if different <= MANY_NUMBERS || (numbers as f64) < MOSTLY_NUMBERS * present as f64 {
            return Ok(());
        }
        let why = format!(", though {numbers} of the column's {present} cells are");
        Err(not_a_number(place(at), self.texts[code as usize].as_bytes(), &why))
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
