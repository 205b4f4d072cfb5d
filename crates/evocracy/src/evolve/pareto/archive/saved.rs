//! An archive as it is written and read: its members, not its tree.

use super::{Archive, Duplicates, Outcome};
use crate::error::Error;
use crate::evolve::Goal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize)]
struct Written<'a, T> {
    goals: &'a [Goal],
    duplicates: Duplicates,
    costs: Vec<&'a [f64]>,
    payloads: Vec<&'a T>,
}

#[derive(Deserialize)]
struct Read<T> {
    goals: Vec<Goal>,
    duplicates: Duplicates,
    costs: Vec<Vec<f64>>,
    payloads: Vec<T>,
}

impl<T: Serialize> Serialize for Archive<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (costs, payloads) = self.iter().map(|entry| (entry.costs, entry.payload)).unzip();
        Written { goals: &self.goals, duplicates: self.duplicates, costs, payloads }.serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Archive<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(from)?;
        if read.costs.len() != read.payloads.len() {
            return Err(D::Error::custom("an archive with more points than payloads, or fewer"));
        }
        fill(read).map_err(D::Error::custom)
    }
}

/// Offers the members anew: a file cannot bring in points that do not belong together.
fn fill<T>(read: Read<T>) -> Result<Archive<T>, Error> {
    let mut archive = Archive::with_duplicates(&read.goals, read.duplicates)?;
    for (costs, payload) in read.costs.iter().zip(read.payloads) {
        super::check(costs, &read.goals)?;
        let costs: Vec<f64> = costs.iter().map(|cost| cost + 0.0).collect();
        if archive.offer(&costs, payload, drop)? != (Outcome::Kept { removed: 0 }) {
            return Err(Error::unsuitable(
                "an archive in which one point dominates or equals another",
                "the file is damaged: copy it again",
            ));
        }
    }
    Ok(archive)
}
