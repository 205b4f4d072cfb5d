//! A seeded run of damaged and forged input through the readers and the model loader: no panic,
//! no abort, no runaway memory. At least a million cases, bounded in count.

mod fuzzing;
mod pairs;

use evocracy::classify::{Decision, Predicts};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::read::{Format, Source, Stream, read_table};
use evocracy::data::{Column, Dataset, Field, Goal, MISSING, Options, Schema, Table};
use evocracy::error::Result;
use evocracy::measure::CostMatrix;
use evocracy::method::{Method, make, registry};
use evocracy::model::{Chunk, Model, read_frame, write_frame};
use evocracy::run::{Pool, Run, Seed, Stop};
use fuzzing::{bounded, mutate, peak};
use pairs::Pairs;
use rand::RngExt;

/// Bytes that matter to the readers, likelier than others.
const SPICE: &[u8] = b",,,;\t\n\n\r\"\"'?#|0123456789.-+eEinfNaNul \xef\xbb\xbf\xff\x00ab";

const TABLES: [&[u8]; 6] = [
    b"a,b,class\n1,x,yes\n2,y,no\n3,x,yes\n",
    b"\"a\",\"b\"\"c\",class\r\n1.5,\"two\nlines\",0\r\n-2e3,,1\r\n",
    b"\xef\xbb\xbfa;b;y\n?;NA;1\n1;2;0\n",
    b"a\tb\n\n1\t2\n\n",
    b"x\n1\n2\n",
    b"a|b|c|d|e\n1|2|3|4|5\n1|2|3|4|5\n1|2|3|4|5\n",
];

#[test]
fn damaged_tables_are_read_or_refused() {
    let schema = Schema { fields: vec![Field::number("a"), Field::nominal("b", ["x", "y", "2"])] };
    bounded(8.0, || {
        let mut rng = Seed::new(20_261_115).rng();
        let mut read = 0;
        for case in 0..1_000_000 {
            let mut bytes = TABLES[case % TABLES.len()].to_vec();
            mutate(&mut bytes, &mut rng, SPICE);
            let source = Source::memory("fuzz", bytes);
            let format = Format { header: case % 5 != 0, ..Format::default() };
            if let Ok((table, rows)) = read_table(std::slice::from_ref(&source), &format) {
                assert_eq!(table.rows(), rows[0]);
                let _ = Dataset::new("fuzz", table, &Options::default());
                read += 1;
            }
            if let Ok(mut stream) = Stream::open(&source, &format, &schema) {
                while let Ok(Some(chunk)) = stream.next_chunk(2) {
                    assert!(chunk.rows() <= 2);
                }
            }
        }
        assert!(read > 100_000, "only {read} of the tables were readable: the damage is too great");
    });
}

#[test]
fn damaged_gzip_is_refused() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(TABLES[0]).expect("memory takes it");
    let packed = packed.finish().expect("memory takes it");
    bounded(8.0, || {
        let mut rng = Seed::new(7).rng();
        for _ in 0..50_000 {
            let mut bytes = packed.clone();
            mutate(&mut bytes, &mut rng, b"\x1f\x8b\x08");
            let _ = read_table(&[Source::memory("fuzz", bytes)], &Format::default());
        }
    });
}

/// A small table of every kind of column, to train on and to predict.
fn rows() -> Table {
    let schema = Schema {
        fields: vec![
            Field::number("x"),
            Field::nominal("c", ["p", "q", "r"]),
            Field::number("z"),
            Field::nominal("class", ["no", "yes"]),
        ],
    };
    let x = (0..24).map(|i| if i % 7 == 0 { f64::NAN } else { f64::from(i) }).collect();
    let c = (0..24).map(|i| if i % 5 == 0 { MISSING } else { i % 3 }).collect();
    let columns = vec![
        Column::Number(x),
        Column::Nominal(c),
        Column::Number((0..24).map(|i| f64::from(i * i % 11)).collect()),
        Column::Nominal((0..24).map(|i| u32::from(i % 4 > 1)).collect()),
    ];
    Table::new(schema, columns).expect("a sound table")
}

