//! How what members say becomes what the committee says.
//!
//! Every rule is a link of sums, a part for each member, so that a committee explains itself by
//! its members. J. Kittler, M. Hatef, R. P. W. Duin, J. Matas, "On combining classifiers", IEEE
//! PAMI 20 (1998) 226-239, for mean, product, maximum and vote.

use crate::classify::Link;
use crate::error::{Error, Result};
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// The least probability that a product reckons with: no member has a veto.
const FLOOR: f64 = 1e-15;

/// A rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// The weighted mean of the probabilities; weights sum to 1.
    Mean(Vec<f64>),
    /// The weighted share of the members that call a class; weights sum to 1.
    Vote(Vec<f64>),
    /// As a vote; the votes are log-odds.
    Odds(Vec<f64>),
    /// The product of the probabilities, each to the power of its weight, normalised.
    Product(Vec<f64>),
    /// The greatest probability that any member gives a class, normalised.
    Max,
    /// One member answers, the one that its gate trusts most: as many gates follow the experts,
    /// each a model of whether its expert is right; a gate that could not be trained is
    /// its expert's share of right calls.
    Local(Vec<Gate>),
    /// The members answer for bits of code words.
    Codes(super::codes::Decoder),
    /// The last member combines what the others say.
    Stack,
}

/// How far an expert is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// What this member says of the row.
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

    /// What each member adds to each class: `parts` holds a row of `classes` numbers for each
    /// member and is 0 before; `outputs` holds what each member says of one row.
    pub(super) fn parts(&self, outputs: &[&[f64]], classes: usize, parts: &mut [f64]) {
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
                let expert = trusted(gates, outputs);
                parts[expert * classes..(expert + 1) * classes].copy_from_slice(outputs[expert]);
            }
            Self::Codes(decoder) => decoder.parts(outputs, classes, parts),
            Self::Stack => {}
        }
    }

    /// What the rule itself adds to each class.
    pub(super) fn base(&self, classes: usize) -> Vec<f64> {
        match self {
            Self::Codes(decoder) => decoder.base(classes),
            _ => vec![0.0; classes],
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
            Self::Stack => widths.len() > 1 && same(widths),
        };
        if sound { Ok(()) } else { Err(Error::model_file("its members do not fit together")) }
    }
}

/// A figure of every probability, by the weight of its member.
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

/// The expert that is trusted most, the first one among equals.
fn trusted(gates: &[Gate], outputs: &[&[f64]]) -> usize {
    let trust: Vec<f64> = gates
        .iter()
        .map(|gate| match gate {
            // Of wrong and right, the second.
            Gate::Member(member) => outputs[*member][1],
            Gate::Constant(share) => *share,
        })
        .collect();
    argmax(&trust)
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
