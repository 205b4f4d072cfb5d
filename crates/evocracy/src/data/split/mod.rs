//! Splits of rows into training and test parts. All are seeded, and stratified where there are
//! classes: every part shows the classes in nearly the same shares.
//!
//! | function | what it makes |
//! |---|---|
//! | [`holdout`] | a share of the rows for testing |
//! | [`folds`], [`repeated_folds`] | disjoint test parts that cover all rows, once or repeatedly |
//! | [`leave_one_out`] | every row tested alone |
//! | [`halves`] | two halves that differ by at most one row, in all and in each class |
//! | [`bootstrap`] | rows drawn with replacement; tested on those not drawn |
//! | [`grouped_folds`], [`grouped_holdout`] | as above, no group on both sides |
//! | [`homogeneous`] | parts with nearly the same distribution (Aupetit 2009) |
//!
//! Published partitions belong to their data set: [`super::Dataset::published`].

mod grouped;
mod homogeneous;

pub(crate) use grouped::grouped_fold_numbers;
pub use grouped::{grouped_folds, grouped_holdout};
pub use homogeneous::{homogeneous, homogeneous_points, standard_points};

use crate::error::{Error, Remedy, Result};
use crate::run::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// Rows to learn from and rows to judge on, each in ascending order; a bootstrap's training rows
/// may stand there several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<u32>,
    /// Rows to judge on.
    pub test: Vec<u32>,
}

/// The number of rows of the class that has fewest, of those that have any.
pub(crate) fn rarest(codes: &[u32]) -> usize {
    let mut counts = vec![0; codes.iter().max().map_or(0, |most| *most as usize + 1)];
    for &code in codes {
        counts[code as usize] += 1;
    }
    counts.into_iter().filter(|count| *count > 0).min().unwrap_or(0)
}

/// Holds out a share of `rows` rows for testing, the same share of every class.
///
/// A class keeps at least one training row, and at least one row is held out where the share
/// amounts to half a row.
pub fn holdout(rows: usize, codes: Option<&[u32]>, share: f64, seed: Seed) -> Result<Split> {
    if !(share > 0.0 && share < 1.0) {
        return Err(refuse("holdout", "a share between 0 and 1", &share));
    }
    let mut split = Split { train: Vec::new(), test: Vec::new() };
    let mut seen = 0;
    let groups = shuffled_groups(rows, codes, seed);
    let largest = groups.iter().max_by_key(|group| group.len()).cloned().unwrap_or_default();
    for group in groups {
        // Rounding the running total keeps each class within one row of its share and the whole
        // as well; rounding class by class would leave small classes out altogether.
        let before = (f64::from(seen) * share).round();
        seen += group.len() as u32;
        let test = ((f64::from(seen) * share).round() - before) as usize;
        let test = test.min(group.len() - 1);
        split.test.extend(&group[..test]);
        split.train.extend(&group[test..]);
    }
    // All of a small share may have fallen to classes that need their only row for training.
    if split.test.is_empty() && largest.len() > 1 && rows as f64 * share >= 0.5 {
        split.test.push(largest[0]);
        split.train.retain(|&row| row != largest[0]);
    }
    if split.test.is_empty() && codes.is_some() && largest.len() == 1 && rows > 1 {
        let what = format!("each of the {rows} rows has a class of its own");
        return Err(Error::unsuitable(what, Remedy::OtherTarget));
    }
    if split.test.is_empty() {
        return Err(Error::unsuitable(
            format!("{rows} rows are too few to hold out a share of {share}"),
            "use more rows or a larger share",
        ));
    }
    split.train.sort_unstable();
    split.test.sort_unstable();
    Ok(split)
}

/// `k` splits whose test parts are disjoint and cover all rows.
pub fn folds(rows: usize, codes: Option<&[u32]>, k: usize, seed: Seed) -> Result<Vec<Split>> {
    let fold_of = fold_numbers(rows, codes, k, seed)?;
    Ok((0..k as u32).map(|fold| Split::of_fold(&fold_of, fold)).collect())
}

