use super::*;
use crate::page::Options;
use crate::testing::{NASTY, assert_sound};
use crate::theme::Theme;

fn options() -> Options {
    Options {
        title: NASTY.into(),
        subtitle: NASTY.into(),
        theme: Theme::Dark,
        ..Options::default()
    }
}

#[test]
fn stems_are_sound_for_none_one_and_many_genes() {
    for count in [0, 1, 700] {
        let stem = |i: usize| Stem {
            column: 1 + i * 10,
            total: (200 - i % 190) as u32,
            coincident: (i % 7) as u32,
            name: NASTY.into(),
        };
        let stems: Vec<Stem> = (0..count).map(stem).collect();
        let data = Stems { stems: &stems, columns: 7129, splits: 100, named: 8 };
        let svg = stems_svg(&data, &options());
        assert_sound(&svg);
        let drawn = stems.iter().filter(|stem| stem.coincident > 0).count() + count;
        assert!(svg.matches("<line ").count() >= drawn);
    }
}

#[test]
fn areas_are_sound_and_name_chance() {
    let point = |i: u32| AreaPoint {
        genes: i as usize % 40,
        train: 1.0 - f64::from(i % 5) / 50.0,
        test: f64::from(i % 11) / 10.0,
    };
    for count in [0, 1, 300] {
        let mut points: Vec<AreaPoint> = (0..count).map(point).collect();
        points.push(AreaPoint { genes: 1, train: f64::NAN, test: 0.5 });
        let data = Areas { points: &points, chance: Some((0.5, 0.08)) };
        for svg in [areas_svg(&data, &options()), gene_areas_svg(&data, &options())] {
            assert_sound(&svg);
            assert!(svg.matches("<circle ").count() >= count as usize);
        }
        assert!(areas_svg(&data, &options()).contains("chance: 0.500"));
    }
}
