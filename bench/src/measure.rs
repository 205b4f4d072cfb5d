//! Both sides of a bench in turns.

use crate::benches::{Bench, Peer};
use crate::peers::{self, Turn};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How often each side runs, in turns.
const TURNS: usize = 3;

/// After a turn of so many seconds there is no other.
const LONG: u64 = 45;

/// What one side measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Measured {
    /// CPU seconds of the work, once.
    pub seconds: f64,
    /// How good the result is, higher is better.
    pub quality: Option<f64>,
    /// The most memory of the process while it worked, in MiB, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
    /// The size of the result, in MiB, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_mib: Option<f64>,
    /// How many bases the model has, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<usize>,
}

/// One row of the result.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub case: String,
    pub ours_s: f64,
    pub peer: String,
    pub peer_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Instead of the ratio where the peer was stopped: `peer_s` is what it had taken until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_at_least: Option<f64>,
    pub ours_quality: Option<f64>,
    pub peer_quality: Option<f64>,
    pub quality_is: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours_peak_mib: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_peak_mib: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_mib: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours_vectors: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_vectors: Option<usize>,
}

/// The cases of a bench whose names contain a word.
pub fn cases<'a>(
    bench: &'a Bench,
    word: &'a str,
) -> impl Iterator<Item = (&'static str, Peer)> + 'a {
    bench.cases.iter().copied().filter(move |(case, _)| case.contains(word))
}

/// Measures the cases whose names contain a word.
pub fn measure(root: &Path, bench: &Bench, word: &str) -> Result<Vec<Row>> {
    let folder = root.join("target/data");
    std::fs::create_dir_all(&folder)?;
    let place = Place { root, bench, python: peers::python(root)?, folder };
    let mut rows = Vec::new();
    // What we took for the last case: a limit asks for no other turn.
    let mut last: Option<(&str, Measured)> = None;
    for (case, peer) in cases(bench, word) {
        if let Peer::R(package) = peer
            && !peers::has_r(package)
        {
            eprintln!("bench {}: case {case} is left out: no R with {package} here", bench.name);
            continue;
        }
        eprintln!("bench {}: case {case} against {}", bench.name, peer.name());
        let limit = matches!(peer, Peer::Limit(_));
        let known = last.take().filter(|(known, _)| limit && *known == case);
        let (ours, theirs) = match known {
            Some((_, ours)) => (ours, place.theirs(case, peer)?),
            None => place.turns(case, peer)?,
        };
        rows.push(row(bench, case, peer, &ours, &theirs));
        last = Some((case, ours));
    }
    Ok(rows)
}

/// Where a bench is run.
struct Place<'a> {
    root: &'a Path,
    bench: &'a Bench,
    python: PathBuf,
    folder: PathBuf,
}

impl Place<'_> {
    /// The fastest turn of each side.
    fn turns(&self, case: &str, peer: Peer) -> Result<(Measured, Turn<Measured>)> {
        let Self { root, bench, python, folder } = self;
        peers::make_data(python, root, bench.name, case, folder)?;
        let mut best: Option<(Measured, Turn<Measured>)> = None;
        for _ in 0..TURNS {
            let start = Instant::now();
            let ours = peers::run_side("ours", bench.name, case, folder, f64::INFINITY)?.done()?;
            let theirs = self.theirs(case, peer)?;
            let stopped = matches!(theirs, Turn::Stopped(_));
            best = Some(match best {
                None => (ours, theirs),
                Some((a, b)) => (faster(a, ours), faster_turn(b, theirs)),
            });
            if stopped || start.elapsed().as_secs() >= LONG {
                break;
            }
        }
        Ok(best.expect("at least one turn"))
    }

    /// One turn of a peer.
    fn theirs(&self, case: &str, peer: Peer) -> Result<Turn<Measured>> {
        let Self { root, bench, python, folder } = self;
        let script = |program: &Path, peer: &str, ending: &str| {
            let script = peers::script(root, bench.name, peer, ending);
            peers::run_script(program, &script, case, folder, bench.limit)
        };
        match peer {
            Peer::Python(peer) => script(python, peer, "py"),
            Peer::R(peer) => script(Path::new("Rscript"), peer, "R"),
            Peer::Rust(peer) => peers::run_side(peer, bench.name, case, folder, bench.limit),
            Peer::Limit(seconds) => Ok(Turn::Done(Measured { seconds, ..Measured::default() })),
        }
    }
}

fn faster(a: Measured, b: Measured) -> Measured {
    if b.seconds < a.seconds { b } else { a }
}

/// A turn that came to its end is better than one that was stopped.
fn faster_turn(a: Turn<Measured>, b: Turn<Measured>) -> Turn<Measured> {
    match (a, b) {
        (Turn::Done(a), Turn::Done(b)) => Turn::Done(faster(a, b)),
        (a, Turn::Stopped(_)) => a,
        (_, b) => b,
    }
}

fn row(bench: &Bench, case: &str, peer: Peer, ours: &Measured, theirs: &Turn<Measured>) -> Row {
    let (theirs, stopped) = match theirs {
        Turn::Done(theirs) => (theirs.clone(), false),
        Turn::Stopped(seconds) => (Measured { seconds: *seconds, ..Measured::default() }, true),
    };
    let ratio = theirs.seconds / ours.seconds;
    Row {
        case: case.to_owned(),
        ours_s: ours.seconds,
        peer: peer.name().to_owned(),
        peer_s: theirs.seconds,
        ratio: (!stopped).then_some(ratio),
        ratio_at_least: stopped.then_some(ratio),
        ours_quality: ours.quality,
        peer_quality: theirs.quality,
        quality_is: bench.quality_is,
        ours_peak_mib: ours.peak_mib,
        peer_peak_mib: theirs.peak_mib,
        result_mib: ours.result_mib,
        ours_vectors: ours.vectors,
        peer_vectors: theirs.vectors,
    }
}
