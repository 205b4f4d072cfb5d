//! The confusion matrix and the rates read from it.

use super::check::{self, Weights};
use crate::error::{Error, Result};
use serde::{Serialize, Serializer};

/// How much weight each true class has under each predicted class.
///
/// Serialises as a list of rows, one per true class; whole numbers are written as such.
#[derive(Debug, Clone, PartialEq)]
pub struct Confusion {
    classes: usize,
    /// Row-major: true class, then predicted class.
    cells: Vec<f64>,
}

impl Confusion {
    /// Counts, or sums the weights of, the pairs of true and predicted class codes.
    pub fn new(
        truth: &[u32],
        predicted: &[u32],
        classes: usize,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check::same_length("predictions", predicted.len(), truth.len())?;
        check::codes("true class", truth, classes)?;
        check::codes("predicted class", predicted, classes)?;
        let weights = Weights::new(weights, truth.len())?;
        let mut cells = vec![0.0; classes * classes];
        for (row, (&t, &p)) in truth.iter().zip(predicted).enumerate() {
            cells[t as usize * classes + p as usize] += weights.of(row);
        }
        Ok(Self { classes, cells })
    }

    /// The mean of several, cell by cell; they are of the same classes.
    pub fn mean<'a>(each: impl IntoIterator<Item = &'a Self>) -> Result<Self> {
        let mut each = each.into_iter();
        let mut mean = each
            .next()
            .cloned()
            .ok_or_else(|| Error::unsuitable("there is no confusion matrix", "judge some rows"))?;
        let mut count = 1.0;
        for other in each {
            check::same_length("cells", other.cells.len(), mean.cells.len())?;
            mean.cells.iter_mut().zip(&other.cells).for_each(|(sum, cell)| *sum += cell);
            count += 1.0;
        }
        mean.cells.iter_mut().for_each(|cell| *cell /= count);
        Ok(mean)
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The weight of the rows of class `truth` that were called `predicted`; 0 for other codes.
    pub fn count(&self, truth: usize, predicted: usize) -> f64 {
        self.row(truth).get(predicted).copied().unwrap_or(0.0)
    }

    /// The cells of a true class, by predicted class; empty for other codes.
    pub fn row(&self, truth: usize) -> &[f64] {
        self.cells.chunks_exact(self.classes.max(1)).nth(truth).unwrap_or(&[])
    }

    /// The weight of all rows.
    pub fn total(&self) -> f64 {
        self.cells.iter().sum()
    }

    /// The share of rows whose class was predicted.
    pub fn accuracy(&self) -> f64 {
        let right: f64 = (0..self.classes).map(|c| self.count(c, c)).sum();
        right / self.total()
    }

    /// The share of rows whose class was not predicted.
    pub fn error(&self) -> f64 {
        // Not 1 - accuracy, which would lose the digits of a small error.
        let wrong: f64 = (0..self.classes)
            .flat_map(|t| (0..self.classes).map(move |p| (t, p)))
            .filter(|(t, p)| t != p)
            .map(|(t, p)| self.count(t, p))
            .sum();
        wrong / self.total()
    }

    /// The share of the rows of class `positive` that were called so (true positive rate,
    /// sensitivity, recall); `None` if there is no such row.
    pub fn tpr(&self, positive: usize) -> Option<f64> {
        share(self.count(positive, positive), self.row(positive).iter().sum())
    }

    /// The share of the rows of other classes that were called `positive` (false positive rate,
    /// 1 - specificity); `None` if there is no such row.
    pub fn fpr(&self, positive: usize) -> Option<f64> {
        let others = || (0..self.classes).filter(|&c| c != positive);
        let called = others().map(|c| self.count(c, positive)).sum();
        share(called, others().flat_map(|c| self.row(c)).sum())
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl Serialize for Confusion {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let cells = |truth| self.row(truth).iter().copied().map(Cell::from).collect::<Vec<_>>();
        serializer.collect_seq((0..self.classes).map(cells))
    }
}

/// A cell as it is written.
#[derive(Serialize)]
#[serde(untagged)]
enum Cell {
    Count(u64),
    Weight(f64),
}

impl From<f64> for Cell {
    fn from(cell: f64) -> Self {
        // Beyond 2^53 a float no longer counts.
        const COUNTS_TO: f64 = 9_007_199_254_740_992.0;
        let whole = cell.fract() == 0.0 && cell < COUNTS_TO;
        if whole { Self::Count(cell as u64) } else { Self::Weight(cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Confusion {
        Confusion::new(&[0, 0, 1, 1, 1, 2], &[0, 1, 1, 1, 0, 2], 3, None).unwrap()
    }

    #[test]
    fn rates_are_read_from_the_right_cells() {
        let c = example();
        assert_eq!((c.count(0, 1), c.count(1, 0), c.total()), (1.0, 1.0, 6.0));
        assert_eq!((c.accuracy(), c.error()), (4.0 / 6.0, 2.0 / 6.0));
        assert_eq!((c.tpr(1), c.fpr(1)), (Some(2.0 / 3.0), Some(1.0 / 3.0)));
        assert_eq!((c.tpr(3), c.fpr(3)), (None, Some(0.0)));
        assert_eq!(serde_json::to_string(&c).unwrap(), "[[1,1,0],[1,2,0],[0,0,1]]");
    }

    #[test]
    fn weights_repeat_rows() {
        let twice = Confusion::new(&[0, 1, 1], &[0, 1, 0], 2, Some(&[2.0, 0.0, 1.0])).unwrap();
        let listed = Confusion::new(&[0, 0, 1], &[0, 0, 0], 2, None).unwrap();
        assert_eq!(twice, listed);
        assert_eq!((twice.tpr(1), twice.fpr(1)), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn bad_input_is_refused_with_the_row() {
        let error = Confusion::new(&[0, 7], &[0, 0], 2, None).unwrap_err();
        assert_eq!(error.to_string(), "row 1 has no valid true class: code 7 of 2");
        assert!(Confusion::new(&[0], &[0, 1], 2, None).is_err());
        assert!(Confusion::new(&[], &[], 2, None).is_err());
        assert!(Confusion::new(&[0], &[0], 2, Some(&[0.0])).is_err());
        assert!(Confusion::new(&[0], &[0], 2, Some(&[f64::NAN])).is_err());
        assert!(Confusion::new(&[0, 0], &[0, 0], 2, Some(&[1.0])).is_err());
    }
}
