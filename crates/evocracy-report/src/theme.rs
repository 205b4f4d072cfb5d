//! Colours and dashes.

/// Whether a picture is made for a light or a dark page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark lines on white.
    #[default]
    Light,
    /// Light lines on near-black.
    Dark,
}

/// The colours of everything that is not a curve.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Colours {
    pub(crate) page: &'static str,
    pub(crate) text: &'static str,
    pub(crate) muted: &'static str,
    pub(crate) grid: &'static str,
    pub(crate) frame: &'static str,
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stroke {
    pub(crate) colour: &'static str,
    /// `stroke-dasharray`; empty for an unbroken line.
    pub(crate) dash: &'static str,
}

/// The palette of M. Okabe and K. Ito, which people with any kind of colour vision can tell
/// apart; each theme leaves out what is too pale or too dark on its page.
const ON_LIGHT: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000"];
const ON_DARK: [&str; 6] = ["#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#D55E00"];

/// Dashes, so that curves can be told apart in grey as well. Their number shares no factor with
/// the number of colours: the pairs repeat only after 42 curves.
const DASHES: [&str; 7] = ["", "9 4", "2.5 3.5", "12 4 2.5 4", "5 3", "14 4 5 4", "9 3 2 3 2 3"];

impl Theme {
    pub(crate) fn colours(self) -> Colours {
        match self {
            Self::Light => Colours {
                page: "#FFFFFF",
                text: "#1B1F24",
                muted: "#5B636D",
                grid: "#E7EAEE",
                frame: "#8C959F",
            },
            Self::Dark => Colours {
                page: "#14181D",
                text: "#E8ECF1",
                muted: "#9AA5B1",
                grid: "#272E37",
                frame: "#5F6B78",
            },
        }
    }

    /// How the curve of that number is drawn.
    pub(crate) fn stroke(self, number: usize) -> Stroke {
        let palette = match self {
            Self::Light => ON_LIGHT,
            Self::Dark => ON_DARK,
        };
        Stroke { colour: palette[number % palette.len()], dash: DASHES[number % DASHES.len()] }
    }
}

/// A colour between two, as `#RRGGBB`; `share` is how much it has of the second.
pub(crate) fn mix(from: &str, to: &str, share: f64) -> String {
    let (from, to) = (channels(from), channels(to));
    let of = |i: usize| (from[i] + (to[i] - from[i]) * share.clamp(0.0, 1.0)).round() as u8;
    format!("#{:02X}{:02X}{:02X}", of(0), of(1), of(2))
}

/// The colour of text that is best read on another.
pub(crate) fn text_on(ground: &str) -> &'static str {
    let [dark, light] = ["#000000", "#FFFFFF"];
    if contrast(dark, ground) > contrast(light, ground) { dark } else { light }
}

/// Contrast as the Web Content Accessibility Guidelines define it.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |colour: &str| {
        let [r, g, b] = channels(colour)
            .map(|c| c / 255.0)
            .map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (x, y) = (luminance(a) + 0.05, luminance(b) + 0.05);
    x.max(y) / x.min(y)
}

/// Red, green and blue of `#RRGGBB`, from 0 to 255.
fn channels(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|at| {
        let pair = colour.get(at..at + 2).and_then(|c| u8::from_str_radix(c, 16).ok());
        f64::from(pair.unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_many_curves_look_alike_and_all_can_be_seen() {
        for theme in [Theme::Light, Theme::Dark] {
            let strokes: Vec<Stroke> = (0..42).map(|i| theme.stroke(i)).collect();
            for (i, a) in strokes.iter().enumerate() {
                assert!(strokes[..i].iter().all(|b| a != b), "{i}");
            }
            let colours = theme.colours();
            assert!(contrast(colours.text, colours.page) > 7.0);
            assert!(contrast(colours.muted, colours.page) > 4.5);
            for stroke in strokes {
                assert!(contrast(stroke.colour, colours.page) > 2.0, "{}", stroke.colour);
            }
        }
    }
    #[test]
    fn text_can_be_read_on_every_shade() {
        assert_eq!(mix("#FF0010", "#00FF30", 0.5), "#808020");
        for theme in [Theme::Light, Theme::Dark] {
            for (number, step) in (0..2).flat_map(|n| (0..=100).map(move |s| (n, s))) {
                let to = theme.stroke(number).colour;
                let shade = mix(theme.colours().page, to, f64::from(step) / 100.0);
                assert!(contrast(text_on(&shade), &shade) > 4.5, "{shade}");
            }
        }
    }
}
