//! A walk through Thrift's compact protocol, which Parquet describes itself in.
//!
//! The decoder that reads the footer makes room for as many things as the bytes claim to hold;
//! the walk shows beforehand whether they can. It is also how page headers are read.

/// Deeper nesting than any Parquet file has.
const DEPTH: usize = 16;

const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// Walks the structure at the start of `bytes` and calls `visit` with the path of field numbers
/// to every whole number, truth value and list (its length). Returns how long the structure is;
/// `None` where it is damaged or a list claims more entries than there are bytes.
pub(super) fn walk(bytes: &[u8], visit: &mut dyn FnMut(&[i16], i64)) -> Option<usize> {
    let mut walk = Walk { bytes, at: 0, path: Vec::with_capacity(DEPTH), visit };
    walk.structure()?;
    Some(walk.at)
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    path: Vec<i16>,
    visit: &'a mut dyn FnMut(&[i16], i64),
}

impl Walk<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        let left = (self.bytes.len() - self.at) as u64;
        (count <= left).then(|| self.at += count as usize)
    }

    /// A number of entries, each of which takes at least a byte.
    fn count(&self, count: u64) -> Option<u64> {
        (count <= (self.bytes.len() - self.at) as u64).then_some(count)
    }

    fn structure(&mut self) -> Option<()> {
        if self.path.len() == DEPTH {
            return None;
        }
        let mut field = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).ok()?,
                step => field.checked_add(i16::from(step))?,
            };
            self.path.push(field);
            match head & 0x0f {
                TRUE => (self.visit)(&self.path, 1),
                FALSE => (self.visit)(&self.path, 0),
                kind => self.value(kind)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8) -> Option<()> {
        match kind {
            TRUE | FALSE | 3 => {
                let byte = self.byte()?;
                (self.visit)(&self.path, i64::from(byte));
                Some(())
            }
            4..=6 => {
                let value = self.zigzag()?;
                (self.visit)(&self.path, value);
                Some(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => self.list(),
            11 => self.map(),
            12 => self.structure(),
            13 => self.skip(16),
            _ => None,
        }
    }

    fn list(&mut self) -> Option<()> {
        let head = self.byte()?;
        let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
        let length = self.count(length)?;
        (self.visit)(&self.path, length.cast_signed());
        self.entries(length, &[head & 0x0f])
    }

    fn map(&mut self) -> Option<()> {
        let length = self.varint()?;
        let length = self.count(length)?;
        if length == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        self.entries(length, &[kinds >> 4, kinds & 0x0f])
    }

    fn entries(&mut self, count: u64, kinds: &[u8]) -> Option<()> {
        // Lists within lists have no field numbers of their own, so that the path would not grow.
        if self.path.len() == DEPTH {
            return None;
        }
        self.path.push(0);
        for _ in 0..count {
            for &kind in kinds {
                self.value(kind)?;
            }
        }
        self.path.pop();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_walked_and_lies_are_found() {
        // Field 1: the number -3; field 2: a list of two structures, each with a number in
        // field 5; field 3: false; field 4: a text of two bytes.
        let bytes = [0x15, 5, 0x19, 0x2c, 0x55, 2, 0, 0x55, 4, 0, 0x12, 0x18, 2, b'a', b'b', 0, 9];
        let mut seen = Vec::new();
        let length = walk(&bytes, &mut |path, value| seen.push((path.to_vec(), value)));
        assert_eq!(length, Some(16));
        assert_eq!(
            seen,
            [(vec![1], -3), (vec![2], 2), (vec![2, 0, 5], 1), (vec![2, 0, 5], 2), (vec![3], 0)]
        );
        for end in 0..16 {
            assert_eq!(walk(&bytes[..end], &mut |_, _| ()), None, "{end}");
        }
        // A list that claims 2^28 entries, and lists in lists without end.
        assert_eq!(walk(&[0x19, 0xfc, 0xff, 0xff, 0xff, 0x7f, 0], &mut |_, _| ()), None);
        assert_eq!(walk(&[0x19; 100], &mut |_, _| ()), None);
    }
}
