//! Tests of committees of averaged trees, from the inside.

use super::*;
use crate::classify::{Classifier, Importances, Proba, Saved};
use crate::committee::flat_trees::PackedTree;
use crate::data::{Classes, Column, Dataset, Field, MISSING, Options, Schema, Table};
use crate::run::{Pool, Seed, Stop, StopReason};
use rand::RngExt;

/// A signal, noise and a nominal column with gaps, two or three classes.
fn data(rows: usize, classes: u32, seed: u64) -> Dataset {
    let mut rng = Seed::new(seed).rng();
    let (mut signal, mut noise, mut colour, mut class) = (vec![], vec![], vec![], vec![]);
    for _ in 0..rows {
        let kind = rng.random_range(0..classes);
        class.push(kind);
        let value = f64::from(kind) + rng.random_range(-0.8..0.8);
        signal.push(if rng.random_bool(0.05) { f64::NAN } else { value });
        noise.push(rng.random_range(-1.0..1.0));
        let level = if rng.random_bool(0.5) { kind } else { rng.random_range(0..4) };
        colour.push(if rng.random_bool(0.05) { MISSING } else { level });
    }
    let fields = vec![
        Field::number("signal"),
        Field::number("noise"),
        Field::nominal("colour", ["a", "b", "c", "d"]),
        Field::nominal("class", (0..classes).map(|c| format!("k{c}"))),
    ];
    let columns = vec![
        Column::Number(signal),
        Column::Number(noise),
        Column::Nominal(colour),
        Column::Nominal(class),
    ];
    let table = Table::new(Schema { fields }, columns).unwrap();
    Dataset::new("made", table, &Options::default()).unwrap()
}

