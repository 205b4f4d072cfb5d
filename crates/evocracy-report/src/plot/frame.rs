//! Where the unit square is on the page.

use crate::svg::{Area, Place, polyline};
use crate::theme::Colours;
use crate::thin::Rates;

/// Where things are and what colours they have.
pub(crate) struct Frame {
    pub(crate) area: Area,
    pub(crate) colours: Colours,
}

impl Frame {
    /// The usual square, that far down the page.
    pub(crate) fn square(top: f64, colours: Colours) -> Self {
        let area = Area { x: super::LEFT, y: top, width: super::SIDE, height: super::SIDE };
        Self { area, colours }
    }

    pub(crate) fn x(&self, x: f64) -> f64 {
        self.area.x + self.area.width * x
    }

    pub(crate) fn y(&self, y: f64) -> f64 {
        self.area.y + self.area.height * (1.0 - y)
    }

    /// A point of the square, on the page.
    pub(crate) fn at(&self, (x, y): Rates) -> Place {
        (self.x(x), self.y(y))
    }

    /// The data of a path through points of the square.
    pub(crate) fn path(&self, points: &[Rates]) -> String {
        polyline(points.iter().map(|p| self.at(*p)))
    }

    /// The data of a path around what lies between two lines.
    pub(crate) fn between(&self, lower: &[Rates], upper: &[Rates]) -> String {
        polyline(upper.iter().chain(lower.iter().rev()).map(|p| self.at(*p))) + "Z"
    }
}
