//! A small file cannot ask for much memory: columns, expansion and model files are bounded before
//! anything is allocated.

mod common;

use common::{open, train};
use evocracy::data::read::{Format, Source, read_table};
use evocracy::error::Result;
use evocracy::judge::Judged;
use evocracy::method::make;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};
use flate2::Compression;
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;
use std::io::Write;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most memory that `work` took, in megabytes. The tests of this file run in one thread, one
/// after the other, as one test.
fn megabytes<T>(work: impl FnOnce() -> T) -> (T, f32) {
    let before = MEMORY.current_usage_as_mb();
    MEMORY.reset_peak_usage();
    let done = work();
    (done, MEMORY.peak_usage_as_mb() - before)
}

fn gzipped(block: &[u8], count: usize) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..count {
        packed.write_all(block).expect("memory takes it");
    }
    packed.finish().expect("memory takes it")
}

#[test]
fn small_files_take_little_memory() -> Result<()> {
    wide_tables();
    bombs();
    models_of_empty_texts()?;
    many_classes()?;
    few_centres_of_many_classes()
}

/// Twenty million empty columns in 20 KB.
fn wide_tables() {
    let packed = gzipped(&vec![b','; 1 << 20], 20);
    assert!(packed.len() < 100_000);
    let source = Source::memory("wide", packed);
    let (read, peak) = megabytes(|| read_table(&[source], &Format::default()));
    let error = read.unwrap_err().to_string();
    assert!(error.contains("more than 100000 columns"), "{error}");
    assert!(peak < 200.0, "{peak} MB");
}

/// Half a gigabyte of one row, again and again, in half a megabyte.
fn bombs() {
    let packed = gzipped(&b"1,2\n".repeat(1 << 16), 2048);
    assert!(packed.len() < 1 << 20);
    let with_header = [gzipped(b"a,class\n", 1), packed].concat();
    let source = Source::memory("bomb", with_header);
    let error = read_table(&[source], &Format::default()).unwrap_err().to_string();
    assert!(error.contains("more than 400 times its size"), "{error}");
    // What a person has is read.
    let rows = b"1.5,2,a\n7,3,b\n".repeat(1 << 12);
    let source = Source::memory("t", [gzipped(b"x,y,class\n", 1), gzipped(&rows, 4)].concat());
    assert_eq!(read_table(&[source], &Format::default()).expect("a table").0.rows(), 1 << 15);
}

/// A model whose column has ten million empty levels.
fn models_of_empty_texts() -> Result<()> {
    let method = make("naive-bayes", &[])?;
    let model = train(method.as_ref(), &open("car").task()?, 1, 1)?.model;
    let bytes = model.to_bytes()?;
    // The levels of `buying`, as MessagePack has them, become a longer list.
    let levels = [&[0x94][..], b"\xa4high", b"\xa3low", b"\xa3med", b"\xa5vhigh"].concat();
    let at = bytes.windows(levels.len()).position(|part| part == levels).expect("the levels");
    let count = 10_000_000_u32;
    let empty = [&[0xdd], &count.to_be_bytes()[..], &vec![0xa0; count as usize]].concat();
    let chunks = evocracy::model::read_frame(&bytes)?;
    let [chunk] = &chunks[..] else { panic!("one part") };
    let start = chunk.payload.as_ptr() as usize - bytes.as_ptr() as usize;
    let (before, after) = chunk.payload.split_at(at - start);
    let payload = [before, &empty, &after[levels.len()..]].concat();
    let forged = evocracy::model::Chunk { payload: &payload, ..chunk.clone() };
    let forged = evocracy::model::write_frame(&[forged]);
    let (loaded, peak) = megabytes(|| Model::from_bytes(&forged));
    let error = loaded.unwrap_err().to_string();
    assert!(error.contains("unfolds into far more than its bytes"), "{error}");
    assert!(peak < 10.0, "{peak} MB");
    Ok(())
}

/// A confusion of 4,000 classes with its zeros would take 128 MB.
fn many_classes() -> Result<()> {
    let row = |row: u32| format!("{},{},c{}\n", row % 64, row / 64, row % 4000);
    let text = format!("x,y,class\n{}", (0..8000).map(row).collect::<String>());
    let (table, _) = read_table(&[Source::memory("t", text.into_bytes())], &Format::default())?;
    let data = evocracy::data::Dataset::new("t", table, &evocracy::data::Options::default())?;
    let model = train(make("stump", &[])?.as_ref(), &data.task()?, 1, 1)?.model;
    let rows: Vec<u32> = (0..500).collect();
    let task = data.task()?.with_rows(&rows);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let (text, peak) = megabytes(|| -> Result<String> {
        let figures = Judged::task_in(&model, &task, false, &run)?.figures()?;
        Ok(serde_json::to_string(&figures).expect("JSON"))
    });
    assert!(text?.len() < 100_000);
    // 500 rows of 4,000 probabilities are 16 MB.
    assert!(peak < 60.0, "{peak} MB");
    Ok(())
}

/// A sample of 100 rows has five of each of 1,000 classes: matrices of 5,000 bases, not of 100.
fn few_centres_of_many_classes() -> Result<()> {
    let row = |row: u32| format!("{},{},c{}\n", row % 71, row / 71, row % 1000);
    let text = format!("x,y,class\n{}", (0..5000).map(row).collect::<String>());
    let (table, _) = read_table(&[Source::memory("t", text.into_bytes())], &Format::default())?;
    let data = evocracy::data::Dataset::new("t", table, &evocracy::data::Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run { memory: 300 << 20, ..Run::new(1, &stop, &pool) };
    for (name, settings) in [
        ("rvm-classic", &[("centres", "100"), ("width", "1")][..]),
        ("rvm", &[("centres", "100"), ("rows", "100"), ("bases", "stored")]),
    ] {
        let small = Run { memory: 100 << 20, ..run.clone() };
        let run = if name == "rvm" { &small } else { &run };
        let method = make(name, &common::settings(settings))?;
        let (fitted, peak) = megabytes(|| method.train(&data.task()?, run));
        let error = fitted.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("5001 bases would need"), "{name}: {error}");
        assert!(peak < 100.0, "{name}: {peak} MB");
    }
    Ok(())
}
