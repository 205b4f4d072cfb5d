//! The combiner of De Stefano, Fontanella, Marcelli, Scotto di Freca (2009): a Bayesian network of
//! the class and the experts, and the posterior of the class node.
//!
//! Node 0 is the class, the experts follow in their order.

use super::law::Each;
use super::rows::{Experts, Rows};
use crate::data::{Classes, MISSING, Schema};
use crate::error::{Error, Result};
use crate::network::{
    Confidence, Constraints, Dag, Discrete, Network, Posterior, Prior, Score, Scorer, Variable,
    search,
};
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// How the structure is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// K2 with the class first and the experts by how much they say of it, or with an order drawn
    /// at random.
    K2 { random: bool },
    /// Hill climbing with a tabu list, which ends no lower than the greedy one.
    Climb,
    /// Naive Bayes with a tree over the experts.
    Tan,
    /// The evolved network.
    Evolved,
}

/// Parents of a node.
const MOST_PARENTS: usize = 4;

/// A Bayesian network of class and experts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NetworkLaw {
    network: Network,
    /// Made when it is first asked for.
    #[serde(skip)]
    posterior: OnceLock<Posterior>,
}

/// Names of variables and states.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub experts: &'a Experts,
    pub inputs: &'a Schema,
    pub classes: &'a Classes,
    pub target: &'a str,
}

impl Names<'_> {
    fn variables(&self) -> Vec<Variable> {
        let class =
            Variable { name: self.target.to_owned(), states: self.classes.names().to_vec() };
        let states = self.experts.states();
        let expert = |(at, &states): (usize, &usize)| Variable {
            name: self.inputs.fields[at].name.clone(),
            states: (0..states)
                .map(|state| Experts::name(self.inputs, at, state).to_owned())
                .collect(),
        };
        [class].into_iter().chain(states.iter().enumerate().map(expert)).collect()
    }
}

/// Finds the structure and counts the tables.
pub(super) fn fit(
    names: &Names<'_>,
    rows: &Rows,
    structure: Structure,
    smoothing: f64,
    run: &Run<'_>,
) -> Result<NetworkLaw> {
    let data = discrete(rows)?;
    let dag = find(&data, structure, run)?;
    let prior = Prior::Cell(smoothing);
    let network = Network::fit(names.variables(), dag, &data, prior)?;
    Ok(NetworkLaw { network, posterior: OnceLock::new() })
}

/// Class and labels as columns. Training rows have no missing ones: to abstain is a state.
fn discrete(rows: &Rows) -> Result<Discrete> {
    let column =
        |expert: usize| -> Vec<u32> { (0..rows.len()).map(|row| rows.row(row)[expert]).collect() };
    let experts: Vec<Vec<u32>> = (0..rows.experts()).map(column).collect();
    let mut columns = vec![(rows.classes as u32, &rows.labels[..])];
    columns
        .extend(experts.iter().zip(&rows.states).map(|(codes, &s)| (s.max(1) as u32, &codes[..])));
    Discrete::new(&columns)?.with_weights(&rows.weights)
}

