//! Stacking: a method learns to combine the outputs of others for rows they were not trained on.
//!
//! D. H. Wolpert, "Stacked generalization", Neural Networks 5 (1992) 241-259.

use super::assembly::{Assembly, Ensemble, train_member};
use super::combiner::output_table;
use super::vote::THREE;
use super::{Combine, CommitteeModel};
use crate::classify::Fitted;
use crate::error::Result;
use crate::method::{self, Members};
use crate::run::StopReason;

crate::params! {
    /// Stacking: a method learns to combine what others say of rows they were not trained on.
    pub struct Stack as "stack" {
        /// the method that combines
        combiner: String = "logistic".to_owned(), ..;
        /// how many folds the others are trained on in turn; as many as rows leave out one at a time
        folds: usize = 5, 2..=1_000_000;
    }
}

impl Ensemble for Stack {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        let combiner = method::expert(&self.combiner)?;
        let proba = assembly.out_of_fold(self.folds)?;
        let mut members = assembly.train_all()?;
        let table = output_table(&members.model, &proba)?;
        let task = rows.task_of(table.view(), &rows.labels, &rows.classes, &rows.weights)?;
        let run = assembly.run.child("combiner", 0);
        let combiner = train_member(combiner.as_ref(), &task, &run)?;
        members.model.push(combiner.model);
        if [members.stop, combiner.stop] != [StopReason::Finished; 2] {
            members.stop = StopReason::Interrupted;
        }
        assembly.committee(members, Combine::Stack, assembly.diagnostics(&proba)?)
    }
}
