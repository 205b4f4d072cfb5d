//! Searches: genomes, optima of small problems, constraints, determinism.

use super::*;
use crate::evolve::Space;
use crate::network::search::*;
use crate::run::{Stop, StopReason};

/// All graphs of a few nodes.
fn all_dags(nodes: usize) -> Vec<Dag> {
    let pairs: Vec<(u32, u32)> = (0..nodes as u32)
        .flat_map(|a| (0..nodes as u32).filter(move |b| *b != a).map(move |b| (a, b)))
        .collect();
    let of = |code: usize| {
        let has = |at: &usize| code >> at & 1 == 1;
        let arcs: Vec<_> = (0..pairs.len()).filter(has).map(|at| pairs[at]).collect();
        Dag::from_arcs(nodes, &arcs).ok()
    };
    (0..1 << pairs.len()).filter_map(of).collect()
}

/// The best of all 543 graphs of four nodes.
#[test]
fn evolution_finds_the_best_of_all_graphs() -> Result<()> {
    let dags = all_dags(4);
    assert_eq!(dags.len(), 543);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut rng = seeded(11);
    let how = PrintedEvobn { size: 40, generations: 60, ..PrintedEvobn::default() };
    for seed in 0..12 {
        let data = random_network(&[2, 3, 2, 4], 0.6, &mut rng).sample(200, &mut rng)?;
        let run = Run::new(seed, &stop, &pool);
        let scorer =
            Scorer::new(&data, [Score::K2, Score::Bdeu(4.0), Score::Bic][seed as usize % 3])?;
        let best = dags.iter().map(|dag| scorer.total(dag)).fold(f64::NEG_INFINITY, f64::max);
        let evolved = evobn(&scorer, &Constraints::default(), &Evobn::default(), &run)?;
        assert!((evolved.score - best).abs() < 1e-8 * best.abs(), "{} {best}", evolved.score);
        let printed = evobn_printed(&scorer, &Constraints::default(), &how, &run)?;
        assert!((printed.score - best).abs() < 1e-8 * best.abs(), "{} {best}", printed.score);
        assert!((scorer.total(&evolved.dag) - evolved.score).abs() < 1e-8 * best.abs());
    }
    Ok(())
}

#[test]
fn operators_keep_nodes_and_acyclicity() -> Result<()> {
    let mut rng = seeded(12);
    for nodes in [1, 2, 3, 9, 40] {
        let space = Multilists { nodes, density: 0.3, swap: 0.7, flip: 0.05 };
        space.check()?;
        let [mut a, mut b] = [space.sample(&mut rng)?, space.sample(&mut rng)?];
        let [mut c, mut d] = [space.sample(&mut rng)?, space.sample(&mut rng)?];
        for _ in 0..200 {
            space.recombine([&a, &b], [&mut c, &mut d], &mut rng);
            for child in [&c, &d] {
                let mut all = child.main().to_vec();
                all.sort_unstable();
                assert!(all.iter().copied().eq(0..nodes as u32));
                // Checked from nothing: `from_arcs` refuses cycles.
                assert_eq!(Dag::from_arcs(nodes, &child.dag().arcs())?, child.dag());
                space.admit(child)?;
            }
            space.mutate(&mut c, &mut rng);
            space.mutate(&mut d, &mut rng);
            std::mem::swap(&mut a, &mut c);
            std::mem::swap(&mut b, &mut d);
        }
        let dag = random_dag(nodes, 0.4, &mut rng);
        assert_eq!(Multilist::of(&dag)?.dag(), dag);
    }
    Ok(())
}

/// The first part brings its arcs to all later nodes, the second those among its own.
#[test]
fn a_merge_takes_each_arc_from_the_parent_of_its_source() -> Result<()> {
    let mut rng = seeded(13);
    let space = Multilists { nodes: 8, density: 0.4, swap: 0.0, flip: 0.0 };
    for _ in 0..50 {
        let [a, b] = [space.sample(&mut rng)?, space.sample(&mut rng)?];
        let [mut c, mut d] = [a.clone(), a.clone()];
        space.recombine([&a, &b], [&mut c, &mut d], &mut rng);
        // The cut is the place up to which the child has the order of its first parent, or later
        // where the second one goes on in that order too.
        let fits = (1..8).any(|t| {
            let head = &a.main()[..t];
            let rest: Vec<u32> =
                b.main().iter().copied().filter(|node| !head.contains(node)).collect();
            let order = [head, &rest].concat();
            let arc = |p: u32, q: u32| {
                let source = if head.contains(&p) { &a } else { &b };
                source.dag().has(p, q)
            };
            let place = |node: u32| order.iter().position(|known| *known == node);
            order == c.main()
                && (0..8).all(|p| {
                    (0..8).all(|q| c.dag().has(p, q) == (place(p) < place(q) && arc(p, q)))
                })
        });
        assert!(fits);
    }
    Ok(())
}

