//! What calls are to be good for, from `fit` to `predict`.

mod common;

use common::Desk;
use serde_json::{Value, json};

/// How many predictions of a file are of a class.
fn called(desk: &Desk, line: &str, class: &str) -> usize {
    let ran = desk.line(line);
    assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    ran.out.lines().filter(|row| row.split(',').next() == Some(class)).count()
}

fn threshold(document: &Value) -> f64 {
    let call = &document["model"]["decision"]["call"];
    call["threshold"].as_f64().unwrap_or_else(|| panic!("{call}"))
}

#[test]
fn costs_choose_a_threshold_that_predict_and_evaluate_use() {
    let desk = Desk::new();
    let plain = desk.json("fit pima -m naive-bayes --out plain.evo --json");
    let fitted = desk.json("fit pima -m naive-bayes --cost-fn 5 --out m.evo --json");
    let decision = &fitted["model"]["decision"];
    assert_eq!((&decision["on"], &decision["rows"]), (&json!("out-of-fold"), &json!(200)));
    assert_eq!(decision["criterion"]["cost"]["false_negative"], 5.0);
    // Missing an ill one is dear: more are called so, by the same probabilities.
    assert!(threshold(&fitted) < 0.5);
    assert_eq!(plain["test"]["auc"], fitted["test"]["auc"]);
    let hits = |document: &Value| document["test"]["confusion"][1][1].as_u64();
    assert!(hits(&fitted) > hits(&plain));
    let judged = desk.json("evaluate m.evo pima:test --json");
    assert_eq!(judged["test"], fitted["test"]);
    assert_eq!(judged["model"]["decision"], *decision);
    // What the calls cost is what the matrix of calls says, at the prior of the training rows.
    let cells = |t: usize, c: usize| fitted["test"]["confusion"][t][c].as_f64().expect("rows");
    let (fpr, miss) =
        (cells(0, 1) / (cells(0, 0) + cells(0, 1)), cells(1, 0) / (cells(1, 0) + cells(1, 1)));
    let prior = decision["criterion"]["cost"]["prior"].as_f64().expect("a share");
    let cost = fitted["calls"]["cost"]["mean"].as_f64().expect("a cost");
    assert!((cost - (5.0 * prior * miss + (1.0 - prior) * fpr)).abs() < 1e-12);

    let of = |options: &str| called(&desk, &format!("predict m.evo pima:test{options}"), "Yes");
    let all = (cells(0, 1) + cells(1, 1)) as usize;
    assert_eq!(of(""), all);
    assert_eq!(called(&desk, "predict plain.evo pima:test", "Yes"), {
        let cells = &plain["test"]["confusion"];
        (cells[0][1].as_u64().expect("rows") + cells[1][1].as_u64().expect("rows")) as usize
    });
    // Other costs, another rate or a threshold take the place of what is stored.
    assert!(of(" --cost-fn 0.2") < all && of(" --max-fpr 0.02") < all);
    assert_eq!((of(" --threshold 0"), of(" --threshold inf")), (332, 0));
    assert_eq!(of(" --cost-fn 5 --cost-fp 1"), all);
    let eager = desk.json("evaluate m.evo pima:test --min-tpr 0.95 --json");
    assert_eq!(eager["model"]["decision"]["criterion"], json!({ "min-tpr": 0.95 }));
    assert!(eager["test"]["confusion"][1][1].as_f64() > Some(cells(1, 1)));
}

