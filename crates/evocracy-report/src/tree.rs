//! Decision trees: the root on the left, a split's two sides to its right.

use crate::page::{MARGIN, Options, Page};
use crate::svg::{Anchor, Area, Attributes, Place, Svg, polyline};
use crate::text::{count, width, wrap};
use crate::theme::{Theme, mix};

/// Boxes are as wide as what they say, within this.
const LEAST: f64 = 150.0;
const MOST: f64 = 330.0;
const HIGH: f64 = 46.0;
/// The room to the right of a box, and the distance down to the next.
const GAP: f64 = 36.0;
const STEP_Y: f64 = 56.0;
const SIZE: f64 = 12.5;
/// Conditions are bold, which is wider.
const BOLD: f64 = 1.12 * SIZE;
/// The room beside a text in its box.
const INSIDE: f64 = 8.0;
/// The bar of shares at the foot of a box.
const BAR: f64 = 5.0;
/// Most classes that have a colour and a name below.
const MOST_CLASSES: usize = 12;
const LINE: f64 = 18.0;

/// A node of a tree.
#[derive(Debug, Clone)]
pub struct TreeBox<'a> {
    /// The node above, by its position in the list, which is before its own; none for the root.
    pub parent: Option<usize>,
    /// What sends a row here.
    pub condition: &'a str,
    /// The share of each class.
    pub shares: &'a [f64],
    /// How many rows are here.
    pub rows: f64,
    /// How many nodes below are not in the list.
    pub hidden: usize,
    /// Whether it is a leaf.
    pub leaf: bool,
}

/// A tree, or its first levels.
#[derive(Debug, Clone, Default)]
pub struct TreePicture<'a> {
    /// Each node before those below it.
    pub nodes: &'a [TreeBox<'a>],
    /// The names of the classes.
    pub classes: &'a [&'a str],
    /// A sentence below the picture, such as how much of the tree is drawn; none if empty.
    pub note: &'a str,
}

/// Draws a decision tree; the text of an SVG file.
///
/// A box says what sends rows there, the class of the greatest share and how many training rows it
/// has; the bar below has the shares of all classes. Nodes whose parent is not before them are left
/// out. Everything else is as in [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Options, TreeBox, TreePicture, tree_svg};
///
/// let root = TreeBox {
///     parent: None, condition: "", shares: &[0.5, 0.5], rows: 8.0, hidden: 0, leaf: false,
/// };
/// let left = TreeBox { parent: Some(0), condition: "x <= 1", leaf: true, ..root.clone() };
/// let right = TreeBox { parent: Some(0), condition: "x > 1", leaf: true, ..root.clone() };
/// let nodes = [root, left, right];
/// let tree = TreePicture { nodes: &nodes, classes: &["no", "yes"], note: "" };
/// assert!(tree_svg(&tree, &Options::default()).starts_with("<svg"));
/// ```
pub fn tree_svg(tree: &TreePicture<'_>, options: &Options) -> String {
    let layout = Layout::new(tree.nodes);
    let deepest = layout.places.iter().flatten().map(|place| place.0).fold(0.0, f64::max);
    let lowest = layout.places.iter().flatten().map(|place| place.1).fold(0.0, f64::max);
    let texts = tree.nodes.iter().map(|node| {
        f64::max(width(condition(node), BOLD), width(&says(tree, node), SIZE)) + 2.0 * INSIDE + 2.0
    });
    let broad = texts.fold(LEAST, f64::max).min(MOST);
    let wide = (2.0 * MARGIN + (broad + GAP) * deepest + broad).max(480.0);
    let page = Page::new(options, wide, MARGIN);
    let top = page.top() + 12.0;
    let corner = |(x, y): Place| (MARGIN + (broad + GAP) * x, top + STEP_Y * y);
    let mut body = Svg::default();
    let frame = page.colours().frame;
    for (node, place) in tree.nodes.iter().zip(&layout.places) {
        let parent = node.parent.and_then(|parent| *layout.places.get(parent)?);
        if let (Some(place), Some(parent)) = (place, parent) {
            let (from, to) = (corner(parent), corner(*place));
            branch(
                &mut body,
                (from.0 + broad, from.1 + HIGH / 2.0),
                (to.0, to.1 + HIGH / 2.0),
                frame,
            );
        }
    }
    for (node, place) in tree.nodes.iter().zip(&layout.places) {
        if let Some(place) = place {
            let (x, y) = corner(*place);
            let area = Area { x, y, width: broad, height: HIGH };
            draw(&mut body, tree, node, area, options.theme);
        }
    }
    let mut y = top + STEP_Y * lowest + HIGH + 34.0;
    y = legend(&mut body, tree, y, wide, options.theme);
    let muted = page.colours().muted;
    let style: Attributes<'_> = &[("fill", &muted), ("font-size", &"13")];
    for line in wrap(&note(tree), 13.0, wide - 2.0 * MARGIN, 6) {
        body.words((MARGIN, y), Anchor::Start, style, &line);
        y += LINE;
    }
    page.finish(y + 10.0, "Decision tree", &description(tree), body)
}

