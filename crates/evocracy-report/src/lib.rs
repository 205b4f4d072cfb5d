//! Pictures of results: SVG as text, made by hand so that a picture is small, the same every
//! time and free of any drawing library.

mod cd;
mod confusion;
mod contour;
mod genes;
mod network;
mod page;
mod plot;
mod pr;
mod reliability;
mod roc;
mod scatter;
mod svg;
#[cfg(test)]
mod testing;
mod text;
mod theme;
mod thin;
mod tree;

pub use cd::{Ranks, cd_svg};
pub use confusion::{Confusion, confusion_svg};
pub use contour::{Contours, contours_svg};
pub use genes::{AreaPoint, Areas, Stem, Stems, areas_svg, gene_areas_svg, stems_svg};
pub use network::{Graph, network_svg};
pub use page::Options;
pub use pr::{PrCurve, PrecisionRecall, pr_svg};
pub use reliability::{Bin, Reliability, reliability_svg};
pub use roc::{Band, Iso, Mark, NamedCurve, roc_svg};
pub use scatter::{Axis, Layer, Scatter, Shape, scatter_svg};
pub use theme::Theme;
pub use tree::{TreeBox, TreePicture, tree_svg};
