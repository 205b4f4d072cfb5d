//! Niches: near members share their fitness, so that a search keeps to several peaks (Goldberg,
//! Richardson 1987). The other way, crowding, is a way to survive.

use crate::error::{Error, Result};
use crate::evolve::Space;
use serde::{Deserialize, Serialize};

/// How far fitness is shared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sharing {
    /// Members farther apart than this do not share.
    pub radius: f64,
    /// How sharing falls with distance: as 1 - (distance / radius)^alpha.
    pub alpha: f64,
}

impl Sharing {
    /// Sharing within a radius, falling linearly.
    pub fn within(radius: f64) -> Self {
        Self { radius, alpha: 1.0 }
    }

    pub(super) fn check(self) -> Result<()> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        if positive(self.radius) && positive(self.alpha) {
            return Ok(());
        }
        Err(Error::unsuitable(
            "sharing with a radius or a power that is not above 0",
            "give a positive radius and power",
        ))
    }

    /// Divides the fitness of each member by how crowded its niche is: the sum over all members,
    /// itself included, of how much they share.
    pub(super) fn divide<S: Space>(
        self,
        space: &S,
        genomes: &[S::Genome],
        fitness: &mut [f64],
    ) -> Result<()> {
        let mut crowd = vec![1.0; genomes.len()];
        for (i, a) in genomes.iter().enumerate() {
            for (j, b) in genomes[..i].iter().enumerate() {
                let part = apart(space, a, b)? / self.radius;
                if part < 1.0 {
                    let shared = 1.0 - part.powf(self.alpha);
                    crowd[i] += shared;
                    crowd[j] += shared;
                }
            }
        }
        fitness.iter_mut().zip(crowd).for_each(|(fitness, crowd)| *fitness /= crowd);
        Ok(())
    }
}

/// The distance of two genomes, which niches need.
pub(super) fn apart<S: Space>(space: &S, a: &S::Genome, b: &S::Genome) -> Result<f64> {
    space.distance(a, b).ok_or_else(|| {
        Error::unsuitable(
            "niches in a space without distances",
            "give the space a `distance`, or search without niches",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::vary::{Copy, Nothing};
    use crate::evolve::{Domain, Reals};

    #[test]
    fn two_near_members_share_and_a_far_one_does_not() -> Result<()> {
        let space = Reals::cube(1, 0.0, 10.0).vary(Copy, Nothing);
        let mut fitness = [6.0, 6.0, 6.0];
        // The first two are half a radius apart: each counts as one and a half.
        Sharing::within(2.0).divide(&space, &[vec![1.0], vec![2.0], vec![9.0]], &mut fitness)?;
        assert_eq!(fitness, [4.0, 4.0, 6.0]);
        Ok(())
    }
}
