//! What the machine has: memory, and time of its processors.

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
