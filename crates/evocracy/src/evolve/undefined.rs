//! Genomes that mean nothing (the sparseness problem: more codes than things to encode), and the
//! three ways to deal with them: mend them, refuse them, or score them badly.

use super::{Batch, Goal, Problem, Rng, ScorePoints, Scored, Space};
use crate::error::{Error, Result};
use crate::run::{Run, Seed};

/// A space that mends every genome it makes.
#[derive(Debug, Clone)]
pub struct Repair<S, F> {
    /// The space.
    pub space: S,
    /// Makes a genome mean something. A genome that does stays as it is.
    pub mend: F,
}

/// A space that makes only genomes that mean something: what does not is made again, and where
/// that fails too often, the parent or the unchanged genome stays.
#[derive(Debug, Clone)]
pub struct Reject<S, F> {
    /// The space.
    pub space: S,
    /// Whether a genome means something.
    pub valid: F,
    /// How often a genome is made before its parent stays instead.
    pub tries: usize,
}

/// A problem that scores what means nothing with a penalty.
#[derive(Debug, Clone)]
pub struct Penalty<Q> {
    /// The problem, which leaves such a genome without points.
    pub problem: Q,
    /// The score of such a genome, one value for each goal. May be infinite.
    pub scores: Vec<f64>,
}

/// What a space around another passes on as it is.
macro_rules! pass_on {
    () => {
        fn distance(&self, a: &S::Genome, b: &S::Genome) -> Option<f64> {
            self.space.distance(a, b)
        }

        fn key(&self, genome: &S::Genome, out: &mut Vec<u64>) -> bool {
            self.space.key(genome, out)
        }

        fn words(&self, genome: &S::Genome) -> String {
            self.space.words(genome)
        }
    };
}

impl<S: Space, F: Fn(&mut S::Genome, &mut Rng) + Sync> Space for Repair<S, F> {
    type Genome = S::Genome;

    fn check(&self) -> Result<()> {
        self.space.check()
    }

    fn sample(&self, rng: &mut Rng) -> Result<S::Genome> {
        let mut genome = self.space.sample(rng)?;
        (self.mend)(&mut genome, rng);
        Ok(genome)
    }

    fn recombine(&self, parents: [&S::Genome; 2], children: [&mut S::Genome; 2], rng: &mut Rng) {
        let [first, second] = children;
        self.space.recombine(parents, [&mut *first, &mut *second], rng);
        (self.mend)(first, rng);
        (self.mend)(second, rng);
    }

    fn mutate(&self, genome: &mut S::Genome, rng: &mut Rng) {
        self.mutate_after(genome, 0, rng);
    }

    fn mutate_after(&self, genome: &mut S::Genome, fruitless: u64, rng: &mut Rng) {
        self.space.mutate_after(genome, fruitless, rng);
        (self.mend)(genome, rng);
    }

    fn admit(&self, genome: &S::Genome) -> Result<()> {
        self.space.admit(genome)
    }

    pass_on!();
}

impl<S: Space, F: Fn(&S::Genome) -> bool + Sync> Space for Reject<S, F> {
    type Genome = S::Genome;

    fn check(&self) -> Result<()> {
        if self.tries == 0 {
            return Err(Error::unsuitable("no tries to make a genome", "give at least 1 try"));
        }
        self.space.check()
    }

    fn sample(&self, rng: &mut Rng) -> Result<S::Genome> {
        for _ in 0..self.tries {
            let genome = self.space.sample(rng)?;
            if (self.valid)(&genome) {
                return Ok(genome);
            }
        }
        Err(Error::unsuitable(
            format!("none of {} random genomes means anything", self.tries),
            "try more often, mend genomes with `Repair`, or score them with `Penalty`",
        ))
    }

    fn recombine(&self, parents: [&S::Genome; 2], children: [&mut S::Genome; 2], rng: &mut Rng) {
        let [first, second] = children;
        for _ in 0..self.tries {
            self.space.recombine(parents, [&mut *first, &mut *second], rng);
            if (self.valid)(first) && (self.valid)(second) {
                return;
            }
        }
        for (child, parent) in [first, second].into_iter().zip(parents) {
            if !(self.valid)(child) {
                child.clone_from(parent);
            }
        }
    }

    fn mutate(&self, genome: &mut S::Genome, rng: &mut Rng) {
        self.mutate_after(genome, 0, rng);
    }

    fn mutate_after(&self, genome: &mut S::Genome, fruitless: u64, rng: &mut Rng) {
        let before = genome.clone();
        for _ in 0..self.tries {
            self.space.mutate_after(genome, fruitless, rng);
            if (self.valid)(genome) {
                return;
            }
            genome.clone_from(&before);
        }
    }

    fn admit(&self, genome: &S::Genome) -> Result<()> {
        self.space.admit(genome)?;
        if (self.valid)(genome) {
            return Ok(());
        }
        let what = format!("{} means nothing", self.space.words(genome));
        Err(Error::unsuitable(what, "begin with genomes that mean something"))
    }

    pass_on!();
}

impl<G: Sync, Q: Problem<G>> Problem<G> for Penalty<Q> {
    type Phenotype = Q::Phenotype;

    fn goals(&self) -> &[Goal] {
        self.problem.goals()
    }

    fn score(
        &self,
        genome: &G,
        parent: Option<&Q::Phenotype>,
        seed: Seed,
        out: &mut ScorePoints,
    ) -> Result<Q::Phenotype> {
        let phenotype = self.problem.score(genome, parent, seed, out)?;
        if out.is_empty() {
            out.push(&self.scores)?;
        }
        Ok(phenotype)
    }

    fn score_all(
        &self,
        batch: &Batch<'_, G, Q::Phenotype>,
        run: &Run<'_>,
        out: &mut [Scored<Q::Phenotype>],
    ) -> Result<()> {
        self.problem.score_all(batch, run, out)?;
        let undefined =
            |scored: &&mut Scored<_>| scored.points.is_empty() && scored.error.is_none();
        out.iter_mut().filter(undefined).try_for_each(|scored| scored.points.push(&self.scores))
    }
}
