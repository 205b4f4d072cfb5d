//! The figures of the thesis: 3.1 (complexity against vectors), 3.2 (a front and two decision
//! boundaries on the banana subset), 3.3 (fronts of six sets) and A.1 (german beside the machine).
//!
//! The thesis draws fronts in three dimensions. Here the rates are the plane and the complexity is
//! the shade.

use super::sets::Set;
use crate::Picture;
use evocracy::data::{Column, Field, Schema, Table, View};
use evocracy::error::Result;
use evocracy::front::{EvoRvm, FrontModel};
use evocracy::kernel::{Basis, Rvm, Width};
use evocracy::method::Method;
use evocracy::model::{Core, Model};
use evocracy::run::Run;
use evocracy_report::{Axis, Layer, Options, Scatter, Shape, scatter_svg};

/// Steps of the grid that boundaries are followed on.
const GRID: usize = 160;

/// The names of the files of figure 3.3.
const FRONTS: [(&str, &str); 6] = [
    ("banana", "fronts-3.3a-banana.svg"),
    ("breast-cancer", "fronts-3.3b-breast-cancer.svg"),
    ("titanic", "fronts-3.3c-titanic.svg"),
    ("waveform", "fronts-3.3d-waveform.svg"),
    ("german", "fronts-3.3e-german.svg"),
    ("pima", "fronts-3.3f-pima.svg"),
];

type Places = Vec<(f64, f64)>;

/// The pictures of a set, on its first partition: the front that `learner` finds with the seed of
/// the tables, and a relevance vector machine on the same kernels.
pub(super) fn of(set: &Set, learner: &EvoRvm, run: &Run<'_>) -> Result<Vec<Picture>> {
    if set.name == "mnist" {
        return Ok(Vec::new());
    }
    let task = set.data.task()?.with_rows(&set.splits[0].train);
    let model = learner.train(&task, &run.child(&format!("{}/base", set.name), 0))?.model;
    let machine = Rvm::default().width(Width::Fixed(set.width)).levels(3).explore(false);
    let machine = machine.train(&task, &run.child(&format!("{}/frvm", set.name), 0))?.model;
    let (Core::Front(front), Core::Rvm(sums)) = (model.core(), machine.core()) else {
        return Ok(Vec::new());
    };
    let rates = rates(set, &machine)?;
    let mut pictures = Vec::new();
    if set.name == "banana" {
        pictures.push(complexities(front));
    }
    if set.name == "banana-subset" {
        pictures.push(plane(set, front, rates, "fronts-3.2a-front.svg"));
        let kernels = sums.sparse_sums()[0].bases().filter_map(|basis| match basis {
            Basis::Centre { row, width } => Some((row as u32, width)),
            _ => None,
        });
        let names = ["fronts-3.2b-frvm.svg", "fronts-3.2c-front.svg"];
        pictures.push(boundary(set, &machine, kernels.collect(), names[0])?);
        pictures.push(boundary(set, &model, front.centres(), names[1])?);
    }
    if let Some((_, name)) = FRONTS.iter().find(|(of, _)| *of == set.name) {
        pictures.push(plane(set, front, rates, name));
    }
    if set.name == "german" {
        let vectors = sums.sparse_sums()[0].vectors() as f64;
        pictures.push(beside(front, rates, vectors));
    }
    Ok(pictures)
}

/// True and false positive rate of a machine on the training rows.
fn rates(set: &Set, machine: &Model) -> Result<[f64; 2]> {
    let task = set.data.task()?.with_rows(&set.splits[0].train);
    let (classes, labels) = task.labels()?;
    let proba = machine.proba(task.features)?;
    let (mut called, mut all) = ([0.0; 2], [0.0; 2]);
    for (row, &label) in labels.iter().enumerate() {
        let class = usize::from(label as usize != classes.positive());
        all[class] += 1.0;
        called[class] += f64::from(u8::from(proba.row(row)[classes.positive()] >= 0.5));
    }
    Ok([called[0] / all[0], called[1] / all[1]])
}

fn options(title: String, subtitle: &str) -> Options {
    Options { title, subtitle: subtitle.to_owned(), ..Options::default() }
}

