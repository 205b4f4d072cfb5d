//! `evocracy predict`: classes with their probabilities, or numbers, of new rows, in bounded
//! memory.

use crate::args::Predict;
use crate::failure::{self, Told};
use crate::input::{Input, Kept};
use crate::place::{Place, quoted};
use crate::shell::{Outcome, Shell};
use crate::{outputs, words};
use anyhow::Result;
use evocracy::classify::Proba;
use evocracy::data::read::{Format, Skipped};
use evocracy::data::{Classes, View};
use evocracy::error::{Error, TableError};
use evocracy::model::Model;
use evocracy::run::OutputFile;
use serde_json::{Value, json};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub fn run(shell: &Shell, args: &Predict) -> Result<Outcome> {
    let model = args.calls.applied(args.model.load()?)?;
    // Before anything is written.
    model.has_program()?;
    let format = Format { skip_bad: args.skip_bad, ..args.reading.format() };
    check_kept(&args.keep, model.classes().ok())?;
    let list = Listing::open(args)?;
    let input = Input::open(shell, &args.data, &format, &model, None)?;
    let mut input = input.keeping(&args.keep)?;
    let mut sink = Sink::open(args.out.as_deref(), shell.json, model.classes().ok(), &args.keep)?;
    let mut proba = Proba::new();
    let (result, seconds) = shell.work(&format!("predicting {}", args.data), |run| {
        let task = run.task("rows", 0);
        input.for_each_kept(&model, |rows: View<'_>, kept| {
            if model.is_classifier() {
                model.proba_into(rows, &mut proba)?;
                sink.write(&model, &proba, kept)?;
            } else {
                let (mut mean, mut variance) = (vec![0.0; rows.rows()], vec![0.0; rows.rows()]);
                model.predict_into(rows, &mut mean, Some(&mut variance))?;
                sink.write_numbers(&mean, &variance, kept)?;
            }
            task.watch.advance(rows.rows() as u64);
            Ok(!run.stop.requested())
        })
    });
    // Ctrl-C while nothing comes through a pipe: what came before is a result.
    let result = match result {
        Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => Ok(()),
        result => result,
    };
    let rows = sink.rows;
    // What was predicted before an error or Ctrl-C is kept.
    let failed = result.as_ref().err().map(failure::document);
    let skipped = input.skipped().filter(|_| args.skip_bad).cloned().unwrap_or_default();
    let document = args.skip_bad.then(|| as_json(&skipped));
    let finished = sink.finish(failed.as_ref(), document.as_ref(), Shell::stopped());
    if let Err(error) = result {
        // The document on standard output holds the error already.
        return Err(if shell.json && args.out.is_none() { error.context(Told) } else { error });
    }
    let remarks = input.remarks();
    shell.remarks(&remarks);
    let out = finished?;
    let list = list.map(|list| list.write(&skipped)).transpose()?;
    if let Some(words) = told(&skipped, list.as_deref()) {
        shell.remark(&words);
    }
    if Shell::stopped() {
        shell.remark(&format!("stopped after {rows} rows{}", kept(out.as_deref())));
        return Ok(Outcome::Interrupted);
    }
    if let Some(out) = out {
        let words = format!("Predicted {rows} rows into {}", out.display());
        let timing = json!({ "predict_s": seconds });
        let mut json = json!({ "rows": rows, "out": out, "remarks": remarks, "timing": timing });
        if let Some(mut skipped) = document {
            skipped["list"] = json!(list);
            json["skipped"] = skipped;
        }
        shell.show(&words, &json)?;
    }
    Ok(Outcome::Done)
}

/// Where the rows that could not be read are listed: beside the predictions.
struct Listing {
    file: OutputFile,
    path: PathBuf,
}

impl Listing {
    /// Begins the list, where one is asked for.
    fn open(args: &Predict) -> Result<Option<Self>> {
        let Some(out) = args.out.as_ref().filter(|_| args.skip_bad) else { return Ok(None) };
        let path = outputs::skipped_name(out);
        Ok(Some(Self { file: OutputFile::create(&path)?, path }))
    }

    /// Writes the rows, as many as are listed.
    fn write(mut self, skipped: &Skipped) -> Result<PathBuf> {
        let mut text = "line,column,problem,expected\n".to_owned();
        for TableError { place, problem, expected, .. } in &skipped.first {
            let line = place.line.map_or(String::new(), |line| line.to_string());
            let column = quoted(place.column.as_deref().unwrap_or_default());
            text += &format!("{line},{column},{},{}\n", quoted(problem), quoted(expected));
        }
        let failed = |e| Error::io("write", &self.path, e);
        self.file.write_all(text.as_bytes()).map_err(failed)?;
        self.file.commit()?;
        Ok(self.path)
    }
}

/// The rows that were left out, for programs.
fn as_json(skipped: &Skipped) -> Value {
    let row = |error: &TableError| {
        let TableError { place, problem, expected, .. } = error;
        json!({ "line": place.line, "column": place.column, "problem": problem, "expected": expected })
    };
    let first: Vec<Value> = skipped.first.iter().map(row).collect();
    json!({ "rows": skipped.rows, "first": first })
}

/// How many rows were left out, the first of them, and where they are listed.
fn told(skipped: &Skipped, list: Option<&Path>) -> Option<String> {
    let first = skipped.first.first()?;
    let mut text = format!(
        "warning: {} could not be read and {} no prediction; the first: {} ({})",
        words::counted(skipped.rows, "row"),
        if skipped.rows == 1 { "has" } else { "have" },
        first.problem,
        first.place
    );
    if let Some(list) = list {
        let listed = skipped.first.len() as u64;
        let which =
            if listed < skipped.rows { format!("the first {listed}") } else { "all".to_owned() };
        text += &format!("; {which} in {}", list.display());
    }
    Some(text)
}

