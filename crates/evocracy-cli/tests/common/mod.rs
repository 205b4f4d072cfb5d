//! Running the real binary in a folder of its own.
#![allow(dead_code, reason = "each test file uses some of it")]

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with the command in it: no data folders, no home.
pub struct Desk {
    folder: TempDir,
}

/// What a command gave back.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("the folder takes files");
    }

    /// Puts the files of tests/data into the folder.
    pub fn lay_out(&self) {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        for entry in std::fs::read_dir(data).expect("the folder tests/data") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            self.write(&name, std::fs::read(&path).expect("a file"));
        }
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    /// The names of all files, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("evocracy"));
        command.args(args).current_dir(self.folder.path()).env_remove("EVOCRACY_DATA");
        command.env("XDG_DATA_HOME", self.path("home"));
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.command(args).output().expect("the command starts"))
    }

    /// Runs a line of words parted by single spaces.
    pub fn line(&self, line: &str) -> Ran {
        self.run(&line.split(' ').collect::<Vec<_>>())
    }

    /// Runs a line that must succeed and returns its JSON document.
    pub fn json(&self, line: &str) -> Value {
        let ran = self.line(line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{line}: {e}: {}", ran.out))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Ran {
    /// The command failed with this exit code and said all of these.
    pub fn fails(&self, code: i32, said: &[&str]) {
        assert_eq!(self.code, code, "{}", self.err);
        for text in said {
            assert!(self.err.contains(text), "`{text}` is not in: {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}
