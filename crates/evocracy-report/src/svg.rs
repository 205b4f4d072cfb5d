//! SVG text, with everything escaped that could come from a person.

use std::fmt::{Display, Write};

/// An element's attributes.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A place in pixels.
pub(crate) type Place = (f64, f64);

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(crate) fn holds(&self, (x, y): Place) -> bool {
        x >= self.x && x <= self.right() && y >= self.y && y <= self.bottom()
    }

    /// Smaller by so much on every side.
    pub(crate) fn within(&self, by: f64) -> Self {
        let (width, height) = (self.width - 2.0 * by, self.height - 2.0 * by);
        Self { x: self.x + by, y: self.y + by, width, height }
    }
}

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// As SVG calls it; nothing for what is usual there.
    fn name(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A growing picture, or a part of one. Elements that are still open when it is finished are closed.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A picture of that size in pixels, shown as large as `shown` where that is given.
    ///
    /// `name` says what it shows to people who cannot see it. There are no ids, so that many
    /// pictures can stand in one page.
    pub(crate) fn new((width, height): Place, shown: Option<(u32, u32)>, name: &str) -> Self {
        let (wide, high) = shown.map_or((width, height), |(w, h)| (f64::from(w), f64::from(h)));
        let [width, height, wide, high] = [width, height, wide, high].map(number);
        let mut svg = Self::default();
        svg.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &wide),
                ("height", &high),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("role", &"img"),
                ("aria-label", &name),
            ],
        );
        svg
    }

    /// Starts an element that others go into.
    pub(crate) fn open(&mut self, element: &'static str, attributes: Attributes<'_>) {
        self.start(element, &[], attributes);
        self.out.push_str(">\n");
        self.open.push(element);
    }

    /// Ends the element opened last.
    pub(crate) fn close(&mut self) {
        if let Some(element) = self.open.pop() {
            let _ = writeln!(self.out, "</{element}>");
        }
    }

    /// A line from one place to another.
    pub(crate) fn line(&mut self, from: Place, to: Place, more: Attributes<'_>) {
        self.leaf("line", &[("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)], more);
    }

    /// A rectangle.
    pub(crate) fn rect(&mut self, area: Area, more: Attributes<'_>) {
        let Area { x, y, width, height } = area;
        self.leaf("rect", &[("x", x), ("y", y), ("width", width), ("height", height)], more);
    }

    /// A circle.
    pub(crate) fn circle(&mut self, at: Place, radius: f64, more: Attributes<'_>) {
        self.leaf("circle", &[("cx", at.0), ("cy", at.1), ("r", radius)], more);
    }

    /// A path, for example from [`polyline`].
    pub(crate) fn path(&mut self, d: &str, more: Attributes<'_>) {
        let _ = write!(self.out, "<path d=\"{d}\"");
        self.attributes(more);
        self.out.push_str("/>\n");
    }

    /// A line of text.
    pub(crate) fn words(&mut self, at: Place, anchor: Anchor, more: Attributes<'_>, text: &str) {
        self.start("text", &[("x", at.0), ("y", at.1)], &[("text-anchor", &anchor.name())]);
        self.attributes(more);
        self.content("text", text);
    }

    /// A line of text turned by so many degrees around its place, clockwise.
    pub(crate) fn turned(
        &mut self,
        (at, degrees): (Place, f64),
        anchor: Anchor,
        more: Attributes<'_>,
        text: &str,
    ) {
        let turn =
            format!("translate({} {}) rotate({})", number(at.0), number(at.1), number(degrees));
        self.start("text", &[], &[("transform", &turn), ("text-anchor", &anchor.name())]);
        self.attributes(more);
        self.content("text", text);
    }

    /// What an element is, shown where the pointer rests and read to those who cannot see it.
    pub(crate) fn says(&mut self, element: &'static str, text: &str) {
        self.start(element, &[], &[]);
        self.content(element, text);
    }

    /// Adds what was drawn apart, for example to find out how much room it takes.
    pub(crate) fn append(&mut self, part: Self) {
        self.out.push_str(&part.finish());
    }

    /// The finished text.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    /// An element without content.
    fn leaf(&mut self, element: &str, numbers: &[(&str, f64)], more: Attributes<'_>) {
        self.start(element, numbers, more);
        self.out.push_str("/>\n");
    }

    fn start(&mut self, element: &str, numbers: &[(&str, f64)], more: Attributes<'_>) {
        let _ = write!(self.out, "<{element}");
        for (name, value) in numbers {
            let _ = write!(self.out, " {name}=\"{}\"", number(*value));
        }
        self.attributes(more);
    }

    fn attributes(&mut self, attributes: Attributes<'_>) {
        for (name, value) in attributes {
            let value = value.to_string();
            if !value.is_empty() {
                let _ = write!(self.out, " {name}=\"{}\"", escape(&value));
            }
        }
    }

    fn content(&mut self, element: &str, text: &str) {
        let _ = writeln!(self.out, ">{}</{element}>", escape(text));
    }
}

/// The data of a path through these places.
pub(crate) fn polyline(places: impl IntoIterator<Item = Place>) -> String {
    let mut d = String::new();
    for (i, (x, y)) in places.into_iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{} {}", number(x), number(y));
    }
    d
}

/// A coordinate to the hundredth of a pixel, in as few characters as that takes. What is no
/// number has no place; it never gets here, and would not spoil the file if it did.
pub(crate) fn number(x: f64) -> String {
    let x = if x.is_finite() { x } else { 0.0 };
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text that means itself in XML. Characters that XML cannot hold become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_written_by_a_person_is_markup() {
        assert_eq!(escape("<a b='1'>&\"\u{0}\n"), "&lt;a b=&#39;1&#39;&gt;&amp;&quot;\u{fffd} ");
    }

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> =
            [0.0, -0.001, 1.0, 1.5, 100.0, 12.345_6, f64::NAN].map(number).into_iter().collect();
        assert_eq!(shown, ["0", "0", "1", "1.5", "100", "12.35", "0"]);
    }

    #[test]
    fn elements_are_closed() {
        let mut svg = Svg::new((2.0, 1.0), None, "x");
        svg.open("g", &[("fill", &"")]);
        svg.words((1.0, 2.0), Anchor::End, &[("fill", &"red")], "a<b");
        let text = svg.finish();
        let end =
            "<text x=\"1\" y=\"2\" text-anchor=\"end\" fill=\"red\">a&lt;b</text>\n</g>\n</svg>\n";
        assert!(text.ends_with(end), "{text}");
    }
}
