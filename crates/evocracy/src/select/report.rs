//! The whole job: counts over splits, chance beside them, masked genes, labels and groups that look
//! odd. The result is a value that shells word or draw.

use super::chance::{Overlap, Stability, StableSet, overlap, random_auc, stability, stable_set};
use super::cofactors;
use super::counts::{Counts, ranks};
use super::halving::{Halving, SplitFound};
use super::labels::{LabelReport, correlation, label_report};
use super::masked::{Group, groups};
use super::null::{NullCounts, null_counts};
use super::subclasses::{Subclasses, subclasses};
use crate::error::{Error, Result};
use crate::run::Run;
use serde::Serialize;

/// What is asked beside the counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectOptions {
    /// How often all is repeated with permuted labels; 0 for no p-values.
    pub permutations: usize,
    /// Genes with at most this false discovery rate are winners.
    pub level: f64,
    /// Whether to look for masked genes, wrong labels and groups within classes.
    pub checks: bool,
}

impl Default for SelectOptions {
    fn default() -> Self {
        Self { permutations: 20, level: 0.05, checks: true }
    }
}

/// Groups of interchangeable genes are looked for around the first so many genes, and around all
/// winners up to the second number.
const LEADERS: [usize; 2] = [20, 50];
/// The genes by which labels are checked: the most frequent ones, and of a given set.
const LABEL_GENES: [usize; 2] = [5, 20];
/// The genes by which classes are parted.
const SUBCLASS_GENES: usize = 30;
/// The expected number of false genes that stability selection allows.
const FALSE_GENES: f64 = 1.0;

/// A gene and how often it was selected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GeneRow {
    /// Its rank by total count; ties share a rank.
    pub rank: usize,
    /// Its column.
    pub gene: String,
    /// What it is, where that is known.
    pub name: Option<String>,
    /// The number of its column, counted from 1.
    pub column: usize,
    /// On how many halves it was selected.
    pub total: u32,
    /// On both halves of how many splits.
    pub coincident: u32,
    /// Its rank by coincident count.
    pub coincident_rank: usize,
    /// How many other genes share its rank.
    pub tied: usize,
    /// The share of genes under permuted labels with as large a total count.
    pub p: Option<f64>,
    /// The same of coincident counts.
    pub p_coincident: Option<f64>,
    /// The false discovery rate at which it would be called.
    pub q: Option<f64>,
    /// The number of its group of interchangeable genes, where it is one of the first.
    pub group: Option<usize>,
    /// Its number in the samples.
    #[serde(skip)]
    pub index: usize,
}

/// How classifiers did on the half they were trained on, and on the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// How many classifiers there were.
    pub classifiers: usize,
    /// The mean number of genes of a classifier, the least and the most.
    pub genes: [f64; 3],
    /// The mean number of different genes of a half: of all classifiers of a front.
    pub genes_of_half: f64,
    /// Mean training and test area.
    pub auc: [f64; 2],
    /// Their standard deviations.
    pub auc_sd: [f64; 2],
    /// Mean training and test accuracy.
    pub accuracy: [f64; 2],
    /// The share of classifiers without an error of order on their training half.
    pub perfect_training: f64,
    /// The correlation of training and test areas over classifiers; none where they do not vary.
    pub correlation: Option<f64>,
}

/// What permuted labels and random scores do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChanceReport {
    /// How many permutations there were.
    pub permutations: usize,
    /// Mean and standard deviation of the test area of classifiers of permuted labels; none where
    /// nothing was selected for them.
    pub permuted_auc: Option<[f64; 2]>,
    /// The share of permutations whose mean test area is as large. None without a classifier, and
    /// where columns are forced: permuted labels break what those say as well, so that selected
    /// columns would be credited with it.
    pub auc_p: Option<f64>,
}

