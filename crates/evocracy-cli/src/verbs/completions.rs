//! `evocracy completions`: a script for the shell, which knows methods and data sets.

use crate::args::Completions;
use crate::help;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell as For;
use evocracy::method::registry;
use std::io::Write;

/// The options and arguments that name a method.
const METHODS: [(&str, &str); 4] =
    [("fit", "method"), ("front", "method"), ("compare", "methods"), ("methods", "name")];

/// The arguments that name a data set or a file.
const DATA: [(&str, &str); 10] = [
    ("fit", "data"),
    ("front", "data"),
    ("soften", "data"),
    ("select", "data"),
    ("predict", "data"),
    ("evaluate", "data"),
    ("compare", "data"),
    ("explain", "data"),
    ("roc", "table"),
    ("combine", "table"),
];

/// What stands for the names of data sets until the script is there: their place in it tells where
/// files are to be offered too.
const SETS: &str = "EVOCRACY_SETS";

pub fn run(shell: &Shell, args: &Completions) -> Result<Outcome> {
    let registry = registry();
    let mut command = help::command();
    let mut takes = |verb: &'static str, name: &'static str, words: Vec<&'static str>| {
        let words = PossibleValuesParser::new(words);
        let with = |verb: clap::Command| verb.mut_arg(name, |arg| arg.value_parser(words));
        command = std::mem::take(&mut command).mut_subcommand(verb, with);
    };
    for (verb, name) in METHODS {
        let fits = |name: &&str| verb != "front" || name.starts_with("evo-");
        takes(verb, name, registry.iter().map(|entry| entry.name).filter(fits).collect());
    }
    for (verb, name) in DATA {
        takes(verb, name, vec![SETS]);
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "evocracy", &mut script);
    let names = sets(shell)?;
    let methods = registry.iter().map(|entry| entry.name).collect::<Vec<_>>().join(" ");
    let script = with_names(args.shell, String::from_utf8(script)?, &names, &methods);
    std::io::stdout().lock().write_all(script.as_bytes())?;
    Ok(Outcome::Done)
}

/// The names of all data sets that no shell takes for anything but a word.
fn sets(shell: &Shell) -> Result<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let all = shell.catalogue.list()?.into_iter().map(|listing| listing.name);
    let mut names: Vec<String> = all.filter(|name| name.chars().all(plain)).collect();
    names.sort();
    names.dedup();
    Ok(names.join(" "))
}

/// The script with the names of data sets, beside which files are offered.
fn with_names(shell: For, script: String, sets: &str, methods: &str) -> String {
    match shell {
        // Where no word fits, bash goes on to files by itself.
        For::Bash => script.replace(SETS, sets),
        For::Zsh => {
            let both = format!("{{_alternative \"sets:data set:({sets})\" \"files:file:_files\"}}");
            script.replace(&format!("({SETS})"), &both)
        }
        // Of what is no option the generator says nothing.
        For::Fish => {
            let line = |verb: &str, words: &str| {
                format!(
                    "complete -c evocracy -n \"__fish_evocracy_using_subcommand {verb}\" -a \"{words}\"\n"
                )
            };
            let data = DATA.iter().map(|(verb, _)| line(verb, sets));
            script + &data.chain([line("methods", methods)]).collect::<String>()
        }
        _ => script,
    }
}
