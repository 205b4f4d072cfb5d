//! Tables with many rows or with many columns that say nothing.

mod common;

use evocracy::classify::{Classifier, Learner, Proba};
use evocracy::data::generate::{Friedman1, Generator, Moons};
use evocracy::data::{Column, Dataset, Field, Options, Table, holdout};
use evocracy::error::Result;
use evocracy::kernel::irls::{Irls, LogisticRows};
use evocracy::kernel::{Basis, Inputs, Rvm, RvmModel, Width};
use evocracy::method::make;
use evocracy::run::{Pool, Run, Seed, Stop};

/// Friedman's function above or below its median: five columns matter.
fn friedman(rows: usize, columns: usize, classes: usize) -> Dataset {
    let draw = Friedman1::default().inputs(columns).rows(rows);
    let (mut schema, mut columns) = draw.generate(Seed::new(1)).expect("a table").into_parts();
    let Some(Column::Number(values)) = columns.pop() else { panic!("the target is a number") };
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut codes = vec![0; rows];
    order.iter().enumerate().for_each(|(at, &row)| codes[row] = (at * classes / rows) as u32);
    columns.push(Column::Nominal(codes));
    schema.fields.pop();
    schema.fields.push(Field::nominal("class", (0..classes).map(|class| class.to_string())));
    let table = Table::new(schema, columns).expect("a table");
    Dataset::new("friedman", table, &Options::default()).expect("a data set")
}

fn moons(rows: usize, seed: u64) -> Dataset {
    let table = Moons::default().rows(rows).noise(0.25).generate(Seed::new(seed)).expect("moons");
    Dataset::new("moons", table, &Options::default()).expect("a data set")
}

/// The share of rows that a method calls rightly after training on three quarters of them.
fn accuracy(method: &str, settings: &[(&str, &str)], data: &Dataset) -> Result<f64> {
    let codes = data.codes().expect("classes");
    let split = holdout(codes.len(), Some(codes), 0.25, Seed::new(1))?;
    let method = make(method, &common::settings(settings))?;
    let task = data.task()?.with_rows(&split.train);
    let model = common::train(method.as_ref(), &task, 1, 1)?.model;
    let proba = model.proba(data.features().with_rows(&split.test))?;
    let right = split.test.iter().enumerate();
    let right = right.filter(|(at, row)| proba.best(*at) as u32 == codes[**row as usize]).count();
    Ok(right as f64 / split.test.len() as f64)
}

fn fit(learner: &Rvm, data: &Dataset, threads: usize) -> Result<RvmModel> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    Ok(learner.fit(&data.task()?, &Run::new(1, &stop, &pool))?.model)
}

/// The mean log-likelihood of the rows.
fn likelihood(model: &RvmModel, data: &Dataset) -> Result<f64> {
    let mut proba = Proba::new();
    model.proba_into(data.features(), &mut proba)?;
    let codes = data.codes().expect("classes").iter().enumerate();
    let logs: f64 = codes.clone().map(|(row, &code)| proba.row(row)[code as usize].ln()).sum();
    Ok(logs / codes.len() as f64)
}

#[test]
fn relevance_vectors_do_without_the_columns_that_say_nothing() -> Result<()> {
    let data = friedman(1000, 300, 2);
    let auto = accuracy("rvm", &[("explore", "false")], &data)?;
    let all = accuracy("rvm", &[("explore", "false"), ("inputs", "all")], &data)?;
    assert!(auto >= 0.8 && all < 0.6, "{auto}, {all} with all inputs");
    let model = fit(&Rvm::default().explore(false), &data, 1)?;
    let counts = |input: &usize| model.scales()[*input] > 0.0;
    assert!((0..4).all(|input| counts(&input)), "{:?}", model.scales());
    assert!((0..300).filter(counts).count() <= 15);
    Ok(())
}

#[test]
fn few_columns_are_all_kept() -> Result<()> {
    let data = friedman(300, 10, 2);
    let learner = Rvm::default().explore(false);
    let model = fit(&learner, &data, 1)?;
    assert!(model.scales().is_empty());
    assert_eq!(model, fit(&learner.inputs(Inputs::All).rows(0), &data, 1)?);
    Ok(())
}