/// The result.
#[derive(Debug, Clone, Serialize)]
pub struct Selection {
    /// The way to select.
    pub by: &'static str,
    /// Its settings.
    pub settings: Vec<(&'static str, String)>,
    /// The positive class and the others, with their samples.
    pub classes: [(String, usize); 2],
    /// How many columns could be selected.
    pub genes: usize,
    /// How many were constant and could not.
    pub constant: usize,
    /// How many values were missing.
    pub missing: usize,
    /// How many splits were finished, and how many were asked for.
    pub splits: [usize; 2],
    /// How classifiers did.
    pub performance: Summary,
    /// The mean training and test area of the forced columns alone, on the same halves; none without
    /// such columns.
    pub forced_auc: Option<[f64; 2]>,
    /// Mean and standard deviation of the area of random scores of a test half.
    pub random_auc: (f64, f64),
    /// How much halves agree.
    pub overlap: Overlap,
    /// How stable selections are.
    pub stability: Option<Stability>,
    /// What stability selection would call.
    pub stable: StableSet,
    /// What permuted labels do.
    pub chance: Option<ChanceReport>,
    /// All genes that were selected at least once, the most frequent first.
    pub table: Vec<GeneRow>,
    /// How many genes have at most the wanted false discovery rate.
    pub winners: usize,
    /// Interchangeable genes.
    pub groups: Vec<Group>,
    /// Labels that look wrong.
    pub labels: Option<LabelReport>,
    /// Groups within classes; none where they were not looked for.
    pub subclasses: Option<Vec<Subclasses>>,
    /// The training and the test area, accuracies and genes of every classifier.
    pub classifiers: Vec<ClassifierPoint>,
}

/// A classifier, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClassifierPoint {
    /// The split it was trained in, counted from 1 among those that were finished.
    pub split: usize,
    /// The half it was trained on: 1 or 2.
    pub half: usize,
    /// How many genes it has.
    pub genes: usize,
    /// Its training and test area.
    pub auc: [f64; 2],
    /// Its training and test accuracy.
    pub accuracy: [f64; 2],
}

/// Selects genes and says what is known about them.
pub fn select(halving: &Halving<'_>, options: SelectOptions, run: &Run<'_>) -> Result<Selection> {
    if halving.splits == 0 || halving.candidates() == 0 {
        return Err(Error::unsuitable(
            "there are no splits, or no columns to select from",
            "ask for at least one split, and leave some columns to select",
        ));
    }
    cofactors::check(halving)?;
    let found = halving.run(&run.part("counts", 0))?;
    let samples = halving.samples;
    let counts = Counts::new(&found, samples.genes().len());
    // Counts of fewer splits cannot be held against those of all.
    let whole = found.len() == halving.splits;
    let null = if whole && options.permutations > 0 {
        null_counts(halving, options.permutations, &run.child("null", 0))?
    } else {
        None
    };
    let mut selection = summarise(halving, &found, &counts, null.as_ref(), options.level)?;
    if whole && !halving.preparation.force.is_empty() {
        selection.forced_auc = cofactors::alone(halving, run)?;
    }
    if options.checks && whole && !run.stop.requested() {
        match check(&mut selection, halving, &found, run) {
            Err(Error::Stopped) => {}
            other => other?,
        }
    }
    Ok(selection)
}

/// All that follows from the splits and the permutations.
fn summarise(
    halving: &Halving<'_>,
    found: &[SplitFound],
    counts: &Counts,
    null: Option<&NullCounts>,
    level: f64,
) -> Result<Selection> {
    let samples = halving.samples;
    let genes = halving.candidates();
    let table = table(halving, counts, null)?;
    let winners = table.iter().filter(|row| row.q.is_some_and(|q| q <= level)).count();
    let positives = samples.positive().iter().filter(|p| **p).count();
    let [positive, others] = samples.class_names().clone();
    let selections: Vec<Vec<u32>> = found.iter().flatten().map(super::HalfFound::genes).collect();
    let performance = summary(found, &selections);
    let chance = null.map(|null| ChanceReport {
        permutations: null.areas.len(),
        permuted_auc: null.area,
        auc_p: (performance.classifiers > 0 && halving.preparation.force.is_empty())
            .then(|| null.area_p(performance.auc[1])),
    });
    Ok(Selection {
        by: halving.selector.name(),
        settings: halving.selector.settings(),
        classes: [(positive, positives), (others, samples.rows() - positives)],
        genes,
        constant: samples.constants(),
        missing: samples.missing(),
        splits: [found.len(), halving.splits],
        random_auc: random_auc((positives / 2).max(1), ((samples.rows() - positives) / 2).max(1)),
        overlap: overlap(found, genes),
        stability: stability(&selections, genes),
        stable: stable_set(counts, genes, FALSE_GENES)?,
        performance,
        forced_auc: None,
        chance,
        table,
        winners,
        groups: Vec::new(),
        labels: None,
        subclasses: None,
        classifiers: points(found),
    })
}

/// All classifiers, split by split and half by half.
fn points(found: &[SplitFound]) -> Vec<ClassifierPoint> {
    let mut points = Vec::new();
    for (split, halves) in found.iter().enumerate() {
        for (half, of_half) in halves.iter().enumerate() {
            points.extend(of_half.classifiers.iter().map(|one| ClassifierPoint {
                split: split + 1,
                half: half + 1,
                genes: one.genes.len(),
                auc: one.auc,
                accuracy: one.accuracy,
            }));
        }
    }
    points
}

