//! The project's own chores: `cargo xtask <command>`.
//!
//! Exit codes: 0 done, 1 a check failed, 2 wrong usage or something is missing.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its person")]

mod docs;
mod finding;
mod layers;
mod shell;
mod soak;
mod steps;
mod tools;

use std::process::ExitCode;

/// Why a chore did not end well.
pub(crate) enum Failure {
    /// A check failed: exit code 1.
    Failed(String),
    /// Something is missing on this machine, or the command was wrong: exit code 2.
    Missing(String),
}

/// The result of a chore.
pub(crate) type Outcome = Result<(), Failure>;

struct Command {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// How a chore is called.
enum Run {
    Alone(fn() -> Outcome),
    /// With the words that follow its name.
    With(fn(&[&str]) -> Outcome),
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        about: "all that a change must pass: format, lint, layers, tests, docs",
        run: Run::Alone(steps::test),
    },
    Command {
        name: "layers",
        about: "check that modules and crates use only what lies below them",
        run: Run::Alone(layers::check),
    },
    Command {
        name: "docs",
        about: "check links, named paths, the table of contents and the API documentation",
        run: Run::Alone(docs::check),
    },
    Command {
        name: "tables",
        about: "make the table of docs/combining.md anew of docs/reproductions.md",
        run: Run::Alone(docs::combiners::renew),
    },
    Command {
        name: "bench",
        about: "measure ours beside the peers, one bench or all: bench [NAME [CASE]] [--json]; writes docs/benchmarks.md, with --json only prints",
        run: Run::With(bench),
    },
    Command {
        name: "soak",
        about: "hostile commands on the binary, which may not panic, abort, hang or leave half a file: soak [COMMANDS] [--seed N] [--binary FILE]",
        run: Run::With(soak::run),
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Failed(text)) => complain(&text, 1),
        Err(Failure::Missing(text)) => complain(&text, 2),
    }
}

fn complain(text: &str, code: u8) -> ExitCode {
    eprintln!("error: {text}");
    ExitCode::from(code)
}

fn run(words: &[String]) -> Outcome {
    let Some((name, rest)) = words.split_first() else {
        print!("{}", help());
        return Err(Failure::Missing("say which command to run".into()));
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return Ok(());
    }
    let command = COMMANDS.iter().find(|command| command.name == name);
    let command = command.ok_or_else(|| Failure::Missing(unknown(name)))?;
    match (&command.run, rest) {
        (_, [asked]) if asked == "--help" || asked == "-h" => {
            println!("cargo xtask {name}: {}", command.about);
            Ok(())
        }
        (Run::Alone(run), []) => run(),
        (Run::With(run), words) => run(&words.iter().map(String::as_str).collect::<Vec<_>>()),
        _ => Err(Failure::Missing(format!("`cargo xtask {name}` takes no arguments"))),
    }
}

/// The bench is a workspace of its own, so that peers never touch the library's dependencies.
fn bench(words: &[&str]) -> Outcome {
    let mut command = vec![
        "cargo",
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--manifest-path",
        "bench/Cargo.toml",
        "--",
    ];
    command.extend(words);
    if shell::run(&command, &[])? {
        Ok(())
    } else {
        Err(Failure::Failed("the bench did not end well".to_owned()))
    }
}

fn help() -> String {
    let line = |command: &Command| format!("  {:8}{}\n", command.name, command.about);
    let lines: String = COMMANDS.iter().map(line).collect();
    format!("The project's own chores: cargo xtask <command>\n\n{lines}")
}

fn unknown(name: &str) -> String {
    let near = COMMANDS.iter().map(|command| (distance(name, command.name), command.name)).min();
    let hint = match near {
        Some((steps, near)) if steps <= 2 => format!("did you mean `{near}`?"),
        _ => {
            let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
            format!("known commands: {}", names.join(", "))
        }
    };
    format!("there is no command `{name}`\nhelp: {hint}")
}

/// How many letters must be put in, taken out or changed to get from one word to the other
/// (Levenshtein 1966).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for letter in from.chars() {
        let mut diagonal = row[0];
        row[0] += 1;
        for (at, &other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != other);
            diagonal = row[at + 1];
            row[at + 1] = change.min(row[at] + 1).min(row[at + 1] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_different_word_gets_the_list() {
        assert!(unknown("layer").contains("did you mean `layers`?"));
        assert!(unknown("tset").contains("did you mean `test`?"));
        assert!(unknown("publish").contains("known commands: test, layers, docs"));
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn wrong_usage_is_told_apart_from_a_failed_check() {
        let code = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            match run(&words) {
                Ok(()) => 0,
                Err(Failure::Failed(_)) => 1,
                Err(Failure::Missing(_)) => 2,
            }
        };
        assert_eq!(code(&["--help"]), 0);
        assert_eq!(code(&["test", "--help"]), 0);
        assert_eq!(code(&[]), 2);
        assert_eq!(code(&["tset"]), 2);
        assert_eq!(code(&["layers", "now"]), 2);
    }
}
