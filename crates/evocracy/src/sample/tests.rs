//! Tests of samplers.