fn table(
    halving: &Halving<'_>,
    counts: &Counts,
    null: Option<&NullCounts>,
) -> Result<Vec<GeneRow>> {
    let (total_ranks, coincident_ranks) = (ranks(&counts.total), ranks(&counts.coincident));
    let p_values = null.map(|null| null.p_values(counts));
    let q_values = match &p_values {
        Some([p, _]) => Some(NullCounts::q_values(p, |gene| !halving.is_left_out(gene))?),
        None => None,
    };
    let mut shared = vec![0_usize; counts.total.len() + 2];
    for &rank in &total_ranks {
        shared[rank] += 1;
    }
    let row = |index: usize| {
        let gene = &halving.samples.genes()[index];
        GeneRow {
            rank: total_ranks[index],
            gene: gene.name.clone(),
            name: gene.label.clone(),
            column: gene.column,
            total: counts.total[index],
            coincident: counts.coincident[index],
            coincident_rank: coincident_ranks[index],
            tied: shared[total_ranks[index]] - 1,
            p: p_values.as_ref().map(|[p, _]| p[index]),
            p_coincident: p_values.as_ref().map(|[_, p]| p[index]),
            q: q_values.as_ref().map(|q| q[index]),
            group: None,
            index,
        }
    };
    let selected = counts.order().into_iter().filter(|&gene| counts.total[gene] > 0);
    Ok(selected.map(row).collect())
}

pub(super) fn summary(found: &[SplitFound], selections: &[Vec<u32>]) -> Summary {
    let all: Vec<&super::Performance> =
        found.iter().flatten().flat_map(|half| &half.classifiers).collect();
    let n = all.len().max(1) as f64;
    let mean =
        |of: &dyn Fn(&super::Performance) -> f64| all.iter().map(|one| of(one)).sum::<f64>() / n;
    let both = |of: fn(&super::Performance) -> [f64; 2]| {
        [mean(&|one| of(one)[0]), mean(&|one| of(one)[1])]
    };
    let auc = both(|one| one.auc);
    let sd = |side: usize| mean(&|one| (one.auc[side] - auc[side]).powi(2)).sqrt();
    let sizes = || all.iter().map(|one| one.genes.len() as f64);
    let of_half = selections.iter().map(Vec::len).sum::<usize>() as f64;
    let pairs: Vec<[f64; 2]> = all.iter().map(|one| one.auc).collect();
    Summary {
        classifiers: all.len(),
        genes: [
            sizes().sum::<f64>() / n,
            sizes().reduce(f64::min).unwrap_or(0.0),
            sizes().fold(0.0, f64::max),
        ],
        genes_of_half: of_half / selections.len().max(1) as f64,
        auc,
        auc_sd: [sd(0), sd(1)],
        accuracy: both(|one| one.accuracy),
        perfect_training: mean(&|one| f64::from(u8::from(one.auc[0] >= 1.0))),
        correlation: correlation(&pairs),
    }
}

/// Masked genes, labels, groups within classes.
fn check(
    selection: &mut Selection,
    halving: &Halving<'_>,
    found: &[SplitFound],
    run: &Run<'_>,
) -> Result<()> {
    if selection.table.is_empty() {
        return Ok(());
    }
    let best = |most: usize| -> Vec<usize> {
        selection.table.iter().take(most).map(|row| row.index).collect()
    };
    let leaders = best(selection.winners.clamp(LEADERS[0], LEADERS[1]));
    // The seed of the counts: the same halves.
    let (groups, _) = groups(halving, &leaders, found, &run.part("without", 0))?;
    for row in &mut selection.table {
        let of = |group: &Group| group.winner == row.index || group.members.contains(&row.index);
        row.group = groups.iter().position(of).map(|at| at + 1);
    }
    selection.groups = groups;
    let given = usize::from(halving.selector.name() == "given");
    let some = selection.table.iter().map(|row| row.index);
    let genes: Vec<u32> = some.clone().take(LABEL_GENES[given]).map(|gene| gene as u32).collect();
    let parted: Vec<usize> = some.take(SUBCLASS_GENES).collect();
    // Classifiers that are perfect on every training half say nothing about their order; those of the
    // most frequent genes alone do.
    selection.labels = Some(label_report(halving, &genes, &run.child("labels", 0))?);
    selection.subclasses = Some(subclasses(halving.samples, halving.preparation, &parted, run)?);
    Ok(())
}
