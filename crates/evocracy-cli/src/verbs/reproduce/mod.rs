//! `evocracy reproduce`: figures of the papers, measured beside printed.

mod page;

use crate::args::Reproduce;
use crate::shell::{Outcome, Shell};
use crate::tables;
use anyhow::Result;
use evocracy::error::Error;
use evocracy::run::write_file;
use evocracy_experiments::{EXPERIMENTS, Measured, Row, find};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(shell: &Shell, args: &Reproduce) -> Result<Outcome> {
    let Some(name) = &args.name else { return list(shell) };
    let experiment = find(name)?;
    // A folder that cannot be made is told before the work, not after it.
    if let Some(folder) = &args.pictures {
        std::fs::create_dir_all(folder).map_err(|e| Error::io("make", folder, e))?;
    }
    if let Some(page) = &args.page {
        page::present(page)?;
    }
    let (measured, seconds) =
        shell.work(&format!("reproducing {name}"), |run| experiment.measure(run, args.quick));
    let measured = measured?;
    if let Some(folder) = &args.pictures {
        draw(shell, &measured, folder)?;
    }
    if let Some(page) = &args.page {
        page::renew(page, &measured, experiment)?;
        shell.remark(&format!("renewed the section {name} of {}", page.display()));
    }
    let mut json = serde_json::to_value(&measured)?;
    json["timing"] = json!({ "reproduce_s": seconds });
    shell.show(&words(&measured, experiment.about), &json)?;
    Ok(Outcome::Done)
}

fn draw(shell: &Shell, measured: &Measured, folder: &Path) -> Result<()> {
    for picture in &measured.pictures {
        let path = folder.join(picture.name);
        write_file(&path, &[picture.svg.as_bytes()])?;
        shell.remark(&format!("drew {}", path.display()));
    }
    if measured.pictures.is_empty() {
        shell.remark(&format!("{} has no pictures", measured.experiment));
    }
    Ok(())
}

fn list(shell: &Shell) -> Result<Outcome> {
    let rows = EXPERIMENTS.iter().map(|e| vec![e.name.to_owned(), e.about.to_owned()]);
    let words = tables::plain(&["experiment", "what is claimed"], rows);
    let json: Vec<Value> =
        EXPERIMENTS.iter().map(|e| json!({ "name": e.name, "about": e.about })).collect();
    shell.show(&words, &json!({ "experiments": json }))?;
    Ok(Outcome::Done)
}

const HEADER: [&str; 8] =
    ["figure", "measured", "sd", "repeats", "printed", "target", "reached", "unit"];

/// A row as texts, in the order of [`HEADER`].
fn cells(row: &Row) -> [String; 8] {
    let short = |value: f64| format!("{value:.4}");
    let optional = |value: Option<f64>| value.map_or(String::new(), short);
    let verdict = row.ok.map_or("", |ok| if ok { "yes" } else { "NO" });
    [
        row.name.clone(),
        short(row.measured),
        optional(row.sd),
        row.repeats.map_or(String::new(), |repeats| repeats.to_string()),
        optional(row.printed),
        row.target.clone().unwrap_or_default(),
        verdict.to_owned(),
        row.unit.to_owned(),
    ]
}

fn words(measured: &Measured, about: &str) -> String {
    let size = if measured.quick { " (the small version)" } else { "" };
    format!(
        "{about}; seed {}{size}\n\n{}\n",
        measured.seed,
        tables::plain(&HEADER, measured.rows.iter().map(|row| cells(row).to_vec()))
    )
}
