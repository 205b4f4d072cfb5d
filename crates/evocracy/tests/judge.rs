//! Judging: any method under any protocol, what is kept of it, and what goes on after a kill.

use evocracy::classify::{Decision, Fitted};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Encoding, Field, Options, Schema, Table, Task};
use evocracy::error::{Error, Result};
use evocracy::judge::{Figures, Judged, Protocol, Report, Splits, out_of_sample, remark, train};
use evocracy::method::{Method, make};
use evocracy::model::Model;
use evocracy::run::{MemoryStore, Pool, Run, Seed, Shelf, Stop, StopReason};
use std::sync::atomic::{AtomicUsize, Ordering};

fn open(name: &str) -> Dataset {
    Catalogue::embedded().open(name, &Load::default()).expect(name)
}

fn folds(folds: usize, repeats: usize) -> Protocol {
    Protocol::Folds { folds, repeats, groups: None }
}

/// A tree that counts its trainings and may raise the stop flag after some of them.
struct Counting<'a> {
    trained: AtomicUsize,
    stop_after: usize,
    stop: &'a Stop,
}

impl<'a> Counting<'a> {
    fn new(stop: &'a Stop, stop_after: usize) -> Self {
        Self { trained: AtomicUsize::new(0), stop_after, stop }
    }

    fn count(&self) -> usize {
        self.trained.load(Ordering::Relaxed)
    }
}

impl Method for Counting<'_> {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        if self.trained.fetch_add(1, Ordering::Relaxed) + 1 > self.stop_after {
            self.stop.request();
            return Err(Error::Stopped);
        }
        make("tree", &[])?.train_encoded(encoding, task, run)
    }
}

#[test]
fn every_row_is_judged_by_a_model_that_did_not_learn_from_it() -> Result<()> {
    let data = open("iris");
    let (stop, task) = (Stop::new(), data.task()?);
    let splits = folds(5, 2).splits(&data, Seed::new(3))?;
    let method = make("naive-bayes", &[])?;
    let judge = |threads| {
        let pool = Pool::new(threads)?;
        out_of_sample(method.as_ref(), &task, &splits, false, &Run::new(1, &stop, &pool))
    };
    let trial = judge(1)?;
    assert_eq!((trial.stop, trial.folds(), trial.judged.rows()), (StopReason::Finished, 10, 300));
    let said = trial.judged.classes().expect("classes");
    assert_eq!(said.proba, judge(8)?.judged.classes().expect("classes").proba);
    // Fold by fold the same as training by hand.
    let pool = Pool::new(1)?;
    let mut at = 0;
    for fold in 0..splits.len() {
        let split = splits.get(fold);
        let run = Run::new(1, &stop, &pool).child("fold", fold as u64);
        let model = method.train(&task.with_rows(&split.train), &run)?.model;
        let proba = model.proba(data.features().with_rows(&split.test))?;
        for (i, &row) in split.test.iter().enumerate() {
            let place = trial.judged.places[at];
            assert_eq!(
                (place.row, place.fold, place.repeat),
                (row, fold as u32 % 5, fold as u32 / 5)
            );
            assert_eq!(said.row(at), proba.row(i));
            at += 1;
        }
    }
    Ok(())
}

#[test]
fn repeats_do_not_make_rows_more() -> Result<()> {
    let data = open("pima");
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let figures = |repeats| {
        let splits = folds(4, repeats).splits(&data, Seed::new(1))?;
        let run = Run::new(1, &stop, &pool);
        let method = make("naive-bayes", &[])?;
        let trial = out_of_sample(method.as_ref(), &data.task()?, &splits, false, &run)?;
        let Figures::Classes(judged) = trial.judged.figures()? else { panic!("classes") };
        Ok::<_, Error>(judged)
    };
    let (one, four) = (figures(1)?, figures(4)?);
    assert_eq!((one.rows, four.rows), (532, 532));
    assert_eq!(four.confusion.total(), 532.0);
    let width = |interval: evocracy::measure::Interval| interval.high - interval.low;
    let (narrow, wide) = (width(four.accuracy_interval), width(one.accuracy_interval));
    assert!((narrow / wide - 1.0).abs() < 0.05, "{narrow} {wide}");
    let (narrow, wide) = (width(four.auc_interval.unwrap()), width(one.auc_interval.unwrap()));
    assert!((narrow / wide - 1.0).abs() < 0.05, "{narrow} {wide}");
    Ok(())
}

