//! Sums over all ternary rules of some bits.
//!
//! A rule is a number in base 3, the first bit in its highest digit: 0, 1 or `#` ([`ANY`]). A row
//! is written in the same way, with a missing bit as `ANY`. A rule's density is equation (6):
//!
//! `P(x | rule) = 2^-(number of #)` where the row matches, else 0
//!
//! A missing bit is summed over, so its factor is 1 for each of the three digits.
//!
//! The 2^D rules that match a row are not searched for among all 3^D. The digits are taken one
//! after the other: a row that begins with 0 needs the rules that begin with 0 and half of those
//! that begin with `#`, added up they are an array a third as long, and so on. Rows with the same
//! beginning share the work, so that all 2^D rows together cost about `2 * 3^D` additions.

/// The digit of a rule that does not care and of a bit that is missing.
pub(super) const ANY: u32 = 2;

/// How many rules there are.
pub(super) fn rules(bits: usize) -> usize {
    3_usize.pow(bits as u32)
}

/// The working memory that [`gather`] and [`scatter`] need.
pub(super) fn buffer(rules: usize) -> Vec<f64> {
    vec![0.0; rules / 2 + 1]
}

/// The digits of a code, the first bit first.
pub(super) fn digits(code: u32, bits: usize) -> impl Iterator<Item = u32> {
    (0..bits as u32).rev().map(move |place| code / 3_u32.pow(place) % 3)
}

/// The code with these digits.
#[cfg(test)]
pub(super) fn code(digits: impl IntoIterator<Item = u32>) -> u32 {
    digits.into_iter().fold(0, |code, digit| 3 * code + digit)
}

/// The sum over all rules of weight and density, for each row. The rows are in order and differ.
///
/// A weight below 0 is the logarithm of one that is too small to count here, see `mixture`.
pub(super) fn gather(weights: &[f64], rows: &[u32], buffer: &mut [f64], sums: &mut [f64]) {
    let third = weights.len() / 3;
    let [row] = rows else {
        let (zero, one, any) = thirds(weights);
        let (rest, buffer) = buffer.split_at_mut(third);
        return branches(rows, third, |digit, at, rows| {
            match digit {
                0 => add(rest, zero, any),
                1 => add(rest, one, any),
                _ => {
                    for (at, rest) in rest.iter_mut().enumerate() {
                        *rest = zero[at].max(0.0) + one[at].max(0.0) + any[at].max(0.0);
                    }
                }
            }
            gather(rest, rows, buffer, &mut sums[at..at + rows.len()]);
        });
    };
    sums[0] = gather_one(weights, *row);
}

#[inline]
fn add(rest: &mut [f64], own: &[f64], any: &[f64]) {
    for ((rest, own), any) in rest.iter_mut().zip(own).zip(any) {
        *rest = own.max(0.0) + 0.5 * any.max(0.0);
    }
}

fn gather_one(weights: &[f64], row: u32) -> f64 {
    if weights.len() == 1 {
        return weights[0].max(0.0);
    }
    let (zero, one, any) = thirds(weights);
    match digit(row, zero.len()) {
        0 => gather_one(zero, row) + 0.5 * gather_one(any, row),
        1 => gather_one(one, row) + 0.5 * gather_one(any, row),
        _ => gather_one(zero, row) + gather_one(one, row) + gather_one(any, row),
    }
}

/// Adds to each rule the sum over the rows of a factor and the rule's density: the transpose of
/// [`gather`].
pub(super) fn scatter(factors: &[f64], rows: &[u32], buffer: &mut [f64], sums: &mut [f64]) {
    let third = sums.len() / 3;
    let [row] = rows else {
        let (zero, rest) = sums.split_at_mut(third);
        let (one, any) = rest.split_at_mut(third);
        let (rest, buffer) = buffer.split_at_mut(third);
        return branches(rows, third, |digit, at, rows| {
            rest.fill(0.0);
            scatter(&factors[at..at + rows.len()], rows, buffer, rest);
            let half = if digit == ANY { 1.0 } else { 0.5 };
            for (any, rest) in any.iter_mut().zip(&*rest) {
                *any += half * rest;
            }
            for (own, other) in [(&mut *zero, 1), (&mut *one, 0)] {
                if digit != other {
                    own.iter_mut().zip(&*rest).for_each(|(own, rest)| *own += rest);
                }
            }
        });
    };
    scatter_one(factors[0], *row, sums);
}

fn scatter_one(factor: f64, row: u32, sums: &mut [f64]) {
    if sums.len() == 1 {
        sums[0] += factor;
        return;
    }
    let third = sums.len() / 3;
    let digit = digit(row, third);
    for (at, part) in sums.chunks_exact_mut(third).enumerate() {
        match (digit, at as u32) {
            (ANY, _) => scatter_one(factor, row, part),
            (_, ANY) => scatter_one(0.5 * factor, row, part),
            (digit, at) if digit == at => scatter_one(factor, row, part),
            _ => {}
        }
    }
}

/// Calls `visit` with each digit that rows have in the place where `third` codes have the same, and
/// where those rows begin.
fn branches<'a>(rows: &'a [u32], third: usize, mut visit: impl FnMut(u32, usize, &'a [u32])) {
    let mut start = 0;
    for wanted in 0..3 {
        let end = start + rows[start..].partition_point(|&row| digit(row, third) <= wanted);
        if end > start {
            visit(wanted, start, &rows[start..end]);
        }
        start = end;
    }
}

fn digit(code: u32, third: usize) -> u32 {
    code / third as u32 % 3
}

fn thirds(weights: &[f64]) -> (&[f64], &[f64], &[f64]) {
    let (zero, rest) = weights.split_at(weights.len() / 3);
    let (one, any) = rest.split_at(weights.len() / 3);
    (zero, one, any)
}
