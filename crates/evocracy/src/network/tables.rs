//! A Bayesian network: variables with named states, a graph, and for every node the probabilities
//! of its states given those of its parents.

use super::{Dag, Discrete};
use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::evolve::Rng;
use serde::{Deserialize, Serialize};

/// A variable and what its states are called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The names of its states, in the order of their codes.
    pub states: Vec<String>,
}

/// How many rows of each kind are taken to have been seen beforehand (Dirichlet smoothing).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// So many rows in each entry of a table.
    Cell(f64),
    /// So many rows in all, spread evenly over the entries of each table.
    Sample(f64),
}

impl Prior {
    fn cell(self, cells: usize) -> f64 {
        match self {
            Self::Cell(rows) => rows,
            Self::Sample(rows) => rows / cells as f64,
        }
    }

    fn check(self) -> Result<()> {
        let (Self::Cell(rows) | Self::Sample(rows)) = self;
        if (0.0..=1e9).contains(&rows) {
            return Ok(());
        }
        Err(Error::Param {
            of: "network".into(),
            name: "prior".into(),
            expected: "a number of rows from 0 to 1e9".into(),
            got: rows.to_string(),
        })
    }
}

/// A Bayesian network.
///
/// The table of a node holds, for each combination of its sorted parents (the last one changes
/// fastest), the probabilities of its states.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Network {
    variables: Vec<Variable>,
    dag: Dag,
    tables: Vec<Vec<f64>>,
}

impl Network {
    /// The most entries of all tables together.
    pub const MAX_CELLS: u64 = 1 << 24;

    /// A network of given tables.
    pub fn new(variables: Vec<Variable>, dag: Dag, tables: Vec<Vec<f64>>) -> Result<Self> {
        let network = Self { variables, dag, tables };
        network.check()?;
        Ok(network)
    }

    /// The network of a structure whose tables follow from counts. A row counts for the tables of
    /// those nodes for which neither the node nor a parent is missing.
    pub fn fit(variables: Vec<Variable>, dag: Dag, data: &Discrete, prior: Prior) -> Result<Self> {
        let states = variables.iter().map(|variable| variable.states.len());
        if !states.eq(data.all_states().iter().map(|states| *states as usize)) {
            return Err(Error::unsuitable(
                "the variables of the network are not those of the table",
                "give every column a variable with as many states",
            ));
        }
        let mut counts = empty_tables(&variables, &dag)?;
        for (node, counts) in counts.iter_mut().enumerate() {
            count(data, node, dag.parents(node), counts);
        }
        Self::from_counts(variables, dag, counts, prior)
    }

    /// The network of a structure and of counts in the layout of its tables.
    pub(super) fn from_counts(
        variables: Vec<Variable>,
        dag: Dag,
        mut counts: Vec<Vec<f64>>,
        prior: Prior,
    ) -> Result<Self> {
        prior.check()?;
        for (table, variable) in counts.iter_mut().zip(&variables) {
            let added = prior.cell(table.len());
            for row in table.chunks_exact_mut(variable.states.len()) {
                let total: f64 = row.iter().map(|count| count + added).sum();
                let even = 1.0 / row.len() as f64;
                for cell in row {
                    *cell = if total > 0.0 { (*cell + added) / total } else { even };
                }
            }
        }
        Self::new(variables, dag, counts)
    }

    /// The variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The names of the variables.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }

    /// The structure.
    pub fn dag(&self) -> &Dag {
        &self.dag
    }

    /// The table of a node: rows of probabilities, one for each combination of its parents.
    pub fn table(&self, node: usize) -> &[f64] {
        &self.tables[node]
    }

    /// How many states a node has.
    #[inline]
    pub fn states(&self, node: usize) -> usize {
        self.variables[node].states.len()
    }

    /// How many free parameters the tables have.
    pub fn parameters(&self) -> u64 {
        let of = |node: usize| {
            let cells = self.tables[node].len();
            (cells - cells / self.states(node)) as u64
        };
        (0..self.variables.len()).map(of).sum()
    }

    /// The number of a variable.
    pub fn variable(&self, name: &str) -> Result<usize> {
        let known = || self.variables.iter().map(|variable| variable.name.as_str());
        known()
            .position(|one| one == name)
            .ok_or_else(|| Error::unknown("variable", name, Some("the network".into()), known()))
    }

    /// Refuses codes that are not one for each variable, below its states or [`MISSING`].
    pub(super) fn check_codes(&self, codes: &[u32]) -> Result<()> {
        let sound = |(code, variable): (&u32, &Variable)| {
            *code == MISSING || (*code as usize) < variable.states.len()
        };
        let fits = codes.len() == self.variables.len();
        if fits && codes.iter().zip(&self.variables).all(sound) {
            return Ok(());
        }
        Err(Error::unsuitable(
            "codes that are not one for each variable of the network and below its states",
            "",
        ))
    }

