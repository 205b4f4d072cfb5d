//! Every method can be stopped at any moment: a flag that is raised after so many looks stands for
//! Ctrl-C at a random one, whatever the machine.

use super::{answers, methods, mixed_for};
use evocracy::error::{Error, Result};
use evocracy::judge::Judged;
use evocracy::method::{make, registry};
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use rand::RngExt;

/// The moments, in looks at the flag; each is drawn from below.
const MOMENTS: [u32; 4] = [3, 20, 150, 1500];
/// How often the flag may be looked at once it is raised: every part of the work that is still to
/// begin looks once and ends.
const MOST_LOOKS: u64 = 3000;

/// A method that never looks would pass every test of what it does after a stop. Nothing around a
/// method looks in its place, and none is too fast to do so.
#[test]
fn every_method_looks_at_the_stop() -> Result<()> {
    let pool = Pool::new(1)?;
    for entry in registry() {
        let method = make(entry.name, &[])?;
        let data = mixed_for(method.as_ref(), 1200, 3);
        let stop = Stop::after(0);
        // What comes of it is held by the next test.
        let _ = method.train(&data.task()?, &Run::new(1, &stop, &pool));
        assert!(stop.looks_after() > 0, "{} never looks", entry.name);
    }
    Ok(())
}

#[test]
fn every_method_ends_soon_after_a_stop_at_any_moment() -> Result<()> {
    let pool = Pool::new(1)?;
    for (number, entry) in registry().iter().enumerate() {
        // As they are used: small settings would be done before the later moments.
        let method = make(entry.name, &[])?;
        let data = mixed_for(method.as_ref(), 1200, 3);
        let mut rng = Seed::new(20).child("stop", number as u64).rng();
        for most in MOMENTS {
            let looks = rng.random_range(0..most);
            let stop = Stop::after(looks);
            let fitted = method.train(&data.task()?, &Run::new(1, &stop, &pool));
            let name = format!("{} stopped after {looks} looks", entry.name);
            assert!(stop.looks_after() <= MOST_LOOKS, "{name}: {}", stop.looks_after());
            match fitted {
                // Done before the flag was raised, or with what it had.
                Ok(fitted) => {
                    let done = stop.looks_after() == 0;
                    assert!(!done || fitted.stop == StopReason::Finished, "{name}");
                    let rows: Vec<u32> = (0..40).collect();
                    let said = answers(&fitted.model, data.features().with_rows(&rows))?;
                    assert!(said.iter().all(|value| value.is_finite()), "{name}");
                    if done {
                        break;
                    }
                }
                Err(error) => assert!(matches!(error, Error::Stopped), "{name}: {error}"),
            }
        }
    }
    Ok(())
}

#[test]
fn rows_are_judged_in_parts_as_they_are_at_once_and_judging_can_be_stopped() -> Result<()> {
    let pool = Pool::new(2)?;
    for method in methods() {
        let data = mixed_for(method.as_ref(), 130, 5);
        let task = data.task()?;
        let never = Stop::new();
        let model = method.train(&task, &Run::new(1, &never, &pool))?.model;
        let whole = answers(&model, data.features())?;
        let ids: Vec<u32> = (0..130).collect();
        let parts = ids.chunks(16).map(|ids| answers(&model, data.features().with_rows(ids)));
        let parts: Vec<f64> = parts.collect::<Result<Vec<_>>>()?.concat();
        assert_eq!(parts, whole, "{}", method.name());
        let judged = Judged::task_in(&model, &task, true, &Run::new(1, &never, &pool))?;
        let at_once = Judged::task(&model, &task, true)?;
        assert_eq!(format!("{judged:?}"), format!("{at_once:?}"), "{}", method.name());
        let stop = Stop::after(0);
        let stopped = Judged::task_in(&model, &task, true, &Run::new(1, &stop, &pool));
        assert!(matches!(stopped, Err(Error::Stopped)), "{}", method.name());
    }
    Ok(())
}
