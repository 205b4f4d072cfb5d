//! Softening: a hard classifier of any kind is sampled, and its samples answer together.

use crate::classify::Fitted;
use crate::data::{Encoding, Input, Task};
use crate::error::Result;
use crate::method::{Method, train};
use crate::model::Model;
use crate::run::Run;
use crate::sample::{AbcMlp, Kind, Program, learn};
use std::sync::Arc;

/// Which hard classifier is softened.
#[derive(Debug, Clone)]
pub enum HardKind {
    /// A network with one hidden layer.
    Mlp,
    /// A linear classifier.
    Linear,
    /// A vote of threshold rules.
    Rules,
    /// A program, which sees the columns as they are unless an encoding is asked for.
    Program(Arc<dyn Program>),
}

/// A hard classifier with the options of its sampler.
#[derive(Debug, Clone)]
pub struct Soften {
    /// The classifier.
    pub kind: HardKind,
    /// The options; `hidden` are the units of the network, or the rules.
    pub with: AbcMlp,
}

impl Method for Soften {
    fn name(&self) -> &'static str {
        "soften"
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let input = match &self.kind {
            HardKind::Program(_) => Input::Mixed,
            _ => Input::Dense,
        };
        let fit = |task: &Task<'_>| {
            let kind = match &self.kind {
                HardKind::Mlp => Kind::Mlp(self.with.hidden),
                HardKind::Linear => Kind::Mlp(0),
                HardKind::Rules => Kind::Rules(self.with.hidden.max(1)),
                HardKind::Program(program) => Kind::Program(program.as_ref()),
            };
            let fitted = learn(kind, &self.with.sampling(), task, run)?;
            let model = match &self.kind {
                HardKind::Program(program) => fitted.model.with_program(Arc::clone(program)),
                _ => fitted.model,
            };
            Ok(Fitted { model: model.into(), stop: fitted.stop })
        };
        train(self.name(), &self.with, (encoding, input), task, run, fit)
    }
}
