//! The verbs on the real binary.

mod common;

use common::Desk;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// The embedded rows of a set as the text of a CSV file.
fn csv(name: &str) -> Vec<u8> {
    use std::io::Read;
    let path = format!("{}/../evocracy/embed/{name}.csv.gz", env!("CARGO_MANIFEST_DIR"));
    let packed = std::fs::read(path).expect("an embedded set");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut text).expect("gzip");
    text
}

/// Everything but the clock and what the data set is called.
fn figures(mut json: Value) -> Value {
    json["timing"] = Value::Null;
    json["dataset"] = Value::Null;
    json
}

#[test]
fn name_file_and_threads_give_the_same_figures() {
    let desk = Desk::new();
    desk.write("mine.csv", csv("wdbc"));
    for method in ["tree", "naive-bayes"] {
        let fit = |data: &str, threads| {
            figures(desk.json(&format!("fit {data} --method {method} --threads {threads} --json")))
        };
        let once = fit("wdbc", 1);
        assert!(once["test"]["accuracy"].as_f64().expect("a number") > 0.88);
        assert_eq!(once, fit("wdbc", 4));
        assert_eq!(once, fit("mine.csv", 1));
        assert_eq!(once, fit("mine.csv", 4));
    }
}

#[test]
fn another_seed_gives_another_split() {
    let desk = Desk::new();
    let one = desk.json("fit wdbc --json --seed 1");
    let two = desk.json("fit wdbc --json --seed 2");
    assert_ne!(one["test"]["log2_likelihood"], two["test"]["log2_likelihood"]);
    assert_eq!(two["seed"], 2);
}

#[test]
fn fit_reports_what_the_design_promises() {
    let desk = Desk::new();
    let json = desk.json("fit pima --json --out m.evo --plot roc.svg");
    for key in ["method", "dataset", "seed", "classes", "train", "test", "model", "timing"] {
        assert!(!json[key].is_null(), "{key}");
    }
    for key in ["accuracy", "auc", "log2_likelihood", "brier"] {
        assert!(json["test"][key].is_f64(), "{key}");
    }
    assert_eq!(json["test"]["rows"], 332);
    assert_eq!(json["train"]["rows"], 200);
    assert_eq!(json["model"]["saved"], "m.evo");
    assert!(json["model"]["size"].is_object());
    assert!(desk.read("roc.svg").starts_with("<svg"));
}

#[test]
fn evaluate_gives_the_figures_of_fit() {
    let desk = Desk::new();
    for method in ["tree", "naive-bayes"] {
        let fitted = desk.json(&format!("fit pima --method {method} --json --out m.evo"));
        let judged = desk.json("evaluate m.evo pima:test --json");
        assert_eq!(fitted["test"], judged["test"]);
        desk.write("test.csv", csv("pima-te"));
        assert_eq!(fitted["test"], desk.json("evaluate m.evo test.csv --json")["test"]);
        let other = desk.json(&format!("fit pima:train --method {method} --test test.csv --json"));
        assert_eq!(fitted["test"], other["test"]);
    }
}

