//! Fronts of relevance vector machines: candidates of a file scored and archived; a search to its
//! end; a fit of the default scheme, on two threads against one.

use super::experts::load;
use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result};
use evocracy::data::Cells;
use evocracy::front::{Candidate, Complexity, EvoRvm, Scheme, archive_candidates};
use evocracy::kernel::{Design, Dictionary, Keep, Kernel, Width};
use evocracy::method::Method;
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

pub fn run(threads: usize, case: &str, folder: &Path) -> Result<Measured> {
    let table = case.split('-').next().unwrap_or(case);
    let data = load(&folder.join(format!("{table}.bin")))?;
    let (task, stop) = (data.task()?, Stop::new());
    let fit = |learner: &EvoRvm, threads: usize| -> Result<Measured> {
        let pool = Pool::new(threads)?;
        let run = Run::new(1, &stop, &pool);
        let (seconds, _) = clock::time(|| Ok(learner.train(&task, &run)?))?;
        Ok(Measured { seconds, ..Measured::default() })
    };
    match case.split_once('-').map(|(_, what)| what) {
        Some("search") => {
            let base = EvoRvm::default().scheme(Scheme::Base).complexity(Complexity::Alpha);
            fit(&base.width(Width::Fixed(1.0)).centres(0), 1)
        }
        Some("fit") => fit(&EvoRvm::default(), 1),
        Some("cpu") => fit(&EvoRvm::default(), threads),
        _ => {
            let view = data.features();
            let (rows, mut points) = (view.rows(), Vec::new());
            for column in 0..view.columns() {
                let Cells::Number(values) = view.cells(column) else { continue };
                points.extend_from_slice(values);
            }
            let (candidates, width) = read(&folder.join(format!("{table}.candidates")))?;
            let widths = vec![width, width / 2.0, width / 4.0];
            let kernel = Kernel::Gaussian;
            let dictionary = Dictionary { kernel, degree: 1, widths, bias: true, centres: 0 };
            let design = Design::new(&dictionary, &points, rows, Keep::Stored);
            let codes = data.codes().context("the table has classes")?;
            let targets: Vec<f64> = codes.iter().map(|&code| f64::from(code)).collect();
            let work = || Ok(archive_candidates(&design, &targets, &candidates)?.len());
            let (seconds, kept) = clock::time(work)?;
            Ok(Measured { seconds, quality: Some(kept as f64), ..Measured::default() })
        }
    }
}

/// Candidates and the first width: count, width, then for each its size, bases and logarithms of
/// precisions.
fn read(path: &Path) -> Result<(Vec<Candidate>, f64)> {
    let bytes = std::fs::read(path)?;
    let mut numbers = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
    let mut next = || numbers.next().context("the file of candidates ends early");
    let (count, width) = (next()? as usize, next()?);
    let mut found = Vec::new();
    for _ in 0..count {
        let size = next()? as usize;
        let bases = (0..size).map(|_| Ok(next()? as u32)).collect::<Result<_>>()?;
        let logs = (0..size).map(|_| next()).collect::<Result<_>>()?;
        found.push(Candidate { bases, logs });
    }
    Ok((found, width))
}
