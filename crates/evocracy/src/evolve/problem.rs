//! What is searched for: a problem scores genomes.

use crate::error::{Error, Result};
use crate::run::{Run, Seed};
use serde::{Deserialize, Serialize};

/// Which way an objective is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Smaller is better.
    Minimise,
    /// Larger is better.
    Maximise,
}

impl Goal {
    /// A value as a cost, and a cost as a value: the sign turns where larger is better. A zero
    /// loses its sign, so that costs that compare equal have equal bits.
    #[inline]
    #[must_use]
    pub fn turn(self, value: f64) -> f64 {
        match self {
            Self::Minimise => value + 0.0,
            Self::Maximise => 0.0 - value,
        }
    }
}

/// The scores of one genome: one point of one or more objectives, or many such points (a
/// genome that stands for a whole curve), or none where the genome means nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ScorePoints {
    width: usize,
    flat: Vec<f64>,
}

impl ScorePoints {
    /// No points yet, of `width` objectives.
    pub fn new(width: usize) -> Self {
        Self { width, flat: Vec::new() }
    }

    /// Forgets all points; those that come have `width` objectives.
    #[inline]
    pub fn reset(&mut self, width: usize) {
        self.width = width;
        self.flat.clear();
    }

    /// Adds a point: one value for each objective.
    #[inline]
    pub fn push(&mut self, point: &[f64]) -> Result<()> {
        if point.len() != self.width || self.width == 0 {
            return Err(Error::unsuitable(
                format!("a point of {} objectives where {} are", point.len(), self.width),
                "give one value for each goal of the problem",
            ));
        }
        self.flat.extend_from_slice(point);
        Ok(())
    }

    /// How many objectives a point has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.flat.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there is no point: the genome means nothing.
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// Point number `i`.
    #[inline]
    pub fn point(&self, i: usize) -> &[f64] {
        &self.flat[i * self.width..(i + 1) * self.width]
    }

    /// All values, point after point.
    #[inline]
    pub fn flat(&self) -> &[f64] {
        &self.flat
    }

    /// Refuses a genome without points, and points that are not numbers or not of `width`
    /// objectives.
    pub(super) fn sound(&self, width: usize) -> Result<()> {
        if self.width != width || !self.flat.len().is_multiple_of(width) {
            return Err(Error::unsuitable(
                format!("points of {} objectives where there are {width} goals", self.width),
                "give one value for each goal of the problem",
            ));
        }
        if self.flat.is_empty() {
            return Err(Error::unsuitable(
                "this genome means nothing",
                "wrap the space in `Repair` or `Reject`, or the problem in `Penalty`",
            ));
        }
        if self.flat.iter().any(|value| value.is_nan()) {
            return Err(Error::unsuitable(
                "a score is not a number",
                "leave out the point where there is no score, and wrap the problem in `Penalty`",
            ));
        }
        Ok(())
    }

    /// Turns values into costs and back.
    pub(super) fn turn(&mut self, goals: &[Goal]) {
        for point in self.flat.chunks_exact_mut(goals.len()) {
            for (value, goal) in point.iter_mut().zip(goals) {
                *value = goal.turn(*value);
            }
        }
    }
}

/// What scores genomes.
///
/// One genome may yield many points. A child may start warm from the phenotype of its parent,
/// which the search keeps beside the genome; a problem without such a thing has `()`.
pub trait Problem<G>: Sync {
    /// What a genome grew into and its children may start from.
    type Phenotype: Clone + Send + Sync;

    /// Which way each objective is better. The same at every call.
    fn goals(&self) -> &[Goal];

    /// Scores one genome into `out`, which has no points yet. Leaving it empty says that the
    /// genome means nothing. Whatever is random comes from `seed`.
    fn score(
        &self,
        genome: &G,
        parent: Option<&Self::Phenotype>,
        seed: Seed,
        out: &mut ScorePoints,
    ) -> Result<Self::Phenotype>;

    /// Scores many genomes: one place of `out` for each, in order. As it is, each alone and in
    /// parallel, until the stop flag is up; a problem that scores faster in bulk does it here.
    fn score_all(
        &self,
        batch: &Batch<'_, G, Self::Phenotype>,
        run: &Run<'_>,
        out: &mut [Scored<Self::Phenotype>],
    ) -> Result<()>
    where
        G: Sync,
    {
        run.pool.each(out, |i, place| {
            if run.stop.requested() {
                return place.set(Err(Error::Stopped));
            }
            let scored =
                self.score(batch.genome(i), batch.parent(i), batch.seed(i), &mut place.points);
            place.set(scored);
        });
        Ok(())
    }
}

/// The genomes of one call of [`Problem::score_all`].
#[derive(Debug)]
pub struct Batch<'a, G, P> {
    pub(super) genomes: &'a [G],
    /// Which of the genomes are to be scored.
    pub(super) which: &'a [usize],
    /// For each genome the place of its parent; empty where there are no parents.
    pub(super) parents: &'a [usize],
    pub(super) phenotypes: &'a [Option<P>],
    pub(super) seed: Seed,
}

impl<'a, G, P> Batch<'a, G, P> {
    /// How many genomes are to be scored.
    pub fn len(&self) -> usize {
        self.which.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    /// Genome number `i`.
    #[inline]
    pub fn genome(&self, i: usize) -> &'a G {
        &self.genomes[self.which[i]]
    }

    /// What the parent of genome `i` grew into.
    #[inline]
    pub fn parent(&self, i: usize) -> Option<&'a P> {
        let parent = self.parents.get(self.which[i])?;
        self.phenotypes[*parent].as_ref()
    }

    /// Where the randomness of genome `i` comes from.
    #[inline]
    pub fn seed(&self, i: usize) -> Seed {
        self.seed.child("", self.which[i] as u64)
    }
}

/// What came of scoring one genome.
#[derive(Debug)]
pub struct Scored<P> {
    /// Its points.
    pub points: ScorePoints,
    /// What it grew into, for its children to start from.
    pub phenotype: Option<P>,
    /// Why it could not be scored.
    pub error: Option<Box<Error>>,
}

impl<P> Default for Scored<P> {
    fn default() -> Self {
        Self { points: ScorePoints::default(), phenotype: None, error: None }
    }
}

impl<P> Scored<P> {
    /// Takes the outcome of [`Problem::score`].
    #[inline]
    pub fn set(&mut self, outcome: Result<P>) {
        match outcome {
            Ok(phenotype) => self.phenotype = Some(phenotype),
            Err(error) => self.error = Some(Box::new(error)),
        }
    }
}

/// The problem of making a function of a genome large.
#[derive(Debug, Clone, Copy)]
pub struct Maximise<F>(pub F);

/// The problem of making a function of a genome small.
#[derive(Debug, Clone, Copy)]
pub struct Minimise<F>(pub F);

macro_rules! function_problem {
    ($name:ident) => {
        impl<G, F: Fn(&G) -> f64 + Sync> Problem<G> for $name<F> {
            type Phenotype = ();

            fn goals(&self) -> &[Goal] {
                &[Goal::$name]
            }

            #[inline]
            fn score(
                &self,
                genome: &G,
                _: Option<&()>,
                _: Seed,
                out: &mut ScorePoints,
            ) -> Result<()> {
                out.push(&[(self.0)(genome)])
            }
        }
    };
}

function_problem!(Maximise);
function_problem!(Minimise);
