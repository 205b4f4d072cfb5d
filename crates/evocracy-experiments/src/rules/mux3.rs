//! Figures 4 and 5: the multiplexer of three bits whose class is right with probability `p`. 900
//! rows to learn from and 100 to judge on, in many data sets.
//!
//! What is judged is known, so error and likelihood are their expectations under `p` and not those
//! of the labels drawn: 30 data sets of 100 labels would blur what is to be seen. The ideal
//! classifier knows the rule and `p`.

use super::Entrant;
use crate::{Compare, Experiment, Findings, Row};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::error::Result;
use evocracy::measure::FLOOR;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "mux3",
    about: "noise in a multiplexer: how far from the ideal classifier (MOE, figures 4 and 5)",
    run,
};

const TRAINING: u32 = 900;
const ALL: u32 = 1000;

/// What takes part, and whether it must come near to the ideal.
const ENTRANTS: &[(Entrant, bool)] = &[
    (Entrant { method: "moe-batch", settings: &[("prior", "0.5")] }, true),
    (
        // A heavier start and more epochs: steps of 1/t forget the first rows slowly.
        Entrant {
            method: "moe-online",
            settings: &[("prior", "0.5"), ("start", "5"), ("epochs", "200")],
        },
        true,
    ),
    (Entrant { method: "moe-ga", settings: &[("alpha", "0.5")] }, true),
    (Entrant { method: "moe-joint", settings: &[("prior", "0.5"), ("size", "200")] }, false),
    (Entrant { method: "ucs", settings: &[] }, false),
];

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let sets = if quick { 2 } else { 30 };
    let steps: &[u32] = if quick { &[5, 8, 10] } else { &[5, 6, 7, 8, 9, 10] };
    let (mut rows, mut departs) = (Vec::new(), f64::NEG_INFINITY);
    for &tenths in steps {
        let p = f64::from(tenths) / 10.0;
        for (entrant, near) in ENTRANTS {
            let found = run.pool.map(sets, |set| judge(entrant, p, &run.child("set", set as u64)));
            let found: Vec<[f64; 2]> = found.into_iter().collect::<Result<_>>()?;
            let column = |at: usize| found.iter().map(|f| f[at]).collect::<Vec<f64>>();
            let name = |what| format!("p={p:.1}/{}/{what}", entrant.method);
            let error = Row::mean(name("error"), &column(0), "fraction of the rows");
            let log2 = Row::mean(name("log2"), &column(1), "bits a row");
            let ideal = [1.0 - p, xlog2(p) + xlog2(1.0 - p)];
            let gap = (error.measured - ideal[0]).max(ideal[1] - log2.measured);
            let mut gap = Row::new(name("gap"), gap, "the larger distance from the ideal");
            if *near {
                gap = gap.target(Compare::AtMost(0.02));
            }
            if entrant.method == "ucs" {
                departs = departs.max(gap.measured);
            }
            rows.extend([error, log2, gap]);
        }
    }
    let departs = Row::new("ucs/departs", departs, "the largest gap over p");
    rows.push(departs.target(Compare::AtLeast(0.02)));
    Ok(rows.into())
}

fn xlog2(p: f64) -> f64 {
    if p > 0.0 { p * p.log2() } else { 0.0 }
}

/// The expected error and log2-likelihood of the test rows.
fn judge(entrant: &Entrant, p: f64, run: &Run<'_>) -> Result<[f64; 2]> {
    // The same seed makes the same rows with and without noise.
    let seed = run.seed.value() >> 1;
    let open = |noise: f64| {
        let spec = format!("gen:multiplexer:3:rows={ALL}:noise={noise}:seed={seed}");
        Catalogue::embedded().open(&spec, &Load::default())
    };
    let (noisy, clean) = (open(1.0 - p)?, open(0.0)?);
    let (train, test): (Vec<u32>, Vec<u32>) = (0..ALL).partition(|&row| row < TRAINING);
    let model = entrant.train(&[], &noisy.task()?.with_rows(&train), run)?;
    let proba = model.proba(clean.features().with_rows(&test))?;
    let (_, truth) = clean.task()?.with_rows(&test).labels()?;
    let mut sums = [0.0; 2];
    for (row, &truth) in truth.iter().enumerate() {
        let said = proba.row(row);
        let log = |class: usize| said[class].max(FLOOR).log2();
        let right = proba.best(row) == truth as usize;
        sums[0] += if right { 1.0 - p } else { p };
        sums[1] += p * log(truth as usize) + (1.0 - p) * log(1 - truth as usize);
    }
    Ok(sums.map(|sum| sum / truth.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn mixtures_of_all_rules_come_near_to_the_ideal() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        let gaps = measured.rows.iter().filter(|row| row.name.ends_with("gap"));
        assert!(gaps.clone().count() >= 6);
        for row in gaps.filter(|row| !row.name.contains("joint") && !row.name.contains("ucs")) {
            assert!(row.measured < 0.04, "{row:#?}");
        }
        Ok(())
    }
}
