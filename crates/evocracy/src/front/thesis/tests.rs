use super::*;
use crate::evolve::multi::Elite;
use crate::evolve::pareto::{PointSet, Relation};
use crate::evolve::{Evolution, Until};
use crate::kernel::{Design, Dictionary, Keep, Kernel};
use crate::run::{Pool, Stop};
use rand::RngExt;

/// Two overlapping clouds.
fn clouds(rows: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut rng = Seed::new(seed).rng();
    let targets: Vec<f64> = (0..rows).map(|row| f64::from(u8::from(row % 2 == 0))).collect();
    let mut points = Vec::new();
    for input in 0..2 {
        for target in &targets {
            let centre = if input == 0 { 1.2 * target } else { -0.8 * target };
            points.push(centre + rng.random_range(-1.0..1.0));
        }
    }
    (points, targets)
}

fn design(points: &[f64], rows: usize) -> Design {
    let widths = vec![1.0, 0.5];
    let dictionary =
        Dictionary { kernel: Kernel::Gaussian, degree: 1, widths, bias: true, centres: 0 };
    Design::new(&dictionary, points, rows, Keep::Stored)
}

fn settings(scheme: Scheme) -> Settings {
    Settings { scheme, folds: 3, iterations: 300, population: 20, generations: 10 }
}

/// The score of every row by a machine that was fitted.
fn scores(family: &Machines<'_>, fitted: &precisions::Weights) -> Vec<f64> {
    let mut scores = vec![0.0; family.rows()];
    let mut column = scores.clone();
    for (&basis, &weight) in fitted.bases.iter().zip(&fitted.values) {
        family.design.column_into(basis as usize, &mut column);
        let weight = fitted.factor * weight;
        scores.iter_mut().zip(&column).for_each(|(score, value)| *score += weight * value);
    }
    scores.iter().map(|odds| 1.0 / (1.0 + (-odds).exp())).collect()
}

const ALL: [Scheme; 8] = [
    Scheme::Base,
    Scheme::Swap,
    Scheme::Shuffle,
    Scheme::Stratified,
    Scheme::Homogeneous,
    Scheme::Kfold,
    Scheme::Dominance,
    Scheme::Nsga2,
];

#[test]
fn points_do_not_beat_each_other_and_are_found_again() -> Result<()> {
    let (points, targets) = clouds(60, 1);
    let design = design(&points, 60);
    let positive: Vec<bool> = targets.iter().map(|target| *target > 0.5).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(3, &stop, &pool);
    for complexity in [Complexity::Alpha, Complexity::Vectors] {
        let family = Machines::new(&design, targets.clone(), complexity, 3, 5);
        for scheme in ALL {
            let rows = DenseRows::from_slice(&points, 60);
            let found = search(&settings(scheme), &family, &positive, &rows, Vec::new(), &run)?;
            assert!(!found.points.is_empty(), "{scheme:?}");
            let values =
                |point: &OperatingPoint| [point.rates[0], point.rates[1], point.complexity];
            let set = PointSet::from_rows(&elite::GOALS, found.points.iter().map(values))?;
            let beaten =
                |a: usize| (0..set.len()).any(|b| set.relation(b, a) == Relation::Dominates);
            // Likely dominance is not dominance: that archive keeps more.
            if scheme != Scheme::Dominance {
                assert!((0..set.len()).all(|a| !beaten(a)), "{scheme:?}");
            }
            for point in &found.points {
                if scheme != Scheme::Kfold {
                    let scores = scores(&family, &found.fitted[point.member]);
                    let again = curve::RateRows::new(&positive, None).at(&scores, point.threshold);
                    let apart =
                        (again[0] - point.rates[0]).abs() + (again[1] - point.rates[1]).abs();
                    assert!(apart < 1e-12, "{scheme:?} {point:?} {again:?}");
                }
            }
        }
    }
    Ok(())
}

