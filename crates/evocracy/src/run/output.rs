//! Files that appear whole or not at all.
//!
//! What is written goes to a private file in the same folder, which takes the name in one step
//! when it is complete. Invariants: at any moment the name stands for the old file or for the new
//! one, however many write to it and whenever the machine dies; a file that is given up leaves
//! nothing behind; a symbolic link stays a link, and its target is what is replaced; the mode of
//! a file that exists is kept, for it may hold rows that not everybody may read.

use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file on its way to its name; dropped before [`OutputFile::commit`], it is removed.
#[derive(Debug)]
pub struct OutputFile {
    /// The name that the person gave, for errors.
    named: PathBuf,
    /// Where that leads.
    target: PathBuf,
    file: File,
    /// The private file; none where a pipe or a device is written to as it is.
    private: Option<PathBuf>,
}

impl OutputFile {
    /// Begins a file that is to be `path`. What is no ordinary file, such as a pipe or a device, is
    /// written to and stays what it is.
    pub fn create(path: &Path) -> Result<Self> {
        let failed = |e| Error::io("write", path, e);
        let old = std::fs::metadata(path).ok();
        // A link such as that of `/dev/stdout` to a pipe has no name behind it.
        let special = old.as_ref().is_some_and(|place| !place.is_file());
        let target = if special { path.to_owned() } else { followed(path).map_err(failed)? };
        let (file, private) = if special {
            (OpenOptions::new().write(true).open(path).map_err(failed)?, None)
        } else {
            let (file, private) = private(&target, old.as_ref()).map_err(failed)?;
            (file, Some(private))
        };
        Ok(Self { named: path.to_owned(), target, file, private })
    }

    /// Forces what was written to the disk and gives it its name.
    pub fn commit(self) -> Result<()> {
        let target = self.target.clone();
        self.rename(&target)
    }

    /// Keeps what was written so far under [`OutputFile::partial_name`], which it returns.
    pub fn keep_partial(self) -> Result<PathBuf> {
        let name = with_partial(&self.target);
        self.rename(&name)?;
        Ok(name)
    }

    /// The name that an incomplete file gets: that of the file `path` leads to with `.partial` behind
    /// it. A symbolic link does not decide in which folder it is.
    pub fn partial_name(path: &Path) -> PathBuf {
        with_partial(&followed(path).unwrap_or_else(|_| path.to_owned()))
    }

    fn rename(mut self, to: &Path) -> Result<()> {
        let Some(private) = &self.private else { return Ok(()) };
        let done = self.file.sync_all().and_then(|()| std::fs::rename(private, to));
        done.map_err(|e| Error::io("write", &self.named, e))?;
        begun().remove(private);
        self.private = None;
        Ok(())
    }
}

/// The private files of this process.
static BEGUN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn begun() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that are on their way to their names, for a shell that is about to end the
/// process without a return. While the guard lives no other is begun.
pub fn abandon_files() -> impl Sized {
    let mut begun = begun();
    for private in std::mem::take(&mut *begun) {
        // There is nobody left to tell.
        let _ = std::fs::remove_file(private);
    }
    begun
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(private) = &self.private {
            // There is nobody left to tell.
            let _ = std::fs::remove_file(private);
            begun().remove(private);
        }
    }
}

/// Writes a whole file: `path` holds these parts, one behind the other, or what it held before.
pub fn write_file(path: &Path, parts: &[&[u8]]) -> Result<()> {
    let mut file = OutputFile::create(path)?;
    let written = parts.iter().try_for_each(|part| file.write_all(part));
    written.map_err(|e| Error::io("write", path, e))?;
    file.commit()
}

fn with_partial(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// Where a path leads when its symbolic links are followed; the last need not exist.
fn followed(path: &Path) -> std::io::Result<PathBuf> {
    // As many links in a row as Linux follows.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = std::fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(std::io::Error::other("too many symbolic links"))
}

/// A new file beside `target` that nobody else writes to: neither another process nor another
/// thread of this one.
fn private(target: &Path, old: Option<&Metadata>) -> std::io::Result<(File, PathBuf)> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{}-{number}.partial", std::process::id()));
        let name = PathBuf::from(name);
        // Both under one lock: there is no file that is not in the list.
        let mut begun = begun();
        match create(&name, old) {
            // Left by a process that was killed, or of another machine that shares the folder.
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
            Ok(file) => {
                begun.insert(name.clone());
                return Ok((file, name));
            }
        }
    }
}

/// Creates a file that was not there, with the mode of the one that it is to replace.
fn create(path: &Path, old: Option<&Metadata>) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        // Never open to more readers than the old file, not even for a moment.
        options.mode(old.permissions().mode() & 0o777);
    }
    let file = options.open(path)?;
    if let Some(old) = old {
        // The mask of the process may have taken some of it away.
        file.set_permissions(old.permissions())?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("text")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_when_it_is_complete_and_not_before() -> Result<()> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let mut first = OutputFile::create(&path)?;
        let mut second = OutputFile::create(&path)?;
        first.write_all(b"first").expect("written");
        second.write_all(b"second").expect("written");
        assert!(!path.exists());
        second.commit()?;
        assert_eq!(std::fs::read(&path).expect("read"), b"second");
        first.commit()?;
        assert_eq!(std::fs::read(&path).expect("read"), b"first");
        drop(OutputFile::create(&path)?);
        assert_eq!(names(folder.path()), ["a"]);
        let kept = OutputFile::create(&path)?.keep_partial()?;
        assert_eq!(kept, folder.path().join("a.partial"));
        assert_eq!(names(folder.path()), ["a", "a.partial"]);
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_open_already_is_written_to_by_its_number() -> Result<()> {
        use std::io::Read;
        use std::os::fd::AsRawFd;
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let path = PathBuf::from(format!("/proc/self/fd/{}", writer.as_raw_fd()));
        write_file(&path, &[b"through ", b"a number"])?;
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("read");
        assert_eq!(text, "through a number");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_stay() -> Result<()> {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).expect("a folder");
        symlink("deep/second", at("link")).expect("a link");
        symlink("real", at("deep/second")).expect("a link");
        write_file(&at("link"), &[b"through ", b"links"])?;
        assert_eq!(std::fs::read(at("deep/real")).expect("read"), b"through links");
        let kept = OutputFile::create(&at("link"))?.keep_partial()?;
        assert_eq!(
            (&kept, &kept),
            (&at("deep/real.partial"), &OutputFile::partial_name(&at("link")))
        );
        std::fs::remove_file(kept).expect("our own file");
        for mode in [0o600, 0o640, 0o666] {
            let wanted = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(at("deep/real"), wanted).expect("our own file");
            write_file(&at("link"), &[b"again"])?;
            let found = std::fs::metadata(at("deep/real")).expect("there").permissions();
            assert_eq!(found.mode() & 0o777, mode);
        }
        assert!(std::fs::symlink_metadata(at("link")).expect("there").is_symlink());
        symlink("round", at("round")).expect("a link");
        let error = write_file(&at("round"), &[b"x"]).expect_err("no end");
        assert!(matches!(error, Error::Io { action: "write", .. }), "{error:?}");
        assert_eq!(names(folder.path()), ["deep", "link", "round"]);
        Ok(())
    }
}
