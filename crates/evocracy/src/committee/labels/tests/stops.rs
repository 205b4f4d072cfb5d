//! What a stop leaves: what was finished, and nothing that is not what it is said to be.

use super::*;
use crate::committee::labels::trials::Trials;
use crate::error::Error;
use crate::run::StopReason;

/// Whenever the stop comes, `auto` ends with a way that was tried and fitted whole, or with the
/// simplest one.
#[test]
fn auto_keeps_what_was_finished() -> Result<()> {
    let said = Said::draw(45, &[0.8, 0.6], 41);
    let pool = Pool::new(1)?;
    let method = make("labels-auto", &[("folds".to_owned(), "2".to_owned())])?;
    let (mut kept, mut measured, mut finished) = (false, 0, false);
    let mut looks = 1.0_f64;
    while !finished {
        let stop = Stop::after(looks as u32);
        match method.train(&said.task(), &Run::new(1, &stop, &pool)) {
            Err(Error::Stopped) => assert!(!kept, "{looks}: what was finished before is lost"),
            Err(error) => return Err(error),
            Ok(fitted) => {
                kept = true;
                sound(&fitted.model, &said);
                finished = fitted.stop == StopReason::Finished;
                let report = labels(&fitted.model).report();
                let counted = ["labels-naive", "labels-weighted"].contains(&report.way.as_str());
                assert!(finished || counted || stop.looks_after() < 20, "{looks}: {}", report.way);
                if let Some(best) = report.compared.first() {
                    assert_eq!(best.way, report.way, "{looks}");
                    measured += usize::from(!finished);
                }
            }
        }
        looks = (looks * 1.15).ceil();
    }
    assert!(measured > 2, "{measured}");
    Ok(())
}

/// What each expert adds is not measured after a stop, which loses nothing else.
#[test]
fn what_experts_add_looks_at_the_stop() -> Result<()> {
    let said = Said::draw(90, &[0.8, 0.6, 0.7], 42);
    let (experts, rows) = parts(&said);
    let inputs = said.table.schema().clone();
    let names =
        Names { experts: &experts, inputs: &inputs, classes: &said.classes, target: "truth" };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let trials = Trials::new(&said.task(), 3, &run)?.expect("enough rows");
    let (tried, failed) = trials.of(&[Way::Naive], &names, 1.0, &run);
    assert!(failed.is_empty());
    assert!(trials.adds(&tried[0], 0, &stop)? > 0.0);
    stop.request();
    assert!(matches!(trials.adds(&tried[0], 0, &stop), Err(Error::Stopped)));
    let law = Way::Naive.fit(&names, &rows, 1.0, &run)?;
    // A row more is not looked at where very many have been.
    assert!(law.probabilities(&experts, &rows, None, &stop).is_ok());
    Ok(())
}
