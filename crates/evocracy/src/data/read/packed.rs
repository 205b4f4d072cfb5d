//! Unpacking gzip, zstd and xz, as long as it does not grow beyond all measure: a small file can
//! hold terabytes.
//!
//! No buffer is as long as a file says without a limit: windows of zstd have at most 128 MiB, the
//! dictionaries of xz 100 MiB.

use super::fence::fenced;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{BufRead, BufReader, Error, Read, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How files are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Xz,
}

/// What packed files begin with.
const MAGIC: [(&[u8], Packing); 3] = [
    (b"\x1f\x8b", Packing::Gzip),
    (b"\x28\xb5\x2f\xfd", Packing::Zstd),
    (b"\xfd7zXZ\0", Packing::Xz),
];

/// The endings of their names.
pub(super) const ENDINGS: [&str; 3] = [".gz", ".zst", ".xz"];

/// The most memory that an xz file may ask for, in KiB.
const XZ_MEMORY: u32 = 100 << 10;

impl Packing {
    /// How a file that begins like this is packed.
    pub(super) fn of(magic: &[u8]) -> Option<Self> {
        MAGIC.iter().find(|(start, _)| magic.starts_with(start)).map(|&(_, packing)| packing)
    }

    /// The unpacked bytes.
    pub(super) fn unpack(self, input: impl Read + Send + 'static) -> Box<dyn Read + Send> {
        let taken = Arc::new(AtomicU64::new(0));
        let input = Counted { inner: input, count: Arc::clone(&taken) };
        match self {
            Self::Gzip => Box::new(Bounded::new(MultiGzDecoder::new(input), taken)),
            Self::Zstd => Box::new(Bounded::new(Zstd::new(input), taken)),
            Self::Xz => {
                let decoder = XzReader::new_mem_limit(BufReader::new(input), true, XZ_MEMORY);
                Box::new(Bounded::new(decoder, taken))
            }
        }
    }
}

/// What a decoder gives, up to a measure.
struct Bounded<D> {
    /// Nothing after it has panicked.
    decoder: Option<D>,
    /// How many packed bytes it took.
    taken: Arc<AtomicU64>,
    out: u64,
}

/// How many times its size a file may grow, beyond so many bytes. Tables of text grow by 3 to 50.
const MOST_TIMES: u64 = 400;
const FREE: u64 = 256 << 20;

impl<D: Read> Bounded<D> {
    fn new(decoder: D, taken: Arc<AtomicU64>) -> Self {
        Self { decoder: Some(decoder), taken, out: 0 }
    }
}

impl<D: Read> Read for Bounded<D> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let damaged = || Error::other("the packed file is damaged");
        let decoder = self.decoder.as_mut().ok_or_else(damaged)?;
        let Some(read) = fenced(|| decoder.read(buffer)) else {
            self.decoder = None;
            return Err(damaged());
        };
        let count = read?;
        self.out += count as u64;
        let allowed = MOST_TIMES * self.taken.load(Ordering::Relaxed);
        if self.out > FREE.max(allowed) {
            return Err(Error::other(format!(
                "it grows to more than {MOST_TIMES} times its size when it is unpacked; if that is \
                 meant, unpack it first"
            )));
        }
        Ok(count)
    }
}

/// Counts the bytes that are read through it.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The frames of a zstd file, one after the other; those that hold no data are skipped.
struct Zstd<R: Read> {
    input: BufReader<R>,
    decoder: FrameDecoder,
    /// Whether a frame is under way.
    open: bool,
}

impl<R: Read> Zstd<R> {
    fn new(input: R) -> Self {
        Self { input: BufReader::new(input), decoder: FrameDecoder::new(), open: false }
    }

    /// Begins the next frame.
    fn next_frame(&mut self) -> Result<()> {
        match self.decoder.reset(&mut self.input) {
            Ok(()) => {
                self.open = true;
                Ok(())
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped =
                    std::io::copy(&mut self.input.by_ref().take(length), &mut std::io::sink());
                if skipped? == length {
                    Ok(())
                } else {
                    Err(std::io::ErrorKind::UnexpectedEof.into())
                }
            }
            Err(error) => Err(Error::other(error)),
        }
    }

    /// Ends the frame under way.
    fn end_frame(&mut self) -> Result<()> {
        self.open = false;
        let written = self.decoder.get_checksum_from_data();
        if written.is_some() && written != self.decoder.get_calculated_checksum() {
            return Err(Error::other("the checksum of the packed file does not fit"));
        }
        Ok(())
    }
}

impl<R: Read> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.open {
                while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                    let step = BlockDecodingStrategy::UptoBlocks(1);
                    self.decoder.decode_blocks(&mut self.input, step).map_err(Error::other)?;
                }
                let count = self.decoder.read(buffer)?;
                if count > 0 {
                    return Ok(count);
                }
                self.end_frame()?;
            }
            if self.input.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.next_frame()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails as decoders do that take a file at its word.
    struct Panics;

    impl Read for Panics {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            Ok(buffer[buffer.len()].into())
        }
    }

    fn taken(bytes: u64) -> Arc<AtomicU64> {
        Arc::new(AtomicU64::new(bytes))
    }

    /// How many bytes of endless zeros come through where so many were taken.
    fn through(bytes: u64) -> u64 {
        let mut bounded = Bounded::new(std::io::repeat(0), taken(bytes));
        let mut buffer = vec![0; 1 << 20];
        let mut all = 0;
        while let Ok(count) = bounded.read(&mut buffer) {
            all += count as u64;
        }
        all
    }

    #[test]
    fn growth_ends_at_the_bound() {
        assert_eq!(through(1000), FREE);
        assert_eq!(through(1 << 20), MOST_TIMES << 20);
    }

    #[test]
    fn a_decoder_that_panics_is_a_damaged_file() {
        let mut bounded = Bounded::new(Panics, taken(0));
        for _ in 0..2 {
            let error = bounded.read(&mut [0; 4]).expect_err("it is damaged");
            assert!(error.to_string().contains("damaged"), "{error}");
        }
    }
}
