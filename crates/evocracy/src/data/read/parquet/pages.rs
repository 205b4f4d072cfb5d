//! The pages of a column: headers, and bytes uncompressed.
//!
//! It stands in for the decoder's own page reader because that one makes room for whatever size
//! a header claims. Here a page is at most [`MAX_PAGE`] bytes and no larger than its compression
//! could have made it.

use super::thrift::walk;
use super::whole::Whole;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use std::io::Read;
use std::sync::Arc;

/// The largest page, uncompressed.
const MAX_PAGE: u64 = 128 << 20;
/// How many bytes are searched for a page header: first these, then as many as a header with
/// long texts in its statistics may take.
const HEADERS: [u64; 2] = [1 << 12, 1 << 20];

/// The pages of one column chunk.
pub(super) struct Pages {
    whole: Arc<Whole>,
    at: u64,
    end: u64,
    compression: Compression,
    /// The least bytes a value takes in a dictionary.
    least: u64,
}

/// The numbers of a page header, by the path of their field numbers.
#[derive(Default)]
struct Header {
    values: Vec<([i16; 2], i64)>,
}

impl Header {
    fn get(&self, path: [i16; 2]) -> Option<i64> {
        self.values.iter().rev().find(|(p, _)| *p == path).map(|(_, value)| *value)
    }

    /// A number that must be there and not be negative.
    fn count(&self, path: [i16; 2]) -> Result<u32> {
        let value = self.get(path).and_then(|value| i32::try_from(value).ok());
        let value = value.and_then(|value| u32::try_from(value).ok());
        value.ok_or_else(|| wrong("a page header lacks a number"))
    }

    fn encoding(&self, path: [i16; 2]) -> Result<Encoding> {
        #[allow(deprecated, reason = "old files have levels in this encoding")]
        Ok(match self.count(path)? {
            0 => Encoding::PLAIN,
            2 => Encoding::PLAIN_DICTIONARY,
            3 => Encoding::RLE,
            4 => Encoding::BIT_PACKED,
            5 => Encoding::DELTA_BINARY_PACKED,
            6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
            7 => Encoding::DELTA_BYTE_ARRAY,
            8 => Encoding::RLE_DICTIONARY,
            9 => Encoding::BYTE_STREAM_SPLIT,
            _ => return Err(wrong("a page has an unknown encoding")),
        })
    }
}

