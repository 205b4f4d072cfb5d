//! `evocracy rules` on the real binary.

mod common;

use common::Desk;

#[test]
fn rules_are_sentences_with_what_stands_behind_them() {
    let desk = Desk::new();
    desk.line("fit mushroom --method moe-ga --out m.evo --quiet");
    let ran = desk.line("rules m.evo");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in ["odor is ", "applies to ", " of them e (100.0 %", "then e\n", "always\n"] {
        assert!(ran.out.contains(said), "`{said}` is not in: {}", ran.out);
    }
    let json = desk.json("rules m.evo --json");
    let count = json["count"].as_u64().expect("a number");
    assert_eq!(json["rules"].as_array().expect("rules").len() as u64, count);
    assert_eq!(json["says"].as_array().expect("classes").len(), 2);
    let says = json["rules"][0]["says"].as_array().expect("probabilities");
    let sum: f64 = says.iter().map(|p| p.as_f64().expect("a number")).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    assert_eq!(desk.json("rules m.evo --format json"), json);
    let top = desk.json("rules m.evo --top 1 --json");
    assert_eq!(top["rules"].as_array().expect("rules").len(), 1);
    assert_eq!(top["count"], json["count"]);
    let csv = desk.line("rules m.evo --format csv").out;
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("rule,condition,p("), "{csv}");
    assert_eq!(lines.len() as u64, count + 1);
}

#[test]
fn rule_lists_and_rules_for_numbers_are_shown_too() {
    let desk = Desk::new();
    desk.line("fit iris --method foil --out f.evo --quiet");
    let ran = desk.line("rules f.evo --top 1");
    assert!(ran.out.contains("the first rule that applies"), "{}", ran.out);
    assert!(ran.out.contains("\nand "), "{}", ran.out);
    desk.line("fit gen:sinc --method moe-regression --out r.evo --quiet");
    let ran = desk.line("rules r.evo");
    assert!(ran.out.contains("<= x <=") && ran.out.contains(" +- "), "{}{}", ran.out, ran.err);
}

