//! What the tests of experiments share.

use crate::{Experiment, Measured};
use evocracy::error::Result;
use evocracy::run::{Pool, Run, Stop};

/// The small version.
pub(crate) fn quick(experiment: &Experiment, threads: usize) -> Result<Measured> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    experiment.measure(&Run::new(1, &stop, &pool), true)
}

/// The small version, which must be the same on one thread and on two.
pub(crate) fn same_on_any_threads(experiment: &Experiment) -> Result<Measured> {
    let (one, two) = (quick(experiment, 1)?, quick(experiment, 2)?);
    assert_eq!(one.rows, two.rows);
    assert_eq!(one.pictures, two.pictures);
    Ok(one)
}

/// Whether a data set is in a folder of `EVOCRACY_DATA`. Where `EVOCRACY_REQUIRE_DATA` is set, its
/// absence is a failure.
pub(crate) fn data_is_there(name: &str) -> bool {
    let found =
        crate::sets::catalogue().open(name, &evocracy::data::catalogue::Load::default()).is_ok();
    let required = std::env::var_os("EVOCRACY_REQUIRE_DATA").is_some();
    assert!(found || !required, "EVOCRACY_DATA has no {name}");
    found
}
