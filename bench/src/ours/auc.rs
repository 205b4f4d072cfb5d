//! The area under the ROC curve: with its curve, compared, and bootstrapped.

use crate::clock;
use crate::measure::Measured;
use crate::numbers::Numbers;
use anyhow::{Result, bail};
use evocracy::measure::{Areas, BootstrapInterval, LEVEL, Order, Resampling, Roc, bootstrap_auc};
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

/// As many draws as the peer makes.
const REPLICATES: usize = 2000;

pub fn run(case: &str, path: &Path) -> Result<Measured> {
    let (truth, first, second) = load(path)?;
    let (seconds, auc) = match case {
        "auc-roc-1e6" => clock::time(|| Ok(Roc::new(&truth, &first, None)?.auc()))?,
        "delong-1e6" => clock::time(|| {
            let areas = Areas::new(&truth, &[&first, &second], None)?;
            areas.compare(0, 1, LEVEL)?;
            Ok(areas.each()[0].auc())
        })?,
        "bootstrap-1000" => {
            let (stop, pool) = (Stop::new(), Pool::new(1)?);
            let run = Run::new(1, &stop, &pool);
            clock::time(|| {
                let order = Order::new(&truth, &first, None)?;
                let draws = Resampling::stratified(&truth, None)?;
                let kind = BootstrapInterval::Percentile;
                Ok(bootstrap_auc(&order, &draws, REPLICATES, LEVEL, kind, &run)?.0.estimate())
            })?
        }
        _ => bail!("there is no case `{case}`"),
    };
    Ok(Measured { seconds, quality: Some(auc), ..Measured::default() })
}

type Scores = (Vec<bool>, Vec<f64>, Vec<f64>);

/// The truth and two scores of the same rows.
fn load(path: &Path) -> Result<Scores> {
    let Numbers { columns, cells, classes, .. } = Numbers::read(path)?;
    let column = |j: usize| cells.iter().skip(j).step_by(columns).copied().collect();
    Ok((classes.iter().map(|&class| class == 1.0).collect(), column(0), column(1)))
}
