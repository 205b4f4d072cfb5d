//! Splits of rows into training and test parts. All are seeded, and stratified where there are
//! classes: every part shows the classes in nearly the same shares.

use crate::error::{Error, Result};
use crate::run::Seed;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// Rows to learn from and rows to judge on, each in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<u32>,
    /// Rows to judge on.
    pub test: Vec<u32>,
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
    if k < 2 || k > rows {
        return Err(refuse("folds", &format!("a whole number from 2 to {rows} (the rows)"), &k));
    }
    // Dealing the groups one after the other, like cards, keeps every fold within one row of
    // the others in size and in each class.
    let mut fold_of = vec![0; rows];
    let dealt = shuffled_groups(rows, codes, seed).into_iter().flatten();
    for (turn, row) in dealt.enumerate() {
        fold_of[row as usize] = turn % k;
    }
    let part = |fold, inside: bool| {
        (0..rows as u32).filter(|&r| (fold_of[r as usize] == fold) == inside).collect()
    };
    Ok((0..k).map(|fold| Split { train: part(fold, false), test: part(fold, true) }).collect())
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
    fn impossible_splits_are_refused() {
        assert!(holdout(10, None, 1.0, Seed::new(1)).is_err());
        assert!(holdout(10, None, f64::NAN, Seed::new(1)).is_err());
        assert!(holdout(1, None, 0.5, Seed::new(1)).is_err());
        assert!(folds(10, None, 11, Seed::new(1)).is_err());
        assert!(folds(10, None, 1, Seed::new(1)).is_err());
    }
}
