//! Fronts: members that share what they can, points with promises, one file.

mod pairs;

use evocracy::classify::{Call, Fitted, Learner};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Field, Input, Options, Schema, Table, Task};
use evocracy::error::Result;
use evocracy::front::{FrontModel, FrontPoints};
use evocracy::method::{Method, make};
use evocracy::model::{Chunk, Model, read_frame, write_frame};
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use pairs::{Pairs, point};
use rand::RngExt;
use serde_json::Value;
use std::collections::BTreeSet;

fn front(data: &Dataset, machines: usize) -> Result<Model> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    Ok(Pairs::default().machines(machines).train(&data.task()?, &run)?.model)
}

fn pima() -> Dataset {
    Catalogue::embedded().open("pima", &Load::default()).expect("pima")
}

#[test]
fn every_point_is_a_classifier_with_its_own_threshold() -> Result<()> {
    let data = pima();
    let model = front(&data, 6)?;
    let front = model.front().expect("a front");
    assert_eq!((front.points().len(), front.chosen()), (6, 0));
    for at in 0..6 {
        let chosen = model.clone().at_point(at)?;
        let proba = chosen.proba(data.features())?;
        let threshold = front.points().get(at).threshold.expect("a threshold");
        assert_eq!(chosen.decision().call, Call::Threshold(threshold));
        for row in (0..proba.rows()).step_by(50) {
            let p = proba.row(row);
            assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
            assert_eq!(chosen.call(p)?, usize::from(p[1] >= threshold));
            let rebuilt = chosen.explain(data.features(), row)?.rebuild();
            assert!((rebuilt[1] - p[1]).abs() < 1e-12);
        }
        if at > 0 {
            assert_ne!(proba, model.proba(data.features())?);
        }
    }
    assert!(model.clone().at_point(6).is_err());
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let tree = make("tree", &[])?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model;
    assert!(tree.front().is_none() && tree.at_point(0).is_err());
    Ok(())
}

#[test]
fn a_front_is_saved_whole_and_answers_by_the_point_it_was_saved_with() -> Result<()> {
    let data = pima();
    let model = front(&data, 5)?.at_point(3)?;
    let loaded = Model::from_bytes(&model.to_bytes()?)?;
    assert_eq!(loaded.to_bytes()?, model.to_bytes()?);
    let (old, new) = (model.front().expect("a front"), loaded.front().expect("a front"));
    assert_eq!((new.chosen(), new.points()), (3, old.points()));
    assert_eq!(loaded.proba(data.features())?, model.proba(data.features())?);
    assert_eq!(loaded.decision(), model.decision());
    Ok(())
}

#[test]
fn models_of_any_kind_can_be_members() -> Result<()> {
    let data = pima();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let train = |name: &str| Ok(make(name, &[])?.train(&data.task()?, &run)?.model);
    let members: Vec<Model> = vec![train("stump")?, train("tree")?, train("bag:stump")?];
    let mut points = FrontPoints::of_rates("tests", 0.95);
    for member in [2, 0, 1] {
        points.push(&point(member, None))?;
    }
    let classes = members[0].classes()?.clone();
    let core = FrontModel::of_models(classes.clone(), members.clone(), points.clone(), 1)?;
    let model = Given::with(core).train(&data.task()?, &run)?.model;
    let loaded = Model::from_bytes(&model.to_bytes()?)?;
    assert_eq!(loaded.proba(data.features())?, members[0].proba(data.features())?);
    let other = loaded.at_point(0)?;
    assert_eq!(other.proba(data.features())?, members[2].proba(data.features())?);
    assert_eq!(other.to_bytes()?, Model::from_bytes(&other.to_bytes()?)?.to_bytes()?);
    // A point without its member, and a member of other classes.
    let few = members[..2].to_vec();
    assert!(FrontModel::of_models(classes.clone(), few, points.clone(), 1).is_err());
    let iris = Catalogue::embedded().open("iris", &Load::default())?;
    let stranger = make("stump", &[])?.train(&iris.task()?, &run)?.model;
    let mixed = vec![members[0].clone(), stranger, members[2].clone()];
    assert!(FrontModel::of_models(classes, mixed, points, 1).is_err());
    Ok(())
}

