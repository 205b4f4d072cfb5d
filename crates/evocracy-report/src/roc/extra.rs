//! What may accompany a ROC curve: its convex hull, its confidence band, and the line of
//! points that cost the same as the marked one.

use super::NamedCurve;
use crate::plot::{Along, Curve, Frame, Ink, MOST_POINTS, Row, Sample};
use crate::svg::{Attributes, Svg};
use crate::theme::{Colours, Stroke};
use crate::thin::{Rates, thin};

const HULL_WIDTH: f64 = 1.1;
const ISO_WIDTH: f64 = 1.25;
const SMOOTH_WIDTH: f64 = 1.75;
const SMOOTH_DASH: &str = "6 4";
const ISO_DASH: &str = "7 3";

/// Most points of other lines that the label of a line of equal cost may cover.
const MOST_COVERED: usize = 6;

/// The companions of all curves.
pub(super) struct Extras<'a>(Vec<Extra<'a>>);

/// The companions of one curve.
struct Extra<'a> {
    colour: &'static str,
    hull: Vec<Rates>,
    band: Option<(Vec<Rates>, Vec<Rates>, &'a str)>,
    iso: Option<(Rates, Rates, &'a str)>,
    smooth: Option<(Vec<Rates>, &'a str)>,
}

impl<'a> Extras<'a> {
    pub(super) fn new(given: &'a [NamedCurve<'a>], drawn: &[Curve<'a>]) -> Self {
        let thinned = |points: &[Rates]| thin(points.iter().copied(), MOST_POINTS);
        let extra = |(curve, drawn): (&'a NamedCurve<'a>, &Curve<'a>)| {
            let band = curve.band.as_ref();
            let through = drawn.spot.as_ref();
            let iso = curve.iso.as_ref().and_then(|iso| {
                let (from, to) = clip(through?.at(), iso.slope)?;
                Some((from, to, &iso.label[..]))
            });
            Extra {
                colour: drawn.stroke.colour,
                hull: thinned(curve.hull),
                band: band.map(|b| (thinned(b.lower), thinned(b.upper), &b.label[..])),
                iso,
                smooth: curve.smooth.map(|(points, label)| (thinned(points), label)),
            }
        };
        Self(given.iter().zip(drawn).map(extra).collect())
    }

    /// Whether an area is filled.
    pub(super) fn filled(&self) -> bool {
        self.0.iter().any(|e| e.band.is_some())
    }

    /// What labels should keep off.
    pub(super) fn ink(&self, frame: &Frame, ink: &mut Ink) {
        for extra in &self.0 {
            ink.line(frame, &extra.hull);
            ink.line(frame, extra.smooth.as_ref().map_or(&[][..], |(points, _)| points));
            if let Some((from, to, _)) = extra.iso {
                ink.line(frame, &[from, to]);
            }
        }
    }

    pub(super) fn bands(&self, svg: &mut Svg, frame: &Frame) {
        for extra in self.0.iter().rev() {
            let Some((lower, upper, label)) = &extra.band else { continue };
            if lower.len() + upper.len() < 3 {
                continue;
            }
            svg.open("g", &[("class", &"band")]);
            svg.says("title", or(label, BAND));
            let style: Attributes<'_> = &[("fill", &extra.colour), ("fill-opacity", &"0.18")];
            svg.path(&frame.between(lower, upper), style);
            svg.close();
        }
    }

    pub(super) fn hulls(&self, svg: &mut Svg, frame: &Frame) {
        for extra in self.0.iter().rev().filter(|e| e.hull.len() > 1) {
            let style: Attributes<'_> =
                &[("fill", &"none"), ("stroke", &extra.colour), ("stroke-width", &HULL_WIDTH)];
            svg.path(&frame.path(&extra.hull), style);
        }
    }

    /// Draws the fitted curves.
    pub(super) fn smooths(&self, svg: &mut Svg, frame: &Frame) {
        let of = |e: &'_ Extra<'a>| e.smooth.clone().map(|smooth| (e.colour, smooth));
        for (colour, (points, label)) in self.0.iter().rev().filter_map(of) {
            svg.open("g", &[("class", &"smooth")]);
            svg.says("title", or(label, SMOOTH));
            let style: Attributes<'_> = &[
                ("fill", &"none"),
                ("stroke", &colour),
                ("stroke-width", &SMOOTH_WIDTH),
                ("stroke-dasharray", &SMOOTH_DASH),
            ];
            svg.path(&frame.path(&points), style);
            svg.close();
        }
    }

    /// Draws the lines of equal cost. A lone one is labelled if there is room along it; the
    /// labels of the others are returned, with their colours.
    pub(super) fn isos(
        &self,
        svg: &mut Svg,
        frame: &Frame,
        ink: &mut Ink,
    ) -> Vec<(&'static str, &'a str)> {
        let isos = || self.0.iter().filter_map(|e| e.iso.map(|iso| (e.colour, iso)));
        let lone = isos().count() == 1;
        let mut unlabelled = Vec::new();
        for (colour, (from, to, label)) in isos() {
            let style: Attributes<'_> = &[
                ("stroke", &colour),
                ("stroke-width", &ISO_WIDTH),
                ("stroke-dasharray", &ISO_DASH),
            ];
            svg.line(frame.at(from), frame.at(to), style);
            let text = or(label, ISO);
            let along = Along { from, to, text, best: 0.6, most: MOST_COVERED };
            if !lone || !ink.label(svg, frame, &along) {
                unlabelled.push((colour, text));
            }
        }
        unlabelled
    }

    /// What the legend says about these lines and areas.
    pub(super) fn rows(
        &self,
        unlabelled: Vec<(&'static str, &'a str)>,
        colours: Colours,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let hulls: Vec<&str> =
            self.0.iter().filter(|e| e.hull.len() > 1).map(|e| e.colour).collect();
        if let [first, others @ ..] = &hulls[..] {
            let colour = if others.is_empty() { first } else { colours.muted };
            let sample = Sample::Line(Stroke { colour, dash: "" }, HULL_WIDTH);
            rows.push(Row::remark(sample, "convex hull"));
        }
        for (colour, (_, label)) in
            self.0.iter().filter_map(|e| Some((e.colour, e.smooth.as_ref()?)))
        {
            let sample = Sample::Line(Stroke { colour, dash: SMOOTH_DASH }, SMOOTH_WIDTH);
            rows.push(Row::remark(sample, or(label, SMOOTH)));
        }
        let bands: Vec<_> =
            self.0.iter().filter_map(|e| Some((e.colour, e.band.as_ref()?.2))).collect();
        if let [(colour, label), others @ ..] = &bands[..] {
            let colour = if others.is_empty() { colour } else { colours.muted };
            let alike = others.iter().all(|(_, other)| other == label);
            rows.push(Row::remark(Sample::Fill(colour), or(if alike { label } else { "" }, BAND)));
        }
        let alike = |(_, other): &(&str, &str)| *other == unlabelled[0].1;
        let unlabelled = match &unlabelled[..] {
            [(_, label), _, ..] if unlabelled.iter().all(alike) => vec![(colours.muted, *label)],
            _ => unlabelled,
        };
        rows.extend(unlabelled.into_iter().map(|(colour, label)| {
            Row::remark(Sample::Line(Stroke { colour, dash: ISO_DASH }, ISO_WIDTH), label)
        }));
        rows
    }
}

