//! A front as a model: members that share what they can, and the points that use them.

use super::points::{FrontPoint, FrontPoints};
use crate::classify::{
    Classifier, Decision, Explanation, Link, Part, Proba, Saved, softmax_in_place,
};
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use crate::kernel::{Basis, SparseSums};
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// Many models with a promise each. It answers by the member of one of its points, the chosen one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrontModel {
    classes: Classes,
    points: FrontPoints,
    chosen: u32,
    /// Members that are sums over shared basis functions: the log-odds of the positive of two
    /// classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sums: Option<SparseSums>,
    /// Members of any other kind; chunks of their own in a model file.
    #[serde(skip)]
    models: Vec<Model>,
}

impl FrontModel {
    /// A front of sums: the log-odds of the positive of two classes.
    pub fn of_sums(
        classes: Classes,
        sums: SparseSums,
        points: FrontPoints,
        chosen: usize,
    ) -> Result<Self> {
        let chosen = chosen as u32;
        let front = Self { classes, points, chosen, sums: Some(sums), models: Vec::new() };
        front.sound()?;
        Ok(front)
    }

    /// A front of models of any kind.
    pub fn of_models(
        classes: Classes,
        models: Vec<Model>,
        points: FrontPoints,
        chosen: usize,
    ) -> Result<Self> {
        let chosen = chosen as u32;
        let mut front = Self { classes, points, chosen, sums: None, models: Vec::new() };
        front.adopt(models)?;
        Ok(front)
    }

    /// The points.
    pub fn points(&self) -> &FrontPoints {
        &self.points
    }

    /// The position of the point that answers.
    pub fn chosen(&self) -> usize {
        self.chosen as usize
    }

    /// The members that are models of their own.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The same front, answered by another point.
    pub(crate) fn at(mut self, point: usize) -> Result<Self> {
        if point >= self.points.len() {
            return Err(Error::unsuitable(
                format!("there is no point {point}: the front has {}", self.points.len()),
                "points are counted from 0",
            ));
        }
        self.chosen = point as u32;
        Ok(self)
    }

    /// How the chosen point calls rows.
    pub(crate) fn decision(&self) -> Decision {
        self.point().threshold.map_or_else(Decision::default, Decision::threshold)
    }

    /// Whether its members are models of their own.
    pub(crate) fn has_models(&self) -> bool {
        self.sums.is_none()
    }

    /// Takes in the members of a model file.
    pub(crate) fn adopt(&mut self, models: Vec<Model>) -> Result<()> {
        for model in &models {
            if model.classes()?.names() != self.classes.names() {
                return Err(Error::model_file("a member of its front knows other classes"));
            }
        }
        self.models = models;
        self.sound()
    }

    /// Whether points and members fit together.
    fn sound(&self) -> Result<()> {
        let members = self.sums.as_ref().map_or(self.models.len(), SparseSums::len);
        if self.sums.is_some() && (!self.models.is_empty() || self.classes.len() != 2) {
            return Err(Error::model_file("the members of its front do not fit together"));
        }
        self.points.check(members)?;
        if self.chosen() < self.points.len() {
            return Ok(());
        }
        Err(Error::model_file("the chosen point of its front is missing"))
    }

    fn point(&self) -> FrontPoint {
        self.points.get(self.chosen())
    }

    /// Log-odds of two classes as probabilities.
    fn of_sum(&self, sum: f64, out: &mut [f64]) {
        out.fill(0.0);
        out[self.classes.positive()] = sum;
        softmax_in_place(out);
    }
}

impl Classifier for FrontModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let member = self.point().member;
        let Some(sums) = &self.sums else { return self.models[member].proba_into(rows, out) };
        let sums = sums.at(member, rows)?;
        out.reset(rows.rows(), self.classes.len());
        for (row, sum) in sums.into_iter().enumerate() {
            self.of_sum(sum, out.row_mut(row));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let (member, id) = (self.point().member, [rows.row_id(row) as u32]);
        let rows = rows.with_rows(&id);
        let Some(sums) = &self.sums else { return self.models[member].explain(rows, 0) };
        let positive = self.classes.positive();
        let (mut base, mut parts) = (vec![0.0; 2], Vec::new());
        for (basis, adds) in sums.parts(member, rows)? {
            let (column, because) = match basis {
                Basis::Bias => {
                    base[positive] += adds;
                    continue;
                }
                Basis::Column(input) => (Some(input), rows.field(input).name.clone()),
                Basis::Centre { row, width } => {
                    let row = sums.training_row(row);
                    (None, format!("likeness to training row {row} at width {width:.3}"))
                }
            };
            let mut of_classes = vec![0.0; 2];
            of_classes[positive] = adds;
            parts.push(Part { column, because, adds: of_classes });
        }
        Ok(Explanation { base, parts, link: Link::Softmax })
    }
}

impl Saved for FrontModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        match &self.sums {
            Some(sums) => {
                sums.check(inputs)?;
                self.sound()
            }
            // Members that are models are checked when they are taken in.
            None => Ok(()),
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let mut size = vec![("points", self.points.len() as u64)];
        match &self.sums {
            Some(sums) => {
                size.push(("members", sums.len() as u64));
                size.push(("vectors", sums.vectors(self.point().member) as u64));
            }
            None => size.push(("members", self.models.len() as u64)),
        }
        size
    }
}
