//! Peers side by side: the same work, one thread, CPU seconds, in one run.
//!
//! `cargo xtask bench [NAME [CASE]] [--json]`. Each side runs in a process of its own, in turns, a
//! few times; a short case is repeated within the process until it has taken a second. The best of
//! all repeats counts. Data are made once by the Python side, so that both read the same bytes.

mod benches;
mod clock;
mod files;
mod growth;
mod measure;
mod numbers;
mod ours;
mod peers;
mod report;
mod rivals;

use anyhow::{Context, Result, bail};
use benches::BENCHES;
use evocracy::method::registry;
use report::{Outcome, Rows};
use std::path::Path;
use std::process::ExitCode;

/// The page of the results, from here.
const PAGE: &str = "../docs/benchmarks.md";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let ["side", side, rest @ ..] = &words[..] {
        println!("{}", one_side(side, rest)?);
        return Ok(());
    }
    let (flags, words): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|word| word.starts_with('-'));
    let json = flags == ["--json"];
    if !json && !flags.is_empty() {
        bail!("there is no option {}; known: --json", flags.join(" "));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).chain([growth::NAME]).collect();
    let (names, case) = match words[..] {
        [] => (&names[..], ""),
        [name, ref case @ ..] if case.len() < 2 => {
            let at = names.iter().position(|known| *known == name);
            let known = || format!("there is no bench `{name}`; known: {}", names.join(", "));
            let at = at.with_context(known)?;
            (&names[at..=at], case.first().copied().unwrap_or_default())
        }
        _ => bail!("name one bench and one part of the names of its cases, or none for all"),
    };
    let outcomes = outcomes(root, names, case)?;
    match &outcomes[..] {
        [one] if json => println!("{}", serde_json::to_string_pretty(one)?),
        all if json => println!("{}", serde_json::to_string_pretty(all)?),
        all => {
            report::write_page(&root.join(PAGE), all)?;
            println!("{}", report::tables(all));
        }
    }
    Ok(())
}

/// The work of one side, in this process: its result as JSON.
fn one_side(side: &str, words: &[&str]) -> Result<String> {
    let measured = match (side, words) {
        (growth::NAME, [case]) => return Ok(serde_json::to_string(&growth::side(case)?)?),
        ("ours", [name, case, folder]) => ours::run(name, case, Path::new(folder))?,
        (peer, [name, case, folder]) => rivals::run(peer, name, case, Path::new(folder))?,
        _ => bail!("a side takes a bench, a case and a folder"),
    };
    Ok(serde_json::to_string(&measured)?)
}

/// Runs the cases of benches whose names contain a word.
fn outcomes(root: &Path, names: &[&'static str], word: &str) -> Result<Vec<Outcome>> {
    let benches = || BENCHES.iter().filter(|bench| names.contains(&bench.name));
    // What is missing is told before the first hour, not after it.
    for (case, _) in benches().flat_map(|bench| measure::cases(bench, word)) {
        if files::published(case) {
            files::find(case)?;
        }
    }
    let methods = || registry().iter().any(|entry| entry.name.contains(word));
    let some = benches().any(|bench| measure::cases(bench, word).next().is_some());
    if !some && !(names.contains(&growth::NAME) && methods()) {
        bail!("no case has `{word}` in its name");
    }
    let mut outcomes = Vec::new();
    for bench in benches() {
        let rows = Rows::Beside(measure::measure(root, bench, word)?);
        outcomes.push(Outcome { bench: bench.name, rows });
    }
    if names.contains(&growth::NAME) {
        let rows = Rows::Growth(growth::measure(word)?);
        outcomes.push(Outcome { bench: growth::NAME, rows });
    }
    Ok(outcomes)
}