#[test]
fn a_threshold_is_chosen_on_training_rows_only() {
    let desk = Desk::new();
    // The same training rows with other test rows, of which all labels are turned round.
    let rows = |turned: bool, from: usize, to: usize| -> String {
        let mut text = String::new();
        for row in from..to {
            let x = (row * 37) % 101;
            let ill = (x + (row * 13) % 60 > 90) != turned;
            text += &format!("{x},{}\n", if ill { "ill" } else { "well" });
        }
        text
    };
    desk.write("train.csv", format!("x,class\n{}", rows(false, 0, 300)));
    desk.write("a.csv", format!("x,class\n{}", rows(false, 300, 500)));
    desk.write("b.csv", format!("x,class\n{}", rows(true, 300, 500)));
    let fit = |test: &str, options: &str| {
        let line = format!("fit train.csv -m logistic --positive ill {options} --json");
        desk.json(&format!("{line} --test {test}"))
    };
    for options in ["--max-fpr 0.05", "--min-tpr 0.9", "--cost-fn 3 --prior 0.05"] {
        let (one, other) = (fit("a.csv", options), fit("b.csv", options));
        assert_eq!(one["model"]["decision"], other["model"]["decision"], "{options}");
        assert_ne!(one["test"], other["test"], "{options}");
        assert_eq!(one["model"]["decision"]["rows"], 300);
    }
    // Under folds each fold has a threshold of its own, chosen without the rows that it judges.
    let line = "fit train.csv -m logistic --positive ill --max-fpr 0.1 --json";
    let folds = desk.json(&format!("{line} --folds 5"));
    let cells = &folds["test"]["confusion"];
    let cell = |truth: usize, called: usize| cells[truth][called].as_f64().expect("rows");
    let [ill, well] = [0, 1].map(|truth| cell(truth, 0) + cell(truth, 1));
    assert_eq!(ill + well, 300.0);
    let (tpr, fpr) = (cell(0, 0) / ill, cell(1, 0) / well);
    // Three standard errors of the rows that the thresholds were chosen on, and are judged on.
    assert!(fpr < 0.1 + 3.0 * (2.0 * 0.1 * 0.9 / well).sqrt() && tpr > 0.3, "{cells}");
    let words = desk.line("fit train.csv -m logistic --positive ill --max-fpr 0.1 --folds 5").out;
    let told = "This is the threshold of the model of all rows. The judged rows were called by \
                thresholds of their folds, each chosen without the rows that its fold judges.";
    assert!(words.contains(told), "{words}");
    for options in ["--folds 5", "--max-fpr 0.1", "--threshold 0.3 --folds 5"] {
        let words = desk.line(&format!("fit train.csv -m logistic --positive ill {options}")).out;
        assert!(!words.contains("thresholds of their folds"), "{options}: {words}");
    }
    assert_eq!(folds["model"]["decision"]["criterion"], json!({ "max-fpr": 0.1 }));
    // The same command gives the same, whatever the threads.
    let one = desk.json(&format!("{line} --folds 5 --threads 1"));
    assert_eq!((&one["test"], &one["model"]), (&folds["test"], &folds["model"]));
}

#[test]
fn rates_are_kept_on_the_rows_they_were_chosen_on() {
    let desk = Desk::new();
    let words = desk.line("fit gen:ripley:rows=1000 -m logistic --max-fpr 0.05 --out m.evo").out;
    assert!(words.contains("with at most 5.0 % false alarms, on 750 rows"), "{words}");
    let judged = desk.json("evaluate m.evo gen:ripley:rows=4000 --seed 9 --json");
    let cells = &judged["test"]["confusion"];
    let cell = |t: usize, c: usize| cells[t][c].as_f64().expect("rows");
    let fpr = cell(0, 1) / (cell(0, 0) + cell(0, 1));
    // Three standard errors of the rows it was chosen on.
    assert!(fpr < 0.05 + 3.0 * (0.05_f64 * 0.95 / 375.0).sqrt(), "{fpr}");
}

