//! Selections of genes over random halves: how often each was selected, how many genes classifiers
//! have and how they do on both halves (figures 4.2, 4.6, 4.7 and 4.19 of A. R. J. Clark's thesis).

mod areas;
mod scale;
mod stems;

pub use areas::{AreaPoint, Areas, areas_svg, gene_areas_svg};
pub use stems::{Stem, Stems, stems_svg};

#[cfg(test)]
mod tests;
