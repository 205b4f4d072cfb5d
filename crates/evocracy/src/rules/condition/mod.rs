//! Conditions of rules as sets of literals, matched for a whole population word by word.
//!
//! A literal says that an attribute has a certain value: a bit has two of them, a nominal column
//! one for each level, a number one for each interval between its cuts. A row is the set of its
//! literals; a missing value has none. A condition is the set of literals that it *forbids*, so
//! a row matches where the two sets have nothing in common: one `and` for 64 literals, and
//! missing values match. For a string of bits this is the ternary condition: both literals
//! allowed is `#`, one forbidden is 0 or 1 (the usual pair of care and value bits, side by side).
//!
//! A condition is more general than another where it forbids a subset.
//!
//! | file | job |
//! |---|---|
//! | `layout` | which literals an attribute has; conditions as tests a person reads |
//! | `rows` | rows as sets of literals, row after row or literal after literal |
//! | `masks` | a population of conditions, word after word, and its match set |
//! | `edit` | changing one attribute of a condition so that it still matches a row |

mod edit;
mod layout;
mod masks;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use edit::{cross_two_point, cross_uniform, forget, mutate, narrow_to};
pub(crate) use layout::Layout;
pub(crate) use masks::{Masks, contains};
pub(crate) use rows::{Covered, LiteralRows, Transposed};
