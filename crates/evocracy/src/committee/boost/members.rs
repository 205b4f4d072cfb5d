//! AdaBoost over any method: `adaboost:MEMBER`.

use super::rounds::{Boost, WeakLearner};
use super::{AdaBoost, Probability};
use crate::classify::{Fitted, Margins, Weighting};
use crate::committee::assembly::{Assembly, Ensemble, train_member};
use crate::committee::{Combine, CommitteeModel};
use crate::error::Result;
use crate::experts::Stump;
use crate::method::{Members, Method};
use crate::model::Model;
use crate::run::{Run, Seed};
use std::any::Any;

impl Ensemble for AdaBoost {
    const MEMBERS: Members = Members::own_or_one("stump");

    fn is_fast(member: &dyn Method) -> bool {
        member.learner().is_some_and(<dyn Any>::is::<Stump>)
    }

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let rows = &assembly.rows;
        // A method that does not heed weights is given rows drawn by them.
        let by = if assembly.member().takes_weights() { self.by } else { Weighting::Resampling };
        let run = &assembly.run.task("rounds", self.rounds as u64);
        let boost = Boost { rounds: self.rounds, by, form: self.form, classes: rows.classes.len() };
        let mut weak = AnyMethod { assembly, run };
        let boosted = boost.run(&mut weak, &rows.labels, &rows.weights, run)?;
        let stop = boosted.stop();
        let mut diagnostics = assembly.diagnostics(&[])?;
        diagnostics.weights_reach_members_by = Some(by);
        diagnostics.rounds = Some(boosted.rounds);
        diagnostics.ended = Some(boosted.ended);
        diagnostics.margins = Some(Margins::new(&boosted.margins, &rows.weights)?);
        let all: f64 = boosted.votes.iter().sum();
        let combine = match self.probability {
            Probability::Share => Combine::Vote(boosted.votes.iter().map(|v| v / all).collect()),
            Probability::Odds => Combine::Odds(boosted.votes),
        };
        assembly.committee(Fitted { model: boosted.members, stop }, combine, diagnostics)
    }
}

/// Any method as a weak learner.
struct AnyMethod<'a> {
    assembly: &'a Assembly<'a>,
    run: &'a Run<'a>,
}

impl WeakLearner for AnyMethod<'_> {
    type Expert = Model;

    fn learn(&mut self, weights: &[f64], called: &mut [u32], seed: Seed) -> Result<Model> {
        let (rows, method) = (&self.assembly.rows, self.assembly.member());
        let run = Run { seed, ..self.run.clone() };
        let with = |weights| rows.task_with(&rows.labels, &rows.classes, weights);
        let fitted = if method.takes_weights() {
            train_member(method, &with(weights)?, &run)?
        } else {
            // The weights are how often each row was drawn.
            let times = |row: usize| std::iter::repeat_n(row as u32, weights[row] as usize);
            let drawn: Vec<u32> = (0..weights.len()).flat_map(times).collect();
            // The draw has counted each row's own weight already.
            let ones = vec![1.0; weights.len()];
            train_member(method, &with(&ones)?.with_rows(&drawn), &run)?
        };
        called.copy_from_slice(&fitted.model.proba(rows.features())?.calls());
        Ok(fitted.model)
    }
}
