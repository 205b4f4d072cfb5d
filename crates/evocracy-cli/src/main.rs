//! The `evocracy` command: parses the words, makes the surroundings, calls the library and
//! shows what comes back. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

mod args;
mod failure;
mod input;
mod judge;
mod outputs;
mod shell;
mod tables;
mod verbs;
mod words;

use clap::Parser;
use shell::{Outcome, Shell};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return failure::usage(&error),
    };
    let json = args.common.json;
    let result = Shell::new(&args.common).and_then(|shell| verbs::run(&shell, args.verb));
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => failure::report(&error, json),
    }
}
