//! What pictures show, on the real binary.

mod common;

use common::Desk;
use serde_json::Value;

/// A table of so many classes, whose numbers overlap the more, the later the class.
fn classes(desk: &Desk, classes: usize) -> Vec<String> {
    let names: Vec<String> = (0..classes).map(|class| format!("c{class}")).collect();
    let mut rows = "x,y,class\n".to_owned();
    for row in 0..40 * classes {
        let (class, step) = (row % classes, row / classes);
        let wide = 0.2 + 0.15 * class as f64;
        let noise = [(step * 7) % 40, (step * 11) % 40].map(|n| wide * (n as f64 / 10.0 - 2.0));
        rows += &format!("{},{},c{class}\n", class as f64 + noise[0], noise[1]);
    }
    desk.write("t.csv", rows);
    names
}

/// The areas of each class against the rest, computed from what the model predicts.
fn areas(desk: &Desk, names: &[String]) -> Vec<f64> {
    desk.line("predict m.evo t.csv --keep class --out p.csv");
    let head = desk.read("p.csv").lines().next().expect("a header").to_owned();
    let area = |name: &String| {
        let column =
            head.split(',').find(|column| column.ends_with(name.as_str())).expect("a column");
        let line = format!("roc p.csv --truth class --score {column} --positive {name} --json");
        desk.json(&line)["scores"][0]["auc"].as_f64().expect("an area")
    };
    names.iter().map(area).collect()
}

#[test]
fn many_classes_are_drawn_as_their_mean_and_the_worst() {
    let desk = Desk::new();
    let names = classes(&desk, 8);
    desk.json("fit t.csv -m naive-bayes --out m.evo --json");
    desk.json("evaluate m.evo t.csv --plot roc.svg --json");
    let svg = desk.read("roc.svg");
    assert_eq!(svg.matches("class=\"curve\"").count(), 4);
    let areas = areas(&desk, &names);
    let mean = areas.iter().sum::<f64>() / areas.len() as f64;
    let said = format!("naive-bayes: macro average of 8 classes: AUC {mean:.3}");
    assert!(svg.contains(&said), "{said}");
    let mut order: Vec<usize> = (0..8).collect();
    order.sort_by(|&a, &b| areas[a].total_cmp(&areas[b]));
    for (class, place) in order.iter().zip(["worst of 8", "second worst of 8", "third worst of 8"])
    {
        let said = format!("naive-bayes: {}, {place}: AUC {:.3}", names[*class], areas[*class]);
        assert!(svg.contains(&said), "{said}");
    }
    assert!(!svg.contains(&names[order[3]]), "only three classes have a curve");
}

#[test]
fn five_classes_have_a_curve_each() {
    let desk = Desk::new();
    let names = classes(&desk, 5);
    desk.json("fit t.csv -m naive-bayes --plot roc.svg --json");
    let svg = desk.read("roc.svg");
    assert_eq!(svg.matches("class=\"curve\"").count(), 5);
    assert!(names.iter().all(|name| svg.contains(name.as_str())) && !svg.contains("macro"));
}

/// Numbers along a line, with a little noise.
fn numbers(desk: &Desk) {
    let row = |i: usize| format!("{},{}\n", i, 3.0 * i as f64 + ((i * 7) % 11) as f64);
    desk.write("n.csv", format!("x,y\n{}", (0..80).map(row).collect::<String>()));
}

