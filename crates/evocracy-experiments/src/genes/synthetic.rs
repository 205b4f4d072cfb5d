//! Populations whose informative and masked genes are known: false discoveries, power, masked
//! partners; and samples whose labels are wrong (thesis 4.9.1, figure 4.21 and table 4.21).

use crate::{Compare, Experiment, Findings, Picture, Row};
use evocracy::data::generate::{Generator, Genes, Role, Truth};
use evocracy::data::{Dataset, Options};
use evocracy::error::Result;
use evocracy::run::Run;
use evocracy::select::{
    Counts, Given, HalfFound, Halving, Preparation, Samples, SelectOptions, Selection, area_pairs,
    label_report, select, selector, stable_set,
};
use evocracy_report::{AreaPoint, Areas, Options as Look, areas_svg};
use rand::seq::SliceRandom;

pub(crate) const SYNTHETIC: Experiment = Experiment {
    name: "genes-synthetic",
    about: "known genes: false discoveries, power, masked partners, wrong labels (thesis, 4.9.1)",
    run,
};

/// Repeats of a full run, and of a quick one.
const REPEATS: usize = 50;
const QUICK: usize = 2;
/// The false discovery rate at which genes are called.
const LEVEL: f64 = 0.05;
/// Splits of the label study, as in the thesis, and its repeats.
const LABEL_SPLITS: usize = 50;
const LABEL_REPEATS: usize = 20;
/// Clean tables of each kind.
const CLEAN_REPEATS: usize = 50;

/// What one population gave.
#[derive(Debug, PartialEq)]
struct Population {
    false_share: f64,
    power: f64,
    stable_power: f64,
    stable_false: f64,
    partners: f64,
    test_auc: f64,
}

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let repeats = if quick { QUICK } else { REPEATS };
    let task = run.task("populations", repeats as u64);
    let mut found = Vec::new();
    for number in 0..repeats {
        let genes = Genes::default().population(number as u64 + 1);
        let splits = if quick { 10 } else { 100 };
        found.push(population(&genes, splits, &run.child("population", number as u64))?);
        task.watch.advance(1);
    }
    let of = |what: fn(&Population) -> f64| -> Vec<f64> { found.iter().map(what).collect() };
    let stable = Row::mean("stability-selection/power", &of(|p| p.stable_power), "fraction");
    let least = (1000.0 * stable.measured).floor() / 1000.0;
    let mut rows = vec![
        Row::mean("fdr", &of(|p| p.false_share), "fraction").target(Compare::AtMost(LEVEL)),
        Row::mean("power", &of(|p| p.power), "fraction").target(Compare::AtLeast(least)),
        stable,
        Row::mean("stability-selection/fdr", &of(|p| p.stable_false), "fraction"),
        Row::mean("masked-partners", &of(|p| p.partners), "fraction").target(Compare::AtLeast(0.9)),
        Row::mean("test-auc", &of(|p| p.test_auc), "fraction"),
    ];
    let (of_labels, pictures) = labels(quick, run)?;
    rows.extend(of_labels);
    rows.extend(clean_tables(quick, run)?);
    // Where every half is ordered without an error there is no correlation to report.
    rows.retain(|row| row.repeats != Some(0) || row.target.is_some());
    Ok(Findings { rows, pictures })
}

fn samples(genes: &Genes, run: &Run<'_>) -> Result<Samples> {
    let table = genes.generate(run.seed)?;
    Samples::new(&Dataset::new("genes", table, &Options::default())?)
}

fn population(genes: &Genes, splits: usize, run: &Run<'_>) -> Result<Population> {
    let truth = genes.truth()?;
    let samples = samples(genes, run)?;
    let preparation = Preparation::default();
    let by = selector("ard", &[])?;
    let halving = Halving {
        samples: &samples,
        selector: by.as_ref(),
        preparation: &preparation,
        splits,
        left_out: &[],
    };
    let options = SelectOptions { level: LEVEL, ..SelectOptions::default() };
    let found = select(&halving, options, run)?;
    let called: Vec<usize> = found
        .table
        .iter()
        .filter(|row| row.q.is_some_and(|q| q <= LEVEL))
        .map(|row| row.index)
        .collect();
    let (power, false_share) = judge(&truth, &called);
    let lasso = selector("l1", &[])?;
    let lasso = Halving { selector: lasso.as_ref(), ..halving };
    let counts = Counts::new(&lasso.run(&run.child("lasso", 0))?, samples.genes().len());
    let stable = stable_set(&counts, samples.genes().len(), 1.0)?;
    let least = stable.threshold * f64::from(2 * counts.splits);
    let steady: Vec<usize> =
        (0..counts.total.len()).filter(|&gene| f64::from(counts.total[gene]) >= least).collect();
    let (stable_power, stable_false) = judge(&truth, &steady);
    let partners = partners(&truth, &found);
    let test_auc = found.performance.auc[1];
    Ok(Population { false_share, power, stable_power, stable_false, partners, test_auc })
}

