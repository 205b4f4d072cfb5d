//! Tables as they are in the world: decimal commas, dates, packed files, slips.

mod common;

use common::{Desk, Ran};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// Sixty rows of a number, a category and a class, with the cells as they are written.
fn table(header: &str, mark: &str, number: impl Fn(f64) -> String) -> String {
    let mut text = format!("{header}\n");
    for row in 0..60 {
        let x = f64::from((row * 37) % 60) + 0.25 * f64::from(row % 4);
        let class = if x + f64::from(row % 9) > 34.0 { "ill" } else { "well" };
        let kind = ["a", "b", "c"][row as usize % 3];
        text += &[&number(x), kind, class].join(mark);
        text += "\n";
    }
    text
}

fn plain(x: f64) -> String {
    x.to_string()
}

fn comma(x: f64) -> String {
    x.to_string().replace('.', ",")
}

/// The table without a slip.
fn clean() -> String {
    table("x,kind,class", ",", plain)
}

fn done(ran: Ran) -> String {
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

fn fails(desk: &Desk, line: &str, said: &[&str]) {
    desk.line(line).fails(1, said);
}

/// A run with this on standard input.
fn piped(desk: &Desk, line: &str, bytes: &[u8]) -> Ran {
    let mut command = desk.command(&line.split(' ').collect::<Vec<_>>());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // A command that refuses early does not read to the end.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    child.wait_with_output().expect("it ends").into()
}

/// What a table holds, without its name.
fn content(desk: &Desk, line: &str) -> Value {
    let mut json = desk.json(&format!("data show {line} --json"));
    json["name"] = Value::Null;
    json
}

/// The figures of a fit.
fn figures(desk: &Desk, line: &str) -> Value {
    let json = desk.json(&format!("fit {line} --json"));
    serde_json::json!([json["test"], json["train"], json["model"]["size"]])
}

#[test]
fn a_decimal_comma_is_refused_until_it_is_said_and_then_remembered() {
    let desk = Desk::new();
    desk.write("point.csv", clean());
    desk.write("comma.csv", table("x;kind;class", ";", comma));
    let said = [
        "with a decimal comma 60 of the column's 60",
        "comma.csv, line 3, column `x`",
        "--decimal ,",
    ];
    fails(&desk, "fit comma.csv", &said);
    let of = |line: &str| figures(&desk, line);
    assert_eq!(
        of("comma.csv -m naive-bayes --decimal , --out c.evo"),
        of("point.csv -m naive-bayes --out p.evo")
    );
    // The model knows the mark; what the person says goes before it.
    let predict = |line: &str| done(desk.line(&format!("predict {line}")));
    let wanted = predict("p.evo point.csv");
    assert_eq!(predict("c.evo comma.csv"), wanted);
    assert_eq!(predict("c.evo point.csv --decimal ."), wanted);
    fails(&desk, "predict p.evo comma.csv", &["is not a number", "line 3, column `x`"]);
    let judge = |line: &str| desk.json(&format!("evaluate {line} --json"))["test"].clone();
    assert_eq!(judge("c.evo comma.csv"), judge("p.evo point.csv"));
    assert!(done(desk.line("explain c.evo comma.csv --row 1")).contains("37.25"));
}

#[test]
fn marks_between_thousands_and_percent_signs_are_part_of_a_number() {
    let desk = Desk::new();
    let with = |x: f64| {
        let whole = (x * 1000.0) as u64 + 1000;
        format!("\"{},{:03}\"", whole / 1000, whole % 1000)
    };
    desk.write("plain.csv", table("x,kind,class", ",", |x| (x * 1000.0 + 1000.0).to_string()));
    desk.write("marks.csv", table("x,kind,class", ",", with));
    assert_eq!(content(&desk, "marks.csv"), content(&desk, "plain.csv"));
    assert_eq!(figures(&desk, "marks.csv"), figures(&desk, "plain.csv"));
    desk.write("spaces.csv", "x;kind;class\n1 000,5;a;ill\n22 333,5;b;well\n4;c;ill\n");
    let shown = done(desk.line("data show spaces.csv --decimal ,"));
    assert!(shown.contains("4 to 22333.5"), "{shown}");
    // Where commas do not part cells, one may be a decimal mark.
    desk.write(
        "both.csv",
        table("x;kind;class", ";", |x| format!("{},{:03}", 1 + x as u64, x as u64)),
    );
    fails(&desk, "fit both.csv", &["is not a number", "--decimal . if it parts thousands"]);
    assert_eq!(desk.line("fit both.csv --decimal .").code, 0);

    desk.write("share.csv", table("x,kind,class", ",", |x| (x / 100.0).to_string()));
    desk.write("percent.csv", table("x,kind,class", ",", |x| format!("{x} %")));
    let shown = done(desk.line("data show percent.csv"));
    assert!(shown.contains("percentages") && shown.contains("0.5"), "{shown}");
    assert_eq!(figures(&desk, "percent.csv"), figures(&desk, "share.csv"));
}

#[test]
fn dates_and_times_are_numbers_of_one_kind_in_a_column() {
    let desk = Desk::new();
    let day = |x: f64| format!("2024-0{}-{:02}", 1 + x as u64 / 20, 1 + x as u64 % 20);
    desk.write("days.csv", table("x,kind,class", ",", day));
    let shown = done(desk.line("data show days.csv"));
    assert!(shown.contains("dates (days since 1970)") && shown.contains("19723 to"), "{shown}");
    assert!(!done(desk.line("data show days.csv --nominal x --use x")).contains("dates"));
    done(desk.line("fit days.csv -m naive-bayes --out days.evo"));
    done(desk.line("predict days.evo days.csv"));
    desk.write("times.csv", "x,kind\n2024-01-01T10:00,a\n");
    fails(&desk, "predict days.evo times.csv", &["`2024-01-01T10:00` is not a date", "line 2"]);
    desk.write("number.csv", "x,kind\n19723,a\n");
    fails(&desk, "predict days.evo number.csv", &["`19723` is not a date"]);
    let slip = table("x,kind,class", ",", day).replacen("2024-02-10", "2024-02-30", 1);
    desk.write("slip.csv", slip);
    fails(&desk, "fit slip.csv", &["`2024-02-30` is not a date, though 59", "column `x`"]);
    desk.write("clock.csv", table("x,kind,class", ",", |x| format!("{:02}:30", x as u64 % 24)));
    assert!(done(desk.line("data show clock.csv")).contains("times (seconds since midnight)"));
    // A data set by name is held to what the model learnt from as well.
    desk.write("n.csv", "x,kind,class\n1,a,ill\n2,b,well\n3,a,ill\n");
    done(desk.line("data add n n.csv"));
    fails(&desk, "predict days.evo n", &["column `x` holds numbers", "learnt from dates"]);
}

#[test]
fn what_stands_for_nothing_is_missing_among_numbers() {
    let desk = Desk::new();
    for text in ["None", "NULL", "NaN", "NA", "-", "none", ""] {
        let with = |x: f64| if x > 50.9 { text.to_owned() } else { plain(x) };
        desk.write("t.csv", table("x,kind,class", ",", with));
        let shown = content(&desk, "t.csv");
        assert_eq!(shown["columns"][0]["levels"], Value::Null, "{text}");
        assert_eq!(shown["columns"][0]["missing"], 9, "{text}");
    }
    // A sign or a word among categories is one of them.
    desk.write("signs.csv", "s,x,class\n+,1,-\n-,2,+\nnone,3,-\nNone,4,+\n");
    let shown = content(&desk, "signs.csv");
    assert_eq!(shown["columns"][0]["levels"], serde_json::json!(["+", "-", "none"]));
    assert_eq!(shown["classes"][1], serde_json::json!({ "name": "-", "rows": 2 }));
    // A text of one's own is remembered by the model.
    let with = |x: f64| if x > 50.9 { "lost".to_owned() } else { plain(x) };
    desk.write("lost.csv", table("x,kind,class", ",", with));
    fails(
        &desk,
        "fit lost.csv",
        &["`lost` is not a number, though 51 of the column's 60", "--missing 'lost'"],
    );
    done(desk.line("fit lost.csv --missing lost --out lost.evo"));
    done(desk.line("predict lost.evo lost.csv"));
}

#[test]
fn a_slip_is_named_in_columns_that_are_half_numbers() {
    let desk = Desk::new();
    let with = |x: f64| if (x as u64).is_multiple_of(3) { format!("<{x}") } else { plain(x) };
    desk.write("t.csv", table("x,kind,class", ",", with));
    fails(&desk, "fit t.csv", &["`<0` is not a number, though 40", "t.csv, line 2, column `x`"]);
    // Texts that only look like numbers are not refused; a remark names the first.
    desk.write("t.csv", table("x,kind,class", ",", |x| format!("{x} mg")));
    let ran = desk.line("fit t.csv");
    assert!(ran.err.contains("(such as `0 mg` in line 2)"), "{}", ran.err);
}

#[test]
fn the_same_rows_come_out_of_every_encoding_and_packing() {
    let desk = Desk::new();
    desk.lay_out();
    let text = desk.read("heights.csv");
    let utf16 = |of: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(of).collect()
    };
    desk.write("little.csv", utf16(u16::to_le_bytes));
    desk.write("big.csv", utf16(u16::to_be_bytes));
    desk.write("returns.csv", text.replace('\n', "\r"));
    desk.write("both.csv", text.replace('\n', "\r\n"));
    let wanted = content(&desk, "heights.csv");
    assert_eq!(wanted["rows"], 40);
    for name in
        ["heights.csv.zst", "heights.csv.xz", "little.csv", "big.csv", "returns.csv", "both.csv"]
    {
        assert_eq!(content(&desk, name), wanted, "{name}");
    }
    done(desk.line("fit heights.csv --out h.evo"));
    let predicted = done(desk.line("predict h.evo heights.csv"));
    for name in ["heights.csv.zst", "heights.csv.xz", "little.csv", "returns.csv"] {
        assert_eq!(done(desk.line(&format!("predict h.evo {name}"))), predicted, "{name}");
        let bytes = std::fs::read(desk.path(name)).expect("the file");
        assert_eq!(done(piped(&desk, "predict h.evo -", &bytes)), predicted, "{name} in a pipe");
    }
    // Packed data sets are found by their names, and their lines are counted.
    done(desk.line("data add tall heights.csv.zst"));
    assert_eq!(content(&desk, "tall")["rows"], 40);
    desk.write("returns.csv", text.replace('\n', "\r").replacen("150.5", "15O.5", 1));
    fails(&desk, "predict h.evo returns.csv", &["`15O.5` is not a number", "line 2"]);
    desk.write("half.csv", &utf16(u16::to_le_bytes)[..101]);
    fails(&desk, "fit half.csv", &["half.csv"]);
    desk.write("wide.csv", b"\xff\xfe\0\0a\0\0\0");
    fails(&desk, "fit wide.csv", &["this is text in UTF-32"]);
}

