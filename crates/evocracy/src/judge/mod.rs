//! Judging: which rows, what was said of them, and what that is worth, as values.
//!
//! A [`Protocol`] says which rows a method learns from and which it is judged on; [`out_of_sample`]
//! runs any method under it and keeps what it said of every judged row; [`Judged`] turns that into
//! [`Figures`]; a [`Report`] puts them together with the data, the model and the [`Remark`]s.
//! [`RocReport`] does so for scores that were made elsewhere.
//!
//! Nothing here learns from a judged row.

mod calls;
mod deciding;
mod judged;
mod judging;
mod operating;
mod protocol;
pub mod remark;
mod report;
mod roc;
mod shuffled;
mod trial;

pub use calls::{Baseline, Calls, CallsCost, CallsOfClass};
pub use deciding::{Deciding, Wanted};
pub use judged::{Figures, Judged, Place, Said, SaidClasses, Scores};
pub use judging::{Judging, target_field};
pub use operating::{Capped, FALSE_ALARMS, OperatingPoint, PER, operating_points};
pub use protocol::{Protocol, Splits};
pub use remark::{Noticed, Remark, Severity};
pub use report::{Data, Learnt, Report};
pub use roc::{CurveStep, Grouped, Pair, Question, RocReport, ScoreFigures, ScoreTable};
pub use shuffled::{ColumnLoss, Does, Loss, Needs, Shuffling};
pub use trial::{Trial, out_of_sample, train};
pub(crate) use trial::{identity, only_class};
