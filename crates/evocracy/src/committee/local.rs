//! For each row the expert that is right most often for rows like it.

use super::Combine;
use super::combine::Gate;
use super::council::{Council, Ground, blame, train_each};
use super::model::CommitteeModel;
use super::notes;
use super::vote::{THREE, all_out_of_fold};
use crate::classify::Fitted;
use crate::data::{Classes, Task};
use crate::error::Result;
use crate::method::{self, Members, Method};
use crate::num::argmax;
use crate::run::Run;

crate::params! {
    /// Local competence: for each row the method answers that is right for rows like it.
    pub struct Local as "local" {
        /// the method that learns where each other method is right
        gate: String = "knn".to_owned(), ..;
        /// how many folds tell where a method is right
        folds: usize = 5, 2..=1_000_000;
    }
}

impl Council for Local {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let gate = method::expert(&self.gate)?;
        let ground = Ground::new(task)?;
        let said = all_out_of_fold(members, &ground, self.folds, run)?;
        let right: Vec<Vec<u32>> = said.iter().map(|said| right(&ground, said)).collect();
        let classes = Classes::new(vec!["wrong".to_owned(), "right".to_owned()])?;
        // A method that is always right, or always wrong, needs no gate.
        let mixed: Vec<usize> = (0..members.len())
            .filter(|&at| right[at].contains(&0) && right[at].contains(&1))
            .collect();
        let experts = members.len();
        let all = ground.task()?;
        let trained = train_each(experts + mixed.len(), run, |at, run| {
            if at < experts {
                return members[at].train(&all, run).map_err(|e| blame(members[at].name(), e));
            }
            let task = ground.task_with(&right[mixed[at - experts]], &classes, &ground.weights)?;
            gate.train(&task, run).map_err(|e| blame(gate.name(), e))
        })?;
        let gates = (0..experts).map(|at| match mixed.iter().position(|&m| m == at) {
            Some(position) => Gate::Member(experts + position),
            None => Gate::Constant(f64::from(right[at][0])),
        });
        let mut notes = notes::start(members, &ground);
        notes::out_of_fold(&mut notes, members, &ground, &said)?;
        let combine = Combine::Local(gates.collect());
        let model = CommitteeModel::new(ground.classes.clone(), trained.model, combine, notes)?;
        Ok(Fitted { model, stop: trained.stop })
    }
}

/// Whether each row is called rightly.
fn right(ground: &Ground, said: &[f64]) -> Vec<u32> {
    let calls = said.chunks_exact(ground.classes.len()).map(argmax);
    calls.zip(&ground.labels).map(|(call, &label)| u32::from(call == label as usize)).collect()
}
