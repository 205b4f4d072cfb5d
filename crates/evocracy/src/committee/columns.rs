//! Explanations of committees down to the columns of the rows.
//!
//! The rule gives every member a part of each class (see [`Combine`]). Here a member's part is
//! shared out among what the member's own explanation consists of: its base, and its pieces of
//! evidence. What pieces of all members about one column get is one part of the committee; what
//! their bases get is in the base of the committee. Every share is taken from the member's part, so
//! that base and parts add up as before.
//!
//! 1. *What a member's probability consists of.* Of an explanation whose link is the identity: of
//!    its base and its pieces. Of one on the scale of logarithms (softmax): the probabilities at
//!    the base, and for each piece the integral of what it moves the probabilities by along the
//!    straight line from the base to the sum (R. J. Aumann, L. S. Shapley, "Values of non-atomic
//!    games", 1974). Of points (winner): in proportion to the points.
//! 2. *What the part is of that probability.* In a sum of logarithms (`product`, `ecoc` by
//!    probability) pieces of members on that scale count as they are, times the weight; others
//!    times the slope from the logarithm at the base to that of the probability. With all other
//!    rules the part of a class is a number times the member's probability of that class: its
//!    weight in a mean; in a vote its weight over the probability with which it calls the class;
//!    and so on. Base and pieces are multiplied by that number.
//! 3. *A model in the place of the rule.* A stack is explained at the outputs and at those that
//!    members have before any evidence; the difference of an output's parts is shared among its
//!    pieces in proportion to what they move the output by. Where these nearly cancel each other,
//!    columns would get more than there is: they then get no more than twice of it together, and
//!    the remainder stays with the member, and so does all of an output that would weigh more than
//!    10,000 before any evidence, because it hardly varied in training. A label (`labels-`) counts
//!    as what its probability consists of.
//!
//! Evidence that is no column, such as a neighbour or a training row like this one, stays with its
//! member.

use super::Combine;
use crate::classify::{Explanation, Link, Part, softmax_in_place};
use crate::data::View;
use crate::error::Result;
use std::collections::BTreeMap;

/// Probabilities below this do not tell what they consist of.
const LEAST: f64 = 1e-7;

/// A piece of evidence: its column in the member's schema, and what it adds to each class.
type Piece = (Option<usize>, Vec<f64>);

/// What the probabilities of a member consist of: `base` and all `pieces` add up to `proba`.
pub(super) struct Made {
    pub proba: Vec<f64>,
    pub base: Vec<f64>,
    pub pieces: Vec<Piece>,
}

impl Made {
    /// Of the member's explanation and of what it said.
    pub fn of(explanation: &Explanation, proba: &[f64]) -> Self {
        let pieces = explanation.parts.iter().map(|part| (part.column, part.adds.clone()));
        let (base, proba) = (explanation.base.clone(), proba.to_vec());
        let mut made = Self { proba, base, pieces: pieces.collect() };
        match explanation.link {
            Link::Identity => {}
            Link::Softmax => made.along_the_line(),
            Link::Winner => made.by_points(),
        }
        made.settle();
        made
    }

    /// From logarithms to probabilities: each piece gets the integral of what it moves them by.
    fn along_the_line(&mut self) {
        let k = self.base.len();
        let mut way = vec![0.0; k];
        for (_, adds) in &self.pieces {
            way.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
        }
        let (own, both) = means_along(&self.base, &way);
        for (_, adds) in &mut self.pieces {
            let moved = |class: usize| {
                let row = &both[class * k..(class + 1) * k];
                own[class] * adds[class] - row.iter().zip(&*adds).map(|(b, a)| b * a).sum::<f64>()
            };
            *adds = (0..k).map(moved).collect();
        }
        softmax_in_place(&mut self.base);
    }

    /// From points to the shares that winners have.
    fn by_points(&mut self) {
        for class in 0..self.base.len() {
            let points = self.base[class] + self.pieces.iter().map(|(_, a)| a[class]).sum::<f64>();
            let of = |p: f64| if points > 0.0 { p / points } else { 0.0 };
            let factor = of(self.proba[class]);
            self.base[class] *= factor;
            self.pieces.iter_mut().for_each(|(_, adds)| adds[class] *= factor);
        }
    }

    /// Makes good what is left over by rounding, and by the steps of the integral.
    fn settle(&mut self) {
        for class in 0..self.base.len() {
            let size: f64 = self.pieces.iter().map(|(_, adds)| adds[class].abs()).sum();
            let sum: f64 = self.pieces.iter().map(|(_, adds)| adds[class]).sum();
            let left = self.proba[class] - self.base[class] - sum;
            if size > LEAST {
                let each = left / size;
                self.pieces.iter_mut().for_each(|(_, a)| a[class] += each * a[class].abs());
            } else {
                self.base[class] += left;
            }
        }
    }

