//! Relevance vector machines as methods: what odd tables give, explanations that add up,
//! error bars.

use evocracy::classify::{Classifier, Learner, Proba, Regressor};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Field, Goal, Options, Schema, Table};
use evocracy::error::{Error, Result};
use evocracy::kernel::{Multi, Rvm, RvmRegression, Width};
use evocracy::method::make;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop};
use rand::RngExt;

fn table(columns: Vec<Vec<f64>>, goal: Goal) -> Result<Dataset> {
    let mut fields: Vec<Field> =
        (1..columns.len()).map(|j| Field::number(format!("x{j}"))).collect();
    fields.push(Field::number("y"));
    let table = Table::new(Schema { fields }, columns.into_iter().map(Column::Number).collect())?;
    Dataset::new("odd", table, &Options { goal, ..Options::default() })
}

fn train(method: &str, settings: &[(&str, &str)], data: &Dataset) -> Result<Model> {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    Ok(make(method, &settings)?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model)
}

fn random(len: usize, seed: u64) -> Vec<f64> {
    let mut rng = Seed::new(seed).rng();
    (0..len).map(|_| rng.random::<f64>() - 0.5).collect()
}

fn flip(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i % 2) as f64).collect()
}

/// Tables that break naive implementations.
fn odd() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let spread = |by: f64| random(40, 1).iter().map(|v| by * v).collect::<Vec<f64>>();
    let apart = |by: f64| flip(40).iter().zip(random(40, 2)).map(|(c, v)| by * c + v).collect();
    vec![
        ("constant column", vec![vec![3.0; 40], apart(1.0), flip(40)]),
        ("nothing but constants", vec![vec![3.0; 40], flip(40)]),
        ("duplicate rows", vec![flip(40), flip(40)]),
        (
            "duplicate rows of both classes",
            vec![(0..40).map(|i| f64::from(i / 4)).collect(), flip(40)],
        ),
        ("one row a class", vec![vec![0.0, 1.0], vec![0.0, 1.0]]),
        ("three rows", vec![vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 0.0]]),
        ("separable", vec![apart(1e3), flip(40)]),
        (
            "noise",
            vec![
                spread(1.0),
                random(40, 9).iter().map(|v| f64::from(u8::from(*v > 0.0))).collect(),
            ],
        ),
        ("large", vec![spread(1e6), apart(1e6), flip(40)]),
        ("tiny", vec![spread(1e-9), apart(1e-9), flip(40)]),
    ]
}

#[test]
fn odd_tables_give_a_model_or_an_error_and_never_nan() -> Result<()> {
    for (name, columns) in odd() {
        for kernel in ["gaussian", "laplacian", "polynomial", "linear", "columns"] {
            // The classic way is slow; what breaks it, breaks it with any kernel.
            let methods: &[&str] =
                if kernel == "gaussian" { &["rvm", "rvm-classic"] } else { &["rvm"] };
            for method in methods {
                let data = table(columns.clone(), Goal::Class)?;
                let model = train(method, &[("kernel", kernel)], &data)?;
                let proba = model.proba(data.features())?;
                let sound = proba.values().iter().all(|p| (0.0..=1.0).contains(p));
                assert!(sound, "{name}, {method} with {kernel}: {:?}", proba.values());
            }
            let data = table(columns.clone(), Goal::Number)?;
            let model = train("rvm-regression", &[("kernel", kernel)], &data)?;
            let (mut mean, mut variance) =
                (vec![0.0; data.table().rows()], vec![0.0; data.table().rows()]);
            model.predict_into(data.features(), &mut mean, Some(&mut variance))?;
            assert!(mean.iter().all(|v| v.is_finite()), "{name}, {kernel}: {mean:?}");
            assert!(variance.iter().all(|v| v.is_finite() && *v > 0.0), "{name}, {kernel}");
        }
    }
    Ok(())
}

#[test]
fn widths_that_make_no_sense_are_refused_and_extreme_ones_are_not() -> Result<()> {
    let data = table(vec![random(30, 3), flip(30)], Goal::Class)?;
    for width in ["0", "inf", "-1", "nan", "wide"] {
        let Err(error) = train("rvm", &[("width", width)], &data) else { panic!("{width}") };
        assert!(matches!(error, Error::Param { .. }), "{error}");
    }
    for width in ["1e-9", "1e9"] {
        let model = train("rvm", &[("width", width)], &data)?;
        assert!(model.proba(data.features())?.values().iter().all(|p| p.is_finite()));
    }
    Ok(())
}