#[test]
fn damaged_and_growing_files_are_errors() {
    let desk = Desk::new();
    desk.lay_out();
    for name in ["heights.csv.zst", "heights.csv.xz"] {
        let whole = std::fs::read(desk.path(name)).expect("the file");
        for at in [8, whole.len() / 2, whole.len() - 3] {
            desk.write("cut", &whole[..at]);
            assert_eq!(desk.line("fit cut").code, 1, "{name} cut at {at}");
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            desk.write("bad", &bytes);
            let ran = desk.line("fit bad");
            assert!(ran.code == 1 && !ran.err.contains("panicked"), "{name} at {at}: {}", ran.err);
        }
        // Two packed files one behind the other are one, with one header too many.
        desk.write("twice", [&whole[..], &whole].concat());
        assert_eq!(content(&desk, "twice --nominal height")["rows"], 81, "{name}");
    }
    // A frame of blocks of 128 KiB, each of one byte again and again: 10 KB that hold 300 MB.
    let mut bytes = b"\x28\xb5\x2f\xfd\0\x38".to_vec();
    for block in 0..2400_u32 {
        let header = (131_072 << 3) | (1 << 1) | u32::from(block == 2399);
        bytes.extend_from_slice(&header.to_le_bytes()[..3]);
        bytes.push(b'\n');
    }
    desk.write("bomb.csv.zst", &bytes);
    fails(&desk, "fit bomb.csv.zst", &["more than 400 times its size"]);
    // A window of 4 GB is not made because a file says so.
    desk.write("window.zst", b"\x28\xb5\x2f\xfd\0\xb0\x09\0\0a");
    fails(&desk, "fit window.zst", &["window.zst"]);
}

