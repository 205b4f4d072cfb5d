//! Data sets by name.
//!
//! A name is looked up in this order: a file of that path, the folders of the catalogue, the
//! sets compiled into the library. `pima:train` is a published part, `banana@3` a published
//! partition, `gen:moons:rows=500` is made on the spot (see [`generate`]).

mod embedded;
mod folder;
mod load;

pub use load::Load;

use super::generate::{self, GeneratorPlan};
use super::read::{self, Read, Reading, Source, Waiting, read_all, read_table_until, texts};
use super::{Column, Dataset, Schema, Split, Table};
use crate::error::{Error, Place, Remedy, Result};
use crate::param::Param;
use crate::run::Stop;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The folders that data sets are looked up in, before the embedded ones.
#[derive(Debug, Clone)]
pub struct Catalogue {
    folders: Vec<PathBuf>,
    /// The most bytes of a named pipe, which is read into memory.
    memory: u64,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self { folders: Vec::new(), memory: u64::MAX }
    }
}

/// A data set as the catalogue lists it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Listing {
    /// The name to open it by.
    pub name: String,
    /// What it is about; empty where that is not known.
    pub about: String,
    /// Where it comes from: a citation, or the file it is read from.
    pub source: String,
    /// Its licence, where that is known.
    pub licence: String,
    /// Whether it is compiled into the library.
    pub embedded: bool,
    /// What can be set in its name; empty unless it is made on the spot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Param>,
}

/// Where a name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The file of that path.
    File(PathBuf),
    /// A folder of the catalogue: the first file of the data set there.
    Folder(PathBuf),
    /// The library.
    Embedded,
}

/// Where the rows of a data set are.
enum Tables {
    /// Tables with the same columns, one below the other.
    Below(Vec<Source>),
    /// Tables with the same rows and classes, side by side.
    Beside(Vec<Source>),
}

/// How a data set was split by those who published it.
enum Published {
    /// It was not.
    None,
    /// The first source is for training, the second for testing.
    FirstSource,
    /// The first rows are for training.
    FirstRows(usize),
    /// A JSON file of row numbers.
    Partitions(Source),
    /// A table of samples whose column `set` says `train` or `test`.
    Samples(Source),
}

/// A data set that was found and not yet read.
struct Located {
    rows: Tables,
    published: Published,
    /// A table with a line for each column whose last cell describes it.
    labels: Option<Source>,
}

impl Located {
    fn plain(source: Source) -> Self {
        Self { rows: Tables::Below(vec![source]), published: Published::None, labels: None }
    }

    /// The files behind it, those of the rows first.
    fn files(self) -> Vec<PathBuf> {
        let (Tables::Below(mut sources) | Tables::Beside(mut sources)) = self.rows;
        sources.extend(self.labels);
        if let Published::Partitions(source) | Published::Samples(source) = self.published {
            sources.push(source);
        }
        sources.iter().flat_map(Source::files).collect()
    }
}

