//! `evocracy show`: what is in a model file; of a front, its points.

mod inside;
mod needs;
mod tree;

use crate::args::{Reading, Saved};
use crate::look::Look;
use crate::shell::{Outcome, Shell};
use crate::{tables, words};
use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::data::Classes;
use evocracy::error::Error;
use evocracy::front::{FrontModel, FrontPoint, FrontPoints, TrainingFigures};
use evocracy::measure::{Point, unbeaten};
use evocracy::model::Model;
use evocracy_report::{NamedCurve, roc_svg};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How many points of a front a person is shown.
const SHOWN: usize = 24;

/// How many complexities are drawn.
const DRAWN: usize = 5;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    pub model: Saved,
    /// Draw a front or a tree here, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub look: Look,
    /// Of a front, list and draw the points of at most this complexity, and give their area
    #[arg(long, value_name = "N", value_parser = super::pick::complexity)]
    pub max_complexity: Option<f64>,
    /// Rows with their classes, on which each column is shuffled to see what the model loses: a
    /// file, `-` for standard input, or a data set's name
    #[arg(long, value_name = "DATA")]
    pub data: Option<String>,
    /// How often each column is shuffled
    #[arg(long, value_name = "N", default_value_t = 10, requires = "data")]
    pub repeats: usize,
    #[command(flatten)]
    pub reading: Reading,
}

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let model = args.model.load()?;
    let most = args.max_complexity;
    check_limit(&model, most)?;
    if args.plot.is_some() {
        check_drawn(&model)?;
    }
    let needs = needs::measured(shell, &model, args)?;
    let mut text = format!(
        "{}: {} (method {}), trained on {} rows to predict `{}` from {}.\n",
        args.model.file.display(),
        words::size(&model.core().size()),
        model.about().method,
        model.about().rows,
        model.about().target,
        words::counted(model.schema().len() as u64, "column"),
    );
    if let Ok(classes) = model.classes() {
        let names = words::listed(classes.names());
        text += &format!("Classes: {names}; {}.\n", words::decision(model.decision(), classes));
    }
    text += &inside::about(&model);
    match model.front() {
        Some(front) => text += &format!("\n{}", points(front, &model, most)),
        None => text += &inside::text(&model, &args.model.file)?,
    }
    let mut json = document(&model, most);
    inside::document(&model, &mut json)?;
    if let Some(needs) = &needs {
        text += &needs::text(needs, &model);
        json["permutation"] = serde_json::to_value(needs)?;
    }
    shell.show(&text, &json)?;
    if let Some(path) = &args.plot {
        let from = args.model.file.display().to_string();
        let to = (path.as_path(), &args.look);
        let drawn = match model.front() {
            Some(front) => draw(front, &model, most, &from, to),
            None => tree::draw(&model, &from, to),
        };
        shell.afterwards(drawn)?;
        shell.tell(&format!("The picture is in {}.", path.display()))?;
    }
    let stopped = needs.is_some_and(|needs| needs.columns.len() < model.schema().len());
    Ok(if stopped { Outcome::Interrupted } else { Outcome::Done })
}

/// Refuses to draw what has no picture.
fn check_drawn(model: &Model) -> Result<()> {
    match (model.front(), model.tree(1)) {
        (Some(front), _) => rate_places(front).map(|_| ()),
        (None, Some(_)) => Ok(()),
        (None, None) => {
            let what = "only fronts and trees are drawn, and this model is neither";
            Err(Error::unsuitable(what, "leave out --plot").into())
        }
    }
}

/// Refuses a limit of complexity for what has none, or that no point is within.
pub(super) fn check_limit(model: &Model, most: Option<f64>) -> Result<()> {
    let Some(most) = most else { return Ok(()) };
    let (what, help) = match model.front().map(FrontModel::points) {
        None => {
            ("this model is no front: it has no points".to_owned(), "leave out --max-complexity")
        }
        Some(points) if (0..points.len()).all(|at| points.complexity(at) > most) => {
            let all = (0..points.len()).map(|at| points.complexity(at));
            let least = all.fold(f64::INFINITY, f64::min);
            let what =
                format!("the least that a point has is {}", sized(least, points.complexity_is()));
            (what, "raise --max-complexity")
        }
        Some(_) => return Ok(()),
    };
    Err(Error::unsuitable(what, help).into())
}

pub(super) fn document(model: &Model, most: Option<f64>) -> Value {
    let about = model.about();
    let classes = model.classes().ok();
    let front = model.front().map(|front| {
        let points: Vec<FrontPoint> = front.points().iter().collect();
        json!({
            "chosen": front.chosen(),
            "objectives": front.points().objectives(),
            "complexity_is": front.points().complexity_is(),
            "judged_rows": front.points().judged(),
            "training_figures": front.points().training_figures(),
            "training_area": front.points().training_area(most.unwrap_or(f64::INFINITY)).ok(),
            "max_complexity": most,
            "prior": front.points().prior(),
            "searched_rows": front.points().searched(),
            "points": points,
        })
    });
    json!({
        "method": about.method,
        "params": about.params.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "seed": about.seed,
        "rows": about.rows,
        "target": about.target,
        "version": about.version,
        "columns": model.schema().names().collect::<Vec<_>>(),
        "classes": classes.map(Classes::names),
        "decision": model.decision(),
        "size": words::size_json(&model.core().size()),
        "front": front,
    })
}

