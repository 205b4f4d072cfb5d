//! Genes that could stand in for a selected one: a sparse classifier takes one of several that say
//! the same, and the others look unimportant. They are found by their correlation with the winners,
//! adjusted for cofactors as classifiers see them; their counts once the winners cannot be selected say
//! how they would have done on the same halves. One that is selected clearly more often then was
//! masked, others are alike. Winners are the genes with the largest counts.

use super::counts::Counts;
use super::half::Half;
use super::halving::{Halving, SplitFound};
use crate::error::{Error, Result};
use crate::num::dot;
use crate::run::Run;
use serde::Serialize;

/// Genes are interchangeable from this absolute rank correlation on.
pub const INTERCHANGEABLE: f64 = 0.7;
/// The most partners that are listed for a winner, of those it masked and of those alike.
const PARTNERS: usize = 20;
/// A gene was masked if it is gained on more halves than it is lost on by so many standard errors.
const CLEARLY: f64 = 2.0;

/// A gene that is interchangeable with a winner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Partner {
    /// The gene, by its number in the samples.
    #[serde(skip)]
    pub gene: usize,
    /// Its name.
    pub name: String,
    /// Its rank correlation with the winner.
    pub correlation: f64,
    /// How often it was selected beside the winner.
    pub total: u32,
    /// How often it was selected where no winner could be.
    pub without: u32,
}

/// A winner, the winners and the other genes that could stand in for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The winner with the largest count.
    #[serde(skip)]
    pub winner: usize,
    /// Its name.
    pub name: String,
    /// Other winners that are interchangeable with it.
    #[serde(skip)]
    pub members: Vec<usize>,
    /// Their names.
    pub also_selected: Vec<String>,
    /// Genes that it masked: they are selected clearly more often without the winners. Those with
    /// the largest counts then come first, here and below.
    pub masked: Vec<Partner>,
    /// Genes that are as much like it, and are not selected clearly more often without the winners.
    pub alike: Vec<Partner>,
}

/// The groups of winners (in order of their counts), and the counts without them. `found` are the
/// splits with them; those without are the same ones, so that both follow from the seed of `run`.
pub fn groups(
    halving: &Halving<'_>,
    winners: &[usize],
    found: &[SplitFound],
    run: &Run<'_>,
) -> Result<(Vec<Group>, Counts)> {
    let genes = halving.samples.genes().len();
    let mut left_out: Vec<bool> = (0..genes).map(|gene| halving.is_left_out(gene)).collect();
    for &winner in winners {
        left_out[winner] = true;
    }
    let again = Halving { left_out: &left_out, ..*halving };
    // Finished splits are those of these winners alone: another level of false discoveries has others.
    let mut out: Vec<usize> = winners.to_vec();
    out.sort_unstable();
    let run = &run.part(&format!("{out:?}"), 0);
    let without = if again.candidates() == 0 { Vec::new() } else { again.run(run)? };
    // Counts of fewer splits are no counts without the winners.
    run.stop.check()?;
    let changes = Changes::new(found, &without, genes)?;
    let (counts, without) = (Counts::new(found, genes), Counts::new(&without, genes));
    run.reserve(&format!("{genes} columns of all samples"), &[genes, halving.samples.rows()])?;
    let mut groups = alike(halving, winners, &left_out);
    for group in &mut groups {
        for partner in &mut group.alike {
            partner.total = counts.total[partner.gene];
            partner.without = without.total[partner.gene];
        }
        let key = |partner: &Partner| (partner.without, partner.total);
        group.alike.sort_by(|a, b| {
            key(b).cmp(&key(a)).then(b.correlation.abs().total_cmp(&a.correlation.abs()))
        });
        let partners = std::mem::take(&mut group.alike);
        (group.masked, group.alike) =
            partners.into_iter().partition(|partner| changes.more(partner.gene));
        group.masked.truncate(PARTNERS);
        group.alike.truncate(PARTNERS);
    }
    Ok((groups, without))
}

/// On how many halves each gene is selected without the winners alone, and with them alone.
struct Changes {
    gained: Vec<u32>,
    lost: Vec<u32>,
}

