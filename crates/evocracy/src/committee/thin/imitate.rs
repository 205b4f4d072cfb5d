//! The rows that `simplex` imitates the chain on: those it was sampled on, and more around them.

use super::{ChainRows, simplex};
use crate::data::{Column, DenseRows, Field, Schema, Table, View};
use crate::error::Result;
use crate::evolve::{below, gauss, rng};
use crate::run::Run;
use crate::sample::{Caller, SampledPart};

/// The most members of `simplex`.
const MEMBERS: usize = 60;

/// Rows drawn around the training rows, and calls of classifiers at them, at most.
const DRAWN: usize = 48_000;
const CALLS: usize = 1 << 27;

impl ChainRows<'_> {
    /// Few samples whose weighted calls are nearest to those of all.
    pub(super) fn simplex(&self, run: &Run<'_>) -> Result<SampledPart> {
        let part = self.part();
        let drawn = self.drawn(run)?;
        let mut views = vec![self.rows];
        views.extend(drawn.as_ref().map(Table::view));
        // The rows of all views side by side, sample after sample.
        let n: usize = views.iter().map(View::rows).sum();
        run.reserve(
            &format!("the calls of {} classifiers on {n} rows", part.len()),
            &[2, part.len() + 1, n.div_ceil(8)],
        )?;
        // The last column is a constant, which always says yes.
        let mut columns = vec![1_u8; (part.len() + 1) * n];
        let mut from = 0;
        for view in views {
            let calls = self.calls(view, run)?;
            let own = calls.chunks_exact(view.rows().max(1));
            for (column, calls) in columns.chunks_exact_mut(n).zip(own) {
                column[from..from + calls.len()].copy_from_slice(calls);
            }
            from += view.rows();
        }
        let mut all = part.weights.clone();
        all.push(0.0);
        let mut weights = simplex::weights(&columns, n, &all, MEMBERS + 1, run)?;
        let constant = weights.pop().unwrap_or(0.0);
        if constant > 0.0 {
            return Ok(part.weighted(part.base + constant, &weights));
        }
        // Without it there may be one classifier too many.
        let weights = simplex::weights(&columns, n, &part.weights, MEMBERS, run)?;
        Ok(part.weighted(part.base, &weights))
    }

    /// Rows around the training rows: each a training row and Gaussian noise. None for programs,
    /// whose rows are not numbers alone.
    fn drawn(&self, run: &Run<'_>) -> Result<Option<Table>> {
        let Caller::Units(units) = self.chain.caller() else { return Ok(None) };
        let count = DRAWN.min((CALLS / self.part().len().max(1)).saturating_sub(self.rows.rows()));
        if count == 0 {
            return Ok(None);
        }
        let dense = DenseRows::of_model(self.rows, units.inputs, 1e100)?;
        let (n, m) = (dense.rows as f64, units.inputs as f64);
        let width = (4.0 / ((m + 2.0) * n)).powf(1.0 / (m + 4.0));
        let moments = |column: &[f64]| {
            let mean = column.iter().sum::<f64>() / n;
            (mean, (column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
        };
        let moments: Vec<(f64, f64)> = dense.columns.iter().map(|column| moments(column)).collect();
        // Noise alone would make the rows drawn wider than those there will be.
        let shrink = (1.0 + width * width).sqrt().recip();
        let mut rng = rng(run.seed.child("rows", 0));
        let mut columns = vec![Vec::with_capacity(count); units.inputs];
        for _ in 0..count {
            let row = below(dense.rows, &mut rng);
            for (at, column) in columns.iter_mut().enumerate() {
                let (mean, spread) = moments[at];
                let off = dense.columns[at][row] - mean + width * spread * gauss(&mut rng);
                column.push(mean + shrink * off);
            }
        }
        let fields = (0..self.rows.columns()).map(|at| Field::number(&self.rows.field(at).name));
        let schema = Schema { fields: fields.collect() };
        Table::new(schema, columns.into_iter().map(Column::Number).collect()).map(Some)
    }
}
