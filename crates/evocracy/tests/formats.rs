//! The same rows give the same table and the same model, whatever format they come in.

use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::read::{Format, Source, Stream, read_table};
use evocracy::data::{Column, Dataset, Kind, MISSING, Options, Table};
use evocracy::error::{Error, Result};
use evocracy::method::make;
use evocracy::run::{Pool, Run, Stop};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

fn read(source: Source) -> Result<Table> {
    Ok(read_table(&[source], &Format::default())?.0)
}

/// The tables that every format is tried on.
fn tables() -> Result<Vec<(&'static str, Table)>> {
    let embedded = |name| Catalogue::embedded().open(name, &Load::default());
    let mut tables = Vec::new();
    for name in ["iris", "car", "mushroom"] {
        tables.push((name, embedded(name)?.table().clone()));
    }
    tables.push(("mixed", read(Source::file(&folder().join("mixed.csv")))?));
    Ok(tables)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The cell as ARFF has it.
fn cell(table: &Table, row: usize, column: usize) -> String {
    match (table.view().show(row, column), &table.columns()[column]) {
        (None, _) => "?".to_owned(),
        (Some(text), Column::Number(_)) => text,
        (Some(text), Column::Nominal(_)) => quoted(&text),
    }
}

/// A table as ARFF. Levels are declared in an order of their own, and one too many.
fn arff(table: &Table, sparse: bool) -> String {
    let mut text = "% made by a test\n@RELATION 'a table'\n\n".to_owned();
    for field in &table.schema().fields {
        let kind = match &field.kind {
            Kind::Number => "Real".to_owned(),
            Kind::Nominal(levels) => {
                let levels: Vec<String> = levels.iter().rev().map(|l| quoted(l)).collect();
                format!("{{{}, 'never used'}}", levels.join(","))
            }
        };
        writeln!(text, "@Attribute {} {kind}", quoted(&field.name)).unwrap();
    }
    text += "@data\n";
    for row in 0..table.rows() {
        let cells = (0..table.schema().len()).map(|column| cell(table, row, column));
        let line: Vec<String> = if sparse {
            let first = |column: usize| match &table.schema().fields[column].kind {
                Kind::Number => "0".to_owned(),
                Kind::Nominal(levels) => levels.last().map_or(String::new(), |l| quoted(l)),
            };
            let there = cells.enumerate().filter(|(column, cell)| *cell != first(*column));
            there.map(|(column, cell)| format!("{column} {cell}")).collect()
        } else {
            cells.collect()
        };
        let (open, close) = if sparse { ("{", "}") } else { ("", "") };
        writeln!(text, "{open}{}{close}", line.join(", ")).unwrap();
    }
    text
}

/// Equal, where NaN is equal to NaN.
fn assert_same(ours: &Table, theirs: &Table, what: &str) {
    assert_eq!(ours.schema(), theirs.schema(), "{what}");
    for (j, columns) in ours.columns().iter().zip(theirs.columns()).enumerate() {
        let name = &ours.schema().fields[j].name;
        match columns {
            (Column::Number(a), Column::Number(b)) => {
                let bits = |v: &[f64]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
                assert!(bits(a) == bits(b), "{what}, column `{name}`");
            }
            (a, b) => assert!(a == b, "{what}, column `{name}`"),
        }
    }
}

/// The bytes of the models that methods learn from a table.
fn models(table: &Table) -> Result<Vec<Vec<u8>>> {
    let data = Dataset::new("t", table.clone(), &Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let train = |name: &str| {
        let run = Run::new(1, &stop, &pool);
        make(name, &[])?.train(&data.task()?, &run)?.model.to_bytes()
    };
    ["tree", "naive-bayes"].into_iter().map(train).collect()
}

/// Reads the source whole and in chunks and holds both against the table.
fn check(table: &Table, source: &Source, what: &str) -> Result<()> {
    assert_same(&read(source.clone())?, table, what);
    assert!(models(&read(source.clone())?)? == models(table)?, "{what}: models differ");
    let mut stream = Stream::open(source, &Format::default(), table.schema())?;
    let mut row = 0;
    while let Some(chunk) = stream.next_chunk(97)? {
        let rows: Vec<u32> = (row..row + chunk.rows() as u32).collect();
        let view = table.view().with_rows(&rows);
        let columns = (0..view.columns()).map(|j| view.gather(j)).collect();
        assert_same(&chunk, &Table::new(table.schema().clone(), columns)?, what);
        row += chunk.rows() as u32;
    }
    assert_eq!(row as usize, table.rows(), "{what}");
    assert_eq!(stream.unseen(), [], "{what}");
    Ok(())
}

#[test]
fn arff_gives_the_same_tables_and_models_as_csv() -> Result<()> {
    for (name, table) in tables()? {
        check(&table, &Source::memory(name, arff(&table, false).into_bytes()), name)?;
        check(&table, &Source::memory(name, arff(&table, true).into_bytes()), name)?;
    }
    Ok(())
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_gives_the_same_tables_and_models_as_csv() -> Result<()> {
    for (name, table) in tables()? {
        let files: &[&str] =
            if name == "mixed" { &["mixed-lz4", "mixed-delta", "mixed-plain"] } else { &[name] };
        for file in files {
            let path = folder().join(format!("{file}.parquet"));
            check(&table, &Source::file(&path), file)?;
            check(&table, &Source::memory(*file, std::fs::read(&path).unwrap()), file)?;
        }
    }
    Ok(())
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_that_is_no_table_is_refused_by_column() {
    let open = |name: &str| read(Source::file(&folder().join(name))).unwrap_err().to_string();
    let error = open("odd.parquet");
    assert!(error.contains("column `list`: the column holds nested values"), "{error}");
    let error = open("infinite.parquet");
    assert!(error.contains("row 3, column `infinite`: `-inf` is infinite"), "{error}");
    // What is not wanted does not matter.
    let odd = Source::file(&folder().join("odd.parquet"));
    let schema = evocracy::data::Schema { fields: vec![evocracy::data::Field::number("x")] };
    let mut stream = Stream::open(&odd, &Format::default(), &schema).unwrap();
    let chunk = stream.next_chunk(10).unwrap().unwrap();
    assert_eq!(chunk.columns()[0].missing(), 1);
    let schema = evocracy::data::Schema { fields: vec![evocracy::data::Field::number("raw")] };
    let mut stream = Stream::open(&odd, &Format::default(), &schema).unwrap();
    let error = stream.next_chunk(10).unwrap_err().to_string();
    assert!(error.contains("column `raw`: the column holds binary data"), "{error}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_cannot_come_through_a_pipe() {
    let bytes = std::fs::read(folder().join("iris.parquet")).unwrap();
    let source = Source::once("standard input", std::io::Cursor::new(bytes));
    let error = read(source).unwrap_err();
    assert!(error.to_string().contains("comes once"), "{error}");
    assert_eq!(error.help().as_deref(), Some("save it to a file first"));
}

#[test]
fn folders_may_hold_any_format() -> Result<()> {
    let desk = tempfile::tempdir().expect("a temporary folder");
    let iris = &tables()?[0].1;
    std::fs::write(desk.path().join("flowers.arff"), arff(iris, false)).unwrap();
    std::fs::write(desk.path().join("parts-tr.csv"), "x,class\n1,a\n2,b\n").unwrap();
    std::fs::write(
        desk.path().join("parts-te.arff"),
        "@relation t\n@attribute x real\n@attribute class {b, a}\n@data\n3,a\n",
    )
    .unwrap();
    let catalogue = Catalogue::with_folders(vec![desk.path().to_owned()]);
    assert_same(catalogue.open("flowers", &Load::default())?.table(), iris, "flowers");
    let parts = catalogue.open("parts", &Load::default())?;
    assert_eq!((parts.published[0].train.len(), parts.published[0].test.len()), (2, 1));
    Ok(())
}

#[test]
fn images_are_opened_by_path() -> Result<()> {
    let desk = tempfile::tempdir().expect("a temporary folder");
    let images = desk.path().join("train-images-idx3-ubyte");
    std::fs::write(&images, [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 7, 8, 9, 10]).unwrap();
    let open = || Catalogue::embedded().open(images.to_str().unwrap(), &Load::default());
    let error = open().unwrap_err().to_string();
    assert!(error.contains("no labels beside these images"), "{error}");
    let labels = desk.path().join("train-labels-idx1-ubyte");
    std::fs::write(&labels, [0, 0, 8, 1, 0, 0, 0, 2, 5, 3]).unwrap();
    let data = open()?;
    assert_eq!(data.target_name(), "class");
    assert_eq!(data.classes().unwrap().names(), ["3", "5"]);
    let error = read(Source::file(&labels)).unwrap_err();
    assert!(error.help().unwrap().contains("give the file of images"));
    Ok(())
}

/// Reads an ARFF file with these rows behind a fixed header.
fn rows(rows: &str) -> Result<Table> {
    let header = "@relation t\n@attribute x numeric\n@attribute 'the colour' {red, 'dark green'}\n\
                  @attribute note string\n@data\n";
    read(Source::memory("t.arff", format!("{header}{rows}").into_bytes()))
}

#[test]
fn arff_rows_are_understood() -> Result<()> {
    let table = rows(
        "1, red, 'a b' % a comment\n\n% nothing\n?\t'dark green'\t?\r\n{1 'dark green', 0 -2e1}\n\
         {}\n1.5,NA,\"it's\"\n,,",
    )?;
    let Column::Number(x) = &table.columns()[0] else { panic!("numbers") };
    assert_eq!(format!("{x:?}"), "[1.0, NaN, -20.0, 0.0, 1.5, NaN]");
    assert_eq!(table.schema().fields[1].levels(), ["dark green", "red"]);
    assert_eq!(table.columns()[1], Column::Nominal(vec![1, 0, 0, 1, MISSING, MISSING]));
    assert_eq!(table.schema().fields[2].levels(), ["a b", "it's"]);
    Ok(())
}

#[test]
fn slips_in_arff_rows_are_refused_by_place() {
    for (row, said, help) in [
        ("1,blue,x", "line 6, column `the colour`: `blue` is none of the values", "in line 3"),
        ("1,rde,x", "expected one of red, dark green", "did you mean `red`?"),
        ("1,red", "line 6: the row has 2 cells; expected 3 cells", "comma"),
        ("1,dark green,x", "the row has 4 cells", "needs quotes"),
        ("{7 1}", "line 6: `7` is no index of an attribute; expected an index from 0 to 2", ""),
        ("{-1 1}", "`-1` is no index", "counted from 0"),
        ("{0 1, 0 2}", "the index 0 comes twice", ""),
        ("{0 1", "never closed", ""),
        ("1,'red,x", "line 6: a quote is opened here and never closed", "backslash"),
        ("one,red,x", "line 6, column `x`: `one` is not a number", "let `one` mean missing"),
        ("1e999,red,x", "line 6, column `x`: `1e999` is infinite", ""),
        ("1,red,x,{0.5}", "a weight in braces", "a column of their own"),
    ] {
        let error = rows(row).unwrap_err();
        assert!(error.to_string().contains(said), "{row}: {error}");
        let got = error.help().unwrap_or_default();
        assert!(got.contains(help), "{row}: {got}");
    }
}

#[test]
fn slips_in_arff_headers_are_refused_by_line() {
    let open = |text: &str| -> Error {
        read(Source::memory("t.arff", text.as_bytes().to_vec())).unwrap_err()
    };
    for (text, said, help) in [
        ("@relation t\n@atribute x real\n", "line 2: `@atribute` is no keyword", "`@attribute`"),
        ("@relation t\n@attribute x reel\n", "line 2, column `x`: `reel` is no type", "`real`"),
        ("@relation t\n@attribute x relational\n", "`relational` is no type", "braces"),
        ("@relation t\n@attribute x {a, b\n", "line 2, column `x`: the list of values", ""),
        ("@relation t\n@attribute x real\n1\n", "line 3: `1` is no keyword", "after the line"),
        ("@relation t\n@attribute x real\n", "line 2: the file ends within its header", "@data"),
        ("@relation t\n@data\n", "line 2: there are no attributes", "@attribute age numeric"),
        ("@relation t\n@attribute\n", "line 2: the attribute has no name", ""),
        ("@relation t\n@attribute a real\n@attribute a real\n@data\n", "line 3, column `a`", ""),
        ("no keyword\n", "line 1: `no` is no keyword", ""),
    ] {
        let error = open(text);
        assert!(error.to_string().contains(said), "{text}: {error}");
        let got = error.help().unwrap_or_default();
        assert!(got.contains(help), "{text}: {got}");
    }
}
