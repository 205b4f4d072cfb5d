//! The lecture's first example: the largest square over 0 to 31, from four given strings.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_squares
//! ```

use evocracy::error::Result;
use evocracy::evolve::vary::{BitFlip, Chance, Mask};
use evocracy::evolve::{
    BitString, Bits, Code, Domain, Evolution, Maximise, Problem, Select, Single, Until,
    selection_probabilities,
};
use evocracy::run::{Pool, Run, Stop};
use std::io::Write;

/// The four strings that the lecture begins with.
pub const STRINGS: [&str; 4] = ["01101", "11000", "01000", "10011"];

fn number(bits: &BitString) -> f64 {
    Code::Binary.integer(bits, 0..5).map_or(f64::NAN, |x| x as f64)
}

/// Each string with its number, its square and the probability that the roulette wheel takes it.
pub fn table() -> Result<Vec<(String, f64, f64, f64)>> {
    let strings: Vec<BitString> =
        STRINGS.iter().map(|text| BitString::parse(text)).collect::<Result<_>>()?;
    let squares: Vec<f64> = strings.iter().map(|bits| number(bits).powi(2)).collect();
    let rows = strings.iter().zip(&squares).zip(selection_probabilities(&squares));
    Ok(rows.map(|((bits, square), p)| (bits.to_string(), number(bits), *square, p)).collect())
}

/// The number of the best string that a search from the four finds.
pub fn search(seed: u64) -> Result<f64> {
    let space = Bits::new(5).vary(Chance { p: 0.9, of: Mask::SINGLE }, BitFlip::new(0.05));
    let problem = Maximise(|bits: &BitString| number(bits).powi(2));
    let strategy = Single::new(4).select(Select::Roulette);
    let start: Vec<BitString> =
        STRINGS.iter().map(|text| BitString::parse(text)).collect::<Result<_>>()?;
    let mut search = Evolution::new(space, strategy, Problem::<BitString>::goals(&problem), seed)?
        .start(start)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let until = Until::Reached(961.0).or(Until::Generations(1000));
    search.run(&problem, &until, &Run::new(seed, &stop, &pool))?;
    Ok(search.best().map_or(f64::NAN, |best| number(best.genome)))
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for (bits, x, square, p) in table()? {
        writeln!(out, "{bits}  x = {x:2}  x^2 = {square:3}  chosen with p = {p:.3}")?;
    }
    writeln!(out, "found: {}", search(1)?)?;
    Ok(())
}
