//! Points and lines in any two numbers: fronts, decision boundaries, one figure against another.

mod axis;
#[cfg(test)]
mod tests;

use crate::page::{Options, Page};
use crate::plot::{self, Frame, Legend, Row, Sample};
use crate::svg::{Attributes, Svg, polyline};
use crate::theme::{Stroke, Theme, mix};
pub use axis::Axis;

/// Most points drawn of one layer.
const MOST: usize = 5000;

/// Steps of the shades in the legend.
const SHADES: usize = 7;

/// What is drawn, the first layer below all others.
#[derive(Debug, Clone, Default)]
pub struct Scatter<'a> {
    /// The numbers from left to right.
    pub x: Axis<'a>,
    /// The numbers from below.
    pub y: Axis<'a>,
    /// Whether a step is as long in both directions.
    pub square: bool,
    /// What is drawn.
    pub layers: Vec<Layer<'a>>,
}

/// Something of one kind.
#[derive(Debug, Clone)]
pub struct Layer<'a> {
    /// The name in the legend; any text.
    pub name: &'a str,
    /// Its colour, by number.
    pub colour: usize,
    /// Its shape.
    pub shape: Shape<'a>,
}

/// How a layer is drawn.
#[derive(Debug, Clone)]
pub enum Shape<'a> {
    /// A filled circle of that radius in pixels at every place.
    Dots(&'a [(f64, f64)], f64),
    /// Two crossed strokes at every place.
    Crosses(&'a [(f64, f64)]),
    /// An upright cross and around it a circle of that radius, in the numbers of the axes.
    Rings(&'a [((f64, f64), f64)]),
    /// A dot at every place, the darker, the larger the number beside it.
    Shaded(&'a [((f64, f64), f64)]),
    /// Lines through places.
    Lines(&'a [Vec<(f64, f64)>]),
}

/// Where numbers are on the page.
struct Plane<'a> {
    frame: Frame,
    x: &'a Axis<'a>,
    y: &'a Axis<'a>,
}

impl Plane<'_> {
    /// The place of a point; none outside of the axes.
    fn at(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (x, y) = (self.x.share(x)?, self.y.share(y)?);
        Some(self.frame.at((x, y)))
    }

    /// So many pixels is a length along the first axis.
    fn length(&self, of: f64) -> f64 {
        self.frame.area.width * of / (self.x.to - self.x.from)
    }
}

/// Draws points and lines; the text of an SVG file. What lies outside of the axes is left out.
///
/// ```
/// use evocracy_report::{Axis, Layer, Options, Scatter, Shape, scatter_svg};
///
/// let places = [(0.0, 1.0), (3.0, 2.5)];
/// let layer = Layer { name: "measured", colour: 0, shape: Shape::Dots(&places, 3.0) };
/// let axis = |name| Axis { name, from: 0.0, to: 4.0 };
/// let data = Scatter { x: axis("width"), y: axis("height"), square: true, layers: vec![layer] };
/// assert!(scatter_svg(&data, &Options::default()).starts_with("<svg"));
/// ```
pub fn scatter_svg(data: &Scatter<'_>, options: &Options) -> String {
    let page = Page::new(options, plot::WIDTH, plot::LEFT);
    let mut frame = Frame::square(page.top(), page.colours());
    if data.square {
        let steep = (data.y.to - data.y.from) / (data.x.to - data.x.from);
        if steep.is_finite() && steep > 0.0 {
            frame.area.height = (frame.area.width * steep).clamp(120.0, 2.0 * plot::SIDE);
        }
    }
    let plane = Plane { frame, x: &data.x, y: &data.y };
    let mut body = Svg::default();
    axis::draw(&mut body, &plane);
    let mut rows = Vec::new();
    for layer in &data.layers {
        rows.push(layer.draw(&mut body, &plane, options.theme));
    }
    let names: Vec<&str> = data.layers.iter().map(|layer| layer.name).collect();
    let description = format!("{} against {}: {}.", data.y.name, data.x.name, names.join(", "));
    let top = plane.frame.area.bottom() + 80.0;
    Legend::new(Vec::new(), rows).finish(&page, body, top, ("Scatter plot", &description))
}

impl Layer<'_> {
    /// Draws it; the row of the legend.
    fn draw(&self, svg: &mut Svg, plane: &Plane<'_>, theme: Theme) -> Row {
        let stroke = theme.stroke(self.colour);
        let sample = match self.shape {
            Shape::Dots(places, radius) => {
                svg.open("g", &[("fill", &stroke.colour), ("fill-opacity", &"0.75")]);
                for place in thinned(places).filter_map(|place| plane.at(*place)) {
                    svg.circle(place, radius, &[]);
                }
                svg.close();
                Sample::Dot(stroke.colour)
            }
            Shape::Crosses(places) => {
                open(svg, stroke.colour, "1.4");
                for (x, y) in thinned(places).filter_map(|place| plane.at(*place)) {
                    svg.line((x - 3.2, y - 3.2), (x + 3.2, y + 3.2), &[]);
                    svg.line((x - 3.2, y + 3.2), (x + 3.2, y - 3.2), &[]);
                }
                svg.close();
                Sample::Cross(stroke.colour)
            }
            Shape::Rings(rings) => {
                draw_rings(svg, plane, stroke, rings);
                Sample::Ring(stroke.colour)
            }
            Shape::Shaded(places) => return self.shaded(svg, plane, theme, places),
            Shape::Lines(lines) => {
                let stroke = if self.colour == 0 { stroke } else { Stroke { dash: "", ..stroke } };
                let style: Attributes<'_> = &[
                    ("fill", &"none"),
                    ("stroke", &stroke.colour),
                    ("stroke-width", &"2"),
                    ("stroke-dasharray", &stroke.dash),
                    ("stroke-linejoin", &"round"),
                ];
                for line in lines {
                    let places: Vec<_> = line.iter().filter_map(|p| plane.at(*p)).collect();
                    if places.len() > 1 {
                        svg.path(&polyline(places), style);
                    }
                }
                Sample::Line(stroke, 2.0)
            }
        };
        Row { sample, text: self.name.to_owned(), cells: vec![String::new()] }
    }

    fn shaded(
        &self,
        svg: &mut Svg,
        plane: &Plane<'_>,
        theme: Theme,
        places: &[((f64, f64), f64)],
    ) -> Row {
        let finite = || places.iter().map(|(_, value)| *value).filter(|value| value.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let colour = |share: f64| {
            // From orange to blue: differently light, and never as pale as the page.
            let ends = [theme.stroke(4).colour, theme.stroke(0).colour];
            mix(ends[0], ends[1], share)
        };
        let shade = |value: f64| {
            let share = (value - low) / (high - low);
            colour(if share.is_finite() { share } else { 0.5 })
        };
        let placed = thinned(places).filter_map(|(place, value)| Some((plane.at(*place)?, value)));
        for (at, value) in placed {
            svg.circle(at, 2.6, &[("fill", &shade(*value)), ("fill-opacity", &"0.85")]);
        }
        let steps = (0..SHADES).map(|step| colour(step as f64 / (SHADES - 1) as f64));
        let text = if low.is_finite() {
            format!("{}, from {} to {}", self.name, axis::short(low), axis::short(high))
        } else {
            self.name.to_owned()
        };
        Row { sample: Sample::Shades(steps.collect()), text, cells: vec![String::new()] }
    }
}

/// Upright crosses with circles around them.
fn draw_rings(svg: &mut Svg, plane: &Plane<'_>, stroke: Stroke, rings: &[((f64, f64), f64)]) {
    open(svg, stroke.colour, "1.4");
    for ((centre, radius), (x, y)) in
        thinned(rings).filter_map(|ring| Some((ring, plane.at(ring.0)?)))
    {
        svg.line((x - 5.0, y), (x + 5.0, y), &[]);
        svg.line((x, y - 5.0), (x, y + 5.0), &[]);
        // A circle that is cut by the frame is drawn as the arcs inside.
        let arc = |step: i32| {
            let angle = f64::from(step) * std::f64::consts::TAU / 72.0;
            plane.at((centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin()))
        };
        let whole: Vec<Option<(f64, f64)>> = (0..=72).map(arc).collect();
        if plane.length(*radius) > 1.0 {
            for part in whole.split(Option::is_none).filter(|part| part.len() > 1) {
                let style: Attributes<'_> = &[("fill", &"none"), ("stroke-opacity", &"0.6")];
                svg.path(&polyline(part.iter().flatten().copied()), style);
            }
        }
    }
    svg.close();
}

fn open(svg: &mut Svg, colour: &str, width: &str) {
    svg.open("g", &[("stroke", &colour), ("stroke-width", &width)]);
}

/// Every so many of too many places.
fn thinned<T>(places: &[T]) -> impl Iterator<Item = &T> {
    places.iter().step_by(places.len().div_ceil(MOST).max(1))
}
