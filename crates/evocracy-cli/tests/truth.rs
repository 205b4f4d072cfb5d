//! What the command says is true: beside what figures stand, and which rows they are of.

mod common;

use common::Desk;
use serde_json::Value;

#[test]
fn figures_stand_beside_those_of_saying_always_the_same() {
    let desk = Desk::new();
    let mut table = "x,class\n".to_owned();
    (0..100).for_each(|row| {
        table += &format!("{},{}\n", row % 3, if row % 10 == 0 { "b" } else { "a" });
    });
    desk.write("t.csv", table);
    let ran = desk.line("fit t.csv -m stump").out;
    assert!(ran.contains("Always saying `a` is right for "), "{ran}");
    assert!(ran.contains("The model calls every row `a`."), "{ran}");
    assert!(
        ran.contains("Balanced accuracy 50.0 %") || ran.contains("balanced accuracy 50.0 %"),
        "{ran}"
    );
    let document = desk.json("fit t.csv -m stump --json");
    assert_eq!(
        (&document["calls"]["only"], &document["baseline"]["class"]),
        (&"a".into(), &"a".into())
    );
    assert_eq!(document["baseline"]["accuracy"], document["test"]["accuracy"]);
    assert!(document["calls"]["matthews"].is_null());

    let words = desk.line("fit iris -m naive-bayes").out;
    assert!(words.contains(" class       rows  called  precision  recall"), "{words}");
    let document = desk.json("fit iris -m naive-bayes --json");
    let line = &document["calls"]["classes"][1];
    let cell = |t: usize, c: usize| document["test"]["confusion"][t][c].as_f64().expect("rows");
    let called: f64 = (0..3).map(|t| cell(t, 1)).sum();
    assert_eq!(line["precision"].as_f64(), Some(cell(1, 1) / called));
}

#[test]
fn numbers_stand_beside_their_mean() {
    let desk = Desk::new();
    // Nothing to learn: what is fitted to chance is worse than the mean.
    let mut noise = "x,y\n".to_owned();
    (0..60).for_each(|row: u64| {
        noise += &format!("{}.5,{}.25\n", (row * 7919) % 97, (row * row * 31) % 89);
    });
    desk.write("noise.csv", noise);
    let mut worse = 0;
    for seed in 1..6 {
        let line = format!("fit noise.csv -m rvm-regression -p width=0.5 --target y --seed {seed}");
        let document = desk.json(&format!("{line} --json"));
        let words = desk.line(&line).out;
        let r2 = document["test"]["r2"].as_f64().expect("a number");
        let (rmse, mean) =
            (document["test"]["rmse"].as_f64(), document["baseline"]["rmse"].as_f64());
        assert_eq!(r2 < 0.0, rmse > mean, "{document}");
        assert_eq!(words.contains("worse than always saying the mean"), r2 < 0.0, "{words}");
        assert!(words.contains("Always saying the mean of these rows has"), "{words}");
        assert!(words.contains("a random sample") && !words.contains("stratified"), "{words}");
        worse += usize::from(r2 < 0.0);
    }
    assert!(worse > 0);
}

/// Rows with a number of their own.
fn rows(from: usize, to: usize) -> String {
    let row = |row: usize| {
        let x = (row * 7919) % 10_007;
        format!("{x},{},{}\n", row % 7, if x > 5000 { "high" } else { "low" })
    };
    format!("x,z,class\n{}", (from..to).map(row).collect::<String>())
}

