//! What experts said of rows, as positions in the lists of what each of them can say.

use crate::data::{Cells, Classes, MISSING, Schema, Task, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What each expert can say.
///
/// A state is a label of the expert. Where training rows show that it abstains, to abstain is a
/// state too: who abstains when may tell something. An abstention that training did not show is
/// no state but [`MISSING`]. A label that training did not show counts as an empty cell, which is what
/// tables make of it when they are brought to the columns of a model
/// ([`Schema::conform`](crate::data::Schema::conform)): an abstention where there are any, else
/// [`MISSING`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Experts {
    /// How many labels each has.
    labels: Vec<u32>,
    /// Whether it abstains in training rows.
    abstains: Vec<bool>,
    /// For each state of each expert the class it is a vote for, or [`MISSING`].
    votes: Vec<Vec<u32>>,
}

impl Experts {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// How many states each has.
    pub fn states(&self) -> Vec<usize> {
        let each = self.labels.iter().zip(&self.abstains);
        each.map(|(&labels, &abstains)| labels as usize + usize::from(abstains)).collect()
    }

    /// The class that a state is a vote for.
    pub fn vote(&self, expert: usize, state: u32) -> Option<usize> {
        let vote = *self.votes[expert].get(state as usize)?;
        (vote != MISSING).then_some(vote as usize)
    }

    /// The same experts, with the votes of labels that are no classes learnt from these rows alone:
    /// what held-out rows show must not decide what a label is a vote for.
    pub fn learnt_from(&self, rows: &Rows, inputs: &Schema, classes: &Classes) -> Self {
        let named = Named::new(classes);
        let each = (0..self.len()).map(|expert| {
            let cells: Vec<u32> = (0..rows.len()).map(|row| rows.row(row)[expert]).collect();
            let names = inputs.fields[expert].levels();
            let mut votes = votes(names, &cells, &named, &rows.labels, &rows.weights);
            votes.extend(self.abstains[expert].then_some(MISSING));
            votes
        });
        Self { votes: each.collect(), ..self.clone() }
    }

    /// The name of a state: that of its label.
    pub fn name(inputs: &Schema, expert: usize, state: usize) -> &str {
        inputs.fields[expert].levels().get(state).map_or("abstains", String::as_str)
    }

    /// Whether these can be experts whose labels are the levels of these columns.
    pub fn check(&self, inputs: &Schema, classes: usize) -> Result<()> {
        let levels = inputs.fields.iter().map(|field| field.levels().len());
        let shapes = self.labels.len() == inputs.len()
            && self.abstains.len() == inputs.len()
            && self.votes.len() == inputs.len()
            && levels.zip(&self.labels).all(|(levels, &labels)| levels == labels as usize);
        let votes = || {
            let states = self.states();
            self.votes.iter().zip(states).all(|(votes, states)| {
                votes.len() == states
                    && votes.iter().all(|&vote| vote == MISSING || (vote as usize) < classes)
            })
        };
        if shapes && votes() {
            Ok(())
        } else {
            Err(Error::model_file("its experts do not fit its columns"))
        }
    }

    /// What the experts say of the rows in view, row after row.
    pub fn read(&self, rows: View<'_>) -> Result<Vec<u32>> {
        let (n, experts) = (rows.rows(), self.len());
        if rows.columns() != experts {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        let mut codes = vec![MISSING; n * experts];
        for expert in 0..experts {
            let Cells::Nominal(cells) = rows.cells(expert) else {
                return Err(Error::unsuitable("a column of labels holds numbers", ""));
            };
            let missing = if self.abstains[expert] { self.labels[expert] } else { MISSING };
            for row in 0..n {
                let code = cells[rows.row_id(row)];
                codes[row * experts + expert] =
                    if code < self.labels[expert] { code } else { missing };
            }
        }
        Ok(codes)
    }
}

/// Training rows: what experts said, and the truth.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// How many states each expert has.
    pub states: Vec<usize>,
    /// How many classes there are.
    pub classes: usize,
    /// What the experts said, row after row; [`MISSING`] where that is not known.
    pub codes: Vec<u32>,
    /// The class of each row.
    pub labels: Vec<u32>,
    /// The weight of each row, above 0.
    pub weights: Vec<f64>,
}

/// Rows of less than this share of the mean weight count as rows of none.
const NO_WEIGHT: f64 = 1e-12;

impl Rows {
    /// The rows of the task that have weight, and the experts as these rows show them.
    pub fn new(task: &Task<'_>) -> Result<(Experts, Self)> {
        let (classes, all) = task.labels()?;
        let (kept, weights) = weights(&task.weights());
        let ids: Vec<u32> = kept.iter().map(|&row| task.features.row_id(row) as u32).collect();
        let features = task.features.with_rows(&ids);
        let labels: Vec<u32> = kept.iter().map(|&row| all[row]).collect();
        let named = Named::new(classes);
        let mut experts = Experts { labels: Vec::new(), abstains: Vec::new(), votes: Vec::new() };
        for column in 0..features.columns() {
            let Cells::Nominal(cells) = features.cells(column) else {
                return Err(Error::unsuitable("a column of labels holds numbers", ""));
            };
            let cells = features.pick(cells);
            let names = features.field(column).levels();
            let abstains = cells.contains(&MISSING);
            let mut votes = votes(names, &cells, &named, &labels, &weights);
            votes.extend(abstains.then_some(MISSING));
            experts.labels.push(names.len() as u32);
            experts.abstains.push(abstains);
            experts.votes.push(votes);
        }
        let rows = Self::of(&experts, features, (classes.len(), labels, weights))?;
        Ok((experts, rows))
    }

