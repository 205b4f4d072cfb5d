//! `cargo xtask soak [COMMANDS] [--seed N] [--binary FILE]`: hostile commands on the real binary.
//!
//! Forged models, broken tables, extreme parameters, Ctrl-C and kill -9 at random moments, full
//! disks, several threads, two writers of one file, outputs over inputs; each command with 2 GB and 20 seconds of the processors. None may
//! panic, abort, hang or leave half a file. The same seed gives the same commands.

mod cases;
mod draw;
mod limits;
mod tables;

use crate::shell::{self, root};
use crate::{Failure, Outcome};
use cases::Desk;
use draw::Draw;
use std::path::{Path, PathBuf};

/// How many commands there are unless told otherwise, and in `cargo xtask test`.
const COMMANDS: usize = 5000;
const FEW: usize = 60;
/// How many times smaller the large tables are there: its binary is that of the tests.
const SMALLER: usize = 10;

/// What was asked for.
struct Asked {
    commands: usize,
    seed: u64,
    binary: Option<PathBuf>,
    /// The large tables are so many times smaller.
    smaller: usize,
}

/// The whole soak.
pub(crate) fn run(words: &[&str]) -> Outcome {
    soak(&asked(words)?)
}

/// The small one, with the binary of the tests.
pub(crate) fn small() -> Outcome {
    soak(&Asked { commands: FEW, seed: 1, binary: None, smaller: SMALLER })
}

fn asked(words: &[&str]) -> Result<Asked, Failure> {
    let wrong = |word: &str| {
        let usage = "soak [COMMANDS] [--seed N] [--binary FILE]";
        Failure::Missing(format!("`{word}` is not understood\nhelp: {usage}"))
    };
    let mut asked = Asked { commands: COMMANDS, seed: 1, binary: None, smaller: 1 };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().copied().ok_or_else(|| wrong(word));
        match word {
            "--seed" => asked.seed = value()?.parse().map_err(|_| wrong(word))?,
            "--binary" => asked.binary = Some(PathBuf::from(value()?)),
            count => asked.commands = count.parse().map_err(|_| wrong(word))?,
        }
    }
    if asked.commands <= FEW {
        asked.smaller = SMALLER;
    }
    Ok(asked)
}

fn soak(asked: &Asked) -> Outcome {
    if !cfg!(target_os = "linux") {
        println!("the soak needs the limits and signals of Linux: nothing was run");
        return Ok(());
    }
    let binary = match &asked.binary {
        Some(binary) => binary.clone(),
        None => built()?,
    };
    let folder = std::env::temp_dir().join(format!("evocracy-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder)
        .map_err(|e| Failure::Missing(format!("cannot make `{}`: {e}", folder.display())))?;
    let found = all(&binary, &folder, asked);
    let found = found?;
    if found.is_empty() {
        let _ = std::fs::remove_dir_all(&folder);
        println!("{} hostile commands (seed {}): nothing found", asked.commands, asked.seed);
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{} of {} hostile commands (seed {}) did what none may do; their files are in {}",
        found.len(),
        asked.commands,
        asked.seed,
        folder.display()
    )))
}

/// The binary of the tests: made by their command, as `cargo build` would compile all once more
/// with other settings.
fn built() -> Result<PathBuf, Failure> {
    if !shell::run(&["cargo", "test", "--quiet", "--workspace", "--locked", "--no-run"], &[])? {
        return Err(Failure::Failed("the command does not build".to_owned()));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| root().join("target")).join("debug").join("evocracy"))
}

/// All commands; what was found, told as it comes.
fn all(binary: &Path, folder: &Path, asked: &Asked) -> Result<Vec<String>, Failure> {
    let mut desk = Desk::new(binary, folder, asked.smaller)?;
    let mut found = Vec::new();
    for number in 0..asked.commands {
        let mut draw = Draw::new(asked.seed, number as u64);
        let kind = number % cases::KINDS.len();
        if let Err(what) = cases::KINDS[kind](&mut desk, number, &mut draw) {
            println!("command {number}: {what}");
            found.push(what);
        }
        if number % 500 == 499 {
            println!("{} of {} commands, {} findings", number + 1, asked.commands, found.len());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused() {
        let of = |words: &[&str]| asked(words).ok();
        assert_eq!(of(&[]).map(|a| (a.commands, a.seed)), Some((COMMANDS, 1)));
        let full = of(&["70", "--seed", "3", "--binary", "x"]);
        assert_eq!(full.map(|a| (a.commands, a.seed, a.binary)), Some((70, 3, Some("x".into()))));
        assert!(of(&["many"]).is_none() && of(&["--seed"]).is_none());
    }
}
