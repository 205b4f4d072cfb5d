//! Pictures of a selection.

use super::args::Picture;
use crate::look::Look;
use anyhow::Result;
use evocracy::select::Selection;
use evocracy_report::{AreaPoint, Areas, Stem, Stems, areas_svg, gene_areas_svg, stems_svg};
use std::path::Path;

/// Genes that are named in a picture of counts.
const NAMED: usize = 8;

pub fn draw(
    found: &Selection,
    data: &str,
    picture: Picture,
    (path, look): (&Path, &Look),
) -> Result<()> {
    let subtitle = format!("{data}, {} splits, by {}", found.splits[0], found.by);
    let points: Vec<AreaPoint> = found
        .classifiers
        .iter()
        .map(|one| AreaPoint { genes: one.genes, train: one.auc[0], test: one.auc[1] })
        .collect();
    // Of random scores of a half, as in figure 4.19 of the thesis: test areas of permuted labels say
    // nothing about training areas.
    let areas = Areas { points: &points, chance: Some(found.random_auc) };
    match picture {
        Picture::Counts => {
            let stem = |row: &evocracy::select::GeneRow| Stem {
                column: row.column,
                total: row.total,
                coincident: row.coincident,
                name: row.gene.clone(),
            };
            let stems: Vec<Stem> = found.table.iter().map(stem).collect();
            let columns = found.table.iter().map(|row| row.column).max().unwrap_or(1);
            let columns = columns.max(found.genes + found.constant);
            let stems = Stems { stems: &stems, columns, splits: found.splits[0], named: NAMED };
            let title = "How often columns were selected".to_owned();
            look.write(path, (title, subtitle), |options| stems_svg(&stems, options))
        }
        Picture::Genes => {
            let title = "Columns of a classifier and its areas".to_owned();
            look.write(path, (title, subtitle), |options| gene_areas_svg(&areas, options))
        }
        Picture::Areas => {
            let title = "Training and test areas".to_owned();
            look.write(path, (title, subtitle), |options| areas_svg(&areas, options))
        }
    }
}
