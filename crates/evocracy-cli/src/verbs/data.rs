//! `evocracy data`: which data sets there are, what is in them, and new ones.

use crate::args::{Data, Learn, Reading};
use crate::shell::{Outcome, Shell, user_folder};
use crate::{tables, words};
use anyhow::Result;
use evocracy::data::catalogue::{Listing, Origin};
use evocracy::data::read::{ENDINGS, Source, Written, read_table_until};
use evocracy::data::{Dataset, Field, Kind};
use evocracy::error::Error;
use evocracy::param::Param;
use evocracy::run::OutputFile;
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};

/// How many columns `data show` lists for a person.
const SHOWN: usize = 40;

pub fn run(shell: &Shell, args: &Data) -> Result<Outcome> {
    match args {
        Data::List => list(shell)?,
        Data::Show { data, reading, learn } => show(shell, data, reading, learn)?,
        Data::Add { name, file, replace, reading } => add(shell, name, file, *replace, reading)?,
        Data::Remove { name } => remove(shell, name)?,
    }
    Ok(Outcome::Done)
}

fn list(shell: &Shell) -> Result<()> {
    let all = shell.catalogue.list()?;
    let rows = all.iter().map(|l| {
        let mut about = if l.about.is_empty() { &l.source } else { &l.about }.clone();
        if !l.parameters.is_empty() {
            let names: Vec<&str> = l.parameters.iter().map(|param| param.name).collect();
            about += &format!(" [{}]", names.join(", "));
        }
        let place = match l {
            _ if l.embedded => "built in",
            _ if l.parameters.is_empty() => "folder",
            _ => "made",
        };
        vec![l.name.clone(), place.to_owned(), about]
    });
    let words = format!(
        "{}\n\nParameters in brackets are set in the name: gen:moons:rows=500:noise=0.2\n",
        tables::plain(&["data set", "where", "what it is"], rows)
    );
    shell.show(&words, &json!({ "datasets": all }))
}

fn show(shell: &Shell, name: &str, reading: &Reading, learn: &Learn) -> Result<()> {
    let load = reading.load(learn, shell.seed);
    let (data, _) = shell.work(&format!("reading {name}"), |run| shell.open(name, &load, run.stop));
    let data = data?;
    shell.remarks(&evocracy::judge::remark::many_texts(&data));
    let listing = if Path::new(name).is_file() { None } else { shell.catalogue.show(name).ok() };
    let mut text = format!(
        "{}: {}, {} to learn from, target `{}`\n",
        data.name,
        words::counted(data.table().rows() as u64, "row"),
        words::counted(data.features().columns() as u64, "column"),
        data.target_name()
    );
    text += &listing.as_ref().map_or(String::new(), known);
    for (class, rows) in class_counts(&data) {
        text += &format!("  class {class}: {}\n", words::counted(rows as u64, "row"));
    }
    for (number, split) in data.published.iter().enumerate() {
        let (train, test) = (split.train.len(), split.test.len());
        text +=
            &format!("  published split {}: {train} training and {test} test rows\n", number + 1);
    }
    let facts: Vec<[String; 4]> =
        (0..data.features().columns()).map(|j| column(&data, j)).collect();
    let rows = facts.iter().take(SHOWN).map(|facts| facts.to_vec());
    text += &format!("\n{}\n", tables::plain(&["column", "holds", "missing", "values"], rows));
    if facts.len() > SHOWN {
        text += &format!("and {} more columns (all of them with --json)\n", facts.len() - SHOWN);
    }
    shell.show(&text, &as_json(&data, &json!(listing)))
}

/// What the catalogue knows about a data set, line by line.
fn known(listing: &Listing) -> String {
    let mut words = String::new();
    for (what, text) in
        [("about", &listing.about), ("source", &listing.source), ("licence", &listing.licence)]
    {
        if !text.is_empty() {
            words += &format!("  {what}: {text}\n");
        }
    }
    for param in &listing.parameters {
        let Param { name, meaning, takes, default, .. } = param;
        words += &format!("  parameter {name}: {meaning}; {takes} [default: {default}]\n");
    }
    words
}

