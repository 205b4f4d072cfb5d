//! Tests of boosting, from the inside.