    /// What known experts say of rows with these classes, so many in all, and weights.
    pub fn of(
        experts: &Experts,
        features: View<'_>,
        (classes, labels, weights): (usize, Vec<u32>, Vec<f64>),
    ) -> Result<Self> {
        let codes = experts.read(features)?;
        Ok(Self { states: experts.states(), classes, codes, labels, weights })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// How many experts there are.
    pub fn experts(&self) -> usize {
        self.states.len()
    }

    /// What the experts said of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.codes[row * self.experts()..(row + 1) * self.experts()]
    }

    /// The mean weight of a row.
    pub fn mean_weight(&self) -> f64 {
        self.weights.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// Some of the rows.
    pub fn some(&self, rows: &[u32]) -> Self {
        let pick = |&row: &u32| row as usize;
        Self {
            states: self.states.clone(),
            classes: self.classes,
            codes: rows.iter().map(pick).flat_map(|row| self.row(row)).copied().collect(),
            labels: rows.iter().map(pick).map(|row| self.labels[row]).collect(),
            weights: rows.iter().map(pick).map(|row| self.weights[row]).collect(),
        }
    }

    /// The logarithm of the share of each class, each counted as if one row more were spread over
    /// all classes.
    pub fn log_prior(&self) -> Vec<f64> {
        let mut prior = vec![1.0 / self.classes as f64; self.classes];
        for (&label, weight) in self.labels.iter().zip(&self.weights) {
            prior[label as usize] += weight;
        }
        let total: f64 = prior.iter().sum();
        prior.into_iter().map(|share| (share / total).ln()).collect()
    }
}

/// The rows that have weight, and their weights, scaled to a mean of 1: smoothing and penalties count
/// in rows, and weights tell only how rows compare.
pub(super) fn weights(all: &[f64]) -> (Vec<usize>, Vec<f64>) {
    let positive = all.iter().filter(|&&weight| weight > 0.0);
    let mean = positive.clone().sum::<f64>() / positive.count().max(1) as f64;
    let kept: Vec<usize> = (0..all.len()).filter(|&row| all[row] > NO_WEIGHT * mean).collect();
    let mean = kept.iter().map(|&row| all[row]).sum::<f64>() / kept.len().max(1) as f64;
    // Without weights all are 1 exactly.
    let weights = kept.iter().map(|&row| all[row] / mean).collect();
    (kept, weights)
}

/// Which class a label names: the one of that name, or of the same number, as where a table writes
/// `1.0` for what the truth calls `1`.
pub(super) struct Named<'a> {
    names: BTreeMap<&'a str, usize>,
    numbers: BTreeMap<u64, usize>,
}

impl<'a> Named<'a> {
    /// Looks the names of the classes through once.
    pub fn new(classes: &'a Classes) -> Self {
        let (mut names, mut numbers) = (BTreeMap::new(), BTreeMap::new());
        for (at, name) in classes.names().iter().enumerate() {
            names.entry(name.as_str()).or_insert(at);
            if let Some(number) = number(name) {
                numbers.entry(number).or_insert(at);
            }
        }
        Self { names, numbers }
    }

    /// The class that a label names.
    pub fn class(&self, label: &str) -> Option<usize> {
        let named = self.names.get(label).copied();
        named.or_else(|| self.numbers.get(&number(label)?).copied())
    }
}

/// The bits of a number that a text is; equal numbers have equal bits.
fn number(text: &str) -> Option<u64> {
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
    // 0 and -0 are equal.
    Some((number + 0.0).to_bits())
}

/// What class each label is a vote for: the one that it names. Labels of an expert that has other
/// names, such as intervals of a number, vote for the class they are seen with most; a single one
/// is no vote.
fn votes(
    names: &[String],
    cells: &[u32],
    named: &Named<'_>,
    labels: &[u32],
    weights: &[f64],
) -> Vec<u32> {
    let same: Vec<Option<usize>> = names.iter().map(|name| named.class(name)).collect();
    if same.iter().all(Option::is_some) {
        return same.into_iter().map(|code| code.map_or(MISSING, |code| code as u32)).collect();
    }
    let mut most = vec![MISSING; names.len()];
    if names.len() < 2 {
        return most;
    }
    // Labels times classes may be far more than rows: only what occurs is counted. To abstain is a
    // code beyond the labels, or none.
    let mut rows: Vec<usize> =
        (0..cells.len()).filter(|&row| (cells[row] as usize) < names.len()).collect();
    rows.sort_by_key(|&row| (cells[row], labels[row]));
    let mut heaviest = vec![0.0; names.len()];
    for group in rows.chunk_by(|&a, &b| (cells[a], labels[a]) == (cells[b], labels[b])) {
        let (cell, label) = (cells[group[0]] as usize, labels[group[0]]);
        let weight: f64 = group.iter().map(|&row| weights[row]).sum();
        // The first class among equals.
        if weight > heaviest[cell] {
            (heaviest[cell], most[cell]) = (weight, label);
        }
    }
    let either = |(same, most): (Option<usize>, u32)| same.map_or(most, |code| code as u32);
    same.into_iter().zip(most).map(either).collect()
}