fn as_json(data: &Dataset, listing: &Value) -> Value {
    let columns: Vec<Value> = (0..data.features().columns())
        .map(|j| {
            let field = data.features().field(j);
            let missing = data.features().gather(j).missing();
            let levels = matches!(field.kind, Kind::Nominal(_)).then(|| field.levels());
            json!({ "name": field.name, "levels": levels, "missing": missing, "label": field.label })
        })
        .collect();
    let classes: Vec<Value> = class_counts(data)
        .into_iter()
        .map(|(name, rows)| json!({ "name": name, "rows": rows }))
        .collect();
    let published: Vec<Value> = data
        .published
        .iter()
        .map(|split| json!({ "train": split.train.len(), "test": split.test.len() }))
        .collect();
    json!({
        "name": data.name,
        "rows": data.table().rows(),
        "target": data.target_name(),
        "classes": classes,
        "columns": columns,
        "published": published,
        "listing": listing,
    })
}

fn class_counts(data: &Dataset) -> Vec<(String, usize)> {
    let (Some(classes), Some(codes)) = (data.classes(), data.codes()) else { return Vec::new() };
    let mut counts = vec![0; classes.len()];
    for &code in codes {
        counts[code as usize] += 1;
    }
    classes.names().iter().cloned().zip(counts).collect()
}

/// Name, kind, missing cells and values of a column in words.
fn column(data: &Dataset, j: usize) -> [String; 4] {
    let field: &Field = data.features().field(j);
    let gathered = data.features().gather(j);
    let written = data.reading().written.iter().find(|(name, _)| *name == field.name);
    let numbers = written.map_or(Written::Plain, |&(_, written)| written).many();
    let (kind, values) = match (&field.kind, &gathered) {
        (Kind::Nominal(levels), _) => {
            let few: Vec<&str> = levels.iter().take(8).map(String::as_str).collect();
            let more = if levels.len() > few.len() { ", ..." } else { "" };
            (format!("{} levels", levels.len()), format!("{}{more}", few.join(", ")))
        }
        (Kind::Number, evocracy::data::Column::Number(values)) => {
            let known = || values.iter().copied().filter(|v| !v.is_nan());
            let (low, high) = (known().fold(f64::NAN, f64::min), known().fold(f64::NAN, f64::max));
            let range = format!("{} to {}", words::number(low), words::number(high));
            (numbers.to_owned(), if low.is_nan() { "none".to_owned() } else { range })
        }
        _ => (String::new(), String::new()),
    };
    let name = match &field.label {
        Some(label) => format!("{} ({label})", field.name),
        None => field.name.clone(),
    };
    [name, kind, gathered.missing().to_string(), values]
}

