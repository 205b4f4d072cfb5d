//! What a careless or hostile user may do to the evolution engine: damaged and forged
//! checkpoints, problems that break their contract, settings beyond all bounds. All of it is
//! refused with an error; nothing panics, hangs or takes much memory.

mod fuzzing;

use evocracy::error::Result;
use evocracy::evolve::multi::{Elite, Nsga2};
use evocracy::evolve::vary::{BitFlip, Chance, Copy, Mask, Nothing, Polynomial, Sbx};
use evocracy::evolve::{
    BitString, Bits, Domain, Evolution, Goal, Maximise, Problem, Reals, ScorePoints, Single, Space,
    State, Strategy, Survive, Until,
};
use evocracy::run::{Pool, Run, Seed, Stop};
use fuzzing::{bounded, mutate};
use rand::RngExt;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Two objectives of a point in the square, as one point or as a curve of three.
struct Corner {
    curve: bool,
}

impl Problem<Vec<f64>> for Corner {
    type Phenotype = u32;

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise, Goal::Maximise]
    }

    fn score(&self, x: &Vec<f64>, _: Option<&u32>, _: Seed, out: &mut ScorePoints) -> Result<u32> {
        for step in 0..if self.curve { 3 } else { 1 } {
            let at = 0.1 * f64::from(step);
            out.push(&[x[0] + at, at * x[1] - x[0] * x[0]])?;
        }
        Ok(7)
    }
}

fn square() -> impl Space<Genome = Vec<f64>> + Clone {
    Reals::cube(2, 0.0, 1.0).vary(Chance { p: 0.9, of: Sbx::new(15.0) }, Polynomial::new(20.0, 0.5))
}

fn bits() -> impl Space<Genome = BitString> + Clone {
    Bits::new(9).vary(Mask::SINGLE, BitFlip::new(0.2))
}

fn ones(bits: &BitString) -> f64 {
    bits.count_ones() as f64
}

/// A state after six generations.
fn grown<S, T, Q>(space: S, strategy: T, problem: &Q) -> Result<State<S::Genome, T, Q::Phenotype>>
where
    S: Space,
    T: Strategy<S>,
    Q: Problem<S::Genome>,
{
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(space, strategy, problem.goals(), 3)?.cache(9)?;
    search.run(problem, &Until::Generations(6), &Run::new(1, &stop, &pool))?;
    Ok(search.into_state())
}

/// Goes on from a state for three generations, unless it is refused.
fn go_on<S, T, Q>(space: S, problem: &Q, state: State<S::Genome, T, Q::Phenotype>) -> Result<()>
where
    S: Space,
    T: Strategy<S>,
    Q: Problem<S::Genome>,
{
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let mut search = Evolution::resume(space, state)?;
    (0..3).try_for_each(|_| search.step(problem, &run))
}

/// Damages a saved search many times and goes on from what still loads.
fn fuzz<S, T, Q>(space: &S, strategy: T, problem: &Q, cases: usize)
where
    S: Space<Genome: Serialize + DeserializeOwned> + Clone,
    T: Strategy<S> + Serialize + DeserializeOwned,
    Q: Problem<S::Genome, Phenotype: Serialize + DeserializeOwned>,
{
    let whole = grown(space.clone(), strategy, problem).expect("a search");
    let whole = whole.to_bytes().expect("can be saved");
    bounded(16.0, || {
        let (mut rng, mut loaded) = (Seed::new(8).rng(), 0);
        for case in 0..cases {
            let mut bytes = whole.clone();
            if case % 2 == 0 {
                mutate(
                    &mut bytes,
                    &mut rng,
                    b"\x00\x01\x7f\x90\x80\xc0\xca\xcb\xcd\xce\xcf\xdd\xff",
                );
            } else {
                // One byte only: most of these still load.
                let at = rng.random_range(0..bytes.len());
                bytes[at] = rng.random();
            }
            let Ok(state) = State::<S::Genome, T, Q::Phenotype>::from_bytes(&bytes) else {
                continue;
            };
            // Whoever runs a stranger's search looks at its size first.
            let strategy = state.strategy();
            if strategy.size().max(strategy.children()) < 1000 {
                loaded += usize::from(go_on(space.clone(), problem, state).is_ok());
            }
        }
        assert!(loaded > cases / 50, "only {loaded} of {cases} went on: the damage is too great");
    });
}

