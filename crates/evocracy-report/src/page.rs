//! What every picture has: a size, a heading, a name and a description for those who cannot
//! see it.

use crate::svg::{Anchor, Area, Attributes, Svg};
use crate::text::wrap;
use crate::theme::{Colours, Theme};

/// The fonts asked for, most wanted first; the last ones are what bare Linux machines have.
const FONTS: &str =
    "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// How much wider bold letters are.
const BOLD: f64 = 1.12;

/// The empty margin around a picture.
pub(crate) const MARGIN: f64 = 28.0;

const TITLE: f64 = 19.0;
const SUBTITLE: f64 = 13.0;

/// How a picture looks.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The heading; none if empty.
    pub title: String,
    /// A smaller line under the heading, such as data set, rows and positive class.
    pub subtitle: String,
    /// For a light or a dark page.
    pub theme: Theme,
    /// The width and height in pixels that the picture is fitted in; its own where none is given.
    pub size: Option<(u32, u32)>,
}

/// A picture before it is drawn: its heading is broken into lines, so that the rest knows where
/// it can begin.
pub(crate) struct Page<'a> {
    options: &'a Options,
    width: f64,
    left: f64,
    title: Vec<String>,
    subtitle: Vec<String>,
}

impl<'a> Page<'a> {
    /// A page of that width whose heading begins at `left`.
    pub(crate) fn new(options: &'a Options, width: f64, left: f64) -> Self {
        let room = width - left - MARGIN;
        let title = wrap(&options.title, BOLD * TITLE, room, 2);
        let subtitle = wrap(&options.subtitle, SUBTITLE, room, 2);
        Self { options, width, left, title, subtitle }
    }

    /// Where the picture begins below the heading.
    pub(crate) fn top(&self) -> f64 {
        MARGIN + 25.0 * self.title.len() as f64 + 18.0 * self.subtitle.len() as f64
    }

    pub(crate) fn colours(&self) -> Colours {
        self.options.theme.colours()
    }

    /// The finished picture with what was drawn below the heading. `kind` names a picture
    /// without a title.
    pub(crate) fn finish(&self, height: f64, kind: &str, description: &str, body: Svg) -> String {
        let colours = self.colours();
        let name = if self.options.title.is_empty() { kind } else { &self.options.title };
        let mut svg = Svg::new((self.width, height), self.options.size, name);
        svg.says("title", name);
        svg.says("desc", description);
        let all = Area { x: 0.0, y: 0.0, width: self.width, height };
        svg.rect(all, &[("fill", &colours.page)]);
        svg.open("g", &[("font-family", &FONTS), ("font-size", &"14"), ("fill", &colours.text)]);
        self.heading(&mut svg);
        svg.append(body);
        svg.finish()
    }

    fn heading(&self, svg: &mut Svg) {
        let mut y = 14.0;
        for line in &self.title {
            y += 25.0;
            let style: Attributes<'_> = &[("font-size", &TITLE), ("font-weight", &"600")];
            svg.words((self.left, y - 5.0), Anchor::Start, style, line);
        }
        for line in &self.subtitle {
            y += 18.0;
            let muted = self.colours().muted;
            let style: Attributes<'_> = &[("font-size", &SUBTITLE), ("fill", &muted)];
            svg.words((self.left, y - 5.0), Anchor::Start, style, line);
        }
    }
}
