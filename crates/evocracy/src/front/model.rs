//! A front as a model: members that share what they can, and the points that use them.

use super::points::{FrontPoint, FrontPoints};
use super::rates::ScoredRows;
use crate::classify::{
    Classifier, Decision, Explanation, Link, Part, Proba, Saved, softmax_in_place,
};
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use crate::kernel::{Basis, SparseSums};
use crate::model::Model;
use crate::num::logit::logistic;
use serde::{Deserialize, Serialize};

/// Many models with a promise each. It answers by the member of one of its points, the chosen one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrontModel {
    classes: Classes,
    points: FrontPoints,
    chosen: u32,
    /// Members that are sums over shared basis functions: one for two classes, the log-odds of the
    /// positive one; else one for each class, up to a constant its log-probability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sums: Option<SparseSums>,
    /// Members of any other kind; chunks of their own in a model file.
    #[serde(skip)]
    models: Vec<Model>,
}

impl FrontModel {
    /// A front of sums. A member is one sum for two classes, the log-odds of the positive one; else
    /// one for each class, whose softmax are the probabilities.
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

    /// How many basis functions the chosen member has beside the bias; none of a front of models.
    pub fn vectors(&self) -> usize {
        self.vectors_of(self.point().member)
    }

    /// How many basis functions a member has beside the bias; none of a front of models.
    pub fn vectors_of(&self, member: usize) -> usize {
        let Some(sums) = &self.sums else { return 0 };
        self.sums_of(member).map(|(sum, _)| sums.vectors(sum)).sum()
    }

    /// The kernels of the chosen member: the number of the training row each is around, and its
    /// width.
    pub fn centres(&self) -> Vec<(u32, f64)> {
        let Some(sums) = &self.sums else { return Vec::new() };
        let terms = self.sums_of(self.point().member).flat_map(|(sum, _)| sums.terms(sum));
        let centre = |(basis, _): (Basis, f64)| match basis {
            Basis::Centre { row, width } => Some((sums.training_row(row), width)),
            _ => None,
        };
        terms.filter_map(centre).collect()
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

    /// The true and the false positive rate of every point on labelled rows; an error where there
    /// are more than two classes.
    pub fn rates_on(&self, rows: View<'_>, positive: &[bool]) -> Result<Vec<[f64; 2]>> {
        if self.classes.len() != 2 {
            return Err(Error::unsuitable(
                "points of several classes have no true and false positive rates",
                "judge one point at a time",
            ));
        }
        let n = rows.rows();
        if n == 0 {
            return Err(Error::unsuitable(
                "there are no rows to judge the points of a front on",
                "",
            ));
        }
        if positive.len() != n {
            let problem = format!("{} classes for {n} rows", positive.len());
            return Err(Error::unsuitable(problem, "say of every row whether it is positive"));
        }
        let proba: Vec<f64> = if let Some(sums) = &self.sums {
            sums.all_at(rows)?.into_iter().map(logistic).collect()
        } else {
            let mut all = Vec::new();
            for model in &self.models {
                let proba = model.proba(rows)?;
                all.extend((0..n).map(|row| proba.row(row)[self.classes.positive()]));
            }
            all
        };
        let members: Vec<ScoredRows> = proba
            .chunks_exact(n)
            .map(|scores| ScoredRows::new(positive, scores, &vec![1.0; n]))
            .collect();
        let rates = |point: FrontPoint| members[point.member].at(point.threshold.unwrap_or(0.5));
        Ok(self.points.iter().map(rates).collect())
    }

    /// The chosen point alone: a front of one member, for those who have chosen.
    pub(crate) fn only(&self) -> Self {
        let member = self.point().member;
        let sums: Vec<usize> = self.sums_of(member).map(|(sum, _)| sum).collect();
        Self {
            classes: self.classes.clone(),
            points: self.points.only(self.chosen()),
            chosen: 0,
            sums: self.sums.as_ref().map(|all| all.only(&sums)),
            models: self.models.get(member).cloned().into_iter().collect(),
        }
    }

    /// How the chosen point calls rows.
    pub(crate) fn decision(&self) -> Decision {
        let point = self.point();
        point.threshold.map_or_else(|| Decision::weighted(&point.weights), Decision::threshold)
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
        let sums = self.sums.as_ref().map(SparseSums::len);
        let members = sums.map_or(self.models.len(), |sums| sums / self.sums_each());
        if sums.is_some_and(|n| !self.models.is_empty() || n != members * self.sums_each()) {
            return Err(Error::model_file("the members of its front do not fit together"));
        }
        self.points.check(members, self.classes.len())?;
        if self.chosen() < self.points.len() {
            return Ok(());
        }
        Err(Error::model_file("the chosen point of its front is missing"))
    }

    fn point(&self) -> FrontPoint {
        self.points.get(self.chosen())
    }

    /// How many sums a member has.
    fn sums_each(&self) -> usize {
        if self.classes.len() == 2 { 1 } else { self.classes.len() }
    }

    /// The sums of a member, each with its class.
    fn sums_of(&self, member: usize) -> impl Iterator<Item = (usize, usize)> {
        let each = self.sums_each();
        let first = if each == 1 { self.classes.positive() } else { 0 };
        (0..each).map(move |at| (member * each + at, first + at))
    }
}

impl Classifier for FrontModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let member = self.point().member;
        let Some(sums) = &self.sums else { return self.models[member].proba_into(rows, out) };
        out.reset(rows.rows(), self.classes.len());
        for row in 0..rows.rows() {
            out.row_mut(row).fill(0.0);
        }
        for (sum, class) in self.sums_of(member) {
            for (row, value) in sums.at(sum, rows)?.into_iter().enumerate() {
                out.row_mut(row)[class] = value;
            }
        }
        for row in 0..rows.rows() {
            softmax_in_place(out.row_mut(row));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let (member, id) = (self.point().member, [rows.row_id(row) as u32]);
        let rows = rows.with_rows(&id);
        let Some(sums) = &self.sums else { return self.models[member].explain(rows, 0) };
        let k = self.classes.len();
        let (mut base, mut parts) = (vec![0.0; k], Vec::new());
        for (sum, class) in self.sums_of(member) {
            for (basis, adds) in sums.parts(sum, rows)? {
                let (column, because) = match basis {
                    Basis::Bias => {
                        base[class] += adds;
                        continue;
                    }
                    Basis::Column(input) => (Some(input), rows.field(input).name.clone()),
                    Basis::Centre { row, width } => {
                        let row = sums.training_row(row);
                        (None, format!("likeness to training row {row} at width {width:.3}"))
                    }
                };
                let mut of_classes = vec![0.0; k];
                of_classes[class] = adds;
                parts.push(Part { column, because, adds: of_classes });
            }
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
                size.push(("members", (sums.len() / self.sums_each()) as u64));
                size.push(("vectors", self.vectors() as u64));
            }
            None => size.push(("members", self.models.len() as u64)),
        }
        size
    }
}
