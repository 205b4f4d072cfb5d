//! Mixtures of rules on problems whose answer is known.

mod common;

use evocracy::classify::{Decides, Importances, Learner, Rule, RuleCurve, Saved, Test};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Cells, Column, Dataset, Field, Goal, Options, Schema, Table, holdout};
use evocracy::error::Result;
use evocracy::judge;
use evocracy::method::{Method, make};
use evocracy::model::Model;
use evocracy::rules::{Likelihood, MoeGa, MoeRegression};
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};

fn open(name: &str, seed: u64) -> Result<Dataset> {
    Catalogue::embedded().open(name, &Load { seed, ..Load::default() })
}

fn train(method: &dyn Method, data: &Dataset, rows: &[u32], seed: u64) -> Result<Model> {
    Ok(common::train(method, &data.task()?.with_rows(rows), seed, 2)?.model)
}

fn rules(model: &Model) -> u64 {
    model.core().size()[0].1
}

#[test]
fn the_exclusive_or_of_two_bits_among_six_is_found_from_48_rows() -> Result<()> {
    let data = open("gen:xor:rows=all", 1)?;
    let codes = data.codes().expect("classes");
    for seed in 1..=5 {
        let split = holdout(64, Some(codes), 0.25, Seed::new(seed))?;
        let model = train(&MoeGa::default(), &data, &split.train, seed)?;
        let proba = model.proba(data.features().with_rows(&split.test))?;
        let wrong = |(at, row): (usize, &u32)| proba.best(at) as u32 != codes[*row as usize];
        assert_eq!(split.test.iter().enumerate().filter(|each| wrong(*each)).count(), 0);
        assert!(rules(&model) <= 5, "{} rules", rules(&model));
    }
    Ok(())
}

#[test]
fn the_probabilities_of_a_noisy_multiplexer_are_those_it_was_made_with() -> Result<()> {
    let data = open("gen:multiplexer:size=3:noise=0.2:rows=900", 3)?;
    let clean = open("gen:multiplexer:size=3:rows=all", 1)?;
    let rows: Vec<u32> = (0..900).collect();
    let model = train(&MoeGa::default().alpha(0.5), &data, &rows, 1)?;
    let proba = model.proba(clean.features())?;
    let truth = clean.codes().expect("classes");
    for (row, &class) in truth.iter().enumerate() {
        let right = proba.row(row)[class as usize];
        assert!((right - 0.8).abs() < 0.1, "row {row}: {right}");
    }
    Ok(())
}

#[test]
fn a_weight_of_two_is_a_row_twice() -> Result<()> {
    let data = open("car", 1)?;
    let task = data.task()?;
    let weights: Vec<f64> = (0..task.rows()).map(|row| (row % 3) as f64).collect();
    let weighted =
        evocracy::data::Task::new(task.features, "class", task.target(), Some(&weights))?;
    let twice: Vec<u32> =
        (0..task.rows() as u32).flat_map(|row| vec![row; row as usize % 3]).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let with = MoeGa::default().price(1.0).epochs(2);
    let once = with.fit(&weighted, &run)?.model;
    let inputs = data.table().schema();
    assert_eq!(once.rules(inputs), with.fit(&task.with_rows(&twice), &run)?.model.rules(inputs));
    Ok(())
}

#[test]
fn averaged_searches_are_reported_and_stable_rules_are_told() -> Result<()> {
    let data = open("mushroom", 1)?;
    let rows: Vec<u32> = (0..8124).step_by(4).collect();
    let with = MoeGa::default().searches(3).average(true).epochs(5).price(1.0);
    let model = train(&with, &data, &rows, 1)?;
    let (book, _) = model.rules().expect("rules");
    // The default of every search is the same rule.
    assert_eq!(book.rules.last().expect("a default").numerosity, 3);
    assert!(book.reading.contains("3 sets of rules are averaged"), "{}", book.reading);
    let notes = model.diagnostics();
    let stability = notes.stability.expect("a list");
    assert!(stability.iter().all(|share| (0.0..=1.0).contains(share)));
    let Some(Importances::Bits(importance)) = notes.importance else { panic!("bits") };
    assert!(importance["odor"] > 0.5);
    assert!(notes.unmatched > Some(0.3));
    let Some(RuleCurve::Epochs(curve)) = notes.curve else { panic!("epochs") };
    let objectives = curve.iter().map(|epoch| epoch.objective);
    assert!(objectives.collect::<Vec<f64>>().is_sorted());
    Ok(())
}

