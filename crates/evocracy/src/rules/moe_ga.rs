//! `moe-ga`: a mixture of rules whose members a genetic algorithm finds.

use super::joint::{MoeJoint, MoeJointModel};
use super::mixture::{self, MixtureModel, mixture_params};
use crate::classify::{
    Classifier, Diagnostics, Explanation, Fitted, Learner, Proba, Rulebook, Saved,
};
use crate::data::{Classes, Input, Schema, Task, View};
use crate::error::Result;
use crate::param::{Params, refuse};
use crate::run::Run;
use serde::{Deserialize, Serialize};

crate::choices! {
    /// What a mixture of rules makes probable.
    pub enum Likelihood {
        /// the class of a row, given the row
        Conditional = "conditional",
        /// the row and its class together, as in the paper: `moe-joint` with its defaults, and no
        /// other parameter here
        Joint = "joint",
    }
}

mixture_params! {
    /// A mixture of rules that evolve (MOE-GA): if tests hold, then these class probabilities.
    pub struct MoeGa as "moe-ga" {
        /// what the rules are to make probable
        likelihood: Likelihood = Likelihood::Conditional, Likelihood::CHOICES;
    } {
        /// how many rows of each class are added to what a rule has seen (Dirichlet prior)
        alpha: f64 = 0.1, 1e-6..=1e6;
        /// how far classes are given equal weight, from 0 (not at all) to 1
        balance: f64 = 0.0, 0.0..=1.0;
    }
}

/// What `moe-ga` has learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum MoeGaModel {
    /// By conditional likelihood.
    Conditional(MixtureModel),
    /// By joint likelihood.
    Joint(MoeJointModel),
}

/// The same of the model inside, whichever it is.
macro_rules! inner {
    ($of:expr, $model:ident => $what:expr) => {
        match $of {
            MoeGaModel::Conditional($model) => $what,
            MoeGaModel::Joint($model) => $what,
        }
    };
}

impl Learner for MoeGa {
    type Model = MoeGaModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MoeGaModel>> {
        match self.likelihood {
            Likelihood::Conditional => {
                let Fitted { model, stop } =
                    mixture::fit_classes(task, self.alpha, self.balance, self.settings(), run)?;
                Ok(Fitted { model: MoeGaModel::Conditional(model), stop })
            }
            Likelihood::Joint => {
                self.plain()?;
                let Fitted { model, stop } = MoeJoint::default().fit(task, run)?;
                Ok(Fitted { model: MoeGaModel::Joint(model), stop })
            }
        }
    }
}

impl MoeGa {
    /// Refuses parameters that the joint likelihood would not heed.
    fn plain(&self) -> Result<()> {
        let plain = Self::default().likelihood(Likelihood::Joint).values();
        match self.values().into_iter().zip(plain).find(|(value, plain)| value != plain) {
            None => Ok(()),
            Some(((name, got), (_, default))) => {
                let why = "with likelihood=joint (moe-joint has parameters of its own)";
                Err(refuse(Self::NAME, name, format!("left at {default} {why}"), got))
            }
        }
    }
}

impl Classifier for MoeGaModel {
    fn classes(&self) -> &Classes {
        inner!(self, model => model.classes())
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        inner!(self, model => model.proba_into(rows, out))
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        inner!(self, model => model.explain(rows, row))
    }
}

impl Saved for MoeGaModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        inner!(self, model => model.check(inputs))
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        inner!(self, model => model.size())
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        inner!(self, model => model.diagnostics(inputs))
    }

    fn rules(&self, inputs: &Schema) -> Option<Rulebook> {
        inner!(self, model => model.rules(inputs))
    }
}