/// What the chosen point does, in sentences.
pub(super) fn chosen(front: &FrontModel, model: &Model) -> String {
    let points = front.points();
    let point = points.get(front.chosen());
    let positive = model.classes().map(|c| c.names()[c.positive()].clone()).unwrap_or_default();
    let unit = points.complexity_is();
    let mut text = format!("It has {}", sized(point.complexity, unit));
    text += &match point.threshold {
        Some(least) if least.is_infinite() => format!(" and never says `{positive}`.\n"),
        Some(least) => {
            format!(" and says `{positive}` where its probability is at least {least:.3}.\n")
        }
        None => called(&point.weights, model),
    };
    let promised = !point.promised.is_empty();
    for (at, objective) in points.objectives().iter().enumerate() {
        let value = points.figure(front.chosen(), at);
        let what = match objective.name.as_str() {
            "tpr" => format!("finds {} of the `{positive}`", percent(value)),
            "fpr" => format!("calls {} of the others `{positive}`", percent(value)),
            name => match name.strip_prefix("missed ") {
                Some(class) => format!("misses {} of the `{class}`", percent(value)),
                None => format!("is wrong on {} of the rows", percent(value)),
            },
        };
        let interval = point.promised.get(at).map(|promise| promise.interval);
        let range = interval.map_or(String::new(), |i| {
            format!(
                " ({} to {}, {:.0} % interval)",
                percent(i.low),
                percent(i.high),
                100.0 * i.level
            )
        });
        text += &format!("It {what}{range}.\n");
    }
    text += match (promised, points.training_figures()) {
        (true, _) => "Measured on rows that the models were not fitted to.\n",
        (false, TrainingFigures::Counted) => {
            "Counted on its training rows only: expect less on new rows.\n"
        }
        (false, TrainingFigures::Expected) => {
            "Expected on its training rows by a smooth reference; not measured on other rows.\n"
        }
        (false, TrainingFigures::Folds) => {
            "The mean over folds, by which points joined the front: expect less on new rows.\n"
        }
    };
    text
}

/// How rows of several classes are called.
fn called(weights: &[f64], model: &Model) -> String {
    if weights.iter().all(|weight| *weight == weights[0]) {
        return " and says the most probable class.\n".to_owned();
    }
    let names = model.classes().map(|classes| classes.names().to_vec()).unwrap_or_default();
    let of = |(name, weight): (&String, &f64)| format!("`{name}` times {weight:.1}");
    let parts: Vec<String> = names.iter().zip(weights).map(of).collect();
    format!(" and says the class of the largest weighted probability ({}).\n", parts.join(", "))
}

/// A complexity with its unit: `1 vector`, `7 vectors`, `0.3 complexity`.
pub(super) fn sized(complexity: f64, unit: &str) -> String {
    let unit = match unit {
        "leaves" if complexity == 1.0 => "leaf",
        _ if complexity == 1.0 => unit.trim_end_matches('s'),
        _ => unit,
    };
    format!("{} {unit}", words::number(complexity))
}

/// What the figures of the training rows are, in a word or two.
fn training_is(points: &FrontPoints) -> &'static str {
    match points.training_figures() {
        TrainingFigures::Counted => "in training",
        TrainingFigures::Expected => "expected",
        TrainingFigures::Folds => "over folds",
    }
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

/// The operating points of members of at most some complexity, as a curve from (0, 0) to (1, 1).
fn curve(points: &FrontPoints, most: f64) -> Option<Vec<Point>> {
    let [tpr, fpr] = points.rate_places()?;
    let some = (0..points.len()).filter(|&at| points.complexity(at) <= most);
    let rates: Vec<(f64, f64)> =
        some.map(|at| (points.figure(at, fpr), points.figure(at, tpr))).collect();
    let kept = unbeaten(&rates).ok()?;
    let mut found: Vec<Point> =
        kept.into_iter().map(|(fpr, tpr)| Point { threshold: 0.0, fpr, tpr }).collect();
    let end = |rate: f64| Point { threshold: 0.0, fpr: rate, tpr: rate };
    found.extend([end(0.0), end(1.0)]);
    found.sort_by(|a, b| a.fpr.total_cmp(&b.fpr).then(a.tpr.total_cmp(&b.tpr)));
    Some(found)
}

/// Where the true and false positive rates of a front are; an error where it has none to draw.
fn rate_places(front: &FrontModel) -> Result<[usize; 2]> {
    front.points().rate_places().ok_or_else(|| {
        let what = "the points of this front have no true and false positive rates";
        Error::unsuitable(what, "leave out --plot").into()
    })
}

