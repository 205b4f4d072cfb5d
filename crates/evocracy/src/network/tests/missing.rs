//! Tables from rows with gaps.

use super::*;
use crate::error::Error;

/// Leaves out values at random.
fn with_gaps(data: &Discrete, share: f64, rng: &mut Rng) -> Discrete {
    let mut columns = Vec::new();
    for v in 0..data.variables() {
        let code = |row| if chance(share, rng) { MISSING } else { data.code(row, v) };
        columns.push((0..data.rows()).map(code).collect::<Vec<u32>>());
    }
    let pairs: Vec<(u32, &[u32])> =
        columns.iter().enumerate().map(|(v, c)| (data.states(v), c.as_slice())).collect();
    Discrete::new(&pairs).unwrap()
}

/// The log-likelihood of what is there, by going through all that may be in the gaps.
fn likelihood(network: &Network, data: &Discrete) -> f64 {
    let n = data.variables();
    let mut codes = Vec::new();
    let mut sum = 0.0;
    for row in 0..data.rows() {
        data.row_into(row, &mut codes);
        let gaps: Vec<usize> = (0..n).filter(|v| codes[*v] == MISSING).collect();
        for &v in &gaps {
            codes[v] = 0;
        }
        let mut p = 0.0;
        loop {
            p += network.log_joint(&codes).unwrap().exp();
            let next = gaps.iter().find(|v| (codes[**v] as usize) + 1 < network.states(**v));
            let Some(&next) = next else { break };
            codes[next] += 1;
            gaps.iter().take_while(|v| **v != next).for_each(|&v| codes[v] = 0);
        }
        sum += p.ln();
    }
    sum
}

#[test]
fn every_round_makes_the_rows_likelier() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let mut rng = seeded(31);
    let network = random_network(&[2, 3, 2, 3, 2], 0.5, &mut rng);
    let data = with_gaps(&network.sample(300, &mut rng)?, 0.3, &mut rng);
    let fit = |rounds: usize| {
        let how = Em { rounds, tolerance: 0.0 };
        let (all, dag) = (network.variables(), network.dag());
        expectation_maximisation(all, dag, &data, Prior::Cell(0.0), &how, None, &run)
    };
    let mut last = likelihood(&fit(0)?.network, &data);
    for rounds in 1..12 {
        let fitted = fit(rounds)?;
        assert_eq!((fitted.rounds, fitted.converged), (rounds, false));
        let now = likelihood(&fitted.network, &data);
        assert!(now >= last - 1e-9, "{rounds}: {last} {now}");
        last = now;
    }
    Ok(())
}

/// Gaps at random do not bend the tables; going through the gaps and elimination give the same.
#[test]
fn the_tables_come_back() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let run = Run::new(1, &stop, &pool);
    let mut rng = seeded(32);
    let network = random_network(&[2, 3, 2, 2], 0.6, &mut rng);
    let data = with_gaps(&network.sample(40_000, &mut rng)?, 0.25, &mut rng);
    let (all, dag) = (network.variables(), network.dag());
    let how = Em::default();
    let fitted = expectation_maximisation(all, dag, &data, Prior::Cell(0.5), &how, None, &run)?;
    assert!(fitted.converged);
    for node in 0..4 {
        for (a, b) in network.table(node).iter().zip(fitted.network.table(node)) {
            assert!((a - b).abs() < 0.06, "{a} {b}");
        }
    }
    // Twelve gaps of three states are too many to go through.
    let wide = random_network(&[3; 12], 0.2, &mut rng);
    let empty = vec![vec![MISSING; 3]; 12];
    let pairs: Vec<(u32, &[u32])> = empty.iter().map(|codes| (3, codes.as_slice())).collect();
    let data = Discrete::new(&pairs)?;
    let (all, dag) = (wide.variables(), wide.dag());
    let how = Em { rounds: 1, tolerance: 0.0 };
    let start = Some(wide.clone());
    let fitted = expectation_maximisation(all, dag, &data, Prior::Cell(0.0), &how, start, &run)?;
    // Rows that say nothing leave the tables as they were.
    for node in 0..12 {
        for (a, b) in wide.table(node).iter().zip(fitted.network.table(node)) {
            assert!((a - b).abs() < 1e-9);
        }
    }
    Ok(())
}

#[test]
fn a_start_of_another_structure_is_refused() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let mut rng = seeded(33);
    let network = random_network(&[2, 2], 1.0, &mut rng);
    let data = network.sample(10, &mut rng)?;
    let all = network.variables();
    let how = Em::default();
    let start = Some(network.clone());
    let found =
        expectation_maximisation(all, &Dag::new(2), &data, Prior::Cell(1.0), &how, start, &run);
    assert!(matches!(found, Err(Error::Unsuitable { .. })));
    // Without gaps it is the plain fit.
    let dag = network.dag();
    let plain = Network::fit(all.to_vec(), dag.clone(), &data, Prior::Sample(2.0))?;
    let same = expectation_maximisation(all, dag, &data, Prior::Sample(2.0), &how, None, &run)?;
    assert_eq!((same.network, same.rounds, same.converged), (plain, 0, true));
    Ok(())
}

#[test]
fn arcs_that_matter_are_sure() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let mut rng = seeded(34);
    let columns: Vec<Vec<u32>> = {
        let a: Vec<u32> = (0..400).map(|_| below(2, &mut rng) as u32).collect();
        let b = a.iter().map(|&a| if chance(0.15, &mut rng) { 1 - a } else { a }).collect();
        let c = (0..400).map(|_| below(2, &mut rng) as u32).collect();
        vec![a, b, c]
    };
    let pairs: Vec<(u32, &[u32])> = columns.iter().map(|c| (2, c.as_slice())).collect();
    let data = Discrete::new(&pairs)?;
    let sure = Confidence::bootstrap(&data, 50, &run, |data, run| {
        let scorer = Scorer::new(data, Score::Bdeu(1.0))?;
        Ok(climb(&scorer, &Constraints::default(), None, &Climb::greedy(), run)?.dag)
    })?;
    assert_eq!((sure.rounds(), sure.edge(0, 1)), (50, 1.0));
    assert!(sure.edge(0, 2) < 0.4 && sure.edge(1, 2) < 0.4);
    Ok(())
}

/// What is estimated by draws is near what exact inference says.
#[test]
fn draws_come_near_exact_inference() -> Result<()> {
    let mut rng = seeded(37);
    for _ in 0..10 {
        let network = random_network(&[3, 2, 3, 2, 3, 2], 0.5, &mut rng);
        let mut codes: Vec<u32> = vec![MISSING; 6];
        (1..6).step_by(2).for_each(|node| codes[node] = below(2, &mut rng) as u32);
        let exact = network.posterior(0, &codes)?;
        let near = network.estimated_posterior(0, &codes)?;
        assert!((near.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        for (exact, near) in exact.iter().zip(&near) {
            assert!((exact - near).abs() < 0.05, "{exact} {near}");
        }
        assert_eq!(near, network.estimated_posterior(0, &codes)?);
    }
    Ok(())
}
