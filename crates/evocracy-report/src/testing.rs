//! What every picture has to pass.

use crate::svg::Place;
use crate::text::width;

/// Text that would break a picture if it were not escaped.
pub(crate) const NASTY: &str = "</text><script>alert('1 & \"2\"')</script>\u{0}\u{1b}";

/// Fails unless the picture is well-formed, has a name and a description, holds no broken
/// number and stays on its canvas.
pub(crate) fn assert_sound(svg: &str) {
    assert_well_formed(svg);
    for part in ["<svg ", "role=\"img\"", "<title>", "<desc>"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("<script") && !svg.contains('\u{0}') && !svg.contains('\u{1b}'));
    for tag in tags(svg) {
        let numbers = tag.split('"').skip(1).step_by(2);
        assert!(numbers.clone().all(|v| v != "NaN" && v != "inf" && v != "-inf"), "{tag}");
    }
    let (wide, high) = canvas(svg);
    let places = shapes(svg).into_iter().chain(path_points(svg)).chain(texts(svg));
    for (x, y) in places {
        assert!(x >= 0.0 && x <= wide && y >= 0.0 && y <= high, "{x} {y} of {wide} {high}");
    }
}

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
pub(crate) fn path_points(svg: &str) -> Vec<Place> {
    let paths = svg.split(" d=\"").skip(1).map(|p| p.split('"').next().unwrap());
    let points = paths.flat_map(|p| p.split(['M', 'L', 'Z']).filter(|p| !p.is_empty()));
    let number = |text: &str| text.parse::<f64>().unwrap();
    points.map(|p| p.split_once(' ').unwrap()).map(|(x, y)| (number(x), number(y))).collect()
}

/// Where all texts begin and end, in a wide font.
pub(crate) fn texts(svg: &str) -> Vec<Place> {
    let mut ends = Vec::new();
    let mut sizes = vec![14.0];
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap();
        let size = value(tag, "font-size").unwrap_or(sizes[sizes.len() - 1]);
        if tag.starts_with("g ") || tag == "g" {
            sizes.push(size);
        } else if tag == "/g" {
            sizes.pop();
        } else if tag.starts_with("text ") {
            let text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
            let text = text.replace("&quot;", "\"").replace("&#39;", "'");
            ends.extend(ends_of(tag, width(&text, size)));
        }
    }
    ends
}

fn ends_of(tag: &str, wide: f64) -> [Place; 2] {
    let (at, degrees) = match attribute(tag, "transform") {
        Some(turn) => {
            let numbers: Vec<f64> =
                turn.split(['(', ')', ' ']).filter_map(|n| n.parse().ok()).collect();
            ((numbers[0], numbers[1]), numbers[2])
        }
        None => ((value(tag, "x").unwrap(), value(tag, "y").unwrap()), 0.0),
    };
    let before = match attribute(tag, "text-anchor") {
        Some("middle") => wide / 2.0,
        Some(_) => wide,
        None => 0.0,
    };
    let (sin, cos) = degrees.to_radians().sin_cos();
    [-before, wide - before].map(|u| (at.0 + u * cos, at.1 + u * sin))
}

/// The outermost places of lines, rectangles and circles.
fn shapes(svg: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for tag in tags(svg) {
        let of = |name: &str| value(tag, name).unwrap_or(0.0);
        match tag.split(' ').next() {
            Some("line") => places.extend([(of("x1"), of("y1")), (of("x2"), of("y2"))]),
            Some("rect") => {
                assert!(of("width") >= 0.0 && of("height") >= 0.0, "{tag}");
                let (x, y) = (of("x"), of("y"));
                places.extend([(x, y), (x + of("width"), y + of("height"))]);
            }
            Some("circle") => {
                let (x, y, r) = (of("cx"), of("cy"), of("r"));
                places.extend([(x - r, y - r), (x + r, y + r)]);
            }
            _ => {}
        }
    }
    places
}

fn canvas(svg: &str) -> Place {
    let first = tags(svg).next().unwrap();
    (value(first, "width").unwrap(), value(first, "height").unwrap())
}

fn tags(svg: &str) -> impl Iterator<Item = &str> {
    svg.split('<').skip(1).map(|part| part.split_once('>').unwrap().0)
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}

fn value(tag: &str, name: &str) -> Option<f64> {
    attribute(tag, name)?.parse().ok()
}
