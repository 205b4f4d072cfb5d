//! Members that are trained on one part of the rows, and a combiner of their labels that is trained
//! on the other (TR1 and TR2 of the paper).

use super::LabelsModel;
use crate::classify::{Diagnostics, Fitted, Learner};
use crate::committee::assembly::{Assembly, train_all_members, train_member};
use crate::committee::combiner::label_table;
use crate::committee::{Combine, CommitteeModel};
use crate::data::{Target, Task, holdout};
use crate::error::Result;
use crate::run::StopReason;

/// Trains the members, then the combiner on rows that they have not seen.
pub(super) fn assemble<L>(
    combiner: &L,
    share: f64,
    assembly: &Assembly<'_>,
) -> Result<Fitted<CommitteeModel>>
where
    L: Learner<Model = LabelsModel> + Send + Sync + 'static,
{
    let (rows, run) = (&assembly.rows, assembly.run);
    let seed = run.seed.child("parts", 0);
    let split = holdout(rows.len(), Some(&rows.labels), 1.0 - share, seed)?;
    let task = rows.task()?.with_rows(&split.train);
    let mut members = train_all_members(assembly.members.len(), run, |at, run| {
        train_member(assembly.members[at].as_ref(), &task, run)
    })?;
    let unseen = rows.features().with_rows(&split.test);
    let each = run.pool.map(members.model.len(), |at| members.model[at].proba(unseen));
    let table = label_table(&members.model, &each.into_iter().collect::<Result<Vec<_>>>()?)?;
    let pick = |row: &u32| *row as usize;
    let codes: Vec<u32> = split.test.iter().map(pick).map(|row| rows.labels[row]).collect();
    let weights: Vec<f64> = split.test.iter().map(pick).map(|row| rows.weights[row]).collect();
    let target = Target::Class { codes: &codes, classes: &rows.classes };
    let task = Task::new(table.view(), rows.target(), target, Some(&weights))?;
    let combiner = train_member(combiner, &task, &run.child("combiner", 0))?;
    let labels = combiner.model.diagnostics().labels;
    members.model.push(combiner.model);
    if [members.stop, combiner.stop] != [StopReason::Finished; 2] {
        members.stop = StopReason::Interrupted;
    }
    let diagnostics = Diagnostics { labels, ..assembly.diagnostics(&[])? };
    assembly.committee(members, Combine::Labels, diagnostics)
}
