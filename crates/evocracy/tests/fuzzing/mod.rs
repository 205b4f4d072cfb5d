//! What the fuzz tests share: damage, and a bound on memory.

use peak_alloc::PeakAlloc;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory of one test must not be taken for another's.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs the cases and holds the peak of memory against a limit.
pub fn bounded(limit_mb: f32, cases: impl FnOnce()) {
    let peak = peak(cases);
    assert!(peak < limit_mb, "{peak} MB at the peak");
}

/// The most memory that the cases take at a time, in MB.
pub fn peak(cases: impl FnOnce()) -> f32 {
    let _alone = ONE_AT_A_TIME.lock();
    let before = MEMORY.current_usage_as_mb();
    MEMORY.reset_peak_usage();
    cases();
    MEMORY.peak_usage_as_mb() - before
}

/// Damages bytes in a few places; those in `spice` are likelier than others.
pub fn mutate(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng, spice: &[u8]) {
    for _ in 0..rng.random_range(1..=6) {
        let at = rng.random_range(0..=bytes.len());
        let byte = if rng.random_bool(0.5) {
            spice[rng.random_range(0..spice.len())]
        } else {
            rng.random()
        };
        match rng.random_range(0..6) {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => drop(bytes.remove(at)),
            2 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            3 => bytes.truncate(at),
            4 => {
                let from = rng.random_range(0..=at);
                let piece = bytes[from..at.min(from + 16)].to_vec();
                let to = rng.random_range(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            _ if at < bytes.len() => bytes[at] = byte,
            _ => bytes.push(byte),
        }
    }
}
