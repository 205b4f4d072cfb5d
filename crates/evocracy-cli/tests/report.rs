//! What the command prints as JSON keeps to the schemas in docs/.

mod common;

use common::Desk;
use serde_json::{Value, json};
use std::path::Path;

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

fn assert_valid(schema: &jsonschema::Validator, document: &Value, line: &str) {
    let errors: Vec<String> = schema
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{line}: {errors:#?}");
}

#[test]
fn reports_keep_to_their_schema() {
    let desk = Desk::new();
    let rows = "x,y,who,class\n1,2,a,no\n2,1,a,yes\n3,1,b,no\n4,2,b,yes\n5,3,c,no\n6,3,c,yes\n";
    desk.write("some.csv", rows.repeat(4));
    let schema = schema("report.schema.json");
    for line in [
        "fit pima -m naive-bayes --out m.evo",
        "evaluate m.evo pima",
        "fit iris -m tree",
        "fit iris -m stump --leave-one-out",
        "fit pima -m stump --folds 4 --repeats 2",
        "fit some.csv -m naive-bayes --groups who --folds 3 --target class",
        "fit some.csv -m naive-bayes --groups who --target class",
        "fit some.csv -m tree --test some.csv --target class --out n.evo --refit",
        "fit gen:sinc:rows=80 -m ridge --out r.evo",
        "evaluate r.evo gen:sinc:rows=80",
        "fit gen:sinc:rows=80 -m ridge --folds 4",
        "fit iris -m forest -p trees=10",
        "fit segment -m stump",
        "fit pima -m evo-tree -p evaluations=8 -p folds=2 --out f.evo",
        "evaluate f.evo pima:test",
    ] {
        let document = desk.json(&format!("{line} --json"));
        assert_valid(&schema, &document, line);
    }
    // Of many classes the confusion is a list of cells.
    let row = |row: usize| format!("{},{},c{}\n", row % 7, row % 90, row % 90);
    desk.write("many.csv", format!("x,y,class\n{}", (0..360).map(row).collect::<String>()));
    let document = desk.json("fit many.csv -m tree --json");
    assert_valid(&schema, &document, "many classes");
    let confusion = &document["test"]["confusion"];
    let cells = confusion["cells"].as_array().expect("cells");
    let rows: u64 = cells.iter().filter_map(|cell| cell[2].as_u64()).sum();
    assert_eq!((&confusion["classes"], rows), (&json!(90), 90));
    // A test that cannot fail would be worth nothing.
    let mut document = desk.json("fit iris -m stump --json");
    document["test"]["accuracy"] = json!(1.5);
    assert!(!schema.is_valid(&document));
}

#[test]
fn reports_of_scores_keep_to_their_schema() {
    let desk = Desk::new();
    let mut rows = "id,truth,a,b\n".to_owned();
    for i in 0..60 {
        rows += &format!("{},{},{},{}\n", i / 3, i % 2, (i * 7) % 11 + 3 * (i % 2), (i * 5) % 13);
    }
    desk.write("scores.csv", rows);
    let schema = schema("roc.schema.json");
    for line in [
        "roc scores.csv --truth truth --score a",
        "roc scores.csv --truth truth --score a,b --max-fpr 0.1",
        "roc scores.csv --truth truth --score a,b --clusters id --cost-fn 5",
        "roc scores.csv --truth truth --score a --lower --min-tpr 0.9",
        "roc scores.csv --truth truth --score a,b --partial 0:0.2 --bootstrap=100",
        "roc scores.csv --truth truth --score a,b,id --smooth",
    ] {
        let document = desk.json(&format!("{line} --json"));
        assert_valid(&schema, &document, line);
        let curve = document["scores"][0]["curve"].as_array().expect("a curve");
        let ends = [&curve[0], &curve[curve.len() - 1]].map(|point| point["tpr"].as_f64());
        assert_eq!(ends, [Some(0.0), Some(1.0)], "{line}");
    }
}

#[test]
fn folds_judge_every_row_and_save_a_model_of_all() {
    let desk = Desk::new();
    let document = desk.json("fit pima -m naive-bayes --folds 5 --out m.evo --json");
    assert_eq!((&document["test"]["rows"], &document["train"]["rows"]), (&532.into(), &532.into()));
    assert_eq!(document["protocol"], json!({ "kind": "folds", "folds": 5, "repeats": 1 }));
    let again = desk.json("fit pima -m naive-bayes --folds 5 --threads 1 --json");
    assert_eq!(document["test"], again["test"]);
    let said = desk.line("fit pima -m naive-bayes --folds 5").out;
    assert!(
        said.contains("by models that were not trained on them (cross-validation of 5 folds)"),
        "{said}"
    );
    let wrong = desk.line("fit pima -m tree --folds 1");
    assert_eq!(wrong.code, 2, "{}", wrong.err);
    let both = desk.line("fit pima -m tree --folds 3 --holdout 0.5");
    assert_eq!(both.code, 2);
}

#[test]
fn groups_stay_whole_and_are_not_learnt_from() {
    let desk = Desk::new();
    // The class is that of the patient: who learns the name, knows it.
    let mut rows = "patient,x,class\n".to_owned();
    for patient in 0..30 {
        for visit in 0..4 {
            let class = if patient % 2 == 0 { "ill" } else { "well" };
            rows += &format!("p{patient},{},{class}\n", (patient * 31 + visit * 17) % 23);
        }
    }
    desk.write("visits.csv", rows);
    let document =
        desk.json("fit visits.csv -m tree --groups patient --folds 5 --out m.evo --json");
    assert_eq!(document["data"]["columns"], 1);
    assert_eq!(document["protocol"]["groups"], "patient");
    let unknown = desk.line("fit visits.csv -m tree --groups pateint --folds 5");
    assert_eq!(unknown.code, 2, "{}", unknown.err);
    assert!(unknown.err.contains("did you mean `patient`?"), "{}", unknown.err);
}

#[test]
fn what_a_person_is_told_is_what_was_measured() {
    let desk = Desk::new();
    // Each row four times, under a name that is not learnt from.
    let mut rows = "id,x,z,w,class\n".to_owned();
    for i in 0..40 {
        let class = if i % 10 < 5 { "no" } else { "yes" };
        rows += &format!("r{i},{0},{0},{1},{class}\n", i % 10, u8::from(class != "yes"));
    }
    desk.write("t.csv", rows);
    let said = desk.line("fit t.csv -m tree --ignore id --ignore w").err;
    assert!(said.contains("equal a training row"), "{said}");
    let ran = desk.line("fit t.csv -m tree --ignore id --ignore w --folds 4");
    assert!(ran.err.contains("40 of the 40 rows equal another row"), "{}", ran.err);
    // Who learnt from an equal row has learnt from what it is judged on.
    let head =
        "held back from training in turn (cross-validation of 4 folds); 40 rows of the table";
    assert!(ran.out.contains(head) && !ran.out.contains("not trained on them"), "{}", ran.out);
    // Equal rows are all in one group: none was learnt from when it was judged.
    let said = desk.line("fit t.csv -m tree --ignore id --ignore w --groups x --folds 4").err;
    assert!(!said.contains("equal another row") && said.contains("intervals"), "{said}");
    // A class without weight has no operating points, and is no obstacle.
    let document = desk.json("fit t.csv -m naive-bayes --ignore id --weights w --folds 4 --json");
    assert_eq!(document["operating_points"], json!([]));
    let told =
        desk.line("fit t.csv -m tree --ignore id --ignore w --folds 3 --refit --out m.evo").out;
    assert!(told.contains("Saved in m.evo, trained on all rows."), "{told}");
    for wrong in ["0", "1001", "18446744073709551615", "x"] {
        let ran = desk.line(&format!("fit t.csv -m tree --folds 3 --repeats {wrong}"));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("from 1 to 1000"), "{}", ran.err);
    }
    let told = desk.line("fit t.csv -m tree --ignore id --weights w --test t.csv").err;
    assert!(
        told.contains("judged without weights") || told.contains("all training rows"),
        "{told}"
    );
}
