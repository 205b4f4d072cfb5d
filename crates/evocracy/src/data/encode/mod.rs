//! Encoders: how raw columns become the inputs of a learner. They are fitted on training rows
//! only and saved with the model.
//!
//! A learner declares what it eats ([`Input`]) and the encoder follows; an [`Encoding`] asked for
//! comes before that. So an encoder is a list of stages, each a list of recipes, one for each
//! input; without stages the columns stay as they are.

mod bits;
mod dense;
mod mdl;
mod recipe;

pub use dense::MOST_LEVELS;
pub use recipe::Recipe;

use super::{Schema, Table, Task, View};
use crate::error::{Error, Result};
use recipe::Make;
use serde::{Deserialize, Serialize};

/// What a learner eats; the encoder that is fitted before it follows from this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Columns as they are: numbers, nominal codes, missing values.
    Mixed,
    /// Numbers only: standardised, one-hot, imputed with an indicator.
    Dense,
    /// 0, 1 or missing: [`Encoding::Bits`] with this many bins for a number.
    Bits(usize),
    /// Levels only: numbers are cut as by [`Encoding::Mdl`], save that a number without any cut
    /// stays, as a column of one level. Missing values stay missing, and a level that training
    /// did not show is one.
    Levels,
}

/// What a person may ask to be made of the columns before a learner gets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Nothing: what the learner eats decides.
    #[default]
    Auto,
    /// Levels as their positions.
    Ordinal,
    /// Levels in binary code, `k` levels in ceil(log2 k) bits; numbers as thermometers of this
    /// many quantile bins. Missing values stay missing.
    Bits(usize),
    /// Numbers cut where the classes change (Fayyad and Irani 1993).
    Mdl,
    /// Standardised numbers, a column for each level, missing values filled in and flagged.
    Dense,
}

/// How many quantile bins a number gets where none are asked for.
const BINS: usize = 8;

impl Encoding {
    /// The encoding called `text`: `auto`, `ordinal`, `bits`, `bits:16`, `mdl` or `dense`.
    pub fn parse(text: &str) -> Result<Self> {
        const KNOWN: [&str; 5] = ["auto", "ordinal", "bits", "mdl", "dense"];
        let (name, bins) = text.split_once(':').map_or((text, None), |(n, b)| (n, Some(b)));
        let refuse = |got: &str| Error::Param {
            of: "encode".to_owned(),
            name: "bits".to_owned(),
            expected: "a whole number of bins from 2 to 256, as in bits:8".to_owned(),
            got: got.to_owned(),
        };
        match (name, bins) {
            ("bits", None) => Ok(Self::Bits(BINS)),
            ("bits", Some(bins)) => match bins.parse() {
                Ok(count @ 2..=256) => Ok(Self::Bits(count)),
                _ => Err(refuse(bins)),
            },
            ("auto", None) => Ok(Self::Auto),
            ("ordinal", None) => Ok(Self::Ordinal),
            ("mdl", None) => Ok(Self::Mdl),
            ("dense", None) => Ok(Self::Dense),
            _ => Err(Error::unknown("encoding", text, None, KNOWN)),
        }
    }

    /// Whether it is made by the labels of the rows that it is fitted to.
    pub fn reads_labels(self) -> bool {
        self == Self::Mdl
    }

    fn recipes(self, task: &Task<'_>) -> Result<Option<Vec<Recipe>>> {
        Ok(match self {
            Self::Auto => None,
            Self::Ordinal => Some(ordinal(task)),
            Self::Bits(bins) => Some(bits::recipes(task, bins)),
            Self::Mdl => Some(mdl::recipes(task, false)?),
            Self::Dense => Some(dense::recipes(task)),
        })
    }
}

/// How raw columns become inputs: one stage after the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Encoder {
    stages: Vec<Vec<Recipe>>,
}

/// Encoded columns: the raw view itself or a table of inputs.
#[derive(Debug)]
pub enum Encoded<'a> {
    /// The raw columns.
    Raw(View<'a>),
    /// Inputs made from them.
    Made(Table),
}

impl Encoded<'_> {
    /// The inputs, row by row those of the raw view.
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Raw(view) => *view,
            Self::Made(table) => table.view(),
        }
    }
}