#[test]
fn damaged_checkpoints_are_continued_or_refused() {
    let steady = Single::new(6).children(4).survive(Survive::Steady);
    fuzz(&bits(), steady, &Maximise(ones), 20_000);
    fuzz(&bits(), Single::new(6), &Maximise(ones), 20_000);
    fuzz(&square(), Nsga2::new(6), &Corner { curve: false }, 20_000);
    fuzz(&square(), Elite::new().start(4).children(3), &Corner { curve: true }, 20_000);
}

/// A state with one part of it replaced.
fn forged<T: Serialize + DeserializeOwned>(state: &T, place: &str, part: Value) -> T {
    let mut all = serde_json::to_value(state).expect("a state is a value");
    *all.pointer_mut(place).expect(place) = part;
    serde_json::from_value(all).expect("it still loads")
}

#[test]
fn forged_strategies_are_refused() -> Result<()> {
    let problem = Corner { curve: false };
    let mut state = grown(square(), Nsga2::new(6), &problem)?;
    state = forged(&state, "/strategy/standing", json!([]));
    assert!(go_on(square(), &problem, state).is_err());

    let problem = Corner { curve: true };
    let state = grown(square(), Elite::new().start(4).children(3), &problem)?;
    go_on(square(), &problem, forged(&state, "/stale", json!(3)))?;
    let members = state.members().len();
    for (place, part) in [
        // Names that are not there, twice there, or of nobody; counts that are wrong.
        ("/strategy/names", json!(vec![0; members])),
        ("/strategy/names", json!([])),
        ("/strategy/free", json!([1000])),
        ("/strategy/free", json!([0])),
        ("/strategy/known/0/1", json!(1000)),
        ("/strategy/archive/goals", json!(["maximise", "minimise"])),
        ("/strategy/archive/duplicates", json!("keep-all")),
    ] {
        let state = forged(&state, place, part.clone());
        assert!(Evolution::resume(square(), state).is_err(), "{place} {part}");
    }
    Ok(())
}

#[test]
fn a_forged_cache_is_refused_and_counts_do_not_overflow() -> Result<()> {
    let problem = Maximise(ones);
    let state = grown(bits(), Single::new(6), &problem)?;
    for points in [json!({"width": 1, "flat": []}), json!({"width": 2, "flat": [1.0, 2.0]})] {
        let state = forged(&state, "/cache/entries/0/points", points);
        assert!(Evolution::resume(bits(), state).is_err());
    }
    for count in ["/turn", "/evaluations", "/stale"] {
        go_on(bits(), &problem, forged(&state, count, json!(u64::MAX)))?;
    }
    Ok(())
}

/// Gives points of another width than the goals, or of none.
struct Wide(usize);

impl Problem<BitString> for Wide {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise; 2]
    }

    fn score(&self, _: &BitString, _: Option<&()>, _: Seed, out: &mut ScorePoints) -> Result<()> {
        out.reset(self.0);
        out.push(&vec![1.0; self.0])
    }
}

#[test]
fn points_of_another_width_are_refused() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    for width in [0, 1, 2, 3, 4] {
        let mut search = Evolution::new(bits(), Nsga2::new(4), &[Goal::Minimise; 2], 1)?;
        let step = search.step(&Wide(width), &Run::new(1, &stop, &pool));
        assert_eq!(step.is_ok(), width == 2, "{width}");
    }
    let points: ScorePoints = serde_json::from_value(json!({"width": 2, "flat": [1.0, 2.0, 3.0]}))
        .expect("what is told is checked later");
    let mut search = Evolution::<_, _, ()>::new(bits(), Nsga2::new(1), &[Goal::Minimise; 2], 1)?;
    search.ask()?;
    assert!(search.tell_points(&[points]).is_err());
    Ok(())
}

#[test]
fn sizes_beyond_all_bounds_are_refused() {
    let refused = |strategy: Single| {
        Evolution::<_, _, ()>::new(bits(), strategy, &[Goal::Maximise], 1).is_err()
    };
    assert!(refused(Single::new(usize::MAX)));
    assert!(refused(Single::new(5).children(usize::MAX)));
    assert!(refused(Single::new(5).children(usize::MAX).survive(Survive::Plus)));
    assert!(refused(Single::plus(u32::MAX as usize, 1)));
    let goals = [Goal::Minimise; 2];
    assert!(Evolution::<_, _, ()>::new(bits(), Nsga2::new(usize::MAX), &goals, 1).is_err());
}

