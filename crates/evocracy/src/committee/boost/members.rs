//! AdaBoost over any method: `adaboost:MEMBER`.

use super::rounds::{Boost, Weak};
use super::{AdaBoost, Probability};
use crate::classify::{Fitted, Margins, Weighting};
use crate::committee::Combine;
use crate::committee::council::{Council, Ground, blame};
use crate::committee::model::CommitteeModel;
use crate::committee::notes;
use crate::data::Task;
use crate::error::Result;
use crate::method::{Members, Method};
use crate::model::Model;
use crate::run::{Run, Seed};

impl Council for AdaBoost {
    const MEMBERS: Members = Members::own_or_one("stump");

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let ground = Ground::new(task)?;
        let method = members[0].as_ref();
        // A method that does not heed weights is given rows drawn by them.
        let by = if method.takes_weights() { self.by } else { Weighting::Resampling };
        let run = &run.task("rounds", self.rounds as u64);
        let mut weak = AnyMethod { method, ground: &ground, run };
        let boost =
            Boost { rounds: self.rounds, by, form: self.form, classes: ground.classes.len() };
        let boosted = boost.run(&mut weak, &ground.labels, &ground.weights, run)?;
        let stop = boosted.stop();
        let mut notes = notes::start(members, &ground);
        notes.weights_reach_members_by = Some(by);
        notes.rounds = Some(boosted.rounds);
        notes.ended = Some(boosted.ended);
        notes.margins = Some(Margins::new(&boosted.margins, &ground.weights)?);
        let all: f64 = boosted.votes.iter().sum();
        let combine = match self.probability {
            Probability::Share => Combine::Vote(boosted.votes.iter().map(|v| v / all).collect()),
            Probability::Odds => Combine::Odds(boosted.votes),
        };
        let model = CommitteeModel::new(ground.classes.clone(), boosted.members, combine, notes)?;
        Ok(Fitted { model, stop })
    }
}

/// A method as something that learns from weighted rows.
struct AnyMethod<'a> {
    method: &'a dyn Method,
    ground: &'a Ground,
    run: &'a Run<'a>,
}

impl Weak for AnyMethod<'_> {
    type Member = Model;

    fn learn(&mut self, weights: &[f64], called: &mut [u32], seed: Seed) -> Result<Model> {
        let ground = self.ground;
        let run = Run { seed, ..self.run.clone() };
        let with = |weights| ground.task_with(&ground.labels, &ground.classes, weights);
        let fitted = if self.method.takes_weights() {
            self.method.train(&with(weights)?, &run)
        } else {
            // The weights are how often each row was drawn.
            let times = |row: usize| std::iter::repeat_n(row as u32, weights[row] as usize);
            let drawn: Vec<u32> = (0..weights.len()).flat_map(times).collect();
            // A row's own weight has had its say in the draw.
            let ones = vec![1.0; weights.len()];
            self.method.train(&with(&ones)?.with_rows(&drawn), &run)
        };
        let model = fitted.map_err(|e| blame(self.method.name(), e))?.model;
        let proba = model.proba(ground.features())?;
        called.iter_mut().enumerate().for_each(|(row, call)| *call = proba.best(row) as u32);
        Ok(model)
    }
}