#[test]
fn predictions_agree_with_the_judgement_and_stream_from_standard_input() {
    let desk = Desk::new();
    let fitted = desk.json("fit pima --json --out m.evo");
    desk.write("test.csv", csv("pima-te"));
    assert_eq!(desk.line("predict m.evo test.csv --out p.csv").code, 0);
    let predicted = desk.read("p.csv");
    let mut lines = predicted.lines();
    assert_eq!(lines.next(), Some("prediction,p_No,p_Yes"));
    let truth = String::from_utf8(csv("pima-te")).expect("text");
    let right = lines
        .zip(truth.lines().skip(1))
        .filter(|(p, t)| p.split(',').next() == t.rsplit(',').next())
        .count();
    let accuracy = fitted["test"]["accuracy"].as_f64().expect("a number");
    assert!((right as f64 / 332.0 - accuracy).abs() < 1e-12);

    let mut child = desk
        .command(&["predict", "m.evo", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(&csv("pima-te")).expect("the pipe takes it");
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8(output.stdout).expect("text"), predicted);

    let json = desk.json("predict m.evo test.csv --json");
    assert_eq!(json["rows"], 332);
    assert_eq!(json["predictions"].as_array().expect("a list").len(), 332);
}

#[test]
fn a_changed_order_further_columns_and_new_levels_are_answered() {
    let desk = Desk::new();
    desk.write("t.csv", "colour,size,class\nred,1,a\nblue,2,b\nred,1.5,a\nblue,2.5,b\nred,0.5,a\n");
    desk.write("test.csv", "colour,size,class\nred,1,a\nblue,2,b\n");
    assert_eq!(desk.line("fit t.csv -m naive-bayes --test test.csv --out m.evo").code, 0);
    desk.write("plain.csv", "colour,size\nred,1\nblue,2\n,1\n");
    desk.write("other.csv", "id,size,colour\n7,1,red\n8,2,blue\n9,1,violet\n");
    let plain = desk.line("predict m.evo plain.csv");
    let other = desk.line("predict m.evo other.csv");
    assert_eq!(plain.out, other.out);
    assert!(other.err.contains("(`violet` in line 4)"), "{}", other.err);
    assert!(desk.line("predict m.evo other.csv --quiet").err.is_empty());
}

#[test]
fn explain_adds_up() {
    let desk = Desk::new();
    for method in ["tree", "naive-bayes"] {
        desk.line(&format!("fit pima -m {method} --out m.evo"));
        let json = desk.json("explain m.evo pima:test --row 3 --json");
        let list = |value: &Value| -> Vec<f64> {
            value
                .as_array()
                .expect("a list")
                .iter()
                .map(|v| v.as_f64().expect("a number"))
                .collect()
        };
        let mut sums = list(&json["base"]);
        for part in json["parts"].as_array().expect("a list") {
            for (sum, add) in sums.iter_mut().zip(list(&part["adds"])) {
                *sum += add;
            }
        }
        if json["link"] == "softmax" {
            let total: f64 = sums.iter().map(|s| s.exp()).sum();
            sums = sums.iter().map(|s| s.exp() / total).collect();
        }
        for (sum, p) in sums.iter().zip(list(&json["proba"])) {
            assert!((sum - p).abs() < 1e-9);
        }
        let words = desk.line("explain m.evo pima:test --row 3");
        assert!(words.out.contains("before any evidence"), "{}", words.out);
    }
}

#[test]
fn what_a_person_should_know_of_the_table_is_said() {
    let desk = Desk::new();
    let mut table = "id,price,kind,class\n".to_owned();
    for row in 0..40 {
        let (class, kind) = if row % 2 == 0 { ("a", "x") } else { ("b", "y") };
        table += &format!("P{row},\"{row},5\",{kind},{class}\n");
    }
    desk.write("t.csv", table);
    let refused = desk.line("fit t.csv");
    refused.fails(1, &["`0,5` is not a number", "line 2, column `price`", "--decimal ,"]);
    let ran = desk.line("fit t.csv --decimal ,");
    assert!(ran.err.contains("column `id` has 40 different texts in 40 rows"), "{}", ran.err);
    let used = desk.line("fit t.csv --decimal , --use id");
    assert!(used.err.contains("that training did not show"), "{}", used.err);
    let remarks = &desk.json("fit segment --json")["remarks"];
    assert_eq!(remarks[0]["text"], "212 of the 2100 test rows equal a training row");
    assert_eq!(
        (&remarks[0]["severity"], &remarks[0]["repeated"]),
        (&"warning".into(), &212.into())
    );
}

#[test]
fn an_encoding_can_be_asked_for() {
    let desk = Desk::new();
    let plain = desk.json("fit car --json");
    let bits = desk.json("fit car --encode bits --json --out bits.evo");
    assert_ne!(plain["model"]["size"], bits["model"]["size"]);
    assert_eq!(desk.line("predict bits.evo car --out p.csv").code, 0);
    let json = desk.json("explain bits.evo car --row 5 --json");
    assert!(json["parts"].as_array().expect("a list").iter().all(|part| {
        ["buying", "maint", "doors", "persons", "lug_boot", "safety"]
            .contains(&part["column"].as_str().expect("a name"))
    }));
    desk.line("fit car --encode bit").fails(2, &["no encoding `bit`", "did you mean `bits`"]);
    desk.line("fit car --encode bits:0").fails(2, &["bins from 2 to 256"]);
}

#[test]
fn refit_trains_on_all_rows() {
    let desk = Desk::new();
    desk.line("fit iris --out part.evo");
    desk.line("fit iris --out all.evo --refit");
    let rows = |model: &str| desk.json(&format!("evaluate {model} iris --json"))["test"].clone();
    assert_ne!(rows("part.evo"), rows("all.evo"));
}

#[test]
fn data_sets_can_be_added_shown_and_listed() {
    let desk = Desk::new();
    desk.write("t.csv", "a,class\n1,x\n2,y\n3,x\n4,y\n");
    assert_eq!(desk.line("data add mine t.csv").code, 0);
    desk.line("data add mine t.csv").fails(1, &["already", "--replace"]);
    assert_eq!(desk.line("data add mine t.csv --replace").code, 0);
    desk.line("data add ../mine t.csv").fails(2, &["letters, digits"]);
    desk.line("data add bad none.csv").fails(1, &["none.csv"]);
    let list = desk.json("data list --json");
    let names: Vec<&str> = list["datasets"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|set| set["name"].as_str())
        .collect();
    assert!(names.contains(&"mine") && names.contains(&"wdbc"), "{names:?}");
    let shown = desk.json("data show mine --json");
    assert_eq!((&shown["rows"], &shown["classes"][0]["name"]), (&4.into(), &"x".into()));
    let licence = desk.line("data show car").out;
    assert!(licence.contains("CC BY 4.0") && licence.contains("1210"), "{licence}");
}

#[test]
fn a_file_goes_before_a_folder_and_a_folder_before_the_embedded_sets() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    desk.write("sets/iris.csv", "a,class\n1,x\n2,y\n3,x\n");
    let rows = |data: &str| {
        let mut command = desk.command(&["data", "show", data, "--json"]);
        let output = command.env("EVOCRACY_DATA", desk.path("sets")).output().expect("it starts");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["rows"].as_u64()
    };
    assert_eq!(rows("iris"), Some(3));
    desk.write("iris", "a,class\n1,x\n2,y\n");
    assert_eq!(rows("iris"), Some(2));
    assert_eq!(desk.json("data show pima --json")["rows"], 532);
}

