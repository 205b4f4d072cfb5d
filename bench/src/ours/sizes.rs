//! Fits to tables that are large in one way, with their defaults: seconds, and the most memory of
//! the process with the table in it.
//!
//! A case is `METHOD-ROWSxCOLUMNS`, Friedman's first function in two classes as in the bench of
//! growth, where five columns matter; `METHOD-ROWSxCOLUMNS-tied` has nine different points;
//! `METHOD-ROWSxCOLUMNS-slope` has as its quality the slope of log seconds against log rows up to so
//! many rows. Neighbours do their work when they are asked: a fourth as many rows are predicted.

use super::experts::accuracy;
use crate::clock;
use crate::growth::{self, Size};
use crate::measure::Measured;
use anyhow::{Context, Result};
use evocracy::classify::Predicts;
use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::method;
use evocracy::run::{Pool, Run, Seed, Stop};
use rand::RngExt;

/// The rows that accuracy is taken from.
const TEST: usize = 2000;

/// Doublings on the way to the rows of a slope.
const DOUBLINGS: u32 = 4;

pub fn run(case: &str) -> Result<Measured> {
    let case = Case::parse(case).with_context(|| format!("there is no case `{case}`"))?;
    if case.kind != "slope" {
        return case.measure();
    }
    let mut points = Vec::new();
    let mut last = Measured::default();
    for doubling in (0..DOUBLINGS).rev() {
        let rows = case.rows >> doubling;
        last = Case { rows, ..case }.measure()?;
        points.push((rows, last.seconds));
    }
    last.quality = growth::slope(&points);
    Ok(last)
}

#[derive(Clone, Copy)]
struct Case<'a> {
    method: &'a str,
    rows: usize,
    columns: usize,
    kind: &'a str,
}

impl<'a> Case<'a> {
    fn parse(case: &'a str) -> Option<Self> {
        let (rest, kind) = ["tied", "slope"]
            .into_iter()
            .find_map(|kind| Some((case.strip_suffix(kind)?.strip_suffix('-')?, kind)))
            .unwrap_or((case, ""));
        let (method, size) = rest.rsplit_once('-')?;
        let (rows, columns) = size.split_once('x')?;
        Some(Self { method, rows: rows.parse().ok()?, columns: columns.parse().ok()?, kind })
    }

    fn measure(self) -> Result<Measured> {
        let asked = if self.method == "knn" { self.rows / 4 } else { 0 };
        let all = self.rows + asked.max(TEST);
        let data = if self.kind == "tied" {
            tied(all)?
        } else {
            let size = Size { rows: all, columns: self.columns, classes: 2 };
            growth::table(size, Predicts::Class)?
        };
        let rows = |range: std::ops::Range<usize>| range.map(|row| row as u32).collect::<Vec<_>>();
        let (train, test) = (rows(0..self.rows), rows(self.rows..all));
        let task = data.task()?.with_rows(&train);
        let unseen = data.features().with_rows(&test);
        let method = method::make(self.method, &[])?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let run = Run::new(1, &stop, &pool);
        let (seconds, model) = clock::time(|| {
            let model = method.train(&task, &run)?.model;
            if asked > 0 {
                model.proba(unseen)?;
            }
            Ok(model)
        })?;
        // Numbers of eight bytes and codes of four.
        let bytes = data.table().rows() * (8 * data.features().columns() + 4);
        Ok(Measured {
            seconds,
            peak_mib: Some(clock::peak_mib()?),
            result_mib: Some(bytes as f64 / f64::from(1 << 20)),
            quality: Some(accuracy(&model, &data, &test[..TEST])?),
            ..Measured::default()
        })
    }
}

/// Rows of nine different points of two columns, of which each has a class it mostly is of.
fn tied(rows: usize) -> Result<Dataset> {
    let mut rng = Seed::new(1).rng();
    let points: Vec<u32> = (0..rows).map(|_| rng.random_range(0..9)).collect();
    let other: Vec<bool> = (0..rows).map(|_| rng.random_bool(0.2)).collect();
    let number = |of: fn(u32) -> u32| {
        Column::Number(points.iter().map(|&point| f64::from(of(point))).collect())
    };
    let classes = points.iter().zip(other).map(|(point, other)| (point % 2) ^ u32::from(other));
    let columns = vec![
        number(|point| point / 3),
        number(|point| point % 3),
        Column::Nominal(classes.collect()),
    ];
    let fields =
        vec![Field::number("x0"), Field::number("x1"), Field::nominal("class", ["even", "odd"])];
    Ok(Dataset::new("tied", Table::new(Schema { fields }, columns)?, &Options::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benches::BENCHES;

    #[test]
    fn every_case_is_of_a_method() -> Result<()> {
        let bench = BENCHES.iter().find(|bench| bench.name == "sizes").context("the bench")?;
        for (name, _) in bench.cases {
            let case = Case::parse(name).with_context(|| (*name).to_owned())?;
            method::make(case.method, &[])?;
            assert!(case.rows >= TEST && case.columns > 0, "{name}");
        }
        Ok(())
    }

    #[test]
    fn a_small_case_is_measured() -> Result<()> {
        let knn = run("knn-4000x2-tied")?;
        assert!(knn.quality.is_some_and(|accuracy| accuracy > 0.7), "{:?}", knn.quality);
        assert!(knn.peak_mib > knn.result_mib && knn.seconds > 0.0);
        Ok(())
    }
}
