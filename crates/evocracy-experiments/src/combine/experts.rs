//! Experts that are trained on TR1 and asked about TR2 and TS.

use super::labels::Labels;
use evocracy::data::Dataset;
use evocracy::error::{Error, Result};
use evocracy::method::make;
use evocracy::run::Run;
use rand::seq::SliceRandom;

/// A method with its settings.
#[derive(Clone)]
pub(super) struct Expert {
    method: &'static str,
    settings: Vec<(String, String)>,
}

impl Expert {
    pub fn new(method: &'static str, settings: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self { method, settings: settings.iter().map(owned).collect() }
    }
}

/// The rows of TR1, TR2 and TS.
pub(super) struct Parts {
    pub experts: Vec<u32>,
    pub combiner: Vec<u32>,
    pub test: Vec<u32>,
}

impl Parts {
    /// So many rows for each part, drawn from all.
    pub fn of_all(rows: usize, sizes: [usize; 3], run: &Run<'_>) -> Self {
        let mut parts = Self { experts: Vec::new(), combiner: Vec::new(), test: Vec::new() };
        parts.draw((0..rows as u32).collect(), sizes, run, 0);
        parts
    }

    /// So many rows of every class for each part.
    pub fn of_each_class(codes: &[u32], classes: u32, sizes: [usize; 3], run: &Run<'_>) -> Self {
        let mut parts = Self { experts: Vec::new(), combiner: Vec::new(), test: Vec::new() };
        for class in 0..classes {
            let rows = (0..codes.len() as u32).filter(|&row| codes[row as usize] == class);
            parts.draw(rows.collect(), sizes, run, u64::from(class));
        }
        parts
    }

    fn draw(&mut self, mut rows: Vec<u32>, sizes: [usize; 3], run: &Run<'_>, index: u64) {
        rows.shuffle(&mut run.seed.child("parts", index).rng());
        let mut rows = rows.into_iter();
        self.experts.extend(rows.by_ref().take(sizes[0]));
        self.combiner.extend(rows.by_ref().take(sizes[1]));
        self.test.extend(rows.take(sizes[2]));
    }
}

/// What the experts say of TR2 and TS.
pub(super) fn labels(
    data: &Dataset,
    parts: &Parts,
    experts: &[Expert],
    run: &Run<'_>,
) -> Result<Labels> {
    let (Some(classes), Some(codes)) = (data.classes(), data.codes()) else {
        return Err(Error::unsuitable(format!("{} has no classes", data.name), ""));
    };
    let asked: Vec<u32> = parts.combiner.iter().chain(&parts.test).copied().collect();
    let task = data.task()?.with_rows(&parts.experts);
    let said = run.pool.map(experts.len(), |at| {
        let Expert { method, settings } = &experts[at];
        let run = run.child("expert", at as u64);
        let model = make(method, settings)?.train(&task, &run)?.model;
        Ok(model.proba(data.features().with_rows(&asked))?.calls())
    });
    let said = said.into_iter().collect::<Result<Vec<Vec<u32>>>>()?;
    let truth = asked.iter().map(|&row| codes[row as usize]).collect();
    Labels::new(classes, said, truth, parts.combiner.len())
}
