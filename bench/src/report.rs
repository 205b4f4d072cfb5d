//! The results as a table and as a page of the docs.

use crate::Outcome;
use anyhow::Result;
use std::path::Path;

/// A Markdown table of all rows.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "| bench | case | ours, CPU s | peer | peer, CPU s | ratio | our quality | its quality | quality is | our peak MiB | its peak MiB | table MiB |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let number = |value: Option<f64>, digits: usize| {
        value.map_or(String::new(), |value| format!("{value:.digits$}"))
    };
    for outcome in outcomes {
        for row in &outcome.rows {
            text += &format!(
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
            );
        }
    }
    text
}

/// Rewrites the page of the docs.
pub fn write_page(path: &Path, outcomes: &[Outcome]) -> Result<()> {
    let page = format!(
        "# Benchmarks\n\nMade by `cargo xtask bench`, which rewrites this page: the same work on one thread, CPU seconds, both\nsides in turns in one run, best of the repeats. A ratio above 1 means that evocracy is faster.\nThe bench `threads` is evocracy on two threads against itself on one: on the wall clock and in CPU\nseconds.\nThe peers' versions are in `bench/requirements.txt`.\n\n{}",
        table(outcomes)
    );
    Ok(std::fs::write(path, page)?)
}