#[test]
fn a_matrix_of_costs_moves_the_calls_of_several_classes() {
    let desk = Desk::new();
    let costs =
        "truth,setosa,versicolor,virginica\nsetosa,0,1,1\nvirginica,20,20,0\nversicolor,1,0,1\n";
    desk.write("costs.csv", costs);
    let plain = desk.json("fit iris -m naive-bayes --out plain.evo --json");
    let dear = desk.json("fit iris -m naive-bayes --costs costs.csv --out m.evo --json");
    let called = |document: &Value| document["calls"]["classes"][2]["called"].as_f64();
    assert!(called(&dear) >= called(&plain));
    assert_eq!(
        dear["model"]["decision"]["call"]["costs"],
        json!([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [20.0, 20.0, 0.0]])
    );
    assert_eq!(dear["calls"]["cost"]["always"], "virginica");
    let stored = desk.line("predict m.evo iris").out;
    assert_eq!(stored, desk.line("predict plain.evo iris --costs costs.csv").out);
    assert_ne!(stored, desk.line("predict plain.evo iris").out);
    // By hand: the call of the least expected cost.
    for row in stored.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let p: Vec<f64> = cells[1..].iter().map(|p| p.parse().expect("a number")).collect();
        let cost = [p[1] + 20.0 * p[2], p[0] + 20.0 * p[2], p[0] + p[1]];
        let names = ["setosa", "versicolor", "virginica"];
        let best = (0..3).min_by(|&a, &b| cost[a].total_cmp(&cost[b])).expect("a class");
        assert_eq!(cells[0], names[best], "{row}");
    }
    for (text, said) in [
        ("truth,setosa,versicolor\nsetosa,0,1\nversicolor,1,0\n", "`virginica`"),
        ("truth,setosa,versicolor,virginia\nsetosa,0,1,1\n", "did you mean `virginica`?"),
        (
            "truth,setosa,versicolor,virginica\nsetosa,0,1,1\nversicolor,1,0,x\nvirginica,1,1,0\n",
            "is not a number",
        ),
    ] {
        desk.write("costs.csv", text);
        let ran = desk.line("fit iris -m naive-bayes --costs costs.csv");
        assert!(ran.code > 0 && ran.err.contains(said), "{said}: {}", ran.err);
    }
}

#[test]
fn what_cannot_be_had_is_refused_before_training() {
    let desk = Desk::new();
    desk.line("fit pima -m tree --out m.evo").out.clear();
    for (line, code, said) in [
        ("fit iris --cost-fn 5", 1, "--costs FILE"),
        ("fit iris --threshold 0.3", 1, "--costs FILE"),
        ("fit gen:sinc -m ridge --max-fpr 0.1", 1, "the target is a number"),
        ("fit pima --max-fpr 2", 2, "--max-fpr must be between 0 and 1"),
        ("fit pima --cost-fn=-1", 2, "--cost-fn must be"),
        ("fit pima --prior 3", 2, "--prior must be"),
        ("fit pima --max-fpr 0.1 --cost-fn 2", 1, "both costs and a rate"),
        ("fit pima --max-fpr 0.1 --threshold 0.5", 2, "cannot be used with"),
        ("fit pima --costs none.csv", 1, "none.csv"),
        ("fit pima --threshold 5", 2, "a probability from 0 to 1, or inf"),
        ("fit pima --threshold nan", 2, "a probability from 0 to 1, or inf"),
        ("predict m.evo pima --threshold=-3", 2, "a probability from 0 to 1, or inf"),
        ("predict m.evo pima --max-fpr 0.1", 1, "fit it with such an option"),
        ("evaluate m.evo pima --cost-fn 2 --prior 0.1", 1, "fit it with such an option"),
    ] {
        desk.line(line).fails(code, &[said]);
    }
    // Costs alone need no rows.
    let eager = desk.json("evaluate m.evo pima:test --cost-fn 9 --json");
    assert!(eager["test"]["confusion"][0][1].as_u64() > Some(0));
    desk.write("few.csv", "x,class\n1,a\n2,a\n3,a\n4,a\n9,b\n");
    desk.write("t.csv", "x,class\n1,a\n9,b\n");
    desk.line("fit few.csv --test t.csv --max-fpr 0.1").fails(1, &["one training row"]);
}

