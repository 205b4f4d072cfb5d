//! Processes: started once for each worker, each in a process group of its own, started again where
//! they end.
//!
//! A request is written and its answer read on the thread that asks: nothing else has to wake up in
//! between. Pipes do not block: waiting for one ends when it is ready, when the answer is late, or when
//! the work is to stop. A process is ended with its whole group, so that a program behind a shell ends
//! with the shell.

mod talk;

use self::talk::Talk;
use crate::line;
use evocracy::data::View;
use evocracy::error::{Error, Result};
use evocracy::sample::{Prior, Program, Session};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a wait looks whether the work is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The longest answers, to a table and for a row: a program cannot fill the memory.
const LONGEST: usize = 1 << 26;
const LONGEST_ROW: usize = 64;

/// How long is waited for more after each of the first answers of a process: who answers a line with
/// two of which the second comes late would have it taken for the next answer.
const MORE: Duration = Duration::from_millis(20);
const FIRST: u64 = 2;

/// How much of what a program complains about is kept.
const COMPLAINTS: usize = 4000;

/// A program may be started again so often with fewer than so many answers in between.
const RESTARTS: u64 = 5;
const ANSWERS: u64 = 100;

/// A command that makes calls. Clones share its processes.
#[derive(Debug, Clone)]
pub struct Command {
    words: Vec<String>,
    limit: Duration,
    stopped: fn() -> bool,
    shared: Arc<Shared>,
}

/// What clones of a command share.
#[derive(Debug, Default)]
struct Shared {
    /// Processes that nobody is asking at the moment.
    idle: Mutex<Vec<Process>>,
    /// Processes that were started in the place of one that had ended, all of them and the last ones
    /// in a row.
    restarts: AtomicU64,
    in_a_row: AtomicU64,
    /// Answers since the last of them.
    answers: AtomicU64,
    /// What was told of a failure that ends the work, and what to do about it.
    failed: Mutex<Option<(String, String)>>,
}

impl Command {
    /// A command as in a shell: words parted by spaces, quotes keep spaces. An answer may take
    /// `limit`.
    pub fn new(command: &str, limit: Duration) -> Result<Self> {
        let words = shlex::split(command).filter(|words| !words.is_empty()).ok_or_else(|| {
            Error::unsuitable(
                format!("`{command}` is no command"),
                "give a program and its arguments; quotes must be closed",
            )
        })?;
        Ok(Self { words, limit, stopped: || false, shared: Arc::default() })
    }

    /// The same command, which is not waited for once the work is `stopped`.
    #[must_use]
    pub fn until(self, stopped: fn() -> bool) -> Self {
        Self { stopped, ..self }
    }

    /// The failure that ended the work, if there was one: nobody else shall wait for the program. A
    /// command that has failed does not answer again.
    fn has_not_failed(&self) -> Result<()> {
        match &*lock(&self.shared.failed) {
            Some((what, help)) => Err(Error::unsuitable(what.as_str(), help.as_str())),
            None => Ok(()),
        }
    }

    /// Notes a failure, of several the first. Work that is to stop has not failed.
    fn fail(&self, error: Error) -> Error {
        if !matches!(error, Error::Stopped) {
            let told = || (error.to_string(), error.help().unwrap_or_default());
            lock(&self.shared.failed).get_or_insert_with(told);
        }
        error
    }

    /// How often a process that had ended or was late was started again.
    pub fn restarts(&self) -> u64 {
        self.shared.restarts.load(Ordering::Relaxed)
    }

    fn start(&self) -> Result<Process> {
        let unable = |e| Error::io("start", std::path::Path::new(&self.words[0]), e);
        let mut child = std::process::Command::new(&self.words[0])
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(unable)?;
        let (to, from, complaints) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on it is ended when it is dropped.
        let child = Group(child);
        let lost = || line::wrong("it has no standard input or output");
        let (to, from) = (to.ok_or_else(lost)?, from.ok_or_else(lost)?);
        rustix::io::ioctl_fionbio(&to, true).map_err(|e| unable(e.into()))?;
        rustix::io::ioctl_fionbio(&from, true).map_err(|e| unable(e.into()))?;
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(pipe) = complaints {
            let kept = Arc::clone(&kept);
            thread::spawn(move || listen(pipe, &kept));
        }
        Ok(Process {
            child,
            to,
            from,
            read: Vec::new(),
            answered: 0,
            complaints: kept,
            table: None,
        })
    }