fn wrong(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

impl Pages {
    /// The pages of a chunk, which must be within the file.
    pub(super) fn new(whole: &Arc<Whole>, chunk: &ColumnChunkMetaData) -> Result<Self> {
        let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
        let range = u64::try_from(start).ok().zip(u64::try_from(chunk.compressed_size()).ok());
        let end = range.and_then(|(at, length)| at.checked_add(length));
        let (Some((at, _)), Some(end)) = (range, end.filter(|&end| end <= whole.len())) else {
            return Err(wrong("a column lies outside the file"));
        };
        let least = match chunk.column_type() {
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
        };
        Ok(Self { whole: Arc::clone(whole), at, end, compression: chunk.compression(), least })
    }

    /// The next page header, with its bytes stepped over.
    fn header(&mut self) -> Result<Header> {
        for window in HEADERS {
            let window = window.min(self.end - self.at);
            let bytes = self.whole.bytes(self.at, window)?;
            let mut header = Header::default();
            let length = walk(&bytes, &mut |path, value| match *path {
                [field] => header.values.push(([field, 0], value)),
                [outer, inner] => header.values.push(([outer, inner], value)),
                _ => {}
            });
            if let Some(length) = length {
                self.at += length as u64;
                return Ok(header);
            }
        }
        Err(wrong("a page header is damaged"))
    }

    /// The bytes of the page at hand, uncompressed but for the first `plain` ones, which never
    /// were.
    fn content(&mut self, header: &Header, plain: u64, compressed: bool) -> Result<Bytes> {
        let size = u64::from(header.count([2, 0])?);
        let packed = u64::from(header.count([3, 0])?);
        if packed > self.end - self.at || plain > size.min(packed) {
            return Err(wrong("a page is larger than its column"));
        }
        let bytes = self.whole.bytes(self.at, packed)?;
        self.at += packed;
        if !compressed || self.compression == Compression::UNCOMPRESSED {
            return Ok(bytes);
        }
        if size > MAX_PAGE || size - plain > 64 + (packed - plain) * ratio(self.compression) {
            return Err(wrong("a page claims to be larger than it can be"));
        }
        let (levels, rest) = bytes.split_at(plain as usize);
        let mut content = Vec::with_capacity(size as usize);
        content.extend_from_slice(levels);
        if size > plain {
            unpack(self.compression, rest, (size - plain) as usize, &mut content)?;
        }
        if content.len() as u64 != size {
            return Err(wrong("a page has not the size it claims"));
        }
        Ok(content.into())
    }

    fn page(&mut self, header: &Header) -> Result<Option<Page>> {
        let page = match header.count([1, 0])? {
            0 => Page::DataPage {
                buf: self.content(header, 0, true)?,
                num_values: header.count([5, 1])?,
                encoding: header.encoding([5, 2])?,
                def_level_encoding: header.encoding([5, 3])?,
                rep_level_encoding: header.encoding([5, 4])?,
                statistics: None,
            },
            2 => {
                let num_values = header.count([7, 1])?;
                let buf = self.content(header, 0, true)?;
                if u64::from(num_values) * self.least > buf.len() as u64 {
                    return Err(wrong("a dictionary claims more entries than it has"));
                }
                let encoding = header.encoding([7, 2])?;
                Page::DictionaryPage { buf, num_values, encoding, is_sorted: false }
            }
            3 => self.page_v2(header)?,
            // An index page holds no values.
            _ => {
                self.content(header, 0, false)?;
                return Ok(None);
            }
        };
        Ok(Some(page))
    }

    fn page_v2(&mut self, header: &Header) -> Result<Page> {
        let (defs, reps) = (header.count([8, 5])?, header.count([8, 6])?);
        let is_compressed = header.get([8, 7]) != Some(0);
        let levels = u64::from(defs) + u64::from(reps);
        Ok(Page::DataPageV2 {
            buf: self.content(header, levels, is_compressed)?,
            num_values: header.count([8, 1])?,
            encoding: header.encoding([8, 4])?,
            num_nulls: header.count([8, 2])?,
            num_rows: header.count([8, 3])?,
            def_levels_byte_len: defs,
            rep_levels_byte_len: reps,
            is_compressed,
            statistics: None,
        })
    }
}

/// At most how many bytes a compressed byte can stand for.
fn ratio(compression: Compression) -> u64 {
    match compression {
        // A copy of 64 bytes takes 3; a run of 255 takes 1; 258 bytes take 2 bits; a block of
        // 128 KiB takes 4.
        Compression::SNAPPY => 24,
        Compression::LZ4_RAW => 256,
        Compression::GZIP(_) => 1040,
        _ => 40_000,
    }
}

/// Appends the `size` bytes that `packed` stands for.
fn unpack(compression: Compression, packed: &[u8], size: usize, to: &mut Vec<u8>) -> Result<()> {
    let failed = |error: &dyn std::fmt::Display| wrong(&format!("a page is damaged: {error}"));
    let start = to.len();
    match compression {
        Compression::SNAPPY => {
            if snap::raw::decompress_len(packed).map_err(|e| failed(&e))? != size {
                return Err(wrong("a page has not the size it claims"));
            }
            to.resize(start + size, 0);
            let done = snap::raw::Decoder::new().decompress(packed, &mut to[start..]);
            done.map_err(|e| failed(&e))?;
        }
        Compression::LZ4_RAW => {
            to.resize(start + size, 0);
            let done = lz4_flex::block::decompress_into(packed, &mut to[start..]);
            to.truncate(start + done.map_err(|e| failed(&e))?);
        }
        Compression::GZIP(_) => {
            MultiGzDecoder::new(packed).take(size as u64 + 1).read_to_end(to)?;
        }
        Compression::ZSTD(_) => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed);
            decoder.map_err(|e| failed(&e))?.take(size as u64 + 1).read_to_end(to)?;
        }
        other => return Err(wrong(&format!("its compression {other} is not read here"))),
    }
    Ok(())
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        while self.at < self.end {
            let header = self.header()?;
            if let Some(page) = self.page(&header)? {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    // These two serve nested columns and skipping, which do not occur.
    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        Err(wrong("nested columns are not read"))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        Err(wrong("pages are not skipped"))
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
