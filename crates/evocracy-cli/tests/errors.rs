//! Bad input gives an error that says what, where and what to do.

mod common;

use common::Desk;

/// Writes `content` to a file and fits it.
fn fit(content: impl AsRef<[u8]>) -> common::Ran {
    let desk = Desk::new();
    desk.write("t.csv", content);
    desk.line("fit t.csv")
}

/// Thirty rows of numbers with one cell replaced.
fn numbers(slip: &str) -> String {
    let mut text = "age,dose,class\n".to_owned();
    for row in 0..30 {
        let age = if row == 17 { slip.to_owned() } else { format!("{}", 20 + row) };
        text += &format!("{age},{}.5,{}\n", row % 7, if row % 2 == 0 { "ill" } else { "well" });
    }
    text
}

#[test]
fn a_bad_cell_names_line_column_and_what_to_do() {
    let said = [
        "`3O` is not a number",
        "29 of the column's 30",
        "t.csv, line 19, column `age`",
        "--missing",
    ];
    fit(numbers("3O")).fails(1, &said);
}

#[test]
fn what_the_help_says_works() {
    let desk = Desk::new();
    desk.write("t.csv", numbers("3O"));
    for option in ["--missing=3O", "--nominal=age"] {
        let ran = desk.run(&["fit", "t.csv", "--method", "naive-bayes", option]);
        assert_eq!(ran.code, 0, "{option}: {}", ran.err);
    }
    desk.run(&["fit", "t.csv", "--number=age"]).fails(1, &["`3O` is not a number", "line 19"]);
}

#[test]
fn an_infinite_number_is_refused() {
    for text in ["inf", "-Infinity", "1e999"] {
        fit(numbers(text)).fails(1, &["is infinite", "line 19, column `age`", "a finite number"]);
    }
}

#[test]
fn a_ragged_row_is_refused() {
    let said = ["the row has 2 cells", "t.csv, line 3", "expected: 3 cells"];
    fit("a,b,class\n1,2,x\n1,x\n").fails(1, &said);
    fit("a,b,class\n1,2,x\n1,2,3,x\n").fails(1, &["the row has 4 cells", "line 3"]);
}

#[test]
fn a_duplicate_header_is_refused() {
    fit("a,a,class\n1,2,x\n")
        .fails(1, &["two columns are called `a`", "t.csv, line 1, column `a`"]);
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let said = ["not text", "t.csv, line 3, column `b`", "expected: UTF-8", "iconv"];
    fit(b"a,b,class\n1,x,y\n2,\xe9t\xe9,n\n").fails(1, &said);
    fit(b"a,\xe9,class\n1,x,y\n").fails(1, &["not text", "line 1, column `2`"]);
}

#[test]
fn an_empty_file_is_refused() {
    fit("").fails(1, &["the file is empty", "t.csv"]);
    fit("\n\n").fails(1, &["the file is empty"]);
    fit("a,b,class\n").fails(1, &["no rows", "t.csv, column `class`"]);
}

#[test]
fn a_target_with_one_class_is_refused() {
    let said = ["every row has the class `x`", "t.csv, column `class`", "at least two classes"];
    fit("a,b,class\n1,2,x\n3,4,x\n").fails(1, &said);
}

#[test]
fn a_missing_target_is_refused() {
    let said = ["the target is missing in row 1", "column `class`", "counted from 0"];
    fit("a,class\n1,x\n2,\n3,y\n").fails(1, &said);
    let said = ["the target is missing in 2 rows, first in row 0"];
    fit("a,class\n1,\n2,\n3,y\n").fails(1, &said);
}

#[test]
fn bad_weights_are_refused_by_row_and_reason() {
    let desk = Desk::new();
    for (weight, said) in
        [("-2", "row 1 has the weight -2"), ("", "row 1 has no weight"), ("x", "are not numbers")]
    {
        desk.write("t.csv", format!("w,a,class\n1,1,x\n{weight},2,y\n1,3,x\n"));
        desk.line("fit t.csv --weights w").fails(1, &[said, "t.csv, column `w`", "at least 0"]);
    }
}

