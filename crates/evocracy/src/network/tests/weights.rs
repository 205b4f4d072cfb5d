//! A row of weight 3 is three rows.

use super::*;
use crate::network::information::{conditional_information, mutual_information};

#[test]
fn weights_are_repeated_rows() -> Result<()> {
    let mut rng = seeded(31);
    for states in [vec![2, 3, 2, 4], vec![20, 3, 40, 5]] {
        let data = random_network(&states, 0.6, &mut rng).sample(150, &mut rng)?;
        let weights: Vec<f64> = (0..150).map(|_| (1 + below(3, &mut rng)) as f64).collect();
        let repeated: Vec<u32> = (0..150_u32)
            .flat_map(|row| std::iter::repeat_n(row, weights[row as usize] as usize))
            .collect();
        let (weighted, repeated) = (data.clone().with_weights(&weights)?, data.select(&repeated)?);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
        let mut out = Vec::new();
        for score in SCORES {
            let by_weight = Scorer::new(&weighted, score)?;
            let by_rows = Scorer::new(&repeated, score)?;
            for parents in [&[][..], &[1], &[1, 3], &[1, 2, 3]] {
                close(by_weight.local(0, parents), by_rows.local(0, parents));
            }
            Scorer::new(&weighted, score)?.extensions(0, &[1], &[2, 3], &mut out);
            close(out[0], by_rows.local(0, &[1, 2]));
            close(out[1], by_rows.local(0, &[1, 3]));
        }
        close(mutual_information(&weighted, 0, 2), mutual_information(&repeated, 0, 2));
        close(
            conditional_information(&weighted, 0, 2, 1),
            conditional_information(&repeated, 0, 2, 1),
        );
        let dag = random_dag(4, 0.6, &mut rng);
        let fit = |data| Network::fit(variables(&states), dag.clone(), data, Prior::Cell(1.0));
        let (a, b) = (fit(&weighted)?, fit(&repeated)?);
        for node in 0..4 {
            a.table(node).iter().zip(b.table(node)).for_each(|(a, b)| close(*a, *b));
        }
    }
    Ok(())
}

#[test]
fn bad_weights_are_refused_and_equal_ones_are_none() -> Result<()> {
    let data = Discrete::new(&[(2, &[0, 1]), (2, &[1, 1])])?;
    for bad in [&[1.0][..], &[1.0, 0.0], &[1.0, f64::NAN], &[-1.0, 1.0]] {
        assert!(data.clone().with_weights(bad).is_err(), "{bad:?}");
    }
    assert!(data.with_weights(&[1.0, 1.0])?.weights().is_none());
    Ok(())
}

/// A table of cells and states of two columns of names would have 10^8 entries.
#[test]
fn columns_of_names_take_memory_by_the_rows() -> Result<()> {
    let n = 10_000_u32;
    let names: Vec<u32> = (0..n).collect();
    let turned: Vec<u32> = names.iter().map(|row| n - 1 - row).collect();
    let half: Vec<u32> = names.iter().map(|row| row % 2).collect();
    let data = Discrete::new(&[(2, &half[..]), (n, &names[..]), (n, &turned[..])])?;
    // Each says all of the other: ln n, of which ln 2 is known.
    let all = f64::from(n).ln();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    close(mutual_information(&data, 1, 2), all);
    close(conditional_information(&data, 1, 2, 0), all - 2.0_f64.ln());
    let tree = tan(&data, 0, &Stop::new())?;
    assert_eq!(tree.arcs().len(), 3);
    Ok(())
}
