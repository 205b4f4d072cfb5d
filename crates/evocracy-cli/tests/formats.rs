//! Every verb takes every format.

mod common;

use common::{Desk, Ran};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

const ARFF: &str = "@relation flowers\n@attribute 'sepal length (cm)' numeric\n\
    @attribute 'sepal width (cm)' numeric\n@attribute 'petal length (cm)' numeric\n\
    @attribute 'petal width (cm)' numeric\n@attribute class {virginica, setosa, versicolor}\n@data\n\
    5.1,3.5,1.4,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n{0 6.3, 1 3.3, 2 6.0, 3 2.5}\n";

const CSV: &str = "sepal length (cm),sepal width (cm),petal length (cm),petal width (cm),class\n\
    5.1,3.5,1.4,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n6.3,3.3,6.0,2.5,virginica\n";

/// A desk with a model of iris and three flowers in two formats.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.lay_out();
    assert_eq!(desk.line("fit iris --method naive-bayes --out m.evo").code, 0);
    desk.write("new.arff", ARFF);
    desk.write("new.csv", CSV);
    desk
}

fn figures(mut json: Value) -> Value {
    json["timing"] = Value::Null;
    json["dataset"] = Value::Null;
    json
}

fn done(ran: Ran) -> String {
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[test]
fn fit_gives_the_same_figures_for_parquet_and_by_name() {
    let desk = desk();
    for method in ["tree", "naive-bayes"] {
        let fit = |data: &str| figures(desk.json(&format!("fit {data} --method {method} --json")));
        assert_eq!(fit("iris"), fit("iris.parquet"));
    }
}

#[test]
fn predictions_do_not_depend_on_the_format() {
    let desk = desk();
    let wanted = done(desk.line("predict m.evo new.csv"));
    assert_eq!(wanted.lines().count(), 4);
    assert_eq!(wanted, done(desk.line("predict m.evo new.arff")));
    let by_name = done(desk.line("predict m.evo iris"));
    assert_eq!(by_name, done(desk.line("predict m.evo iris.parquet")));
    for row in [0, 2] {
        let explain = |data: &str| {
            let said = done(desk.line(&format!("explain m.evo {data} --row {row}")));
            said.replace(data, "the table")
        };
        assert_eq!(explain("new.csv"), explain("new.arff"));
    }
    let judge =
        |data: &str| figures(desk.json(&format!("evaluate m.evo {data} --json")))["test"].clone();
    assert_eq!(judge("new.csv"), judge("new.arff"));
    assert_eq!(judge("iris"), judge("iris.parquet"));
}

#[test]
fn arff_streams_from_standard_input_and_parquet_cannot() {
    let desk = desk();
    let piped = |bytes: &[u8]| -> Ran {
        let mut command = desk.command(&["predict", "m.evo", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(bytes).expect("the pipe takes it");
        child.wait_with_output().expect("it ends").into()
    };
    assert_eq!(done(piped(ARFF.as_bytes())), done(desk.line("predict m.evo new.csv")));
    let parquet = std::fs::read(desk.path("iris.parquet")).expect("the file");
    piped(&parquet).fails(1, &["comes once", "save it to a file first"]);
}

#[test]
fn data_add_keeps_the_format() {
    let desk = desk();
    for (name, file, rows) in
        [("flowers", "new.arff", "3 rows"), ("more", "iris.parquet", "150 rows")]
    {
        let added = done(desk.run(&["data", "add", name, file]));
        assert!(added.contains(rows), "{added}");
        assert!(done(desk.run(&["data", "show", name])).contains(rows));
        desk.run(&["data", "add", name, "new.csv"]).fails(1, &["there is a data set"]);
        done(desk.run(&["data", "add", name, "new.csv", "--replace"]));
        assert!(done(desk.run(&["data", "show", name])).contains("3 rows"));
    }
    desk.line("data add bars bars-images-idx3-ubyte").fails(1, &["two files", "EVOCRACY_DATA"]);
}

#[test]
fn a_level_that_training_did_not_show_is_named_by_its_place() {
    let desk = desk();
    desk.write("c.csv", "c,x,class\na,1,p\nb,2,q\na,3,p\nb,4,q\n");
    done(desk.line("fit c.csv --method naive-bayes --holdout 0.5 --out c.evo"));
    desk.write("c.arff", "@relation c\n@attribute c {a,z}\n@attribute x real\n@data\na,1\nz,2\n");
    let ran = desk.line("predict c.evo c.arff");
    assert!(ran.err.contains("(`z` in line 6)"), "{}", ran.err);
}

#[test]
fn a_damaged_parquet_file_is_an_error_and_no_panic() {
    let desk = desk();
    let whole = std::fs::read(desk.path("iris.parquet")).expect("the file");
    // At both of these bytes the decoder inside panics.
    for (at, byte) in [(1907, 146), (1403, 23)] {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        desk.write("bad.parquet", &bytes);
        for verb in ["fit bad.parquet", "evaluate m.evo bad.parquet"] {
            desk.line(verb).fails(1, &["the file cannot be read", "bad.parquet"]);
        }
    }
    desk.write("bad.parquet", &whole[..whole.len() / 2]);
    desk.line("fit bad.parquet").fails(1, &["does not end like a Parquet file"]);
}
