//! Bayesian networks: nodes in layers, arcs from parents down to children.

mod layers;

use crate::page::{MARGIN, Options, Page};
use crate::svg::{Anchor, Area, Attributes, Place, Svg, polyline};
use crate::text::{width, wrap};
use crate::theme::{Theme, mix, text_on};
use layers::Layout;

/// Most nodes drawn.
const MOST_NODES: usize = 90;
/// The narrowest page, for the sake of the heading.
const LEAST_WIDTH: f64 = 480.0;
const SIZE: f64 = 13.0;
const LINE: f64 = 16.0;
/// Most room for a name.
const ROOM: f64 = 120.0;
/// The distance between layers, and the height of a node of one line.
const LAYER: f64 = 92.0;
const HEIGHT: f64 = 30.0;

/// A graph without cycles.
#[derive(Debug, Clone, Default)]
pub struct Graph<'a> {
    /// The names of the nodes.
    pub names: &'a [&'a str],
    /// The arcs from parent to child, by the numbers of the nodes.
    pub arcs: &'a [(u32, u32)],
    /// For each arc the share of resampled tables in which it was found, or nothing.
    pub confidence: &'a [f64],
    /// The node that is asked for, such as the class.
    pub focus: Option<u32>,
    /// The nodes that the focus depends on: its Markov blanket.
    pub relevant: &'a [u32],
    /// What those are, in words; of a Bayesian network where it is empty.
    pub tinted: &'a str,
    /// What kind of graph it is; a Bayesian network where it is empty.
    pub kind: &'a str,
}

/// Draws a Bayesian network; the text of an SVG file.
///
/// Of more than 90 nodes those are drawn that matter to the focus, and then the first ones, which
/// the picture says. Arcs that do not name two nodes, or that would close a cycle, are left out.
/// Everything else is as in [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Graph, Options, network_svg};
///
/// let names = ["class", "mlp", "lvq"];
/// let arcs = [(0, 1), (0, 2), (1, 2)];
/// let graph = Graph { names: &names, arcs: &arcs, focus: Some(0), ..Graph::default() };
/// assert!(network_svg(&graph, &Options::default()).starts_with("<svg"));
/// ```
pub fn network_svg(graph: &Graph<'_>, options: &Options) -> String {
    let drawn = Drawn::new(graph);
    let boxes: Vec<Vec<String>> =
        drawn.nodes.iter().map(|&node| wrap(graph.names[node], SIZE, ROOM, 2)).collect();
    let widths: Vec<f64> = boxes
        .iter()
        .map(|lines| lines.iter().map(|line| width(line, SIZE)).fold(24.0, f64::max) + 20.0)
        .collect();
    let links: Vec<(usize, usize)> = drawn.arcs.iter().map(|arc| (arc.0, arc.1)).collect();
    let most = ((drawn.nodes.len() as f64).sqrt() * 1.4).ceil() as usize;
    let layout = Layout::new(&widths, &links, most.max(4));
    let wide = (layout.width + 2.0 * MARGIN).max(LEAST_WIDTH);
    let page = Page::new(options, wide, MARGIN);
    let top = page.top() + 10.0;
    let left = (wide - layout.width) / 2.0;
    let sketch = Sketch { graph, drawn: &drawn, boxes: &boxes, widths: &widths, left, top };
    let mut body = Svg::default();
    sketch.arcs(&mut body, &layout, options.theme);
    sketch.nodes(&mut body, &layout, options.theme);
    let mut y = top + LAYER * layout.layers.max(1) as f64 - LAYER + HEIGHT + LINE + 30.0;
    let style: Attributes<'_> = &[("fill", &page.colours().muted), ("font-size", &"13")];
    for line in wrap(&note(graph, &drawn), 13.0, wide - 2.0 * MARGIN, 6) {
        body.words((MARGIN, y), Anchor::Start, style, &line);
        y += LINE + 2.0;
    }
    let kind = if graph.kind.is_empty() { "Bayesian network" } else { graph.kind };
    page.finish(y + 10.0, kind, &description(graph, &drawn), body)
}

