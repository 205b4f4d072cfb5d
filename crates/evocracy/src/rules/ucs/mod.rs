//! UCS: a population of rules that is bred where it is right (Bernadó-Mansilla and Garrell-Guiu
//! 2003, "Accuracy-based learning classifier systems"), with the parameters of XCS (Butz and
//! Wilson 2001, "An algorithmic description of XCS").
//!
//! For each row the rules that match it form the match set, those of them that predict its
//! class the correct set. If that is empty, covering makes a rule of the row. All of the match set count the
//! row; accuracy is the share of rows that were of the rule's class. Without sharing, fitness is
//! accuracy to the power `nu`; with sharing the rules of a correct set divide it (Orriols-Puig and
//! Bernadó-Mansilla 2008, "Revisiting UCS"). A correct set that has waited long enough breeds two
//! children, and the population is then cut back to its limit.
//!
//! A row gets the votes of the rules that match it, fitness times numerosity, (23) of Edakunni,
//! Brown and Kovacs 2011; divided by their sum they are its probabilities. Where no rule of
//! any fitness matches, the default rule answers: the shares of the classes. As the votes of accurate
//! rules give probabilities of 0 and 1, the default rule has a small weight in all other answers too:
//! the one of the greatest leave-one-out likelihood of the training rows.
//!
//! Beyond the papers: rows have weights; `evaluate=exact` evaluates a new rule on all training rows at
//! once; MultiSURF weights and feedback guide covering and mutation, and on wide tables the weights say
//! which attributes rules may test at all; a limit bounds the attributes
//! of a rule (both after ExSTraCS 2.0, Urbanowicz and Moore 2015); compaction drops rules without
//! which the leave-one-out predictions of the training rows are as probable and as often right.
//!
//! | file | job |
//! |---|---|
//! | `learn` | one row: match, cover, credit |
//! | `breed` | parents, children, subsumption |
//! | `population` | rules and whom deletion draws |
//! | `macro_classifier` | class, numerosity, experience, accuracy and fitness of a rule |
//! | `exact` | rules evaluated on all training rows |
//! | `guide` | which attributes covering and mutation prefer |
//! | `compact` | redundant rules are dropped |
//! | `curve` | error, rules and covering over time |
//! | `fit` | many rows in random order |
//! | `online` | rows of a stream, and the cuts of numbers |
//! | `model` | what is predicted, explained and shown |
//! | `saved` | what a file may hold |

mod breed;
mod compact;
mod curve;
mod exact;
mod fit;
mod guide;
mod learn;
mod macro_classifier;
mod model;
mod online;
mod population;
mod saved;
#[cfg(test)]
mod tests;

pub use model::UcsModel;

crate::choices! {
    /// How parents are chosen.
    pub enum Selection {
        /// the fittest of a random share of the correct set
        Tournament = "tournament",
        /// in proportion to fitness
        Roulette = "roulette",
    }
}

crate::choices! {
    /// How two parents are crossed.
    pub enum Crossover {
        /// each attribute from either parent
        Uniform = "uniform",
        /// what lies between two places is swapped
        TwoPoint = "two-point",
    }
}

crate::choices! {
    /// Where general rules take over special ones.
    pub enum Subsumption {
        /// nowhere
        None = "none",
        /// when a child is inserted
        Ga = "ga",
        /// in every correct set
        Set = "set",
        /// both
        Both = "both",
    }
}

crate::choices! {
    /// How rules come to know their accuracy.
    pub enum Evaluation {
        /// from the rows they meet
        Rows = "rows",
        /// from all training rows at once
        Exact = "exact",
    }
}

crate::choices! {
    /// What says which attributes matter before learning begins.
    pub enum Guidance {
        /// of more than 100 attributes rules test those alone whose MultiSURF weights stand out from chance
        Auto = "auto",
        /// nothing: all are equal
        None = "none",
        /// MultiSURF weights of the training rows
        Multisurf = "multisurf",
    }
}

crate::params! {
    /// A population of rules, bred where they are right and judged by their accuracy (UCS).
    pub struct Ucs as "ucs" {
        /// the most rules, equal ones counted each
        population: usize = 2000, 1..=10_000_000;
        /// how many rows to learn from: the training rows again and again, in random order
        iterations: usize = 100_000, 1..=1_000_000_000_000;
        /// the power of accuracy that is fitness
        nu: f64 = 10.0, 0.0..=1000.0;
        /// whether the rules of a correct set divide fitness among them
        sharing: bool = true, ..;
        /// how rules come to know their accuracy: from the rows they meet, or from all training rows at once
        evaluate: Evaluation = Evaluation::Rows, Evaluation::CHOICES;
        /// the accuracy above which a rule counts as accurate
        accurate: f64 = 0.99, 0.0..=1.0;
        /// the rate at which shared fitness and the sizes of correct sets follow what is seen
        rate: f64 = 0.2, 0.0..=1.0;
        /// how many rows a correct set waits before it breeds again
        patience: u64 = 25, 0..=1_000_000_000;
        /// how parents are chosen
        selection: Selection = Selection::Tournament, Selection::CHOICES;
        /// the share of the correct set that is in a tournament
        tournament: f64 = 0.4, 0.0..=1.0;
        /// the probability that two parents are crossed
        crossover: f64 = 0.8, 0.0..=1.0;
        /// how two parents are crossed
        crossing: Crossover = Crossover::Uniform, Crossover::CHOICES;
        /// the probability that an attribute of a child is changed
        mutation: f64 = 0.04, 0.0..=1.0;
        /// the probability that covering leaves an attribute open
        wildcard: f64 = 0.6, 0.0..=1.0;
        /// the most attributes of a rule; 0 takes as many as the training rows can tell apart
        limit: usize = 0, 0..=1_000_000;
        /// where general rules take over special ones
        subsumption: Subsumption = Subsumption::Ga, Subsumption::CHOICES;
        /// how many rows a rule must have met to take over others
        experience: u64 = 20, 0..=1_000_000_000;
        /// how many rows make a rule old enough to vote fully and to be deleted for its fitness
        youth: u64 = 20, 0..=1_000_000_000;
        /// the share of the mean fitness below which an old rule is likely to be deleted
        delta: f64 = 0.1, 0.0..=1.0;
        /// the fitness of a rule made by covering
        initial: f64 = 0.01, 0.0..=1.0;
        /// what says which attributes matter before learning begins
        guide: Guidance = Guidance::Auto, Guidance::CHOICES;
        /// whether attributes of good rules that breed are preferred by covering and mutation
        feedback: bool = false, ..;
        /// whether every class counts the same however rare it is
        balance: bool = false, ..;
        /// the most intervals a number is cut into
        bins: usize = 16, 2..=1024;
        /// whether rules are dropped that no training row needs
        compact: bool = true, ..;
    }
}
