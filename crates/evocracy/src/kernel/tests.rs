//! Tests of the relevance vector machines.
