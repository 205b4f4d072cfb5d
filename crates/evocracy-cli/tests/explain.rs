//! Explanations of several rows, as words, as one document and as a table.

mod common;

use common::Desk;
use serde_json::Value;
use std::collections::BTreeMap;

fn list(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().expect("a list").iter();
    numbers.map(|v| v.as_f64().expect("a number")).collect()
}

/// The cells of a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().expect("a cell").push(c),
        }
    }
    cells
}

/// What a table of explanations says of a row: its classes with outputs, bases and sums of parts.
#[derive(Debug, Default)]
struct Row {
    link: String,
    classes: BTreeMap<String, [f64; 3]>,
}

impl Row {
    /// How far the sums, through the link, are from the outputs.
    fn off(&self) -> f64 {
        let mut sums: Vec<f64> =
            self.classes.values().map(|[_, base, parts]| base + parts).collect();
        match self.link.as_str() {
            "identity" => {}
            "softmax" => {
                let total: f64 = sums.iter().map(|sum| sum.exp()).sum();
                sums = sums.iter().map(|sum| sum.exp() / total).collect();
            }
            link => panic!("the link {link}"),
        }
        let outputs = self.classes.values().map(|[output, ..]| output);
        sums.iter().zip(outputs).map(|(sum, output)| (sum - output).abs()).fold(0.0, f64::max)
    }
}

fn table(text: &str) -> BTreeMap<usize, Row> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("row,class,output,link,base,column,value,because,part"));
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    for line in lines {
        let cells = cells(line);
        assert_eq!(cells.len(), 9, "{line}");
        let number = |at: usize| cells[at].parse::<f64>().expect("a number");
        let row = rows.entry(cells[0].parse().expect("a row")).or_default();
        row.link.clone_from(&cells[3]);
        let class = row.classes.entry(cells[1].clone()).or_default();
        (class[0], class[1]) = (number(2), number(4));
        class[2] += number(8);
    }
    rows
}

