//! Numbers that take as little room as they can: nodes of trees are many, and most of what they
//! hold is small.

/// Whole numbers, with as many bytes for each as the largest needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Narrow {
    bytes: Vec<u8>,
    width: usize,
}

impl Narrow {
    pub(super) fn new(values: &[u32]) -> Self {
        let bits = values.iter().fold(0, |all, value| all | value);
        let width = (u32::BITS - bits.leading_zeros()).div_ceil(8) as usize;
        let mut bytes = Vec::with_capacity(values.len() * width);
        for value in values {
            bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        }
        Self { bytes, width }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        match self.width {
            0 => 0,
            1 => u32::from(self.bytes[at]),
            2 => u32::from(u16::from_le_bytes([self.bytes[2 * at], self.bytes[2 * at + 1]])),
            width => {
                let mut bytes = [0; 4];
                bytes[..width].copy_from_slice(&self.bytes[at * width..(at + 1) * width]);
                u32::from_le_bytes(bytes)
            }
        }
    }
}

/// Numbers, as whole ones where they all are.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Weights {
    whole: Narrow,
    /// Empty where they are whole.
    exact: Vec<f64>,
}

impl Weights {
    pub(super) fn new(values: Vec<f64>) -> Self {
        let whole: Vec<u32> = values.iter().map(|&value| value as u32).collect();
        let same = |(&value, &whole): (&f64, &u32)| f64::from(whole).to_bits() == value.to_bits();
        if values.iter().zip(&whole).all(same) {
            Self { whole: Narrow::new(&whole), exact: Vec::new() }
        } else {
            Self { whole: Narrow::default(), exact: values }
        }
    }

    pub(super) fn get(&self, at: usize) -> f64 {
        if self.exact.is_empty() { f64::from(self.whole.get(at)) } else { self.exact[at] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_as_few_bytes_as_they_need() {
        let cases: [(&[u32], usize); 5] = [
            (&[0, 0], 0),
            (&[3, 255, 0], 1),
            (&[256, 1], 2),
            (&[1 << 16, 7, (1 << 24) - 1], 3),
            (&[u32::MAX, 0], 4),
        ];
        for (values, width) in cases {
            let narrow = Narrow::new(values);
            assert_eq!(narrow.width, width);
            for (at, &value) in values.iter().enumerate() {
                assert_eq!(narrow.get(at), value);
            }
        }
    }

    #[test]
    fn weights_come_back_as_they_were() {
        let cases = [vec![1.0, 300.0], vec![0.5, 2.0], vec![-0.0, 1.0], vec![1e300, -1.0]];
        for (case, values) in cases.into_iter().enumerate() {
            let weights = Weights::new(values.clone());
            assert_eq!(weights.exact.is_empty(), case == 0);
            for (at, value) in values.into_iter().enumerate() {
                assert_eq!(weights.get(at).to_bits(), value.to_bits());
            }
        }
    }
}
