//! A seeded run of damaged ARFF, idx and Parquet files through the readers: no panic gets out,
//! no abort, no runaway memory or time. A million cases each, bounded in count.

mod fuzzing;

use evocracy::data::read::{Format, Source, Stream, read_table};
use evocracy::data::{Dataset, Field, Options, Schema};
use evocracy::run::Seed;
use fuzzing::{bounded, mutate};

/// Reads a source whole and in chunks; whether it could be read whole.
fn try_read(source: &Source, schema: &Schema) -> bool {
    let format = Format::default();
    let read = read_table(std::slice::from_ref(source), &format);
    if let Ok(mut stream) = Stream::open(source, &format, schema) {
        while let Ok(Some(chunk)) = stream.next_chunk(2000) {
            assert!(chunk.rows() <= 2000);
        }
    }
    let Ok((table, rows)) = read else { return false };
    assert_eq!(table.rows(), rows[0]);
    let _ = Dataset::new("fuzz", table, &Options::default());
    true
}

const ARFF: [&[u8]; 5] = [
    b"@relation t\n@attribute a real\n@attribute b {x,y}\n@data\n1,x\n?,y\n",
    b"% c\n@RELATION 'a b'\n@ATTRIBUTE 'a' integer\n@attribute b {'x y',\"z\"}\r\n@DATA\n{0 1, 1 z}\n{}\n",
    b"@attribute a string\n@attribute b date 'yyyy'\n@data\n'it\\'s',\"q\"\n",
    b"@relation t\n@attribute a numeric\n@attribute b {0,1,2}\n@attribute c {p}\n@data\n1e3 2 p\n",
    b"@relation t\n\n@attribute b{x,y}\n@data\nx\n\ny % end\n",
];

#[test]
fn damaged_arff_is_read_or_refused() {
    let schema = Schema { fields: vec![Field::number("a"), Field::nominal("b", ["x", "y", "2"])] };
    let spice = b",,{}{}''\"\"\\\\%@?  \t\n\n\r0123456789.-einfa@attribute@data";
    bounded(8.0, || {
        let mut rng = Seed::new(20_261_116).rng();
        let mut read = 0;
        for case in 0..1_000_000 {
            let mut bytes = ARFF[case % ARFF.len()].to_vec();
            mutate(&mut bytes, &mut rng, spice);
            let name = if case % 2 == 0 { "fuzz.arff" } else { "fuzz" };
            read += u32::from(try_read(&Source::memory(name, bytes), &schema));
        }
        assert!(read > 100_000, "only {read} could be read: the damage is too great");
    });
}

#[test]
fn damaged_idx_files_are_read_or_refused() {
    let images = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8];
    let labels = [0, 0, 8, 1, 0, 0, 0, 2, 3, 1];
    let schema = Schema { fields: vec![Field::number("pixel_0_1")] };
    bounded(32.0, || {
        let mut rng = Seed::new(20_261_117).rng();
        let mut read = 0;
        for case in 0..1_000_000 {
            let (mut images, mut labels) = (images.to_vec(), labels.to_vec());
            let damaged = if case % 3 == 0 { &mut labels } else { &mut images };
            mutate(damaged, &mut rng, b"\x00\x00\x01\x02\x03\x08\xff");
            let labels = Source::memory("labels", labels);
            read +=
                u32::from(try_read(&Source::memory("images", images).with_labels(labels), &schema));
        }
        assert!(read > 10_000, "only {read} could be read: the damage is too great");
    });
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;
    use evocracy::data::read::catching_panics;
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use std::path::Path;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// How many cases a run tries: about half a minute.
    const CASES: usize = 1_000_000;
    static CAUGHT: AtomicU32 = AtomicU32::new(0);

    fn files() -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
        let kinds = ["none", "snappy", "gzip", "zstd", "lz4", "delta"];
        let read = |kind| std::fs::read(folder.join(format!("tiny-{kind}.parquet")));
        kinds.map(|kind| read(kind).expect("a committed file")).to_vec()
    }

    /// Most damage keeps the length, else nothing would be found where the footer says it is.
    fn damage(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
        let spice = b"\x00\x01\x02\x0c\x15\x18\x19\x1c\x2c\x55\x7f\x80\xff\xfe";
        if rng.random_bool(0.2) {
            return mutate(bytes, rng, spice);
        }
        for _ in 0..rng.random_range(1..=3) {
            let at = rng.random_range(0..bytes.len());
            bytes[at] = match rng.random_range(0..3) {
                0 => spice[rng.random_range(0..spice.len())],
                1 => bytes[at] ^ 1 << rng.random_range(0..8),
                _ => rng.random(),
            };
        }
    }

    #[test]
    fn damaged_parquet_is_read_or_refused() {
        // What is caught inside the reader is not to be printed.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !catching_panics() {
                return usual(info);
            }
            CAUGHT.fetch_add(1, Ordering::Relaxed);
        }));
        let schema = Schema { fields: vec![Field::number("x"), Field::nominal("b", ["a", "bb"])] };
        let files = files();
        bounded(100.0, || {
            let mut rng = Seed::new(20_261_118).rng();
            let mut read = 0;
            for case in 0..CASES {
                let mut bytes = files[case % files.len()].clone();
                damage(&mut bytes, &mut rng);
                read += usize::from(try_read(&Source::memory("fuzz", bytes), &schema));
            }
            // Else the fence would go untested.
            assert!(CAUGHT.load(Ordering::Relaxed) > 0, "the decoder never panicked");
            assert!(read > CASES / 20, "only {read} could be read: the damage is too great");
        });
    }
}
