//! Fronts on the command line: evolve, look, pick, use.

mod common;

use common::Desk;

const SMALL: &str = "-p evaluations=60 -p most=6 -p folds=3";

#[test]
fn a_front_is_evolved_shown_picked_and_used() {
    let desk = Desk::new();
    let made = desk.line(&format!("front pima {SMALL} --out p.front --plot p.svg"));
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(!made.out.contains("The search took"));
    assert!(made.out.contains("Measured on rows that the models were not fitted to."));
    assert!(desk.read("p.svg").starts_with("<svg"));
    let shown = desk.json("show p.front --json");
    let points = shown["front"]["points"].as_array().expect("points");
    assert!(points.len() > 20 && shown["front"]["judged_rows"].as_array().is_some());
    // Each criterion is met, by the figures that the front states.
    let rate = |picked: &serde_json::Value, at: usize| {
        picked["figures"]["promised"][at]["value"].as_f64().expect("a rate")
    };
    let few = desk.json("pick p.front --max-fpr 0.1 --json");
    assert!(rate(&few, 1) <= 0.1);
    let most = desk.json("pick p.front --min-tpr 0.9 --json");
    assert!(rate(&most, 0) >= 0.9 && rate(&most, 1) >= rate(&few, 1));
    let dear = desk.json("pick p.front --cost-fn 10 --cost-fp 1 --out dear.evo --json");
    let cheap = desk.json("pick p.front --cost-fn 1 --cost-fp 10 --json");
    assert!(rate(&dear, 0) > rate(&cheap, 0));
    let small = desk.json("pick p.front --max-complexity 1 --json");
    assert!(small["figures"]["complexity"].as_f64().expect("a number") <= 1.0);
    assert_eq!(desk.line("pick p.front --knee").code, 0);
    // A prior alone means costs of 1 to 1, also with a limit of complexity.
    for limit in ["", " --max-complexity 3"] {
        let chosen =
            |by: &str| desk.json(&format!("pick p.front {by}{limit} --json"))["point"].clone();
        for prior in [0.02, 0.98] {
            let plain = chosen(&format!("--prior {prior}"));
            assert_eq!(plain, chosen(&format!("--cost-fp 1 --cost-fn 1 --prior {prior}")));
        }
        assert_ne!(chosen("--prior 0.02"), chosen("--prior 0.98"));
    }
    // A picked model has no other points to take.
    assert!(!desk.line("show dear.evo").out.contains("takes another"));
    // The picked model says what the front says at that point.
    let point = dear["point"].as_u64().expect("a number");
    let one = desk.line("predict dear.evo pima:test --quiet");
    let all = desk.line(&format!("predict p.front --point {point} pima:test --quiet"));
    assert_eq!((one.code, &one.out), (0, &all.out), "{}", one.err);
    let sizes =
        ["p.front", "dear.evo"].map(|name| std::fs::metadata(desk.path(name)).expect(name).len());
    assert!(sizes[1] < sizes[0]);
}

/// On the rows it was counted on a front attains what it attains in training.
#[test]
fn the_area_of_a_front_is_shown_and_judged() {
    let desk = Desk::new();
    let made = desk.line("front pima -p scheme=base -p iterations=200 --out b.front --quiet");
    assert_eq!(made.code, 0, "{}", made.err);
    let area = |line: &str, name: &str| desk.json(line)["front"][name].as_f64().expect("an area");
    let shown = area("show b.front --json", "training_area");
    assert!(shown > 0.6 && shown < 1.0, "{shown}");
    let same = area("evaluate b.front pima --json", "test_area");
    assert!((shown - same).abs() < 1e-9, "{shown} {same}");
    let other = area("evaluate b.front pima:test --json", "test_area");
    assert!(other > 0.5 && other < 1.0, "{other}");
    assert_eq!(area("evaluate b.front pima:test --json", "training_area"), shown);
    // Points of little complexity attain less, on both kinds of rows, and are listed alone.
    let few = area("show b.front --json --max-complexity 2", "training_area");
    assert!(few > 0.5 && few < shown, "{few} {shown}");
    let line = "evaluate b.front pima --json --max-complexity 2";
    assert_eq!(desk.json(line)["front"]["max_complexity"], 2.0);
    assert!((area(line, "test_area") - few).abs() < 1e-9);
    assert_eq!(area(line, "training_area"), few);
    let listed = desk.line("show b.front --max-complexity 2 --plot few.svg");
    assert!(listed.out.contains(&format!("attain an area of {few:.4}")), "{}", listed.out);
    assert!(!desk.read("few.svg").contains("at most 3 vectors"));
    // Several classes have no such plane.
    assert_eq!(desk.line(&format!("front iris {SMALL} --out i.front --quiet")).code, 0);
    assert!(desk.json("show i.front --json")["front"]["training_area"].is_null());
    assert!(desk.json("evaluate i.front iris --json")["front"].is_null());
}

