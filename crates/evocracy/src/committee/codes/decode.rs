//! From the outputs of members, which know two classes each, to the probabilities of all classes.

use super::words::CodeWords;
use crate::classify::Link;
use serde::{Deserialize, Serialize};

/// The least probability of a bit: no single member can make that of a class 0.
const FLOOR: f64 = 1e-9;

/// What the members answer for. Every member knows two classes and says how probable the second
/// one is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoder {
    /// Each for one class, these.
    Rest(Vec<u32>),
    /// Each for the second of two classes.
    Pairs(Vec<(u32, u32)>),
    /// Each for a bit of the code words.
    Words(WordDecoder),
}

/// Code words and how the distance of a class to the outputs of the members is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WordDecoder {
    /// The classes that have words.
    pub(super) present: Vec<u32>,
    pub(super) words: CodeWords,
    /// Equal bits are counted; else the probabilities of the bits are multiplied.
    pub(super) by_count: bool,
}

impl Decoder {
    pub(in crate::committee) fn link(&self) -> Link {
        match self {
            Self::Words(decoder) if decoder.by_count => Link::Winner,
            Self::Words(_) => Link::Softmax,
            _ => Link::Identity,
        }
    }

    /// What each class has before any member counts; little enough that one without a word never
    /// wins.
    pub(in crate::committee) fn base(&self, classes: usize) -> Vec<f64> {
        let Self::Words(decoder) = self else { return vec![0.0; classes] };
        let out = if decoder.by_count { -1.0 } else { -1e9 };
        let mut base = vec![out; classes];
        decoder.present.iter().for_each(|&class| base[class as usize] = 0.0);
        base
    }

    pub(in crate::committee) fn parts(&self, outputs: &[&[f64]], k: usize, parts: &mut [f64]) {
        match self {
            Self::Rest(present) => {
                let all: f64 = outputs.iter().map(|p| p[1]).sum();
                for (at, &class) in present.iter().enumerate() {
                    // Where all members give their class 0, all are equally probable.
                    let share =
                        if all > 0.0 { outputs[at][1] / all } else { 1.0 / outputs.len() as f64 };
                    parts[at * k + class as usize] = share;
                }
            }
            Self::Pairs(pairs) => {
                let all = pairs.len() as f64;
                for (at, &(a, b)) in pairs.iter().enumerate() {
                    parts[at * k + a as usize] = outputs[at][0] / all;
                    parts[at * k + b as usize] = outputs[at][1] / all;
                }
            }
            Self::Words(decoder) => {
                for (bit, part) in parts.chunks_exact_mut(k).enumerate() {
                    decoder.part(bit, outputs[bit][1], part);
                }
            }
        }
    }

    /// The least number of bits in which two classes differ.
    pub(super) fn least_distance(&self) -> Option<usize> {
        match self {
            Self::Words(decoder) => Some(decoder.words.least_distance()),
            _ => None,
        }
    }

    /// Whether a file's decoder fits `members` and `classes`.
    pub(in crate::committee) fn sound(&self, widths: &[usize], classes: usize) -> bool {
        let known = |class: &u32| (*class as usize) < classes;
        let fits = match self {
            Self::Rest(present) => present.len() == widths.len() && present.iter().all(known),
            Self::Pairs(pairs) => {
                pairs.len() == widths.len() && pairs.iter().all(|(a, b)| known(a) && known(b))
            }
            Self::Words(decoder) => {
                let WordDecoder { present, words, .. } = decoder;
                words.fit(present.len(), widths.len()) && present.iter().all(known)
            }
        };
        fits && !widths.is_empty() && widths.iter().all(|&width| width == 2)
    }
}

impl WordDecoder {
    fn part(&self, bit: usize, one: f64, part: &mut [f64]) {
        for (at, &class) in self.present.iter().enumerate() {
            let p = if self.words.bit(at, bit) { one } else { 1.0 - one };
            part[class as usize] = if self.by_count {
                // A tie counts half for each value of the bit.
                if (one - 0.5).abs() < 1e-12 { 0.5 } else { f64::from(p > 0.5) }
            } else {
                p.max(FLOOR).ln()
            };
        }
    }
}