#[test]
fn weights_whose_products_overflow_are_refused_by_every_method() {
    let desk = Desk::new();
    for weight in ["1e307", "1e154", "1e-200"] {
        let rows = (0..40).map(|row| {
            let class = if row % 3 == 0 { "x" } else { "y" };
            format!("{weight},{},{class}\n", row % 7)
        });
        desk.write("t.csv", format!("w,a,class\n{}", rows.collect::<String>()));
        for method in ["moe-ga", "naive-bayes", "ucs", "tree", "forest", "logistic", "stack"] {
            let line = format!("fit t.csv --weights w -m {method} --out m.evo");
            desk.line(&line).fails(1, &["the weights of the rows sum to", "scale the weights"]);
            assert!(!desk.path("m.evo").exists(), "{line}");
        }
    }
}

#[test]
fn a_class_for_each_row_is_named_as_that() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..60).map(|row| format!("{row},c{row}\n")).collect();
    desk.write("t.csv", format!("x,class\n{}", rows.concat()));
    desk.line("fit t.csv").fails(1, &["each of the 60 rows has a class of its own", "--target"]);
}

#[test]
fn a_terminal_is_not_told_what_a_cell_says() {
    let desk = Desk::new();
    let row = |row: u32| format!("{row},\u{1b}[31mred{}\u{7}\n", row % 2);
    let rows: Vec<String> = (0..60).map(row).collect();
    desk.write("t.csv", format!("\u{1b}[2Jx,class\n{}", rows.concat()));
    let ran = desk.line("fit t.csv --out m.evo");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("\\u{1b}[31mred1"), "{}", ran.out);
    desk.write("bad.csv", "\u{1b}[2Jx,class\n\u{1b}]0;title\u{7},a\n1,b\n");
    for line in ["show m.evo", "explain m.evo t.csv --row 0", "rules m.evo"] {
        let ran = desk.line(line);
        assert!(!format!("{}{}", ran.out, ran.err).contains('\u{1b}'), "{line}");
    }
    // What `predict` prints is data, with names as they are; what it says of them is not.
    let ran = desk.line("predict m.evo bad.csv");
    ran.fails(1, &["title"]);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn the_target_is_neither_ignored_nor_a_weight() {
    let desk = Desk::new();
    desk.write("t.csv", "a,class\n1,0\n2,1\n3,0\n4,1\n");
    for options in ["--ignore class", "--weights class"] {
        desk.line(&format!("fit t.csv {options}")).fails(1, &["`class` is the target", "--target"]);
    }
}

#[test]
fn a_folder_is_called_a_folder() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("some.csv")).expect("a folder");
    desk.line("fit some.csv").fails(1, &["`some.csv` is a folder, not a table"]);
    desk.line("fit .").fails(1, &["`.` is a folder, not a table"]);
}

#[test]
fn a_long_cell_is_cut_in_the_message() {
    let ran = fit(numbers(&"9".repeat(100_000)));
    ran.fails(1, &["is infinite"]);
    assert!(ran.err.len() < 1000, "{} bytes", ran.err.len());
}

#[test]
fn an_open_quote_and_a_missing_header_are_refused() {
    fit("a,class\n1,x\n\"2,y\n3,z\n").fails(1, &["never closed", "line 3"]);
    fit("1,2,3\n4,5,6\n").fails(1, &["only numbers", "--no-header"]);
}

#[test]
fn foreign_files_are_recognised() {
    fit(b"PK\x03\x04rest").fails(1, &["zip archive or an Excel workbook"]);
    fit(b"EVOCRACY....").fails(1, &["an evocracy model"]);
    fit(b"\x1f\x8b\x08\x00broken").fails(1, &["cannot read `t.csv`"]);
}

#[test]
fn slips_of_the_keyboard_get_a_suggestion() {
    let desk = Desk::new();
    desk.write("patients.csv", numbers("3"));
    desk.line("fit patient.csv")
        .fails(2, &["no file `patient.csv`", "did you mean `patients.csv`"]);
    desk.line("fit wbdc").fails(2, &["no data set `wbdc`", "did you mean `wdbc`"]);
    desk.line("fit wdbc --method tere").fails(2, &["no method `tere`", "did you mean `tree`"]);
    desk.line("fit wdbc -p dept=3").fails(2, &["no parameter `dept`", "did you mean `depth`"]);
    desk.line("fit patients.csv --target clas").fails(2, &["no column `clas`", "`class`"]);
    desk.line("fit patients.csv --positive wel").fails(2, &["no class `wel`", "`well`"]);
    desk.line("fit patients.csv --nominal aeg").fails(2, &["no column `aeg`", "`age`"]);
    desk.line("fot wdbc").fails(2, &["fit"]);
    desk.line("data show mushroms").fails(2, &["did you mean `mushroom`"]);
    desk.line("methods naive_bayes").fails(2, &["did you mean `naive-bayes`"]);
}

