use super::*;
use crate::testing::{NASTY, assert_sound};
use crate::theme::Theme;

fn bins(count: u32) -> Vec<Bin> {
    let bin = |i: u32| {
        let (from, to) = (f64::from(i) / f64::from(count), f64::from(i + 1) / f64::from(count));
        let mean = f64::midpoint(from, to);
        let (rate, level) = (mean * mean, 0.95);
        let interval = Some(Interval { low: rate * 0.8, high: rate.sqrt(), level });
        Bin { from, to, rows: f64::from(i % 7 * 10), mean, rate, interval }
    };
    (0..count).map(bin).collect()
}

#[test]
fn text_is_escaped_and_everything_is_on_the_canvas() {
    let bins = bins(10);
    let one = Reliability { name: NASTY, bins: &bins, note: NASTY };
    let options = Options {
        title: NASTY.into(),
        subtitle: NASTY.into(),
        theme: Theme::Dark,
        ..Options::default()
    };
    for tables in [vec![one.clone()], vec![one; 6]] {
        let svg = reliability_svg(&tables, &options);
        assert_sound(&svg);
        assert_eq!(svg, reliability_svg(&tables, &options));
        assert!(svg.contains("95 % interval of the observed share"));
        // Two of ten bins are empty.
        assert_eq!(svg.matches("class=\"bin\"").count(), 8 * tables.len());
    }
}

#[test]
fn a_million_bins_make_a_small_picture_that_says_so() {
    let bins = bins(1_000_000);
    let svg = reliability_svg(
        &[Reliability { bins: &bins, ..Reliability::default() }],
        &Options::default(),
    );
    assert_sound(&svg);
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
    assert!(svg.contains("100 of 857142 bins are drawn"));
}

#[test]
fn broken_input_draws_what_can_be_drawn() {
    let interval = Some(Interval { low: f64::NAN, high: 2.0, level: 0.95 });
    let wild = Bin { from: f64::NAN, to: -3.0, rows: 5.0, mean: 7.0, rate: -1.0, interval };
    let bins = [
        wild,
        Bin { rows: f64::INFINITY, ..wild },
        Bin { rows: f64::NAN, ..wild },
        Bin { mean: f64::NAN, ..wild },
        Bin { interval: Some(Interval { low: -1.0, high: 3.0, level: 0.9 }), ..wild },
        Bin { from: 0.3, to: 0.3, mean: 0.3, rate: 0.3, rows: 1e-300, interval: None },
        Bin { rows: f64::MAX, ..wild },
    ];
    for bins in [&bins[..], &bins[..1], &bins[1..4], &[]] {
        let svg = reliability_svg(
            &[Reliability { name: "x", bins, ..Reliability::default() }],
            &Options::default(),
        );
        assert_sound(&svg);
    }
    assert_sound(&reliability_svg(&[], &Options::default()));
}
