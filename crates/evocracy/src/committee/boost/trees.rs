//! Trees and stumps as weak learners: the columns are gathered and ranked once for all rounds.

use super::rounds::WeakLearner;
use crate::committee::flat_trees::{Leaves, PackedTree};
use crate::data::Task;
use crate::error::Result;
use crate::experts::tree::columns::Columns;
use crate::experts::tree::grow::{All, Grower, Limits};
use crate::num::argmax;
use crate::run::{Run, Seed, StopReason, Watch};

/// Columns and classes of the rows.
pub(super) struct Ranked<'a> {
    columns: Columns<'a>,
    pub(super) levels: Vec<Option<u32>>,
    classes: usize,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(task: &Task<'a>, classes: usize, run: &Run<'_>) -> Result<Self> {
        let columns = Columns::gather(task.features, run)?;
        let levels = columns.levels().collect();
        Ok(Self { columns, levels, classes })
    }
}

/// Grows a tree in every round.
pub(super) struct WeakTrees<'a> {
    ranked: &'a Ranked<'a>,
    grower: Grower<'a>,
    run: Run<'a>,
}

impl<'a> WeakTrees<'a> {
    pub(super) fn new(
        ranked: &'a Ranked<'a>,
        labels: &'a [u32],
        limits: Limits,
        run: &Run<'a>,
    ) -> Self {
        let grower = Grower::new(&ranked.columns, labels, ranked.classes, limits);
        Self { ranked, grower, run: Run { watch: Watch::new("tree"), ..run.clone() } }
    }
}

impl WeakLearner for WeakTrees<'_> {
    type Expert = PackedTree;

    fn learn(&mut self, weights: &[f64], called: &mut [u32], _seed: Seed) -> Result<PackedTree> {
        let grown = self.grower.grow(weights.into(), &mut All, &self.run)?;
        if grown.stop == StopReason::Interrupted {
            return Err(crate::error::Error::Stopped);
        }
        let classes = self.ranked.classes;
        let says: Vec<u32> =
            grown.counts.chunks_exact(classes).map(|counts| argmax(counts) as u32).collect();
        self.ranked.columns.place(&grown.nodes, called);
        for leaf in called.iter_mut() {
            *leaf = says[*leaf as usize];
        }
        Ok(PackedTree::pack(&grown, classes, Leaves::Label, &self.ranked.levels))
    }
}
