//! Names of methods with their members: `tree`, `bag:tree`, `stack:tree+mlp+(bag:knn)`.

use crate::error::{Error, Result};
use std::fmt;

/// Committees of committees of committees: deeper names are slips.
const MOST_NESTED: usize = 8;

/// A method by name, with the members it was asked to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    pub name: String,
    pub members: Vec<Spec>,
}

impl Spec {
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = SpecParser { text, rest: text };
        let spec = parser.spec(0)?;
        if parser.rest.is_empty() { Ok(spec) } else { Err(parser.slip("the name should end")) }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (at, member) in self.members.iter().enumerate() {
            f.write_str(if at == 0 { ":" } else { "+" })?;
            if member.members.is_empty() {
                write!(f, "{member}")?;
            } else {
                write!(f, "({member})")?;
            }
        }
        Ok(())
    }
}

/// A name being read.
struct SpecParser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl SpecParser<'_> {
    fn spec(&mut self, depth: usize) -> Result<Spec> {
        if depth > MOST_NESTED {
            return Err(self.slip(&format!("members are nested over {MOST_NESTED} deep")));
        }
        let mut spec = Spec { name: self.name()?, members: Vec::new() };
        if self.take(':') {
            loop {
                spec.members.push(self.member(depth)?);
                if !self.take('+') {
                    break;
                }
            }
        }
        Ok(spec)
    }

    fn member(&mut self, depth: usize) -> Result<Spec> {
        if self.take('(') {
            let member = self.spec(depth + 1)?;
            return if self.take(')') { Ok(member) } else { Err(self.slip("a `)` is missing")) };
        }
        let member = Spec { name: self.name()?, members: Vec::new() };
        // `vote:bag:tree+knn` could mean two things.
        if self.rest.starts_with(':') {
            return Err(self.slip("members with members of their own stand in parentheses"));
        }
        Ok(member)
    }

    fn name(&mut self) -> Result<String> {
        let end = self.rest.find([':', '+', '(', ')']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.trim().is_empty() {
            return Err(self.slip("the name of a method is missing"));
        }
        self.rest = rest;
        Ok(name.trim().to_owned())
    }

    fn take(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn slip(&self, what: &str) -> Error {
        let at = self.text.len() - self.rest.len();
        let before = &self.text[..at];
        Error::unsuitable(
            format!("`{}` names no method: {what} after `{before}`", self.text),
            "write NAME or NAME:MEMBER+MEMBER, such as bag:tree or stack:tree+knn+(bag:logistic)",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_were_written() {
        for text in ["tree", "bag:tree", "stack:tree+mlp+(bag:knn)", "vote:(bag:(vote:a+b))+c"] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        let one = Spec::parse("bag:(tree)").unwrap();
        assert_eq!(one, Spec::parse("bag:tree").unwrap());
    }

    #[test]
    fn slips_say_where() {
        for (text, said) in [
            ("", "is missing after ``"),
            ("bag:", "is missing after `bag:`"),
            ("vote:bag:tree", "in parentheses after `vote:bag`"),
            ("vote:(bag:tree", "a `)` is missing"),
            ("bag:tree)", "should end after `bag:tree`"),
            ("a+b", "should end after `a`"),
        ] {
            let error = Spec::parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        let deep = format!("{}tree{}", "bag:(".repeat(20), ")".repeat(20));
        assert!(Spec::parse(&deep).unwrap_err().to_string().contains("nested"));
    }
}
