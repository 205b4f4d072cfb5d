//! Rows stream through a model in bounded memory, however many there are.

use evocracy::classify::{Predicts, Proba};
use evocracy::data::read::{Format, Source, Stream};
use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::error::Result;
use evocracy::method::{make, registry};
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};
use peak_alloc::PeakAlloc;
use std::io::Read;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const ROWS: usize = 1_000_000;
/// The chunk that the command line takes.
const CHUNK: usize = 8192;
const LIMIT_MB: f32 = 20.0;

/// A table that is written as it is read: nothing of it is ever held but a line.
struct Endless {
    rows: usize,
    made: usize,
    line: Vec<u8>,
    at: usize,
}

impl Endless {
    fn new(rows: usize) -> Self {
        let line = b"id,x,colour,y,ignored\n".to_vec();
        Self { rows, made: 0, line, at: 0 }
    }

    /// Makes the next line; `false` at the end.
    fn advance(&mut self) -> bool {
        use std::io::Write;
        if self.made == self.rows {
            return false;
        }
        let row = self.made;
        let colour = ["red", "green", "blue", "violet"][row % 4];
        let gap = if row.is_multiple_of(7) { "" } else { "5" };
        (self.at, self.made) = (0, row + 1);
        self.line.clear();
        // Every text of the last column is a new one: whoever keeps texts would fail here.
        writeln!(self.line, "{row},{}.25,{colour},{gap},\"text {row}\"", row % 100).is_ok()
    }
}

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.line.len() && !self.advance() {
            return Ok(0);
        }
        let count = out.len().min(self.line.len() - self.at);
        out[..count].copy_from_slice(&self.line[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// A model of three of the columns; one level of the stream is new to it.
fn model(method: &str) -> Result<Model> {
    let schema = Schema {
        fields: vec![
            Field::number("x"),
            Field::nominal("colour", ["blue", "green", "red"]),
            Field::number("y"),
            Field::nominal("class", ["no", "yes"]),
        ],
    };
    let numbers = |step: usize| Column::Number((0..200).map(|i| (i * step % 100) as f64).collect());
    let columns = vec![
        numbers(1),
        Column::Nominal((0..200).map(|i| i % 3).collect()),
        numbers(7),
        Column::Nominal((0..200).map(|i| u32::from(i % 100 > 50)).collect()),
    ];
    let data = Dataset::new("t", Table::new(schema, columns)?, &Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    Ok(make(method, &[])?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model)
}

/// Predicts all rows of the stream; how many there were, and how many were called `yes`.
fn predict(model: &Model, rows: usize) -> Result<(usize, usize)> {
    let source = Source::once("endless", Endless::new(rows));
    let mut stream = Stream::open(&source, &Format::default(), model.schema())?;
    let mut proba = Proba::new();
    let (mut seen, mut called) = (0, 0);
    while let Some(chunk) = stream.next_chunk(CHUNK)? {
        model.proba_into(chunk.view(), &mut proba)?;
        seen += proba.rows();
        called += (0..proba.rows()).filter(|&row| proba.best(row) == 1).count();
    }
    assert_eq!(stream.unseen().len(), 1, "only `violet` is new");
    assert_eq!(stream.unseen()[0].cells as usize, rows / 4);
    Ok((seen, called))
}

#[test]
fn a_million_rows_are_predicted_in_bounded_memory() -> Result<()> {
    for entry in registry().iter().filter(|entry| entry.predicts == Predicts::Class) {
        let model = model(entry.name)?;
        let before = MEMORY.current_usage_as_mb();
        MEMORY.reset_peak_usage();
        let (seen, called) = predict(&model, ROWS)?;
        let peak = MEMORY.peak_usage_as_mb() - before;
        assert_eq!(seen, ROWS);
        // Dawid and Skene's way never looks at the truth: what it calls one class may be all rows.
        let both = called > ROWS / 10 && called < ROWS - ROWS / 10;
        assert!(both || entry.name == "labels-ds", "{}: {called}", entry.name);
        assert!(peak < LIMIT_MB, "{}: {peak} MB at the peak", entry.name);
    }
    Ok(())
}