fn add(shell: &Shell, name: &str, file: &Path, replace: bool, reading: &Reading) -> Result<()> {
    check_name("data add", name)?;
    // It is read to be checked and then to be copied, and a pipe comes once.
    if std::fs::metadata(file).is_ok_and(|place| !place.is_file() && !place.is_dir()) {
        let what =
            format!("`{}` is not an ordinary file, and can be read only once", file.display());
        return Err(Error::unsuitable(what, "save it to a file first").into());
    }
    let source = Source::file(file);
    if source.labels().is_some() {
        let what = "images and their labels are two files, which cannot be added as one";
        let help = "give the path of the images, or put their folder into one of EVOCRACY_DATA";
        return Err(Error::unsuitable(what, help).into());
    }
    let format = reading.format();
    let (read, _) = shell.work(&format!("reading {}", file.display()), |run| {
        read_table_until(run.stop, std::slice::from_ref(&source), &format)
    });
    let (table, _) = read?;
    let folder = own_folder()?;
    std::fs::create_dir_all(&folder).map_err(|e| Error::io("create", &folder, e))?;
    let path = folder.join(format!("{name}{}", ending(file)));
    let old = existing(&folder, name);
    if let Some(old) = old.as_ref().filter(|_| !replace) {
        let what = format!("there is a data set `{name}` already: {}", old.display());
        return Err(Error::unsuitable(what, "choose another name or say --replace").into());
    }
    let mut copy = OutputFile::create(&path)?;
    let mut original = File::open(file).map_err(|e| Error::io("read", file, e))?;
    std::io::copy(&mut original, &mut copy).map_err(|e| Error::io("write", &path, e))?;
    copy.commit()?;
    // Only now: the old file may be the one that was copied.
    if let Some(old) = old.filter(|old| *old != path) {
        std::fs::remove_file(&old).map_err(|e| Error::io("replace", &old, e))?;
    }
    let (rows, columns) = (table.rows(), table.schema().len());
    // Another data set of that name may be found first.
    let first = match shell.catalogue.origins(name)?.into_iter().next() {
        Some(Origin::File(first) | Origin::Folder(first)) => Some(first),
        _ => None,
    };
    let shadowed_by = first.filter(|first| *first != path);
    let shadow = shadowed_by.as_ref().map_or(String::new(), |first| {
        format!("The name stands for {} first; the path leads to the new one.\n", first.display())
    });
    let by = if shadow.is_empty() { name.to_owned() } else { path.display().to_string() };
    let words = format!(
        "Added `{name}`: {rows} rows, {columns} columns, kept in {}\n{shadow}Try: evocracy fit {by}{}\n",
        path.display(),
        reading.words()
    );
    let json = json!({
        "name": name,
        "file": path,
        "rows": rows,
        "columns": columns,
        "shadowed_by": shadowed_by,
    });
    shell.show(&words, &json)
}

/// Removes what was added.
fn remove(shell: &Shell, name: &str) -> Result<()> {
    check_name("data remove", name)?;
    let folder = own_folder()?;
    let Some(path) = existing(&folder, name) else {
        return Err(not_own(shell, name, &folder)?.into());
    };
    std::fs::remove_file(&path).map_err(|e| Error::io("remove", &path, e))?;
    let words = format!("Removed `{name}`: {}\n", path.display());
    shell.show(&words, &json!({ "name": name, "file": path }))
}

/// Why a name cannot be removed.
fn not_own(shell: &Shell, name: &str, folder: &Path) -> Result<Error> {
    let what = match shell.catalogue.origins(name)?.into_iter().next() {
        Some(Origin::Embedded) => "it is built in".to_owned(),
        Some(Origin::File(path) | Origin::Folder(path)) => {
            format!("it is {}, which was not added", path.display())
        }
        None => {
            let own = shell.catalogue.list()?.into_iter();
            let own = own.filter(|listing| Path::new(&listing.source).starts_with(folder));
            let own: Vec<String> = own.map(|listing| listing.name).collect();
            let place = Some(format!("`{}`", folder.display()));
            let own = own.iter().map(String::as_str);
            return Ok(Error::unknown("data set", name, place, own));
        }
    };
    let help = "only what `evocracy data add` added can be removed";
    Ok(Error::unsuitable(format!("`{name}` cannot be removed: {what}"), help))
}

/// Refuses names that are none of a data set, such as paths.
fn check_name(of: &str, name: &str) -> Result<()> {
    let valid = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.len() <= 64 && name.chars().all(valid) {
        return Ok(());
    }
    Err(Error::Param {
        of: of.to_owned(),
        name: "NAME".to_owned(),
        expected: "letters, digits, - and _, at most 64".to_owned(),
        got: name.to_owned(),
    }
    .into())
}

/// Your own data folder.
fn own_folder() -> Result<PathBuf> {
    user_folder().ok_or_else(|| {
        Error::unsuitable("there is no home folder to keep data sets in", "set XDG_DATA_HOME")
            .into()
    })
}

/// The ending of a table's file name; other names are read as CSV.
fn ending(file: &Path) -> &'static str {
    let name = file.to_string_lossy();
    ENDINGS.into_iter().find(|ending| name.ends_with(ending)).unwrap_or(".csv")
}

fn existing(folder: &Path, name: &str) -> Option<PathBuf> {
    ENDINGS.iter().map(|e| folder.join(format!("{name}{e}"))).find(|path| path.exists())
}
