//! Labels of experts for rows to learn from and rows to judge on, and how combiners do on them.

use crate::{Compare, Row};
use evocracy::classify::Proba;
use evocracy::data::{Classes, Column, Field, Schema, Table, Target, Task};
use evocracy::error::Result;
use evocracy::method::make;
use evocracy::run::Run;

/// The combiners and the names of their rows.
pub(super) const WAYS: [(&str, &str); 13] = [
    ("evobn", "evobn"),
    ("k2", "labels-k2"),
    ("hc", "labels-hc"),
    ("tan", "labels-tan"),
    ("naive", "labels-naive"),
    ("loglinear", "labels-loglinear"),
    ("conditional", "labels-conditional"),
    ("hidden", "labels-hidden"),
    ("stack", "labels-stack"),
    ("vote", "labels-vote"),
    ("weighted", "labels-weighted"),
    ("ds", "labels-ds"),
    ("auto", "labels-auto"),
];

/// What experts said of rows, and the truth.
pub(super) struct Labels {
    table: Table,
    classes: Classes,
    truth: Vec<u32>,
    train: Vec<u32>,
    test: Vec<u32>,
}

impl Labels {
    /// `said` holds for each expert a class for each row; the first `train` rows are learnt from.
    pub fn new(
        classes: &Classes,
        said: Vec<Vec<u32>>,
        truth: Vec<u32>,
        train: usize,
    ) -> Result<Self> {
        let name = |at: usize| Field::nominal(format!("e{}", at + 1), classes.names().to_vec());
        let fields = (0..said.len()).map(name).collect();
        let table = Table::new(Schema { fields }, said.into_iter().map(Column::Nominal).collect())?;
        let (train, rows) = (train as u32, truth.len() as u32);
        let (train, test) = ((0..train).collect(), (train..rows).collect());
        Ok(Self { table, classes: classes.clone(), truth, train, test })
    }

    /// How many rows the experts call rightly of those to judge on, in percent.
    pub fn experts(&self) -> Vec<f64> {
        let right = |column: &Column| match column {
            Column::Nominal(said) => self.percent(|row| said[row as usize]),
            Column::Number(_) => 0.0,
        };
        self.table.columns().iter().map(right).collect()
    }

    fn percent(&self, said: impl Fn(u32) -> u32) -> f64 {
        let right = self.test.iter().filter(|&&row| said(row) == self.truth[row as usize]);
        100.0 * right.count() as f64 / self.test.len() as f64
    }

    /// The same of a combiner.
    pub fn combined(&self, method: &str, settings: &[(&str, &str)], run: &Run<'_>) -> Result<f64> {
        let calls = self.proba(method, settings, run)?.calls();
        let first = self.train.len() as u32;
        Ok(self.percent(|row| calls[(row - first) as usize]))
    }

    /// How many rows a combiner calls rightly, in percent, and the mean log2-likelihood of the truth.
    pub fn judged(
        &self,
        method: &str,
        settings: &[(&str, &str)],
        run: &Run<'_>,
    ) -> Result<[f64; 2]> {
        let proba = self.proba(method, settings, run)?;
        let truth = |at: usize| self.truth[self.test[at] as usize];
        let right = (0..proba.rows()).filter(|&at| proba.best(at) as u32 == truth(at)).count();
        let bits = (0..proba.rows()).map(|at| proba.row(at)[truth(at) as usize].max(1e-12).log2());
        let rows = proba.rows() as f64;
        Ok([100.0 * right as f64 / rows, bits.sum::<f64>() / rows])
    }

    fn proba(&self, method: &str, settings: &[(&str, &str)], run: &Run<'_>) -> Result<Proba> {
        let settings: Vec<(String, String)> =
            settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let target = Target::Class { codes: &self.truth, classes: &self.classes };
        let task = Task::new(self.table.view(), "truth", target, None)?;
        let model = make(method, &settings)?.train(&task.with_rows(&self.train), run)?.model;
        model.proba(self.table.view().with_rows(&self.test))
    }