/// The scores of every row by a machine that is fitted from 0, without the fold that the row is in
/// where there are folds; and the largest weight.
fn cold(family: &Machines<'_>, genome: &Precisions, folds: &[Vec<u32>]) -> Result<(Vec<f64>, f64)> {
    let mut scores = Vec::new();
    let mut whole = vec![0.0; family.rows()];
    let mut fitted = family.fit(genome, None, None, &mut scores)?;
    if folds.is_empty() {
        whole.clone_from(&scores);
    }
    for fold in folds {
        let mut weights = vec![1.0; family.rows()];
        for &row in fold {
            weights[row as usize] = 0.0;
        }
        fitted = family.fit(genome, Some(&weights), None, &mut scores)?;
        for &row in fold {
            whole[row as usize] = scores[row as usize];
        }
    }
    Ok((whole, fitted.values.iter().fold(0.0, |most, value| value.abs().max(most))))
}

/// The weights follow from the precisions, whatever a search began them from: fitted anew from 0,
/// members of the archive give the rates that are stored, also those that are averaged over folds.
#[test]
fn members_are_found_again_from_their_precisions() -> Result<()> {
    let (points, targets) = clouds(60, 4);
    let design = design(&points, 60);
    let positive: Vec<bool> = targets.iter().map(|target| *target > 0.5).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let family = Machines::new(&design, targets.clone(), Complexity::Alpha, 3, 5);
    let dealt = |part: u32| (0..60).filter(|row| row % 3 == part).collect::<Vec<u32>>();
    for folds in [Vec::new(), vec![dealt(0), dealt(1), dealt(2)]] {
        let rows = match folds.len() {
            0 => curve::RateRows::new(&positive, None),
            _ => curve::RateRows::of_folds(&positive, &folds),
        };
        let curves = elite::Curves::new(&family, &positive, &folds);
        let (mut looked_at, mut small) = (0, 0);
        for seed in 0..3 {
            let run = Run::new(seed, &stop, &pool);
            let mut search =
                Evolution::new(&family, Elite::new(), &elite::GOALS, seed)?.log_every(0);
            search.run(&curves, &Until::Generations(800), &run)?;
            let state = search.state();
            for (at, genome) in state.members().genomes.iter().enumerate() {
                let (scores, largest) = cold(&family, genome, &folds)?;
                let mut found = Vec::new();
                rows.corners(&scores, &mut Vec::new(), |_, rates| found.push(rates));
                let stored: Vec<f64> = state.values(at).collect();
                for stored in stored.chunks_exact(3) {
                    let same = |[tpr, fpr]: &[f64; 2]| {
                        (tpr - stored[0]).abs() + (fpr - stored[1]).abs() < 1e-9
                    };
                    assert!(found.iter().any(same), "{genome:?}: {stored:?} not in {found:?}");
                }
                small += usize::from(largest < 1e-6);
                looked_at += 1;
            }
        }
        // Weights too small for a gain that an absolute limit would see are among them.
        assert!(looked_at > 8 && small > 0, "{looked_at} {small}");
    }
    Ok(())
}

#[test]
fn a_mutation_changes_as_many_precisions_as_it_may_and_stays_valid() -> Result<()> {
    let (points, targets) = clouds(20, 2);
    let design = design(&points, 20);
    let family = Machines::new(&design, targets, Complexity::Alpha, 3, 5);
    let mut rng = crate::evolve::rng(Seed::new(5));
    let mut genome = Space::sample(&family, &mut rng)?;
    for turn in 0..3000 {
        let before = genome.clone();
        Space::mutate_after(&family, &mut genome, turn % 40, &mut rng);
        Space::admit(&family, &genome)?;
        let kept = |basis: &&u32| before.bases.binary_search(basis).is_ok();
        let new = genome.bases.len() - genome.bases.iter().filter(kept).count();
        assert!(new <= 6);
        let (mut a, mut b) = (Precisions::default(), Precisions::default());
        Space::recombine(&family, [&before, &genome], [&mut a, &mut b], &mut rng);
        Space::admit(&family, &a)?;
        Space::admit(&family, &b)?;
    }
    Ok(())
}
