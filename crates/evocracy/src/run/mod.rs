//! What a piece of work is given beside its data: a seed, a stop flag, a place to report
//! progress, a thread pool and a shelf for finished parts.
//!
//! Invariants: the same seed gives the same result for any number of threads, because child
//! seeds belong to tasks and never to threads; nothing here reads the clock or prints.

mod output;
mod pool;
mod seed;
mod shelf;
mod stop;
mod watch;

pub use output::{OutputFile, abandon_files, write_file};
pub use pool::Pool;
pub use seed::Seed;
pub use shelf::{FolderStore, MemoryStore, Shelf, Store};
pub use stop::{Stop, StopReason, Ticker};
pub use watch::{Snapshot, Watch};

use crate::error::{Error, Remedy, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// So many bytes in words.
pub(crate) fn amount(bytes: f64) -> String {
    match bytes {
        few if few < 1e8 => format!("{:.1} MB", few / 1e6),
        many => format!("{:.1} GB", many / 1e9),
    }
}

/// As [`Run::reserve`], of a limit in bytes.
pub(crate) fn reserve(limit: u64, what: &str, numbers: &[usize]) -> Result<()> {
    let bytes = numbers.iter().fold(8.0, |bytes, &factor| bytes * factor as f64);
    if bytes <= limit as f64 {
        return Ok(());
    }
    let (needs, limit) = (amount(bytes), amount(limit as f64));
    Err(Error::unsuitable(
        format!("{what} would need {needs} of memory, and the limit is {limit}"),
        Remedy::MoreMemory,
    ))
}

/// The surroundings of one piece of work.
#[derive(Clone)]
pub struct Run<'a> {
    /// Where all randomness of this work comes from.
    pub seed: Seed,
    /// Set from outside when the work should end early.
    pub stop: &'a Stop,
    /// Where progress is reported.
    pub watch: Watch,
    /// Where parallel work runs.
    pub pool: &'a Pool,
    /// Where finished parts are kept, to go on after a kill.
    pub shelf: Shelf<'a>,
    /// How many bytes the work may ask for at a time; see [`Run::reserve`].
    pub memory: u64,
}

impl<'a> Run<'a> {
    /// Work with the given seed that nobody watches.
    pub fn new(seed: u64, stop: &'a Stop, pool: &'a Pool) -> Self {
        let (seed, watch) = (Seed::new(seed), Watch::new("run"));
        Self { seed, stop, watch, pool, shelf: Shelf::none(), memory: u64::MAX }
    }

    /// An error where work is about to ask for more memory than there is for it: `numbers` of eight
    /// bytes each, a factor after the other, which may overflow.
    pub fn reserve(&self, what: &str, numbers: &[usize]) -> Result<()> {
        reserve(self.memory, what, numbers)
    }

    /// The surroundings of part number `index` of this work, with a seed of its own.
    #[must_use]
    pub fn child(&self, name: &str, index: u64) -> Self {
        Self { seed: self.seed.child(name, index), ..self.part(name, index) }
    }

    /// Part number `index` of this work with the seed of the whole: its finished parts are kept
    /// apart from those of other parts.
    #[must_use]
    pub fn part(&self, name: &str, index: u64) -> Self {
        Self { shelf: self.shelf.part(name, index), ..self.clone() }
    }

    /// The same surroundings, reporting to a new task `name` of `total` steps below this one.
    #[must_use]
    pub fn task(&self, name: &str, total: u64) -> Self {
        Self { watch: self.watch.task(name, total), ..self.clone() }
    }

    /// A finished part of an earlier run, rebuilt by `read`, or what `work` yields now, which is
    /// kept if `write` says so: unfinished work is not.
    ///
    /// Bytes that `read` refuses (a damaged file) count as not there.
    pub fn resume<T>(
        &self,
        read: impl FnOnce(&[u8]) -> Result<T>,
        write: impl FnOnce(&T) -> Result<Option<Vec<u8>>>,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        if !self.shelf.is_open() {
            return work();
        }
        let place = self.shelf.part("seed", self.seed.value());
        if let Some(done) = place.get()?.and_then(|bytes| read(&bytes).ok()) {
            return Ok(done);
        }
        let done = work()?;
        if let Some(bytes) = write(&done)? {
            // What is done is worth more than that it was kept: the store counts its failures.
            let _ = place.put(&bytes);
        }
        Ok(done)
    }

    /// As [`Run::resume`], for values that are written as they are; `sound` refuses what a damaged
    /// or forged file could hold. Nothing is kept once the work is to stop.
    pub(crate) fn resume_value<T: Serialize + DeserializeOwned>(
        &self,
        sound: impl FnOnce(&mut T) -> bool,
        work: impl FnOnce() -> T,
    ) -> Result<T> {
        let broken = || Error::unsuitable("a finished part does not read back", "");
        self.resume(
            |bytes| {
                let mut value: T = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
                if sound(&mut value) { Ok(value) } else { Err(broken()) }
            },
            |value| {
                if self.stop.requested() {
                    return Ok(None);
                }
                rmp_serde::to_vec(value).map(Some).map_err(|_| broken())
            },
            || Ok(work()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(run: &Run<'_>, work: impl FnOnce() -> Result<String>) -> Result<String> {
        let read = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec()).map_err(|_| Error::unsuitable("no text", ""))
        };
        run.resume(read, |done| Ok(Some(done.clone().into_bytes())), work)
    }

    #[test]
    fn finished_parts_are_taken_and_parts_do_not_meet() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let store = FolderStore::open(folder.path())?;
        let run = Run { shelf: Shelf::new(&store, "iris tree"), ..Run::new(1, &stop, &pool) };
        let other = Run { shelf: Shelf::new(&store, "car tree"), ..run.clone() };
        let places = [
            run.clone(),
            run.child("fold", 0),
            run.child("fold", 1),
            run.part("fold", 0),
            Run { seed: Seed::new(2), ..run.clone() },
            other,
        ];
        for (at, place) in places.iter().enumerate() {
            assert_eq!(text(place, || Ok(at.to_string()))?, at.to_string());
        }
        for (at, place) in places.iter().enumerate() {
            assert_eq!(text(place, || Err(Error::Stopped))?, at.to_string());
        }
        assert_eq!(store.counts(), (6, 6));
        // A file that was damaged, or that does not read back, is made anew.
        for entry in std::fs::read_dir(folder.path()).expect("the parts") {
            let path = entry.expect("a part").path();
            std::fs::write(path, b"\xff\xff\xff\xff\xff").expect("the folder takes it");
        }
        assert_eq!(text(&run, || Ok("new".to_owned()))?, "new");
        Ok(())
    }

    #[test]
    fn memory_beyond_the_limit_is_refused_with_both_figures() -> Result<()> {
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let run = Run { memory: 8_000, ..Run::new(1, &stop, &pool) };
        run.reserve("a table", &[10, 100])?;
        let said = run.reserve("a square", &[usize::MAX, usize::MAX]).unwrap_err().to_string();
        assert!(said.contains("a square would need") && said.contains("the limit is"), "{said}");
        assert!(run.child("part", 0).reserve("a table", &[1001]).is_err());
        Run::new(1, &stop, &pool).reserve("anything", &[1 << 40])
    }

    #[test]
    fn without_a_store_nothing_is_kept() -> Result<()> {
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let run = Run::new(1, &stop, &pool);
        assert_eq!(text(&run, || Ok("first".to_owned()))?, "first");
        assert_eq!(text(&run, || Ok("second".to_owned()))?, "second");
        Ok(())
    }
}
