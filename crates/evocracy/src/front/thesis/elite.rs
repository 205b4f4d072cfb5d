//! The searches of one archive: the base algorithm (2), K folds (4) and NSGA-II (3.7).

use super::curve::RateRows;
use super::family::Family;
use super::{Found, OperatingPoint};
use crate::error::Result;
use crate::evolve::multi::{Elite, Nsga2};
use crate::evolve::pareto::Archive;
use crate::evolve::{
    Evolution, Goal, Problem, Rng, ScorePoints, Space, Until, chance, laplace, unit,
};
use crate::num::logit::logistic;
use crate::run::{Run, Seed};

/// True positive rate, false positive rate, complexity.
pub(super) const GOALS: [Goal; 3] = [Goal::Maximise, Goal::Minimise, Goal::Minimise];

/// Turns without a new member after which a search ends (3.4.1).
const FRUITLESS: u64 = 100;

/// Rates and complexity of all operating points of a scorer: on the rows it was fitted to, or on the
/// average of folds that it was not fitted to.
pub(super) struct Curves<'a, F> {
    family: &'a F,
    rows: RateRows,
    /// The rows of each fold, and 0 for them and 1 for all others; none to fit to all rows.
    folds: Vec<(Vec<u32>, Vec<f64>)>,
}

impl<'a, F: Family> Curves<'a, F> {
    pub(super) fn new(family: &'a F, positive: &[bool], folds: &[Vec<u32>]) -> Self {
        let rows = if folds.is_empty() {
            RateRows::new(positive, None)
        } else {
            RateRows::of_folds(positive, folds)
        };
        let without = |fold: &Vec<u32>| {
            let mut weights = vec![1.0; positive.len()];
            for &row in fold {
                weights[row as usize] = 0.0;
            }
            (fold.clone(), weights)
        };
        Self { family, rows, folds: folds.iter().map(without).collect() }
    }

    /// Fits and writes the score of every row by a scorer that was or was not fitted to it.
    fn scores(
        &self,
        genome: &F::Genome,
        start: Option<&Vec<F::Fitted>>,
        scores: &mut Vec<f64>,
    ) -> Result<Vec<F::Fitted>> {
        let first = |at: usize| start.and_then(|start| start.get(at));
        if self.folds.is_empty() {
            return Ok(vec![self.family.fit(genome, None, first(0), scores)?]);
        }
        let mut fitted = Vec::with_capacity(self.folds.len());
        let mut whole = vec![0.0; self.family.rows()];
        for (at, (fold, weights)) in self.folds.iter().enumerate() {
            fitted.push(self.family.fit(genome, Some(weights), first(at), scores)?);
            for &row in fold {
                whole[row as usize] = scores[row as usize];
            }
        }
        *scores = whole;
        Ok(fitted)
    }
}

impl<F: Family> Problem<F::Genome> for Curves<'_, F> {
    type Phenotype = Vec<F::Fitted>;

    fn goals(&self) -> &[Goal] {
        &GOALS
    }

    fn score(
        &self,
        genome: &F::Genome,
        parent: Option<&Vec<F::Fitted>>,
        _: Seed,
        out: &mut ScorePoints,
    ) -> Result<Vec<F::Fitted>> {
        let complexity = self.family.complexity(genome);
        let mut scores = Vec::new();
        let Ok(fitted) = self.scores(genome, parent, &mut scores) else {
            // What cannot be fitted is as bad as can be, and starts nothing.
            out.push(&[0.0, 1.0, complexity])?;
            return Ok(Vec::new());
        };
        let mut pushed = Ok(());
        self.rows.corners(&scores, &mut Vec::new(), |_, [tpr, fpr]| {
            let point = out.push(&[tpr, fpr, complexity]);
            if pushed.is_ok() {
                pushed = point;
            }
        });
        pushed.map(|()| fitted)
    }
}

