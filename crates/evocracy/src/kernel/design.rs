//! The design matrix: the value of every basis at every training row, column after column.
//!
//! It is stored, computed whenever it is read, or given by the caller. A search reads all of it
//! seldom, a block of columns at a time, and keeps copies of the few columns that matter.

use super::bases::{Basis, Kernel, kernel_into};
use super::training::stratified_sample;
use super::tuning::{ClassTuning, NumericLimits};
use crate::data::DenseRows;
use crate::error::{Error, Result};
use crate::num::matrix::{Factor, add_product};
use crate::num::{dot, wide};
use crate::run::{Run, Seed, Stop, Ticker};

crate::choices! {
    /// Whether the design matrix is kept.
    pub enum Keep {
        /// all of it: the fastest way, N x M numbers
        Stored = "stored",
        /// nothing: columns are computed whenever they are needed
        Computed = "computed",
    }
}

/// Columns that are read together.
const BLOCK: usize = 32;

/// The basis functions of the columns.
#[derive(Debug, Clone)]
pub struct Dictionary {
    /// The kernel.
    pub kernel: Kernel,
    /// The degree of a polynomial.
    pub degree: usize,
    /// The widths at which it is centred on every row.
    pub widths: Vec<f64>,
    /// Whether there is a bias.
    pub bias: bool,
    /// How many rows are centres at most, drawn by chance; 0 for all.
    pub centres: usize,
}

impl Dictionary {
    /// All bases, in order: the bias, then every row at the first width, at the second, ...
    pub(super) fn bases(&self, points: &DenseRows<'_>, centres: &[u32]) -> Vec<Basis> {
        let mut bases = Vec::new();
        bases.extend(self.bias.then_some(Basis::Bias));
        if self.kernel == Kernel::Columns {
            bases.extend((0..points.inputs()).map(Basis::Column));
            return bases;
        }
        let widths: &[f64] = if self.kernel.has_width() { &self.widths } else { &[1.0] };
        for &width in widths {
            bases.extend(centres.iter().map(|&row| Basis::Centre { row: row as usize, width }));
        }
        bases
    }
}

impl Dictionary {
    /// Refuses kernels that overflow: a polynomial is largest at the row of the largest norm.
    pub(crate) fn check(&self, points: &DenseRows<'_>) -> Result<()> {
        let square = |row: usize| points.row(row).iter().map(|x| x * x).sum::<f64>();
        if self.kernel != Kernel::Polynomial {
            return Ok(());
        }
        let longest = (0..points.rows).map(square).fold(0.0, f64::max);
        let narrowest = self.widths.iter().copied().fold(f64::INFINITY, f64::min);
        let top = (1.0 + longest / (narrowest * narrowest)).powf(self.degree as f64);
        if top <= NumericLimits::KERNEL {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!(
                "a polynomial of degree {} and width {narrowest:e} reaches {top:e}",
                self.degree
            ),
            "take a smaller degree or a larger width",
        ))
    }
}

/// Refuses a stored matrix of so many centres and rows that would not fit into memory.
pub(crate) fn reserve(
    dictionary: &Dictionary,
    centres: usize,
    rows: usize,
    run: &Run<'_>,
) -> Result<()> {
    let bases = centres.saturating_mul(dictionary.widths.len()).saturating_add(1);
    run.reserve(&format!("the matrix of {rows} rows and {bases} bases"), &[rows, bases])
}

/// The value of every basis at every row.
#[derive(Debug)]
pub struct Design {
    rows: usize,
    bases: Vec<Basis>,
    source: Storage,
}

#[derive(Debug)]
enum Storage {
    Stored(Vec<f64>),
    Computed { dictionary: Dictionary, points: DenseRows<'static> },
}

impl Design {
    /// A matrix that has been computed.
    pub(super) fn stored(rows: usize, bases: Vec<Basis>, columns: Vec<f64>) -> Self {
        Self { rows, bases, source: Storage::Stored(columns) }
    }

    /// The bases of a dictionary at the rows that `points` holds, input after input.
    pub fn new(dictionary: &Dictionary, points: &[f64], rows: usize, keep: Keep) -> Self {
        let most = if dictionary.centres == 0 { rows } else { dictionary.centres };
        let centres = stratified_sample(rows, None, most, Seed::new(0));
        let points = DenseRows::from_slice(points, rows);
        Self::made(dictionary, &centres, &points, keep, &Stop::new()).0
    }

    /// The bases of a dictionary whose centres are some of the points, in ascending order;
    /// [`Error::Stopped`] where a large matrix is not wanted any more.
    pub(crate) fn centred(
        dictionary: &Dictionary,
        centres: &[u32],
        points: &DenseRows<'_>,
        keep: Keep,
        stop: &Stop,
    ) -> Result<Self> {
        let (design, whole) = Self::made(dictionary, centres, points, keep, stop);
        whole.map(|()| design)
    }

