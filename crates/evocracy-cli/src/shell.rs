//! The surroundings of a command: seed, threads, Ctrl-C, progress, where words go.

use crate::args::Common;
use crate::failure::Told;
use crate::{machine, words};
use anyhow::{Context, Result};
use evocracy::data::Dataset;
use evocracy::data::catalogue::{Catalogue, Load, Origin};
use evocracy::data::read::{self, Source, Waiting};
use evocracy::error::Error;
use evocracy::judge::Remark;
use evocracy::run::{Pool, Run, Snapshot, Stop, Watch, abandon_files};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

/// How a verb ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As asked.
    Done,
    /// By Ctrl-C; the best so far was kept.
    Interrupted,
}

/// Raised by Ctrl-C.
static STOP: Stop = Stop::new();
/// Raised a moment after Ctrl-C: what was learnt until then may be judged meanwhile.
static LATE: Stop = Stop::new();
/// What is said at once.
const STOPPING: &str = "stopping, keeping the best so far; another Ctrl-C ends at once";
/// That moment.
const GRACE: Duration = Duration::from_secs(1);

/// What a verb works with.
pub struct Shell {
    pub seed: u64,
    pub json: bool,
    pub catalogue: Catalogue,
    quiet: bool,
    pool: Pool,
    /// The most bytes that work may ask for at a time.
    memory: u64,
}

impl Shell {
    pub fn new(common: &Common) -> Result<Self> {
        // The first Ctrl-C asks for the best so far, the second one ends at once. On a terminal the
        // progress says so.
        let says = !common.quiet && !std::io::stderr().is_terminal();
        ctrlc::set_handler(move || {
            if STOP.requested() {
                // Nothing returns any more: what is half written would stay.
                let _none_is_begun = abandon_files();
                std::process::exit(130);
            }
            STOP.request();
            if says {
                let _ = writeln!(std::io::stderr(), "{STOPPING}");
            }
            std::thread::spawn(|| {
                sleep(GRACE);
                LATE.request();
            });
        })?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let memory = common.max_memory.unwrap_or_else(machine::usual_limit);
        Ok(Self {
            seed: common.seed,
            json: common.json,
            catalogue: Catalogue::with_folders(folders()).with_memory(memory),
            quiet: common.quiet,
            pool: Pool::new(common.threads.unwrap_or_else(cores))?,
            memory,
        })
    }

    /// Raised a moment after Ctrl-C: for judging what an interrupted training has learnt.
    pub fn late() -> &'static Stop {
        &LATE
    }

    /// Standard input, which can be waited for and interrupted.
    pub fn standard_input() -> Source {
        Source::once("standard input", Waiting::new(|| Ok(std::io::stdin().lock()), &STOP))
    }

    /// All of standard input, to be read more than once.
    pub fn whole_standard_input(&self) -> Result<Source> {
        Ok(Self::standard_input().in_memory(self.memory)?)
    }

    /// Opens a data set by name, a file, or standard input, which is `-`.
    pub fn open(&self, name: &str, load: &Load, stop: &Stop) -> Result<Dataset> {
        if name == "-" {
            return Ok(self.catalogue.open_source(stop, &self.whole_standard_input()?, load)?);
        }
        Ok(self.catalogue.open_until(stop, name, load)?)
    }

    /// The most bytes of what is given beside the data through a pipe, or as a list.
    pub const MOST_BESIDE: u64 = 256 << 20;

    /// What is given beside the data, to be read more than once: a file, or a pipe to its end.
    pub fn beside(path: &Path) -> Result<Source> {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let source = read::at_until(path, &STOP)?;
        let source = source.ok_or_else(|| Error::io("read", path, missing()))?;
        if path.is_file() {
            return Ok(source);
        }
        // A device may have no end.
        let text = source.text(Self::MOST_BESIDE)?;
        Ok(Source::memory(source.name().to_owned(), text.into_bytes()))
    }

    /// Raised by Ctrl-C, for work outside of [`Shell::work`].
    pub fn stop() -> &'static Stop {
        &STOP
    }

    /// Whether Ctrl-C was pressed.
    pub fn stopped() -> bool {
        STOP.requested()
    }

    /// Runs `work` with progress on the terminal once it takes longer than a moment. Returns
    /// its result and its seconds.
    pub fn work<T>(&self, what: &str, work: impl FnOnce(&Run<'_>) -> T) -> (T, f64) {
        let watch = Watch::new(what);
        let bare = Run::new(self.seed, &STOP, &self.pool);
        let run = Run { watch: watch.clone(), memory: self.memory, ..bare };
        let start = Instant::now();
        if self.quiet || !std::io::stderr().is_terminal() {
            return (work(&run), start.elapsed().as_secs_f64());
        }
        let done = AtomicBool::new(false);
        let result = scope(|threads| {
            threads.spawn(|| draw(&watch, &done));
            let _finish = Finish(&done);
            work(&run)
        });
        (result, start.elapsed().as_secs_f64())
    }

    /// A remark for the person, on standard error.
    pub fn remark(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{}", words::printable(text));
        }
    }

    /// What was noticed.
    pub fn remarks(&self, remarks: &[Remark]) {
        for remark in remarks {
            self.remark(&words::remark(remark));
        }
    }

    /// Says where a name leads to that stands for several data sets.
    pub fn tell_of_shadows(&self, name: &str) -> Result<()> {
        let place = |origin: &Origin| match origin {
            Origin::File(path) => format!("the file {}", path.display()),
            Origin::Folder(path) => path.display().to_string(),
            Origin::Embedded => "the built-in data set".to_owned(),
        };
        let places: Vec<String> = self.catalogue.origins(name)?.iter().map(place).collect();
        if let [first, others @ ..] = &places[..]
            && !others.is_empty()
        {
            self.remark(&format!(
                "note: `{name}` is {first}, not {}, which the name also stands for",
                others.join(" or ")
            ));
        }
        Ok(())
    }

    /// The result: words for a person, or the JSON document.
    pub fn show(&self, words: &str, json: &impl Serialize) -> Result<()> {
        let text = if self.json {
            serde_json::to_string_pretty(json)?
        } else {
            words::printable(words.trim_end()).into_owned()
        };
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "{text}").and_then(|()| out.flush());
        written.context("cannot write to standard output")
    }
}

