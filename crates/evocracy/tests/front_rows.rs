//! Fronts on rows that are left over, on none, and in no memory.

use evocracy::classify::Learner;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::error::Result;
use evocracy::front::{Admission, EvoLogistic, EvoRules, EvoRvm, EvoTree, Scheme};
use evocracy::method::Method;
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use rand::RngExt;

/// Rows of classes of these sizes, told apart by a number.
fn classes(sizes: &[u32]) -> Result<Dataset> {
    let mut rng = Seed::new(8).rng();
    let names = ["a", "b", "c"];
    let fields = vec![
        Field::number("x"),
        Field::number("y"),
        Field::nominal("class", names[..sizes.len()].iter().copied()),
    ];
    let class: Vec<u32> = (0..sizes.len() as u32)
        .flat_map(|class| std::iter::repeat_n(class, sizes[class as usize] as usize))
        .collect();
    let x = class.iter().map(|&c| f64::from(c) + rng.random_range(-0.9..0.9)).collect();
    let y = class.iter().map(|_| rng.random_range(-1.0..1.0)).collect();
    let columns = vec![Column::Number(x), Column::Number(y), Column::Nominal(class)];
    Dataset::new("classes", Table::new(Schema { fields }, columns)?, &Options::default())
}

/// Rows left over are judged, each as telling as one row: they are more than folds would be.
#[test]
fn rows_left_over_are_judged() -> Result<()> {
    let data = classes(&[700, 600])?;
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(1, &stop, &pool);
    let kernels = EvoRvm::default().rows(200).evaluations(20).most(3).folds(3);
    let columns = EvoLogistic::default().rows(200).evaluations(20).folds(3);
    let trees = EvoTree::default().rows(200).evaluations(16).folds(2);
    let rules = EvoRules::default().rows(200).evaluations(8).folds(2);
    let methods: [&dyn Method; 4] = [&kernels, &columns, &trees, &rules];
    for method in methods {
        let model = method.train(&data.task()?, &run)?.model;
        let points = model.front().expect("a front").points();
        let judged: f64 = points.judged().iter().sum();
        assert!((judged - 1100.0).abs() < 1e-6, "{}: {judged}", method.name());
        assert!(points.iter().all(|point| point.promised.len() == 2));
        // What is promised is what is counted on those rows.
        let best = points.iter().map(|p| p.promised[0].value - p.promised[1].value);
        assert!(best.fold(0.0, f64::max) > 0.4, "{}", method.name());
    }
    Ok(())
}

/// A rare class leaves too few rows to be judged on: then all classes are judged on folds, and
/// nobody loses its promise.
#[test]
fn a_rare_class_of_several_takes_no_promise() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(1, &stop, &pool);
    let learner = EvoRvm::default().rows(200).evaluations(20).most(3).folds(3);
    for (sizes, left) in [([800, 700, 40], false), ([800, 700, 300], true)] {
        let data = classes(&sizes)?;
        let model = Method::train(&learner, &data.task()?, &run)?.model;
        let points = model.front().expect("a front").points();
        assert_eq!(points.judged().len(), 4, "{sizes:?}");
        assert!(points.iter().all(|point| point.promised.len() == 4), "{sizes:?}");
        assert_eq!(points.judged()[0] > 1000.0, left, "{:?}", points.judged());
    }
    Ok(())
}

/// What would need more memory than there is for it is refused before it is taken.
#[test]
fn fronts_keep_to_their_memory() -> Result<()> {
    let two = Catalogue::embedded().open("pima", &Load::default())?;
    let three = classes(&[80, 80, 80])?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run { memory: 50_000, ..Run::new(1, &stop, &pool) };
    let small = || EvoRvm::default().evaluations(20).most(3).folds(3);
    for learner in [small(), small().scheme(Scheme::Base), small().centres(0)] {
        let error = Learner::fit(&learner, &two.task()?, &run).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("the limit is"), "{error}");
    }
    let run = Run { memory: 5_000, ..run };
    let error = Learner::fit(&small(), &three.task()?, &run).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("of all classes"), "{error}");
    Ok(())
}