/// One class against the rest is the front of a table whose target has these two classes.
#[test]
fn one_class_is_put_against_all_others() {
    let desk = Desk::new();
    let made = desk
        .line(&format!("front iris {SMALL} --positive versicolor --out one.front --plot one.svg"));
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains("All classes but `versicolor` count as one"), "{}", made.out);
    let header = "sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),class\n";
    let (mut merged, mut known) = (header.to_owned(), header.to_owned());
    for (at, row) in [[5.1, 3.5, 1.4, 0.2], [6.0, 2.7, 4.2, 1.3], [6.6, 3.0, 5.5, 2.0]]
        .iter()
        .cycle()
        .take(30)
        .enumerate()
    {
        let cells: Vec<String> = row.iter().map(|x| (x + at as f64 / 100.0).to_string()).collect();
        let class = ["setosa", "versicolor", "virginica"][at % 3];
        let of = |class: &str| format!("{},{class}\n", cells.join(","));
        known += &of(class);
        merged += &of(if class == "versicolor" { class } else { "not versicolor" });
    }
    desk.write("known.csv", &known);
    desk.write("merged.csv", &merged);
    // The table of three classes is judged as the one of two, and no class is unknown.
    let both = ["known.csv", "merged.csv"]
        .map(|table| desk.json(&format!("evaluate one.front {table} --json")));
    assert_eq!(both[0]["test"], both[1]["test"]);
    assert_eq!(both[0]["front"], both[1]["front"]);
    assert_eq!(both[0]["remarks"], both[1]["remarks"]);
    // And a front of the merged table is the one of the class against the rest.
    let line = |table: &str| {
        let front = desk.json(&format!("front {table} {SMALL} --positive versicolor --json"));
        front["front"].clone()
    };
    assert_eq!(line("known.csv"), line("merged.csv"));
}

