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
    for said in ["Combined 4 experts", "It was chosen among 8 ways", "says what one says"] {
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
    // What has none is refused before anything is written.
    let files = desk.files();
    desk.line(&format!("{line} -m vote --graph v.svg --out v.evo"))
        .fails(1, &["no graph", "evobn"]);
    let line_bif = format!("{line} -m loglinear --bif v.bif --out v.evo");
    desk.line(&line_bif).fails(1, &["no Bayesian network"]);
    assert_eq!(desk.files(), files);
    // What `auto` chose may have none, which loses nothing else.
    let auto = desk.line(&format!("{line} --bif a.bif --graph a.svg --out a.evo"));
    assert_eq!(auto.code, 0, "{}", auto.err);
    assert!(desk.path("a.evo").exists());
}

/// Experts that say nothing of the class: a network without arcs is drawn and written all the same.
#[test]
fn a_network_without_arcs_is_a_network() {
    let desk = Desk::new();
    let mut text = "one,two,truth\n".to_owned();
    for row in 0..64 {
        writeln!(text, "{},{},{}", row % 2, row / 2 % 2, row / 4 % 2).expect("text");
    }
    desk.write("none.csv", text);
    let line = "combine none.csv --truth truth -m evobn --graph g.svg --bif n.bif --json";
    let found = desk.json(line);
    assert_eq!(found["arcs"].as_array().map(Vec::len), Some(0));
    assert_eq!(found["arcs_of"], "evobn");
    assert_eq!(found["graph"], "g.svg");
    assert!(desk.read("g.svg").contains("truth"));
    assert!(desk.read("n.bif").contains("variable"));
    // What is not looked at adds nothing.
    for expert in found["experts"].as_array().expect("experts") {
        assert_eq!(expert["relevant"], false);
        assert_eq!(expert["adds"], 0.0);
    }
}

/// Everything is looked at before work begins and before anything is written.
#[test]
fn a_test_table_that_does_not_fit_is_refused_first() {
    let desk = desk();
    desk.write("lack.csv", "one,two,truth\n1,2,1\n");
    desk.write("wrong.csv", "one,two,three,truth\n1,2,1,9\n");
    desk.write("new.csv", "one,two,three,truth\n7,2,1,1\n,2,2,2\n1,x,1,1\n");
    let files = desk.files();
    let line = "combine train.csv --truth truth --experts one,two,three --out c.evo -m naive";
    desk.line(&format!("{line} --test lack.csv")).fails(1, &["three", "missing"]);
    desk.line(&format!("{line} --test wrong.csv")).fails(1, &["`9`", "none of the classes"]);
    // What is remarked on before training is not reached.
    desk.write("odd.csv", desk.read("train.csv") + "r999,1.0,1,1,1,1\n");
    let odd = line.replace("train.csv", "odd.csv");
    assert!(desk.line(&odd.replace(" --out c.evo", "")).err.contains("note: `one`"));
    let nowhere = desk.line(&format!("{odd} --test nowhere.csv"));
    assert!(!nowhere.err.contains("note: `one`"), "{}", nowhere.err);
    nowhere.fails(2, &["nowhere.csv"]);
    std::fs::remove_file(desk.path("odd.csv")).expect("it was written");
    assert_eq!(desk.files(), files);
    // Labels that training did not show, and empty cells, are no obstacle.
    let found = desk.json(&format!("{line} --test new.csv --json"));
    assert_eq!(found["test"]["rows"], 3);
}

