//! Code words of classes.

use super::Ecoc;
use crate::data::Classes;
use crate::error::{Error, Result};
use crate::run::Seed;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// All columns of more classes would be over a thousand members.
const MOST_EXHAUSTIVE: usize = 11;

/// Up to so many classes `auto` takes all columns.
const MOST_AUTO: usize = 7;

/// Of so many random codes the one whose words are farthest apart is taken.
const CODES_DRAWN: u64 = 100;

crate::choices! {
    /// Which code words classes have.
    pub enum Code {
        /// exhaustive for few classes, else random
        Auto = "auto",
        /// every way to part the classes in two: 2^(K-1) - 1 bits
        Exhaustive = "exhaustive",
        /// the best of many random codes
        Random = "random",
        /// the numbers of the classes in binary: the fewest bits, correcting nothing
        Binary = "binary",
        /// the words that are given
        Given = "given",
    }
}

/// A word of the same number of bits for each class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CodeWords {
    classes: usize,
    /// Class after class.
    bits: Vec<bool>,
}

impl CodeWords {
    /// From columns: what each class has in each bit. Columns that do not tell classes apart are
    /// dropped.
    fn from_columns(classes: usize, columns: &[Vec<bool>]) -> Self {
        let tells = |column: &&Vec<bool>| column.contains(&true) && column.contains(&false);
        let columns: Vec<&Vec<bool>> = columns.iter().filter(tells).collect();
        let word = |class: usize| columns.iter().map(move |column| column[class]);
        Self { classes, bits: (0..classes).flat_map(word).collect() }
    }

    pub fn bits(&self) -> usize {
        self.bits.len() / self.classes
    }

    pub fn bit(&self, class: usize, bit: usize) -> bool {
        self.bits[class * self.bits() + bit]
    }

    fn word(&self, class: usize) -> &[bool] {
        &self.bits[class * self.bits()..(class + 1) * self.bits()]
    }

    /// The least number of bits in which two words differ.
    pub fn least_distance(&self) -> usize {
        let apart = |a: usize, b: usize| {
            self.word(a).iter().zip(self.word(b)).filter(|(x, y)| x != y).count()
        };
        let pairs = (0..self.classes).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| apart(a, b)).min().unwrap_or(0)
    }

    /// Whether there is a word for each class and a bit for each member.
    pub fn fit(&self, classes: usize, members: usize) -> bool {
        self.classes == classes && classes > 1 && self.bits.len() == classes * members
    }
}

impl Ecoc {
    /// The words of the classes that are present.
    pub(super) fn code_words(
        &self,
        all: &Classes,
        present: &[u32],
        seed: Seed,
    ) -> Result<CodeWords> {
        let k = present.len();
        let words = match self.code {
            Code::Auto if k <= MOST_AUTO => exhaustive(k),
            Code::Auto | Code::Random => random(k, self.bits, seed),
            Code::Exhaustive if k > MOST_EXHAUSTIVE => {
                return Err(Error::unsuitable(
                    format!(
                        "an exhaustive code for {k} classes has {} bits",
                        (1u64 << (k - 1).min(62)) - 1
                    ),
                    format!("up to {MOST_EXHAUSTIVE} classes can have it; use code=random"),
                ));
            }
            Code::Exhaustive => exhaustive(k),
            Code::Binary => binary(k),
            Code::Given => given(&self.words, all, present)?,
        };
        if words.least_distance() == 0 {
            return Err(Error::unsuitable(
                format!("the {} bits leave classes with the same code word", words.bits()),
                "give more bits, or words that differ",
            ));
        }
        Ok(words)
    }
}

/// All partitions of the classes into two parts; the first class always has a 1.
fn exhaustive(k: usize) -> CodeWords {
    let column = |number: u32| (0..k).map(|c| c == 0 || number >> (c - 1) & 1 == 1).collect();
    let columns: Vec<Vec<bool>> = (0..(1u32 << (k - 1)) - 1).map(column).collect();
    CodeWords::from_columns(k, &columns)
}

