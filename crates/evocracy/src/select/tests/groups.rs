//! Interchangeable genes.

use super::*;
use crate::evolve::{Rng, gauss};
use crate::select::classifier::auc_of;
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
    let (mut groups, _) = groups(&halving, &[winner], &halving.run(&run)?, &run)?;
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

/// Selects every column whose area is far from one half, whatever others do.
struct Single;

impl Selector for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn select(&self, half: &Half<'_>, _: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let far = |at: &usize| (auc_of(half.column(*at), &half.truth) - 0.5).abs() > 0.25;
        let one = |at: usize| SparseClassifier {
            genes: vec![half.genes[at]],
            weights: vec![1.0],
            ..SparseClassifier::default()
        };
        Ok((0..half.genes.len()).filter(far).map(one).collect())
    }
}

/// Columns whose selection has nothing to do with others have the same counts without the winners:
/// the halves are the same ones.
#[test]
fn what_does_not_depend_on_winners_is_not_masked() -> Result<()> {
    let mut draws = rng(Seed::new(3));
    let class: Vec<f64> = (0..40).map(|row| f64::from(row % 2)).collect();
    let base = sum(&class, &noise(&mut draws, 0.7));
    let columns: Vec<Vec<f64>> = (0..60).map(|_| sum(&base, &noise(&mut draws, 0.3))).collect();
    let samples = study(&columns);
    let preparation = Preparation::default();
    let halving = Halving {
        samples: &samples,
        selector: &Single,
        preparation: &preparation,
        splits: 10,
        left_out: &[],
    };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let options = SelectOptions { permutations: 0, ..SelectOptions::default() };
    let found = select(&halving, options, &Run::new(1, &stop, &pool))?;
    assert!(found.groups.iter().any(|group| !group.alike.is_empty()));
    for group in &found.groups {
        assert_eq!(group.masked, vec![]);
        assert!(group.alike.iter().all(|partner| partner.without == partner.total));
        // Counts that are neither none nor all would differ on other halves.
        assert!(group.alike.iter().any(|partner| (1..20).contains(&partner.total)));
    }
    // Selections on other halves cannot be compared.
    let other = halving.run(&Run::new(2, &stop, &pool))?;
    assert!(groups(&halving, &[0], &other, &Run::new(1, &stop, &pool)).is_err());
    Ok(())
}
