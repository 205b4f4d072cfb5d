//! Rows for a saved model: from a file chunk by chunk, or from a data set by name.

use crate::args::Rows;
use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::catalogue::Load;
use evocracy::data::read::{self, Format, Skipped, Stream, Written};
use evocracy::data::{Dataset, Field, Kind, Options, Table, View};
use evocracy::error::Error;
use evocracy::judge::{Noticed, Remark};
use evocracy::model::Model;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// How many rows are read at a time that nobody asks for.
const CHUNK: usize = 8192;

/// Refuses a table whose numbers are written in other ways than those the model learnt from: days
/// are no seconds.
fn same_writing(model: &Model, data: &Dataset) -> Result<()> {
    let by_name = |written: &'_ [(String, Written)]| -> HashMap<String, Written> {
        written.iter().cloned().collect()
    };
    let known = by_name(model.reading().map_or(&[][..], |reading| &reading.written));
    let here = by_name(&data.reading().written);
    let fields = data.table().schema().fields.iter();
    let nominal: HashSet<&str> = fields
        .filter(|field| matches!(field.kind, Kind::Nominal(_)))
        .map(|field| field.name.as_str())
        .collect();
    for field in &model.schema().fields {
        let of = |written: &HashMap<String, Written>| {
            written.get(&field.name).copied().unwrap_or(Written::Plain)
        };
        let (wanted, found) = (of(&known), of(&here));
        if wanted != found && !nominal.contains(field.name.as_str()) {
            let what = format!(
                "column `{}` holds {}, and the model learnt from {}",
                field.name,
                found.many(),
                wanted.many()
            );
            return Err(Error::unsuitable(what, "write the column as in the training table").into());
        }
    }
    Ok(())
}

/// Rows to be given to a model.
pub enum Input {
    /// A file or standard input.
    Stream(Box<Stream>),
    /// A data set by name, with the columns that are kept.
    Dataset(Box<Dataset>, Vec<usize>),
}

/// The cells of the columns that are kept, column by column.
pub type Kept = Vec<Vec<String>>;

impl Input {
    /// Opens `data` for a model, with the target column where that is needed.
    pub fn open(
        shell: &Shell,
        data: &str,
        format: &Format,
        model: &Model,
        target: Option<Field>,
    ) -> Result<Self> {
        // What the person left open is as in the training table.
        let format = &model.reading().map_or_else(|| format.clone(), |own| own.below(format));
        let source = match data {
            "-" => Some(Shell::standard_input()),
            path => read::at_until(Path::new(path), Shell::stop())?,
        };
        if let Some(source) = source {
            let mut schema = model.schema().clone();
            schema.fields.extend(target.clone());
            let mut stream = Stream::open(&source, format, &schema)?;
            if let Some(reading) = model.reading() {
                stream = stream.with_written(&reading.written);
            }
            if let Some(field) = target {
                stream = stream.with_required(&field.name)?.with_new_levels(&field.name)?;
            }
            return Ok(Self::Stream(Box::new(stream)));
        }
        let target = target.map(|field| field.name);
        let options = Options { target, ..Options::default() };
        let load = Load { format: format.clone(), options, seed: shell.seed };
        let data = shell.catalogue.open_until(Shell::stop(), data, &load)?;
        same_writing(model, &data)?;
        Ok(Self::Dataset(Box::new(data), Vec::new()))
    }

    /// The same rows, with the cells of these columns kept.
    pub fn keeping(self, names: &[String]) -> Result<Self> {
        Ok(match self {
            Self::Stream(stream) => Self::Stream(Box::new(stream.with_kept(names)?)),
            Self::Dataset(data, _) => {
                let find = |name: &String| data.table().schema().find(name, &data.name);
                let columns = names.iter().map(find).collect::<Result<_, Error>>()?;
                Self::Dataset(data, columns)
            }
        })
    }

