//! A million points in an archive: the memory grows with the points and no faster.

use evocracy::error::Result;
use evocracy::evolve::Goal;
use evocracy::evolve::pareto::Archive;
use evocracy::run::Seed;
use peak_alloc::PeakAlloc;
use rand::RngExt;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes for each of `n` points on a plane, none of which dominates another.
fn bytes_per_point(n: usize) -> Result<f64> {
    let mut rng = Seed::new(1).rng();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut archive = Archive::new(&[Goal::Minimise; 3])?;
    for number in 0..n {
        let (x, y): (f64, f64) = (rng.random(), rng.random());
        // Eighths of 2^-50 are exact, so the sum is.
        let (x, y) = ((x * 2f64.powi(50)).floor(), (y * 2f64.powi(50)).floor());
        archive.insert(&[x, y, -x - y], number as u32)?;
    }
    assert_eq!(archive.len(), n);
    Ok((MEMORY.peak_usage() - before) as f64 / n as f64)
}

#[test]
fn memory_grows_with_the_points() -> Result<()> {
    let (few, many) = (bytes_per_point(62_500)?, bytes_per_point(1_000_000)?);
    // Lists grow by doubling, so a point may take up to twice its share more or less.
    assert!(many < 2.0 * few, "{many} bytes a point instead of {few}");
    assert!(many < 400.0, "{many}");
    Ok(())
}
