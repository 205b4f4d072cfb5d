//! The strength of pruning chosen by cross-validation (Breiman et al. 1984, chapter 3.4.2): trees
//! grown without one fold of the rows, pruned at the geometric means between the steps of the
//! whole tree's sequence, are judged on that fold.
//!
//! A row of a fold is walked down once: for each strength it ends at the first node on its path
//! that has collapsed, so all subtrees are judged in one walk.

use super::Tree;
use super::columns::Columns;
use super::grow::{All, Grower, Grown};
use super::prune::collapse_points;
use crate::data::{Task, folds};
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};

/// Rows and columns that trees are grown from and judged on.
pub(super) struct ValidationRows<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) columns: &'a Columns<'a>,
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) classes: usize,
}

/// The sum of losses and of their squares.
type Loss = [f64; 2];

/// The strength of pruning whose subtree has the least log-loss on rows left out, or the
/// strongest within `prune_errors` standard errors of it; `None` when the run was stopped.
pub(super) fn best_alpha(
    tree: &Tree,
    rows: &ValidationRows<'_>,
    points: &[f64],
    run: &Run<'_>,
) -> Result<Option<f64>> {
    let steps = steps(points);
    let judged: Vec<u32> =
        (0..rows.labels.len() as u32).filter(|&row| rows.weights[row as usize] > 0.0).collect();
    let count = tree.prune_folds.min(judged.len());
    if count < 2 {
        // Nothing to leave out: below any strength, nothing collapses.
        return Ok(Some(f64::NEG_INFINITY));
    }
    let labels: Vec<u32> = judged.iter().map(|&row| rows.labels[row as usize]).collect();
    let splits = folds(judged.len(), Some(&labels), count, run.seed.child("prune", 0))?;
    let trials = middles(&steps);
    let losses = run.pool.map(count, |fold| {
        let out: Vec<u32> = splits[fold].test.iter().map(|&at| judged[at as usize]).collect();
        judge(tree, rows, &out, &trials, run)
    });
    let mut sums = vec![[0.0; 2]; steps.len()];
    for fold in losses {
        let Some(fold) = fold? else { return Ok(None) };
        for (sum, loss) in sums.iter_mut().zip(fold) {
            *sum = [sum[0] + loss[0], sum[1] + loss[1]];
        }
    }
    Ok(Some(steps[choose(&sums, rows.weights, tree.prune_errors)]))
}

/// The strengths at which the best subtree changes, in ascending order, from 0.
fn steps(points: &[f64]) -> Vec<f64> {
    let mut steps: Vec<f64> = points.iter().copied().filter(|p| p.is_finite()).collect();
    steps.push(0.0);
    steps.sort_unstable_by(f64::total_cmp);
    steps.dedup();
    steps
}

/// A strength within each step: its geometric mean with the next one.
fn middles(steps: &[f64]) -> Vec<f64> {
    let inner = steps.windows(2).map(|pair| (pair[0] * pair[1]).sqrt());
    inner.chain([f64::INFINITY]).collect()
}

/// The losses on the rows `out` of trees grown without them, for each strength in `trials`;
/// `None` when the run was stopped.
fn judge(
    tree: &Tree,
    rows: &ValidationRows<'_>,
    out: &[u32],
    trials: &[f64],
    run: &Run<'_>,
) -> Result<Option<Vec<Loss>>> {
    let mut weights = rows.weights.to_vec();
    for &row in out {
        weights[row as usize] = 0.0;
    }
    let mut grower = Grower::new(rows.columns, rows.labels, rows.classes, tree.limits());
    let grown = match grower.grow(weights.into(), &mut All, run) {
        Ok(Grown { stop: StopReason::Interrupted, .. }) | Err(Error::Stopped) => return Ok(None),
        grown => grown?,
    };
    let points = collapse_points(&grown, rows.classes, tree.criterion);
    let shares = super::model::probabilities(&grown, rows.classes, tree.smoothing);
    let first = |&point: &f64| trials.partition_point(|&trial| trial < point);
    let first: Vec<usize> = points.iter().map(first).collect();
    let mut curve = LossCurve { trials, changes: vec![[0.0; 2]; trials.len() + 1] };
    for &row in out {
        let (row, mut node, mut end) = (row as usize, 0, trials.len());
        loop {
            let children = grown.nodes.children(node);
            let from = children.map_or(0, |_| first[node]);
            if from < end {
                // A bound keeps the loss finite where smoothing is off.
                let share = shares[node * rows.classes + rows.labels[row] as usize].max(1e-9);
                curve.add(from..end, -share.ln(), rows.weights[row]);
                end = from;
            }
            let (Some(children), true) = (children, end > 0) else { break };
            node = children[usize::from(!rows.goes_left(&grown, node, row))];
        }
    }
    Ok(Some(curve.sums()))
}

impl ValidationRows<'_> {
    fn goes_left(&self, grown: &Grown, node: usize, row: usize) -> bool {
        let (column, features) = (grown.nodes.column(node), self.task.features);
        let levels = self.columns.ranked[column].levels.unwrap_or(0);
        grown.nodes.direction(node, features.cells(column), features.row_id(row), levels).left
    }
}

/// The losses for all trials, kept as changes from one trial to the next.
struct LossCurve<'a> {
    trials: &'a [f64],
    changes: Vec<Loss>,
}

impl LossCurve<'_> {
    /// Adds a loss to some of the trials.
    fn add(&mut self, trials: std::ops::Range<usize>, loss: f64, weight: f64) {
        for (place, weight) in [(trials.start, weight), (trials.end, -weight)] {
            self.changes[place][0] += weight * loss;
            self.changes[place][1] += weight * loss * loss;
        }
    }

    fn sums(&self) -> Vec<Loss> {
        let mut sum = [0.0; 2];
        let changes = self.changes.iter().take(self.trials.len());
        let sums = changes.map(|change| {
            sum = [sum[0] + change[0], sum[1] + change[1]];
            sum
        });
        sums.collect()
    }
}

/// The strongest step whose mean loss is within `errors` standard errors of the least.
fn choose(sums: &[Loss], weights: &[f64], errors: f64) -> usize {
    let total: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|w| w * w).sum();
    let mean = |at: usize| sums[at][0] / total;
    let best = (1..sums.len()).fold(0, |best, at| if mean(at) < mean(best) { at } else { best });
    let variance = (sums[best][1] / total - mean(best) * mean(best)).max(0.0);
    // With unequal weights the effective number of rows counts.
    let least_gain = mean(best) + errors * (variance * squares).sqrt() / total;
    (0..sums.len()).rfind(|&at| mean(at) <= least_gain).unwrap_or(best)
}
