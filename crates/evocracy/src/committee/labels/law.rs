//! How what the experts said of a row becomes the probabilities of the classes: a base and parts
//! that are added, under a link.

use super::blend::Blend;
use super::network::NetworkLaw;
use super::rows::{Experts, Rows};
use super::sources::Sources;
use crate::classify::Link;
use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::num::argmax;
use crate::run::{Stop, Ticker};
use serde::{Deserialize, Serialize};

/// What was learnt of the experts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Law {
    /// One vote for each expert, and one that is divided as the classes are.
    Votes {
        /// The share of each class in training.
        prior: Vec<f64>,
    },
    /// A sum over experts, each in the light of others.
    Factors(Factors),
    /// Groups of experts that copy one another.
    Sources(Sources),
    /// A Bayesian network of class and experts.
    Network(NetworkLaw),
    /// Several of these, with a weight each.
    Blend(Blend),
}

/// Receives the experts that a part is about and what it adds to each class.
pub(super) type Each<'a> = &'a mut dyn FnMut(&[u32], &[f64]);

impl Law {
    /// How the sums become probabilities.
    pub fn link(&self) -> Link {
        match self {
            Self::Votes { .. } => Link::Identity,
            _ => Link::Softmax,
        }
    }

    /// The base, and every part that the labels of a row add to it.
    pub fn parts(&self, experts: &Experts, row: &[u32], each: Each<'_>) -> Result<Vec<f64>> {
        match self {
            Self::Votes { prior } => Ok(votes(prior, experts, row, each)),
            Self::Factors(factors) => {
                factors.parts(row, each);
                Ok(factors.base.clone())
            }
            Self::Sources(sources) => {
                sources.parts(row, each);
                Ok(sources.base().to_vec())
            }
            Self::Network(network) => network.parts(row, each),
            Self::Blend(blend) => blend.parts(experts, row, each),
        }
    }

    /// Writes the probabilities of a row.
    pub fn proba(&self, experts: &Experts, row: &[u32], out: &mut [f64]) -> Result<()> {
        match self {
            Self::Network(network) => return network.posterior(row, out),
            Self::Blend(blend) => blend.scores(experts, row, out)?,
            Self::Factors(factors) => {
                out.copy_from_slice(&factors.base);
                factors.parts(row, &mut |_, adds| add(out, adds));
            }
            _ => {
                out.fill(0.0);
                let base = self.parts(experts, row, &mut |_, adds| add(out, adds))?;
                add(out, &base);
            }
        }
        self.link().apply(out);
        Ok(())
    }

    /// The probabilities of the classes for every row, row after row, or what they are with an
    /// expert silenced; [`Error::Stopped`] soon after a stop.
    pub fn probabilities(
        &self,
        experts: &Experts,
        rows: &Rows,
        silenced: Option<usize>,
        stop: &Stop,
    ) -> Result<Vec<f64>> {
        let mut ticker = Ticker::new(stop);
        // What a row costs at most: an exponential or two of each class for each expert.
        let each = rows.experts().saturating_mul(rows.classes).saturating_mul(16);
        let mut all = vec![0.0; rows.len() * rows.classes];
        let mut row = vec![MISSING; rows.experts()];
        for (at, proba) in all.chunks_exact_mut(rows.classes).enumerate() {
            ticker.tick(each)?;
            row.copy_from_slice(rows.row(at));
            if let Some(expert) = silenced {
                row[expert] = MISSING;
            }
            self.proba(experts, &row, proba)?;
        }
        Ok(all)
    }

    /// Whether what an expert says can change the probabilities.
    pub fn heeds(&self, expert: usize) -> bool {
        match self {
            Self::Votes { .. } | Self::Sources(_) => true,
            Self::Factors(factors) => factors.heeds(expert),
            Self::Network(network) => network.heeds(expert),
            Self::Blend(blend) => blend.laws().any(|(_, law)| law.heeds(expert)),
        }
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self, states: &[usize], classes: usize) -> Result<()> {
        let sound = match self {
            Self::Votes { prior } => {
                prior.len() == classes
                    && prior.iter().all(|share| (0.0..=1.0).contains(share))
                    && (prior.iter().sum::<f64>() - 1.0).abs() < 1e-6
            }
            Self::Factors(factors) => factors.is_sound(states, classes),
            Self::Sources(sources) => sources.is_sound(states, classes),
            Self::Network(network) => return network.check(states, classes),
            Self::Blend(blend) => return blend.check(states, classes),
        };
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("what it learnt of its experts is broken"))
        }
    }

    /// How large it is.
    pub fn size(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Votes { .. } => Vec::new(),
            Self::Factors(factors) => {
                vec![("numbers", factors.each.iter().map(|f| f.adds.len() as u64).sum())]
            }
            Self::Sources(sources) => vec![("sources", sources.count() as u64)],
            Self::Network(network) => vec![("arcs", network.arcs() as u64)],
            Self::Blend(blend) => vec![("ways", blend.laws().count() as u64)],
        }
    }
}

