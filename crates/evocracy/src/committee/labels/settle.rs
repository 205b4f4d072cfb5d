//! What is fitted to all rows in the end: the way that did best on held-out rows, or a blend.

use super::blend::Blend;
use super::law::Law;
use super::network::Names;
use super::report::{Settled, best};
use super::rows::Rows;
use super::trials::{Trial, Trials};
use super::ways::Way;
use crate::error::{Error, Result};
use crate::run::Run;

/// A blend with the ways in it and their weights.
type Blended = (Law, Vec<(Way, f64)>);

/// What there is to fit.
#[derive(Clone, Copy)]
pub(super) struct Settle<'a> {
    pub names: &'a Names<'a>,
    pub rows: &'a Rows,
    pub smoothing: f64,
    pub run: &'a Run<'a>,
}

impl Settle<'_> {
    /// Fits what did best. A way that cannot learn from all rows is left out, and the next best is
    /// taken. After a stop that cuts a search short, it is the best of what is one pass over the rows.
    pub fn on(
        self,
        ways: &[Way],
        trials: Option<&Trials>,
        tried: &mut Vec<Trial>,
        mut left_out: Vec<(Way, Error)>,
    ) -> Result<Settled> {
        while let Some(chosen) = trials.and_then(|trials| best(trials, tried)) {
            let way = chosen.way;
            let found = match (way, trials) {
                (Way::Blend, Some(trials)) => self.blend(trials, tried, &mut left_out),
                _ => self.alone(way, &mut left_out).map(|law| law.map(|law| (law, Vec::new()))),
            };
            if self.run.stop.requested() && !way.is_counted() {
                // A search that was cut short is not the one that was tried on held-out rows. What
                // is one pass over the rows is, and there is time for it; where nothing of that kind
                // was asked for, the search is the best so far and its trial is forgotten.
                tried.retain(|trial| trial.way.is_counted());
                if tried.is_empty()
                    && ways.len() == 1
                    && let Some((law, blended)) = found?
                {
                    return Ok(Settled { way, law, blended, left_out });
                }
                continue;
            }
            if let Some((law, blended)) = found? {
                return Ok(Settled { way, law, blended, left_out });
            }
            let failed: Vec<Way> = left_out.iter().map(|(way, _)| *way).collect();
            tried.retain(|trial| trial.way != way && !failed.contains(&trial.way));
        }
        // Where there are too few rows to compare, or no time was left for it, the simplest one
        // that can be fitted.
        for &way in ways {
            if let Some(law) = self.alone(way, &mut left_out)? {
                return Ok(Settled { way, law, blended: Vec::new(), left_out });
            }
        }
        Err(left_out.into_iter().map(|(_, error)| error).next().unwrap_or(Error::Stopped))
    }

    /// Fits one way; `None`, and a reason among those left out, where it cannot be.
    fn alone(self, way: Way, left_out: &mut Vec<(Way, Error)>) -> Result<Option<Law>> {
        match way.fit(self.names, self.rows, self.smoothing, &self.run.child("combiner", 0)) {
            Ok(law) => Ok(Some(law)),
            Err(Error::Stopped) => Err(Error::Stopped),
            Err(error) => {
                if left_out.iter().all(|(other, _)| *other != way) {
                    left_out.push((way, error));
                }
                Ok(None)
            }
        }
    }

    /// Fits the ways of a blend that have weight; `None` where there is none, or where a way could
    /// not be fitted.
    fn blend(
        self,
        trials: &Trials,
        tried: &[Trial],
        left_out: &mut Vec<(Way, Error)>,
    ) -> Result<Option<Blended>> {
        let single: Vec<&Trial> = tried.iter().filter(|trial| trial.way != Way::Blend).collect();
        let weights = trials.weights(&single);
        let heavy = single.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
        let blended: Vec<(Way, f64)> = heavy.map(|(trial, weight)| (trial.way, weight)).collect();
        let task = self.run.task("ways of the blend", blended.len() as u64);
        let mut laws = Vec::new();
        for (way, _) in &blended {
            let Some(law) = self.alone(*way, left_out)? else { return Ok(None) };
            laws.push(law);
            task.watch.advance(1);
        }
        if laws.is_empty() {
            return Ok(None);
        }
        let weights = blended.iter().map(|(_, weight)| *weight).collect();
        Ok(Some((Law::Blend(Blend::new(weights, laws)), blended)))
    }
}