/// Figure 3.1.
fn complexities(front: &FrontModel) -> Picture {
    let points = front.points();
    let mut places: Places = points
        .iter()
        .map(|point| (front.vectors_of(point.member) as f64, point.complexity))
        .collect();
    places.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    places.dedup();
    let most = places.iter().fold(1.0_f64, |most, (x, _)| most.max(*x));
    let equal = [vec![(0.0, 0.0), (most, most)]];
    let axis = |name| Axis { name, from: 0.0, to: 1.04 * most };
    let layers = vec![
        Layer { name: "a complexity of 1 for each vector", colour: 1, shape: Shape::Lines(&equal) },
        Layer { name: "members of the front", colour: 0, shape: Shape::Dots(&places, 4.0) },
    ];
    let data =
        Scatter { x: axis("Relevance vectors"), y: axis("Complexity"), square: true, layers };
    let about = "banana, partition 1: the bias counts in the complexity, not among the vectors";
    let svg = scatter_svg(&data, &options("Complexity and vectors (3.1)".to_owned(), about));
    Picture { name: "fronts-3.1-complexity.svg", svg }
}

/// Figures 3.2a and 3.3: a front in the plane of the rates.
fn plane(set: &Set, front: &FrontModel, machine: [f64; 2], name: &'static str) -> Picture {
    let points = front.points();
    let places: Vec<((f64, f64), f64)> = points
        .iter()
        .map(|point| ((point.training[1], point.training[0]), point.complexity))
        .collect();
    let chosen = points.get(front.chosen());
    let chosen = [(chosen.training[1], chosen.training[0])];
    let machine = [(machine[1], machine[0])];
    let layers = vec![
        Layer {
            name: "points of the front, by complexity",
            colour: 0,
            shape: Shape::Shaded(&places),
        },
        Layer {
            name: "the most accurate point of the front",
            colour: 5,
            shape: Shape::Crosses(&chosen),
        },
        Layer {
            name: "relevance vector machine at even odds",
            colour: 1,
            shape: Shape::Dots(&machine, 5.5),
        },
    ];
    let axis = |name| Axis { name, from: 0.0, to: 1.0 };
    let (x, y) = (axis("False positive rate"), axis("True positive rate"));
    let data = Scatter { x, y, square: true, layers };
    let figure = if set.name == "banana-subset" { "3.2a" } else { "3.3" };
    let about = format!("{}, partition 1, training rows: {} points", set.name, points.len());
    let svg = scatter_svg(&data, &options(format!("Front of the base search ({figure})"), &about));
    Picture { name, svg }
}

/// Figure A.1: what a front reaches with how many vectors, beside the machine.
fn beside(front: &FrontModel, machine: [f64; 2], vectors: f64) -> Picture {
    let points = front.points();
    let places: Places = points
        .iter()
        .map(|point| (front.vectors_of(point.member) as f64, point.training[0] - point.training[1]))
        .collect();
    let machine = [(vectors, machine[0] - machine[1])];
    let layers = vec![
        Layer { name: "points of the front", colour: 0, shape: Shape::Crosses(&places) },
        Layer {
            name: "relevance vector machine at even odds",
            colour: 1,
            shape: Shape::Dots(&machine, 5.5),
        },
    ];
    let x = Axis { name: "Relevance vectors", from: 0.0, to: 1.04 * vectors.max(1.0) };
    let most = places.iter().fold(x.to, |most, (x, _)| most.max(*x));
    let y = Axis { name: "True minus false positive rate", from: 0.0, to: 1.0 };
    let data = Scatter { x: Axis { to: most, ..x }, y, square: false, layers };
    let about = "german, partition 1, training rows";
    let svg = scatter_svg(&data, &options("Front and machine (A.1)".to_owned(), about));
    Picture { name: "fronts-a.1-german.svg", svg }
}

/// The columns of a plane.
fn columns(view: View<'_>) -> [Vec<f64>; 2] {
    [0, 1].map(|column| match view.gather(column) {
        Column::Number(values) => values,
        Column::Nominal(_) => Vec::new(),
    })
}

