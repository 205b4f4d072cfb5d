//! Selection of genes: 100 splits of the leukaemia data by several ways, areas of single genes, gene
//! sets tried in a second, and a set of the size of the InChianti study, on two threads: in CPU seconds
//! and on the wall clock (`-wall`).

use crate::clock;
use crate::measure::Measured;
use crate::numbers::Numbers;
use anyhow::{Context, Result, bail, ensure};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::measure::screen;
use evocracy::run::{Pool, Run, Stop};
use evocracy::select::{ByMoea, Halving, Preparation, Samples, Selector, selector};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Gene sets that are tried on each half: 600,000 in all.
const SETS: u64 = 300_000;
/// What the large set may take, in MiB.
const MOST_MIB: f64 = 1024.0;

pub fn run(case: &str, folder: &Path) -> Result<Measured> {
    match case {
        "screen" => areas(&folder.join("screen.bin")),
        "leukemia-ard" | "leukemia-rvm" => {
            let by = case.trim_start_matches("leukemia-");
            split(&leukemia()?, selector(by, &[])?.as_ref(), 100, 1)
        }
        "leukemia-moea" => split(&leukemia()?, &ByMoea::default().evaluations(SETS), 1, 1),
        "700x16571" | "700x16571-wall" => {
            let data = Catalogue::embedded()
                .open("gen:genes:rows=700:genes=16571:informative=20", &Load::default())?;
            let samples = Samples::new(&data)?;
            drop(data);
            let start = Instant::now();
            let mut measured = split(&samples, selector("ard", &[])?.as_ref(), 50, 2)?;
            if case.ends_with("-wall") {
                measured.seconds = start.elapsed().as_secs_f64();
            }
            let peak = clock::peak_mib()?;
            ensure!(peak <= MOST_MIB, "{peak:.0} MiB at the most, and at most {MOST_MIB} are wanted");
            measured.peak_mib = Some(peak);
            Ok(measured)
        }
        _ => bail!("there is no case `{case}`"),
    }
}

/// The area and the p-value of every column; the quality is the largest area.
fn areas(path: &Path) -> Result<Measured> {
    let Numbers { rows, columns, cells, classes } = Numbers::read(path)?;
    let truth: Vec<bool> = classes.iter().map(|&class| class == 1.0).collect();
    let column = |j: usize| (0..rows).map(move |i| (i, j));
    let by_column: Vec<f64> =
        (0..columns).flat_map(column).map(|(i, j)| cells[i * columns + j]).collect();
    let (seconds, areas) = clock::time(|| Ok(screen(&by_column, &truth)))?;
    let best = areas.iter().map(|area| area.auc).fold(0.0, f64::max);
    Ok(Measured { seconds, quality: Some(best), ..Measured::default() })
}

fn leukemia() -> Result<Samples> {
    let listed = std::env::var_os("EVOCRACY_DATA").context("EVOCRACY_DATA is not set")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&listed).collect();
    let mut load = Load::default();
    load.options.positive = Some("AML".to_owned());
    Ok(Samples::new(&Catalogue::with_folders(folders).open("leukemia", &load)?)?)
}

/// CPU seconds of so many splits; the quality is the mean test area.
fn split(
    samples: &Samples,
    selector: &dyn Selector,
    splits: usize,
    threads: usize,
) -> Result<Measured> {
    let (stop, pool) = (Stop::new(), Pool::new(threads)?);
    let preparation = Preparation::default();
    let halving = Halving { samples, selector, preparation: &preparation, splits, left_out: &[] };
    let (seconds, found) = clock::time_for(0.0, || Ok(halving.run(&Run::new(1, &stop, &pool))?))?;
    let all: Vec<f64> =
        found.iter().flatten().flat_map(|half| &half.classifiers).map(|one| one.auc[1]).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    Ok(Measured { seconds, quality: Some(mean), ..Measured::default() })
}