impl Encoder {
    /// The encoder for what a learner eats, after the encoding that was asked for, fitted to the
    /// rows of the task.
    pub fn fit(encoding: Encoding, input: Input, task: &Task<'_>) -> Result<Self> {
        let mut encoder = Self::default();
        encoder.stages.extend(encoding.recipes(task)?);
        let last = match (input, encoding) {
            (Input::Dense, asked) if asked != Encoding::Dense => Encoding::Dense,
            (Input::Bits(_), Encoding::Bits(_)) => Encoding::Auto,
            (Input::Bits(bins), _) => Encoding::Bits(bins),
            _ => Encoding::Auto,
        };
        let encoded = encoder.encode(task.features)?;
        let task = &task.with_features(encoded.view());
        let numbers = task.features.fields().any(|field| field.kind == super::Kind::Number);
        let recipes = match input {
            Input::Levels => numbers.then(|| mdl::recipes(task, true)).transpose()?,
            _ => last.recipes(task)?,
        };
        drop(encoded);
        encoder.stages.extend(recipes);
        Ok(encoder)
    }

    /// The inputs of the rows in view, whose columns are those the encoder was fitted to.
    pub fn encode<'a>(&self, rows: View<'a>) -> Result<Encoded<'a>> {
        let mut encoded = Encoded::Raw(rows);
        for recipes in &self.stages {
            encoded = Encoded::Made(make(recipes, encoded.view())?);
        }
        Ok(encoded)
    }

    /// The raw column that input `input` was made from.
    pub fn source(&self, input: usize) -> usize {
        self.stages.iter().rev().fold(input, |input, recipes| recipes[input].column())
    }

    /// What input `input` of a row is made from, in words: `glu = 148`, `odor is f`; `None` where
    /// the column is the input. The rows are the raw ones.
    pub fn words(&self, input: usize, rows: View<'_>, row: usize) -> Option<String> {
        match &self.stages[..] {
            [] => None,
            [recipes] => recipes[input].words(rows, row),
            // What the later stages made of it says nothing to a person.
            _ => Some(recipe::words(rows, row, self.source(input))),
        }
    }

    /// Names and kinds of the inputs.
    pub fn output(&self, raw: &Schema) -> Schema {
        self.stages.iter().fold(raw.clone(), |schema, recipes| output(recipes, &schema))
    }

    /// Refuses recipes that do not fit the schema (after loading).
    pub fn check(&self, raw: &Schema) -> Result<()> {
        let mut schema = raw.clone();
        for recipes in &self.stages {
            if !fits(recipes, &schema) {
                return Err(Error::model_file("its encoder does not fit its columns"));
            }
            schema = output(recipes, &schema);
        }
        Ok(())
    }
}

fn make(recipes: &[Recipe], rows: View<'_>) -> Result<Table> {
    let raw = Schema { fields: rows.fields().cloned().collect() };
    if recipes.is_empty() {
        return Err(Error::unsuitable(
            "no column is left after encoding: all of them are constant in the training rows",
            "choose another encoding",
        ));
    }
    if !fits(recipes, &raw) {
        return Err(Error::unsuitable("the columns are not those of the training data", ""));
    }
    let columns = recipes.iter().map(|recipe| recipe.inputs(rows)).collect();
    Table::new(output(recipes, &raw), columns)
}

fn output(recipes: &[Recipe], raw: &Schema) -> Schema {
    Schema { fields: recipes.iter().map(|recipe| recipe.field(raw)).collect() }
}

/// Whether every input can be made of these columns. Without any input the rows would be lost: a
/// table counts them in its columns.
fn fits(recipes: &[Recipe], raw: &Schema) -> bool {
    !recipes.is_empty() && recipes.iter().all(|recipe| recipe.fits(raw))
}

/// Levels as their positions, numbers as they are.
fn ordinal(task: &Task<'_>) -> Vec<Recipe> {
    let made = |column: usize| match task.features.field(column).kind {
        super::Kind::Number => Recipe::new(column, Make::Copy),
        super::Kind::Nominal(_) => Recipe::new(column, Make::Position),
    };
    (0..task.features.columns()).map(made).collect()
}
