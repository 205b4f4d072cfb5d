//! `evocracy select`: which genes (columns) matter, with chance levels.

mod args;
mod draw;
mod words;

pub use args::Args;

use super::fit::resumed_parts;
use crate::args::Learn;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::data::catalogue::Load;
use evocracy::data::{Column, Dataset, Options, Table};
use evocracy::error::Error;
use evocracy::run::{FolderStore, Run, Shelf, write_file};
use evocracy::select::{
    Given, Halving, Preparation, Samples, Scale, SelectOptions, Selection, Selector, select,
    selector,
};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let load = args.reading.load(&args.learn, shell.seed);
    let reading = format!("reading {}", args.data);
    let data =
        shell.work(&reading, |run| shell.catalogue.open_until(run.stop, &args.data, &load)).0?;
    let data = match &args.names {
        Some(names) => with_names(shell, &data, names, &args.learn)?,
        None => data,
    };
    let samples = Samples::new(&data)?;
    let preparation = preparation(&samples, args)?;
    let way: Box<dyn Selector> = match &args.given {
        Some(file) => Box::new(Given { genes: given(shell, &samples, file)? }),
        None => selector(&args.by, &args.params)?,
    };
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    let key = format!(
        "{} select {} {:?} {:?} {} {}",
        env!("CARGO_PKG_VERSION"),
        way.name(),
        way.settings(),
        preparation,
        args.splits,
        data.fingerprint()
    );
    let shelf = store.as_ref().map_or(Shelf::none(), |store| Shelf::new(store, &key));
    let halving = Halving {
        samples: &samples,
        selector: way.as_ref(),
        preparation: &preparation,
        splits: args.splits as usize,
        left_out: &[],
    };
    // A given set is always selected: permuted labels say nothing about its counts.
    let permutations = if args.given.is_some() { 0 } else { args.permutations as usize };
    let options = SelectOptions { permutations, level: args.fdr, checks: !args.no_checks };
    let (found, seconds) = shell.work(&format!("selecting by {}", way.name()), |run| {
        select(&halving, options, &Run { shelf, ..run.clone() })
    });
    let found = found?;
    let resumed = store.map(|store| resumed_parts(shell, &store));
    if let Some(path) = &args.out {
        save(&found, &data.name, shell.seed, path)?;
    }
    if let Some(path) = &args.plot {
        draw::draw(&found, &data.name, args.picture, path)?;
    }
    let mut document = serde_json::to_value(&found)?;
    document["dataset"] = json!(data.name);
    document["seed"] = json!(shell.seed);
    document["timing"] = json!({ "select_s": seconds });
    if let Some(parts) = resumed {
        document["resumed_parts"] = json!(parts);
    }
    shell.show(&words::all(&found, args, &data.name), &document)?;
    let whole = found.splits[0] == found.splits[1] && !Shell::stopped();
    Ok(if whole { Outcome::Done } else { Outcome::Interrupted })
}

/// What is done to values first, with cofactors by name.
fn preparation(samples: &Samples, args: &Args) -> Result<Preparation> {
    let find = |columns: &[String]| -> Result<Vec<u32>> {
        let mut genes = Vec::new();
        for column in columns {
            genes.extend(samples.find(column)?);
        }
        Ok(genes)
    };
    let scale = if args.scale == "log" { Scale::Log } else { Scale::Raw };
    Ok(Preparation { scale, adjust: find(&args.adjust)?, force: find(&args.force)? })
}

/// A small table of texts: the first columns of a file.
fn texts(shell: &Shell, file: &Path) -> Result<Table> {
    let load = Load { options: Options::default(), seed: shell.seed, ..Load::default() };
    let name = file.display().to_string();
    Ok(shell.catalogue.open_until(Shell::stop(), &name, &load)?.table().clone())
}

/// The text of each cell of a column; empty where it is missing.
fn cells(table: &Table, column: usize) -> Vec<String> {
    let view = table.view();
    (0..view.rows()).map(|row| view.show(row, column).unwrap_or_default()).collect()
}

/// The data set with names for its columns, from a file whose rows stand in the order of the columns
/// or name them.
fn with_names(shell: &Shell, data: &Dataset, file: &Path, learn: &Learn) -> Result<Dataset> {
    let names = texts(shell, file)?;
    let width = names.schema().len();
    let (mut schema, columns): (_, Vec<Column>) = data.table().clone().into_parts();
    // The column of the file that holds names of the table's columns, and the last one, the names.
    let own: Vec<String> = schema.fields.iter().map(|field| field.name.clone()).collect();
    let keyed = (0..width).find(|&column| {
        let cells = cells(&names, column);
        let known = cells.iter().filter(|cell| own.contains(cell)).count();
        known * 2 > cells.len()
    });
    let Some(keyed) = keyed.filter(|keyed| width > 1 && keyed + 1 < width) else {
        return Err(Error::unsuitable(
            format!("`{}` does not name the columns of {}", file.display(), data.name),
            "give a table with a column of column names before the column of descriptions",
        )
        .into());
    };
    let labels = cells(&names, width - 1);
    for (name, label) in cells(&names, keyed).into_iter().zip(labels) {
        if let Some(at) = own.iter().position(|own| *own == name) {
            schema.fields[at].label = Some(label).filter(|label| !label.is_empty());
        }
    }
    let options = Options {
        target: Some(data.target_name().to_owned()),
        positive: learn.positive.clone(),
        ignore: learn.ignore.clone(),
        ..Options::default()
    };
    Ok(Dataset::new(data.name.clone(), Table::new(schema, columns)?, &options)?)
}

/// The genes of a file: its first column, by name or by number from 1.
fn given(shell: &Shell, samples: &Samples, file: &Path) -> Result<Vec<u32>> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::io("read", file, e))?;
    let _ = shell;
    let mut genes = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let name = line.split(',').next().unwrap_or_default().trim().trim_matches('"');
        if name.is_empty() || (number == 0 && ["gene", "genes", "name", "column"].contains(&name)) {
            continue;
        }
        genes.extend(samples.find(name)?);
    }
    genes.sort_unstable();
    genes.dedup();
    if genes.is_empty() {
        let what = format!("`{}` names no genes", file.display());
        return Err(Error::unsuitable(what, "give one column name in each line").into());
    }
    Ok(genes)
}

/// Writes the ranked table as CSV, or everything as JSON.
fn save(found: &Selection, dataset: &str, seed: u64, path: &Path) -> Result<()> {
    let json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let text = if json {
        let mut document = serde_json::to_value(found)?;
        document["dataset"] = json!(dataset);
        document["seed"] = json!(seed);
        serde_json::to_string_pretty(&document)? + "\n"
    } else {
        csv(found)
    };
    Ok(write_file(path, &[text.as_bytes()])?)
}

fn csv(found: &Selection) -> String {
    let quoted = |text: &str| {
        let plain = !text.contains([',', '"', '\n', '\r']);
        if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    };
    let maybe = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut text =
        "rank,gene,name,column,total,coincident,coincident_rank,p,p_coincident,q,group\n"
            .to_owned();
    for row in &found.table {
        let group = row.group.map_or(String::new(), |group| group.to_string());
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{group}",
            row.rank,
            quoted(&row.gene),
            quoted(row.name.as_deref().unwrap_or_default()),
            row.column,
            row.total,
            row.coincident,
            row.coincident_rank,
            maybe(row.p),
            maybe(row.p_coincident),
            maybe(row.q),
        );
    }
    text
}
