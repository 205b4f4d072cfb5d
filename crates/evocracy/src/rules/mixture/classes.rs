//! The mixture for classes.

use super::family::Labels;
use super::learn::MixtureData;
use super::model::Mixtures;
use super::settings::SearchSettings;
use crate::classify::{Classifier, Diagnostics, Explanation, Fitted, Link, Proba, Rulebook, Saved};
use crate::data::{Classes, Schema, Task, View};
use crate::error::Result;
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// Rules with class probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixtureModel {
    classes: Classes,
    mixtures: Mixtures,
}

/// Learns a mixture.
pub(in crate::rules) fn fit_classes(
    task: &Task<'_>,
    alpha: f64,
    balance: f64,
    settings: SearchSettings,
    run: &Run<'_>,
) -> Result<Fitted<MixtureModel>> {
    let (classes, labels) = task.labels()?;
    let mut weights = task.weights();
    let factors = factors(&labels, &weights, classes.len(), balance);
    for (weight, &label) in weights.iter_mut().zip(&labels) {
        *weight *= factors[label as usize];
    }
    let label = |row: u32| labels[row as usize];
    let mut data = MixtureData::new(
        task,
        &weights,
        settings.cuts,
        run,
        |row| label(row).into(),
        |first| {
            let codes = first.iter().map(|&row| label(row)).collect();
            Labels::new(codes, classes.len(), alpha)
        },
    );
    let learnt = data.learn(&[()], |_, ()| (), settings, run)?;
    let given = data.weights.iter().zip(&data.family.codes);
    let given: Vec<f64> = given.map(|(weight, &label)| weight / factors[label as usize]).collect();
    let stop = learnt.stop;
    let mixtures = Mixtures::new(learnt, &data.rows, &given);
    Ok(Fitted { model: MixtureModel { classes: classes.clone(), mixtures }, stop })
}

/// By how much the weight of each class is multiplied: at balance 1 they all have the same weight
/// and the sum of all weights stays.
fn factors(labels: &[u32], weights: &[f64], classes: usize, balance: f64) -> Vec<f64> {
    let mut shares = vec![0.0; classes];
    for (&label, weight) in labels.iter().zip(weights) {
        shares[label as usize] += weight;
    }
    let total: f64 = shares.iter().sum();
    let shown = shares.iter().filter(|share| **share > 0.0).count() as f64;
    let factor = |share: &f64| (total / shown / share).powf(balance);
    let factors: Vec<f64> = shares.iter().map(|s| if *s > 0.0 { factor(s) } else { 1.0 }).collect();
    let after: f64 = factors.iter().zip(&shares).map(|(factor, share)| factor * share).sum();
    factors.iter().map(|factor| factor * total / after).collect()
}

impl Classifier for MixtureModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let cells = self.mixtures.cells(rows)?;
        out.reset(rows.rows(), self.classes.len());
        let mut applying = Vec::new();
        for row in 0..rows.rows() {
            let proba = out.row_mut(row);
            self.mixtures.each(&cells, rows.row_id(row), &mut applying, |mixture, at, share| {
                let pairs = proba.iter_mut().zip(&mixture[at].params);
                pairs.for_each(|(proba, of_rule)| *proba += share * of_rule);
            });
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let (base, parts) = self.mixtures.explain(rows, row, |expert| &expert.params)?;
        Ok(Explanation { base, parts, link: Link::Identity })
    }
}

impl Saved for MixtureModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        self.mixtures.check(inputs, |params| {
            params.len() == self.classes.len()
                && params.iter().all(|p| (0.0..=1.0).contains(p))
                && (params.iter().sum::<f64>() - 1.0).abs() <= 1e-9
        })
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.mixtures.size()
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        self.mixtures.diagnostics(inputs)
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(self.mixtures.rules())
    }
}