    /// Calls `each` with the rows, as many at a time as suit the model, until it returns `false`.
    pub fn for_each(
        &mut self,
        model: &Model,
        mut each: impl FnMut(View<'_>) -> Result<bool>,
    ) -> Result<()> {
        self.for_each_kept(model, |rows, _| each(rows))
    }

    /// The same, with the cells that are kept of these rows.
    pub fn for_each_kept(
        &mut self,
        model: &Model,
        mut each: impl FnMut(View<'_>, &Kept) -> Result<bool>,
    ) -> Result<()> {
        let chunk = model.rows_at_a_time();
        match self {
            Self::Stream(stream) => {
                while let Some(table) = stream.next_chunk(chunk)? {
                    if table.rows() == 0 {
                        // Nobody asks for rows that cannot be read, however many they are.
                        Shell::stop().check()?;
                        continue;
                    }
                    if !each(table.view(), &stream.take_kept())? {
                        break;
                    }
                }
            }
            Self::Dataset(data, columns) => {
                let rows: Vec<u32> = (0..data.table().rows() as u32).collect();
                for rows in rows.chunks(chunk) {
                    let view = data.table().view().with_rows(rows);
                    let cell = |row, column| view.show(row, column).unwrap_or_default();
                    let cells =
                        |&column: &usize| (0..rows.len()).map(|row| cell(row, column)).collect();
                    if !each(view, &columns.iter().map(cells).collect())? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// A table of row `row` alone; what comes before it is read and dropped.
    pub fn row(&mut self, row: usize) -> Result<Table> {
        let missing = |rows: usize| no_row(row, rows);
        match self {
            Self::Dataset(data, _) if row < data.table().rows() => {
                Ok(data.table().view().with_rows(&[row as u32]).to_table()?)
            }
            Self::Dataset(data, _) => Err(missing(data.table().rows())),
            Self::Stream(stream) => {
                let mut before = 0;
                while before < row {
                    if Shell::stopped() {
                        return Err(Error::Stopped.into());
                    }
                    let chunk = stream.next_chunk(CHUNK.min(row - before))?;
                    before += chunk.ok_or_else(|| missing(before))?.rows();
                }
                stream.forget_unseen();
                loop {
                    let table = stream.next_chunk(1)?.ok_or_else(|| missing(before))?;
                    if table.rows() > 0 {
                        return Ok(table);
                    }
                    Shell::stop().check()?;
                }
            }
        }
    }

    /// Calls `each` with the number of every wanted row and a view of it alone, in the order of the
    /// table, until it returns `false`. What comes before and between is read and dropped, what
    /// comes after is not read.
    pub fn for_rows(
        &mut self,
        model: &Model,
        wanted: &Rows,
        mut each: impl FnMut(usize, View<'_>) -> Result<bool>,
    ) -> Result<()> {
        match self {
            Self::Dataset(data, _) => {
                let (view, rows) = (data.table().view(), data.table().rows());
                for (first, last) in wanted.ranges() {
                    for row in first..rows.min(last.saturating_add(1)) {
                        if !each(row, view.with_rows(&[row as u32]))? {
                            return Ok(());
                        }
                    }
                    if first >= rows || (last >= rows && last < Rows::LAST) {
                        return Err(no_row(first.max(rows), rows));
                    }
                }
                Ok(())
            }
            Self::Stream(stream) => rows_of(stream, model.rows_at_a_time(), wanted, &mut each),
        }
    }

    /// The rows that were left out because they could not be read.
    pub fn skipped(&self) -> Option<&Skipped> {
        match self {
            Self::Stream(stream) => Some(stream.skipped()),
            Self::Dataset(..) => None,
        }
    }

    /// What was read as missing because training did not show it.
    pub fn remarks(&self) -> Vec<Remark> {
        let Self::Stream(stream) = self else { return Vec::new() };
        let remark = |unseen: &read::Unseen| {
            Remark::from(Noticed::UnseenLevels {
                column: unseen.column.clone(),
                cells: unseen.cells,
                example: unseen.example.clone(),
                place: Some(unseen.at.to_string()),
            })
        };
        stream.unseen().iter().map(remark).collect()
    }
}

fn no_row(row: usize, rows: usize) -> anyhow::Error {
    let what = format!("there is no row {row}: the table has {rows} rows");
    Error::unsuitable(what, "rows are counted from 0, the header not counted").into()
}

/// As [`Input::for_rows`], at most `most` rows in memory.
fn rows_of(
    stream: &mut Stream,
    most: usize,
    wanted: &Rows,
    each: &mut impl FnMut(usize, View<'_>) -> Result<bool>,
) -> Result<()> {
    let mut next = 0;
    for (first, last) in wanted.ranges() {
        let begun = next > 0;
        while next < first {
            if Shell::stopped() {
                return Err(Error::Stopped.into());
            }
            let chunk = stream.next_chunk(CHUNK.min(first - next))?;
            next += chunk.ok_or_else(|| no_row(first, next))?.rows();
        }
        if !begun {
            stream.forget_unseen();
        }
        while next <= last {
            let Some(table) = stream.next_chunk(most.min((last - next).saturating_add(1)))? else {
                // To the last row, of which there is one at least.
                return if last == Rows::LAST && next > first {
                    Ok(())
                } else {
                    Err(no_row(next, next))
                };
            };
            for row in 0..table.rows() {
                if !each(next + row, table.view().with_rows(&[row as u32]))? {
                    return Ok(());
                }
            }
            next += table.rows();
        }
    }
    Ok(())
}
