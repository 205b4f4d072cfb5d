//! Pictures of results: SVG as text, made by hand so that a picture is small, the same every
//! time and free of any drawing library.

mod page;
mod plot;
mod roc;
mod svg;
#[cfg(test)]
mod testing;
mod text;
mod theme;
mod thin;

pub use page::Options;
pub use roc::{Band, Iso, Mark, NamedCurve, roc_svg};
pub use theme::Theme;
