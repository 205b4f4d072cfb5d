//! Data sets of the papers with their partitions: those of Raetsch, Ripley's pima, and MNIST.
//!
//! Those that are not embedded come from the folders of `EVOCRACY_DATA`.

mod digits;

use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, Split};
use evocracy::error::{Error, Result};
use evocracy::network::{Network, open_bif};
use evocracy::run::Run;
use rand::seq::SliceRandom;
use std::path::PathBuf;

/// Partitions of pima: Ripley's and random ones of the same sizes.
const PIMA: u64 = 10;

/// A data set and its partitions.
pub(crate) struct Problem {
    pub(crate) data: Dataset,
    pub(crate) splits: Vec<Split>,
}

impl Problem {
    /// One of `banana`, `breast-cancer`, `titanic`, `waveform` and `german` with the partitions of
    /// Raetsch, `pima` with Ripley's and random ones (fewer if `quick`), or `mnist` with its own.
    pub(crate) fn open(name: &str, run: &Run<'_>, quick: bool) -> Result<Self> {
        let data = catalogue().open(name, &Load::default())?;
        if name == "mnist" {
            return digits::fives(&data);
        }
        let mut splits = data.published.clone();
        if name == "pima" {
            let count = if quick { 3 } else { PIMA };
            splits.truncate(1);
            for number in 1..count {
                let mut rows: Vec<u32> = (0..data.table().rows() as u32).collect();
                rows.shuffle(&mut run.seed.child("pima", number).rng());
                let test = rows.split_off(splits[0].train.len());
                splits.push(Split { train: rows, test });
            }
        }
        Ok(Self { data, splits })
    }
}

/// The folders of `EVOCRACY_DATA`.
fn folders() -> Vec<PathBuf> {
    let listed = std::env::var_os("EVOCRACY_DATA").unwrap_or_default();
    std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// A published network: `networks/NAME.bif.gz` in one of the folders.
pub(crate) fn network(name: &str) -> Result<Network> {
    let file = format!("networks/{name}.bif.gz");
    match folders().iter().map(|folder| folder.join(&file)).find(|path| path.is_file()) {
        Some(path) => open_bif(&path),
        None => Err(Error::unsuitable(
            format!("there is no file `{file}` in the folders of EVOCRACY_DATA"),
            "name a folder that holds it in the variable EVOCRACY_DATA",
        )),
    }
}

/// The folders of `EVOCRACY_DATA` and the embedded data sets.
pub(crate) fn catalogue() -> Catalogue {
    let folders = folders();
    // Those of Raetsch and the numerals lie in folders of their own.
    let inner =
        folders.iter().flat_map(|folder| ["raetsch", "mfeat"].map(|name| folder.join(name)));
    let inner: Vec<PathBuf> = inner.collect();
    let all = folders.into_iter().chain(inner.into_iter().filter(|folder| folder.is_dir()));
    Catalogue::with_folders(all.collect())
}
