//! The frame of a model file: chunks of bytes that know their members.
//!
//! Layout, little-endian: magic, format version, number of chunks; then each chunk: its method's
//! name, payload version, the earlier chunks that are its members, length and payload; last a
//! CRC-32 of all before it. Chunks stand in post-order, so the last one is the model.
//!
//! Files come from strangers: every length is held against the bytes that are there before
//! anything is allocated, nesting ends at [`MAX_NESTING`], and every chunk but the last has
//! exactly one parent, so a small file cannot unfold into a large model.

use super::file::newer;
use crate::error::{Error, Result};

pub(super) const MAGIC: &[u8; 8] = b"EVOCRACY";
const FORMAT: u32 = 1;

/// A model may hold models that hold models, this many levels deep at most.
pub const MAX_NESTING: u32 = 32;

/// One part of a model file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The method that reads it.
    pub name: &'a str,
    /// The version of its payload.
    pub version: u32,
    /// Positions of earlier chunks that belong to it.
    pub members: Vec<u32>,
    /// What the method wrote.
    pub payload: &'a [u8],
}

/// The bytes of a file with these chunks. Names are short and there are fewer than 2^32 chunks
/// and members: methods name themselves.
pub fn write(chunks: &[Chunk<'_>]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(FORMAT.to_le_bytes());
    out.extend((chunks.len() as u32).to_le_bytes());
    for chunk in chunks {
        out.push(chunk.name.len() as u8);
        out.extend(chunk.name.as_bytes());
        out.extend(chunk.version.to_le_bytes());
        out.extend((chunk.members.len() as u32).to_le_bytes());
        out.extend(chunk.members.iter().flat_map(|member| member.to_le_bytes()));
        out.extend((chunk.payload.len() as u64).to_le_bytes());
        out.extend(chunk.payload);
    }
    out.extend(crc32fast::hash(&out).to_le_bytes());
    out
}

/// The chunks of a file, held against all the rules of the format.
pub fn read(bytes: &[u8]) -> Result<Vec<Chunk<'_>>> {
    let mut input = Input(bytes);
    if !bytes.starts_with(MAGIC) {
        return Err(Error::model_file("it does not start like an evocracy model"));
    }
    input.take(MAGIC.len())?;
    let format = input.u32()?;
    if format > FORMAT {
        return Err(newer(&format!("its format is {format}, and this evocracy reads {FORMAT}")));
    }
    let body = input.0.len().checked_sub(4).ok_or_else(truncated)?;
    let (body, sum) = input.0.split_at(body);
    if crc32fast::hash(&bytes[..bytes.len() - 4]) != Input(sum).u32()? {
        return Err(Error::model_file("its checksum does not fit its content"));
    }
    let mut input = Input(body);
    let count = input.u32()? as usize;
    let mut chunks = Vec::new();
    for _ in 0..count {
        chunks.push(input.chunk()?);
    }
    if !input.0.is_empty() {
        return Err(Error::model_file("there are bytes after its last part"));
    }
    check_tree(&chunks)?;
    Ok(chunks)
}

/// The chunks form one tree in post-order, not too deep.
fn check_tree(chunks: &[Chunk<'_>]) -> Result<()> {
    let mut depths: Vec<u32> = Vec::with_capacity(chunks.len());
    let mut owned = vec![false; chunks.len()];
    for (position, chunk) in chunks.iter().enumerate() {
        let mut depth = 0;
        for &member in &chunk.members {
            let member = member as usize;
            if member >= position || std::mem::replace(&mut owned[member], true) {
                return Err(Error::model_file("its parts refer to each other in a wrong order"));
            }
            depth = depth.max(depths[member] + 1);
        }
        if depth > MAX_NESTING {
            return Err(Error::model_file(format!("it is nested over {MAX_NESTING} levels deep")));
        }
        depths.push(depth);
    }
    match owned.split_last() {
        Some((false, rest)) if rest.iter().all(|&owned| owned) => Ok(()),
        Some(_) => Err(Error::model_file("it has parts that belong to nothing")),
        None => Err(Error::model_file("it has no parts")),
    }
}

/// What is left to read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn chunk(&mut self) -> Result<Chunk<'a>> {
        let [length] = self.array()?;
        let name = std::str::from_utf8(self.take(length as usize)?)
            .map_err(|_| Error::model_file("the name of a part is not text"))?;
        let version = self.u32()?;
        let count = self.u32()? as usize;
        let members = self.take(count.checked_mul(4).ok_or_else(truncated)?)?;
        let members = members.chunks_exact(4).map(|m| u32::from_le_bytes([m[0], m[1], m[2], m[3]]));
        let length = u64::from_le_bytes(self.array()?);
        let payload = self.take(usize::try_from(length).map_err(|_| truncated())?)?;
        Ok(Chunk { name, version, members: members.collect(), payload })
    }
}

fn truncated() -> Error {
    Error::model_file("it ends too early")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(members: Vec<u32>) -> Chunk<'static> {
        Chunk { name: "x", version: 1, members, payload: b"abc" }
    }

    #[test]
    fn a_frame_reads_back_and_every_truncation_or_flip_is_refused() -> Result<()> {
        let chunks = [leaf(vec![]), leaf(vec![]), leaf(vec![0, 1])];
        let bytes = write(&chunks);
        assert_eq!(read(&bytes)?, chunks);
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err());
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&flipped).is_err());
        }
        Ok(())
    }

    #[test]
    fn chunks_must_form_one_tree_that_is_not_too_deep() {
        let chain = |n: u32| (0..n).map(|i| leaf((0..i).last().into_iter().collect())).collect();
        let read_back = |chunks: Vec<Chunk<'_>>| read(&write(&chunks)).map(|c| c.len());
        assert_eq!(read_back(chain(MAX_NESTING + 1)).ok(), Some(33));
        let deep = read_back(chain(MAX_NESTING + 2)).unwrap_err().to_string();
        assert!(deep.contains("nested"), "{deep}");
        assert!(read_back(vec![]).is_err());
        assert!(read_back(vec![leaf(vec![]), leaf(vec![])]).is_err(), "an orphan");
        assert!(read_back(vec![leaf(vec![0])]).is_err(), "its own member");
        assert!(read_back(vec![leaf(vec![]), leaf(vec![0, 0])]).is_err(), "one member twice");
        assert!(read_back(vec![leaf(vec![1]), leaf(vec![])]).is_err(), "a later member");
    }
}