fn models() -> Result<Vec<Vec<u8>>> {
    let classes = Dataset::new("fuzz", rows(), &Options::default())?;
    let options = Options { target: Some("z".into()), goal: Goal::Number, ..Options::default() };
    let numbers = Dataset::new("fuzz", rows(), &options)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut models = Vec::new();
    for entry in registry() {
        let method = make(entry.name, &[])?;
        let data = if entry.predicts == Predicts::Class { &classes } else { &numbers };
        models.push(method.train(&data.task()?, &Run::new(1, &stop, &pool))?.model.to_bytes()?);
    }
    let run = Run::new(1, &stop, &pool);
    let front = Pairs::default().machines(5).train(&classes.task()?, &run)?.model;
    models.push(front.to_bytes()?);
    let tree = make("stump", &[])?.train(&classes.task()?, &run)?.model;
    for decision in [Decision::threshold(0.3), Decision::costs(CostMatrix::of_two(1.0, 5.0, 1)?)] {
        models.push(tree.clone().with_decision(decision)?.to_bytes()?);
    }
    Ok(models)
}

/// What loads must also predict and explain without a panic.
fn use_model(bytes: &[u8], table: &Table) -> bool {
    let Ok(model) = Model::from_bytes(bytes) else { return false };
    if let Ok(proba) = model.proba(table.view()) {
        let _ = model.call(proba.row(0));
    }
    let _ = model.predict(table.view());
    let _ = model.explain(table.view(), 0);
    let _ = model.to_bytes();
    true
}

#[test]
fn damaged_model_files_are_refused() -> Result<()> {
    let (models, table) = (models()?, rows());
    // Some damage puts back what was there: such a file is used like any other. No damaged one takes
    // more than the largest sound one, but for a little to tell it.
    let sound = peak(|| assert!(models.iter().all(|bytes| use_model(bytes, &table))));
    bounded(sound + 1.0, || {
        let mut rng = Seed::new(1).rng();
        for case in 0..150_000 {
            let mut bytes = models[case % models.len()].clone();
            let whole = bytes.clone();
            mutate(&mut bytes, &mut rng, b"EVO\x00\x01\xff\x93\xdd\xdf");
            let loaded = use_model(&bytes, &table);
            assert!(!loaded || bytes == whole, "damage went unnoticed");
        }
    });
    Ok(())
}

#[test]
fn forged_model_files_behind_a_right_checksum_are_safe() -> Result<()> {
    let (models, table) = (models()?, rows());
    bounded(64.0, || {
        let mut rng = Seed::new(2).rng();
        let mut loaded = 0;
        for case in 0..400_000 {
            let chunks = read_frame(&models[case % models.len()]).expect("a sound frame");
            let mut payload = chunks[0].payload.to_vec();
            mutate(&mut payload, &mut rng, b"\x00\x01\x80\x90\x91\xc0\xca\xcb\xdc\xdd\xde\xdf\xff");
            let chunk = Chunk { payload: &payload, ..chunks[0].clone() };
            loaded += usize::from(use_model(&write_frame(&[chunk]), &table));
        }
        assert!(loaded > 1000, "only {loaded} forgeries loaded: the damage is too great");
    });
    Ok(())
}

#[test]
fn forged_frames_are_safe() -> Result<()> {
    let (models, table) = (models()?, rows());
    bounded(64.0, || {
        let mut rng = Seed::new(3).rng();
        for case in 0..100_000 {
            let chunks = read_frame(&models[case % models.len()]).expect("a sound frame");
            let mut bytes = write_frame(&vec![chunks[0].clone(); rng.random_range(1..4)]);
            bytes.truncate(bytes.len() - 4);
            let at = rng.random_range(8..bytes.len().min(120));
            bytes[at] = rng.random();
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            use_model(&bytes, &table);
        }
    });
    Ok(())
}

#[test]
fn a_gzip_bomb_stops_at_the_longest_record() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![b'0'; 1 << 20];
    packed.write_all(b"a,b\n").expect("memory takes it");
    for _ in 0..200 {
        packed.write_all(&zeros).expect("memory takes it");
    }
    let packed = packed.finish().expect("memory takes it");
    bounded(200.0, || {
        let source = Source::memory("bomb", packed);
        let error = read_table(&[source], &Format::default()).unwrap_err().to_string();
        assert!(error.contains("longer than"), "{error}");
    });
}

#[test]
fn catalogue_names_of_any_kind_are_answered() {
    bounded(64.0, || {
        let mut rng = Seed::new(4).rng();
        for case in 0..2_000 {
            let mut name =
                ["pima:train", "banana@3", "wdbc", "a/b.csv"][case % 4].as_bytes().to_vec();
            mutate(&mut name, &mut rng, b":@/.-\x00");
            let name = String::from_utf8_lossy(&name);
            let _ = Catalogue::embedded().open(&name, &Load::default());
        }
    });
}
