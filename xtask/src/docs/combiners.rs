//! The table of combiners in docs/combining.md, made of the sections of docs/reproductions.md that
//! `evocracy reproduce NAME --page docs/reproductions.md` renews.

use crate::finding::Finding;
use crate::shell::{read, root};
use crate::{Failure, Outcome};
use std::collections::BTreeMap;

const PAGE: &str = "docs/combining.md";
const MEASURED: &str = "docs/reproductions.md";

/// The lines around the table.
const ABOVE: &str = "<!-- `cargo xtask tables` makes the lines below of docs/reproductions.md -->";
const BELOW: &str = "<!-- the end of what it makes -->";

/// Columns: heading, experiment, and what stands before the names of its figures.
const COLUMNS: [(&str, &str, &str); 5] = [
    ("MF", "combine-mf", ""),
    ("IMAGE", "combine-image", ""),
    ("IMAGE, stronger experts", "combine-image", "strong/"),
    ("digits", "combine-digits", ""),
    ("copies", "combine-copies", ""),
];

/// Rows: what is shown, and the figure.
const ROWS: [(&str, &str); 15] = [
    ("best expert", "best-expert"),
    ("worst expert", "worst-expert"),
    ("`evobn`", "evobn"),
    ("`k2`", "k2"),
    ("`hc`", "hc"),
    ("`tan`", "tan"),
    ("`naive`", "naive"),
    ("`loglinear`", "loglinear"),
    ("`conditional`", "conditional"),
    ("`hidden`", "hidden"),
    ("`stack`", "stack"),
    ("`vote`", "vote"),
    ("`weighted`", "weighted"),
    ("`ds`", "ds"),
    ("`auto`", "auto"),
];

/// `cargo xtask tables`: makes the table anew.
pub(crate) fn renew() -> Outcome {
    let path = root().join(PAGE);
    let (old, measured) = (read(&path)?, read(&root().join(MEASURED))?);
    let new = renewed(&old, &measured).ok_or_else(|| Failure::Missing(lacking()))?;
    std::fs::write(&path, new)
        .map_err(|e| Failure::Missing(format!("cannot write `{}`: {e}", path.display())))
}

/// A table that is not what its command makes.
pub(super) fn stale() -> Result<Option<Finding>, Failure> {
    let (old, measured) = (read(&root().join(PAGE))?, read(&root().join(MEASURED))?);
    Ok(match renewed(&old, &measured) {
        None => Some(Finding::new(PAGE, 0, lacking())),
        Some(new) if new != old => {
            let at = old.lines().zip(new.lines()).position(|(old, new)| old != new);
            let what = format!("not what {MEASURED} says; `cargo xtask tables` makes it anew");
            Some(Finding::new(PAGE, at.map_or(0, |at| at + 1), what))
        }
        Some(_) => None,
    })
}

fn lacking() -> String {
    format!("the lines `{ABOVE}` and `{BELOW}` are not there")
}

/// The page with its table made of what was measured; `None` where it has no place for one.
fn renewed(page: &str, measured: &str) -> Option<String> {
    let (before, rest) = page.split_once(ABOVE)?;
    let (_, after) = rest.split_once(BELOW)?;
    Some(format!("{before}{ABOVE}\n\n{}\n{BELOW}{after}", table(&means(measured))))
}

/// The measured value of each figure of each experiment.
fn means(text: &str) -> BTreeMap<(&str, &str), f64> {
    let mut found = BTreeMap::new();
    for section in text.split("\n## ").skip(1) {
        let experiment = section.lines().next().unwrap_or_default().trim();
        for line in section.lines().filter(|line| line.starts_with("| ")) {
            let mut cells = line.split('|').skip(1).map(str::trim);
            if let (Some(figure), Some(Ok(value))) = (cells.next(), cells.next().map(str::parse)) {
                found.insert((experiment, figure), value);
            }
        }
    }
    found
}

fn table(means: &BTreeMap<(&str, &str), f64>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = COLUMNS.iter().map(|(heading, ..)| (*heading).to_owned());
    let mut text = line([String::new()].into_iter().chain(headings).collect());
    text = text.replacen("|  |", "| |", 1);
    text += &format!("|{}\n", "---|".repeat(COLUMNS.len() + 1));
    for (shown, figure) in ROWS {
        let cell = |(_, experiment, path): &(&str, &'static str, &str)| {
            let figure = format!("{path}{figure}/mean");
            means.get(&(*experiment, figure.as_str())).map_or("-".into(), |x| format!("{x:.2}"))
        };
        text += &line([shown.to_owned()].into_iter().chain(COLUMNS.iter().map(cell)).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_comes_from_the_section_of_its_experiment() {
        let measured = "# Reproductions\n\n## combine-mf\n\nabout\n\n| figure | measured | sd |\n\
            |---|---|---|\n| evobn/mean | 98.1538 | 0.66 |\n| evobn/sd | 0.6647 | |\n\n\
            ## combine-image\n\n| evobn/mean | 92.6190 |  |\n| strong/evobn/mean | 94.8500 |  |\n";
        let page = format!("above\n\n{ABOVE}\nold | 1.0\n{BELOW}\n\nbelow\n");
        let made = renewed(&page, measured).expect("a place for it");
        assert!(made.contains("| `evobn` | 98.15 | 92.62 | 94.85 | - | - |\n"), "{made}");
        assert!(made.contains("| `auto` | - | - | - | - | - |\n"), "{made}");
        assert!(made.starts_with("above\n") && made.ends_with("below\n"), "{made}");
        assert!(!made.contains("old"), "{made}");
        assert_eq!(renewed(&made, measured).as_ref(), Some(&made), "it changes no more");
        assert_eq!(renewed("no table", measured), None);
    }
}