#[test]
fn methods_completions_help_and_version_answer() {
    let desk = Desk::new();
    let methods = desk.json("methods --json");
    assert_eq!(methods["methods"][0]["name"], "tree");
    assert!(desk.line("methods tree").out.contains("depth"));
    let table = &desk.json("methods rvm --json")["parameters"];
    let param = |name: &str| {
        let all = table.as_array().expect("a table").iter();
        all.clone().find(|param| param["name"] == name).cloned().expect(name)
    };
    let (width, kernel, bias) = (param("width"), param("kernel"), param("bias"));
    assert_eq!((&width["kind"], &width["choices"][0]), (&"number".into(), &"auto".into()));
    assert!(width["low"].as_f64() < width["high"].as_f64());
    assert_eq!((&kernel["kind"], &bias["kind"]), (&"choice".into(), &"flag".into()));
    assert!(kernel["choices"].as_array().is_some_and(|words| words.contains(&kernel["default"])));
    assert_eq!(param("degree")["high"], 16.0);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(desk.line(&format!("completions {shell}")).out.contains("evaluate"), "{shell}");
    }
    assert!(desk.line("--help").out.contains("fit"));
    assert!(desk.line("--version").out.contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(desk.run(&[]).code, 2);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let desk = Desk::new();
    desk.line("fit iris --out m.evo");
    let mut rows = String::from_utf8(csv("iris")).expect("text");
    let body = rows.split_once('\n').expect("a header").1.to_owned();
    for _ in 0..200 {
        rows += &body;
    }
    desk.write("many.csv", rows);
    let mut child = desk
        .command(&["predict", "m.evo", "many.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_demo_tells_and_draws() {
    let desk = Desk::new();
    let ran = desk.line("demo");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("diabetes") && ran.out.contains("because"), "{}", ran.out);
    assert!(desk.read("evocracy-demo.svg").contains("</svg>"));
    assert_eq!(desk.json("demo --json")["dataset"], "pima");
}

#[test]
fn generated_sets_follow_the_seed_and_their_name() {
    let desk = Desk::new();
    let by_option = desk.json("fit gen:moons:rows=400 --seed 3 --json");
    let by_name = desk.json("fit gen:moons:rows=400:seed=3 --seed 3 --json");
    assert_eq!(figures(by_option.clone()), figures(by_name));
    let other = desk.json("fit gen:moons:rows=400 --seed 4 --json");
    assert_ne!(by_option["test"], other["test"]);
    assert_eq!(by_option["dataset"], "gen:moons:rows=400");

    desk.line("fit gen:ripley:rows=2000 --method naive-bayes --out m.evo");
    let published = desk.json("evaluate m.evo ripley-synth:test --json");
    assert!(published["test"]["accuracy"].as_f64().expect("a number") > 0.85);
    let judged = |seed| desk.json(&format!("evaluate m.evo gen:ripley --seed {seed} --json"));
    assert_ne!(judged(2)["test"], judged(3)["test"]);
    assert_eq!(judged(2)["test"], judged(2)["test"]);

    let shown = desk.json("data show gen:genes:rows=20 --json");
    assert_eq!(shown["listing"]["parameters"][1]["name"], "genes");
    assert_eq!(desk.json("data list --json")["datasets"][9]["name"], "gen:checkerboard");
    desk.line("fit gen:moons:rwos=4").fails(2, &["did you mean `rows`?"]);
    desk.line("fit gen:multiplexer:21").fails(2, &["3, 6, 11, 20, 37, 70, 135"]);
    desk.line("fit gen:moons:rows=99999999").fails(2, &["at most 33333333"]);
}

#[test]
fn one_is_singular_and_many_classes_are_told_by_their_mistakes() {
    let desk = Desk::new();
    let mut table = "x,class\n".to_owned();
    (0..120).for_each(|row| table += &format!("1,c{}\n", row % 30));
    desk.write("t.csv", table);
    let ran = desk.line("fit t.csv");
    assert!(ran.out.contains("1 leaf, depth 0, 1 node."), "{}", ran.out);
    assert!(ran.out.contains(" truth  called  rows"), "{}", ran.out);
    assert!(ran.out.contains("rarer mistakes"), "{}", ran.out);
    let ran = desk.line("data show t.csv");
    assert!(ran.out.contains("120 rows, 1 column to learn from"), "{}", ran.out);
}

#[test]
fn numbers_are_shown_short() {
    let desk = Desk::new();
    desk.write("t.csv", "x,y,none,class\n1e300,-2e-310,,a\n-3e300,4e-310,,b\n");
    let ran = desk.line("data show t.csv");
    assert!(ran.out.contains("-3e300 to 1e300"), "{}", ran.out);
    assert!(ran.out.contains("-2e-310 to 4e-310"), "{}", ran.out);
    assert!(!ran.out.contains("NaN"), "{}", ran.out);
}

#[test]
fn numbers_come_with_their_standard_deviation() {
    let desk = Desk::new();
    desk.write("far.csv", "x\n0\n1000\n");
    for method in ["ridge", "rvm-regression", "moe-regression"] {
        let fitted = desk.line(&format!("fit gen:sinc --method {method} --out m.evo"));
        assert_eq!(fitted.code, 0, "{}", fitted.err);
        let text = desk.line("predict m.evo far.csv").out;
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("prediction,sd"));
        let json = desk.json("predict m.evo far.csv --json");
        for (row, line) in lines.enumerate() {
            let (mean, sd) = line.split_once(',').expect("two cells");
            let told = &json["predictions"][row];
            for (name, cell) in [("prediction", mean), ("sd", sd)] {
                let (json, csv) = (told[name].as_f64().expect("a number"), cell.parse::<f64>());
                assert!((json - csv.expect("a number")).abs() <= 1e-12 * json.abs(), "{method}");
            }
            assert!(told["sd"].as_f64() > Some(0.0), "{method}");
        }
        let why = desk.json("explain m.evo far.csv --row 1 --json");
        let (here, there) = (why["sd"].as_f64(), json["predictions"][1]["sd"].as_f64());
        assert!((here.expect("a number") / there.expect("a number") - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_data_set_can_be_replaced_by_itself() {
    let desk = Desk::new();
    desk.write("t.csv", "x,class\n1,a\n2,b\n");
    assert_eq!(desk.line("data add mine t.csv").code, 0);
    let ran = desk.line("data add mine home/evocracy/data/mine.csv --replace");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(desk.read("home/evocracy/data/mine.csv"), desk.read("t.csv"));
}

#[cfg(unix)]
#[test]
fn rows_come_through_a_pipe_that_has_a_name() {
    let desk = Desk::new();
    desk.write("t.csv", csv("iris"));
    assert_eq!(desk.line("fit iris --out m.evo").code, 0);
    let expected = desk.line("predict m.evo t.csv");
    let mut command = std::process::Command::new("sh");
    // The pipe is standard input by another name.
    let script = "cat t.csv | \"$0\" predict m.evo /dev/stdin";
    command.args(["-c", script]).arg(assert_cmd::cargo::cargo_bin!("evocracy"));
    command.current_dir(desk.path("."));
    let piped = common::Ran::from(command.output().expect("a shell"));
    assert_eq!((piped.code, piped.out), (0, expected.out), "{}", piped.err);
}
