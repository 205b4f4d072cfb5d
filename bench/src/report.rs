//! The results as tables and as a page of the docs.

use crate::benches::BENCHES;
use crate::growth::{self, AXES};
use crate::measure;
use anyhow::Result;
use evocracy::method::registry;
use serde::Serialize;
use std::path::Path;

/// The result of one bench.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    pub bench: &'static str,
    pub rows: Rows,
}

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Rows {
    Beside(Vec<measure::Row>),
    Growth(Vec<growth::Row>),
}

const ABOVE: &str = "\
# Benchmarks

Made by `cargo xtask bench`; `cargo xtask bench NAME` renews the rows of one bench. The same work on
one thread, CPU seconds, both sides in turns in one run, best of the repeats. A ratio above 1 means
that evocracy is faster; `>=` stands where the peer was stopped at its limit. The peer `limit` is no
program but the seconds that evocracy may take. The bench `threads` is evocracy on two threads
against itself on one: on the wall clock and in CPU seconds. `rvm` searches from one start
(`explore=false`), as its peers do; the default searches from several and takes several times as
long. linfa's AdaBoost ends long before its 200 members: its time is scaled to all of them. `abc`
makes 20,000 proposals; pyabc's time is scaled to as many, and `external-wall` is on the wall clock
(20,000 answers of a program), as is `700x16571-wall` of `genes`, on two threads. A case
with the name of a file is a data set of the folder that `EVOCRACY_DATA` names. The peers' versions
are in `bench/requirements.txt`.

";

const HEAD: &str = "\
| bench | case | ours, CPU s | peer | peer, CPU s | ratio | our quality | its quality | quality is | our peak MiB | its peak MiB | table MiB |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

const GROWTH: &str = "
## Growth

How the CPU seconds of a fit grow, for every method with its defaults on one thread: the exponent is
the slope of log seconds against log size, so that 1 means twice the time for twice the size. The
table has 1000 rows, 10 columns of numbers and 2 classes, one of which grows: rows from 500 to 8000,
columns from 5 to 80, classes from 2 to 16. A slow method has an eighth of the rows. Fits under 2 ms
do not count; a fit over 6 s (30 s for the slowest) is stopped, and then the largest size that was
reached stands in brackets. Made by `cargo xtask bench growth`, for some methods by `cargo xtask bench growth WORD`.

";

const GROWTH_HEAD: &str = "\
| method | rows of the table | by rows | s at most rows | by columns | s at most columns | by classes | s at most classes |
|---|---|---|---|---|---|---|---|
";

const UNKNOWN: &str = "not measured yet";

/// The rows as Markdown tables.
pub fn tables(outcomes: &[Outcome]) -> String {
    let (mut beside, mut grown) = (Vec::new(), Vec::new());
    for Outcome { bench, rows } in outcomes {
        match rows {
            Rows::Beside(rows) => beside.extend(rows.iter().map(|row| line(bench, row))),
            Rows::Growth(rows) => {
                grown.extend(registry().iter().filter_map(|entry| growth_line(entry.name, rows)))
            }
        }
    }
    let table = |head: &str, lines: &[String]| match lines {
        [] => String::new(),
        lines => format!("{head}{}", lines.concat()),
    };
    table(HEAD, &beside) + &table(GROWTH_HEAD, &grown)
}

