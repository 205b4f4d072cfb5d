//! Tests of committees of averaged trees, from the inside.
