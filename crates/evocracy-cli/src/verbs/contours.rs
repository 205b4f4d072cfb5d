//! Contours of a model's probability over the plane of its two columns.

use crate::look::Look;
use anyhow::Result;
use evocracy::data::{Column, Dataset, Field, Kind, Schema, Table};
use evocracy::error::Error;
use evocracy::model::Model;
use evocracy_report::{Contours, contours_svg};
use std::path::Path;

/// How many places the grid has along each axis.
const SIDE: usize = 61;

/// Refuses tables without a plane to draw.
pub fn check(data: &Dataset) -> Result<()> {
    let two = data.classes().is_some_and(|classes| classes.len() == 2);
    let rows = data.features();
    if two && rows.columns() == 2 && rows.fields().all(|field| field.kind == Kind::Number) {
        return Ok(());
    }
    let what =
        "contours are drawn of two classes over two columns of numbers, and these are others";
    Err(Error::unsuitable(what, "leave out --plot").into())
}

/// Draws the contours over the part of the plane that the table covers.
pub fn draw(model: &Model, data: &Dataset, (path, look): (&Path, &Look)) -> Result<()> {
    let rows = data.features();
    let spans = [0, 1].map(|column| match rows.gather(column) {
        Column::Number(values) => span(&values),
        Column::Nominal(_) => [0.0, 1.0],
    });
    let names = [0, 1].map(|column| rows.field(column).name.clone());
    let axis = |axis: usize| -> Vec<f64> {
        let [low, high] = spans[axis];
        let place = |cell: usize| if axis == 0 { cell % SIDE } else { cell / SIDE };
        let at = |cell: usize| low + (high - low) * place(cell) as f64 / (SIDE - 1) as f64;
        (0..SIDE * SIDE).map(at).collect()
    };
    let schema = Schema { fields: names.iter().map(|name| Field::number(name.clone())).collect() };
    let grid = Table::new(schema, vec![Column::Number(axis(0)), Column::Number(axis(1))])?;
    let (proba, classes) = (model.proba(grid.view())?, model.classes()?);
    let positive = classes.positive();
    let said: Vec<f64> = (0..proba.rows()).map(|row| proba.row(row)[positive]).collect();
    let name = format!("the probability of {}", classes.names()[positive]);
    let title = format!("Predicting {}", data.target_name());
    let subtitle = format!("{}: 0.1, 0.3, 0.5 (thick), 0.7 and 0.9", data.name);
    let grids = [Contours { name: &name, values: &said, side: SIDE }];
    look.write(path, (title, subtitle), |options| {
        contours_svg(&grids, (&names[0], spans[0]), (&names[1], spans[1]), options)
    })
}

/// From the least to the greatest number, rounded outwards to about two digits of their distance.
fn span(values: &[f64]) -> [f64; 2] {
    let known = || values.iter().copied().filter(|value| value.is_finite());
    let (low, high) =
        (known().fold(f64::INFINITY, f64::min), known().fold(-f64::INFINITY, f64::max));
    if low > high {
        return [0.0, 1.0];
    }
    if low == high {
        return [low - 0.5, high + 0.5];
    }
    let unit = 10_f64.powi(1 - (high - low).log10().floor() as i32);
    let rounded = [(low * unit).floor() / unit, (high * unit).ceil() / unit];
    if rounded.iter().all(|end| end.is_finite()) { rounded } else { [low, high] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_outwards() {
        assert_eq!(span(&[-1.2464, 0.8613, f64::NAN]), [-1.3, 0.9]);
        assert_eq!(span(&[3.0, 250.0]), [0.0, 250.0]);
        assert_eq!(span(&[2.0, 2.0]), [1.5, 2.5]);
        assert_eq!(span(&[f64::NAN]), [0.0, 1.0]);
    }
}
