//! Dominance where objectives are known only from samples.
//!
//! J. E. Fieldsend, R. M. Everson, "Multi-objective Optimisation in the Presence of Uncertainty",
//! 2005; E. J. Hughes, "Evolutionary Multi-objective Ranking with Uncertainty and Noise", 2001.
//! Each point comes as a sample of repeated measurements or of bootstrap replicates.
