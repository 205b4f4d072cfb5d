//! Fewer sampled classifiers that answer like all of them.
//!
//! A. R. J. Clark's thesis, 5.5: the best alone (5.5.1), a fast relevance vector machine on the
//! chain's prediction or on the classes (5.5.2); its 5.8: weights that are not negative and sum to
//! one (`simplex`), and Bayesian model combination, which weighs and removes nothing.
//!
//! The chain's prediction can be asked for anywhere: `simplex` imitates it on the training rows and on
//! rows drawn around them, which needs no labels: a smoothed bootstrap of Silverman's width whose
//! columns keep their variance (B. W. Silverman, Density Estimation, 1986, 6.4.1). The others see the training rows, as in the thesis. A machine that is fitted to the classes forgets the chain
//! and over-fits: it is here to be seen.

mod imitate;
mod simplex;
#[cfg(test)]
mod tests;

use super::member_weights::combination;
use crate::data::{Task, View, pick};
use crate::error::{Error, Result};
use crate::kernel::Design;
use crate::kernel::fast::{Settings, Target, fit};
use crate::measure::auc;
use crate::model::Model;
use crate::run::Run;
use crate::sample::{ChainModel, Distance, SampledPart, Wrong};
use serde::Serialize;

/// How classifiers are chosen and weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Thin {
    /// Few, with weights that are not negative and keep their sum, of which a constant may take some.
    Simplex,
    /// By a relevance vector machine that imitates the chain.
    Rvm,
    /// By a relevance vector machine that is fitted to the classes.
    RvmClassification,
    /// So many of the best on the training rows: by AUC error, or as many of every cost by what they
    /// cost there.
    Top(usize),
    /// All with at least this AUC on the training rows; not of chains at costs.
    Auc(f64),
    /// All, weighed by Bayesian model combination within each cost.
    Combination,
}

impl Thin {
    /// Reads `simplex`, `rvm`, `rvm-classification`, `top:N`, `auc:X` or `bmc`.
    pub fn parse(text: &str) -> Result<Self> {
        let known = ["simplex", "rvm", "rvm-classification", "top:N", "auc:X", "bmc"];
        let unknown = || Error::unknown("way to prune", text, None, known);
        Ok(match text.split_once(':') {
            None => match text {
                "simplex" => Self::Simplex,
                "rvm" => Self::Rvm,
                "rvm-classification" => Self::RvmClassification,
                "bmc" => Self::Combination,
                _ => return Err(unknown()),
            },
            Some(("top", n)) => Self::Top(n.parse().ok().filter(|n| *n > 0).ok_or_else(unknown)?),
            Some(("auc", x)) => {
                let share = |x: &f64| (0.0..=1.0).contains(x);
                Self::Auc(x.parse().ok().filter(share).ok_or_else(unknown)?)
            }
            _ => return Err(unknown()),
        })
    }
}

/// What pruning did, on the training rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Thinned {
    /// How many classifiers there were.
    pub before: usize,
    /// How many are left.
    pub after: usize,
    /// The class that the AUC is of: the positive one, of several that whose AUC falls most.
    pub class: String,
    /// The AUC of this class with all of them, and with those left.
    pub auc: [f64; 2],
    /// The root of the mean squared distance between both predictions.
    pub rms: f64,
    /// How many times fewer classifiers are asked for a prediction.
    pub fewer: f64,
}

/// How near a relevance vector machine imitates the chain: the standard deviation of its noise.
const NOISE: f64 = 0.01;

/// Draws of Bayesian model combination.
const DRAWS: usize = 1000;

