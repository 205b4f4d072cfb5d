//! Selecting genes on the command line.

mod common;

use common::Desk;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SMALL: &str = "gen:genes:rows=40:genes=80:informative=4:masked=4:shift=2.5";

#[test]
fn planted_genes_are_found_with_chance_beside_them() {
    let desk = Desk::new();
    let line = format!("select {SMALL} --splits 20 --permutations 20 --out g.csv --plot g.svg");
    let ran = desk.line(&line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for words in
        ["that tell tumour (20) from normal (20), by ard", "With permuted labels (20 times)"]
    {
        assert!(ran.out.contains(words), "{}", ran.out);
    }
    assert!(desk.read("g.svg").starts_with("<svg"));
    let csv = desk.read("g.csv");
    assert!(csv.starts_with("rank,gene,name,column,total,coincident,"), "{csv}");
    let json = desk.json(&format!("{line} --json"));
    let table = json["table"].as_array().expect("a table");
    assert_eq!(csv.lines().count(), table.len() + 1);
    assert!(json["winners"].as_u64() >= Some(2), "{}", json["winners"]);
    let best = table[0]["name"].as_str().expect("the best gene is planted");
    assert!(best == "informative" || best.starts_with("masks"));
    // The same for any number of threads.
    let one = desk.json(&format!("{line} --json --threads 1"));
    assert_eq!(one["table"], json["table"]);
}

#[test]
fn the_document_keeps_to_its_schema() {
    let desk = Desk::new();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/select.schema.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    desk.write("two.csv", "gene\ng0001\ng0007\n");
    for line in [
        format!("select {SMALL} --splits 5 --permutations 2 --json"),
        format!("select {SMALL} --splits 5 --permutations 0 --by moea -p evaluations=500 --json"),
        format!("select {SMALL} --splits 5 --given two.csv --json"),
        format!("select {SMALL} --splits 3 --permutations 0 --no-checks --resume kept --json"),
        format!("select {SMALL} --splits 3 --permutations 2 --by auc --force g0001 --json"),
        format!("select {SMALL} --splits 2 --permutations 2 --by screen -p level=1e-12 --json"),
    ] {
        let document = desk.json(&line);
        let errors: Vec<String> = schema
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{line}: {errors:#?}");
    }
}

#[test]
fn another_given_set_is_judged_anew_and_names_are_not_written_over() {
    let desk = Desk::new();
    let line = format!("select {SMALL} --splits 3 --given set.csv --resume kept --json");
    let genes = |name: &str| {
        desk.write("set.csv", format!("gene\n{name}\n"));
        desk.json(&line)["table"][0]["gene"].clone()
    };
    assert_eq!(genes("g0001"), "g0001");
    assert_eq!(genes("g0002"), "g0002");
    desk.write("names.csv", "gene,name\ng0001,first\ng0002,second\n");
    let line = format!("select {SMALL} --splits 3 --names names.csv --out names.csv");
    desk.line(&line).fails(1, &["both --names and --out"]);
}

#[test]
fn an_interrupted_selection_goes_on() {
    let desk = Desk::new();
    let line = format!("select {SMALL} --splits 6 --permutations 3 --resume kept --json");
    let words: Vec<&str> = line.split(' ').collect();
    let mut child = desk
        .command(&words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let parts = || std::fs::read_dir(desk.path("kept")).map_or(0, Iterator::count);
    let start = Instant::now();
    while parts() < 3 && start.elapsed() < Duration::from_mins(1) {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL: nothing is cleaned up.
    let _ = child.kill();
    child.wait().expect("it ends");
    let first = desk.json(&line);
    assert!(first["resumed_parts"].as_u64() >= Some(1), "{}", first["resumed_parts"]);
    let again = desk.json(&line);
    assert!(again["resumed_parts"].as_u64() >= Some(9), "{}", again["resumed_parts"]);
    // All is the same but how long it took and what was taken from the folder.
    let result = |mut document: Value| {
        let fields = document.as_object_mut().expect("an object");
        fields.remove("timing").expect("timing");
        fields.remove("resumed_parts");
        document
    };
    let plain = desk.json(&line.replace("--resume kept", "--threads 1"));
    assert_eq!(result(first), result(plain.clone()));
    assert_eq!(result(again), result(plain));
}

/// Another positive class, or another share of false discoveries, is another result.
#[test]
fn finished_parts_are_those_of_the_same_question() {
    let desk = Desk::new();
    let line = "select iris --by auc -p genes=1 --splits 4 --permutations 2 --json";
    for asked in ["--positive virginica", "--positive setosa", "--positive versicolor", "--fdr 0.9"]
    {
        let kept = desk.json(&format!("{line} {asked} --resume kept"));
        let fresh = desk.json(&format!("{line} {asked}"));
        for part in ["classes", "table", "performance", "groups", "classifiers"] {
            assert_eq!(kept[part], fresh[part], "{asked}: {part}");
        }
    }
}

#[test]
fn nothing_selected_is_an_answer() {
    let desk = Desk::new();
    let ran = desk.line(
        "select gen:genes:rows=24:genes=10:informative=0:masked=0 --by screen -p level=1e-9 --splits 3 --permutations 1",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("No column was worth selecting on any half."), "{}", ran.out);
    assert!(ran.out.contains("No column was selected."), "{}", ran.out);
    assert!(!ran.out.contains("Interrupted"), "{}", ran.out);
}

/// Flags that other tests leave out do what they say.
#[test]
fn every_flag_does_what_it_says() {
    let desk = Desk::new();
    for way in ["rvm", "l1", "forest", "screen"] {
        let fast = if way == "forest" { " -p trees=20" } else { "" };
        let line = format!("select {SMALL} --by {way}{fast} --splits 4 --permutations 0 --json");
        let found = desk.json(&line);
        assert_eq!(found["by"], way);
        assert!(!found["table"].as_array().expect("a table").is_empty(), "{way}");
    }
    let line = format!("select {SMALL} --by auc --splits 4 --permutations 4 --no-checks");
    let json = |more: &str| desk.json(&format!("{line}{more} --json"));
    let raw = json("");
    // Logarithms keep the order of values, by which single columns are judged, but not that of sums.
    let sums = format!("select {SMALL} --by l1 --splits 4 --permutations 0 --no-checks --json");
    let logarithms = desk.json(&format!("{sums} --scale log"));
    assert_ne!(logarithms["classifiers"], desk.json(&sums)["classifiers"]);
    // All columns that were selected have at most a share of 1, and fewer have a smaller one.
    let selected = raw["table"].as_array().expect("a table").len();
    assert_eq!(json(" --fdr 1")["winners"].as_u64(), Some(selected as u64));
    assert!(json(" --fdr 0.0001")["winners"].as_u64() < Some(selected as u64));
    let top = desk.line(&format!("{line} --top 3"));
    assert!(top.out.contains(&format!("({} more)", selected - 3)), "{}", top.out);
    for picture in ["counts", "genes", "areas"] {
        let ran = desk.line(&format!("{line} --plot {picture}.svg --picture {picture}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(desk.read(&format!("{picture}.svg")).starts_with("<svg"), "{picture}");
    }
    assert_ne!(desk.read("genes.svg"), desk.read("areas.svg"));
    assert_eq!(desk.line(&format!("{line} --out all.json")).code, 0);
    let saved: Value = serde_json::from_str(&desk.read("all.json")).expect("JSON");
    assert_eq!(saved["table"], raw["table"]);
}

#[test]
fn cofactors_names_and_given_genes() {
    let desk = Desk::new();
    let mut rows = String::from("age,sex,a,b,class\n");
    for row in 0..40_i32 {
        let (class, noise) = (row % 2, (row * 7919) % 13);
        // a follows age alone, b follows the class.
        let age = 50 + 10 * class + noise;
        let line = format!(
            "{age},{},{},{},{}\n",
            if row % 3 == 0 { "f" } else { "m" },
            2 * age + noise % 3,
            5 * class + noise % 4,
            if class == 1 { "ill" } else { "well" }
        );
        rows += &line;
    }
    desk.write("t.csv", &rows);
    desk.write("names.csv", "column,what\na,gene A\nb,\"gene B, long\"\n");
    // Columns beside the two, in another order; one row describes nothing of the table.
    desk.write("more.csv", "id,name,gene,arm\n1,gene B,b,p\n2,7,007,q\n3,gene A,a,p\n");
    desk.write("other.csv", "gene,name\nx,y\n");
    desk.write("one.csv", "gene\na\n");
    desk.write("given.csv", "b\n");
    let run = |line: &str| {
        desk.json(&format!("{line} --splits 10 --permutations 0 --json --positive ill"))
    };
    let plain = run("select t.csv --by auc -p genes=2 --names names.csv");
    let named = |json: &Value| -> Vec<String> {
        let table = json["table"].as_array().expect("a table");
        table.iter().map(|row| row["gene"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(plain["table"][0]["name"], "gene B, long");
    let more = run("select t.csv --by auc -p genes=2 --names more.csv");
    assert_eq!(more["table"][0]["name"], "gene B");
    assert_eq!(more["table"][0]["total"], plain["table"][0]["total"]);
    for file in ["other.csv", "one.csv"] {
        let line = format!("select t.csv --names {file}");
        desk.line(&line)
            .fails(1, &["does not describe columns of t.csv", "a column of column names"]);
    }
    // A forced column that is adjusted for as well is the same; an offered one may be selected.
    let forced = run("select t.csv --by auc -p genes=1 --force age --adjust sex --adjust age");
    let offered = run("select t.csv --by auc -p genes=3 --offer age --scale log");
    assert!(named(&offered).contains(&"age".to_owned()));
    assert_eq!(named(&forced), ["b"]);
    let given = run("select t.csv --given given.csv");
    assert_eq!((named(&given), given["by"].as_str()), (vec!["b".to_owned()], Some("given")));
}

#[test]
fn what_cannot_be_selected_is_said() {
    let desk = Desk::new();
    let refused = |line: &str, code: i32, what: &str| {
        let ran = desk.line(line);
        assert_eq!(ran.code, code, "{line}: {}", ran.out);
        assert!(ran.err.contains(what), "{line}: {}", ran.err);
    };
    desk.write("few.csv", "a,b,class\n1,2,x\n2,1,x\n3,5,x\n4,3,y\n5,4,y\n6,7,y\n1,7,y\n");
    refused("select few.csv", 1, "there are 3 samples of x");
    let same = "1,2,x\n".repeat(5) + &"1,2,y\n".repeat(5);
    desk.write("same.csv", format!("a,b,class\n{same}"));
    refused("select same.csv", 1, "every column has the same value");
    desk.write("twice.csv", "a,a,class\n1,2,x\n2,1,y\n");
    refused("select twice.csv", 1, "two columns are called `a`");
    let large: Vec<String> =
        (0..20).map(|i| format!("{},{i}e155,{}\n", i % 7, ["x", "y"][i % 2])).collect();
    desk.write("large.csv", format!("a,b,class\n{}", large.concat()));
    refused("select large.csv", 1, "the column `b` has the value 1e155");
    let numbers: Vec<String> = (0..20).map(|i| format!("{i},{},{}.5\n", i % 7, 3 * i)).collect();
    desk.write("numbers.csv", format!("a,b,y\n{}", numbers.concat()));
    refused("select numbers.csv", 1, "the target `y` is a number");
    desk.write("set.csv", "gene\ng0001\ng9999\n");
    desk.write("g.csv", "gene\ng0001\ng0002\n");
    refused(&format!("select {SMALL} --given set.csv"), 2, "there is no column `g9999`");
    refused(&format!("select {SMALL} --positive tumor"), 2, "did you mean `tumour`?");
    let three = desk.line("select iris --splits 2 --permutations 0 --no-checks");
    assert!(three.out.contains("virginica was put against all others"), "{}", three.out);
    refused(&format!("select {SMALL} --by adr"), 2, "did you mean `ard`?");
    refused(&format!("select {SMALL} --force g9999"), 2, "there is no column `g9999`");
    refused(
        &format!("select {SMALL} --given g.csv --force g0002"),
        1,
        "the column `g0002` is given",
    );
    refused(&format!("select {SMALL} --force g0002 --offer g0002"), 1, "`g0002` is offered");
    refused(&format!("select {SMALL} --max-memory 10K"), 1, "a half of 80 columns would need");
    refused(&format!("select {SMALL} --splits 0"), 2, "--splits");
    refused(&format!("select {SMALL} -p rounds=0"), 2, "rounds");
}

/// The same two columns, whatever form the file has.
#[test]
fn given_columns_are_read_from_any_table_that_names_them() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..24)
        .map(|row| {
            let class = row % 2;
            format!(
                "{},{},{},{}\n",
                3 * class + row % 5,
                row % 7,
                row % 3 + class,
                ["x", "y"][class]
            )
        })
        .collect();
    desk.write("t.csv", format!("name,\"a, b\",TP53|7157,class\n{}", rows.concat()));
    let named = |text: &str| -> Vec<String> {
        desk.write("set.csv", text);
        let found = desk.json("select t.csv --given set.csv --splits 2 --no-checks --json");
        let table = found["table"].as_array().expect("a table").clone();
        table.iter().map(|row| row["gene"].as_str().expect("a name").to_owned()).collect()
    };
    for text in [
        "\u{feff}Gene\nname\n\"a, b\"\n",
        "name\n\"a, b\"\n",
        "a, b\nname\n",
        "name\nname\na, b\n",
        "rank,gene,score\n1,\"a, b\",0.5\n2,name,0.4\n",
        "\"a, b\"\t0.5\r\nname\t0.4\r\n",
    ] {
        assert_eq!(named(text), ["name", "a, b"], "{text:?}");
    }
    assert_eq!(named("COLUMN\nTP53|7157\n"), ["TP53|7157"]);
    // What --out wrote.
    let line =
        "select t.csv --by auc -p genes=2 --splits 4 --permutations 0 --no-checks --out o.csv";
    let written = desk.json(&format!("{line} --json"));
    let own = desk.json("select t.csv --given o.csv --splits 2 --no-checks --json");
    let count = |found: &Value| found["table"].as_array().map(Vec::len);
    assert_eq!(count(&own), count(&written));
    for (text, name) in [("nmae\na, b\n", "nmae"), ("gene\nxyz\n", "xyz"), ("name\nxyz\n", "xyz")] {
        desk.write("set.csv", text);
        desk.line("select t.csv --given set.csv").fails(2, &[&format!("no column `{name}`")]);
    }
}

/// What is said of chance was measured.
#[test]
fn forced_columns_and_given_sets_are_not_credited_with_chance() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..40)
        .map(|row| {
            let class = row % 2;
            let noise = |by: usize| (row * by) % 13;
            let values = [10 * class + noise(5), noise(7919), noise(31), noise(17)];
            format!("{},{}\n", values.map(|v| v.to_string()).join(","), ["well", "ill"][class])
        })
        .collect();
    desk.write("t.csv", format!("age,a,b,c,class\n{}", rows.concat()));
    let line =
        "select t.csv --by auc -p genes=1 --splits 5 --permutations 4 --no-checks --force age";
    let ran = desk.line(line);
    assert!(ran.out.contains("the forced columns alone have areas of"), "{}", ran.out);
    assert!(ran.out.contains("the one above has no p-value"), "{}", ran.out);
    assert!(!ran.out.contains("(p ="), "{}", ran.out);
    let json = desk.json(&format!("{line} --json"));
    assert!(json["chance"]["auc_p"].is_null(), "{}", json["chance"]);
    assert!(json["forced_auc"][1].as_f64() > Some(0.8), "{}", json["forced_auc"]);
    desk.write("set.csv", "a\n");
    let given = desk.line("select t.csv --given set.csv --splits 5 --no-checks");
    assert_eq!(given.code, 0, "{}", given.err);
    for words in ["Stability", "in common", "permut"] {
        assert!(!given.out.contains(words), "{words}: {}", given.out);
    }
}
