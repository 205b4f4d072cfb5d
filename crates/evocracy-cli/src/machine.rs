//! What the machine has: memory, and a standard input that may stay silent.

use evocracy::error::Error;
use evocracy::run::Stop;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The limit of memory unless told otherwise: three quarters of what the machine has, or of what
/// its control group or the shell allows; none where that is not known.
pub fn usual_limit() -> u64 {
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    });
    // What the shell allows (`ulimit -v`), which holds for more than what is asked for here.
    let shell = read("/proc/self/limits").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse().ok()
    });
    let least = [group, machine, shell].into_iter().flatten().min();
    least.map_or(u64::MAX, |bytes: u64| bytes / 4 * 3)
}

/// CPU seconds that this thread has worked.
#[cfg(unix)]
pub fn thread_seconds() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Seconds: what a thread has worked cannot be told here.
#[cfg(not(unix))]
pub fn thread_seconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// An amount of memory: a number with K, M, G or T behind it.
pub fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes such as 500M or 4G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B') {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        _ => return Err(expected()),
    };
    let number: f64 = digits.parse().map_err(|_| expected())?;
    if number.is_finite() && number > 0.0 { Ok((number * unit) as u64) } else { Err(expected()) }
}

/// Standard input, read by a thread of its own: a pipe that nothing comes through can be waited
/// for without being deaf to Ctrl-C.
pub struct StandardInput {
    blocks: Receiver<std::io::Result<Vec<u8>>>,
    block: std::io::Cursor<Vec<u8>>,
    stop: &'static Stop,
}

impl StandardInput {
    const BLOCK: usize = 256 << 10;
    const MOMENT: Duration = Duration::from_millis(50);

    /// Starts to read.
    pub fn new(stop: &'static Stop) -> Self {
        let (to, blocks) = sync_channel(4);
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
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
        Self { blocks, block: std::io::Cursor::default(), stop }
    }
}

impl Read for StandardInput {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.blocks.recv_timeout(Self::MOMENT) {
                Ok(block) => self.block = std::io::Cursor::new(block?),
                Err(RecvTimeoutError::Timeout) if self.stop.requested() => {
                    return Err(std::io::Error::other(Error::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.block.get_ref().is_empty() {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_are_read() {
        assert_eq!(bytes("1500"), Ok(1500));
        assert_eq!(bytes("2.5G"), Ok(2_500_000_000));
        assert_eq!((bytes("3mb"), bytes("1T")), (Ok(3_000_000), Ok(1_000_000_000_000)));
        for text in ["", "G", "-1", "0", "nan", "5X", "1 0"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
