//! The driver of the evolution engine: what is saved, what is cached, what fails, when it ends.

use evocracy::error::{Error, Result};
use evocracy::evolve::vary::{
    Adapt, BitFlip, Chance, Copy, Discrete, Gauss, Mask, Nothing, Polynomial, Replace, Sbx,
};
use evocracy::evolve::{
    BitString, Bits, Code, Domain, Evolution, Goal, Maximise, Minimise, Penalty, Problem, Reals,
    Reject, Repair, Scale, ScorePoints, Select, Sharing, Single, Space, State, Stepped, Stepping,
    Survive, Until,
};
use evocracy::run::{Pool, Run, Seed, Stop, StopReason};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicUsize, Ordering};

const N: usize = 40;

fn bits() -> impl Space<Genome = BitString> + Clone {
    Bits::new(N).vary(Chance { p: 0.8, of: Mask::DOUBLE }, BitFlip::new(1.0 / N as f64))
}

fn ones(genome: &BitString) -> f64 {
    genome.count_ones() as f64
}

/// Runs a search without a break and one that is saved and loaded after every generation.
fn same_bytes<S, T, Q>(space: &S, strategy: &T, problem: &Q) -> Result<()>
where
    S: Space<Genome: Serialize + DeserializeOwned> + Clone,
    T: evocracy::evolve::Strategy<S> + Clone + Serialize + DeserializeOwned,
    Q: Problem<S::Genome, Phenotype: Serialize + DeserializeOwned>,
{
    let (stop, pool, wide) = (Stop::new(), Pool::new(1)?, Pool::new(8)?);
    let fresh = || {
        Evolution::<S, T, Q::Phenotype>::new(space.clone(), strategy.clone(), problem.goals(), 5)?
            .cache(30)
    };
    let mut whole = fresh()?;
    whole.run(problem, &Until::Generations(12), &Run::new(1, &stop, &pool))?;
    let mut saved = fresh()?.state().to_bytes()?;
    for generation in 0..=12 {
        let state = State::<S::Genome, T, Q::Phenotype>::from_bytes(&saved)?;
        let mut part = Evolution::resume(space.clone(), state)?;
        // What was asked for and not told is not part of what is saved.
        part.ask()?;
        let until = Until::Generations(generation);
        part.run(problem, &until, &Run::new(1, &stop, &wide))?;
        part.ask()?;
        saved = part.state().to_bytes()?;
    }
    assert!(saved == whole.state().to_bytes()?);
    Ok(())
}

#[test]
fn saved_and_continued_on_eight_threads_is_uninterrupted_on_one() -> Result<()> {
    let strategies = [
        Single::new(10).select(Select::Universal),
        Single::new(11).select(Select::Rank).survive(Survive::Generational { elite: 3 }),
        Single::plus(5, 7),
        Single::comma(5, 15),
        Single::new(10).children(3).survive(Survive::Steady),
        Single::new(10).select(Select::Shuffle).survive(Survive::Crowding),
        Single::new(10).select(Select::Roulette).share(Sharing::within(12.0)),
        Single::new(10).select(Select::Duel(0.8)).share(Sharing::within(12.0)),
    ];
    for strategy in strategies {
        same_bytes(&bits(), &strategy, &Maximise(ones))?;
        same_bytes(&bits(), &strategy, &Noisy)?;
    }
    let space = Stepping::new(Reals::cube(3, -5.0, 5.0), 0.1).vary(Discrete, Adapt);
    let sphere = Minimise(|x: &Stepped| x.values.iter().map(|x| x * x).sum());
    same_bytes(&space, &Single::comma(3, 21), &sphere)
}

/// Scores with noise, and remembers how many ancestors a genome has.
struct Noisy;

impl Problem<BitString> for Noisy {
    type Phenotype = u64;

    fn goals(&self) -> &[Goal] {
        &[Goal::Maximise]
    }

    fn score(
        &self,
        genome: &BitString,
        parent: Option<&u64>,
        seed: Seed,
        out: &mut ScorePoints,
    ) -> Result<u64> {
        out.push(&[ones(genome) + (seed.value() % 1000) as f64 / 1000.0])?;
        Ok(parent.map_or(0, |ancestors| ancestors + 1))
    }
}

