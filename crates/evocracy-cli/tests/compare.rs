//! `evocracy compare`, and `evaluate` of several models.

mod common;

use common::{Desk, Ran};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The document without its times.
fn timeless(mut document: Value) -> Value {
    document.as_object_mut().expect("an object").remove("timing");
    document
}

fn method<'a>(document: &'a Value, set: usize, name: &str) -> &'a Value {
    let methods = document["sets"][set]["methods"].as_array().expect("methods");
    methods.iter().find(|method| method["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn figures_are_those_of_fit_whatever_is_beside() {
    let desk = Desk::new();
    for data in ["pima", "iris"] {
        let how = "--folds 4 --repeats 2 --json";
        let both = desk.json(&format!("compare {data} -m stump,naive-bayes {how}"));
        let alone = desk.json(&format!("compare {data} -m naive-bayes {how}"));
        let fit = desk.json(&format!("fit {data} -m naive-bayes {how}"));
        let (found, lone) = (method(&both, 0, "naive-bayes"), method(&alone, 0, "naive-bayes"));
        for metric in ["accuracy", "auc", "log2_likelihood", "brier"] {
            let figure = &found["figures"][metric];
            assert_eq!(figure["value"], fit["test"][metric], "{data} {metric}");
            assert_eq!(figure["value"], lone["figures"][metric]["value"], "{data} {metric}");
            assert_eq!(figure["folds"].as_array().map(Vec::len), Some(8), "{data} {metric}");
        }
        let accuracy = &found["figures"]["accuracy"];
        assert_eq!(accuracy["interval"], fit["test"]["accuracy_interval"], "{data}");
        if data == "pima" {
            assert_eq!(found["figures"]["auc"]["interval"], fit["test"]["auc_interval"]);
            assert_eq!(found["figures"]["auc"]["by_folds"], false);
        } else {
            // Of three classes the interval of the area comes from the folds.
            assert_eq!(found["figures"]["auc"]["by_folds"], true);
            assert!(found["figures"].get("tpr_at_5").is_none());
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let desk = Desk::new();
    for line in [
        "compare iris,wdbc -m tree,knn,forest -p forest.trees=10 --folds 4 --repeats 2",
        "compare iris -m knn,tree --folds 3 --repeats 1 --tune=8",
        "compare gen:sinc:rows=80 -m all --folds 3 --repeats 1",
    ] {
        let one = timeless(desk.json(&format!("{line} --threads 1 --json")));
        let eight = timeless(desk.json(&format!("{line} --threads 8 --json")));
        assert_eq!(one, eight, "{line}");
        let quoted = |document: &Value| serde_json::to_string(document).expect("JSON");
        assert_eq!(quoted(&one), quoted(&eight), "{line}");
    }
}

#[test]
fn a_method_that_fails_is_told_and_the_others_go_on() {
    let desk = Desk::new();
    let ran = desk.line("compare iris -m ridge,stump,naive-bayes --folds 3 --repeats 2 --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("ridge failed: the target `class` is a class"), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("JSON");
    let failed = method(&document, 0, "ridge");
    assert_eq!((&failed["outcome"], &failed["figures"]), (&json!("failed"), &json!({})));
    assert_eq!((&failed["failure"]["fold"], &failed["failure"]["repeat"]), (&json!(0), &json!(0)));
    let ranks = ["stump", "naive-bayes"].map(|name| {
        let figure = &method(&document, 0, name)["figures"]["auc"];
        figure["rank"].as_f64().expect("a rank")
    });
    assert_eq!(ranks[0] + ranks[1], 3.0);
    assert_eq!(document["sets"][0]["pairs"].as_array().map(Vec::len), Some(1));
    let words = desk.line("compare iris -m ridge,stump --folds 3 --repeats 1").out;
    assert!(words.contains("ridge failed: the target `class` is a class"), "{words}");
    let none = desk.line("compare iris -m ridge --folds 3 --repeats 1");
    none.fails(1, &["every method failed", "predicts numbers"]);
    // One document, which tells of it.
    let none = desk.line("compare iris -m ridge --folds 3 --repeats 1 --json");
    assert_eq!(none.code, 1);
    let document: Value = serde_json::from_str(&none.out).expect("one document");
    assert_eq!(method(&document, 0, "ridge")["outcome"], "failed");
}

#[test]
fn slips_are_told_before_anything_is_read() {
    let desk = Desk::new();
    desk.line("compare nothing.csv -m tere").fails(2, &["no method `tere`", "mean `tree`?"]);
    desk.line("compare nothing.csv -m tree -p tree.dept=3").fails(2, &["mean `depth`?"]);
    desk.line("compare iris -m tree -p tere.depth=3").fails(1, &["mean the method `tree`?"]);
    desk.line("compare iris -m tree -p depth=3").fails(1, &["-p tree.depth=3"]);
    desk.line("compare iris -m tree --by acuracy").fails(2, &["did you mean `accuracy`?"]);
    desk.line("compare iris -m tree --by bad").fails(2, &["log2_likelihood"]);
    desk.line("compare iris -m tree --by tpr_at_5").fails(1, &["no measure of iris", "auc"]);
    desk.line("compare iris,iris -m tree").fails(1, &["named twice"]);
    desk.line("compare iris -m tree,tree").fails(1, &["`tree` is compared twice"]);
    desk.line("compare iris,gen:sinc:rows=50 -m tree").fails(1, &["a class and", "a number"]);
    desk.line("compare iris -m tree --folds 1").fails(2, &["from 2 to 150"]);
    desk.line("compare iris -m none").fails(1, &["nothing to compare"]);
    desk.line("compare iris,car -m tree --plot a.svg --picture roc").fails(1, &["--picture ranks"]);
    desk.line("compare iris -m tree --plot a.svg --picture ranks").fails(1, &["--picture roc"]);
    desk.line("compare iris -m tree --plot a.gif").fails(1, &["ends in .svg"]);
    assert_eq!(desk.files().iter().filter(|name| *name != "home").count(), 0);
}

/// Thirty rows of two classes.
const TABLE: &str = "t.csv";

fn table(desk: &Desk) {
    let row = |i: usize| format!("{},{},{}\n", (i * 7) % 11, (i * 5) % 13, ["no", "yes"][i % 2]);
    desk.write(TABLE, format!("a,b,class\n{}", (0..30).map(row).collect::<String>()));
}

/// The folds of the table as lines of `row,repeat,fold`.
fn folds(desk: &Desk) -> Vec<String> {
    let ran = desk.line("compare t.csv -m none --folds 3 --repeats 2 --folds-out f.csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = desk.read("f.csv");
    assert!(text.starts_with("row,repeat,fold\n"));
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Probabilities for every line: sure and right but for one row in each repeat.
fn said(lines: &[String]) -> Vec<String> {
    let probability = |line: &String| {
        let row: usize = line.split(',').next().expect("a row").parse().expect("a number");
        let yes = if row % 2 == 1 && row != 7 { 0.75 } else { 0.25 };
        format!("{line},{},{yes}", 1.0 - yes)
    };
    lines.iter().map(probability).collect()
}

fn write_said(desk: &Desk, lines: &[String]) {
    desk.write("p.csv", format!("row,repeat,fold,no,yes\n{}\n", lines.join("\n")));
}

#[test]
fn predictions_made_elsewhere_are_judged_beside() {
    let desk = Desk::new();
    table(&desk);
    let lines = folds(&desk);
    assert_eq!(lines.len(), 60);
    let mut said = said(&lines);
    // Their order does not matter.
    said.reverse();
    write_said(&desk, &said);
    let how = "--folds 3 --repeats 2 --also mine=p.csv --json";
    let document = desk.json(&format!("compare t.csv -m stump {how}"));
    let mine = method(&document, 0, "mine");
    assert_eq!((&mine["outside"], &mine["bytes"]), (&json!(true), &Value::Null));
    assert_eq!(mine["figures"]["accuracy"]["value"], json!(29.0 / 30.0));
    // 14 of 15 found without a false alarm; the row that is missed ties with all others.
    let figure = |metric: &str| mine["figures"][metric]["value"].as_f64().expect("a figure");
    assert!((figure("tpr_at_5") - 14.0 / 15.0).abs() < 1e-12);
    assert!((figure("auc") - (14.0 / 15.0 + 0.5 / 15.0)).abs() < 1e-12);
    let brier = (29.0 * 0.25_f64.powi(2) + 0.75_f64.powi(2)) / 30.0;
    assert!((figure("brier") - brier).abs() < 1e-12);
    assert_eq!(document["methods"], json!(["stump", "mine"]));
    assert_eq!(document["sets"][0]["pairs"][0]["second"], "mine");
    // No time is known of what was made elsewhere.
    assert_eq!(document["timing"]["cpu"].as_array().map(Vec::len), Some(1));
    let alone = desk.json(&format!("compare t.csv -m none {how}"));
    assert_eq!(method(&alone, 0, "mine")["figures"]["brier"]["value"], json!(figure("brier")));
}

#[test]
fn predictions_made_elsewhere_that_do_not_fit_are_refused() {
    let desk = Desk::new();
    table(&desk);
    let good = said(&folds(&desk));
    let refused = |lines: Vec<String>, words: &[&str]| {
        write_said(&desk, &lines);
        let line = "compare t.csv -m none --folds 3 --repeats 2 --also mine=p.csv";
        desk.line(line).fails(1, words);
    };
    refused(good[1..].to_vec(), &["row 0 of repeat 0 is missing"]);
    let mut twice = good.clone();
    twice.push(good[5].clone());
    refused(twice, &["line 62", "a second time"]);
    let changed = |at: usize, line: &str| {
        let mut lines = good.clone();
        line.clone_into(&mut lines[at]);
        lines
    };
    let start = |at: usize| good[at].rsplitn(3, ',').last().expect("a start").to_owned();
    refused(changed(3, &format!("{},0.5,0.4", start(3))), &["line 5", "sum to 0.9", "a sum of 1"]);
    refused(
        changed(3, &format!("{},-0.5,1.5", start(3))),
        &["line 5", "`no`", "probability is -0.5"],
    );
    refused(changed(3, &format!("{},,1", start(3))), &["line 5", "NaN"]);
    refused(changed(0, "30,0,0,0.5,0.5"), &["line 2", "`row`", "from 0 to 29"]);
    refused(changed(0, "0,0,7,0.5,0.5"), &["line 2", "`fold`", "from 0 to 2"]);
    let fold: usize = start(0).rsplit(',').next().expect("a fold").parse().expect("a number");
    let other = format!("0,0,{},0.5,0.5", (fold + 1) % 3);
    refused(changed(0, &other), &["line 2", "is judged in fold", "the folds of this comparison"]);
    desk.write("p.csv", format!("row,repeat,fold,no,ja\n{},0.5,0.5\n", start(0)));
    let line = "compare t.csv -m none --folds 3 --repeats 2 --also mine=p.csv";
    desk.line(line).fails(1, &["row 1 of repeat 0 is missing"]);
    desk.line("compare t.csv,iris -m none --also mine=p.csv").fails(1, &["a column `data`"]);
    desk.line("compare t.csv -m none --also mine=none.csv").fails(1, &["none.csv"]);
}

#[test]
fn several_sets_have_one_file_of_folds_and_of_predictions() {
    let desk = Desk::new();
    table(&desk);
    let how = "--folds 3 --repeats 1";
    let ran = desk.line(&format!("compare t.csv,pima -m none {how} --folds-out f.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = desk.read("f.csv");
    let mut also = "data,row,repeat,fold,no,yes,No,Yes\n".to_owned();
    for line in text.lines().skip(1) {
        also += &format!("{line},0.5,0.5,0.5,0.5\n");
    }
    desk.write("p.csv", also);
    let line = format!("compare t.csv,pima -m stump {how} --also coin=p.csv --json");
    let document = desk.json(&line);
    for set in 0..2 {
        let coin = method(&document, set, "coin");
        assert_eq!(coin["figures"]["auc"]["value"], 0.5);
        assert_eq!(coin["figures"]["log2_likelihood"]["value"], -1.0);
    }
    let over = &document["over_sets"]["auc"];
    assert_eq!(
        (&over["sets"], &over["methods"]),
        (&json!(["t.csv", "pima"]), &json!(["stump", "coin"]))
    );
}

#[test]
fn documents_keep_to_their_schemas() {
    let desk = Desk::new();
    table(&desk);
    let schema = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        let text = std::fs::read_to_string(path).expect("the schema");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        jsonschema::validator_for(&schema).expect("a schema")
    };
    let valid = |schema: &jsonschema::Validator, document: &Value, line: &str| {
        let errors: Vec<String> = schema
            .iter_errors(document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{line}: {errors:#?}");
    };
    let compare = schema("compare.schema.json");
    for line in [
        "compare pima -m stump,ridge --folds 3 --repeats 2",
        "compare iris,wdbc,t.csv -m stump,naive-bayes --folds 3 --repeats 1 --by accuracy",
        "compare gen:sinc:rows=60 -m ridge --folds 3 --repeats 2 --resume parts",
        "compare iris -m knn --folds 3 --repeats 1 --tune=4",
    ] {
        valid(&compare, &desk.json(&format!("{line} --json")), line);
    }
    let mut document = desk.json("compare t.csv -m stump --folds 3 --repeats 1 --json");
    document["sets"][0]["methods"][0]["figures"]["auc"]["rank"] = json!(0);
    assert!(!compare.is_valid(&document), "a test that cannot fail would be worth nothing");
    let paired = schema("paired.schema.json");
    desk.json("fit pima -m stump --out s.evo --json");
    desk.json("fit pima -m naive-bayes --out n.evo --json");
    desk.json("fit gen:sinc:rows=60 -m ridge --out r.evo --json");
    desk.json("fit gen:sinc:rows=60 -m rvm-regression --out v.evo --json");
    for line in ["evaluate s.evo n.evo pima:test", "evaluate r.evo v.evo gen:sinc:rows=60"] {
        valid(&paired, &desk.json(&format!("{line} --json")), line);
    }
}

#[test]
fn pictures_show_every_method() {
    let desk = Desk::new();
    let one = "compare pima -m stump,naive-bayes,ridge --folds 3 --repeats 2 --plot roc.svg";
    let ran = desk.line(one);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = desk.read("roc.svg");
    assert!(svg.contains("stump") && svg.contains("naive-bayes") && !svg.contains("ridge"));
    assert!(svg.contains("out of fold"), "{svg}");
    let many = "compare iris -m stump,naive-bayes --folds 3 --repeats 1 --plot iris.svg --positive versicolor";
    assert_eq!(desk.line(many).code, 0);
    assert!(desk.read("iris.svg").contains("versicolor against the rest"));
    let several =
        "compare iris,pima,wdbc -m stump,naive-bayes,knn --folds 3 --repeats 1 --plot cd.svg";
    let ran = desk.line(several);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let svg = desk.read("cd.svg");
    assert!(svg.contains("Average ranks by AUC") && svg.contains("knn"));
    assert!(ran.out.contains("Friedman's chi-square"), "{}", ran.out);
}

#[test]
fn tuning_finds_what_the_default_does_not_and_says_what_it_found() {
    let desk = Desk::new();
    // Classes alternate along one column: only the nearest neighbours know them.
    let row = |i: usize| format!("{},{}\n", i, ["no", "yes"][i / 2 % 2]);
    desk.write("stripes.csv", format!("x,class\n{}", (0..160).map(row).collect::<String>()));
    let how = "-m knn -p knn.k=16 --folds 4 --repeats 1 --json";
    let plain = desk.json("compare stripes.csv -m knn --folds 4 --repeats 1 --json");
    let tuned = desk.json("compare stripes.csv -m knn --folds 4 --repeats 1 --tune=24 --json");
    let auc = |document: &Value| method(document, 0, "knn")["figures"]["auc"]["value"].as_f64();
    assert!(auc(&tuned) > auc(&plain), "{:?} {:?}", auc(&tuned), auc(&plain));
    let found = method(&tuned, 0, "knn")["tuned"].as_array().expect("settings").clone();
    assert!(found.len() == 4 && found.iter().any(|of| of.get("k").is_some()), "{found:?}");
    assert_eq!((&tuned["tuned"], &plain["tuned"]), (&json!(24), &Value::Null));
    // What is set by hand stays.
    let set = desk.json(&format!("compare stripes.csv {how} --tune=8"));
    let found = method(&set, 0, "knn")["tuned"].as_array().expect("settings").clone();
    assert!(found.iter().all(|of| of.get("k").is_none()), "{found:?}");
    assert_eq!(method(&set, 0, "knn")["settings"], json!({ "k": "16" }));
}

#[test]
fn all_takes_what_fits_and_says_what_it_leaves_out() {
    let desk = Desk::new();
    let document = desk.json("compare gen:sinc:rows=60 -m all --folds 2 --repeats 1 --json");
    let methods = document["methods"].as_array().expect("methods");
    assert!(methods.contains(&json!("ridge")) && methods.contains(&json!("rvm-regression")));
    assert!(!methods.contains(&json!("tree")));
    // What is named as well comes once; nothing is trained before the folds are found wrong.
    let ran = desk.line("compare iris -m all,tree --by rmse");
    ran.fails(1, &["labels-vote", "no measure of iris"]);
}

#[test]
fn what_cannot_be_drawn_is_refused_before_any_fit() {
    let desk = Desk::new();
    for (line, said) in [
        ("compare gen:sinc:rows=60 -m ridge,rvm-regression", "rows of at least two classes"),
        ("compare iris,pima -m tree", "average ranks are those of several methods"),
        ("compare iris,pima -m tree --folds 3 --picture roc", "ROC curves are those of one"),
    ] {
        let ran = desk.line(&format!("{line} --resume parts --plot p.svg"));
        ran.fails(1, &[said, "--p"]);
        assert!(ran.out.is_empty() && parts(&desk.path("parts")) == 0, "{line}");
    }
}

#[test]
fn a_parameter_of_a_committee_is_named_with_its_members() {
    let desk = Desk::new();
    let line = "compare iris --folds 3 --repeats 1 -m";
    for (rest, said) in [
        ("tree,vote:tree+knn -p vote.rule=max", "-p vote:tree+knn.rule=max"),
        ("vote:tree+knn -p 1.depth=3", "-p vote:tree+knn.1.depth=3"),
        ("tree,knn -p depth=3", "-p tree.depth=3"),
        ("tree,knn -p kn.k=3", "did you mean the method `knn`?"),
    ] {
        desk.line(&format!("{line} {rest}")).fails(1, &[said]);
    }
    let right = format!("{line} vote:tree+knn -p vote:tree+knn.rule=max --json");
    assert_eq!(desk.json(&right)["sets"][0]["methods"][0]["settings"], json!({ "rule": "max" }));
}

fn parts(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |entries| entries.flatten().count())
}

#[test]
fn finished_fits_are_taken_from_the_folder() {
    let desk = Desk::new();
    let line = "compare iris -m tree,naive-bayes --folds 3 --repeats 2 --json";
    let whole = timeless(desk.json(line));
    let first = desk.json(&format!("{line} --resume parts"));
    assert_eq!((&first["resumed_parts"], parts(&desk.path("parts"))), (&json!(0), 12));
    let mut again = timeless(desk.json(&format!("{line} --resume parts")));
    assert_eq!(again["resumed_parts"], 12);
    again.as_object_mut().expect("an object").remove("resumed_parts");
    assert_eq!(again, whole);
    // Another method joins, and more repeats: what is there is taken.
    let more = "compare iris -m tree,stump --folds 3 --repeats 3 --json --resume parts";
    assert_eq!(desk.json(more)["resumed_parts"], 6);
    let other = "compare iris -m tree -p tree.depth=1 --folds 3 --repeats 2 --json --resume parts";
    assert_eq!(desk.json(other)["resumed_parts"], 0);
    let seed = "compare iris -m tree --folds 3 --repeats 2 --json --resume parts --seed 2";
    assert_eq!(desk.json(seed)["resumed_parts"], 0);
}

/// Ctrl-C once two repeats are done.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_comparison_keeps_what_all_methods_finished() {
    let desk = Desk::new();
    let line = "compare wdbc -m naive-bayes,stump,forest -p forest.trees=400 --folds 3 --repeats 200 --resume parts --threads 1 --json";
    let words: Vec<&str> = line.split(' ').collect();
    let mut command = desk.command(&words);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let start = Instant::now();
    while parts(&desk.path("parts")) < 20 && start.elapsed() < Duration::from_mins(2) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = format!("kill -s INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.err.contains("of 200 repeats count"), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(document["stop"], "interrupted");
    let repeats = document["sets"][0]["repeats"].as_array().expect("repeats").len();
    assert!((2..200).contains(&repeats), "{repeats}");
    for name in ["naive-bayes", "stump", "forest"] {
        let figure = &method(&document, 0, name)["figures"]["auc"];
        assert_eq!(figure["folds"].as_array().map(Vec::len), Some(3 * repeats), "{name}");
    }
}

#[test]
fn saved_models_are_compared_row_by_row() {
    let desk = Desk::new();
    for name in ["stump", "naive-bayes", "knn"] {
        desk.json(&format!("fit pima -m {name} --out {name}.evo --json"));
    }
    let document = desk.json("evaluate stump.evo naive-bayes.evo knn.evo pima:test --json");
    assert_eq!((&document["rows"], &document["paired"]), (&json!(332), &json!(1)));
    assert_eq!(document["pairs"].as_array().map(Vec::len), Some(3));
    // Each is judged as it is alone.
    let right = |name: &str| {
        let alone = desk.json(&format!("evaluate {name}.evo pima:test --json"));
        let models = document["models"].as_array().expect("models");
        let model = models.iter().find(|m| m["name"] == format!("{name}.evo")).expect(name);
        assert_eq!(model["figures"], alone["test"], "{name}");
        (332.0 * alone["test"]["accuracy"].as_f64().expect("a share")).round()
    };
    let pair = &document["pairs"][0];
    let only = |which: &str| pair["calls"][which].as_f64().expect("a count");
    assert_eq!(only("first") - only("second"), right("stump") - right("naive-bayes"));
    assert!(right("knn") > 0.0);
    let areas = |at: usize| document["models"][at]["figures"]["auc"].as_f64().expect("an area");
    let difference = pair["auc"]["difference"].as_f64().expect("a difference");
    assert!((difference - (areas(0) - areas(1))).abs() < 1e-12);
    let words = desk.line("evaluate stump.evo naive-bayes.evo pima:test --plot p.svg");
    assert!(words.out.contains("stump.evo against naive-bayes.evo: the AUC differs by"));
    assert!(words.out.contains("after McNemar"), "{}", words.out);
    assert!(desk.read("p.svg").contains("naive-bayes.evo"));
    desk.json("fit iris -m stump --out iris.evo --json");
    let other = desk.line("evaluate stump.evo iris.evo pima:test");
    assert_eq!(other.code, 1, "{}", other.err);
    desk.line("evaluate stump.evo stump.evo pima").fails(1, &["named twice"]);
    desk.line("evaluate stump.evo knn.evo -").fails(1, &["read once"]);
    desk.line("evaluate stump.evo knn.evo pima --point 1").fails(1, &["a single model"]);
    desk.line("evaluate stump.evo").fails(2, &["<DATA>"]);
}
