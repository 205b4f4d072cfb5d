use super::*;
use crate::error::Result;
use crate::evolve::pareto::{PointSet, hypervolume, igd_plus};
use crate::evolve::problems::{Dtlz, Zdt};
use crate::evolve::vary::{Chance, Polynomial, Sbx};
use crate::evolve::{
    Domain, Evolution, Goal, Members, Problem, Reals, ScorePoints, Space, State, Strategy, Until,
};
use crate::run::{Pool, Run, Seed, Stop};
use serde::{Serialize, de::DeserializeOwned};

fn space(reals: Reals) -> impl Space<Genome = Vec<f64>> + Clone {
    let n = reals.dimensions() as f64;
    reals.vary(Chance { p: 0.9, of: Sbx::new(15.0) }, Polynomial::new(20.0, 1.0 / n))
}

fn points(members: Members<'_, Vec<f64>>) -> Result<PointSet> {
    PointSet::minimised(
        members
            .costs
            .iter()
            .flat_map(|points| points.flat().chunks_exact(points.width()).map(<[f64]>::to_vec)),
    )
}

/// The state after so many generations with so many threads, saved and loaded in between if
/// asked.
fn bytes<T>(strategy: T, generations: u64, threads: usize, halt: Option<u64>) -> Result<Vec<u8>>
where
    T: Serialize + DeserializeOwned + Strategy<VariedReals>,
{
    let problem = Zdt::One;
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    let run = Run::new(3, &stop, &pool);
    let space = varied();
    let mut search = Evolution::new(space, strategy, problem.goals(), 3)?;
    if let Some(halt) = halt {
        search.run(&problem, &Until::Generations(halt), &run)?;
        let saved = rmp_serde::to_vec(search.state()).expect("a state can be written");
        let state: State<Vec<f64>, T, ()> = rmp_serde::from_slice(&saved).expect("and read");
        search = Evolution::resume(varied(), state)?;
    }
    search.run(&problem, &Until::Generations(generations), &run)?;
    Ok(rmp_serde::to_vec(search.state()).expect("a state can be written"))
}

type VariedReals = crate::evolve::Varied<Reals, Chance<Sbx>, Polynomial>;

fn varied() -> VariedReals {
    Zdt::One.reals().vary(Chance { p: 0.9, of: Sbx::new(15.0) }, Polynomial::new(20.0, 0.1))
}

#[test]
fn saved_and_continued_equals_uninterrupted_for_any_number_of_threads() -> Result<()> {
    let wanted = bytes(Nsga2::new(21), 30, 1, None)?;
    assert_eq!(wanted, bytes(Nsga2::new(21), 30, 1, Some(11))?);
    assert_eq!(wanted, bytes(Nsga2::new(21), 30, 8, None)?);
    let elite = || Elite::new().start(5).children(3);
    let wanted = bytes(elite(), 400, 1, None)?;
    assert_eq!(wanted, bytes(elite(), 400, 1, Some(123))?);
    assert_eq!(wanted, bytes(elite(), 400, 8, Some(200))?);
    Ok(())
}

#[test]
fn nsga2_finds_the_fronts_of_the_problems() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    for zdt in Zdt::ALL {
        let mut search = Evolution::new(space(zdt.reals()), Nsga2::new(60), zdt.goals(), 1)?;
        search.run(&zdt, &Until::Generations(400), &run)?;
        let far = igd_plus(&points(search.state().members())?, &zdt.front(500)?)?;
        assert!(far < 0.01, "{zdt:?} {far}");
    }
    for (number, limit) in [(1, 0.03), (2, 0.05), (3, 0.06), (4, 0.06), (7, 0.08)] {
        let dtlz = Dtlz::new(number, 3)?;
        let mut search = Evolution::new(space(dtlz.reals()), Nsga2::new(120), dtlz.goals(), 1)?;
        search.run(&dtlz, &Until::Generations(500), &run)?;
        let far = igd_plus(&points(search.state().members())?, &dtlz.front(30)?)?;
        assert!(far < limit, "DTLZ{number} {far}");
    }
    Ok(())
}

