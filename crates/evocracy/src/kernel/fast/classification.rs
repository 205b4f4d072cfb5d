//! The search for two classes: Gaussian around the mode of the weights.

use super::scores::Scores;
use super::{ActiveSet, Solution, SparseSearch, Target, unsolved};
use crate::error::Result;
use crate::kernel::design::{multiply, scale, weighted_squares};
use crate::kernel::gaussian::{Action, Limits, halve};
use crate::kernel::irls::{Irls, LogisticRows, add_columns};

/// The least precision, as a share of the mean square of all bases: a basis may move the log-odds
/// by a thousand.
const LEAST: f64 = 1e-6;

/// Modes within one pool.
const ROUNDS: usize = 200;

/// Modes of a pool that do not raise the evidence before it is left: around the old mode a basis
/// may promise what it does not keep around its own, and would come and go for ever.
const IDLE: usize = 3;

/// Actions around one mode.
const ACTIONS: usize = 1000;

/// While bases still come, precisions need not be closer to rest than this.
const ROUGH: f64 = 0.1;

/// Precisions whose moves raise the evidence by less than this share of what a basis must are at
/// rest: those of classes without errors would crawl to their floor.
const STILL: f64 = 0.01;

/// Candidates that are tried for each place, and for all.
const TRIALS: usize = 3;
const MOST_TRIALS: usize = 24;

/// A model of so many bases may take in one basis more around the same mode.
const FEW: usize = 16;

/// Sweeps that do not raise the evidence before the search ends.
const PATIENCE: usize = 3;

/// How often the end of a search is taken for a start.
const RETURNS: usize = 4;

/// What a search ended with.
#[derive(Default)]
struct Optimum {
    evidence: f64,
    state: ActiveSet,
    curve: Vec<f64>,
    converged: bool,
}

