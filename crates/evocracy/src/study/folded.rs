//! Where methods are compared: a data set with the folds that all of them are judged on.

use super::trials::Tried;
use crate::classify::Decision;
use crate::data::{Classes, Column, Dataset, Split, Table};
use crate::error::{Error, Place, Result};
use crate::judge::{Protocol, Splits};
use crate::run::Seed;

/// How far from 1 the probabilities of a row may sum.
const SLACK: f64 = 1e-6;

/// The column that says which data set a row is of, where a file has several.
const DATA: &str = "data";

/// A data set with folds.
#[derive(Debug)]
pub struct Folded {
    /// The data set.
    pub data: Dataset,
    /// The folds, the same for all methods.
    pub splits: Splits,
    /// How many make a repeat.
    pub folds: usize,
    /// How many repeats there are.
    pub repeats: usize,
    /// The column whose equal cells stay in one fold.
    pub groups: Option<String>,
    /// What was made elsewhere, by name.
    pub(super) outside: Vec<(String, Vec<Tried>)>,
}

/// The fold of a row in a repeat, all counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assigned {
    /// The row of the table.
    pub row: u32,
    /// The repeat.
    pub repeat: u32,
    /// The fold it is judged in.
    pub fold: u32,
}

impl Folded {
    /// Stratified folds of a data set, each repeat with its own.
    pub fn new(data: Dataset, folds: usize, repeats: usize, seed: Seed) -> Result<Self> {
        Self::grouped(data, folds, repeats, None, seed)
    }

    /// As [`Folded::new`]; rows of one group, by a column that names it, stay in one fold.
    pub fn grouped(
        data: Dataset,
        folds: usize,
        repeats: usize,
        groups: Option<String>,
        seed: Seed,
    ) -> Result<Self> {
        let protocol = Protocol::Folds { folds, repeats, groups: groups.clone() };
        let splits = protocol.splits(&data, seed)?;
        Ok(Self { data, splits, folds, repeats, groups, outside: Vec::new() })
    }

    /// The group of every row, where rows come in groups.
    pub(super) fn group_of(&self) -> Result<Option<Vec<u32>>> {
        self.groups.as_ref().map(|column| self.data.groups(column)).transpose()
    }

    /// Folds that were made elsewhere: for each repeat the fold of every row, counted from 0.
    pub fn with_folds(data: Dataset, folds: &[Vec<u32>]) -> Result<Self> {
        let count = folds.iter().flatten().max().map_or(0, |fold| *fold as usize + 1);
        let rows = data.table().rows();
        for (repeat, of) in folds.iter().enumerate() {
            let mut used = vec![false; count];
            for fold in of {
                used[*fold as usize] = true;
            }
            if of.len() != rows || count < 2 || used.contains(&false) {
                let what = format!("repeat {repeat} does not put {rows} rows into {count} folds");
                let help = "give every row a fold; each of at least two folds needs a row";
                return Err(Error::unsuitable(what, help));
            }
        }
        let fold = |of: &Vec<u32>, fold: usize| Split::of_fold(of, fold as u32);
        let list = folds.iter().flat_map(|of| (0..count).map(move |at| fold(of, at)));
        let (splits, repeats) = (Splits::given(list.collect(), count), folds.len());
        Ok(Self { data, splits, folds: count, repeats, groups: None, outside: Vec::new() })
    }

    /// The fold of every row in every repeat: repeat after repeat, row after row.
    pub fn assigned(&self) -> Vec<Assigned> {
        let rows = self.data.table().rows();
        let mut all = Vec::with_capacity(rows * self.repeats);
        for repeat in 0..self.repeats as u32 {
            let base = all.len();
            all.extend((0..rows as u32).map(|row| Assigned { row, repeat, fold: 0 }));
            for fold in 0..self.folds as u32 {
                let split = self.splits.get(repeat as usize * self.folds + fold as usize);
                for &row in &split.test {
                    all[base + row as usize].fold = fold;
                }
            }
        }
        all
    }

    /// Adds probabilities that were made elsewhere on these folds: a table with the columns `row`,
    /// `repeat`, `fold` and one for each class by its name, or `prediction` for numbers. Where it
    /// has a column `data`, rows of other data sets are passed over; further columns do not count.
    ///
    /// Refused unless every row of every repeat stands there once, in the fold that judges it, with
    /// probabilities that sum to 1.
    pub fn outside(&mut self, name: &str, table: &Table, source: &str) -> Result<()> {
        let said = Reader { folded: self, table, source }.tried()?;
        self.outside.push((name.to_owned(), said));
        Ok(())
    }
}

/// A table of predictions that were made elsewhere.
struct Reader<'a> {
    folded: &'a Folded,
    table: &'a Table,
    source: &'a str,
}