/// The model with fewer sampled classifiers, and what that did on the rows of the task, which are
/// those it was sampled on.
pub fn thin(model: Model, how: Thin, task: &Task<'_>, run: &Run<'_>) -> Result<(Model, Thinned)> {
    let (classes, labels) = task.labels()?;
    let weights = task.weights();
    let Some(chain) = model.chain() else {
        return Err(Error::unsuitable(
            "this model has no sampled classifiers to choose from",
            "prune a model of abc-mlp or one that was softened",
        ));
    };
    let counted: Vec<u32> =
        (0..labels.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let ids: Vec<u32> = counted.iter().map(|&row| task.row_id(row as usize) as u32).collect();
    let (labels, weights) = (pick(&counted, &labels), pick(&counted, &weights));
    let rows = task.features.table().view();
    let rows = rows.with_rows(&ids);
    let (parts, figures) = model.encoded(rows, |rows| {
        let (mut parts, mut figures) = (Vec::new(), Vec::new());
        for (number, part) in chain.parts().iter().enumerate() {
            let class = if chain.parts().len() == 1 { classes.positive() } else { number };
            let positive: Vec<bool> = labels.iter().map(|&l| l as usize == class).collect();
            let rows = ChainRows { chain, number, rows, positive: &positive, weights: &weights };
            let found = rows.thin(how, &run.child("thin", number as u64))?;
            // Those chosen so far are no imitation: the whole chain is there and better.
            run.stop.check()?;
            if found.is_empty() {
                return Err(none_chosen());
            }
            let before = chain.answers(number, rows.rows)?;
            let class = classes.names()[class].clone();
            figures.push(Thinned { class, ..rows.figures(part, &found, &before)? });
            parts.push(found);
        }
        Ok((parts, figures))
    })?;
    let chain = chain.clone().with_parts(parts)?;
    Ok((model.with_chain(chain), together(figures).ok_or(Error::Stopped)?))
}

/// What is said where a machine finds no classifier that helps.
fn none_chosen() -> Error {
    Error::unsuitable(
        "no sampled classifier was chosen: their calls of the training rows say nothing of what is imitated",
        "prune by simplex or top:N, or sample more",
    )
}

/// The figures of all classes: sums of classifiers, the greatest distance, and the AUC of the class
/// whose AUC falls most, the first of equals.
fn together(figures: Vec<Thinned>) -> Option<Thinned> {
    let report = figures.into_iter().reduce(|sum, one| {
        let falls = |figures: &Thinned| figures.auc[0] - figures.auc[1];
        let (before, after) = (sum.before + one.before, sum.after + one.after);
        let rms = sum.rms.max(one.rms);
        let worst = if falls(&one) > falls(&sum) { one } else { sum };
        Thinned { before, after, rms, ..worst }
    })?;
    let fewer = report.before as f64 / report.after.max(1) as f64;
    Some(Thinned { fewer, ..report })
}

/// A part of a chain with the rows that it is pruned on.
struct ChainRows<'a> {
    chain: &'a ChainModel,
    number: usize,
    rows: View<'a>,
    positive: &'a [bool],
    weights: &'a [f64],
}

