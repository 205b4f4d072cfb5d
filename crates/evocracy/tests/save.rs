//! Saving is all or nothing: a save that fails leaves the old file as it was and nothing beside
//! it, and at no moment is there a file that is neither the old nor the new one.

mod common;

use common::{open, train};
use evocracy::error::{Error, Result};
use evocracy::method::make;
use evocracy::model::Model;
use std::fs;
use std::path::Path;

fn model(method: &str) -> Result<Model> {
    Ok(train(make(method, &[])?.as_ref(), &open("iris").task()?, 1, 1)?.model)
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

/// Saving to `path` fails with an error that names it.
fn assert_refused(path: &Path) {
    let error = model("tree").and_then(|model| model.save(path)).expect_err("no place for a file");
    let Error::Io { action: "write", path: named, .. } = &error else { panic!("{error:?}") };
    assert_eq!(named, path, "{error}");
}

#[test]
fn a_save_replaces_the_file_and_leaves_nothing_beside_it() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    // What a killed process has left, or another one is just writing, must not be in the way.
    fs::write(folder.path().join("m.evo.partial"), "half a model").expect("the folder takes it");
    for method in ["tree", "naive-bayes"] {
        let model = model(method)?;
        model.save(&path)?;
        assert_eq!(Model::load(&path)?.to_bytes()?, model.to_bytes()?);
        assert_eq!(names(folder.path()), ["m.evo", "m.evo.partial"]);
    }
    Ok(())
}

#[test]
fn a_folder_in_place_of_the_file_is_refused() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    fs::create_dir(&path).expect("a folder");
    model("tree")?.save(&path.join("inner.evo"))?;
    assert_refused(&path);
    assert_eq!(names(folder.path()), ["m.evo"]);
    assert_eq!(names(&path), ["inner.evo"]);
    Ok(())
}

#[test]
fn a_missing_folder_is_refused_and_not_made() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_refused(&folder.path().join("none").join("m.evo"));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn when_no_new_file_can_be_made_the_old_one_stays() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    // The longest name there may be: nothing can be written beside it, whoever asks.
    let path = folder.path().join("m".repeat(255));
    let old = model("naive-bayes")?.to_bytes()?;
    fs::write(&path, &old).expect("the folder takes it");
    assert_refused(&path);
    assert_eq!(fs::read(&path).expect("the old file"), old);
    assert_eq!(names(folder.path()).len(), 1);
    Ok(())
}

/// As superuser, a rename would put an ordinary file in the place of `/dev/null`.
#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_stays_what_it_is() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    let _socket = std::os::unix::net::UnixListener::bind(&path).expect("a socket");
    assert_refused(&path);
    let kind = fs::symlink_metadata(&path).expect("it is there").file_type();
    assert!(kind.is_socket(), "{kind:?}");
    assert_eq!(names(folder.path()), ["m.evo"]);
}

/// Two that save to one file do not disturb each other.
#[test]
fn writers_beside_each_other_all_succeed() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    let models = [model("tree")?, model("naive-bayes")?];
    std::thread::scope(|threads| {
        let save = |model: &Model| (0..100).try_for_each(|_| model.save(&path));
        let writers = [&models[0], &models[1]].map(|model| threads.spawn(move || save(model)));
        writers.into_iter().try_for_each(|writer| writer.join().expect("no panic"))
    })?;
    let saved = fs::read(&path).expect("a file");
    assert!(saved == models[0].to_bytes()? || saved == models[1].to_bytes()?);
    assert_eq!(names(folder.path()), ["m.evo"]);
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_refused() -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    let old = model("naive-bayes")?;
    old.save(&path)?;
    let allow = |mode: u32| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.path(), permissions).expect("our own folder");
    };
    allow(0o500);
    // The superuser may write everywhere: there the folder before this test stands in for it.
    let superuser = fs::write(folder.path().join("probe"), "").is_ok();
    if !superuser {
        assert_refused(&path);
        assert_eq!(names(folder.path()), ["m.evo"]);
    }
    allow(0o700);
    assert_eq!(Model::load(&path)?.to_bytes()?, old.to_bytes()?);
    Ok(())
}

/// Whoever reads while others write sees one of the two models, whole. A crash at any moment
/// leaves what a reader would see at that moment.
#[test]
fn a_reader_beside_a_writer_always_finds_a_whole_model() -> Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.evo");
    let models = [model("tree")?, model("naive-bayes")?];
    let known = [models[0].to_bytes()?, models[1].to_bytes()?];
    models[0].save(&path)?;
    std::thread::scope(|threads| {
        let writer = threads.spawn(|| (0..100).try_for_each(|n| models[n % 2].save(&path)));
        while !writer.is_finished() {
            let bytes = fs::read(&path).expect("there is always a file");
            assert!(known.contains(&bytes), "neither of the two models");
        }
        writer.join().expect("the writer does not panic")
    })
}