/// A row of the table.
fn line(bench: &str, row: &measure::Row) -> String {
    let number = |value: Option<f64>, digits: usize| {
        value.map_or(String::new(), |value| format!("{value:.digits$}"))
    };
    let least = row.ratio_at_least.map_or(String::new(), |ratio| format!(">= {ratio:.1}"));
    let cells = [
        bench.to_owned(),
        row.case.clone(),
        number(Some(row.ours_s), 4),
        row.peer.clone(),
        number(Some(row.peer_s), 4),
        number(row.ratio, 1) + &least,
        number(row.ours_quality, 4),
        number(row.peer_quality, 4),
        row.quality_is.unwrap_or_default().to_owned(),
        number(row.ours_peak_mib, 0),
        number(row.peer_peak_mib, 0),
        number(row.result_mib, 0),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// The line of a method, where it was measured.
fn growth_line(method: &str, rows: &[growth::Row]) -> Option<String> {
    let of = |axis: &str| rows.iter().find(|row| row.case == format!("{method}/{axis}"));
    let mut cells = vec![method.to_owned(), of(AXES[0].0)?.rows.to_string()];
    for (axis, sizes) in AXES {
        let Some(row) = of(axis) else {
            cells.extend([String::new(), String::new()]);
            continue;
        };
        let most = sizes.last().map(|&most| growth::size_of(axis, most, row.rows));
        let early = row.to.filter(|to| Some(*to) != most);
        let early = early.map_or(String::new(), |to| format!(" [{to}]"));
        let exponent = match (row.exponent, &row.note) {
            (Some(exponent), _) => format!("{exponent:.2}"),
            (None, note) => note.clone().unwrap_or_default(),
        };
        cells.push(exponent + &early);
        cells.push(row.seconds.map_or(String::new(), |seconds| format!("{seconds:.4}")));
    }
    Some(format!("| {} |\n", cells.join(" | ")))
}

/// Renews the rows of these benches on the page of the docs; the others stay.
pub fn write_page(path: &Path, outcomes: &[Outcome]) -> Result<()> {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    Ok(std::fs::write(path, page(&old, outcomes))?)
}

/// The page with a row for every case and for every method, new, as on the old page, or with the
/// words that there is none yet.
fn page(old: &str, outcomes: &[Outcome]) -> String {
    let (old, old_growth) = old.split_once(GROWTH).unwrap_or((old, ""));
    let mut page = format!("{ABOVE}{HEAD}");
    for bench in BENCHES {
        for (case, peer) in bench.cases {
            let same = |row: &&measure::Row| row.case == *case && row.peer == peer.name();
            let new = outcomes.iter().find_map(|outcome| match &outcome.rows {
                Rows::Beside(rows) if outcome.bench == bench.name => rows.iter().find(same),
                _ => None,
            });
            let known = || kept(old, &[(0, bench.name), (1, case), (3, peer.name())]);
            let new = new.map(|row| line(bench.name, row)).or_else(known);
            let unknown = [bench.name, case, UNKNOWN, peer.name()];
            page += &new.unwrap_or_else(|| empty(&unknown, HEAD));
        }
    }
    page += GROWTH;
    page += GROWTH_HEAD;
    for entry in registry() {
        let new = outcomes.iter().find_map(|outcome| match &outcome.rows {
            Rows::Growth(rows) => growth_line(entry.name, rows),
            Rows::Beside(_) => None,
        });
        let new = new.or_else(|| kept(old_growth, &[(0, entry.name)]));
        page += &new.unwrap_or_else(|| empty(&[entry.name, UNKNOWN], GROWTH_HEAD));
    }
    page
}

/// The line of an old table that has these cells.
fn kept(old: &str, wanted: &[(usize, &str)]) -> Option<String> {
    let fits = |line: &&str| {
        let cells: Vec<&str> = line.split('|').skip(1).map(str::trim).collect();
        wanted.iter().all(|(at, cell)| cells.get(*at) == Some(cell))
    };
    old.lines().find(fits).map(|line| format!("{line}\n"))
}

/// A line that starts with these cells and has none other.
fn empty(cells: &[&str], head: &str) -> String {
    let columns = head.lines().next().unwrap_or_default().matches('|').count() - 1;
    format!("| {} |{}\n", cells.join(" | "), "  |".repeat(columns - cells.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_every_case_and_every_method_once() {
        let first = page("", &[]);
        let cases: usize = BENCHES.iter().map(|bench| bench.cases.len()).sum();
        assert_eq!(first.matches(UNKNOWN).count(), cases + registry().len());
        // What is there stays.
        let old = "| archive | sphere | 1.0 | pareto_front | 2.0 | 2.0 |\n";
        let second = page(&page(old, &[]), &[]);
        assert!(second.contains(old));
        assert_eq!(second.matches(UNKNOWN).count(), cases + registry().len() - 1);
        let grown = first.replace("| tree | not measured yet |", "| tree | 1000 | 1.00 |");
        let known = page(&grown, &[]);
        assert_eq!(known, grown);
    }
}
