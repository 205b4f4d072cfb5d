//! Contours of probabilities over the plane: lines along which a model is equally sure.
//!
//! Lines are found by marching squares (W. E. Lorensen, H. E. Cline, SIGGRAPH 1987, in the plane):
//! in every cell of a grid the crossings of its sides are joined, a saddle by its mean.

use crate::page::{Options, Page};
use crate::plot::{self, Frame, Legend, Row, Sample};
use crate::svg::{Anchor, Svg};
use crate::thin::Rates;

/// Probabilities on a grid.
#[derive(Debug, Clone, Copy)]
pub struct Contours<'a> {
    /// The name in the legend; any text.
    pub name: &'a str,
    /// Row after row from the lowest, `side` numbers each, evenly over the square.
    pub values: &'a [f64],
    /// How many numbers a row has.
    pub side: usize,
}

/// The levels that are drawn; the middle one is thick.
const LEVELS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Draws the contours of several grids over the same square of the plane; the text of an SVG file.
/// `x` and `y` are the names and the ends of the axes.
pub fn contours_svg(
    grids: &[Contours<'_>],
    x: (&str, [f64; 2]),
    y: (&str, [f64; 2]),
    options: &Options,
) -> String {
    let page = Page::new(options, plot::WIDTH, plot::LEFT);
    let frame = Frame::square(page.top(), page.colours());
    let mut body = Svg::default();
    plot::outline(&mut body, &frame);
    ends(&mut body, &frame, x, y);
    let (mut rows, mut says) = (Vec::new(), String::new());
    for (number, grid) in grids.iter().enumerate() {
        let stroke = options.theme.stroke(number);
        for level in LEVELS {
            let width = if level == 0.5 { 2.6 } else { 1.2 };
            let lines = segments(grid, level);
            let path: String = lines.iter().map(|line| frame.path(line)).collect();
            if !path.is_empty() {
                body.path(
                    &path,
                    &[
                        ("fill", &"none"),
                        ("stroke", &stroke.colour),
                        ("stroke-width", &width),
                        ("stroke-dasharray", &stroke.dash),
                    ],
                );
            }
        }
        rows.push(Row::remark(Sample::Line(stroke, 2.0), grid.name));
        says += &format!("Contours of {} at 0.1, 0.3, 0.5, 0.7 and 0.9. ", grid.name);
    }
    let legend = Legend::new(Vec::new(), rows);
    legend.finish(&page, body, frame.area.bottom() + 80.0, ("Contours", says.trim_end()))
}

/// The ends and the names of the axes.
fn ends(
    svg: &mut Svg,
    frame: &Frame,
    (x_name, x): (&str, [f64; 2]),
    (y_name, y): (&str, [f64; 2]),
) {
    svg.open("g", &[("fill", &frame.colours.muted), ("font-size", &13.0)]);
    for at in [0, 1] {
        let place = f64::from(at as u8);
        let (left, low) = (frame.x(0.0), frame.y(0.0));
        svg.words((frame.x(place), low + 20.0), Anchor::Middle, &[], &format!("{}", x[at]));
        svg.words((left - 10.0, frame.y(place) + 4.5), Anchor::End, &[], &format!("{}", y[at]));
    }
    svg.close();
    let at = (frame.x(0.5), frame.y(0.0) + 46.0);
    svg.words(at, Anchor::Middle, &[("font-weight", &"500")], x_name);
    plot::left_name(svg, frame, y_name);
}

/// The pieces of a contour, two points each, in the unit square.
fn segments(grid: &Contours<'_>, level: f64) -> Vec<[Rates; 2]> {
    let side = grid.side.min(grid.values.len().checked_div(grid.side).unwrap_or(0));
    let mut found = Vec::new();
    if side < 2 {
        return found;
    }
    let step = 1.0 / (side - 1) as f64;
    let value = |column: usize, row: usize| grid.values[row * grid.side + column];
    for row in 0..side - 1 {
        for column in 0..side - 1 {
            // Counter-clockwise from the lower left.
            let places = [(0, 0), (1, 0), (1, 1), (0, 1)];
            let corners = places.map(|(dx, dy)| value(column + dx, row + dy) - level);
            if corners.iter().any(|value| !value.is_finite()) {
                continue;
            }
            let mut cuts: Vec<Rates> = Vec::new();
            for from in 0..4 {
                let (a, b) = (corners[from], corners[(from + 1) % 4]);
                if (a > 0.0) == (b > 0.0) {
                    continue;
                }
                let (share, [p, q]) = (a / (a - b), [places[from], places[(from + 1) % 4]]);
                let between = |p: usize, q: usize| p as f64 + share * (q as f64 - p as f64);
                let at = (column as f64 + between(p.0, q.0), row as f64 + between(p.1, q.1));
                cuts.push((at.0 * step, at.1 * step));
            }
            if cuts.len() == 4 {
                // A saddle: the side of its middle is joined.
                let middle = corners.iter().sum::<f64>() > 0.0;
                if middle != (corners[0] > 0.0) {
                    cuts.rotate_left(1);
                }
            }
            found.extend(cuts.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{NASTY, assert_sound};

    fn grid(of: impl Fn(f64, f64) -> f64, side: usize) -> Vec<f64> {
        let at = |i: usize| i as f64 / (side - 1) as f64;
        (0..side * side).map(|cell| of(at(cell % side), at(cell / side))).collect()
    }

    #[test]
    fn the_contour_of_a_slope_is_a_straight_line_and_of_a_cone_a_circle() {
        let values = grid(f64::midpoint, 9);
        let found = segments(&Contours { name: "", values: &values, side: 9 }, 0.3);
        assert!(!found.is_empty());
        for (x, y) in found.into_iter().flatten() {
            assert!((x + y - 0.6).abs() < 1e-12, "{x} {y}");
        }
        let cone = grid(|x, y| (x - 0.5).hypot(y - 0.5), 101);
        let found = segments(&Contours { name: "", values: &cone, side: 101 }, 0.3);
        let length: f64 = found.iter().map(|[a, b]| (a.0 - b.0).hypot(a.1 - b.1)).sum();
        assert!((length / (0.6 * std::f64::consts::PI) - 1.0).abs() < 0.01, "{length}");
    }

    #[test]
    fn a_saddle_is_joined_one_way_and_pictures_are_sound() {
        let values = [1.0, 0.0, 0.0, 1.0];
        assert_eq!(segments(&Contours { name: "", values: &values, side: 2 }, 0.4).len(), 2);
        let wave = grid(|x, y| 0.5 + 0.5 * (9.0 * x).sin() * (9.0 * y).cos(), 30);
        let grids = [
            Contours { name: NASTY, values: &wave, side: 30 },
            Contours { name: "flat", values: &[0.2; 9], side: 3 },
            Contours { name: "broken", values: &[f64::NAN; 4], side: 2 },
            Contours { name: "empty", values: &[], side: 0 },
        ];
        let options = Options { title: NASTY.to_owned(), ..Options::default() };
        assert_sound(&contours_svg(&grids, ("x", [-1.25, 1.0]), ("y", [-0.2, 1.2]), &options));
    }
}
