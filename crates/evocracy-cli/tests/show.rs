//! `evocracy show` on the real binary: what is in a model file.

mod common;

use common::Desk;
use serde_json::Value;

fn said(text: &str, all: &[&str]) {
    for part in all {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn parameters_columns_and_the_tree_are_shown() {
    let desk = Desk::new();
    desk.line("fit iris --method tree -p leaf=7 --seed 3 --out t.evo --quiet");
    let ran = desk.line("show t.evo --plot t.svg");
    assert_eq!(ran.code, 0, "{}", ran.err);
    said(
        &ran.out,
        &[
            "(method tree), trained on 112 rows to predict `class`",
            "Parameters: leaf = 7 (usual: ",
            "; as usual ",
            "Columns: sepal length (cm), sepal width (cm), petal length (cm), petal width (cm).",
            "Trained with seed 3 by version ",
            "The tree, each condition below",
            ": setosa ",
            "share of the impurity taken away",
            "The picture is in t.svg.",
        ],
    );
    let json = desk.json("show t.evo --json");
    assert_eq!(json["settings"][0]["name"], "leaf");
    assert_eq!(json["settings"][0]["is_usual"], false);
    let nodes = json["tree"]["nodes"].as_array().expect("nodes");
    assert_eq!(nodes.len() as u64, json["size"]["nodes"].as_u64().expect("a count"));
    assert_eq!(json["tree"]["of_nodes"], json["size"]["nodes"]);
    assert_eq!(nodes[0]["rows"], 112.0);
    let leaves: Vec<&Value> = nodes.iter().filter(|node| node["leaf"] == true).collect();
    assert_eq!(leaves.iter().map(|leaf| number(&leaf["rows"])).sum::<f64>(), 112.0);
    // Every condition of the list is in the words, and in the picture as XML spells it.
    let svg = desk.read("t.svg");
    for node in &nodes[1..] {
        let condition = node["condition"].as_str().expect("words");
        said(&ran.out, &[condition]);
        said(&svg, &[&condition.replace('<', "&lt;").replace('>', "&gt;")]);
    }
    assert_eq!(json["rules"]["count"].as_u64(), Some(leaves.len() as u64));
    let shares = json["importance"]["columns"].as_array().expect("columns");
    let sum: f64 = shares.iter().map(|column| number(&column["values"][0])).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn a_long_tree_is_cut_and_the_words_say_so() {
    let desk = Desk::new();
    desk.line("fit car --method tree -p prune_folds=0 -p leaf=1 --out t.evo --quiet");
    let ran = desk.line("show t.evo --plot t.svg");
    assert_eq!(ran.code, 0, "{}", ran.err);
    said(&ran.out, &["Only the first ", " levels of splits are shown, ", " more nodes below"]);
    assert!(ran.out.lines().count() < 110, "{}", ran.out);
    said(&desk.read("t.svg"), &["Only the first ", " more below"]);
    desk.line("fit pima --method stump --out s.evo --quiet");
    let ran = desk.line("show s.evo");
    assert!(!ran.out.contains("Only the first"), "{}", ran.out);
    said(&ran.out, &[" <= ", " > ", " rows)"]);
    desk.line("fit pima --method knn --out k.evo --quiet");
    desk.line("show k.evo --plot k.svg").fails(1, &["only fronts and trees are drawn"]);
    desk.line("show t.evo --plot t.evo").fails(1, &["is both the model and --plot"]);
}

#[test]
fn coefficients_give_the_log_odds() {
    let desk = Desk::new();
    desk.write(
        "d.csv",
        "x,y,class\n1,0,no\n0,1,no\n2,1,no\n4,1,no\n3,0,yes\n6,1,yes\n5,0,yes\n7,0,yes\n",
    );
    desk.line("fit d.csv --method logistic --test d.csv --out l.evo --quiet");
    let ran = desk.line("show l.evo");
    said(&ran.out, &["Coefficients: what one unit of an input adds to log-odds", "yes against no"]);
    said(&ran.out, &["(intercept)", "standard deviations from its mean in training"]);
    let vector = &desk.json("show l.evo --json")["coefficients"][0];
    assert_eq!(vector["of"], "yes against no");
    let inputs = vector["coefficients"].as_array().expect("inputs");
    let of = |name: &str| {
        let found = inputs.iter().find(|own| own["input"] == name).expect(name);
        number(&found["coefficient"])
    };
    // x has mean 3.5 and variance 5.25, y mean 0.5 and variance 0.25.
    let odds = |x: f64, y: f64| {
        number(&vector["intercept"])
            + of("x") * (x - 3.5) / 5.25_f64.sqrt()
            + of("y") * (y - 0.5) / 0.5
    };
    desk.write("new.csv", "x,y\n2.5,1\n9,0\n");
    let predicted = desk.line("predict l.evo new.csv").out;
    let column = predicted.lines().next().unwrap().split(',').position(|name| name == "p_yes");
    let column = column.or_else(|| {
        predicted.lines().next().unwrap().split(',').position(|name| name.contains("yes"))
    });
    for ((x, y), line) in [(2.5, 1.0), (9.0, 0.0)].into_iter().zip(predicted.lines().skip(1)) {
        let p: f64 = line.split(',').nth(column.expect("a column")).unwrap().parse().unwrap();
        let expected = 1.0 / (1.0 + (-odds(x, y)).exp());
        assert!((p - expected).abs() < 1e-5, "{p} {expected}");
    }
    // Of several classes there is a vector for each; of numbers one.
    desk.line("fit iris --method logistic --out i.evo --quiet");
    assert_eq!(desk.json("show i.evo --json")["coefficients"].as_array().unwrap().len(), 3);
    desk.line("fit gen:sinc --method ridge --out r.evo --quiet");
    said(&desk.line("show r.evo").out, &["adds to the prediction", "(intercept)"]);
}

#[test]
fn vectors_members_importances_and_rules_are_shown() {
    let desk = Desk::new();
    desk.line("fit gen:sinc --method rvm-regression --out v.evo --quiet");
    let ran = desk.line("show v.evo");
    said(&ran.out, &["Relevance vectors: weights of kernels of width ", "row "]);
    let json = desk.json("show v.evo --json");
    let vectors = json["diagnostics"]["vectors"].as_array().expect("vectors");
    let rows = vectors.iter().filter(|vector| vector["row"].is_u64()).count();
    assert_eq!(json["size"]["vectors"].as_u64(), Some(rows as u64));
    desk.line("fit iris --method rvm --out c.evo --quiet");
    said(&desk.line("show c.evo").out, &["For virginica:", "row "]);
    desk.line("fit iris --method stack:tree+knn --out s.evo --quiet");
    said(&desk.line("show s.evo").out, &["Members:", " knn ", "4 columns"]);
    desk.line("fit iris --method forest -p importance=permutation --out f.evo --quiet");
    let ran = desk.line("show f.evo");
    said(&ran.out, &["How much columns mattered in training", "accuracy lost out of bag"]);
    said(&ran.out, &["All of them: evocracy rules f.evo", "\n3. if "]);
    assert!(!ran.out.contains("\n4. if "), "{}", ran.out);
}

#[test]
fn shuffled_columns_show_what_a_model_needs() {
    let desk = Desk::new();
    let row = |at: usize| {
        let x = at * 7 % 60;
        format!("{x},{},{}\n", at * 37 % 60, if x < 30 { "no" } else { "yes" })
    };
    let rows: String = (0..60).map(row).collect();
    desk.write("d.csv", format!("x,noise,class\n{rows}"));
    desk.line("fit d.csv --method tree --test d.csv --out t.evo --quiet");
    let ran = desk.line("show t.evo --data d.csv --repeats 5");
    assert_eq!(ran.code, 0, "{}", ran.err);
    said(
        &ran.out,
        &[
            "What is lost where a column is shuffled, on 60 rows with accuracy 100.0 %",
            "Mean of 5 shuffles, with the 95 % interval of that mean over the shuffles:",
            "0.0000 (0.0000 to 0.0000)",
        ],
    );
    // The rows are those it was trained on, and that is said.
    said(&ran.err, &["60"]);
    let json = desk.json("show t.evo --data d.csv --repeats 5 --json");
    let needs = &json["permutation"];
    assert_eq!((&needs["rows"], &needs["repeats"]), (&60.into(), &5.into()));
    assert_eq!(needs["columns"][0]["column"], "x");
    let lost = &needs["columns"][0]["accuracy"];
    // Half of the rows have a cell of the other class, more or less.
    assert!((number(&lost["mean"]) - 0.5).abs() < 0.15, "{lost}");
    assert!(number(&lost["interval"]["low"]) < number(&lost["mean"]));
    assert_eq!(number(&needs["columns"][1]["accuracy"]["mean"]), 0.0);
    // The seed decides, and not the threads.
    let line = "show t.evo --data d.csv --repeats 5 --json";
    assert_eq!(desk.json(&format!("{line} --threads 3")), json);
    assert_ne!(desk.json(&format!("{line} --seed 2"))["permutation"], json["permutation"]);
    desk.line("fit gen:sinc --method ridge --out r.evo --quiet");
    said(&desk.line("show r.evo --data gen:sinc").out, &["root mean square error", "error added"]);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let desk = Desk::new();
    desk.line("fit iris --method tree --out t.evo --quiet");
    desk.line("show t.evo --repeats 5").fails(2, &["--data"]);
    desk.line("show t.evo --data iris --repeats 1").fails(2, &["repeats", "from 2 to 1000"]);
    desk.line("show t.evo --data none.csv").fails(2, &["none.csv"]);
    desk.write("few.csv", "sepal length (cm),class\n1,setosa\n");
    desk.line("show t.evo --data few.csv").fails(1, &["of the training data is missing"]);
    let all = "sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),class\n1,1,1,1,tulip\n";
    desk.write("tulip.csv", all);
    desk.line("show t.evo --data tulip.csv")
        .fails(1, &["no row has a `class` that the model knows"]);
    desk.write("one.csv", format!("{all}5,3,1.4,0.2,setosa\n"));
    let ran = desk.line("show t.evo --data one.csv");
    said(&ran.out, &["on 1 row with", "One more row has no target that the model knows."]);
}