#[test]
fn rows_that_were_learnt_from_are_counted() {
    let desk = Desk::new();
    desk.write("train.csv", rows(0, 200));
    desk.write("new.csv", rows(200, 300));
    desk.write("some.csv", rows(150, 250));
    assert_eq!(desk.line("fit train.csv --holdout 0.5 --refit --out m.evo").code, 0);
    let judged =
        |table: &str| desk.json(&format!("evaluate m.evo {table} --json"))["remarks"].clone();
    assert_eq!(judged("new.csv"), Value::Array(Vec::new()));
    let remark = &judged("some.csv")[0];
    assert_eq!((&remark["kind"], &remark["repeated"]), (&"repeated-rows".into(), &50.into()));
    let ran = desk.line("evaluate m.evo some.csv");
    assert!(
        ran.out.contains("100 rows of some.csv, 50 of which equal a training row"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("50 of the 100 test rows equal a training row"), "{}", ran.err);
    // Of numbers as well, and from a table that `fit` judges on.
    let ran = desk.line("fit train.csv --test some.csv");
    assert!(ran.out.contains("100 rows, 50 of which equal a training row"), "{}", ran.out);
    let ran = desk.line("fit train.csv --target x -m ridge --test some.csv");
    assert!(ran.out.contains("50 of which equal a training row"), "{}", ran.out);
    // `Not trained on` is said where it holds only.
    let segment = desk.line("fit segment").out;
    assert!(!segment.contains("not trained on"), "{segment}");
    assert!(segment.contains("212 of which equal a training row"), "{segment}");
    assert!(desk.line("fit train.csv").out.contains("it was not trained on"));
}

#[test]
fn a_class_that_only_judged_rows_have_is_judged() {
    let desk = Desk::new();
    desk.write("train.csv", rows(0, 200));
    desk.write("more.csv", rows(200, 260) + "1,1,odd\n2,2,odd\n3,3,odder\n");
    let fitted = desk.json("fit train.csv --test more.csv --out m.evo --json");
    let judged = desk.json("evaluate m.evo more.csv --json");
    for document in [&fitted, &judged] {
        assert_eq!(document["classes"], serde_json::json!(["high", "low", "odd", "odder"]));
        assert_eq!(document["test"]["rows"], 63);
        let odd = &document["calls"]["classes"][2];
        assert_eq!((odd["rows"].as_f64(), odd["called"].as_f64()), (Some(2.0), Some(0.0)));
        let remarks = document["remarks"].as_array().expect("remarks");
        let unknown: Vec<&str> = remarks
            .iter()
            .filter(|remark| remark["kind"] == "unknown-class")
            .filter_map(|remark| remark["text"].as_str())
            .collect();
        assert_eq!(unknown[0], "2 judged rows are of the class `odd`, which no training row has");
        assert_eq!(unknown.len(), 2);
    }
    // By name, from a stream in pieces, and as a class that is a number.
    assert!(desk.line("evaluate m.evo more.csv").out.contains("called odd"));
    desk.write("n.csv", "x,class\n1,0\n2,1\n3,0\n4,1\n");
    desk.write("n2.csv", "x,class\n1,0\n2,1\n3,2.0\n");
    assert_eq!(desk.line("fit n.csv --test n.csv --out n.evo").code, 0);
    let document = desk.json("evaluate n.evo n2.csv --json");
    assert_eq!(document["classes"], serde_json::json!(["0", "1", "2"]));
    // A table of which nothing is known is another one.
    desk.write("other.csv", "x,z,class\n1,1,odd\n2,2,even\n");
    desk.line("evaluate m.evo other.csv")
        .fails(1, &["holds no class that the model knows", "high, low"]);
    desk.write("none.csv", "x,z,class\n1,1,high\n2,2,\n");
    desk.line("evaluate m.evo none.csv").fails(1, &["line 3"]);
}

#[test]
fn a_class_of_judged_rows_alone_is_said() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    desk.write("sets/mine-tr.csv", rows(0, 100));
    desk.write("sets/mine-te.csv", rows(100, 150) + "1,1,odd\n");
    let mut command = desk.command(&["fit", "mine", "--json"]);
    let output = command.env("EVOCRACY_DATA", desk.path("sets")).output().expect("it starts");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["protocol"]["kind"], "published");
    assert!(document["remarks"].to_string().contains("unknown-class"), "{document}");
}