/// The share of informative genes among those called, and of the called ones those that are noise;
/// genes that mask an informative one count as neither.
fn judge(truth: &Truth, called: &[usize]) -> (f64, f64) {
    let right =
        called.iter().filter(|&&g| matches!(truth.roles[g], Role::Informative { .. })).count();
    let noise = called.iter().filter(|&&g| matches!(truth.roles[g], Role::Noise { .. })).count();
    let power = right as f64 / truth.informative().len().max(1) as f64;
    (power, noise as f64 / (right + noise).max(1) as f64)
}

/// The share of planted pairs that a group of the report holds both genes of.
fn partners(truth: &Truth, found: &Selection) -> f64 {
    let (mut planted, mut reported) = (0.0, 0.0);
    for (gene, role) in truth.roles.iter().enumerate() {
        let Role::Masks { gene: of } = role else { continue };
        planted += 1.0;
        let together = found.groups.iter().any(|group| {
            let has = |gene: usize| {
                group.winner == gene
                    || group.members.contains(&gene)
                    || group.masked.iter().chain(&group.alike).any(|one| one.gene == gene)
            };
            has(gene) && has(*of)
        });
        reported += f64::from(u8::from(together));
    }
    if planted > 0.0 { reported / planted } else { 1.0 }
}

/// One population of 35 and 97 samples with so many wrong labels in each class: the correlation of
/// areas, the share of the flipped samples that are named, how many others are, the share of splits
/// with all flipped samples in one half; and what every half gave.
#[derive(Debug, PartialEq)]
struct Labelled {
    correlation: f64,
    p_value: f64,
    named: f64,
    others: f64,
    one_sided: f64,
    /// The training and the test area of every half.
    areas: Vec<[f64; 2]>,
    /// How many flipped samples of each class every half was trained on.
    inside: Vec<[usize; 2]>,
}

fn labelled(flips: usize, shift: f64, splits: usize, run: &Run<'_>) -> Result<Labelled> {
    let genes = Genes::default().rows(132).genes(2).informative(2).masked(0);
    let clean = samples(&genes.shift(shift).balance(35.0 / 132.0), run)?;
    let mut labels = clean.positive().to_vec();
    let mut flipped = Vec::new();
    for class in [true, false] {
        let mut rows: Vec<usize> =
            (0..clean.rows()).filter(|&row| clean.positive()[row] == class).collect();
        rows.shuffle(&mut run.seed.child("flips", u64::from(class)).rng());
        flipped.extend_from_slice(&rows[..flips]);
    }
    for &row in &flipped {
        labels[row] = !labels[row];
    }
    let samples = clean.with_labels(labels)?;
    let (given, preparation) = (Given { genes: vec![0, 1] }, Preparation::default());
    let halving = Halving {
        samples: &samples,
        selector: &given,
        preparation: &preparation,
        splits,
        left_out: &[],
    };
    let found = halving.run(run)?;
    let report = label_report(&halving, &given.genes, run)?;
    let known = |sample: usize| flipped.contains(&(sample - 1));
    let named = report.suspects.iter().filter(|one| known(one.sample)).count();
    let inside = |half: &HalfFound| {
        let of =
            |rows: &[usize]| rows.iter().filter(|&&r| half.train.contains(&(r as u32))).count();
        [of(&flipped[..flips]), of(&flipped[flips..])]
    };
    let inside: Vec<[usize; 2]> = found.iter().flatten().map(inside).collect();
    let all = |inside: &&[usize; 2]| **inside == [0; 2] || **inside == [flips; 2];
    let one_sided = inside.iter().filter(all).count() as f64 / inside.len() as f64;
    Ok(Labelled {
        correlation: report.correlation.unwrap_or(f64::NAN),
        p_value: report.p_value.unwrap_or(f64::NAN),
        named: named as f64 / flipped.len().max(1) as f64,
        others: (report.suspects.len() - named) as f64,
        one_sided,
        areas: area_pairs(&found),
        inside,
    })
}

