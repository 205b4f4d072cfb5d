//! Splits that keep groups whole: all rows of a patient, a family or a day are on one side.

use super::{Split, refuse};
use crate::error::{Error, Result};
use crate::run::Seed;
use rand::seq::SliceRandom;

/// One group: its rows and how many it has of each class.
struct Group {
    rows: Vec<u32>,
    classes: Vec<f64>,
}

/// `k` splits whose test parts are disjoint, cover all rows and share no group. `groups` holds
/// the group of every row, any numbers.
///
/// Groups are given out from the largest to the smallest, each to the fold in which the classes
/// are then nearest to an even share: folds are as alike as the groups allow, not more.
pub fn grouped_folds(
    groups: &[u32],
    codes: Option<&[u32]>,
    k: usize,
    seed: Seed,
) -> Result<Vec<Split>> {
    let fold_of = grouped_fold_numbers(groups, codes, k, seed)?;
    Ok((0..k as u32).map(|fold| Split::of_fold(&fold_of, fold)).collect())
}

/// The fold of every row: what [`grouped_folds`] makes splits of.
pub(crate) fn grouped_fold_numbers(
    groups: &[u32],
    codes: Option<&[u32]>,
    k: usize,
    seed: Seed,
) -> Result<Vec<u32>> {
    let members = members(groups, codes, seed);
    if k < 2 || k > members.len() {
        let expected = format!("a whole number from 2 to {} (the groups)", members.len());
        return Err(refuse("folds", &expected, &k));
    }
    Ok(deal(&members, &vec![1.0 / k as f64; k], groups.len()))
}

/// Holds out about a share of the rows, whole groups only.
pub fn grouped_holdout(
    groups: &[u32],
    codes: Option<&[u32]>,
    share: f64,
    seed: Seed,
) -> Result<Split> {
    if !(share > 0.0 && share < 1.0) {
        return Err(refuse("holdout", "a share between 0 and 1", &share));
    }
    let members = members(groups, codes, seed);
    let side = deal(&members, &[1.0 - share, share], groups.len());
    let split = Split::of_fold(&side, 1);
    if split.train.is_empty() || split.test.is_empty() {
        return Err(Error::unsuitable(
            format!("{} groups are too few to hold out a share of {share}", members.len()),
            "use more groups or another share",
        ));
    }
    Ok(split)
}

/// The groups, the largest first, equal ones shuffled.
fn members(groups: &[u32], codes: Option<&[u32]>, seed: Seed) -> Vec<Group> {
    let classes = codes.map_or(1, |codes| codes.iter().max().map_or(1, |&c| c as usize + 1));
    let mut order: Vec<u32> = (0..groups.len() as u32).collect();
    order.sort_by_key(|&row| (groups[row as usize], row));
    let mut members: Vec<Group> = order
        .chunk_by(|&a, &b| groups[a as usize] == groups[b as usize])
        .map(|rows| {
            let mut counts = vec![0.0; classes];
            for &row in rows {
                counts[codes.map_or(0, |codes| codes[row as usize] as usize)] += 1.0;
            }
            Group { rows: rows.to_vec(), classes: counts }
        })
        .collect();
    members.shuffle(&mut seed.child("groups", 0).rng());
    members.sort_by_key(|group| usize::MAX - group.rows.len());
    members
}

/// The part of every row, when part `p` should get a share `shares[p]` of every class.
fn deal(members: &[Group], shares: &[f64], rows: usize) -> Vec<u32> {
    let classes = members.first().map_or(1, |group| group.classes.len());
    let mut totals = vec![0.0; classes];
    for group in members {
        for (total, count) in totals.iter_mut().zip(&group.classes) {
            *total += count;
        }
    }
    let mut have = vec![vec![0.0; classes]; shares.len()];
    let mut part_of = vec![0; rows];
    for group in members {
        // How much nearer to its share the part comes, each class by its own size.
        let gain = |part: usize| -> f64 {
            let gain = |class: usize| {
                let want = shares[part] * totals[class];
                let (before, after) =
                    (have[part][class] - want, have[part][class] + group.classes[class] - want);
                (before * before - after * after) / (want * totals[class]).max(1e-300)
            };
            (0..classes).filter(|&class| totals[class] > 0.0).map(gain).sum()
        };
        let best = (1..shares.len()).fold(0, |best, p| if gain(p) > gain(best) { p } else { best });
        for (sum, count) in have[best].iter_mut().zip(&group.classes) {
            *sum += count;
        }
        for &row in &group.rows {
            part_of[row as usize] = best as u32;
        }
    }
    part_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_group_is_on_both_sides(
            rows in prop::collection::vec((0u32..30, 0u32..3), 20..300), k in 2usize..6, seed: u64,
        ) {
            let groups: Vec<u32> = rows.iter().map(|row| row.0 * 7).collect();
            let codes: Vec<u32> = rows.iter().map(|row| row.1).collect();
            let mut distinct = groups.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assume!(distinct.len() >= k);
            let splits = grouped_folds(&groups, Some(&codes), k, Seed::new(seed)).unwrap();
            let mut tested = vec![0; rows.len()];
            for split in &splits {
                prop_assert_eq!(split.train.len() + split.test.len(), rows.len());
                for &row in &split.test {
                    tested[row as usize] += 1;
                    let group = groups[row as usize];
                    prop_assert!(split.train.iter().all(|&other| groups[other as usize] != group));
                }
            }
            prop_assert!(tested.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn many_equal_groups_are_shared_out_evenly() -> Result<()> {
        // 60 patients of 5 rows, a third of them ill.
        let groups: Vec<u32> = (0..300).map(|row| row / 5).collect();
        let codes: Vec<u32> = groups.iter().map(|group| u32::from(group % 3 == 0)).collect();
        for split in grouped_folds(&groups, Some(&codes), 5, Seed::new(1))? {
            let ill = split.test.iter().filter(|&&row| codes[row as usize] == 1).count();
            assert_eq!((split.test.len(), ill), (60, 20));
        }
        let split = grouped_holdout(&groups, Some(&codes), 0.2, Seed::new(1))?;
        assert_eq!(split.test.len(), 60);
        assert!(grouped_holdout(&[1, 1, 1], None, 0.5, Seed::new(1)).is_err());
        assert!(grouped_folds(&[1, 1, 2], None, 3, Seed::new(1)).is_err());
        Ok(())
    }
}
