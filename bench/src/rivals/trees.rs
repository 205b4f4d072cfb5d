//! Committees of trees by biosphere and linfa.

use crate::clock;
use crate::measure::Measured;
use crate::numbers::Numbers;
use anyhow::{Context, Result};
use biosphere::{MaxFeatures, RandomForest, RandomForestParameters};
use linfa::prelude::{Fit, Predict};
use linfa_ensemble::AdaBoostParams;
use linfa_trees::DecisionTree;
use std::path::Path;

pub fn biosphere(case: &str, path: &Path) -> Result<Measured> {
    forest(&Numbers::read(path)?, if case == "50000x10" { 10 } else { 100 })
}

pub fn linfa(path: &Path) -> Result<Measured> {
    adaboost(&Numbers::read(path)?)
}

fn measured(seconds: f64, called: impl Iterator<Item = f64>, data: &Numbers) -> Measured {
    let test = &data.classes[data.train()..];
    let right = called.zip(test).filter(|(called, class)| called == *class).count();
    let quality = Some(right as f64 / test.len() as f64);
    Measured { seconds, quality, ..Measured::default() }
}

/// A forest that regresses on the classes as 0 and 1, which is how it classifies.
fn forest(data: &Numbers, trees: usize) -> Result<Measured> {
    use ndarray_of_biosphere::{Array1, Array2, Axis};
    let shape = (data.rows, data.columns);
    let x = Array2::from_shape_vec(shape, data.cells.clone())?;
    let y = Array1::from(data.classes.clone());
    let (x, unseen) = x.view().split_at(Axis(0), data.train());
    let (y, _) = y.view().split_at(Axis(0), data.train());
    let (seconds, forest) = clock::time(|| {
        let parameters = RandomForestParameters::default()
            .with_n_estimators(trees)
            .with_max_features(MaxFeatures::Sqrt);
        let mut forest = RandomForest::new(parameters);
        forest.fit(&x, &y);
        Ok(forest)
    })?;
    let called = forest.predict(&unseen);
    Ok(measured(seconds, called.iter().map(|p| f64::from(u8::from(*p > 0.5))), data))
}

/// Boosted stumps. linfa ends as soon as a member is worse than chance on its sample, at another
/// of 200 rounds in each run (65 to 101 were seen): what it would take for all of them is told.
fn adaboost(data: &Numbers) -> Result<Measured> {
    const MEMBERS: usize = 200;
    use ndarray::{Array1, Array2, Axis, s};
    let x = Array2::from_shape_vec((data.rows, data.columns), data.cells.clone())?;
    let y: Array1<usize> = data.classes.iter().map(|class| *class as usize).collect();
    let (seen, unseen) = x.view().split_at(Axis(0), data.train());
    let train = linfa::Dataset::new(seen.to_owned(), y.slice(s![..data.train()]).to_owned());
    let (seconds, model) = clock::time(|| {
        let stump = DecisionTree::<f64, usize>::params().max_depth(Some(1));
        AdaBoostParams::new(stump).n_estimators(MEMBERS).fit(&train).context("linfa fails")
    })?;
    let seconds = seconds * MEMBERS as f64 / model.n_estimators() as f64;
    let called = model.predict(&unseen.to_owned());
    Ok(measured(seconds, called.iter().map(|&class| class as f64), data))
}