/// A polynomial that overflows is refused by every scheme, with what to do.
#[test]
fn kernels_that_overflow_are_refused() -> Result<()> {
    use evocracy::kernel::{Kernel, Width};
    let data = classes(&[40, 40])?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    for scheme in [Scheme::Base, Scheme::Soft] {
        let learner = EvoRvm::default()
            .scheme(scheme)
            .kernel(Kernel::Polynomial)
            .width(Width::Fixed(1e-100))
            .iterations(20)
            .evaluations(20);
        let error = Method::train(&learner, &data.task()?, &run).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("a polynomial of degree"), "{scheme:?}: {error}");
        assert!(error.help().is_some());
    }
    Ok(())
}

#[test]
fn points_are_not_judged_on_no_rows() -> Result<()> {
    let data = classes(&[60, 60])?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let learner = EvoLogistic::default().evaluations(20).folds(3);
    let model = Method::train(&learner, &data.task()?, &Run::new(1, &stop, &pool))?.model;
    let error = model.point_rates(data.features().with_rows(&[]), &[]).unwrap_err();
    assert!(error.to_string().contains("no rows"), "{error}");
    Ok(())
}

/// A tree of one leaf says the same of all rows: what it promises has no interval.
#[test]
fn a_tree_of_one_leaf_promises_exactly() -> Result<()> {
    let mut rng = Seed::new(9).rng();
    let fields = vec![Field::number("x"), Field::nominal("class", ["no", "yes"])];
    let class: Vec<u32> = (0..120).map(|row| u32::from(row % 3 == 0)).collect();
    let x = class.iter().map(|_| rng.random::<f64>()).collect();
    let columns = vec![Column::Number(x), Column::Nominal(class)];
    let data = Dataset::new("noise", Table::new(Schema { fields }, columns)?, &Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let learner = EvoTree::default().evaluations(24).folds(3);
    let model = Method::train(&learner, &data.task()?, &Run::new(1, &stop, &pool))?.model;
    let points = model.front().expect("a front").points();
    let leaf: Vec<_> = points.iter().filter(|point| point.complexity == 1.0).collect();
    assert!(!leaf.is_empty());
    for point in leaf {
        for promise in &point.promised {
            let interval = promise.interval;
            assert_eq!((interval.low, interval.high), (promise.value, promise.value), "{point:?}");
        }
    }
    Ok(())
}

/// Wherever a stop comes there is a front, or an error that says there is none.
#[test]
fn a_stop_leaves_a_front_or_says_so() -> Result<()> {
    let data = classes(&[40, 40])?;
    let pool = Pool::new(1)?;
    let small = || EvoRvm::default().evaluations(60).most(4).folds(3).iterations(60);
    let methods = [
        small().admission(Admission::Likely),
        small().scheme(Scheme::Swap),
        small().scheme(Scheme::Shuffle),
        // The width is given, so that a search of few looks is all there is.
        small().scheme(Scheme::Dominance).width(evocracy::kernel::Width::Fixed(1.0)),
    ];
    for learner in methods {
        let mut interrupted = 0;
        for looks in (0..14).map(|power| 1_u32 << power).chain([3, 12, 20, 40]) {
            let stop = Stop::after(looks);
            match Method::train(&learner, &data.task()?, &Run::new(1, &stop, &pool)) {
                Ok(fitted) => {
                    interrupted += u32::from(fitted.stop == StopReason::Interrupted);
                    let front = fitted.model.front().expect("a front").points();
                    assert!(!front.is_empty());
                    // Once it was raised next to nothing more is done.
                    assert!(stop.looks_after() < 60, "{looks}: {}", stop.looks_after());
                }
                Err(error) => {
                    assert!(matches!(error, evocracy::error::Error::Stopped), "{looks}: {error}");
                }
            }
        }
        assert!(interrupted > 0, "{learner:?}");
    }
    Ok(())
}
