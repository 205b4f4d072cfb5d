//! Finished parts survive a kill: the same command goes on and gives the bytes of a whole run.

mod common;

use common::Desk;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn parts(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).map(|entries| {
        let whole = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.path().extension().is_some_and(|e| e == "part"))
        };
        entries.filter(|entry| entry.as_ref().is_ok()).map(whole).filter(|whole| *whole).count()
    });
    entries.unwrap_or(0)
}

/// Kills the command once some parts are there, then runs it to its end.
fn killed_and_resumed(line: &str, least: usize) {
    let desk = Desk::new();
    let words: Vec<&str> = line.split(' ').collect();
    let mut with = words.clone();
    with.extend(["--resume", "parts", "--out", "killed.evo", "--threads", "1", "--json"]);
    let mut child =
        desk.command(&with).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let start = Instant::now();
    while parts(&desk.path("parts")) < least && start.elapsed() < Duration::from_mins(2) {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL: nothing is cleaned up.
    let _ = child.kill();
    child.wait().expect("it ends");
    let before = parts(&desk.path("parts")) as u64;
    assert!(before >= least as u64, "{line}: {before} parts");
    let resumed = desk.json(&with.join(" "));
    assert!(resumed["resumed_parts"].as_u64().expect("a number") >= 1, "{line}");
    let mut whole = words.clone();
    whole.extend(["--out", "whole.evo", "--threads", "2", "--json"]);
    let whole = desk.json(&whole.join(" "));
    assert_eq!(resumed["test"], whole["test"], "{line}");
    let bytes = |name: &str| std::fs::read(desk.path(name)).expect(name);
    assert_eq!(bytes("killed.evo"), bytes("whole.evo"), "{line}");
    // A third run finds its model finished, and other settings find nothing.
    let third = desk.json(&with.join(" "));
    assert!(third["resumed_parts"].as_u64().expect("a number") >= 1);
    let mut other = with.clone();
    other.extend(["--seed", "2"]);
    assert_eq!(desk.json(&other.join(" "))["resumed_parts"], 0, "{line}");
}

#[test]
fn members_of_a_committee_are_kept() {
    killed_and_resumed("fit car -m bag:mlp -p members=8 -p 1.epochs=20", 2);
}

#[test]
fn splits_and_permutations_of_a_selection_are_kept() {
    let set = "gen:genes:rows=40:genes=80:informative=4:masked=4:shift=2.5";
    killed_and_resumed(&format!("select {set} --splits 30 --permutations 20 --by moea"), 5);
}

#[test]
fn folds_of_judging_are_kept() {
    killed_and_resumed("fit wdbc -m mlp -p epochs=30 --folds 6", 2);
}

#[test]
fn searches_of_a_mixture_are_kept() {
    killed_and_resumed("fit car -m moe-ga -p searches=3 -p epochs=40", 2);
}

#[test]
fn searches_of_a_front_are_kept() {
    killed_and_resumed("fit pima -m evo-rvm -p evaluations=400", 2);
    killed_and_resumed("front pima -p evaluations=400", 2);
    killed_and_resumed("front pima --method evo-logistic -p evaluations=1000", 2);
    killed_and_resumed("front iris -p evaluations=200 -p folds=3", 2);
    killed_and_resumed("fit pima -m evo-tree -p evaluations=48 -p folds=3", 2);
    killed_and_resumed("fit pima -m evo-rules -p evaluations=16 -p folds=3", 1);
}

#[test]
fn a_folder_that_cannot_be_used_is_an_error() {
    let desk = Desk::new();
    desk.write("file", "no folder");
    let ran = desk.line("fit iris -m tree --resume file/parts");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("cannot create"), "{}", ran.err);
}

/// One folder may serve many fits: parts of one are never taken for those of another.
#[test]
fn parts_of_different_fits_do_not_meet_in_one_folder() {
    let desk = Desk::new();
    let mut rows = "g,x,y,class\n".to_owned();
    for i in 0..80 {
        let class = if i < 40 { "a" } else { "b" };
        rows += &format!("{},{},{},{class}\n", i / 2, (i * 7) % 13 + i / 40, (i * 5) % 11);
    }
    desk.write("t.csv", rows);
    for lines in [
        // A search on half of the rows, then on all: the same seed, other rows and other bins.
        &["fit iris -m moe-ga -p epochs=5 --holdout 0.5 --refit"][..],
        &[
            "fit iris -m moe-ga -p epochs=5 --holdout 0.5",
            "fit iris -m moe-ga -p epochs=5 --holdout 0.2",
        ],
        &[
            "fit t.csv -m bag:knn -p members=5 --ignore g --folds 4",
            "fit t.csv -m bag:knn -p members=5 --groups g --folds 4",
        ],
        &[
            "fit t.csv -m stack:naive-bayes+knn --ignore g --folds 3",
            "fit t.csv -m stack:naive-bayes+knn --groups g --folds 3",
        ],
        &["fit pima -m tree", "fit pima -m tree --positive No"],
        &["fit iris -m vote:tree+tree -p worth=accuracy -p 1.depth=1 -p 2.depth=5"],
    ] {
        for line in lines {
            let alone = desk.json(&format!("{line} --out alone.evo --json"));
            let shared = desk.json(&format!("{line} --out shared.evo --resume parts --json"));
            for what in ["test", "train", "positive"] {
                assert_eq!(alone[what], shared[what], "{line}");
            }
            let bytes = |name: &str| std::fs::read(desk.path(name)).expect(name);
            assert_eq!(bytes("alone.evo"), bytes("shared.evo"), "{line}");
        }
    }
}

#[test]
fn chains_populations_and_draws_are_kept() {
    let chains = "soften ripley-synth -p lambda=4 -p width=4 --samples 76 --chains 2 -p steps=200";
    killed_and_resumed(chains, 3);
    // The cross-validation of the weight and of the width is kept as well.
    killed_and_resumed("soften ripley-synth --samples 380 -p steps=100", 3);
    let population = "soften ripley-synth --sampler smc -p epsilon=0.35 --samples 300";
    killed_and_resumed(population, 2);
    let draws = "soften ripley-synth --sampler rejection -p epsilon=0.4 --samples 40";
    killed_and_resumed(draws, 2);
}
