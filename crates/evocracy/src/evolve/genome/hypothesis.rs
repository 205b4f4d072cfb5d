//! Rule hypotheses as bits: for each attribute the set of values it may take, one bit for each
//! value (Mitchell 1997, section 9.2.1).
//!
//! All bits of an attribute: it does not matter. None: nothing satisfies it. A conclusion is an
//! attribute too; it means something only where exactly one of its bits is set, which
//! [`Repair`](crate::evolve::Repair), [`Reject`](crate::evolve::Reject) or
//! [`Penalty`](crate::evolve::Penalty) can see to.

use super::barren;
use super::bits::{BitString, Bits};
use crate::error::{Error, Result};
use crate::evolve::{Domain, Rng};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// An attribute and the values it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its values, in the order of their bits.
    pub values: Vec<String>,
}

impl Attribute {
    /// An attribute by name and values.
    pub fn new(name: &str, values: &[&str]) -> Self {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Self { name: name.to_owned(), values }
    }
}

/// All hypotheses over some attributes: conjunctions of one set of values for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hypotheses {
    attributes: Vec<Attribute>,
    /// Whether the last attribute is what a rule concludes.
    concludes: bool,
}

impl Hypotheses {
    /// Conditions over these attributes.
    pub fn new(attributes: Vec<Attribute>) -> Self {
        Self { attributes, concludes: false }
    }

    /// Rules that conclude a value of one more attribute.
    #[must_use]
    pub fn concluding(mut self, attribute: Attribute) -> Self {
        self.attributes.push(attribute);
        self.concludes = true;
        self
    }

    /// The attributes, the conclusion last.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    fn bits(&self) -> Bits {
        Bits::new(self.attributes.iter().map(|attribute| attribute.values.len()).sum())
    }

    fn conditions(&self) -> usize {
        self.attributes.len() - usize::from(self.concludes)
    }

    /// The bits of each attribute.
    fn fields(&self) -> impl Iterator<Item = (&Attribute, Range<usize>)> {
        self.attributes.iter().scan(0, |from, attribute| {
            let start = *from;
            *from += attribute.values.len();
            Some((attribute, start..*from))
        })
    }

    /// Whether a case, given as the place of its value for each condition, satisfies all
    /// conditions.
    pub fn covers(&self, genome: &BitString, case: &[usize]) -> Result<bool> {
        self.admit(genome)?;
        let fields = self.fields().take(self.conditions());
        let known = |((attribute, _), value): ((&Attribute, Range<usize>), &usize)| {
            *value < attribute.values.len()
        };
        if case.len() != self.conditions() || !fields.zip(case).all(known) {
            return Err(Error::unsuitable(
                "a case that does not fit the attributes",
                "give the place of one known value for each condition",
            ));
        }
        Ok(self.fields().zip(case).all(|((_, field), value)| genome.get(field.start + value)))
    }

    /// The value that a rule concludes, by its place; none where not exactly one bit is set, or
    /// where the string is not of this domain.
    pub fn conclusion(&self, genome: &BitString) -> Option<usize> {
        self.admit(genome).ok()?;
        let (_, field) = self.fields().last().filter(|_| self.concludes)?;
        let mut set = field.clone().filter(|i| genome.get(*i));
        let first = set.next()? - field.start;
        set.next().is_none().then_some(first)
    }
}

impl Domain for Hypotheses {
    type Genome = BitString;

    fn check(&self) -> Result<()> {
        if self.conditions() == 0 || self.attributes.iter().any(|a| a.values.is_empty()) {
            return barren("hypotheses over no attribute, or over one without values");
        }
        Ok(())
    }

    fn sample(&self, rng: &mut Rng) -> BitString {
        self.bits().sample(rng)
    }

    fn admit(&self, genome: &BitString) -> Result<()> {
        self.bits().admit(genome)
    }

    fn distance(&self, a: &BitString, b: &BitString) -> f64 {
        self.bits().distance(a, b)
    }

    fn key(&self, genome: &BitString, out: &mut Vec<u64>) {
        self.bits().key(genome, out);
    }

    fn words(&self, genome: &BitString) -> String {
        if self.admit(genome).is_err() {
            return genome.to_string();
        }
        let told = |(attribute, field): (&Attribute, Range<usize>)| {
            let set: Vec<&str> = field
                .clone()
                .zip(&attribute.values)
                .filter(|(i, _)| genome.get(*i))
                .map(|(_, value)| value.as_str())
                .collect();
            match set.len() {
                0 => Some(format!("{} = nothing", attribute.name)),
                n if n == field.len() => None,
                _ => Some(format!("{} = {}", attribute.name, set.join(" or "))),
            }
        };
        let conditions: Vec<String> =
            self.fields().take(self.conditions()).filter_map(told).collect();
        let conditions = match conditions.len() {
            0 => "always".to_owned(),
            1 => conditions.concat(),
            _ => format!("({})", conditions.join(") and (")),
        };
        let Some((attribute, _)) = self.fields().last().filter(|_| self.concludes) else {
            return conditions;
        };
        let value = self.conclusion(genome).map_or("undefined", |i| &attribute.values[i]);
        format!("if {conditions} then {} = {value}", attribute.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tennis() -> Hypotheses {
        Hypotheses::new(vec![
            Attribute::new("Outlook", &["Sunny", "Overcast", "Rain"]),
            Attribute::new("Wind", &["Strong", "Weak"]),
        ])
    }

    #[test]
    fn the_lecture_s_conditions() -> Result<()> {
        let bits = BitString::parse("011 10")?;
        assert_eq!(tennis().words(&bits), "(Outlook = Overcast or Rain) and (Wind = Strong)");
        assert!(tennis().covers(&bits, &[1, 0])?);
        assert!(!tennis().covers(&bits, &[0, 0])?);
        assert!(!tennis().covers(&bits, &[2, 1])?);
        assert!(tennis().covers(&bits, &[3, 1]).is_err());
        assert!(tennis().covers(&bits, &[1]).is_err());
        Ok(())
    }

    #[test]
    fn the_lecture_s_rule() -> Result<()> {
        let rules = tennis().concluding(Attribute::new("PlayTennis", &["yes", "no"]));
        let bits = BitString::parse("111 10 10")?;
        assert_eq!(rules.words(&bits), "if Wind = Strong then PlayTennis = yes");
        assert_eq!(rules.conclusion(&bits), Some(0));
        assert!(rules.covers(&bits, &[0, 0])?);
        let both = BitString::parse("000 11 11")?;
        assert_eq!(rules.conclusion(&both), None);
        let short = BitString::parse("000")?;
        assert_eq!((rules.conclusion(&short), rules.words(&short)), (None, "000".to_owned()));
        assert_eq!(rules.words(&both), "if Outlook = nothing then PlayTennis = undefined");
        Ok(())
    }
}