#[test]
fn points_of_a_report_tell_of_a_thousand_rows() {
    let desk = Desk::new();
    let line = "fit pima -m naive-bayes --cost-fn 5 --prior 0.02";
    let document = desk.json(&format!("{line} --json"));
    let points = document["operating_points"].as_array().expect("points");
    let caps: Vec<f64> = points.iter().filter_map(|point| point["max_fpr"].as_f64()).collect();
    assert_eq!(caps, [0.01, 0.05, 0.1, 0.2]);
    for point in points {
        let people = |name: &str| point["per_1000"][name].as_f64().expect("rows");
        assert!((people("true_positives") + people("false_negatives") - 20.0).abs() < 1e-9);
        assert!((people("false_positives") + people("true_negatives") - 980.0).abs() < 1e-9);
        let (tpr, interval) = (point["tpr"].as_f64(), &point["tpr_interval"]);
        assert!(interval["low"].as_f64() <= tpr && tpr <= interval["high"].as_f64());
    }
    let words = desk.line(line).out;
    assert!(words.contains("out of 1000 rows 20 are `Yes`"), "{words}");
    assert!(words.contains("a miss 5 and 2.0 % are `Yes`"), "{words}");
    assert!(words.contains("Its calls cost "), "{words}");
    assert_eq!(words.matches(" at most ").count(), 4, "{words}");
}

#[test]
fn a_threshold_comes_back_after_a_kill() {
    let desk = Desk::new();
    let line = "fit pima -m naive-bayes --cost-fn 5 --folds 3 --resume parts --json --out";
    let mut first = desk.json(&format!("{line} a.evo"));
    let mut again = desk.json(&format!("{line} b.evo"));
    assert!(again["resumed_parts"].as_u64() > Some(0));
    assert!(
        std::fs::read(desk.path("a.evo")).unwrap() == std::fs::read(desk.path("b.evo")).unwrap()
    );
    for document in [&mut first, &mut again] {
        document["timing"] = Value::Null;
        document["resumed_parts"] = Value::Null;
        document["model"]["saved"] = Value::Null;
    }
    assert_eq!(first, again);
    // Other costs do not take its parts for theirs.
    let other = desk.json("fit pima -m naive-bayes --cost-fn 1 --folds 3 --resume parts --json");
    assert_ne!(other["model"]["decision"], first["model"]["decision"]);
}

#[test]
fn expected_costs_are_those_of_the_classes_as_frequent_as_they_are() {
    let desk = Desk::new();
    let row = |row: i32| {
        let ill = row % 9 == 0;
        let x = (row * 37) % 100 + if ill { 45 } else { 0 };
        format!("{x},{}\n", if ill { "ill" } else { "well" })
    };
    desk.write("t.csv", format!("x,class\n{}", (0..400).map(row).collect::<String>()));
    desk.write("costs.csv", "truth,ill,well\nill,0,4\nwell,1,0\n");
    let fit = |options: &str| {
        let line =
            format!("fit t.csv -m naive-bayes -p floor=1e-12 --positive ill {options} --json");
        desk.json(&line.replace("  ", " "))["test"]["confusion"].clone()
    };
    // The densities of a class do not depend on its weight: only the prior differs.
    let (plain, even) = (fit("--out plain.evo"), fit("--balance --out even.evo"));
    assert_ne!(plain, even);
    let (dear, even_dear) = (fit("--costs costs.csv"), fit("--balance --costs costs.csv"));
    assert_eq!(dear, even_dear);
    assert!(dear != plain && dear != even, "{dear}");
    let evaluate = |model: &str, options: &str| {
        desk.json(&format!("evaluate {model} t.csv {options} --json"))["test"]["confusion"].clone()
    };
    for options in ["--cost-fn 4", "--costs costs.csv"] {
        assert_eq!(evaluate("plain.evo", options), evaluate("even.evo", options), "{options}");
    }
    assert_ne!(evaluate("even.evo", "--threshold 0.5"), evaluate("even.evo", "--cost-fn 4"));
    let calls = |model: &str| {
        let said = desk.line(&format!("predict {model} t.csv --cost-fn 4")).out;
        let call = |line: &str| line.split(',').next().map(str::to_owned);
        said.lines().map(call).collect::<Vec<_>>()
    };
    assert_eq!(calls("plain.evo"), calls("even.evo"));
    // Under folds every fold has weights of its own.
    let folds = |options: &str| fit(&format!("{options} --costs costs.csv --folds 4"));
    assert_eq!(folds(""), folds("--balance"));
}

