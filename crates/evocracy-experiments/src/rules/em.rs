//! Figure 1: the likelihood rises at every pass of expectation maximisation, and fewer and fewer
//! rules are useful. On car, for which the paper calls the batch algorithm infeasible: 531,441
//! rules.

use super::Entrant;
use crate::{Compare, Experiment, Findings, Row};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::holdout;
use evocracy::error::{Error, Result};
use evocracy::model::Core;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "em",
    about: "the likelihood rises at every pass over all rules, and few stay useful (MOE, figure 1)",
    run,
};

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let (passes, data) = if quick { (20, "gen:xor:6:rows=all") } else { (100, "car") };
    let data = Catalogue::embedded().open(data, &Load::default())?;
    let task = data.task()?;
    let (_, labels) = task.labels()?;
    let split = holdout(labels.len(), Some(&labels), 0.25, run.seed.child("split", 0))?;
    let batch = Entrant { method: "moe-batch", settings: &[("tolerance", "0")] };
    let more = [("passes", passes.to_string())];
    let model = batch.train(&more, &task.with_rows(&split.train), run)?;
    let Core::MoeBatch(batch) = model.core() else {
        return Err(Error::unsuitable("moe-batch made another model", ""));
    };
    let curve: Vec<f64> = batch.likelihoods().collect();
    let useful: Vec<u64> = batch.useful().collect();
    let (start, end) = (useful[0] as f64, useful[useful.len() - 1] as f64);
    let likelihood = |at: usize| curve[at] / split.train.len() as f64;
    let unit = "nats a training row";
    Ok(vec![
        Row::new("passes", curve.len() as f64, "count"),
        Row::new("monotone", f64::from(u8::from(batch.monotone())), "1 where no pass fell")
            .target(Compare::AtLeast(1.0)),
        Row::new("likelihood/start", likelihood(0), unit),
        Row::new("likelihood/end", likelihood(curve.len() - 1), unit)
            .target(Compare::AtLeast(likelihood(0))),
        Row::new("r95/start", start, "rules"),
        Row::new("r95/end", end, "rules").target(Compare::AtMost(0.5 * start)),
    ]
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn the_likelihood_rises_and_rules_fall_away() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        assert!(measured.rows.iter().all(|row| row.ok != Some(false)), "{measured:#?}");
        Ok(())
    }
}
