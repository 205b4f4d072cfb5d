//! Labels of classifiers that are there already, combined on the command line.

mod common;

use common::Desk;
use std::fmt::Write;

/// Labels of digits: three experts that are right in most rows, one that copies the first.
fn table(rows: usize, start: usize) -> String {
    let mut text = "id,one,two,three,copy,truth\n".to_owned();
    for row in start..start + rows {
        let truth = row % 3 + 1;
        let says = |step: usize, of: usize| {
            if (row * step).is_multiple_of(of) { (truth % 3) + 1 } else { truth }
        };
        let (one, two, three) = (says(7, 5), says(5, 4), says(11, 7));
        let copy = one;
        writeln!(text, "r{row},{one},{two},{three},{copy},{truth}").expect("text");
    }
    text
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("train.csv", table(240, 0));
    desk.write("test.csv", table(120, 1000));
    desk
}

#[test]
fn labels_are_combined_judged_saved_and_used() {
    let desk = desk();
    let line = "combine train.csv --truth truth --experts one,two,three,copy --test test.csv";
    let words = desk.line(line);
    assert_eq!(words.code, 0, "{}", words.err);
    for said in ["Combined 4 experts", "It was chosen among 7 ways", "says what one says"] {
        assert!(words.out.contains(said), "`{said}` is not in: {}", words.out);
    }
    let found = desk.json(&format!("{line} --out c.evo --json"));
    assert_eq!(found["classes"].as_array().expect("classes").len(), 3);
    assert_eq!(found["experts"][3]["same_as"], "one");
    assert_eq!(found["test"]["rows"], 120);
    assert!(found["test"]["accuracy"].as_f64().expect("a share") > 0.9);
    // The saved combiner is a model like any other; digits stay labels.
    let judged = desk.json("evaluate c.evo test.csv --json");
    assert_eq!(judged["test"]["accuracy"], found["test"]["accuracy"]);
    assert_eq!(desk.line("predict c.evo test.csv --quiet").code, 0);
    assert!(desk.line("explain c.evo test.csv --row 3").out.contains("one"));
}

#[test]
fn every_way_has_its_short_name() {
    let desk = desk();
    for way in [
        "auto",
        "evobn",
        "conditional",
        "k2",
        "hc",
        "tan",
        "naive",
        "loglinear",
        "hidden",
        "ds",
        "vote",
        "weighted",
        "stack",
    ] {
        let line = format!(
            "combine train.csv --truth truth --experts one,two,three -m {way} -p folds=2 --json"
        );
        let found = desk.json(&line);
        let full = if way == "evobn" { way.to_owned() } else { format!("labels-{way}") };
        assert_eq!(found["method"], full.as_str());
    }
}

#[test]
fn networks_are_drawn_and_written() {
    let desk = desk();
    let line = "combine train.csv --truth truth --experts one,two,three,copy -p folds=0";
    let found = desk.json(&format!("{line} -m evobn --graph g.svg --bif n.bif --json"));
    let arcs = found["arcs"].as_array().expect("arcs");
    assert!(arcs.iter().any(|arc| arc[0] == "one" || arc[1] == "one"), "{arcs:?}");
    assert!(desk.read("g.svg").starts_with("<svg"));
    assert!(desk.read("n.bif").contains("truth"));
    desk.line(&format!("{line} -m vote --graph v.svg")).fails(1, &["no graph", "evobn"]);
    desk.line(&format!("{line} -m loglinear --bif v.bif")).fails(1, &["no Bayesian network"]);
    // What `auto` chose may have none, which loses nothing else.
    let auto = desk.line(&format!("{line} --bif a.bif --out a.evo"));
    assert_eq!(auto.code, 0, "{}", auto.err);
    assert!(desk.path("a.evo").exists());
}

#[test]
fn what_cannot_be_combined_is_said() {
    let desk = desk();
    let refused = |line: &str, code: i32, said: &[&str]| desk.line(line).fails(code, said);
    refused("combine train.csv --truth truht", 2, &["no column `truht`", "truth"]);
    refused("combine train.csv --truth truth --experts one,tow", 2, &["no column `tow`", "two"]);
    refused(
        "combine train.csv --truth truth --experts one,truth",
        1,
        &["both the truth and an expert"],
    );
    refused("combine train.csv --truth truth -m hiden", 2, &["hiden", "hidden"]);
    refused("combine train.csv --truth truth --out train.csv", 1, &["both"]);
}

#[test]
fn members_see_their_columns_and_are_combined() {
    let desk = Desk::new();
    let line =
        "fit iris --method labels-naive:tree+knn -p 1.columns=sepal* -p 2.columns=petal* --json";
    let found = desk.json(line);
    assert!(found["test"]["accuracy"].as_f64().expect("a share") > 0.85);
    let experts = found["model"]["diagnostics"]["labels"]["experts"].as_array().expect("experts");
    assert_eq!(experts.len(), 2);
    desk.line("fit iris --method tree -p columns=petla*").fails(2, &["petla*"]);
}
