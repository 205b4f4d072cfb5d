//! A problem of one's own, with genomes of one's own: jobs are given to machines so that the
//! last machine is done as soon as possible.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_custom
//! ```

use evocracy::error::{Error, Result};
use evocracy::evolve::{
    Evolution, Goal, Problem, Rng, ScorePoints, Single, Space, Until, below, chance,
};
use evocracy::run::{Pool, Run, Seed, Stop};
use std::io::Write;

/// How long each job takes. They add up to 120, so with three machines 40 is the least.
pub const JOBS: [f64; 14] =
    [17.0, 15.0, 14.0, 12.0, 11.0, 9.0, 8.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 1.0];

/// For each job the machine that does it.
#[derive(Debug, Clone)]
pub struct Plan(Vec<u8>);

/// All plans for so many machines.
pub struct Plans {
    machines: u8,
}

impl Space for Plans {
    type Genome = Plan;

    fn sample(&self, rng: &mut Rng) -> Result<Plan> {
        Ok(Plan(JOBS.iter().map(|_| below(self.machines.into(), rng) as u8).collect()))
    }

    fn recombine(&self, [a, b]: [&Plan; 2], children: [&mut Plan; 2], rng: &mut Rng) {
        let [first, second] = children;
        first.0.clone_from(&a.0);
        second.0.clone_from(&b.0);
        for (x, y) in first.0.iter_mut().zip(&mut second.0) {
            if chance(0.5, rng) {
                std::mem::swap(x, y);
            }
        }
    }

    fn mutate(&self, plan: &mut Plan, rng: &mut Rng) {
        let job = below(plan.0.len(), rng);
        plan.0[job] = below(self.machines.into(), rng) as u8;
    }

    fn admit(&self, plan: &Plan) -> Result<()> {
        if plan.0.len() == JOBS.len() && plan.0.iter().all(|machine| *machine < self.machines) {
            return Ok(());
        }
        Err(Error::unsuitable("a plan of other jobs or machines", "make it in this space"))
    }
}

/// Being done early.
pub struct Early;

impl Problem<Plan> for Early {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise]
    }

    fn score(&self, plan: &Plan, _: Option<&()>, _: Seed, out: &mut ScorePoints) -> Result<()> {
        let mut done = [0.0_f64; 256];
        plan.0.iter().zip(JOBS).for_each(|(machine, job)| done[usize::from(*machine)] += job);
        out.push(&[done.into_iter().fold(0.0, f64::max)])
    }
}

/// When the last of three machines is done, at best.
pub fn search(seed: u64) -> Result<f64> {
    let mut search = Evolution::new(Plans { machines: 3 }, Single::new(50), Early.goals(), seed)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let until = Until::Reached(40.0).or(Until::Generations(500));
    search.run(&Early, &until, &Run::new(seed, &stop, &pool))?;
    Ok(search.best().map_or(f64::NAN, |best| best.value))
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    writeln!(std::io::stdout(), "all done after {}", search(1)?)?;
    Ok(())
}
