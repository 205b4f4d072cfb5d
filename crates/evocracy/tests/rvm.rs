//! Relevance vector machines as methods: what odd tables give, explanations that add up,
//! error bars.

mod common;

use common::open;
use evocracy::classify::{Classifier, Learner, Proba, Regressor};
use evocracy::data::{Column, Dataset, Field, Goal, Options, Schema, Table};
use evocracy::error::{Error, Result};
use evocracy::kernel::{Basis, Multi, Rvm, RvmRegression, Width};
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
    let method = make(method, &common::settings(settings))?;
    Ok(common::train(method.as_ref(), &data.task()?, 1, 1)?.model)
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
    let iris = open("iris");
    let pima = open("pima");
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
    let pima = open("pima");
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
    let iris = open("iris");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    for multi in [Multi::Softmax, Multi::OneRest] {
        let learner = Rvm::default().multi(multi).width(Width::Fixed(3.0));
        let fitted = learner.fit(&iris.task()?, &Run::new(1, &stop, &pool))?;
        let mut proba = Proba::new();
        fitted.model.proba_into(iris.features(), &mut proba)?;
        let codes = iris.codes().expect("classes");
        let right = (0..150).filter(|&row| proba.best(row) as u32 == codes[row]).count();
        assert!(right >= 143, "{right}");
        assert_eq!(fitted.model.sparse_sums().len(), 3);
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
    assert!(far.parts.iter().any(|part| part.because.contains("far from the training rows")));
    let near = model.explain(asked.features(), 0)?;
    assert!((near.rebuild()[0] - mean[0]).abs() < 1e-12);
    assert!(!near.parts.iter().any(|part| part.because.contains("far from")));
    Ok(())
}

#[test]
fn error_bars_grow_in_a_gap_between_training_rows() -> Result<()> {
    let x: Vec<f64> = random(200, 6).iter().map(|v| 10.0 * v + 5.0 * v.signum()).collect();
    let y: Vec<f64> = x.iter().zip(random(200, 5)).map(|(x, e)| x.sin() + 0.3 * e).collect();
    let data = table(vec![x, y.clone()], Goal::Number)?;
    let model = train("rvm-regression", &[], &data)?;
    let asked = table(vec![vec![-7.0, 0.0, 7.0, 40.0], vec![0.0; 4]], Goal::Number)?;
    let (mut mean, mut variance) = ([0.0; 4], [0.0; 4]);
    model.predict_into(asked.features(), &mut mean, Some(&mut variance))?;
    let spread = y.iter().map(|y| y * y).sum::<f64>() / 200.0;
    assert!(variance[0] < 0.03 && variance[2] < 0.03, "{variance:?}");
    assert!(variance[1] > 0.5 * spread && variance[3] > 0.95 * spread, "{variance:?}");
    Ok(())
}

#[test]
fn diagnostics_name_the_relevance_vectors() -> Result<()> {
    let data = open("ripley-synth:train");
    let model = train("rvm", &[("width", "1")], &data)?;
    let notes = model.diagnostics();
    let vectors = notes.vectors.expect("a list");
    assert!(!vectors.is_empty() && notes.complexity <= Some(vectors.len() as f64));
    assert!(notes.evidence_curve.is_some_and(|curve| !curve.is_empty()));
    Ok(())
}

/// Rings around each other whose rows take turns, as many as are sampled and more.
fn rings(n: usize) -> Vec<Vec<f64>> {
    let (turns, noise) = (random(n, 21), random(2 * n, 22));
    let at = |i: usize, angle: f64| (3.0 - 2.0 * (i % 2) as f64) * angle + 0.5 * noise[i];
    let x = (0..n).map(|i| at(i, (std::f64::consts::TAU * turns[i]).cos())).collect();
    let y = (0..n).map(|i| at(i, (std::f64::consts::TAU * turns[i]).sin())).collect();
    vec![x, y, flip(n)]
}

/// The fields of a chessboard of four by four.
fn chessboard(n: usize, seed: u64) -> Vec<Vec<f64>> {
    let place = |seed| random(n, seed).iter().map(|v| 4.0 * (v + 0.5)).collect::<Vec<f64>>();
    let (x, y) = (place(seed), place(seed + 100));
    let class = x.iter().zip(&y).map(|(x, y)| (x.floor() + y.floor()) % 2.0).collect();
    vec![x, y, class]
}

fn accuracy(model: &Model, data: &Dataset) -> Result<f64> {
    let (proba, codes) = (model.proba(data.features())?, data.codes().expect("classes"));
    let right = codes.iter().enumerate().filter(|(row, code)| proba.best(*row) as u32 == **code);
    Ok(right.count() as f64 / codes.len() as f64)
}

