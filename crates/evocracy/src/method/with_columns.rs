//! A method that sees some of the columns only.

use super::Method;
use crate::classify::{Fitted, Predicts};
use crate::data::{Encoding, Task};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::run::Run;

pub(super) struct WithColumns {
    pub method: Box<dyn Method>,
    pub patterns: Vec<String>,
}

impl WithColumns {
    /// `text` names columns, parted by commas; `*` stands for anything.
    pub fn new(method: Box<dyn Method>, text: &str) -> Result<Self> {
        let patterns: Vec<String> = text.split(',').map(|part| part.trim().to_owned()).collect();
        if patterns.iter().any(String::is_empty) {
            return Err(Error::Param {
                of: method.name().to_owned(),
                name: super::COLUMNS.to_owned(),
                expected: "names of columns parted by commas, such as age,fac*".to_owned(),
                got: text.to_owned(),
            });
        }
        Ok(Self { method, patterns })
    }

    /// The columns of the view that a pattern names, in their order.
    fn seen(&self, task: &Task<'_>) -> Result<Vec<usize>> {
        let names: Vec<&str> = task.features.fields().map(|field| field.name.as_str()).collect();
        for pattern in &self.patterns {
            if !names.iter().any(|name| matches(pattern, name)) {
                let of = Some(format!("columns of `{}`", self.method.name()));
                return Err(Error::unknown("column", pattern, of, names));
            }
        }
        let named = |name: &str| self.patterns.iter().any(|pattern| matches(pattern, name));
        Ok((0..names.len()).filter(|&at| named(names[at])).collect())
    }
}

impl Method for WithColumns {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn predicts(&self) -> Predicts {
        self.method.predicts()
    }

    fn takes_weights(&self) -> bool {
        self.method.takes_weights()
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let columns = task.features.column_ids(self.seen(task)?);
        let task = task.with_features(task.features.with_columns(&columns));
        self.method.train_encoded(encoding, &task, run)
    }
}

/// Whether a name is what the pattern says; `*` stands for any text, also for none.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let Some(tail) = pieces.pop() else { return true };
    for piece in pieces {
        match left.find(piece) {
            Some(at) => left = &left[at + piece.len()..],
            None => return false,
        }
    }
    left.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name) in
            [("fac*", "fac12"), ("*", ""), ("a*c", "ac"), ("a*b*c", "axxbyc"), ("x", "x")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("fac*", "fa"), ("a*c", "acb"), ("a*b*c", "acb"), ("x", "xy"), ("ab*ba", "aba")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