impl Changes {
    fn new(with: &[SplitFound], without: &[SplitFound], genes: usize) -> Result<Self> {
        let mut changes = Self { gained: vec![0; genes], lost: vec![0; genes] };
        // Nothing was selected where nothing can be.
        if without.is_empty() {
            return Ok(changes);
        }
        let same = |pair: (&SplitFound, &SplitFound)| {
            pair.0.iter().zip(pair.1).all(|(one, other)| one.train == other.train)
        };
        if with.len() != without.len() || !with.iter().zip(without).all(same) {
            return Err(Error::unsuitable(
                "selections with and without the winners are of other halves",
                "give the run that the selections are of",
            ));
        }
        for (one, other) in with.iter().flatten().zip(without.iter().flatten()) {
            let (before, after) = (one.genes(), other.genes());
            let alone = |these: &[u32], those: &[u32], counts: &mut [u32]| {
                for gene in these.iter().filter(|gene| those.binary_search(gene).is_err()) {
                    counts[*gene as usize] += 1;
                }
            };
            alone(&after, &before, &mut changes.gained);
            alone(&before, &after, &mut changes.lost);
        }
        Ok(changes)
    }

    /// Whether a gene is selected clearly more often without the winners: as in McNemar's test only
    /// halves that changed count, and without an effect their difference has the variance of their
    /// number.
    fn more(&self, gene: usize) -> bool {
        let (gained, lost) = (f64::from(self.gained[gene]), f64::from(self.lost[gene]));
        gained > lost && gained - lost >= CLEARLY * (gained + lost).sqrt()
    }
}

/// The groups of winners with all genes that are interchangeable with them, not counted yet.
fn alike(halving: &Halving<'_>, winners: &[usize], left_out: &[bool]) -> Vec<Group> {
    let samples = halving.samples;
    let all: Vec<u32> = (0..samples.rows() as u32).collect();
    let rows = (&all[..], &[][..]);
    let half = Half::new(samples, samples.positive(), rows, halving.preparation, halving.left_out);
    let ranks = |gene: usize| {
        let Ok(at) = half.genes.binary_search(&(gene as u32)) else {
            return vec![0.0; all.len()];
        };
        // The mean stands for what is missing, and has no rank.
        let known = half.column(at).iter().zip(samples.values(gene));
        let known = known.map(|(own, raw)| if raw.is_nan() { f64::NAN } else { *own });
        centred_ranks(&known.collect::<Vec<f64>>())
    };
    let name = |gene: usize| samples.genes()[gene].name.clone();
    let mut groups: Vec<(Vec<f64>, Group)> = Vec::new();
    for &winner in winners {
        let own = ranks(winner);
        if let Some((_, group)) =
            groups.iter_mut().find(|(first, _)| dot(first, &own).abs() >= INTERCHANGEABLE)
        {
            group.members.push(winner);
            group.also_selected.push(name(winner));
        } else {
            let (members, also_selected) = (Vec::new(), Vec::new());
            let (masked, alike) = (Vec::new(), Vec::new());
            let name = name(winner);
            groups.push((own, Group { winner, name, members, also_selected, masked, alike }));
        }
    }
    for gene in (0..left_out.len()).filter(|&gene| !left_out[gene]) {
        let own = ranks(gene);
        // A gene is listed with the winner it is nearest to.
        let nearest = groups
            .iter_mut()
            .map(|(first, group)| (dot(first, &own), group))
            .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        if let Some((correlation, group)) = nearest
            && correlation.abs() >= INTERCHANGEABLE
        {
            let name = name(gene);
            group.alike.push(Partner { gene, name, correlation, total: 0, without: 0 });
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Ranks less their mean, of length 1, so that products are rank correlations. What is missing has
/// the mean rank; a constant is all 0.
fn centred_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let middle = (order.len() as f64 - 1.0) / 2.0;
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = at as f64 + (tied.len() as f64 - 1.0) / 2.0;
        for &i in tied {
            ranks[i] = mean - middle;
        }
        at += tied.len();
    }
    let length = ranks.iter().map(|r| r * r).sum::<f64>().sqrt();
    if length > 0.0 {
        for rank in &mut ranks {
            *rank /= length;
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_noise_is_asked_for() {
        let changes = Changes { gained: vec![0, 1, 3, 4, 30, 40], lost: vec![0, 0, 0, 0, 20, 20] };
        let more: Vec<bool> = (0..6).map(|gene| changes.more(gene)).collect();
        assert_eq!(more, [false, false, false, true, false, true]);
    }

    #[test]
    fn rank_correlations() {
        let product = |a: &[f64], b: &[f64]| -> f64 {
            centred_ranks(a).iter().zip(centred_ranks(b)).map(|(a, b)| a * b).sum()
        };
        // By scipy's spearmanr: 0.6, with ties 0.948683...
        assert!((product(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]) - 0.6).abs() < 1e-12);
        let tied = product(&[1.0, 2.0, 2.0, 4.0], &[1.0, 2.0, 3.0, 4.0]);
        assert!((tied - 0.948_683_298_050_513_8).abs() < 1e-12);
        assert_eq!(product(&[7.0; 3], &[1.0, 2.0, 3.0]), 0.0);
    }
}