#[test]
fn predicted_numbers_are_drawn_against_true_ones() {
    let desk = Desk::new();
    numbers(&desk);
    let ran = desk.line("fit n.csv --target y -m ridge --out m.evo --plot p.svg");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let picture = "The picture of predicted against true numbers is in p.svg.";
    assert!(format!("{}{}", ran.out, ran.err).contains(picture), "{}{}", ran.out, ran.err);
    let svg = desk.read("p.svg");
    // A dot for each of the 20 judged rows, one more in the legend.
    assert_eq!(svg.matches("<circle").count(), 21, "{svg}");
    assert!(svg.contains("predicted against true") && svg.contains("no error"), "{svg}");
    desk.json("evaluate m.evo n.csv --plot r.svg --picture residuals --json");
    let svg = desk.read("r.svg");
    assert_eq!(svg.matches("<circle").count(), 81, "{svg}");
    assert!(svg.contains("residual: true less predicted against predicted"), "{svg}");
    // Rows that are judged in each repeat are drawn once.
    desk.json("fit n.csv --target y -m ridge --folds 4 --repeats 3 --plot f.svg --json");
    assert_eq!(desk.read("f.svg").matches("<circle").count(), 81);
}

#[test]
fn pictures_that_do_not_fit_the_task_are_refused_first() {
    let desk = Desk::new();
    numbers(&desk);
    classes(&desk, 3);
    desk.json("fit n.csv --target y -m ridge --out m.evo --json");
    let files = desk.files();
    for (line, said) in [
        ("fit n.csv --target y -m ridge --plot p.svg --picture roc", "nothing to draw"),
        ("evaluate m.evo n.csv --plot p.svg --picture confusion", "predicted or residuals"),
        ("evaluate m.evo n.csv --plot p.svg --picture pr", "predicted or residuals"),
        ("fit t.csv -m tree --plot p.svg --picture residuals", "is of predicted numbers"),
        (
            "roc t.csv --truth class --score x --positive c0 --plot p.svg --picture predicted",
            "is of predicted numbers",
        ),
    ] {
        let ran = desk.line(line);
        ran.fails(1, &[said]);
        assert!(ran.out.is_empty(), "{line}: {}", ran.out);
        assert_eq!(desk.files(), files, "{line}");
    }
}

/// Commands that draw, without the option that names the picture, and that option.
const DRAWING: [(&str, &str); 9] = [
    ("demo", "--plot"),
    ("fit t.csv -m naive-bayes --out m.evo", "--plot"),
    ("evaluate m.evo t.csv", "--plot"),
    ("roc t.csv --truth class --score x", "--plot"),
    ("compare t.csv -m stump,naive-bayes --folds 3 --repeats 1", "--plot"),
    ("front t.csv -m evo-tree -p evaluations=8 -p folds=2 --out f.front", "--plot"),
    ("show f.front", "--plot"),
    ("select t.csv --by auc --splits 4 --permutations 0 --no-checks", "--plot"),
    ("combine said.csv --truth class --method evobn", "--graph"),
];

