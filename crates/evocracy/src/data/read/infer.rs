//! Reading a whole table and finding out what its columns hold.
//!
//! A column is one of numbers until a cell says otherwise; then the source is read again with
//! that column as categories, so that texts such as `007` are kept as they are. Levels are put
//! in canonical order at the end.

use super::cell::Cell;
use super::intern::Codes;
use super::records::Record;
use super::{Format, Source, cell, infinite, not_a_number, not_utf8, open, place};
use crate::data::{Column, Field, Kind, MISSING, Schema, Table};
use crate::error::{Error, Place, Result};

/// A column that was inferred to hold categories is taken for numbers with a slip in them when
/// it has more than this many different numbers ...
const MANY_NUMBERS: usize = 20;
/// ... and at least this share of its cells are numbers.
const MOSTLY_NUMBERS: f64 = 0.95;

/// What is known of a column before a pass over the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// Numbers, unless a cell says otherwise.
    Guess,
    /// Numbers, because the caller said so.
    Number,
    /// Categories, because an earlier pass found text.
    GuessedNominal,
    /// Categories, because the caller said so.
    Nominal,
}

impl Plan {
    fn is_number(self) -> bool {
        matches!(self, Self::Guess | Self::Number)
    }
}

/// Reads the sources one after the other into one table; all have the same header. Returns the
/// table and the number of rows that came from each source.
pub fn read_table(sources: &[Source], format: &Format) -> Result<(Table, Vec<usize>)> {
    let first = sources.first().ok_or_else(|| Error::unsuitable("no file was given", ""))?;
    let (_, names) = open(first, format)?;
    let mut plans = plans(&names, format, first)?;
    loop {
        let mut builders: Vec<Builder> = plans.iter().map(|&plan| Builder::new(plan)).collect();
        let mut rows = Vec::with_capacity(sources.len());
        for source in sources {
            rows.push(read_source(source, format, &names, &mut builders)?);
        }
        // One pass finds all columns that hold text after all; the next one keeps their texts.
        let surprised: Vec<usize> =
            (0..builders.len()).filter(|&j| builders[j].surprised).collect();
        if surprised.is_empty() {
            let mut columns = Vec::with_capacity(builders.len());
            let mut fields = Vec::with_capacity(builders.len());
            for (name, builder) in names.into_iter().zip(builders) {
                let (kind, column) = builder.finish(&name, first)?;
                fields.push(Field { name, kind, label: None });
                columns.push(column);
            }
            return Ok((Table::new(Schema { fields }, columns)?, rows));
        }
        for j in surprised {
            plans[j] = Plan::GuessedNominal;
        }
    }
}

fn plans(names: &[String], format: &Format, source: &Source) -> Result<Vec<Plan>> {
    for asked in format.nominal.iter().chain(&format.number) {
        if !names.contains(asked) {
            let known = names.iter().map(String::as_str);
            return Err(Error::unknown("column", asked, Some(source.name().to_owned()), known));
        }
    }
    Ok(names
        .iter()
        .map(|name| {
            if format.nominal.contains(name) {
                Plan::Nominal
            } else if format.number.contains(name) {
                Plan::Number
            } else {
                Plan::Guess
            }
        })
        .collect())
}

/// Reads one source into the builders and returns its rows.
fn read_source(
    source: &Source,
    format: &Format,
    names: &[String],
    builders: &mut [Builder],
) -> Result<usize> {
    let (mut records, header) = open(source, format)?;
    if header != names {
        return Err(Error::table(
            place(source, Some(1), None),
            "the columns differ from those of the first file",
            names.join(","),
            "",
        ));
    }
    let mut rows = 0;
    while let Some(record) = records.next()? {
        check_width(&record, names.len(), source)?;
        for (j, builder) in builders.iter_mut().enumerate() {
            let cell = record.cell(j);
            builder
                .push(cell, record.line(), format)
                .map_err(|wrong| wrong.at(source, record.line(), &names[j], cell.trimmed()))?;
        }
        rows += 1;
        // Early surprises are cheap to read again; later ones wait for the end of the pass.
        if rows == EARLY && builders.iter().any(|builder| builder.surprised) {
            return Ok(rows);
        }
    }
    Ok(rows)
}

/// After this many rows a pass that has met a surprise starts again.
const EARLY: usize = 1000;

pub(super) fn check_width(record: &Record<'_>, width: usize, source: &Source) -> Result<()> {
    if record.len() == width {
        return Ok(());
    }
    Err(Error::table(
        place(source, Some(record.line()), None),
        format!("the row has {} cells", record.len()),
        format!("{width} cells, as in the header"),
        "look for a missing or extra delimiter, or text with a delimiter that needs quotes",
    ))
}

/// What can be wrong with a cell.
pub(super) enum Wrong<'a> {
    Infinite,
    NotANumber,
    NotUtf8,
    TooManyLevels,
    NotALevel(&'a [String]),
}

