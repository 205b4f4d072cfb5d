//! Accuracy with selection inside the folds: ten times ten folds, genes chosen on nine of them.

use crate::{Compare, Row};
use evocracy::data::repeated_folds;
use evocracy::error::Result;
use evocracy::measure::auc;
use evocracy::run::Run;
use evocracy::select::{ByArd, ByL1, HalfFound, Halving, Preparation, Samples, Scale};

/// Folds and repeats, and repeats of a quick run.
const FOLDS: usize = 10;
const REPEATS: usize = 10;
const QUICK: usize = 1;
/// The most genes of a classifier.
const MOST: usize = 20;

/// Penalties that are tried within the training rows, as shares of the least that leaves no gene.
const SHARES: [f64; 6] = [0.5, 0.35, 0.25, 0.17, 0.12, 0.08];
const INNER: usize = 5;

/// Accuracy and area of `l1` with at most 20 genes, and of a linear classifier of all genes; logs. The
/// penalty of `l1` is chosen by cross-validation within the training rows of each fold.
pub(super) fn rows(
    samples: &Samples,
    [accuracy, area]: [f64; 2],
    quick: bool,
    run: &Run<'_>,
) -> Result<Vec<Row>> {
    let few = judge(samples, quick, run, &|halving, rows, run| {
        let mut best = (f64::NEG_INFINITY, SHARES[0]);
        for share in SHARES {
            let way = ByL1::default().most(MOST).share(share);
            let area = inner_area(&Halving { selector: &way, ..*halving }, rows.0, run)?;
            if area > best.0 {
                best = (area, share);
            }
        }
        let way = ByL1::default().most(MOST).share(best.1);
        Halving { selector: &way, ..*halving }.half(samples.positive(), rows, run)
    })?;
    // Without a round nothing leaves: a logistic fit of all genes with a small ridge.
    let dense = ByArd { rounds: 0, ..ByArd::default() };
    let all = judge(samples, quick, run, &|halving, rows, run| {
        Halving { selector: &dense, ..*halving }.half(samples.positive(), rows, run)
    })?;
    let most = few.genes.iter().copied().fold(0.0, f64::max);
    Ok(vec![
        Row::mean("honest/accuracy", &few.accuracy, "fraction").target(Compare::AtLeast(accuracy)),
        Row::mean("honest/auc", &few.auc, "fraction").target(Compare::AtLeast(area)),
        Row::mean("honest/genes", &few.genes, "count"),
        Row::new("honest/most-genes", most, "count").target(Compare::AtMost(MOST as f64)),
        Row::mean("all-genes/accuracy", &all.accuracy, "fraction"),
        Row::mean("all-genes/auc", &all.auc, "fraction"),
    ])
}

/// The area of a way to select by cross-validation within some rows.
fn inner_area(halving: &Halving<'_>, rows: &[u32], run: &Run<'_>) -> Result<f64> {
    let labels = halving.samples.positive();
    let codes: Vec<u32> = rows.iter().map(|&row| u32::from(labels[row as usize])).collect();
    let folds = repeated_folds(rows.len(), Some(&codes), INNER, 1, run.seed.child("inner", 0))?;
    let pick = |places: &[u32]| places.iter().map(|&at| rows[at as usize]).collect::<Vec<u32>>();
    let (mut truth, mut scores) = (Vec::new(), Vec::new());
    for fold in folds {
        let (train, test) = (pick(&fold.train), pick(&fold.test));
        for one in halving.half(labels, (&train, &test), run)?.judged {
            truth.push(labels[one.row as usize]);
            scores.push(one.score);
        }
    }
    auc(&truth, &scores, None)
}

type Rows<'a> = (&'a [u32], &'a [u32]);
/// Trains on some rows and judges on others.
type Train<'a> = &'a (dyn Fn(&Halving<'_>, Rows<'_>, &Run<'_>) -> Result<HalfFound> + Sync);

struct Judged {
    /// For each repeat.
    accuracy: Vec<f64>,
    auc: Vec<f64>,
    /// For each fold.
    genes: Vec<f64>,
}

fn judge(samples: &Samples, quick: bool, run: &Run<'_>, train: Train<'_>) -> Result<Judged> {
    let preparation = Preparation { scale: Scale::Log, ..Preparation::default() };
    let labels = samples.positive();
    let codes: Vec<u32> = labels.iter().map(|&positive| u32::from(positive)).collect();
    let repeats = if quick { QUICK } else { REPEATS };
    let seed = run.seed.child("folds", 0);
    let folds = repeated_folds(samples.rows(), Some(&codes), FOLDS, repeats, seed)?;
    let none = ByL1::default();
    let halving =
        Halving { samples, selector: &none, preparation: &preparation, splits: 1, left_out: &[] };
    let task = run.task("folds", folds.len() as u64);
    let found = run.pool.map(folds.len(), |number| {
        let rows = (&folds[number].train[..], &folds[number].test[..]);
        let found = train(&halving, rows, &run.child("fold", number as u64));
        task.watch.advance(1);
        found
    });
    let mut judged = Judged { accuracy: Vec::new(), auc: Vec::new(), genes: Vec::new() };
    let found = found.into_iter().collect::<Result<Vec<_>>>()?;
    for repeat in found.chunks(FOLDS) {
        let (mut right, mut scores) = (0.0, vec![0.0; samples.rows()]);
        for fold in repeat {
            judged.genes.push(fold.genes().len() as f64);
            for one in &fold.judged {
                right += 1.0 - one.wrong;
                scores[one.row as usize] = one.score;
            }
        }
        judged.accuracy.push(right / samples.rows() as f64);
        judged.auc.push(auc(labels, &scores, None)?);
    }
    Ok(judged)
}
