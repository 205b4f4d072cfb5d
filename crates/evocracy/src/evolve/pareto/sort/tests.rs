use super::super::testing::{KINDS, naive_ranks, random};
use super::*;
use crate::error::Result;

#[test]
fn ranks_agree_with_the_definition() -> Result<()> {
    let mut sorter = Sorter::new();
    for objectives in 1..=8 {
        for (kind, n) in KINDS.iter().flat_map(|&kind| [1, 2, 7, 60, 300].map(|n| (kind, n))) {
            for seed in 0..3 {
                let points = random(kind, n, objectives, seed)?;
                let expected = naive_ranks(&points);
                assert_eq!(sorter.sort(&points), expected, "{kind:?} {n} {objectives} {seed}");
            }
        }
    }
    Ok(())
}

#[test]
fn fronts_gather_all_points_in_order() -> Result<()> {
    let points = random(KINDS[0], 500, 3, 1)?;
    let mut sorter = Sorter::new();
    sorter.sort(&points);
    let mut seen = 0;
    for (rank, front) in sorter.fronts().enumerate() {
        assert!(!front.is_empty() && front.is_sorted());
        assert!(front.iter().all(|&at| sorter.ranks()[at as usize] == rank as u32));
        seen += front.len();
    }
    assert_eq!(seen, 500);
    sorter.sort(&PointSet::minimised([[0.0; 3]])?.select(&[]));
    assert_eq!(sorter.fronts().len(), 0);
    Ok(())
}

/// A chain is the longest there can be: as many fronts as points.
#[test]
fn a_chain_has_a_front_for_each_point() -> Result<()> {
    for objectives in 1..=7 {
        let points = PointSet::minimised((0..400).rev().map(|i| vec![f64::from(i); objectives]))?;
        let expected: Vec<u32> = (0..400).rev().collect();
        assert_eq!(Sorter::new().sort(&points), expected);
    }
    Ok(())
}
