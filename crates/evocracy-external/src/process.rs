//! Processes: started once for each worker, watched, started again where they end.
//!
//! A request is written and its answer read on the thread that asks: nothing else has to wake up in
//! between. A thread beside looks at the clock now and then and ends a process that is late; the read
//! then ends, too.

use crate::line;
use evocracy::data::View;
use evocracy::error::{Error, Result};
use evocracy::sample::{Prior, Program, Session};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How often late processes are looked for.
const LOOK: Duration = Duration::from_millis(20);

/// The longest answer: a program cannot fill the memory.
const LONGEST: u64 = 1 << 30;

/// How much of what a program complains about is kept.
const COMPLAINTS: usize = 4000;

/// A command that makes calls. Clones share its processes.
#[derive(Debug, Clone)]
pub struct Command {
    words: Vec<String>,
    limit: Duration,
    /// Processes that nobody is asking at the moment.
    idle: Arc<Mutex<Vec<Process>>>,
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
        Ok(Self { words, limit, idle: Arc::default() })
    }

    fn start(&self) -> Result<Process> {
        let mut child = std::process::Command::new(&self.words[0])
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| Error::io("start", std::path::Path::new(&self.words[0]), e))?;
        let lost = || line::wrong("it has no standard input or output");
        let (to, from) =
            (child.stdin.take().ok_or_else(lost)?, child.stdout.take().ok_or_else(lost)?);
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(pipe) = child.stderr.take() {
            let kept = Arc::clone(&complaints);
            thread::spawn(move || listen(pipe, &kept));
        }
        let watched = Arc::new(Mutex::new(Watched { child, until: None, late: false }));
        let beside = Arc::downgrade(&watched);
        thread::spawn(move || watch(&beside));
        Ok(Process { watched, to, from: BufReader::new(from), complaints, table: None })
    }
}

impl Program for Command {
    fn open(&self, rows: View<'_>) -> Result<Box<dyn Session>> {
        let table: Arc<str> = line::table(rows).into();
        let free = lock(&self.idle).pop();
        let process = free.map_or_else(|| self.start(), Ok)?;
        let mut talk = Talk {
            of: self.clone(),
            process: Some(process),
            table,
            rows: rows.rows(),
            priors: Vec::new(),
            line: String::new(),
            answer: String::new(),
            labels: Vec::new(),
        };
        talk.tell_table()?;
        Ok(Box::new(talk))
    }
}

/// A process and when its answer is due.
#[derive(Debug)]
struct Watched {
    child: Child,
    until: Option<Instant>,
    late: bool,
}

impl Drop for Watched {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process with its pipes.
#[derive(Debug)]
struct Process {
    watched: Arc<Mutex<Watched>>,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    /// The table it was told last, with what it said of it.
    table: Option<(Arc<str>, Vec<Option<Prior>>)>,
}

impl Process {
    /// Asks a line and reads the line that answers.
    fn ask(&mut self, line: &str, answer: &mut String, limit: Duration) -> Result<()> {
        lock(&self.watched).until = Some(Instant::now() + limit);
        answer.clear();
        let asked = self.to.write_all(line.as_bytes()).and_then(|()| self.to.flush());
        let read = asked.and_then(|()| self.from.by_ref().take(LONGEST).read_line(answer));
        let late = {
            let mut watched = lock(&self.watched);
            watched.until = None;
            watched.late
        };
        if read.is_ok_and(|bytes| bytes > 0 && answer.ends_with('\n')) {
            return Ok(());
        }
        Err(self.failure(late, limit))
    }

    fn failure(&self, late: bool, limit: Duration) -> Error {
        if late {
            return Error::unsuitable(
                format!("the external program did not answer within {} s", limit.as_secs_f64()),
                "allow more time, or mend the program",
            );
        }
        // The last words may still be on their way.
        thread::sleep(LOOK);
        let status = lock(&self.watched).child.try_wait().ok().flatten();
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

/// Ends the process when it is late; ends itself with it.
fn watch(watched: &Weak<Mutex<Watched>>) {
    loop {
        thread::sleep(LOOK);
        let Some(watched) = watched.upgrade() else { return };
        let mut watched = lock(&watched);
        if watched.until.is_some_and(|until| Instant::now() > until) {
            watched.late = true;
            let _ = watched.child.kill();
            return;
        }
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

/// A process that answers for one table.
struct Talk {
    of: Command,
    process: Option<Process>,
    table: Arc<str>,
    rows: usize,
    priors: Vec<Option<Prior>>,
    line: String,
    answer: String,
    labels: Vec<bool>,
}

impl Talk {
    /// A process for the table, started where there is none.
    fn process(&mut self) -> Result<&mut Process> {
        let process = match self.process.take() {
            Some(process) => process,
            None => self.of.start()?,
        };
        Ok(self.process.insert(process))
    }

    fn tell_table(&mut self) -> Result<()> {
        let (table, rows, limit) = (Arc::clone(&self.table), self.rows, self.of.limit);
        let mut answer = std::mem::take(&mut self.answer);
        let process = self.process()?;
        if let Some((known, priors)) = &process.table
            && *known == table
        {
            self.priors = priors.clone();
            return Ok(());
        }
        process.table = None;
        let asked = process.ask(&table, &mut answer, limit);
        let priors = asked.and_then(|()| line::ready(&answer, rows));
        match priors {
            Ok(priors) => {
                process.table = Some((table, priors.clone()));
                self.priors = priors;
                self.answer = answer;
                Ok(())
            }
            Err(error) => {
                self.process = None;
                Err(error)
            }
        }
    }

    /// Asks for the labels of the parameters in `line`.
    fn ask(&mut self) -> Result<()> {
        self.tell_table()?;
        let limit = self.of.limit;
        let Self { process, line, answer, .. } = self;
        let process = process.as_mut().ok_or(Error::Stopped)?;
        process.ask(line, answer, limit)
    }
}

impl Session for Talk {
    fn priors(&self) -> &[Option<Prior>] {
        &self.priors
    }

    fn labels(&mut self, parameters: &[f64]) -> Result<&[bool]> {
        line::parameters(parameters, &mut self.line);
        if self.ask().is_err() {
            // A program that ended or hung is started again, once.
            self.process = None;
            if let Err(error) = self.ask() {
                self.process = None;
                return Err(error);
            }
        }
        let found = line::labels(&self.answer, self.rows, &mut self.labels);
        if let Err(error) = found {
            self.process = None;
            return Err(error);
        }
        Ok(&self.labels)
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            lock(&self.of.idle).push(process);
        }
    }
}