#[test]
fn comments_are_skipped_and_a_marked_header_is_not_one() {
    let desk = Desk::new();
    desk.write("t.csv", clean());
    let wanted = content(&desk, "t.csv");
    let same = |text: String, options: &str| {
        desk.write("c.csv", text);
        assert_eq!(content(&desk, &format!("c.csv{options}")), wanted, "{options}");
    };
    same(format!("# made by hand, 2024\n#\n# x;y;z, not parted\n{}", clean()), "");
    same(format!("# a, b, c\n{}", clean()), "");
    let within = clean().replacen("ill\n", "ill\n# checked until here\n", 3);
    same(format!("# made by hand\n{within}# the end"), " --comment #");
    desk.write("c.csv", within);
    fails(&desk, "fit c.csv", &["the row has 1 cells"]);
    same(clean().replacen("x,", "# x,", 1), "");
    desk.write("c.csv", clean().replacen("x,", "#x,", 1));
    assert_eq!(content(&desk, "c.csv")["columns"][0]["name"], "#x");
    desk.write("c.csv", "# nothing\n# at all\n");
    fails(&desk, "fit c.csv", &["the file is empty"]);
    // The model knows the mark.
    desk.write("c.csv", format!("% first\n{}", clean().replacen("ill\n", "ill\n% next\n", 2)));
    done(desk.line("fit c.csv --comment % --out c.evo"));
    assert_eq!(done(desk.line("predict c.evo c.csv")).lines().count(), 61);
}