#[test]
fn a_search_on_some_of_the_rows_says_so() {
    let desk = Desk::new();
    let made = desk.line(&format!("front pima {SMALL} -p rows=150 --out p.front"));
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains("The search took 150 of these rows"), "{}", made.out);
    assert_eq!(desk.json("show p.front --json")["front"]["searched_rows"], 150);
    let base = "front pima -p scheme=base -p iterations=20 -p rows=150";
    assert!(desk.line(base).out.contains("The search took 150 of these rows"));
    let tree = "front pima --method evo-tree -p evaluations=16 -p folds=2 -p rows=150";
    assert!(desk.line(tree).out.contains("The search took 150 of these rows"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let desk = Desk::new();
    let refused = |line: &str, code: i32, what: &str| {
        let ran = desk.line(line);
        assert_eq!(ran.code, code, "{line}: {}", ran.out);
        assert!(ran.err.contains(what), "{line}: {}", ran.err);
    };
    refused("front pima --method tree", 1, "makes one model, not a front");
    refused("front pima --method evo-rvn", 2, "evo-rvm");
    refused("front pima -p encode=mdl", 1, "reads the labels");
    refused("fit pima -m evo-tree --encode mdl", 1, "reads the labels");
    refused("front pima -p scheme=sofd", 2, "soft");
    refused("front iris -p scheme=base", 1, "two classes");
    desk.write("one.csv", "a,class\n1,x\n2,x\n3,x\n4,x\n");
    for method in ["evo-rvm", "evo-logistic", "evo-tree", "evo-rules"] {
        refused(&format!("front one.csv --method {method}"), 1, "every row has the class");
    }
    desk.write("two.csv", "a,class\n1,x\n2,x\n3,x\n4,x\n5,x\n6,y\n");
    for method in ["evo-rvm", "evo-logistic", "evo-tree", "evo-rules"] {
        refused(&format!("front two.csv --method {method}"), 1, "a single training row");
    }
    refused("front two.csv -p scheme=base", 1, "a single training row");
    desk.write("three.csv", "a,class\n1,x\n2,x\n3,y\n4,y\n5,x\n6,z\n");
    for method in ["evo-rvm", "evo-logistic", "evo-tree", "evo-rules"] {
        let line = format!("front three.csv --method {method}");
        refused(&line, 1, "the class `z` has a single training row");
    }
    assert_eq!(desk.line("fit iris --out tree.evo --quiet").code, 0);
    refused("pick tree.evo --knee", 1, "is no front");
    assert_eq!(desk.line(&format!("front pima {SMALL} --out p.front --quiet")).code, 0);
    refused("pick p.front", 1, "what the point is to be chosen for is missing");
    refused("pick p.front --cost-fp=-1", 2, "--cost-fp must be a finite cost of at least 0");
    refused("pick p.front --cost-fp 1 --prior 2", 2, "--prior must be a chance between 0 and 1");
    refused("pick p.front --prior 5", 2, "--prior must be a chance between 0 and 1");
    refused("pick p.front --prior 5 --max-complexity 3", 2, "--prior must be a chance");
    refused("pick p.front --max-fpr=-0.5", 2, "a rate from 0 to 1");
    refused("pick p.front --max-fpr 10", 2, "a rate from 0 to 1");
    refused("pick p.front --min-tpr 1 --max-complexity 0.5 --max-fpr 0", 2, "cannot be used with");
    refused("pick p.front --point 100000", 1, "there is no point");
    refused("pick p.front --max-complexity=-1", 2, "a number of at least 0");
    refused("pick p.front --max-complexity nan", 2, "a number of at least 0");
    refused("front pima --out none/p.front", 1, "there is no folder `none`");
    refused("front pima --plot none/p.svg", 1, "there is no folder `none`");
    assert_eq!(desk.line("fit iris --method knn --out knn.evo --quiet").code, 0);
    refused("show knn.evo --plot t.svg", 1, "only fronts and trees are drawn");
    refused("show tree.evo --max-complexity 3", 1, "is no front");
    refused("evaluate tree.evo iris --max-complexity 3", 1, "is no front");
    refused("show p.front --max-complexity=-1", 2, "a number of at least 0");
    refused("front iris -p average=0.1", 1, "`average`");
    assert_eq!(desk.line(&format!("front iris {SMALL} --out i.front --quiet")).code, 0);
    for by in ["--max-fpr 0.1", "--min-tpr 0.9", "--cost-fn 2", "--prior 0.5"] {
        refused(&format!("pick i.front {by}"), 1, "--max-complexity, --knee or --point");
    }
}

#[test]
fn every_family_and_scheme_makes_a_front() {
    let desk = Desk::new();
    for line in [
        "front pima --method evo-logistic -p evaluations=50 -p folds=3",
        "front pima --method evo-tree -p evaluations=16 -p folds=2",
        "front pima --method evo-rules -p evaluations=8 -p folds=2",
        "front iris -p evaluations=50 -p most=5 -p folds=3",
        "front pima -p evaluations=50 -p most=5 -p folds=3 -p average=0.2 -p admission=likely",
        "front pima -p scheme=base -p iterations=200",
        "front pima -p scheme=kfold -p folds=2 -p iterations=50 -p complexity=alpha",
        "front pima -p scheme=nsga2 -p population=10 -p generations=5 -p cuts=5",
        "front pima -p scheme=swap -p iterations=50 -p start=rvm -p width=3",
    ] {
        let ran = desk.line(&format!("{line} --out f.front"));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert!(ran.out.contains("marked * answers"), "{line}: {}", ran.out);
        let data = if line.contains("iris") { "iris" } else { "pima:test" };
        let judged = desk.line(&format!("evaluate f.front {data} --quiet"));
        assert_eq!(judged.code, 0, "{line}: {}", judged.err);
    }
}

/// Rows of classes that a front does not know are neither positive nor negative.
#[test]
fn unknown_classes_do_not_count_in_the_area() {
    let desk = Desk::new();
    let mut text = "x,y,class\n".to_owned();
    for row in 0..80 {
        let (x, class) = ((row * 37) % 100, if (row * 53) % 100 < 50 { "no" } else { "yes" });
        let shift = if class == "yes" { 30 } else { 0 };
        text += &format!("{},{},{class}\n", x + shift, (row * 17) % 29);
    }
    desk.write("train.csv", &text);
    // What the front is most certain of, but of another class.
    let more = text.clone() + &"200,1,maybe\n".repeat(40);
    desk.write("more.csv", more);
    let made = desk.line(&format!("front train.csv {SMALL} --out f.front --quiet"));
    assert_eq!(made.code, 0, "{}", made.err);
    let area = |table: &str| {
        let found = desk.json(&format!("evaluate f.front {table} --json"));
        found["front"]["test_area"].as_f64().expect("an area")
    };
    assert!((area("train.csv") - area("more.csv")).abs() < 1e-9);
}