evocracy::params! {
    /// A front that was put together elsewhere, as a method.
    pub struct Given as "given" {
        /// the bytes of the front's classes and points, of no use here
        note: String = String::new(), ..;
    }
}

thread_local! {
    /// Parameters are text; the front itself goes beside them.
    static CORE: std::cell::RefCell<Option<FrontModel>> = const { std::cell::RefCell::new(None) };
}

impl Given {
    fn with(core: FrontModel) -> Self {
        CORE.set(Some(core));
        Self::default()
    }
}

impl Learner for Given {
    type Model = FrontModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, _task: &Task<'_>, _run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        let model = CORE.take().expect("a front");
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

#[test]
fn forged_fronts_are_refused() -> Result<()> {
    let bytes = front(&pima(), 4)?.to_bytes()?;
    let forged = |edit: &dyn Fn(&mut Value)| {
        let chunks = read_frame(&bytes).expect("a frame");
        let mut value: Value = rmp_serde::from_slice(chunks[0].payload).expect("MessagePack");
        edit(&mut value["core"]);
        let payload = rmp_serde::to_vec_named(&value).expect("MessagePack");
        let chunk = Chunk { payload: &payload, ..chunks[0].clone() };
        Model::from_bytes(&write_frame(&[chunk]))
    };
    assert!(forged(&|_| ()).is_ok());
    let edits: [&dyn Fn(&mut Value); 12] = [
        &|core| core["chosen"] = 4.into(),
        &|core| core["points"]["member"][1] = 4.into(),
        &|core| core["points"]["level"] = 1.5.into(),
        &|core| core["points"]["complexity"][0] = (-1.0).into(),
        &|core| core["points"]["promised"][1] = 2.0.into(),
        &|core| core["points"]["objectives"] = Value::Array(Vec::new()),
        &|core| core["points"]["training"].as_array_mut().unwrap().truncate(3),
        &|core| core["sums"]["terms"][0] = 100_000.into(),
        &|core| core["sums"]["starts"][1] = 100_000.into(),
        &|core| core["sums"]["centres"].as_array_mut().unwrap().truncate(10),
        &|core| core["sums"]["inputs"] = 3.into(),
        &|core| core["sums"] = Value::Null,
    ];
    for (at, edit) in edits.iter().enumerate() {
        assert!(forged(edit).is_err(), "edit {at} was accepted");
    }
    Ok(())
}

/// Thousands of small machines on as many columns as a microarray has.
#[test]
fn a_front_of_thousands_on_thousands_of_columns_is_small() -> Result<()> {
    const ROWS: usize = 72;
    const COLUMNS: usize = 7129;
    let mut rng = Seed::new(1).rng();
    let mut fields: Vec<Field> =
        (0..COLUMNS).map(|at| Field::number(format!("gene {at:05} at"))).collect();
    fields.push(Field::nominal("class", ["ALL", "AML"]));
    let mut columns: Vec<Column> = (0..COLUMNS)
        .map(|_| Column::Number((0..ROWS).map(|_| rng.random_range(-500.0..5000.0)).collect()))
        .collect();
    columns.push(Column::Nominal((0..ROWS as u32).map(|row| u32::from(row >= 47)).collect()));
    let table = Table::new(Schema { fields }, columns)?;
    let data = Dataset::new("genes", table, &Options::default())?;
    let model = front(&data, 5000)?;
    let bytes = model.to_bytes()?;
    assert!(bytes.len() < 20_000_000, "{} bytes", bytes.len());
    let loaded = Model::from_bytes(&bytes)?.at_point(4999)?;
    assert_eq!(loaded.front().expect("a front").points().len(), 5000);
    let proba = loaded.proba(data.features())?;
    assert_eq!(proba, model.at_point(4999)?.proba(data.features())?);
    Ok(())
}

/// What a search of the thesis counted is what its points do, though it drives log-odds to nearly 0.
#[test]
fn points_of_the_thesis_do_what_was_counted() -> Result<()> {
    use evocracy::front::{Complexity, EvoRvm, Scheme};
    use evocracy::kernel::Width;
    let data = pima();
    let codes = data.codes().expect("classes");
    let classes = data.classes().expect("classes");
    let positive: Vec<bool> =
        codes.iter().map(|&code| code as usize == classes.positive()).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    for (scheme, complexity) in [
        (Scheme::Base, Complexity::Alpha),
        (Scheme::Base, Complexity::Vectors),
        (Scheme::Swap, Complexity::Alpha),
        (Scheme::Shuffle, Complexity::Alpha),
        (Scheme::Stratified, Complexity::Alpha),
        (Scheme::Homogeneous, Complexity::Alpha),
        (Scheme::Dominance, Complexity::Alpha),
        (Scheme::Nsga2, Complexity::Vectors),
    ] {
        let learner = EvoRvm::default().scheme(scheme).complexity(complexity).iterations(400);
        let learner = learner.population(30).generations(20);
        let learner = learner.width(Width::Fixed(0.5));
        let model = learner.train(&data.task()?, &Run::new(2, &stop, &pool))?.model;
        let points = model.front().expect("a front").points();
        let counted = model.point_rates(data.features(), &positive)?;
        for (point, rates) in points.iter().zip(counted) {
            let apart: f64 = point.training.iter().zip(rates).map(|(a, b)| (a - b).abs()).sum();
            assert!(apart < 1e-9, "{scheme:?} {complexity:?}: {point:?} {rates:?}");
        }
    }
    Ok(())
}

/// A class so rare that the search takes all its rows: folds are judged, not the rows left over.
#[test]
fn a_rare_class_is_judged_by_folds() -> Result<()> {
    use evocracy::front::EvoLogistic;
    let mut rng = Seed::new(3).rng();
    let rows = 2000;
    let fields = vec![Field::number("x"), Field::nominal("class", ["no", "yes"])];
    let class: Vec<u32> = (0..rows).map(|row| u32::from(row % 500 == 0)).collect();
    let x = class.iter().map(|&c| f64::from(c) + rng.random_range(-0.5..0.9)).collect();
    let columns = vec![Column::Number(x), Column::Nominal(class)];
    let data = Dataset::new("rare", Table::new(Schema { fields }, columns)?, &Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let learner = EvoLogistic::default().rows(500).evaluations(20);
    let model = learner.train(&data.task()?, &Run::new(1, &stop, &pool))?.model;
    let points = model.front().expect("a front").points();
    // Four rows of folds, each less telling than a row apart.
    assert!(points.judged()[0] < 4.0 && points.judged()[0] > 2.0);
    let prior = points.prior().expect("a share");
    assert!((prior - 0.002).abs() < 1e-12, "{prior}");
    Ok(())
}

/// Whether a point is beaten by another: no better in any figure or in complexity.
fn beaten(points: &FrontPoints, at: usize, traded: std::ops::Range<usize>) -> bool {
    let costs = |at: usize| -> Vec<f64> {
        let cost = |objective: usize| {
            let sign = if points.objectives()[objective].higher_is_better { -1.0 } else { 1.0 };
            sign * points.training(at, objective)
        };
        traded.clone().map(cost).chain([points.complexity(at)]).collect()
    };
    let own = costs(at);
    (0..points.len()).any(|other| {
        let other = costs(other);
        other != own && other.iter().zip(&own).all(|(a, b)| a <= b)
    })
}

/// Points of the default scheme do not beat each other, and do what was counted of them.
#[test]
fn points_of_soft_do_what_was_counted() -> Result<()> {
    use evocracy::front::{Admission, EvoRvm};
    let data = pima();
    let codes = data.codes().expect("classes");
    let classes = data.classes().expect("classes");
    let positive: Vec<bool> =
        codes.iter().map(|&code| code as usize == classes.positive()).collect();
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    for admission in [Admission::Expected, Admission::Counted, Admission::Likely] {
        let learner = EvoRvm::default().admission(admission).evaluations(100).most(8).folds(3);
        let model = learner.train(&data.task()?, &Run::new(4, &stop, &pool))?.model;
        let front = model.front().expect("a front");
        let points = front.points();
        assert!(points.len() > 20, "{admission:?}: {}", points.len());
        let others = (0..points.len()).filter(|at| *at != front.chosen());
        let count = others.filter(|at| beaten(points, *at, 0..2)).count();
        match admission {
            Admission::Likely => assert!(count > 0),
            _ => assert_eq!(count, 0, "{admission:?}"),
        }
        if admission != Admission::Expected {
            let counted = model.point_rates(data.features(), &positive)?;
            for (point, rates) in points.iter().zip(counted) {
                let apart: f64 = point.training.iter().zip(rates).map(|(a, b)| (a - b).abs()).sum();
                assert!(apart < 1e-9, "{admission:?}: {point:?} {rates:?}");
            }
        }
    }
    Ok(())
}

/// Points of trees, of lists of rules and of columns do not beat each other; those of trees and lists
/// do what was counted. (Columns join by what a reference expects, which a test beside it counts.)
#[test]
fn points_of_other_families_do_what_was_counted() -> Result<()> {
    use evocracy::front::{EvoLogistic, EvoRules, EvoTree};
    let data = pima();
    let codes = data.codes().expect("classes");
    let classes = data.classes().expect("classes");
    let positive: Vec<bool> =
        codes.iter().map(|&code| code as usize == classes.positive()).collect();
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let methods: [(&dyn Method, bool); 3] = [
        (&EvoTree::default().evaluations(24).folds(2), true),
        (&EvoRules::default().evaluations(12).folds(2), true),
        (&EvoLogistic::default().evaluations(60).most(5).folds(3), false),
    ];
    for (method, counts) in methods {
        let model = method.train(&data.task()?, &Run::new(6, &stop, &pool))?.model;
        let front = model.front().expect("a front");
        let points = front.points();
        let members: BTreeSet<usize> = points.iter().map(|point| point.member).collect();
        assert!(points.len() > 3 && members.len() > 1, "{}: {}", method.name(), points.len());
        let others = (0..points.len()).filter(|at| *at != front.chosen());
        assert_eq!(others.filter(|at| beaten(points, *at, 0..2)).count(), 0, "{}", method.name());
        let counted = model.point_rates(data.features(), &positive)?;
        for (point, rates) in points.iter().zip(counted) {
            let apart: f64 = point.training.iter().zip(rates).map(|(a, b)| (a - b).abs()).sum();
            assert!(!counts || apart < 1e-9, "{}: {point:?} {rates:?}", method.name());
        }
    }
    Ok(())
}

/// A point that calls nothing or everything does so on any rows: its promise has no interval.
#[test]
fn what_calls_all_rows_alike_promises_that_exactly() -> Result<()> {
    use evocracy::front::EvoRvm;
    let data = pima();
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let learner = EvoRvm::default().evaluations(60).most(4).folds(3);
    let model = learner.train(&data.task()?, &Run::new(7, &stop, &pool))?.model;
    let points = model.front().expect("a front").points();
    let mut seen = [0; 3];
    for (at, point) in points.iter().enumerate() {
        let least = point.threshold.expect("a threshold");
        let ends = |at: usize| {
            let interval = point.promised[at].interval;
            (interval.low, point.promised[at].value, interval.high)
        };
        let rate = match least {
            _ if least.is_infinite() => 0.0,
            _ if least <= 0.0 => 1.0,
            _ => {
                seen[2] += 1;
                assert!(point.complexity == 0.0 || ends(0).0 < ends(0).2, "{point:?}");
                continue;
            }
        };
        seen[usize::from(rate > 0.0)] += 1;
        assert_eq!([ends(0), ends(1)], [(rate, rate, rate); 2]);
        let predicted = points.predicted(at, 0, 50.0)?.expect("a promise");
        assert_eq!((predicted.low, predicted.high), (rate, rate));
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    Ok(())
}

/// Three classes: weights trade how much of each is missed.
#[test]
fn three_classes_trade_what_they_miss() -> Result<()> {
    use evocracy::front::{EvoRvm, EvoTree};
    let data = Catalogue::embedded().open("iris", &Load::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(2, &stop, &pool);
    let soft = EvoRvm::default().evaluations(80).most(6).folds(3);
    let trees = EvoTree::default().evaluations(16).folds(2);
    for model in [soft.train(&data.task()?, &run)?.model, trees.train(&data.task()?, &run)?.model] {
        let front = model.front().expect("a front");
        let points = front.points();
        let names: Vec<&str> = points.objectives().iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["error", "missed setosa", "missed versicolor", "missed virginica"]);
        assert!(points.len() > 1 && points.judged().len() == 4, "{}", points.len());
        let others = (0..points.len()).filter(|at| *at != front.chosen());
        assert_eq!(others.filter(|at| beaten(points, *at, 1..4)).count(), 0);
        let codes = data.codes().expect("classes");
        for at in 0..points.len() {
            let model = model.clone().at_point(at)?;
            let proba = model.proba(data.features())?;
            let (mut missed, mut all) = ([0.0; 3], [0.0; 3]);
            for (row, &code) in codes.iter().enumerate() {
                all[code as usize] += 1.0;
                if model.call(proba.row(row))? != code as usize {
                    missed[code as usize] += 1.0;
                }
            }
            for class in 0..3 {
                let apart = missed[class] / all[class] - points.training(at, class + 1);
                assert!(apart.abs() < 1e-9, "point {at}, class {class}");
            }
        }
        assert!(model.point_rates(data.features(), &[true; 150]).is_err());
        let loaded = Model::from_bytes(&model.to_bytes()?)?;
        assert_eq!(loaded.front().expect("a front").points(), points);
    }
    Ok(())
}

#[test]
fn an_average_of_members_is_added_and_answers() -> Result<()> {
    use evocracy::front::EvoRvm;
    let data = pima();
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(2, &stop, &pool);
    let plain = EvoRvm::default().evaluations(100).most(10).folds(3);
    let averaged = plain.clone().average(0.2).train(&data.task()?, &run)?.model;
    let plain = plain.train(&data.task()?, &run)?.model;
    let members = |model: &Model| model.core().size()[1];
    assert_eq!(members(&averaged).1, members(&plain).1 + 1);
    let front = averaged.front().expect("a front");
    let point = front.points().get(front.chosen());
    assert_eq!(point.member as u64 + 1, members(&averaged).1);
    assert_eq!(point.complexity, front.vectors() as f64);
    assert!(front.vectors() >= 10 && !point.promised.is_empty());
    // Its log-odds are the mean of those of the members it is made of: it lies between them.
    let proba = averaged.proba(data.features())?;
    let rebuilt = averaged.explain(data.features(), 7)?.rebuild();
    assert!((rebuilt[1] - proba.row(7)[1]).abs() < 1e-12);
    Ok(())
}

/// Columns that say nothing of the class, many more than rows.
fn noise(rows: usize, columns: usize) -> Result<Dataset> {
    let mut rng = Seed::new(11).rng();
    let mut fields: Vec<Field> =
        (0..columns).map(|at| Field::number(format!("x{at:03}"))).collect();
    fields.push(Field::nominal("class", ["no", "yes"]));
    let mut numbers: Vec<Column> = (0..columns)
        .map(|_| Column::Number((0..rows).map(|_| rng.random_range(-1.0..1.0)).collect()))
        .collect();
    numbers.push(Column::Nominal((0..rows as u32).map(|row| row % 2).collect()));
    Dataset::new("noise", Table::new(Schema { fields }, numbers)?, &Options::default())
}

/// On noise a front promises no more than chance, and refuses cuts that were made by the labels:
/// with these it would promise what it has seen.
#[test]
fn noise_promises_nothing() -> Result<()> {
    use evocracy::data::Encoding;
    use evocracy::front::{EvoLogistic, EvoRules, EvoRvm, EvoTree};
    let data = noise(60, 400)?;
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(5, &stop, &pool);
    let kernels = EvoRvm::default().evaluations(40).most(4).folds(3);
    let columns = EvoLogistic::default().evaluations(40).most(4).folds(3);
    let methods: [&dyn Method; 4] = [&kernels, &columns, &EvoTree::default(), &EvoRules::default()];
    for method in methods {
        let error = method.train_encoded(Encoding::Mdl, &data.task()?, &run).unwrap_err();
        assert!(error.to_string().contains("reads the labels"), "{error}");
        assert!(error.help().is_some());
    }
    // Trees and rules look at every column for every model.
    let few = noise(60, 40)?;
    let trees = EvoTree::default().evaluations(16).folds(2);
    let rules = EvoRules::default().evaluations(8).folds(2);
    let methods: [(&dyn Method, &Dataset); 4] =
        [(&kernels, &data), (&columns, &data), (&trees, &few), (&rules, &few)];
    for (method, data) in methods {
        let model = method.train(&data.task()?, &run)?.model;
        // The greatest difference of two empirical distributions of 30 rows each is above 0.6 with
        // a probability of about exp(-2 * 15 * 0.36) = 2e-5 for a member (Smirnov 1939); cuts by the
        // labels of all rows gave 0.73.
        for point in model.front().expect("a front").points().iter() {
            let gain = point.promised[0].value - point.promised[1].value;
            assert!(gain < 0.6, "{}: {point:?}", method.name());
        }
    }
    Ok(())
}

/// The same seed gives the same front on one thread and on eight.
#[test]
fn threads_do_not_change_a_front() -> Result<()> {
    use evocracy::front::{Admission, EvoRvm, EvoTree, Scheme};
    let data = pima();
    let (stop, one, eight) = (Stop::new(), Pool::new(1)?, Pool::new(8)?);
    let small = || EvoRvm::default().evaluations(60).most(6).folds(3).iterations(60);
    let methods: [&dyn Method; 5] = [
        &small().average(0.3).admission(Admission::Likely),
        &small().repeats(2).wider(0.5),
        &small().scheme(Scheme::Base),
        &small().scheme(Scheme::Nsga2).population(12).generations(5),
        &EvoTree::default().evaluations(16).folds(2),
    ];
    for method in methods {
        let bytes = |pool: &Pool| -> Result<Vec<u8>> {
            method.train(&data.task()?, &Run::new(9, &stop, pool))?.model.to_bytes()
        };
        assert_eq!(bytes(&one)?, bytes(&eight)?);
    }
    Ok(())
}

/// Rows of which the first two are of a class of their own.
fn with_a_rare_class(classes: &[&str], common: u32) -> Result<Dataset> {
    let mut rng = Seed::new(6).rng();
    let fields = vec![Field::number("x"), Field::nominal("class", classes.iter().copied())];
    let of = |row: u32| if row < 2 { 0 } else { 1 + row % common };
    let class: Vec<u32> = (0..40).map(of).collect();
    let x = class.iter().map(|&c| f64::from(c) + rng.random_range(-0.9..0.9)).collect();
    let columns = vec![Column::Number(x), Column::Nominal(class)];
    Dataset::new("rare", Table::new(Schema { fields }, columns)?, &Options::default())
}

/// A class of two rows takes the promise from nobody, and one without rows is not counted on.
#[test]
fn rare_classes_do_not_take_the_promise() -> Result<()> {
    use evocracy::front::{EvoLogistic, EvoRvm};
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let kernels = EvoRvm::default().evaluations(20).most(3).folds(2);
    let columns = EvoLogistic::default().evaluations(20);
    let methods: [&dyn Method; 2] = [&kernels, &columns];
    for method in methods {
        for (classes, common, rows, figures) in [
            (&["a", "b"][..], 1, 40, 2),
            (&["a", "b", "c"], 2, 40, 4),
            // Odd rows left out, two of the three classes are there.
            (&["a", "b", "c"], 2, 0, 1),
            (&["a", "b", "c", "d"], 3, 40, 1),
        ] {
            let data = with_a_rare_class(classes, common)?;
            let task = data.task()?;
            let some: Vec<u32> =
                (0..40).filter(|&row| row < rows || row % 2 == 0 || row < 2).collect();
            let model = method.train(&task.with_rows(&some), &run)?.model;
            let points = model.front().expect("a front").points();
            assert_eq!(points.judged().len(), figures, "{classes:?} {rows}");
            assert!(points.iter().all(|point| point.promised.len() == figures));
            let proba = model.proba(data.features())?;
            assert!((0..40).all(|row| proba.row(row).iter().all(|p| p.is_finite())));
        }
    }
    Ok(())
}