#[test]
fn searches_keep_their_constraints() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut rng = seeded(14);
    let data = random_network(&[2, 3, 2, 4, 3, 2, 2], 0.5, &mut rng).sample(300, &mut rng)?;
    let scorer = Scorer::new(&data, Score::Bdeu(10.0))?;
    let run = Run::new(1, &stop, &pool);
    let constraints = Constraints {
        required: vec![(0, 1), (2, 1)],
        forbidden: vec![(0, 3), (3, 0), (5, 6)],
        max_parents: 2,
        max_cells: 16,
        tiers: vec![0, 1, 0, 1, 1, 2, 2],
    };
    let found = evobn(&scorer, &constraints, &Evobn::default(), &run)?;
    assert!(constraints.admit(&data, &found.dag), "{found:?}");
    let free = Constraints { required: Vec::new(), ..constraints.clone() };
    let printed = evobn_printed(&scorer, &free, &PrintedEvobn::default(), &run)?;
    assert!(free.admit(&data, &printed.dag));
    assert!(evobn_printed(&scorer, &constraints, &PrintedEvobn::default(), &run).is_err());
    for wrong in [
        Constraints { forbidden: vec![(0, 1)], ..constraints.clone() },
        Constraints { required: vec![(0, 1), (1, 0)], ..Constraints::default() },
        Constraints { tiers: vec![0], ..Constraints::default() },
        Constraints { max_parents: 1, ..constraints.clone() },
        Constraints { required: vec![(0, 9)], ..Constraints::default() },
    ] {
        assert!(evobn(&scorer, &wrong, &Evobn::default(), &run).is_err(), "{wrong:?}");
    }
    let order = [1, 0, 2, 3, 4, 5, 6];
    assert!(k2(&scorer, &constraints, &order, &run).is_err());
    for bad in [&[0, 1][..], &[0, 0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5, 7]] {
        assert!(k2(&scorer, &Constraints::default(), bad, &run).is_err());
    }
    Ok(())
}

#[test]
fn an_order_by_names_is_heeded_or_refused() -> Result<()> {
    let names = ["a", "bee", "c"].map(str::to_owned);
    assert_eq!(order_by_names(&names, &["c", "a", "bee"])?, [2, 0, 1]);
    let wrong = order_by_names(&names, &["c", "a", "be"]).unwrap_err();
    assert_eq!(wrong.help().as_deref(), Some("did you mean `bee`?"));
    assert!(order_by_names(&names, &["c", "a"]).is_err());
    assert!(order_by_names(&names, &["c", "a", "a"]).is_err());
    Ok(())
}

#[test]
fn the_number_of_threads_changes_nothing() -> Result<()> {
    let stop = Stop::new();
    let mut rng = seeded(15);
    let network = random_network(&[2, 3, 2, 4, 3, 2, 3, 2, 2, 3], 0.3, &mut rng);
    let data = network.sample(500, &mut rng)?;
    let with = |threads: usize| -> Result<_> {
        let pool = Pool::new(threads)?;
        let run = Run::new(7, &stop, &pool);
        let scorer = Scorer::new(&data, Score::Bdeu(10.0))?;
        let all = Constraints::default();
        let order = information_order(&data, None, &Stop::new())?;
        let how = PrintedEvobn { generations: 20, ..PrintedEvobn::default() };
        let gone = Confidence::bootstrap(&data, 9, &run, |data, run| {
            let scorer = Scorer::new(data, Score::K2)?;
            Ok(climb(&scorer, &Constraints::default(), None, &Climb::greedy(), run)?.dag)
        })?;
        Ok((
            k2(&scorer, &all, &order, &run)?,
            climb(&scorer, &all, None, &Climb::tabu().restarts(3), &run)?,
            evobn(&scorer, &all, &Evobn::default(), &run)?,
            evobn_printed(&scorer, &all, &how, &run)?,
            gone,
        ))
    };
    assert_eq!(with(1)?, with(4)?);
    Ok(())
}

