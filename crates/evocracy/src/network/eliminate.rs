//! Exact inference by variable elimination, for any nodes and any evidence, in logarithms.
//!
//! Nodes that are neither asked for nor known nor ancestors of such are left out, and so is what
//! the evidence cuts off from the nodes asked for. The node whose elimination makes the smallest
//! table goes first; among equals the one of the smallest number.

use super::Network;
use crate::data::MISSING;
use crate::error::{Error, Result};

/// The largest table that an elimination may make.
const MAX_TABLE: usize = 1 << 22;

/// A function of some variables: logarithms, the last variable changing fastest.
#[derive(Debug, Clone)]
struct Factor {
    /// Sorted.
    variables: Vec<u32>,
    logs: Vec<f64>,
}

impl Network {
    /// The probabilities of a node's states given the codes that are not
    /// [`MISSING`]; a code of the node itself is not looked at.
    pub fn posterior(&self, node: usize, codes: &[u32]) -> Result<Vec<f64>> {
        self.joint_posterior(&[node as u32], codes)
    }

    /// The joint probabilities of the states of some nodes, sorted, the last one changing fastest,
    /// given the codes of the other nodes that are not [`MISSING`].
    pub fn joint_posterior(&self, nodes: &[u32], codes: &[u32]) -> Result<Vec<f64>> {
        self.check_codes(codes)?;
        let sorted = nodes.windows(2).all(|pair| pair[0] < pair[1]);
        if !sorted || nodes.last().is_none_or(|&last| last as usize >= codes.len()) {
            return Err(Error::unsuitable(
                "the nodes asked for are not nodes of the network, sorted",
                "",
            ));
        }
        let mut known = codes.to_vec();
        for &node in nodes {
            known[node as usize] = MISSING;
        }
        let mut factors = self.factors(nodes, &known);
        loop {
            let open = factors.iter().flat_map(|factor| factor.variables.iter().copied());
            let mut open: Vec<u32> = open.filter(|variable| !nodes.contains(variable)).collect();
            open.sort_unstable();
            open.dedup();
            let size = |&variable: &u32| self.size(&union(&factors, Some(variable)));
            let Some(&variable) = open.iter().min_by_key(|variable| size(variable)) else { break };
            let (touched, rest) = factors
                .into_iter()
                .partition::<Vec<_>, _>(|factor| factor.variables.contains(&variable));
            factors = rest;
            factors.push(self.product(&touched, &[])?.sum_out(variable, self));
        }
        let whole = self.product(&factors, nodes)?;
        normalised(whole.logs)
    }

