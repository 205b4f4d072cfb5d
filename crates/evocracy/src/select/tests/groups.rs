//! Interchangeable genes.

use super::*;
use crate::evolve::{Rng, gauss};
use crate::select::samples::Gene;

/// Columns of forty samples, every other one positive.
fn study(columns: &[Vec<f64>]) -> Samples {
    let gene =
        |at: usize| Gene { name: at.to_string(), label: None, column: at + 1, indicator: false };
    let positive = (0..40).map(|row| row % 2 == 0).collect();
    let names = ["a".to_owned(), "b".to_owned()];
    Samples::of((0..columns.len()).map(gene).collect(), columns.concat(), positive, names).unwrap()
}

fn noise(draws: &mut Rng, size: f64) -> Vec<f64> {
    (0..40).map(|_| size * gauss(draws)).collect()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn found(samples: &Samples, preparation: &Preparation, winner: usize) -> Result<Group> {
    let selector = selector("auc", &[("genes".to_owned(), "1".to_owned())])?;
    let selector = selector.as_ref();
    let halving = Halving { samples, selector, preparation, splits: 6, left_out: &[] };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let counts = Counts::new(&halving.run(&run)?, samples.genes().len());
    let (mut groups, _) = groups(&halving, &[winner], &counts, &run)?;
    Ok(groups.remove(0))
}

/// Two columns follow the class, the second by the first; another pair has nothing to do with it.
#[test]
fn a_planted_partner_is_masked_and_others_are_alike() -> Result<()> {
    let mut draws = rng(Seed::new(1));
    let class: Vec<f64> = (0..40).map(|row| f64::from(3 * (row % 2))).collect();
    let first = sum(&class, &noise(&mut draws, 0.5));
    let second = sum(&first, &noise(&mut draws, 0.7));
    let idle = noise(&mut draws, 1.0);
    let twin = sum(&idle, &noise(&mut draws, 0.1));
    let samples = study(&[first, second, idle, twin]);
    let plain = Preparation::default();
    let names = |partners: &[Partner]| -> Vec<usize> {
        partners.iter().map(|partner| partner.gene).collect()
    };
    let planted = found(&samples, &plain, 0)?;
    assert_eq!((names(&planted.masked), names(&planted.alike)), (vec![1], vec![]));
    assert!(planted.masked[0].without > planted.masked[0].total);
    // What is like a column that is no winner by its counts was not masked by it.
    let idle = found(&samples, &plain, 2)?;
    assert_eq!((names(&idle.masked), names(&idle.alike)), (vec![], vec![3]));
    Ok(())
}

/// Both columns are an age and noise: less the age they have nothing in common.
#[test]
fn columns_are_compared_as_they_are_adjusted() -> Result<()> {
    let mut draws = rng(Seed::new(2));
    let age = noise(&mut draws, 10.0);
    let columns = [sum(&age, &noise(&mut draws, 1.0)), sum(&age, &noise(&mut draws, 1.0)), age];
    let samples = study(&columns);
    let plain = found(&samples, &Preparation::default(), 0)?;
    assert_eq!(plain.masked.len() + plain.alike.len(), 2);
    let adjusted = Preparation { adjust: vec![2], ..Preparation::default() };
    let adjusted = found(&samples, &adjusted, 0)?;
    assert_eq!((adjusted.masked, adjusted.alike), (vec![], vec![]));
    Ok(())
}