#[test]
fn values_out_of_range_say_what_is_expected() {
    let desk = Desk::new();
    desk.line("fit wdbc -p depth=abc").fails(2, &["`depth` of `tree`", "a whole number"]);
    desk.line("fit wdbc -p depth").fails(2, &["NAME=VALUE"]);
    desk.line("fit wdbc --holdout 1.5").fails(2, &["a share between 0 and 1"]);
    desk.line("fit wdbc --threads 0").fails(2, &["threads"]);
    desk.line("fit wdbc --seed x").fails(2, &["--seed"]);
    desk.line("fit wdbc --refit").fails(1, &["--out"]);
    desk.line("fit iris:train").fails(1, &["no published parts"]);
}

#[test]
fn model_files_that_are_none_are_refused() {
    let desk = Desk::new();
    desk.line("fit iris --out m.evo");
    let bytes = std::fs::read(desk.path("m.evo")).expect("the model");
    desk.write("short.evo", &bytes[..bytes.len() / 2]);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    desk.write("flipped.evo", &flipped);
    desk.write("foreign.evo", "not a model at all");
    let mut newer = bytes;
    newer[8] = 99;
    desk.write("newer.evo", &newer);
    for (file, said) in [
        ("short.evo", "checksum"),
        ("flipped.evo", "checksum"),
        ("foreign.evo", "does not start like an evocracy model"),
        ("newer.evo", "its format is 99"),
        ("none.evo", "cannot read `none.evo`"),
    ] {
        for verb in ["predict", "evaluate"] {
            desk.line(&format!("{verb} {file} iris")).fails(1, &[said]);
        }
        desk.line(&format!("explain {file} iris --row 0")).fails(1, &[said]);
    }
}

#[test]
fn what_to_do_is_said_with_the_options_of_the_command() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..40).map(|x| format!("{x}.5,{}.25\n", x * 7 % 40)).collect();
    desk.write("n.csv", rows.concat());
    desk.write("w.arff", "@relation w\n@attribute a real\n@attribute c {x,y}\n@data\n1,x,{2}\n");
    desk.write("no.evo", "not a model");
    for (line, code, said) in [
        ("fit n.csv --no-header --method tree", 1, "--nominal"),
        ("fit w.arff", 1, "--weights"),
        ("fit iris:test", 1, "leave out `:test` and use --holdout"),
        ("fit iris --method tree:knn", 1, "write --method tree"),
        ("fit iris --method bag:ridge", 1, "see `evocracy methods`"),
        ("fit mushroom --method moe-batch", 1, "--encode bits:2"),
        ("predict no.evo iris", 1, "train anew with `evocracy fit`"),
    ] {
        desk.line(line).fails(code, &[said]);
    }
}

#[test]
fn errors_are_data_for_programs() {
    let desk = Desk::new();
    desk.write("t.csv", numbers("3O"));
    let ran = desk.line("fit t.csv --json");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON document");
    let error = &json["error"];
    assert_eq!(error["kind"], "table");
    assert_eq!((&error["file"], &error["line"]), (&"t.csv".into(), &19.into()));
    assert_eq!(error["column"], "age");
    assert!(error["help"].as_str().expect("help").contains("--missing"));
    for line in ["fit --json", "fit t.csv --holdout much --json", "--json walk"] {
        let ran = desk.line(line);
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON document");
        assert_eq!((ran.code, &json["error"]["kind"]), (2, &"usage".into()), "{line}");
    }
}

#[test]
fn an_error_in_the_middle_leaves_one_document() {
    let desk = Desk::new();
    desk.write("t.csv", numbers("33"));
    assert_eq!(desk.line("fit t.csv --out m.evo").code, 0);
    desk.write("slip.csv", "age,dose\n3,4\nx7,5\n");
    let ran = desk.line("predict m.evo slip.csv --json");
    assert_eq!(ran.code, 1);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON document");
    assert_eq!((&json["rows"], &json["error"]["line"]), (&0.into(), &3.into()));
}