#[test]
fn a_width_is_found_where_classes_take_turns() -> Result<()> {
    let data = table(rings(600), Goal::Class)?;
    assert_eq!(accuracy(&train("rvm", &[("centres", "100")], &data)?, &data)?, 1.0);
    Ok(())
}

#[test]
fn a_width_is_found_where_only_narrow_kernels_help() -> Result<()> {
    let (data, test) =
        (table(chessboard(400, 1), Goal::Class)?, table(chessboard(500, 2), Goal::Class)?);
    for choose in ["cross-validation", "evidence"] {
        let right = accuracy(&train("rvm", &[("choose", choose)], &data)?, &test)?;
        assert!(right > 0.88, "{choose}: {right}");
    }
    Ok(())
}

/// The gradient of the joint log posterior by the weights of all machines, in standard deviations.
#[test]
fn a_softmax_ends_at_its_joint_mode() -> Result<()> {
    let iris = open("iris");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let task = iris.task()?;
    let model = Rvm::default().width(Width::Fixed(2.0)).fit(&task, &Run::new(1, &stop, &pool))?;
    let mut proba = Proba::new();
    model.model.proba_into(iris.features(), &mut proba)?;
    let columns: Vec<Column> = (0..4).map(|j| iris.features().gather(j)).collect();
    let row = |row: usize| -> Vec<f64> {
        let cell = |column: &Column| match column {
            Column::Number(values) => values[row],
            Column::Nominal(_) => f64::NAN,
        };
        columns.iter().map(cell).collect()
    };
    let codes = iris.codes().expect("classes");
    let mut seen = 0;
    for (class, sum) in model.model.sparse_sums().iter().enumerate() {
        let k = sum.weights().len();
        for (j, basis) in sum.bases().enumerate() {
            let value = |at: usize| match basis {
                Basis::Centre { row: centre, width } => {
                    let apart =
                        row(at).iter().zip(row(centre)).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                    (-apart / (width * width)).exp()
                }
                _ => 1.0,
            };
            let pull =
                |at: usize| f64::from(u8::from(codes[at] as usize == class)) - proba.row(at)[class];
            let slope: f64 = (0..150).map(|at| value(at) * pull(at)).sum();
            let slope = slope - sum.alphas()[j] * sum.weights()[j];
            let sd = sum.covariance()[j * k + j].sqrt();
            assert!((slope * sd).abs() < 1e-3, "class {class}, base {j}: {}", slope * sd);
            seen += 1;
        }
    }
    assert!(seen >= 3);
    Ok(())
}

#[test]
fn targets_of_any_size_are_learnt_alike() -> Result<()> {
    let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 6.0).collect();
    let y: Vec<f64> = x.iter().zip(random(60, 5)).map(|(x, e)| x.sin() + 0.3 * e).collect();
    let model = |by: f64| {
        let y = y.iter().map(|y| by * y).collect();
        train("rvm-regression", &[], &table(vec![x.clone(), y], Goal::Number)?)
    };
    let data = table(vec![x.clone(), y.clone()], Goal::Number)?;
    let predict = |model: &Model| -> Result<(Vec<f64>, Vec<f64>)> {
        let (mut mean, mut variance) = (vec![0.0; 60], vec![0.0; 60]);
        model.predict_into(data.features(), &mut mean, Some(&mut variance))?;
        Ok((mean, variance))
    };
    let plain = model(1.0)?;
    let (mean, variance) = predict(&plain)?;
    // Powers of 2 change nothing but the unit.
    for power in [-260, -40, 40, 150] {
        let by = 2_f64.powi(power);
        let scaled = model(by)?;
        let (means, variances) = predict(&scaled)?;
        assert!(mean.iter().zip(&means).all(|(a, b)| a * by == *b), "2^{power}");
        assert!(variance.iter().zip(&variances).all(|(a, b)| a * by * by == *b), "2^{power}");
        let evidence = |model: &Model| model.diagnostics().evidence.expect("a number");
        let expected = evidence(&plain) - 60.0 * by.ln();
        assert!((evidence(&scaled) - expected).abs() < 1e-6 * expected.abs());
        assert_eq!(Model::from_bytes(&scaled.to_bytes()?)?.to_bytes()?, scaled.to_bytes()?);
    }
    assert!(model(1e-120).unwrap_err().to_string().contains("spreads by"));
    Ok(())
}

#[test]
fn noise_and_kernels_beyond_all_numbers_are_refused_in_words() -> Result<()> {
    let data = table(vec![random(30, 3), random(30, 4)], Goal::Number)?;
    let refused = |settings: &[(&str, &str)]| {
        let Err(error) = train("rvm-regression", settings, &data) else { panic!("{settings:?}") };
        error.to_string()
    };
    assert!(refused(&[("noise", "1e-300")]).contains("the noise 1e-300"));
    let steep = [("kernel", "polynomial"), ("degree", "16"), ("width", "1e-10")];
    assert!(refused(&steep).contains("a polynomial of degree 16"));
    assert!(refused(&[("kernel", "columns"), ("scales", "learnt")]).contains("no scales"));
    Ok(())
}

