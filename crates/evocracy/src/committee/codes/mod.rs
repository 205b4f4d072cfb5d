//! Many classes by members that tell two things apart: one class from the rest, one class from
//! another, or the bits of code words.
//!
//! T. G. Dietterich, G. Bakiri, "Solving multiclass learning problems via error-correcting output
//! codes", JAIR 2 (1995) 263-286. Classes that no training row has take no part: their
//! probability is 0.

mod decode;
mod words;

pub use decode::Decoder;
pub use words::Code;

use super::assembly::{Assembly, Ensemble, train_all_members, train_member};
use super::{Combine, CommitteeModel, TrainingRows};
use crate::classify::Fitted;
use crate::data::Classes;
use crate::error::Result;
use crate::method::Members;
use decode::WordDecoder;

crate::choices! {
    /// How the bits that members give become a class.
    pub enum Decode {
        /// the nearest code word, by the probabilities of its bits
        Probability = "probability",
        /// the nearest code word, by the number of equal bits
        Hamming = "hamming",
    }
}

crate::params! {
    /// One against the rest: a member for each class, their probabilities normalised.
    pub struct OneRest as "one-rest" {}
}

crate::params! {
    /// All pairs: a member for every two classes; a class has the mean of what it wins.
    pub struct Pairs as "pairs" {}
}

crate::params! {
    /// Error-correcting output codes: a member for each bit of the classes' code words.
    pub struct Ecoc as "ecoc" {
        /// which code words; auto: exhaustive up to 7 classes, else random
        code: Code = Code::Auto, Code::CHOICES;
        /// how many bits random words have; at 0 ten times log2 of the classes
        bits: usize = 0, 0..=100_000;
        /// given words, one for each class in order, parted by commas: 0011,0101,1001
        words: String = String::new(), ..;
        /// how bits become a class
        decode: Decode = Decode::Probability, Decode::CHOICES;
    }
}

/// The classes that training rows have.
fn present(rows: &TrainingRows) -> Vec<u32> {
    let has = |class: &u32| rows.labels.contains(class);
    (0..rows.classes.len() as u32).filter(has).collect()
}

/// A member's two classes.
fn two(first: String, second: String) -> Result<Classes> {
    Classes::new(vec![first, second])
}

/// Trains a member for each of `n` questions: the rows it is asked of with their answers. A
/// question is made when its turn comes: all at once could be more than fits into memory.
fn asked(
    assembly: &Assembly<'_>,
    (n, question): (usize, impl Fn(usize) -> Result<Question> + Sync),
    decoder: Decoder,
) -> Result<Fitted<CommitteeModel>> {
    let rows = &assembly.rows;
    let members = train_all_members(n, assembly.run, |at, run| {
        let Question { classes, rows: asked, answers } = question(at)?;
        let task = rows.task_with(&answers, &classes, &rows.weights)?;
        train_member(assembly.member(), &task.with_rows(&asked), run)
    })?;
    let mut diagnostics = assembly.diagnostics(&[])?;
    diagnostics.least_distance = decoder.least_distance();
    diagnostics.bits = diagnostics.least_distance.map(|_| n);
    assembly.committee(members, Combine::Codes(decoder), diagnostics)
}

/// What one member is to tell apart.
struct Question {
    classes: Classes,
    rows: Vec<u32>,
    /// For every training row; those that are not asked have any.
    answers: Vec<u32>,
}

impl Question {
    /// Whether rows are of the classes for which `yes` holds.
    fn of_all(rows: &TrainingRows, classes: Classes, yes: impl Fn(u32) -> bool) -> Self {
        let answers = rows.labels.iter().map(|&label| u32::from(yes(label))).collect();
        Self { classes, rows: (0..rows.len() as u32).collect(), answers }
    }
}

impl Ensemble for OneRest {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        let ask = |at: usize| {
            let class = present[at];
            let name = &rows.classes.names()[class as usize];
            let classes = two(format!("not {name}"), name.clone())?;
            Ok(Question::of_all(rows, classes, |label| label == class))
        };
        asked(assembly, (present.len(), ask), Decoder::Rest(present.clone()))
    }
}

impl Ensemble for Pairs {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        let pairs: Vec<(u32, u32)> = (0..present.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .map(|(j, i)| (present[j], present[i]))
            .collect();
        let name = |class: u32| rows.classes.names()[class as usize].clone();
        let ask = |at: usize| {
            let (a, b) = pairs[at];
            let own = |row: &u32| [a, b].contains(&rows.labels[*row as usize]);
            let asked = (0..rows.len() as u32).filter(own).collect();
            let answers = rows.labels.iter().map(|&label| u32::from(label == b)).collect();
            Ok(Question { classes: two(name(a), name(b))?, rows: asked, answers })
        };
        asked(assembly, (pairs.len(), ask), Decoder::Pairs(pairs.clone()))
    }
}

impl Ensemble for Ecoc {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        let words = self.code_words(&rows.classes, &present, assembly.run.seed)?;
        let ask = |bit: usize| {
            let one = |label: u32| {
                let at = present.iter().position(|&class| class == label);
                at.is_some_and(|at| words.bit(at, bit))
            };
            let classes = two("0".to_owned(), "1".to_owned())?;
            Ok(Question::of_all(rows, classes, one))
        };
        let by_count = self.decode == Decode::Hamming;
        let decoder = WordDecoder { present: present.clone(), words: words.clone(), by_count };
        asked(assembly, (words.bits(), ask), Decoder::Words(decoder))
    }
}