#[test]
fn a_first_row_that_is_data_is_refused() {
    let desk = Desk::new();
    let whole = clean();
    let rows = whole.lines().skip(2).collect::<Vec<_>>().join("\n");
    desk.write("t.csv", rows.replace(",a,", ",1,").replace(",b,", ",2,").replace(",c,", ",3,"));
    fails(&desk, "fit t.csv", &["the first line is a row", "`37.25`", "line 1", "--no-header"]);
    assert_eq!(desk.line("fit t.csv --no-header").code, 0);
    desk.write("t.csv", "5.1,1.4,1.4,0.2,setosa\n4.9,1.5,1.4,0.2,virginica\n");
    fails(&desk, "fit t.csv", &["the first line is a row", "--no-header"]);
    // Wavelengths are names.
    let header = "400.5,410.5,420.5,430.5,440.5,450.5,460.5,470.5,class";
    desk.write("t.csv", format!("{header}\n1,2,3,4,5,6,7,8,a\n2,3,4,5,6,7,8,9,b\n"));
    assert_eq!(content(&desk, "t.csv")["columns"][7]["name"], "470.5");
}

#[test]
fn standard_input_is_a_table_to_learn_from() {
    let desk = Desk::new();
    desk.write("t.csv", clean());
    let wanted = figures(&desk, "t.csv");
    let piped_to = |line: &str| piped(&desk, line, clean().as_bytes());
    let json: Value = serde_json::from_str(&done(piped_to("fit - --json"))).expect("a document");
    assert_eq!(serde_json::json!([json["test"], json["train"], json["model"]["size"]]), wanted);
    assert_eq!(json["dataset"], "standard input");
    assert!(done(piped_to("data show -")).starts_with("standard input: 60 rows"));
    assert!(done(piped_to("compare - -m tree,naive-bayes --folds 3")).contains("naive-bayes"));
    piped_to("fit - --test -").fails(1, &["cannot be both the data and the test data"]);
}

#[test]
fn rows_without_a_target_are_left_out_when_that_is_asked() {
    let desk = Desk::new();
    desk.write("t.csv", clean());
    desk.write("gaps.csv", clean() + "1.5,a,\n2.5,b,NA\n");
    fails(
        &desk,
        "fit gaps.csv",
        &["the target is missing in 2 rows, first in row 60", "--drop-unlabelled"],
    );
    let ran = desk.line("fit gaps.csv --drop-unlabelled --json");
    let json: Value = serde_json::from_str(&ran.out).expect("a document");
    assert!(ran.err.contains("note: 2 rows have no target: left out"), "{}", ran.err);
    assert_eq!(json["remarks"][0]["kind"], "unlabelled");
    assert_eq!(figures(&desk, "gaps.csv --drop-unlabelled"), figures(&desk, "t.csv"));
    // Weights of rows go with them.
    done(desk.line("fit gaps.csv --drop-unlabelled --weights x"));
    // Published parts count rows.
    desk.write("p-tr.csv", desk.read("gaps.csv"));
    desk.write("p-te.csv", clean());
    let mut command = desk.command(&["fit", "p", "--drop-unlabelled"]);
    command.env("EVOCRACY_DATA", desk.path("."));
    let ran = Ran::from(command.output().expect("the command starts"));
    ran.fails(1, &["its published parts count them"]);
}

