//! Stem plots of selection counts: all selections above, those on both halves of a split below.

use super::scale::Panel;
use crate::page::{Options, Page};
use crate::plot::{LEFT, SIDE, WIDTH};
use crate::svg::{Anchor, Area, Svg};
use crate::text::width;
use crate::theme::Colours;

/// The height of a panel, and the room between two.
const TALL: f64 = 220.0;
const BETWEEN: f64 = 34.0;
/// The size of names.
const NAME: f64 = 11.5;

/// How often a gene was selected.
#[derive(Debug, Clone, Default)]
pub struct Stem {
    /// The number of its column, counted from 1.
    pub column: usize,
    /// On how many halves.
    pub total: u32,
    /// On both halves of how many splits.
    pub coincident: u32,
    /// What it is called.
    pub name: String,
}

/// The counts of a selection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stems<'a> {
    /// The genes that were selected, the most frequent first.
    pub stems: &'a [Stem],
    /// How many columns there are.
    pub columns: usize,
    /// How many splits there were.
    pub splits: usize,
    /// How many genes are named, where there is room.
    pub named: usize,
}

/// Draws the counts of all genes as stems along the columns; the text of an SVG file.
///
/// ```
/// use evocracy_report::{Options, Stem, Stems, stems_svg};
///
/// let stem = Stem { column: 7, total: 12, coincident: 4, name: "zyxin".into() };
/// let data = Stems { stems: &[stem], columns: 100, splits: 10, named: 3 };
/// assert!(stems_svg(&data, &Options::default()).starts_with("<svg"));
/// ```
pub fn stems_svg(data: &Stems<'_>, options: &Options) -> String {
    let page = Page::new(options, WIDTH, LEFT);
    let mut body = Svg::default();
    let colour = options.theme.stroke(0).colour;
    let top = page.top();
    let total = |stem: &Stem| stem.total;
    let coincident = |stem: &Stem| stem.coincident;
    panel(&mut body, data, (top, colour), &total, page.colours());
    let second = top + TALL + BETWEEN;
    panel(&mut body, data, (second, colour), &coincident, page.colours());
    let height = second + TALL + 62.0;
    page.finish(height, "Selection counts", &description(data), body)
}

fn panel(
    svg: &mut Svg,
    data: &Stems<'_>,
    (top, colour): (f64, &str),
    count: &dyn Fn(&Stem) -> u32,
    colours: Colours,
) {
    let area = Area { x: LEFT, y: top, width: SIDE, height: TALL };
    let most = data.stems.iter().map(count).max().unwrap_or(0).max(1);
    // Room above for names.
    let panel = Panel {
        area,
        x: (0.0, data.columns.max(1) as f64),
        y: (0.0, 1.2 * f64::from(most)),
        colours,
    };
    let below = top > 200.0 + BETWEEN;
    let name = if below { "both halves" } else { "all halves" };
    panel.axes(svg, if below { "Column" } else { "" }, name);
    let drawn: Vec<&Stem> = data.stems.iter().filter(|stem| count(stem) > 0).collect();
    svg.open("g", &[("stroke", &colour), ("stroke-width", &"1.2")]);
    for stem in &drawn {
        let (x, value) = (stem.column as f64, f64::from(count(stem)));
        svg.line(panel.at(x, 0.0), panel.at(x, value), &[]);
    }
    svg.close();
    let mut ordered = drawn;
    ordered.sort_by_key(|stem| std::cmp::Reverse(count(stem)));
    svg.open("g", &[("fill", &colour)]);
    for stem in ordered.iter().take(200) {
        svg.circle(panel.at(stem.column as f64, f64::from(count(stem))), 2.4, &[]);
    }
    svg.close();
    names(svg, &panel, &ordered, data.named, count);
}

/// Names of the most frequent genes, where they do not cover each other.
fn names(
    svg: &mut Svg,
    panel: &Panel,
    ordered: &[&Stem],
    most: usize,
    count: &dyn Fn(&Stem) -> u32,
) {
    let mut taken: Vec<Area> = Vec::new();
    svg.open("g", &[("font-size", &NAME), ("fill", &panel.colours.text)]);
    for stem in ordered.iter().take(most) {
        let at = panel.at(stem.column as f64, f64::from(count(stem)));
        let wide = width(&stem.name, NAME);
        let left = (at.0 - wide / 2.0)
            .clamp(panel.area.x + 2.0, (panel.area.right() - wide - 2.0).max(panel.area.x));
        let area = Area { x: left - 2.0, y: at.1 - 20.0, width: wide + 4.0, height: 14.0 };
        let apart = |other: &Area| {
            area.right() < other.x
                || other.right() < area.x
                || area.bottom() < other.y
                || other.bottom() < area.y
        };
        if wide > panel.area.width || !taken.iter().all(apart) {
            continue;
        }
        svg.words((left, at.1 - 8.0), Anchor::Start, &[], &stem.name);
        taken.push(area);
    }
    svg.close();
}

/// The picture in words.
fn description(data: &Stems<'_>) -> String {
    let of = |stem: &Stem| {
        format!("{} {} times, {} on both halves", stem.name, stem.total, stem.coincident)
    };
    let best: Vec<String> = data.stems.iter().take(data.named.max(1)).map(of).collect();
    format!("How often columns were selected on {} splits. {}", data.splits, best.join("; "))
}
