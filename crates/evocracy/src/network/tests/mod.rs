//! Properties of counts, scores, graphs and inference, against plain computations.

mod files;
mod missing;
mod search;
mod weights;
use super::search::{Climb, climb, k2, random_order, tan};
use super::*;
use crate::data::MISSING;
use crate::error::Result;
use crate::evolve::{Rng, below, chance, rng, unit};
use crate::run::{Pool, Run, Seed, Stop};
use std::collections::BTreeMap;

pub(super) fn seeded(seed: u64) -> Rng {
    rng(Seed::new(seed))
}

/// Variables called by their numbers.
pub(super) fn variables(states: &[u32]) -> Vec<Variable> {
    let names = |n: u32| (0..n).map(|state| format!("s{state}")).collect();
    let of = |(at, n): (usize, &u32)| Variable { name: format!("v{at}"), states: names(*n) };
    states.iter().enumerate().map(of).collect()
}

/// A random graph in which later nodes of a random order are children of earlier ones.
pub(super) fn random_dag(nodes: usize, density: f64, rng: &mut Rng) -> Dag {
    let order = random_order(nodes, rng);
    let mut dag = Dag::new(nodes);
    for (at, &child) in order.iter().enumerate() {
        for &parent in &order[..at] {
            if chance(density, rng) {
                dag.add(parent, child).unwrap();
            }
        }
    }
    dag
}

/// A network of random tables.
pub(super) fn random_network(states: &[u32], density: f64, rng: &mut Rng) -> Network {
    let dag = random_dag(states.len(), density, rng);
    let variables = variables(states);
    let mut tables = tables::empty_tables(&variables, &dag).unwrap();
    for (table, variable) in tables.iter_mut().zip(&variables) {
        for row in table.chunks_exact_mut(variable.states.len()) {
            for cell in &mut *row {
                *cell = 0.02 + unit(rng).powi(2);
            }
            let sum: f64 = row.iter().sum();
            for cell in row {
                *cell /= sum;
            }
        }
    }
    Network::new(variables, dag, tables).unwrap()
}

/// A score by its definition, from counts in sorted maps.
fn plain_score(data: &Discrete, score: Score, node: usize, parents: &[u32]) -> f64 {
    use statrs::function::gamma::ln_gamma;
    let mut counts: BTreeMap<Vec<u32>, BTreeMap<u32, f64>> = BTreeMap::new();
    for row in 0..data.rows() {
        let key = parents.iter().map(|p| data.code(row, *p as usize)).collect();
        *counts.entry(key).or_default().entry(data.code(row, node)).or_default() += 1.0;
    }
    let r = f64::from(data.states(node));
    let q: f64 = parents.iter().map(|p| f64::from(data.states(*p as usize))).product();
    let mut sum = 0.0;
    for states in counts.values() {
        let all: f64 = states.values().sum();
        let cell = match score {
            Score::K2 => 1.0,
            Score::Bdeu(size) => size / q / r,
            Score::Bic | Score::Aic => {
                sum += states.values().map(|n| n * (n / all).ln()).sum::<f64>();
                continue;
            }
        };
        sum += ln_gamma(cell * r) - ln_gamma(cell * r + all);
        sum += states.values().map(|n| ln_gamma(cell + n) - ln_gamma(cell)).sum::<f64>();
    }
    match score {
        Score::Bic => sum - 0.5 * (data.rows() as f64).ln() * q * (r - 1.0),
        Score::Aic => sum - q * (r - 1.0),
        _ => sum,
    }
}

const SCORES: [Score; 4] = [Score::K2, Score::Bdeu(10.0), Score::Bic, Score::Aic];

