//! What cannot be sampled is told, and what chains take while they run.

use super::*;

/// A classifier that is near enough now and then, but not `after` so many questions.
struct Fading(AtomicU64, u64);

impl Hard for Fading {
    fn parameters(&self) -> usize {
        1
    }

    fn totals(&self) -> [f64; 2] {
        [4.0, 4.0]
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        Ok(Box::new(FadingTrial(self)))
    }
}

struct FadingTrial<'a>(&'a Fading);

impl Trial for FadingTrial<'_> {
    fn call(&mut self, _: &[f64], _: Option<&[u32]>, within: Within<'_>) -> Result<Option<Wrong>> {
        let Fading(asked, after) = self.0;
        let missed = if asked.fetch_add(1, Ordering::Relaxed) < *after { 0.0 } else { 2.0 };
        let wrong = Wrong { missed, alarms: 0.0 };
        Ok(within(wrong).then_some(wrong))
    }

    fn keep(&mut self) {}
}

/// The best distance is that of the proposals in question, not of those that were near enough before.
#[test]
fn draws_that_run_dry_tell_how_many_there_were() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let with = Sampling { epsilon: 0.2, samples: 60, ..Sampling::default() };
    let run = Run::new(7, &stop, &pool);
    let said = |after: u64| {
        let hard = Fading(AtomicU64::new(0), after);
        rejection(&with, &hard, &priors(), 100, &run).unwrap_err().to_string()
    };
    let dry = said(2);
    assert!(dry.contains("2 of 3 samples in a row came within the distance 0.2000"), "{dry}");
    assert!(dry.contains("none in 100 proposals; the best distance of these is 0.5000"), "{dry}");
    let never = said(0);
    assert!(never.contains("no parameters came within") && never.contains("0.5000"), "{never}");
    Ok(())
}

#[test]
fn priors_of_another_number_than_there_are_parameters_are_told() {
    let hard = Threshold::new();
    let level = (Distance::Cost { c: 0.5 }, Target::Weight(1.0));
    let plan = plan(level, Proposal::Few, Approach::Anneal(5));
    let two = Priors::new([Prior::Flat; 2]).unwrap();
    let told = |error: Error| assert!(error.to_string().contains("2 priors do not fit"), "{error}");
    told(with_run(|run| plan.sample(&hard, &two, run)).unwrap_err());
    let with = Sampling { samples: 5, ..Sampling::default() };
    told(with_run(|run| rejection(&with, &hard, &two, 10, run)).unwrap_err());
    told(with_run(|run| sequential(&with, &hard, &two, 10, run)).unwrap_err());
    let none = Priors::new([]).unwrap();
    assert!(with_run(|run| plan.sample(&hard, &none, run)).is_err());
    let one = priors();
    assert!(crate::sample::Walk::new(&hard, &one, (level.0, Proposal::Few), vec![0.0; 2]).is_err());
}

#[test]
fn chains_whose_units_do_not_fit_into_memory_are_refused() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let with = AbcMlp::default().samples(19).chains(1).steps(2).lambda(4.0).width(4.0).sampling();
    let said = with_run(|run| {
        // 2 x 2 chains of 50 units on 1250 rows, 8 bytes each: 2 MB. The samples need a tenth.
        let run = Run { memory: 1_900_000, ..run.clone() };
        learn(Kind::Mlp(50), &with, &data.task().unwrap(), &run).map(|_| ()).unwrap_err()
    });
    assert!(said.to_string().contains("2 chains at a time of 50 units"), "{said}");
    Ok(())
}

/// States of a classifier are begun with as often as chains run at a time, not in every round.
#[test]
fn a_state_of_a_classifier_serves_many_chains() -> Result<()> {
    let hard = Counted(Threshold::new(), AtomicU64::new(0));
    let level = |c: f64| (Distance::Cost { c }, Target::Weight(2.0));
    let plan = plan(level(0.4), Proposal::Few, Approach::Anneal(50));
    let plan = Plan { levels: vec![level(0.4), level(0.6)], rounds: 100, segments: 5, ..plan };
    let chains = with_run(|run| plan.sample(&hard, &priors(), run))?;
    let begun = hard.1.load(Ordering::Relaxed);
    assert!((1..=2).contains(&begun), "{begun}");
    assert_eq!(with_run(|run| plan.sample(&hard.0, &priors(), run))?, chains);
    Ok(())
}

/// Counts how often it is begun with.
struct Counted(Threshold, AtomicU64);

impl Hard for Counted {
    fn parameters(&self) -> usize {
        1
    }

    fn totals(&self) -> [f64; 2] {
        self.0.totals()
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.start()
    }
}