#[test]
fn a_child_starts_from_what_its_parent_grew_into() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let strategy = Single::new(6).survive(Survive::Generational { elite: 0 });
    let mut search = Evolution::new(bits(), strategy, Noisy.goals(), 1)?;
    search.run(&Noisy, &Until::Generations(9), &Run::new(1, &stop, &pool))?;
    assert_eq!(search.state().phenotypes(), [Some(9); 6]);
    Ok(())
}

#[test]
fn asking_and_telling_is_running() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let fresh = || Evolution::new(bits(), Single::new(9), &[Goal::Maximise], 3);
    let (mut told, mut run) = (fresh()?, fresh()?);
    run.run(&Maximise(ones), &Until::Generations(20), &Run::new(1, &stop, &pool))?;
    for turn in 0..=20 {
        let scores: Vec<f64> = told.ask()?.iter().map(ones).collect();
        if turn % 2 == 0 {
            told.tell(&scores)?;
        } else {
            let points = scores.iter().map(|score| {
                let mut points = ScorePoints::new(1);
                points.push(&[*score])?;
                Ok(points)
            });
            told.tell_points(&points.collect::<Result<Vec<ScorePoints>>>()?)?;
        }
    }
    let population = |state: &State<BitString, Single, ()>| {
        let members = state.members();
        (members.genomes.to_vec(), members.costs.to_vec(), state.log().to_vec())
    };
    assert_eq!(population(told.state()), population(run.state()));
    assert!(told.tell(&[]).is_err() && told.tell(&[1.0; 8]).is_err());
    Ok(())
}

#[test]
fn the_cache_saves_evaluations_and_changes_nothing_else() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let calls = AtomicUsize::new(0);
    let counted = Maximise(|genome: &BitString| {
        calls.fetch_add(1, Ordering::Relaxed);
        ones(genome)
    });
    let space = || Bits::new(6).vary(Mask::SINGLE, BitFlip::new(0.1));
    let fresh = || Evolution::new(space(), Single::new(20), &[Goal::Maximise], 1);
    let (mut plain, mut cached) = (fresh()?, fresh()?.cache(64)?);
    let (until, run) = (Until::Generations(30), Run::new(1, &stop, &pool));
    plain.run(&counted, &until, &run)?;
    assert_eq!(calls.swap(0, Ordering::Relaxed), 31 * 20);
    cached.run(&counted, &until, &run)?;
    // There are 64 strings of six bits.
    assert!(calls.load(Ordering::Relaxed) <= 64);
    assert_eq!(cached.state().evaluations(), calls.load(Ordering::Relaxed) as u64);
    assert_eq!(plain.state().members().genomes, cached.state().members().genomes);
    // A cache that is too small forgets the oldest and still gives the right scores.
    let mut small = fresh()?.cache(3)?;
    small.run(&counted, &until, &run)?;
    assert_eq!(plain.state().members().costs, small.state().members().costs);
    Ok(())
}