impl SparseSearch<'_> {
    /// Searches from below, with nothing in the model, and from above, with many bases in it: the
    /// evidence has many peaks.
    pub(super) fn classes(&mut self, rows: &LogisticRows<'_>) -> Result<Solution> {
        let mut irls = Irls::new(self.design.rows(), 16);
        self.limits.least = LEAST * self.design.power();
        self.limits.smooth = 0.0;
        let mut best = self.ascend(&mut irls, rows)?;
        let wanted = self.settings.explore || best.state.bases.is_empty();
        // Where the sample cannot be solved for, the first end stands.
        if wanted
            && !self.stop.requested()
            && let Ok(found) = self.ascend_from_above(&mut irls, rows)
            && found.evidence > best.evidence + self.limits.gain
        {
            best = found;
        }
        let Optimum { state, curve, converged, .. } = self.go_on(best, &mut irls, rows)?;
        (self.state, self.curve) = (state, curve);
        let start = self.state.weights.clone();
        let evidence = irls.fit(&self.state.columns, rows, &self.state.alphas, Some(&start))?;
        self.state.weights.clone_from(&irls.weights);
        Ok(self.finish(&irls.factor, None, (evidence, converged)))
    }

    /// Where a climb from the end leads on, it was no end.
    fn go_on(
        &mut self,
        mut best: Optimum,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
    ) -> Result<Optimum> {
        for _ in 0..RETURNS {
            if self.stop.requested() {
                break;
            }
            let ActiveSet { bases, alphas, .. } = &best.state;
            let end: Vec<(usize, f64)> =
                bases.iter().copied().zip(alphas.iter().copied()).collect();
            self.begin(&end);
            let again = self.ascend(irls, rows)?;
            if again.evidence - best.evidence <= self.limits.gain {
                break;
            }
            best.curve.extend(&again.curve);
            best = Optimum { curve: best.curve, ..again };
        }
        Ok(best)
    }

    /// The model as it is, its precisions at rest.
    fn here(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let evidence = self.settle_precisions(irls, rows, self.limits)?;
        Ok(Optimum { evidence, state: self.state.clone(), ..Optimum::default() })
    }

    fn ascend_from_above(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let target = Target::Classes(rows.targets, rows.offsets);
        self.begin_from_above(target, rows.weights, 1.0)?;
        self.ascend(irls, rows)
    }

    /// Climbs from the model as it is, with the candidates that promise most.
    fn ascend(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let start = self.here(irls, rows)?;
        let scores = self.score_classes(irls)?;
        self.refill(&scores);
        self.climb(start, irls, rows)
    }

    /// Pools and sweeps until nothing is left to gain; `best` is where the climb begins.
    fn climb(
        &mut self,
        mut best: Optimum,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
    ) -> Result<Optimum> {
        let (mut patience, mut tried) = (PATIENCE, false);
        for _ in 0..self.settings.sweeps {
            self.settle_classes(irls, rows)?;
            let evidence = self.settle_precisions(irls, rows, self.limits)?;
            best.curve.push(evidence);
            let gained = evidence - best.evidence;
            patience = if gained > self.limits.gain { PATIENCE } else { patience - 1 };
            // Other bases must be worth the change.
            let same = self.state.bases == best.state.bases;
            if gained > if same { 0.0 } else { self.limits.gain } {
                (best.evidence, best.state) = (evidence, self.state.clone());
            }
            // A trial that came to nothing would be taken again and again.
            best.converged = tried && gained <= self.limits.gain;
            if best.converged {
                break;
            }
            tried = false;
            if patience == 0 {
                self.state.clone_from(&best.state);
                self.settle_precisions(irls, rows, self.limits)?;
            }
            let scores = self.score_classes(irls)?;
            if self.stop.requested() {
                break;
            }
            let promised = self.refill(&scores);
            if patience > 0 && promised > self.limits.gain {
                continue;
            }
            if !self.try_places(irls, rows, &scores, best.evidence)? {
                best.converged = !self.stop.requested();
                break;
            }
            let scores = self.score_classes(irls)?;
            self.refill(&scores);
            (patience, tried) = (PATIENCE, true);
        }
        Ok(best)
    }

    /// Adds from the pool until nothing there raises the evidence.
    fn settle_classes(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<()> {
        let rough = Limits { change: self.limits.change.max(ROUGH), ..self.limits };
        let (mut best, mut idle) = (f64::NEG_INFINITY, 0);
        for _ in 0..ROUNDS {
            self.linearise(irls)?;
            let added = self.act_on_classes(irls);
            self.adopt();
            if !added {
                return Ok(());
            }
            let evidence = self.settle_precisions(irls, rows, rough)?;
            idle = if evidence > best + rough.gain { 0 } else { idle + 1 };
            best = best.max(evidence);
            if idle == IDLE || self.stop.requested() {
                break;
            }
        }
        Ok(())
    }

    /// Tries candidates in the place of bases for what they are truly worth: the evidence around
    /// the old mode only tells roughly. Says whether one was taken.
    fn try_places(
        &mut self,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
        scores: &Scores,
        evidence: f64,
    ) -> Result<bool> {
        let n = self.design.rows();
        let before = self.state.clone();
        let rough = Limits { change: self.limits.change.max(ROUGH), ..self.limits };
        for trial in scores.trials(&before, &self.limits, TRIALS).into_iter().take(MOST_TRIALS) {
            if self.stop.requested() {
                break;
            }
            let state = &mut self.state;
            state.bases[trial.at] = trial.basis;
            state.alphas[trial.at] = trial.alpha;
            state.weights[trial.at] = trial.weight;
            self.design
                .column_into(trial.basis, &mut state.columns[trial.at * n..(trial.at + 1) * n]);
            if self.settle_precisions(irls, rows, rough)? > evidence + self.limits.gain {
                return Ok(true);
            }
            self.state.clone_from(&before);
        }
        Ok(false)
    }

    /// The Gaussian problem of the pool around the mode.
    fn linearise(&mut self, irls: &Irls) -> Result<()> {
        let n = self.design.rows();
        let (p, k) = (self.pool.len(), self.state.bases.len());
        let mut scaled = vec![0.0; k * n];
        scale(&self.state.columns, &irls.precisions, &mut scaled);
        let gauss = &mut self.gauss;
        gauss.cross.resize(p * k, 0.0);
        multiply(&self.pooled, n, &scaled, &mut gauss.cross);
        gauss.shares.resize(p, 0.0);
        multiply(&self.pooled, n, &irls.pulls, &mut gauss.shares);
        add_columns(&mut gauss.shares, &gauss.cross, &irls.weights);
        gauss.squares.resize(p, 0.0);
        weighted_squares(&self.pooled, &irls.precisions, &mut gauss.squares);
        gauss.active.clear();
        for basis in &self.state.bases {
            gauss.active.extend(self.pool.iter().position(|pooled| pooled == basis));
        }
        gauss.alphas.clone_from(&self.state.alphas);
        if gauss.refresh() { Ok(()) } else { Err(unsolved()) }
    }

    /// Acts around the mode until a basis has come, or a few in a large model, and the precisions
    /// rest; says whether any came.
    fn act_on_classes(&mut self, irls: &Irls) -> bool {
        let n = self.design.rows();
        let (pooled, limits) = (&self.pooled, self.limits);
        let mut buffer = vec![0.0; n];
        let mut product = |at: usize, out: &mut [f64]| {
            scale(&pooled[at * n..(at + 1) * n], &irls.precisions, &mut buffer);
            multiply(pooled, n, &buffer, out);
        };
        let (mut came, most) = (0, 1 + self.gauss.active.len() / FEW);
        for _ in 0..ACTIONS {
            let Some(step) = self.gauss.best(&limits, came < most) else { break };
            let done = self.gauss.act(step.action, &limits, &mut product);
            let comes = matches!(step.action, Action::Add { .. } | Action::Place { .. });
            came += usize::from(done && comes);
        }
        came > 0
    }

    /// Estimates the precisions of the bases in the model until they rest, and deletes. Returns
    /// the log evidence, which is not below that of the model as it was: actions that promise
    /// around the old mode what they do not keep around their own are taken back, and fewer tried.
    fn settle_precisions(
        &mut self,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
        limits: Limits,
    ) -> Result<f64> {
        let mut evidence = self.mode(irls, rows)?;
        let mut most = ACTIONS;
        for _ in 0..ROUNDS {
            irls.problem(&self.state.alphas, &mut self.gauss);
            if !self.gauss.refresh() {
                return Err(unsolved());
            }
            let mut taken = 0;
            while taken < most {
                let Some(step) = self.gauss.best(&limits, false) else { break };
                self.gauss.act(step.action, &limits, &mut |_, _| {});
                taken += 1;
            }
            if taken == 0 || self.stop.requested() {
                break;
            }
            let before = self.state.clone();
            self.keep();
            let next = self.mode(irls, rows)?;
            let risen = next - evidence;
            if risen < 0.0 {
                self.state = before;
                self.mode(irls, rows)?;
                if taken == 1 {
                    break;
                }
                most = 1;
                continue;
            }
            (evidence, most) = (next, (2 * most).min(ACTIONS));
            if risen < STILL * limits.gain {
                break;
            }
        }
        Ok(evidence)
    }

    /// Finds the mode of the weights. Returns the log evidence.
    fn mode(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<f64> {
        let state = &mut self.state;
        let evidence = irls.fit(&state.columns, rows, &state.alphas, Some(&state.weights))?;
        state.weights.clone_from(&irls.weights);
        Ok(evidence)
    }

    /// The bases that the problem of the model ended with, and their precisions.
    fn keep(&mut self) {
        let (n, gauss, state) = (self.design.rows(), &self.gauss, &mut self.state);
        state.bases = gauss.active.iter().map(|&at| state.bases[at]).collect();
        state.alphas.clone_from(&gauss.alphas);
        state.weights.clone_from(&gauss.mean);
        let columns = std::mem::take(&mut state.columns);
        for &at in &gauss.active {
            state.columns.extend_from_slice(&columns[at * n..(at + 1) * n]);
        }
    }

    /// The scores of all bases around the mode.
    fn score_classes(&self, irls: &Irls) -> Result<Scores> {
        let (n, k) = (self.design.rows(), self.state.bases.len());
        let mut scores = Scores { factor: irls.factor.clone(), ..Scores::default() };
        // The products with B Phi and with what the rows pull.
        let mut vectors = vec![0.0; (k + 1) * n];
        scale(&self.state.columns, &irls.precisions, &mut vectors[..k * n]);
        vectors[k * n..].copy_from_slice(&irls.pulls);
        let mut products = Vec::new();
        self.design.pass(self.stop, &vectors, &irls.precisions, &mut products, &mut scores.squares);
        if scores.squares.iter().any(|square| !square.is_finite()) {
            return Err(unsolved());
        }
        let column = |at: usize| products.iter().skip(at).step_by(k + 1).copied();
        scores.halves = (0..k).flat_map(column).collect();
        scores.q = column(k).collect();
        scores.s.clone_from(&scores.squares);
        halve(&mut scores.halves, &irls.factor, &mut scores.s);
        Ok(scores)
    }
}
