//! `cargo xtask test`: all that a change must pass, step by step, up to the first failure.

use crate::shell::{run, shown};
use crate::{Failure, Outcome, docs, layers, soak, tools};
use std::time::Instant;

struct Step {
    name: &'static str,
    /// The command that repeats the step alone.
    repeat: &'static [&'static str],
    /// Names of `tools::TOOLS`.
    tools: &'static [&'static str],
    /// The step where it is part of this program; else the command is run.
    own: Option<fn() -> Outcome>,
}

const STEPS: &[Step] = &[
    Step {
        name: "format",
        repeat: &["cargo", "fmt", "--all", "--check"],
        tools: &["rustfmt"],
        own: None,
    },
    Step {
        name: "lint",
        repeat: &[
            "cargo",
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ],
        tools: &["clippy", "cc"],
        own: None,
    },
    Step {
        name: "layers",
        repeat: &["cargo", "xtask", "layers"],
        tools: &[],
        own: Some(layers::check),
    },
    Step {
        name: "test",
        repeat: &["cargo", "test", "--workspace", "--locked"],
        tools: &["cc"],
        own: None,
    },
    Step {
        name: "soak",
        repeat: &["cargo", "xtask", "soak", "60"],
        tools: &[],
        own: Some(soak::small),
    },
    Step { name: "docs", repeat: &["cargo", "xtask", "docs"], tools: &[], own: Some(docs::check) },
];

/// One row of the table at the end.
struct Done {
    name: &'static str,
    seconds: f64,
    result: &'static str,
}

/// Runs all steps.
pub(crate) fn test() -> Outcome {
    let mut table = Vec::new();
    let outcome = all(&mut table);
    println!("\n{:8}{:>9}  result", "step", "seconds");
    for Done { name, seconds, result } in table {
        println!("{name:8}{seconds:>9.1}  {result}");
    }
    outcome
}

fn all(table: &mut Vec<Done>) -> Outcome {
    let needed: Vec<&str> = STEPS.iter().flat_map(|step| step.tools).copied().collect();
    println!("== tools");
    timed(table, "tools", || tools::ensure(&needed))?;
    for (at, step) in STEPS.iter().enumerate() {
        println!("\n== {} of {}: {}: {}", at + 1, STEPS.len(), step.name, shown(step.repeat));
        timed(table, step.name, || step.run())?;
    }
    Ok(())
}

fn timed(table: &mut Vec<Done>, name: &'static str, work: impl FnOnce() -> Outcome) -> Outcome {
    let start = Instant::now();
    let outcome = work();
    let result = match outcome {
        Ok(()) => "ok",
        Err(Failure::Failed(_)) => "failed",
        Err(Failure::Missing(_)) => "something is missing",
    };
    table.push(Done { name, seconds: start.elapsed().as_secs_f64(), result });
    outcome
}

impl Step {
    fn run(&self) -> Outcome {
        let outcome = match self.own {
            Some(own) => own(),
            None if run(self.repeat, &[])? => Ok(()),
            None => Err(Failure::Failed("the command reports the trouble above".into())),
        };
        outcome.map_err(|failure| match failure {
            Failure::Failed(text) => Failure::Failed(format!(
                "step `{}` failed: {text}\nhelp: repeat it alone with `{}`",
                self.name,
                shown(self.repeat)
            )),
            missing @ Failure::Missing(_) => missing,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_that_a_step_names_is_in_the_table() {
        for name in STEPS.iter().flat_map(|step| step.tools) {
            assert!(tools::TOOLS.iter().any(|tool| tool.name == *name), "{name}");
        }
    }

    #[test]
    fn the_table_keeps_every_step_that_ran() {
        let mut table = Vec::new();
        assert!(timed(&mut table, "good", || Ok(())).is_ok());
        let bad = timed(&mut table, "bad", || Err(Failure::Failed("no".into())));
        assert!(bad.is_err());
        let rows: Vec<_> = table.iter().map(|done| (done.name, done.result)).collect();
        assert_eq!(rows, [("good", "ok"), ("bad", "failed")]);
    }
}
