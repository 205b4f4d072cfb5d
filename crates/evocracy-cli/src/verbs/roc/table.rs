//! The columns that are judged.

use crate::args::Roc as Args;
use crate::shell::Shell;
use anyhow::Result;
use evocracy::data::catalogue::Load;
use evocracy::data::{Classes, Column, Dataset, Goal, Options};
use evocracy::error::{Error, Place};
use evocracy::judge::ScoreTable;
use evocracy::run::Stop;

/// Reads the truth, the scores, the weights and the clusters.
pub fn read(shell: &Shell, args: &Args, stop: &Stop) -> Result<ScoreTable> {
    let data = open(shell, args, stop)?;
    let (Some(classes), Some(codes)) = (data.classes(), data.codes()) else {
        return Err(not_classes(args, &data.name).into());
    };
    let positive = positive(args, classes)?;
    let mut columns = Vec::new();
    for name in &args.score {
        columns.push((name.clone(), scores(args, &data, name)?));
    }
    let two = classes.len() == 2;
    Ok(ScoreTable {
        target: args.truth.clone(),
        truth: codes.iter().map(|&code| code as usize == positive).collect(),
        positive: classes.names()[positive].clone(),
        others: if two { classes.names()[1 - positive].clone() } else { "others".to_owned() },
        columns,
        weights: data.row_weights().map(<[f64]>::to_vec),
        clusters: args.clusters.as_ref().map(|name| data.groups(name)).transpose()?,
        turned: args.lower,
    })
}

fn open(shell: &Shell, args: &Args, stop: &Stop) -> Result<Dataset> {
    if let Some(name) = args.score.iter().find(|name| **name == args.truth) {
        let what = format!("the column `{name}` is both the truth and a score");
        return Err(Error::unsuitable(what, "name the column of scores with --score").into());
    }
    if let Some((at, name)) =
        args.score.iter().enumerate().find(|(at, name)| args.score[..*at].contains(name))
    {
        let what = format!("the score `{name}` is named twice, as number {}", at + 1);
        return Err(Error::unsuitable(what, "name each score once").into());
    }
    let mut format = args.reading.format();
    format.number.extend(args.score.iter().cloned());
    // Names of patients are names, even where they are written in digits.
    if let Some(name) = args.clusters.as_ref()
        && !args.score.contains(name)
        && args.weights.as_ref() != Some(name)
    {
        format.nominal.push(name.clone());
    }
    let options = Options {
        target: Some(args.truth.clone()),
        positive: args.positive.clone(),
        weights: args.weights.clone(),
        goal: Goal::Auto,
        ..Options::default()
    };
    let load = Load { format, options, seed: shell.seed };
    shell.open(&args.table, &load, stop)
}

/// Which class is positive: the one that was named, or the last of two.
fn positive(args: &Args, classes: &Classes) -> Result<usize> {
    if args.positive.is_none() && classes.len() > 2 {
        let few: Vec<&str> = classes.names().iter().take(5).map(String::as_str).collect();
        let more = if classes.len() > few.len() { ", ..." } else { "" };
        let what = format!(
            "the truth `{}` has {} classes: {}{more}",
            args.truth,
            classes.len(),
            few.join(", ")
        );
        let help = format!("name the positive one, such as --positive {}", few[0]);
        return Err(Error::unsuitable(what, help).into());
    }
    Ok(classes.positive())
}

fn scores(args: &Args, data: &Dataset, name: &str) -> Result<Vec<f64>> {
    let table = data.table();
    let position = table.schema().find(name, &data.name)?;
    let refuse = |problem: String, help: &str| {
        let column = Some(name.to_owned());
        let place = Place { source: data.name.clone(), column, ..Place::default() };
        Error::table(place, problem, "a number in every row", help)
    };
    let Column::Number(values) = &table.columns()[position] else {
        return Err(refuse("the scores are not numbers".to_owned(), "name another column").into());
    };
    let missing = values.iter().filter(|score| score.is_nan()).count();
    if let Some(row) = values.iter().position(|score| score.is_nan()) {
        let rows = if missing == 1 { "row has" } else { "rows have" };
        let problem = format!("{missing} {rows} no score, first row {row}");
        let help = "leave out the rows, or give them a score; rows are counted from 0, the header not counted";
        return Err(refuse(problem, help).into());
    }
    let sign = if args.lower { -1.0 } else { 1.0 };
    Ok(values.iter().map(|score| sign * score).collect())
}

fn not_classes(args: &Args, source: &str) -> Error {
    let place =
        Place { source: source.to_owned(), column: Some(args.truth.clone()), ..Place::default() };
    let help = "name the column of true classes with --truth, or read it as classes with --nominal";
    Error::table(place, "the truth is a number", "classes, such as 0 and 1", help)
}
