//! The discontinuity problem: in standard binary, neighbours such as 7 (0111) and 8 (1000) may
//! differ in all bits, so a search by small changes stops short of its goal. In Gray code,
//! neighbours differ in one bit.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_codes
//! ```

use evocracy::error::Result;
use evocracy::evolve::vary::{BitFlip, Copy};
use evocracy::evolve::{BitString, Bits, Code, Domain, Evolution, Goal, Minimise, Single, Until};
use evocracy::run::{Pool, Run, Stop};
use std::io::Write;

/// How many of the numbers 0 to 15 a search for `target` can get stuck at, when it flips one bit
/// at a time and never goes farther away.
pub fn traps(code: Code, target: u64) -> usize {
    let away = |word: u64| code.decode(word).abs_diff(target);
    let stuck =
        |word: &u64| away(*word) > 0 && (0..4).all(|bit| away(*word ^ 1 << bit) > away(*word));
    (0..16).filter(stuck).count()
}

/// In how many of `runs` runs a (1 + 1) search over 12 bits finds the number 2048 within 5000
/// evaluations.
pub fn found(code: Code, runs: u64) -> Result<usize> {
    const BITS: usize = 12;
    let problem = Minimise(|bits: &BitString| {
        code.integer(bits, 0..BITS).map_or(f64::NAN, |x| x.abs_diff(2048) as f64)
    });
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut hits = 0;
    for seed in 0..runs {
        let space = Bits::new(BITS).vary(Copy, BitFlip::new(1.0 / BITS as f64));
        let mut search = Evolution::new(space, Single::plus(1, 1), &[Goal::Minimise], seed)?;
        let until = Until::Reached(0.0).or(Until::Evaluations(5000));
        search.run(&problem, &until, &Run::new(seed, &stop, &pool))?;
        hits += usize::from(search.best().is_some_and(|best| best.value == 0.0));
    }
    Ok(hits)
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for code in [Code::Binary, Code::Gray] {
        let stuck: usize = (0..16).map(|target| traps(code, target)).sum();
        writeln!(out, "{code:?}: {stuck} traps over all targets from 0 to 15")?;
        writeln!(out, "{code:?}: 2048 found in {} of 50 runs", found(code, 50)?)?;
    }
    Ok(())
}