impl Wrong<'_> {
    pub(super) fn at(self, source: &Source, line: u64, column: &str, cell: &[u8]) -> Error {
        let place = place(source, Some(line), Some(column.to_owned()));
        match self {
            Self::Infinite => infinite(place, cell),
            Self::NotANumber => not_a_number(place, cell, ""),
            Self::NotUtf8 => not_utf8(place),
            Self::NotALevel(levels) => {
                let got: String = String::from_utf8_lossy(cell).chars().take(60).collect();
                let expected = format!("one of {}", crate::error::listed(levels));
                let problem = format!("`{got}` is none of the classes the model knows");
                Error::table(place, problem, expected, "mend the cell or remove the row")
            }
            Self::TooManyLevels => {
                Error::table(place, "the column has too many different texts", "categories", "")
            }
        }
    }
}

/// A column under construction.
struct Builder {
    plan: Plan,
    numbers: Vec<f64>,
    levels: Levels,
    /// A cell was not the number that was guessed: the rest of the column is not worth keeping.
    surprised: bool,
}

#[derive(Default)]
struct Levels {
    codes: Vec<u32>,
    texts: Vec<String>,
    index: Codes,
    /// Line and code of the first cell that is not a number.
    first_text: Option<(u64, u32)>,
}

impl Builder {
    fn new(plan: Plan) -> Self {
        Self { plan, numbers: Vec::new(), levels: Levels::default(), surprised: false }
    }

    #[inline]
    fn push(&mut self, cell: Cell<'_>, line: u64, format: &Format) -> Result<(), Wrong<'static>> {
        if self.plan.is_number()
            && !self.surprised
            && format.missing.is_empty()
            && let Some(value) = cell.plain_number()
        {
            self.numbers.push(value);
            return Ok(());
        }
        self.push_any(cell.trimmed(), line, format)
    }

    fn push_any(&mut self, bytes: &[u8], line: u64, format: &Format) -> Result<(), Wrong<'static>> {
        if self.surprised {
            return Ok(());
        }
        if !self.plan.is_number() {
            return self.levels.push(bytes, line, format);
        }
        if format.is_missing(bytes) {
            self.numbers.push(f64::NAN);
            return Ok(());
        }
        match cell::number(bytes) {
            Some(value) if value.is_infinite() => return Err(Wrong::Infinite),
            Some(value) => self.numbers.push(value),
            None if self.plan == Plan::Number => return Err(Wrong::NotANumber),
            None => self.surprised = true,
        }
        Ok(())
    }

    fn finish(self, name: &str, source: &Source) -> Result<(Kind, Column)> {
        match self.plan {
            Plan::Guess | Plan::Number => {
                let mut numbers = self.numbers;
                numbers.shrink_to_fit();
                Ok((Kind::Number, Column::Number(numbers)))
            }
            Plan::Nominal => Ok(self.levels.finish()),
            Plan::GuessedNominal => {
                self.levels.check(|line| place(source, Some(line), Some(name.to_owned())))?;
                Ok(self.levels.finish())
            }
        }
    }
}

impl Levels {
    fn push(&mut self, bytes: &[u8], line: u64, format: &Format) -> Result<(), Wrong<'static>> {
        if let Some(code) = self.index.get(bytes) {
            self.codes.push(code);
            return Ok(());
        }
        if format.is_missing(bytes) {
            self.codes.push(MISSING);
            return Ok(());
        }
        let code = u32::try_from(self.texts.len()).ok().filter(|&code| code < MISSING);
        let code = code.ok_or(Wrong::TooManyLevels)?;
        self.texts.push(cell::text(bytes).map_err(|()| Wrong::NotUtf8)?.to_owned());
        self.index.insert(bytes, code);
        if self.first_text.is_none() && cell::number(bytes).is_none() {
            self.first_text = Some((line, code));
        }
        self.codes.push(code);
        Ok(())
    }

    /// Refuses a column of numbers with a few slips: read as categories it would ruin a model
    /// without a word.
    fn check(&self, place: impl Fn(u64) -> Place) -> Result<()> {
        let Some((line, code)) = self.first_text else { return Ok(()) };
        let numeric: Vec<bool> =
            self.texts.iter().map(|text| cell::number(text.as_bytes()).is_some()).collect();
        let present = self.codes.iter().filter(|&&code| code != MISSING).count();
        let numbers = self.codes.iter().filter(|&&c| c != MISSING && numeric[c as usize]).count();
        let different = numeric.iter().filter(|&&numeric| numeric).count();
        if different <= MANY_NUMBERS || (numbers as f64) < MOSTLY_NUMBERS * present as f64 {
            return Ok(());
        }
        let why = format!(", though {numbers} of the column's {present} cells are");
        Err(not_a_number(place(line), self.texts[code as usize].as_bytes(), &why))
    }

    /// The levels in canonical order and the codes that follow from it.
    fn finish(mut self) -> (Kind, Column) {
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
