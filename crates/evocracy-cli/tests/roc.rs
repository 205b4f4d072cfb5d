//! `evocracy roc` on the real binary.

mod common;

use common::Desk;
use serde_json::Value;

/// Six patients with two rows each; `a` ranks well, `b` by chance, `low` is `a` turned round.
const SCORES: &str = "\
patient,ill,a,b,low
1,yes,0.9,0.4,-0.9
1,yes,0.8,0.6,-0.8
2,yes,0.7,0.1,-0.7
2,no,0.6,0.9,-0.6
3,no,0.5,0.5,-0.5
3,no,0.2,0.8,-0.2
4,yes,0.4,0.7,-0.4
4,no,0.3,0.3,-0.3
5,no,0.1,0.2,-0.1
5,no,0.15,0.65,-0.15
6,no,0.25,0.35,-0.25
6,yes,0.85,0.55,-0.85
";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("s.csv", SCORES);
    desk
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn area_best_point_and_people_are_those_of_the_rows() {
    let json = desk().json("roc s.csv --truth ill --score a --json");
    let a = &json["scores"][0];
    // Of 35 pairs of an ill and a well patient, two are ranked wrongly.
    assert!((number(&a["auc"]) - 33.0 / 35.0).abs() < 1e-12);
    let interval = &a["auc_interval"];
    assert!(number(&interval["low"]) > 0.5 && number(&interval["high"]) < 1.0);
    assert_eq!(json["positive"], "yes");
    assert_eq!(number(&json["conditions"]["prior"]), 5.0 / 12.0);
    // Calling 0.7 and more misses one and alarms nobody: one mistake of twelve.
    assert_eq!(number(&a["best"]["threshold"]), 0.7);
    assert!((number(&a["best"]["expected_cost"]) - 1.0 / 12.0).abs() < 1e-12);
    let people = &a["best"]["per_1000"];
    assert!((number(&people["true_positives"]) - 1000.0 * 4.0 / 12.0).abs() < 1e-9);
    assert_eq!(number(&people["false_positives"]), 0.0);
}

#[test]
fn costs_prior_and_limits_move_the_point() {
    let desk = desk();
    let best = |options: &str| {
        let json = desk.json(&format!("roc s.csv --truth ill --score a --json {options}"));
        (json["scores"][0]["best"]["threshold"].as_f64(), json["chosen_by"].clone())
    };
    assert_eq!(best("--cost-fn 5"), (Some(0.4), "cost".into()));
    assert_eq!(best("--prior 0").0, None);
    assert_eq!(best("--min-tpr 1"), (Some(0.4), "min-tpr".into()));
    assert_eq!(best("--max-fpr 0"), (Some(0.7), "max-fpr".into()));
    // All that is found without a false alarm is found, even if less was asked for.
    assert_eq!(best("--min-tpr 0.2"), (Some(0.7), "min-tpr".into()));
    let both = desk.line("roc s.csv --truth ill --score b,a --min-tpr 0.5");
    assert!(both.out.contains("the best is a"), "{}", both.out);
    let ran = desk.line("roc s.csv --truth ill --score a --prior 0");
    assert!(ran.out.contains("call no row positive"), "{}", ran.out);
}

#[test]
fn rows_are_people_only_where_that_is_said() {
    let desk = desk();
    let line = "roc s.csv --truth ill --score a";
    assert!(desk.line(line).out.contains("\n out of 1000 rows "));
    let people = desk.line(&format!("{line} --unit people --prior 0")).out;
    assert!(people.contains("out of 1000 people") && people.contains("call nobody positive"));
    desk.line(&format!("{line} --unit dogs")).fails(2, &["rows, people"]);
}

#[test]
fn a_part_of_the_area_is_that_of_the_curve() {
    let desk = desk();
    let line = "roc s.csv --truth ill --score a,b";
    let part = |range: &str| {
        let json = desk.json(&format!("{line} --json --partial {range}"));
        let part = &json["scores"][0]["partial"];
        (number(&part["area"]), number(&part["corrected"]))
    };
    // Four of five ill ones rank above all others, the fifth above all but two of seven.
    let (area, corrected) = part("0:0.2");
    assert!((area - 0.8 * 0.2).abs() < 1e-12);
    assert!((corrected - 0.5 * (1.0 + (0.16 - 0.02) / (0.2 - 0.02))).abs() < 1e-12);
    assert!((part("0:0.3").0 + part("0.3:1").0 - 33.0 / 35.0).abs() < 1e-12);
    let words = desk.line(&format!("{line} --partial 0:0.2")).out;
    let said = "a: between false positive rates of 0.0 % and 20.0 % the area is 0.1600";
    assert!(words.contains(said) && words.contains("\nb: between"), "{words}");
    for range in ["0.2:0.1", "0:2", "0.1", "nan:1"] {
        desk.line(&format!("{line} --partial {range}")).fails(2, &["two rates from 0 to 1"]);
    }
}

