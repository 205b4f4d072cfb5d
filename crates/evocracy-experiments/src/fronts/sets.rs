//! The data sets of the thesis, chapter 3, with what its tables print.

use crate::sets::Problem;
use evocracy::data::{Dataset, Split};
use evocracy::error::Result;
use evocracy::run::{Run, Seed};
use rand::seq::SliceRandom;

/// Rows of the banana subset, and its width.
const SUBSET: usize = 100;
const SUBSET_WIDTH: f64 = 0.25;

/// A data set with some partitions, and the width of its widest kernels.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) data: Dataset,
    pub(super) splits: Vec<Split>,
    /// `r*`, the width that a relevance vector machine is tuned to.
    pub(super) width: f64,
    /// Whether inputs are standardised; pictures are taken as they are.
    pub(super) standardised: bool,
}

/// The names of the sets, in the order of the tables.
pub(super) const NAMES: [&str; 8] =
    ["banana", "banana-subset", "breast-cancer", "titanic", "waveform", "german", "pima", "mnist"];

impl Set {
    /// A set with so many partitions at most.
    pub(super) fn open(name: &'static str, partitions: usize, run: &Run<'_>) -> Result<Self> {
        let subset = name == "banana-subset";
        let problem = Problem::open(if subset { "banana" } else { name }, run, false)?;
        let standardised = name != "mnist";
        let width = match name {
            "banana-subset" => SUBSET_WIDTH,
            "mnist" => crate::rvm::raw_width(&problem, run)?,
            _ => crate::rvm::width(&problem, run)?,
        };
        let Problem { data, mut splits } = problem;
        splits.truncate(partitions);
        if subset {
            for (number, split) in splits.iter_mut().enumerate() {
                split.train =
                    by_class(&data, &split.train, SUBSET, run.seed.child("subset", number as u64));
            }
        }
        Ok(Self { name, data, splits, width, standardised })
    }
}

/// So many of the rows, every class by its share.
fn by_class(data: &Dataset, rows: &[u32], count: usize, seed: Seed) -> Vec<u32> {
    let codes = data.codes().unwrap_or_default();
    let mut rng = seed.rng();
    let (mut drawn, mut seen) = (Vec::new(), 0);
    for class in [0, 1] {
        let mut own: Vec<u32> =
            rows.iter().copied().filter(|&row| codes[row as usize] == class).collect();
        own.shuffle(&mut rng);
        let before = seen * count / rows.len();
        seen += own.len();
        drawn.extend(&own[..seen * count / rows.len() - before]);
    }
    drawn.sort_unstable();
    drawn
}

/// What is printed of a scheme on a set: test accuracy in percent with its standard deviation,
/// vectors with theirs, training and test area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Printed {
    pub(super) accuracy: (f64, f64),
    pub(super) vectors: (f64, f64),
    pub(super) areas: Option<(f64, f64)>,
}

const fn row(accuracy: (f64, f64), vectors: (f64, f64), areas: (f64, f64)) -> Printed {
    Printed { accuracy, vectors, areas: Some(areas) }
}

/// The tables leave the areas of the subset out.
const fn subset(accuracy: (f64, f64), vectors: (f64, f64)) -> Printed {
    Printed { accuracy, vectors, areas: None }
}