/// The fold of every row: what [`folds`] makes splits of.
pub(crate) fn fold_numbers(
    rows: usize,
    codes: Option<&[u32]>,
    k: usize,
    seed: Seed,
) -> Result<Vec<u32>> {
    if k < 2 || k > rows {
        return Err(refuse("folds", &format!("a whole number from 2 to {rows} (the rows)"), &k));
    }
    // Dealing the groups one after the other, like cards, keeps every fold within one row of
    // the others in size and in each class.
    let mut fold_of = vec![0; rows];
    let dealt = shuffled_groups(rows, codes, seed).into_iter().flatten();
    for (turn, row) in dealt.enumerate() {
        fold_of[row as usize] = (turn % k) as u32;
    }
    Ok(fold_of)
}

impl Split {
    /// The rows of a fold to judge on, and all others to learn from.
    pub(crate) fn of_fold(fold_of: &[u32], fold: u32) -> Self {
        let rows = 0..fold_of.len() as u32;
        let (test, train) = rows.partition(|&row| fold_of[row as usize] == fold);
        Self { train, test }
    }
}

/// `repeats` times [`folds`], each time shuffled anew.
pub fn repeated_folds(
    rows: usize,
    codes: Option<&[u32]>,
    k: usize,
    repeats: usize,
    seed: Seed,
) -> Result<Vec<Split>> {
    let mut splits =
        Vec::with_capacity(k.saturating_mul(repeats).min(rows.saturating_mul(repeats)));
    for repeat in 0..repeats {
        splits.extend(folds(rows, codes, k, seed.child("repeat", repeat as u64))?);
    }
    Ok(splits)
}

/// Every row tested alone, learnt from all others. Lazy: all splits at once would take memory
/// that grows with the square of the rows.
pub fn leave_one_out(rows: usize) -> impl Iterator<Item = Split> {
    let rows = rows as u32;
    (0..rows).map(move |out| Split {
        train: (0..rows).filter(|&row| row != out).collect(),
        test: vec![out],
    })
}

/// Two halves that differ by at most one row, in all and in each class.
pub fn halves(rows: usize, codes: Option<&[u32]>, seed: Seed) -> Result<Split> {
    let mut two = folds(rows, codes, 2, seed)?;
    Ok(two.swap_remove(0))
}

/// As many rows as there are, drawn with replacement; the test rows are those not drawn, a share
/// of about 1/e of them (and none at all in some draws from a handful of rows).
pub fn bootstrap(rows: usize, seed: Seed) -> Result<Split> {
    if rows == 0 {
        return Err(Error::unsuitable("there are no rows to draw from", "give a table with rows"));
    }
    let mut rng = seed.child("bootstrap", 0).rng();
    let mut drawn = vec![0_u32; rows];
    for _ in 0..rows {
        drawn[rng.random_range(0..rows)] += 1;
    }
    let times = |row: usize| std::iter::repeat_n(row as u32, drawn[row] as usize);
    let train = (0..rows).flat_map(times).collect();
    let test = (0..rows).filter(|&row| drawn[row] == 0).map(|row| row as u32).collect();
    Ok(Split { train, test })
}

/// The rows of each class, shuffled; one group of all rows where there are no classes.
fn shuffled_groups(rows: usize, codes: Option<&[u32]>, seed: Seed) -> Vec<Vec<u32>> {
    let classes = codes.map_or(1, |codes| codes.iter().max().map_or(0, |&c| c as usize + 1));
    let mut groups = vec![Vec::new(); classes];
    for row in 0..rows {
        groups[codes.map_or(0, |codes| codes[row] as usize)].push(row as u32);
    }
    groups.retain(|group| !group.is_empty());
    let mut rng = seed.child("split", 0).rng();
    for group in &mut groups {
        group.shuffle(&mut rng);
    }
    groups
}

