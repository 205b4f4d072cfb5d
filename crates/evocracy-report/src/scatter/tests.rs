use super::*;
use crate::testing::{NASTY, assert_sound};

#[test]
fn every_shape_is_drawn_and_stays_inside() {
    let places = [(0.0, 1.0), (0.5, 0.5), (f64::NAN, 0.0), (7.0, 7.0), (1.0, 1.0)];
    let numbers = places.map(|place| (place, place.1));
    let line = [places.to_vec(), vec![(0.2, 0.2)]];
    for theme in [Theme::Light, Theme::Dark] {
        let shapes = [
            Shape::Dots(&places, 3.0),
            Shape::Crosses(&places),
            Shape::Rings(&numbers),
            Shape::Shaded(&numbers),
            Shape::Lines(&line),
        ];
        let layers = shapes.into_iter().enumerate();
        let layers = layers.map(|(colour, shape)| Layer { name: NASTY, colour, shape }).collect();
        let axis = Axis { name: NASTY, from: 0.0, to: 1.0 };
        let data = Scatter { x: axis, y: axis, square: true, layers };
        assert_sound(&scatter_svg(&data, &Options { theme, ..Options::default() }));
    }
}

#[test]
fn axes_have_round_numbers_and_nothing_is_no_panic() {
    let axis = Axis::around("x", [-2.3, 2.9, f64::INFINITY].into_iter());
    assert!(axis.from < -2.3 && axis.to > 2.9 && axis.to < 4.0);
    let svg = scatter_svg(&Scatter { x: axis, y: axis, ..Scatter::default() }, &Options::default());
    for number in [">-2<", ">-1<", ">0<", ">2<"] {
        assert!(svg.contains(number), "{number}");
    }
    assert_sound(&svg);
    assert_sound(&scatter_svg(&Scatter::default(), &Options::default()));
    let empty = Axis::around("x", std::iter::empty());
    assert_eq!((empty.from, empty.to), (0.0, 1.0));
}
