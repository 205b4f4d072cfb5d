//! Thesis, 3.5.1: Aupetit's partition gives parts with similar statistics. Measured as the energy
//! distance between two parts, against that of random halves of the same rows.

use crate::{Compare, Experiment, Findings, Row};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, folds, homogeneous, standard_points};
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "homogeneous",
    about: "Aupetit's parts are closer in distribution than random halves (thesis, 3.5.1)",
    run,
};

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let names: &[&str] = if quick {
        &["ripley-synth:train", "iris"]
    } else {
        &["ripley-synth:train", "iris", "pima", "wdbc"]
    };
    let seeds = if quick { 10 } else { 50 };
    let task = run.task("homogeneous", names.len() as u64 * seeds);
    let mut rows = Vec::new();
    for name in names {
        let data = Catalogue::embedded().open(name, &Load::default())?;
        let ratios = run.pool.map(seeds as usize, |seed| {
            task.watch.advance(1);
            ratio(&data, &run.child(name, seed as u64))
        });
        let ratios: Vec<f64> = ratios.into_iter().collect::<Result<_>>()?;
        let unit = "ratio of energy distances, ours / random";
        rows.push(Row::mean(format!("{name}/energy"), &ratios, unit).target(Compare::AtMost(0.5)));
    }
    Ok(rows.into())
}

/// How far apart Aupetit's parts are, as a share of what random halves are on average.
fn ratio(data: &Dataset, run: &Run<'_>) -> Result<f64> {
    const RANDOM: u64 = 10;
    let task = data.task()?;
    let (points, width) = standard_points(&task)?;
    let parts = homogeneous(&task, 2, run.seed)?;
    let ours = energy(&points, width, &parts[0], &parts[1]);
    let mut random = 0.0;
    for index in 0..RANDOM {
        let halves = &folds(task.rows(), None, 2, run.seed.child("random", index))?[0];
        random += energy(&points, width, &halves.train, &halves.test);
    }
    Ok(ours / (random / RANDOM as f64))
}

/// The energy distance of two samples of points (Szekely and Rizzo 2004): 0 for the same
/// distribution, larger the further apart they are.
fn energy(points: &[f64], width: usize, a: &[u32], b: &[u32]) -> f64 {
    let point = |row: u32| &points[row as usize * width..][..width];
    let mean = |xs: &[u32], ys: &[u32]| {
        let distance = |x: u32, y: u32| {
            let square: f64 = point(x).iter().zip(point(y)).map(|(p, q)| (p - q).powi(2)).sum();
            square.sqrt()
        };
        let total: f64 = xs.iter().flat_map(|&x| ys.iter().map(move |&y| distance(x, y))).sum();
        total / (xs.len() * ys.len()) as f64
    };
    2.0 * mean(a, b) - mean(a, a) - mean(b, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::quick;

    #[test]
    fn energy_is_zero_for_equal_samples_and_grows_with_their_distance() {
        let points = [0.0, 1.0, 0.0, 1.0, 5.0, 6.0];
        assert!(energy(&points, 1, &[0, 1], &[2, 3]).abs() < 1e-12);
        assert!((energy(&points, 1, &[0, 1], &[4, 5]) - 9.0).abs() < 1e-12);
    }

    #[test]
    fn the_claim_holds_in_the_small_version() -> Result<()> {
        let measured = quick(&EXPERIMENT, 2)?;
        assert!(measured.rows.iter().all(|row| row.ok == Some(true)), "{measured:#?}");
        Ok(())
    }
}
