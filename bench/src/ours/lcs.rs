//! Rule systems: so many learning iterations with so many rules, and prediction.

use super::experts::{accuracy, load};
use crate::clock;
use crate::measure::Measured;
use anyhow::{Result, bail};
use evocracy::method;
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

/// As in `peers/lcs.py`.
const ITERATIONS: &str = "20000";

pub fn run(case: &str, folder: &Path) -> Result<Measured> {
    let table = case.trim_end_matches("-predict");
    let (population, train) = match table {
        "mux11" => ("1000", 2000),
        "mux20" => ("2000", 2000),
        "car" => ("1000", 1296),
        _ => bail!("there is no case `{case}`"),
    };
    let data = load(&folder.join(format!("{table}.bin")))?;
    let rows = data.table().rows() as u32;
    let (train, test): (Vec<u32>, Vec<u32>) = ((0..train).collect(), (train..rows).collect());
    let task = data.task()?.with_rows(&train);
    let unseen = data.features().with_rows(&test);
    let settings = [("population", population), ("iterations", ITERATIONS)];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let method = method::make("ucs", &settings)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let fit = || Ok(method.train(&task, &run)?.model);
    let (seconds, model) = if table == case {
        clock::time(fit)?
    } else {
        let model = fit()?;
        let (seconds, _) = clock::time(|| Ok(model.proba(unseen)?))?;
        (seconds, model)
    };
    let quality = Some(accuracy(&model, &data, &test)?);
    Ok(Measured { seconds, quality, ..Measured::default() })
}
