//! Saved models that are judged on the same rows: what is asked of calls holds for all of them.

mod common;

use common::Desk;
use serde_json::json;

/// Two models of pima.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.json("fit pima -m naive-bayes --out n.evo --json");
    desk.json("fit pima -m logistic --cost-fn 5 --out l.evo --json");
    desk
}

#[test]
fn every_model_calls_as_asked_and_says_so() {
    let desk = desk();
    let line = "evaluate n.evo l.evo pima:test";
    let plain = desk.json(&format!("{line} --json"));
    let never = desk.json(&format!("{line} --threshold inf --json"));
    let dear = desk.json(&format!("{line} --cost-fn 9 --json"));
    for (at, file) in ["n.evo", "l.evo"].into_iter().enumerate() {
        let alone =
            |options: &str| desk.json(&format!("evaluate {file} pima:test --json{options}"));
        for (document, options) in
            [(&plain, ""), (&never, " --threshold inf"), (&dear, " --cost-fn 9")]
        {
            let (model, alone) = (&document["models"][at], alone(options));
            assert_eq!(model["figures"], alone["test"], "{file}{options}");
            assert_eq!(model["decision"], alone["model"]["decision"], "{file}{options}");
        }
        assert_eq!(never["models"][at]["figures"]["confusion"][1][1], 0.0);
    }
    // Of the two only one was fitted with costs.
    let words = desk.line(line).out;
    assert!(
        words.contains("\nl.evo: `Yes` is called where its probability is at least"),
        "{words}"
    );
    assert!(!words.contains("n.evo: `Yes`"), "{words}");
    let words = desk.line(&format!("{line} --threshold inf")).out;
    assert!(words.contains("n.evo: `Yes` is never called."), "{words}");
    // No area depends on the calls.
    assert_eq!(plain["pairs"][0]["auc"], never["pairs"][0]["auc"]);
    assert_ne!(plain["pairs"][0]["calls"], never["pairs"][0]["calls"]);
}

#[test]
fn rows_that_a_model_learnt_from_are_said_of_that_model() {
    let desk = desk();
    desk.json("fit pima:test -m tree --refit --out t.evo --json");
    let ran = desk.line("evaluate n.evo t.evo pima:test");
    assert!(ran.err.contains("t.evo: warning: 332 of the 332"), "{}", ran.err);
    assert!(!ran.err.contains("n.evo: "), "{}", ran.err);
    let document = desk.json("evaluate n.evo t.evo pima:test --json");
    assert_eq!(document["models"][0]["remarks"], json!([]));
    assert_eq!(document["models"][1]["remarks"][0]["kind"], "repeated-rows");
}

#[test]
fn a_class_that_no_model_knows_counts_as_one_more() {
    let desk = Desk::new();
    let row = |row: usize| format!("{},{}\n", (row * 7) % 40, ["a", "b"][row * 7 % 40 / 20]);
    let rows: String = (0..40).map(row).collect();
    desk.write("t.csv", format!("x,class\n{rows}"));
    desk.write("more.csv", format!("x,class\n{rows}3,c\n5,c\n"));
    for method in ["tree", "naive-bayes"] {
        desk.json(&format!("fit t.csv -m {method} --out {method}.evo --json"));
    }
    let document = desk.json("evaluate tree.evo naive-bayes.evo more.csv --json");
    assert_eq!(document["classes"], json!(["a", "b", "c"]));
    assert_eq!((&document["rows"], &document["pairs"][0]["auc"]), (&json!(42), &json!(null)));
    for model in document["models"].as_array().expect("models") {
        assert_eq!(model["figures"]["confusion"][2][2], 0.0);
        assert!(model["remarks"].to_string().contains("unknown-class"), "{model}");
    }
    assert_eq!(desk.line("evaluate tree.evo naive-bayes.evo more.csv").code, 0);
}

#[test]
fn classes_that_no_model_knows_stand_in_order_whichever_came_first() {
    let desk = Desk::new();
    let row = |row: usize| format!("{},{}\n", (row * 7) % 40, ["10", "9"][row * 7 % 40 / 20]);
    // More rows than are read at a time.
    let rows = |count: usize| (0..count).map(row).collect::<String>();
    desk.write("t.csv", format!("x,class\n{}", rows(40)));
    let line = "fit t.csv -m tree --nominal class --out t.evo --json";
    desk.json(line);
    desk.json(&line.replace("tree", "naive-bayes").replace("t.evo", "n.evo"));
    let figures = |more: [&str; 2]| {
        let [first, second] = more.map(|class| format!("3,{class}\n"));
        desk.write("more.csv", format!("x,class\n{}{first}{}{second}", rows(10), rows(20_000)));
        let alone = desk.json("evaluate t.evo more.csv --json");
        let both = desk.json("evaluate t.evo n.evo more.csv --json");
        assert_eq!(alone["classes"], json!(["9", "10", "11", "100"]));
        assert_eq!(both["classes"], alone["classes"]);
        assert_eq!(alone["test"]["confusion"], both["models"][0]["figures"]["confusion"]);
        alone["test"]["confusion"].clone()
    };
    assert_eq!(figures(["11", "100"]), figures(["100", "11"]));
}
