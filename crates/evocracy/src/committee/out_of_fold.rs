//! Out-of-fold probabilities: of rows by models that were not trained on them.

use super::assembly::train_member;
use crate::classify::Proba;
use crate::data::{Split, Task};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::run::Run;

/// The probabilities of the test rows of each split, by a model of its training rows. The rows of
/// a split are positions in the task.
///
/// Training rows of a single class give that class the probability 1: no method learns from them.
pub(crate) fn out_of_fold(
    method: &dyn Method,
    task: &Task<'_>,
    splits: &[Split],
    run: &Run<'_>,
) -> Result<Vec<Proba>> {
    let (classes, labels) = task.labels()?;
    let ids = |rows: &[u32]| -> Vec<u32> {
        rows.iter().map(|&row| task.features.row_id(row as usize) as u32).collect()
    };
    let test_rows = |split: &Split, run: &Run<'_>| {
        let shown = |row: &u32| labels[*row as usize];
        if split.train.windows(2).any(|pair| shown(&pair[0]) != shown(&pair[1])) {
            let fitted = train_member(method, &task.with_rows(&ids(&split.train)), run)?;
            return fitted.model.proba(task.features.with_rows(&ids(&split.test)));
        }
        let mut shares = vec![0.0; classes.len()];
        for row in &split.train {
            shares[shown(row) as usize] += 1.0 / split.train.len() as f64;
        }
        Ok(Proba::from_rows(classes.len(), &shares.repeat(split.test.len())))
    };
    let found = run.pool.map(splits.len(), |fold| {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let proba = test_rows(&splits[fold], &run.child("fold", fold as u64));
        run.watch.advance(1);
        proba
    });
    found.into_iter().collect()
}

/// The test rows of all splits in the order of the `rows` of the task.
pub(super) fn in_row_order(rows: usize, splits: &[Split], parts: &[Proba]) -> Proba {
    let mut all = Proba::new();
    all.reset(rows, parts.first().map_or(0, Proba::classes));
    for (split, part) in splits.iter().zip(parts) {
        for (at, &row) in split.test.iter().enumerate() {
            all.row_mut(row as usize).copy_from_slice(part.row(at));
        }
    }
    all
}
