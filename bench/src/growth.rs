//! How the cost of a fit grows with rows, columns and classes, for every method with its defaults:
//! the slope of log seconds against log size, by least squares. One thread, CPU seconds.
//!
//! The tables are Friedman's first function (five inputs that matter, the others say nothing);
//! its value cut into equal parts is the class. Slow methods have an eighth of the rows. Every fit
//! is a process of its own, stopped at its limit.

use crate::clock;
use crate::peers::{self, Turn};
use anyhow::{Result, bail};
use evocracy::classify::Predicts;
use evocracy::data::generate::{Friedman1, Generator};
use evocracy::data::{Column, Dataset, Field, Options, Table};
use evocracy::method::{make, registry};
use evocracy::run::{Pool, Run, Seed, Stop};
use serde::{Deserialize, Serialize};
use std::process::Command;

pub const NAME: &str = "growth";

/// What grows, and its sizes; the others are as in [`Size::base`] meanwhile.
pub const AXES: [(&str, &[usize]); 3] = [
    ("rows", &[500, 1000, 2000, 4000, 8000]),
    ("columns", &[5, 10, 20, 40, 80]),
    ("classes", &[2, 4, 8, 16]),
];

/// A fit that takes more CPU seconds is stopped, and larger ones are left out. A method that is too
/// slow for the first gets the second: else nothing would be known of the slowest.
const MOST: f64 = 6.0;
const MOST_OF_SLOW: f64 = 30.0;

/// Fits that take fewer seconds say nothing of how they grow: what is the same for every size
/// would count as much.
const LEAST: f64 = 0.002;

/// A method has fewer rows where a fit to the first table takes more.
const SLOW: f64 = 1.5;
const ROWS: usize = 1000;
const FEWER: usize = ROWS / 8;

/// A short fit is repeated until it has taken so many seconds.
const REPEAT: f64 = 0.25;

/// What making the table and starting may take beside the fit.
const BESIDE: f64 = 0.5;