    /// The reduced tables that the nodes asked for depend on.
    fn factors(&self, nodes: &[u32], known: &[u32]) -> Vec<Factor> {
        let n = known.len() as u32;
        let asked = (0..n).filter(|v| nodes.contains(v) || known[*v as usize] != MISSING);
        let mut relevant = vec![false; n as usize];
        let mut open: Vec<u32> = asked.collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut relevant[node as usize], true) {
                open.extend_from_slice(self.dag().parents(node as usize));
            }
        }
        let all = (0..n as usize).filter(|node| relevant[*node]);
        let mut factors: Vec<Factor> = all.map(|node| self.reduced(node, known)).collect();
        // What does not touch the nodes asked for, directly or through others, is a constant.
        let mut reached = vec![false; n as usize];
        for &node in nodes {
            reached[node as usize] = true;
        }
        loop {
            let mut grown = false;
            for factor in &factors {
                if factor.variables.iter().any(|v| reached[*v as usize]) {
                    for &v in &factor.variables {
                        grown |= !std::mem::replace(&mut reached[v as usize], true);
                    }
                }
            }
            if !grown {
                break;
            }
        }
        factors.retain(|factor| factor.variables.iter().any(|v| reached[*v as usize]));
        factors
    }

    /// The table of a node at what is known.
    fn reduced(&self, node: usize, known: &[u32]) -> Factor {
        let mut own: Vec<u32> = self.dag().parents(node).to_vec();
        own.push(node as u32);
        let mut free: Vec<u32> =
            own.iter().copied().filter(|v| known[*v as usize] == MISSING).collect();
        free.sort_unstable();
        let mut codes = known.to_vec();
        let mut logs = Vec::with_capacity(self.size(&free));
        for &v in &free {
            codes[v as usize] = 0;
        }
        loop {
            logs.push(self.entry(node, &codes).ln());
            if !self.advance(&free, &mut codes) {
                return Factor { variables: free, logs };
            }
        }
    }

    /// The next combination of the codes of some variables, the last one first; false at the end.
    fn advance(&self, variables: &[u32], codes: &mut [u32]) -> bool {
        for &variable in variables.iter().rev() {
            let code = &mut codes[variable as usize];
            *code += 1;
            if (*code as usize) < self.states(variable as usize) {
                return true;
            }
            *code = 0;
        }
        false
    }

    /// How many combinations of states there are, or the largest number.
    fn size(&self, variables: &[u32]) -> usize {
        let states = variables.iter().map(|&variable| self.states(variable as usize));
        states.fold(1, usize::saturating_mul)
    }

    /// The product of factors, over their variables and `more`.
    fn product(&self, factors: &[Factor], more: &[u32]) -> Result<Factor> {
        let mut variables = union(factors, None);
        variables.extend_from_slice(more);
        variables.sort_unstable();
        variables.dedup();
        let size = self.size(&variables);
        if size > MAX_TABLE {
            return Err(Error::unsuitable(
                "exact inference takes a table of more than 4 million entries here",
                "have fewer missing values, or learn a structure with fewer parents",
            ));
        }
        let strides: Vec<Vec<usize>> = factors
            .iter()
            .map(|factor| variables.iter().map(|v| factor.stride(*v, self)).collect())
            .collect();
        let mut logs = Vec::with_capacity(size);
        let mut codes = vec![0_usize; variables.len()];
        for _ in 0..size {
            let value = |(factor, strides): (&Factor, &Vec<usize>)| {
                let at: usize = strides.iter().zip(&codes).map(|(s, c)| s * c).sum();
                factor.logs[at]
            };
            logs.push(factors.iter().zip(&strides).map(value).sum());
            for (code, &variable) in codes.iter_mut().zip(&variables).rev() {
                *code += 1;
                if *code < self.states(variable as usize) {
                    break;
                }
                *code = 0;
            }
        }
        Ok(Factor { variables, logs })
    }
}

impl Factor {
    /// How far apart two states of a variable are in the table; 0 where it has no such variable.
    fn stride(&self, variable: u32, network: &Network) -> usize {
        match self.variables.binary_search(&variable) {
            Ok(at) => {
                self.variables[at + 1..].iter().map(|&v| network.states(v as usize)).product()
            }
            Err(_) => 0,
        }
    }

    /// The sum over the states of a variable that it has.
    fn sum_out(self, variable: u32, network: &Network) -> Self {
        let (stride, states) = (self.stride(variable, network), network.states(variable as usize));
        let size = self.logs.len() / states;
        let mut logs = Vec::with_capacity(size);
        for at in 0..size {
            let first = at / stride * stride * states + at % stride;
            let own = || (0..states).map(|state| self.logs[first + state * stride]);
            let top = own().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = own().map(|log| (log - top).exp()).sum();
            logs.push(if top == f64::NEG_INFINITY { top } else { top + sum.ln() });
        }
        let variables = self.variables.into_iter().filter(|known| *known != variable).collect();
        Self { variables, logs }
    }
}

/// The variables of those factors that have `with`, or of all.
fn union(factors: &[Factor], with: Option<u32>) -> Vec<u32> {
    let touched =
        factors.iter().filter(|factor| with.is_none_or(|v| factor.variables.contains(&v)));
    let mut all: Vec<u32> = touched.flat_map(|factor| factor.variables.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Probabilities from logarithms up to a constant.
fn normalised(mut logs: Vec<f64>) -> Result<Vec<f64>> {
    let top = logs.iter().fold(f64::NEG_INFINITY, |top, &log| top.max(log));
    if top == f64::NEG_INFINITY {
        return Err(Error::unsuitable(
            "these values cannot come together in this network",
            "leave some of them out",
        ));
    }
    for log in &mut logs {
        *log = (*log - top).exp();
    }
    let sum: f64 = logs.iter().sum();
    for p in &mut logs {
        *p /= sum;
    }
    Ok(logs)
}