#[test]
fn balanced_classes_weigh_the_same() {
    let desk = Desk::new();
    let mut text = "x,class\n".to_owned();
    for row in 0..400 {
        let ill = row % 10 == 0;
        text += &format!(
            "{},{}\n",
            (row * 37) % 101 + if ill { 25 } else { 0 },
            if ill { "ill" } else { "well" }
        );
    }
    desk.write("t.csv", text);
    let fit = |options: &str| {
        desk.json(&format!("fit t.csv -m naive-bayes --positive ill{options} --json"))
    };
    let (as_is, balanced) = (fit(""), fit(" --balance --out b.evo"));
    let found = |json: &Value| json["calls"]["classes"][0]["called"].as_f64().expect("rows");
    assert!(found(&balanced) > found(&as_is) + 5.0, "{} {}", found(&balanced), found(&as_is));
    assert_eq!(
        (&balanced["model"]["balanced"], &as_is["model"]["balanced"]),
        (&true.into(), &false.into())
    );
    // Without evidence every class is as likely as the others.
    desk.write("new.csv", "x\n\n?\n");
    let predicted = done(desk.line("predict b.evo new.csv"));
    let row = predicted.lines().nth(1).expect("a row");
    let ill: f64 = row.split(',').nth(1).and_then(|p| p.parse().ok()).expect("a probability");
    assert!((ill - 0.5).abs() < 1e-6, "{predicted}");
    assert!(
        done(desk.line("fit t.csv -m naive-bayes --balance")).contains("same weight in training")
    );
    fails(&desk, "fit t.csv -m lvq --balance", &["`lvq` heeds no weights"]);
    fails(&desk, "fit gen:sinc -m rvm-regression --balance", &["predicts a number"]);
}

#[test]
fn rows_that_cannot_be_read_are_skipped_and_listed() {
    let desk = Desk::new();
    let turned = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[1], cells[0], cells[2]].join(",")
    };
    let mut bad: Vec<String> = clean().lines().map(turned).collect();
    desk.write("t.csv", bad.join("\n"));
    done(desk.line("fit t.csv -m naive-bayes --out m.evo"));
    let good: Vec<String> =
        [0, 1, 2, 4, 5, 7].into_iter().chain(9..61).map(|at| bad[at].clone()).collect();
    bad[3] = "new,1O,well".to_owned();
    bad[6] = "1,a".to_owned();
    bad[8] = "b,inf,ill".to_owned();
    desk.write("bad.csv", bad.join("\n"));
    desk.write("good.csv", good.join("\n"));
    let wanted = done(desk.line("predict m.evo good.csv"));
    fails(&desk, "predict m.evo bad.csv", &["`1O` is not a number", "line 4, column `x`"]);

    let ran = desk.line("predict m.evo bad.csv --skip-bad");
    assert_eq!(ran.out, wanted);
    let said = "3 rows could not be read and have no prediction; the first: `1O` is not a number (bad.csv, line 4, column `x`)";
    assert!(ran.err.contains(said), "{}", ran.err);
    // The level in a row that was skipped was not met.
    assert!(!ran.err.contains("did not show"), "{}", ran.err);
    let json = desk.json("predict m.evo bad.csv --skip-bad --json");
    assert_eq!((&json["rows"], &json["skipped"]["rows"]), (&57.into(), &3.into()));
    assert_eq!(json["skipped"]["first"][1]["problem"], "the row has 2 cells");

    let json = desk.json("predict m.evo bad.csv --skip-bad --out p.csv --json");
    assert_eq!(json["skipped"]["list"], "p.csv.skipped.csv");
    assert_eq!(desk.read("p.csv"), wanted);
    let list = desk.read("p.csv.skipped.csv");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines[..2], ["line,column,problem,expected", "4,x,`1O` is not a number,a number"]);
    assert!(
        lines[2].starts_with("7,,the row has 2 cells") && lines[3].starts_with("9,x,`inf`"),
        "{list}"
    );
    assert_eq!(lines.len(), 4);
    // A million slips are counted, and no more are listed than can be read.
    desk.write("all.csv", format!("x,kind\n{}", "oops,a\n".repeat(3000)));
    let json = desk.json("predict m.evo all.csv --skip-bad --out p.csv --json");
    assert_eq!((&json["rows"], &json["skipped"]["rows"]), (&0.into(), &3000.into()));
    assert_eq!(desk.read("p.csv.skipped.csv").lines().count(), 1001);
    // The list takes no place of what is read.
    desk.write("q.skipped.csv", clean());
    fails(&desk, "predict m.evo q.skipped.csv --skip-bad --out q", &["would be written over"]);
    assert_eq!(desk.read("q.skipped.csv"), clean());
    // What would be kept of the predictions after an error is no input either, nor behind a link.
    desk.write("r.partial", clean());
    fails(&desk, "predict m.evo r.partial --out r", &["is the data", "would be written over"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("r", desk.path("link")).expect("a link");
        fails(&desk, "predict m.evo r.partial --out link", &["would be written over"]);
    }
    assert_eq!(desk.read("r.partial"), clean());
}
