//! The error of real methods taken apart.

use crate::common::{self, open};
use evocracy::classify::Fitted;
use evocracy::committee::bias_variance::{BiasVariance, Sets, bias_variance};
use evocracy::data::{Dataset, Encoding, Task, holdout};
use evocracy::error::{Error, Result};
use evocracy::measure::{Confusion, brier};
use evocracy::method::{Method, make};
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use std::sync::atomic::{AtomicUsize, Ordering};

fn decompose(
    data: &Dataset,
    method: &str,
    settings: &[(&str, &str)],
    sets: Sets,
    threads: usize,
) -> Result<BiasVariance> {
    let split = holdout(data.table().rows(), data.codes(), 0.3, Seed::new(1))?;
    let task = data.task()?;
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    let run = Run::new(7, &stop, &pool);
    let method = make(method, &common::settings(settings))?;
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    bias_variance(&*method, &train, &test, sets, &run)
}

fn sums(found: &BiasVariance) {
    let one = found.zero_one.unwrap();
    let domingos = one.bias + one.unbiased_variance - one.biased_variance;
    assert!((domingos - one.loss).abs() < 1e-12);
    assert!((one.kohavi_wolpert.bias + one.kohavi_wolpert.variance - one.loss).abs() < 1e-12);
    assert!((found.squared.bias + found.squared.variance - found.squared.loss).abs() < 1e-12);
    assert!(one.variance >= one.unbiased_variance + one.biased_variance - 1e-12);
}

#[test]
fn terms_sum_to_the_loss_for_two_and_three_classes() {
    for (name, method) in [("wdbc", "tree"), ("iris", "tree"), ("iris", "naive-bayes")] {
        let data = open(name);
        for sets in [Sets::Bootstrap(12), Sets::Disjoint(4)] {
            let found = decompose(&data, method, &[], sets, 1).unwrap();
            assert_eq!(found.stop, StopReason::Finished);
            sums(&found);
            let one = found.zero_one.unwrap();
            if name == "wdbc" {
                assert!((one.unbiased_variance + one.biased_variance - one.variance).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let data = open("wdbc");
    for sets in [Sets::Bootstrap(11), Sets::Disjoint(5)] {
        let one = decompose(&data, "tree", &[], sets, 1).unwrap();
        for threads in [2, 3, 8] {
            assert_eq!(decompose(&data, "tree", &[], sets, threads).unwrap(), one);
        }
    }
}

#[test]
fn stumps_are_more_biased_than_trees_and_naive_bayes_varies_less() {
    let data = open("wdbc");
    let of = |method: &str, settings: &[(&str, &str)]| {
        decompose(&data, method, settings, Sets::Bootstrap(30), 2).unwrap().squared
    };
    let (stump, tree) = (of("tree", &[("depth", "1")]), of("tree", &[]));
    assert!(stump.bias > tree.bias, "{stump:?} {tree:?}");
    let bayes = of("naive-bayes", &[]);
    assert!(bayes.variance < tree.variance / 2.0, "{bayes:?} {tree:?}");
}

#[test]
fn the_loss_is_the_mean_loss_of_the_models() {
    // The same training sets, drawn and judged one by one.
    let data = open("iris");
    let found = decompose(&data, "naive-bayes", &[], Sets::Disjoint(3), 1).unwrap();
    let split = holdout(data.table().rows(), data.codes(), 0.3, Seed::new(1)).unwrap();
    let task = data.task().unwrap();
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(7, &stop, &pool);
    let labels = train.labels().unwrap().1;
    let seed = run.seed.child("bias-variance", 0);
    let folds = evocracy::data::folds(labels.len(), Some(&labels), 3, seed).unwrap();
    let (mut error, mut score) = (0.0, 0.0);
    for fold in folds {
        let rows: Vec<u32> = fold.test.iter().map(|&r| split.train[r as usize]).collect();
        let method = make("naive-bayes", &[]).unwrap();
        let model = method.train(&task.with_rows(&rows), &run).unwrap().model;
        let proba = model.proba(test.features).unwrap();
        let truth = test.labels().unwrap().1;
        let called: Vec<u32> = (0..proba.rows()).map(|row| proba.best(row) as u32).collect();
        error += Confusion::new(&truth, &called, 3, None).unwrap().error() / 3.0;
        score += brier(&truth, proba.values(), 3, None).unwrap() / 3.0;
    }
    assert!((found.zero_one.unwrap().loss - error).abs() < 1e-12);
    assert!((found.squared.loss - score).abs() < 1e-12);
}

/// A tree that asks everyone to stop once it has been trained often enough.
struct Tired<'a> {
    tree: Box<dyn Method>,
    trained: AtomicUsize,
    stop: &'a Stop,
}

impl Method for Tired<'_> {
    fn name(&self) -> &str {
        self.tree.name()
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let fitted = self.tree.train_encoded(encoding, task, run);
        if self.trained.fetch_add(1, Ordering::Relaxed) == 2 {
            self.stop.request();
        }
        fitted
    }
}

#[test]
fn stopping_keeps_what_was_done() {
    let data = open("iris");
    let task = data.task().unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let tree = make("tree", &[]).unwrap();
    let tired = Tired { tree, trained: AtomicUsize::new(0), stop: &stop };
    let run = Run::new(1, &stop, &pool);
    let found = bias_variance(&tired, &task, &task, Sets::Bootstrap(9), &run).unwrap();
    assert_eq!((found.sets, found.stop), (3, StopReason::Interrupted));
    sums(&found);
}

#[test]
fn stopped_and_impossible_work_says_so() {
    let data = open("iris");
    let task = data.task().unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let tree = make("tree", &[]).unwrap();
    let of = |sets| bias_variance(&*tree, &task, &task, sets, &run);
    assert!(of(Sets::Bootstrap(1)).is_err() && of(Sets::Disjoint(151)).is_err());
    let none = task.with_rows(&[]);
    assert!(bias_variance(&*tree, &task, &none, Sets::Bootstrap(2), &run).is_err());
    assert!(bias_variance(&*tree, &none, &task, Sets::Bootstrap(2), &run).is_err());
    stop.request();
    assert!(matches!(of(Sets::Bootstrap(5)), Err(Error::Stopped)));
}
