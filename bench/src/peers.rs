//! Both sides as processes, and the Python environment of the peers.

use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug, Clone)]
pub enum Turn<T> {
    /// By itself, with this.
    Done(T),
    /// Stopped at its limit, after so many CPU seconds.
    Stopped(f64),
}

impl<T> Turn<T> {
    /// What it ended with.
    pub fn done(self) -> Result<T> {
        match self {
            Self::Done(result) => Ok(result),
            Self::Stopped(seconds) => bail!("stopped after {seconds} CPU seconds"),
        }
    }
}

/// A process that waits instead of working is stopped when this many seconds more than twice its
/// limit are over.
const PATIENCE: f64 = 60.0;

/// How often a process is looked at.
const MOMENT: Duration = Duration::from_millis(10);

/// Every library that could use more threads is told to use one.
const ONE_THREAD: [&str; 6] = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
];

/// The Python of a virtual environment that holds the peers; made where it is missing or older
/// than the list of peers.
pub fn python(root: &Path) -> Result<PathBuf> {
    let venv = root.join("target/venv");
    let python = venv.join("bin/python");
    let wanted = std::fs::read_to_string(root.join("requirements.txt"))?;
    let stamp = venv.join("installed.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    eprintln!("installing the Python peers into {}:", venv.display());
    wanted.lines().filter(|line| !line.starts_with('#')).for_each(|line| eprintln!("  {line}"));
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))
        .context("python3 with venv is needed: apt-get install python3-venv")?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
        .arg(root.join("requirements.txt")))?;
    std::fs::write(stamp, wanted)?;
    Ok(python)
}

/// What a process prints, unless it takes more CPU seconds than its limit.
fn run_until(command: &mut Command, limit: f64) -> Result<Turn<Vec<u8>>> {
    command.envs(ONE_THREAD.map(|variable| (variable, "1")));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let (printed, complained) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        let spent = clock::cpu_seconds_of(child.id());
        if spent >= limit || start.elapsed().as_secs_f64() >= 2.0 * limit + PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Turn::Stopped(spent));
        }
        thread::sleep(MOMENT);
    }
    let ended = |reader: thread::JoinHandle<Vec<u8>>| reader.join().map_err(|_| anyhow!("lost"));
    let (printed, complained) = (ended(printed)?, ended(complained)?);
    if !child.wait()?.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&complained));
    }
    Ok(Turn::Done(printed))
}

/// Reads beside the process, which would wait for ever with a full pipe.
fn collect(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks leaves what came until then: the exit code tells the rest.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        bytes
    })
}

fn run(command: &mut Command) -> Result<()> {
    run_until(command, f64::INFINITY).map(|_| ())
}

/// The JSON value in the last line that a process prints.
pub fn value<T: DeserializeOwned>(command: &mut Command, limit: f64) -> Result<Turn<T>> {
    let printed = match run_until(command, limit)? {
        Turn::Done(printed) => String::from_utf8(printed)?,
        Turn::Stopped(seconds) => return Ok(Turn::Stopped(seconds)),
    };
    let last = printed.lines().last().unwrap_or_default();
    let value = serde_json::from_str(last);
    value.map(Turn::Done).with_context(|| format!("{command:?} printed {last}"))
}

/// Makes the data of a case where they are missing.
pub fn make_data(python: &Path, root: &Path, name: &str, case: &str, folder: &Path) -> Result<()> {
    run(Command::new(python).arg(root.join("peers/data.py")).args([name, case]).arg(folder))
}

/// One turn of a side that this program holds, ours or a crate's, in a process of its own.
pub fn run_side(
    side: &str,
    name: &str,
    case: &str,
    folder: &Path,
    limit: f64,
) -> Result<Turn<Measured>> {
    let words = ["side", side, name, case];
    value(Command::new(std::env::current_exe()?).args(words).arg(folder), limit)
}

/// The script of a peer: its own, or the only one of the bench.
pub fn script(root: &Path, name: &str, peer: &str, ending: &str) -> PathBuf {
    let own = root.join(format!("peers/bench_{name}_{peer}.{ending}"));
    if own.exists() { own } else { root.join(format!("peers/bench_{name}.{ending}")) }
}

/// One turn of a peer that is a script.
pub fn run_script(
    program: &Path,
    script: &Path,
    case: &str,
    folder: &Path,
    limit: f64,
) -> Result<Turn<Measured>> {
    value(Command::new(program).arg(script).arg(case).arg(folder), limit)
}

/// Whether R is here with a package.
pub fn has_r(package: &str) -> bool {
    let ask = format!("if (!requireNamespace('{package}', quietly = TRUE)) quit(status = 1)");
    let output = Command::new("Rscript").args(["-e", &ask]).output();
    output.is_ok_and(|output| output.status.success())
}
