//! What the steps need beside cargo, how to see that it is there and how to get it.

use crate::shell::{run, shown, works};
use crate::{Failure, Outcome};

/// A program that a step needs.
pub(crate) struct Tool {
    pub name: &'static str,
    /// Succeeds when the tool is there.
    probe: &'static [&'static str],
    /// Gets the tool without asking; empty where only a person can.
    install: &'static [&'static str],
    /// What a person does to get it.
    help: &'static str,
    /// Whether this platform needs it.
    here: bool,
}

/// All tools that a step may name.
pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        probe: &["cargo", "fmt", "--version"],
        install: &["rustup", "component", "add", "rustfmt"],
        help: "rustup component add rustfmt clippy",
        here: true,
    },
    Tool {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        install: &["rustup", "component", "add", "clippy"],
        help: "rustup component add rustfmt clippy",
        here: true,
    },
    Tool {
        name: "cc",
        probe: &["cc", "--version"],
        install: &[],
        help: "sudo apt-get install gcc libc6-dev (Debian, Ubuntu), sudo dnf install gcc (Fedora) or xcode-select --install (macOS)",
        here: cfg!(unix),
    },
];

/// Sees to it that every tool of the list is there.
pub(crate) fn ensure(needed: &[&str]) -> Outcome {
    for tool in TOOLS.iter().filter(|tool| tool.here && needed.contains(&tool.name)) {
        if works(tool.probe) {
            println!("{}: found", tool.name);
        } else {
            get(tool)?;
        }
    }
    Ok(())
}

fn get(tool: &Tool) -> Outcome {
    if !tool.install.is_empty() {
        println!("{}: not found, installing it with `{}`", tool.name, shown(tool.install));
        if run(tool.install, &[]).unwrap_or(false) && works(tool.probe) {
            println!("{}: installed", tool.name);
            return Ok(());
        }
    }
    Err(Failure::Missing(format!(
        "`{}` is missing (`{}` does not work)\nhelp: run this line, then try again: {}",
        tool.name,
        shown(tool.probe),
        tool.help
    )))
}
