//! Rules that combine the probabilities of members into those of the committee.
//!
//! Every rule is a link of a sum with a part for each member, so that the parts explain the
//! output; `columns` shares them among the columns of the rows.
//!
//! J. Kittler, M. Hatef, R. P. W. Duin, J. Matas, "On combining classifiers", IEEE PAMI 20 (1998)
//! 226-239, for mean, product, maximum and vote.

use crate::classify::Link;
use crate::error::{Error, Result};
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// The least probability in a product: no single member can make that of a class 0.
pub(super) const FLOOR: f64 = 1e-15;

/// How the outputs of members are combined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// The weighted mean of the probabilities; weights sum to 1.
    Mean(Vec<f64>),
    /// The weighted share of the members that call a class; weights sum to 1.
    Vote(Vec<f64>),
    /// The softmax of the sums of the weights of the members that call a class.
    Odds(Vec<f64>),
    /// The product of the probabilities, each to the power of its weight, normalised.
    Product(Vec<f64>),
    /// The greatest probability that any member gives a class, normalised.
    Max,
    /// The output of one expert: the one whose gate gives it the greatest probability of being
    /// right. Gates are members after the experts; an expert that was always right, or always
    /// wrong, in training has a constant instead.
    Local(Vec<Gate>),
    /// Each member tells two groups of classes apart.
    Codes(super::codes::Decoder),
    /// The last member is a model of the outputs of the others.
    Stack,
    /// The last member is a model of the classes that the others call.
    Labels,
}

/// How probable it is that an expert is right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The probability of the second class (`right`) of this member.
    Member(usize),
    /// The same everywhere.
    Constant(f64),
}

impl Combine {
    /// Equal weights for `n` members.
    pub fn equal(n: usize) -> Vec<f64> {
        vec![1.0 / n as f64; n]
    }

    /// How the sum of the parts becomes probabilities.
    pub(super) fn link(&self) -> Link {
        match self {
            Self::Odds(_) | Self::Product(_) => Link::Softmax,
            Self::Codes(decoder) => decoder.link(),
            _ => Link::Identity,
        }
    }

    /// What the rule itself adds to each class, `base`, and what each member adds: `parts` holds
    /// as many numbers as `base` for each member. Both are 0 before; `outputs` holds the
    /// probabilities of one row by each member.
    pub(super) fn parts(&self, outputs: &[&[f64]], base: &mut [f64], parts: &mut [f64]) {
        let classes = base.len();
        match self {
            Self::Mean(weights) => weighted(outputs, weights, parts, |p| p),
            Self::Vote(weights) | Self::Odds(weights) => {
                for (at, p) in outputs.iter().enumerate() {
                    parts[at * classes + argmax(p)] = weights[at];
                }
            }
            Self::Product(weights) => weighted(outputs, weights, parts, |p| p.max(FLOOR).ln()),
            Self::Max => greatest(outputs, classes, parts),
            Self::Local(gates) => {
                let expert = most_competent(gates, outputs);
                parts[expert * classes..(expert + 1) * classes].copy_from_slice(outputs[expert]);
            }
            Self::Codes(decoder) => decoder.parts(outputs, base, parts),
            // A model combines them: see `Combiner`.
            Self::Stack | Self::Labels => {}
        }
    }

    /// Refuses what a forged file could hold. `widths` is how many classes each member knows.
    pub(super) fn check(&self, widths: &[usize], classes: usize) -> Result<()> {
        let same = |widths: &[usize]| widths.iter().all(|&width| width == classes);
        let weights = |weights: &[f64]| {
            weights.len() == widths.len() && weights.iter().all(|w| w.is_finite() && *w >= 0.0)
        };
        let one = |list: &[f64]| (list.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        let sound = match self {
            Self::Mean(list) | Self::Vote(list) => same(widths) && weights(list) && one(list),
            Self::Odds(list) | Self::Product(list) => {
                same(widths) && weights(list) && list.iter().sum::<f64>() < 1e100
            }
            Self::Max => same(widths) && !widths.is_empty(),
            Self::Local(gates) => sound_gates(gates, widths, classes),
            Self::Codes(decoder) => decoder.sound(widths, classes),
            Self::Stack | Self::Labels => widths.len() > 1 && same(widths),
        };
        if sound { Ok(()) } else { Err(Error::model_file("its members do not fit together")) }
    }
}

/// A figure of every probability, times the weight of its member.
fn weighted(outputs: &[&[f64]], weights: &[f64], parts: &mut [f64], figure: impl Fn(f64) -> f64) {
    let all = outputs.iter().zip(weights).flat_map(|(p, w)| p.iter().map(move |p| (w, *p)));
    for (part, (w, p)) in parts.iter_mut().zip(all) {
        *part = w * figure(p);
    }
}

/// The greatest probability of each class is the part of the first member that gives it.
fn greatest(outputs: &[&[f64]], classes: usize, parts: &mut [f64]) {
    let mut total = 0.0;
    for class in 0..classes {
        let mut best = 0;
        for member in 1..outputs.len() {
            if outputs[member][class] > outputs[best][class] {
                best = member;
            }
        }
        parts[best * classes + class] = outputs[best][class];
        total += outputs[best][class];
    }
    for part in parts {
        *part /= total;
    }
}

/// The expert that is most probably right, the first one among equals.
fn most_competent(gates: &[Gate], outputs: &[&[f64]]) -> usize {
    let right: Vec<f64> = gates
        .iter()
        .map(|gate| match gate {
            Gate::Member(member) => outputs[*member][1],
            Gate::Constant(share) => *share,
        })
        .collect();
    argmax(&right)
}

fn sound_gates(gates: &[Gate], widths: &[usize], classes: usize) -> bool {
    let experts = gates.len();
    let gate = |gate: &Gate| match gate {
        Gate::Member(at) => *at >= experts && widths.get(*at) == Some(&2),
        Gate::Constant(share) => share.is_finite(),
    };
    experts > 0
        && widths.len() >= experts
        && widths[..experts].iter().all(|&width| width == classes)
        && gates.iter().all(gate)
}
