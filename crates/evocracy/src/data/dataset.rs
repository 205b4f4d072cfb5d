//! A table with a target chosen: the owner that tasks borrow from.

use super::read::Reading;
use super::row_names::{LeftOut, counting, naming_rows};
use super::target::{labelled, with_target};
use super::{Classes, Column, Kind, MISSING, Split, Table, Target, Task, View};
use crate::error::{Error, Place, Remedy, Result};
use std::collections::HashSet;

/// Column names that are taken as the target when none is given, in this order.
const TARGET_NAMES: [&str; 4] = ["class", "target", "label", "y"];

/// What kind of target to make of the target column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal {
    /// Classes where the column is nominal or holds few whole numbers, else a number.
    #[default]
    Auto,
    /// Classes, whatever the column holds.
    Class,
    /// A number.
    Number,
}

/// How to make a data set of a table.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The column to predict; by default `class`, `target`, `label` or `y`, else the last.
    pub target: Option<String>,
    /// The class that counts as positive; by default the last one.
    pub positive: Option<String>,
    /// A column of row weights.
    pub weights: Option<String>,
    /// Columns not to learn from.
    pub ignore: Vec<String>,
    /// Classes or a number.
    pub goal: Goal,
    /// Whether columns that name the rows are left out, all but these.
    pub row_names: Option<Vec<String>>,
    /// Whether rows without a target are left out; else they are an error.
    pub drop_unlabelled: bool,
}

/// A table with a target, and the published ways to split it.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// What it is called, for messages and results.
    pub name: String,
    /// Published train/test splits, in order; empty where there are none.
    pub published: Vec<Split>,
    table: Table,
    target: usize,
    features: Vec<u32>,
    classes: Option<Classes>,
    weights: Option<Vec<f64>>,
    left_out: Vec<LeftOut>,
    reading: Reading,
    /// Of columns that were found to hold texts the first one that is no number, with its place.
    first_texts: Vec<(String, String, String)>,
    unlabelled: usize,
}

impl Dataset {
    /// Chooses target and features of a table.
    pub fn new(name: impl Into<String>, table: Table, options: &Options) -> Result<Self> {
        Self::of_files(name.into(), table, &[], options)
    }

    /// As [`Dataset::new`], of a table that was read from several files; those after the first begin
    /// at the rows `starts`.
    pub(super) fn of_files(
        name: String,
        table: Table,
        starts: &[usize],
        options: &Options,
    ) -> Result<Self> {
        let target = find_target(&table, options, &name)?;
        let all = table.rows();
        // Before rows are left out, which would tear gaps into a count.
        let counting = counting(&table, starts);
        let table = if options.drop_unlabelled { labelled(table, target)? } else { table };
        let unlabelled = all - table.rows();
        let mut left_out = vec![target];
        for ignored in &options.ignore {
            left_out.push(table.schema().find(ignored, &name)?);
        }
        let mut weights = None;
        if let Some(column) = &options.weights {
            let position = table.schema().find(column, &name)?;
            weights = Some(weights_of(&table, position, &name)?);
            left_out.push(position);
        }
        if left_out[1..].contains(&target) {
            let column = &table.schema().fields[target].name;
            return Err(Error::unsuitable(
                format!(
                    "the column `{column}` is the target and cannot be ignored or hold weights"
                ),
                Remedy::OtherTarget,
            ));
        }
        let (table, classes) = with_target(table, target, options, &name)?;
        let mut features = all_but(&left_out, table.schema().len());
        let mut names = Vec::new();
        if let Some(keep) = &options.row_names {
            keep.iter().try_for_each(|kept| table.schema().find(kept, &name).map(|_| ()))?;
            names = naming_rows(&table, &features, keep, classes.is_some(), &counting, &name)?;
            let column = |&at: &u32| &table.schema().fields[at as usize].name;
            let naming: HashSet<&String> = names.iter().map(|left| &left.column).collect();
            features.retain(|at| !naming.contains(column(at)));
        }
        if features.is_empty() {
            return Err(Error::table(
                Place { source: name, ..Place::default() },
                "there is no column to learn from",
                "at least one column beside the target",
                "",
            ));
        }
        let (published, left_out) = (Vec::new(), names);
        let (reading, first_texts) = (Reading::default(), Vec::new());
        Ok(Self {
            name,
            published,
            table,
            target,
            features,
            classes,
            weights,
            left_out,
            reading,
            first_texts,
            unlabelled,
        })
    }

    /// The same data set, which knows how it was read and what was noticed then.
    #[must_use]
    pub(super) fn with_reading(
        mut self,
        reading: Reading,
        first_texts: Vec<(String, String, String)>,
    ) -> Self {
        (self.reading, self.first_texts) = (reading, first_texts);
        self
    }

    /// How it was read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Of a column that was found to hold texts the first one that is no number, and its place.
    pub fn first_text(&self, column: &str) -> Option<(&str, &str)> {
        let found = self.first_texts.iter().find(|(name, ..)| name == column);
        found.map(|(_, text, place)| (text.as_str(), place.as_str()))
    }

    /// How many rows were left out because they had no target.
    pub fn unlabelled(&self) -> usize {
        self.unlabelled
    }

    /// The same data set with published splits.
    #[must_use]
    pub fn with_published(mut self, published: Vec<Split>) -> Self {
        self.published = published;
        self
    }

