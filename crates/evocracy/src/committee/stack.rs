//! Stacking: a method learns how to combine what others say of rows they were not trained on.
//!
//! D. H. Wolpert, "Stacked generalization", Neural Networks 5 (1992) 241-259.

use super::Combine;
use super::council::{Council, Ground, blame, train_each};
use super::model::{CommitteeModel, answers};
use super::notes;
use super::vote::{THREE, all_out_of_fold};
use crate::classify::{Fitted, Proba};
use crate::data::{Target, Task};
use crate::error::Result;
use crate::method::{self, Members, Method};
use crate::run::{Run, StopReason};

crate::params! {
    /// Stacking: a method learns to combine what others say of rows they were not trained on.
    pub struct Stack as "stack" {
        /// the method that combines
        combiner: String = "logistic".to_owned(), ..;
        /// how many folds the others are trained on in turn; as many as rows leave out one at a time
        folds: usize = 5, 2..=1_000_000;
    }
}

impl Council for Stack {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let combiner = method::expert(&self.combiner)?;
        let ground = Ground::new(task)?;
        let said = all_out_of_fold(members, &ground, self.folds, run)?;
        let all = ground.task()?;
        let trained = train_each(members.len(), run, |at, run| {
            members[at].train(&all, run).map_err(|e| blame(members[at].name(), e))
        })?;
        let mut models = trained.model;
        let k = ground.classes.len();
        let proba: Vec<Proba> = said.iter().map(|said| Proba::from_rows(k, said)).collect();
        let table = answers(&models, &proba)?;
        let target = Target::Class { codes: &ground.labels, classes: &ground.classes };
        let upper = Task::new(table.view(), task.target_name(), target, Some(&ground.weights))?;
        let combined = combiner
            .train(&upper, &run.child("combiner", 0))
            .map_err(|e| blame(combiner.name(), e))?;
        models.push(combined.model);
        let mut notes = notes::start(members, &ground);
        notes::out_of_fold(&mut notes, members, &ground, &said)?;
        let classes = ground.classes.clone();
        let model = CommitteeModel::new(classes, models, Combine::Stack, notes)?;
        let finished = [trained.stop, combined.stop] == [StopReason::Finished; 2];
        let stop = if finished { StopReason::Finished } else { StopReason::Interrupted };
        Ok(Fitted { model, stop })
    }
}
