use super::*;
use crate::testing::{NASTY, assert_sound, path_points};
use crate::theme::Theme;

fn curve(points: u32) -> Vec<(f64, f64)> {
    let recall = |i: u32| f64::from(i) / f64::from(points);
    (1..=points).map(|i| (recall(i), 0.9 - 0.6 * recall(i).powi(2) + wave(i))).collect()
}

fn wave(i: u32) -> f64 {
    f64::from(i.wrapping_mul(2_654_435_761) >> 24) / 5120.0
}

#[test]
fn text_is_escaped_and_the_baseline_is_named() {
    let points = curve(40);
    let one = PrCurve {
        name: NASTY,
        points: &points,
        average: Some(0.7),
        interval: Some(Interval { low: 0.6, high: 0.8, level: 0.95 }),
        mark: Some((0.5, 0.75, NASTY)),
    };
    let options = Options {
        title: NASTY.into(),
        subtitle: NASTY.into(),
        theme: Theme::Dark,
        ..Options::default()
    };
    for curves in [vec![one.clone()], vec![one; 6]] {
        let svg = pr_svg(&PrecisionRecall { curves: &curves, prevalence: Some(0.12) }, &options);
        assert_sound(&svg);
        assert!(svg.contains(">0.120<") && svg.contains(">AP<") && svg.contains(">0.700<"));
        let again = PrecisionRecall { curves: &curves, prevalence: Some(0.12) };
        assert_eq!(svg, pr_svg(&again, &options));
    }
}

#[test]
fn the_area_below_the_steps_is_the_average_precision() {
    let points = [(0.25, 1.0), (0.25, 0.5), (0.75, 0.8), (1.0, 0.4)];
    let area = |points: &[Rates]| {
        let corners: Vec<Rates> = steps(points).collect();
        corners.windows(2).map(|p| (p[1].0 - p[0].0) * (p[1].1 + p[0].1) / 2.0).sum::<f64>()
    };
    assert!((area(&points) - 0.75).abs() < 1e-12);
    // The same curve the other way round starts where it ended.
    let mut falling = points;
    falling.reverse();
    assert!((area(&falling) - 0.75).abs() < 1e-12);
}

#[test]
fn a_million_points_make_a_small_picture() {
    let points = curve(1_000_000);
    let curves = [PrCurve { points: &points, ..PrCurve::default() }];
    let svg = pr_svg(&PrecisionRecall { curves: &curves, prevalence: None }, &Options::default());
    assert_sound(&svg);
    assert!(svg.len() < 150_000 && path_points(&svg).len() > 300, "{}", svg.len());
}

#[test]
fn broken_input_draws_what_can_be_drawn() {
    let wild = [(f64::NAN, 0.5), (f64::INFINITY, 7.0), (-1.0, -1.0), (0.5, f64::NAN)];
    for points in [&wild[..], &wild[..1], &[]] {
        let mark = Some((f64::NAN, 2.0, ""));
        let average = Some(f64::NAN);
        let curves = [PrCurve { points, average, mark, ..PrCurve::default() }];
        for prevalence in [Some(f64::NAN), Some(2.0), Some(0.0), Some(1.0), None] {
            let data = PrecisionRecall { curves: &curves, prevalence };
            assert_sound(&pr_svg(&data, &Options::default()));
        }
    }
    assert_sound(&pr_svg(&PrecisionRecall::default(), &Options::default()));
}