    /// Some rows as a data set of their own; it knows the levels and classes of the whole.
    pub fn part(&self, name: &str, rows: &[u32]) -> Result<Self> {
        let view = self.table.view().with_rows(rows);
        Ok(Self {
            name: name.to_owned(),
            published: Vec::new(),
            table: view.to_table()?,
            target: self.target,
            features: self.features.clone(),
            classes: self.classes.clone(),
            weights: self.weights.as_ref().map(|weights| view.pick(weights)),
            left_out: self.left_out.clone(),
            reading: self.reading.clone(),
            first_texts: self.first_texts.clone(),
            unlabelled: 0,
        })
    }

    /// The same rows of two classes: the positive one, and all others as one. A data set without
    /// classes, or with two, stays as it is.
    pub fn against_rest(mut self) -> Result<Self> {
        let Some(several) = self.classes.take_if(|classes| classes.len() > 2) else {
            return Ok(self);
        };
        let positive = several.positive();
        let classes = Classes::one_against_rest(&several.names()[positive]);
        let (mut schema, mut columns) = self.table.into_parts();
        let Column::Nominal(codes) = &mut columns[self.target] else {
            unreachable!("a target of classes is nominal")
        };
        for code in codes {
            *code = u32::from(*code as usize == positive);
        }
        schema.fields[self.target].kind = Kind::Nominal(classes.names().to_vec());
        self.table = Table::new(schema, columns)?;
        self.classes = Some(classes);
        Ok(self)
    }

    /// The columns that are not learnt from because they name the rows.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The whole table, target included.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The name of the target column.
    pub fn target_name(&self) -> &str {
        &self.table.schema().fields[self.target].name
    }

    /// The classes, or `None` where the target is a number.
    pub fn classes(&self) -> Option<&Classes> {
        self.classes.as_ref()
    }

    /// The class code of every row, or `None` where the target is a number.
    pub fn codes(&self) -> Option<&[u32]> {
        match &self.table.columns()[self.target] {
            Column::Nominal(codes) => Some(codes),
            Column::Number(_) => None,
        }
    }

    /// Whether rows have weights of their own.
    pub fn weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// The weight of every row, where rows have weights of their own.
    pub fn row_weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The positions of the columns to learn from.
    pub(super) fn feature_columns(&self) -> &[u32] {
        &self.features
    }

    /// The group of every row by a column that names it: equal cells are one group.
    pub fn groups(&self, column: &str) -> Result<Vec<u32>> {
        let position = self.table.schema().find(column, &self.name)?;
        let codes: Vec<u32> = match &self.table.columns()[position] {
            Column::Nominal(codes) => codes.clone(),
            Column::Number(values) => {
                let mut distinct: Vec<f64> =
                    values.iter().copied().filter(|v| !v.is_nan()).collect();
                distinct.sort_by(f64::total_cmp);
                distinct.dedup();
                let code = |v: &f64| distinct.partition_point(|d| d < v) as u32;
                values.iter().map(|v| if v.is_nan() { MISSING } else { code(v) }).collect()
            }
        };
        match codes.iter().position(|&code| code == MISSING) {
            None => Ok(codes),
            Some(row) => Err(Error::unsuitable(
                format!("row {row} has no group in the column `{column}`"),
                format!("give every row the name of its group; {COUNTED_FROM_0}"),
            )),
        }
    }

    /// The features of all rows.
    pub fn features(&self) -> View<'_> {
        self.table.view().with_columns(&self.features)
    }

    /// The task on all rows.
    pub fn task(&self) -> Result<Task<'_>> {
        let target = match (&self.table.columns()[self.target], &self.classes) {
            (Column::Nominal(codes), Some(classes)) => Target::Class { codes, classes },
            (Column::Number(values), _) => Target::Number(values),
            (Column::Nominal(_), None) => unreachable!("a nominal target has classes"),
        };
        Task::new(self.features(), self.target_name(), target, self.weights.as_deref())
    }
}

fn find_target(table: &Table, options: &Options, source: &str) -> Result<usize> {
    if let Some(name) = &options.target {
        return table.schema().find(name, source);
    }
    let named = TARGET_NAMES.iter().find_map(|wanted| {
        table.schema().names().position(|name| name.eq_ignore_ascii_case(wanted))
    });
    match named {
        Some(position) => Ok(position),
        None => table.schema().len().checked_sub(1).ok_or_else(|| {
            let place = Place { source: source.to_owned(), ..Place::default() };
            Error::table(place, "the table has no columns", "a header and rows", "")
        }),
    }
}

fn weights_of(table: &Table, position: usize, source: &str) -> Result<Vec<f64>> {
    let refuse = |problem: String, help: &str| {
        let column = Some(table.schema().fields[position].name.clone());
        let place = Place { source: source.to_owned(), column, ..Place::default() };
        Error::table(place, problem, "a number of at least 0 in every row", help)
    };
    let Column::Number(values) = &table.columns()[position] else {
        return Err(refuse("the weights are not numbers".to_owned(), "name another column"));
    };
    match values.iter().position(|weight| !weight.is_finite() || *weight < 0.0) {
        None => Ok(values.clone()),
        Some(row) if values[row].is_nan() => {
            Err(refuse(format!("row {row} has no weight"), COUNTED_FROM_0))
        }
        Some(row) => {
            Err(refuse(format!("row {row} has the weight {}", values[row]), COUNTED_FROM_0))
        }
    }
}

/// What the number of a row means, as everywhere in evocracy.
const COUNTED_FROM_0: &str = "rows are counted from 0, the header not counted";

/// The columns that are not left out, of so many.
fn all_but(left_out: &[usize], columns: usize) -> Vec<u32> {
    let mut left = vec![false; columns];
    for &column in left_out {
        left[column] = true;
    }
    (0..columns as u32).filter(|&column| !left[column as usize]).collect()
}
