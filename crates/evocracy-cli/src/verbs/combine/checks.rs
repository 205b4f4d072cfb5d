//! The tables of labels that `evocracy combine` reads: columns by name, and what is odd about them.

use super::Args;
use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::catalogue::Load;
use evocracy::data::read::{self, Format, Stream, read_table_until};
use evocracy::data::{Classes, Dataset, Field, Options, Schema, View};
use evocracy::error::Error;
use evocracy::run::Run;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The table with the truth and the experts as labels: digits are labels here, not numbers.
pub(super) fn open(shell: &Shell, args: &Args, run: &Run<'_>) -> Result<Dataset> {
    let input = (args.table == "-").then(|| shell.whole_standard_input()).transpose()?;
    let read = |format: Format, options: Options| -> Result<Dataset> {
        if let Some(source) = &input {
            let (table, _) = read_table_until(run.stop, std::slice::from_ref(source), &format)?;
            return Ok(Dataset::new("standard input", table, &options)?);
        }
        let load = Load { format, options, seed: shell.seed };
        Ok(shell.catalogue.open_until(run.stop, &args.table, &load)?)
    };
    let options = Options {
        target: Some(args.truth.clone()),
        weights: args.weights.clone(),
        ..Options::default()
    };
    // Read once to learn the names of the columns, then again as labels.
    let (names, experts) = {
        let first = read(args.reading.format(), options.clone())?;
        let names: Vec<String> = first.table().schema().names().map(str::to_owned).collect();
        let experts = named(&args.experts, &names);
        for expert in &experts {
            first.table().schema().find(expert, &first.name)?;
        }
        (names, experts)
    };
    let roles = [("truth", Some(&args.truth)), ("weights", args.weights.as_ref())];
    for (role, column) in roles {
        if let Some(column) = column.filter(|column| experts.contains(column)) {
            let what = format!("the column `{column}` is both the {role} and an expert");
            return Err(Error::unsuitable(what, "leave it out of --experts").into());
        }
    }
    let weight = |name: &String| Some(name) == args.weights.as_ref();
    let expert = |name: &String| experts.is_empty() || experts.contains(name);
    let mut format = args.reading.format();
    format.nominal = names.iter().filter(|name| !weight(name)).cloned().collect();
    format.number.clear();
    let ignored = |name: &&String| !expert(name) && **name != args.truth && !weight(name);
    let ignore = names.iter().filter(ignored).cloned().collect();
    read(format, Options { ignore, ..options })
}

/// The columns that were asked for: a text that is a column's name, or a list of names parted by
/// commas, in quotes where a name has one.
fn named(asked: &[String], names: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for text in asked {
        if names.contains(text) {
            found.push(text.clone());
            continue;
        }
        let (mut item, mut quoted) = (String::new(), false);
        for letter in text.chars().chain([',']) {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => {
                    let name = std::mem::take(&mut item);
                    // `a, b` is a list too, unless a name begins with a space.
                    let exact = names.contains(&name);
                    found.push(if exact { name } else { name.trim().to_owned() });
                }
                _ => item.push(letter),
            }
        }
        if quoted {
            // A quote that does not end is part of a name.
            found.push(text.clone());
        }
    }
    found
}

/// Refuses a test table that lacks a column, before any work is done.
pub(super) fn check_test(shell: &Shell, args: &Args, data: &Dataset) -> Result<()> {
    let Some(test) = args.test.as_ref().filter(|test| *test != "-") else { return Ok(()) };
    let Some(source) = read::at_until(Path::new(test), Shell::stop())? else {
        // It is read when the work is done: a name that is not known must not lose that.
        if shell.catalogue.show(test).is_err() {
            shell.catalogue.open_until(Shell::stop(), test, &Load::default())?;
        }
        return Ok(());
    };
    let mut fields: Vec<Field> = data.features().fields().cloned().collect();
    let target = data.table().schema().find(data.target_name(), &data.name)?;
    fields.push(data.table().schema().fields[target].clone());
    let stream = Stream::open(&source, &args.reading.format(), &Schema { fields })?;
    stream.with_required(data.target_name())?;
    Ok(())
}

/// What is odd about the labels of experts: some that are classes but for case, spaces or the way a
/// number is written, which count as other labels; and so many different ones that they are hardly
/// labels.
pub(super) fn oddities(experts: View<'_>, classes: &Classes) -> Vec<String> {
    let plain = |label: &str| label.trim().to_lowercase();
    let number = |label: &str| {
        let number = label.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
        // 0 and -0 are equal.
        Some((number + 0.0).to_bits())
    };
    // There may be as many classes and labels as rows: each is looked at once.
    let (mut exact, mut letters, mut numbers) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
    for class in classes.names() {
        exact.insert(class);
        letters.entry(plain(class)).or_insert(class);
        if let Some(number) = number(class) {
            numbers.entry(number).or_insert(class);
        }
    }
    let near = |label: &String| {
        let class = *letters.get(&plain(label))?;
        (class != label).then(|| (label.clone(), class.clone()))
    };
    let equal = |label: &String| {
        let wanted = number(label).filter(|_| !exact.contains(label))?;
        Some((label.clone(), (*numbers.get(&wanted)?).clone()))
    };
    let spelling = |field: &Field| {
        let name = &field.name;
        if let Some((label, class)) = field.levels().iter().find_map(equal) {
            return Some(format!(
                "note: `{name}` says `{label}` where the truth is called `{class}`: as the same number it is a vote for that class, but a label of its own; write them alike, here and in later tables"
            ));
        }
        let (label, class) = field.levels().iter().find_map(near)?;
        Some(format!(
            "note: `{name}` says `{label}` where the truth is called `{class}`: these are two labels; write them alike if they are meant to be one"
        ))
    };
    let many = |field: &Field| {
        let (labels, rows) = (field.levels().len(), experts.rows());
        (labels > 3 * classes.len() && 2 * labels > rows).then(|| {
            format!(
                "note: `{}` has {labels} different labels in {rows} rows, like a number or a name of the row; leave it out with --experts if it is no expert",
                field.name
            )
        })
    };
    experts.fields().flat_map(|field| [spelling(field), many(field)]).flatten().collect()
}