#[test]
fn several_rows_as_csv_add_up_to_what_is_predicted() {
    let desk = Desk::new();
    for (method, data) in
        [("tree", "pima"), ("naive-bayes", "iris"), ("ridge", "gen:friedman1:rows=300")]
    {
        desk.line(&format!("fit {data} -m {method} --out m.evo"));
        let ran = desk.line(&format!("explain m.evo {data} --row 9,0,5-6 --format csv"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let rows = table(&ran.out);
        assert_eq!(rows.keys().copied().collect::<Vec<_>>(), [0, 5, 6, 9]);
        let predicted = desk.line(&format!("predict m.evo {data}"));
        let predicted: Vec<Vec<String>> = predicted.out.lines().skip(1).map(cells).collect();
        for (&number, row) in &rows {
            assert!(row.off() < 1e-9, "{method}, row {number}: {row:?}");
            // Classes of these sets are in the order of their names.
            let said = &predicted[number];
            let said = if method == "ridge" { &said[..1] } else { &said[1..] };
            for (said, [output, ..]) in said.iter().zip(row.classes.values()) {
                assert_eq!(said.parse::<f64>().ok(), Some(*output), "{method}, row {number}");
            }
        }
        let ran_out = desk.line(&format!("explain m.evo {data} --rows 9,0,5-6 --out parts.csv"));
        assert_eq!(ran_out.code, 0, "{}", ran_out.err);
        assert!(ran_out.out.contains("Explained 4 rows in parts.csv"), "{}", ran_out.out);
        assert_eq!(desk.read("parts.csv"), ran.out);
    }
}

#[test]
fn several_rows_are_told_as_each_is_alone() {
    let desk = Desk::new();
    desk.line("fit iris -m tree --out m.evo");
    let alone = |row: usize| desk.line(&format!("explain m.evo iris --row {row}")).out;
    let both = desk.line("explain m.evo iris --row 3,120");
    assert_eq!(both.out, format!("{}\n{}", alone(3), alone(120)));
    let json = desk.json("explain m.evo iris --row 120,3 --json");
    let rows = json["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1], desk.json("explain m.evo iris --row 120 --json"));
    for document in rows {
        let mut sums = list(&document["base"]);
        for part in document["parts"].as_array().expect("a list") {
            sums.iter_mut().zip(list(&part["adds"])).for_each(|(sum, add)| *sum += add);
        }
        let off = sums.iter().zip(list(&document["proba"])).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-9);
    }
}

#[test]
fn rows_of_a_file_are_read_as_far_as_they_are_wanted() {
    let desk = Desk::new();
    let mut rows = "x,kind,class\n".to_owned();
    for row in 0..60 {
        let (class, kind) = if row % 2 == 0 { ("a", "p") } else { ("b", "q") };
        rows += &format!("{row}.5,{kind},{class}\n");
    }
    desk.write("t.csv", &rows);
    desk.line("fit t.csv -m naive-bayes --out m.evo");
    // What follows the last wanted row is not read.
    desk.write("bad.csv", format!("{rows}oops,p,a\n"));
    let ran = desk.line("explain m.evo bad.csv --rows 1,58-59 --format csv");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(table(&ran.out).into_keys().collect::<Vec<_>>(), [1, 58, 59]);
    assert!(ran.out.contains(",kind,q,kind = q,"), "{}", ran.out);
    let all = desk.line("explain m.evo t.csv --rows all --format csv");
    assert_eq!(table(&all.out).len(), 60);
    assert!(all.out.starts_with(ran.out.lines().next().expect("a header")));
    // What was explained before a mistake is kept under a name that says so.
    let ran = desk.line("explain m.evo bad.csv --rows 3,60 --out p.csv");
    ran.fails(1, &["oops"]);
    assert!(!desk.path("p.csv").exists());
    assert_eq!(table(&desk.read("p.csv.partial")).into_keys().collect::<Vec<_>>(), [3]);
    for data in ["t.csv", "iris"] {
        desk.line(&format!("fit {data} -m tree --out n.evo"));
        let ran = desk.line(&format!("explain n.evo {data} --rows 3,1000 --json"));
        ran.fails(1, &["there is no row", "rows are counted from 0"]);
        let json: Value = serde_json::from_str(&ran.out).expect("one document");
        assert_eq!(json["rows"].as_array().map(Vec::len), Some(1), "{}", ran.out);
        assert!(json["error"]["message"].as_str().expect("words").contains("no row"));
    }
}

#[test]
fn explanations_are_never_written_over_what_is_read() {
    let desk = Desk::new();
    desk.write("t.csv", "x,class\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n");
    desk.line("fit t.csv -m tree --out m.evo");
    let before = desk.read("t.csv");
    for (out, code, said) in [
        ("t.csv", 1, "both the data and --out"),
        ("m.evo", 1, "both the model and --out"),
        ("parts.evo", 1, "no name for explanations"),
        ("parts.json", 1, "they are CSV"),
        ("nowhere/parts.csv", 1, "no folder"),
    ] {
        desk.line(&format!("explain m.evo t.csv --row 0,1 --out {out}")).fails(code, &[said]);
    }
    assert_eq!(desk.read("t.csv"), before);
    for rows in ["-1", "3-1", "0,,2", "x", "1-", "18446744073709551615"] {
        desk.line(&format!("explain m.evo t.csv --row={rows}")).fails(2, &["counted from 0"]);
    }
}

#[test]
fn committees_explain_with_columns() {
    let desk = Desk::new();
    for (method, settings) in [
        ("vote:tree+logistic+naive-bayes", ""),
        ("vote:tree+logistic+naive-bayes", " -p rule=product"),
        ("pairs:tree", ""),
        ("pairs:logistic", " -p decode=wins"),
        ("one-rest", ""),
        ("ecoc:tree", ""),
        ("stack:tree+naive-bayes", ""),
        ("bag:naive-bayes", " -p members=3"),
    ] {
        let ran = desk.line(&format!("fit iris -m {method}{settings} --out m.evo"));
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        let ran = desk.line("explain m.evo iris --row 7,70,140 --format csv");
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        for (number, row) in table(&ran.out) {
            assert!(row.off() < 1e-9, "{method}{settings}, row {number}: {row:?}");
        }
        let columns = ["sepal length (cm)", "petal length (cm)", "petal width (cm)"];
        let named = |line: &&str| columns.contains(&cells(line)[5].as_str());
        assert!(ran.out.lines().filter(named).count() >= 3, "{method}{settings}: {}", ran.out);
        let words = desk.line("explain m.evo iris --row 70").out;
        assert!(words.contains("petal"), "{method}{settings}: {words}");
    }
}

#[test]
fn coupled_pairs_are_sure_where_their_members_are() {
    let desk = Desk::new();
    let top = |settings: &str| {
        desk.line(&format!("fit iris -m pairs{settings} --out m.evo"));
        let json = desk.json("explain m.evo iris --row 0 --json");
        list(&json["proba"])[0]
    };
    assert!(top("") > 0.95);
    assert!(top(" -p decode=wins") <= 2.0 / 3.0 + 1e-12);
}

#[test]
fn vectors_say_in_which_columns_a_row_is_like_theirs() {
    let desk = Desk::new();
    desk.line("fit iris -m rvm --out m.evo");
    let words = desk.line("explain m.evo iris --row 70").out;
    let vectors: Vec<&str> = words.lines().filter(|line| line.contains("training row")).collect();
    assert!(!vectors.is_empty(), "{words}");
    for line in vectors {
        assert!(line.contains(", farthest in ") || line.contains(", at no distance"), "{line}");
    }
    let ran = desk.line("explain m.evo iris --row 7,70 --format csv");
    assert!(table(&ran.out).values().all(|row| row.off() < 1e-9), "{}", ran.out);
}