/// Where the nodes stand: how far to the right, how far down; nothing for those left out.
struct Layout {
    places: Vec<Option<Place>>,
}

impl Layout {
    fn new(nodes: &[TreeBox<'_>]) -> Self {
        let mut depths: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let depth = match node.parent {
                None => (at == 0).then_some(0),
                Some(parent) if parent < at => depths[parent].map(|depth| depth + 1),
                Some(_) => None,
            };
            if let (Some(parent), Some(_)) = (node.parent, depth) {
                children[parent].push(at);
            }
            depths.push(depth);
        }
        // What has nothing to its right stands one below the other, from the first on; any other
        // node in the middle of what it leads to.
        let mut rows = vec![0.0; nodes.len()];
        let (mut next, mut stack) = (0.0, Vec::new());
        stack.extend((!nodes.is_empty()).then_some(0));
        while let Some(node) = stack.pop() {
            if children[node].is_empty() {
                rows[node] = next;
                next += 1.0;
            }
            stack.extend(children[node].iter().rev());
        }
        for node in (0..nodes.len()).rev() {
            if let (Some(&first), Some(&last)) = (children[node].first(), children[node].last()) {
                rows[node] = f64::midpoint(rows[first], rows[last]);
            }
        }
        let place = |(depth, row): (Option<usize>, f64)| depth.map(|depth| (depth as f64, row));
        Self { places: depths.into_iter().zip(rows).map(place).collect() }
    }
}

/// A line that leaves to the right and enters from the left.
fn branch(svg: &mut Svg, from: Place, to: Place, colour: &str) {
    let middle = f64::midpoint(from.0, to.0);
    let way = polyline([from, (middle, from.1), (middle, to.1), to]);
    svg.path(&way, &[("fill", &"none"), ("stroke", &colour), ("stroke-width", &"1.3")]);
}

/// The class of the greatest share, the first among equals.
fn best(shares: &[f64]) -> usize {
    (1..shares.len()).fold(0, |best, class| if shares[class] > shares[best] { class } else { best })
}

/// What a node says, in a line.
fn says(tree: &TreePicture<'_>, node: &TreeBox<'_>) -> String {
    let class = best(node.shares);
    let name = tree.classes.get(class).copied().unwrap_or_default();
    let share = node.shares.get(class).copied().unwrap_or_default();
    let s = if node.rows == 1.0 { "" } else { "s" };
    format!("{name} {share:.2}, {} row{s}", count(node.rows))
}

fn condition<'a>(node: &TreeBox<'a>) -> &'a str {
    if node.condition.is_empty() { "all rows" } else { node.condition }
}

fn colour_of(theme: Theme, class: usize) -> &'static str {
    if class < MOST_CLASSES { theme.stroke(class).colour } else { theme.colours().muted }
}

fn draw(svg: &mut Svg, tree: &TreePicture<'_>, node: &TreeBox<'_>, area: Area, theme: Theme) {
    let colours = theme.colours();
    let ground = if node.leaf {
        mix(colours.page, colour_of(theme, best(node.shares)), 0.16)
    } else {
        colours.page.to_owned()
    };
    let dash = if node.hidden > 0 { "4 3" } else { "" };
    svg.open("g", &[("font-size", &SIZE)]);
    let hidden = match node.hidden {
        0 => String::new(),
        more => format!("; {more} more below"),
    };
    svg.says("title", &format!("{}: {}{hidden}", condition(node), says(tree, node)));
    let box_style: Attributes<'_> =
        &[("rx", &"5"), ("fill", &ground), ("stroke", &colours.frame), ("stroke-dasharray", &dash)];
    svg.rect(area, box_style);
    let (x, y, room) = (area.x, area.y, area.width - 2.0 * INSIDE);
    for (i, text) in [condition(node), &says(tree, node)].into_iter().enumerate() {
        let weight = if i == 0 { "600" } else { "" };
        let size = if i == 0 { BOLD } else { SIZE };
        for line in wrap(text, size, room, 1) {
            let at = (x + INSIDE, y + 16.0 + 16.0 * i as f64);
            svg.words(at, Anchor::Start, &[("font-weight", &weight)], &line);
        }
    }
    let mut from = x + INSIDE;
    for (class, share) in node.shares.iter().enumerate() {
        let long = room * share.clamp(0.0, 1.0);
        if long >= 0.01 {
            let area = Area { x: from, y: y + HIGH - BAR - 3.0, width: long, height: BAR };
            svg.rect(area, &[("fill", &colour_of(theme, class))]);
            from += long;
        }
    }
    svg.close();
}