/// The log-likelihood of the true class of each row in nats.
pub(super) fn logs(rows: &Rows, probabilities: &[f64]) -> Vec<f64> {
    let each = probabilities.chunks_exact(rows.classes).zip(&rows.labels);
    each.map(|(proba, &class)| proba[class as usize].max(1e-12).ln()).collect()
}

/// Which rows are called rightly.
pub(super) fn right(rows: &Rows, probabilities: &[f64]) -> Vec<bool> {
    let each = probabilities.chunks_exact(rows.classes).zip(&rows.labels);
    each.map(|(proba, &class)| argmax(proba) == class as usize).collect()
}

/// What a file may say that a label adds: more would overflow in sums.
pub(super) const MOST_ADDED: f64 = 1e100;

fn add(to: &mut [f64], from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

/// Every voter has the same share; the share of one more is divided as the classes are, which
/// decides between equals and leaves no class without any probability.
fn votes(prior: &[f64], experts: &Experts, row: &[u32], each: Each<'_>) -> Vec<f64> {
    let vote = |expert: usize| experts.vote(expert, row[expert]);
    let voters = (0..row.len()).filter(|&expert| vote(expert).is_some()).count();
    let share = 1.0 / (voters + 1) as f64;
    let mut adds = vec![0.0; prior.len()];
    for expert in 0..row.len() {
        if let Some(class) = vote(expert) {
            adds[class] = share;
            each(&[expert as u32], &adds);
            adds[class] = 0.0;
        }
    }
    prior.iter().map(|prior| prior * share).collect()
}

/// A sum over experts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Factors {
    /// What each class has before any label.
    pub base: Vec<f64>,
    /// How many states each expert has.
    pub states: Vec<usize>,
    /// The experts, each at most once, in their order.
    pub each: Vec<Factor>,
}

/// What the label of an expert adds to each class, in the light of what its parents said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Factor {
    /// The expert.
    pub expert: u32,
    /// Other experts, at most two.
    pub parents: Vec<u32>,
    /// What parents said in training, as keys in order; see [`key`].
    pub configs: Vec<u64>,
    /// Blocks of states times classes: the first one where the parents said nothing that is known,
    /// then one for each key.
    pub adds: Vec<f64>,
}

/// What the parents said as one number; `None` where one of them is missing.
pub(super) fn key(parents: &[u32], states: &[usize], row: &[u32]) -> Option<u64> {
    parents.iter().try_fold(0_u64, |key, &parent| {
        let (state, states) = (row[parent as usize], states[parent as usize] as u64);
        (state != MISSING).then(|| key * states + u64::from(state))
    })
}

impl Factors {
    fn parts(&self, row: &[u32], each: Each<'_>) {
        let k = self.base.len();
        let states = &self.states;
        let mut about = Vec::with_capacity(3);
        for factor in &self.each {
            let state = row[factor.expert as usize];
            if state == MISSING {
                continue;
            }
            let block = match &factor.parents[..] {
                [] => 0,
                parents => key(parents, states, row)
                    .and_then(|key| factor.configs.binary_search(&key).ok())
                    .map_or(0, |at| at + 1),
            };
            about.clear();
            about.push(factor.expert);
            if block > 0 {
                about.extend(&factor.parents);
            }
            let at = (block * states[factor.expert as usize] + state as usize) * k;
            each(&about, &factor.adds[at..at + k]);
        }
    }

    fn heeds(&self, expert: usize) -> bool {
        let differ = |adds: &[f64]| adds.iter().any(|add| (add - adds[0]).abs() > 1e-12);
        let k = self.base.len();
        self.each.iter().any(|factor| {
            let named = factor.expert as usize == expert
                || factor.parents.iter().any(|&parent| parent as usize == expert);
            named && factor.adds.chunks_exact(k).any(differ)
        })
    }

    fn is_sound(&self, states: &[usize], classes: usize) -> bool {
        let known = |&expert: &u32| (expert as usize) < states.len();
        let each = |factor: &Factor| {
            known(&factor.expert)
                && factor.parents.len() <= 2
                && factor.parents.iter().all(|p| known(p) && *p != factor.expert)
                && factor.configs.is_sorted_by(|a, b| a < b)
                && (!factor.parents.is_empty() || factor.configs.is_empty())
                && factor.adds.len()
                    == (factor.configs.len() + 1) * states[factor.expert as usize] * classes
                && factor.adds.iter().all(|add| add.abs() <= MOST_ADDED)
        };
        // Every expert has a factor, so that the states of parents are known.
        self.base.len() == classes
            && self.base.iter().all(|base| base.abs() <= MOST_ADDED)
            && self.states == states
            && self.each.len() == states.len()
            && self.each.iter().enumerate().all(|(at, factor)| factor.expert as usize == at)
            && self.each.iter().all(each)
    }
}
