//! Data sets in a folder and its subfolders, told from the names of their files.
//!
//! | files | data set |
//! |---|---|
//! | `X.csv`, `X.tsv`, `X.arff`, plain or `.gz`, or `X.parquet` | `X` |
//! | `X-tr.csv` and `X-te.csv` | `X`, with its published parts |
//! | `X.splits.json` beside `X.csv` | published partitions, `X@1`, `X@2`, ... |
//! | `X.samples.csv` with a column `set` | published parts |
//! | `X.genes.csv` | a description of each column |
//! | folder `X` of `X-a.csv`, `X-b.csv`, ... | each of them, and `X` is all side by side |
//! | folder `X` with idx images and labels | `X`, a column for each pixel |

use super::super::read::{ENDINGS, Source};
use super::{Listing, Located, Published, Tables};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files of images; their labels are beside them.
const IMAGES: [&str; 2] = ["train-images-idx3-ubyte", "t10k-images-idx3-ubyte"];

/// All files of a folder and its direct subfolders, by the name of their folder and their own.
struct Files(BTreeMap<(String, String), PathBuf>);

impl Files {
    fn of(folder: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        for (name, path) in entries(folder)? {
            if path.is_dir() {
                for (inner, path) in entries(&path)?.into_iter().filter(|(_, p)| p.is_file()) {
                    files.insert((name.clone(), inner), path);
                }
            } else {
                files.insert((String::new(), name), path);
            }
        }
        Ok(Self(files))
    }

    /// Folder, name without ending and path of every table.
    fn tables(&self) -> impl Iterator<Item = (&str, &str, &Path)> {
        self.0.iter().filter_map(|((folder, file), path)| {
            let stem = ENDINGS.iter().find_map(|ending| file.strip_suffix(ending))?;
            Some((folder.as_str(), stem, path.as_path()))
        })
    }

    fn table(&self, name: &str) -> Option<(&str, Source)> {
        let found = self.tables().find(|(_, stem, _)| *stem == name);
        found.map(|(folder, _, path)| (folder, Source::file(path)))
    }

    /// The file `name` or `name.gz` in `folder`.
    fn side(&self, folder: &str, name: &str) -> Option<Source> {
        let path = |name: String| self.0.get(&(folder.to_owned(), name));
        path(name.to_owned()).or_else(|| path(format!("{name}.gz"))).map(|path| Source::file(path))
    }

    /// The tables of the folder `name` that are called after it.
    fn group(&self, name: &str) -> Vec<Source> {
        let prefix = format!("{name}-");
        let members = self.tables().filter(|(folder, stem, _)| {
            *folder == name && stem.starts_with(&prefix) && !stem.contains('.')
        });
        members.map(|(_, _, path)| Source::file(path)).collect()
    }

    /// The training and the test images of the folder `name`.
    fn images(&self, name: &str) -> Option<Vec<Source>> {
        IMAGES.iter().map(|file| self.side(name, file)).collect()
    }
}

fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let read = std::fs::read_dir(folder).map_err(|e| Error::io("read", folder, e))?;
    let named = |entry: std::fs::DirEntry| {
        entry.file_name().into_string().ok().map(|name| (name, entry.path()))
    };
    Ok(read.flatten().filter_map(named).collect())
}

pub(super) fn find(folder: &Path, name: &str) -> Result<Option<Located>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let files = Files::of(folder)?;
    if let Some((place, source)) = files.table(name) {
        let published = match files.side(place, &format!("{name}.splits.json")) {
            Some(splits) => Published::Partitions(splits),
            None => match files.side(place, &format!("{name}.samples.csv")) {
                Some(samples) if has_sets(&samples) => Published::Samples(samples),
                _ => Published::None,
            },
        };
        let labels = files.side(place, &format!("{name}.genes.csv"));
        return Ok(Some(Located { rows: Tables::Below(vec![source]), published, labels }));
    }
    let part = |end: &str| files.table(&format!("{name}-{end}")).map(|(_, source)| source);
    if let (Some(train), Some(test)) = (part("tr"), part("te")) {
        let (rows, published) = (Tables::Below(vec![train, test]), Published::FirstSource);
        return Ok(Some(Located { rows, published, labels: None }));
    }
    if let Some(parts) = files.images(name) {
        let (rows, published) = (Tables::Below(parts), Published::FirstSource);
        return Ok(Some(Located { rows, published, labels: None }));
    }
    let group = files.group(name);
    let rows = Tables::Beside(group.clone());
    Ok((group.len() > 1).then_some(Located { rows, published: Published::None, labels: None }))
}

/// Whether a table of samples says which set each belongs to.
fn has_sets(source: &Source) -> bool {
    super::texts(source, Some("set")).is_ok()
}

pub(super) fn list(folder: &Path) -> Result<Vec<Listing>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let files = Files::of(folder)?;
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (place, stem, path) in files.tables().filter(|(_, stem, _)| !stem.contains('.')) {
        let pair = stem.strip_suffix("-tr").or_else(|| stem.strip_suffix("-te"));
        let source = path.display().to_string();
        if let Some(base) = pair {
            names.entry(base.to_owned()).or_insert_with(|| source.clone());
        } else {
            names.insert(stem.to_owned(), source);
        }
        if files.group(place).len() > 1 {
            names
                .entry(place.to_owned())
                .or_insert_with(|| folder.join(place).display().to_string());
        }
    }
    for (place, _) in files.0.keys().filter(|(place, _)| files.images(place).is_some()) {
        names.insert(place.clone(), folder.join(place).display().to_string());
    }
    let listing = |(name, source)| {
        let (about, licence) = (String::new(), String::new());
        Listing { name, about, source, licence, embedded: false, parameters: Vec::new() }
    };
    Ok(names.into_iter().map(listing).collect())
}