#[test]
fn separable_classes_are_told_apart_and_noise_is_not() -> Result<()> {
    let tables = odd();
    let accuracy = |name: &str| -> Result<f64> {
        let columns = tables.iter().find(|(known, _)| *known == name).expect(name).1.clone();
        let data = table(columns, Goal::Class)?;
        let proba = train("rvm", &[], &data)?.proba(data.features())?;
        let codes = data.codes().expect("classes");
        let right = (0..40).filter(|&row| proba.best(row) as u32 == codes[row]).count();
        Ok(right as f64 / 40.0)
    };
    assert_eq!(accuracy("separable")?, 1.0);
    assert!(accuracy("noise")? < 0.8);
    Ok(())
}

#[test]
fn explanations_add_up_in_every_mode() -> Result<()> {
    let iris = Catalogue::embedded().open("iris", &Load::default())?;
    let pima = Catalogue::embedded().open("pima", &Load::default())?;
    for data in [&iris, &pima] {
        for multi in ["softmax", "one-rest"] {
            for moderate in ["false", "true"] {
                let settings = [("multi", multi), ("moderate", moderate), ("width", "2")];
                let model = train("rvm", &settings, data)?;
                let proba = model.proba(data.features())?;
                for row in [0, 70, 149] {
                    let rebuilt = model.explain(data.features(), row)?.rebuild();
                    for (a, b) in rebuilt.iter().zip(proba.row(row)) {
                        assert!((a - b).abs() < 1e-9, "{multi}, moderated {moderate}: {a} {b}");
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn moderated_probabilities_are_less_sure() -> Result<()> {
    let pima = Catalogue::embedded().open("pima", &Load::default())?;
    let plain = train("rvm", &[("width", "2")], &pima)?.proba(pima.features())?;
    let moderate = train("rvm", &[("width", "2"), ("moderate", "true")], &pima)?;
    let moderate = moderate.proba(pima.features())?;
    let mut nearer = 0;
    for row in 0..plain.rows() {
        let (a, b) = (plain.row(row)[1] - 0.5, moderate.row(row)[1] - 0.5);
        assert!(b.abs() <= a.abs() + 1e-12 && a * b >= -1e-12);
        nearer += usize::from(b.abs() < a.abs() - 1e-4);
    }
    assert!(nearer > plain.rows() / 2);
    Ok(())
}

#[test]
fn both_ways_with_many_classes_tell_them_apart() -> Result<()> {
    let iris = Catalogue::embedded().open("iris", &Load::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    for multi in [Multi::Softmax, Multi::OneRest] {
        let learner = Rvm::default().multi(multi).width(Width::Fixed(3.0));
        let fitted = learner.fit(&iris.task()?, &Run::new(1, &stop, &pool))?;
        let mut proba = Proba::new();
        fitted.model.proba_into(iris.features(), &mut proba)?;
        let codes = iris.codes().expect("classes");
        let right = (0..150).filter(|&row| proba.best(row) as u32 == codes[row]).count();
        assert!(right >= 143, "{right}");
        assert_eq!(fitted.model.machines().len(), 3);
    }
    Ok(())
}

#[test]
fn error_bars_grow_outside_the_training_rows() -> Result<()> {
    let x: Vec<f64> = (0..100).map(|i| f64::from(i) / 10.0).collect();
    let y: Vec<f64> = x.iter().zip(random(100, 5)).map(|(x, e)| x.sin() + 0.3 * e).collect();
    let data = table(vec![x, y], Goal::Number)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let learner = RvmRegression::default().width(Width::Fixed(1.5));
    let model = learner.fit(&data.task()?, &Run::new(1, &stop, &pool))?.model;
    assert!((model.noise().sqrt() - 0.3 / 12_f64.sqrt()).abs() < 0.02);
    let asked = table(vec![vec![5.0, 12.0, 30.0], vec![0.0; 3]], Goal::Number)?;
    let (mut mean, mut variance) = ([0.0; 3], [0.0; 3]);
    model.predict_into(asked.features(), &mut mean, Some(&mut variance))?;
    assert!((mean[0] - 5_f64.sin()).abs() < 0.1);
    assert!(variance[0] < variance[1] && variance[1] < variance[2], "{variance:?}");
    assert!(variance[2] > 20.0 * model.noise());
    let far = model.explain(asked.features(), 2)?;
    assert!(far.parts.iter().any(|part| part.because.contains("outside")));
    let near = model.explain(asked.features(), 0)?;
    assert!((near.rebuild()[0] - mean[0]).abs() < 1e-12);
    assert!(!near.parts.iter().any(|part| part.because.contains("outside")));
    Ok(())
}

#[test]
fn diagnostics_name_the_relevance_vectors() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth:train", &Load::default())?;
    let model = train("rvm", &[("width", "1")], &data)?;
    let notes = model.diagnostics();
    let vectors = notes["vectors"].as_array().expect("a list");
    assert!(!vectors.is_empty() && notes["complexity"].as_f64() <= Some(vectors.len() as f64));
    assert!(notes["evidence_curve"].as_array().is_some_and(|curve| !curve.is_empty()));
    Ok(())
}
