//! `evocracy compare --groups` on the real binary.

mod common;

use common::Desk;
use serde_json::Value;

#[test]
fn groups_stay_in_one_fold() {
    let desk = Desk::new();
    // Of each patient four equal visits; what they are ill with is that of the patient alone.
    let mut rows = "patient,x,z,class\n".to_owned();
    for patient in 0..40 {
        let class = if (patient * 7) % 10 < 5 { "ill" } else { "well" };
        for _ in 0..4 {
            rows +=
                &format!("p{patient},{},{},{class}\n", (patient * 31) % 97, (patient * 17) % 89);
        }
    }
    desk.write("visits.csv", rows);
    let line = "compare visits.csv -m 1nn,tree --folds 4 --repeats 2 --json";
    let line = line.replace("1nn", "knn") + " -p knn.k=1";
    let leaking = desk.json(&line);
    let whole = desk.json(&format!("{line} --groups patient --folds-out folds.csv"));
    let knn = |document: &Value| {
        let methods = document["sets"][0]["methods"].as_array().expect("methods").clone();
        let knn = methods.into_iter().find(|method| method["name"] == "knn").expect("knn");
        knn["figures"]["accuracy"]["value"].as_f64().expect("a share")
    };
    assert!(knn(&leaking) > 0.95 && knn(&whole) < 0.8, "{} {}", knn(&leaking), knn(&whole));
    assert_eq!((&leaking["groups"], &whole["groups"]), (&Value::Null, &"patient".into()));
    let remarks = whole["sets"][0]["remarks"].to_string();
    assert!(remarks.contains("dependent-rows") && !remarks.contains("twin-rows"), "{remarks}");
    let mut fold_of = std::collections::BTreeMap::new();
    for line in desk.read("folds.csv").lines().skip(1) {
        let cells: Vec<usize> =
            line.split(',').rev().take(3).map(|cell| cell.parse().expect("a number")).collect();
        let [fold, repeat, row] = cells[..] else { panic!("{line}") };
        assert_eq!(*fold_of.entry((repeat, row / 4)).or_insert(fold), fold, "{line}");
    }
    assert_eq!(fold_of.len(), 2 * 40);
    let words = desk.line(&format!("{} --groups patient", line.replace(" --json", ""))).out;
    assert!(words.contains("of 4 folds, each `patient` kept whole, the same"), "{words}");
    desk.line("compare visits.csv -m tree --groups pateint").fails(2, &["did you mean `patient`?"]);
    // Parameters are tuned on folds of whole patients, too.
    let tuned = "compare visits.csv -m tree --folds 2 --repeats 1 --tune=3 --groups patient --json";
    assert_eq!(desk.json(tuned)["sets"][0]["methods"][0]["outcome"], "judged");
}
