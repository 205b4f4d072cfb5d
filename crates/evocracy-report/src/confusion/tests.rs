use super::*;
use crate::testing::{NASTY, assert_sound};
use crate::theme::Theme;

fn counts(classes: usize, scale: f64) -> Vec<f64> {
    let at = |i: usize| {
        let (truth, called) = (i / classes, i % classes);
        let wrong = (truth * 7 + called * 13) % 11;
        let rows = if truth == called { 50 + truth } else { wrong.saturating_sub(7) };
        (rows as f64 * scale).floor()
    };
    (0..classes * classes).map(at).collect()
}

#[test]
fn matrices_of_any_size_are_drawn_on_the_canvas() {
    for classes in [1, 2, 3, 10, 25, 40, 41, 200] {
        for scale in [1.0, 1e5] {
            let names: Vec<String> = (0..classes).map(|i| format!("{i} {NASTY}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let counts = counts(classes, scale);
            let data = Confusion { classes: &names, counts: &counts };
            let options = Options {
                title: NASTY.into(),
                subtitle: NASTY.into(),
                theme: Theme::Dark,
                ..Options::default()
            };
            let svg = confusion_svg(&data, &options);
            assert_sound(&svg);
            assert!(svg.len() < 1_200_000, "{classes} classes: {} bytes", svg.len());
            assert_eq!(svg, confusion_svg(&data, &options));
        }
    }
}

#[test]
fn cells_say_how_many_and_which_share() {
    let data = Confusion { classes: &["ill", "well"], counts: &[40.0, 2.0, 0.0, 100.0] };
    let svg = confusion_svg(&data, &Options::default());
    for part in [">40<", ">95.2 %<", ">4.8 %<", ">100 %<", ">truth<", ">called<"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(svg.contains("truth ill, called well: 2 (4.8 %)"));
    assert!(svg.contains("140 of 142 rows"));
}

#[test]
fn shares_that_are_not_whole_do_not_look_so() {
    let data = Confusion { classes: &["a", "b"], counts: &[99_999.0, 1.0, 0.5, 0.5] };
    let svg = confusion_svg(&data, &Options::default());
    assert!(svg.contains("99.9 %") && svg.contains("&lt;0.1 %") && !svg.contains(">100"));
}

#[test]
fn the_rarest_of_too_many_classes_are_put_together() {
    let names: Vec<String> = (0..100).map(|i| format!("c{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let counts = counts(100, 1.0);
    let matrix = Matrix::new(&Confusion { classes: &names, counts: &counts });
    assert_eq!(matrix.names.len(), 40);
    assert_eq!(matrix.names[39], "61 others");
    assert_eq!(matrix.right, f64::from((50..150).sum::<i32>()));
    assert_eq!(matrix.counts.iter().sum::<f64>(), counts.iter().sum::<f64>());
}

#[test]
fn broken_input_draws_what_can_be_drawn() {
    let wild = [f64::NAN, -1.0, f64::INFINITY];
    // Names without counts cost nothing.
    let many = vec!["x"; 1_000_000];
    let svg = confusion_svg(&Confusion { classes: &many, counts: &[] }, &Options::default());
    assert!(svg.len() < 60_000);
    for counts in [&wild[..], &[], &[0.0; 9]] {
        for classes in [&["", "b", "c"][..], &[]] {
            assert_sound(&confusion_svg(&Confusion { classes, counts }, &Options::default()));
        }
    }
}
