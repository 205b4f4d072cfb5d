//! Local competence: for each row the output of the expert that is most probably right there.

use super::assembly::{Assembly, Ensemble, train_all_members, train_member};
use super::combine::Gate;
use super::vote::THREE;
use super::{Combine, CommitteeModel, TrainingRows};
use crate::classify::{Fitted, Proba};
use crate::data::Classes;
use crate::error::Result;
use crate::method::{self, Members};

crate::params! {
    /// Local competence: for each row the method answers that is right for rows like it.
    pub struct Local as "local" {
        /// the method that learns where each other method is right
        gate: String = "knn".to_owned(), ..;
        /// how many folds tell where a method is right
        folds: usize = 5, 2..=1_000_000;
    }
}

impl Ensemble for Local {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let Assembly { members, rows, run } = assembly;
        let gate = method::expert(&self.gate)?;
        let proba = assembly.out_of_fold(self.folds)?;
        let right: Vec<Vec<u32>> = proba.iter().map(|proba| right(rows, proba)).collect();
        let classes = Classes::new(vec!["wrong".to_owned(), "right".to_owned()])?;
        // A method that is always right, or always wrong, needs no gate.
        let mixed: Vec<usize> = (0..members.len())
            .filter(|&at| right[at].contains(&0) && right[at].contains(&1))
            .collect();
        let experts = members.len();
        let all = rows.task()?;
        let trained = train_all_members(experts + mixed.len(), run, |at, run| {
            if at < experts {
                return train_member(members[at].as_ref(), &all, run);
            }
            let task = rows.task_with(&right[mixed[at - experts]], &classes, &rows.weights)?;
            train_member(gate.as_ref(), &task, run)
        })?;
        let gates = (0..experts).map(|at| match mixed.iter().position(|&m| m == at) {
            Some(position) => Gate::Member(experts + position),
            None => Gate::Constant(f64::from(right[at][0])),
        });
        let combine = Combine::Local(gates.collect());
        assembly.committee(trained, combine, assembly.diagnostics(&proba)?)
    }
}

/// Whether each row is called rightly.
fn right(rows: &TrainingRows, proba: &Proba) -> Vec<u32> {
    let calls = proba.calls().into_iter().zip(&rows.labels);
    calls.map(|(call, &label)| u32::from(call == label)).collect()
}
