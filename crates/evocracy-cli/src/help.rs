//! What `--help` shows beside the options: two examples of every verb.

use crate::args::Args;
use clap::{Command, CommandFactory, FromArgMatches};

/// Examples of every verb; a test runs them all.
const EXAMPLES: [(&str, [&str; 2]); 18] = [
    ("demo", ["evocracy demo", "evocracy demo --plot trade-off.svg"]),
    (
        "fit",
        [
            "evocracy fit iris --method forest --out iris.evo",
            "evocracy fit pima --method logistic --cost-fn 5 --out pima.evo",
        ],
    ),
    (
        "front",
        [
            "evocracy front pima --method evo-tree --out pima.front",
            "evocracy front iris --positive virginica --method evo-logistic --plot iris.svg",
        ],
    ),
    (
        "pick",
        [
            "evocracy pick pima.front --max-fpr 0.1 --out cautious.evo",
            "evocracy pick pima.front --cost-fn 5 --cost-fp 1 --out cheap.evo",
        ],
    ),
    (
        "soften",
        [
            "evocracy soften ripley-synth --classifier linear --samples 380 --out soft.evo",
            "evocracy soften ripley-synth --classifier linear --samples 76 --plot contours.svg",
        ],
    ),
    (
        "select",
        [
            "evocracy select gen:genes:rows=40:genes=60 --splits 10",
            "evocracy select pima --by auc --splits 10 --out columns.csv",
        ],
    ),
    (
        "predict",
        [
            "evocracy predict iris.evo new.csv --keep id --out called.csv",
            "evocracy predict pima.evo pima:test --threshold 0.3",
        ],
    ),
    (
        "evaluate",
        [
            "evocracy evaluate pima.evo pima:test --plot roc.svg",
            "evocracy evaluate pima.evo other.evo pima:test",
        ],
    ),
    (
        "compare",
        [
            "evocracy compare iris --methods tree,forest,knn --repeats 1",
            "evocracy compare iris,pima --methods tree,naive-bayes --repeats 1 --plot ranks.svg",
        ],
    ),
    (
        "explain",
        [
            "evocracy explain iris.evo iris --row 120",
            "evocracy explain pima.evo pima:test --rows 0-99 --out parts.csv",
        ],
    ),
    ("show", ["evocracy show pima.evo --data pima", "evocracy show pima.front --plot front.svg"]),
    ("rules", ["evocracy rules rules.evo --top 5", "evocracy rules rules.evo --format csv"]),
    (
        "roc",
        [
            "evocracy roc scores.csv --truth ill --score marker",
            "evocracy roc scores.csv --truth ill --score marker,other --max-fpr 0.1 --plot roc.svg",
        ],
    ),
    (
        "combine",
        [
            "evocracy combine labels.csv --truth class",
            "evocracy combine labels.csv --truth class --method naive --out combined.evo",
        ],
    ),
    ("reproduce", ["evocracy reproduce", "evocracy reproduce rvm --quick"]),
    ("data", ["evocracy data show pima", "evocracy data add my-scores scores.csv"]),
    ("methods", ["evocracy methods", "evocracy methods forest"]),
    (
        "completions",
        [
            "evocracy completions bash > completions.bash",
            "evocracy completions fish > evocracy.fish",
        ],
    ),
];

/// The command with the examples of all verbs.
pub fn command() -> Command {
    let mut command = Args::command();
    for (verb, examples) in EXAMPLES {
        let long = format!("Examples:\n  {}", examples.join("\n  "));
        let short =
            format!("{long}\n\nOptions of every command, such as --seed and --json: --help");
        let with = |verb: Command| verb.after_help(short).after_long_help(long);
        command = command.mut_subcommand(verb, with);
    }
    command
}

/// The words of the command line.
pub fn parse() -> Result<Args, clap::Error> {
    let mut matches = command().try_get_matches()?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}
