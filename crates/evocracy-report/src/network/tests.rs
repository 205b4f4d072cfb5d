use super::*;
use crate::testing::{NASTY, assert_sound};

#[test]
fn graphs_of_any_size_are_drawn_on_the_canvas() {
    for total in [0_usize, 1, 2, 13, 37, 90, 300] {
        let names: Vec<String> = (0..total).map(|i| format!("{i} {NASTY}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let arcs: Vec<(u32, u32)> = (0..total as u32)
            .flat_map(|a| (a + 1..total as u32).map(move |b| (a, b)))
            .filter(|(a, b)| (a * 7 + b * 13) % 17 == 0)
            .collect();
        let confidence: Vec<f64> = (0..arcs.len()).map(|i| (i % 10) as f64 / 9.0).collect();
        for theme in [Theme::Light, Theme::Dark] {
            let options = Options {
                title: NASTY.into(),
                subtitle: NASTY.into(),
                theme,
                ..Options::default()
            };
            let graph = Graph {
                names: &names,
                arcs: &arcs,
                confidence: &confidence,
                focus: Some(0),
                relevant: &[3, 5],
                ..Graph::default()
            };
            let svg = network_svg(&graph, &options);
            assert_sound(&svg);
            assert_eq!(svg, network_svg(&graph, &options));
            assert_eq!(svg.contains("90 of 300 nodes are drawn"), total == 300);
        }
    }
}

#[test]
fn no_two_nodes_of_a_layer_overlap_and_children_are_below() {
    let arcs: Vec<(usize, usize)> = (0..12)
        .flat_map(|a| (a + 1..12).map(move |b| (a, b)))
        .filter(|(a, b)| a * b % 3 == 0)
        .collect();
    let widths = [60.0; 12];
    let layout = Layout::new(&widths, &arcs, 4);
    for (at, a) in layout.points.iter().enumerate() {
        for b in layout.points[..at].iter().filter(|b| b.layer == a.layer) {
            let room = if a.node.is_some() && b.node.is_some() { 60.0 } else { 8.0 };
            assert!((a.x - b.x).abs() >= room, "{} {}", a.x, b.x);
        }
    }
    for &(parent, child) in &arcs {
        assert!(layout.points[parent].layer < layout.points[child].layer);
    }
}

#[test]
fn arcs_that_cannot_be_are_left_out() {
    let names = ["a", "b"];
    let arcs = [(0, 1), (1, 0), (0, 9), (1, 1), (0, 1)];
    let graph = Graph {
        names: &names,
        arcs: &arcs,
        confidence: &[f64::NAN, 7.0],
        focus: Some(9),
        relevant: &[8],
        ..Graph::default()
    };
    let svg = network_svg(&graph, &Options::default());
    assert_sound(&svg);
    assert_eq!(svg.matches("class=\"arc\"").count(), 1);
    assert!(svg.contains("Arcs: a to b."));
}

#[test]
fn a_graph_says_what_it_is_told_to_be() {
    let names = ["class", "expert"];
    let arcs = [(0, 1)];
    let plain =
        Graph { names: &names, arcs: &arcs, focus: Some(0), relevant: &[1], ..Graph::default() };
    let svg = network_svg(&plain, &Options::default());
    assert!(svg.contains("Bayesian network") && svg.contains("Markov blanket"));
    let other = Graph { kind: "Dependence", tinted: "its experts", ..plain };
    let svg = network_svg(&other, &Options::default());
    assert!(!svg.contains("Bayesian network") && !svg.contains("Markov blanket"));
    // Lines are broken where the picture is narrow.
    let texts = svg.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
    let words = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    assert!(words.contains("Dependence") && words.contains("Tinted: its experts."), "{words}");
}
