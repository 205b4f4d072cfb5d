//! A lecture on ensembles (J. Davis, "Model Ensembles and Genetic Algorithms"): what it claims of
//! voting, bagging, boosting and random forests, measured on real data.
//!
//! A target is what the lecture says, whether it holds or not. A difference is more than noise
//! where its corrected resampled t (see [`folds`]) is beyond 2: what is said to help must be
//! above, what is said not to help must be below.

mod bagging;
mod boosting;
mod folds;
mod forest;
mod votes;

use crate::{Experiment, Findings};
use evocracy::data::Dataset;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::error::Result;
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "lecture",
    about: "voting, bagging, boosting and random forests as a lecture on ensembles has them",
    run,
};

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Size {
    quick: bool,
    /// How often everything is repeated.
    seeds: usize,
    /// The folds of a cross-validation.
    folds: usize,
    /// The members of a committee.
    members: usize,
}

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let size = if quick {
        Size { quick, seeds: 2, folds: 5, members: 25 }
    } else {
        Size { quick, seeds: 10, folds: 10, members: 100 }
    };
    let mut rows = votes::rows(run, size)?;
    rows.extend(boosting::rows(run, size)?);
    rows.extend(forest::rows(run, size)?);
    rows.extend(bagging::rows(run, size)?);
    Ok(rows.into())
}

fn open(name: &str) -> Result<Dataset> {
    Catalogue::embedded().open(name, &Load::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::same_on_any_threads;

    #[test]
    fn the_small_version_is_sound_and_independent_of_threads() -> Result<()> {
        let one = same_on_any_threads(&EXPERIMENT)?;
        assert!(one.rows.iter().all(|row| row.measured.is_finite()), "{one:#?}");
        // What is certain, not a matter of luck.
        for name in ["bootstrap/coverage", "majority/21/exact", "boosting/wdbc/above-bound"] {
            let row = one.rows.iter().find(|row| row.name == name).expect(name);
            assert_eq!(row.ok, Some(true), "{row:#?}");
        }
        Ok(())
    }
}
