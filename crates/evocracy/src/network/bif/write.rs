//! Writing a network as BIF, and its graph as DOT.

use crate::error::{Error, Result};
use crate::network::Network;
use std::fmt::Write;

impl Network {
    /// The network as the text of a BIF file. Programs that read the format disagree about names
    /// with blanks or signs; such a name is written with `_` in their place, and with a number at
    /// the end where two would become one.
    pub fn to_bif(&self, name: &str) -> Result<String> {
        let names = plain(self.variables().iter().map(|variable| variable.name.as_str()));
        let states: Vec<Vec<String>> = self
            .variables()
            .iter()
            .map(|variable| plain(variable.states.iter().map(String::as_str)))
            .collect();
        let title = plain([name].into_iter()).concat();
        let mut text = format!("network {title} {{\n}}\n");
        let wrong = |_| Error::unsuitable("the network does not fit into memory as text", "");
        for (name, states) in names.iter().zip(&states) {
            let (count, list) = (states.len(), states.join(", "));
            writeln!(text, "variable {name} {{\n  type discrete [ {count} ] {{ {list} }};\n}}")
                .map_err(wrong)?;
        }
        for (node, name) in names.iter().enumerate() {
            let parents = self.dag().parents(node);
            if parents.is_empty() {
                let row = numbers(self.table(node));
                writeln!(text, "probability ( {name} ) {{\n  table {row};\n}}").map_err(wrong)?;
                continue;
            }
            let list: Vec<&str> = parents.iter().map(|&p| names[p as usize].as_str()).collect();
            writeln!(text, "probability ( {name} | {} ) {{", list.join(", ")).map_err(wrong)?;
            for (at, row) in self.table(node).chunks_exact(self.states(node)).enumerate() {
                let mut rest = at;
                let mut words = Vec::new();
                for &parent in parents.iter().rev() {
                    let size = self.states(parent as usize);
                    words.push(states[parent as usize][rest % size].as_str());
                    rest /= size;
                }
                words.reverse();
                writeln!(text, "  ({}) {};", words.join(", "), numbers(row)).map_err(wrong)?;
            }
            text.push_str("}\n");
        }
        Ok(text)
    }

    /// The graph as text for programs that draw DOT.
    pub fn to_dot(&self) -> String {
        let mut text = String::from("digraph network {\n");
        for (node, variable) in self.variables().iter().enumerate() {
            let name = variable.name.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&format!("  n{node} [label=\"{name}\"];\n"));
        }
        for (parent, child) in self.dag().arcs() {
            text.push_str(&format!("  n{parent} -> n{child};\n"));
        }
        text.push_str("}\n");
        text
    }
}

/// Probabilities with all their digits.
fn numbers(row: &[f64]) -> String {
    row.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
}

/// Names of letters, digits, `-` and `_`, all different.
fn plain<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = std::collections::BTreeSet::new();
    // The next number of each stem: many names may come down to one.
    let mut numbers = std::collections::BTreeMap::new();
    let one = |name: &str| {
        let sign = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
        let mut word: String = name.chars().map(sign).collect();
        if word.is_empty() {
            word.push('_');
        }
        if taken.insert(word.clone()) {
            return word;
        }
        let next = numbers.entry(word.clone()).or_insert(2_usize);
        loop {
            let numbered = format!("{word}_{next}");
            *next += 1;
            if taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    };
    names.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_come_down_to_one_are_numbered() {
        let names = ["a b", "a_b", "a_b_3", "a?b", "a!b", ""];
        assert_eq!(plain(names.into_iter()), ["a_b", "a_b_2", "a_b_3", "a_b_4", "a_b_5", "_"]);
        // Thousands with one stem take no longer than thousands of others.
        let many: Vec<String> = (0..50_000).map(|at| "?".repeat(1 + at % 2)).collect();
        let all = plain(many.iter().map(String::as_str));
        assert_eq!(all.last().map(String::as_str), Some("___25000"));
    }
}
