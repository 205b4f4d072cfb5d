//! What all measures ask of their input, and row weights once they are checked. Rows are counted
//! from 0.

use crate::error::{Error, Result};

/// How far the probabilities of a row may be from a sum of 1.
const SUM_SLACK: f64 = 1e-6;

/// Row weights that are finite, not negative and not all 0; no weights count every row once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights<'a> {
    values: Option<&'a [f64]>,
    rows: usize,
}

impl<'a> Weights<'a> {
    pub(super) fn new(values: Option<&'a [f64]>, rows: usize) -> Result<Self> {
        if rows == 0 {
            return Err(Error::unsuitable("there are no rows to judge", "give at least one row"));
        }
        if let Some(values) = values {
            same_length("weights", values.len(), rows)?;
            if let Some(row) = values.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
                let what = format!("row {row} has weight {}", values[row]);
                return Err(Error::unsuitable(what, "weights are finite and not negative"));
            }
            let total: f64 = values.iter().sum();
            if !(total > 0.0 && total.is_finite()) {
                let what = format!("the weights sum to {total}");
                return Err(Error::unsuitable(what, "give some row a weight above 0"));
            }
        }
        Ok(Self { values, rows })
    }

    /// Refuses weights whose sums cannot be multiplied without overflowing or vanishing.
    pub(super) fn in_reach(self) -> Result<Self> {
        let total: f64 = self.values.map_or(1.0, |values| values.iter().sum());
        if (1e-100..=1e100).contains(&total) {
            return Ok(self);
        }
        let what = format!("the weights sum to {total:e}, too far from 1 to reckon with");
        Err(Error::unsuitable(what, "divide all weights by the largest"))
    }

    /// Whether every row counts once.
    pub(super) fn are_equal(self) -> bool {
        self.values.is_none()
    }

    /// The weight of a row.
    pub(super) fn of(self, row: usize) -> f64 {
        self.values.map_or(1.0, |w| w[row])
    }

    /// The weighted mean of a figure of every row.
    pub(super) fn mean(self, figure: impl Fn(usize) -> f64) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for row in 0..self.rows {
            let w = self.of(row);
            // A row of weight 0 is no row, even if its figure is infinite.
            if w > 0.0 {
                sum += w * figure(row);
                total += w;
            }
        }
        sum / total
    }

    /// How many equally weighted rows would be as informative (Kish).
    pub(super) fn effective(self) -> f64 {
        effective((0..self.rows).map(|row| self.of(row)))
    }
}

/// `(sum w)^2 / sum w^2`, without overflow whatever the size of the weights; 0 if there are none above 0.
pub(super) fn effective(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = weights.clone().fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    let (sum, squares) = weights.fold((0.0, 0.0), |(sum, squares), w| {
        let w = w / largest;
        (sum + w, squares + w * w)
    });
    sum * sum / squares
}

/// Refuses two columns of different lengths.
pub(super) fn same_length(what: &str, got: usize, rows: usize) -> Result<()> {
    if got == rows {
        return Ok(());
    }
    Err(Error::unsuitable(
        format!("{got} {what} for {rows} rows"),
        "the measures need one of each for every row",
    ))
}

/// Refuses class codes that are not below `classes`.
pub(super) fn codes(what: &str, codes: &[u32], classes: usize) -> Result<()> {
    match codes.iter().position(|&c| c as usize >= classes) {
        None => Ok(()),
        Some(row) => Err(Error::unsuitable(
            format!("row {row} has no valid {what}: code {} of {classes}", codes[row]),
            "leave out rows whose class is missing or unknown",
        )),
    }
}

/// Refuses more than `most` of something.
pub(super) fn at_most(what: &str, got: usize, most: usize) -> Result<()> {
    if got <= most {
        return Ok(());
    }
    let help = "use the normal approximation, which is good for that many";
    Err(Error::unsuitable(format!("{got} {what}, at most {most} can be"), help))
}

/// Refuses numbers that are infinite or NaN.
pub(super) fn finite(what: &str, values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(row) => Err(Error::unsuitable(
            format!("row {row} has the {what} {}", values[row]),
            "leave out the row or mend what made the value",
        )),
    }
}

/// Refuses scores that are NaN.
pub(super) fn numbers(scores: &[f64]) -> Result<()> {
    match scores.iter().position(|s| s.is_nan()) {
        None => Ok(()),
        Some(row) => Err(Error::unsuitable(
            format!("row {row} has no score (NaN)"),
            "leave out rows without a score, or give them the lowest one",
        )),
    }
}

/// Refuses rows that are not probabilities of `classes` classes, and labels outside them.
pub(super) fn probabilities(labels: &[u32], proba: &[f64], classes: usize) -> Result<()> {
    same_length("probabilities", proba.len(), labels.len().saturating_mul(classes))?;
    codes("label", labels, classes)?;
    for (row, p) in proba.chunks_exact(classes.max(1)).enumerate() {
        let sum: f64 = p.iter().sum();
        let outside = p.iter().find(|p| !(-SUM_SLACK..=1.0 + SUM_SLACK).contains(*p));
        let what = match outside {
            Some(p) => format!("row {row} has the probability {p}"),
            None if (sum - 1.0).abs() > SUM_SLACK => {
                format!("the probabilities of row {row} sum to {sum}")
            }
            None => continue,
        };
        return Err(Error::unsuitable(what, "probabilities lie between 0 and 1 and sum to 1"));
    }
    Ok(())
}