/// Holds a list of points to what every report of two classes has.
fn are_points(points: &Value, of: &str) {
    let caps = points.as_array().expect(of).iter().filter_map(|point| point["max_fpr"].as_f64());
    assert_eq!(caps.collect::<Vec<_>>(), [0.01, 0.05, 0.1, 0.2], "{of}");
    for point in points.as_array().expect(of) {
        let rows = |name: &str| point["per_1000"][name].as_f64().expect(of);
        let names = ["true_positives", "false_negatives", "false_positives", "true_negatives"];
        assert!((names.map(rows).iter().sum::<f64>() - 1000.0).abs() < 1e-9, "{of}");
        assert!(point["fpr"].as_f64() <= point["max_fpr"].as_f64(), "{of}");
    }
}

#[test]
fn every_report_of_two_classes_has_the_points() {
    let desk = Desk::new();
    let says = |line: &str, reports: usize| {
        let words = desk.line(line).out;
        let heads = words.matches("What other thresholds do on these rows, with 95 %").count();
        assert_eq!((heads, words.matches(" at most ").count()), (reports, 4 * reports), "{words}");
    };
    let demo = desk.json("demo --json");
    for result in demo["results"].as_array().expect("results") {
        are_points(&result["operating_points"], "demo");
    }
    says("demo", 2);

    let soften = "soften ripley-synth -p lambda=4 -p width=4 --samples 76 -p steps=40 --chains 2";
    are_points(&desk.json(&format!("{soften} --json"))["operating_points"], "soften");
    says(soften, 1);

    desk.json("fit pima -m naive-bayes --out n.evo --json");
    desk.json("fit pima -m logistic --out l.evo --json");
    let paired = desk.json("evaluate n.evo l.evo pima:test --json");
    for (at, file) in ["n.evo", "l.evo"].into_iter().enumerate() {
        let points = &paired["models"][at]["operating_points"];
        are_points(points, file);
        let alone = desk.json(&format!("evaluate {file} pima:test --json"));
        assert_eq!(points, &alone["operating_points"]);
    }
    says("evaluate n.evo l.evo pima:test", 2);

    let row = |row: usize| {
        let truth = row.is_multiple_of(3);
        let say = |wrong: bool| if truth == wrong { "no" } else { "yes" };
        format!("{},{},{}\n", say(false), say(row.is_multiple_of(5)), say(row.is_multiple_of(7)))
    };
    let rows: String = (0..90).map(row).collect();
    desk.write("said.csv", format!("truth,one,two\n{rows}"));
    let combine = "combine said.csv --truth truth -m naive";
    assert_eq!(desk.json(&format!("{combine} --json"))["operating_points"], Value::Array(vec![]));
    let judged = format!("{combine} --test said.csv");
    are_points(&desk.json(&format!("{judged} --json"))["operating_points"], "combine");
    says(&judged, 1);
    // Three classes have none.
    desk.json("fit iris -m tree --out a.evo --json");
    desk.json("fit iris -m naive-bayes --out b.evo --json");
    let three = desk.json("evaluate a.evo b.evo iris --json");
    assert_eq!(three["models"][0]["operating_points"], Value::Array(vec![]));
    says("evaluate a.evo b.evo iris", 0);
}