#[test]
fn an_interval_by_drawing_rows_lies_around_the_area() {
    let desk = desk();
    let line = "roc s.csv --truth ill --score a,b --json";
    let plain = desk.json(line);
    assert!(plain["scores"][0].get("bootstrap").is_none());
    let drawn = desk.json(&format!("{line} --bootstrap"));
    for (score, plain) in drawn["scores"]
        .as_array()
        .expect("scores")
        .iter()
        .zip(plain["scores"].as_array().expect("scores"))
    {
        let (auc, interval) = (number(&score["auc"]), &score["bootstrap"]["interval"]);
        assert!(number(&interval["low"]) < auc && auc < number(&interval["high"]), "{score}");
        assert_eq!(
            (&score["bootstrap"]["replicates"], &score["auc"]),
            (&2000.into(), &plain["auc"])
        );
    }
    // The seed makes the draws, whatever the threads; clusters are drawn as wholes.
    let bootstrap = |options: &str| {
        let json = desk.json(format!("{line} --bootstrap=500 {options}").trim_end());
        json["scores"][0]["bootstrap"]["interval"].clone()
    };
    assert_eq!(bootstrap("--threads 1"), bootstrap("--threads 3"));
    assert_ne!(bootstrap("--seed 1"), bootstrap("--seed 2"));
    assert_ne!(bootstrap(""), bootstrap("--clusters patient"));
    let words = desk.line("roc s.csv --truth ill --score a --bootstrap=500 --clusters patient").out;
    assert!(words.contains("a: by 500 draws of clusters the interval"), "{words}");
    desk.line("roc s.csv --truth ill --score a --bootstrap=5").fails(2, &["100..=1000000"]);
}

#[test]
fn low_scores_may_mean_positive() {
    let desk = desk();
    let json = desk.json("roc s.csv --truth ill --score low --lower --json");
    assert!((number(&json["scores"][0]["auc"]) - 33.0 / 35.0).abs() < 1e-12);
    assert_eq!(number(&json["scores"][0]["best"]["threshold"]), -0.7);
    let ran = desk.line("roc s.csv --truth ill --score low");
    assert!(ran.err.contains("--lower"), "{}", ran.err);
}

#[test]
fn columns_are_compared_pair_by_pair() {
    let desk = desk();
    let json = desk.json("roc s.csv --truth ill --score a,b --score low --json");
    let pairs = json["comparisons"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 3);
    for pair in pairs {
        let (p, adjusted) = (number(&pair["p_value"]), number(&pair["p_adjusted"]));
        assert!(p <= adjusted && adjusted <= 1.0);
    }
    assert_eq!((&pairs[0]["first"], &pairs[0]["second"]), (&"a".into(), &"b".into()));
    assert!(number(&pairs[0]["p_value"]) < 0.05);
}

#[test]
fn clusters_are_units_and_threads_do_not_matter() {
    let desk = desk();
    let judged = |threads: u32| {
        let mut json = desk.json(&format!(
            "roc s.csv --truth ill --score a,b --clusters patient --json --threads {threads}"
        ));
        json["timing"] = Value::Null;
        json
    };
    let once = judged(1);
    assert_eq!(once["intervals"], "obuchowski-logit");
    assert_eq!(
        (&once["clusters"]["count"], &once["clusters"]["with_positives"]),
        (&6.into(), &4.into())
    );
    assert!(once["comparisons"][0]["freedom"].is_null());
    assert_eq!(once, judged(8));
}

#[test]
fn weights_count_rows_as_often_as_they_say() {
    let desk = desk();
    let rows: Vec<&str> = SCORES.lines().collect();
    let mut weighted = format!("{},w\n", rows[0]);
    let mut repeated = format!("{}\n", rows[0]);
    for (i, row) in rows[1..].iter().enumerate() {
        weighted += &format!("{row},{}\n", i % 3);
        repeated += &format!("{row}\n").repeat(i % 3);
    }
    desk.write("w.csv", weighted);
    desk.write("r.csv", repeated);
    let weighted = desk.json("roc w.csv --truth ill --score b --weights w --json");
    let repeated = desk.json("roc r.csv --truth ill --score b --json");
    for key in ["auc", "conservative_auc", "average_precision"] {
        let (w, r) = (&weighted["scores"][0][key], &repeated["scores"][0][key]);
        assert!((number(w) - number(r)).abs() < 1e-12, "{key}: {w} {r}");
    }
    assert_eq!(weighted["positives"], repeated["positives"]);
}

