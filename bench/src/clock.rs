//! CPU seconds and peak memory of processes.

use anyhow::{Context, Result};
use rustix::time::{ClockId, clock_gettime};

/// A short case is repeated until it has taken this long.
const AT_LEAST: f64 = 1.0;

/// CPU seconds this process has used.
pub fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The least CPU seconds of one call of `work`, and what it returned last.
pub fn time<T>(work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    time_for(AT_LEAST, work)
}

/// As [`time`], with calls until so many CPU seconds are over.
pub fn time_for<T>(at_least: f64, mut work: impl FnMut() -> Result<T>) -> Result<(f64, T)> {
    let start = cpu_seconds();
    let mut best = f64::INFINITY;
    loop {
        let before = cpu_seconds();
        let result = work()?;
        let after = cpu_seconds();
        best = best.min(after - before);
        if after - start >= at_least {
            return Ok((best, result));
        }
    }
}

/// CPU seconds that another process has used; 0 where that cannot be read.
pub fn cpu_seconds_of(process: u32) -> f64 {
    /// Linux counts in hundredths of a second here, on every machine.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field is the name in parentheses; user and system time are fields 14 and 15.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// The most memory this process has had, in MiB.
pub fn peak_mib() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("no /proc here")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    Ok(kib.context("no peak memory in /proc/self/status")? / 1024.0)
}
