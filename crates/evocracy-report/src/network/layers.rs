//! Places for the nodes of a graph in layers, parents above children (Sugiyama, Tagawa, Toda 1981).
//!
//! Layers have a largest width (as in Coffman, Graham 1972). An arc over several layers gets a
//! place in each of them. Orders within layers follow the mean of the neighbours' places, the one
//! with the fewest crossings is kept, and places are then pulled to those of their neighbours as far
//! as the distances allow (isotonic regression).

/// Sweeps over the layers for their order, and for their places.
const SWEEPS: usize = 24;

/// A node of the drawing: a node of the graph, or where an arc passes a layer.
pub(super) struct Point {
    /// The node of the graph, if it is one.
    pub node: Option<usize>,
    pub layer: usize,
    pub x: f64,
    width: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// Layers of points, and the points on the way of each arc.
pub(super) struct Layout {
    pub points: Vec<Point>,
    pub layers: usize,
    pub ways: Vec<Vec<usize>>,
    /// How far the outermost points reach.
    pub width: f64,
}

impl Layout {
    /// Places nodes of these widths; the arcs have no cycle and lead from parent to child.
    pub fn new(widths: &[f64], arcs: &[(usize, usize)], most: usize) -> Self {
        let layer = layers(widths.len(), arcs, most);
        let points = layer.iter().zip(widths).enumerate().map(|(node, (&layer, &width))| Point {
            node: Some(node),
            layer,
            x: 0.0,
            width,
            above: Vec::new(),
            below: Vec::new(),
        });
        let layers = layer.iter().map(|layer| layer + 1).max().unwrap_or(0);
        let mut layout = Self { points: points.collect(), layers, ways: Vec::new(), width: 0.0 };
        for &(parent, child) in arcs {
            layout.connect(parent, child);
        }
        let order = layout.order();
        layout.place(&order);
        layout
    }

    /// Leads an arc through the layers.
    fn connect(&mut self, parent: usize, child: usize) {
        let mut way = vec![parent];
        for layer in self.points[parent].layer + 1..self.points[child].layer {
            let (above, below) = (Vec::new(), Vec::new());
            self.points.push(Point { node: None, layer, x: 0.0, width: 8.0, above, below });
            way.push(self.points.len() - 1);
        }
        way.push(child);
        for pair in way.windows(2) {
            self.points[pair[0]].below.push(pair[1]);
            self.points[pair[1]].above.push(pair[0]);
        }
        self.ways.push(way);
    }

    /// The points of each layer from left to right.
    fn order(&self) -> Vec<Vec<usize>> {
        let mut order = vec![Vec::new(); self.layers];
        for (at, point) in self.points.iter().enumerate() {
            order[point.layer].push(at);
        }
        let mut best = (self.crossings(&order), order.clone());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            let mut place = vec![0.0; self.points.len()];
            for step in 0..self.layers {
                let layer = if down { step } else { self.layers - 1 - step };
                let mean = |at: usize, place: &[f64]| {
                    let point = &self.points[at];
                    let near = if down { &point.above } else { &point.below };
                    let sum: f64 = near.iter().map(|&other| place[other]).sum();
                    if near.is_empty() { place[at] } else { sum / near.len() as f64 }
                };
                for (i, &at) in order[layer].iter().enumerate() {
                    place[at] = i as f64 / order[layer].len() as f64;
                }
                let means: Vec<f64> = order[layer].iter().map(|&at| mean(at, &place)).collect();
                let mut ranked: Vec<usize> = (0..means.len()).collect();
                ranked.sort_by(|&a, &b| means[a].total_cmp(&means[b]));
                order[layer] = ranked.iter().map(|&i| order[layer][i]).collect();
                for (i, &at) in order[layer].iter().enumerate() {
                    place[at] = i as f64 / order[layer].len() as f64;
                }
            }
            let crossings = self.crossings(&order);
            if crossings < best.0 {
                best = (crossings, order.clone());
            }
        }
        best.1
    }

    fn crossings(&self, order: &[Vec<usize>]) -> usize {
        let mut place = vec![0; self.points.len()];
        for layer in order {
            layer.iter().enumerate().for_each(|(i, &at)| place[at] = i);
        }
        let mut sum = 0;
        for layer in order {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for &at in layer {
                let mut below: Vec<usize> =
                    self.points[at].below.iter().map(|&other| place[other]).collect();
                below.sort_unstable();
                ends.extend(below.into_iter().map(|end| (place[at], end)));
            }
            for (i, a) in ends.iter().enumerate() {
                sum += ends[..i].iter().filter(|b| b.0 < a.0 && b.1 > a.1).count();
            }
        }
        sum
    }

