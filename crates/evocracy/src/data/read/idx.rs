//! Images in an idx file and their labels in the file beside it: a magic number, the sizes
//! (big-endian), then bytes.
//!
//! A row is an image: a column `pixel_R_C` for each pixel and, where there are labels, the column
//! `class`.

use super::reader::{Declared, Holds, Sink};
use super::wrong::At;
use super::{Source, place};
use crate::error::{Error, Result};
use std::io::{BufReader, Read};

const IMAGES: u32 = 0x0000_0803;
const LABELS: u32 = 0x0000_0801;
/// Files that claim more bytes than this are refused.
const MAX_BYTES: u64 = 1 << 31;
/// Images that claim more pixels than this are refused.
const MAX_PIXELS: u64 = 1 << 20;

/// An opened file of images.
pub(super) struct Images {
    source: Source,
    input: Idx,
    labels: Option<(Source, Idx)>,
    rows: u64,
    row: u64,
    width: usize,
    /// The bytes of one image.
    image: Vec<u8>,
}

impl Images {
    pub(super) fn open(source: &Source) -> Result<Self> {
        let input = Idx::open(source, IMAGES, 3)?;
        let [rows, height, width] = input.sizes[..] else {
            return Err(refuse(source, "it has no sizes"));
        };
        let pixels = height * width;
        if pixels > MAX_PIXELS {
            return Err(refuse(source, &format!("it claims images of {height} x {width} pixels")));
        }
        let labels = match source.labels() {
            None => None,
            Some(labels) => {
                let found = Idx::open(&labels, LABELS, 1)?;
                if found.sizes[0] != rows {
                    let problem = format!("{} labels for {rows} images", found.sizes[0]);
                    return Err(refuse(&labels, &problem));
                }
                Some((labels, found))
            }
        };
        let (source, image) = (source.clone(), vec![0; pixels as usize]);
        Ok(Self { source, input, labels, rows, row: 0, width: width as usize, image })
    }

    pub(super) fn columns(&self) -> Vec<Declared> {
        let pixel = |at: usize| Declared {
            name: format!("pixel_{}_{}", at / self.width, at % self.width),
            holds: Holds::Numbers,
        };
        let class = || Declared { name: "class".to_owned(), holds: Holds::Texts };
        (0..self.image.len()).map(pixel).chain(self.labels.as_ref().map(|_| class())).collect()
    }

    /// How many rows are left, where the length of the file bears it out.
    pub(super) fn rows_left(&self) -> Option<usize> {
        self.input.size.map(|_| self.left())
    }

    fn left(&self) -> usize {
        (self.rows - self.row) as usize
    }

    pub(super) fn has_labels(&self) -> bool {
        self.labels.is_some()
    }

    pub(super) fn read<S: Sink>(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [S],
    ) -> Result<usize> {
        let most = most.min(self.left());
        for _ in 0..most {
            self.input.read(&mut self.image, &self.source)?;
            let mut class = [0];
            if let Some((source, labels)) = &mut self.labels {
                labels.read(&mut class, source)?;
            }
            self.row += 1;
            let (at, text) = (At::Row(self.row), class[0].to_string());
            for (sink, &column) in sinks.iter_mut().zip(wanted) {
                let (pushed, name) = match self.image.get(column) {
                    Some(&pixel) => (sink.number(f64::from(pixel), at), "pixel"),
                    None => (sink.text(text.as_bytes(), at), "class"),
                };
                pushed.map_err(|wrong| wrong.at(&self.source, at, name, text.as_bytes()))?;
            }
        }
        if self.row == self.rows && most > 0 {
            self.input.end(&self.source)?;
            if let Some((source, labels)) = &mut self.labels {
                labels.end(source)?;
            }
        }
        Ok(most)
    }
}

/// An idx file: its sizes, and its bytes to be read.
struct Idx {
    sizes: Vec<u64>,
    /// How long the file is, where that is known.
    size: Option<u64>,
    input: BufReader<Box<dyn Read + Send>>,
}

