//! Counts against a slow reference, and against chance.

use super::*;

/// Twice the number of pairs that a gene orders rightly, by looking at all of them, less those it
/// orders wrongly: how far its area is from one half, whatever its sign.
fn apart(samples: &Samples, rows: &[u32], gene: usize) -> i64 {
    let values = samples.values(gene);
    let mut sum = 0;
    for &a in rows {
        for &b in rows {
            if samples.positive()[a as usize] && !samples.positive()[b as usize] {
                let (a, b) = (values[a as usize], values[b as usize]);
                sum += i64::from(a > b) - i64::from(a < b);
            }
        }
    }
    sum.abs()
}

#[test]
fn the_best_areas_are_those_of_all_pairs() -> Result<()> {
    let (samples, preparation) = (small(), Preparation::default());
    let selector = selector("auc", &[("genes".to_owned(), "7".to_owned())])?;
    let (selector, samples) = (selector.as_ref(), &samples);
    let halving =
        Halving { samples, selector, preparation: &preparation, splits: 12, left_out: &[] };
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let found = halving.run(&Run::new(4, &stop, &pool))?;
    let counts = Counts::new(&found, 60);
    // How often every gene must be selected, and how often it may be where places are tied.
    let (mut least, mut most) = (vec![0; 60], vec![0; 60]);
    for half in found.iter().flatten() {
        let all: Vec<i64> = (0..60).map(|gene| apart(samples, &half.train, gene)).collect();
        let mut sorted = all.clone();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        let (last, next) = (sorted[6], sorted[7]);
        assert_eq!(half.genes().len(), 7);
        for (gene, &own) in all.iter().enumerate() {
            least[gene] += u32::from(own >= last && own > next);
            most[gene] += u32::from(own >= last);
        }
    }
    for gene in 0..60 {
        assert!((least[gene]..=most[gene]).contains(&counts.total[gene]), "{gene}");
    }
    assert!(least.iter().sum::<u32>() > 100, "nearly no place is certain");
    Ok(())
}

#[test]
fn noise_has_no_winners() -> Result<()> {
    let (stop, pool) = (Stop::new(), Pool::new(2)?);
    let preparation = Preparation::default();
    for population in 1..=3 {
        let spec =
            format!("gen:genes:rows=40:genes=60:informative=0:masked=0:population={population}");
        let data = Catalogue::embedded().open(&spec, &Load::default())?;
        let samples = Samples::new(&data)?;
        let (selector, samples) = (by("auc"), &samples);
        let selector = selector.as_ref();
        let halving =
            Halving { samples, selector, preparation: &preparation, splits: 10, left_out: &[] };
        let options = SelectOptions { checks: false, ..SelectOptions::default() };
        let found = select(&halving, options, &Run::new(population, &stop, &pool))?;
        assert_eq!(found.winners, 0, "population {population}");
        // Every classifier says where it comes from.
        let of = |at: usize| (found.classifiers[at].split, found.classifiers[at].half);
        assert_eq!(
            (found.classifiers.len(), of(0), of(10), of(199)),
            (200, (1, 1), (1, 2), (10, 2))
        );
    }
    Ok(())
}

/// A cofactor that follows the class makes every classifier good, whatever gene it has beside it.
#[test]
fn genes_are_not_credited_with_forced_cofactors() -> Result<()> {
    let samples = small();
    // The cofactor in the place of the first gene, and noise in that of all others.
    let mut draws = rng(Seed::new(5));
    let mut cells: Vec<f64> = (0..60 * 40).map(|_| draws.random::<f64>()).collect();
    for (cell, &positive) in cells.iter_mut().zip(samples.positive()) {
        *cell += if positive { 0.8 } else { 0.0 };
    }
    let (genes, names) = (samples.genes().to_vec(), samples.class_names().clone());
    let samples = Samples::of(genes, cells, samples.positive().to_vec(), names)?;
    let preparation = Preparation { force: vec![0], ..Preparation::default() };
    let selector = selector("auc", &[("genes".to_owned(), "1".to_owned())])?;
    let halving = Halving {
        samples: &samples,
        selector: selector.as_ref(),
        preparation: &preparation,
        splits: 10,
        left_out: &[],
    };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let options = SelectOptions { permutations: 4, checks: false, ..SelectOptions::default() };
    let found = select(&halving, options, &Run::new(1, &stop, &pool))?;
    let alone = found.forced_auc.unwrap();
    let area = found.performance.auc[1];
    assert!(area > 0.8 && alone[1] > area, "{alone:?} {area}");
    assert_eq!(found.chance.unwrap().auc_p, None);
    // The halves are those of the counts.
    let none = Given { genes: Vec::new() };
    let same = Halving { selector: &none, ..halving }.run(&Run::new(1, &stop, &pool))?;
    let areas = area_pairs(&same);
    let mean = areas.iter().map(|pair| pair[1]).sum::<f64>() / areas.len() as f64;
    assert!((mean - alone[1]).abs() < 1e-12);
    Ok(())
}
