//! What tells one data set from another: a digest of everything that can be learnt from it.

use super::{Column, Dataset, Kind};

impl Dataset {
    /// A digest (BLAKE3, 128 bits, as hexadecimal digits) of the columns, their names and kinds,
    /// the target, the features and the weights. The name of the data set does not count, nor the
    /// kind of file it came from.
    pub fn fingerprint(&self) -> String {
        let mut digest = Digest::default();
        for (field, column) in self.table().schema().fields.iter().zip(self.table().columns()) {
            digest.text(&field.name);
            match &field.kind {
                Kind::Number => digest.number(0),
                Kind::Nominal(levels) => {
                    digest.number(1 + levels.len() as u64);
                    for level in levels {
                        digest.text(level);
                    }
                }
            }
            match column {
                Column::Number(values) => digest.numbers(values),
                Column::Nominal(codes) => digest.codes(codes),
            }
        }
        digest.text(self.target_name());
        digest.codes(self.feature_columns());
        digest.numbers(self.row_weights().unwrap_or_default());
        digest.finish()
    }
}

/// A digest of lists: each is told apart from the next by its length.
#[derive(Default)]
pub(crate) struct Digest(blake3::Hasher);

impl Digest {
    pub(crate) fn number(&mut self, value: u64) {
        self.0.update(&value.to_le_bytes());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    pub(crate) fn codes(&mut self, codes: &[u32]) {
        self.list(codes, u32::to_le_bytes);
    }

    pub(crate) fn numbers(&mut self, values: &[f64]) {
        self.list(values, |value| value.to_bits().to_le_bytes());
    }

    fn list<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        self.number(values.len() as u64);
        let mut buffer = Vec::with_capacity(N * 1024);
        for chunk in values.chunks(1024) {
            buffer.clear();
            for value in chunk {
                buffer.extend_from_slice(&bytes(*value));
            }
            self.0.update(&buffer);
        }
    }

    pub(crate) fn finish(&self) -> String {
        self.0.finalize().to_hex().chars().take(32).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::data::catalogue::{Catalogue, Load};
    use crate::data::{Column, Dataset, Field, Options, Schema, Table};
    use crate::error::Result;

    #[test]
    fn the_digest_is_the_same_for_the_same_content_only() -> Result<()> {
        let open = |name| Catalogue::embedded().open(name, &Load::default());
        let iris = open("iris")?;
        assert_eq!(iris.fingerprint(), open("iris")?.fingerprint());
        assert_ne!(iris.fingerprint(), open("car")?.fingerprint());
        let table = |name: &str, value: f64| {
            let fields = vec![Field::number(name), Field::number("y")];
            let columns = vec![Column::Number(vec![value, 2.0]), Column::Number(vec![0.5, 1.25])];
            Table::new(Schema { fields }, columns)
        };
        let digest = |name: &str, value: f64, ignore: &[&str]| -> Result<String> {
            let ignore = ignore.iter().map(|&name| name.to_owned()).collect();
            let options = Options { ignore, ..Options::default() };
            Ok(Dataset::new("any", table(name, value)?, &options)?.fingerprint())
        };
        let first = digest("x", 1.0, &[])?;
        assert_eq!(first.len(), 32);
        assert_eq!(first, digest("x", 1.0, &[])?);
        assert_ne!(first, digest("x", 1.5, &[])?);
        assert_ne!(first, digest("z", 1.0, &[])?);
        Ok(())
    }
}
