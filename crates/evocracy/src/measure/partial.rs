//! The part of the area under a ROC curve that matters.
//!
//! D. K. McClish, "Analyzing a portion of the ROC curve", Medical Decision Making 9 (1989)
//! 190-195.

use super::roc::{Point, Roc};
use crate::error::{Error, Result};
use serde::Serialize;

/// A range of rates that the area is limited to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Span {
    /// False positive rates from, to: the area below the curve.
    Fpr(f64, f64),
    /// True positive rates from, to: the area to the right of the curve.
    Tpr(f64, f64),
}

/// A coordinate of a point.
type Rate = fn(&Point) -> f64;

/// A partial area.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PartialArea {
    /// The area itself, at most the width of the range.
    pub area: f64,
    /// McClish's correction: 0.5 where the curve follows the diagonal, 1 where it is perfect
    /// within the range. Below 0.5 it may leave 0 to 1 for curves far below the diagonal.
    pub corrected: f64,
}

impl Roc {
    /// The area within a range of rates, by the trapezium rule.
    pub fn partial_auc(&self, span: Span) -> Result<PartialArea> {
        let (Span::Fpr(from, to) | Span::Tpr(from, to)) = span;
        if !(0.0 <= from && from < to && to <= 1.0) {
            return Err(Error::Param {
                of: "roc".to_owned(),
                name: "partial area".to_owned(),
                expected: "a range of rates within 0 and 1 that is not empty".to_owned(),
                got: format!("{from} to {to}"),
            });
        }
        // Along the range and across it; what is to the right of the curve is 1 - F high.
        let (along, across): (Rate, Rate) = match span {
            Span::Fpr(..) => (|p| p.fpr, |p| p.tpr),
            Span::Tpr(..) => (|p| p.tpr, |p| 1.0 - p.fpr),
        };
        let piece = |pair: &[Point]| {
            let (x0, x1, y0, y1) =
                (along(&pair[0]), along(&pair[1]), across(&pair[0]), across(&pair[1]));
            let (low, high) = (x0.max(from), x1.min(to));
            if high <= low {
                return 0.0;
            }
            let y = |x: f64| y0 + (x - x0) / (x1 - x0) * (y1 - y0);
            (high - low) * f64::midpoint(y(low), y(high))
        };
        let area: f64 = self.points().windows(2).map(piece).sum();
        let most = to - from;
        let below_diagonal = most * f64::midpoint(from, to);
        let chance = match span {
            Span::Fpr(..) => below_diagonal,
            Span::Tpr(..) => most - below_diagonal,
        };
        Ok(PartialArea { area, corrected: f64::midpoint(1.0, (area - chance) / (most - chance)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_range_is_the_whole_area() {
        let roc = Roc::new(&[true, false, true, false], &[4.0, 3.0, 2.0, 2.0], None).unwrap();
        for span in [Span::Fpr(0.0, 1.0), Span::Tpr(0.0, 1.0)] {
            let all = roc.partial_auc(span).unwrap();
            assert!((all.area - roc.auc()).abs() < 1e-15);
            assert!((all.corrected - roc.auc()).abs() < 1e-15);
        }
        let strip = roc.partial_auc(Span::Fpr(0.5, 0.75)).unwrap();
        assert_eq!(strip.area, 0.25 * 0.625);
        assert!((strip.corrected - 0.5).abs() < 1e-15); // on the diagonal
        for bad in [Span::Fpr(0.5, 0.5), Span::Tpr(-0.1, 1.0), Span::Fpr(0.0, f64::NAN)] {
            assert!(roc.partial_auc(bad).is_err());
        }
    }
}