/// How a method grows along an axis.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// `METHOD/AXIS`.
    pub case: String,
    /// The slope; none where `note` says why.
    pub exponent: Option<f64>,
    /// The smallest and the largest size that the slope is taken from or, without one, that was
    /// reached.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// The seconds at the largest size.
    pub seconds: Option<f64>,
    /// How many rows the table has while something else grows.
    pub rows: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How a fit ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Fit {
    Seconds(f64),
    /// The method does not take such a table, for this reason.
    Refused(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: usize,
    pub columns: usize,
    pub classes: usize,
}

impl Size {
    fn base(rows: usize) -> Self {
        Self { rows, columns: 10, classes: 2 }
    }

    /// The table with another size along an axis.
    fn along(self, axis: &str, size: usize) -> Result<Self> {
        match axis {
            "rows" => Ok(Self { rows: size, ..self }),
            "columns" => Ok(Self { columns: size, ..self }),
            "classes" => Ok(Self { classes: size, ..self }),
            _ => bail!("nothing grows along `{axis}`"),
        }
    }
}

/// A size along an axis for a table of so many rows: slow methods have fewer.
pub fn size_of(axis: &str, size: usize, rows: usize) -> usize {
    if axis == "rows" { size * rows / ROWS } else { size }
}

/// Measures every method whose name contains a word.
pub fn measure(word: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for entry in registry().iter().filter(|entry| entry.name.contains(word)) {
        eprintln!("bench {NAME}: {}", entry.name);
        let subject = Subject::new(entry.name)?;
        for (axis, sizes) in AXES {
            if axis != "classes" || entry.predicts == Predicts::Class {
                rows.push(subject.row(axis, sizes)?);
            }
        }
    }
    Ok(rows)
}

/// A method, and how its fit to the first table ended.
struct Subject {
    method: &'static str,
    base: Size,
    /// The most CPU seconds of a fit.
    most: f64,
    ended: Turn<Fit>,
}

impl Subject {
    fn new(method: &'static str) -> Result<Self> {
        let of = |rows, most| -> Result<Self> {
            let base = Size::base(rows);
            Ok(Self { method, base, most, ended: fit(method, base, most)? })
        };
        let all = of(ROWS, MOST)?;
        match all.ended {
            Turn::Done(Fit::Seconds(seconds)) if seconds > SLOW => {}
            Turn::Stopped(_) => {}
            Turn::Done(_) => return Ok(all),
        }
        let fewer = of(FEWER, MOST)?;
        match fewer.ended {
            Turn::Stopped(_) => of(FEWER, MOST_OF_SLOW),
            Turn::Done(_) => Ok(fewer),
        }
    }

    fn row(&self, axis: &'static str, sizes: &[usize]) -> Result<Row> {
        let (mut points, mut note): (Vec<(usize, f64)>, _) = (Vec::new(), None);
        let Self { method, base, most, ended } = self;
        for &size in sizes {
            let size = size_of(axis, size, base.rows);
            if let [.., (_, before), (_, last)] = points[..]
                && last * last / before > 2.0 * most
            {
                note = Some(format!("{size} {axis} would take more than {most} s"));
                break;
            }
            let table = base.along(axis, size)?;
            let first = table == *base;
            let ended = if first { ended.clone() } else { fit(method, table, *most)? };
            match ended {
                Turn::Done(Fit::Seconds(seconds)) => points.push((size, seconds)),
                Turn::Done(Fit::Refused(reason)) => note = Some(reason),
                Turn::Stopped(_) => note = Some(format!("{size} {axis} take more than {most} s")),
            }
            if note.is_some() {
                break;
            }
        }
        Ok(Row::new(format!("{method}/{axis}"), &points, base.rows, note))
    }
}

impl Row {
    fn new(case: String, points: &[(usize, f64)], rows: usize, note: Option<String>) -> Self {
        let slow: Vec<(usize, f64)> =
            points.iter().copied().filter(|(_, seconds)| *seconds >= LEAST).collect();
        let exponent = slope(&slow);
        let counted = if exponent.is_some() { &slow } else { points };
        let fast = exponent.is_none() && note.is_none();
        Self {
            case,
            exponent,
            from: counted.first().map(|point| point.0),
            to: counted.last().map(|point| point.0),
            seconds: counted.last().map(|point| point.1),
            rows,
            note: if fast { Some("too fast to tell".to_owned()) } else { note },
        }
    }
}

/// The slope of the logarithms, by least squares; it takes two points.
pub fn slope(points: &[(usize, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let logs = || points.iter().map(|(size, seconds)| ((*size as f64).ln(), seconds.ln()));
    let (x, y) = logs().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x / n, sum.1 + y / n));
    let (xy, xx) = logs()
        .fold((0.0, 0.0), |sum, (a, b)| (sum.0 + (a - x) * (b - y), sum.1 + (a - x) * (a - x)));
    (points.len() > 1).then_some(xy / xx)
}

/// A fit in a process of its own.
fn fit(method: &str, size: Size, most: f64) -> Result<Turn<Fit>> {
    let Size { rows, columns, classes } = size;
    let case = format!("{method}/{rows}/{columns}/{classes}");
    let mut command = Command::new(std::env::current_exe()?);
    peers::value(command.args(["side", NAME, &case]), most + BESIDE)
}

/// The work of such a process.
pub fn side(case: &str) -> Result<Fit> {
    let [name, rows, columns, classes] = case.split('/').collect::<Vec<_>>()[..] else {
        bail!("a case is METHOD/ROWS/COLUMNS/CLASSES, not `{case}`");
    };
    let (rows, columns, classes) = (rows.parse()?, columns.parse()?, classes.parse()?);
    let size = Size { rows, columns, classes };
    let method = make(name, &[])?;
    let data = table(size, method.predicts())?;
    let task = data.task()?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let timed = clock::time_for(REPEAT, || Ok(method.train(&task, &Run::new(1, &stop, &pool))?));
    Ok(match timed {
        Ok((seconds, _)) => Fit::Seconds(seconds),
        Err(error) => Fit::Refused(error.to_string()),
    })
}

/// Friedman's first function, its value or in which of equal parts that lies.
pub fn table(size: Size, predicts: Predicts) -> Result<Dataset> {
    let draw = Friedman1::default().inputs(size.columns).rows(size.rows);
    let (mut schema, mut columns) = draw.generate(Seed::new(1))?.into_parts();
    if predicts == Predicts::Class {
        let Some(Column::Number(values)) = columns.pop() else { bail!("there is no number") };
        let mut order: Vec<usize> = (0..size.rows).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut codes = vec![0; size.rows];
        for (rank, &row) in order.iter().enumerate() {
            codes[row] = (rank * size.classes / size.rows) as u32;
        }
        columns.push(Column::Nominal(codes));
        let names = (0..size.classes).map(|class| format!("part {class:02}"));
        schema.fields[size.columns] = Field::nominal("class", names);
    }
    Ok(Dataset::new(NAME, Table::new(schema, columns)?, &Options::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let points: Vec<(usize, f64)> =
            [500, 1000, 2000].map(|n| (n, 1e-8 * (n as f64).powf(1.5))).to_vec();
        assert!((slope(&points).expect("a slope") - 1.5).abs() < 1e-12);
        assert_eq!(slope(&points[..1]), None);
    }

    #[test]
    fn what_is_too_fast_or_too_slow_has_no_slope() {
        let fast = Row::new("a/rows".into(), &[(500, 1e-4), (1000, 3e-3)], 1000, None);
        assert_eq!((fast.exponent, fast.to), (None, Some(1000)));
        assert_eq!(fast.note.as_deref(), Some("too fast to tell"));
        let slow = Row::new("a/rows".into(), &[(500, 5.0)], 1000, Some("slow".into()));
        assert_eq!((slow.exponent, slow.note.as_deref()), (None, Some("slow")));
        let some = [(500, 1e-4), (1000, 3e-3), (2000, 6e-3)];
        let some = Row::new("a/rows".into(), &some, 1000, None);
        assert_eq!((some.from, some.to), (Some(1000), Some(2000)));
    }

    #[test]
    fn the_table_has_its_size() -> Result<()> {
        let data = table(Size { rows: 90, columns: 7, classes: 3 }, Predicts::Class)?;
        assert_eq!((data.table().rows(), data.features().columns()), (90, 7));
        assert_eq!(data.classes().map(|classes| classes.len()), Some(3));
        Ok(())
    }
}
