//! Images and labels in idx files: a magic number, the sizes (big-endian), then bytes.

use super::super::read::Source;
use super::super::{Column, Field, Schema, Table};
use crate::error::{Error, Place, Result};
use std::io::Read;

const IMAGES: u32 = 0x0000_0803;
const LABELS: u32 = 0x0000_0801;
/// Files that claim more bytes than this are refused.
const MAX_BYTES: u64 = 1 << 31;

/// Reads pairs of image and label files one below the other: a column `pixel_R_C` for each
/// pixel and the column `class`. Returns the table and the rows of each pair.
pub(super) fn read_images(parts: &[(Source, Source)]) -> Result<(Table, Vec<usize>)> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut codes: Vec<u32> = Vec::new();
    let mut rows = Vec::new();
    let mut size = None;
    for (images, labels) in parts {
        let (dims, pixels) = read_idx(images, IMAGES, 3)?;
        let (count, classes) = read_idx(labels, LABELS, 1)?;
        if count[0] != dims[0] {
            let problem = format!("{} labels for {} images", count[0], dims[0]);
            return Err(refuse(labels, &problem));
        }
        let shape = (dims[1], dims[2]);
        if *size.get_or_insert(shape) != shape {
            return Err(refuse(images, "the images differ in size from those of the first file"));
        }
        columns.resize(dims[1] * dims[2], Vec::new());
        for (pixel, column) in columns.iter_mut().enumerate() {
            let step = dims[1] * dims[2];
            column.extend(pixels.iter().skip(pixel).step_by(step).map(|&byte| f64::from(byte)));
        }
        codes.extend(classes.iter().map(|&class| u32::from(class)));
        rows.push(dims[0]);
    }
    let (height, width) = size.unwrap_or((0, 0));
    let pixel = |at: usize| Field::number(format!("pixel_{}_{}", at / width, at % width));
    let mut fields: Vec<Field> = (0..height * width).map(pixel).collect();
    let levels = codes.iter().max().map_or(0, |&top| top + 1);
    fields.push(Field::nominal("class", (0..levels).map(|level| level.to_string())));
    let mut columns: Vec<Column> = columns.into_iter().map(Column::Number).collect();
    columns.push(Column::Nominal(codes));
    Ok((Table::new(Schema { fields }, columns)?, rows))
}

/// The sizes and bytes of one idx file.
fn read_idx(source: &Source, magic: u32, dimensions: usize) -> Result<(Vec<usize>, Vec<u8>)> {
    let mut input = source.open()?;
    let mut word = || -> Result<u32> {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes).map_err(|e| source.failed(e))?;
        Ok(u32::from_be_bytes(bytes))
    };
    if word()? != magic {
        return Err(refuse(source, "it does not start like an idx file of this kind"));
    }
    let sizes: Vec<u64> = (0..dimensions).map(|_| word().map(u64::from)).collect::<Result<_>>()?;
    let expected = sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size));
    let expected = expected
        .filter(|&bytes| bytes > 0 && bytes <= MAX_BYTES)
        .ok_or_else(|| refuse(source, "it claims to be empty or too large"))?;
    let mut bytes = Vec::new();
    input.take(expected + 1).read_to_end(&mut bytes).map_err(|e| source.failed(e))?;
    if bytes.len() as u64 != expected {
        return Err(refuse(source, "its length does not fit the sizes it claims"));
    }
    Ok((sizes.into_iter().map(|size| size as usize).collect(), bytes))
}

fn refuse(source: &Source, problem: &str) -> Error {
    let place = Place { source: source.name().to_owned(), ..Place::default() };
    Error::table(place, problem, "an idx file", "")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (table, rows) = read_images(&[(images, labels)])?;
        assert_eq!(rows, [2]);
        assert_eq!(table.columns()[1], Column::Number(vec![2.0, 5.0]));
        assert_eq!(table.columns()[3], Column::Nominal(vec![1, 0]));
        assert_eq!(table.schema().fields[1].name, "pixel_0_1");
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
            assert!(read_images(&[(images, labels.clone())]).is_err());
        }
    }
}
