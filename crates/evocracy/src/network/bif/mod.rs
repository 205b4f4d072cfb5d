//! Networks as BIF files, the interchange format for Bayesian networks (version 0.15, 1998) as
//! other programs write it, and as DOT for drawing programs.
//!
//! Files come from strangers: every error names line and column, nothing is recursive, and tables
//! are bounded before memory is taken for them.

mod lex;
mod read;
mod write;

pub use read::read_bif;