/// What colour each class has; where the next line stands.
fn legend(svg: &mut Svg, tree: &TreePicture<'_>, top: f64, wide: f64, theme: Theme) -> f64 {
    let (mut x, mut y) = (MARGIN, top);
    for (class, name) in tree.classes.iter().enumerate().take(MOST_CLASSES) {
        let name = wrap(name, SIZE, 200.0, 1).pop().unwrap_or_default();
        let needs = 30.0 + width(&name, SIZE);
        if x > MARGIN && x + needs > wide - MARGIN {
            (x, y) = (MARGIN, y + LINE);
        }
        let area = Area { x, y: y - 10.0, width: 12.0, height: 12.0 };
        svg.rect(area, &[("fill", &colour_of(theme, class))]);
        svg.words((x + 17.0, y), Anchor::Start, &[("font-size", &SIZE)], &name);
        x += needs;
    }
    if tree.classes.is_empty() { top } else { y + LINE + 4.0 }
}

fn note(tree: &TreePicture<'_>) -> String {
    let mut note =
        "A box says what sends rows there, the likeliest class with its probability, and \
                    how many training rows it has; the bar has the probabilities of all classes."
            .to_owned();
    if tree.classes.len() > MOST_CLASSES {
        note += &format!(" Classes after the first {MOST_CLASSES} share one colour.");
    }
    if !tree.note.is_empty() {
        note += &format!(" {}", tree.note);
    }
    note
}

/// The picture in words.
fn description(tree: &TreePicture<'_>) -> String {
    const LISTED: usize = 60;
    let leaves = tree.nodes.iter().filter(|node| node.leaf);
    let words = leaves
        .clone()
        .take(LISTED)
        .map(|node| format!("{}: {}", condition(node), says(tree, node)));
    let more = if leaves.count() > LISTED { "; and more" } else { "" };
    format!("{} nodes. Leaves: {}{more}.", tree.nodes.len(), words.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{NASTY, assert_sound, path_points};

    fn node(parent: Option<usize>, condition: &str, leaf: bool) -> TreeBox<'_> {
        TreeBox { parent, condition, shares: &[0.25, 0.75], rows: 12.0, hidden: 0, leaf }
    }

    #[test]
    fn every_node_has_its_box_and_every_side_its_branch() {
        let nodes = [
            node(None, "", false),
            node(Some(0), "age <= 3", true),
            node(Some(0), NASTY, false),
            TreeBox {
                hidden: 4,
                ..node(Some(2), "a very long condition of very many words", false)
            },
            node(Some(2), "x > 1", true),
        ];
        for theme in [Theme::Light, Theme::Dark] {
            let tree = TreePicture { nodes: &nodes, classes: &["no", NASTY], note: "Two levels." };
            let options = Options { title: NASTY.into(), theme, ..Options::default() };
            let svg = tree_svg(&tree, &options);
            assert_sound(&svg);
            assert_eq!(svg.matches("rx=\"5\"").count(), 5);
            assert_eq!(svg.matches("stroke-width=\"1.3\"").count(), 4);
            assert_eq!(svg.matches("stroke-dasharray").count(), 1);
            assert!(svg.contains("Two levels.") && svg.contains("4 more below"));
            // The root stands in the middle of its two sides.
            let points = path_points(&svg);
            assert!((points[0].1 - f64::midpoint(points[3].1, points[7].1)).abs() < 0.02);
        }
    }

    #[test]
    fn nothing_and_what_is_no_tree_are_drawn_without_harm() {
        assert_sound(&tree_svg(&TreePicture::default(), &Options::default()));
        let nodes = [node(None, "", false), node(Some(7), "x", true), node(Some(1), "y", true)];
        let tree = TreePicture { nodes: &nodes, classes: &[], note: "" };
        let svg = tree_svg(&tree, &Options::default());
        assert_sound(&svg);
        assert_eq!(svg.matches("rx=\"5\"").count(), 1);
    }
}