/// The nodes and arcs that are drawn.
struct Drawn {
    /// Numbers in the graph, in their order.
    nodes: Vec<usize>,
    /// Parent and child by their places in `nodes`, and the number of the arc.
    arcs: Vec<(usize, usize, usize)>,
}

impl Drawn {
    fn new(graph: &Graph<'_>) -> Self {
        let total = graph.names.len();
        let first = graph.focus.iter().chain(graph.relevant).map(|&node| node as usize);
        let mut nodes: Vec<usize> = Vec::new();
        let mut taken = vec![false; total];
        for node in first.filter(|node| *node < total).chain(0..total) {
            if nodes.len() < MOST_NODES && !std::mem::replace(&mut taken[node], true) {
                nodes.push(node);
            }
        }
        nodes.sort_unstable();
        let mut drawn = Self { nodes, arcs: Vec::new() };
        for (number, &(parent, child)) in graph.arcs.iter().enumerate() {
            let place = |node: u32| drawn.nodes.binary_search(&(node as usize)).ok();
            let (Some(parent), Some(child)) = (place(parent), place(child)) else { continue };
            let known = drawn.arcs.iter().any(|arc| (arc.0, arc.1) == (parent, child));
            if !known && !drawn.reaches(child, parent) {
                drawn.arcs.push((parent, child, number));
            }
        }
        drawn
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut open) = (vec![false; self.nodes.len()], vec![from]);
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            for arc in self.arcs.iter().filter(|arc| arc.0 == node) {
                if !std::mem::replace(&mut seen[arc.1], true) {
                    open.push(arc.1);
                }
            }
        }
        false
    }
}

struct Sketch<'a> {
    graph: &'a Graph<'a>,
    drawn: &'a Drawn,
    boxes: &'a [Vec<String>],
    widths: &'a [f64],
    left: f64,
    top: f64,
}

impl Sketch<'_> {
    fn middle(&self, layout: &Layout, point: usize) -> Place {
        let point = &layout.points[point];
        (self.left + point.x, self.top + LAYER * point.layer as f64 + HEIGHT / 2.0 + 8.0)
    }

    fn height(&self, node: usize) -> f64 {
        HEIGHT + LINE * self.boxes[node].len().saturating_sub(1) as f64
    }

    fn name(&self, node: usize) -> &str {
        self.graph.names[self.drawn.nodes[node]]
    }

    fn is_focus(&self, node: usize) -> bool {
        self.graph.focus == Some(self.drawn.nodes[node] as u32)
    }

    fn is_relevant(&self, node: usize) -> bool {
        self.graph.relevant.contains(&(self.drawn.nodes[node] as u32))
    }

    fn arcs(&self, svg: &mut Svg, layout: &Layout, theme: Theme) {
        let (accent, plain) = (theme.stroke(0).colour, theme.colours().frame);
        for (way, &(parent, child, number)) in layout.ways.iter().zip(&self.drawn.arcs) {
            let near = self.is_focus(parent) || self.is_focus(child);
            let colour = if near { accent } else { plain };
            let share = self.graph.confidence.get(number).filter(|share| share.is_finite());
            let thick = share.map_or(1.5, |share| 0.7 + 2.3 * share.clamp(0.0, 1.0));
            let mut places: Vec<Place> =
                way.iter().map(|&point| self.middle(layout, point)).collect();
            let last = places.len() - 1;
            places[0].1 += self.height(parent) / 2.0;
            places[last].1 -= self.height(child) / 2.0 + 7.0;
            svg.open("g", &[("class", &"arc")]);
            let share = share.map_or(String::new(), |share| {
                format!(": in {:.0} % of the resampled tables", 100.0 * share.clamp(0.0, 1.0))
            });
            svg.says("title", &format!("{} → {}{share}", self.name(parent), self.name(child)));
            let style: Attributes<'_> =
                &[("fill", &"none"), ("stroke", &colour), ("stroke-width", &format!("{thick:.1}"))];
            svg.path(&polyline(smooth(&places)), style);
            let (x, y) = places[last];
            let tip = polyline([(x - 4.5, y - 1.5), (x + 4.5, y - 1.5), (x, y + 7.0)]);
            svg.path(&format!("{tip}Z"), &[("fill", &colour)]);
            svg.close();
        }
    }

    fn nodes(&self, svg: &mut Svg, layout: &Layout, theme: Theme) {
        let (colours, accent) = (theme.colours(), theme.stroke(0).colour);
        for (at, point) in layout.points.iter().enumerate() {
            let Some(node) = point.node else { continue };
            let (x, y) = self.middle(layout, at);
            let (wide, high) = (self.widths[node], self.height(node));
            let area = Area { x: x - wide / 2.0, y: y - high / 2.0, width: wide, height: high };
            let (ground, edge) = if self.is_focus(node) {
                (accent.to_owned(), accent)
            } else if self.is_relevant(node) {
                (mix(colours.page, accent, 0.2), accent)
            } else {
                (colours.page.to_owned(), colours.frame)
            };
            let ink = if self.is_focus(node) { text_on(&ground) } else { colours.text };
            svg.rect(area, &[("rx", &"7"), ("fill", &ground), ("stroke", &edge)]);
            for (i, line) in self.boxes[node].iter().enumerate() {
                let line_y = y - high / 2.0 + HEIGHT / 2.0 + 4.5 + LINE * i as f64;
                let style: Attributes<'_> = &[("font-size", &SIZE), ("fill", &ink)];
                svg.words((x, line_y), Anchor::Middle, style, line);
            }
        }
    }
}

