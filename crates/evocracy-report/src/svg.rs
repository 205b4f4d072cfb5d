//! SVG text, with everything escaped that could come from a person.

use std::fmt::{Display, Write};

/// An element's attributes.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

/// A growing picture. Elements that are still open when it is finished are closed.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    out: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// A picture of that size in pixels.
    ///
    /// `name` says what it shows to people who cannot see it. There are no ids, so that many
    /// pictures can stand in one page.
    pub(crate) fn new(width: f64, height: f64, name: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let mut svg = Self::default();
        svg.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &width),
                ("height", &height),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("role", &"img"),
                ("aria-label", &name),
            ],
        );
        svg
    }

    /// Starts an element that others go into.
    pub(crate) fn open(&mut self, element: &'static str, attributes: Attributes<'_>) {
        self.start(element, attributes);
        self.out.push_str(">\n");
        self.open.push(element);
    }

    /// Ends the element opened last.
    pub(crate) fn close(&mut self) {
        if let Some(element) = self.open.pop() {
            let _ = writeln!(self.out, "</{element}>");
        }
    }

    /// An element without content.
    pub(crate) fn leaf(&mut self, element: &'static str, attributes: Attributes<'_>) {
        self.start(element, attributes);
        self.out.push_str("/>\n");
    }

    /// An element with text in it.
    pub(crate) fn text(&mut self, element: &'static str, attributes: Attributes<'_>, text: &str) {
        self.start(element, attributes);
        let _ = writeln!(self.out, ">{}</{element}>", escape(text));
    }

    /// The finished text.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start(&mut self, element: &'static str, attributes: Attributes<'_>) {
        let _ = write!(self.out, "<{element}");
        for (name, value) in attributes {
            let value = value.to_string();
            if !value.is_empty() {
                let _ = write!(self.out, " {name}=\"{}\"", escape(&value));
            }
        }
    }
}

/// A coordinate to the hundredth of a pixel, in as few characters as that takes.
pub(crate) fn number(x: f64) -> String {
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
            [0.0, -0.001, 1.0, 1.5, 100.0, 12.345_6].map(number).into_iter().collect();
        assert_eq!(shown, ["0", "0", "1", "1.5", "100", "12.35"]);
    }

    #[test]
    fn elements_are_closed() {
        let mut svg = Svg::new(2.0, 1.0, "x");
        svg.open("g", &[("fill", &"")]);
        svg.text("text", &[("x", &1)], "a<b");
        let text = svg.finish();
        assert!(text.ends_with("<g>\n<text x=\"1\">a&lt;b</text>\n</g>\n</svg>\n"), "{text}");
    }
}