    /// All combiners, in the order of [`WAYS`].
    pub fn all(&self, run: &Run<'_>) -> Result<Vec<f64>> {
        let each = run.pool.map(WAYS.len(), |at| {
            let (_, method) = WAYS[at];
            self.combined(method, &[("folds", "0")], &run.child(method, 0))
        });
        each.into_iter().collect()
    }
}

/// What repeats found.
#[derive(Default)]
pub(super) struct Repeats {
    best: Vec<f64>,
    worst: Vec<f64>,
    ways: Vec<Vec<f64>>,
}

impl Repeats {
    pub fn push(&mut self, labels: &Labels, run: &Run<'_>) -> Result<()> {
        let experts = labels.experts();
        self.best.push(experts.iter().copied().fold(0.0, f64::max));
        self.worst.push(experts.iter().copied().fold(100.0, f64::min));
        self.ways.push(labels.all(run)?);
        Ok(())
    }

    /// The figures of a way in all repeats.
    pub fn of(&self, way: &str) -> Vec<f64> {
        let at = WAYS.iter().position(|(name, _)| *name == way);
        at.map_or(Vec::new(), |at| self.ways.iter().map(|ways| ways[at]).collect())
    }

    /// The mean of a way.
    pub fn mean(&self, way: &str) -> f64 {
        let values = self.of(way);
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// The greatest mean of the ways other than `auto`.
    pub fn best_single(&self) -> f64 {
        let others = WAYS.iter().filter(|(name, _)| *name != "auto");
        others.map(|(name, _)| self.mean(name)).fold(0.0, f64::max)
    }

    /// The mean of the best expert of each repeat.
    pub fn best_expert(&self) -> f64 {
        self.best.iter().sum::<f64>() / self.best.len() as f64
    }

    /// A row for each figure, below `path`.
    pub fn rows(&self, path: &str) -> Vec<Row> {
        let named = |name: String| format!("{path}{name}");
        let mut rows = vec![
            Row::mean(named("best-expert/mean".into()), &self.best, "percent"),
            Row::mean(named("worst-expert/mean".into()), &self.worst, "percent"),
        ];
        for (way, _) in WAYS {
            let values = self.of(way);
            let mean = Row::mean(named(format!("{way}/mean")), &values, "percent");
            let best = values.iter().copied().fold(0.0, f64::max);
            let sd = mean.sd;
            rows.push(mean);
            rows.push(Row::new(named(format!("{way}/best")), best, "percent"));
            rows.extend(sd.map(|sd| Row::new(named(format!("{way}/sd")), sd, "percent")));
        }
        rows
    }
}

/// Puts what the paper prints and what is demanded beside the rows of these names; nothing is
/// demanded of the small version.
pub(super) fn beside(
    quick: bool,
    rows: &mut [Row],
    printed: &[(&str, f64)],
    targets: &[(&str, Compare)],
) {
    for row in rows {
        if let Some((_, value)) = printed.iter().find(|(name, _)| *name == row.name) {
            *row = row.clone().printed(*value);
        }
        let targets = if quick { &[] } else { targets };
        if let Some((_, target)) = targets.iter().find(|(name, _)| *name == row.name) {
            *row = row.clone().target(*target);
        }
    }
}

/// How `evobn` varies with the seed and K2 with the order, on one pair of parts.
pub(super) fn stability(labels: &Labels, repeats: u64, run: &Run<'_>) -> Result<Vec<Row>> {
    let spread = |method: &str, settings: &[(&str, &str)]| -> Result<f64> {
        let each = run.pool.map(repeats as usize, |at| {
            labels.combined(method, settings, &run.child("stability", at as u64))
        });
        let each = each.into_iter().collect::<Result<Vec<f64>>>()?;
        Ok(Row::mean("", &each, "percent").sd.unwrap_or(0.0))
    };
    let evobn = spread("evobn", &[("folds", "0")])?;
    let k2 = spread("labels-k2", &[("folds", "0"), ("random", "true")])?;
    Ok(vec![
        Row::new("evobn/seed-sd", evobn, "percent").target(Compare::AtMost(0.1)),
        Row::new("k2/order-sd", k2, "percent"),
    ])
}
