//! From the outputs of members, which know two classes each, to the probabilities of all classes.

use super::coupling::couple;
use super::words::CodeWords;
use crate::classify::Link;
use crate::committee::columns::Scale;
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
    /// Each for the second of two classes; a class has the mean of what it wins.
    Pairs(Vec<(u32, u32)>),
    /// Each for the second of two of these classes, for all pairs in the order (0, 1), (0, 2),
    /// (1, 2), ...; their probabilities are coupled.
    Coupled(Vec<u32>),
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

    /// What each class has before any member counts, and what each member adds. Both are 0 before.
    pub(in crate::committee) fn parts(
        &self,
        outputs: &[&[f64]],
        base: &mut [f64],
        parts: &mut [f64],
    ) {
        let k = base.len();
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
            Self::Coupled(present) => coupled(present, outputs, base, parts),
            Self::Words(decoder) => {
                decoder.base(base);
                for (bit, part) in parts.chunks_exact_mut(k).enumerate() {
                    decoder.part(bit, outputs[bit][1], part);
                }
            }
        }
    }

    /// Which of a member's two classes speaks for a class; `None` where neither does.
    pub(in crate::committee) fn voice(&self, member: usize, class: usize) -> Option<usize> {
        let of_pair = |(low, high): (u32, u32)| match class as u32 {
            class if class == low => Some(0),
            class if class == high => Some(1),
            _ => None,
        };
        match self {
            Self::Rest(present) => (*present.get(member)? as usize == class).then_some(1),
            Self::Pairs(pairs) => of_pair(*pairs.get(member)?),
            Self::Coupled(present) => {
                let high = (1..present.len()).find(|high| high * (high + 1) / 2 > member)?;
                of_pair((present[member - high * (high - 1) / 2], present[high]))
            }
            Self::Words(decoder) => {
                let at = decoder.present.iter().position(|&other| other as usize == class)?;
                Some(usize::from(decoder.words.bit(at, member)))
            }
        }
    }

    /// How a part comes from a member's probability, where that is the same for all classes.
    pub(in crate::committee) fn scale(&self, outputs: &[&[f64]]) -> Option<Scale> {
        match self {
            Self::Rest(_) => {
                let all: f64 = outputs.iter().map(|p| p[1]).sum();
                (all > 0.0).then(|| Scale::Times(1.0 / all))
            }
            Self::Pairs(pairs) => Some(Scale::Times(1.0 / pairs.len() as f64)),
            Self::Words(decoder) if !decoder.by_count => Some(Scale::Logarithm(1.0, FLOOR)),
            Self::Coupled(_) | Self::Words(_) => None,
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
            Self::Coupled(present) => {
                // As many members as pairs; `present` comes from a file and may be of any length.
                let pairs = present.len().checked_mul(present.len().saturating_sub(1));
                let rising = present.is_sorted_by(|a, b| a < b);
                pairs == widths.len().checked_mul(2) && rising && present.iter().all(known)
            }
            Self::Words(decoder) => {
                let WordDecoder { present, words, .. } = decoder;
                words.fit(present.len(), widths.len()) && present.iter().all(known)
            }
        };
        fits && !widths.is_empty() && widths.iter().all(|&width| width == 2)
    }
}

/// Coupled probabilities as parts of the members.
fn coupled(present: &[u32], outputs: &[&[f64]], base: &mut [f64], parts: &mut [f64]) {
    let k = base.len();
    let second: Vec<f64> = outputs.iter().map(|p| p[1]).collect();
    let mut adds = vec![[0.0; 2]; outputs.len()];
    let alike = couple(&second, present.len(), &mut adds);
    for &class in present {
        base[class as usize] = alike;
    }
    let pairs = (1..present.len()).flat_map(|high| (0..high).map(move |low| (low, high)));
    for ((part, [a, b]), (low, high)) in parts.chunks_exact_mut(k).zip(adds).zip(pairs) {
        part[present[low] as usize] = a;
        part[present[high] as usize] = b;
    }
}

impl WordDecoder {
    /// Little enough that a class without a word never wins.
    fn base(&self, base: &mut [f64]) {
        base.fill(if self.by_count { -1.0 } else { -1e9 });
        self.present.iter().for_each(|&class| base[class as usize] = 0.0);
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// What models of before coupling hold.
    #[test]
    fn pairs_of_old_files_still_count_wins() {
        let old: Decoder = serde_json::from_str("{\"pairs\":[[0,1],[0,2],[1,2]]}").unwrap();
        assert!(old.sound(&[2; 3], 3));
        let (mut base, mut parts) = ([0.0; 3], [0.0; 9]);
        old.parts(&[&[0.9, 0.1], &[0.8, 0.2], &[0.3, 0.7]], &mut base, &mut parts);
        assert_eq!(base, [0.0; 3]);
        let sum = |class: usize| parts.chunks_exact(3).map(|part| part[class]).sum::<f64>();
        assert!((sum(0) - 1.7 / 3.0).abs() < 1e-15 && (sum(2) - 0.9 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn forged_classes_to_couple_are_refused() {
        assert!(Decoder::Coupled(vec![0, 2, 3]).sound(&[2; 3], 4));
        for (present, members) in [
            (vec![0, 1, 2, 3], 3),
            (vec![0, 1], 3),
            (vec![0, 0, 1], 3),
            (vec![2, 1, 0], 3),
            (vec![0, 1, 4], 3),
            (vec![0], 0),
            (vec![], 0),
        ] {
            let forged = Decoder::Coupled(present.clone());
            assert!(!forged.sound(&vec![2; members], 4), "{present:?}");
        }
        assert!(!Decoder::Coupled(vec![0, 1, 2]).sound(&[2, 2, 3], 4));
    }
}