    /// The logarithm of the probability of a row without missing values; the codes are below the
    /// states of their variables.
    pub fn log_joint(&self, codes: &[u32]) -> Result<f64> {
        self.check_codes(codes)?;
        if codes.contains(&MISSING) {
            return Err(Error::unsuitable("a value is missing", ""));
        }
        Ok((0..codes.len()).map(|node| self.entry(node, codes).ln()).sum())
    }

    /// The probability of a node's code given its parents'.
    #[inline]
    pub(super) fn entry(&self, node: usize, codes: &[u32]) -> f64 {
        let parents = self.dag.parents(node).iter();
        let row = parents.fold(0, |row, &parent| {
            row * self.states(parent as usize) + codes[parent as usize] as usize
        });
        self.tables[node][row * self.states(node) + codes[node] as usize]
    }

    /// Draws rows from the network, parents before children.
    pub fn sample(&self, rows: usize, rng: &mut Rng) -> Result<Discrete> {
        let n = self.variables.len();
        let cells = rows.checked_mul(n).filter(|cells| *cells <= 1 << 32);
        let cells = cells.ok_or_else(|| Error::unsuitable("too many rows to draw", ""))?;
        let mut drawn = vec![0_u16; cells];
        let (order, mut codes) = (self.dag.order(), vec![0_u32; n]);
        for row in 0..rows {
            for &node in &order {
                let node = node as usize;
                self.draw(node, &mut codes, rng);
                drawn[node * rows + row] = codes[node] as u16;
            }
        }
        let states = self.variables.iter().map(|variable| variable.states.len() as u32);
        Discrete::packed(rows, states.collect(), drawn)
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::unsuitable(what, ""));
        if self.dag.nodes() != self.variables.len() || self.tables.len() != self.variables.len() {
            return wrong("a network of unlike numbers of variables, nodes and tables".into());
        }
        for variable in &self.variables {
            if !(1..=Discrete::MAX_STATES as usize).contains(&variable.states.len()) {
                return wrong(format!("variable `{}` has no states or too many", variable.name));
            }
        }
        let sizes = sizes(&self.variables, &self.dag)?;
        for ((table, size), variable) in self.tables.iter().zip(sizes).zip(&self.variables) {
            let sound = |row: &[f64]| {
                row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p))
                    && (row.iter().sum::<f64>() - 1.0).abs() < 1e-3
            };
            if table.len() != size || !table.chunks(variable.states.len()).all(sound) {
                return wrong(format!(
                    "the table of `{}` does not hold probabilities",
                    variable.name
                ));
            }
        }
        Ok(())
    }
}

/// How many entries the table of each node has; an error where they are too many.
fn sizes(variables: &[Variable], dag: &Dag) -> Result<Vec<usize>> {
    let mut sum = 0_u64;
    let states = |node: usize| variables[node].states.len() as u64;
    let size = |node: usize| {
        let cells = dag.parents(node).iter().try_fold(states(node), |cells, &parent| {
            cells.checked_mul(states(parent as usize)).filter(|cells| *cells <= Network::MAX_CELLS)
        });
        sum += cells.unwrap_or(Network::MAX_CELLS + 1);
        if sum <= Network::MAX_CELLS {
            return Ok(cells.unwrap_or(0) as usize);
        }
        Err(Error::unsuitable(
            format!("the tables of the network have more than {} entries", Network::MAX_CELLS),
            "allow fewer parents",
        ))
    };
    (0..variables.len()).map(size).collect()
}

/// Tables of zeros for a structure.
pub(super) fn empty_tables(variables: &[Variable], dag: &Dag) -> Result<Vec<Vec<f64>>> {
    if dag.nodes() != variables.len() {
        return Err(Error::unsuitable("a structure of another number of variables", ""));
    }
    Ok(sizes(variables, dag)?.into_iter().map(|size| vec![0.0; size]).collect())
}

/// Adds the weights of the rows to the entries that they fall into.
fn count(data: &Discrete, node: usize, parents: &[u32], counts: &mut [f64]) {
    'rows: for row in 0..data.rows() {
        let mut at = 0;
        for variable in parents.iter().map(|&parent| parent as usize).chain([node]) {
            let code = data.code(row, variable);
            if code == MISSING {
                continue 'rows;
            }
            at = at * data.states(variable) as usize + code as usize;
        }
        counts[at] += data.weight(row);
    }
}
