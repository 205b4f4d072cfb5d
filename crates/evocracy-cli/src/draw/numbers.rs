//! Pictures of predicted numbers: predicted against true, and what is left against predicted.

use super::{Canvas, some};
use crate::args::Picture;
use anyhow::Result;
use evocracy::judge::{Judged, Said};
use evocracy_report::{Axis, Layer, Scatter, Shape, scatter_svg};

/// The most rows that are drawn.
const MOST: usize = 5000;

/// Draws the judged rows; of rows that were judged repeatedly, the first time counts.
pub fn draw(canvas: &Canvas<'_>, picture: Picture, judged: &Judged) -> Result<()> {
    let Said::Numbers { truth, predicted } = &judged.said else { return some::<()>(&[]) };
    let first = judged.places.iter().map(|place| place.repeat).min();
    let rows = judged.places.iter().zip(truth.iter().zip(predicted));
    let rows: Vec<(f64, f64)> = rows
        .filter(|(place, _)| Some(place.repeat) == first)
        .map(|(_, (truth, predicted))| (*truth, *predicted))
        .filter(|(truth, predicted)| truth.is_finite() && predicted.is_finite())
        .collect();
    let step = rows.len().div_ceil(MOST).max(1);
    let name =
        if step == 1 { "a row".to_owned() } else { format!("a row; one of {step} is drawn") };
    let rows = rows.into_iter().step_by(step);
    if picture == Picture::Residuals {
        let places: Vec<_> = rows.map(|(truth, said)| (said, truth - said)).collect();
        let x = Axis::around("predicted", places.iter().map(|place| place.0));
        let y = Axis::around("residual: true less predicted", places.iter().map(|place| place.1));
        let line = ("no error", [(x.from, 0.0), (x.to, 0.0)]);
        return plot(canvas, &places, (x, y), &name, line);
    }
    let places: Vec<_> = rows.collect();
    // The same numbers on both axes, so that the line of no error is the diagonal.
    let both = || places.iter().flat_map(|&(truth, said)| [truth, said]);
    let (x, y) = (Axis::around("true", both()), Axis::around("predicted", both()));
    let line = ("no error: predicted as true", [(x.from, x.from), (x.to, x.to)]);
    plot(canvas, &places, (x, y), &name, line)
}

fn plot(
    canvas: &Canvas<'_>,
    places: &[(f64, f64)],
    (x, y): (Axis<'_>, Axis<'_>),
    name: &str,
    (means, line): (&str, [(f64, f64); 2]),
) -> Result<()> {
    some(places)?;
    let lines = [line.to_vec()];
    // Many rows are drawn smaller, so that they can be told apart.
    let radius = (60.0 / (places.len() as f64).sqrt()).clamp(1.8, 4.0);
    let layers = vec![
        Layer { name, colour: 0, shape: Shape::Dots(places, radius) },
        // Above the rows, which would hide it where they are many.
        Layer { name: means, colour: 1, shape: Shape::Lines(&lines) },
    ];
    canvas.write(|options| scatter_svg(&Scatter { x, y, square: false, layers }, options))
}