/// Tables 3.2 and 3.3, in the order of [`NAMES`].
pub(super) const TABLE: [(&str, [Printed; 8]); 9] = [
    (
        "frvm",
        [
            row((88.59, 0.75), (29.7, 4.14), (0.99, 0.95)),
            subset((77.38, 6.72), (28.4, 7.06)),
            row((69.35, 4.42), (36.3, 3.83), (0.98, 0.68)),
            row((77.71, 1.38), (69.9, 22.12), (0.68, 0.64)),
            row((89.42, 0.59), (35.9, 5.13), (1.0, 0.94)),
            row((76.13, 1.92), (137.9, 4.2), (1.0, 0.75)),
            row((75.93, 1.32), (31.4, 4.27), (0.98, 0.81)),
            row((97.36, 0.0), (61.0, 0.0), (1.0, 0.94)),
        ],
    ),
    (
        "base",
        [
            row((87.83, 0.87), (25.9, 5.57), (0.98, 0.94)),
            subset((80.93, 2.2), (21.0, 5.87)),
            row((68.83, 5.61), (19.9, 8.23), (0.86, 0.74)),
            row((77.54, 1.37), (7.9, 3.0), (0.70, 0.70)),
            row((88.47, 0.73), (28.9, 4.38), (0.98, 0.95)),
            row((75.13, 2.23), (30.1, 6.31), (0.82, 0.77)),
            row((75.0, 2.89), (26.2, 7.48), (0.93, 0.82)),
            row((95.36, 0.0), (28.0, 0.0), (0.87, 0.90)),
        ],
    ),
    (
        "swap",
        [
            row((86.64, 1.04), (21.7, 6.93), (0.94, 0.92)),
            subset((77.91, 2.62), (11.9, 3.66)),
            row((70.26, 5.35), (13.7, 8.06), (0.78, 0.70)),
            row((77.22, 1.25), (5.9, 2.73), (0.69, 0.69)),
            row((87.34, 0.61), (13.2, 6.88), (0.96, 0.94)),
            row((73.83, 2.17), (17.6, 6.88), (0.78, 0.75)),
            row((73.98, 2.97), (12.8, 5.2), (0.85, 0.79)),
            row((94.4, 0.0), (20.0, 0.0), (0.86, 0.90)),
        ],
    ),
    (
        "shuffle",
        [
            row((85.68, 1.8), (15.3, 5.42), (0.89, 0.92)),
            subset((75.07, 3.46), (8.5, 3.34)),
            row((70.13, 4.66), (8.6, 4.12), (0.76, 0.71)),
            row((77.54, 1.35), (5.8, 2.25), (0.69, 0.69)),
            row((87.47, 0.59), (13.2, 6.23), (0.95, 0.94)),
            row((74.17, 2.35), (12.0, 8.58), (0.69, 0.74)),
            row((75.45, 2.68), (7.8, 4.32), (0.83, 0.80)),
            row((95.44, 0.0), (23.0, 0.0), (0.77, 0.90)),
        ],
    ),
    (
        "stratified",
        [
            row((87.45, 1.74), (17.5, 5.3), (0.90, 0.92)),
            subset((75.04, 5.17), (8.6, 3.03)),
            row((71.56, 5.03), (7.2, 2.3), (0.75, 0.71)),
            row((77.13, 1.63), (6.8, 4.34), (0.69, 0.69)),
            row((88.1, 0.64), (9.1, 4.77), (0.95, 0.94)),
            row((74.57, 2.73), (12.2, 6.58), (0.70, 0.73)),
            row((75.27, 2.19), (10.8, 3.77), (0.84, 0.80)),
            row((94.93, 0.0), (19.0, 0.0), (0.70, 0.89)),
        ],
    ),
    (
        "homogeneous",
        [
            row((86.97, 1.53), (15.7, 7.9), (0.91, 0.93)),
            subset((74.78, 6.42), (9.2, 5.03)),
            row((68.31, 5.52), (10.5, 3.5), (0.77, 0.70)),
            row((77.09, 1.67), (6.9, 2.69), (0.70, 0.70)),
            row((88.2, 0.38), (12.7, 2.87), (0.95, 0.94)),
            row((73.97, 2.34), (11.0, 5.66), (0.70, 0.73)),
            row((75.93, 1.23), (5.9, 2.85), (0.85, 0.81)),
            row((94.76, 0.0), (19.0, 0.0), (0.74, 0.89)),
        ],
    ),
    (
        "kfold-2",
        [
            row((88.09, 1.11), (25.3, 6.25), (0.96, 0.93)),
            subset((82.37, 2.31), (17.2, 4.54)),
            row((66.1, 6.61), (14.8, 4.66), (0.82, 0.72)),
            row((77.54, 1.38), (7.7, 3.06), (0.70, 0.70)),
            row((88.38, 0.75), (18.3, 4.9), (0.98, 0.95)),
            row((75.8, 2.36), (17.7, 4.64), (0.79, 0.77)),
            row((75.27, 2.16), (12.0, 4.47), (0.88, 0.81)),
            row((96.13, 0.0), (35.0, 0.0), (0.84, 0.91)),
        ],
    ),
    (
        "kfold-5",
        [
            row((87.26, 0.68), (27.2, 4.16), (0.97, 0.94)),
            subset((81.31, 1.72), (16.2, 6.39)),
            row((70.26, 5.59), (15.6, 6.42), (0.83, 0.72)),
            row((77.27, 1.78), (6.9, 3.93), (0.71, 0.71)),
            row((88.34, 0.91), (18.7, 8.27), (0.98, 0.85)),
            row((75.23, 2.35), (24.9, 7.19), (0.80, 0.77)),
            row((75.51, 2.45), (14.8, 4.59), (0.89, 0.82)),
            row((93.84, 0.0), (17.0, 0.0), (0.90, 0.90)),
        ],
    ),
    (
        "kfold-10",
        [
            row((88.19, 0.99), (24.7, 7.8), (0.97, 0.94)),
            subset((80.29, 1.58), (16.8, 6.12)),
            row((69.48, 4.21), (15.5, 6.29), (0.82, 0.72)),
            row((77.22, 1.77), (7.2, 2.39), (0.72, 0.70)),
            row((88.36, 0.43), (18.9, 4.93), (0.98, 0.95)),
            row((75.37, 2.72), (22.0, 7.23), (0.80, 0.77)),
            row((75.75, 2.24), (14.6, 4.2), (0.89, 0.82)),
            row((93.88, 0.0), (15.0, 0.0), (0.83, 0.88)),
        ],
    ),
];

/// What is printed of a scheme on a set.
pub(super) fn printed(scheme: &str, set: &str) -> Option<Printed> {
    let place = NAMES.iter().position(|name| *name == set)?;
    TABLE.iter().find(|(name, _)| *name == scheme).map(|(_, rows)| rows[place])
}
