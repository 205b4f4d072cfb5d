//! How errors look: what, where, what to do.

use crate::words::printable;
use evocracy::classify::Predicts;
use evocracy::error::{Error, Remedy};
use evocracy::method::registry;
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Shows a mistake in the words of the command line, help or the version.
pub fn usage(error: &clap::Error) -> ExitCode {
    // clap writes help to standard output and mistakes to standard error.
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    if !error.use_stderr() {
        return match printed {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                let _ = writeln!(std::io::stderr(), "error: cannot write to standard output: {e}");
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        };
    }
    // The words were not understood, but this one is plain enough.
    if std::env::args_os().any(|word| word == "--json") {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let value = json!({ "kind": "usage", "message": message, "help": "try --help" });
        let _ = writeln!(std::io::stdout().lock(), "{:#}", json!({ "error": value }));
    }
    ExitCode::from(2)
}

/// Shows an error; its exit code is 2 where the words were wrong, else 1.
pub fn report(error: &anyhow::Error, json: bool) -> ExitCode {
    let known = error.downcast_ref::<Error>();
    if known.is_none() && is_broken_pipe(error) {
        // The reader of standard output had enough (`evocracy ... | head`): nothing to complain
        // about. The error of a pipe that `--out` names is one of the library and is told.
        return ExitCode::SUCCESS;
    }
    if json && error.downcast_ref::<Told>().is_none() {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{:#}", as_json(error, known));
    }
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "{}", as_text(error, known, err.is_terminal()));
    match known.map(at_root) {
        Some(Error::Stopped) => ExitCode::from(130),
        Some(Error::Param { .. } | Error::Unknown { .. }) => ExitCode::from(2),
        _ => ExitCode::FAILURE,
    }
}

/// The error of a member is that of its method.
fn at_root(error: &Error) -> &Error {
    match error {
        Error::Member { source, .. } => at_root(source),
        error => error,
    }
}

/// Marks an error that a document on standard output tells of already.
#[derive(Debug)]
pub struct Told;

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the output ends early")
    }
}

/// The error as a JSON document.
pub fn document(error: &anyhow::Error) -> Value {
    as_json(error, error.downcast_ref())
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |e: &std::io::Error| e.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

fn as_text(error: &anyhow::Error, known: Option<&Error>, colour: bool) -> String {
    let paint = |code: &str, text: &str| {
        if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let head = paint("1;31", "error:");
    let arrow = paint("1;34", "-->");
    let mut text = match known {
        Some(Error::Table(e)) => {
            let place = e.place.to_string();
            let mut text =
                format!("{head} {}\n  {arrow} {}\n", printable(&e.problem), printable(&place));
            if !e.expected.is_empty() {
                text += &format!("  {} {}\n", paint("1", "expected:"), printable(&e.expected));
            }
            text
        }
        Some(e) => format!("{head} {}\n", printable(&message(e))),
        None => format!("{head} {}\n", printable(&format!("{error:#}"))),
    };
    if let Some(help) = known.and_then(help) {
        text += &format!("  {} {}\n", paint("1;32", "help:"), printable(&help));
    }
    text
}

fn as_json(error: &anyhow::Error, known: Option<&Error>) -> Value {
    let mut value = json!({
        "kind": known.map_or("other", Error::kind),
        "message": known.map_or_else(|| format!("{error:#}"), message),
        "help": known.and_then(help),
    });
    if let Some(Error::Table(e)) = known {
        value["file"] = json!(e.place.source);
        value["line"] = json!(e.place.line);
        value["row"] = json!(e.place.row);
        value["column"] = json!(e.place.column);
        value["expected"] = json!(e.expected);
    }
    json!({ "error": value })
}

/// What is wrong, with the options of the command where the library has names of its own.
fn message(error: &Error) -> String {
    match error {
        Error::Param { of, name, expected, got } if ["conditions", "decision"].contains(&&**of) => {
            let option = match name.as_str() {
                "false_positive" => "--cost-fp",
                "false_negative" => "--cost-fn",
                "max_fpr" => "--max-fpr",
                "min_tpr" => "--min-tpr",
                _ => "--prior",
            };
            format!("{option} must be {expected}, not `{got}`")
        }
        error => error.to_string(),
    }
}

/// What to do about an error, with the options of the command where there are some.
fn help(error: &Error) -> Option<String> {
    error.remedy().and_then(options).or_else(|| error.help())
}

fn options(remedy: &Remedy) -> Option<String> {
    let text = match remedy {
        Remedy::OtherTarget => "choose another target column (--target, or --truth of `roc`)",
        Remedy::TargetAsClasses => "choose another target, or read it as classes with --nominal",
        Remedy::MethodForNumbers => {
            let entries = registry();
            let numbers = entries.iter().filter(|entry| entry.predicts == Predicts::Number);
            let names: Vec<&str> = numbers.map(|entry| entry.name).collect();
            return Some(format!(
                "take a method for numbers ({}), choose another target, or read it as classes with --nominal",
                names.join(", ")
            ));
        }
        Remedy::MendCell { text, column } => {
            return Some(format!(
                "mend the cell; or say --missing '{text}' if it means unknown, or --nominal '{column}' if the column holds categories"
            ));
        }
        Remedy::TextsAsNumbers { column } => {
            return Some(format!(
                "if these are numbers, write them like 1234.5; --use '{column}' takes them as texts"
            ));
        }
        Remedy::DecimalMark { column } => {
            return Some(format!(
                "say --decimal , if the comma is the decimal mark, --decimal . if it parts thousands, or --nominal '{column}' if the column holds categories"
            ));
        }
        Remedy::DropUnlabelled => {
            "fill it in or remove the rows, which --drop-unlabelled of `fit` does; rows are counted from 0, the header not counted"
        }
        Remedy::AddHeader => "add a line of names, or say --no-header",
        Remedy::WeightColumn => "give the weights as a column of their own, with --weights",
        Remedy::HoldOut { part } => return Some(format!("leave out `:{part}` and use --holdout")),
        Remedy::NoMembers { method } => return Some(format!("write --method {method}")),
        Remedy::ListMethods => "see `evocracy methods` for those that predict a class",
        Remedy::FewerBits => {
            "leave out columns (--ignore), cut numbers into fewer bins (--encode bits:2), or use a method that searches for rules, such as --method moe-ga"
        }
        Remedy::GiveProgram => "give the program that the model was sampled from, with --command",
        Remedy::MoreMemory => {
            "take fewer rows, columns or classes, a method that needs less memory, or raise the limit with --max-memory"
        }
        Remedy::MoreColumns => {
            "look for a wrong delimiter (--delimiter); if the table is that wide, raise the limit with --max-columns"
        }
        Remedy::CostOfEveryPair => "give a cost for every pair of classes, with --costs FILE",
        Remedy::NoDecision => {
            "leave out --cost-fp, --cost-fn, --prior, --max-fpr, --min-tpr, --costs and --threshold"
        }
        Remedy::DecideInTraining => {
            "fit it with such an option, so that the threshold is chosen on its training rows; or give the --threshold"
        }
        Remedy::TrainAgain => {
            "the file is damaged or is not an evocracy model; copy it again or train anew with `evocracy fit`"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
