//! `evocracy rules` on the real binary.

mod common;

use common::Desk;

#[test]
fn rules_are_sentences_with_what_stands_behind_them() {
    let desk = Desk::new();
    desk.line("fit mushroom --method moe-ga --out m.evo --quiet");
    let ran = desk.line("rules m.evo");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for said in ["odor is ", "applies to ", "training rows, weight ", "then e ", "always\n"] {
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
    assert!(ran.out.contains("x is ") && ran.out.contains(" +- "), "{}{}", ran.out, ran.err);
}

#[test]
fn a_model_without_rules_is_refused() {
    let desk = Desk::new();
    desk.line("fit iris --method knn --out k.evo --quiet");
    desk.line("rules k.evo").fails(1, &["`knn` is not made of rules", "moe-ga"]);
    desk.line("rules none.evo").fails(1, &["none.evo"]);
}
