//! What several test programs share.
#![allow(dead_code, reason = "each program uses some of it")]

use evocracy::classify::Fitted;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, Task};
use evocracy::error::Result;
use evocracy::method::Method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};

/// An embedded or generated data set.
pub fn open(name: &str) -> Dataset {
    Catalogue::embedded().open(name, &Load::default()).expect(name)
}

/// Settings as `make` takes them.
pub fn settings(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub fn train(
    method: &dyn Method,
    task: &Task<'_>,
    seed: u64,
    threads: usize,
) -> Result<Fitted<Model>> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    method.train(task, &Run::new(seed, &stop, &pool))
}

/// Within `tolerance`, relative to what is expected where that is above 1.
#[track_caller]
pub fn near(name: &str, what: &str, ours: f64, theirs: f64, tolerance: f64) {
    let off = (ours - theirs).abs();
    assert!(off <= tolerance * theirs.abs().max(1.0), "{name}: {what} {ours}, expected {theirs}");
}
