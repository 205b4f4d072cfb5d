//! What all ways to select promise.

mod counted;
mod groups;
mod refused;

use super::*;
use crate::data::catalogue::{Catalogue, Load};
use crate::error::Result;
use crate::evolve::rng;
use crate::run::{MemoryStore, Pool, Run, Seed, Shelf, Stop};
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A small study.
fn small() -> Samples {
    let spec = "gen:genes:rows=40:genes=60:informative=4:masked=2:shift=2";
    let data = Catalogue::embedded().open(spec, &Load::default()).unwrap();
    Samples::new(&data).unwrap()
}

fn by(name: &str) -> Box<dyn Selector> {
    let fast = match name {
        "moea" => vec![("evaluations".to_owned(), "1000".to_owned())],
        "forest" => vec![("trees".to_owned(), "20".to_owned())],
        _ => Vec::new(),
    };
    selector(name, &fast).unwrap()
}

/// Counted by walking over all pairs of halves, classifiers and genes.
fn slow_counts(found: &[SplitFound]) -> BTreeMap<u32, (u32, u32)> {
    let mut counts = BTreeMap::new();
    let has =
        |half: &HalfFound, gene: u32| half.classifiers.iter().any(|one| one.genes.contains(&gene));
    for gene in 0..60 {
        for split in found {
            let (a, b) = (has(&split[0], gene), has(&split[1], gene));
            let entry = counts.entry(gene).or_insert((0, 0));
            entry.0 += u32::from(a) + u32::from(b);
            entry.1 += u32::from(a && b);
        }
    }
    counts
}

#[test]
fn every_way_finds_planted_genes_and_its_counts_are_exact() -> Result<()> {
    let (samples, preparation) = (small(), Preparation::default());
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    for entry in SELECTORS {
        let selector = by(entry.name);
        let (selector, samples) = (selector.as_ref(), &samples);
        let halving =
            Halving { samples, selector, preparation: &preparation, splits: 10, left_out: &[] };
        let found = halving.run(&Run::new(1, &stop, &pool))?;
        let counts = Counts::new(&found, samples.genes().len());
        for (gene, (total, coincident)) in slow_counts(&found) {
            let gene = gene as usize;
            assert_eq!((counts.total[gene], counts.coincident[gene]), (total, coincident));
        }
        let best = counts.order()[0];
        let label = samples.genes()[best].label.clone().unwrap_or_default();
        assert!(!label.is_empty(), "{}: {best} is noise", entry.name);
        for half in found.iter().flatten() {
            assert_eq!((half.train.len(), half.judged.len()), (20, 20));
            for one in &half.classifiers {
                assert!(one.auc.iter().chain(&one.accuracy).all(|v| (0.0..=1.0).contains(v)));
            }
        }
    }
    Ok(())
}

#[test]
fn threads_and_interruption_change_nothing() -> Result<()> {
    let (samples, preparation) = (small(), Preparation::default());
    for entry in SELECTORS {
        let name = entry.name;
        let selector = by(name);
        let (selector, samples) = (selector.as_ref(), &samples);
        let halving =
            Halving { samples, selector, preparation: &preparation, splits: 6, left_out: &[] };
        let (stop, one, eight) = (Stop::new(), Pool::new(1)?, Pool::new(8)?);
        let found = halving.run(&Run::new(3, &stop, &one))?;
        assert_eq!(found, halving.run(&Run::new(3, &stop, &eight))?);
        // Some splits are done, then the rest.
        let store = MemoryStore::default();
        let run = Run { shelf: Shelf::new(&store, name), ..Run::new(3, &stop, &one) };
        Halving { splits: 2, ..halving }.run(&run)?;
        assert_eq!(found, halving.run(&run)?);
        assert_eq!(store.counts(), (2, 6));
        stop.request();
        assert!(halving.run(&Run::new(3, &stop, &one)).is_err());
    }
    Ok(())
}

/// Test rows that become other ones at random change nothing that is learnt.
#[test]
fn only_training_rows_are_learnt_from() -> Result<()> {
    let samples = small();
    let rows = samples.rows();
    let (train, test): (Vec<u32>, Vec<u32>) = (0..rows as u32).partition(|row| row % 4 < 2);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(5, &stop, &pool);
    let preparation =
        Preparation { scale: Scale::Log, adjust: vec![5], force: vec![7], offer: vec![9] };
    let learnt = |samples: &Samples| -> Result<_> {
        let rows = (&train[..], &test[..]);
        let half = Half::new(samples, samples.positive(), rows, &preparation, &[]);
        let found = SELECTORS.iter().map(|entry| by(entry.name).select(&half, &run));
        let found = found.collect::<Result<Vec<_>>>()?;
        let forced: Vec<Vec<f64>> = half.forced().map(<[f64]>::to_vec).collect();
        Ok((half.columns.clone(), forced, found))
    };
    let first = learnt(&samples)?;
    assert!(first.2.iter().any(|found| !found.is_empty()));
    for seed in 0..3 {
        let mut draws = rng(Seed::new(seed));
        let mut cells: Vec<f64> =
            (0..samples.genes().len()).flat_map(|gene| samples.values(gene)).copied().collect();
        for column in cells.chunks_exact_mut(rows) {
            // Values below the floor, missing ones and some of another size.
            for &row in &test {
                column[row as usize] = match draws.random_range(0..4) {
                    0 => f64::NAN,
                    1 => -1000.0 * draws.random::<f64>(),
                    _ => 1000.0 * draws.random::<f64>(),
                };
            }
        }
        let (genes, names) = (samples.genes().to_vec(), samples.class_names().clone());
        let other = Samples::of(genes, cells, samples.positive().to_vec(), names)?;
        assert_eq!(learnt(&other)?, first);
    }
    Ok(())
}

