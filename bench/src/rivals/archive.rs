//! Putting points into the list of pareto_front one by one.

use crate::clock;
use crate::measure::Measured;
use crate::ours::archive::load;
use anyhow::Result;
use pareto_front::{Dominate, ParetoFront};
use std::path::Path;

struct Point([f64; 3], #[allow(dead_code, reason = "a payload, as on our side")] u32);

impl Dominate for Point {
    fn dominate(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a >= b) && self.0 != other.0
    }
}

pub fn run(path: &Path) -> Result<Measured> {
    let points = load(path)?;
    let (seconds, kept) = clock::time(|| {
        let mut front = ParetoFront::new();
        for (number, point) in points.iter().enumerate() {
            front.push(Point(*point, number as u32));
        }
        Ok(front.len())
    })?;
    Ok(Measured { seconds, quality: Some(kept as f64), ..Measured::default() })
}
