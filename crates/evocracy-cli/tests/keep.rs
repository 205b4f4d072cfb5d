//! `predict --keep`: predictions that say which row they are of.

mod common;

use common::Desk;
use serde_json::{Value, json};

/// A model of x, and rows with more columns than it needs.
fn desk() -> Desk {
    let desk = Desk::new();
    let row = |row: usize| format!("{row},{}\n", ["a", "b"][row / 20]);
    desk.write("t.csv", format!("x,class\n{}", (0..40).map(row).collect::<String>()));
    desk.json("fit t.csv -m naive-bayes --out m.evo --json");
    desk.write("new.csv", "id,x,note\n007,1,\"one, two\"\n1.0,30,?\n9,\"2\",\"say \"\"so\"\"\"\n");
    desk
}

#[test]
fn kept_columns_stand_before_each_prediction_as_they_are_written() {
    let desk = desk();
    let plain = desk.line("predict m.evo new.csv").out;
    let kept = desk.line("predict m.evo new.csv --keep id,note --keep x").out;
    let before = ["id,note,x,", "007,\"one, two\",1,", "1.0,?,30,", "9,\"say \"\"so\"\"\",2,"];
    let lines = before.iter().zip(plain.lines()).map(|(kept, line)| format!("{kept}{line}"));
    let expected = lines.collect::<Vec<String>>().join("\n") + "\n";
    assert_eq!(kept, expected);
    // By way of a file and a pipe it is the same.
    desk.json("predict m.evo new.csv --keep id,note,x --out p.csv --json");
    assert_eq!(desk.read("p.csv"), expected);
    let document = desk.json("predict m.evo new.csv --keep id,note --json");
    assert_eq!(document["predictions"][0]["kept"], json!({ "id": "007", "note": "one, two" }));
    let bare = desk.json("predict m.evo new.csv --json");
    let without = |rows: &Value| {
        let mut rows = rows.as_array().expect("rows").clone();
        for row in &mut rows {
            row.as_object_mut().expect("a row").remove("kept");
        }
        rows
    };
    assert_eq!(without(&document["predictions"]), without(&bare["predictions"]));
}

#[test]
fn many_rows_keep_their_order_through_all_chunks() {
    let desk = desk();
    let rows = 20_000;
    let table =
        (0..rows).fold("x,id\n".to_owned(), |text, row| text + &format!("{},r{row}\n", row % 40));
    desk.write("many.csv", table);
    let out = desk.line("predict m.evo many.csv --keep id").out;
    assert_eq!(out.lines().count(), rows + 1);
    for (row, line) in out.lines().skip(1).enumerate() {
        assert!(
            line.starts_with(&format!("r{row},{},", if row % 40 < 20 { "a" } else { "b" })),
            "{line}"
        );
    }
}

#[test]
fn data_sets_other_formats_and_numbers_keep_columns_too() {
    let desk = desk();
    desk.lay_out();
    desk.json("fit iris -m naive-bayes --out iris.evo --json");
    for (data, first) in [("iris", "setosa,5.1,setosa,"), ("iris.parquet", "setosa,5.1,setosa,")] {
        let ran = desk.run(&[
            "predict",
            "iris.evo",
            data,
            "--keep",
            "class",
            "--keep",
            "sepal length (cm)",
        ]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.lines().nth(1).expect("a row").starts_with(first), "{}", ran.out);
    }
    desk.write(
        "t.arff",
        "@relation t\n@attribute id string\n@attribute x numeric\n@data\n'a b', 1\n?, 30\n",
    );
    let out = desk.line("predict m.evo t.arff --keep id").out;
    let starts: Vec<&str> = out.lines().map(|line| line.split(',').next().unwrap_or("")).collect();
    assert_eq!(starts, ["id", "a b", ""]);
    desk.json("fit gen:sinc:rows=60 -m ridge --out r.evo --json");
    let out = desk.line("predict r.evo gen:sinc:rows=60 --keep y").out;
    assert!(out.starts_with("y,prediction,sd\n"), "{out}");
}

#[test]
fn what_cannot_be_kept_is_said_before_anything_is_written() {
    let desk = desk();
    for (line, code, said) in [
        ("predict m.evo new.csv --keep idd --out p.csv", 2, "did you mean `id`?"),
        ("predict m.evo iris --keep idd --out p.csv", 2, "no column `idd`"),
        ("predict m.evo new.csv --keep id,id --out p.csv", 1, "to be kept twice"),
        ("predict m.evo new.csv --keep prediction --out p.csv", 1, "have one of that name"),
        ("predict m.evo new.csv --keep p_a --out p.csv", 1, "have one of that name"),
    ] {
        desk.line(line).fails(code, &[said]);
        assert!(!desk.path("p.csv").exists(), "{line}");
    }
}
