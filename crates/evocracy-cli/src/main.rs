//! The `evocracy` command: parses the words, makes the surroundings, calls the library and
//! shows what comes back. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

mod args;
mod draw;
mod failure;
mod help;
mod input;
mod inputs;
mod look;
mod machine;
mod outputs;
mod place;
mod reporting;
mod shell;
mod tables;
mod verbs;
mod words;

use shell::{Outcome, Shell};
use std::process::ExitCode;

fn main() -> ExitCode {
    // A damaged Parquet file is an error with words of its own; the panic inside is no news.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !evocracy::data::read::catching_panics() {
            usual(panic);
        }
    }));
    let args = match help::parse() {
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
