//! Logistic fits of chosen genes with a ridge penalty.

use super::Half;
use crate::error::{Error, Result};
use crate::kernel::irls::{Irls, LogisticRows};
use crate::num::matrix::add_lower_outer;
use crate::num::symmetric::Eigen;
use crate::num::{add_scaled, dot};
use crate::run::Run;
use crate::select::SparseClassifier;

/// The precision of cofactors and the bias: next to none.
const FREE: f64 = 1e-6;
/// Columns that are multiplied at a time, after which the stop flag is looked at.
const BLOCK: usize = 64;

impl Half<'_> {
    /// A ridge-penalised logistic fit of some genes (places in [`Half::genes`]), with all forced
    /// cofactors.
    pub fn refit(&self, places: &[usize], penalty: f64, run: &Run<'_>) -> Result<SparseClassifier> {
        let penalty = penalty.max(FREE);
        let many = places.len() > self.rows();
        let (first, weights) = if many {
            self.fit_many(places, penalty, run)?
        } else {
            self.fit_columns(places.iter().map(|&at| self.column(at)), penalty, run)?
        };
        Ok(SparseClassifier {
            genes: places.iter().map(|&at| self.genes[at]).collect(),
            weights,
            bias: first[0],
            cofactors: first[1..].to_vec(),
        })
    }

    /// The weights of bias and cofactors, and those of the columns.
    fn fit_columns<'b>(
        &self,
        columns: impl ExactSizeIterator<Item = &'b [f64]>,
        penalty: f64,
        run: &Run<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let free = 1 + self.preparation.force.len();
        let count = free + columns.len();
        run.reserve(&format!("a fit of {count} columns"), &[2, count, count])?;
        let mut design = vec![1.0; self.rows()];
        self.forced().for_each(|column| design.extend_from_slice(column));
        columns.for_each(|column| design.extend_from_slice(column));
        let mut alphas = vec![FREE; free];
        alphas.resize(count, penalty);
        let rows = LogisticRows { targets: &self.targets, weights: None, offsets: None };
        let mut irls = Irls::default();
        irls.fit_until(&design, &rows, &alphas, None, run.stop)?;
        // Weights before the mode depend on when the stop was.
        run.stop.check()?;
        let own = irls.weights.split_off(free);
        Ok((irls.weights, own))
    }

    /// The same fit of more columns than rows. The best weights of columns `X` lie in what its rows
    /// span: with `X X' = V S^2 V'` they are `w = X' V S^-1 z` for the weights `z` of as many columns
    /// `V S` as there are rows, and both are as long.
    fn fit_many(
        &self,
        places: &[usize],
        penalty: f64,
        run: &Run<'_>,
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        let n = self.rows();
        run.reserve(&format!("four matrices of {n} samples"), &[4, n, n])?;
        let mut products = vec![0.0; n * n];
        let mut block = Vec::new();
        for some in places.chunks(BLOCK) {
            run.stop.check()?;
            block.clear();
            for &at in some {
                block.extend_from_slice(self.column(at));
            }
            add_lower_outer(&mut products, n, &block);
        }
        let found = Eigen::until(&products, n, run.stop)?;
        let Eigen { values, vectors } = found.ok_or_else(|| {
            Error::unsuitable("the products of the samples are not finite", "scale the columns")
        })?;
        // Smaller ones are rounding of 0: columns have the mean 0, so that there is always one.
        let largest = values.iter().copied().fold(0.0, f64::max);
        let least = n as f64 * f64::EPSILON * largest;
        let sizes: Vec<f64> =
            values.iter().map(|&v| if v > least { v.sqrt() } else { 0.0 }).collect();
        let each = || vectors.chunks_exact(n).zip(&sizes).filter(|(_, size)| **size > 0.0);
        let mut scaled = Vec::new();
        each().for_each(|(vector, size)| scaled.extend(vector.iter().map(|v| v * size)));
        let (first, turned) = self.fit_columns(scaled.chunks_exact(n), penalty, run)?;
        let mut dual = vec![0.0; n];
        for ((vector, size), z) in each().zip(&turned) {
            add_scaled(&mut dual, z / size, vector);
        }
        Ok((first, places.iter().map(|&at| dot(self.column(at), &dual)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::run::{Pool, Stop};
    use crate::select::{Preparation, Samples};

    fn samples(genes: usize) -> Samples {
        let spec = format!("gen:genes:rows=40:genes={genes}:informative=3:masked=2:shift=1");
        Samples::new(&Catalogue::embedded().open(&spec, &Load::default()).unwrap()).unwrap()
    }

    /// More columns than rows have the weights that all columns at once would have.
    #[test]
    fn many_columns_have_the_weights_of_the_direct_fit() {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let samples = samples(150);
        let rows: Vec<u32> = (0..40).collect();
        for force in [Vec::new(), vec![5, 9]] {
            let preparation = Preparation { force, ..Preparation::default() };
            let half = Half::new(
                &samples,
                samples.positive(),
                (&rows[..20], &rows[20..]),
                &preparation,
                &[],
            );
            for (count, penalty) in
                [(21, 1.0_f64), (100, 0.01), (140, 1.0), (140, 30.0), (140, 0.0)]
            {
                // The last place first, and one column twice.
                let mut places: Vec<usize> = (0..count).rev().collect();
                places[1] = places[0];
                let columns = places.iter().map(|&at| half.column(at));
                let (first, direct) = half.fit_columns(columns, penalty.max(FREE), &run).unwrap();
                let found = half.refit(&places, penalty, &run).unwrap();
                let pairs = found.weights.iter().zip(&direct);
                let free = found.cofactors.iter().zip(&first[1..]);
                assert_eq!(found.weights.len(), direct.len());
                for (own, other) in pairs.chain(free).chain([(&found.bias, &first[0])]) {
                    let near = (own - other).abs() <= 1e-8 * (1.0 + other.abs());
                    assert!(near, "{count} columns, penalty {penalty}: {own}, not {other}");
                }
            }
        }
    }

    /// Matrices are as large as there are rows, not columns.
    #[test]
    fn memory_and_stops_are_looked_at() {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let (samples, preparation) = (samples(2000), Preparation::default());
        let rows: Vec<u32> = (0..40).collect();
        let half =
            Half::new(&samples, samples.positive(), (&rows[..20], &rows[20..]), &preparation, &[]);
        let fit = |places: usize, memory: u64| {
            let run = Run { memory, ..Run::new(1, &stop, &pool) };
            half.refit(&(0..places).collect::<Vec<usize>>(), 1.0, &run)
        };
        assert!(fit(2000, 4 * 20 * 20 * 8).is_ok());
        let said = fit(2000, 4 * 20 * 20 * 8 - 1).unwrap_err().to_string();
        assert!(said.contains("four matrices of 20 samples would need"), "{said}");
        let said = fit(9, 2 * 10 * 10 * 8 - 1).unwrap_err().to_string();
        assert!(said.contains("a fit of 10 columns would need"), "{said}");
        stop.request();
        for places in [9, 2000] {
            assert!(matches!(fit(places, u64::MAX), Err(Error::Stopped)), "{places} columns");
        }
    }
}