#[test]
fn every_picture_takes_a_title_and_a_size() {
    let desk = Desk::new();
    classes(&desk, 2);
    desk.write("said.csv", "e,f,class\n".to_owned() + &"a,a,a\nb,a,b\nb,b,b\na,b,a\n".repeat(9));
    let look = "--title A<B --size 800x500";
    for (line, option) in DRAWING {
        let ran = desk.line(&format!("{line} {option} p.svg {look}"));
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        let svg = desk.read("p.svg");
        assert!(svg.contains("<title>A&lt;B</title>"), "{line}: {svg}");
        let (shown, own) = (r#"width="800" height="500""#, r#"viewBox="0 0 "#);
        assert!(svg.lines().next().is_some_and(|l| l.contains(shown) && l.contains(own)), "{line}");
        if line != "demo" {
            desk.line(&format!("{line} {look}")).fails(1, &["no picture for --title", option]);
        }
    }
    let soften = "soften gen:ripley --samples 38 --chains 2 -p steps=5";
    desk.line(&format!("{soften} --plot p.svg {look}"));
    assert!(desk.read("p.svg").contains("<title>A&lt;B</title>"));
    for size in ["800", "10x800", "800x9000", "axb", "-800x600"] {
        desk.line(&format!("demo --size={size}")).fails(2, &["such as 800x600"]);
    }
}

/// Scores of two normal distributions, by their quantiles: `z` positives about 1.5 with deviation 1.25.
fn normal_scores(desk: &Desk) -> Value {
    // Logistic deviates are near enough to normal ones to stand for them here.
    let deviate = |i: usize| {
        let p = (i as f64 + 0.5) / 200.0;
        (p / (1.0 - p)).ln() / 1.702
    };
    let mut rows = "ill,score\n".to_owned();
    for i in 0..200 {
        rows += &format!("no,{}\nyes,{}\n", deviate(i), 1.5 + 1.25 * deviate(i));
    }
    desk.write("s.csv", rows);
    desk.json("roc s.csv --truth ill --score score --smooth --plot s.svg --json")
}

#[test]
fn a_smooth_curve_has_the_parameters_of_its_distributions() {
    let desk = Desk::new();
    let smooth = &normal_scores(&desk)["scores"][0]["smooth"];
    let of = |name: &str| smooth[name].as_f64().expect("a number");
    // a = 1.5 / 1.25, b = 1 / 1.25.
    assert!((of("a") - 1.2).abs() < 0.06 && (of("b") - 0.8).abs() < 0.06, "{smooth}");
    assert!((of("auc") - 0.8256).abs() < 0.015, "{smooth}");
    assert_eq!((&smooth["none"], &smooth["model"]), (&Value::Null, &Value::from("binormal")));
    let svg = desk.read("s.svg");
    assert_eq!(svg.matches("class=\"smooth\"").count(), 1);
    let said = format!("score, smoothed (binormal): AUC {:.3}", of("auc"));
    assert!(svg.contains(&said), "{said}");
    let words = desk.line("roc s.csv --truth ill --score score --smooth").out;
    assert!(words.contains(&format!("the area {:.4}.", of("auc"))), "{words}");
    let plain = desk.json("roc s.csv --truth ill --score score --json");
    assert!(plain["scores"][0].get("smooth").is_none());
}

// The 109 ratings of Hanley and McNeil (Radiology 143, 1982) with the estimates that the manual of
// Stata prints for its `rocfit`.
#[test]
fn a_smooth_curve_of_published_ratings_is_the_published_one() {
    let desk = Desk::new();
    let mut rows = "ill,rating\n".to_owned();
    for (truth, counts) in [("no", [33, 6, 6, 11, 2]), ("yes", [3, 2, 2, 11, 33])] {
        for (rating, count) in counts.into_iter().enumerate() {
            rows += &format!("{truth},{rating}\n").repeat(count);
        }
    }
    desk.write("r.csv", rows);
    let smooth =
        &desk.json("roc r.csv --truth ill --score rating --smooth --json")["scores"][0]["smooth"];
    for (name, printed) in [("a", 1.656_782), ("b", 0.713_002), ("auc", 0.911_331)] {
        let found = smooth[name].as_f64().expect("a number");
        assert!((found - printed).abs() < 1e-6, "{name}: {found}");
    }
    assert_eq!(smooth["categories"], 5);
}

#[test]
fn scores_without_a_smooth_curve_are_told_why() {
    let desk = Desk::new();
    let row =
        |i: i32| format!("{},{i},{}\n", if i >= 20 { "yes" } else { "no" }, u8::from(i % 3 == 0));
    let rows: String = (0..40).map(row).collect();
    desk.write("s.csv", format!("ill,apart,one\n{rows}"));
    let line = "roc s.csv --truth ill --score apart,one --smooth --plot s.svg";
    let scores = &desk.json(&format!("{line} --json"))["scores"];
    let why = [0, 1].map(|at| scores[at]["smooth"]["none"].as_str());
    assert_eq!(why, [Some("separated"), Some("few-points")]);
    assert_eq!(scores[0]["smooth"]["auc"], Value::Null);
    let words = desk.line(line).out;
    assert!(words.contains("apart: there is no smooth curve: the score parts"), "{words}");
    assert!(words.contains("one: there is no smooth curve: it takes two points"), "{words}");
    assert!(!desk.read("s.svg").contains("class=\"smooth\""));
}
