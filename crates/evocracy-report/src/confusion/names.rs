//! The names of the classes along the matrix.

use crate::svg::{Anchor, Area, Attributes, Place, Svg};
use crate::text::{width, wrap};

const SIZE: f64 = 13.0;
const LINE: f64 = 15.0;

/// Most room for names at the side.
const ROOM: f64 = 170.0;
const MOST_LINES: usize = 3;

/// The lines of all names, at the left and at the bottom.
pub(super) struct Names {
    left: Vec<Vec<String>>,
    bottom: Vec<Vec<String>>,
    /// Whether the names at the bottom are turned, because they are wider than a cell.
    turned: bool,
}

impl Names {
    pub(super) fn new(names: &[String], cell: f64) -> Self {
        let fit = (((cell - 4.0) / LINE) as usize).clamp(1, MOST_LINES);
        let left: Vec<Vec<String>> = names.iter().map(|n| wrap(n, SIZE, ROOM, fit)).collect();
        // Whole words only: a name broken anywhere is worse than one that is turned.
        let whole = |n: &String| n.split_whitespace().all(|word| width(word, SIZE) <= cell - 8.0);
        let level: Vec<Vec<String>> =
            names.iter().map(|n| wrap(n, SIZE, cell - 8.0, MOST_LINES)).collect();
        let kept = level.iter().all(|l| l.last().is_none_or(|last| !last.ends_with('…')));
        let turned = !kept || !names.iter().all(whole);
        Self { bottom: if turned { left.clone() } else { level }, left, turned }
    }

    /// How wide the names at the left are.
    pub(super) fn left_room(&self) -> f64 {
        widest(&self.left) + 10.0
    }

    /// How high the names at the bottom are.
    pub(super) fn bottom_room(&self) -> f64 {
        let lines = self.bottom.iter().map(Vec::len).max().unwrap_or(0);
        10.0 + if self.turned { widest(&self.bottom) } else { LINE * lines as f64 }
    }

    pub(super) fn draw(&self, svg: &mut Svg, area: Area, cell: f64) {
        let style: Attributes<'_> = &[("font-size", &SIZE)];
        let middle = |i: usize| cell * (i as f64 + 0.5);
        for (i, lines) in self.left.iter().enumerate() {
            let y = area.y + middle(i) + 4.5 - LINE * (lines.len().max(1) - 1) as f64 / 2.0;
            let at = |n: f64| (area.x - 8.0, y + LINE * n);
            each(lines, at, |at, text| svg.words(at, Anchor::End, style, text));
        }
        for (i, lines) in self.bottom.iter().enumerate() {
            let (x, y) = (area.x + middle(i), area.bottom());
            if self.turned {
                let x = x + 4.5 - LINE * (lines.len().max(1) - 1) as f64 / 2.0;
                let at = |n: f64| (x + LINE * n, y + 8.0);
                each(lines, at, |at, text| svg.turned((at, -90.0), Anchor::End, style, text));
            } else {
                let at = |n: f64| (x, y + 4.0 + LINE * (n + 1.0));
                each(lines, at, |at, text| svg.words(at, Anchor::Middle, style, text));
            }
        }
    }
}

fn each(lines: &[String], at: impl Fn(f64) -> Place, mut write: impl FnMut(Place, &str)) {
    for (i, text) in lines.iter().enumerate() {
        write(at(i as f64), text);
    }
}

fn widest(names: &[Vec<String>]) -> f64 {
    names.iter().flatten().map(|line| width(line, SIZE)).fold(0.0, f64::max)
}
