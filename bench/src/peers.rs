//! Both sides as processes, and the Python environment of the peers.

use crate::Measured;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

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

fn run(command: &mut Command) -> Result<String> {
    for variable in ONE_THREAD {
        command.env(variable, "1");
    }
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn measured(command: &mut Command) -> Result<Measured> {
    let printed = run(command)?;
    let last = printed.lines().last().unwrap_or_default();
    serde_json::from_str(last).with_context(|| format!("{command:?} printed {last}"))
}

/// Makes the data of a case where they are missing.
pub fn make_data(python: &Path, root: &Path, name: &str, case: &str, folder: &Path) -> Result<()> {
    run(Command::new(python).arg(root.join("peers/data.py")).args([name, case]).arg(folder))?;
    Ok(())
}

/// One turn of ours, in a process of its own.
pub fn run_ours(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    measured(Command::new(std::env::current_exe()?).args(["side", name, case]).arg(folder))
}

/// One turn of a peer that is written in Rust, in a process of its own.
pub fn run_rival(name: &str, case: &str, peer: &str) -> Result<Measured> {
    measured(Command::new(std::env::current_exe()?).args(["rival", name, case, peer]))
}

/// One turn of the peer.
pub fn run_peer(
    python: &Path,
    root: &Path,
    name: &str,
    case: &str,
    folder: &Path,
) -> Result<Measured> {
    let script = root.join(format!("peers/bench_{name}.py"));
    measured(Command::new(python).arg(script).arg(case).arg(folder))
}
