//! Running a command within limits, and what none may do.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The address space of a command, in KiB: 2 GB.
const MEMORY: u64 = 2_000_000;
/// How much time of the processors a command may take, in seconds. Not of the clock: the machine
/// may be busy.
const SECONDS: f64 = 20.0;
/// How much it may take after Ctrl-C, on each of its threads.
const AFTER_STOP: f64 = 2.0;
/// The threads of a command, so that the time of processors means the same everywhere.
const THREADS: usize = 2;
/// After so many seconds of the clock a command hangs that does nothing.
const IDLE: Duration = Duration::from_mins(5);

/// The time of processors that a process has taken, in seconds.
fn processor_seconds(id: u32) -> f64 {
    /// Of the clock that Linux counts with here, in a second.
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name of the program, in brackets, may hold anything.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// The signal that ended a command.
fn signal_of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    return None.filter(|_: &i32| status.success());
}

/// What is done to a command while it runs.
#[derive(Clone, Copy)]
pub(super) enum Signal {
    None,
    /// Ctrl-C after so many milliseconds.
    Interrupt(u64),
    /// kill -9 after so many milliseconds.
    Kill(u64),
}

/// How a command ended.
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) error: String,
}

/// A command that may run: the binary, its words, where it writes.
pub(super) struct Hostile<'a> {
    pub(super) binary: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) words: &'a [String],
    /// What becomes of standard output.
    pub(super) output: &'a str,
    pub(super) signal: Signal,
    /// The file that takes what it says.
    pub(super) told: &'a str,
}

impl Hostile<'_> {
    /// The command as a person would type it.
    fn shown(&self) -> String {
        let quoted = |word: &String| {
            let plain = !word.contains([' ', '*', '\'']);
            if plain { word.clone() } else { format!("{word:?}") }
        };
        let words: Vec<String> = self.words.iter().map(quoted).collect();
        format!("evocracy {}", words.join(" "))
    }

    /// Runs it; an error says what it did that none may do.
    pub(super) fn run(&self) -> Result<Ended, String> {
        let told = self.folder.join(self.told);
        let mut child = self.start(&told).map_err(|e| format!("cannot start: {e}"))?;
        let status = self.wait(&mut child).map_err(|what| format!("{what}: {}", self.shown()))?;
        let error = String::from_utf8_lossy(&std::fs::read(&told).unwrap_or_default()).into_owned();
        let signal = signal_of(status);
        let killed = matches!(self.signal, Signal::Kill(_)) && signal == Some(9);
        let bad = match (status.code(), signal) {
            _ if error.contains("panicked at") => Some("panic".to_owned()),
            (Some(0 | 1 | 2 | 130), _) => None,
            (Some(code), _) => Some(format!("exit code {code}")),
            _ if killed => None,
            (None, signal) => Some(format!("ended by signal {}", signal.unwrap_or(0))),
        };
        match bad {
            None => Ok(Ended { code: status.code(), error }),
            Some(bad) => Err(format!("{bad}: {}\n{}", self.shown(), error.trim_end())),
        }
    }

    /// The threads it was told to take, else two.
    fn threads(&self) -> usize {
        let told = self.words.iter().skip_while(|word| *word != "--threads").nth(1);
        told.and_then(|count| count.parse().ok()).unwrap_or(THREADS)
    }

    fn start(&self, told: &Path) -> std::io::Result<Child> {
        let limited = format!("ulimit -v {MEMORY}; exec \"$@\" >{}", self.output);
        let count = self.threads().to_string();
        let said = self.words.iter().any(|word| word == "--threads");
        let more = if said { Vec::new() } else { vec!["--threads", &count] };
        Command::new("sh")
            .args(["-c", &limited, "sh"])
            .arg(self.binary)
            .args(self.words)
            .args(more)
            .current_dir(self.folder)
            .env("XDG_DATA_HOME", self.folder.join("home"))
            .env("EVOCRACY_DATA", "")
            .stdin(Stdio::null())
            .stderr(File::create(told)?)
            .spawn()
    }

    /// Waits for the end and sends the signal on the way.
    fn wait(&self, child: &mut Child) -> Result<ExitStatus, &'static str> {
        let start = Instant::now();
        let (mut sent, mut limit) = (false, SECONDS);
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return Ok(status);
            }
            let (name, after) = match self.signal {
                Signal::None => ("", u64::MAX),
                Signal::Interrupt(after) => ("INT", after),
                Signal::Kill(after) => ("KILL", after),
            };
            let (now, used) = (start.elapsed(), processor_seconds(child.id()));
            // Before it catches the signal it would only die of it, as any program does.
            let ready = name != "INT" || catches_interrupt(child.id());
            if !sent && ready && now.as_millis() >= u128::from(after) {
                let id = child.id().to_string();
                let _ = Command::new("kill").args(["-s", name, &id]).status();
                (sent, limit) = (true, used + AFTER_STOP * self.threads() as f64);
            }
            if used > limit || now > IDLE {
                let _ = child.kill();
                let _ = child.wait();
                return Err(if sent { "Ctrl-C does not end it" } else { "hang" });
            }
            sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process has a handler for Ctrl-C.
fn catches_interrupt(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signal 2 is the interrupt; bits are counted from signal 1.
    mask.is_some_and(|mask| mask >> 1 & 1 == 1)
}
