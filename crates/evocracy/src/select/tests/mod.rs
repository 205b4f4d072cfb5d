//! What all ways to select promise.

use super::*;
use crate::data::catalogue::{Catalogue, Load};
use crate::error::Result;
use crate::run::{MemoryStore, Pool, Run, Shelf, Stop};
use std::collections::BTreeMap;

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
    for name in ["ard", "rvm", "moea", "l1", "forest"] {
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
