//! `evocracy pick`: choose a point of a front and keep it as a model of its own.

use super::show;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::error::Error;
use evocracy::front::{FrontPoints, PickBy};
use evocracy::measure::Conditions;
use evocracy::model::Model;
use serde_json::json;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// A front that `evocracy front --out` saved
    #[arg(value_name = "FRONT")]
    pub file: PathBuf,
    /// The point of this number (see `evocracy show`)
    #[arg(long, value_name = "N", conflicts_with_all = ["cost_fp", "cost_fn", "max_fpr", "min_tpr", "knee", "max_complexity"])]
    pub point: Option<usize>,
    /// What a false alarm costs: the point of the least expected cost
    #[arg(long, value_name = "COST", conflicts_with_all = ["max_fpr", "min_tpr", "knee"])]
    pub cost_fp: Option<f64>,
    /// What a missed positive costs: the point of the least expected cost
    #[arg(long, value_name = "COST", conflicts_with_all = ["max_fpr", "min_tpr", "knee"])]
    pub cost_fn: Option<f64>,
    /// The share of positives where the model will be used [default: that of the training rows]; the
    /// point of the least expected cost, 1 to 1 unless costs are given
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["point", "max_fpr", "min_tpr", "knee"])]
    pub prior: Option<f64>,
    /// The point that finds most with at most this false positive rate
    #[arg(long, value_name = "RATE", conflicts_with_all = ["min_tpr", "knee"], value_parser = rate)]
    pub max_fpr: Option<f64>,
    /// The point with the fewest false alarms that finds at least this share of the positives
    #[arg(long, value_name = "RATE", conflicts_with = "knee", value_parser = rate)]
    pub min_tpr: Option<f64>,
    /// The complexity beyond which more of it gains little
    #[arg(long)]
    pub knee: bool,
    /// Points of at most this complexity
    #[arg(long, value_name = "N", value_parser = complexity)]
    pub max_complexity: Option<f64>,
    /// Save the model here
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

pub fn run(shell: &Shell, args: &Args) -> Result<Outcome> {
    let model = Model::load(&args.file)?;
    let Some(front) = model.front() else {
        return Err(Error::unsuitable(
            format!("{} is no front: it has no points to choose from", args.file.display()),
            "make one with `evocracy front`",
        )
        .into());
    };
    let points = front.points();
    let (point, why) = if let Some(point) = args.point {
        (point, "as you said".to_owned())
    } else {
        let (by, why) = criterion(args, points)?;
        (points.pick(by, args.max_complexity)?, why)
    };
    let model = model.clone().at_point(point)?;
    let picked = model.clone().only_chosen();
    if let Some(path) = &args.out {
        picked.save(path)?;
    }
    let Some(front) = model.front() else { return Ok(Outcome::Done) };
    let mut text = format!("Point {point}, {why}.\n{}", show::chosen(front, &model));
    text += &match &args.out {
        Some(path) => format!("Saved in {}.\n", path.display()),
        None => "It was not saved: add --out FILE to keep it.\n".to_owned(),
    };
    let document = json!({
        "point": point,
        "chosen_for": why,
        "figures": front.points().get(point),
        "decision": model.decision(),
        "saved": args.out,
    });
    shell.show(&text, &document)?;
    Ok(Outcome::Done)
}

/// A rate, not a percentage.
fn rate(text: &str) -> std::result::Result<f64, String> {
    let rate = text.trim().parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "expected a rate from 0 to 1, such as 0.1 for 10 %".to_owned())
}

/// A number that points can be held against.
pub(crate) fn complexity(text: &str) -> std::result::Result<f64, String> {
    let most = text.trim().parse().ok().filter(|most: &f64| most.is_finite() && *most >= 0.0);
    most.ok_or_else(|| "expected a number of at least 0".to_owned())
}

/// What the point is chosen for, in numbers and in words.
fn criterion(args: &Args, points: &FrontPoints) -> Result<(PickBy, String)> {
    let within = args
        .max_complexity
        .map(|most| format!(" with at most {}", show::sized(most, points.complexity_is())))
        .unwrap_or_default();
    let costs = args.cost_fp.is_some() || args.cost_fn.is_some() || args.prior.is_some();
    let by_rates = costs || args.max_fpr.is_some() || args.min_tpr.is_some();
    if by_rates && points.rate_places().is_none() {
        return Err(Error::unsuitable(
            "the points of this front have no true and false positive rates",
            "choose by --max-complexity, --knee or --point",
        )
        .into());
    }
    if costs {
        let (alarm, miss) = (args.cost_fp.unwrap_or(1.0), args.cost_fn.unwrap_or(1.0));
        let Some(prior) = args.prior.or_else(|| points.prior()) else {
            return Err(Error::unsuitable(
                "the front does not say how common positives are",
                "say it with --prior SHARE",
            )
            .into());
        };
        let conditions = Conditions::new(alarm, miss, prior)?;
        let why = format!(
            "the least complex within a standard error of the least cost{within} \
             (a false alarm {alarm}, a miss {miss}, {:.1} % positives)",
            100.0 * prior
        );
        return Ok((PickBy::LeastCost(conditions), why));
    }
    if let Some(cap) = args.max_fpr {
        let why = format!("the most finds at a false positive rate of at most {cap}{within}");
        return Ok((PickBy::MaxFpr(cap), why));
    }
    if let Some(floor) = args.min_tpr {
        let why = format!("the fewest false alarms that find at least {floor}{within}");
        return Ok((PickBy::MinTpr(floor), why));
    }
    if args.knee {
        return Ok((PickBy::Knee, format!("the knee of all points{within}: more gains little")));
    }
    if args.max_complexity.is_some() {
        return Ok((PickBy::FewestErrors, format!("the fewest errors{within}")));
    }
    Err(Error::unsuitable(
        "what the point is to be chosen for is missing",
        "add costs (--cost-fp 1 --cost-fn 5), --max-fpr, --min-tpr, --max-complexity, --knee or --point",
    )
    .into())
}
