//! The data sets that are compiled into the library. `embed/make.py` builds them from package
//! registries, `embed/SOURCES.md` says where they come from.

use super::super::read::Source;
use super::{Listing, Located, Published, Tables};

struct Set {
    name: &'static str,
    about: &'static str,
    source: &'static str,
    licence: &'static str,
    /// File name and content of each part.
    files: &'static [(&'static str, &'static [u8])],
    /// How many first rows are the published training part, where one file holds both.
    train_rows: Option<usize>,
}

macro_rules! file {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../embed/", $name, ".csv.gz")))
    };
}

const UCI: &str = "CC BY 4.0 (UCI Machine Learning Repository)";
const MASS: &str = "as distributed in the R package MASS, GPL-2 or GPL-3";

static SETS: [Set; 9] = [
    Set {
        name: "car",
        about: "how acceptable a car is, from price, doors, safety (all nominal, no noise)",
        source: "M. Bohanec, Car Evaluation, UCI, doi:10.24432/C5JP48",
        licence: UCI,
        files: &[file!("car")],
        train_rows: None,
    },
    Set {
        name: "digits",
        about: "handwritten digits as 8x8 images",
        source: "E. Alpaydin, C. Kaynak, Optical Recognition of Handwritten Digits, UCI, doi:10.24432/C50P49 (its test part)",
        licence: UCI,
        files: &[file!("digits")],
        train_rows: None,
    },
    Set {
        name: "iris",
        about: "three species of iris by the sizes of their flowers",
        source: "R. A. Fisher, Annals of Eugenics 7 (1936) 179-188; UCI, doi:10.24432/C56C76",
        licence: UCI,
        files: &[file!("iris")],
        train_rows: None,
    },
    Set {
        name: "kr-vs-kp",
        about: "chess, king and rook against king and pawn: can White win?",
        source: "A. Shapiro, Chess (King-Rook vs. King-Pawn), UCI, doi:10.24432/C5DK5C",
        licence: UCI,
        files: &[file!("kr-vs-kp")],
        train_rows: None,
    },
    Set {
        name: "mushroom",
        about: "edible (e) or poisonous (p) mushrooms, some values missing",
        source: "The Audubon Society Field Guide to North American Mushrooms; donor J. Schlimmer, UCI, doi:10.24432/C5959T",
        licence: UCI,
        files: &[file!("mushroom")],
        train_rows: None,
    },
    Set {
        name: "pima",
        about: "diabetes among Pima women; published training and test parts",
        source: "US National Institute of Diabetes and Digestive and Kidney Diseases; parts of B. D. Ripley (1996)",
        licence: MASS,
        files: &[file!("pima-tr"), file!("pima-te")],
        train_rows: None,
    },
    Set {
        name: "ripley-synth",
        about: "two overlapping classes in the plane; published parts (the Bayes rule errs on 80 of the 1000 test rows)",
        source: "B. D. Ripley, J. R. Statist. Soc. B 56 (1994) 409-456",
        licence: MASS,
        files: &[file!("ripley-synth-tr"), file!("ripley-synth-te")],
        train_rows: None,
    },
    Set {
        name: "segment",
        about: "seven kinds of surface in outdoor images; published parts (all 210 training rows occur in the test part too)",
        source: "Vision Group, University of Massachusetts, Image Segmentation, UCI, doi:10.24432/C5GP4N",
        licence: UCI,
        files: &[file!("segment")],
        train_rows: Some(210),
    },
    Set {
        name: "wdbc",
        about: "benign or malignant breast masses by 30 features of their cell nuclei",
        source: "W. H. Wolberg, W. N. Street, O. L. Mangasarian, Breast Cancer Wisconsin (Diagnostic), UCI, doi:10.24432/C5DW2B",
        licence: UCI,
        files: &[file!("wdbc")],
        train_rows: None,
    },
];

pub(super) fn list() -> Vec<Listing> {
    let listing = |set: &Set| Listing {
        name: set.name.to_owned(),
        about: set.about.to_owned(),
        source: set.source.to_owned(),
        licence: set.licence.to_owned(),
        embedded: true,
        parameters: Vec::new(),
    };
    SETS.iter().map(listing).collect()
}

pub(super) fn find(name: &str) -> Option<Located> {
    let set = SETS.iter().find(|set| set.name == name)?;
    let sources: Vec<Source> =
        set.files.iter().map(|(name, bytes)| Source::embedded(name, bytes)).collect();
    let published = match (sources.len(), set.train_rows) {
        (_, Some(rows)) => Published::FirstRows(rows),
        (2, None) => Published::FirstSource,
        _ => Published::None,
    };
    Some(Located { rows: Tables::Below(sources), published, labels: None })
}
