//! Fitting a mixture of rules with its defaults. The last fourth of the rows are the test rows.

use super::experts::accuracy;
use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::method;
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

pub fn run(path: &Path) -> Result<Measured> {
    let name = path.to_str().context("a name in Unicode")?;
    let data = Catalogue::embedded().open(name, &Load::default())?;
    let rows = data.table().rows() as u32;
    let cut = rows / 4 * 3;
    let (train, test): (Vec<u32>, Vec<u32>) = ((0..cut).collect(), (cut..rows).collect());
    let task = data.task()?.with_rows(&train);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let method = method::make("moe-ga", &[])?;
    let (seconds, model) = clock::time(|| Ok(method.train(&task, &run)?.model))?;
    let quality = Some(accuracy(&model, &data, &test)?);
    Ok(Measured { seconds, quality, ..Measured::default() })
}