impl Reader<'_> {
    /// What was said of the rows of each fold.
    fn tried(&self) -> Result<Vec<Tried>> {
        let (folded, at) = (self.folded, self.lines()?);
        let rows = folded.data.table().rows();
        let columns: Vec<&[f64]> = match folded.data.classes() {
            Some(classes) => {
                let names = classes.names().iter();
                names.map(|name| self.numbers(name)).collect::<Result<_>>()?
            }
            None => vec![self.numbers("prediction")?],
        };
        let mut all = Vec::with_capacity(folded.splits.len());
        for split in 0..folded.splits.len() {
            let (_, repeat) = folded.splits.place(split);
            let test = &folded.splits.get(split).test;
            let lines: Vec<usize> =
                test.iter().map(|&row| at[repeat as usize * rows + row as usize]).collect();
            let cells = lines.iter().flat_map(|&line| columns.iter().map(move |of| of[line]));
            let values: Vec<f64> = cells.collect();
            let calls = if let Some(classes) = folded.data.classes() {
                self.probabilities(classes, &values, &lines)?;
                Decision::default().calls(&values, classes)
            } else {
                self.finite(&values, &lines)?;
                Vec::new()
            };
            all.push(Tried { values, calls, ..Tried::default() });
        }
        Ok(all)
    }

    /// Where in the table each row of each repeat stands: repeat after repeat, row after row.
    fn lines(&self) -> Result<Vec<usize>> {
        let folded = self.folded;
        let (count, repeats) = (folded.data.table().rows(), folded.repeats);
        let rows = self.whole("row", count)?;
        let of_repeat = self.whole("repeat", repeats)?;
        let folds = self.whole("fold", folded.folds)?;
        let assigned = folded.assigned();
        let mut at = vec![usize::MAX; assigned.len()];
        for line in (0..self.table.rows()).filter(|&line| self.is_ours(line)) {
            let (row, repeat, fold) = (rows(line)?, of_repeat(line)?, folds(line)?);
            let place = repeat * count + row;
            let own = assigned[place].fold as usize;
            if fold != own {
                let problem =
                    format!("row {row} of repeat {repeat} is judged in fold {own}, not in {fold}");
                return Err(self.refuse(line, "fold", problem, "the folds of this comparison"));
            }
            if at[place] != usize::MAX {
                let problem = format!("row {row} of repeat {repeat} stands here a second time");
                return Err(self.refuse(line, "row", problem, "every row of every repeat once"));
            }
            at[place] = line;
        }
        if let Some(place) = at.iter().position(|line| *line == usize::MAX) {
            let what = format!(
                "{}: row {} of repeat {} is missing",
                self.source,
                place % count,
                place / count
            );
            let wanted = format!(
                "give every row of `{}` once in each of {repeats} repeats; all are counted from 0",
                folded.data.name
            );
            return Err(Error::unsuitable(what, wanted));
        }
        Ok(at)
    }

    /// Whether a line is of this data set.
    fn is_ours(&self, line: usize) -> bool {
        let position = self.table.schema().names().position(|name| name == DATA);
        position.is_none_or(|at| {
            self.table.view().show(line, at).as_deref() == Some(self.folded.data.name.as_str())
        })
    }

    /// Reads whole numbers below `most` from a column.
    fn whole(&self, name: &'static str, most: usize) -> Result<impl Fn(usize) -> Result<usize>> {
        let values = self.numbers(name)?;
        Ok(move |line: usize| {
            let value = values[line];
            if value >= 0.0 && value < most as f64 && value.fract() == 0.0 {
                return Ok(value as usize);
            }
            let expected = format!("a whole number from 0 to {}", most - 1);
            Err(self.refuse(line, name, format!("the {name} is {value}"), &expected))
        })
    }

    fn numbers(&self, name: &str) -> Result<&[f64]> {
        let position = self.table.schema().find(name, self.source)?;
        match &self.table.columns()[position] {
            Column::Number(values) => Ok(values),
            Column::Nominal(_) => {
                let what = format!("the column `{name}` of {} does not hold numbers", self.source);
                Err(Error::unsuitable(what, "write numbers into it"))
            }
        }
    }

    /// Refuses rows that are not probabilities.
    fn probabilities(&self, classes: &Classes, flat: &[f64], lines: &[usize]) -> Result<()> {
        for (proba, &line) in flat.chunks_exact(classes.len()).zip(lines) {
            let outside = proba.iter().position(|p| !(-SLACK..=1.0 + SLACK).contains(p));
            if let Some(class) = outside {
                let problem = format!("the probability is {}", proba[class]);
                let expected = "a number from 0 to 1";
                return Err(self.refuse(line, &classes.names()[class], problem, expected));
            }
            let sum: f64 = proba.iter().sum();
            if (sum - 1.0).abs() > SLACK {
                let problem = format!("the probabilities of this row sum to {sum}");
                return Err(self.refuse(line, &classes.names()[0], problem, "a sum of 1"));
            }
        }
        Ok(())
    }

    /// Refuses predictions that are no numbers.
    fn finite(&self, values: &[f64], lines: &[usize]) -> Result<()> {
        let Some(at) = values.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let problem = format!("the prediction is {}", values[at]);
        Err(self.refuse(lines[at], "prediction", problem, "a number"))
    }

    fn refuse(&self, line: usize, column: &str, problem: String, expected: &str) -> Error {
        let place = Place {
            source: self.source.to_owned(),
            // Counted from 1, with the header.
            line: Some(line as u64 + 2),
            column: Some(column.to_owned()),
            ..Place::default()
        };
        Error::table(place, problem, expected, "")
    }
}