/// A way that leaves its first place upright, enters its last one upright and is smooth between:
/// cubic pieces (Hermite) of x over y.
fn smooth(places: &[Place]) -> Vec<Place> {
    const STEPS: usize = 10;
    let last = places.len() - 1;
    let slope = |i: usize| match i {
        0 => 0.0,
        _ if i == last => 0.0,
        _ => (places[i + 1].0 - places[i - 1].0) / (places[i + 1].1 - places[i - 1].1),
    };
    let mut out = vec![places[0]];
    for (i, pair) in places.windows(2).enumerate() {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let (from, to) = (slope(i) * (y1 - y0), slope(i + 1) * (y1 - y0));
        for step in 1..=STEPS {
            let t = step as f64 / STEPS as f64;
            let ease = t * t * (3.0 - 2.0 * t);
            let bend = t * (1.0 - t) * ((1.0 - t) * from - t * to);
            out.push((x0 + (x1 - x0) * ease + bend, y0 + (y1 - y0) * t));
        }
    }
    out
}

fn note(graph: &Graph<'_>, drawn: &Drawn) -> String {
    let mut note = "Arrows lead from parents to children.".to_owned();
    let focus = graph.focus.and_then(|focus| graph.names.get(focus as usize));
    if let Some(name) = focus {
        note += &format!(" Filled: {name}.");
        if !graph.relevant.is_empty() {
            let tinted = match graph.tinted {
                "" => "what its probabilities depend on (its Markov blanket)",
                words => words,
            };
            note += &format!(" Tinted: {tinted}.");
        }
    }
    if !graph.confidence.is_empty() {
        note += " The thicker an arrow, the more of the resampled tables have it.";
    }
    if drawn.nodes.len() < graph.names.len() {
        note += &format!(" {} of {} nodes are drawn.", drawn.nodes.len(), graph.names.len());
    }
    note
}

/// The picture in words.
fn description(graph: &Graph<'_>, drawn: &Drawn) -> String {
    const MOST: usize = 60;
    let name = |node: usize| graph.names[drawn.nodes[node]];
    let arcs = drawn.arcs.iter().take(MOST);
    let arcs: Vec<String> = arcs.map(|arc| format!("{} to {}", name(arc.0), name(arc.1))).collect();
    let more = if drawn.arcs.len() > MOST { ", and more" } else { "" };
    let list = if arcs.is_empty() { "none".into() } else { arcs.join(", ") };
    format!("{} nodes. Arcs: {list}{more}.", graph.names.len())
}

#[cfg(test)]
mod tests;
