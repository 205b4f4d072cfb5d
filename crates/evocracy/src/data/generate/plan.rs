//! `gen:NAME[:SIZE...][:key=value...]`: reading the name of a generated data set.

use super::{GeneratorEntry, Shape, base, find};
use crate::data::Table;
use crate::error::{Error, Result};
use crate::param::{Bounds, refuse};
use crate::run::Seed;
use std::fmt;
use std::ops::RangeFrom;

/// What makes a table of a seed.
pub(super) type MakeTable = Box<dyn Fn(Seed) -> Result<Table> + Send + Sync>;

/// A shape and what makes a table of it.
pub(super) type Planned = (Shape, MakeTable);

pub(super) const SEEDS: RangeFrom<u64> = 0..;

/// A generated data set that was named and not yet made: its parameters are checked and its
/// size is known.
pub struct GeneratorPlan {
    name: &'static str,
    shape: Shape,
    seed: Option<u64>,
    make: MakeTable,
}

impl fmt::Debug for GeneratorPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, shape, seed, .. } = self;
        f.debug_struct("GeneratorPlan")
            .field("name", name)
            .field("shape", shape)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}

impl GeneratorPlan {
    /// Reads a text such as `gen:multiplexer:20:rows=5000:noise=0.1`.
    pub fn parse(spec: &str) -> Result<Self> {
        let entry = find(base(spec))?;
        let mut settings: Vec<(String, String)> = Vec::new();
        let mut sizes = entry.sizes.iter();
        for part in spec[base(spec).len()..].split(':').skip(1) {
            let (key, text) = match part.split_once('=') {
                Some((key, text)) => (key, text),
                None => (*sizes.next().ok_or_else(|| no_size(&entry, part))?, part),
            };
            known(&entry, key)?;
            if let Some((_, before)) = settings.iter().find(|(name, _)| name == key) {
                let got = format!("{before}` and `{text}");
                return Err(refuse(entry.name, key, "given once".to_owned(), got));
            }
            settings.push((key.to_owned(), text.to_owned()));
        }
        let seed = take_seed(&entry, &mut settings)?;
        let (shape, make) = (entry.plan)(&settings)?;
        Ok(Self { name: entry.name, shape, seed, make })
    }

    /// The name of the generator.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How large the table will be.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Makes the table with the seed of the text, or else with `seed`.
    pub fn generate(&self, seed: u64) -> Result<Table> {
        (self.make)(Seed::new(self.seed.unwrap_or(seed)))
    }
}

/// Refuses a parameter that the generator does not have.
fn known(entry: &GeneratorEntry, key: &str) -> Result<()> {
    let table = entry.parameters();
    if table.iter().any(|param| param.name == key) {
        return Ok(());
    }
    let names = table.iter().map(|param| param.name);
    Err(Error::unknown("parameter", key, Some(format!("`{}`", entry.name)), names))
}

fn no_size(entry: &GeneratorEntry, part: &str) -> Error {
    let what = match entry.sizes {
        [] => format!("`{}` takes no size `{part}`", entry.name),
        sizes => {
            format!("`{}` takes no size `{part}` beyond {}", entry.name, sizes.join(" and "))
        }
    };
    let names: Vec<&str> = entry.parameters().iter().map(|param| param.name).collect();
    Error::unsuitable(what, format!("write name=value; the names are {}", names.join(", ")))
}

fn take_seed(entry: &GeneratorEntry, settings: &mut Vec<(String, String)>) -> Result<Option<u64>> {
    let Some(at) = settings.iter().position(|(name, _)| name == "seed") else { return Ok(None) };
    let (name, text) = settings.remove(at);
    let refused = |_| refuse(entry.name, &name, SEEDS.takes(), text.clone());
    text.parse().map(Some).map_err(refused)
}