#[test]
fn numbers_are_judged_and_a_class_of_one_row_is_no_obstacle() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(1, &stop, &pool);
    let sinc = Catalogue::embedded().open("gen:sinc:rows=60", &Load::default())?;
    let splits = Protocol::LeaveOneOut.splits(&sinc, Seed::new(1))?;
    let trial = out_of_sample(make("ridge", &[])?.as_ref(), &sinc.task()?, &splits, false, &run)?;
    let Figures::Numbers(figures) = trial.judged.figures()? else { panic!("numbers") };
    assert_eq!(figures.rows, 60);
    // Two rows of one class and one of another: without it, one class is all there is.
    let iris = open("iris").part("three", &[0, 1, 60])?;
    let splits = Protocol::LeaveOneOut.splits(&iris, Seed::new(1))?;
    let trial = out_of_sample(make("stump", &[])?.as_ref(), &iris.task()?, &splits, false, &run)?;
    assert_eq!(trial.judged.classes().expect("classes").row(2), [1.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn stopping_keeps_the_folds_that_are_done() -> Result<()> {
    let data = open("iris");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let splits = folds(5, 1).splits(&data, Seed::new(1))?;
    let method = Counting::new(&stop, 3);
    let run = Run::new(1, &stop, &pool);
    let trial = out_of_sample(&method, &data.task()?, &splits, false, &run)?;
    assert_eq!((trial.stop, trial.folds()), (StopReason::Interrupted, 3));
    // Nothing at all is no result.
    let method = Counting::new(&stop, 0);
    let none = out_of_sample(&method, &data.task()?, &splits, false, &run);
    assert!(matches!(none, Err(Error::Stopped)));
    Ok(())
}

#[test]
fn finished_folds_are_not_computed_again() -> Result<()> {
    let data = open("iris");
    let (pool, task) = (Pool::new(1)?, data.task()?);
    let splits = folds(5, 1).splits(&data, Seed::new(1))?;
    let store = MemoryStore::default();
    let judge = |stop: &Stop, method: &Counting<'_>, identity: &str| {
        let run = Run { shelf: Shelf::new(&store, identity), ..Run::new(1, stop, &pool) };
        out_of_sample(method, &task, &splits, false, &run)
    };
    let stop = Stop::new();
    let first = Counting::new(&stop, 3);
    assert_eq!(judge(&stop, &first, "iris tree")?.folds(), 3);
    let stop = Stop::new();
    let second = Counting::new(&stop, usize::MAX);
    let resumed = judge(&stop, &second, "iris tree")?;
    assert_eq!((resumed.folds(), second.count(), store.counts()), (5, 2, (3, 5)));
    // As if it had never been interrupted; and other data do not find these parts.
    let third = Counting::new(&stop, usize::MAX);
    let whole = judge(&stop, &third, "other")?;
    assert_eq!(third.count(), 5);
    let proba = |judged: &Judged| judged.classes().expect("classes").proba.clone();
    assert_eq!(proba(&resumed.judged), proba(&whole.judged));
    Ok(())
}

#[test]
fn a_training_is_known_by_its_rows_targets_and_weights() -> Result<()> {
    let data = open("iris");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let store = MemoryStore::default();
    let run = Run { shelf: Shelf::new(&store, "x"), ..Run::new(1, &stop, &pool) };
    let method = Counting::new(&stop, usize::MAX);
    let (some, others): (Vec<u32>, Vec<u32>) = ((0..120).collect(), (20..140).collect());
    let task = data.task()?;
    let first = train(&method, &task.with_rows(&some), &run)?.model;
    train(&method, &task.with_rows(&others), &run)?;
    assert_eq!(method.count(), 2);
    let again = train(&method, &task.with_rows(&some), &run)?.model;
    assert_eq!(method.count(), 2);
    assert_eq!(first.to_bytes()?, again.to_bytes()?);
    Ok(())
}

#[test]
fn a_decision_is_saved_and_heeded() -> Result<()> {
    let data = open("pima");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let plain = make("naive-bayes", &[])?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model;
    let bytes = plain.to_bytes()?;
    let eager = plain.clone().with_decision(Decision::threshold(0.1))?;
    let loaded = Model::from_bytes(&eager.to_bytes()?)?;
    assert_eq!(loaded.decision(), eager.decision());
    assert_ne!(loaded.to_bytes()?, bytes);
    assert_eq!(loaded.with_decision(Decision::default())?.to_bytes()?, bytes);
    let judge = |model: &Model| {
        let judged = Judged::task(model, &data.task()?, false)?;
        let report = Report::new(model, "pima", Protocol::usual(&data), None, Some(&judged))?;
        Ok::<_, Error>((judged, report))
    };
    let ((_, plain), (judged, eager)) = (judge(&plain)?, judge(&eager)?);
    let figures = |report: &Report| report.test.as_ref().unwrap().classes().unwrap().clone();
    assert_eq!(figures(&plain).auc, figures(&eager).auc);
    assert!(figures(&eager).confusion.tpr(1) > figures(&plain).confusion.tpr(1));
    // The calls lie on the curve, where the threshold is.
    let scores = judged.scores().remove(0);
    let (fpr, tpr) = scores.called.expect("two classes");
    assert_eq!(Some(tpr), figures(&eager).confusion.tpr(1));
    assert_eq!(Some(fpr), figures(&eager).confusion.fpr(1));
    assert!(model_refuses_nonsense(&data)?);
    Ok(())
}

fn model_refuses_nonsense(data: &Dataset) -> Result<bool> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let model = make("stump", &[])?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model;
    Ok(model.with_decision(Decision::threshold(f64::NAN)).is_err())
}

