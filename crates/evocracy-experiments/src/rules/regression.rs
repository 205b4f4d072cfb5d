//! Rules for numbers beside a regression tree: error against the function itself and number of
//! rules, on the sinc curve and on Friedman's first function. What is printed is what a pruned
//! tree of scikit-learn reaches on the same kind of data, its error and its leaves:
//! `crates/evocracy/tests/reference/rules_regression.py`.

use crate::{Compare, Experiment, Findings, Row};
use evocracy::data::Dataset;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::error::Result;
use evocracy::method::Method;
use evocracy::rules::MoeRegression;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "rules-regression",
    about: "rules for numbers beside a pruned regression tree: sinc and Friedman's first function",
    run,
};

/// A function, how many training rows there are of it, error and leaves of the tree.
const CASES: [(&str, usize, f64, f64); 2] =
    [("sinc", 200, 0.0706, 20.45), ("friedman1", 500, 2.8844, 35.55)];
/// Rows that the error is measured on.
const TEST: usize = 5000;

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let draws = if quick { 2 } else { 10 };
    let watch = run.task("rules-regression", (draws * CASES.len()) as u64).watch;
    let mut rows = Vec::new();
    for (name, train, error, leaves) in CASES {
        let found = run.pool.map(draws, |draw| {
            let found = one(name, train, quick, &run.child(name, draw as u64));
            watch.advance(1);
            found
        });
        let found: Vec<(f64, f64)> = found.into_iter().collect::<Result<_>>()?;
        let (errors, rules): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
        let row = Row::mean(format!("{name}/rmse"), &errors, "against the true function");
        rows.push(row.printed(error).target(Compare::AtMost(error)));
        let row = Row::mean(format!("{name}/rules"), &rules, "count");
        rows.push(row.printed(leaves).target(Compare::AtMost(leaves)));
    }
    Ok(rows.into())
}

/// Error and rules, the default included, for one draw.
fn one(name: &str, train: usize, quick: bool, run: &Run<'_>) -> Result<(f64, f64)> {
    let draw = |more: String, what: &str| -> Result<Dataset> {
        let seed = run.child(what, 0).seed.value();
        let load = Load { seed, ..Load::default() };
        Catalogue::embedded().open(&format!("gen:{name}:{more}"), &load)
    };
    let data = draw(format!("rows={train}"), "train")?;
    let test = draw(format!("rows={TEST}:noise=0"), "test")?;
    let method = if quick { MoeRegression::default().epochs(3) } else { MoeRegression::default() };
    let model = method.train(&data.task()?, run)?.model;
    let mut mean = vec![0.0; TEST];
    model.predict_into(test.features(), &mut mean, None)?;
    let truth = test.task()?.numbers()?;
    let squares: f64 = truth.iter().zip(&mean).map(|(y, mean)| (y - mean).powi(2)).sum();
    Ok(((squares / TEST as f64).sqrt(), super::rules(&model)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn the_small_version_measures_every_figure() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        let find = |name: &str| {
            let row = measured.rows.iter().find(|row| row.name == name);
            row.unwrap_or_else(|| panic!("{name} in {measured:#?}")).measured
        };
        assert!(find("sinc/rmse") < 0.12, "{measured:#?}");
        assert!(find("sinc/rules") < 25.0, "{measured:#?}");
        // The function has a standard deviation of 4.9.
        assert!(find("friedman1/rmse") < 3.6, "{measured:#?}");
        assert!(find("friedman1/rules") < 40.0, "{measured:#?}");
        Ok(())
    }
}
