//! Data sets by name: the embedded ones equal the published files, folders are understood.

use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, Options};
use evocracy::error::Result;
use std::path::PathBuf;

/// The folder of published data, if there is one here. Where `EVOCRACY_REQUIRE_DATA` is set, as
/// in continuous integration, its absence is a failure.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("EVOCRACY_DATA").map(PathBuf::from).filter(|f| f.is_dir());
    let required = std::env::var_os("EVOCRACY_REQUIRE_DATA").is_some();
    assert!(folder.is_some() || !required, "EVOCRACY_DATA must name the folder of published data");
    folder
}

fn open(catalogue: &Catalogue, name: &str) -> Result<Dataset> {
    catalogue.open(name, &Load::default())
}

#[test]
fn embedded_sets_have_their_published_shape() -> Result<()> {
    let shapes = [
        ("car", 1728, 6, 4),
        ("digits", 1797, 64, 10),
        ("iris", 150, 4, 3),
        ("kr-vs-kp", 3196, 36, 2),
        ("mushroom", 8124, 22, 2),
        ("pima", 532, 7, 2),
        ("ripley-synth", 1250, 2, 2),
        ("segment", 2310, 19, 7),
        ("wdbc", 569, 30, 2),
    ];
    let catalogue = Catalogue::embedded();
    assert_eq!(catalogue.list()?.iter().filter(|l| l.embedded).count(), shapes.len());
    for (name, rows, columns, classes) in shapes {
        let data = open(&catalogue, name)?;
        let shape = (data.table().rows(), data.features().columns(), data.classes().unwrap().len());
        assert_eq!(shape, (rows, columns, classes), "{name}");
    }
    Ok(())
}

#[test]
fn embedded_sets_equal_the_published_files() -> Result<()> {
    let Some(folder) = published() else { return Ok(()) };
    let folder = Catalogue::with_folders(vec![folder]);
    for listing in Catalogue::embedded().list()?.iter().filter(|l| l.embedded) {
        let name = &listing.name;
        let (ours, theirs) = (open(&Catalogue::embedded(), name)?, open(&folder, name)?);
        assert!(ours.table() == theirs.table(), "{name}");
    }
    Ok(())
}

#[test]
fn parts_and_partitions_are_the_published_ones() -> Result<()> {
    let catalogue = Catalogue::embedded();
    assert_eq!(open(&catalogue, "pima:train")?.table().rows(), 200);
    assert_eq!(open(&catalogue, "pima:test")?.table().rows(), 332);
    assert_eq!(open(&catalogue, "segment")?.published[0].train.len(), 210);
    assert!(open(&catalogue, "iris:train").is_err());
    assert!(open(&catalogue, "pima:trian").is_err());
    assert!(open(&catalogue, "pima@2").is_err());
    assert!(open(&catalogue, "pima@0").is_err());
    Ok(())
}

#[test]
fn the_published_folder_is_understood() -> Result<()> {
    let Some(folder) = published() else { return Ok(()) };
    let catalogue = Catalogue::with_folders(vec![folder]);
    let shape = |name: &str| {
        open(&catalogue, name).map(|data| (data.table().rows(), data.features().columns()))
    };
    assert_eq!(shape("mfeat")?, (2000, 649));
    assert_eq!(shape("mfeat-fou")?, (2000, 76));
    assert_eq!(shape("leukemia:train")?, (38, 7129));
    assert_eq!(shape("colon")?, (62, 2000));
    assert_eq!(shape("breast-hedenfalk")?, (22, 3226));
    for (name, train, test) in [
        ("banana", 400, 4900),
        ("breast-cancer", 200, 77),
        ("titanic", 150, 2051),
        ("waveform", 400, 4600),
        ("german", 700, 300),
    ] {
        let data = open(&catalogue, &format!("{name}@3"))?;
        assert_eq!((data.published[0].train.len(), data.published[0].test.len()), (train, test));
        assert_eq!(open(&catalogue, name)?.published.len(), 10);
    }
    let leukemia = open(&catalogue, "leukemia")?;
    assert!(leukemia.table().schema().fields[0].label.as_deref().unwrap().contains("AFFX"));
    let names: Vec<String> = catalogue.list()?.into_iter().map(|l| l.name).collect();
    for name in ["mnist", "mfeat", "mfeat-zer", "pima", "banana", "colon"] {
        assert!(names.iter().any(|n| n == name), "{name}");
    }
    assert!(!names.iter().any(|n| n.contains(".genes") || n.ends_with("-tr")));
    Ok(())
}

#[test]
fn mnist_is_read_from_its_idx_files() -> Result<()> {
    let Some(folder) = published() else { return Ok(()) };
    let data = open(&Catalogue::with_folders(vec![folder]), "mnist")?;
    assert_eq!((data.table().rows(), data.features().columns()), (70_000, 784));
    let split = &data.published[0];
    assert_eq!((split.train.len(), split.test.len()), (60_000, 10_000));
    let fives =
        |rows: &[u32]| rows.iter().filter(|&&row| data.codes().unwrap()[row as usize] == 5).count();
    assert_eq!((fives(&split.train), fives(&split.test)), (5421, 892));
    Ok(())
}

#[test]
fn a_slip_in_a_name_is_recognised() {
    let help = |name: &str| {
        Catalogue::embedded().open(name, &Load::default()).unwrap_err().help().unwrap_or_default()
    };
    assert_eq!(help("mushrom"), "did you mean `mushroom`?");
    assert!(help("zebra").contains("known data sets: car"));
}

#[test]
fn the_positive_class_and_the_target_can_be_chosen() -> Result<()> {
    let catalogue = Catalogue::embedded();
    let options = Options { positive: Some("No".into()), ..Options::default() };
    let data = catalogue.open("pima", &Load { options, ..Load::default() })?;
    assert_eq!(data.classes().unwrap().positive(), 0);
    let options = Options { target: Some("odor".into()), ..Options::default() };
    let data = catalogue.open("mushroom", &Load { options, ..Load::default() })?;
    assert_eq!(data.classes().unwrap().len(), 9);
    let options = Options { target: Some("oder".into()), ..Options::default() };
    let error = catalogue.open("mushroom", &Load { options, ..Load::default() }).unwrap_err();
    assert_eq!(error.help().as_deref(), Some("did you mean `odor`?"));
    Ok(())
}

#[test]
fn a_partition_that_judges_on_training_rows_is_refused() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder takes files");
    };
    write("t.csv", "x,class\n1,a\n2,b\n3,a\n4,b\n");
    let catalogue = Catalogue::with_folders(vec![folder.path().to_owned()]);
    write("t.splits.json", r#"{"train": [[0, 1]], "test": [[2, 3]]}"#);
    assert_eq!(open(&catalogue, "t")?.published.len(), 1);
    write("t.splits.json", r#"{"train": [[0, 1], [0, 1]], "test": [[2, 3], [1, 3]]}"#);
    let error = open(&catalogue, "t").unwrap_err().to_string();
    assert!(error.contains("row 1 is in both parts of partition 2"), "{error}");
    Ok(())
}