impl Catalogue {
    /// Only the embedded data sets.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// These folders first, then the embedded data sets.
    pub fn with_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders, ..Self::default() }
    }

    /// The same catalogue, which refuses a named pipe of more bytes than these.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// All data sets, those of the folders first.
    pub fn list(&self) -> Result<Vec<Listing>> {
        let mut all: Vec<Listing> = Vec::new();
        for folder in &self.folders {
            all.extend(folder::list(folder)?);
        }
        all.extend(embedded::list());
        all.extend(generate::list());
        Ok(all)
    }

    /// The listing of `name`: the first one that [`Catalogue::open`] would find. Parts,
    /// partitions and the parameters of generators are left aside.
    pub fn show(&self, name: &str) -> Result<Listing> {
        let all = self.list()?;
        let name = if name.starts_with(generate::PREFIX) {
            generate::base(name)
        } else {
            name.split([':', '@']).next().unwrap_or(name)
        };
        let found = all.iter().find(|listing| listing.name == name).cloned();
        found.ok_or_else(|| {
            Error::unknown("data set", name, None, all.iter().map(|l| l.name.as_str()))
        })
    }

    /// Opens a file or a data set by name.
    pub fn open(&self, name: &str, load: &Load) -> Result<Dataset> {
        self.open_until(&Stop::new(), name, load)
    }

    /// As [`Catalogue::open`]; when `stop` is raised meanwhile, it ends with
    /// [`Error::Stopped`].
    pub fn open_until(&self, stop: &Stop, name: &str, load: &Load) -> Result<Dataset> {
        if read::is_pipe(Path::new(name)) {
            let source = Waiting::whole_pipe(Path::new(name), self.memory, stop)?;
            return load_found(stop, name, Located::plain(source), load);
        }
        if let Some(source) = read::at(Path::new(name))? {
            return load_found(stop, name, Located::plain(source), load);
        }
        if name.starts_with(generate::PREFIX) {
            return Dataset::new(
                name,
                GeneratorPlan::parse(name)?.generate(load.seed)?,
                &load.options,
            );
        }
        let (base, wanted) = split_name(name)?;
        let Some(found) = self.find(base)? else { return Err(self.not_found(name, base)) };
        let data = load_found(stop, base, found, load)?;
        match wanted {
            Wanted::All => Ok(data),
            Wanted::Partition(number) => {
                let split = data.published.get(number - 1).cloned().ok_or_else(|| {
                    let what =
                        format!("`{base}` has {} published partitions", data.published.len());
                    Error::unsuitable(what, "partitions are counted from 1")
                })?;
                let mut data = data.with_published(vec![split]);
                name.clone_into(&mut data.name);
                Ok(data)
            }
            Wanted::Part(part) => {
                let split = data.published.first().ok_or_else(|| {
                    let what = format!("`{base}` has no published parts");
                    Error::unsuitable(what, Remedy::HoldOut { part: part.to_owned() })
                })?;
                let rows = if part == "train" { &split.train } else { &split.test };
                data.part(name, rows)
            }
        }
    }

    /// Opens a table that does not stand under a name, such as standard input.
    pub fn open_source(&self, stop: &Stop, source: &Source, load: &Load) -> Result<Dataset> {
        load_found(stop, source.name(), Located::plain(source.clone()), load)
    }

    /// The files that `name` is read from; none for a data set that is embedded, made on the spot
    /// or not there.
    pub fn files(&self, name: &str) -> Vec<PathBuf> {
        // Opening a pipe would wait for its writer, and take what was written.
        if read::is_pipe(Path::new(name)) {
            return Vec::new();
        }
        if let Ok(Some(source)) = read::at(Path::new(name)) {
            return source.files();
        }
        let Ok((base, _)) = split_name(name) else { return Vec::new() };
        let Ok(Some(located)) = self.find(base) else { return Vec::new() };
        located.files()
    }

    /// Where `name` is found, in the order in which it is looked up: the first one is opened, the
    /// others are in its shadow. Empty for what is made on the spot or not there.
    pub fn origins(&self, name: &str) -> Result<Vec<Origin>> {
        let mut origins = Vec::new();
        if read::is_pipe(Path::new(name)) {
            return Ok(origins);
        }
        if let Some(source) = read::at(Path::new(name))? {
            origins.extend(source.files().into_iter().next().map(Origin::File));
        }
        if name.starts_with(generate::PREFIX) {
            return Ok(origins);
        }
        let Ok((base, _)) = split_name(name) else { return Ok(origins) };
        for folder in &self.folders {
            let found = folder::find(folder, base)?;
            let file = found.and_then(|located| located.files().into_iter().next());
            origins.extend(file.map(Origin::Folder));
        }
        origins.extend(embedded::find(base).map(|_| Origin::Embedded));
        Ok(origins)
    }

    fn find(&self, name: &str) -> Result<Option<Located>> {
        for folder in &self.folders {
            if let Some(found) = folder::find(folder, name)? {
                return Ok(Some(found));
            }
        }
        Ok(embedded::find(name))
    }

    fn not_found(&self, name: &str, base: &str) -> Error {
        let path = Path::new(name);
        if path.is_dir() {
            let help =
                "name a table in it, or put the folder in EVOCRACY_DATA to open its tables by name";
            return Error::unsuitable(format!("`{name}` is a folder, not a table"), help);
        }
        let looks_like_a_file = name.contains(['/', '\\']) || path.extension().is_some();
        if !looks_like_a_file {
            let known = self.list().unwrap_or_default();
            let known = known.iter().map(|l| l.name.as_str());
            let mut error = Error::unknown("data set", base, None, known.clone());
            let made = known.clone().find(|name| name.strip_prefix(generate::PREFIX) == Some(base));
            if let (Error::Unknown { near, .. }, Some(made)) = (&mut error, made) {
                *near = vec![made.to_owned()];
            }
            return error;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .map(|entries| entries.flatten().map(|e| e.path().display().to_string()).collect())
            .unwrap_or_default();
        for file in &mut files {
            if let Some(here) = file.strip_prefix("./").filter(|_| !name.starts_with("./")) {
                *file = here.to_owned();
            }
        }
        files.sort();
        Error::unknown("file", name, None, files.iter().map(String::as_str))
    }
}

/// Which part of a data set a name asks for.
enum Wanted<'a> {
    All,
    Partition(usize),
    Part(&'a str),
}

fn split_name(name: &str) -> Result<(&str, Wanted<'_>)> {
    if let Some((base, number)) = name.split_once('@') {
        let number = number.parse().ok().filter(|&n| n > 0).ok_or_else(|| Error::Param {
            of: base.to_owned(),
            name: "partition".to_owned(),
            expected: "a whole number from 1".to_owned(),
            got: number.to_owned(),
        })?;
        return Ok((base, Wanted::Partition(number)));
    }
    match name.split_once(':') {
        Some((base, part @ ("train" | "test"))) => Ok((base, Wanted::Part(part))),
        Some((base, part)) => {
            Err(Error::unknown("part", part, Some(format!("`{base}`")), ["train", "test"]))
        }
        None => Ok((name, Wanted::All)),
    }
}

