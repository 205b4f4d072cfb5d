//! The Boolean multiplexer, the touchstone of rule systems: UCS on 6 to 135 bits, from fixed sets of
//! random rows, judged on others. `ExSTraCS` 2.0 was the first to solve 135 bits directly (R. J.
//! Urbanowicz, J. H. Moore, Evolutionary Intelligence 8 (2015) 89-116), from 40,000 rows.
//!
//! `accuracy` is that on 10,000 fresh rows after `iterations` rows were learnt from; `rules` counts
//! what compaction leaves, which for 6, 11 and 20 bits should be exactly the two rules of every
//! address. From 37 bits on rules are judged on all training rows at once (`evaluate=exact`)
//! with `MultiSURF` weights and feedback; `by-rows` are the same problems with rules that are judged by
//! the rows they meet, as published, for which nothing is claimed.

use crate::{Compare, Experiment, Findings, Row};
use evocracy::classify::{Fitted, Learner};
use evocracy::data::generate::{Generator, Multiplexer, RowCount};
use evocracy::data::{Dataset, Options};
use evocracy::error::{Error, Result};
use evocracy::judge::Judged;
use evocracy::rules::Ucs;
use evocracy::rules::ucs::{Evaluation, Guidance};
use evocracy::run::{Run, StopReason};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "multiplexer",
    about: "UCS solves multiplexers of 6 to 135 bits from a fixed set of rows",
    run,
};

/// How many fresh rows judge.
const TEST: usize = 10_000;

/// One problem and how it is learnt.
struct Case {
    name: &'static str,
    bits: usize,
    rows: usize,
    seeds: u64,
    ucs: Ucs,
    /// The least accuracy.
    accuracy: Option<f64>,
    /// The exact number of rules.
    rules: Option<f64>,
    quick: bool,
}

fn plain(iterations: usize) -> Ucs {
    Ucs::default().iterations(iterations)
}

fn hard(population: usize, iterations: usize, mutation: f64, wildcard: f64) -> Ucs {
    plain(iterations)
        .population(population)
        .mutation(mutation)
        .wildcard(wildcard)
        .guide(Guidance::Multisurf)
        .feedback(true)
        .evaluate(Evaluation::Exact)
}

fn cases() -> Vec<Case> {
    let case = |name, bits, rows, seeds, ucs, accuracy, rules, quick| Case {
        name,
        bits,
        rows,
        seeds,
        ucs,
        accuracy,
        rules,
        quick,
    };
    let by_rows = |ucs: Ucs| ucs.evaluate(Evaluation::Rows);
    vec![
        case("6/ucs", 6, 500, 10, plain(50_000), Some(1.0), Some(8.0), true),
        case("11/ucs", 11, 2000, 10, plain(100_000), Some(1.0), Some(16.0), true),
        case("20/ucs/after-5000", 20, 2000, 10, plain(5000), None, None, false),
        case("20/ucs/after-10000", 20, 2000, 10, plain(10_000), None, None, false),
        case("20/ucs/early", 20, 2000, 10, plain(20_000), Some(0.995), None, true),
        case("20/ucs/after-50000", 20, 2000, 10, plain(50_000), None, None, false),
        case("20/ucs", 20, 2000, 10, plain(200_000), Some(1.0), Some(32.0), false),
        case("37/ucs", 37, 10_000, 5, hard(2000, 200_000, 0.04, 0.8), Some(0.999), None, true),
        case("70/ucs", 70, 20_000, 3, hard(3000, 400_000, 0.03, 0.85), Some(0.999), None, false),
        case(
            "135/ucs",
            135,
            40_000,
            2,
            hard(5000, 1_500_000, 0.025, 0.9),
            Some(0.999),
            None,
            false,
        ),
        case(
            "37/by-rows",
            37,
            10_000,
            3,
            by_rows(hard(2000, 400_000, 0.04, 0.8)),
            None,
            None,
            false,
        ),
        case(
            "70/by-rows",
            70,
            20_000,
            2,
            by_rows(hard(5000, 1_000_000, 0.03, 0.85)),
            None,
            None,
            false,
        ),
    ]
}

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.quick || !quick).collect();
    let seeds = |case: &Case| if quick { case.seeds.min(2) } else { case.seeds };
    let all: Vec<(&Case, u64)> =
        cases.iter().flat_map(|case| (0..seeds(case)).map(move |seed| (case, seed))).collect();
    let task = run.task("multiplexer", all.len() as u64);
    // The longest first, so that no thread is left alone with one at the end.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(all[at].0.bits * all[at].0.ucs.iterations));
    let measured = run.pool.map(order.len(), |at| {
        let (case, seed) = all[order[at]];
        let result = measure(case, &task.child(case.name, seed));
        task.watch.advance(1);
        result
    });
    let mut of_case: Vec<Vec<(f64, f64)>> = vec![Vec::new(); cases.len()];
    for (result, &at) in measured.into_iter().zip(&order) {
        let case = cases.iter().position(|case| std::ptr::eq(case, all[at].0));
        of_case[case.unwrap_or(0)].push(result?);
    }
    let rows = cases.iter().zip(&of_case).flat_map(|(case, figures)| rows(case, figures));
    Ok(rows.collect::<Vec<Row>>().into())
}

/// Accuracy on fresh rows and the number of rules.
fn measure(case: &Case, run: &Run<'_>) -> Result<(f64, f64)> {
    let draw = |name: &str, rows: usize| {
        let multiplexer = Multiplexer::default().size(case.bits).rows(RowCount::Count(rows));
        let table = multiplexer.generate(run.seed.child(name, 0))?;
        Dataset::new("multiplexer", table, &Options::default())
    };
    let (train, test) = (draw("train", case.rows)?, draw("test", TEST)?);
    let Fitted { model, stop } = case.ucs.fit(&train.task()?, run)?;
    if stop == StopReason::Interrupted {
        return Err(Error::Stopped);
    }
    let judged = Judged::classifier(&model, &test.task()?)?;
    Ok((judged.confusion()?.accuracy(), model.rule_count() as f64))
}

fn rows(case: &Case, figures: &[(f64, f64)]) -> Vec<Row> {
    let name = case.name;
    let (accuracy, rules): (Vec<f64>, Vec<f64>) = figures.iter().copied().unzip();
    let mut accuracy = Row::mean(format!("{name}/accuracy"), &accuracy, "fraction");
    if let Some(least) = case.accuracy {
        accuracy = accuracy.target(Compare::AtLeast(least));
    }
    let mut rules = Row::mean(format!("{name}/rules"), &rules, "count");
    if let Some(exact) = case.rules {
        rules = rules.target(Compare::About(exact, 0.0));
    }
    let iterations = Row::new(format!("{name}/iterations"), case.ucs.iterations as f64, "count");
    vec![accuracy, rules, iterations]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn the_small_version_reaches_its_targets() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        assert_eq!(measured.rows.len(), 12);
        assert!(measured.rows.iter().all(|row| row.ok != Some(false)), "{measured:#?}");
        Ok(())
    }
}