impl Shell {
    /// Work after the result was shown. An error in it is no second document.
    pub fn afterwards<T>(&self, done: Result<T>) -> Result<T> {
        done.map_err(|error| if self.json { error.context(Told) } else { error })
    }

    /// A line behind the words of a result, when what it tells of is done.
    pub fn tell(&self, line: &str) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        let written = writeln!(out, "{}", words::printable(line)).and_then(|()| out.flush());
        written.context("cannot write to standard output")
    }
}

/// Ends the drawing thread when the work is over, even when it panics.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Draws progress until the work is done.
fn draw(watch: &Watch, done: &AtomicBool) {
    const MOMENT: Duration = Duration::from_millis(50);
    const PATIENCE: u32 = 8;
    let mut bar: Option<ProgressBar> = None;
    let mut moments = 0;
    while !done.load(Ordering::Relaxed) {
        sleep(MOMENT);
        moments += 1;
        if moments >= PATIENCE {
            let bar = bar.get_or_insert_with(ProgressBar::new_spinner);
            describe(bar, &watch.snapshot());
            bar.tick();
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Shows the deepest task under way.
fn describe(bar: &ProgressBar, root: &Snapshot) {
    let mut names = vec![root.name.as_str()];
    let mut task = root;
    while let Some(child) = task.children.first() {
        task = child;
        names.push(&task.name);
    }
    let mut figures = String::new();
    for (name, value) in &task.figures {
        figures += &format!("  {name} {value:.4}");
    }
    let stopping = if STOP.requested() { "  stopping, keeping the best so far" } else { "" };
    bar.set_message(format!("{}{figures}{stopping}", names.join(" > ")));
    let style = if task.total > 0 {
        bar.set_length(task.total);
        bar.set_position(task.done);
        "{msg}  [{bar:30}] {percent}%  {elapsed} (left {eta})"
    } else if task.done > 0 && task.name == "rows" {
        bar.set_position(task.done);
        "{spinner} {msg}  {human_pos} rows  {elapsed}"
    } else {
        "{spinner} {msg}  {elapsed}"
    };
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("=> "));
    }
}

/// The folders data sets are looked up in: those of `EVOCRACY_DATA`, then the user's.
fn folders() -> Vec<PathBuf> {
    let listed = std::env::var_os("EVOCRACY_DATA").unwrap_or_default();
    let mut folders: Vec<PathBuf> =
        std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
    folders.extend(user_folder());
    folders
}

/// Where `evocracy data add` keeps data sets.
pub fn user_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = variable("XDG_DATA_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".local").join("share")));
    base.map(|base| base.join("evocracy").join("data"))
}
