//! Pictures of results: SVG as text, made by hand so that a picture is small, the same every
//! time and free of any drawing library.

mod roc;
mod svg;
mod text;
mod theme;
mod thin;

pub use roc::{Mark, NamedCurve, Options, roc_svg};
pub use theme::Theme;