#[test]
fn rules_test_the_columns_that_stand_out() -> Result<()> {
    let data = friedman(1000, 1000, 2);
    let wide = accuracy("ucs", &[("iterations", "20000")], &data)?;
    assert!(wide >= 0.7, "{wide}");
    Ok(())
}

/// The bases of a sum at some rows, one after the other.
fn columns(model: &RvmModel, of: &Dataset) -> Vec<f64> {
    let rows = of.features();
    let cell = |row: usize, column: usize| match rows.cells(column) {
        evocracy::data::Cells::Number(values) => values[row],
        evocracy::data::Cells::Nominal(_) => f64::NAN,
    };
    let value = |basis: Basis, at: usize| match basis {
        Basis::Bias => 1.0,
        Basis::Column(input) => cell(at, input),
        Basis::Centre { row, width } => {
            let apart = (0..rows.columns()).map(|j| (cell(at, j) - cell(row, j)).powi(2));
            (-apart.sum::<f64>() / (width * width)).exp()
        }
    };
    let sum = &model.sparse_sums()[0];
    sum.bases().flat_map(|basis| (0..rows.rows()).map(move |at| value(basis, at))).collect()
}

#[test]
fn weights_are_the_most_probable_ones_for_all_rows() -> Result<()> {
    let data = moons(3000, 1);
    let learner = Rvm::default().width(Width::Fixed(0.7)).rows(200).explore(false);
    let model = fit(&learner, &data, 1)?;
    let sum = &model.sparse_sums()[0];
    let targets: Vec<f64> = data.codes().expect("classes").iter().map(|c| f64::from(*c)).collect();
    let rows = LogisticRows { targets: &targets, weights: None, offsets: None };
    let mut exact = Irls::new(targets.len(), sum.weights().len());
    let evidence = exact.fit(&columns(&model, &data), &rows, sum.alphas(), None)?;
    // The mode is found to a hundredth of a nat.
    assert!((evidence - sum.evidence()).abs() < 0.05, "{evidence}, {}", sum.evidence());
    for (at, (ours, theirs)) in sum.weights().iter().zip(&exact.weights).enumerate() {
        let deviation = sum.covariance()[at * (sum.weights().len() + 1)].sqrt();
        assert!((ours - theirs).abs() < 0.2 * deviation, "{ours}, {theirs} +- {deviation}");
    }
    Ok(())
}

#[test]
fn all_rows_say_more_than_the_sample_that_is_searched() -> Result<()> {
    for classes in [2, 3] {
        let (data, new) = (friedman(4000, 5, classes), friedman(8000, 5, classes));
        let new = new.part("new", &(4000..8000).collect::<Vec<u32>>())?;
        let learner = Rvm::default().explore(false);
        let some = data.part("some", &(0..300).collect::<Vec<u32>>())?;
        let (all, some) = (fit(&learner.clone().rows(300), &data, 1)?, fit(&learner, &some, 1)?);
        let (all, some) = (likelihood(&all, &new)?, likelihood(&some, &new)?);
        assert!(all > some + 0.02, "{classes} classes: {all}, {some}");
    }
    Ok(())
}

#[test]
fn all_rows_give_the_same_model_on_any_number_of_threads() -> Result<()> {
    let data = friedman(1500, 5, 3);
    for multi in ["softmax", "one-rest"] {
        let settings = common::settings(&[("multi", multi), ("rows", "200"), ("explore", "false")]);
        let method = make("rvm", &settings)?;
        let train = |threads| common::train(method.as_ref(), &data.task()?, 1, threads);
        let (one, three) = (train(1)?.model, train(3)?.model);
        assert_eq!(one.proba(data.features())?.values(), three.proba(data.features())?.values());
    }
    Ok(())
}

#[test]
fn a_stop_among_all_rows_leaves_a_model() -> Result<()> {
    let data = moons(2000, 1);
    let learner = Rvm::default().width(Width::Fixed(0.7)).rows(100).explore(false);
    let pool = Pool::new(1)?;
    let mut stopped = 0;
    for looks in 1..200 {
        let stop = Stop::after(looks);
        if let Ok(fitted) = learner.fit(&data.task()?, &Run::new(1, &stop, &pool)) {
            stopped += usize::from(stop.requested());
            assert!(likelihood(&fitted.model, &data)? > -0.75);
        }
    }
    assert!(stopped > 0);
    Ok(())
}
