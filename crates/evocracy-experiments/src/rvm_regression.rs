//! Relevance vector regression of `sin(x) / x` (Tipping 2001, 3.3): noise of 0.1 on 100 points in
//! equal steps, Gaussian kernels of width 10^(1/2) on the inputs as they are.

use crate::{Compare, Experiment, Findings, Row};
use evocracy::classify::{Learner, Regressor};
use evocracy::data::generate::{Generator, Sinc, sinc};
use evocracy::data::{Cells, Dataset, Goal, Options};
use evocracy::error::Result;
use evocracy::kernel::{RvmRegression, Width};
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rvm-regression",
    about: "relevance vector regression of sin(x)/x: error and vectors (Tipping 2001)",
    run,
};

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let seeds = if quick { 10 } else { 100 };
    let task = run.task("sinc", seeds as u64);
    let found = run.pool.map(seeds, |seed| {
        let found = one(&run.child("sinc", seed as u64));
        task.watch.advance(1);
        found
    });
    let found: Vec<(f64, f64, f64)> = found.into_iter().collect::<Result<_>>()?;
    let column = |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).collect::<Vec<f64>>();
    Ok(vec![
        Row::mean("sinc/rms", &column(|f| f.0), "against the true function")
            .target(Compare::AtMost(0.033)),
        Row::mean("sinc/vectors", &column(|f| f.1), "count").target(Compare::AtMost(8.0)),
        Row::mean("sinc/noise", &column(|f| f.2), "standard deviation").printed(0.1),
    ]
    .into())
}

/// The error against the true function, the number of vectors, the noise.
fn one(run: &Run<'_>) -> Result<(f64, f64, f64)> {
    let table = Sinc::default().grid(true).generate(run.seed)?;
    let options = Options { goal: Goal::Number, ..Options::default() };
    let data = Dataset::new("sinc", table, &options)?;
    let learner = RvmRegression::default().width(Width::Fixed(10_f64.sqrt()));
    let model = learner.fit(&data.task()?, run)?.model;
    let mut mean = vec![0.0; data.table().rows()];
    model.predict_into(data.features(), &mut mean, None)?;
    let Cells::Number(x) = data.features().cells(0) else { return Ok((f64::NAN, 0.0, 0.0)) };
    let squares: f64 = x.iter().zip(&mean).map(|(x, y)| (y - sinc(*x)).powi(2)).sum();
    let rms = (squares / mean.len() as f64).sqrt();
    Ok((rms, model.sparse_sum().vectors() as f64, model.noise().sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn the_small_version_holds() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        assert!(measured.rows.iter().all(|row| row.ok != Some(false)), "{measured:#?}");
        Ok(())
    }
}