/// Draws a front: the operating points of a few complexities, and the one that answers.
pub(super) fn draw(
    front: &FrontModel,
    model: &Model,
    most: Option<f64>,
    from: &str,
    (path, look): (&Path, &Look),
) -> Result<()> {
    let points = front.points();
    let within = |size: &f64| most.is_none_or(|most| *size <= most);
    let mut sizes: Vec<f64> =
        (0..points.len()).map(|at| points.complexity(at)).filter(within).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let wanted = points.complexity(front.chosen());
    let last = sizes.len() - 1;
    let mut shown: Vec<f64> =
        (1..DRAWN).map(|i| sizes[last * i * i / ((DRAWN - 1) * (DRAWN - 1))]).collect();
    shown.extend(Some(wanted).filter(within));
    shown.sort_by(f64::total_cmp);
    shown.dedup();
    let unit = points.complexity_is();
    let named: Vec<(String, f64, Vec<Point>)> = shown
        .into_iter()
        .filter_map(|most| {
            let name = format!("at most {}", sized(most, unit));
            Some((name, most, curve(points, most)?))
        })
        .collect();
    let [tpr, fpr] = rate_places(front)?;
    let at = Point {
        threshold: 0.0,
        fpr: points.figure(front.chosen(), fpr),
        tpr: points.figure(front.chosen(), tpr),
    };
    let curves: Vec<NamedCurve<'_>> = named
        .iter()
        .map(|(name, most, points)| {
            let curve = NamedCurve::plain(name, points);
            if *most == wanted {
                curve.mark(at, format!("point {}", front.chosen()))
            } else {
                curve
            }
        })
        .collect();
    let measured = if points.judged().is_empty() { "training rows" } else { "rows not fitted to" };
    let title = format!("Front: predicting {}", model.about().target);
    let subtitle = format!("{from}, {}, on {measured}", model.about().method);
    look.write(path, (title, subtitle), |options| roc_svg(&curves, options))
}

/// A point as a row of the table.
fn point_row(front: &FrontModel, at: usize) -> Vec<String> {
    let point = front.points().get(at);
    let mark = if at == front.chosen() { "*" } else { "" };
    let threshold = match point.threshold {
        None if point.weights.is_empty() => String::new(),
        None => {
            let weights: Vec<String> =
                point.weights.iter().map(|weight| format!("{weight:.1}")).collect();
            weights.join(" : ")
        }
        Some(least) if least.is_infinite() => "never".to_owned(),
        Some(least) => format!("{least:.4}"),
    };
    let mut row = vec![format!("{at}{mark}"), words::number(point.complexity), threshold];
    for (objective, value) in point.training.iter().enumerate() {
        row.push(format!("{value:.4}"));
        if let Some(promise) = point.promised.get(objective) {
            let interval = promise.interval;
            let (low, high) = (interval.low, interval.high);
            row.push(format!("{:.4} ({low:.4} to {high:.4})", promise.value));
        }
    }
    row
}

/// What the chosen point does, then all points as a table.
pub(super) fn points(front: &FrontModel, model: &Model, most: Option<f64>) -> String {
    let points = front.points();
    let mut header = vec!["point".to_owned(), points.complexity_is().to_owned()];
    let promised = points.iter().next().is_some_and(|point| !point.promised.is_empty());
    let weighted = points.iter().next().is_some_and(|point| !point.weights.is_empty());
    header.push(if weighted { "weights of classes" } else { "threshold" }.to_owned());
    for objective in points.objectives() {
        let name = match objective.name.as_str() {
            "tpr" => "found",
            "fpr" => "false alarms",
            name => name,
        };
        header.push(format!("{name}, {}", training_is(points)));
        if promised {
            header.push(format!("{name}, promised"));
        }
    }
    let listed: Vec<usize> = (0..points.len())
        .filter(|&at| most.is_none_or(|most| points.complexity(at) <= most))
        .collect();
    let step = listed.len().div_ceil(SHOWN).max(1);
    let shown =
        |(place, at): &(usize, &usize)| place.is_multiple_of(step) || **at == front.chosen();
    let rows = listed.iter().enumerate().filter(shown).map(|(_, &at)| point_row(front, at));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let table = tables::plain(&header, rows);
    let left = if step > 1 {
        format!("One point of every {step} is shown; --json has all {}.\n", points.len())
    } else {
        String::new()
    };
    let others = if points.len() == 1 {
        String::new()
    } else if listed.contains(&front.chosen()) {
        "The point marked * answers; --point N takes another.\n".to_owned()
    } else {
        format!("Point {} answers; --point N takes another.\n", front.chosen())
    };
    let area = match (most, points.training_area(most.unwrap_or(f64::INFINITY))) {
        (Some(most), Ok(area)) => format!(
            "Points of at most {} attain an area of {area:.4} in the ROC plane, {}.\n",
            sized(most, points.complexity_is()),
            training_is(points)
        ),
        _ => String::new(),
    };
    format!("{}\n{table}\n\n{left}{area}{others}", chosen(front, model))
}
