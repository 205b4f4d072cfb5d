//! Putting points into an archive one by one.

use crate::clock;
use crate::measure::Measured;
use anyhow::Result;
use evocracy::evolve::Goal;
use evocracy::evolve::pareto::Archive;
use std::path::Path;

pub fn run(path: &Path) -> Result<Measured> {
    let points = load(path)?;
    let (seconds, kept) = clock::time(|| {
        let mut archive = Archive::new(&[Goal::Maximise; 3])?;
        for (number, point) in points.iter().enumerate() {
            archive.insert(point, number as u32)?;
        }
        Ok(archive.len())
    })?;
    Ok(Measured { seconds, quality: Some(kept as f64), ..Measured::default() })
}

/// Points of three objectives, row by row.
pub fn load(path: &Path) -> Result<Vec<[f64; 3]>> {
    let bytes = std::fs::read(path)?;
    let numbers: Vec<f64> =
        bytes.as_chunks::<8>().0.iter().map(|word| f64::from_le_bytes(*word)).collect();
    Ok(numbers.as_chunks::<3>().0.to_vec())
}