/// Few and many states, so that counts are made in all ways; also more combinations than 2^40.
#[test]
fn local_scores_are_those_of_the_definition() {
    let mut rng = seeded(1);
    for (states, rows) in [
        (vec![2, 3, 2, 4, 3, 2], 500),
        (vec![10, 10, 7, 10, 12, 10], 300),
        (vec![40, 3, 300, 2, 65_535, 5000], 200),
        (vec![1, 2, 1, 3, 2, 2], 1),
        (vec![2, 2, 3, 20, 1000, 17], 65),
    ] {
        let data = random_network(&states[..4], 0.5, &mut rng).sample(rows, &mut rng).unwrap();
        let mut columns: Vec<Vec<u32>> =
            (0..4).map(|v| (0..rows).map(|row| data.code(row, v)).collect()).collect();
        for &n in &states[4..] {
            columns.push((0..rows).map(|_| below(n as usize, &mut rng) as u32).collect());
        }
        let pairs: Vec<(u32, &[u32])> =
            states.iter().copied().zip(columns.iter().map(Vec::as_slice)).collect();
        let data = Discrete::new(&pairs).unwrap();
        for score in SCORES {
            let scorer = Scorer::new(&data, score).unwrap();
            let fresh = Scorer::new(&data, score).unwrap();
            let mut out = Vec::new();
            for parents in [&[][..], &[1], &[1, 3], &[2, 4, 5], &[1, 2, 3, 4, 5]] {
                let expected = plain_score(&data, score, 0, parents);
                let got = scorer.local(0, parents);
                assert!((got - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{got} {expected}");
                let open: Vec<u32> = (1..6).filter(|v| !parents.contains(v)).collect();
                fresh.extensions(0, parents, &open, &mut out);
                for (&more, &got) in open.iter().zip(&out) {
                    let mut all = parents.to_vec();
                    all.push(more);
                    all.sort_unstable();
                    let expected = plain_score(&data, score, 0, &all);
                    assert!((got - expected).abs() < 1e-9 * (1.0 + expected.abs()));
                }
            }
        }
    }
}

/// 20 parents of 4 states have 10^12 combinations.
#[test]
fn many_parents_cost_rows_and_not_combinations() {
    let mut rng = seeded(2);
    let columns: Vec<Vec<u32>> =
        (0..40).map(|_| (0..300).map(|_| below(4, &mut rng) as u32).collect()).collect();
    let pairs: Vec<(u32, &[u32])> = columns.iter().map(|c| (4, c.as_slice())).collect();
    let data = Discrete::new(&pairs).unwrap();
    let parents: Vec<u32> = (1..40).collect();
    let scorer = Scorer::new(&data, Score::K2).unwrap();
    // Every row has a combination of its own: one row of four kinds each.
    let expected = 300.0 * 0.25_f64.ln();
    assert!((scorer.local(0, &parents) - expected).abs() < 1e-9);
}

#[test]
fn bad_tables_are_refused() {
    assert!(Discrete::new(&[(2, &[0, 2])]).is_err());
    assert!(Discrete::new(&[(0, &[])]).is_err());
    assert!(Discrete::new(&[(65_536, &[0])]).is_err());
    assert!(Discrete::new(&[(2, &[0, 1]), (2, &[0])]).is_err());
    let gaps = Discrete::new(&[(2, &[0, MISSING]), (2, &[0, 1])]).unwrap();
    assert_eq!((gaps.missing(), gaps.code(1, 0)), (1, MISSING));
    assert!(Scorer::new(&gaps, Score::K2).is_err());
    assert!(Scorer::new(&Discrete::new(&[]).unwrap(), Score::K2).is_err());
    let whole = Discrete::new(&[(2, &[0, 1])]).unwrap();
    assert!(Scorer::new(&whole, Score::Bdeu(0.0)).is_err());
    assert!(Scorer::new(&whole, Score::Bdeu(f64::NAN)).is_err());
}

#[test]
fn graphs_stay_acyclic() {
    let mut dag = Dag::from_arcs(4, &[(0, 1), (1, 2), (0, 3), (2, 3)]).unwrap();
    assert!(dag.add(3, 0).is_err() && dag.add(2, 2).is_err() && dag.add(0, 4).is_err());
    assert!(dag.reaches(0, 3) && !dag.reaches(3, 0));
    assert_eq!(dag.markov_blanket(0), [1, 2, 3]);
    assert_eq!(dag.order(), [0, 1, 2, 3]);
    assert!(dag.remove(0, 1) && !dag.remove(0, 1));
    assert!(Dag::from_arcs(2, &[(0, 1), (1, 0)]).is_err());
    assert!(Dag::from_arcs(2, &[(0, 2)]).is_err());
}

/// What is kept on the way is what a full computation gives, for every search that climbs.
#[test]
fn the_score_of_a_climb_is_the_score_of_its_graph() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut rng = seeded(3);
    for seed in 0..6 {
        let data =
            random_network(&[2, 3, 2, 4, 3, 2, 3, 2], 0.35, &mut rng).sample(400, &mut rng)?;
        let run = Run::new(seed, &stop, &pool);
        let mut constraints = Constraints::max_parents(3);
        constraints.required.push((0, 1));
        constraints.forbidden.push((2, 3));
        constraints.tiers = vec![0, 0, 0, 0, 1, 1, 1, 1];
        for score in SCORES {
            let scorer = Scorer::new(&data, score)?;
            let full = |dag: &Dag| {
                let of = |node| plain_score(&data, score, node, dag.parents(node));
                (0..dag.nodes()).map(of).sum::<f64>()
            };
            let greedy = climb(&scorer, &constraints, None, &Climb::greedy(), &run)?;
            let tabu = climb(&scorer, &constraints, None, &Climb::tabu(), &run)?;
            let again = climb(&scorer, &constraints, None, &Climb::greedy().restarts(3), &run)?;
            let ordered = k2(&scorer, &Constraints::default(), &random_order(8, &mut rng), &run)?;
            for found in [&greedy, &tabu, &again] {
                assert!(constraints.admit(&data, &found.dag));
            }
            for found in [&greedy, &tabu, &again, &ordered] {
                let expected = full(&found.dag);
                assert!((found.score - expected).abs() < 1e-8 * expected.abs());
            }
            assert!(tabu.score >= greedy.score - 1e-9 && again.score >= greedy.score - 1e-9);
        }
    }
    Ok(())
}

/// All combinations of all variables.
fn brute_force(network: &Network, nodes: &[u32], codes: &[u32]) -> Vec<f64> {
    let n = codes.len();
    let size = |v: &u32| network.states(*v as usize);
    let mut out = vec![0.0; nodes.iter().map(size).product()];
    let mut all = vec![0_u32; n];
    loop {
        let agrees =
            |v: usize| codes[v] == MISSING || nodes.contains(&(v as u32)) || codes[v] == all[v];
        if (0..n).all(agrees) {
            let at = nodes.iter().fold(0, |at, v| at * size(v) + all[*v as usize] as usize);
            out[at] += network.log_joint(&all).unwrap().exp();
        }
        let Some(next) = (0..n).find(|v| (all[*v] as usize) + 1 < network.states(*v)) else {
            break;
        };
        all[next] += 1;
        all[..next].fill(0);
    }
    let sum: f64 = out.iter().sum();
    out.iter().map(|p| p / sum).collect()
}

#[test]
fn inference_is_that_of_enumeration() {
    let mut rng = seeded(4);
    for round in 0..60 {
        let states: Vec<u32> = (0..6).map(|_| 1 + below(4, &mut rng) as u32).collect();
        let network = random_network(&states, 0.1 + 0.1 * f64::from(round % 7), &mut rng);
        let mut codes: Vec<u32> =
            states.iter().map(|n| below(*n as usize, &mut rng) as u32).collect();
        for node in 0..6 {
            let expected = brute_force(&network, &[node], &codes);
            let mut quick = vec![0.0; states[node as usize] as usize];
            assert!(Posterior::of(&network, node as usize).unwrap().write(&codes, &mut quick));
            let general = network.posterior(node as usize, &codes).unwrap();
            for ((a, b), c) in expected.iter().zip(&quick).zip(&general) {
                assert!((a - b).abs() < 1e-12 && (a - c).abs() < 1e-12);
            }
        }
        for code in &mut codes {
            if chance(0.5, &mut rng) {
                *code = MISSING;
            }
        }
        for nodes in [&[0][..], &[3], &[1, 4], &[0, 2, 5]] {
            let expected = brute_force(&network, nodes, &codes);
            let got = network.joint_posterior(nodes, &codes).unwrap();
            assert_eq!(got.len(), expected.len());
            assert!(got.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

#[test]
fn a_posterior_says_when_the_blanket_has_gaps() {
    let mut rng = seeded(5);
    let network = random_network(&[2, 3, 2], 1.0, &mut rng);
    let posterior = Posterior::of(&network, 0).unwrap();
    assert_eq!(posterior.blanket(), [1, 2]);
    let mut out = [0.0; 2];
    assert!(!posterior.write(&[0, MISSING, 1], &mut out));
    assert!(posterior.write(&[MISSING, 1, 1], &mut out));
    assert!(network.posterior(3, &[0, 0, 0]).is_err() && network.posterior(0, &[0, 0]).is_err());
    assert!(network.posterior(0, &[0, 3, 0]).is_err());
}

#[test]
fn samples_have_the_probabilities_of_the_network() {
    let mut rng = seeded(6);
    let network = random_network(&[3, 2, 4], 0.8, &mut rng);
    let data = network.sample(200_000, &mut rng).unwrap();
    let again =
        Network::fit(network.variables().to_vec(), network.dag().clone(), &data, Prior::Cell(0.0))
            .unwrap();
    for node in 0..3 {
        for (a, b) in network.table(node).iter().zip(again.table(node)) {
            assert!((a - b).abs() < 0.03, "{a} {b}");
        }
    }
}

#[test]
fn a_tree_is_added_to_naive_bayes() -> Result<()> {
    let mut rng = seeded(7);
    let data = random_network(&[2, 3, 3, 2, 2], 0.6, &mut rng).sample(500, &mut rng)?;
    let dag = tan(&data, 2, &Stop::new())?;
    let counts: Vec<usize> = (0..5).map(|node| dag.parents(node).len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 4 + 3);
    assert!((0..5).all(|node| node == 2 || dag.has(2, node as u32)));
    // The best tree among all, by its definition.
    let weight = |dag: &Dag| {
        let links = dag.arcs().into_iter().filter(|(parent, _)| *parent != 2);
        links.map(|(a, b)| conditional_information(&data, a as usize, b as usize, 2)).sum::<f64>()
    };
    let others = [0_u32, 1, 3, 4];
    let mut best = 0.0_f64;
    for code in 0..256_usize {
        let parent = |at: usize| others[code >> (2 * at) & 3];
        let arcs: Vec<(u32, u32)> = (0..4)
            .filter(|at| parent(*at) != others[*at])
            .map(|at| (parent(at), others[at]))
            .collect();
        if let Ok(tree) = Dag::from_arcs(5, &arcs) {
            best = best.max(weight(&tree));
        }
    }
    assert!((weight(&dag) - best).abs() < 1e-12);
    Ok(())
}
