//! How often genes were selected, and their ranks.

use super::halving::SplitFound;
use serde::{Deserialize, Serialize};

/// How often every gene was selected. A front counts a gene once, however many of its classifiers
/// have it (thesis 4.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// On how many halves: at most twice the splits.
    pub total: Vec<u32>,
    /// On both halves of how many splits.
    pub coincident: Vec<u32>,
    /// How many splits there were.
    pub splits: u32,
}

impl Counts {
    /// Counts over splits of so many genes.
    pub fn new(found: &[SplitFound], genes: usize) -> Self {
        let mut counts =
            Self { total: vec![0; genes], coincident: vec![0; genes], splits: found.len() as u32 };
        for halves in found {
            let [first, second] = [halves[0].genes(), halves[1].genes()];
            for &gene in first.iter().chain(&second) {
                counts.total[gene as usize] += 1;
            }
            for &gene in first.iter().filter(|gene| second.binary_search(gene).is_ok()) {
                counts.coincident[gene as usize] += 1;
            }
        }
        counts
    }

    /// All genes in order: by total count, then by coincident count, then by column.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.total.len()).collect();
        let key = |gene: usize| (self.total[gene], self.coincident[gene]);
        order.sort_by_key(|&gene| std::cmp::Reverse(key(gene)));
        order
    }

    /// The mean number of genes selected on a half.
    pub fn mean_selected(&self) -> f64 {
        let all: u64 = self.total.iter().map(|&count| u64::from(count)).sum();
        all as f64 / f64::from(2 * self.splits.max(1))
    }
}

/// The rank of every count: one more than the number of larger counts, so that ties share a rank.
pub fn ranks(counts: &[u32]) -> Vec<usize> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    counts.iter().map(|count| 1 + sorted.partition_point(|other| other > count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_a_rank() {
        assert_eq!(ranks(&[3, 7, 3, 0, 9]), [3, 2, 3, 5, 1]);
        assert!(ranks(&[]).is_empty());
    }
}
