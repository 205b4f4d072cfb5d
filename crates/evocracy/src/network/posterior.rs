//! The posterior of one node where all others are known: equation 8 of De Stefano et al. (2009).
//!
//! Only the tables of the node and of its children depend on its state, so only its Markov blanket
//! is looked at. The tables are laid out once so that the states of the node follow one another.

use super::Network;
use crate::data::MISSING;
use crate::error::{Error, Result};

/// The posterior of a node from its Markov blanket.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    states: usize,
    blanket: Vec<u32>,
    factors: Vec<Factor>,
}

/// Logarithms of the probabilities of one table, `logs[offset + state]`; the offset is a sum of
/// codes times strides.
#[derive(Debug, Clone, PartialEq)]
struct Factor {
    strides: Vec<(u32, u32)>,
    logs: Vec<f64>,
}

impl Posterior {
    /// Prepares the posterior of a node.
    pub fn of(network: &Network, node: usize) -> Result<Self> {
        if node >= network.variables().len() {
            return Err(Error::unsuitable(
                format!("node {node} of {} variables", network.variables().len()),
                "",
            ));
        }
        let children = network.dag().children(node);
        let tables = children.into_iter().chain([node as u32]);
        let factors = tables.map(|table| Factor::of(network, table as usize, node)).collect();
        let blanket = network.dag().markov_blanket(node);
        Ok(Self { states: network.states(node), blanket, factors })
    }

    /// The nodes that it looks at, sorted.
    pub fn blanket(&self) -> &[u32] {
        &self.blanket
    }

    /// Writes the probabilities of the node's states given the codes of all variables; its own is
    /// not looked at. False where one of the blanket is missing: see
    /// [`Network::posterior`]. Where no state is possible all are taken to be equally likely.
    #[inline]
    pub fn write(&self, codes: &[u32], out: &mut [f64]) -> bool {
        if !self.log_joint(codes, out) {
            return false;
        }
        let top = out.iter().fold(f64::NEG_INFINITY, |top, &log| top.max(log));
        if top == f64::NEG_INFINITY {
            out.fill(1.0 / self.states as f64);
            return true;
        }
        let mut sum = 0.0;
        for log in out.iter_mut() {
            *log = crate::num::exp(*log - top);
            sum += *log;
        }
        for p in out {
            *p /= sum;
        }
        true
    }

    /// Writes `ln P(u, e_u)` of equation 6 for each state `u`; false where one of the blanket is
    /// missing.
    #[inline]
    pub fn log_joint(&self, codes: &[u32], out: &mut [f64]) -> bool {
        let out = &mut out[..self.states];
        out.fill(0.0);
        for factor in &self.factors {
            let mut at = 0;
            for &(variable, stride) in &factor.strides {
                let code = codes[variable as usize];
                if code == MISSING {
                    return false;
                }
                at += code as usize * stride as usize;
            }
            for (sum, log) in out.iter_mut().zip(&factor.logs[at..at + self.states]) {
                *sum += log;
            }
        }
        true
    }

    /// What the table of each child, and at last that of the node itself, adds to the logarithms
    /// of equation 6: the child's number (or the node's) and a value for each state. Empty where
    /// one of the blanket is missing.
    pub fn parts(&self, network: &Network, node: usize, codes: &[u32]) -> Vec<(u32, Vec<f64>)> {
        let tables = network.dag().children(node).into_iter().chain([node as u32]);
        if self.blanket.iter().any(|&other| codes[other as usize] == MISSING) {
            return Vec::new();
        }
        tables
            .zip(&self.factors)
            .map(|(table, factor)| {
                let at = factor
                    .strides
                    .iter()
                    .map(|&(variable, stride)| codes[variable as usize] as usize * stride as usize);
                let at: usize = at.sum();
                (table, factor.logs[at..at + self.states].to_vec())
            })
            .collect()
    }
}

impl Factor {
    /// The table of a node with the states of `last` moved to the end.
    fn of(network: &Network, table: usize, last: usize) -> Self {
        let parents = network.dag().parents(table).iter().map(|&parent| parent as usize);
        let variables: Vec<usize> = parents.chain([table]).collect();
        let place = variables.iter().position(|&variable| variable == last).unwrap_or(0);
        let inner: usize = variables[place + 1..].iter().map(|&v| network.states(v)).product();
        let (states, old) = (network.states(last), network.table(table));
        let mut logs = vec![0.0; old.len()];
        for (at, p) in old.iter().enumerate() {
            let (outer, rest) = (at / (inner * states), at % (inner * states));
            let (state, inside) = (rest / inner, rest % inner);
            logs[(outer * inner + inside) * states + state] = p.ln();
        }
        let mut stride = states as u32;
        let mut strides = Vec::new();
        for &variable in variables.iter().rev().filter(|&&variable| variable != last) {
            strides.push((variable as u32, stride));
            stride *= network.states(variable) as u32;
        }
        Self { strides, logs }
    }
}
