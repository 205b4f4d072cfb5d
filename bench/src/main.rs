//! Peers side by side: the same work, one thread, CPU seconds, in one run.
//!
//! `cargo xtask bench [NAME] [--json]`. Each side runs in a process of its own, in turns, a few
//! times; a short case is repeated within the process until it has taken a second. The best of
//! all repeats counts. Data are made once by the Python side, so that both read the same bytes.

mod clock;
mod numbers;
mod ours;
mod peers;
mod report;
mod rivals;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// A bench and its cases.
struct Bench {
    name: &'static str,
    /// A row each: a case may meet several peers.
    cases: &'static [(&'static str, Peer)],
    quality_is: Option<&'static str>,
}

/// Whom we are measured against.
#[derive(Debug, Clone, Copy)]
enum Peer {
    /// A script in peers/: `bench_NAME_PEER.py`, or `bench_NAME.py` where there is only one.
    Python(&'static str),
    /// A crate this program is linked with, or this one in another way.
    Rust(&'static str),
    /// A script in peers/ as those in Python, `.R`, with this package.
    R(&'static str),
}

impl Peer {
    fn name(self) -> &'static str {
        match self {
            Self::Python(name) | Self::Rust(name) | Self::R(name) => name,
        }
    }
}

use Peer::{Python, R, Rust};

/// All benches, in the order of the table in docs/.
const BENCHES: &[Bench] = &[
    Bench {
        name: "tree",
        cases: &[("20000x20", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "logistic",
        cases: &[("20000x20", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "knn",
        cases: &[("20000x20", Python("scikit-learn")), ("20000x5", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "forest",
        cases: &[
            ("20000x20", Python("scikit-learn")),
            ("20000x20", Rust("biosphere")),
            ("50000x10", Python("scikit-learn")),
            ("50000x10", Rust("biosphere")),
            ("20000x20-predict", Python("scikit-learn")),
        ],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "threads",
        cases: &[("20000x20-wall", Rust("one thread")), ("20000x20-cpu", Rust("one thread"))],
        quality_is: None,
    },
    Bench {
        name: "extra-trees",
        cases: &[("20000x20", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "bagging",
        cases: &[("20000x20", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "adaboost",
        cases: &[("20000x20", Python("scikit-learn")), ("20000x20", Rust("linfa"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "mlp",
        cases: &[("digits", Python("scikit-learn"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "lvq",
        cases: &[("20000x20", Python("numpy"))],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "rvm",
        cases: &[
            ("ripley", Python("fastrvm")),
            ("ripley", Python("fastrvm-intercept")),
            ("ripley", Python("dlib")),
            ("ripley", Python("sklearn-rvm")),
            ("moons400", Python("fastrvm")),
            ("moons400", Python("fastrvm-intercept")),
            ("moons400", Python("dlib")),
            ("moons400", Python("sklearn-rvm")),
            ("moons2000", Python("fastrvm")),
            ("moons2000", Python("fastrvm-intercept")),
            ("moons2000", Python("dlib")),
            ("sinc500", Python("fastrvm")),
            ("sinc500", Python("fastrvm-intercept")),
            ("sinc500", Python("sklearn-rvm")),
            ("sinc2000", Python("fastrvm")),
            ("sinc2000", Python("fastrvm-intercept")),
        ],
        quality_is: Some("log evidence"),
    },
    Bench {
        name: "lcs",
        cases: &[
            ("mux11", Python("xcsf")),
            ("mux11", Python("scikit-ExSTraCS")),
            ("mux11", Python("scikit-eLCS")),
            ("mux20", Python("xcsf")),
            ("mux20", Python("scikit-ExSTraCS")),
            ("mux20", Python("scikit-eLCS")),
            ("car", Python("xcsf")),
            ("car", Python("scikit-ExSTraCS")),
            ("car", Python("scikit-eLCS")),
            ("mux20-predict", Python("xcsf")),
        ],
        quality_is: Some("accuracy on test rows"),
    },
    Bench {
        name: "rules",
        cases: &[
            ("car", Python("imodels")),
            ("mushroom", Python("wittgenstein")),
            ("mushroom", Python("imodels")),
            ("kr-vs-kp", Python("wittgenstein")),
            ("kr-vs-kp", Python("imodels")),
            ("adult-like", Python("wittgenstein")),
            ("adult-like", Python("imodels")),
        ],
        quality_is: Some("accuracy on test rows"),
    },
    Bench { name: "csv", cases: &[("200MB", Python("polars"))], quality_is: None },
    Bench {
        name: "auc",
        cases: &[
            ("auc-roc-1e6", Python("scikit-learn")),
            ("delong-1e6", Python("MLstatkit")),
            ("delong-1e6", R("pROC")),
            ("bootstrap-1000", R("pROC")),
        ],
        quality_is: Some("AUC of the first score"),
    },
    Bench {
        name: "onemax",
        cases: &[("1000x300", Rust("genoxide")), ("1000x300", Python("DEAP"))],
        quality_is: Some("ones of the best string"),
    },
    Bench {
        name: "nsga2",
        cases: &[
            ("zdt1", Rust("genoxide")),
            ("zdt1", Rust("moors")),
            ("zdt1", Python("pygmo")),
            ("zdt1", Python("pymoo")),
            ("dtlz2", Rust("genoxide")),
            ("dtlz2", Rust("moors")),
            ("dtlz2", Python("pygmo")),
            ("dtlz2", Python("pymoo")),
        ],
        quality_is: Some("hypervolume of 10 seeds: zdt1 the least, dtlz2 the mean"),
    },
    Bench {
        name: "archive",
        cases: &[("sphere", Rust("pareto_front")), ("noisy-sphere", Rust("pareto_front"))],
        quality_is: Some("points kept of 100,000"),
    },
];

/// How often each side runs, in turns.
const TURNS: usize = 3;

/// After a turn of so many seconds there is no other.
const LONG: u64 = 45;

/// What one side measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Measured {
    /// CPU seconds of the work, once.
    seconds: f64,
    /// How good the result is, higher is better.
    quality: Option<f64>,
    /// The most memory of the process while it worked, in MiB, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    peak_mib: Option<f64>,
    /// The size of the result, in MiB, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_mib: Option<f64>,
    /// How many bases the model has, where that matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vectors: Option<usize>,
}

/// One row of the result.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    case: String,
    ours_s: f64,
    peer: String,
    peer_s: f64,
    ratio: f64,
    ours_quality: Option<f64>,
    peer_quality: Option<f64>,
    quality_is: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ours_peak_mib: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    peer_peak_mib: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_mib: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ours_vectors: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    peer_vectors: Option<usize>,
}

/// The result of one bench.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    bench: String,
    rows: Vec<Row>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, side, name, case, folder] = &words[..]
        && first == "side"
    {
        let measured = match side.as_str() {
            "ours" => ours::run(name, case, Path::new(folder))?,
            peer => rivals::run(peer, name, case, Path::new(folder))?,
        };
        println!("{}", serde_json::to_string(&measured)?);
        return Ok(());
    }
    let json = words.iter().any(|word| word == "--json");
    let names: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match names[..] {
        [] => all(root, json),
        [name] => one(root, name, json),
        _ => bail!("name one bench, or none for all"),
    }
}

/// The page of the results, from here.
const PAGE: &str = "../docs/benchmarks.md";

/// Runs every bench.
fn all(root: &Path, json: bool) -> Result<()> {
    let outcomes: Vec<Outcome> =
        BENCHES.iter().map(|bench| measure(root, bench)).collect::<Result<_>>()?;
    report::write_page(&root.join(PAGE), &outcomes)?;
    if json {
        println!("{}", serde_json::to_string_pretty(&outcomes)?);
    } else {
        println!("{}", report::table(&outcomes));
    }
    Ok(())
}

fn one(root: &Path, name: &str, json: bool) -> Result<()> {
    let known: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
    let bench = BENCHES
        .iter()
        .find(|bench| bench.name == name)
        .with_context(|| format!("there is no bench `{name}`; known: {}", known.join(", ")))?;
    let outcome = measure(root, bench)?;
    report::write_page(&root.join(PAGE), std::slice::from_ref(&outcome))?;
    if json {
        println!("{}", serde_json::to_string_pretty(&outcome)?);
    } else {
        println!("{}", report::table(&[outcome]));
    }
    Ok(())
}

fn measure(root: &Path, bench: &Bench) -> Result<Outcome> {
    let python = peers::python(root)?;
    let folder: PathBuf = root.join("target/data");
    std::fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    for (case, peer) in bench.cases {
        if let R(package) = peer
            && !peers::has_r(package)
        {
            eprintln!("bench {}: case {case} is left out: no R with {package} here", bench.name);
            continue;
        }
        eprintln!("bench {}: case {case} against {}", bench.name, peer.name());
        peers::make_data(&python, root, bench.name, case, &folder)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..TURNS {
            let start = Instant::now();
            ours.push(peers::run_side("ours", bench.name, case, &folder)?);
            theirs.push(match peer {
                Python(peer) => {
                    let script = peers::script(root, bench.name, peer, "py");
                    peers::run_script(&python, &script, case, &folder)?
                }
                R(peer) => {
                    let script = peers::script(root, bench.name, peer, "R");
                    peers::run_script(Path::new("Rscript"), &script, case, &folder)?
                }
                Rust(peer) => peers::run_side(peer, bench.name, case, &folder)?,
            });
            if start.elapsed().as_secs() >= LONG {
                break;
            }
        }
        rows.push(row(bench, case, peer.name(), &best(&ours), &best(&theirs)));
    }
    Ok(Outcome { bench: bench.name.to_owned(), rows })
}

/// The fastest turn.
fn best(turns: &[Measured]) -> Measured {
    let fastest = turns.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    fastest.expect("at least one turn").clone()
}

fn row(bench: &Bench, case: &str, peer: &str, ours: &Measured, theirs: &Measured) -> Row {
    Row {
        case: case.to_owned(),
        ours_s: ours.seconds,
        peer: peer.to_owned(),
        peer_s: theirs.seconds,
        ratio: theirs.seconds / ours.seconds,
        ours_quality: ours.quality,
        peer_quality: theirs.quality,
        quality_is: bench.quality_is.map(str::to_owned),
        ours_peak_mib: ours.peak_mib,
        peer_peak_mib: theirs.peak_mib,
        result_mib: ours.result_mib,
        ours_vectors: ours.vectors,
        peer_vectors: theirs.vectors,
    }
}