impl Idx {
    fn open(source: &Source, magic: u32, dimensions: usize) -> Result<Self> {
        let opened = source.open()?;
        let (sizes, input) = (Vec::new(), BufReader::new(opened.input));
        let mut idx = Self { sizes, size: opened.size, input };
        if idx.word(source)? != magic {
            return Err(refuse(source, "it does not start like an idx file of this kind"));
        }
        for _ in 0..dimensions {
            let size = idx.word(source)?;
            idx.sizes.push(u64::from(size));
        }
        let bytes = idx.sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
        let bytes = bytes.filter(|&bytes| bytes > 0 && bytes <= MAX_BYTES);
        let bytes = bytes.ok_or_else(|| refuse(source, "it claims to be empty or too large"))?;
        let head = 4 * (1 + dimensions as u64);
        if idx.size.is_some_and(|size| size != head + bytes) {
            return Err(refuse(source, "its length does not fit the sizes it claims"));
        }
        Ok(idx)
    }

    fn word(&mut self, source: &Source) -> Result<u32> {
        let mut bytes = [0; 4];
        self.read(&mut bytes, source)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn read(&mut self, bytes: &mut [u8], source: &Source) -> Result<()> {
        self.input.read_exact(bytes).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => refuse(source, "it is shorter than it claims"),
            _ => source.failed(e),
        })
    }

    /// Nothing may follow.
    fn end(&mut self, source: &Source) -> Result<()> {
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(refuse(source, "it is longer than it claims")),
            Err(e) => Err(source.failed(e)),
        }
    }
}

fn refuse(source: &Source, problem: &str) -> Error {
    Error::table(place(source, None, None), problem, "an idx file", "")
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Stream, read_table};
    use super::*;
    use crate::data::{Column, Field, Schema};

    fn file(magic: u32, sizes: &[u32], bytes: &[u8]) -> Source {
        let mut content = magic.to_be_bytes().to_vec();
        content.extend(sizes.iter().flat_map(|size| size.to_be_bytes()));
        content.extend(bytes);
        Source::memory("t", content)
    }

    #[test]
    fn images_become_rows_of_pixels() -> Result<()> {
        let images = file(IMAGES, &[2, 1, 3], &[1, 2, 3, 4, 5, 6]);
        let labels = file(LABELS, &[2], &[1, 0]);
        let labelled = images.clone().with_labels(labels);
        let (table, rows) = read_table(&[labelled], &Format::default())?;
        assert_eq!(rows, [2]);
        assert_eq!(table.columns()[1], Column::Number(vec![2.0, 5.0]));
        assert_eq!(table.columns()[3], Column::Nominal(vec![1, 0]));
        assert_eq!(table.schema().fields[1].name, "pixel_0_1");
        // For a prediction they need no labels.
        let schema = Schema { fields: vec![Field::number("pixel_0_2")] };
        let mut stream = Stream::open(&images, &Format::default(), &schema)?;
        let chunk = stream.next_chunk(10)?.expect("rows");
        assert_eq!(chunk.columns()[0], Column::Number(vec![3.0, 6.0]));
        assert!(read_table(&[images], &Format::default()).is_err());
        Ok(())
    }

    #[test]
    fn lies_about_sizes_are_refused() {
        let labels = file(LABELS, &[2], &[1, 0]);
        for images in [
            file(IMAGES, &[2, 1, 3], &[1, 2, 3]),
            file(IMAGES, &[u32::MAX, u32::MAX, u32::MAX], &[1]),
            file(IMAGES, &[3, 1, 1], &[1, 2, 3]),
            file(LABELS, &[2, 1, 1], &[1, 2]),
            file(IMAGES, &[0, 0, 0], &[]),
        ] {
            let images = images.with_labels(labels.clone());
            assert!(read_table(&[images], &Format::default()).is_err());
        }
    }
}