#[test]
fn the_elitist_search_never_retreats() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let zdt = Zdt::One;
    let mut search = Evolution::new(space(zdt.reals()), Elite::new(), zdt.goals(), 1)?;
    let mut before = 0.0;
    for _ in 0..40 {
        let next = search.state().generation() + 500;
        search.run(&zdt, &Until::Generations(next), &run)?;
        let front = points(search.state().members())?;
        let now = hypervolume(&front, &[1.1, 11.0])?;
        assert!(now >= before);
        before = now;
        assert_eq!(search.state().strategy().points(), search.state().members().len());
    }
    assert!(before > 10.7, "{before}");
    Ok(())
}

/// A genome that stands for a curve: three points along a line through it.
struct Curve;

impl Problem<Vec<f64>> for Curve {
    type Phenotype = ();

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise, Goal::Maximise]
    }

    fn score(&self, x: &Vec<f64>, _: Option<&()>, _: Seed, out: &mut ScorePoints) -> Result<()> {
        for step in 0..3 {
            let at = f64::from(step) * 0.1;
            out.push(&[x[0] + at, x[1] + at * x[2]])?;
        }
        Ok(())
    }
}

#[test]
fn a_genome_lives_as_long_as_one_of_its_points() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let space = || space(Reals::cube(3, -1.0, 1.0));
    let strategy = Elite::new().start(10).children(4);
    let mut search = Evolution::new(space(), strategy, Curve.goals(), 2)?;
    let mut seen: Vec<Vec<f64>> = Vec::new();
    for _ in 0..300 {
        seen.extend_from_slice(search.ask()?);
        search.step(&Curve, &run)?;
    }
    // By the definition, from all genomes there ever were.
    let all: Vec<(usize, [f64; 2])> = seen
        .iter()
        .enumerate()
        .flat_map(|(i, x)| [0.0, 0.1, 0.2].map(|at| (i, [x[0] + at, -(x[1] + at * x[2])])))
        .collect();
    // Of equal points the first counts.
    let beaten = |at: usize, point: &[f64; 2]| {
        all.iter().enumerate().any(|(other, (_, o))| {
            o[0] <= point[0] && o[1] <= point[1] && (o != point || other < at)
        })
    };
    let best = all.iter().enumerate().filter(|(at, (_, point))| !beaten(*at, point));
    let mut wanted: Vec<&Vec<f64>> = best.map(|(_, (i, _))| &seen[*i]).collect();
    wanted.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    wanted.dedup();
    let mut found: Vec<&Vec<f64>> = search.state().members().genomes.iter().collect();
    found.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    assert_eq!(found, wanted);
    assert!(found.len() > 5 && search.state().strategy().points() >= found.len());
    Ok(())
}

#[test]
fn what_cannot_work_is_refused() -> Result<()> {
    let goals = [Goal::Minimise; 2];
    let cube = || space(Reals::cube(3, 0.0, 1.0));
    assert!(Evolution::<_, _, ()>::new(cube(), Nsga2::new(0), &goals, 1).is_err());
    assert!(Evolution::<_, _, ()>::new(cube(), Elite::new().children(0), &goals, 1).is_err());
    assert!(Evolution::<_, _, ()>::new(cube(), Elite::new(), &[Goal::Minimise; 7], 1).is_err());
    // NSGA-II compares points, not curves.
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(cube(), Nsga2::new(4), Curve.goals(), 1)?;
    assert!(search.step(&Curve, &Run::new(1, &stop, &pool)).is_err());
    // Scores that are not a number are refused, and the search can go on.
    let mut search = Evolution::<_, _, ()>::new(cube(), Nsga2::new(2), &goals, 1)?;
    search.ask()?;
    assert!(search.tell(&[1.0, f64::NAN, 0.0, 0.0]).is_err());
    assert!(search.tell(&[1.0, 0.5, 0.0, 0.0]).is_ok());
    Ok(())
}
