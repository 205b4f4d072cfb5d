//! EvoBN as it is printed (De Stefano et al. 2009): a genetic algorithm over multilists.
//!
//! The paper leaves open the sizes, the probabilities and the selection; what is set here are
//! ordinary values, chosen before anything was measured. [`evobn`](super::evobn) is the search to
//! use.

use super::{Learnt, Multilist, Multilists};
use crate::error::{Error, Result};
use crate::evolve::{Evolution, Maximise, Problem, Single, Until};
use crate::network::{Constraints, Dag, Scorer};
use crate::run::Run;

/// The settings of the genetic algorithm over multilists.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedEvobn {
    /// Members of the population.
    pub size: usize,
    /// Generations.
    pub generations: u64,
    /// How likely the m-mutation is: `p_m`.
    pub swap: f64,
    /// How many bits the s-mutation flips on average: `p_s` times the number of bits.
    pub flips: f64,
    /// How many arcs a random graph has for each node, on average.
    pub arcs: f64,
}

impl Default for PrintedEvobn {
    fn default() -> Self {
        Self { size: 100, generations: 250, swap: 0.1, flips: 1.0, arcs: 1.0 }
    }
}

/// Evolves multilists. Arcs that are forbidden, and parents of a node beyond the most it may have,
/// the last ones of the main list, do not count; required arcs and tiers cannot be met.
pub fn evobn_printed(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    how: &PrintedEvobn,
    run: &Run<'_>,
) -> Result<Learnt> {
    constraints.start(scorer.data())?;
    if !constraints.required.is_empty() {
        return Err(Error::unsuitable(
            "the evolution of multilists cannot keep required arcs",
            "use another search",
        ));
    }
    let nodes = scorer.data().variables();
    let pairs = (nodes * nodes.saturating_sub(1) / 2).max(1) as f64;
    let space = Multilists {
        nodes,
        density: (how.arcs * nodes as f64 / pairs).min(1.0),
        swap: how.swap,
        flip: (how.flips / pairs).min(1.0),
    };
    let problem = Maximise(|genome: &Multilist| {
        let parents = meant(genome, scorer, constraints);
        parents.iter().enumerate().map(|(node, parents)| scorer.local(node, parents)).sum()
    });
    let goals = Problem::<Multilist>::goals(&problem).to_vec();
    let mut search =
        Evolution::<_, _, ()>::new(space, Single::new(how.size), &goals, run.seed.value())?
            .log_every(0);
    let run = &run.task("multilists", how.generations);
    let stop = search.run(&problem, &Until::Generations(how.generations), run)?;
    let best = search.best().ok_or(Error::Stopped)?;
    let dag = Dag::trusted(meant(best.genome, scorer, constraints));
    Ok(Learnt { score: scorer.total(&dag), dag, stop })
}

/// The parents that a genome stands for within the constraints.
fn meant(genome: &Multilist, scorer: &Scorer<'_>, constraints: &Constraints) -> Vec<Vec<u32>> {
    let main = genome.main();
    let mut parents = vec![Vec::new(); main.len()];
    for (to, &child) in main.iter().enumerate() {
        let own: &mut Vec<u32> = &mut parents[child as usize];
        for from in (0..to).filter(|from| genome.has(*from, to)) {
            own.push(main[from]);
            let fits = constraints.fits(scorer.data(), child as usize, own);
            if !fits || !constraints.allows(main[from], child) {
                own.pop();
            }
        }
        own.sort_unstable();
    }
    parents
}
