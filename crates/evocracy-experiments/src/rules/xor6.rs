//! Figures 2 and 3: six bits, the class is the xor of the first two; 48 rows to learn from, as many
//! of one class as of the other, and 16 to judge on, ten times.
//!
//! `epochs` is the first epoch from which on there is no error; a split without one counts as one
//! epoch more than there were.

use super::{Entrant, error, rules};
use crate::{Compare, Experiment, Findings, Row};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Task, holdout};
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "xor6",
    about: "xor of two of six bits: error and number of rules by epoch (MOE, figures 2 and 3)",
    run,
};

/// What takes part.
struct Contestant {
    entrant: Entrant,
    /// The parameter that says how many epochs there are.
    epochs: &'static str,
    /// How many there are at most.
    last: usize,
    /// What the mean error at the last epoch must be.
    target: Option<f64>,
    /// Whether the error of every epoch is taken.
    curve: bool,
}

/// Which methods take part, the one that must need the fewest epochs first.
fn contestants(quick: bool) -> Vec<Contestant> {
    let of = |method, settings, epochs, last, target, curve| Contestant {
        entrant: Entrant { method, settings },
        epochs,
        last: if quick { last / 4 } else { last },
        target,
        curve,
    };
    vec![
        of("moe-batch", &[("tolerance", "0")][..], "passes", 100, Some(0.0), true),
        of("moe-online", &[][..], "epochs", 100, Some(0.0), true),
        of("moe-ga", &[][..], "epochs", 60, Some(0.02), false),
        of("ucs", &[][..], "iterations", 50_000, Some(0.02), false),
        of("moe-joint", &[("size", "200")][..], "epochs", 200, None, false),
    ]
}

/// What one split shows of one method.
struct Found {
    /// The error at the last epoch.
    error: f64,
    rules: f64,
    /// The first epoch from which on there is no error; one more than there are if there is none.
    settled: f64,
}

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let splits = if quick { 2 } else { 10 };
    let data = Catalogue::embedded().open("gen:xor:6:rows=all", &Load::default())?;
    let task = data.task()?;
    let mut rows = Vec::new();
    let (mut fewest, mut ucs_rules): (Option<f64>, f64) = (None, 0.0);
    for contestant in contestants(quick).iter().rev() {
        let watch = run.task(contestant.entrant.method, splits).watch;
        let found = run.pool.map(splits as usize, |split| {
            watch.advance(1);
            measure(contestant, &task, &run.child("split", split as u64))
        });
        let found: Vec<Found> = found.into_iter().collect::<Result<_>>()?;
        let name = |what: &str| format!("{}/{what}", contestant.entrant.method);
        let column = |of: fn(&Found) -> f64| found.iter().map(of).collect::<Vec<f64>>();
        let mut row = Row::mean(name("error"), &column(|f| f.error), "fraction of the rows");
        if let Some(target) = contestant.target {
            row = row.target(Compare::AtMost(target));
        }
        rows.push(row);
        let mut row = Row::mean(name("rules"), &column(|f| f.rules), "rules");
        match contestant.entrant.method {
            "ucs" => ucs_rules = row.measured,
            "moe-ga" => row = row.target(Compare::AtMost(ucs_rules)),
            _ => {}
        }
        rows.push(row);
        if contestant.curve {
            let settled = column(|f| f.settled);
            let mut row = Row::mean(name("epochs"), &settled, "first epoch without error to stay");
            if let Some(fewest) = fewest {
                row = row.target(Compare::AtMost(fewest));
            }
            fewest = Some(fewest.map_or(row.measured, |fewest| fewest.min(row.measured)));
            rows.push(row);
        }
    }
    Ok(rows.into())
}

fn measure(contestant: &Contestant, task: &Task<'_>, run: &Run<'_>) -> Result<Found> {
    let Contestant { entrant, epochs, last, curve, .. } = contestant;
    let (_, labels) = task.labels()?;
    let split = holdout(labels.len(), Some(&labels), 0.25, run.seed)?;
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    let at = |epoch: usize| entrant.train(&[(*epochs, epoch.to_string())], &train, run);
    let model = at(*last)?;
    let wrong = error(&model, &test)?;
    let mut settled = *last as f64 + 1.0;
    if *curve && wrong == 0.0 {
        settled = 1.0;
        for epoch in (1..*last).rev() {
            if error(&at(epoch)?, &test)? > 0.0 {
                settled = epoch as f64 + 1.0;
                break;
            }
        }
    }
    Ok(Found { error: wrong, rules: rules(&model), settled })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn all_rules_together_solve_it() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        for name in ["moe-batch/error", "moe-online/error"] {
            let row = measured.rows.iter().find(|row| row.name == name).expect(name);
            assert_eq!(row.ok, Some(true), "{row:#?}");
        }
        Ok(())
    }
}