/// Figures 3.2b and 3.2c: where a model of two inputs changes its call.
fn boundary(
    set: &Set,
    model: &Model,
    kernels: Vec<(u32, f64)>,
    name: &'static str,
) -> Result<Picture> {
    let task = set.data.task()?.with_rows(&set.splits[0].train);
    let (classes, labels) = task.labels()?;
    let [x, y] = columns(task.features);
    let across = Axis::around("x1", x.iter().copied());
    let up = Axis::around("x2", y.iter().copied());
    let of = |positive: bool| -> Places {
        let rows = (0..x.len()).filter(|&r| (labels[r] as usize == classes.positive()) == positive);
        rows.map(|row| (x[row], y[row])).collect()
    };
    let (positive, negative) = (of(true), of(false));
    let lines = contour(set, model, (&across, &up))?;
    // Widths are in standard deviations of the training rows.
    let deviation = f64::midpoint(deviation(&x), deviation(&y));
    let table = columns(set.data.features());
    let ring = |(row, width): (u32, f64)| {
        ((table[0][row as usize], table[1][row as usize]), width * deviation)
    };
    let rings: Vec<((f64, f64), f64)> = kernels.into_iter().map(ring).collect();
    let layers = vec![
        Layer { name: "positive rows", colour: 0, shape: Shape::Crosses(&positive) },
        Layer { name: "negative rows", colour: 4, shape: Shape::Dots(&negative, 3.0) },
        Layer { name: "kernels, with their widths", colour: 2, shape: Shape::Rings(&rings) },
        Layer { name: "where the call changes", colour: 1, shape: Shape::Lines(&lines) },
    ];
    let data = Scatter { x: across, y: up, square: true, layers };
    let (title, who) = if matches!(model.core(), Core::Rvm(_)) {
        ("Decision boundary of the machine (3.2b)", "relevance vector machine")
    } else {
        ("Decision boundary of the front (3.2c)", "its most accurate point")
    };
    let about = format!("banana subset, partition 1: {who}, {} vectors", rings.len());
    let svg = scatter_svg(&data, &options(title.to_owned(), &about));
    Ok(Picture { name, svg })
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt()
}

/// The lines on which the probability of the positive class is what the model calls it from.
fn contour(set: &Set, model: &Model, (x, y): (&Axis<'_>, &Axis<'_>)) -> Result<Vec<Places>> {
    let at = |axis: &Axis<'_>, step: usize| {
        axis.from + (axis.to - axis.from) * step as f64 / (GRID - 1) as f64
    };
    let cells = (0..GRID * GRID).map(|cell| (at(x, cell % GRID), at(y, cell / GRID)));
    let (first, second): (Vec<f64>, Vec<f64>) = cells.unzip();
    let fields: Vec<Field> = set.data.features().fields().cloned().collect();
    let table = Table::new(Schema { fields }, vec![Column::Number(first), Column::Number(second)])?;
    let proba = model.proba(table.view())?;
    let positive = model.classes()?.positive();
    let from = match model.decision().call {
        evocracy::classify::Call::Threshold(least) => least,
        _ => 0.5,
    };
    let above: Vec<f64> = (0..GRID * GRID).map(|cell| proba.row(cell)[positive] - from).collect();
    let mut lines = Vec::new();
    for cell in (0..GRID * (GRID - 1)).filter(|cell| cell % GRID + 1 < GRID) {
        let corners = [cell, cell + 1, cell + GRID + 1, cell + GRID];
        let mut crossings = Vec::new();
        for side in 0..4 {
            let (a, b) = (corners[side], corners[(side + 1) % 4]);
            let (from, to) = (above[a], above[b]);
            if (from < 0.0) != (to < 0.0) {
                let share = from / (from - to);
                let between = |axis: &Axis<'_>, a: usize, b: usize| {
                    at(axis, a) + share * (at(axis, b) - at(axis, a))
                };
                crossings.push((between(x, a % GRID, b % GRID), between(y, a / GRID, b / GRID)));
            }
        }
        // Two crossings are one stretch; four are two, whichever way they are paired.
        lines.extend(crossings.chunks_exact(2).map(<[_]>::to_vec));
    }
    Ok(lines)
}