#[test]
fn an_error_names_the_genome_and_loses_nothing() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(4)?);
    let run = Run::new(1, &stop, &pool);
    let mut search = Evolution::new(bits(), Single::new(8), &[Goal::Maximise], 2)?;
    search.run(&Maximise(ones), &Until::Generations(5), &run)?;
    let before = search.state().to_bytes()?;
    let children = search.ask()?.to_vec();
    let nan = Maximise(|genome: &BitString| if *genome == children[3] { f64::NAN } else { 1.0 });
    for _ in 0..2 {
        match search.step(&nan, &run) {
            Err(error @ Error::Evaluation { .. }) => {
                let text = error.to_string();
                assert!(text.contains(&children[3].to_string()), "{text}");
                assert!(text.starts_with("generation 6, genome 4"), "{text}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(search.state().to_bytes()?, before);
    }
    assert!(search.tell(&[f64::NAN; 8]).is_err());
    assert_eq!(search.ask()?, children);
    // And on it goes, as if nothing had been.
    search.run(&Maximise(ones), &Until::Generations(9), &run)?;
    let mut calm = Evolution::new(bits(), Single::new(8), &[Goal::Maximise], 2)?;
    calm.run(&Maximise(ones), &Until::Generations(9), &run)?;
    assert_eq!(search.state().to_bytes()?, calm.state().to_bytes()?);
    // A problem of other goals is refused.
    assert!(search.step(&Minimise(ones), &run).is_err());
    Ok(())
}

#[test]
fn a_damaged_or_foreign_state_is_refused() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(bits(), Single::new(8), &[Goal::Maximise], 2)?;
    search.run(&Maximise(ones), &Until::Generations(2), &Run::new(1, &stop, &pool))?;
    let other = Bits::new(N + 1).vary(Copy, Nothing);
    assert!(Evolution::resume(other, search.state().clone()).is_err());
    let text = serde_json::to_string(search.state()).unwrap_or_default();
    let load = |text: &str| serde_json::from_str::<State<BitString, Single, ()>>(text);
    let whole = load(&text).map_err(|error| Error::unsuitable(error.to_string(), ""))?;
    Evolution::resume(bits(), whole)?;
    for (from, to) in [
        (r#""costs":[{"width":1"#, r#""costs":[{"width":2"#),
        (r#""costs":[{"#, r#""costs":[{"width":1,"flat":[1.0]},{"#),
        (r#""len":40"#, r#""len":41"#),
        (r#""goals":["maximise"]"#, r#""goals":[]"#),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(text, damaged);
        let state = load(&damaged).map_err(|error| Error::unsuitable(error.to_string(), ""))?;
        assert!(Evolution::resume(bits(), state).is_err(), "{to}");
    }
    assert!(State::<BitString, Single, ()>::from_bytes(b"nothing").is_err());
    Ok(())
}

#[test]
fn conditions_combine_and_know_how_far_they_are() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let mut search = Evolution::new(bits(), Single::new(10), &[Goal::Maximise], 4)?;
    let (flag, clock) = (Stop::new(), || 3.0);
    search.run(&Maximise(ones), &Until::Generations(5), &run)?;
    let first = search.state().log()[0].best;
    let best = search.best().map_or(f64::NAN, |best| best.value);
    let progress = |until: &Until<'_>| until.progress(&search);
    assert_eq!(progress(&Until::Generations(20)), 0.25);
    assert_eq!(progress(&Until::Evaluations(120)), 0.5);
    assert_eq!(progress(&Until::Time { limit: 12.0, clock: &clock }), 0.25);
    assert_eq!(progress(&Until::Reached(N as f64)), (best - first) / (N as f64 - first));
    assert_eq!(progress(&Until::Reached(best)), 1.0);
    let diversity = search.diversity().unwrap_or(0.0);
    assert!((progress(&Until::Diversity(diversity / 4.0)) - 0.25).abs() < 1e-12);
    assert_eq!(progress(&Until::Diversity(diversity)), 1.0);
    assert_eq!(progress(&Until::Stale(1_000_000)), search.state().stale() as f64 / 1e6);
    let parts = || Until::Generations(20).or(Until::Evaluations(120));
    assert_eq!(progress(&parts()), 0.5);
    assert_eq!(progress(&Until::Generations(20).and(Until::Evaluations(120))), 0.25);
    assert!(!Until::Flag(&flag).met(&search));
    flag.request();
    assert!(Until::Flag(&flag).or(Until::Generations(99)).met(&search));
    assert!(!Until::Flag(&flag).and(Until::Generations(99)).met(&search));

    assert_eq!(search.run(&Maximise(ones), &Until::Stale(50), &run)?, StopReason::Finished);
    assert_eq!(search.state().stale(), 50);
    stop.request();
    let reason = search.run(&Maximise(ones), &Until::Generations(9999), &run)?;
    assert_eq!(reason, StopReason::Interrupted);
    let mut young = Evolution::new(bits(), Single::new(10), &[Goal::Maximise], 4)?;
    let result = young.run(&Maximise(ones), &Until::Generations(1), &run);
    assert!(matches!(result, Err(Error::Stopped)));
    assert!(young.run(&Maximise(ones), &Until::Reached(f64::NAN), &run).is_err());
    Ok(())
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let refused = |strategy: Single| {
        Evolution::<_, _, ()>::new(bits(), strategy, &[Goal::Maximise], 1).is_err()
    };
    assert!(refused(Single::new(0)));
    assert!(refused(Single::new(5).children(0)));
    assert!(refused(Single::new(5).children(3)));
    assert!(refused(Single::comma(5, 4)));
    assert!(refused(Single::new(5).select(Select::Tournament(0))));
    assert!(refused(Single::new(5).select(Select::Duel(1.5))));
    assert!(refused(Single::new(5).select(Select::Truncation(0.0))));
    assert!(refused(Single::new(5).share(Sharing::within(0.0))));
    assert!(refused(Single::new(4).survive(Survive::Crowding)));
    assert!(!refused(Single::new(4).select(Select::Shuffle).survive(Survive::Crowding)));
    let two = [Goal::Maximise, Goal::Minimise];
    assert!(Evolution::<_, _, ()>::new(bits(), Single::new(5), &two, 1).is_err());
    let space = |p: f64, cuts: usize| Bits::new(5).vary(Mask::Points(cuts), BitFlip::new(p));
    assert!(space(1.1, 1).check().is_err());
    assert!(space(0.1, 5).check().is_err());
    assert!(space(0.1, 4).check().is_ok());
    assert!(Bits::new(0).check().is_err());
    assert!(Reals::new(&[(1.0, 0.0)]).check().is_err());
    assert!(Reals::cube(2, f64::NAN, 1.0).check().is_err());
    assert!(Reals::cube(2, 0.0, 1.0).vary(Sbx::new(-1.0), Gauss::new(0.1, 0.5)).check().is_err());
}

/// The lecture's sparseness problem: the largest of 0 to 8 in four bits.
fn sparse(genome: &BitString) -> Option<f64> {
    Code::Binary.integer(genome, 0..4).ok().filter(|x| *x <= 8).map(|x| x as f64)
}

struct Sparse;

impl Problem<BitString> for Sparse {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &[Goal::Maximise]
    }

    fn score(
        &self,
        genome: &BitString,
        _: Option<&()>,
        _: Seed,
        out: &mut ScorePoints,
    ) -> Result<()> {
        sparse(genome).map_or(Ok(()), |x| out.push(&[x]))
    }
}

fn search_sparse<S, Q>(space: S, problem: &Q) -> Result<f64>
where
    S: Space<Genome = BitString>,
    Q: Problem<BitString, Phenotype = ()>,
{
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(space, Single::new(6), problem.goals(), 1)?;
    let until = Until::Reached(8.0).or(Until::Generations(500));
    search.run(problem, &until, &Run::new(1, &stop, &pool))?;
    Ok(search.best().map_or(f64::NAN, |best| best.value))
}

#[test]
fn undefined_phenotypes_are_mended_refused_or_penalised() -> Result<()> {
    let space =
        || Bits::new(4).vary(Mask::SINGLE, (BitFlip::new(0.2), Chance { p: 0.1, of: Replace }));
    let mend = |genome: &mut BitString, _: &mut evocracy::evolve::Rng| {
        // The first bit means 8 and leaves no room for others.
        if sparse(genome).is_none() {
            (1..4).for_each(|bit| genome.set(bit, false));
        }
    };
    let repair = Repair { space: space(), mend };
    assert_eq!(search_sparse(repair, &Sparse)?, 8.0);
    let reject = Reject { space: space(), valid: |g: &BitString| sparse(g).is_some(), tries: 50 };
    assert_eq!(search_sparse(reject, &Sparse)?, 8.0);
    let penalty = Penalty { problem: Sparse, scores: vec![f64::NEG_INFINITY] };
    assert_eq!(search_sparse(space(), &penalty)?, 8.0);
    // With none of the three it is an error that says what to do.
    let error = search_sparse(space(), &Sparse).err();
    assert!(error.and_then(|error| error.help()).is_some_and(|help| help.contains("Penalty")));
    // Nothing is valid: refused after so many tries.
    let none = Reject { space: space(), valid: |_: &BitString| false, tries: 9 };
    assert!(search_sparse(none, &Sparse).is_err());
    Ok(())
}

#[test]
fn evolution_strategies_adapt_their_steps() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    // An ellipsoid: every place needs a step of its own.
    let ellipsoid = Minimise(|x: &Stepped| {
        x.values.iter().zip(0..).map(|(x, i)| 10_f64.powi(i) * (x - 1.0).powi(2)).sum()
    });
    for strategy in [Single::comma(15, 100), Single::plus(15, 100)] {
        let space = Stepping::new(Reals::cube(5, -5.0, 5.0), 0.1).vary(Discrete, Adapt);
        let mut search = Evolution::new(space, strategy, &[Goal::Minimise], 1)?;
        search.run(&ellipsoid, &Until::Generations(400), &Run::new(1, &stop, &pool))?;
        let best = search.best().map_or(f64::NAN, |best| best.value);
        assert!(best < 1e-12, "{best}");
    }
    // A fixed step cannot come that near.
    let fixed = Reals::cube(5, -5.0, 5.0).vary(Copy, Gauss::new(0.1, 1.0));
    let plain = Minimise(|x: &Vec<f64>| {
        x.iter().zip(0..).map(|(x, i)| 10_f64.powi(i) * (x - 1.0).powi(2)).sum()
    });
    let mut search = Evolution::new(fixed, Single::plus(15, 100), &[Goal::Minimise], 1)?;
    search.run(&plain, &Until::Generations(400), &Run::new(1, &stop, &pool))?;
    assert!(search.best().is_some_and(|best| best.value > 1e-6));
    Ok(())
}

/// Five equal peaks at 0.1, 0.3, 0.5, 0.7 and 0.9 (Deb, Goldberg 1989).
fn peaks(x: &[f64]) -> f64 {
    (5.0 * std::f64::consts::PI * x[0]).sin().powi(6)
}

/// On how many of the five peaks there is a member near the top.
fn held(strategy: Single) -> Result<usize> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let space = Reals::cube(1, 0.0, 1.0)
        .vary(Chance { p: 0.9, of: Sbx { eta: 15.0, each: 1.0 } }, Polynomial::new(20.0, 0.1));
    let mut search = Evolution::new(space, strategy, &[Goal::Maximise], 6)?;
    search.run(
        &Maximise(|x: &Vec<f64>| peaks(x)),
        &Until::Generations(200),
        &Run::new(1, &stop, &pool),
    )?;
    let near = |peak: f64| {
        let genomes = search.state().members().genomes;
        genomes.iter().any(|x| (x[0] - peak).abs() < 0.05 && peaks(x) > 0.95)
    };
    Ok([0.1, 0.3, 0.5, 0.7, 0.9].into_iter().filter(|peak| near(*peak)).count())
}

#[test]
fn niches_keep_all_peaks_where_plain_selection_drifts_to_few() -> Result<()> {
    let size = 100;
    let plain = Single::new(size).select(Select::Universal);
    let shared = plain.clone().share(Sharing::within(0.1));
    let crowded = Single::new(size).select(Select::Shuffle).survive(Survive::Crowding);
    assert_eq!(held(shared)?, 5);
    assert_eq!(held(crowded)?, 5);
    assert!(held(plain.scale(Scale::Window))? < 5);
    Ok(())
}

/// The scores of the population after the first one and one generation of children scored so.
fn survivors(strategy: Single, first: &[f64], children: &[f64]) -> Result<Vec<f64>> {
    let space = Reals::cube(1, 0.0, 1.0).vary(Copy, Nothing);
    let mut search = Evolution::<_, _, ()>::new(space, strategy, &[Goal::Minimise], 1)?;
    search.ask()?;
    search.tell(first)?;
    search.ask()?;
    search.tell(children)?;
    let state = search.state();
    Ok((0..state.members().len()).flat_map(|member| state.values(member)).collect())
}

#[test]
fn those_survive_who_should() -> Result<()> {
    let (first, children) = ([4.0, 1.0, 3.0, 2.0], [5.0, 0.5, 2.5, 9.0]);
    let after = |survive| survivors(Single::new(4).survive(survive), &first, &children);
    assert_eq!(after(Survive::Generational { elite: 0 })?, [5.0, 0.5, 2.5, 9.0]);
    assert_eq!(after(Survive::Generational { elite: 1 })?, [1.0, 5.0, 0.5, 2.5]);
    assert_eq!(after(Survive::Generational { elite: 2 })?, [1.0, 2.0, 0.5, 2.5]);
    assert_eq!(after(Survive::Plus)?, [0.5, 1.0, 2.0, 2.5]);
    assert_eq!(after(Survive::Steady)?, [0.5, 1.0, 2.5, 2.0]);
    assert_eq!(survivors(Single::comma(2, 4), &[0.1, 0.2], &children)?, [0.5, 2.5]);
    // A later child may push out an earlier one: 0.7 takes the place of 0.9.
    let steady = Single::new(2).children(3).survive(Survive::Steady);
    assert_eq!(survivors(steady, &[1.0, 0.2], &[0.9, 0.7, 3.0])?, [0.7, 0.2]);
    Ok(())
}

#[test]
fn a_search_begins_with_the_genomes_it_is_given() -> Result<()> {
    let fresh = || Evolution::<_, _, ()>::new(bits(), Single::new(3), &[Goal::Maximise], 1);
    let given = BitString::zeros(N);
    assert_eq!(fresh()?.start(vec![given.clone()])?.ask()?[0], given);
    assert!(fresh()?.start(vec![given; 4]).is_err());
    assert!(fresh()?.start(vec![BitString::zeros(N + 1)]).is_err());
    Ok(())
}
