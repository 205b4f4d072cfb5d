//! Operators on real vectors.
//!
//! Simulated binary crossover and polynomial mutation in the forms that respect bounds (Deb,
//! Agrawal 1995; Deb, Agrawal 1999; as in Deb's NSGA-II of 2002), and plain steps.

use super::{Crossover, Mutation, compose};
use crate::error::{Error, Result};
use crate::evolve::draw::Rate;
use crate::evolve::genome::Reals;
use crate::evolve::{Rng, draw, unit};
use rand::Rng as _;

/// Simulated binary crossover: children lie about their parents as those of a single-point
/// crossover of bits would. The larger `eta`, the nearer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sbx {
    /// The distribution index.
    pub eta: f64,
    /// How likely each place takes part.
    pub each: f64,
}

impl Sbx {
    /// An index of `eta`; each place takes part with probability one half, as usual.
    pub fn new(eta: f64) -> Self {
        Self { eta, each: 0.5 }
    }
}

/// Parents nearer than this are left as they are: their spread would be lost in rounding.
const SAME: f64 = 1e-14;

impl Crossover<Reals> for Sbx {
    fn check(&self, _: &Reals) -> Result<()> {
        draw::probability(self.each, "sbx")?;
        index(self.eta, "eta", "sbx")
    }

    fn cross(
        &self,
        domain: &Reals,
        parents: [&Vec<f64>; 2],
        children: [&mut Vec<f64>; 2],
        rng: &mut Rng,
    ) {
        let [first, second] = children;
        compose::copy(parents, [&mut *first, &mut *second]);
        let power = 1.0 / (self.eta + 1.0);
        for (i, (a, b)) in first.iter_mut().zip(second).enumerate() {
            if unit(rng) >= self.each || (*a - *b).abs() <= SAME {
                continue;
            }
            let ((lower, upper), (low, high)) = (domain.bounds(i), (a.min(*b), a.max(*b)));
            let (middle, half, u) = (0.5 * (low + high), 0.5 * (high - low), unit(rng));
            // What lies beyond a bound is cut off the distribution of the side next to it.
            let spread = |room: f64| {
                let alpha = 2.0 - (1.0 + room / half).powf(-(self.eta + 1.0));
                let share = u * alpha;
                if share <= 1.0 { share.powf(power) } else { (1.0 / (2.0 - share)).powf(power) }
            };
            let down = domain.clamp(i, middle - spread(low - lower) * half);
            let up = domain.clamp(i, middle + spread(upper - high) * half);
            // Which child has which does not follow from which parent was lower.
            (*a, *b) = if rng.next_u64() >> 63 == 0 { (down, up) } else { (up, down) };
        }
    }
}

/// Polynomial mutation: a step whose density falls with a power of its size. The larger `eta`,
/// the smaller the steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    eta: f64,
    rate: Rate,
}

impl Polynomial {
    /// An index of `eta`; each place moves with probability `p`.
    pub fn new(eta: f64, p: f64) -> Self {
        Self { eta, rate: Rate::new(p) }
    }
}

impl Mutation<Reals> for Polynomial {
    fn check(&self, _: &Reals) -> Result<()> {
        self.rate.check("polynomial")?;
        index(self.eta, "eta", "polynomial")
    }

    fn mutate(&self, domain: &Reals, genome: &mut Vec<f64>, rng: &mut Rng) {
        let (sharp, power) = (self.eta + 1.0, 1.0 / (self.eta + 1.0));
        self.rate.each(genome.len(), rng, |i, rng| {
            let (lower, upper) = domain.bounds(i);
            let (x, width, u) = (genome[i], upper - lower, unit(rng));
            if width <= 0.0 {
                return;
            }
            let step = if u < 0.5 {
                let room = 1.0 - (x - lower) / width;
                (2.0 * u + (1.0 - 2.0 * u) * room.powf(sharp)).powf(power) - 1.0
            } else {
                let room = 1.0 - (upper - x) / width;
                1.0 - (2.0 * (1.0 - u) + (2.0 * u - 1.0) * room.powf(sharp)).powf(power)
            };
            genome[i] = domain.clamp(i, x + step * width);
        });
    }
}

/// Normal steps of a given size, cut at the bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gauss {
    size: f64,
    rate: Rate,
}

/// Laplacian steps of a given size, cut at the bounds: more small ones and more large ones than
/// normal steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laplace {
    size: f64,
    rate: Rate,
}

macro_rules! steps {
    ($name:ident, $draw:path, $text:literal) => {
        impl $name {
            /// Steps of `size` times the width of the bounds; each place moves with probability
            /// `p`.
            pub fn new(size: f64, p: f64) -> Self {
                Self { size, rate: Rate::new(p) }
            }
        }

        impl Mutation<Reals> for $name {
            fn check(&self, _: &Reals) -> Result<()> {
                self.rate.check($text)?;
                index(self.size, "size", $text)
            }

            fn mutate(&self, domain: &Reals, genome: &mut Vec<f64>, rng: &mut Rng) {
                self.rate.each(genome.len(), rng, |i, rng| {
                    let (lower, upper) = domain.bounds(i);
                    let step = $draw(rng) * self.size * (upper - lower);
                    genome[i] = domain.clamp(i, genome[i] + step);
                });
            }
        }
    };
}

steps!(Gauss, draw::gauss, "gauss");
steps!(Laplace, draw::laplace, "laplace");

/// Refuses an index or a size that is not a number from 0 on.
fn index(value: f64, name: &str, of: &str) -> Result<()> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::Param {
        of: of.to_owned(),
        name: name.to_owned(),
        expected: "a number from 0".into(),
        got: value.to_string(),
    })
}