/// Two inputs that matter and six that do not.
#[test]
fn scales_of_inputs_that_do_not_matter_shrink() -> Result<()> {
    let sample = |n: usize, seed: u64| {
        let mut columns: Vec<Vec<f64>> = (0..8).map(|j| random(n, seed + j)).collect();
        let noise = random(n, seed + 9);
        let y =
            |i: usize| (5.0 * columns[0][i]).sin() + 4.0 * columns[1][i].powi(2) + 0.2 * noise[i];
        columns.push((0..n).map(y).collect());
        table(columns, Goal::Number)
    };
    let (data, test) = (sample(150, 1)?, sample(300, 50)?);
    let truth = test.task()?.numbers()?;
    let likelihood = |model: &Model| -> Result<f64> {
        let (mut mean, mut variance) = (vec![0.0; 300], vec![0.0; 300]);
        model.predict_into(test.features(), &mut mean, Some(&mut variance))?;
        let log = |i: usize| -0.5 * (variance[i].ln() + (truth[i] - mean[i]).powi(2) / variance[i]);
        Ok((0..300).map(log).sum())
    };
    let shared = train("rvm-regression", &[("width", "4")], &data)?;
    let learnt = train("rvm-regression", &[("width", "4"), ("scales", "learnt")], &data)?;
    let (low, high) = (likelihood(&shared)?, likelihood(&learnt)?);
    assert!(high > low + 100.0, "{low} {high}");
    let scales = learnt.diagnostics().scales.expect("scales");
    let scale = |j: usize| scales[&format!("x{j}")];
    let least = scale(1).min(scale(2));
    assert!((3..9).all(|j| scale(j) < 0.3 * least), "{scales:?}");
    let explanation = learnt.explain(test.features(), 0)?;
    assert!(explanation.parts.iter().any(|part| part.because.contains("inputs are scaled: x1")));
    assert_eq!(
        Model::from_bytes(&learnt.to_bytes()?)?.predict(test.features())?,
        learnt.predict(test.features())?
    );
    Ok(())
}

#[test]
fn a_fit_from_a_model_ends_where_it_ended() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let data = open("ripley-synth:train");
    let (task, learner) = (data.task()?, Rvm::default().explore(false));
    let first = learner.clone().width(Width::Fixed(0.6)).fit(&task, &run)?.model;
    // The width is that of the model.
    let again = learner.fit_from(&first, &task, &run)?.model;
    assert_eq!(again.width(), 0.6);
    let (old, new) = (&first.sparse_sums()[0], &again.sparse_sums()[0]);
    assert_eq!(old.bases().collect::<Vec<_>>(), new.bases().collect::<Vec<_>>());
    assert!((old.evidence() - new.evidence()).abs() < 1e-3);
    let iris = open("iris");
    assert!(learner.fit_from(&first, &iris.task()?, &run).is_err());

    let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 6.0).collect();
    let y = x.iter().zip(random(60, 5)).map(|(x, e)| 7.0 * x.sin() + e).collect();
    let data = table(vec![x, y], Goal::Number)?;
    let (task, learner) = (data.task()?, RvmRegression::default().explore(false));
    let first = learner.clone().width(Width::Fixed(1.5)).fit(&task, &run)?.model;
    let again = learner.fit_from(&first, &task, &run)?.model;
    let (old, new) = (first.sparse_sum(), again.sparse_sum());
    assert_eq!(old.bases().collect::<Vec<_>>(), new.bases().collect::<Vec<_>>());
    assert!((old.evidence() - new.evidence()).abs() < 1e-3);
    Ok(())
}

#[test]
fn moderation_keeps_the_winner_of_several_classes() -> Result<()> {
    let iris = open("iris");
    for multi in ["softmax", "one-rest"] {
        let settings = [("multi", multi), ("width", "1"), ("moderate", "false")];
        let plain = train("rvm", &settings, &iris)?.proba(iris.features())?;
        let settings = [("multi", multi), ("width", "1"), ("moderate", "true")];
        let model = train("rvm", &settings, &iris)?;
        let moderate = model.proba(iris.features())?;
        assert!((0..150).all(|row| plain.best(row) == moderate.best(row)), "{multi}");
        let surer =
            |row: usize| plain.row(row)[plain.best(row)] - moderate.row(row)[plain.best(row)];
        assert!((0..150).all(|row| surer(row) > -1e-12) && surer(70) > 1e-4, "{multi}");
        // Every vector names the class it speaks for.
        let parts = model.explain(iris.features(), 3)?.parts;
        assert!(parts.iter().all(|part| part.because.starts_with('`')), "{parts:?}");
    }
    Ok(())
}