#[test]
fn balance_gives_rare_classes_the_weight_of_frequent_ones() -> Result<()> {
    let data = open("gen:xor:bits=3:k=1:noise=0.3:rows=600", 1)?;
    let codes = data.codes().expect("classes");
    // One class in ten.
    let rows: Vec<u32> =
        (0..600).filter(|&row| codes[row as usize] == 0 || row % 10 == 0).collect();
    let mean = |balance: f64| -> Result<f64> {
        let model = train(&MoeGa::default().balance(balance).price(2.0), &data, &rows, 1)?;
        let proba = model.proba(data.features())?;
        Ok(proba.class(1).iter().sum::<f64>() / 600.0)
    };
    let (plain, balanced) = (mean(0.0)?, mean(1.0)?);
    assert!(plain < 0.25 && (0.4..0.6).contains(&balanced), "{plain} {balanced}");
    Ok(())
}

#[test]
fn a_raised_flag_gives_what_a_few_climbs_find() -> Result<()> {
    let data = open("car", 1)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    stop.request();
    let fitted = MoeGa::default().train(&data.task()?, &Run::new(1, &stop, &pool))?;
    assert_eq!(fitted.stop, StopReason::Interrupted);
    // The default, and some beside it.
    assert!((2..50).contains(&rules(&fitted.model)), "{} rules", rules(&fitted.model));
    Ok(())
}

#[test]
fn a_curve_is_followed_by_rules_for_numbers() -> Result<()> {
    let data = open("gen:sinc:rows=400:noise=0.05", 1)?;
    let test = open("gen:sinc:rows=400:noise=0", 2)?;
    let rows: Vec<u32> = (0..400).collect();
    let model = train(&MoeRegression::default(), &data, &rows, 1)?;
    let (mut mean, mut variance) = (vec![0.0; 400], vec![0.0; 400]);
    model.predict_into(test.features(), &mut mean, Some(&mut variance))?;
    let truth = test.task()?.numbers()?;
    let squares: f64 = truth.iter().zip(&mean).map(|(y, m)| (y - m).powi(2)).sum();
    let error = (squares / 400.0).sqrt();
    // The curve itself has a standard deviation of about 0.35.
    assert!(error < 0.12, "{error}");
    assert!(variance.iter().all(|v| *v > 0.0));
    assert!(rules(&model) < 30);
    assert!(make("moe-regression", &[]).is_ok());
    Ok(())
}

#[test]
fn one_absurd_number_does_not_hide_the_curve() -> Result<()> {
    let (rows, slip) = (600, 300);
    let x: Vec<f64> = (0..rows).map(|row| f64::from(row) / 60.0).collect();
    let mut y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
    y[slip] = 1e6;
    let schema = Schema { fields: vec![Field::number("x"), Field::number("y")] };
    let table = Table::new(schema, vec![Column::Number(x.clone()), Column::Number(y)])?;
    let options = Options { target: Some("y".into()), goal: Goal::Number, ..Options::default() };
    let data = Dataset::new("slip", table, &options)?;
    let all: Vec<u32> = (0..rows as u32).collect();
    let model = train(&MoeRegression::default(), &data, &all, 1)?;
    let mut mean = vec![0.0; rows as usize];
    model.predict_into(data.features(), &mut mean, None)?;
    assert!(mean.iter().all(|mean| mean.is_finite()));
    let off = |row: usize| (mean[row] - x[row].sin()).abs();
    let good = (0..rows as usize).filter(|&row| off(row) < 0.4).count();
    assert!(good > 540, "{good} of 600 rows");
    Ok(())
}