/// Tables without a wrong label: how many have a sample that is named, and the p-value of the
/// correlation. Genes are those that `ard` selects most often, as in `evocracy select`.
fn clean_tables(quick: bool, run: &Run<'_>) -> Result<Vec<Row>> {
    let plain = Genes::default().genes(200).informative(4).masked(4);
    let kinds = [
        ("small", plain.clone().rows(24).shift(2.0)),
        ("uneven", plain.clone().rows(60).balance(0.2)),
        ("overlapping", plain.clone().shift(0.8)),
        ("alike", plain.informative(0).masked(0)),
    ];
    let repeats = if quick { 2 } else { CLEAN_REPEATS };
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for (name, genes) in kinds {
        let (mut named, mut p_values) = (Vec::new(), Vec::new());
        for number in 0..repeats {
            let own = run.child(name, number as u64);
            let samples = samples(&genes.clone().population(number as u64 + 1), &own)?;
            let (by, preparation) = (selector("ard", &[])?, Preparation::default());
            let halving = Halving {
                samples: &samples,
                selector: by.as_ref(),
                preparation: &preparation,
                splits: 20,
                left_out: &[],
            };
            let counts = Counts::new(&halving.run(&own)?, samples.genes().len());
            let best: Vec<u32> = counts.order().iter().take(5).map(|&gene| gene as u32).collect();
            let report = label_report(&halving, &best, &own)?;
            named.push(f64::from(u8::from(!report.suspects.is_empty())));
            p_values.extend(report.p_value);
        }
        rows.push(Row::mean(format!("labels/clean-{name}/p"), &p_values, "p-value"));
        rows.push(Row::mean(format!("labels/clean-{name}/tables-named"), &named, "fraction"));
        all.extend(named);
    }
    let level = Row::mean("labels/clean/tables-named", &all, "fraction");
    rows.push(level.target(Compare::AtMost(0.01)));
    Ok(rows)
}

fn labels(quick: bool, run: &Run<'_>) -> Result<(Vec<Row>, Vec<Picture>)> {
    let repeats = if quick { 2 } else { LABEL_REPEATS };
    let (mut rows, mut pictures) = (Vec::new(), Vec::new());
    // Well separated classes, and clean ones that overlap.
    for (name, flips, shift) in [
        ("flips-1", 1, 6.0),
        ("flips-3", 3, 6.0),
        ("flips-5", 5, 6.0),
        ("no-flips-overlapping", 0, 1.5),
    ] {
        let mut all = Vec::new();
        for number in 0..repeats {
            all.push(labelled(flips, shift, LABEL_SPLITS, &run.child(name, number as u64))?);
        }
        let mean = |what: &str, of: fn(&Labelled) -> f64, unit: &'static str| {
            let values: Vec<f64> = all.iter().map(of).filter(|value| value.is_finite()).collect();
            Row::mean(format!("labels/{name}/{what}"), &values, unit)
        };
        let correlation = mean("correlation", |one| one.correlation, "correlation");
        // The claim of the thesis is that wrong labels make it negative. Clean classes that overlap are
        // there to be looked at: where theirs is negative too, it is no sign of wrong labels.
        rows.push(if flips > 0 { correlation.target(Compare::AtMost(-0.5)) } else { correlation });
        rows.push(mean("p", |one| one.p_value, "p-value"));
        if flips > 0 {
            rows.push(mean("named", |one| one.named, "fraction").target(Compare::AtLeast(0.9)));
            pictures.extend(all.first().map(|one| picture(name, flips, &one.areas)));
        }
        for (side, what) in ["train-auc", "test-auc"].into_iter().enumerate() {
            let of = |one: &Labelled| one.areas.iter().map(|pair| pair[side]).collect::<Vec<f64>>();
            let areas: Vec<f64> = all.iter().flat_map(of).collect();
            rows.push(Row::mean(format!("labels/{name}/{what}"), &areas, "fraction"));
        }
        rows.push(mean("named-wrongly", |one| one.others, "count"));
        if flips == 1 {
            rows.push(
                mean("all-in-one-half", |one| one.one_sided, "fraction")
                    .target(Compare::About(0.5, 0.05)),
            );
            rows.extend(divisions(name, &all));
        }
    }
    Ok((rows, pictures))
}

