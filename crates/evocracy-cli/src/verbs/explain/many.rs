//! Explanations of several rows, one after the other, in bounded memory.

use super::Explained;
use crate::args::{Explain, ExplainFormat};
use crate::failure::{self, Told};
use crate::input::Input;
use crate::place::{Place, quoted};
use crate::shell::{Outcome, Shell};
use crate::words;
use anyhow::Result;
use evocracy::classify::Part;
use evocracy::data::View;
use evocracy::error::Error;
use evocracy::model::Model;
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

pub fn run(shell: &Shell, args: &Explain, model: &Model, mut input: Input) -> Result<Outcome> {
    let mut sink = Sink::open(shell, args, model)?;
    let (result, seconds) = shell.work(&format!("explaining {}", args.data), |run| {
        let task = run.task("rows", 0);
        input.for_rows(model, &args.row, |row, view| {
            sink.write(&Explained::of(model, view, (row, &args.data), run)?, view)?;
            task.watch.advance(1);
            Ok(!run.stop.requested())
        })
    });
    // Ctrl-C while nothing comes through a pipe: what came before is a result.
    let result = match result {
        Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => Ok(()),
        result => result,
    };
    let rows = sink.rows;
    let document = sink.shape == Shape::Json;
    let failed = result.as_ref().err().map(failure::document);
    // What was explained before an error or Ctrl-C is kept.
    let finished = sink.finish(failed.as_ref());
    if let Err(error) = result {
        // The document on standard output holds the error already.
        return Err(if document { error.context(Told) } else { error });
    }
    let remarks = input.remarks();
    shell.remarks(&remarks);
    let out = finished?;
    if Shell::stopped() {
        let kept = out.map_or(String::new(), |out| format!("; they are in {}", out.display()));
        shell.remark(&format!("stopped after {rows} rows{kept}"));
        return Ok(Outcome::Interrupted);
    }
    if let Some(out) = out {
        let words = format!("Explained {} in {}", words::counted(rows, "row"), out.display());
        let timing = json!({ "explain_s": seconds });
        let json = json!({ "rows": rows, "out": out, "remarks": remarks, "timing": timing });
        shell.show(&words, &json)?;
    }
    Ok(Outcome::Done)
}

/// What is written of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Csv,
    /// One document on standard output.
    Json,
}

/// Where explanations go.
struct Sink<'a> {
    to: BufWriter<Place>,
    shape: Shape,
    model: &'a Model,
    /// The classes, or the target where the model predicts a number; as CSV cells.
    names: Vec<String>,
    /// Where each column of the model stands in the rows that are explained; empty before the
    /// first of them.
    columns: Vec<Option<usize>>,
    rows: u64,
}

impl<'a> Sink<'a> {
    fn open(shell: &Shell, args: &Explain, model: &'a Model) -> Result<Self> {
        let shape = match (&args.out, shell.json, args.format) {
            (None, true, _) => Shape::Json,
            (None, false, ExplainFormat::Text) => Shape::Text,
            _ => Shape::Csv,
        };
        let to = Place::open(args.out.as_deref())?;
        let mut to = BufWriter::with_capacity(1 << 16, to);
        match shape {
            Shape::Json => write!(to, "{{\"rows\":[")?,
            Shape::Csv => writeln!(to, "row,class,output,link,base,column,value,because,part")?,
            Shape::Text => {}
        }
        let names = match model.classes() {
            Ok(classes) => classes.names().iter().map(|name| quoted(name)).collect(),
            Err(_) => vec![quoted(&model.about().target)],
        };
        Ok(Self { to, shape, model, names, columns: Vec::new(), rows: 0 })
    }

    fn write(&mut self, explained: &Explained, view: View<'_>) -> Result<()> {
        let first = self.rows == 0;
        match self.shape {
            Shape::Json => {
                write!(self.to, "{}{}", if first { "\n" } else { ",\n" }, explained.json)?;
            }
            Shape::Text => {
                let text = words::printable(explained.words.trim_end());
                writeln!(self.to, "{}{text}", if first { "" } else { "\n" })?;
            }
            Shape::Csv => self.write_csv(explained, view)?,
        }
        self.rows += 1;
        Ok(())
    }

    /// A line for every part and class; a row without evidence has a line for every class.
    fn write_csv(&mut self, explained: &Explained, view: View<'_>) -> Result<()> {
        if self.columns.is_empty() {
            let at = |name: &str| (0..view.columns()).find(|&at| view.field(at).name == name);
            self.columns = self.model.schema().fields.iter().map(|f| at(&f.name)).collect();
        }
        let Explained { row, explanation, output, .. } = explained;
        let link = json!(explanation.link);
        let link = link.as_str().unwrap_or_default();
        let none = Part { column: None, because: String::new(), adds: vec![0.0; output.len()] };
        let parts = if explanation.parts.is_empty() { &[none] } else { &explanation.parts[..] };
        let mut number = [(); 3].map(|()| zmij::Buffer::new());
        for part in parts {
            let column = part.column.map_or("", |at| &self.model.schema().fields[at].name);
            let at = part.column.and_then(|at| self.columns[at]);
            let value = at.and_then(|at| view.show(0, at)).unwrap_or_default();
            let (column, value) = (quoted(column), quoted(&value));
            let because = quoted(&part.because);
            for (class, name) in self.names.iter().enumerate() {
                let figures = [output[class], explanation.base[class], part.adds[class]];
                let [output, base, adds] = &mut number;
                let (output, base, adds) =
                    (output.format(figures[0]), base.format(figures[1]), adds.format(figures[2]));
                writeln!(
                    self.to,
                    "{row},{name},{output},{link},{base},{column},{value},{because},{adds}"
                )?;
            }
        }
        Ok(())
    }

    /// Ends the document. A complete file gets its name; an incomplete one keeps the name that
    /// shows it is partial.
    fn finish(mut self, failed: Option<&Value>) -> Result<Option<PathBuf>> {
        let stopped = Shell::stopped();
        if self.shape == Shape::Json {
            write!(self.to, "\n]")?;
            match failed {
                Some(error) => write!(self.to, ",\"error\":{}", error["error"])?,
                None if stopped => write!(self.to, ",\"stop\":\"interrupted\"")?,
                None => {}
            }
            writeln!(self.to, "}}")?;
        }
        self.to.flush()?;
        let (place, _) = self.to.into_parts();
        place.close(failed.is_none() && !stopped)
    }
}