#[test]
fn what_is_stopped_yields_the_best_so_far() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut rng = seeded(16);
    let data = random_network(&[2, 3, 2, 4], 0.5, &mut rng).sample(100, &mut rng)?;
    let scorer = Scorer::new(&data, Score::K2)?;
    stop.request();
    let run = Run::new(1, &stop, &pool);
    let all = Constraints::default();
    assert_eq!(evobn(&scorer, &all, &Evobn::default(), &run)?.stop, StopReason::Interrupted);
    assert_eq!(k2(&scorer, &all, &[0, 1, 2, 3], &run)?.stop, StopReason::Interrupted);
    let printed = evobn_printed(&scorer, &all, &PrintedEvobn::default(), &run);
    assert!(matches!(printed, Err(crate::error::Error::Stopped)));
    let gone = Confidence::bootstrap(&data, 3, &run, |_, _| Ok(Dag::new(4)));
    assert!(matches!(gone, Err(crate::error::Error::Stopped)));
    Ok(())
}

/// One row, one state, one variable, two identical columns, 200 columns.
#[test]
fn odd_tables_are_learnt_from() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let all = Constraints::default();
    let one = Discrete::new(&[(1, &[0]), (2, &[1]), (3, &[2])])?;
    let alone = Discrete::new(&[(2, &[0, 1, 1])])?;
    let many: Vec<Vec<u32>> =
        (0..200).map(|v| (0..30).map(|row| (row * v / 7) % 3).collect()).collect();
    let pairs: Vec<(u32, &[u32])> = many.iter().map(|codes| (3, codes.as_slice())).collect();
    let wide = Discrete::new(&pairs)?;
    let how = Evobn {
        climb: Climb { tabu: 4, patience: 4, ..Climb::tabu() },
        stale: 2,
        rounds: 1,
        ..Evobn::default()
    };
    for data in [&one, &alone, &wide] {
        let scorer = Scorer::new(data, Score::Bdeu(1.0))?;
        let found = evobn(&scorer, &Constraints::max_parents(2), &how, &run)?;
        assert!((scorer.total(&found.dag) - found.score).abs() < 1e-6);
    }
    let twins = Discrete::new(&[(2, &[0, 1, 1, 0, 1, 0, 0, 1]), (2, &[0, 1, 1, 0, 1, 0, 0, 1])])?;
    let scorer = Scorer::new(&twins, Score::K2)?;
    assert_eq!(evobn(&scorer, &all, &Evobn::default(), &run)?.dag.arcs().len(), 1);
    Ok(())
}

/// A stop takes nothing away: what the first search found stays, wherever the stop comes.
#[test]
fn a_stop_keeps_what_was_found_before() -> Result<()> {
    let mut rng = seeded(41);
    let data = random_network(&[2, 3, 2, 3, 2, 2], 0.5, &mut rng).sample(150, &mut rng)?;
    let scorer = Scorer::new(&data, Score::K2)?;
    let (constraints, pool) = (Constraints::max_parents(3), Pool::new(1)?);
    let how = Evobn { size: 4, rounds: 2, stale: 3, ..Evobn::default() };
    let mut interrupted = 0;
    for looks in (0..400).step_by(3).chain([2_000, 20_000]) {
        let stop = Stop::after(looks);
        let first =
            climb(&scorer, &constraints, None, &how.climb, &Run::new(1, &stop, &pool))?.score;
        let stop = Stop::after(looks);
        let found = evobn(&scorer, &constraints, &how, &Run::new(1, &stop, &pool))?;
        assert!(found.score >= first - 1e-9, "{looks}: {} after {first}", found.score);
        interrupted += usize::from(found.stop == StopReason::Interrupted);
    }
    assert!(interrupted > 30, "{interrupted}");
    Ok(())
}

/// Trees and orders end after a stop with what they have.
#[test]
fn trees_and_orders_look_at_the_stop() -> Result<()> {
    let mut rng = seeded(43);
    let data = random_network(&[2; 12], 0.5, &mut rng).sample(100, &mut rng)?;
    let stop = Stop::after(15);
    let (whole, part) = (tan(&data, 0, &Stop::new())?, tan(&data, 0, &stop)?);
    assert!(stop.looks_after() == 1 && part.arcs().len() < whole.arcs().len());
    assert!((1..12).all(|node| part.parents(node).contains(&0)));
    let stop = Stop::after(3);
    let mut order = information_order(&data, Some(2), &stop)?;
    assert!(order[0] == 2 && stop.looks_after() > 0);
    order.sort_unstable();
    assert_eq!(order, (0..12).collect::<Vec<u32>>());
    Ok(())
}