/// A space whose genomes have no distance.
#[derive(Clone)]
struct Bare;

impl Space for Bare {
    type Genome = u8;

    fn sample(&self, rng: &mut evocracy::evolve::Rng) -> Result<u8> {
        Ok(evocracy::evolve::below(256, rng) as u8)
    }

    fn recombine(&self, [a, b]: [&u8; 2], [c, d]: [&mut u8; 2], _: &mut evocracy::evolve::Rng) {
        (*c, *d) = (*a, *b);
    }

    fn mutate(&self, genome: &mut u8, _: &mut evocracy::evolve::Rng) {
        *genome = genome.wrapping_add(1);
    }

    fn admit(&self, _: &u8) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_search_that_cannot_end_is_refused() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let problem = Maximise(|x: &u8| f64::from(*x));
    let mut search = Evolution::new(Bare, Single::new(4), &[Goal::Maximise], 1)?;
    let until = Until::Stale(9999).or(Until::Diversity(0.5));
    assert!(search.run(&problem, &until, &run).is_err());
    // One member has nobody to differ from.
    let mut search = Evolution::new(bits(), Single::plus(1, 1), &[Goal::Maximise], 1)?;
    search.run(&Maximise(ones), &Until::Diversity(0.0).or(Until::Generations(9)), &run)?;
    assert_eq!((search.diversity(), search.state().generation()), (Some(0.0), 0));
    Ok(())
}

#[test]
fn a_search_that_was_saved_before_it_began_begins_the_same() -> Result<()> {
    let given = vec![BitString::zeros(9), BitString::parse("111100001")?];
    let fresh = || {
        Evolution::<_, _, ()>::new(bits(), Single::new(4), &[Goal::Maximise], 1)?
            .start(given.clone())
    };
    let saved = fresh()?.state().to_bytes()?;
    let state = State::<BitString, Single, ()>::from_bytes(&saved)?;
    let mut again = Evolution::resume(bits(), state)?;
    assert_eq!(again.ask()?, fresh()?.ask()?);
    assert_eq!(again.ask()?[..2], given);
    // What was asked for before is forgotten when there is something to begin with.
    let mut late = Evolution::<_, _, ()>::new(bits(), Single::new(4), &[Goal::Maximise], 1)?;
    late.ask()?;
    assert_eq!(late.start(given.clone())?.ask()?[..2], given);
    // And a state that begins with what does not belong there is refused.
    let state = State::<BitString, Single, ()>::from_bytes(&saved)?;
    assert!(Evolution::resume(Bits::new(8).vary(Copy, Nothing), state).is_err());
    Ok(())
}

/// Zeros of both signs are equal, so the earlier one lives.
#[test]
fn the_sign_of_a_zero_does_not_matter() -> Result<()> {
    for goal in [Goal::Minimise, Goal::Maximise] {
        let mut search = Evolution::<_, _, ()>::new(bits(), Single::plus(2, 2), &[goal], 1)?;
        let first = search.ask()?.to_vec();
        search.tell(&[0.0, -0.0])?;
        search.ask()?;
        search.tell(&[-0.0, 0.0])?;
        assert_eq!(search.state().members().genomes, first);
        assert_eq!(search.best().map(|best| best.value.to_bits()), Some(0));
    }
    Ok(())
}

/// The first objective is at its best at once, the second improves for long.
#[test]
fn nsga2_is_not_stale_while_its_front_moves() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let problem = evocracy::evolve::problems::Zdt::One;
    let space = || problem.reals().vary(Sbx::new(15.0), Polynomial::new(20.0, 0.05));
    let goals = [Goal::Minimise; 2];
    let mut search = Evolution::new(space(), Nsga2::new(40), &goals, 1)?;
    search.run(&problem, &Until::Stale(20).or(Until::Generations(300)), &run)?;
    assert_eq!(search.state().generation(), 300);
    // Where nothing changes, nothing improves.
    let still = problem.reals().vary(Copy, Nothing);
    let mut search = Evolution::new(still, Nsga2::new(40), &goals, 1)?;
    search.run(&problem, &Until::Stale(20).or(Until::Generations(300)), &run)?;
    assert_eq!(search.state().generation(), 20);
    Ok(())
}
