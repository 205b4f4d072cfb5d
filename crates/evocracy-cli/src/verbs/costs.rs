//! What calls are to be good for: costs, rates, a threshold, as options of several verbs.

use crate::shell::Shell;
use anyhow::Result;
use clap::Args;
use evocracy::classify::{Criterion, Decision};
use evocracy::data::read::{Format, read_table_until};
use evocracy::data::{Classes, Table};
use evocracy::error::{Error, Place};
use evocracy::judge::Wanted;
use evocracy::measure::CostMatrix;
use evocracy::model::Model;
use std::path::{Path, PathBuf};

/// Costs or a rate, of two classes.
#[derive(Args, Clone, Default)]
pub struct Aim {
    /// What a false alarm costs [default: 1]
    #[arg(long, value_name = "COST")]
    pub cost_fp: Option<f64>,
    /// What a missed positive costs [default: 1]
    #[arg(long, value_name = "COST")]
    pub cost_fn: Option<f64>,
    /// The share of positives where it will be used [default: that of the rows]
    #[arg(long, value_name = "SHARE")]
    pub prior: Option<f64>,
    /// The best with at most this false positive rate, whatever the costs
    #[arg(long, value_name = "RATE", conflicts_with = "min_tpr")]
    pub max_fpr: Option<f64>,
    /// The best with at least this true positive rate, whatever the costs
    #[arg(long, value_name = "RATE")]
    pub min_tpr: Option<f64>,
}

impl Aim {
    /// What the point is chosen for, where costs are known already.
    pub fn criterion(&self) -> Criterion {
        match (self.max_fpr, self.min_tpr) {
            (Some(cap), _) => Criterion::MaxFpr(cap),
            (_, Some(floor)) => Criterion::MinTpr(floor),
            _ => Criterion::Given,
        }
    }

    fn has_costs(&self) -> bool {
        self.cost_fp.is_some() || self.cost_fn.is_some() || self.prior.is_some()
    }
}

/// How a model is to call rows.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "How rows are called")]
pub struct Calls {
    #[command(flatten)]
    pub aim: Aim,
    /// A table of what it costs to call a row of one class another: a row for each true class, with
    /// its name first, and a column for each called class
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threshold", "cost_fp", "cost_fn", "prior", "max_fpr", "min_tpr"])]
    pub costs: Option<PathBuf>,
    /// Call the positive class where its probability is at least this; inf never calls it
    #[arg(long, value_name = "PROBABILITY", value_parser = threshold, conflicts_with_all = ["cost_fp", "cost_fn", "prior", "max_fpr", "min_tpr"])]
    pub threshold: Option<f64>,
}

impl Calls {
    /// Whether anything was asked for.
    pub fn any(&self) -> bool {
        let Aim { max_fpr, min_tpr, .. } = self.aim;
        let rate = max_fpr.or(min_tpr).or(self.threshold).is_some();
        rate || self.costs.is_some() || self.aim.has_costs()
    }

    /// What was asked for, if anything was; an error where that cannot be had for these classes,
    /// or for numbers, which have none.
    pub fn wanted(&self, classes: Option<&Classes>) -> Result<Option<Wanted>> {
        let wanted = match (self.threshold, &self.costs, classes) {
            (Some(threshold), ..) => Wanted::Given(Decision::threshold(threshold)),
            (None, Some(file), Some(classes)) => {
                Wanted::Given(Decision::costs(matrix(file, classes)?))
            }
            // Refused below.
            (None, Some(_), None) => Wanted::Given(Decision::default()),
            (None, None, _) => match self.aimed()? {
                Some(wanted) => wanted,
                None => return Ok(None),
            },
        };
        wanted.check(classes)?;
        Ok(Some(wanted))
    }

    fn aimed(&self) -> Result<Option<Wanted>> {
        let Aim { cost_fp, cost_fn, prior, max_fpr, min_tpr } = self.aim;
        if (max_fpr.is_some() || min_tpr.is_some()) && self.aim.has_costs() {
            let what = "both costs and a rate are to choose the threshold";
            return Err(Error::unsuitable(what, "leave out the costs, or the rate").into());
        }
        Ok(match (max_fpr, min_tpr) {
            (Some(cap), _) => Some(Wanted::MaxFpr(cap)),
            (_, Some(floor)) => Some(Wanted::MinTpr(floor)),
            _ if self.aim.has_costs() => Some(Wanted::Cost {
                false_positive: cost_fp.unwrap_or(1.0),
                false_negative: cost_fn.unwrap_or(1.0),
                prior,
            }),
            _ => None,
        })
    }

    /// The model, calling rows as asked.
    pub fn applied(&self, model: Model) -> Result<Model> {
        let Some(wanted) = self.wanted(model.classes().ok())? else { return Ok(model) };
        let decision = wanted.of_model(&model)?;
        Ok(model.with_decision(decision)?)
    }
}

/// The costs of a file, in the order of the classes.
fn matrix(file: &Path, classes: &Classes) -> Result<CostMatrix> {
    let source = Shell::beside(file)?;
    let (table, _) = read_table_until(Shell::stop(), &[source], &Format::default())?;
    let name = file.display().to_string();
    let refuse = |problem: String, column: Option<&str>| {
        let column = column.map(str::to_owned);
        let place = Place { source: name.clone(), column, ..Place::default() };
        let help = "write the name of the true class first in each row, then what each call costs";
        Error::table(place, problem, "a row and a column for every class", help)
    };
    let view = table.view();
    if view.columns() < 2 {
        return Err(refuse("there are no costs".to_owned(), None).into());
    }
    let truth: Vec<String> =
        (0..view.rows()).map(|row| view.show(row, 0).unwrap_or_default()).collect();
    let called: Vec<&str> = table.schema().names().skip(1).collect();
    for name in truth.iter().map(String::as_str).chain(called.iter().copied()) {
        if classes.code(name).is_none() {
            let known = classes.names().iter().map(String::as_str);
            return Err(
                Error::unknown("class", name, Some(file.display().to_string()), known).into()
            );
        }
    }
    let mut costs = Vec::new();
    for class in classes.names() {
        let mut rows = (0..truth.len()).filter(|&row| truth[row] == *class);
        let (Some(row), None) = (rows.next(), rows.next()) else {
            return Err(refuse(format!("not one row is that of `{class}`"), None).into());
        };
        let cell = |of: &String| {
            let column = called.iter().position(|name| *name == of.as_str());
            let problem = format!("there is no column for the call `{of}`");
            let column = column.ok_or_else(|| refuse(problem, None))?;
            number(&table, row, column + 1).ok_or_else(|| {
                let problem = format!("what it costs to call `{class}` so is not a number");
                refuse(problem, Some(of))
            })
        };
        costs.push(classes.names().iter().map(cell).collect::<Result<Vec<f64>, Error>>()?);
    }
    Ok(CostMatrix::new(&costs)?)
}

/// A probability, or infinity for no row at all.
fn threshold(text: &str) -> Result<f64, String> {
    let threshold = text.parse().ok().filter(|t| (0.0..=1.0).contains(t) || *t == f64::INFINITY);
    threshold.ok_or_else(|| "expected a probability from 0 to 1, or inf".to_owned())
}

fn number(table: &Table, row: usize, column: usize) -> Option<f64> {
    table.view().show(row, column)?.parse().ok().filter(|cost: &f64| cost.is_finite())
}