    /// Pulls the points to their neighbours.
    fn place(&mut self, order: &[Vec<usize>]) {
        for layer in order {
            let wanted = vec![0.0; layer.len()];
            self.settle(layer, &wanted);
        }
        for sweep in 0..SWEEPS {
            for step in 0..self.layers {
                let layer = if sweep % 2 == 0 { step } else { self.layers - 1 - step };
                let wanted: Vec<f64> = order[layer].iter().map(|&at| self.wanted(at)).collect();
                self.settle(&order[layer], &wanted);
            }
        }
        let left = self.points.iter().map(|p| p.x - p.width / 2.0).fold(f64::INFINITY, f64::min);
        let right = self.points.iter().map(|p| p.x + p.width / 2.0).fold(left, f64::max);
        self.points.iter_mut().for_each(|point| point.x -= left);
        self.width = if self.points.is_empty() { 0.0 } else { right - left };
    }

    /// The mean of a point's neighbours; where an arc passes, a straight way counts more.
    fn wanted(&self, at: usize) -> f64 {
        let point = &self.points[at];
        let near = || point.above.iter().chain(&point.below);
        let count = near().count();
        if count == 0 {
            return point.x;
        }
        near().map(|&other| self.points[other].x).sum::<f64>() / count as f64
    }

    /// The places nearest to the wanted ones, in order and with the distances that widths need.
    fn settle(&mut self, layer: &[usize], wanted: &[f64]) {
        const GAP: f64 = 22.0;
        let mut offsets = Vec::with_capacity(layer.len());
        let mut end = 0.0;
        for (i, &at) in layer.iter().enumerate() {
            let half = self.points[at].width / 2.0;
            end += if i == 0 { 0.0 } else { half + GAP };
            offsets.push(end);
            end += half;
        }
        // Pool adjacent violators: blocks of one common shift.
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            let mut block = (wanted - offset, 1);
            while let Some(&(shift, count)) = blocks.last().filter(|last| last.0 >= block.0) {
                blocks.pop();
                let all = (count + block.1) as f64;
                block.0 = (shift * count as f64 + block.0 * block.1 as f64) / all;
                block.1 += count;
            }
            blocks.push(block);
        }
        let shifts = blocks.iter().flat_map(|&(shift, count)| std::iter::repeat_n(shift, count));
        for ((&at, offset), shift) in layer.iter().zip(&offsets).zip(shifts) {
            self.points[at].x = offset + shift;
        }
    }
}

/// The layer of each node: below its parents, where there is room.
fn layers(nodes: usize, arcs: &[(usize, usize)], most: usize) -> Vec<usize> {
    let mut waiting = vec![0; nodes];
    for &(_, child) in arcs {
        waiting[child] += 1;
    }
    let (mut layer, mut room) = (vec![0; nodes], Vec::<usize>::new());
    let mut open: Vec<usize> = (0..nodes).rev().filter(|&node| waiting[node] == 0).collect();
    // Nodes without any arc stand below all others.
    let touched = |node: usize| arcs.iter().any(|&(a, b)| a == node || b == node);
    let alone: Vec<usize> = (0..nodes).filter(|&node| !touched(node)).collect();
    open.retain(|node| !alone.contains(node));
    let put = |room: &mut Vec<usize>, from: usize| {
        let mut at = from;
        while room.get(at).is_some_and(|&count| count >= most) {
            at += 1;
        }
        if room.len() <= at {
            room.resize(at + 1, 0);
        }
        room[at] += 1;
        at
    };
    while let Some(node) = open.pop() {
        layer[node] = put(&mut room, layer[node]);
        for &(_, child) in arcs.iter().filter(|(parent, _)| *parent == node) {
            layer[child] = layer[child].max(layer[node] + 1);
            waiting[child] -= 1;
            if waiting[child] == 0 {
                open.push(child);
                // Parents that were found first come first.
                open.sort_by_key(|&node| std::cmp::Reverse((layer[node], node)));
            }
        }
    }
    sink(&mut layer, &mut room, arcs, most);
    let below = room.len();
    for node in alone {
        layer[node] = put(&mut room, below);
    }
    layer
}

/// Moves nodes that have more children than parents down to their children, where there is room:
/// arcs become shorter.
fn sink(layer: &mut [usize], room: &mut [usize], arcs: &[(usize, usize)], most: usize) {
    let mut order: Vec<usize> = (0..layer.len()).collect();
    order.sort_by_key(|&node| std::cmp::Reverse(layer[node]));
    for node in order {
        let parents = arcs.iter().filter(|(_, child)| *child == node).count();
        let children = arcs.iter().filter(|(parent, _)| *parent == node);
        let highest = children.clone().map(|&(_, child)| layer[child]).min();
        let Some(highest) = highest.filter(|_| children.count() > parents) else { continue };
        if let Some(to) = (layer[node] + 1..highest).rev().find(|&at| room[at] < most) {
            room[layer[node]] -= 1;
            room[to] += 1;
            layer[node] = to;
        }
    }
}
