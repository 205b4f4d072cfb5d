//! The basis functions that a relevance vector machine sums.
//!
//! A kernel is centred on each training row, at one width or several (multi-resolution); or each
//! input is a basis of its own. The bias is a basis like any other and may be pruned.

use crate::data::DenseRows;
use crate::num::{exp, wide};
use serde::{Deserialize, Serialize};

crate::choices! {
    /// The bases of a relevance vector machine.
    pub enum Kernel {
        /// exp(-|x - x'|^2 / width^2)
        Gaussian = "gaussian",
        /// exp(-d / width), d the sum of the distances along each input
        Laplacian = "laplacian",
        /// (1 + x.x' / width^2)^degree
        Polynomial = "polynomial",
        /// x.x'
        Linear = "linear",
        /// every input is a base of its own
        Columns = "columns",
    }
}

impl Kernel {
    /// Whether a width matters.
    pub fn has_width(self) -> bool {
        matches!(self, Self::Gaussian | Self::Laplacian | Self::Polynomial)
    }
}

/// One basis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Basis {
    /// 1 everywhere.
    Bias,
    /// An input.
    Column(usize),
    /// The kernel around a training row.
    Centre {
        /// The row's position in the training rows.
        row: usize,
        /// The width.
        width: f64,
    },
}

/// Writes the kernel between the rows `from` and on and a centre.
pub(super) fn kernel_into(
    kernel: Kernel,
    degree: usize,
    points: &DenseRows<'_>,
    from: usize,
    centre: &[f64],
    width: f64,
    out: &mut [f64],
) {
    wide(
        #[inline(always)]
        || {
            out.fill(0.0);
            for (input, at) in centre.iter().enumerate() {
                let column = &points.columns[input][from..from + out.len()];
                match kernel {
                    Kernel::Gaussian => {
                        for (sum, x) in out.iter_mut().zip(column) {
                            *sum += (x - at) * (x - at);
                        }
                    }
                    Kernel::Laplacian => {
                        for (sum, x) in out.iter_mut().zip(column) {
                            *sum += (x - at).abs();
                        }
                    }
                    _ => {
                        for (sum, x) in out.iter_mut().zip(column) {
                            *sum += x * at;
                        }
                    }
                }
            }
            finish(kernel, degree, width, out);
        },
    );
}

/// The kernel between each row and itself.
pub(super) fn kernel_diagonal(
    kernel: Kernel,
    degree: usize,
    points: &DenseRows<'_>,
    width: f64,
) -> Vec<f64> {
    let mut own = vec![0.0; points.rows];
    if !matches!(kernel, Kernel::Gaussian | Kernel::Laplacian) {
        for column in &points.columns {
            own.iter_mut().zip(column.iter()).for_each(|(sum, x)| *sum += x * x);
        }
    }
    finish(kernel, degree, width, &mut own);
    own
}

/// Turns squared distances, distances or inner products into the kernel.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn finish(kernel: Kernel, degree: usize, width: f64, out: &mut [f64]) {
    match kernel {
        Kernel::Gaussian => {
            let gamma = 1.0 / (width * width);
            for value in out {
                *value = exp(-*value * gamma);
            }
        }
        Kernel::Laplacian => {
            let gamma = 1.0 / width;
            for value in out {
                *value = exp(-*value * gamma);
            }
        }
        Kernel::Polynomial => {
            let gamma = 1.0 / (width * width);
            for value in out {
                *value = (1.0 + *value * gamma).powi(i32::try_from(degree).unwrap_or(i32::MAX));
            }
        }
        Kernel::Linear | Kernel::Columns => {}
    }
}