/// Algorithms 2 and 4: an elite archive, one child at a time.
pub(super) fn search<F: Family>(
    family: &F,
    positive: &[bool],
    folds: &[Vec<u32>],
    start: Vec<F::Genome>,
    iterations: u64,
    run: &Run<'_>,
) -> Result<Found<F>> {
    let curves = Curves::new(family, positive, folds);
    let strategy = Elite::new().start(start.len().max(1));
    let mut search =
        Evolution::new(family, strategy, &GOALS, run.seed.value())?.start(start)?.log_every(0);
    let until = Until::Stale(FRUITLESS).or(Until::Generations(iterations));
    search.run(&curves, &until, &run.task("front", iterations))?;
    let state = search.state();
    // The archive of points again, now with the thresholds behind them.
    let mut archive: Archive<(usize, f64)> = Archive::new(&GOALS)?;
    let (mut fitted, mut of_all, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    for (genome, known) in state.members().genomes.iter().zip(state.phenotypes()) {
        let Ok(own) = curves.scores(genome, known.as_ref(), &mut scores) else { continue };
        let complexity = family.complexity(genome);
        let mut kept = Ok(());
        curves.rows.corners(&scores, &mut Vec::new(), |threshold, [tpr, fpr]| {
            let point = archive.insert(&[tpr, fpr, complexity], (fitted.len(), threshold));
            if kept.is_ok() {
                kept = point.map(|_| ());
            }
        });
        kept?;
        fitted.push(if folds.is_empty() {
            own[0].clone()
        } else {
            family.fit(genome, None, own.first(), &mut scores)?
        });
        of_all.push(scores.clone());
    }
    let points = archive.iter().map(|entry| {
        let values = archive.objectives(&entry);
        let (member, threshold) = *entry.payload;
        OperatingPoint { member, threshold, rates: [values[0], values[1]], complexity: values[2] }
    });
    let points = points.collect();
    Ok(Found { fitted, scores: of_all, points })
}

/// A genome with a threshold on the log-odds of its own.
#[derive(Debug, Clone)]
struct Called<'a, F>(&'a F);

/// Log-odds beyond which a threshold calls all rows alike.
const FAR: f64 = 10.0;

impl<F: Family> Space for Called<'_, F> {
    type Genome = (F::Genome, f64);

    fn sample(&self, rng: &mut Rng) -> Result<Self::Genome> {
        Ok((self.0.sample(rng)?, FAR * (2.0 * unit(rng) - 1.0)))
    }

    fn recombine(
        &self,
        [a, b]: [&Self::Genome; 2],
        [first, second]: [&mut Self::Genome; 2],
        rng: &mut Rng,
    ) {
        self.0.recombine([&a.0, &b.0], [&mut first.0, &mut second.0], rng);
        (first.1, second.1) = if chance(0.5, rng) { (a.1, b.1) } else { (b.1, a.1) };
    }

    fn mutate(&self, genome: &mut Self::Genome, rng: &mut Rng) {
        // Either the threshold moves or the scorer changes.
        if chance(0.5, rng) {
            genome.1 = (genome.1 + laplace(rng)).clamp(-FAR, FAR);
        } else {
            self.0.mutate(&mut genome.0, rng);
        }
    }

    fn admit(&self, genome: &Self::Genome) -> Result<()> {
        self.0.admit(&genome.0)
    }
}

/// Scores one operating point.
struct Points<'a, F>(Curves<'a, F>);

impl<F: Family> Problem<(F::Genome, f64)> for Points<'_, F> {
    type Phenotype = Vec<F::Fitted>;

    fn goals(&self) -> &[Goal] {
        &GOALS
    }

    fn score(
        &self,
        (genome, threshold): &(F::Genome, f64),
        parent: Option<&Vec<F::Fitted>>,
        _: Seed,
        out: &mut ScorePoints,
    ) -> Result<Vec<F::Fitted>> {
        let mut scores = Vec::new();
        let fitted = self.0.scores(genome, parent, &mut scores).unwrap_or_default();
        let [tpr, fpr] = if fitted.is_empty() {
            [0.0, 1.0]
        } else {
            self.0.rows.at(&scores, logistic(*threshold))
        };
        out.push(&[tpr, fpr, self.0.family.complexity(genome)])?;
        Ok(fitted)
    }
}

/// NSGA-II over scorers with a threshold each.
pub(super) fn nsga2<F: Family>(
    family: &F,
    positive: &[bool],
    (size, generations): (usize, u64),
    run: &Run<'_>,
) -> Result<Found<F>> {
    let points = Points(Curves::new(family, positive, &[]));
    let strategy = Nsga2::new(size);
    let mut search =
        Evolution::new(Called(family), strategy, &GOALS, run.seed.value())?.log_every(0);
    let until = Until::Generations(generations);
    search.run(&points, &until, &run.task("generations", generations))?;
    let state = search.state();
    let mut archive: Archive<usize> = Archive::new(&GOALS)?;
    let members = state.members();
    for at in 0..members.len() {
        let values: Vec<f64> = state.values(at).collect();
        archive.insert(&values, at)?;
    }
    let (mut fitted, mut of_all, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for entry in archive.iter() {
        let values = archive.objectives(&entry);
        let (genome, threshold) = &members.genomes[*entry.payload];
        let known = state.phenotypes()[*entry.payload].as_ref().and_then(|all| all.first());
        let Some(known) = known else { continue };
        found.push(OperatingPoint {
            member: fitted.len(),
            threshold: logistic(*threshold),
            rates: [values[0], values[1]],
            complexity: values[2],
        });
        let mut scores = Vec::new();
        fitted.push(family.fit(genome, None, Some(known), &mut scores)?);
        of_all.push(scores);
    }
    Ok(Found { fitted, scores: of_all, points: found })
}
