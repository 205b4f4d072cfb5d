//! The results as a table and as a page of the docs.

use crate::{BENCHES, Outcome};
use anyhow::Result;
use std::path::Path;

const HEAD: &str = "\
| bench | case | ours, CPU s | peer | peer, CPU s | ratio | our quality | its quality | quality is | our peak MiB | its peak MiB | table MiB |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

const ABOVE: &str = "\
# Benchmarks

Made by `cargo xtask bench`; `cargo xtask bench NAME` renews the rows of one bench. The same work on
one thread, CPU seconds, both sides in turns in one run, best of the repeats. A ratio above 1 means
that evocracy is faster. The bench `threads` is evocracy on two threads against itself on one: on the
wall clock and in CPU seconds. `rvm` searches from one start (`explore=false`), as its peers do; the
default searches from several and takes several times as long. linfa's AdaBoost ends long before its
200 members: its time is scaled to all of them. The peers' versions are in `bench/requirements.txt`.

";

/// A Markdown table of all rows.
pub fn table(outcomes: &[Outcome]) -> String {
    let lines: Vec<String> = outcomes.iter().flat_map(lines).collect();
    format!("{HEAD}{}", lines.concat())
}

/// The rows of a bench.
fn lines(outcome: &Outcome) -> Vec<String> {
    let number = |value: Option<f64>, digits: usize| {
        value.map_or(String::new(), |value| format!("{value:.digits$}"))
    };
    let line = |row: &crate::Row| {
        format!(
            "| {} | {} | {:.4} | {} | {:.4} | {:.1} | {} | {} | {} | {} | {} | {} |\n",
            outcome.bench,
            row.case,
            row.ours_s,
            row.peer,
            row.peer_s,
            row.ratio,
            number(row.ours_quality, 4),
            number(row.peer_quality, 4),
            row.quality_is.as_deref().unwrap_or_default(),
            number(row.ours_peak_mib, 0),
            number(row.peer_peak_mib, 0),
            number(row.result_mib, 0),
        )
    };
    outcome.rows.iter().map(line).collect()
}

/// Renews the rows of these benches on the page of the docs; the others stay.
pub fn write_page(path: &Path, outcomes: &[Outcome]) -> Result<()> {
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let mut page = format!("{ABOVE}{HEAD}");
    for bench in BENCHES {
        match outcomes.iter().find(|outcome| outcome.bench == bench.name) {
            Some(outcome) => page += &lines(outcome).concat(),
            None => {
                let first = format!("| {} |", bench.name);
                let kept = old.lines().filter(|line| line.starts_with(&first));
                page.extend(kept.map(|line| format!("{line}\n")));
            }
        }
    }
    Ok(std::fs::write(path, page)?)
}
