//! Data sets that are made on the spot, by a seed and a few parameters.
//!
//! `gen:NAME[:SIZE...][:key=value...]` names one on the command line ([`GeneratorPlan`] reads it); in a
//! program each is a struct of parameters with [`Generator::generate`]:
//!
//! ```
//! use evocracy::data::generate::{Generator, Multiplexer, RowCount};
//! use evocracy::run::Seed;
//!
//! let table = Multiplexer::default().size(11).rows(RowCount::All).generate(Seed::new(1))?;
//! assert_eq!((table.rows(), table.schema().len()), (2048, 12));
//! # Ok::<(), evocracy::error::Error>(())
//! ```
//!
//! Columns and noise draw from child seeds of their own. So the same seed gives the same bytes,
//! another noise disturbs the same rows, and fewer rows are the first rows of more (save of
//! `genes`, whose classes are balanced over all rows).

mod bits;
mod curves;
mod draw;
mod genes;
mod multiplexer;
mod plan;
mod plane;
mod ripley;
mod row_count;
mod waveform;

pub use bits::{Parity, Xor};
pub use curves::{Friedman1, Sinc, friedman1, sinc};
pub use genes::{Genes, Role, Truth};
pub use multiplexer::{Multiplexer, Sizes};
pub use plan::GeneratorPlan;
pub use plane::{Checkerboard, Moons};
pub use ripley::{Ripley, ripley_posterior};
pub use row_count::{RowCount, RowRange};
pub use waveform::{Waveform, waveform_posterior};

use super::Table;
use super::catalogue::Listing;
use crate::error::{Error, Result};
use crate::param::{Param, Params, refuse};
use crate::run::Seed;

/// What generators' names start with.
pub const PREFIX: &str = "gen:";

/// A generated table has at most this many cells, so that a slip of the keyboard does not
/// exhaust the memory: 800 MB of numbers.
pub const MOST_CELLS: usize = 100_000_000;

/// The largest number of columns beside the target.
pub const MOST_COLUMNS: usize = 100_000;

/// How large a table will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How many rows.
    pub rows: usize,
    /// How many columns, the target included.
    pub columns: usize,
}

impl Shape {
    /// How many cells, or `None` where no machine could count them.
    pub fn cells(self) -> Option<usize> {
        self.rows.checked_mul(self.columns)
    }
}

/// Parameters that a table can be made of.
pub trait Generator: Params {
    /// The parameters that may be given by position, as in `gen:multiplexer:20`.
    const SIZES: &'static [&'static str] = &[];
    /// Where it was published, or what it is otherwise known as.
    const SOURCE: &'static str;

    /// How large the table will be; refuses parameters that do not fit each other.
    fn shape(&self) -> Result<Shape>;

    /// Makes the table of parameters that [`Generator::generate`] has checked; call that.
    fn make(&self, seed: Seed) -> Result<Table>;

    /// The table of these parameters and this seed. Its target is the last column: `class`, or
    /// `y` where it is a number.
    fn generate(&self, seed: Seed) -> Result<Table> {
        self.check()?;
        affordable(Self::NAME, self.shape()?)?;
        self.make(seed.child(Self::NAME, 0))
    }
}

/// Refuses tables of more than [`MOST_CELLS`] cells.
fn affordable(name: &str, shape: Shape) -> Result<()> {
    if shape.cells().is_some_and(|cells| cells <= MOST_CELLS) {
        return Ok(());
    }
    let most = MOST_CELLS / shape.columns.max(1);
    let expected = format!(
        "at most {most} for {} columns (a table has at most {MOST_CELLS} cells)",
        shape.columns
    );
    Err(refuse(name, "rows", expected, shape.rows.to_string()))
}

/// A generator behind one type.
struct GeneratorEntry {
    name: &'static str,
    source: &'static str,
    sizes: &'static [&'static str],
    summary: fn() -> String,
    table: fn() -> Vec<Param>,
    /// The shape of the settings and what makes their table.
    plan: fn(&[(String, String)]) -> Result<plan::Planned>,
}

impl GeneratorEntry {
    fn of<G: Generator + Send + Sync + 'static>() -> Self {
        Self {
            name: G::NAME,
            source: G::SOURCE,
            sizes: G::SIZES,
            summary: G::summary,
            table: G::table,
            plan: |settings| {
                let generator = G::with(settings)?;
                let shape = generator.shape()?;
                affordable(G::NAME, shape)?;
                Ok((shape, Box::new(move |seed| generator.generate(seed))))
            },
        }
    }

    /// The parameters with the seed, which every generator takes.
    fn parameters(&self) -> Vec<Param> {
        let mut table = (self.table)();
        let seed = Param::new("seed", &["where the rows are drawn from"], &plan::SEEDS, &0);
        table.push(Param { default: "that of the run".to_owned(), ..seed });
        table
    }
}

/// All generators, in the order they are listed in.
fn registry() -> Vec<GeneratorEntry> {
    vec![
        GeneratorEntry::of::<Checkerboard>(),
        GeneratorEntry::of::<Friedman1>(),
        GeneratorEntry::of::<Genes>(),
        GeneratorEntry::of::<Moons>(),
        GeneratorEntry::of::<Multiplexer>(),
        GeneratorEntry::of::<Parity>(),
        GeneratorEntry::of::<Ripley>(),
        GeneratorEntry::of::<Sinc>(),
        GeneratorEntry::of::<Waveform>(),
        GeneratorEntry::of::<Xor>(),
    ]
}

fn find(name: &str) -> Result<GeneratorEntry> {
    let mut all = registry();
    match all.iter().position(|entry| entry.name == name) {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(Error::unknown("generator", name, None, all.iter().map(|entry| entry.name))),
    }
}

/// All generators as the catalogue lists them.
pub(super) fn list() -> Vec<Listing> {
    let listing = |entry: &GeneratorEntry| Listing {
        name: entry.name.to_owned(),
        about: phrase(&(entry.summary)()),
        source: entry.source.to_owned(),
        licence: String::new(),
        embedded: false,
        parameters: entry.parameters(),
    };
    registry().iter().map(listing).collect()
}

/// A sentence as the phrase it is in a list: no capital, no full stop.
fn phrase(sentence: &str) -> String {
    let mut letters = sentence.strip_suffix('.').unwrap_or(sentence).chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// The name of the generator in a text such as `gen:xor:bits=8`.
pub(super) fn base(spec: &str) -> &str {
    let name = spec.strip_prefix(PREFIX).unwrap_or(spec);
    let end = name.find(':').unwrap_or(name.len());
    &spec[..spec.len() - name.len() + end]
}

#[cfg(test)]
mod tests;
