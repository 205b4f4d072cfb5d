//! Classifiers combined by their labels (De Stefano, Fontanella, Marcelli, Scotto di Freca 2009):
//! experts are trained on a part TR1 of the rows, combiners on what the experts say of TR2, and
//! both are judged on TS.
//!
//! Percentages of TS that are called rightly: means, best and standard deviation over repeats with
//! other parts. Stability is measured on the parts of the first repeat: the standard deviation over
//! seeds of `evobn` and over random orders of K2.

mod copies;
mod defaults;
mod digits;
mod experts;
mod image;
mod labels;
mod mf;

pub(crate) use copies::EXPERIMENT as COPIES;
pub(crate) use defaults::EXPERIMENT as DEFAULTS;
pub(crate) use digits::EXPERIMENT as DIGITS;
pub(crate) use image::EXPERIMENT as IMAGE;
pub(crate) use mf::EXPERIMENT as MF;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::same_on_any_threads;
    use crate::{Experiment, Measured};
    use evocracy::error::Result;

    fn figure(measured: &Measured, name: &str) -> f64 {
        let row = measured.rows.iter().find(|row| row.name == name);
        row.unwrap_or_else(|| panic!("{name} is not there")).measured
    }

    #[test]
    fn copies_are_found_in_the_small_version_too() -> Result<()> {
        let measured = same_on_any_threads(&COPIES)?;
        let best = figure(&measured, "best-expert/mean");
        for way in ["loglinear", "hidden", "auto"] {
            assert!(figure(&measured, &format!("{way}/mean")) > best + 10.0, "{measured:#?}");
        }
        assert!(figure(&measured, "hidden/mean") > figure(&measured, "naive/mean"));
        Ok(())
    }

    /// Few experts of each kind, of both lists.
    #[test]
    fn both_lists_of_experts_are_combined_in_the_small_version_too() -> Result<()> {
        let measured = crate::testing::quick(&IMAGE, 2)?;
        for path in ["", "strong/"] {
            let of = |name: &str| figure(&measured, &format!("{path}{name}/mean"));
            assert!(of("auto") > of("best-expert") - 1.0, "{path}: {measured:#?}");
            assert!(of("auto") > of("worst-expert"), "{path}: {measured:#?}");
        }
        assert!(figure(&measured, "strong/auto/mean") > figure(&measured, "auto/mean"));
        assert!(figure(&measured, "evobn/seed-sd") <= 0.1);
        Ok(())
    }

    /// Runs where the data is: `EVOCRACY_REQUIRE_DATA` makes its absence a failure.
    fn with_data(experiment: &Experiment) -> Result<()> {
        let required = std::env::var_os("EVOCRACY_REQUIRE_DATA").is_some();
        if std::env::var_os("EVOCRACY_DATA").is_none() && !required {
            return Ok(());
        }
        let measured = crate::testing::quick(experiment, 2)?;
        let (best, auto) = (figure(&measured, "best-expert/mean"), figure(&measured, "auto/mean"));
        assert!(auto > best - 0.5, "{auto} {best}");
        assert!(figure(&measured, "evobn/seed-sd") <= 0.1);
        Ok(())
    }

    #[test]
    fn the_small_versions_run_on_their_data() -> Result<()> {
        with_data(&MF)?;
        with_data(&DIGITS)
    }
}
