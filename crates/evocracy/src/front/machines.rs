//! Fronts of relevance vector machines by the searches of the thesis.

use super::evolved::{Begin, EvoRvm, check_classes, fitted};
use super::model::FrontModel;
use super::options::sampled_rows;
use super::points::{FrontPoint, FrontPoints, TrainingFigures};
use super::thesis::{
    self, Complexity, Found, Machines, OperatingPoint, Precisions, Scheme, Settings,
};
use crate::classify::{Fitted, Learner};
use crate::data::{Classes, Task, pick};
use crate::error::{Error, Result};
use crate::kernel::soft::Sample;
use crate::kernel::{
    Basis, Design, Dictionary, Inputs, Keep, Rvm, SparseSums, Width, fast, reserve,
    stratified_sample,
};
use crate::measure::LEVEL;
use crate::run::Run;
use std::collections::HashMap;

pub(super) fn learn(method: &EvoRvm, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
    let (classes, _) = task.labels()?;
    if classes.len() != 2 {
        return Err(Error::unsuitable(
            format!("this scheme finds fronts of two classes, not of {}", classes.len()),
            "take the scheme `soft`",
        ));
    }
    let (all, positions) = Sample::new(task, classes.positive())?;
    if all.weights.is_some() {
        return Err(Error::unsuitable(
            "this scheme does not take weights of rows",
            "take the scheme `soft`, or leave the weights out",
        ));
    }
    check_classes(task)?;
    let searched = sampled_rows(method.rows, &all.labels(), run);
    let (sample, rows) = (all.subset(&searched), pick(&searched, &positions));
    let positive: Vec<bool> = sample.targets.iter().map(|target| *target > 0.5).collect();
    let width = width(method, task, run)?;
    let widths = (0..method.levels).map(|level| width / (1_u64 << level) as f64).collect();
    let EvoRvm { kernel, degree, centres, .. } = *method;
    let dictionary = Dictionary { kernel, degree, widths, bias: true, centres };
    let most = if centres == 0 { sample.rows() } else { centres };
    let seed = run.seed.child("centres", 0);
    let chosen = stratified_sample(sample.rows(), Some(&sample.labels()), most, seed);
    dictionary.check(&sample.points)?;
    reserve(&dictionary, chosen.len(), sample.rows(), run)?;
    let design = Design::centred(&dictionary, &chosen, &sample.points, Keep::Stored, run.stop)?;
    let family = Machines::new(
        &design,
        sample.targets.clone(),
        method.complexity,
        method.mutations,
        if method.scheme == Scheme::Nsga2 { method.cuts } else { 0 },
    );
    let start = match method.start {
        Begin::Basis => Vec::new(),
        Begin::Rvm => vec![evidence_start(&family, run)?],
    };
    let settings = Settings {
        scheme: method.scheme,
        folds: method.folds,
        iterations: method.iterations,
        population: method.population,
        generations: method.generations,
    };
    let found = thesis::search(&settings, &family, &positive, &sample.points, start, run)?;
    if found.points.is_empty() {
        run.stop.check()?;
        return Err(Error::unsuitable(
            "the search found no machine that can be fitted to these rows",
            "take another width, another kernel or a larger number of turns",
        ));
    }
    let id = |row: usize| task.row_id(rows[row] as usize) as u32;
    let searched = (sample.rows() < all.rows()).then_some(sample.rows() as u64);
    let model = model(method, &family, &found, (&sample, searched), classes.clone(), id)?;
    Ok(fitted(model, run))
}

/// The width that is given, or that a relevance vector machine finds by cross-validation.
fn width(method: &EvoRvm, task: &Task<'_>, run: &Run<'_>) -> Result<f64> {
    match method.width {
        Width::Fixed(width) => Ok(width),
        Width::Auto => {
            // The front's machines use all inputs.
            let machine = Rvm::default().kernel(method.kernel).degree(method.degree);
            let machine = machine.explore(false).inputs(Inputs::All);
            Ok(machine.fit(task, &run.child("width", 0))?.model.width())
        }
    }
}

/// The precisions of a relevance vector machine on the same bases.
fn evidence_start(family: &Machines<'_>, run: &Run<'_>) -> Result<Precisions> {
    let settings = fast::Settings { explore: false, ..fast::Settings::default() };
    let target = fast::Target::Classes(&family.targets, None);
    let found = fast::fit(family.design, target, None, &settings, run.stop)?;
    Ok(Precisions::new(&found.bases, &found.alphas))
}

/// The front as a model. The most accurate point on the training rows answers (3.6).
fn model(
    method: &EvoRvm,
    family: &Machines<'_>,
    found: &Found<Machines<'_>>,
    (sample, searched): (&Sample, Option<u64>),
    classes: Classes,
    id: impl Fn(usize) -> u32,
) -> Result<FrontModel> {
    let mut sums = SparseSums::new(method.kernel, method.degree, sample.points.inputs());
    let mut centres: HashMap<usize, usize> = HashMap::new();
    let mut bases: HashMap<u32, u32> = HashMap::new();
    for fitted in &found.fitted {
        let mut terms = Vec::new();
        for (&basis, &weight) in fitted.bases.iter().zip(&fitted.values) {
            let place = *bases.entry(basis).or_insert_with(|| {
                let basis = match family.design.bases()[basis as usize] {
                    Basis::Centre { row, width } => {
                        let row = *centres
                            .entry(row)
                            .or_insert_with(|| sums.add_centre(id(row), &sample.points.row(row)));
                        Basis::Centre { row, width }
                    }
                    other => other,
                };
                sums.add_basis(basis)
            });
            terms.push((place, fitted.factor * weight));
        }
        sums.add_sum(&terms);
    }
    let name = match method.complexity {
        Complexity::Vectors => "vectors",
        Complexity::Alpha => "complexity",
    };
    let right = |point: &OperatingPoint| {
        let calls = found.scores[point.member].iter().zip(&sample.targets);
        calls.filter(|(score, target)| (**score >= point.threshold) == (**target > 0.5)).count()
    };
    let mut listed = found.points.clone();
    listed.sort_by(|a, b| {
        a.complexity.total_cmp(&b.complexity).then(b.threshold.total_cmp(&a.threshold))
    });
    let mut points = FrontPoints::of_rates(name, LEVEL);
    let figures = match method.scheme {
        Scheme::Kfold => TrainingFigures::Folds,
        _ => TrainingFigures::Counted,
    };
    let share = sample.targets.iter().sum::<f64>() / sample.rows() as f64;
    points.measured(figures, Some(share));
    points.searched_on(searched);
    // Of equally accurate points the one that calls nearest to even odds.
    let mut best = ((0, f64::NEG_INFINITY), 0);
    for (at, point) in listed.iter().enumerate() {
        points.push(&FrontPoint {
            member: point.member,
            threshold: Some(point.threshold.max(0.0)),
            weights: Vec::new(),
            complexity: point.complexity,
            training: point.rates.to_vec(),
            promised: Vec::new(),
        })?;
        let figure = (right(point), -(point.threshold - 0.5).abs());
        if figure > best.0 {
            best = (figure, at);
        }
    }
    FrontModel::of_sums(classes, sums, points, best.1)
}
