//! The confusion matrix and the rates read from it.

use super::check::{self, Weights};
use crate::error::{Error, Result};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// How much weight each true class has under each predicted class.
///
/// Only cells that are not zero are held: of 5,000 classes there may be as few as rows.
/// Serialises as a list of rows, one per true class, up to [`Confusion::LISTED`] classes; of more,
/// as the list of cells that are not zero. Whole numbers are written as such.
#[derive(Debug, Clone, PartialEq)]
pub struct Confusion {
    classes: usize,
    /// True class, predicted class and weight, in this order.
    cells: Vec<(u32, u32, f64)>,
}

impl Confusion {
    /// Up to so many classes it is written with its zeros.
    pub const LISTED: usize = 64;

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
        let each = truth.iter().zip(predicted).enumerate();
        let each = each.map(|(row, (&t, &p))| (t, p, weights.of(row)));
        Ok(Self { classes, cells: Self::summed(classes, each) })
    }

    /// The sums of the weights of equal pairs, each in the order in which they come.
    fn summed(
        classes: usize,
        pairs: impl Iterator<Item = (u32, u32, f64)>,
    ) -> Vec<(u32, u32, f64)> {
        let mut cells: Vec<(u32, u32, f64)> = if classes <= Self::LISTED {
            let mut all = vec![0.0; classes * classes];
            pairs.for_each(|(t, p, weight)| all[t as usize * classes + p as usize] += weight);
            let place = |(at, &weight)| ((at / classes) as u32, (at % classes) as u32, weight);
            all.iter().enumerate().map(place).collect()
        } else {
            let mut pairs: Vec<(u32, u32, f64)> = pairs.collect();
            pairs.sort_by_key(|&(t, p, _)| (t, p));
            pairs.dedup_by(|next, sum| {
                let same = (next.0, next.1) == (sum.0, sum.1);
                sum.2 += if same { next.2 } else { 0.0 };
                same
            });
            pairs
        };
        cells.retain(|(_, _, weight)| *weight != 0.0);
        cells
    }

    /// The mean of several, cell by cell; they are of the same classes.
    pub fn mean<'a>(each: impl IntoIterator<Item = &'a Self>) -> Result<Self> {
        let each: Vec<&Self> = each.into_iter().collect();
        let Some(first) = each.first() else {
            return Err(Error::unsuitable("there is no confusion matrix", "judge some rows"));
        };
        let classes = first.classes;
        for other in &each {
            check::same_length("classes", other.classes, classes)?;
        }
        let all = each.iter().flat_map(|one| one.cells.iter().copied());
        let mut cells = Self::summed(classes, all);
        for (_, _, weight) in &mut cells {
            *weight /= each.len() as f64;
        }
        Ok(Self { classes, cells })
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The weight of the rows of class `truth` that were called `predicted`; 0 for other codes.
    pub fn count(&self, truth: usize, predicted: usize) -> f64 {
        let key = |&(t, p, _): &(u32, u32, f64)| (t as usize, p as usize);
        let at = self.cells.binary_search_by_key(&(truth, predicted), key);
        at.map_or(0.0, |at| self.cells[at].2)
    }

    /// The cells of a true class, by predicted class; empty for other codes.
    pub fn row(&self, truth: usize) -> Vec<f64> {
        if truth >= self.classes {
            return Vec::new();
        }
        let mut row = vec![0.0; self.classes];
        self.of_class(truth).for_each(|(_, p, weight)| row[p as usize] = weight);
        row
    }

    /// True class, predicted class and weight of the cells that are not zero, in this order.
    pub fn cells(&self) -> &[(u32, u32, f64)] {
        &self.cells
    }

    /// The cells of a true class that are not zero.
    fn of_class(&self, truth: usize) -> impl Iterator<Item = (u32, u32, f64)> {
        let from = self.cells.partition_point(|(t, ..)| (*t as usize) < truth);
        self.cells[from..].iter().copied().take_while(move |(t, ..)| *t as usize == truth)
    }

    /// The weight of the cells of which something holds.
    fn sum(&self, of: impl Fn(usize, usize) -> bool) -> f64 {
        let cells = self.cells.iter().filter(|(t, p, _)| of(*t as usize, *p as usize));
        // Not `sum`, which is -0 of nothing.
        cells.fold(0.0, |sum, (.., weight)| sum + weight)
    }

    /// The weight of all rows.
    pub fn total(&self) -> f64 {
        self.sum(|_, _| true)
    }

    /// The share of rows whose class was predicted.
    pub fn accuracy(&self) -> f64 {
        self.sum(|t, p| t == p) / self.total()
    }

    /// The share of rows whose class was not predicted.
    pub fn error(&self) -> f64 {
        // Not 1 - accuracy, which would lose the digits of a small error.
        self.sum(|t, p| t != p) / self.total()
    }

    /// The share of the rows of class `positive` that were called so (true positive rate,
    /// sensitivity, recall); `None` if there is no such row.
    pub fn tpr(&self, positive: usize) -> Option<f64> {
        share(self.count(positive, positive), self.sum(|t, _| t == positive))
    }

    /// The share of the rows of other classes that were called `positive` (false positive rate,
    /// 1 - specificity); `None` if there is no such row.
    pub fn fpr(&self, positive: usize) -> Option<f64> {
        let called = self.sum(|t, p| t != positive && p == positive);
        share(called, self.sum(|t, _| t != positive))
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl Serialize for Confusion {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.classes > Self::LISTED {
            let cells = || self.cells.iter().map(|&(t, p, weight)| (t, p, Cell::from(weight)));
            let mut sparse = serializer.serialize_struct("Confusion", 2)?;
            sparse.serialize_field("classes", &self.classes)?;
            sparse.serialize_field("cells", &cells().collect::<Vec<_>>())?;
            return sparse.end();
        }
        let cells = |truth| self.row(truth).into_iter().map(Cell::from).collect::<Vec<_>>();
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
    fn many_classes_take_as_much_as_rows() {
        let truth: Vec<u32> = (0..1_000_000).step_by(2).collect();
        let called: Vec<u32> = truth.iter().map(|&t| t - t % 4).collect();
        let weights: Vec<f64> = truth.iter().map(|&t| 1.0 + f64::from(t % 3)).collect();
        let many = Confusion::new(&truth, &called, 1_000_000, Some(&weights)).unwrap();
        assert_eq!(many.cells().len(), 500_000);
        assert_eq!((many.count(6, 4), many.count(6, 6), many.row(6)[4]), (1.0, 0.0, 1.0));
        assert_eq!(Confusion::mean([&many, &many]).unwrap(), many);
        let few = Confusion::new(&[1, 1, 70, 1], &[1, 2, 3, 2], 71, None).unwrap();
        let json = r#"{"classes":71,"cells":[[1,1,1],[1,2,2],[70,3,1]]}"#;
        assert_eq!(serde_json::to_string(&few).unwrap(), json);
        assert_eq!((few.accuracy(), few.tpr(1), few.fpr(2)), (0.25, Some(1.0 / 3.0), Some(0.5)));
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
