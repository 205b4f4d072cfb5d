//! The travelling salesman, by partially mapped crossover and swaps: a ring of cities, whose
//! shortest tour is known, and a hundred cities at random.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_tsp
//! ```

use evocracy::error::Result;
use evocracy::evolve::vary::{Chance, Pmx, Swap};
use evocracy::evolve::{
    Domain, Evolution, Goal, Minimise, Permutation, Permutations, Select, Single, Survive, Until,
    rng, unit,
};
use evocracy::run::{Pool, Run, Seed, Stop};
use std::io::Write;

/// A place on the map.
pub type City = (f64, f64);

/// Cities on a circle of radius 1, in order.
pub fn ring(n: usize) -> Vec<City> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    (0..n).map(|i| (angle(i).cos(), angle(i).sin())).collect()
}

/// Cities at random in the unit square.
pub fn scattered(n: usize, seed: u64) -> Vec<City> {
    let mut rng = rng(Seed::new(seed));
    (0..n).map(|_| (unit(&mut rng), unit(&mut rng))).collect()
}

/// The length of the round tour through the cities in an order.
pub fn length(cities: &[City], order: impl Iterator<Item = usize> + Clone) -> f64 {
    let pairs = order.clone().zip(order.clone().skip(1).chain(order));
    let step = |(a, b): (usize, usize)| {
        let ((x, y), (u, v)) = (cities[a], cities[b]);
        (x - u).hypot(y - v)
    };
    pairs.map(step).sum()
}

/// The shortest tour that a search of so many generations finds, and its length.
pub fn search(cities: &[City], generations: u64, seed: u64) -> Result<(Permutation, f64)> {
    let space = Permutations::new(cities.len()).vary(
        Chance { p: 0.3, of: Pmx },
        (Chance { p: 0.9, of: Swap }, Chance { p: 0.5, of: Swap }),
    );
    let strategy = Single::new(100).select(Select::Tournament(2)).survive(Survive::Plus);
    let tour = Minimise(|tour: &Permutation| {
        length(cities, tour.order().iter().map(|city| *city as usize))
    });
    let mut search = Evolution::new(space, strategy, &[Goal::Minimise], seed)?.log_every(0);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    search.run(&tour, &Until::Generations(generations), &Run::new(seed, &stop, &pool))?;
    let best = search.best().map(|best| (best.genome.clone(), best.value));
    best.ok_or(evocracy::error::Error::Stopped)
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let circle = ring(20);
    let shortest = length(&circle, 0..20);
    let found = search(&circle, 2000, 1)?.1;
    writeln!(out, "ring of 20: {found:.4}, the shortest is {shortest:.4}")?;
    let cities = scattered(100, 1);
    let before = length(&cities, 0..100);
    writeln!(out, "100 cities: {:.3}, at random {before:.3}", search(&cities, 20_000, 1)?.1)?;
    Ok(())
}
