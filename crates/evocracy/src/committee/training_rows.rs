//! The rows a committee is trained on.

use crate::data::{Classes, Table, Target, Task, View};
use crate::error::Result;

/// The rows of a task that have weight, copied once, so that members can be given any of them in
/// any number.
pub(crate) struct TrainingRows {
    table: Table,
    pub classes: Classes,
    pub labels: Vec<u32>,
    pub weights: Vec<f64>,
    target: String,
}

impl TrainingRows {
    pub fn new(task: &Task<'_>) -> Result<Self> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let kept: Vec<usize> = (0..task.rows()).filter(|&row| weights[row] > 0.0).collect();
        let ids: Vec<u32> = kept.iter().map(|&row| task.features.row_id(row) as u32).collect();
        let rows = Self {
            table: task.features.with_rows(&ids).to_table()?,
            classes: classes.clone(),
            labels: kept.iter().map(|&row| labels[row]).collect(),
            weights: kept.iter().map(|&row| weights[row]).collect(),
            target: task.target_name().to_owned(),
        };
        // The rows with weight may show fewer classes than all rows did.
        rows.task()?.check()?;
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        &self.target
    }

    pub fn features(&self) -> View<'_> {
        self.table.view()
    }

    /// All rows.
    pub fn task(&self) -> Result<Task<'_>> {
        self.task_with(&self.labels, &self.classes, &self.weights)
    }

    /// All rows under other labels or weights.
    pub fn task_with<'a>(
        &'a self,
        codes: &'a [u32],
        classes: &'a Classes,
        weights: &'a [f64],
    ) -> Result<Task<'a>> {
        self.task_of(self.features(), codes, classes, weights)
    }

    /// Other features of the same rows.
    pub fn task_of<'a>(
        &'a self,
        features: View<'a>,
        codes: &'a [u32],
        classes: &'a Classes,
        weights: &'a [f64],
    ) -> Result<Task<'a>> {
        Task::new(features, &self.target, Target::Class { codes, classes }, Some(weights))
    }

    /// Whether rows are of more than one class.
    pub fn show_two_classes(&self, rows: &[u32]) -> bool {
        rows.windows(2).any(|pair| self.labels[pair[0] as usize] != self.labels[pair[1] as usize])
    }
}