#[test]
fn the_joint_likelihood_refuses_what_it_would_not_heed() -> Result<()> {
    let data = open("iris", 1)?;
    let rows: Vec<u32> = (0..150).collect();
    let joint = MoeGa::default().likelihood(Likelihood::Joint);
    assert!(train(&joint, &data, &rows, 1).is_ok());
    let refused = train(&joint.alpha(0.5), &data, &rows, 1).expect_err("alpha is not heeded");
    assert!(refused.to_string().contains("alpha"), "{refused}");
    Ok(())
}

/// What is said of the rows behind a rule is what a count of these rows gives: the tests are
/// applied here to the raw cells, by another way than the library's.
#[test]
fn the_rows_behind_every_rule_are_those_of_the_table() -> Result<()> {
    let sets = ["iris", "pima:train", "car", "wdbc", "ripley-synth:train", "gen:moons:rows=200"];
    for name in sets {
        let data = open(name, 1)?;
        let rows: Vec<u32> = (0..data.table().rows() as u32).collect();
        for method in ["foil", "tree", "stump", "ucs", "moe-ga"] {
            let settings: &[(&str, &str)] = match method {
                "moe-ga" => &[("price", "1.2"), ("epochs", "2")],
                "ucs" => &[("iterations", "2000")],
                _ => &[],
            };
            let settings: Vec<(String, String)> =
                settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let model = trained_and_counted(&*make(method, &settings)?, &data, &rows)?;
            let (book, inputs) = model.rules().expect("rules");
            // Every one of these methods takes the columns as they are.
            assert_eq!(&inputs, model.schema());
            let columns = data.features();
            let passes = |rule: &Rule, row: usize| {
                rule.tests.iter().all(|test| match test {
                    Test::Among { column, levels } => {
                        let level = columns.show(row, *column);
                        let names = inputs.fields[*column].levels();
                        levels.iter().any(|code| Some(&names[*code as usize]) == level.as_ref())
                    }
                    Test::Between { column, low, high } => {
                        let Cells::Number(values) = columns.cells(*column) else {
                            return false;
                        };
                        low.is_none_or(|low| low <= values[row])
                            && high.is_none_or(|high| values[row] <= high)
                    }
                    Test::Known { column } => columns.show(row, *column).is_some(),
                    Test::Missing { column } => columns.show(row, *column).is_none(),
                })
            };
            let codes = data.codes().expect("classes");
            let mut decided = 0;
            for rule in &book.rules {
                let standing = rule.standing.as_ref().expect("rows were counted");
                let mut counted = vec![0; standing.applies.classes.len()];
                for row in (0..data.table().rows()).filter(|&row| passes(rule, row)) {
                    counted[codes[row] as usize] += 1;
                }
                assert_eq!(standing.applies.classes, counted, "{name} {method}");
                let decides = standing.decides.as_ref().expect("one rule decides");
                let mut pairs = decides.classes.iter().zip(&counted);
                assert!(pairs.all(|(some, all)| some <= all));
                decided += decides.rows;
            }
            if book.decides == Decides::First {
                assert_eq!(decided, data.table().rows() as u64, "{name} {method}");
            }
            assert!(decided <= data.table().rows() as u64 && decided > 0, "{name} {method}");
            let again = Model::from_bytes(&model.to_bytes()?)?;
            assert_eq!(again.rules().expect("rules").0, book);
        }
    }
    Ok(())
}

fn trained_and_counted(method: &dyn Method, data: &Dataset, rows: &[u32]) -> Result<Model> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let task = data.task()?.with_rows(rows);
    Ok(judge::train(method, &task, &Run::new(1, &stop, &pool))?.model)
}