impl ChainRows<'_> {
    fn part(&self) -> &SampledPart {
        &self.chain.parts()[self.number]
    }

    fn thin(&self, how: Thin, run: &Run<'_>) -> Result<SampledPart> {
        match how {
            Thin::Simplex => self.simplex(run),
            Thin::Rvm => self.rvm(run),
            Thin::RvmClassification => self.rvm_classification(run),
            Thin::Top(count) => self.top(count, run),
            Thin::Auc(least) => self.at_least(least, run),
            Thin::Combination => self.combined(run),
        }
    }

    /// The samples of each level with its cost of a false alarm.
    fn levels(&self) -> Vec<(f64, Vec<usize>)> {
        let part = self.part();
        let level = |at: usize| part.groups.get(at).map_or(0, |[level, _]| *level as usize);
        let count = (0..part.len()).map(level).max().unwrap_or(0) + 1;
        let cost = |level: usize| (level + 1) as f64 / (count + 1) as f64;
        let own = |own: usize| (0..part.len()).filter(|&at| level(at) == own).collect();
        (0..count).map(|level| (cost(level), own(level))).collect()
    }

    /// The best samples, as many of each level: one that had none would be missing in the probability.
    /// What is best in a level is what costs least there, in a chain of one level the area.
    fn top(&self, count: usize, run: &Run<'_>) -> Result<SampledPart> {
        let (part, levels, wrong) = (self.part(), self.levels(), self.wrong(run)?);
        if count < levels.len() {
            return Err(Error::unsuitable(
                format!(
                    "{count} classifiers are fewer than the {} costs of a false alarm, and a probability needs one of each",
                    levels.len()
                ),
                "keep more, or use simplex",
            ));
        }
        let mut weights = vec![0.0; part.len()];
        for (number, (cost, own)) in levels.iter().enumerate() {
            let score = |at: usize| match levels.len() {
                1 => 1.0 - self.area(wrong[at]),
                _ => cost * wrong[at].alarms + (1.0 - cost) * wrong[at].missed,
            };
            let share = count * (number + 1) / levels.len() - count * number / levels.len();
            let mut best = own.clone();
            best.sort_by(|a, b| score(*a).total_cmp(&score(*b)));
            best.truncate(share);
            let total: f64 = own.iter().map(|&at| part.weights[at]).sum();
            for &at in &best {
                weights[at] = total / best.len() as f64;
            }
        }
        Ok(part.weighted(part.base, &weights))
    }

    /// All samples of at least this area, with equal weights.
    fn at_least(&self, least: f64, run: &Run<'_>) -> Result<SampledPart> {
        if self.levels().len() > 1 {
            return Err(Error::unsuitable(
                "an area is best at medium costs of a false alarm: without the others what is left is no probability",
                "use top:N, which keeps the best of every cost, or simplex",
            ));
        }
        let areas: Vec<f64> = self.wrong(run)?.into_iter().map(|wrong| self.area(wrong)).collect();
        let kept = areas.iter().filter(|area| **area >= least).count();
        if kept == 0 {
            let best = areas.iter().copied().fold(0.0, f64::max);
            return Err(Error::unsuitable(
                format!(
                    "no sampled classifier has an AUC of {least} on the training rows; the best has {best:.4}"
                ),
                "ask for less",
            ));
        }
        self.top(kept, run)
    }

    /// Bayesian model combination within each level, rows weighted by its costs.
    fn combined(&self, run: &Run<'_>) -> Result<SampledPart> {
        let (part, n) = (self.part(), self.rows.rows());
        let levels = self.levels();
        let most = levels.iter().map(|(_, own)| own.len()).max().unwrap_or(0);
        run.reserve(&format!("{most} classifiers on {n} rows"), &[most, n])?;
        let calls = self.calls(self.rows, run)?;
        let mut weights = vec![0.0; part.len()];
        for (number, (cost, own)) in levels.iter().enumerate() {
            let mut right = vec![0.0; own.len() * n];
            for (place, at) in own.iter().enumerate() {
                for (row, call) in calls[at * n..(at + 1) * n].iter().enumerate() {
                    let is = (*call > 0) == self.positive[row];
                    right[row * own.len() + place] = f64::from(u8::from(is));
                }
            }
            let weigh = |(&positive, weight): (&bool, &f64)| {
                weight * 2.0 * if positive { 1.0 - cost } else { *cost }
            };
            let rows: Vec<f64> = self.positive.iter().zip(self.weights).map(weigh).collect();
            let seed = run.seed.child("combination", number as u64);
            let found = combination(&right, own.len(), &rows, DRAWS, seed, run.stop)?;
            let total: f64 = own.iter().map(|&at| part.weights[at]).sum();
            own.iter().zip(found).for_each(|(&at, weight)| weights[at] = total * weight);
        }
        Ok(part.weighted(part.base, &weights))
    }

    /// What every sample calls wrongly.
    fn wrong(&self, run: &Run<'_>) -> Result<Vec<Wrong>> {
        let mut all = Vec::with_capacity(self.part().len());
        self.chain.each_call(self.number, self.rows, |_, calls| {
            let mut wrong = Wrong::default();
            for (call, (&positive, weight)) in
                calls.iter().zip(self.positive.iter().zip(self.weights))
            {
                match (*call > 0.0, positive) {
                    (true, false) => wrong.alarms += weight,
                    (false, true) => wrong.missed += weight,
                    _ => {}
                }
            }
            all.push(wrong);
            run.stop.check()
        })?;
        Ok(all)
    }

    /// The calls of every sample at some rows: sample after sample, 1 for a row called positive.
    fn calls(&self, rows: View<'_>, run: &Run<'_>) -> Result<Vec<u8>> {
        let (count, n) = (self.part().len(), rows.rows());
        // Eight calls take the place of a number.
        run.reserve(
            &format!("the calls of {count} classifiers on {n} rows"),
            &[count, n.div_ceil(8)],
        )?;
        self.chain.calls(self.number, rows, run)
    }

    /// The area under one operating point, `T (1 - F)`.
    fn area(&self, wrong: Wrong) -> f64 {
        let total = |class: bool| -> f64 {
            let own = self.positive.iter().zip(self.weights).filter(|(is, _)| **is == class);
            own.map(|(_, weight)| weight).sum()
        };
        1.0 - Distance::Auc { totals: [total(true), total(false)] }.of(wrong)
    }

    /// The calls as columns, those of equal samples once, and which samples they are of.
    fn columns(&self, run: &Run<'_>) -> Result<(Vec<f64>, Vec<usize>)> {
        let n = self.rows.rows().max(1);
        let calls = self.calls(self.rows, run)?;
        let columns: Vec<&[u8]> = calls.chunks_exact(n).collect();
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by(|&a, &b| columns[a].cmp(columns[b]).then(a.cmp(&b)));
        order.dedup_by(|a, b| columns[*a] == columns[*b]);
        // A sample that never says yes is no basis.
        order.retain(|&at| columns[at].contains(&1));
        order.sort_unstable();
        run.reserve(&format!("a machine of {} bases on {n} rows", order.len()), &[order.len(), n])?;
        let cells = order.iter().flat_map(|&at| columns[at]);
        Ok((cells.map(|&call| f64::from(call)).collect(), order))
    }

    fn rvm(&self, run: &Run<'_>) -> Result<SampledPart> {
        let part = self.part();
        let (columns, own) = self.columns(run)?;
        let answers = self.chain.answers(self.number, self.rows)?;
        let target: Vec<f64> = answers.iter().map(|answer| answer - part.base).collect();
        let design = Design::from_columns(columns, self.rows.rows())?;
        let settings = Settings { noise: Some(NOISE * NOISE), ..Settings::default() };
        let found = fit(&design, Target::Numbers(&target), None, &settings, run.stop)?;
        let mut weights = vec![0.0; part.len()];
        for (&basis, weight) in found.bases.iter().zip(&found.weights) {
            weights[own[basis]] = *weight;
        }
        Ok(part.weighted(part.base, &weights))
    }

    fn rvm_classification(&self, run: &Run<'_>) -> Result<SampledPart> {
        let part = self.part();
        let (mut columns, own) = self.columns(run)?;
        columns.extend(vec![1.0; self.rows.rows()]);
        let target: Vec<f64> = self.positive.iter().map(|&p| f64::from(u8::from(p))).collect();
        let design = Design::from_columns(columns, self.rows.rows())?;
        let target = Target::Classes(&target, None);
        let found = fit(&design, target, Some(self.weights), &Settings::default(), run.stop)?;
        let (mut weights, mut base) = (vec![0.0; part.len()], 0.0);
        for (&basis, weight) in found.bases.iter().zip(&found.weights) {
            match own.get(basis) {
                Some(&at) => weights[at] = *weight,
                None => base = *weight,
            }
        }
        Ok(SampledPart { logistic: true, ..part.weighted(base, &weights) })
    }

    /// What a pruned part does on these rows.
    fn figures(&self, part: &SampledPart, found: &SampledPart, before: &[f64]) -> Result<Thinned> {
        let mut parts = self.chain.parts().to_vec();
        parts[self.number] = found.clone();
        let after = self.chain.clone().with_parts(parts)?.answers(self.number, self.rows)?;
        let area = |scores: &[f64]| auc(self.positive, scores, Some(self.weights));
        Ok(Thinned {
            before: part.len(),
            after: found.len(),
            class: String::new(),
            auc: [area(before)?, area(&after)?],
            rms: rms(before, &after),
            fewer: part.len() as f64 / found.len().max(1) as f64,
        })
    }
}

/// The root of the mean squared distance.
pub fn rms(a: &[f64], b: &[f64]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    (sum / a.len().max(1) as f64).sqrt()
}