#[test]
fn operating_points_are_read_from_the_judged_rows() -> Result<()> {
    let data = open("pima");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let split = data.published[0].clone();
    let task = data.task()?;
    let run = Run::new(1, &stop, &pool);
    let model = make("logistic", &[])?.train(&task.with_rows(&split.train), &run)?.model;
    let judged = Judged::task(&model, &task.with_rows(&split.test), false)?;
    let report = Report::new(&model, "pima", Protocol::usual(&data), None, Some(&judged))?;
    let caps: Vec<f64> = report.operating_points.iter().map(|point| point.max_fpr).collect();
    assert_eq!(caps, [0.01, 0.05, 0.1, 0.2]);
    let scores = judged.scores().remove(0);
    for capped in &report.operating_points {
        let (point, threshold) = (&capped.point, capped.point.threshold.expect("a threshold"));
        let called = |positive: bool| {
            let rows = scores.truth.iter().zip(&scores.scores);
            let own = rows.filter(|(truth, _)| **truth == positive);
            let (all, above) = own.fold((0.0, 0.0), |(all, above), (_, score)| {
                (all + 1.0, above + f64::from(u8::from(*score >= threshold)))
            });
            above / all
        };
        assert!(
            (called(true) - point.tpr).abs() < 1e-12 && (called(false) - point.fpr).abs() < 1e-12
        );
        assert!(point.fpr <= capped.max_fpr && point.tpr_interval.low <= point.tpr);
        let people = point.per_1000;
        let all = people.true_positives + people.false_positives + people.false_negatives;
        assert!((all + people.true_negatives - 1000.0).abs() < 1e-9);
    }
    Ok(())
}

#[test]
fn rows_that_come_twice_are_remarked() {
    let data = open("iris");
    let train: Vec<u32> = (0..150).collect();
    let remark = remark::repeated_rows(&data, &train, &[3, 4]).expect("the same rows");
    assert_eq!(remark.text, "2 of the 2 test rows equal a training row");
    let twins = remark::twin_rows(&data, None).expect("iris has equal rows");
    assert!(twins.text.starts_with("2 of the 150 rows"), "{}", twins.text);
    assert!(remark::repeated_rows(&data, &train[..50], &train[100..]).is_none());
    assert!(Splits::given(Vec::new(), 1).is_empty());
    assert!(remark::compares_rows(&data));
}

#[test]
fn that_rows_were_not_compared_is_known() -> Result<()> {
    let rows = 10_000_001;
    let fields = vec![Field::number("x"), Field::nominal("class", ["a", "b"])];
    let codes = (0..rows).map(|row| u32::from(row % 2 == 0)).collect();
    let columns = vec![Column::Number(vec![1.0; rows]), Column::Nominal(codes)];
    let data = Dataset::new("long", Table::new(Schema { fields }, columns)?, &Options::default())?;
    // All rows come twice, and nothing is remarked.
    assert!(remark::repeated_rows(&data, &[0, 1], &[2, 3]).is_none());
    assert!(!remark::compares_rows(&data));
    Ok(())
}

#[test]
fn a_repeat_that_was_interrupted_does_not_count_beside_whole_ones() -> Result<()> {
    let data = open("iris");
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let splits = folds(3, 2).splits(&data, Seed::new(1))?;
    let run = Run::new(1, &stop, &pool);
    let whole = out_of_sample(make("stump", &[])?.as_ref(), &data.task()?, &splits, false, &run)?;
    let without = |lost: &dyn Fn(u32, u32) -> bool| {
        let (said, places) = (whole.judged.classes().expect("classes"), &whole.judged.places);
        let kept: Vec<usize> =
            (0..places.len()).filter(|&at| !lost(places[at].repeat, places[at].fold)).collect();
        let mut part = whole.judged.clone();
        part.places = kept.iter().map(|&at| places[at]).collect();
        part.said = evocracy::judge::Said::Classes(evocracy::judge::SaidClasses {
            classes: said.classes.clone(),
            labels: kept.iter().map(|&at| said.labels[at]).collect(),
            proba: kept.iter().flat_map(|&at| said.row(at).to_vec()).collect(),
            calls: kept.iter().map(|&at| said.calls[at]).collect(),
        });
        part
    };
    // Most of the first repeat is missing, or all of it.
    for lost in [1, 0] {
        let part = without(&|repeat, fold| repeat == 0 && fold >= lost);
        assert_eq!((part.figures()?.rows(), part.scores().len()), (150, 3));
    }
    assert_eq!(without(&|_, fold| fold != 1).figures()?.rows(), 50);
    Ok(())
}

#[test]
fn protocols_refuse_what_they_cannot_do() {
    let data = open("iris");
    for repeats in [0, 1001, usize::MAX] {
        let refused = folds(3, repeats).splits(&data, Seed::new(1)).unwrap_err();
        assert!(refused.to_string().contains("repeats"), "{refused}");
    }
    assert!(folds(151, 1).splits(&data, Seed::new(1)).is_err());
    let unknown = Protocol::Folds { folds: 3, repeats: 1, groups: Some("nobody".into()) };
    assert!(unknown.splits(&data, Seed::new(1)).is_err());
}
