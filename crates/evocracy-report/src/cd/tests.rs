use super::*;
use crate::testing::{NASTY, assert_sound};
use crate::theme::Theme;

#[test]
fn methods_of_any_number_are_drawn_on_the_canvas() {
    for total in [1, 2, 3, 12, 13, 40, 100] {
        let names: Vec<String> = (0..total).map(|i| format!("{i} {NASTY}")).collect();
        let rank = |i: usize| 1.0 + (total - 1) as f64 * ((i * 7) % total) as f64 / total as f64;
        let methods: Vec<(&str, f64)> =
            names.iter().enumerate().map(|(i, n)| (&n[..], rank(i))).collect();
        for critical in [None, Some(0.4), Some(1.5), Some(20.0), Some(1e300)] {
            let ranks = Ranks { methods: &methods, critical };
            let options = Options {
                title: NASTY.into(),
                subtitle: NASTY.into(),
                theme: Theme::Dark,
                ..Options::default()
            };
            let svg = cd_svg(&ranks, &options);
            assert_sound(&svg);
            assert!(svg.len() < 60_000, "{} bytes", svg.len());
            assert_eq!(svg, cd_svg(&ranks, &options));
            assert_eq!(svg.contains("of 100 methods are drawn"), total == 100);
        }
    }
}

#[test]
fn identical_ranks_are_joined_and_all_named() {
    let methods = [("a", 2.5), ("b", 2.5), ("c", 2.5), ("d", 2.5)];
    let svg = cd_svg(&Ranks { methods: &methods, critical: Some(1.0) }, &Options::default());
    assert_sound(&svg);
    assert_eq!(svg.matches("stroke-linecap").count(), 1);
    assert!(["a", "b", "c", "d"].iter().all(|n| svg.contains(&format!(">{n}<"))));
    assert!(svg.contains("CD = 1.00"));
}

#[test]
fn broken_input_draws_what_can_be_drawn() {
    let wild = [("a", f64::NAN), ("b", f64::INFINITY), ("c", 0.0), ("", 2.0), ("e", 9.0)];
    for critical in [Some(f64::NAN), Some(-1.0), Some(0.0), Some(f64::INFINITY)] {
        let svg = cd_svg(&Ranks { methods: &wild, critical }, &Options::default());
        assert_sound(&svg);
        assert!(svg.contains("1 of 5 methods are drawn"));
    }
    assert_sound(&cd_svg(&Ranks::default(), &Options::default()));
}

#[test]
fn a_million_methods_make_a_small_picture() {
    let methods: Vec<(&str, f64)> = (1..=1_000_000).map(|i| ("x", f64::from(i))).collect();
    let svg = cd_svg(&Ranks { methods: &methods, critical: Some(5.0) }, &Options::default());
    assert_sound(&svg);
    assert!(svg.len() < 30_000, "{} bytes", svg.len());
}