fn refuse(name: &str, expected: &str, got: &dyn std::fmt::Display) -> Error {
    let (of, name, expected) = ("split".to_owned(), name.to_owned(), expected.to_owned());
    Error::Param { of, name, expected, got: got.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn folds_part_the_rows_and_keep_the_classes_in_proportion(
            codes in prop::collection::vec(0u32..4, 10..200), k in 2usize..10, seed: u64,
        ) {
            let splits = folds(codes.len(), Some(&codes), k, Seed::new(seed)).unwrap();
            let mut tested = vec![0; codes.len()];
            for split in &splits {
                prop_assert_eq!(split.train.len() + split.test.len(), codes.len());
                for &row in &split.test { tested[row as usize] += 1; }
                prop_assert!(split.test.iter().all(|r| split.train.binary_search(r).is_err()));
            }
            prop_assert!(tested.iter().all(|&t| t == 1));
            for class in 0..4 {
                let counts: Vec<usize> = splits.iter()
                    .map(|s| s.test.iter().filter(|&&r| codes[r as usize] == class).count()).collect();
                let (low, high) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
                prop_assert!(high - low <= 1);
            }
        }

        #[test]
        fn a_holdout_keeps_every_class_in_training(
            codes in prop::collection::vec(0u32..4, 10..200), share in 0.1f64..0.9, seed: u64,
        ) {
            let split = holdout(codes.len(), Some(&codes), share, Seed::new(seed)).unwrap();
            for class in 0..4 {
                let all = codes.iter().filter(|&&c| c == class).count();
                let train = split.train.iter().filter(|&&r| codes[r as usize] == class).count();
                let test = split.test.iter().filter(|&&r| codes[r as usize] == class).count();
                prop_assert_eq!(train + test, all);
                prop_assert!(all == 0 || train > 0);
                prop_assert!((test as f64 - all as f64 * share).abs() <= 1.0);
            }
        }
    }

    #[test]
    fn a_bootstrap_draws_as_many_rows_as_there_are_and_tests_on_the_others() -> Result<()> {
        let mut left_out = 0;
        for seed in 0..100 {
            let split = bootstrap(1000, Seed::new(seed))?;
            assert_eq!(split.train.len(), 1000);
            assert!(split.test.iter().all(|row| split.train.binary_search(row).is_err()));
            let mut distinct = split.train.clone();
            distinct.dedup();
            assert_eq!(distinct.len() + split.test.len(), 1000);
            left_out += split.test.len();
        }
        // (1 - 1/n)^n of n = 1000 rows; the standard error of the mean of 100 draws is 0.001.
        let expected = (1.0 - 1.0 / 1000.0_f64).powi(1000);
        assert!((left_out as f64 / 100_000.0 - expected).abs() < 0.004);
        Ok(())
    }

    #[test]
    fn halves_leave_one_out_and_repeats_cover_what_they_should() -> Result<()> {
        let codes: Vec<u32> = (0..101).map(|row| u32::from(row % 3 == 0)).collect();
        let split = halves(101, Some(&codes), Seed::new(1))?;
        assert_eq!(split.train.len().abs_diff(split.test.len()), 1);
        let ones = |rows: &[u32]| rows.iter().filter(|&&row| codes[row as usize] == 1).count();
        assert!(ones(&split.train).abs_diff(ones(&split.test)) <= 1);
        let singles: Vec<Split> = leave_one_out(5).collect();
        assert_eq!(singles[3], Split { train: vec![0, 1, 2, 4], test: vec![3] });
        assert_eq!(singles.len(), 5);
        let repeated = repeated_folds(101, Some(&codes), 5, 3, Seed::new(1))?;
        assert_eq!(repeated.len(), 15);
        assert_ne!(repeated[0], repeated[5]);
        Ok(())
    }

    #[test]
    fn impossible_splits_are_refused() {
        assert!(holdout(10, None, 1.0, Seed::new(1)).is_err());
        assert!(holdout(10, None, f64::NAN, Seed::new(1)).is_err());
        assert!(holdout(1, None, 0.5, Seed::new(1)).is_err());
        assert!(folds(10, None, 11, Seed::new(1)).is_err());
        assert!(folds(10, None, 1, Seed::new(1)).is_err());
    }
}
