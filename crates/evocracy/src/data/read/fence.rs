//! A fence around decoders.
//!
//! Crates that decode may panic on damaged files: they index and slice by numbers that stand in the
//! file. A damaged file must be an error and not the end of the program. A library installs no
//! panic hook, and the one of the shell would still print; it can ask [`catching`] whether to stay
//! silent.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call whose panics are caught and become errors.
pub(super) fn catching() -> bool {
    CATCHING.get()
}

/// What a call into a decoder gives; `None` where it panics. What the call has changed must not be
/// used then.
pub(super) fn fenced<T>(call: impl FnOnce() -> T) -> Option<T> {
    let before = CATCHING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    CATCHING.set(before);
    result.ok()
}