fn with_run<T>(threads: usize, work: impl FnOnce(&Run<'_>) -> T) -> T {
    let (stop, pool) = (Stop::new(), Pool::new(threads).unwrap());
    work(&Run::new(7, &stop, &pool))
}

/// The share of rows that a model calls wrongly.
fn error(model: &ForestModel, data: &Dataset) -> f64 {
    let mut out = Proba::new();
    model.proba_into(data.features(), &mut out).unwrap();
    let codes = data.codes().unwrap();
    let wrong = (0..codes.len()).filter(|&row| out.best(row) != codes[row] as usize);
    wrong.count() as f64 / codes.len() as f64
}

#[test]
fn out_of_bag_errors_are_honest() {
    for classes in [2, 3] {
        let (train, test) = (data(600, classes, 1), data(4000, classes, 2));
        let forest = Forest::default().trees(60);
        let (fitted, rows) =
            with_run(2, |run| forest.fit_out_of_bag(&train.task().unwrap(), run)).unwrap();
        let (model, rows) = (fitted.model, rows.unwrap());
        let figures = model.out_of_bag().unwrap();
        assert_eq!(rows.figures, Some(figures));
        assert_eq!(figures.rows, 600, "60 trees leave no row out of all bags");
        // Training rows are known by heart; out of bag they are as hard as new ones.
        assert!(error(&model, &train) < 0.02);
        let honest = error(&model, &test);
        assert!((figures.error - honest).abs() < 0.05, "{} is not {honest}", figures.error);
        // The curve ends at the figures, lower than it begins.
        let curve = model.learning_curve();
        let sizes: Vec<usize> = curve.iter().map(|point| point.members).collect();
        assert_eq!(sizes, [1, 2, 5, 10, 20, 50, 60]);
        assert!((curve[6].error - figures.error).abs() < 1e-12);
        assert!(curve[0].error > curve[6].error + 0.02, "{curve:?}");
        // Each row is out of a bag of as many rows with a chance of 1/e.
        let mean = rows.trees.iter().sum::<u32>() as f64 / 600.0 / 60.0;
        assert!((mean - (-1.0_f64).exp()).abs() < 0.01, "{mean}");
        for row in 0..600 {
            assert!((rows.proba.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

/// With one tree, rows in the bag have no out-of-bag word, and what the others have is the
/// tree's own word.
#[test]
fn only_trees_that_did_not_see_a_row_speak_of_it() {
    let train = data(200, 2, 3);
    let forest = Forest::default().trees(1);
    let (fitted, rows) =
        with_run(1, |run| forest.fit_out_of_bag(&train.task().unwrap(), run)).unwrap();
    let rows = rows.unwrap();
    let mut out = Proba::new();
    fitted.model.proba_into(train.features(), &mut out).unwrap();
    let codes = train.codes().unwrap();
    let mut unseen = 0;
    for (row, &code) in codes.iter().enumerate() {
        if rows.trees[row] == 0 {
            assert_eq!(rows.proba.row(row), [0.0, 0.0]);
            // A full tree knows the rows of its sample.
            assert_eq!(out.best(row), code as usize);
        } else {
            assert_eq!(rows.proba.row(row), out.row(row));
            unseen += 1;
        }
    }
    assert_eq!(fitted.model.out_of_bag().unwrap().rows, unseen);
    assert!((50..100).contains(&unseen), "{unseen}");
}

#[test]
fn noise_is_of_no_importance() {
    let train = data(1500, 2, 5);
    let forest = Forest::default().trees(50).importance(Importance::Permutation);
    let fit = |threads| with_run(threads, |run| forest.fit(&train.task().unwrap(), run)).unwrap();
    let model = fit(1).model;
    let losses = model.permutation_importance().unwrap();
    assert!(losses[0] > 0.1 && losses[2] > 0.01, "{losses:?}");
    assert!(losses[1].abs() < 0.02, "{losses:?}");
    assert!((model.impurity_importance().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(fit(8).model, model, "threads must not matter");
    let shown = model.diagnostics(&Schema { fields: train.features().fields().cloned().collect() });
    let Some(Importances::Trees(shown)) = shown.importance else { panic!("of trees") };
    assert_eq!((shown[1].column.as_str(), shown[1].permutation), ("noise", Some(losses[1])));
}

#[test]
fn all_kinds_learn_and_survive_their_file() {
    let (train, test) = (data(500, 3, 8), data(2000, 3, 9));
    let task = train.task().unwrap();
    let inputs = Schema { fields: train.features().fields().cloned().collect() };
    let models = with_run(2, |run| {
        [
            Forest::default().trees(30).fit(&task, run).unwrap().model,
            ExtraTrees::default().trees(30).fit(&task, run).unwrap().model,
            ExtraTrees::default().trees(30).bootstrap(true).fit(&task, run).unwrap().model,
            RandomTrees::default().trees(30).best(2).fit(&task, run).unwrap().model,
            Bag::default().members(30).fit(&task, run).unwrap().model,
            Forest::default().trees(30).smoothing(1.0).leaf(3.0).fit(&task, run).unwrap().model,
        ]
    });
    for (kind, model) in models.iter().enumerate() {
        assert!(error(model, &test) < 0.3, "kind {kind}: {}", error(model, &test));
        let bytes = rmp_serde::to_vec_named(model).unwrap();
        let loaded: ForestModel = rmp_serde::from_slice(&bytes).unwrap();
        assert_eq!(&loaded, model);
        loaded.check(&inputs).unwrap();
        assert_eq!(model.size()[0], ("trees", 30));
        assert_eq!(model.out_of_bag().is_some(), ![1, 3].contains(&kind), "kind {kind}");
    }
    // Every tree of a committee without samples is full: it knows all rows.
    assert!(error(&models[1], &train) < 0.01 && error(&models[3], &train) < 0.01);
    assert_ne!(models[0], models[4]);
}

#[test]
fn random_trees_take_the_best_split_where_there_is_one_choice() {
    let train = data(300, 2, 11);
    let task = train.task().unwrap();
    with_run(1, |run| {
        let first = |best: usize| -> Vec<usize> {
            let trees = RandomTrees::default().trees(12).best(best);
            let model = trees.fit(&task, run).unwrap().model;
            model.flat.trees().iter().map(PackedTree::first_column).collect()
        };
        assert_eq!(first(1), [0; 12]);
        for (best, taken) in [(2, vec![0, 2]), (3, vec![0, 1, 2])] {
            let mut columns = first(best);
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns, taken);
        }
    });
}

#[test]
fn forged_files_are_refused() {
    let train = data(100, 2, 12);
    let inputs = Schema { fields: train.features().fields().cloned().collect() };
    let forest = Forest::default().trees(3);
    let model = with_run(1, |run| forest.fit(&train.task().unwrap(), run)).unwrap().model;
    let value = serde_json::to_value(&model).unwrap();
    let refused = |path: &str, new: serde_json::Value| {
        let mut forged = value.clone();
        *forged.pointer_mut(path).expect(path) = new;
        match serde_json::from_value::<ForestModel>(forged) {
            Ok(model) => model.check(&inputs).is_err(),
            Err(_) => true,
        }
    };
    let trees = "/grove/trees";
    assert!(refused(&format!("{trees}/next/0"), 0.into()), "a walk without end");
    assert!(refused(&format!("{trees}/next/0"), 1_000_000.into()));
    assert!(refused(&format!("{trees}/mark/0"), 400.into()), "a column that is not there");
    assert!(refused(&format!("{trees}/sizes/0/0"), 1.into()));
    assert!(refused(&format!("{trees}/value/0"), serde_json::Value::Null));
    assert!(refused("/impurity", serde_json::json!([1.0])));
    assert!(refused("/curve/0/error", serde_json::json!(1.5)));
    assert!(refused("/grove/votes", serde_json::json!([1.0])));
    assert!(refused("/grove/columns", serde_json::json!([null, null, null])));
    assert!(!refused("/out_of_bag", serde_json::Value::Null));
    let flipped = |mark: u64| {
        (0..value["grove"]["trees"]["mark"].as_array().unwrap().len()).all(|i| {
            let old = value["grove"]["trees"]["mark"][i].as_u64().unwrap();
            old == u64::from(u32::MAX) || refused(&format!("{trees}/mark/{i}"), (old ^ mark).into())
        })
    };
    assert!(flipped(2), "a nominal split of numbers, or the other way round");
}

/// Stopping keeps the trees that were done; which these are depends on when it came.
#[test]
fn stopping_keeps_the_trees_so_far() {
    let train = data(3000, 2, 13);
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let run = Run::new(1, &stop, &pool);
    let result = std::thread::scope(|scope| {
        let watch = run.watch.clone();
        let stop = &stop;
        scope.spawn(move || {
            let trees = || watch.snapshot().children.first().map_or(0, |task| task.done);
            while trees() < 2 {
                std::thread::yield_now();
            }
            stop.request();
        });
        Forest::default().trees(100_000).fit(&train.task().unwrap(), &run)
    });
    let fitted = result.unwrap();
    assert_eq!(fitted.stop, StopReason::Interrupted);
    let trees = fitted.model.size()[0].1;
    assert!((1..100_000).contains(&trees), "{trees}");
    assert!(fitted.model.out_of_bag().is_some());
}

#[test]
fn a_bag_of_one_class_makes_a_tree_of_one_leaf() {
    let schema = Schema { fields: vec![Field::number("x")] };
    let table = Table::new(schema, vec![Column::Number(vec![0.0, 1.0])]).unwrap();
    let classes = Classes::new(vec!["no".into(), "yes".into()]).unwrap();
    let target = crate::data::Target::Class { codes: &[0, 1], classes: &classes };
    let task = Task::new(table.view(), "y", target, None).unwrap();
    let model = with_run(1, |run| Bag::default().members(40).fit(&task, run)).unwrap().model;
    let leaves: Vec<usize> = model.flat.trees().iter().map(PackedTree::leaves).collect();
    assert!(leaves.contains(&1) && leaves.contains(&2), "{leaves:?}");
}