/// Training against test areas of one table (figure 4.21).
fn picture(name: &str, flips: usize, areas: &[[f64; 2]]) -> Picture {
    let points: Vec<AreaPoint> =
        areas.iter().map(|pair| AreaPoint { genes: 2, train: pair[0], test: pair[1] }).collect();
    let title = match flips {
        1 => "1 wrong label in each class".to_owned(),
        n => format!("{n} wrong labels in each class"),
    };
    let chance = Some(evocracy::select::random_auc(17, 48));
    let svg = areas_svg(&Areas { points: &points, chance }, &Look { title, ..Look::default() });
    let name = match name {
        "flips-1" => "wrong-labels-1.svg",
        "flips-3" => "wrong-labels-3.svg",
        _ => "wrong-labels-5.svg",
    };
    Picture { name, svg }
}

/// The four ways in which two wrong labels are divided between training and test half (table 4.21): how
/// often each comes, and its areas. A sample of class 1 whose label was flipped is the first.
fn divisions(name: &str, all: &[Labelled]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (what, wanted) in [
        ("class-0-in-training", [0, 1]),
        ("class-1-in-training", [1, 0]),
        ("none-in-training", [0, 0]),
        ("both-in-training", [1, 1]),
    ] {
        let row = |what: &str| format!("labels/{name}/{what}");
        let halves = || all.iter().flat_map(|one| one.inside.iter().zip(&one.areas));
        let own: Vec<[f64; 2]> =
            halves().filter(|(inside, _)| **inside == wanted).map(|(_, areas)| *areas).collect();
        let share = own.len() as f64 / halves().count() as f64;
        rows.push(Row::new(row(what), share, "fraction"));
        for (side, area) in ["train-auc", "test-auc"].into_iter().enumerate() {
            let areas: Vec<f64> = own.iter().map(|pair| pair[side]).collect();
            rows.push(Row::mean(row(&format!("{what}/{area}")), &areas, "fraction"));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use evocracy::run::{Pool, Stop};

    /// The parts of the experiment on small tables.
    #[test]
    fn threads_change_nothing() -> Result<()> {
        let genes = Genes::default().rows(30).genes(40).informative(2).masked(2).shift(2.0);
        let both = |threads: usize| -> Result<_> {
            let (stop, pool) = (Stop::new(), Pool::new(threads)?);
            let run = Run::new(1, &stop, &pool);
            Ok((population(&genes, 4, &run)?, labelled(1, 6.0, 6, &run)?))
        };
        let (one, of_labels) = both(1)?;
        let (two, again) = both(2)?;
        assert_eq!(one, two);
        assert_eq!(of_labels, again);
        assert!(one.partners > 0.0 && one.test_auc > 0.5, "{one:?}");
        assert_eq!((of_labels.areas.len(), of_labels.inside.len()), (12, 12));
        // The halves of a split are complements: what one has the other has not.
        for split in of_labels.inside.chunks(2) {
            assert_eq!([split[0][0] + split[1][0], split[0][1] + split[1][1]], [1, 1]);
        }
        let shares: f64 = divisions("flips-1", &[of_labels])
            .iter()
            .filter(|row| row.name.ends_with("in-training"))
            .map(|row| row.measured)
            .sum();
        assert!((shares - 1.0).abs() < 1e-12);
        Ok(())
    }

    #[test]
    fn called_genes_are_judged_by_their_roles() {
        let truth = Genes::default().truth().unwrap();
        let (good, noise) = (truth.informative(), |n: usize| {
            let is = |gene: &usize| matches!(truth.roles[*gene], Role::Noise { .. });
            (0..2000).filter(is).take(n).collect::<Vec<_>>()
        });
        let masks = (0..2000).find(|&g| matches!(truth.roles[g], Role::Masks { .. })).unwrap();
        let called: Vec<usize> = good[..5].iter().copied().chain(noise(1)).chain([masks]).collect();
        let (power, false_share) = judge(&truth, &called);
        assert_eq!((power, false_share), (0.5, 1.0 / 6.0));
        assert_eq!(judge(&truth, &[]), (0.0, 0.0));
    }
}
