//! A method with the encoding that a person asked for.

use super::Method;
use crate::classify::{Fitted, Predicts};
use crate::data::{Encoding, Task};
use crate::error::Result;
use crate::model::Model;
use crate::run::Run;

pub(super) struct WithEncoding {
    pub method: Box<dyn Method>,
    pub encoding: Encoding,
}

impl Method for WithEncoding {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn predicts(&self) -> Predicts {
        self.method.predicts()
    }

    fn takes_weights(&self) -> bool {
        self.method.takes_weights()
    }

    fn train_encoded(&self, _: Encoding, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        self.method.train_encoded(self.encoding, task, run)
    }
}
