//! Input that may stay silent, such as a pipe that nobody writes to.

use super::Source;
use crate::error::{Error, Remedy, Result};
use crate::run::{Stop, amount};
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Input that is opened and read by a thread of its own: what nothing comes through can be waited
/// for without being deaf to a stop. After one nobody waits for the thread any more.
#[derive(Debug)]
pub struct Waiting<'a> {
    blocks: Receiver<std::io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    stop: &'a Stop,
}

impl<'a> Waiting<'a> {
    const BLOCK: usize = 256 << 10;
    const MOMENT: Duration = Duration::from_millis(50);

    /// Starts to read what `open` opens, which may have to be waited for as well.
    #[expect(
        clippy::disallowed_methods,
        reason = "a read that blocks is no work: on the pool it would keep a thread from it for ever"
    )]
    pub fn new<R: Read + 'static>(
        open: impl FnOnce() -> std::io::Result<R> + Send + 'static,
        stop: &'a Stop,
    ) -> Self {
        let (to, blocks) = sync_channel(4);
        std::thread::spawn(move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => return drop(to.send(Err(error))),
            };
            loop {
                let mut block = vec![0; Self::BLOCK];
                let read = input.read(&mut block).map(|count| {
                    block.truncate(count);
                    block
                });
                let over = !matches!(&read, Ok(block) if !block.is_empty());
                if to.send(read).is_err() || over {
                    break;
                }
            }
        });
        Self { blocks, block: Cursor::default(), stop }
    }

    /// A named pipe.
    pub(in crate::data) fn pipe(path: &Path, stop: &'a Stop) -> Self {
        let path = path.to_owned();
        Self::new(move || std::fs::File::open(path), stop)
    }

    /// A named pipe to its end, in memory; an error beyond `most` bytes.
    pub(in crate::data) fn whole_pipe(path: &Path, most: u64, stop: &Stop) -> Result<Source> {
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        match Waiting::pipe(path, stop).take(most.saturating_add(1)).read_to_end(&mut bytes) {
            Ok(_) => within(&name, &bytes, most).map(|()| Source::memory(name, bytes)),
            Err(_) if stop.requested() => Err(Error::Stopped),
            Err(error) => Err(Error::io("read", path, error)),
        }
    }
}

/// Refuses what has grown beyond the limit of memory.
pub(super) fn within(name: &str, bytes: &[u8], most: u64) -> Result<()> {
    if bytes.len() as u64 <= most {
        return Ok(());
    }
    let limit = amount(most as f64);
    Err(Error::unsuitable(
        format!("{name} holds more than the limit of memory, which is {limit}"),
        Remedy::MoreMemory,
    ))
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            // Before every block: what always delivers would else never be interrupted.
            if self.stop.requested() {
                return Err(std::io::Error::other(Error::Stopped));
            }
            match self.blocks.recv_timeout(Self::MOMENT) {
                Ok(block) => self.block = Cursor::new(block?),
                // Silence is no end, not even before the first block.
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.block.get_ref().is_empty() {
                return Ok(0);
            }
        }
    }
}

/// Whether this is a named pipe, which may have to be waited for.
#[cfg(unix)]
pub(in crate::data) fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|place| place.file_type().is_fifo())
}

#[cfg(not(unix))]
pub(in crate::data) fn is_pipe(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_read_to_its_end_and_silence_ends_with_a_stop() {
        let (stop, mut text) = (Stop::new(), String::new());
        let mut input = Waiting::new(|| Ok(&b"some text"[..]), &stop);
        assert_eq!(input.read_to_string(&mut text).expect("text"), 9);
        let mut refused = Waiting::new(|| std::fs::File::open("/no/such/place"), &stop);
        assert!(refused.read_to_string(&mut text).is_err());
        let late = || {
            std::thread::sleep(Waiting::MOMENT * 3);
            Ok(&b", late"[..])
        };
        assert_eq!(Waiting::new(late, &stop).read_to_string(&mut text).expect("text"), 6);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        stop.request();
        let mut silent = Waiting::new(move || Ok(reader), &stop);
        let error = silent.read_to_string(&mut text).expect_err("nothing came");
        let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        assert!(matches!(own, Some(Error::Stopped)), "{error}");
        drop(writer);
        assert_eq!(text, "some text, late");
    }

    #[test]
    fn what_never_ends_ends_with_a_stop_and_at_the_limit_of_memory() {
        // Nothing is silent here: it always delivers.
        let stop = Stop::after(5);
        let mut endless = Waiting::new(|| Ok(std::io::repeat(b'x')), &stop);
        let error = std::io::copy(&mut endless, &mut std::io::sink()).expect_err("no end");
        let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        assert!(matches!(own, Some(Error::Stopped)), "{error}");
        let endless = || Source::once("a pipe", Waiting::new(|| Ok(std::io::repeat(b'x')), &NEVER));
        let error = endless().in_memory(1_000_000).err().expect("no end").to_string();
        assert!(error.contains("a pipe holds more than the limit of memory"), "{error}");
        let few = Source::once("a pipe", &b"1,2"[..]);
        assert_eq!(few.in_memory(3).expect("three bytes").text(3).expect("text"), "1,2");
    }

    static NEVER: Stop = Stop::new();
}
