//! The table of all benches that have peers.

use Peer::{Limit, Python, R, Rust};

/// A bench and its cases.
pub struct Bench {
    pub name: &'static str,
    pub quality_is: Option<&'static str>,
    /// A row each: a case may meet several peers. A case with a dot names a file of the folders of
    /// `EVOCRACY_DATA`.
    pub cases: &'static [(&'static str, Peer)],
    /// A turn of a peer is stopped after so many CPU seconds.
    pub limit: f64,
}

/// Whom we are measured against.
#[derive(Debug, Clone, Copy)]
pub enum Peer {
    /// A script in peers/: `bench_NAME_PEER.py`, or `bench_NAME.py` where there is only one.
    Python(&'static str),
    /// A crate this program is linked with, or this one in another way.
    Rust(&'static str),
    /// A script in peers/ as those in Python, `.R`, with this package.
    R(&'static str),
    /// No program, but so many seconds that we may take.
    Limit(f64),
}

impl Peer {
    pub fn name(self) -> &'static str {
        match self {
            Python(name) | Rust(name) | R(name) => name,
            Limit(_) => "limit",
        }
    }
}

const fn bench(
    name: &'static str,
    quality_is: Option<&'static str>,
    cases: &'static [(&'static str, Peer)],
) -> Bench {
    Bench { name, quality_is, cases, limit: 600.0 }
}

const ACCURACY: Option<&str> = Some("accuracy on test rows");