#[test]
fn trees_that_vote_are_rules_too() {
    let desk = Desk::new();
    desk.line("fit iris --method forest --out f.evo --quiet");
    let ran = desk.line("rules f.evo --top 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said = [
        "every row has a leaf of each of the 100 trees, and these vote",
        ", the heaviest of ",
        " leaves: ",
        "1. if ",
        " training rows, ",
        " of them setosa (100.0 %",
        "   votes setosa 1.000, ",
        " % of all votes; ",
        " leaves together",
        "\nand 198 more\n",
    ];
    for said in said {
        assert!(ran.out.contains(said), "`{said}` is not in: {}", ran.out);
    }
    let json = desk.json("rules f.evo --json");
    assert_eq!((&json["count"], &json["decides"]), (&200.into(), &"votes".into()));
    let rules = json["rules"].as_array().expect("rules");
    let listed: u64 = rules.iter().filter_map(|rule| rule["numerosity"].as_u64()).sum();
    let leaves = &desk.json("show f.evo --json")["size"]["leaves"];
    assert_eq!(Some(listed + json["unlisted"].as_u64().expect("a count")), leaves.as_u64());
    // Stumps of boosting: every one of them, by their votes.
    desk.line("fit pima --method adaboost --out a.evo --quiet");
    let json = desk.json("rules a.evo --json");
    assert_eq!(json["unlisted"], 0);
    for rule in json["rules"].as_array().expect("rules") {
        assert_eq!(rule["tests"].as_array().expect("tests").len(), 1, "{rule}");
        let standing = &rule["standing"]["applies"];
        let classes = standing["classes"].as_array().expect("classes");
        let sum: u64 = classes.iter().filter_map(serde_json::Value::as_u64).sum();
        assert_eq!(standing["rows"].as_u64(), Some(sum));
    }
    // Both sides of a stump: the rows of one and the other are all.
    let (first, rows) = (&json["rules"][0], desk.json("show a.evo --json")["rows"].as_u64());
    let cut = &first["tests"][0]["between"];
    let other = json["rules"].as_array().unwrap().iter().find(|rule| {
        let own = &rule["tests"][0]["between"];
        own["column"] == cut["column"]
            && own["low"].is_null() != cut["low"].is_null()
            && (own["low"].as_f64().or(own["high"].as_f64()).unwrap()
                - cut["low"].as_f64().or(cut["high"].as_f64()).unwrap())
            .abs()
                < 1e-9
    });
    let count = |rule: &serde_json::Value| rule["standing"]["applies"]["rows"].as_u64().unwrap();
    assert_eq!(Some(count(first) + count(other.expect("the other side"))), rows);
    let csv = desk.line("rules a.evo --format csv --top 3").out;
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn a_model_without_rules_is_refused() {
    let desk = Desk::new();
    desk.line("fit iris --method knn --out k.evo --quiet");
    desk.line("rules k.evo").fails(1, &["`knn` is not made of rules", "moe-ga"]);
    desk.line("rules none.evo").fails(1, &["none.evo"]);
}

#[test]
fn a_split_by_what_is_missing_is_a_test_of_its_own() {
    let desk = Desk::new();
    // That there is no value tells the class; the values tell nothing.
    for (name, value) in [("x", ["17", "3", "8"]), ("kind", ["red", "blue", "red"])] {
        let mut table = format!("{name},z,class\n");
        for row in 0..90 {
            let (value, class) = if row % 2 == 0 { ("", "b") } else { (value[row % 3], "a") };
            table += &format!("{value},{},{class}\n", (row * 37) % 11);
        }
        desk.write("t.csv", table);
        for method in ["tree", "stump"] {
            let fitted = desk.line(&format!("fit t.csv --method {method} --out m.evo"));
            assert_eq!(fitted.code, 0, "{}", fitted.err);
            let text = desk.line("rules m.evo").out;
            let told = ["known\n   then a\n", "missing\n   then b\n"];
            for rest in told.map(|rest| format!("if {name} is {rest}   applies to 3")) {
                assert!(text.contains(&rest), "`{rest}` is not in: {text}");
            }
            assert!(text.matches("(100.0 %").count() == 2, "{text}");
            let rules = desk.json("rules m.evo --json")["rules"].clone();
            let mut tests = [rules[0]["tests"].to_string(), rules[1]["tests"].to_string()];
            tests.sort();
            let wanted = [r#"[{"known":{"column":0}}]"#, r#"[{"missing":{"column":0}}]"#];
            assert_eq!(tests, wanted);
        }
    }
}

#[test]
fn rules_of_other_seeds_tell_which_are_stable() {
    let desk = Desk::new();
    for seed in 1..=3 {
        desk.line(&format!("fit gen:multiplexer:6 --method ucs --seed {seed} --out {seed}.evo"));
    }
    let ran = desk.line("rules 1.evo --beside 2.evo 3.evo");
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The multiplexer has one smallest set of rules.
    assert!(ran.out.contains("Of 2 other models a rule is in 100 % on average."), "{}", ran.out);
    assert!(ran.out.contains(", in 3 of 3 models"), "{}", ran.out);
    let json = desk.json("rules 1.evo --beside 2.evo 3.evo --json");
    assert_eq!((&json["stability"], &json["models"]), (&1.0.into(), &3.into()));
    desk.line("fit iris --method ucs --out iris.evo");
    desk.line("rules 1.evo --beside iris.evo").fails(1, &["iris.evo", "other columns"]);
}

#[test]
fn an_encoding_given_twice_is_refused() {
    let desk = Desk::new();
    let line = "fit iris --method tree --encode mdl -p encode=bits";
    desk.line(line).fails(1, &["given twice", "--encode"]);
    let json = desk.json("fit car --method tree -p encode=bits --json");
    assert_eq!(json["dataset"], "car");
}