#[test]
fn every_picture_is_drawn_and_a_table_may_come_by_pipe() {
    let desk = desk();
    for picture in ["roc", "pr", "reliability", "confusion"] {
        let ran = desk.line(&format!(
            "roc s.csv --truth ill --score a,b --plot {picture}.svg --picture {picture}"
        ));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(desk.read(&format!("{picture}.svg")).starts_with("<svg"));
    }
    for verb in ["fit iris --out m.evo", "evaluate m.evo iris"] {
        for picture in ["roc", "pr", "reliability", "confusion"] {
            let ran = desk.line(&format!("{verb} --plot p.svg --picture {picture}"));
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
    }
    let path = desk.path("s.csv");
    let mut command = desk.command(&["roc", "-", "--truth", "ill", "--score", "a", "--json"]);
    let output = command.stdin(std::fs::File::open(path).expect("the table")).output();
    let piped: Value = serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
    let read = desk.json("roc s.csv --truth ill --score a --json");
    assert_eq!(piped["scores"], read["scores"]);
}

#[test]
fn what_cannot_be_judged_says_why_and_what_to_do() {
    let desk = desk();
    let ill = |a: &str, b: &str| format!("truth,s\n{a},0.5\nx,0.7\n{b},0.2\ny,0.1\n");
    desk.write("three.csv", ill("x", "z"));
    desk.line("roc three.csv --truth truth --score s")
        .fails(1, &["the truth `truth` has 3 classes: x, y, z", "--positive x"]);
    assert_eq!(desk.line("roc three.csv --truth truth --score s --positive z").code, 0);
    let near = ["there is no", "`zz`", "x, y, z"];
    desk.line("roc three.csv --truth truth --score s --positive zz").fails(2, &near);
    desk.write("one.csv", "truth,s\nx,0.5\nx,0.7\n");
    desk.line("roc one.csv --truth truth --score s")
        .fails(1, &["every row has the class `x`", "at least two classes"]);
    desk.write("nan.csv", "truth,s\nx,0.5\ny,NaN\nx,\n");
    desk.line("roc nan.csv --truth truth --score s")
        .fails(1, &["2 rows have no score, first row 1", "column `s`"]);
    desk.write("word.csv", "truth,s\nx,0.5\ny,high\n");
    desk.line("roc word.csv --truth truth --score s")
        .fails(1, &["`high` is not a number", "line 3", "column `s`"]);
    desk.write("number.csv", "truth,s\n1.5,0.5\n2.5,0.7\n");
    desk.line("roc number.csv --truth truth --score s").fails(1, &["the truth is a number"]);
}

#[cfg(unix)]
#[test]
fn a_picture_never_takes_the_place_of_the_table() {
    let desk = desk();
    std::fs::hard_link(desk.path("s.csv"), desk.path("p.svg")).expect("a link");
    desk.line("roc s.csv --truth ill --score a --plot p.svg").fails(1, &["is both"]);
    assert_eq!(desk.read("s.csv"), SCORES);
}

#[test]
fn long_numbers_are_names_of_clusters() {
    let desk = Desk::new();
    let rows = |id: u64| {
        let rows = SCORES.lines().skip(1).map(|row| {
            let (patient, rest) = row.split_once(',').expect("a comma");
            format!("{},{rest}\n", id + patient.parse::<u64>().expect("a number"))
        });
        format!("{}\n{}", SCORES.lines().next().expect("a header"), rows.collect::<String>())
    };
    desk.write("short.csv", rows(0));
    desk.write("long.csv", rows(9_007_199_254_740_992));
    let judged = |name: &str| {
        desk.json(&format!("roc {name} --truth ill --score a --clusters patient --json"))
    };
    assert_eq!(judged("short.csv")["scores"], judged("long.csv")["scores"]);
}

#[test]
fn words_that_make_no_sense_are_refused() {
    let desk = desk();
    let roc = |options: &str| desk.line(&format!("roc s.csv --truth ill --score a {options}"));
    roc("--prior 1.5").fails(2, &["prior", "between 0 and 1"]);
    roc("--cost-fp=-1").fails(2, &["--cost-fp", "at least 0"]);
    roc("--score a").fails(1, &["`a` is named twice"]);
    roc("--plot x.gif").fails(1, &["pictures are SVG"]);
    roc("--cost-fp 0 --cost-fn 0").fails(2, &["above 0"]);
    roc("--level 95").fails(2, &["level"]);
    roc("--max-fpr 2").fails(2, &["--max-fpr", "between 0 and 1"]);
    roc("--max-fpr 0.1 --min-tpr 0.9").fails(2, &["cannot be used with"]);
    roc("--picture pr").fails(2, &["--plot"]);
    roc("--plot s.csv").fails(1, &["is both the table and --plot"]);
    roc("--score ill").fails(1, &["both the truth and a score"]);
    roc("--clusters nobody").fails(2, &["there is no column `nobody`"]);
    desk.line("roc s.csv --truth ill").fails(2, &["--score"]);
    let low = desk.line("roc s.csv --truth ill --score low --plot x.svg --picture reliability");
    low.fails(1, &["probability -0.9"]);
}