fn load_found(stop: &Stop, name: &str, found: Located, load: &Load) -> Result<Dataset> {
    let Read { table, rows: source_rows, written, first_texts } = match &found.rows {
        Tables::Below(sources) => read_all(stop, sources, &load.format)?,
        Tables::Beside(sources) => Read {
            table: beside(stop, sources, load)?,
            rows: Vec::new(),
            written: Vec::new(),
            first_texts: Vec::new(),
        },
    };
    let rows = table.rows();
    let table = match &found.labels {
        Some(source) => with_labels(table, source)?,
        None => table,
    };
    let first = |n: usize| {
        let (n, rows) = (n as u32, rows as u32);
        vec![Split { train: (0..n).collect(), test: (n..rows).collect() }]
    };
    let published = match found.published {
        Published::None => Vec::new(),
        Published::FirstSource => first(source_rows[0]),
        Published::FirstRows(n) => first(n.min(rows)),
        Published::Partitions(source) => partitions(&source, rows)?,
        Published::Samples(source) => samples(&source, rows)?,
    };
    let ends = source_rows.iter().scan(0, |end, rows| {
        *end += rows;
        Some(*end)
    });
    let starts: Vec<usize> = ends.take(source_rows.len().saturating_sub(1)).collect();
    let data = Dataset::of_files(name.to_owned(), table, &starts, &load.options)?;
    let data = data.with_published(published);
    if data.unlabelled() > 0 && !data.published.is_empty() {
        let what = format!("rows of `{name}` have no target, and its published parts count them");
        return Err(Error::unsuitable(what, "fill in the targets"));
    }
    Ok(data.with_reading(Reading::of(&load.format, written), first_texts))
}

/// Tables with the same last column, side by side.
fn beside(stop: &Stop, sources: &[Source], load: &Load) -> Result<Table> {
    let mut schema = Schema::default();
    let mut columns: Vec<Column> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let (table, _) = read_table_until(stop, std::slice::from_ref(source), &load.format)?;
        let (mut part, mut part_columns) = table.into_parts();
        let (class, codes) = (part.fields.pop(), part_columns.pop());
        schema.fields.extend(part.fields);
        columns.extend(part_columns);
        let last = at + 1 == sources.len();
        if let (true, Some(class), Some(codes)) = (last, class, codes) {
            schema.fields.push(class);
            columns.push(codes);
        }
    }
    Table::new(schema, columns)
}

/// Describes the columns by the last cells of a side table, line by line.
fn with_labels(table: Table, source: &Source) -> Result<Table> {
    let labels = texts(source, None)?;
    let (mut schema, columns) = table.into_parts();
    for (field, label) in schema.fields.iter_mut().zip(labels) {
        field.label = Some(label).filter(|label| !label.is_empty());
    }
    Table::new(schema, columns)
}

/// The row numbers of published partitions.
#[derive(serde::Deserialize)]
struct PartitionFile {
    train: Vec<Vec<u32>>,
    test: Vec<Vec<u32>>,
}

fn partitions(source: &Source, rows: usize) -> Result<Vec<Split>> {
    let refuse = |problem: String| {
        let place = Place { source: source.name().to_owned(), ..Place::default() };
        Error::table(place, problem, "lists `train` and `test` of lists of row numbers", "")
    };
    let file: PartitionFile =
        serde_json::from_reader(std::io::BufReader::new(source.open()?.input))
            .map_err(|e| refuse(e.to_string()))?;
    let inside = |list: &Vec<u32>| list.iter().all(|&row| (row as usize) < rows);
    if file.train.len() != file.test.len() || !file.train.iter().chain(&file.test).all(inside) {
        return Err(refuse(format!("the row numbers do not fit a table of {rows} rows")));
    }
    // A row that was learnt from is no row to be judged on.
    let shared = |(train, test): (&Vec<u32>, &Vec<u32>)| {
        let train: HashSet<u32> = train.iter().copied().collect();
        test.iter().find(|row| train.contains(row)).copied()
    };
    let mut pairs = file.train.iter().zip(&file.test).enumerate();
    if let Some((at, row)) = pairs.find_map(|(at, pair)| Some((at, shared(pair)?))) {
        let both = format!("row {row} is in both parts of partition {}", at + 1);
        return Err(refuse(both));
    }
    let split = |(train, test)| Split { train, test };
    Ok(file.train.into_iter().zip(file.test).map(split).collect())
}

fn samples(source: &Source, rows: usize) -> Result<Vec<Split>> {
    let sets = texts(source, Some("set"))?;
    let part = |wanted: &str| {
        let chosen = sets.iter().take(rows).enumerate().filter(|(_, set)| *set == wanted);
        chosen.map(|(row, _)| row as u32).collect()
    };
    Ok(vec![Split { train: part("train"), test: part("test") }])
}
