//! The search for two classes: a Laplace approximation around the posterior mode of the weights.

use super::scores::{Replacement, Scores};
use super::{ActiveSet, Solution, SparseSearch, Target, unsolved};
use crate::error::Result;
use crate::kernel::design::{multiply, scale, weighted_squares};
use crate::kernel::gaussian::{Action, Limits, whiten};
use crate::kernel::irls::{Irls, LogisticRows, add_columns};
use crate::kernel::tuning::{ClassTuning, Tuning};

/// Where a climb ended.
#[derive(Default)]
struct Optimum {
    evidence: f64,
    model: ActiveSet,
    curve: Vec<f64>,
    converged: bool,
}

impl SparseSearch<'_> {
    /// Searches forward from the start and backward from many bases: the evidence has many local
    /// maxima.
    pub(super) fn classes(&mut self, rows: &LogisticRows<'_>) -> Result<Solution> {
        let mut irls = Irls::new(self.design.rows(), 16);
        self.limits.least_alpha = ClassTuning::LEAST_ALPHA * self.design.mean_square();
        self.limits.smooth = 0.0;
        let mut best = self.climb_from_current(&mut irls, rows)?;
        let wanted = self.settings.explore || best.model.bases.is_empty();
        // Where the backward search cannot be solved, the forward one stands.
        if wanted
            && !self.stop.requested()
            && let Ok(found) = self.backward_classes(&mut irls, rows)
            && found.evidence > best.evidence + self.limits.gain
        {
            best = found;
        }
        let Optimum { model, curve, converged, .. } =
            self.restart_while_better(best, &mut irls, rows)?;
        (self.model, self.curve) = (model, curve);
        let start = self.model.weights.clone();
        let evidence = irls.fit(&self.model.columns, rows, &self.model.alphas, Some(&start))?;
        self.model.weights.clone_from(&irls.weights);
        Ok(self.finish(&irls.factor, None, (evidence, converged)))
    }

    /// Restarts from the best model, with a new pool, as long as that raises the evidence.
    fn restart_while_better(
        &mut self,
        mut best: Optimum,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
    ) -> Result<Optimum> {
        for _ in 0..ClassTuning::RESTARTS {
            if self.stop.requested() {
                break;
            }
            let ActiveSet { bases, alphas, .. } = &best.model;
            let start: Vec<(usize, f64)> =
                bases.iter().copied().zip(alphas.iter().copied()).collect();
            self.set_model(&start);
            let again = self.climb_from_current(irls, rows)?;
            if again.evidence - best.evidence <= self.limits.gain {
                break;
            }
            best.curve.extend(&again.curve);
            best = Optimum { curve: best.curve, ..again };
        }
        Ok(best)
    }

    /// The current model with optimal precisions.
    fn current_optimum(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let evidence = self.optimise_precisions(irls, rows, self.limits)?;
        Ok(Optimum { evidence, model: self.model.clone(), ..Optimum::default() })
    }

    fn backward_classes(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let target = Target::Classes(rows.targets, rows.offsets);
        self.set_pruned_model(target, rows.weights, 1.0)?;
        self.climb_from_current(irls, rows)
    }

    /// Climbs from the current model with a pool of the candidates with the largest gains.
    fn climb_from_current(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<Optimum> {
        let start = self.current_optimum(irls, rows)?;
        let scores = self.score_classes(irls)?;
        self.refill_pool(&scores);
        self.climb(start, irls, rows)
    }

    /// Pools and sweeps until nothing raises the evidence; `best` is where the climb begins.
    fn climb(
        &mut self,
        mut best: Optimum,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
    ) -> Result<Optimum> {
        let (mut patience, mut tried) = (ClassTuning::SWEEP_PATIENCE, false);
        for _ in 0..self.settings.sweeps {
            self.optimise_pool(irls, rows)?;
            let evidence = self.optimise_precisions(irls, rows, self.limits)?;
            best.curve.push(evidence);
            let gained = evidence - best.evidence;
            patience =
                if gained > self.limits.gain { ClassTuning::SWEEP_PATIENCE } else { patience - 1 };
            // Another set of bases must be better by the least gain.
            let same = self.model.bases == best.model.bases;
            if gained > if same { 0.0 } else { self.limits.gain } {
                (best.evidence, best.model) = (evidence, self.model.clone());
            }
            // A replacement after which nothing was gained would be tried again and again.
            best.converged = tried && gained <= self.limits.gain;
            if best.converged {
                break;
            }
            tried = false;
            if patience == 0 {
                self.model.clone_from(&best.model);
                self.optimise_precisions(irls, rows, self.limits)?;
            }
            let scores = self.score_classes(irls)?;
            if self.stop.requested() {
                break;
            }
            let largest = self.refill_pool(&scores);
            if patience > 0 && largest > self.limits.gain {
                continue;
            }
            if !self.try_replacements(irls, rows, &scores, best.evidence)? {
                best.converged = !self.stop.requested();
                break;
            }
            let scores = self.score_classes(irls)?;
            self.refill_pool(&scores);
            (patience, tried) = (ClassTuning::SWEEP_PATIENCE, true);
        }
        Ok(best)
    }

    /// Adds bases from the pool until none there raises the evidence.
    fn optimise_pool(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<()> {
        let coarse =
            Limits { change: self.limits.change.max(Tuning::COARSE_CHANGE), ..self.limits };
        let (mut best, mut idle) = (f64::NEG_INFINITY, 0);
        for _ in 0..ClassTuning::MODES {
            self.linearise(irls)?;
            let added = self.add_from_pool(irls);
            self.model.adopt(&self.problem, &self.pool, &self.pool_columns);
            if !added {
                return Ok(());
            }
            let evidence = self.optimise_precisions(irls, rows, coarse)?;
            idle = if evidence > best + coarse.gain { 0 } else { idle + 1 };
            best = best.max(evidence);
            if idle == ClassTuning::MODE_PATIENCE || self.stop.requested() {
                break;
            }
        }
        Ok(())
    }

    /// Tries replacements by the evidence around their own mode, of which the gain around the old
    /// mode is only an estimate. Says whether one was accepted.
    fn try_replacements(
        &mut self,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
        scores: &Scores,
        evidence: f64,
    ) -> Result<bool> {
        let n = self.design.rows();
        let before = self.model.clone();
        let coarse =
            Limits { change: self.limits.change.max(Tuning::COARSE_CHANGE), ..self.limits };
        let replacements = scores.replacements(&before, &self.limits, ClassTuning::REPLACEMENTS);
        for Replacement { at, basis, alpha, weight, .. } in
            replacements.into_iter().take(ClassTuning::MOST_REPLACEMENTS)
        {
            if self.stop.requested() {
                break;
            }
            let model = &mut self.model;
            model.bases[at] = basis;
            model.alphas[at] = alpha;
            model.weights[at] = weight;
            self.design.column_into(basis, &mut model.columns[at * n..(at + 1) * n]);
            if self.optimise_precisions(irls, rows, coarse)? > evidence + self.limits.gain {
                return Ok(true);
            }
            self.model.clone_from(&before);
        }
        Ok(false)
    }

    /// The Gaussian problem of the pool around the posterior mode.
    fn linearise(&mut self, irls: &Irls) -> Result<()> {
        let n = self.design.rows();
        let (p, k) = (self.pool.len(), self.model.bases.len());
        let mut scaled = vec![0.0; k * n];
        scale(&self.model.columns, &irls.precisions, &mut scaled);
        let problem = &mut self.problem;
        problem.cross.resize(p * k, 0.0);
        multiply(&self.pool_columns, n, &scaled, &mut problem.cross);
        problem.target_products.resize(p, 0.0);
        multiply(&self.pool_columns, n, &irls.residuals, &mut problem.target_products);
        add_columns(&mut problem.target_products, &problem.cross, &irls.weights);
        problem.squares.resize(p, 0.0);
        weighted_squares(&self.pool_columns, &irls.precisions, &mut problem.squares);
        problem.active.clear();
        for basis in &self.model.bases {
            problem.active.extend(self.pool.iter().position(|candidate| candidate == basis));
        }
        problem.alphas.clone_from(&self.model.alphas);
        problem.refresh()
    }

    /// Applies actions around the mode until a basis has been added, or a few to a large model, and
    /// the precisions have converged; says whether any was added.
    fn add_from_pool(&mut self, irls: &Irls) -> bool {
        let n = self.design.rows();
        let (pool_columns, limits) = (&self.pool_columns, self.limits);
        let mut buffer = vec![0.0; n];
        let mut product = |at: usize, out: &mut [f64]| {
            scale(&pool_columns[at * n..(at + 1) * n], &irls.precisions, &mut buffer);
            multiply(pool_columns, n, &buffer, out);
        };
        let (mut added, most) =
            (0, 1 + self.problem.active.len() / ClassTuning::BASES_PER_ADDITION);
        for _ in 0..ClassTuning::ACTIONS {
            let Some(step) = self.problem.best_action(&limits, added < most) else { break };
            let applied = self.problem.apply(step.action, &limits, &mut product);
            let adds = matches!(step.action, Action::Add { .. } | Action::Replace { .. });
            added += usize::from(applied && adds);
        }
        added > 0
    }

    /// Re-estimates the precisions of the bases in the model until they converge, and deletes bases.
    /// Returns the log evidence, which is not below that of the model before: actions whose gain
    /// around the old mode proves false around the new one are undone, and then tried one at a time.
    fn optimise_precisions(
        &mut self,
        irls: &mut Irls,
        rows: &LogisticRows<'_>,
        limits: Limits,
    ) -> Result<f64> {
        let mut evidence = self.mode(irls, rows)?;
        let mut most_actions = ClassTuning::ACTIONS;
        for _ in 0..ClassTuning::MODES {
            irls.gaussian_problem(&self.model.alphas, &mut self.problem);
            self.problem.refresh()?;
            let mut taken = 0;
            while taken < most_actions {
                let Some(step) = self.problem.best_action(&limits, false) else { break };
                self.problem.apply(step.action, &limits, &mut |_, _| {});
                taken += 1;
            }
            if taken == 0 || self.stop.requested() {
                break;
            }
            let before = std::mem::take(&mut self.model);
            self.model.adopt(&self.problem, &before.bases, &before.columns);
            let next = self.mode(irls, rows)?;
            let gained = next - evidence;
            if gained < 0.0 {
                self.model = before;
                self.mode(irls, rows)?;
                if taken == 1 {
                    break;
                }
                most_actions = 1;
                continue;
            }
            (evidence, most_actions) = (next, (2 * most_actions).min(ClassTuning::ACTIONS));
            if gained < ClassTuning::STILL_GAIN * limits.gain {
                break;
            }
        }
        Ok(evidence)
    }

    /// Finds the mode of the weights. Returns the log evidence.
    fn mode(&mut self, irls: &mut Irls, rows: &LogisticRows<'_>) -> Result<f64> {
        let model = &mut self.model;
        let evidence = irls.fit(&model.columns, rows, &model.alphas, Some(&model.weights))?;
        model.weights.clone_from(&irls.weights);
        Ok(evidence)
    }

    /// The scores of all bases around the mode.
    fn score_classes(&self, irls: &Irls) -> Result<Scores> {
        let (n, k) = (self.design.rows(), self.model.bases.len());
        let mut scores = Scores { factor: irls.factor.clone(), ..Scores::default() };
        // The products with B Phi and with the residuals.
        let mut vectors = vec![0.0; (k + 1) * n];
        scale(&self.model.columns, &irls.precisions, &mut vectors[..k * n]);
        vectors[k * n..].copy_from_slice(&irls.residuals);
        let mut products = Vec::new();
        self.design.products_into(
            self.stop,
            &vectors,
            &irls.precisions,
            &mut products,
            &mut scores.squares,
        );
        if scores.squares.iter().any(|square| !square.is_finite()) {
            return Err(unsolved());
        }
        let column = |at: usize| products.iter().skip(at).step_by(k + 1).copied();
        scores.whitened = (0..k).flat_map(column).collect();
        scores.q = column(k).collect();
        scores.s.clone_from(&scores.squares);
        whiten(&mut scores.whitened, &irls.factor, &mut scores.s);
        Ok(scores)
    }
}
