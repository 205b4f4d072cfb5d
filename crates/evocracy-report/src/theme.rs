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

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast as the Web Content Accessibility Guidelines define it.
    fn contrast(a: &str, b: &str) -> f64 {
        let luminance = |colour: &str| {
            let channel = |at: usize| {
                let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
                if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
        };
        let (x, y) = (luminance(a) + 0.05, luminance(b) + 0.05);
        x.max(y) / x.min(y)
    }

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
}
