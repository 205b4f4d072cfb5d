//! Golden model files: what was saved once loads for ever and says the same. They are written
//! by `examples/golden.rs`.

mod common;

use evocracy::error::Result;
use evocracy::model::{Chunk, Model, read_frame, write_frame};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const TOLERANCE: f64 = 1e-12;

#[derive(Deserialize)]
struct Golden {
    file: String,
    data: String,
    method: String,
    classes: Vec<String>,
    rows: Vec<u32>,
    proba: Vec<Vec<f64>>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("golden")
}

fn goldens() -> Vec<Golden> {
    serde_json::from_str(include_str!("golden/golden.json")).expect("the golden figures")
}

fn bytes(golden: &Golden) -> Vec<u8> {
    std::fs::read(folder().join(&golden.file)).expect("a golden file")
}

/// The model says what it said when it was saved.
fn assert_says_the_same(golden: &Golden, model: &Model) -> Result<()> {
    let data = common::open(&golden.data);
    let proba = model.proba(data.features().with_rows(&golden.rows))?;
    assert_eq!(model.classes()?.names(), golden.classes, "{}", golden.file);
    assert_eq!(proba.rows(), golden.proba.len(), "{}", golden.file);
    for (row, expected) in golden.proba.iter().enumerate() {
        assert_eq!(proba.row(row).len(), expected.len());
        for (p, expected) in proba.row(row).iter().zip(expected) {
            let place = format!("{}, row {}", golden.file, golden.rows[row]);
            assert!((p - expected).abs() <= TOLERANCE, "{place}: {p}, expected {expected}");
        }
    }
    Ok(())
}

#[test]
fn golden_files_load_and_say_the_same() -> Result<()> {
    for golden in goldens() {
        let model = Model::load(&folder().join(&golden.file))?;
        assert_eq!((&model.about().method, model.about().seed), (&golden.method, 1));
        assert_says_the_same(&golden, &model)?;
    }
    Ok(())
}

#[test]
fn every_golden_file_has_its_figures() {
    let known: Vec<String> = goldens().into_iter().map(|golden| golden.file).collect();
    let entries = std::fs::read_dir(folder()).expect("the golden files");
    for entry in entries {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        assert!(name == "golden.json" || known.contains(&name), "{name} is never tested");
    }
}

/// The bytes of the file with its payload changed by `edit`.
fn edited(golden: &Golden, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let bytes = bytes(golden);
    let chunks = read_frame(&bytes).expect("a sound frame");
    // The last chunk is the model; those before it are its members.
    let (chunk, members) = chunks.split_last().expect("a chunk");
    let mut value = rmp_serde::from_slice(chunk.payload).expect("MessagePack");
    edit(&mut value);
    let payload = rmp_serde::to_vec_named(&value).expect("memory takes it");
    let mut all = members.to_vec();
    all.push(Chunk { payload: &payload, ..chunk.clone() });
    write_frame(&all)
}

/// Puts an unknown field into every map with field names below this value; how many there were.
fn add_to_all(value: &mut Value) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(add_to_all).sum(),
        Value::Object(fields) => {
            let below: usize = fields.values_mut().map(add_to_all).sum();
            // A map with one entry may be a variant with its content, which takes no fields.
            if fields.len() < 2 {
                return below;
            }
            fields.insert("from the future".into(), json!({ "any": ["thing", 1, null] }));
            below + 1
        }
        _ => 0,
    }
}

/// An older program reads the files of a newer one whose version is the same: fields may be
/// added wherever they can be ignored.
#[test]
fn unknown_fields_are_passed_over() -> Result<()> {
    for golden in goldens() {
        let mut added = 0;
        let bytes = edited(&golden, |value| added = add_to_all(value));
        assert!(added > 5, "{}: only {added} places for a field", golden.file);
        assert_says_the_same(&golden, &Model::from_bytes(&bytes)?)?;
    }
    Ok(())
}

/// A newer program reads the files of an older one that did not know a field yet.
#[test]
fn a_field_with_a_default_may_be_lacking() -> Result<()> {
    for golden in goldens() {
        let label = |value: Value| {
            let bytes = edited(&golden, |payload| {
                let field = &mut payload["schema"]["fields"][0];
                field.as_object_mut().expect("a field").remove("label");
                if !value.is_null() {
                    field["label"] = value;
                }
            });
            let model = Model::from_bytes(&bytes)?;
            assert_says_the_same(&golden, &model)?;
            Ok::<_, evocracy::error::Error>(model.schema().fields[0].label.clone())
        };
        assert_eq!(label(Value::Null)?, None, "{}", golden.file);
        assert_eq!(label(json!("in words"))?.as_deref(), Some("in words"), "{}", golden.file);
    }
    Ok(())
}

#[test]
fn a_field_without_a_default_may_not_be_lacking() {
    for golden in goldens() {
        for name in ["about", "schema", "encoder", "core"] {
            let bytes = edited(&golden, |payload| {
                payload.as_object_mut().expect("named fields").remove(name).expect(name);
            });
            let error = Model::from_bytes(&bytes).expect_err(name);
            assert_eq!(error.kind(), "model-file");
            assert!(error.to_string().contains(&format!("missing field `{name}`")), "{error}");
        }
    }
}

/// A payload of a newer version may hold what cannot be ignored.
#[test]
fn a_newer_version_of_a_payload_is_refused_with_advice() {
    for golden in goldens() {
        let bytes = bytes(&golden);
        let mut chunks = read_frame(&bytes).expect("a sound frame");
        chunks[0].version += 1_000;
        let error = Model::from_bytes(&write_frame(&chunks)).expect_err("a newer version");
        assert!(error.help().unwrap_or_default().contains("newer evocracy"), "{error}");
    }
}
