//! Random numbers of the soak: the same for the same seed on every machine (`SplitMix64`, G. L.
//! Steele, D. Lea, C. H. Flood, OOPSLA 2014).

pub(super) struct Draw(u64);

impl Draw {
    /// The numbers of one command.
    pub(super) fn new(seed: u64, command: u64) -> Self {
        let mut draw = Self(seed ^ command.wrapping_mul(0xd134_2543_de82_ef95));
        draw.next();
        draw
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// One of some.
    pub(super) fn of<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        &some[self.below(some.len())]
    }

    /// Bytes with some of them changed, taken out, doubled or cut off.
    pub(super) fn damaged(&mut self, bytes: &[u8], spice: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            let byte = if self.below(2) == 0 { *self.of(spice) } else { self.next() as u8 };
            match self.below(6) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes.insert(at, byte),
                2 => {
                    let end = (at + 1 + self.below(40)).min(bytes.len());
                    let part = bytes[at.min(end)..end].to_vec();
                    bytes.splice(at..at, part);
                }
                3 if bytes.len() > 1 => {
                    bytes.remove(at);
                }
                _ => bytes[at] = byte,
            }
        }
        bytes
    }
}

/// The checksum at the end of a model file (CRC-32 of IEEE 802.3), bit by bit.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn commands_draw_their_own_numbers() {
        let first = |command| Draw::new(1, command).next();
        assert_eq!(first(5), first(5));
        assert_ne!(first(5), first(6));
    }
}