#[test]
fn columns_that_name_the_rows_are_left_out_by_default() {
    let desk = Desk::new();
    let mut table = ",who,id,x,class\n".to_owned();
    for row in 0..60 {
        let class = if row < 30 { "a" } else { "b" };
        table += &format!("{},person {row},{},{},{class}\n", 3 * row, row + 1, (row * 37) % 60);
    }
    desk.write("t.csv", table);
    let ran = desk.line("fit t.csv --out m.evo");
    assert!(ran.out.contains("to predict `class`"), "{}", ran.out);
    for said in [
        "`column 1` has no name, as columns of row names: it is not learnt from",
        "column `who` has 60 different texts in 60 rows (such as `person 0`): it is not learnt from",
        "column `id` counts the rows: it is not learnt from",
        "--use 'who' takes it",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let columns = |options: &str| {
        desk.json(&format!("fit t.csv --json{options}"))["data"]["columns"]
            .as_u64()
            .expect("a count")
    };
    assert_eq!((columns(""), columns(" --use who"), columns(" --use who --use id")), (1, 2, 3));
    // The classes stand in the order of the numbers, so that a number tells them all.
    let accuracy = |options: &str| {
        desk.json(&format!("fit t.csv --json{options}"))["test"]["accuracy"]
            .as_f64()
            .expect("a share")
    };
    assert!(accuracy("") < 0.9 && accuracy(" --use id") == 1.0);
    desk.line("fit t.csv --use whom").fails(2, &["did you mean `who`?"]);
    // The model does not need them.
    desk.write("new.csv", "x\n3\n50\n");
    assert_eq!(desk.line("predict m.evo new.csv").code, 0);
    // Without a header no column has a name.
    let bare: Vec<String> = (0..40).map(|row| format!("{row},{}\n", row % 2)).collect();
    desk.write("bare.csv", bare.concat());
    assert_eq!(desk.json("fit bare.csv --no-header --json")["data"]["columns"], 1);
}

/// Rows sorted by class, with a number that counts them.
fn counted(name: &str, number: impl Fn(i64) -> i64) -> String {
    let row = |row: i64| {
        let class = if row < 30 { "a" } else { "b" };
        format!("{},{},{class}\n", number(row), (row * 37) % 60)
    };
    format!("{name},x,class\n{}", (0..60).map(row).collect::<String>())
}

#[test]
fn a_number_that_counts_the_rows_is_left_out_whatever_its_name_and_start() {
    let desk = Desk::new();
    let columns =
        |options: &str| desk.json(&format!("fit t.csv --json{options}"))["data"]["columns"].clone();
    for (name, first, step) in [("id", 5001, 1), ("Seriennr", 1, 1), ("foo", 60, -1), ("t", -3, 1)]
    {
        desk.write("t.csv", counted(name, |row| first + step * row));
        assert_eq!(
            (columns(""), columns(&format!(" --use {name}"))),
            (1.into(), 2.into()),
            "{name}"
        );
        let said = format!("column `{name}` counts the rows");
        assert!(desk.line("fit t.csv").err.contains(&said), "{said}");
    }
    // Every other number, or a slip in the count, is a number like others.
    for number in [|row| 2 * row, |row: i64| row + i64::from(row > 40)] {
        desk.write("t.csv", counted("foo", number));
        assert_eq!(columns(""), 2);
    }
    // A number may depend on a count, such as a day; a name can tell otherwise.
    let day = |name: &str| {
        let row = |row: i64| format!("{row},{},{}.5\n", (row * 37) % 60, row * row % 50);
        desk.write("t.csv", format!("{name},x,y\n{}", (100..160).map(row).collect::<String>()));
        desk.json("fit t.csv -m ridge --json")["data"]["columns"].clone()
    };
    assert_eq!((day("day"), day("serialnr")), (2.into(), 1.into()));
}

#[test]
fn a_table_of_numbers_that_were_not_understood_is_refused() {
    let desk = Desk::new();
    let row = |row: usize| format!("{}|{}/5|{}\n", row % 2, row * 7, ["a", "b"][row / 30]);
    let rows: String = (0..60).map(row).collect();
    // Beside another column it is left out, with a warning.
    desk.write("t.csv", format!("z|w|class\n{rows}"));
    assert!(desk.line("fit t.csv").err.contains("if these are numbers, write them like 1234.5"));
    let only: Vec<&str> = rows.lines().map(|row| &row[2..]).collect();
    let only = only.join("\n");
    desk.write("t.csv", format!("w|class\n{only}"));
    let refused = desk.line("fit t.csv");
    refused.fails(1, &["`0/5` is not a number", "t.csv, row 1, column `w`", "--use 'w'"]);
    assert!(refused.out.is_empty());
    assert_eq!(desk.line("fit t.csv --use w").code, 0);
    // Names that are all there is to learn from are learnt from.
    desk.write(
        "names.csv",
        "who,class\n".to_owned()
            + &(0..60).fold(String::new(), |text, row| text + &format!("p{row},{}\n", row % 2)),
    );
    assert_eq!(desk.line("fit names.csv").code, 0);
}

#[test]
fn a_count_with_gaps_is_left_out_all_the_same() {
    let desk = Desk::new();
    // Rows that are left out tear gaps into the count.
    let all = counted("foo", |row| row + 1);
    let rows = all.lines().enumerate().map(|(line, text)| match line % 7 {
        3 => text.trim_end_matches(['a', 'b']).to_owned() + "\n",
        _ => format!("{text}\n"),
    });
    desk.write("t.csv", rows.collect::<String>());
    let document = desk.json("fit t.csv --drop-unlabelled --json");
    assert_eq!(document["data"]["columns"], 1);
    let said = desk.line("fit t.csv --drop-unlabelled").err;
    assert!(said.contains("column `foo` counts the rows"), "{said}");
    // Each of two files counts its own rows.
    std::fs::create_dir(desk.path("sets")).expect("a folder");
    desk.write("sets/mine-tr.csv", counted("foo", |row| row + 1));
    let test: Vec<String> =
        counted("foo", |row| row + 1).lines().take(41).map(|line| format!("{line}\n")).collect();
    desk.write("sets/mine-te.csv", test.concat());
    let columns = |options: &[&str]| {
        let mut command = desk.command(&[&["fit", "mine", "--json"], options].concat());
        let output = command.env("EVOCRACY_DATA", desk.path("sets")).output().expect("it starts");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        document["data"]["columns"].clone()
    };
    assert_eq!((columns(&[]), columns(&["--use", "foo"])), (1.into(), 2.into()));
}