fn binary(k: usize) -> CodeWords {
    let bits = usize::BITS - (k - 1).leading_zeros();
    let column = |bit: u32| (0..k).map(|class| class >> bit & 1 == 1).collect();
    let columns: Vec<Vec<bool>> = (0..bits).map(column).collect();
    CodeWords::from_columns(k, &columns)
}

fn random(k: usize, bits: usize, seed: Seed) -> CodeWords {
    let bits = if bits == 0 { (10.0 * (k as f64).log2()).ceil() as usize } else { bits };
    let draw = |at: u64| {
        let mut rng = seed.child("code", at).rng();
        let columns: Vec<Vec<bool>> =
            (0..bits).map(|_| (0..k).map(|_| rng.random_bool(0.5)).collect()).collect();
        CodeWords::from_columns(k, &columns)
    };
    // The first among equals, so that more draws change nothing once the best is found.
    let mut best = draw(0);
    for words in (1..CODES_DRAWN).map(draw) {
        if words.least_distance() > best.least_distance() {
            best = words;
        }
    }
    best
}

fn given(text: &str, all: &Classes, present: &[u32]) -> Result<CodeWords> {
    let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    let refuse = |what: String| {
        let help = "write a word of 0 and 1 for each class, such as words=0011,0101,1001";
        Err(Error::unsuitable(what, help))
    };
    if words.len() != all.len() {
        return refuse(format!("{} code words for {} classes", words.len(), all.len()));
    }
    if let Some(odd) = words.iter().find(|word| word.len() != words[0].len()) {
        return refuse(format!("the code words `{}` and `{odd}` differ in length", words[0]));
    }
    if let Some(odd) = words.iter().find(|word| word.contains(|c| !['0', '1'].contains(&c))) {
        return refuse(format!("the code word `{odd}` holds more than 0 and 1"));
    }
    let bit = |class: u32, bit: usize| words[class as usize].as_bytes()[bit] == b'1';
    let column = |at: usize| present.iter().map(|&class| bit(class, at)).collect();
    let columns: Vec<Vec<bool>> = (0..words[0].len()).map(column).collect();
    Ok(CodeWords::from_columns(present.len(), &columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhaustive_words_are_as_far_apart_as_they_can_be() {
        for k in 2..=8 {
            let words = exhaustive(k);
            assert_eq!(words.bits(), (1 << (k - 1)) - 1);
            // Every two classes differ in 2^(K-2) of the columns.
            assert_eq!(words.least_distance(), 1 << (k - 2));
        }
    }

    #[test]
    fn binary_words_are_the_shortest() {
        for (k, bits) in [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)] {
            assert_eq!((binary(k).bits(), binary(k).least_distance()), (bits, 1));
        }
        let drawn = random(10, 0, Seed::new(1));
        assert_eq!(drawn.bits(), 34);
        assert!(drawn.least_distance() >= 9, "{}", drawn.least_distance());
    }

    #[test]
    fn words_that_tell_no_classes_apart_are_refused() {
        let classes = Classes::new(["a", "b", "c"].map(str::to_owned).to_vec()).unwrap();
        let given = |words: &str| {
            let code = Ecoc { code: Code::Given, words: words.to_owned(), ..Ecoc::default() };
            code.code_words(&classes, &[0, 1, 2], Seed::new(1)).map_err(|e| e.to_string())
        };
        assert_eq!(given("0011, 0101, 1001").unwrap().bits(), 4 - 1, "the last bit tells nothing");
        for (words, said) in [
            ("00,01", "2 code words for 3 classes"),
            ("00,01,1", "differ in length"),
            ("00,0x,11", "more than 0 and 1"),
            ("00,11,00", "the same code word"),
        ] {
            let error = given(words).unwrap_err();
            assert!(error.contains(said), "{words}: {error}");
        }
    }
}
