//! Hard classifiers that are programs of their own.
//!
//! A [`Command`] is started once for each worker and answers in JSON, a line for a line:
//!
//! ```text
//! -> {"columns":["x","y"],"rows":[[0.5,"red"],[null,"blue"]]}
//! <- {"rows":2,"parameters":3}
//! -> {"parameters":[0.1,-2.5,3.0]}
//! <- {"labels":"01"}
//! ```
//!
//! A table may come again at any time; what follows is answered for its rows. A missing cell is
//! `null`, a number a number, any other cell text. `labels` is a text of `0` and `1`, or a list of
//! the numbers 0 and 1, a label for every row. The answer to a table may say which prior its
//! parameters have: `"priors":[{"normal":{"mean":0,"sd":2}},{"uniform":{"low":0,"high":1}},null]`;
//! `null` leaves it to the sampler. A program that answers `{"error":"..."}` is quoted.
//!
//! A program that ends or does not answer in time is ended, with all that it started, and started again:
//! once for a request, and a few times in a row. What it writes to standard error is quoted when it fails. Programs must depend on nothing
//! but the table and the parameters: which process answers a request is a matter of chance.

mod line;
mod process;

pub use process::Command;