/// Finished splits without some winners are not taken for those without others.
#[test]
fn counts_without_winners_are_those_of_these_winners() -> Result<()> {
    let (samples, preparation) = (small(), Preparation::default());
    let selector = by("auc");
    let (selector, samples) = (selector.as_ref(), &samples);
    let halving =
        Halving { samples, selector, preparation: &preparation, splits: 4, left_out: &[] };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(2, &stop, &pool);
    let with = halving.run(&run)?;
    let order = Counts::new(&with, samples.genes().len()).order();
    let store = MemoryStore::default();
    let kept = Run { shelf: Shelf::new(&store, "select"), ..run.clone() };
    let (_, two) = groups(&halving, &order[..2], &with, &kept)?;
    assert!(two.total[order[2]] > 0);
    let (found, three) = groups(&halving, &order[..3], &with, &kept)?;
    assert_eq!(three.total[order[2]], 0);
    assert_eq!((found, three), groups(&halving, &order[..3], &with, &run)?);
    // The same winners in another order find their splits.
    let before = store.counts();
    let turned: Vec<usize> = order[..2].iter().rev().copied().collect();
    assert_eq!(groups(&halving, &turned, &with, &kept)?.1, two);
    assert_eq!(store.counts(), (before.0 + 4, before.1));
    Ok(())
}

#[test]
fn nothing_selected_is_nothing_to_check() -> Result<()> {
    let spec = "gen:genes:rows=24:genes=10:informative=0:masked=0";
    let data = Catalogue::embedded().open(spec, &Load::default())?;
    let (samples, preparation) = (Samples::new(&data)?, Preparation::default());
    let selector = selector("screen", &[("level".to_owned(), "1e-9".to_owned())])?;
    let (selector, samples) = (selector.as_ref(), &samples);
    let halving =
        Halving { samples, selector, preparation: &preparation, splits: 3, left_out: &[] };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let options = SelectOptions { permutations: 1, ..SelectOptions::default() };
    let found = select(&halving, options, &run)?;
    assert!(found.table.is_empty() && found.groups.is_empty() && found.subclasses.is_none());
    assert_eq!(found.labels, None);
    // Of nothing that was selected there is no area.
    let chance = found.chance.unwrap();
    assert_eq!((chance.permuted_auc, chance.auc_p), (None, None));
    assert_eq!(label_report(&halving, &[], &run)?, LabelReport::default());
    Ok(())
}

/// A way to select that asks for a stop when it is called for the last time that it may be.
struct Stopping<'a> {
    inner: Box<dyn Selector>,
    calls: AtomicUsize,
    last: usize,
    stop: &'a Stop,
}

impl Selector for Stopping<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.inner.settings()
    }

    fn select(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        if self.calls.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            self.stop.request();
        }
        self.inner.select(half, run)
    }
}

/// Six halves are counted; the stop comes at one of those without the winners.
#[test]
fn a_stop_during_the_checks_keeps_the_counts_and_no_part_of_a_check() -> Result<()> {
    let (samples, preparation) = (small(), Preparation::default());
    let pool = Pool::new(1)?;
    let options = SelectOptions { permutations: 0, ..SelectOptions::default() };
    let found = |last: usize| {
        let stop = Stop::new();
        let selector = Stopping { inner: by("auc"), calls: AtomicUsize::new(0), last, stop: &stop };
        let halving = Halving {
            samples: &samples,
            selector: &selector,
            preparation: &preparation,
            splits: 3,
            left_out: &[],
        };
        select(&halving, options, &Run::new(1, &stop, &pool))
    };
    let whole = found(usize::MAX)?;
    assert!(!whole.groups.is_empty() && whole.labels.is_some());
    for last in [7, 9, 12] {
        let cut = found(last)?;
        assert_eq!(cut.splits, [3, 3]);
        let total = |found: &Selection| found.table.iter().map(|row| row.total).collect::<Vec<_>>();
        assert_eq!(total(&cut), total(&whole));
        assert!(cut.groups.is_empty() && cut.labels.is_none() && cut.subclasses.is_none());
    }
    Ok(())
}
