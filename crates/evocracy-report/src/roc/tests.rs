use super::*;
use crate::plot::{LEFT, SIDE};
use crate::testing::{NASTY, assert_sound, path_points};
use crate::theme::Theme;
use evocracy::measure::{Delong, LEVEL};

/// Scores of two overlapping classes, without a random generator.
fn example(rows: u32, gap: f64) -> (Vec<bool>, Vec<f64>) {
    let truth: Vec<bool> = (0..rows).map(|i| i % 3 == 0).collect();
    let part = |i: u32, m: u32| f64::from(i.wrapping_mul(m) >> 8) / f64::from(1u32 << 24);
    let noise = |i: u32| part(i, 2_654_435_761) + part(i, 2_246_822_519) + part(i, 3_266_489_917);
    let scores = (0..rows).map(|i| (noise(i) + gap * f64::from(u8::from(i % 3 == 0))) / 4.0);
    (truth, scores.collect())
}

fn roc(rows: u32, gap: f64) -> (Roc, Interval) {
    let (truth, scores) = example(rows, gap);
    let interval = Delong::new(&truth, &scores, None).unwrap().interval(LEVEL).unwrap();
    (Roc::new(&truth, &scores, None).unwrap(), interval)
}

/// The corners of the hull and a band around the curve.
fn around(curve: &Roc) -> [Vec<(f64, f64)>; 3] {
    let shifted = |by: f64| curve.points().iter().map(move |p| (p.fpr, (p.tpr + by).min(1.0)));
    [vec![(0.0, 0.0), (0.3, 0.8), (1.0, 1.0)], shifted(-0.1).collect(), shifted(0.1).collect()]
}

#[test]
fn text_of_a_person_is_no_markup_and_elements_are_closed() {
    let (curve, interval) = roc(300, 0.6);
    let [hull, lower, upper] = around(&curve);
    let band = Band { lower: &lower, upper: &upper, label: NASTY.into() };
    let named = NamedCurve::new(NASTY, &curve).interval(interval).mark(curve.at(0.5), NASTY);
    let full = named.clone().hull(&hull).band(band).iso(0.7, NASTY);
    let full = NamedCurve { smooth: Some((&hull, NASTY)), ..full };
    let options = Options {
        title: NASTY.into(),
        subtitle: NASTY.into(),
        theme: Theme::Dark,
        ..Options::default()
    };
    for curves in [vec![named.clone()], vec![full.clone()], vec![named, full]] {
        assert_sound(&roc_svg(&curves, &options));
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_and_says_what_it_shows() {
    let (curve, interval) = roc(300, 0.6);
    let named = NamedCurve::new("tree", &curve).interval(interval);
    let options = Options { title: "Trees".into(), ..Options::default() };
    let svg = roc_svg(std::slice::from_ref(&named), &options);
    assert_eq!(svg, roc_svg(&[named], &options));
    for part in ["role=\"img\"", "aria-label=\"Trees\"", "<title>Trees</title>", "95 % interval"] {
        assert!(svg.contains(part), "{part}");
    }
}

#[test]
fn a_picture_is_fitted_in_the_size_that_was_asked_for() {
    let (curve, _) = roc(300, 0.6);
    let named = [NamedCurve::new("tree", &curve)];
    let (own, size) = (roc_svg(&named, &Options::default()), Some((300, 900)));
    let sized = roc_svg(&named, &Options { size, ..Options::default() });
    assert!(sized.contains(r#"width="300" height="900" viewBox="0 0 640 "#), "{sized}");
    // Nothing else differs: the viewer scales it.
    let rest = |svg: &str| svg.split_once("viewBox").map(|(_, rest)| rest.to_owned());
    assert_eq!(rest(&own), rest(&sized));
}

#[test]
fn a_smooth_curve_is_dashed_and_named_in_the_legend() {
    let (curve, _) = roc(300, 0.6);
    let line = [(0.0, 0.0), (0.2, 0.6), (1.0, 1.0)];
    let named =
        NamedCurve { smooth: Some((&line, "tree, smoothed")), ..NamedCurve::new("tree", &curve) };
    let svg = roc_svg(&[named], &Options::default());
    assert_sound(&svg);
    assert_eq!(svg.matches("class=\"smooth\"").count(), 1);
    assert!(svg.matches("tree, smoothed").count() >= 2, "in the picture and in the legend");
}

#[test]
fn a_million_points_make_a_small_picture_inside_the_square() {
    let (truth, scores) = example(1_000_000, 0.6);
    let curve = Roc::new(&truth, &scores, None).unwrap();
    assert!(curve.points().len() > 500_000);
    let [_, lower, upper] = around(&curve);
    let band = Band { lower: &lower, upper: &upper, label: String::new() };
    let svg = roc_svg(&[NamedCurve::new("big", &curve).band(band)], &Options::default());
    assert_sound(&svg);
    assert!(svg.len() < 150_000, "{} bytes", svg.len());
    let points = path_points(&svg);
    assert!(points.len() > 1000);
    for (x, y) in points {
        assert!((LEFT..=LEFT + SIDE).contains(&x) && (28.0..=28.0 + SIDE).contains(&y));
    }
}

#[test]
fn broken_input_draws_what_can_be_drawn() {
    let wild = [(f64::NAN, 0.0), (-3.0, 0.5), (0.5, f64::INFINITY), (2.0, 1.0)];
    let points = wild.map(|(fpr, tpr)| Point { threshold: 0.0, fpr, tpr });
    let wild_mark = Mark { fpr: f64::NAN, tpr: 7.0, label: String::new() };
    let curve = NamedCurve::plain("", &points).hull(&wild).iso(f64::NAN, "");
    let curve = NamedCurve { smooth: Some((&wild, "")), ..curve };
    let band = Band { lower: &wild[..1], upper: &[], label: String::new() };
    let marked = NamedCurve { mark: Some(wild_mark), auc: Some(f64::NAN), ..curve.clone() };
    let outside =
        NamedCurve { mark: Some(Mark { fpr: -1.0, tpr: 2.0, label: "x".into() }), ..curve };
    for curve in [marked.band(band), outside.iso(f64::INFINITY, "")] {
        let svg = roc_svg(&[curve], &Options::default());
        assert_sound(&svg);
        for (x, y) in path_points(&svg) {
            assert!((LEFT..=LEFT + SIDE).contains(&x) && (28.0..=28.0 + SIDE).contains(&y));
        }
    }
    assert_sound(&roc_svg(&[], &Options::default()));
}

#[test]
fn a_line_of_equal_cost_is_labelled_beside_it_or_below() {
    let (curve, _) = roc(300, 0.6);
    let at = Point { threshold: 0.5, fpr: 0.3, tpr: 0.7 };
    let named = NamedCurve::new("tree", &curve).mark(at, "best");
    let drawn = |text: &str| {
        let curve = named.clone().iso(0.8, text);
        let svg = roc_svg(&[curve], &Options::default());
        assert_sound(&svg);
        let line = svg.lines().find(|l| l.contains(">equal cost")).unwrap().to_owned();
        line.contains("rotate(")
    };
    assert!(drawn("equal cost: FP 1, FN 5"));
    assert!(!drawn(&format!("equal cost: {}", "FP 1, FN 5 ".repeat(20))));
}
