//! Finished parts of a long run, kept by key, so that a run that was killed goes on where it was.
//!
//! A part is whatever bytes its work can be rebuilt from: a trained model, the probabilities of a
//! fold, one search. Its key follows from where the part stands in the run (the names and indices
//! of [`Run::child`](super::Run::child) and [`Run::part`](super::Run::part)) and from its seed, so
//! the same run finds its own parts and no other run does: the shell starts the key with a
//! fingerprint of the data, the method and its settings.
//!
//! Without a store nothing is kept and nothing is computed for the keys.

use super::{Seed, write_file};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where finished parts are kept.
pub trait Store: Send + Sync {
    /// The bytes kept under a key.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>>;
    /// Keeps bytes under a key, in place of those that were there.
    fn put(&self, key: &str, bytes: &[u8]) -> Result<()>;
}

/// A place in a store, or none.
#[derive(Clone, Copy)]
pub struct Shelf<'a> {
    store: Option<&'a dyn Store>,
    /// Two seeds that branch alike: 128 bits of key.
    place: [Seed; 2],
}

impl<'a> Shelf<'a> {
    /// Keeps nothing.
    pub const fn none() -> Self {
        Self { store: None, place: [Seed::new(0), Seed::new(1)] }
    }

    /// A place in a store for the work that `identity` names: data, method, settings.
    pub fn new(store: &'a dyn Store, identity: &str) -> Self {
        Self { store: Some(store), ..Self::none() }.part(identity, 0)
    }

    /// Whether anything is kept.
    pub fn is_open(&self) -> bool {
        self.store.is_some()
    }

    /// The place of part `index` of the task `name`.
    #[must_use]
    pub(super) fn part(self, name: &str, index: u64) -> Self {
        if self.store.is_none() {
            return self;
        }
        Self { place: self.place.map(|seed| seed.child(name, index)), ..self }
    }

    fn key(self) -> String {
        let [first, second] = self.place.map(Seed::value);
        format!("{first:016x}{second:016x}")
    }

    /// What is kept here.
    pub(super) fn get(self) -> Result<Option<Vec<u8>>> {
        self.store.map_or(Ok(None), |store| store.get(&self.key()))
    }

    /// Keeps bytes here.
    pub(super) fn put(self, bytes: &[u8]) -> Result<()> {
        self.store.map_or(Ok(()), |store| store.put(&self.key(), bytes))
    }
}

/// How often parts were taken from a store, and put into it.
#[derive(Debug, Default)]
struct Counts {
    taken: AtomicU64,
    put: AtomicU64,
    failed: AtomicU64,
}

impl Counts {
    fn both(&self) -> (u64, u64) {
        (self.taken.load(Ordering::Relaxed), self.put.load(Ordering::Relaxed))
    }
}

/// Parts in memory: for one process, and for tests.
#[derive(Debug, Default)]
pub struct MemoryStore {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    counts: Counts,
}

impl MemoryStore {
    /// How many parts were taken so far, and how many were put.
    pub fn counts(&self) -> (u64, u64) {
        self.counts.both()
    }
}

impl Store for MemoryStore {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let found = parts.get(key).cloned();
        self.counts.taken.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
        Ok(found)
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<()> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.insert(key.to_owned(), bytes.to_vec());
        self.counts.put.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Parts as files of a folder, each written in one step: after a kill a part is there whole or not
/// at all. A file whose checksum is wrong counts as not there.
#[derive(Debug)]
pub struct FolderStore {
    folder: PathBuf,
    counts: Counts,
}

impl FolderStore {
    /// Opens a folder, made where it is missing.
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, e))?;
        Ok(Self { folder: folder.to_owned(), counts: Counts::default() })
    }

    /// How many parts were taken so far, and how many were put.
    pub fn counts(&self) -> (u64, u64) {
        self.counts.both()
    }

    /// How many parts could not be written, as on a full disk.
    pub fn failed(&self) -> u64 {
        self.counts.failed.load(Ordering::Relaxed)
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.part"))
    }
}

impl Store for FolderStore {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(key);
        // What cannot be read is made again.
        let Ok(mut bytes) = std::fs::read(&path) else { return Ok(None) };
        let Some((body, sum)) = bytes.split_last_chunk::<4>() else { return Ok(None) };
        if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
            return Ok(None);
        }
        bytes.truncate(bytes.len() - 4);
        self.counts.taken.fetch_add(1, Ordering::Relaxed);
        Ok(Some(bytes))
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(key);
        let sum = crc32fast::hash(bytes).to_le_bytes();
        let written = write_file(&path, &[bytes, &sum]);
        self.counts.failed.fetch_add(u64::from(written.is_err()), Ordering::Relaxed);
        written?;
        self.counts.put.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