    /// How far the pieces move the probability of a class, and how large they are together.
    pub fn moved(&self, class: usize) -> (f64, f64) {
        let size = self.pieces.iter().map(|(_, adds)| adds[class].abs()).sum();
        (self.proba[class] - self.base[class], size)
    }
}

/// The means of `p_c` and of `p_c p_d` over softmax from `base` to `base + way`, by Simpson's rule.
fn means_along(base: &[f64], way: &[f64]) -> (Vec<f64>, Vec<f64>) {
    /// So far the logarithms move against each other in a step.
    const STEP: f64 = 0.25;
    let k = base.len();
    let (low, high) =
        way.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), w| (l.min(*w), h.max(*w)));
    let steps = ((high - low) / STEP).ceil().clamp(8.0, 1000.0) as usize;
    let (mut own, mut both, mut p) = (vec![0.0; k], vec![0.0; k * k], vec![0.0; k]);
    for node in 0..=2 * steps {
        let at = node as f64 / (2 * steps) as f64;
        for (p, (base, way)) in p.iter_mut().zip(base.iter().zip(way)) {
            *p = base + at * way;
        }
        softmax_in_place(&mut p);
        let end = node == 0 || node == 2 * steps;
        let factor = if end { 1.0 } else { 2.0 + 2.0 * (node % 2) as f64 } / (6 * steps) as f64;
        for (class, row) in both.chunks_exact_mut(k).enumerate() {
            own[class] += factor * p[class];
            row.iter_mut().zip(&p).for_each(|(sum, q)| *sum += factor * p[class] * q);
        }
    }
    (own, both)
}

/// What columns and members add to the classes of the committee.
pub(super) struct Shares<'a> {
    rows: View<'a>,
    places: BTreeMap<&'a str, usize>,
    pub base: Vec<f64>,
    columns: BTreeMap<usize, Vec<f64>>,
    members: BTreeMap<usize, Vec<f64>>,
}

impl<'a> Shares<'a> {
    /// Nothing yet, of the only row in view.
    pub fn new(rows: View<'a>, base: Vec<f64>) -> Self {
        let places = rows.fields().enumerate().map(|(at, field)| (field.name.as_str(), at));
        let places = places.collect();
        Self { rows, places, base, columns: BTreeMap::new(), members: BTreeMap::new() }
    }

    /// Where a column of this name stands in the rows.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Gives a class what a member's column adds; the member itself where it is no column.
    pub fn add(&mut self, (member, column): (usize, Option<usize>), class: usize, amount: f64) {
        let all = match column {
            Some(column) => self.columns.entry(column),
            None => self.members.entry(member),
        };
        let k = self.base.len();
        all.or_insert_with(|| vec![0.0; k])[class] += amount;
    }

    /// The parts, of columns and then of members, which are put into words.
    pub fn parts(self, words: impl Fn(usize) -> Result<String>) -> Result<(Vec<f64>, Vec<Part>)> {
        let adds_something = |adds: &Vec<f64>| adds.iter().any(|add| *add != 0.0);
        let mut parts = Vec::new();
        for (column, adds) in self.columns.into_iter().filter(|(_, adds)| adds_something(adds)) {
            let name = &self.rows.field(column).name;
            let because = match self.rows.show(0, column) {
                Some(value) => format!("{name} = {value}"),
                None => format!("{name} is missing"),
            };
            parts.push(Part { column: Some(column), because, adds });
        }
        for (member, adds) in self.members.into_iter().filter(|(_, adds)| adds_something(adds)) {
            parts.push(Part { column: None, because: words(member)?, adds });
        }
        Ok((self.base, parts))
    }
}

/// How a rule makes the part of a class from a member's probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// So many times the probability.
    Times(f64),
    /// So many times its logarithm, which is no less than that of the second number.
    Logarithm(f64, f64),
}

/// Shares the part `amount` of a class among what the member's probability of its class `voice`
/// consists of: writes what each piece gets into `shares` and returns what the base gets.
pub(super) fn share(
    amount: f64,
    (scale, voice): (Scale, usize),
    explanation: &Explanation,
    made: &Made,
    shares: &mut Vec<f64>,
) -> f64 {
    shares.clear();
    match scale {
        Scale::Times(factor) => {
            shares.extend(made.pieces.iter().map(|(_, adds)| factor * adds[voice]));
        }
        Scale::Logarithm(weight, floor)
            if explanation.link == Link::Softmax && made.proba[voice] > floor =>
        {
            shares.extend(explanation.parts.iter().map(|part| weight * part.adds[voice]));
        }
        Scale::Logarithm(weight, floor) => {
            let (p, q) = (made.proba[voice].max(floor), made.base[voice].max(floor));
            let near = (p - q).abs() < 1e-6 * p.max(q);
            let slope = if near { 1.0 / p } else { (p.ln() - q.ln()) / (p - q) };
            shares.extend(made.pieces.iter().map(|(_, adds)| weight * slope * adds[voice]));
        }
    }
    amount - shares.iter().sum::<f64>()
}

