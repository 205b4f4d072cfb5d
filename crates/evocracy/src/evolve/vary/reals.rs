//! Operators on real vectors.
//!
//! Simulated binary crossover and polynomial mutation in the forms that respect bounds (Deb,
//! Agrawal 1995; Deb, Agrawal 1999; as in Deb's NSGA-II of 2002), and plain steps.

use super::{Crossover, Mutation, compose};
use crate::error::Result;
use crate::evolve::draw::Rate;
use crate::evolve::genome::Reals;
use crate::evolve::{Rng, draw, unit};
use crate::param::refuse;
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
        for (i, (a, b)) in first.iter_mut().zip(second).enumerate() {
            if unit(rng) >= self.each || (*a - *b).abs() <= SAME {
                continue;
            }
            let (low, high) = spread(domain.bounds(i), (a.min(*b), a.max(*b)), self.eta, unit(rng));
            let (down, up) = (domain.clamp(i, low), domain.clamp(i, high));
            // Which child has which does not follow from which parent was lower.
            (*a, *b) = if rng.next_u64() >> 63 == 0 { (down, up) } else { (up, down) };
        }
    }
}

/// The two children of parents `low` and `high` for the number `u` from 0 to 1.
fn spread((lower, upper): (f64, f64), (low, high): (f64, f64), eta: f64, u: f64) -> (f64, f64) {
    let (middle, half, power) = (0.5 * (low + high), 0.5 * (high - low), 1.0 / (eta + 1.0));
    // What lies beyond a bound is cut off the distribution of the side next to it.
    let factor = |room: f64| {
        let share = u * (2.0 - (1.0 + room / half).powf(-(eta + 1.0)));
        if share <= 1.0 { share.powf(power) } else { (1.0 / (2.0 - share)).powf(power) }
    };
    (middle - factor(low - lower) * half, middle + factor(upper - high) * half)
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
        self.rate.each(genome.len(), rng, |i, rng| {
            let moved = moved(domain.bounds(i), genome[i], self.eta, unit(rng));
            genome[i] = domain.clamp(i, moved);
        });
    }
}

/// Where `x` goes for the number `u` from 0 to 1.
fn moved((lower, upper): (f64, f64), x: f64, eta: f64, u: f64) -> f64 {
    let (width, sharp, power) = (upper - lower, eta + 1.0, 1.0 / (eta + 1.0));
    if width <= 0.0 {
        return x;
    }
    let step = if u < 0.5 {
        let room = 1.0 - (x - lower) / width;
        (2.0 * u + (1.0 - 2.0 * u) * room.powf(sharp)).powf(power) - 1.0
    } else {
        let room = 1.0 - (upper - x) / width;
        1.0 - (2.0 * (1.0 - u) + (2.0 * u - 1.0) * room.powf(sharp)).powf(power)
    };
    x + step * width
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
    Err(refuse(of, name, "a number from 0".into(), value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by DEAP 1.4's `cxSimulatedBinaryBounded` and `mutPolynomialBounded`, with their
    /// random numbers replaced by `u`.
    #[test]
    fn children_and_steps_are_those_of_deap() {
        let pairs = [
            (
                (0.0, 1.0),
                (0.2, 0.7),
                15.0,
                0.1,
                (0.223_924_621_921_249_76, 0.676_075_936_389_855_1),
            ),
            (
                (0.0, 1.0),
                (0.2, 0.7),
                15.0,
                0.93,
                (0.167_321_900_502_330_53, 0.732_687_371_505_984_7),
            ),
            ((0.0, 1.0), (0.01, 0.99), 2.0, 0.6, (0.078_770_380_759_485_95, 0.921_229_619_240_514)),
            (
                (-5.0, 5.0),
                (-4.9, 1.5),
                20.0,
                0.5,
                (-4.854_035_059_129_025, 1.499_999_986_117_125_6),
            ),
            (
                (0.0, 1.0),
                (0.3, 0.4),
                5.0,
                0.999,
                (0.209_235_975_055_849_57, 0.490_861_026_307_920_17),
            ),
            ((-5.0, 5.0), (2.0, 4.5), 0.0, 0.37, (2.395_075_757_575_758, 3.844_642_857_142_857)),
        ];
        for (bounds, parents, eta, u, expected) in pairs {
            let (low, high) = spread(bounds, parents, eta, u);
            assert!((low - expected.0).abs() < 1e-14 && (high - expected.1).abs() < 1e-14);
        }
        let steps = [
            ((0.0, 1.0), 0.2, 20.0, 0.1, 0.127_822_626_223_734_8),
            ((0.0, 1.0), 0.2, 20.0, 0.9, 0.273_776_673_967_431_8),
            ((-5.0, 5.0), 4.9, 5.0, 0.75, 4.949_371_942_552_647),
            ((-5.0, 5.0), -4.9, 5.0, 0.25, -4.949_371_942_552_647),
            ((0.0, 1.0), 0.5, 0.0, 0.4999, 0.4999),
            ((0.0, 10.0), 10.0, 20.0, 0.3, 9.759_684_394_674_12),
        ];
        for (bounds, x, eta, u, expected) in steps {
            assert!((moved(bounds, x, eta, u) - expected).abs() < 1e-14);
        }
    }
}
