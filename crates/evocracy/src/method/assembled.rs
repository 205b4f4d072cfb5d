//! A committee with its members chosen: a method like any other.

use super::{Method, train};
use crate::classify::Fitted;
use crate::committee::{Assembly, Ensemble};
use crate::data::{Encoding, Input, Task};
use crate::error::Result;
use crate::model::{Core, Model};
use crate::run::Run;

pub(super) struct Assembled<C> {
    pub name: String,
    pub ensemble: C,
    pub members: Vec<Box<dyn Method>>,
}

impl<C: Ensemble> Method for Assembled<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let fit = |task: &Task<'_>| {
            let fitted = self.ensemble.assemble(&Assembly::new(&self.members, task, run)?)?;
            Ok(Fitted { model: Core::from(fitted.model), stop: fitted.stop })
        };
        // Members encode for themselves.
        train(&self.name, &self.ensemble, (encoding, Input::Mixed), task, run, fit)
    }
}
