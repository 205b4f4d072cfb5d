//! Pruning: fewer members, those that are best alone, that agree least, or that raise the
//! likelihood of those already chosen most.
//!
//! Members are chosen on rows that none of them was trained on. R. Caruana, A. Niculescu-Mizil,
//! G. Crew, A. Ksikes, "Ensemble selection from libraries of models", ICML 2004, for the greedy
//! choice; D. D. Margineantu, T. G. Dietterich, ICML 1997, for the least kappa.

use super::assembly::{Assembly, Ensemble, train_member, train_members};
use super::{Combine, CommitteeModel, TrainingRows};
use crate::classify::{Fitted, Proba};
use crate::data::holdout;
use crate::error::Result;
use crate::measure::{diversity, log2_likelihood};
use crate::method::Members;
use crate::model::{Core, Model};

crate::choices! {
    /// How members are chosen.
    pub enum Choice {
        /// one after the other, each the one that helps those already chosen most
        Greedy = "greedy",
        /// those with the best likelihood alone
        Rank = "rank",
        /// pairs that agree least
        Diversity = "diversity",
    }
}

crate::params! {
    /// A pruned committee: of many members, or of a committee's, those chosen on rows set aside.
    pub struct Prune as "prune" {
        /// how members are chosen
        by: Choice = Choice::Greedy, Choice::CHOICES;
        /// how many members are kept at most
        keep: usize = 5, 1..=100_000;
        /// the share of rows set aside to choose on
        aside: f64 = 0.25, 0.01..=0.9;
    }
}

impl Ensemble for Prune {
    const MEMBERS: Members = Members::several("(bag:logistic)");

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let Assembly { members, rows, run } = assembly;
        let seed = run.seed.child("aside", 0);
        let split = holdout(rows.len(), Some(&rows.labels), self.aside, seed)?;
        let part = rows.task()?.with_rows(&split.train);
        let trained = train_members(members.len(), run, |at, run| {
            train_member(members[at].as_ref(), &part, run)
        })?;
        let pool = candidates(trained.model);
        let held_out = HeldOut::new(rows, &split.test, &pool)?;
        let chosen = held_out.choose(self.by, self.keep)?;
        let mut diagnostics = assembly.diagnostics(&[])?;
        diagnostics.candidates = Some(pool.len());
        let all: Vec<usize> = (0..pool.len()).collect();
        diagnostics.log2_likelihood_of_all = Some(held_out.likelihood(&all)?);
        diagnostics.log2_likelihood_of_chosen = Some(held_out.likelihood(&chosen)?);
        let (model, weights) = counted(pool, &chosen);
        let members = Fitted { model, stop: trained.stop };
        assembly.committee(members, Combine::Mean(weights), diagnostics)
    }
}

/// The members of the only committee, or the models themselves.
fn candidates(models: Vec<Model>) -> Vec<Model> {
    if let [model] = &models[..]
        && let Core::Committee(committee) = model.core()
        && matches!(committee.combine(), Combine::Mean(_) | Combine::Vote(_))
    {
        return committee.members().to_vec();
    }
    models
}

/// Each chosen member once, weighted by how often it was chosen.
fn counted(pool: Vec<Model>, chosen: &[usize]) -> (Vec<Model>, Vec<f64>) {
    let (mut models, mut weights) = (Vec::new(), Vec::new());
    for (at, model) in pool.into_iter().enumerate() {
        let times = chosen.iter().filter(|&&c| c == at).count();
        if times > 0 {
            models.push(model);
            weights.push(times as f64 / chosen.len() as f64);
        }
    }
    (models, weights)
}

/// The probabilities that candidates give the rows set aside.
struct HeldOut {
    labels: Vec<u32>,
    weights: Vec<f64>,
    proba: Vec<Proba>,
    classes: usize,
}

impl HeldOut {
    fn new(all: &TrainingRows, rows: &[u32], pool: &[Model]) -> Result<Self> {
        let view = all.features().with_rows(rows);
        Ok(Self {
            labels: view.pick(&all.labels),
            weights: view.pick(&all.weights),
            proba: pool.iter().map(|model| model.proba(view)).collect::<Result<_>>()?,
            classes: all.classes.len(),
        })
    }

    /// The mean log2-likelihood of some candidates together.
    fn likelihood(&self, chosen: &[usize]) -> Result<f64> {
        let mut mean = vec![0.0; self.proba[0].values().len()];
        for &at in chosen {
            let each = mean.iter_mut().zip(self.proba[at].values());
            each.for_each(|(m, p)| *m += p / chosen.len() as f64);
        }
        for p in &mut mean {
            *p = p.min(1.0);
        }
        log2_likelihood(&self.labels, &mean, self.classes, Some(&self.weights))
    }

    fn choose(&self, by: Choice, keep: usize) -> Result<Vec<usize>> {
        let keep = keep.min(self.proba.len());
        match by {
            Choice::Greedy => self.greedy(keep),
            Choice::Rank => {
                let alone = |at: usize| Ok((at, self.likelihood(&[at])?));
                let mut all = (0..self.proba.len()).map(alone).collect::<Result<Vec<_>>>()?;
                // A stable sort: the first among equals stays first.
                all.sort_by(|a, b| b.1.total_cmp(&a.1));
                Ok(all.iter().take(keep).map(|(at, _)| *at).collect())
            }
            Choice::Diversity => self.diverse(keep),
        }
    }

    /// One after the other, with replacement, as long as the likelihood rises.
    fn greedy(&self, keep: usize) -> Result<Vec<usize>> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = f64::NEG_INFINITY;
        while chosen.len() < keep {
            let mut next: Option<(usize, f64)> = None;
            for at in 0..self.proba.len() {
                chosen.push(at);
                let found = self.likelihood(&chosen)?;
                chosen.pop();
                if next.is_none_or(|(_, most)| found > most) {
                    next = Some((at, found));
                }
            }
            match next {
                Some((at, found)) if found > best => {
                    chosen.push(at);
                    best = found;
                }
                _ => break,
            }
        }
        Ok(chosen)
    }

    /// The members of the pairs that agree least, until there are enough.
    fn diverse(&self, keep: usize) -> Result<Vec<usize>> {
        let calls: Vec<Vec<u32>> = self.proba.iter().map(Proba::calls).collect();
        let mut pairs = diversity::pairs(&self.labels, &calls, self.classes)?;
        let kappa = |pair: &diversity::Pair| pair.kappa.unwrap_or(1.0);
        pairs.sort_by(|a, b| kappa(a).total_cmp(&kappa(b)));
        let mut chosen = Vec::new();
        for at in pairs.iter().flat_map(|pair| [pair.first, pair.second]) {
            if chosen.len() < keep && !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        if chosen.is_empty() { Ok(vec![0]) } else { Ok(chosen) }
    }
}