    /// Counts a start in the place of a process that failed; the error where there were too many.
    fn start_again(&self, error: Error) -> Result<()> {
        if matches!(error, Error::Stopped) {
            return Err(error);
        }
        let Shared { restarts, in_a_row, answers, .. } = &*self.shared;
        if answers.swap(0, Ordering::Relaxed) >= ANSWERS {
            in_a_row.store(0, Ordering::Relaxed);
        }
        if in_a_row.fetch_add(1, Ordering::Relaxed) >= RESTARTS {
            return Err(Error::unsuitable(
                format!(
                    "the external program was started again {RESTARTS} times in a row, each after fewer than {ANSWERS} answers; then: {error}"
                ),
                "mend the program: it must not end while it is being asked",
            ));
        }
        restarts.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl Program for Command {
    fn open(&self, rows: View<'_>) -> Result<Box<dyn Session>> {
        self.has_not_failed()?;
        let table: Arc<str> = line::table(rows).into();
        let process = lock(&self.shared.idle).pop();
        let used = process.is_some();
        let mut talk = Talk::new(self.clone(), process, table, rows.rows());
        let told = match talk.tell_table() {
            // One that ended while nobody asked it.
            Err(error) if used => self.start_again(error).and_then(|()| talk.tell_table()),
            told => told,
        };
        told.map_err(|error| self.fail(error))?;
        Ok(Box::new(talk))
    }
}

/// A process, with all that it started.
#[derive(Debug)]
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // It may have ended by itself; those it started may be there still.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process with its pipes.
#[derive(Debug)]
struct Process {
    child: Group,
    to: ChildStdin,
    from: ChildStdout,
    /// What was read of its output and not yet taken.
    read: Vec<u8>,
    /// How many lines it has answered.
    answered: u64,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    /// The table it was told last, with what it said of it.
    table: Option<(Arc<str>, Vec<Option<Prior>>)>,
}

/// Why there is no answer.
enum Silence {
    /// It did not come in time.
    Late,
    /// The work is to stop.
    Stopped,
    /// The process has ended or closed its output.
    Ended,
}

/// When to give up waiting.
#[derive(Clone, Copy)]
struct Patience {
    until: Option<Instant>,
    stopped: fn() -> bool,
}

impl Patience {
    /// Waits for a pipe.
    fn wait(self, pipe: impl AsFd, flags: PollFlags) -> std::result::Result<(), Silence> {
        loop {
            if (self.stopped)() {
                return Err(Silence::Stopped);
            }
            let now = Instant::now();
            let left = self.until.map_or(LOOK, |until| until.saturating_duration_since(now));
            if left.is_zero() {
                return Err(Silence::Late);
            }
            let left = left.min(LOOK);
            let wait = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
            // A wait that a signal ended is taken up again.
            if poll(&mut [PollFd::new(&pipe, flags)], Some(&wait)).is_ok_and(|ready| ready > 0) {
                return Ok(());
            }
        }
    }
}

impl Process {
    /// Asks a line and returns the line that answers, of at most so many bytes.
    fn ask(&mut self, line: &str, longest: usize, of: &Command) -> Result<String> {
        // What it says before it is asked anything is taken for its first answer, and quoted.
        if self.answered > 0 {
            self.has_said_no_more(of)?;
        }
        // A limit beyond the end of time is none.
        let patience =
            Patience { until: Instant::now().checked_add(of.limit), stopped: of.stopped };
        let asked = self.write(line.as_bytes(), patience);
        let length = match asked.and_then(|()| self.answer(longest, patience)) {
            Ok(Some(length)) => length,
            Ok(None) => {
                return Err(line::wrong(format!("its answer is longer than {longest} bytes")));
            }
            Err(silence) => return Err(self.failure(&silence, of.limit)),
        };
        self.answered += 1;
        let rest = self.read.split_off(length);
        String::from_utf8(std::mem::replace(&mut self.read, rest))
            .map_err(|_| line::wrong("its answer is no text in UTF-8"))
    }

    /// An error where it says something that nobody has asked for, or has ended.
    fn has_said_no_more(&mut self, of: &Command) -> Result<()> {
        let more = || line::wrong("it answered a line with more than one");
        if !self.read.is_empty() {
            return Err(more());
        }
        match self.from.read(&mut [0]) {
            Ok(1..) => Err(more()),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Ok(0) | Err(_) => Err(self.failure(&Silence::Ended, of.limit)),
        }
    }

    /// Waits after its first answers whether it says more. It may end.
    fn says_no_more(&mut self, of: &Command) -> Result<()> {
        if self.answered > FIRST {
            return Ok(());
        }
        let patience = Patience { until: Instant::now().checked_add(MORE), stopped: of.stopped };
        if self.read.is_empty() {
            match patience.wait(&self.from, PollFlags::IN) {
                Err(Silence::Stopped) => return Err(Error::Stopped),
                Err(_) => return Ok(()),
                Ok(()) => {}
            }
            let mut buffer = [0];
            let count = self.from.read(&mut buffer).unwrap_or(0);
            self.read.extend_from_slice(&buffer[..count]);
        }
        if self.read.is_empty() { Ok(()) } else { self.has_said_no_more(of) }
    }

    fn write(&mut self, mut bytes: &[u8], patience: Patience) -> std::result::Result<(), Silence> {
        while !bytes.is_empty() {
            match self.to.write(bytes) {
                Ok(count @ 1..) => bytes = &bytes[count..],
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    patience.wait(&self.to, PollFlags::OUT)?;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return Err(Silence::Ended),
            }
        }
        Ok(())
    }

    /// Reads on to the end of a line: its length, `None` where it is too long.
    fn answer(
        &mut self,
        longest: usize,
        patience: Patience,
    ) -> std::result::Result<Option<usize>, Silence> {
        let mut buffer = [0; 1 << 13];
        loop {
            patience.wait(&self.from, PollFlags::IN)?;
            match self.from.read(&mut buffer) {
                Ok(count @ 1..) => {
                    let before = self.read.len();
                    self.read.extend_from_slice(&buffer[..count]);
                    if let Some(end) = buffer[..count].iter().position(|byte| *byte == b'\n') {
                        return Ok(Some(before + end + 1));
                    }
                    if self.read.len() > longest {
                        return Ok(None);
                    }
                }
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Ok(0) | Err(_) => return Err(Silence::Ended),
            }
        }
    }

    fn failure(&mut self, silence: &Silence, limit: Duration) -> Error {
        match silence {
            Silence::Stopped => return Error::Stopped,
            Silence::Late => {
                return Error::unsuitable(
                    format!("the external program did not answer within {} s", limit.as_secs_f64()),
                    "allow more time, or mend the program",
                );
            }
            Silence::Ended => {}
        }
        // The last words may still be on their way.
        thread::sleep(LOOK);
        let status = self.child.0.try_wait().ok().flatten();
        let ended = status.map_or_else(|| "closed its output".into(), |s| format!("ended ({s})"));
        let kept: Vec<u8> = lock(&self.complaints).iter().copied().collect();
        let words = String::from_utf8_lossy(&kept).trim().to_owned();
        let said = if words.is_empty() { String::new() } else { format!(": {words}") };
        Error::unsuitable(
            format!("the external program {ended} without an answer{said}"),
            "mend the program; it is asked a line at a time and must answer each with a line",
        )
    }
}

/// Keeps the last of what a program complains about.
fn listen(mut pipe: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let mut kept = lock(kept);
        kept.extend(&buffer[..count]);
        let much = kept.len().saturating_sub(COMPLAINTS);
        kept.drain(..much);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
