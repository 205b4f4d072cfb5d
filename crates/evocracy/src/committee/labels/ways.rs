//! All ways to combine, by name.

use super::conditional;
use super::counted;
use super::grouping;
use super::law::Law;
use super::loglinear::{self, Shape, no_parents};
use super::network::{self, Names, Structure};
use super::rows::Rows;
use crate::error::{Error, Result};
use crate::run::Run;

/// A way to combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Vote,
    Weighted,
    Naive,
    DawidSkene,
    Loglinear,
    Stack,
    Conditional,
    Hidden,
    Network(Structure),
    /// Several of these at once, which `auto` makes of what it tried.
    Blend,
}

impl Way {
    /// The ways that `auto` chooses from, simple ones first: they win ties.
    pub const CHOICES: [Self; 7] = [
        Self::Naive,
        Self::Weighted,
        Self::Loglinear,
        Self::Stack,
        Self::Network(Structure::Evolved),
        Self::Hidden,
        Self::Conditional,
    ];

    /// Whether it is one pass over the rows, which a stop does not cut short.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Vote | Self::Weighted | Self::Naive)
    }

    /// Whether it finds out what depends on what.
    pub fn has_graph(self) -> bool {
        matches!(self, Self::Conditional | Self::Network(_))
    }

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vote => "labels-vote",
            Self::Weighted => "labels-weighted",
            Self::Naive => "labels-naive",
            Self::DawidSkene => "labels-ds",
            Self::Loglinear => "labels-loglinear",
            Self::Stack => "labels-stack",
            Self::Conditional => "labels-conditional",
            Self::Hidden => "labels-hidden",
            Self::Network(Structure::K2 { .. }) => "labels-k2",
            Self::Network(Structure::Climb) => "labels-hc",
            Self::Network(Structure::Tan) => "labels-tan",
            Self::Network(Structure::Evolved) => "evobn",
            Self::Blend => "blend",
        }
    }

    /// Learns from rows.
    pub fn fit(self, names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Law> {
        let experts = names.experts;
        let sum = |weighted: bool| {
            let shape = Shape { parents: &no_parents(rows), weighted, smoothing };
            loglinear::fit(experts, rows, shape, run).map(Law::Factors)
        };
        match self {
            Self::Vote => Ok(counted::vote(rows)),
            Self::Weighted => Ok(counted::weighted(experts, rows)),
            Self::Naive => Ok(counted::naive(rows, smoothing)),
            Self::DawidSkene => Ok(counted::dawid_skene(experts, rows, smoothing, run.stop)),
            Self::Loglinear => sum(true),
            Self::Stack => sum(false),
            Self::Conditional => conditional::fit(experts, rows, smoothing, run),
            Self::Hidden => grouping::fit(names, rows, smoothing, run),
            Self::Network(structure) => {
                network::fit(names, rows, structure, smoothing, run).map(Law::Network)
            }
            Self::Blend => Err(Error::unsuitable("a blend is made of ways that were tried", "")),
        }
    }
}