impl Combine {
    /// How a member's part `amount` of a class comes from the probability of which of its classes;
    /// `None` where it does not speak of the class.
    pub(super) fn scale(
        &self,
        (member, class): (usize, usize),
        amount: f64,
        outputs: &[&[f64]],
    ) -> Option<(Scale, usize)> {
        let voice = match self {
            Self::Codes(decoder) => decoder.voice(member, class)?,
            _ => class,
        };
        let p = outputs[member][voice];
        let ratio = || Scale::Times(if p > LEAST { amount / p } else { 0.0 });
        let scale = match self {
            Self::Mean(weights) => Scale::Times(weights[member]),
            Self::Product(weights) => Scale::Logarithm(weights[member], super::combine::FLOOR),
            // Only the expert that answers has a part.
            Self::Local(_) => Scale::Times(1.0),
            Self::Codes(decoder) => decoder.scale(outputs).unwrap_or_else(ratio),
            _ => ratio(),
        };
        Some((scale, voice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(base: &[f64], parts: &[&[f64]], link: Link) -> Explanation {
        let part = |(at, adds): (usize, &&[f64])| Part {
            column: Some(at),
            because: String::new(),
            adds: adds.to_vec(),
        };
        Explanation {
            base: base.to_vec(),
            parts: parts.iter().enumerate().map(part).collect(),
            link,
        }
    }

    fn made(explanation: &Explanation) -> Made {
        Made::of(explanation, &explanation.rebuild())
    }

    #[test]
    fn what_probabilities_consist_of_adds_up() {
        let logs = explanation(
            &[0.5, -1.0, 0.0],
            &[&[2.0, 0.0, -1.0], &[-30.0, 3.0, 0.5], &[0.0; 3]],
            Link::Softmax,
        );
        let points =
            explanation(&[0.0, -1.0, 0.0], &[&[1.0, 0.0, 1.0], &[1.0, 0.0, 0.5]], Link::Winner);
        let plain = explanation(&[0.25, 0.75], &[&[0.5, -0.5], &[-0.75, 0.75]], Link::Identity);
        for explanation in [logs, points, plain] {
            let made = made(&explanation);
            for class in 0..made.base.len() {
                let sum: f64 = made.pieces.iter().map(|(_, adds)| adds[class]).sum();
                assert!((made.base[class] + sum - made.proba[class]).abs() < 1e-12);
            }
            if explanation.link == Link::Identity {
                assert_eq!(
                    (made.base, made.pieces[1].1.clone()),
                    (vec![0.25, 0.75], vec![-0.75, 0.75])
                );
            }
        }
    }

    /// Of two classes a piece has its share of the log-odds, whatever cancels; before what is left
    /// over is made good, the integral is that of the curve.
    #[test]
    fn the_integral_of_two_classes_is_the_mean_slope() {
        let explanation =
            explanation(&[0.0, 0.3], &[&[1.0, 0.0], &[0.0, 4.0], &[-2.0, 0.0]], Link::Softmax);
        let made = made(&explanation);
        let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
        let slope = (sigmoid(5.3) - sigmoid(0.3)) / 5.0;
        for ((_, adds), log_odds) in made.pieces.iter().zip([-1.0, 4.0, 2.0]) {
            assert!((adds[1] - slope * log_odds).abs() < 1e-6, "{adds:?}, {log_odds}");
            assert!((adds[0] + adds[1]).abs() < 1e-9);
        }
        let (own, both) = means_along(&[0.0, 0.3], &[-1.0, 4.0]);
        assert!((own[1] - both[3] - slope).abs() < 1e-6, "p - p^2 is the slope of the curve");
    }

    #[test]
    fn logarithms_count_as_they_are() {
        let logs = explanation(&[0.1, 0.0], &[&[1.0, -1.0], &[0.5, 0.0]], Link::Softmax);
        let (said, mut shares) = (made(&logs), Vec::new());
        let amount = 0.5 * said.proba[0].ln();
        let scale = (Scale::Logarithm(0.5, 1e-15), 0);
        let base = share(amount, scale, &logs, &said, &mut shares);
        assert_eq!(shares, [0.5, 0.25]);
        assert!((base + 0.75 - amount).abs() < 1e-15);
        // A class that a tree rules out has a finite part, and its pieces have the sign they had.
        let tree = explanation(&[0.4, 0.6], &[&[0.3, -0.3], &[-0.7, 0.7]], Link::Identity);
        let said = made(&tree);
        let scale = (Scale::Logarithm(1.0, 1e-15), 0);
        let base = share(1e-15_f64.ln(), scale, &tree, &said, &mut shares);
        assert!(shares[0] > 0.0 && shares[1] < 0.0);
        assert!((base - 0.4_f64.ln()).abs() < 1e-6, "{base}");
    }
}
