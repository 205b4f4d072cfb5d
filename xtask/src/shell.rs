//! Where the workspace is and how its commands are run.

use crate::Failure;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The workspace's top folder, wherever the chore was called from.
pub(crate) fn root() -> PathBuf {
    // `cargo run` sets the variable; the binary called by hand falls back on where it was built.
    let own = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    own.parent().map_or_else(|| own.clone(), Path::to_path_buf)
}

/// A command as a person would type it.
pub(crate) fn shown(words: &[&str]) -> String {
    words.join(" ")
}

fn command(words: &[&str]) -> Command {
    // The cargo that runs this chore, so that all steps use one toolchain.
    let program = match words[0] {
        "cargo" => std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
        "cc" => compiler(),
        other => other.into(),
    };
    let mut command = Command::new(program);
    command.args(&words[1..]).current_dir(root()).stdin(Stdio::null());
    command
}

/// The C compiler: the program that `CC` names, which may carry arguments, or `cc`.
fn compiler() -> OsString {
    let named = std::env::var("CC").unwrap_or_default();
    named.split_whitespace().next().unwrap_or("cc").into()
}

/// Runs a command with its output shown; whether it succeeded.
pub(crate) fn run(words: &[&str], environment: &[(&str, &str)]) -> Result<bool, Failure> {
    let status = command(words).envs(environment.iter().copied()).status();
    status.map(|status| status.success()).map_err(|e| match e.kind() {
        ErrorKind::NotFound => Failure::Missing(format!("there is no program `{}`", words[0])),
        _ => Failure::Missing(format!("cannot run `{}`: {e}", shown(words))),
    })
}

/// Whether a command is there and works; its output is not shown.
pub(crate) fn works(words: &[&str]) -> bool {
    let silent = command(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

/// All files below a folder whose names end in `ending`, sorted; none where it does not exist.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::Missing(format!("cannot read `{}`: {e}", path.display())))
}

/// A path as it is named within the workspace, with `/` on every platform.
pub(crate) fn name(path: &Path, root: &Path) -> String {
    let inner = path.strip_prefix(root).unwrap_or(path);
    inner.to_string_lossy().replace('\\', "/")
}