    /// The same, and whether a stop left cells out.
    fn made(
        dictionary: &Dictionary,
        centres: &[u32],
        points: &DenseRows<'_>,
        keep: Keep,
        stop: &Stop,
    ) -> (Self, Result<()>) {
        let bases = dictionary.bases(points, centres);
        let mut whole = Ok(());
        let source = match keep {
            Keep::Stored => {
                let all = centres.len() == points.rows;
                let mut cells = vec![0.0; points.rows * bases.len()];
                whole = store(dictionary, points, &bases, all, &mut cells, stop);
                Storage::Stored(cells)
            }
            Keep::Computed => {
                let points = points.clone().into_owned();
                Storage::Computed { dictionary: dictionary.clone(), points }
            }
        };
        (Self { rows: points.rows, bases, source }, whole)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many bases there are.
    pub fn len(&self) -> usize {
        self.bases.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bases.is_empty()
    }

    /// The bases, in order.
    pub fn bases(&self) -> &[Basis] {
        &self.bases
    }

    /// The columns of some bases, one after the other.
    pub(super) fn columns(&self, bases: &[usize]) -> Vec<f64> {
        let mut columns = vec![0.0; self.rows * bases.len()];
        for (&basis, column) in bases.iter().zip(columns.chunks_exact_mut(self.rows.max(1))) {
            self.column_into(basis, column);
        }
        columns
    }

    /// Writes one column.
    pub fn column_into(&self, basis: usize, out: &mut [f64]) {
        match &self.source {
            Storage::Stored(cells) => {
                out.copy_from_slice(&cells[basis * self.rows..(basis + 1) * self.rows]);
            }
            Storage::Computed { dictionary, points } => {
                column(dictionary, points, self.bases[basis], 0, out);
            }
        }
    }

    /// The values of a basis at every `step`-th row; `buffer` is as long as a column.
    pub(super) fn every_nth(&self, basis: usize, step: usize, buffer: &mut [f64]) -> Vec<f64> {
        let column = match &self.source {
            Storage::Stored(cells) => &cells[basis * self.rows..(basis + 1) * self.rows],
            Storage::Computed { .. } => {
                self.column_into(basis, buffer);
                buffer
            }
        };
        column.iter().step_by(step).copied().collect()
    }

    /// The mean square of a sample of the bases.
    pub(super) fn mean_square(&self) -> f64 {
        let mut column = vec![0.0; self.rows];
        let (mut sum, mut count) = (0.0, 0);
        for basis in (0..self.len()).step_by(self.len().div_ceil(ClassTuning::SQUARE_BASES).max(1))
        {
            self.column_into(basis, &mut column);
            sum += dot(&column, &column);
            count += self.rows;
        }
        sum / count.max(1) as f64
    }

    /// Calls `visit` with all columns, a block at a time with the position of its first, until told
    /// to stop.
    fn blocks(&self, stop: &Stop, mut visit: impl FnMut(usize, &[f64])) {
        let n = self.rows.max(1);
        match &self.source {
            Storage::Stored(cells) => {
                let blocks = cells.chunks(BLOCK * n).enumerate();
                for (at, block) in blocks.take_while(|_| !stop.requested()) {
                    visit(at * BLOCK, block);
                }
            }
            Storage::Computed { .. } => {
                let mut block = vec![0.0; BLOCK * n];
                let starts = (0..self.len()).step_by(BLOCK);
                for start in starts.take_while(|_| !stop.requested()) {
                    let count = BLOCK.min(self.len() - start);
                    for (at, column) in block.chunks_exact_mut(n).take(count).enumerate() {
                        self.column_into(start + at, column);
                    }
                    visit(start, &block[..count * n]);
                }
            }
        }
    }

    /// The inner products of every basis with each of `vectors` (one after the other), written
    /// basis by basis; and its square, weighted by `precisions`, where there are any. What was not
    /// read before the stop is 0.
    pub(super) fn products_into(
        &self,
        stop: &Stop,
        vectors: &[f64],
        precisions: &[f64],
        products: &mut Vec<f64>,
        squares: &mut Vec<f64>,
    ) {
        let n = self.rows;
        let k = vectors.len().checked_div(n).unwrap_or(0);
        products.clear();
        products.resize(k * self.len(), 0.0);
        squares.clear();
        squares.resize(self.len(), 0.0);
        self.blocks(stop, |start, block| {
            let count = block.len() / n;
            let out = &mut products[start * k..(start + count) * k];
            multiply(vectors, n, block, out);
            weighted_squares(block, precisions, &mut squares[start..start + count]);
        });
    }
}

/// Few vectors are faster one by one, many in a matrix product.
const FEW: usize = 4;

/// Writes the products of some vectors with some columns, column by column.
pub(super) fn multiply(vectors: &[f64], n: usize, columns: &[f64], out: &mut [f64]) {
    let k = vectors.len().checked_div(n).unwrap_or(0);
    if k > FEW {
        out.fill(0.0);
        add_product(out, k, Factor::Transposed(vectors), n, Factor::Plain(columns));
        return;
    }
    wide(
        #[inline(always)]
        || {
            for (out, column) in out.chunks_exact_mut(k.max(1)).zip(columns.chunks_exact(n)) {
                for (out, vector) in out.iter_mut().zip(vectors.chunks_exact(n)) {
                    *out = dot(vector, column);
                }
            }
        },
    );
}

/// The square of each column, weighted row by row.
pub(super) fn weighted_squares(columns: &[f64], weights: &[f64], out: &mut [f64]) {
    if weights.is_empty() {
        return;
    }
    wide(
        #[inline(always)]
        || {
            for (out, column) in out.iter_mut().zip(columns.chunks_exact(weights.len())) {
                *out = weighted_square(column, weights);
            }
        },
    );
}

/// Writes columns times the weight of each row.
pub(super) fn scale(columns: &[f64], weights: &[f64], out: &mut [f64]) {
    let n = weights.len().max(1);
    for (out, column) in out.chunks_exact_mut(n).zip(columns.chunks_exact(n)) {
        for (out, (x, w)) in out.iter_mut().zip(column.iter().zip(weights)) {
            *out = x * w;
        }
    }
}

/// The sum of `b x^2`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn weighted_square(x: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 16;
    let mut lanes = [0.0; LANES];
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (bs, b_rest) = b.as_chunks::<LANES>();
    for (x, b) in xs.iter().zip(bs) {
        for i in 0..LANES {
            lanes[i] += x[i] * x[i] * b[i];
        }
    }
    let tail: f64 = x_rest.iter().zip(b_rest).map(|(x, b)| x * x * b).sum();
    lanes.iter().sum::<f64>() + tail
}

/// The values of a basis at the rows `from` and on.
fn column(
    dictionary: &Dictionary,
    points: &DenseRows<'_>,
    basis: Basis,
    from: usize,
    out: &mut [f64],
) {
    match basis {
        Basis::Bias => out.fill(1.0),
        Basis::Column(input) => {
            out.copy_from_slice(&points.columns[input][from..from + out.len()]);
        }
        Basis::Centre { row, width } => {
            let centre = points.row(row);
            kernel_into(dictionary.kernel, dictionary.degree, points, from, &centre, width, out);
        }
    }
}

/// Columns whose lower half is computed before it is mirrored into the upper one.
const TURNED: usize = 32;

/// The whole matrix. Kernels are symmetric: where all rows are centres, half of it is computed.
fn store(
    dictionary: &Dictionary,
    points: &DenseRows<'_>,
    bases: &[Basis],
    all: bool,
    cells: &mut [f64],
    stop: &Stop,
) -> Result<()> {
    let n = points.rows;
    // A kernel is a few operations for each input and an exponential.
    let (mut ticker, of_a_column) = (Ticker::new(stop), n * (points.inputs() + 10));
    let is_plain = |basis: &&Basis| !all || !matches!(basis, Basis::Centre { .. });
    let plain = bases.iter().take_while(is_plain).count();
    for (basis, out) in bases[..plain].iter().zip(cells.chunks_exact_mut(n.max(1))) {
        ticker.tick(of_a_column)?;
        column(dictionary, points, *basis, 0, out);
    }
    let centred = cells[plain * n..].chunks_exact_mut((n * n).max(1));
    for (square, bases) in centred.zip(bases[plain..].chunks_exact(n.max(1))) {
        for start in (0..n).step_by(TURNED) {
            let end = (start + TURNED).min(n);
            for (at, basis) in bases.iter().enumerate().take(end).skip(start) {
                ticker.tick(of_a_column)?;
                column(
                    dictionary,
                    points,
                    *basis,
                    start,
                    &mut square[at * n + start..(at + 1) * n],
                );
            }
            mirror(square, n, start, end);
        }
    }
    Ok(())
}

/// Mirrors the cells below the block of columns `start..end` across the diagonal.
fn mirror(square: &mut [f64], n: usize, start: usize, end: usize) {
    let (done, rest) = square.split_at_mut(end * n);
    for (at, column) in rest.chunks_exact_mut(n).enumerate() {
        let row = end + at;
        for (j, cell) in column[start..end].iter_mut().enumerate() {
            *cell = done[(start + j) * n + row];
        }
    }
}