#[test]
fn names_with_commas_are_columns() {
    let desk = Desk::new();
    let mut text = "\"a, old\",b,c,truth\n".to_owned();
    for row in 0..60 {
        let truth = row % 2;
        writeln!(text, "{truth},{},{},{truth}", (row / 2) % 2, (row / 3) % 2).expect("text");
    }
    desk.write("t.csv", text);
    let experts = |asked: &[&str]| {
        let mut line = vec!["combine", "t.csv", "--truth", "truth", "-m", "naive", "--json"];
        for asked in asked {
            line.extend(["--experts", asked]);
        }
        let ran = desk.run(&line);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let each = found["experts"].as_array().expect("experts").clone();
        each.iter().map(|e| e["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(experts(&["a, old", "b"]), ["a, old", "b"]);
    assert_eq!(experts(&["\"a, old\",c"]), ["a, old", "c"]);
    assert_eq!(experts(&["b, c"]), ["b", "c"]);
    desk.run(&["combine", "t.csv", "--truth", "truth", "--experts", "a,b"]).fails(2, &["`a`"]);
}

#[test]
fn odd_columns_are_remarked_on() {
    let desk = Desk::new();
    let mut text = "ann,score,truth\n".to_owned();
    for row in 0..40 {
        let (says, truth) = if row % 2 == 0 { ("Fox", "fox") } else { ("hare", "hare") };
        writeln!(text, "{says},0.{row:03},{truth}").expect("text");
    }
    desk.write("t.csv", text);
    let ran = desk.line("combine t.csv --truth truth -m naive");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in ["`ann` says `Fox` where the truth is called `fox`", "`score` has 40 different"] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    // Its share of right rows is not counted: some of its labels are no classes.
    assert!(ran.out.contains("100.0 %"), "{}", ran.out);
    // As a program writes whole numbers in a column with an empty cell.
    let mut text = "ann,truth\n,1\n".to_owned();
    for row in 0..40 {
        writeln!(text, "{}.0,{}", row % 2, row % 2).expect("text");
    }
    desk.write("numbers.csv", text);
    let ran = desk.line("combine numbers.csv --truth truth -m vote");
    assert!(ran.err.contains("`ann` says `0.0` where the truth is called `0`"), "{}", ran.err);
    assert!(ran.out.contains("100.0 %"), "{}", ran.out);
    desk.line("combine numbers.csv --truth truth -m stack --max-memory 1k")
        .fails(1, &["`labels-stack` would need", "--max-memory"]);
    desk.write("gaps.csv", "ann,truth\nfox,fox\nhare,\nfox,hare\n");
    desk.line("combine gaps.csv --truth truth").fails(1, &["missing in row 1", "remove the rows"]);
}

/// The odd cases that docs/combining.md answers, on the command itself.
#[test]
fn odd_tables_have_their_answers() {
    let desk = Desk::new();
    desk.write("one.csv", "a,b,truth\nx,y,x\n");
    desk.line("combine one.csv --truth truth").fails(1, &["every row has the class `x`"]);
    // 30 rows, an expert that always says the same, two identical ones.
    let mut text = "good,same,twin,copy,truth\n".to_owned();
    for row in 0..30 {
        let truth = row % 3;
        let good = if row % 7 == 0 { (truth + 1) % 3 } else { truth };
        let twin = if row % 5 == 0 { (truth + 2) % 3 } else { truth };
        writeln!(text, "{good},0,{twin},{twin},{truth}").expect("text");
    }
    desk.write("thirty.csv", &text);
    let found = desk.json("combine thirty.csv --truth truth --out c.evo --json");
    assert_eq!(found["judged_rows"], 30);
    assert_eq!(found["experts"][3]["same_as"], "twin");
    assert_eq!(found["experts"][1]["says"], serde_json::json!(["0"]));
    let adds = found["experts"][1]["adds"].as_f64().expect("measured");
    assert!(adds.abs() < 0.05, "{adds}");
    let own = &found["compared"][0];
    assert!(own["accuracy"].as_f64().expect("a share") > 0.7, "{own}");
    // A label that training did not show counts as an empty cell.
    desk.write("never.csv", "good,same,twin,copy\nnever,0,1,1\n");
    desk.write("empty.csv", "good,same,twin,copy\n,0,1,1\n");
    let says = |name: &str| desk.line(&format!("predict c.evo {name} --quiet")).out;
    assert!(!says("never.csv").is_empty());
    assert_eq!(says("never.csv"), says("empty.csv"));
}

#[test]
fn two_hundred_experts_are_combined() {
    let desk = Desk::new();
    let names: Vec<String> = (0..200).map(|at| format!("e{at},")).collect();
    let mut text = names.concat();
    text += "truth\n";
    for row in 0..60_usize {
        for expert in 0..200 {
            let wrong = (row * 31 + expert * 17 + row * expert) % 5 < 2;
            write!(text, "{},", (row + usize::from(wrong)) % 2).expect("text");
        }
        writeln!(text, "{}", row % 2).expect("text");
    }
    desk.write("many.csv", text);
    let found = desk.json("combine many.csv --truth truth -p folds=2 --json");
    assert_eq!(found["experts"].as_array().map(Vec::len), Some(200));
    assert!(found["compared"][0]["accuracy"].as_f64().expect("a share") > 0.9);
}

#[test]
fn the_document_keeps_to_its_schema() {
    let desk = desk();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/combine.schema.json");
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let line = "combine train.csv --truth truth --experts one,two,three,copy --json";
    for more in
        ["", " -m evobn --graph g.svg --bif n.bif", " -m hidden --test test.csv", " -m vote"]
    {
        let document = desk.json(&format!("{line}{more}"));
        let errors: Vec<String> = schema
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{more}: {errors:#?}");
    }
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
    refused("combine train.csv --truth truth -m xyzzy", 2, &["known ways to combine: auto"]);
    refused(
        "combine train.csv --truth truth --weights two --experts two,one",
        1,
        &["both the weights and an expert"],
    );
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

/// Weights say how rows compare: those of next to none are as good as not there.
#[test]
fn rows_have_weights() {
    let desk = desk();
    let (mut weighted, mut few) =
        ("w,one,two,three,truth\n".to_owned(), "w,one,two,three,truth\n".to_owned());
    for (row, line) in table(240, 0).lines().skip(1).enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let labels = [cells[1], cells[2], cells[3], cells[5]].join(",");
        let heavy = row % 2 == 0;
        writeln!(weighted, "{},{labels}", if heavy { "2.5" } else { "0" }).expect("text");
        if heavy {
            writeln!(few, "1,{labels}").expect("text");
        }
    }
    desk.write("weighted.csv", weighted);
    desk.write("few.csv", few);
    let experts = |file: &str| {
        let line = format!("combine {file} --truth truth --weights w -m naive -p folds=0 --json");
        desk.json(&line)["experts"].clone()
    };
    let found = experts("weighted.csv");
    assert_eq!(found.as_array().map(Vec::len), Some(3));
    assert_eq!(found, experts("few.csv"));
}

#[test]
fn a_test_table_comes_by_standard_input() {
    let desk = desk();
    let line = "combine train.csv --truth truth --experts one,two,three -m naive --json --test";
    let file = desk.json(&format!("{line} test.csv"));
    let args: Vec<&str> = line.split(' ').chain(["-"]).collect();
    let test = std::fs::File::open(desk.path("test.csv")).expect("the table");
    let output = desk.command(&args).stdin(test).output().expect("the command starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let piped: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(piped["test"]["rows"], 120);
    assert_eq!(piped["test"]["accuracy"], file["test"]["accuracy"]);
}

#[test]
fn parameters_of_ways_do_what_they_say() {
    let desk = desk();
    let line = "combine train.csv --truth truth --experts one,two,three,copy";
    let ways = |more: &str| {
        let found = desk.json(&format!("{line}{more} --json"));
        let compared = found["compared"].as_array().expect("ways").clone();
        let names = compared.iter().map(|way| way["way"].as_str().expect("a name").to_owned());
        (found["way"].as_str().expect("a way").to_owned(), names.collect::<Vec<_>>())
    };
    // The one best way is never a blend.
    let (way, names) = ways(" -p single=true");
    assert_eq!((names.len(), names.contains(&"blend".to_owned())), (7, false), "{names:?}");
    assert!(way != "blend" && names[0] == way);
    assert!(ways("").1.contains(&"blend".to_owned()));
    // A drawn order depends on the seed, and the one by information does not.
    let arcs =
        |more: &str| desk.json(&format!("{line} -m k2 -p folds=0{more} --json"))["arcs"].clone();
    assert_eq!(arcs(" --seed 1"), arcs(" --seed 2"));
    let drawn: Vec<_> =
        (1..9).map(|seed| arcs(&format!(" -p random=true --seed {seed}"))).collect();
    assert!(drawn.iter().any(|arcs| *arcs != drawn[0]), "{drawn:?}");
    // The conditional network has a graph, and is no Bayesian network.
    let found = desk.json(&format!("{line} -m conditional -p folds=0 --graph c.svg --json"));
    assert_eq!(found["arcs_of"], "labels-conditional");
    assert!(!found["arcs"].as_array().expect("arcs").is_empty());
    assert!(desk.read("c.svg").starts_with("<svg"));
}

/// How sure arcs are: a number for each, in the document and in the graph.
#[test]
fn arcs_have_their_confidence() {
    let desk = desk();
    let line = "combine train.csv --truth truth --experts one,two,three,copy -p folds=0 --json";
    for way in ["evobn", "k2", "hc", "tan"] {
        let found = desk.json(&format!("{line} -m {way} -p confidence=10 --graph {way}.svg"));
        let arcs = found["arcs"].as_array().expect("arcs");
        let shares = found["confidence"].as_array().expect("shares");
        assert_eq!(shares.len(), arcs.len(), "{way}");
        let shares: Vec<f64> = shares.iter().map(|share| share.as_f64().expect("one")).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{way}: {shares:?}");
        assert!(shares.iter().any(|share| *share > 0.0), "{way}: {shares:?}");
        assert!(desk.read(&format!("{way}.svg")).contains("of the resampled tables"), "{way}");
        let again = format!("{line} -m {way} -p confidence=10 --threads 1");
        assert_eq!(desk.json(&again)["confidence"], found["confidence"], "{way}");
    }
    // Every node but the class has it as a parent, in a tree of any table.
    let tan = desk.json(&format!("{line} -m tan -p confidence=5"));
    let both = tan["arcs"].as_array().expect("arcs").iter();
    for (arc, share) in both.zip(tan["confidence"].as_array().expect("shares")) {
        assert!(arc[0] != "truth" || *share == 1.0, "{arc} {share}");
    }
    assert_eq!(desk.json(&format!("{line} -m tan"))["confidence"], serde_json::json!([]));
    desk.line(&format!("{line} -m naive -p confidence=5")).fails(2, &["confidence"]);
}