/// For each arc of a network in how many of so many resampled tables the same search finds it; nothing
/// where none are asked for, or where there was no time for any.
pub(super) fn confidence(
    law: &NetworkLaw,
    rows: &Rows,
    structure: Structure,
    resampled: usize,
    run: &Run<'_>,
) -> Result<Vec<f64>> {
    if resampled == 0 {
        return Ok(Vec::new());
    }
    let data = discrete(rows)?;
    let search = |data: &Discrete, run: &Run<'_>| find(data, structure, run);
    match Confidence::bootstrap(&data, resampled, run, search) {
        Ok(found) => {
            let arcs = law.network().dag().arcs();
            Ok(arcs.into_iter().map(|(parent, child)| found.arc(parent, child)).collect())
        }
        Err(Error::Stopped) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn find(data: &Discrete, structure: Structure, run: &Run<'_>) -> Result<Dag> {
    let scorer = Scorer::new(data, Score::K2)?;
    let constraints = Constraints::max_parents(MOST_PARENTS);
    Ok(match structure {
        Structure::Tan => search::tan(data, 0, run.stop)?,
        Structure::Climb => {
            search::climb(&scorer, &constraints, None, &search::Climb::tabu(), run)?.dag
        }
        Structure::K2 { random: false } => {
            let order = search::information_order(data, Some(0), run.stop)?;
            search::k2(&scorer, &constraints, &order, run)?.dag
        }
        Structure::K2 { random: true } => {
            let mut rng = crate::evolve::rng(run.seed.child("order", 0));
            let order = search::random_order(data.variables(), &mut rng);
            search::k2(&scorer, &constraints, &order, run)?.dag
        }
        Structure::Evolved => {
            search::evobn(&scorer, &constraints, &search::Evobn::default(), run)?.dag
        }
    })
}

impl NetworkLaw {
    pub fn network(&self) -> &Network {
        &self.network
    }

    pub fn arcs(&self) -> usize {
        self.network.dag().arcs().len()
    }

    fn prepared(&self) -> Result<&Posterior> {
        if let Some(posterior) = self.posterior.get() {
            return Ok(posterior);
        }
        let made = Posterior::of(&self.network, 0)?;
        Ok(self.posterior.get_or_init(|| made))
    }

    /// The probabilities of the class where experts are missing: exact ones, or about these where so
    /// many are missing that the tables would be too large.
    fn with_missing(&self, codes: &[u32]) -> Result<Vec<f64>> {
        let exact = self.network.posterior(0, codes);
        exact.or_else(|_| self.network.estimated_posterior(0, codes))
    }

    /// Writes the probabilities of the class.
    pub fn posterior(&self, row: &[u32], out: &mut [f64]) -> Result<()> {
        let codes = with_class(row);
        if !self.prepared()?.write(&codes, out) {
            out.copy_from_slice(&self.with_missing(&codes)?);
        }
        Ok(())
    }

    /// Equation 8: what each table of the class node's Markov blanket adds. Where an expert of the
    /// blanket is missing the sums over what it may have said cannot be taken apart: then each expert
    /// adds by how much it changes the logarithms, one after the other.
    pub fn parts(&self, row: &[u32], each: Each<'_>) -> Result<Vec<f64>> {
        let codes = with_class(row);
        let parts = self.prepared()?.parts(&self.network, 0, &codes);
        if parts.is_empty() {
            return self.one_by_one(row, each);
        }
        let mut base = vec![0.0; self.network.states(0)];
        let mut about = Vec::new();
        for (node, adds) in parts {
            let parents = self.network.dag().parents(node as usize);
            about.clear();
            about.extend([&[node], parents].concat().iter().filter(|&&n| n > 0).map(|n| n - 1));
            if about.is_empty() {
                base = adds;
            } else {
                each(&about, &adds);
            }
        }
        Ok(base)
    }

    fn one_by_one(&self, row: &[u32], each: Each<'_>) -> Result<Vec<f64>> {
        let logs = |codes: &[u32]| -> Result<Vec<f64>> {
            Ok(self.with_missing(codes)?.iter().map(|p| p.max(1e-300).ln()).collect())
        };
        let mut codes = vec![MISSING; row.len() + 1];
        let base = logs(&codes)?;
        let mut last = base.clone();
        for (expert, &state) in row.iter().enumerate() {
            if state == MISSING {
                continue;
            }
            codes[expert + 1] = state;
            let next = logs(&codes)?;
            let adds: Vec<f64> = next.iter().zip(&last).map(|(next, last)| next - last).collect();
            if adds.iter().any(|add| add.abs() > 1e-12) {
                each(&[expert as u32], &adds);
            }
            last = next;
        }
        Ok(base)
    }

    pub fn heeds(&self, expert: usize) -> bool {
        self.network.dag().markov_blanket(0).contains(&(expert as u32 + 1))
    }

    pub fn check(&self, states: &[usize], classes: usize) -> Result<()> {
        self.network.check()?;
        let nodes = self.network.variables().len();
        let of = |node: usize| self.network.states(node);
        let fits = nodes == states.len() + 1
            && of(0) == classes
            && states.iter().enumerate().all(|(at, &states)| of(at + 1) == states.max(1));
        let positive = (0..nodes).all(|node| self.network.table(node).iter().all(|&p| p > 0.0));
        if fits && positive {
            Ok(())
        } else {
            Err(Error::model_file("its network does not fit its columns"))
        }
    }
}

/// The codes of all nodes, with the class unknown.
fn with_class(row: &[u32]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(row.len() + 1);
    codes.push(MISSING);
    codes.extend_from_slice(row);
    codes
}