const BAND: &str = "confidence band";
const SMOOTH: &str = "smoothed";
const ISO: &str = "equal cost";

fn or<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    if text.trim().is_empty() { otherwise } else { text }
}

/// The part of a line through a point that lies in the unit square, from left to right.
/// `None` for a slope that no costs have, and for a line that only touches a corner.
fn clip((x, y): Rates, slope: f64) -> Option<(Rates, Rates)> {
    if slope.is_nan() || slope < 0.0 {
        return None;
    }
    // As steps along each side, of which the longer is 1.
    let (dx, dy) = if slope > 1.0 { (1.0 / slope, 1.0) } else { (1.0, slope) };
    let reach = |at: f64, step: f64| if step > 0.0 { at / step } else { f64::INFINITY };
    let back = reach(x, dx).min(reach(y, dy));
    let ahead = reach(1.0 - x, dx).min(reach(1.0 - y, dy));
    let at = |t: f64| ((x + t * dx).clamp(0.0, 1.0), (y + t * dy).clamp(0.0, 1.0));
    (back + ahead > 1e-9).then(|| (at(-back), at(ahead)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_clipped_to_the_square() {
        let near = |a: (Rates, Rates), b: (Rates, Rates)| {
            let d = |p: Rates, q: Rates| (p.0 - q.0).abs() + (p.1 - q.1).abs();
            d(a.0, b.0) + d(a.1, b.1) < 1e-12
        };
        let clipped = |p, slope| clip(p, slope).unwrap();
        assert!(near(clipped((0.2, 0.5), 1.0), ((0.0, 0.3), (0.7, 1.0))));
        assert!(near(clipped((0.2, 0.5), 0.0), ((0.0, 0.5), (1.0, 0.5))));
        assert!(near(clipped((0.2, 0.5), f64::INFINITY), ((0.2, 0.0), (0.2, 1.0))));
        assert!(near(clipped((0.25, 0.5), 4.0), ((0.125, 0.0), (0.375, 1.0))));
        assert_eq!(clip((0.0, 1.0), 1.0), None);
        assert_eq!((clip((0.5, 0.5), f64::NAN), clip((0.5, 0.5), -1.0)), (None, None));
    }
}
