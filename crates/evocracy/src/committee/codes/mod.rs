//! Many classes by members that tell two things apart: one class from the rest, one class from
//! another, or the bits of code words.
//!
//! T. G. Dietterich, G. Bakiri, "Solving multiclass learning problems via error-correcting output
//! codes", JAIR 2 (1995) 263-286. Classes that no training row has take no part: their
//! probability is 0.

mod coupling;
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

crate::choices! {
    /// How the probabilities of every two classes become those of all.
    pub enum DecodePairs {
        /// those that contradict the pairs least (Wu, Lin, Weng 2004, second approach)
        Coupled = "coupled",
        /// the mean of what a class wins: at most 2/K of K classes
        Wins = "wins",
    }
}

crate::params! {
    /// All pairs: a member for every two classes, their probabilities coupled.
    pub struct Pairs as "pairs" {
        /// how the probabilities of pairs become those of classes
        decode: DecodePairs = DecodePairs::Coupled, DecodePairs::CHOICES;
    }
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

/// Trains a member for each of `n` binary tasks. A task is made when its turn comes: all at once
/// could be more than fits into memory.
fn train_binary(
    assembly: &Assembly<'_>,
    (n, task): (usize, impl Fn(usize) -> Result<BinaryTask> + Sync),
    decoder: Decoder,
) -> Result<Fitted<CommitteeModel>> {
    let rows = &assembly.rows;
    let members = train_all_members(n, assembly.run, |at, run| {
        let own = task(at)?;
        let task = rows.task_with(&own.labels, &own.classes, &rows.weights)?;
        train_member(assembly.member(), &task.with_rows(&own.rows), run)
    })?;
    let mut diagnostics = assembly.diagnostics(&[])?;
    diagnostics.least_distance = decoder.least_distance();
    diagnostics.bits = diagnostics.least_distance.map(|_| n);
    assembly.committee(members, Combine::Codes(decoder), diagnostics)
}

/// Two groups of classes that a member tells apart.
struct BinaryTask {
    classes: Classes,
    /// The rows of these classes.
    rows: Vec<u32>,
    /// For every training row; those of other classes have any.
    labels: Vec<u32>,
}

impl BinaryTask {
    /// `second` says whether a class is in the second group; `None` where it is in neither.
    fn new(
        rows: &TrainingRows,
        names: [String; 2],
        second: impl Fn(u32) -> Option<bool>,
    ) -> Result<Self> {
        let labels = rows.labels.iter().map(|&class| u32::from(second(class) == Some(true)));
        let own = |row: &u32| second(rows.labels[*row as usize]).is_some();
        Ok(Self {
            classes: Classes::new(names.into())?,
            rows: (0..rows.len() as u32).filter(own).collect(),
            labels: labels.collect(),
        })
    }
}

impl Ensemble for OneRest {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        let task = |at: usize| {
            let name = rows.classes.names()[present[at] as usize].clone();
            let names = [format!("not {name}"), name];
            BinaryTask::new(rows, names, |class| Some(class == present[at]))
        };
        train_binary(assembly, (present.len(), task), Decoder::Rest(present.clone()))
    }
}

impl Ensemble for Pairs {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        // A member is a model with a schema and an encoder of its own: about 4 KB, and its columns.
        let count = present.len() * present.len().saturating_sub(1) / 2;
        let what = format!("{count} members, one for each pair of {} classes,", present.len());
        assembly.run.reserve(&what, &[count, 512 + 16 * rows.features().columns()])?;
        let pairs: Vec<(u32, u32)> = (0..present.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .map(|(j, i)| (present[j], present[i]))
            .collect();
        let task = |at: usize| {
            let (a, b) = pairs[at];
            let names = [a, b].map(|class| rows.classes.names()[class as usize].clone());
            BinaryTask::new(rows, names, |class| [a, b].contains(&class).then_some(class == b))
        };
        let decoder = match self.decode {
            DecodePairs::Coupled => Decoder::Coupled(present),
            DecodePairs::Wins => Decoder::Pairs(pairs.clone()),
        };
        train_binary(assembly, (pairs.len(), task), decoder)
    }
}

impl Ensemble for Ecoc {
    const MEMBERS: Members = Members::one("logistic");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let present = present(rows);
        let words = self.code_words(&rows.classes, &present, assembly.run.seed)?;
        let task = |bit: usize| {
            BinaryTask::new(rows, ["0", "1"].map(str::to_owned), |class| {
                let at = present.iter().position(|&other| other == class);
                Some(at.is_some_and(|at| words.bit(at, bit)))
            })
        };
        let by_count = self.decode == Decode::Hamming;
        let decoder = WordDecoder { present: present.clone(), words: words.clone(), by_count };
        train_binary(assembly, (words.bits(), task), Decoder::Words(decoder))
    }
}
