//! Softening: a hard classifier of any kind is sampled, and its samples answer together.

use crate::classify::Fitted;
use crate::data::{Encoding, Input, Task};
use crate::error::Result;
use crate::method::{Method, train};
use crate::model::Model;
use crate::run::Run;
use crate::sample::{AbcMlp, Kind, Program, Sampler, learn};
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

impl Soften {
    /// Whether a parameter of its sampler changes what is sampled; the others are not read.
    pub fn reads(&self, parameter: &str) -> bool {
        let AbcMlp { sampler, lambda, width, hidden, .. } = self.with;
        let costs = sampler == Sampler::Costs;
        let (network, program) = match &self.kind {
            HardKind::Mlp => (hidden > 0, false),
            HardKind::Linear | HardKind::Rules => (false, false),
            HardKind::Program(_) => (false, true),
        };
        match parameter {
            "hidden" => matches!(self.kind, HardKind::Mlp | HardKind::Rules),
            "chains" => costs || sampler == Sampler::Epsilon,
            "steps" => !matches!(sampler, Sampler::Smc | Sampler::Rejection),
            "epsilon" => !costs,
            "lambda" | "levels" => costs,
            // The printed priors have a width of their own; that of a program is for those it leaves.
            "width" => program || (network && sampler != Sampler::Printed),
            // Nothing of a program is cross-validated.
            "folds" => costs && !program && (lambda <= 0.0 || (network && width <= 0.0)),
            _ => true,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_are_not_read_are_known() {
        let unread = |kind: HardKind, with: AbcMlp| {
            let all =
                ["hidden", "samples", "chains", "steps", "epsilon", "lambda", "width", "levels"];
            let method = Soften { kind, with };
            let of = |name: &&&str| !method.reads(name);
            all.iter().chain(&["folds"]).filter(of).copied().collect::<Vec<_>>().join(" ")
        };
        let with = AbcMlp::default;
        assert_eq!(unread(HardKind::Mlp, with()), "epsilon");
        assert_eq!(unread(HardKind::Mlp, with().lambda(1.0).width(2.0)), "epsilon folds");
        assert_eq!(unread(HardKind::Mlp, with().hidden(0)), "epsilon width");
        assert_eq!(unread(HardKind::Linear, with()), "hidden epsilon width");
        assert_eq!(unread(HardKind::Rules, with().lambda(1.0)), "epsilon width folds");
        let printed = with().sampler(Sampler::Printed);
        assert_eq!(unread(HardKind::Mlp, printed), "chains lambda width levels folds");
        let drawn = with().sampler(Sampler::Rejection);
        assert_eq!(unread(HardKind::Mlp, drawn), "chains steps lambda levels folds");
    }
}
