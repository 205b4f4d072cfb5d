//! `evocracy completions`: a script for the shell.

use crate::args::{Args, Completions};
use crate::shell::Outcome;
use anyhow::Result;
use clap::CommandFactory;
use std::io::Write;

pub fn run(args: &Completions) -> Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "evocracy", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Done)
}
