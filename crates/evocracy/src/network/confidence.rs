//! How sure an arc is: in how many structures learnt from resampled rows it is there (Friedman,
//! Goldszmidt, Wyner 1999).

use super::{Dag, Discrete};
use crate::error::{Error, Result};
use crate::evolve::rng;
use crate::run::Run;

/// Shares of resampled tables whose structure has each arc.
#[derive(Debug, Clone, PartialEq)]
pub struct Confidence {
    nodes: usize,
    rounds: usize,
    counts: Vec<u32>,
}

impl Confidence {
    /// Learns a structure from each of `rounds` tables whose rows are drawn with replacement. When
    /// the work is stopped, those that are done count.
    pub fn bootstrap(
        data: &Discrete,
        rounds: usize,
        run: &Run<'_>,
        search: impl Fn(&Discrete, &Run<'_>) -> Result<Dag> + Sync + Send,
    ) -> Result<Self> {
        let run = &run.task("bootstrap", rounds as u64);
        let found = run.pool.map(rounds, |round| -> Result<Option<Dag>> {
            if run.stop.requested() {
                return Ok(None);
            }
            let child = run.child("bootstrap", round as u64);
            let table = data.resample(&mut rng(child.seed.child("rows", 0)))?;
            let dag = search(&table, &child)?;
            run.watch.advance(1);
            Ok((!run.stop.requested()).then_some(dag))
        });
        let nodes = data.variables();
        let mut all = Self { nodes, rounds: 0, counts: vec![0; nodes * nodes] };
        for dag in found {
            let Some(dag) = dag? else { continue };
            if dag.nodes() != nodes {
                return Err(Error::unsuitable("a structure of other variables", ""));
            }
            all.rounds += 1;
            for (parent, child) in dag.arcs() {
                all.counts[child as usize * nodes + parent as usize] += 1;
            }
        }
        if all.rounds == 0 { Err(Error::Stopped) } else { Ok(all) }
    }

    /// How many structures there are.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The share of structures with this arc.
    pub fn arc(&self, parent: u32, child: u32) -> f64 {
        let count = self.counts[child as usize * self.nodes + parent as usize];
        f64::from(count) / self.rounds as f64
    }

    /// The share of structures with an arc between two nodes, whichever way.
    pub fn edge(&self, a: u32, b: u32) -> f64 {
        self.arc(a, b) + self.arc(b, a)
    }
}