fn kept(out: Option<&Path>) -> String {
    out.map_or(String::new(), |path| format!("; they are in {}", path.display()))
}

/// Refuses columns to keep that are named twice, or as those that are written.
fn check_kept(keep: &[String], classes: Option<&Classes>) -> Result<()> {
    let twice = keep.iter().enumerate().find(|(at, name)| keep[..*at].contains(name));
    if let Some((_, name)) = twice {
        let what = format!("the column `{name}` is to be kept twice");
        return Err(Error::unsuitable(what, "name it once").into());
    }
    let own = |name: &&String| match classes {
        None => *name == "sd",
        Some(classes) => classes.names().iter().any(|class| **name == format!("p_{class}")),
    };
    let Some(name) = keep.iter().find(|name| *name == "prediction" || own(name)) else {
        return Ok(());
    };
    let what = format!("the column `{name}` cannot be kept: predictions have one of that name");
    Err(Error::unsuitable(what, "rename it in the table").into())
}

/// Where predictions go: CSV, or one JSON document on standard output.
struct Sink {
    to: BufWriter<Place>,
    json: bool,
    names: Vec<String>,
    /// The names of the columns that are kept, as JSON.
    keep: Vec<String>,
    rows: u64,
    line: String,
}

impl Sink {
    fn open(
        out: Option<&Path>,
        json: bool,
        classes: Option<&Classes>,
        keep: &[String],
    ) -> Result<Self> {
        let to = Place::open(out)?;
        let json = json && out.is_none();
        let mut to = BufWriter::with_capacity(1 << 16, to);
        let classes = classes.map_or(&[][..], Classes::names);
        if json {
            write!(to, "{{\"classes\":{},\"predictions\":[", serde_json::to_string(classes)?)?;
        } else {
            let header = classes.iter().map(|name| format!(",{}", quoted(&format!("p_{name}"))));
            let header = header.collect::<String>();
            for name in keep {
                write!(to, "{},", quoted(name))?;
            }
            writeln!(to, "prediction{}", if classes.is_empty() { ",sd" } else { &header })?;
        }
        let name = |name: &String| if json { json!(name).to_string() } else { quoted(name) };
        let names = classes.iter().map(name).collect();
        let keep = keep.iter().map(|name| json!(name).to_string()).collect();
        Ok(Self { to, json, names, keep, rows: 0, line: String::new() })
    }

    /// Begins the line of a row with what is kept of it.
    fn begin(&mut self, row: usize, kept: &Kept) {
        self.line.clear();
        if self.json {
            self.line.push_str(if self.rows > 0 { ",\n{" } else { "\n{" });
            for (at, (name, cells)) in self.keep.iter().zip(kept).enumerate() {
                let before = if at == 0 { "\"kept\":{" } else { "," };
                self.line.extend([before, name, ":", &json!(cells[row]).to_string()]);
            }
            self.line.push_str(if kept.is_empty() { "" } else { "}," });
        } else {
            for cells in kept {
                self.line.extend([&quoted(&cells[row]), ","]);
            }
        }
    }

    fn write(&mut self, model: &Model, proba: &Proba, kept: &Kept) -> Result<()> {
        let mut number = zmij::Buffer::new();
        for row in 0..proba.rows() {
            self.begin(row, kept);
            let best = &self.names[model.call(proba.row(row))?];
            if self.json {
                self.line.extend(["\"prediction\":", best, ",\"proba\":["]);
            } else {
                self.line.push_str(best);
            }
            for (class, &value) in proba.row(row).iter().enumerate() {
                if class > 0 || !self.json {
                    self.line.push(',');
                }
                // The shortest text that reads back as the same number, with an exponent where
                // it helps. The standard library writes the same, but it took a third of the
                // time of a prediction.
                self.line.push_str(number.format(value));
            }
            self.line.push_str(if self.json { "]}" } else { "\n" });
            self.to.write_all(self.line.as_bytes())?;
            self.rows += 1;
        }
        Ok(())
    }

    /// Numbers, each with the standard deviation of what may come true.
    fn write_numbers(&mut self, mean: &[f64], variance: &[f64], kept: &Kept) -> Result<()> {
        let (mut number, mut sd) = (zmij::Buffer::new(), zmij::Buffer::new());
        for (row, (&mean, variance)) in mean.iter().zip(variance).enumerate() {
            self.begin(row, kept);
            let (before, between, after) =
                if self.json { ("\"prediction\":", ",\"sd\":", "}") } else { ("", ",", "\n") };
            let (mean, sd) = (number.format(mean), sd.format(variance.sqrt()));
            self.line.extend([before, mean, between, sd, after]);
            self.to.write_all(self.line.as_bytes())?;
            self.rows += 1;
        }
        Ok(())
    }

    /// Ends the document. A complete file gets its name; an incomplete one keeps the name
    /// that shows it is partial.
    fn finish(
        mut self,
        failed: Option<&Value>,
        skipped: Option<&Value>,
        stopped: bool,
    ) -> Result<Option<PathBuf>> {
        if self.json {
            write!(self.to, "\n],\"rows\":{}", self.rows)?;
            if let Some(skipped) = skipped {
                write!(self.to, ",\"skipped\":{skipped}")?;
            }
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
