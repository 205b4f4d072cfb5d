//! The lines of the protocol.

use evocracy::data::{Cells, MISSING, View};
use evocracy::error::{Error, Result};
use evocracy::sample::Prior;
use serde::Deserialize;
use std::fmt::Write;

/// The line that hands over a table.
pub(crate) fn table(rows: View<'_>) -> String {
    let names: Vec<&str> = rows.fields().map(|field| field.name.as_str()).collect();
    let mut line = format!("{{\"columns\":{},\"rows\":[", serde_json::json!(names));
    for row in 0..rows.rows() {
        line.push_str(if row > 0 { ",[" } else { "[" });
        for column in 0..rows.columns() {
            if column > 0 {
                line.push(',');
            }
            cell(rows, row, column, &mut line);
        }
        line.push(']');
    }
    line.push_str("]}\n");
    line
}

fn cell(rows: View<'_>, row: usize, column: usize, line: &mut String) {
    let id = rows.row_id(row);
    match rows.cells(column) {
        Cells::Number(values) if values[id].is_finite() => number(values[id], line),
        Cells::Nominal(codes) if codes[id] != MISSING => {
            let level = rows.field(column).levels().get(codes[id] as usize);
            let text = level.map_or("", String::as_str);
            // Writing to a text does not fail.
            let _ = write!(line, "{}", serde_json::json!(text));
        }
        _ => line.push_str("null"),
    }
}

/// The shortest text that reads back as the same number.
fn number(value: f64, line: &mut String) {
    line.push_str(zmij::Buffer::new().format(value));
}

/// The line that asks for labels.
pub(crate) fn parameters(values: &[f64], line: &mut String) {
    line.clear();
    line.push_str("{\"parameters\":[");
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        number(*value, line);
    }
    line.push_str("]}\n");
}

/// What a program says of a table.
#[derive(Debug, Deserialize)]
struct Ready {
    rows: usize,
    parameters: usize,
    #[serde(default)]
    priors: Vec<Option<Prior>>,
}

/// The most parameters a program may ask for.
const MOST: usize = 1 << 20;

/// The priors of the parameters that a program takes.
pub(crate) fn ready(line: &str, rows: usize) -> Result<Vec<Option<Prior>>> {
    let told: Ready = read(line, r#"an object such as {"rows":2,"parameters":3}"#)?;
    if told.rows != rows {
        return Err(wrong(format!("it says it has {} rows of {rows}", told.rows)));
    }
    if !(1..=MOST).contains(&told.parameters) {
        return Err(wrong(format!("it says it takes {} parameters", told.parameters)));
    }
    let mut priors = told.priors;
    if !priors.is_empty() && priors.len() != told.parameters {
        return Err(wrong(format!(
            "it gives {} priors for {} parameters",
            priors.len(),
            told.parameters
        )));
    }
    priors.iter().flatten().try_for_each(Prior::check)?;
    priors.resize(told.parameters, None);
    Ok(priors)
}

/// Labels as text or as numbers.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Labels {
    Text(String),
    Numbers(Vec<f64>),
}

/// An answer to parameters.
#[derive(Debug, Deserialize)]
struct Answer {
    labels: Labels,
}

/// Reads the labels of every row.
pub(crate) fn labels(line: &str, rows: usize, out: &mut Vec<bool>) -> Result<()> {
    out.clear();
    // The usual answer needs no parser.
    let usual = line.trim_end().strip_prefix("{\"labels\":\"").and_then(|l| l.strip_suffix("\"}"));
    if let Some(text) = usual {
        text_labels(text, out)?;
    } else {
        let answer: Answer = read(line, r#"an object such as {"labels":"01"}"#)?;
        match answer.labels {
            Labels::Text(text) => text_labels(&text, out)?,
            Labels::Numbers(numbers) => {
                for number in numbers {
                    out.push(match number {
                        0.0 => false,
                        1.0 => true,
                        _ => return Err(no_label(&number.to_string(), out.len())),
                    });
                }
            }
        }
    }
    if out.len() == rows {
        return Ok(());
    }
    Err(wrong(format!("it answered {} labels for {rows} rows", out.len())))
}

fn text_labels(text: &str, out: &mut Vec<bool>) -> Result<()> {
    for letter in text.chars() {
        out.push(match letter {
            '0' => false,
            '1' => true,
            _ => return Err(no_label(&letter.to_string(), out.len())),
        });
    }
    Ok(())
}

fn no_label(found: &str, row: usize) -> Error {
    wrong(format!(
        "it answered `{}` for row {row}, which is no label: a label is 0 or 1",
        short(found)
    ))
}

fn read<'a, T: Deserialize<'a>>(line: &'a str, expected: &str) -> Result<T> {
    #[derive(Deserialize)]
    struct Told {
        error: String,
    }
    if let Ok(told) = serde_json::from_str::<Told>(line) {
        return Err(wrong(format!("it says: {}", short(&told.error))));
    }
    serde_json::from_str(line).map_err(|_| {
        wrong(format!("it answered `{}`, and {expected} was expected", short(line.trim_end())))
    })
}

/// The beginning of a text of any length.
pub(crate) fn short(text: &str) -> String {
    const SHOWN: usize = 200;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    shown
}

/// A program that does not keep to the protocol.
pub(crate) fn wrong(what: impl AsRef<str>) -> Error {
    let what = what.as_ref();
    Error::unsuitable(
        format!("the external program does not keep to the protocol: {what}"),
        "see the page on softening for what it is asked and what it must answer",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_both_forms_and_wrong_ones_are_told() {
        let mut out = Vec::new();
        labels("{\"labels\":\"0110\"}\n", 4, &mut out).unwrap();
        assert_eq!(out, [false, true, true, false]);
        labels(r#"{ "labels": [1, 0] }"#, 2, &mut out).unwrap();
        assert_eq!(out, [true, false]);
        let told = |line: &str| labels(line, 3, &mut Vec::new()).unwrap_err().to_string();
        assert!(told(r#"{"labels":"01"}"#).contains("2 labels for 3 rows"));
        assert!(told(r#"{"labels":"01x"}"#).contains("`x` for row 2"));
        assert!(told(r#"{"labels":[0,1,0.5]}"#).contains("`0.5` for row 2"));
        assert!(told("hello").contains("`hello`"));
        assert!(told(r#"{"error":"no such unit"}"#).contains("it says: no such unit"));
        let long = told(&"x".repeat(100_000));
        assert!(long.len() < 1000);
    }

    #[test]
    fn priors_are_read_and_checked() {
        let line = r#"{"rows":2,"parameters":2,"priors":[{"normal":{"mean":0,"sd":2}},null]}"#;
        let priors = ready(line, 2).unwrap();
        assert_eq!(priors, [Some(Prior::Normal { mean: 0.0, sd: 2.0 }), None]);
        assert_eq!(ready(r#"{"rows":2,"parameters":3}"#, 2).unwrap(), [None; 3]);
        for bad in [
            r#"{"rows":1,"parameters":3}"#,
            r#"{"rows":2,"parameters":0}"#,
            r#"{"rows":2,"parameters":99999999999}"#,
            r#"{"rows":2,"parameters":2,"priors":[null]}"#,
            r#"{"rows":2,"parameters":1,"priors":[{"normal":{"mean":0,"sd":-2}}]}"#,
        ] {
            assert!(ready(bad, 2).is_err(), "{bad}");
        }
    }
}
