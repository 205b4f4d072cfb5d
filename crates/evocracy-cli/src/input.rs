//! Rows for a saved model: from a file chunk by chunk, or from a data set by name.

use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::catalogue::Load;
use evocracy::data::read::{self, Format, Stream};
use evocracy::data::{Dataset, Field, Options, Table, View};
use evocracy::error::Error;
use evocracy::judge::{Noticed, Remark};
use evocracy::model::Model;
use std::path::Path;

/// How many rows are read at a time that nobody asks for.
const CHUNK: usize = 8192;

/// Rows to be given to a model.
pub enum Input {
    /// A file or standard input.
    Stream(Box<Stream>),
    /// A data set by name.
    Dataset(Box<Dataset>),
}

impl Input {
    /// Opens `data` for a model, with the target column where that is needed.
    pub fn open(
        shell: &Shell,
        data: &str,
        format: &Format,
        model: &Model,
        target: Option<Field>,
    ) -> Result<Self> {
        let source = match data {
            "-" => Some(Shell::standard_input()),
            path => read::at_until(Path::new(path), Shell::stop())?,
        };
        if let Some(source) = source {
            let mut schema = model.schema().clone();
            schema.fields.extend(target.clone());
            let mut stream = Stream::open(&source, format, &schema)?;
            if let Some(field) = target {
                stream = stream.with_required(&field.name)?.with_new_levels(&field.name)?;
            }
            return Ok(Self::Stream(Box::new(stream)));
        }
        let target = target.map(|field| field.name);
        let options = Options { target, ..Options::default() };
        let load = Load { format: format.clone(), options, seed: shell.seed };
        let data = shell.catalogue.open_until(Shell::stop(), data, &load)?;
        Ok(Self::Dataset(Box::new(data)))
    }

    /// Calls `each` with the rows, as many at a time as suit the model, until it returns `false`.
    pub fn for_each(
        &mut self,
        model: &Model,
        mut each: impl FnMut(View<'_>) -> Result<bool>,
    ) -> Result<()> {
        let chunk = model.rows_at_a_time();
        match self {
            Self::Stream(stream) => {
                while let Some(table) = stream.next_chunk(chunk)? {
                    if !each(table.view())? {
                        break;
                    }
                }
            }
            Self::Dataset(data) => {
                let rows: Vec<u32> = (0..data.table().rows() as u32).collect();
                for rows in rows.chunks(chunk) {
                    if !each(data.table().view().with_rows(rows))? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// A table of row `row` alone; what comes before it is read and dropped.
    pub fn row(&mut self, row: usize) -> Result<Table> {
        let missing = |rows: usize| {
            let what = format!("there is no row {row}: the table has {rows} rows");
            Error::unsuitable(what, "rows are counted from 0, the header not counted")
        };
        match self {
            Self::Dataset(data) if row < data.table().rows() => {
                Ok(data.table().view().with_rows(&[row as u32]).to_table()?)
            }
            Self::Dataset(data) => Err(missing(data.table().rows()).into()),
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
                Ok(stream.next_chunk(1)?.ok_or_else(|| missing(before))?)
            }
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