#[test]
fn rows_that_do_not_fit_the_model_are_refused_by_place() {
    let desk = Desk::new();
    desk.write("t.csv", numbers("33"));
    assert_eq!(desk.line("fit t.csv --method naive-bayes --out m.evo").code, 0);
    desk.write("slip.csv", "age,dose\n3,4\nx7,5\n");
    desk.line("predict m.evo slip.csv").fails(1, &["`x7` is not a number", "slip.csv, line 3"]);
    desk.write("lacks.csv", "aeg,dose\n3,4\n");
    desk.line("predict m.evo lacks.csv")
        .fails(1, &["the column `age`", "did you mean its column `aeg`"]);
    desk.write("class.csv", "age,dose,class\n3,4,ill\n3,4,dead\n");
    let judged = desk.line("evaluate m.evo class.csv");
    assert_eq!(judged.code, 0);
    assert!(
        judged.err.contains("of the class `dead`, which no training row has"),
        "{}",
        judged.err
    );
    desk.write("class.csv", "age,dose,class\n3,4,lost\n3,4,dead\n");
    desk.line("evaluate m.evo class.csv")
        .fails(1, &["no class that the model knows", "`lost`", "ill, well"]);
    desk.line("explain m.evo t.csv --row 30").fails(1, &["no row 30", "30 rows"]);
}

#[test]
fn what_would_not_fit_into_memory_is_refused_with_figures() {
    let desk = Desk::new();
    let row = |row: usize| format!("{},{},c{}\n", row % 17, row % 300, row % 300);
    desk.write("many.csv", format!("x,y,class\n{}", (0..1200).map(row).collect::<String>()));
    for (method, said) in [
        (
            "rvm-classic",
            "900 rows and 901 bases would need 13.0 MB of memory, and the limit is 1.0 MB",
        ),
        ("rvm", "bases would need"),
        ("pairs", "44850 members, one for each pair of 300 classes, would need"),
        ("tree", "judging 900 rows of 300 classes would need 4.3 MB"),
    ] {
        let ran = desk.line(&format!("fit many.csv -m {method} --max-memory 1M"));
        ran.fails(1, &[said, "--max-memory"]);
    }
    assert_eq!(desk.line("fit many.csv -m tree --max-memory 1G").code, 0);
    // A table that is read piece by piece is held against the limit as it grows.
    desk.write(
        "few.csv",
        "x,y,class\n1,2,a\n2,1,b\n1,3,a\n3,1,b\n".repeat(3).replace("\nx,y,class", ""),
    );
    let row = |row: usize| format!("{},{},a\n", row % 17, row % 300);
    let rows: String = (0..9000).map(row).collect();
    desk.write("test.csv", format!("x,y,class\n{rows}"));
    assert_eq!(desk.line("fit few.csv -m naive-bayes --out few.evo").code, 0);
    for line in [
        "evaluate few.evo test.csv --max-memory 100K",
        "fit few.csv -m naive-bayes --test test.csv --max-memory 100K",
    ] {
        desk.line(line).fails(1, &["judging ", " rows of 2 classes would need", "--max-memory"]);
    }
    assert_eq!(desk.line("evaluate few.evo test.csv --max-memory 1M").code, 0);
    let wrong = desk.line("fit many.csv --max-memory much");
    wrong.fails(2, &["expected a number of bytes such as 500M or 4G"]);
}

#[test]
fn a_model_that_cannot_be_judged_is_named_as_that() {
    let desk = Desk::new();
    let row = |row: usize| format!("{},{},c{}\n", row % 17, row % 300, row % 300);
    desk.write("many.csv", format!("x,y,class\n{}", (0..1200).map(row).collect::<String>()));
    let ran = desk.line("fit many.csv -m tree --max-memory 1M --out m.evo");
    ran.fails(1, &["the trained model is in m.evo, not judged", "would need"]);
    assert_eq!(desk.line("show m.evo").code, 0);
}

#[test]
fn too_many_columns_are_refused_before_they_are_read() {
    let desk = Desk::new();
    desk.write("t.csv", "a,b,c,class\n1,2,3,x\n1,2,4,y\n2,2,3,x\n2,3,4,y\n");
    let arff = "@attribute a numeric\n@attribute b numeric\n@attribute c {x,y}\n@data\n1,2,x\n";
    desk.write("t.arff", arff);
    desk.line("data show t.csv --max-columns 3")
        .fails(1, &["there are more than 3 columns", "t.csv, line 1", "--max-columns"]);
    desk.line("data show t.arff --max-columns 2").fails(1, &["more than 2 columns", "line 3"]);
    assert_eq!(desk.line("data show t.csv --max-columns 4").code, 0);
    desk.write("wide.csv", ",".repeat(20_000_000));
    desk.line("fit wide.csv").fails(1, &["there are more than 100000 columns"]);
}
