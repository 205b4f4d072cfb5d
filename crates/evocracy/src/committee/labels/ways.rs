//! All ways to combine, by name.

use super::conditional;
use super::counted;
use super::descent::Descent;
use super::grouping;
use super::law::Law;
use super::loglinear::{self, CHOOSING_ROWS, Shape, no_parents};
use super::network::{self, Names, Structure};
use super::rows::Rows;
use super::terms::linked_numbers;
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

    /// About how many numbers a fit keeps, and how many it needs beside them while it is made.
    fn numbers(self, rows: &Rows) -> [usize; 2] {
        let (k, experts) = (rows.classes, rows.experts());
        let table = rows.states.iter().sum::<usize>().saturating_mul(k);
        let descended = || Descent::numbers(table.saturating_add(k + experts));
        match self {
            Self::Vote | Self::Blend => [k, 0],
            Self::Weighted | Self::Naive => [table, table.saturating_mul(2)],
            Self::DawidSkene => [table, rows.len().saturating_mul(k).saturating_add(table)],
            Self::Loglinear | Self::Stack => {
                [table, table.saturating_mul(2).saturating_add(descended())]
            }
            Self::Conditional => {
                let linked = linked_numbers(rows);
                // How often experts agree is counted by pairs of classes.
                let shares = experts.saturating_mul(k.saturating_mul(k));
                let beside = linked.saturating_mul(2).saturating_add(shares);
                [linked, beside.saturating_add(descended())]
            }
            Self::Hidden => {
                let kept = table.saturating_add(experts.saturating_mul(k.saturating_mul(k)));
                [kept, kept]
            }
            // At least the class is a parent of its experts.
            Self::Network(_) => [table, table],
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

/// The ways that there is memory for, the first ones first, when each is fitted on so many folds and
/// to all rows; and the others with the reason. What is needed while a fit is made is counted once,
/// so that what is left out does not depend on the number of threads.
pub(super) fn affordable(
    ways: &[Way],
    rows: &Rows,
    (folds, blend): (usize, bool),
    run: &Run<'_>,
) -> (Vec<Way>, Vec<(Way, Error)>) {
    let said = if folds == 0 { 0 } else { rows.len().min(CHOOSING_ROWS) };
    // A blend of each fold has laws of its own.
    let fits = if blend { 2 * folds + 1 } else { folds + 1 };
    // The report keeps the confusion of each expert, whatever the way.
    let table = rows.states.iter().sum::<usize>().saturating_mul(rows.classes);
    let (mut kept, mut left_out, mut total) = (Vec::new(), Vec::new(), table);
    for &way in ways {
        let [own, beside] = way.numbers(rows);
        let own = own.saturating_mul(fits).saturating_add(said.saturating_mul(rows.classes));
        let all = total.saturating_add(own);
        let others = if total > table { ", with the ways before it," } else { "" };
        let what = format!("to combine by `{}`{others}", way.name());
        match run.reserve(&what, &[all.saturating_add(beside)]) {
            Ok(()) => {
                kept.push(way);
                total = all;
            }
            Err(error) => left_out.push((way, error)),
        }
    }
    (kept, left_out)
}
