use super::*;
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

/// Fails unless every element is closed in order and every ampersand is an entity.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("an unescaped <");
        assert!(!text.contains('>'), "an unescaped >: {text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty());
    for entity in svg.split('&').skip(1) {
        let entity = entity.split_once(';').expect("an unescaped &").0;
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&entity), "{entity}");
    }
}

/// The coordinates of all paths.
fn path_points(svg: &str) -> Vec<Rates> {
    let paths = svg.split(" d=\"").skip(1).map(|p| p.split('"').next().unwrap());
    let points = paths.flat_map(|p| p.trim_end_matches('Z').split(['M', 'L']).skip(1));
    let number = |text: &str| text.parse::<f64>().unwrap();
    points.map(|p| p.split_once(' ').unwrap()).map(|(x, y)| (number(x), number(y))).collect()
}

#[test]
fn text_of_a_person_is_no_markup_and_elements_are_closed() {
    let (curve, interval) = roc(300, 0.6);
    let nasty = "</text><script>alert('1 & \"2\"')</script>\u{0}\u{1b}";
    let named = NamedCurve::new(nasty, &curve).interval(interval).mark(curve.at(0.5), nasty);
    let options = Options { title: nasty.into(), subtitle: nasty.into(), theme: Theme::Dark };
    for curves in [vec![named.clone()], vec![named.clone(), named]] {
        let svg = roc_svg(&curves, &options);
        assert_well_formed(&svg);
        assert!(!svg.contains("<script") && !svg.contains('\u{0}') && !svg.contains('\u{1b}'));
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
fn a_million_points_make_a_small_picture_inside_the_square() {
    let (truth, scores) = example(1_000_000, 0.6);
    let curve = Roc::new(&truth, &scores, None).unwrap();
    assert!(curve.points().len() > 500_000);
    let svg = roc_svg(&[NamedCurve::new("big", &curve)], &Options::default());
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
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
    let mark = Some(Mark { fpr: f64::NAN, tpr: 7.0, label: String::new() });
    let curve = NamedCurve { name: "", points: &points, auc: None, interval: None, mark };
    let svg = roc_svg(&[curve], &Options::default());
    assert_well_formed(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    for (x, y) in path_points(&svg) {
        assert!((LEFT..=LEFT + SIDE).contains(&x) && (28.0..=28.0 + SIDE).contains(&y));
    }
    assert_well_formed(&roc_svg(&[], &Options::default()));
}
