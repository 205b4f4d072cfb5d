//! `evocracy select`: which genes (columns) matter, with chance levels.

mod args;
mod draw;
mod given;
mod words;

pub use args::Args;

use self::given::given;
use super::fit::resumed_parts;
use crate::shell::{Outcome, Shell};
use crate::words::counted;
use anyhow::Result;
use evocracy::data::Dataset;
use evocracy::data::read::{Format, Source, read_table_until};
use evocracy::error::Error;
use evocracy::run::{FolderStore, Run, Shelf, write_file};
use evocracy::select::{
    Given, Halving, Preparation, Samples, Scale, SelectOptions, Selection, Selector, select,
    selector,
};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let load = args.reading.load(&args.learn, shell.seed);
    let reading = format!("reading {}", args.data);
    let data = shell.work(&reading, |run| shell.open(&args.data, &load, run.stop)).0?;
    shell.remarks(&evocracy::judge::remark::many_texts(&data));
    let mut samples = Samples::new(&data)?;
    if let Some(names) = &args.names {
        describe(&mut samples, &data, names)?;
    }
    let preparation = preparation(&samples, args)?;
    let way: Box<dyn Selector> = match &args.given {
        Some(file) => Box::new(Given::new(given(&samples, &data, file)?, &samples, &preparation)?),
        None => selector(&args.by, &args.params)?,
    };
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    let key = format!(
        "{} select {} {:?} {:?} {:?} {} {}",
        env!("CARGO_PKG_VERSION"),
        way.name(),
        way.settings(),
        preparation,
        // The fingerprint of the data does not know which class is the positive one.
        samples.class_names(),
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
    let mut document = serde_json::to_value(&found)?;
    document["dataset"] = json!(data.name);
    document["seed"] = json!(shell.seed);
    document["timing"] = json!({ "select_s": seconds });
    if let Some(parts) = resumed {
        document["resumed_parts"] = json!(parts);
    }
    shell.show(&told(&found, args, &data), &document)?;
    // A file that cannot be written takes nothing with it.
    if let Some(path) = &args.out {
        shell.afterwards(save(&found, &data.name, shell.seed, path))?;
        let columns = counted(found.table.len() as u64, "selected column");
        shell.tell(&format!("All {columns} are in {}.", path.display()))?;
    }
    if let Some(path) = &args.plot {
        shell.afterwards(draw::draw(&found, &data.name, args.picture, (path, &args.look)))?;
        shell.tell(&format!("The picture is in {}.", path.display()))?;
    }
    let whole = found.splits[0] == found.splits[1] && !Shell::stopped();
    Ok(if whole { Outcome::Done } else { Outcome::Interrupted })
}

/// The result in words, with what was not asked for.
fn told(found: &Selection, args: &Args, data: &Dataset) -> String {
    let text = words::all(found, args, &data.name);
    match (&args.learn.positive, data.classes()) {
        (None, Some(classes)) if classes.len() > 2 => text + &words::unasked(classes),
        _ => text,
    }
}

/// What is done to values first, with cofactors by name.
fn preparation(samples: &Samples, args: &Args) -> Result<Preparation> {
    let find = |columns: &[String]| -> Result<Vec<u32>> {
        let mut genes = Vec::new();
        for column in columns {
            genes.extend(samples.find(column)?);
        }
        genes.sort_unstable();
        genes.dedup();
        Ok(genes)
    };
    let scale = if args.scale == "log" { Scale::Log } else { Scale::Raw };
    let (force, offer) = (find(&args.force)?, find(&args.offer)?);
    // A column that is forced is adjusted for already.
    let mut adjust = find(&args.adjust)?;
    adjust.retain(|gene| !force.contains(gene));
    Ok(Preparation { scale, adjust, force, offer })
}

/// Headers of a column that says what others are.
const DESCRIBES: [&str; 4] = ["name", "description", "label", "title"];

/// The cells of a file as texts, whatever they hold: the header and the text of each column.
fn texts(source: &Source, format: &Format) -> Result<Vec<(String, Vec<String>)>> {
    let sources = std::slice::from_ref(source);
    let (guessed, _) = read_table_until(Shell::stop(), sources, format)?;
    // Once more as texts: 007 is a name.
    let nominal = guessed.schema().fields.iter().map(|field| field.name.clone()).collect();
    let format = Format { nominal, ..format.clone() };
    let (table, _) = read_table_until(Shell::stop(), sources, &format)?;
    let view = table.view();
    let cells = |column: usize| {
        (0..view.rows()).map(|row| view.show(row, column).unwrap_or_default()).collect()
    };
    let names = table.schema().fields.iter().map(|field| field.name.clone());
    Ok(names.enumerate().map(|(column, name)| (name, cells(column))).collect())
}

/// Says what columns are, from a file with a column of their names.
fn describe(samples: &mut Samples, data: &Dataset, file: &Path) -> Result<()> {
    let table = texts(&Shell::beside(file)?, &Format::default())?;
    let features = data.features();
    let own: BTreeSet<&str> =
        (0..features.columns()).map(|at| features.field(at).name.as_str()).collect();
    let known = |cells: &[String]| cells.iter().filter(|cell| own.contains(cell.as_str())).count();
    // The column with the most known names, the first of equals.
    let keyed = (0..table.len()).rev().max_by_key(|&at| known(&table[at].1));
    let keyed = keyed.filter(|&at| known(&table[at].1) > 0);
    let described = keyed.and_then(|keyed| {
        let others = || (0..table.len()).filter(|&at| at != keyed);
        let says = |&at: &usize| DESCRIBES.contains(&table[at].0.to_lowercase().as_str());
        Some((keyed, others().find(says).or_else(|| others().next_back())?))
    });
    let Some((keyed, described)) = described else {
        return Err(Error::unsuitable(
            format!("`{}` does not describe columns of {}", file.display(), data.name),
            "give a table with a header, a column of column names and one that says what they are",
        )
        .into());
    };
    let both = table[keyed].1.iter().zip(&table[described].1);
    let labels: BTreeMap<&str, &str> = both
        .filter(|(_, label)| !label.is_empty())
        .map(|(name, label)| (name.as_str(), label.as_str()))
        .collect();
    samples.describe(|at| labels.get(features.field(at).name.as_str()).map(|&l| l.to_owned()));
    Ok(())
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