/// All benches that have peers, in the order of the table in docs/.
pub const BENCHES: &[Bench] = &[
    bench(
        "tree",
        ACCURACY,
        &[("20000x20", Python("scikit-learn")), ("mfeat/mfeat-pix.csv.gz", Python("scikit-learn"))],
    ),
    bench("logistic", ACCURACY, &[("20000x20", Python("scikit-learn"))]),
    bench(
        "knn",
        ACCURACY,
        &[("20000x20", Python("scikit-learn")), ("20000x5", Python("scikit-learn"))],
    ),
    bench(
        "forest",
        ACCURACY,
        &[
            ("20000x20", Python("scikit-learn")),
            ("20000x20", Rust("biosphere")),
            ("50000x10", Python("scikit-learn")),
            ("50000x10", Rust("biosphere")),
            ("20000x20-predict", Python("scikit-learn")),
        ],
    ),
    bench(
        "threads",
        None,
        &[("20000x20-wall", Rust("one thread")), ("20000x20-cpu", Rust("one thread"))],
    ),
    bench("extra-trees", ACCURACY, &[("20000x20", Python("scikit-learn"))]),
    bench("bagging", ACCURACY, &[("20000x20", Python("scikit-learn"))]),
    bench(
        "adaboost",
        ACCURACY,
        &[("20000x20", Python("scikit-learn")), ("20000x20", Rust("linfa"))],
    ),
    bench("mlp", ACCURACY, &[("digits", Python("scikit-learn"))]),
    bench("lvq", ACCURACY, &[("20000x20", Python("numpy"))]),
    Bench {
        // sklearn-rvm takes many minutes for 2000 rows.
        limit: 60.0,
        ..bench(
            "rvm",
            Some("log evidence"),
            &[
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
                ("moons2000", Python("sklearn-rvm")),
                ("sinc500", Python("fastrvm")),
                ("sinc500", Python("fastrvm-intercept")),
                ("sinc500", Python("sklearn-rvm")),
                ("sinc2000", Python("fastrvm")),
                ("sinc2000", Python("fastrvm-intercept")),
            ],
        )
    },
    bench(
        "lcs",
        ACCURACY,
        &[
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
    ),
    bench(
        "rules",
        ACCURACY,
        &[
            ("car", Python("imodels")),
            ("car", Limit(2.0)),
            ("mushroom", Python("wittgenstein")),
            ("mushroom", Python("imodels")),
            ("mushroom", Limit(2.0)),
            ("kr-vs-kp", Python("wittgenstein")),
            ("kr-vs-kp", Python("imodels")),
            ("kr-vs-kp", Limit(2.0)),
            ("adult-like", Python("wittgenstein")),
            ("adult-like", Python("imodels")),
            ("adult-like", Limit(60.0)),
        ],
    ),
    bench(
        "front",
        Some("points kept"),
        &[
            ("banana", Python("numpy")),
            ("german", Python("numpy")),
            ("rows500", Python("numpy")),
            ("rows2000", Python("numpy")),
            ("banana-search", Limit(1.0)),
            ("german-fit", Limit(10.0)),
            ("banana-cpu", Rust("one thread")),
        ],
    ),
    bench(
        "network",
        Some("BDeu of the structure, mean over relabellings"),
        &[
            ("alarm-k2", Python("pyagrum")),
            ("alarm-hc", Python("pyagrum")),
            ("alarm-hc", Python("pgmpy")),
            ("alarm-evobn", Limit(2.0)),
            ("combiner", Limit(0.2)),
            ("combiner-posterior", Python("pyagrum")),
            ("combiner-posterior", Limit(5e-6)),
        ],
    ),
    bench(
        "abc",
        Some("share of proposals accepted"),
        &[
            ("2-7-1", Python("numpy")),
            ("2-7-1", Python("pyabc")),
            ("21-10-1", Python("numpy")),
            ("external-wall", Limit(1.0)),
            ("pruned-predict", Rust("full chain")),
        ],
    ),
    bench(
        "genes",
        Some("largest area (screen), mean test area (others)"),
        &[
            ("screen", Python("scipy")),
            ("leukemia-ard", Limit(3.0)),
            ("leukemia-rvm", Limit(3.0)),
            // 600,000 gene sets, 300,000 a second.
            ("leukemia-moea", Limit(2.0)),
            // Five minutes on two cores.
            ("700x16571", Limit(600.0)),
            ("700x16571-wall", Limit(300.0)),
        ],
    ),
    bench(
        "sizes",
        Some("accuracy on test rows; of a slope, log seconds against log rows"),
        &[
            ("tree-1000000x10", Limit(10.0)),
            ("rvm-100000x10", Limit(8.0)),
            ("knn-128000x2-tied", Limit(5.0)),
            ("knn-128000x10-slope", Limit(60.0)),
            ("ucs-5000x1000", Limit(39.0)),
            ("forest-100000x10", Limit(60.0)),
            // Only measured: what they may take is not reached yet.
            ("moe-ga-100000x10", Limit(15.0)),
            ("moe-ga-5000x1000", Limit(20.0)),
            // Five columns matter; a tree beside it for its accuracy.
            ("rvm-4000x300", Limit(60.0)),
            ("tree-4000x300", Limit(10.0)),
        ],
    ),
    bench("front-file", None, &[("5000x7129", Limit(1.0))]),
    bench(
        "csv",
        None,
        &[("200MB", Python("polars")), ("leukemia/leukemia.csv.gz", Python("polars"))],
    ),
    bench(
        "auc",
        Some("AUC of the first score"),
        &[
            ("auc-roc-1e6", Python("scikit-learn")),
            ("delong-1e6", Python("MLstatkit")),
            ("delong-1e6", R("pROC")),
            ("bootstrap-1000", R("pROC")),
        ],
    ),
    bench(
        "onemax",
        Some("ones of the best string"),
        &[("1000x300", Rust("genoxide")), ("1000x300", Python("DEAP"))],
    ),
    bench(
        "nsga2",
        Some("hypervolume of 10 seeds: zdt1 the least, dtlz2 the mean"),
        &[
            ("zdt1", Rust("genoxide")),
            ("zdt1", Rust("moors")),
            ("zdt1", Python("pygmo")),
            ("zdt1", Python("pymoo")),
            ("dtlz2", Rust("genoxide")),
            ("dtlz2", Rust("moors")),
            ("dtlz2", Python("pygmo")),
            ("dtlz2", Python("pymoo")),
        ],
    ),
    bench(
        "archive",
        Some("points kept of 100,000"),
        &[("sphere", Rust("pareto_front")), ("noisy-sphere", Rust("pareto_front"))],
    ),
];
