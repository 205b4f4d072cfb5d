//! A forest on two threads against the same forest on one: what the second thread gains on the
//! wall clock (`-wall`) and what it costs in CPU seconds (`-cpu`).

use super::experts::load;
use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result};
use evocracy::method;
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;
use std::time::Instant;

/// The best of so many repeats counts.
const REPEATS: usize = 5;

pub fn run(threads: usize, case: &str, folder: &Path) -> Result<Measured> {
    let (table, clock) = case.rsplit_once('-').context("the case names no clock")?;
    let data = load(&folder.join(format!("{table}.bin")))?;
    let (task, forest) = (data.task()?, method::make("forest", &[])?);
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    let mut seconds = f64::INFINITY;
    for _ in 0..REPEATS {
        let (wall, cpu) = (Instant::now(), clock::cpu_seconds());
        forest.train(&task, &Run::new(1, &stop, &pool))?;
        let (wall, cpu) = (wall.elapsed().as_secs_f64(), clock::cpu_seconds() - cpu);
        seconds = seconds.min(if clock == "wall" { wall } else { cpu });
    }
    Ok(Measured { seconds, ..Measured::default() })
}
