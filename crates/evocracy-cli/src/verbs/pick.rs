//! `evocracy pick`: choose a point of a front and keep it as a model of its own.

use super::show;
use crate::args::Pick;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::front::{FrontPoints, Wish};
use evocracy::measure::Conditions;
use evocracy::model::Model;
use serde_json::json;

pub fn run(shell: &Shell, args: &Pick) -> Result<Outcome> {
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
        let (wish, why) = wish(args, points)?;
        (points.pick(wish, args.max_complexity)?, why)
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

/// What the point is chosen for, in numbers and in words.
fn wish(args: &Pick, points: &FrontPoints) -> Result<(Wish, String)> {
    let within = args
        .max_complexity
        .map(|most| format!(" with at most {}", show::sized(most, points.complexity_is())))
        .unwrap_or_default();
    if args.cost_fp.is_some() || args.cost_fn.is_some() {
        if !points.objectives().iter().any(|objective| objective.name == "fpr") {
            return Err(Error::unsuitable(
                "the points of this front have no true and false positive rates",
                "choose by --max-complexity, --knee or --point",
            )
            .into());
        }
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
        return Ok((Wish::LeastCost(conditions), why));
    }
    if let Some(cap) = args.max_fpr {
        let why = format!("the most finds at a false positive rate of at most {cap}{within}");
        return Ok((Wish::MaxFpr(cap), why));
    }
    if let Some(floor) = args.min_tpr {
        let why = format!("the fewest false alarms that find at least {floor}{within}");
        return Ok((Wish::MinTpr(floor), why));
    }
    if args.knee {
        return Ok((Wish::Knee, format!("the knee of all points{within}: more gains little")));
    }
    if args.max_complexity.is_some() {
        return Ok((Wish::FewestErrors, format!("the fewest errors{within}")));
    }
    Err(Error::unsuitable(
        "what the point is to be chosen for is missing",
        "add costs (--cost-fp 1 --cost-fn 5), --max-fpr, --min-tpr, --max-complexity, --knee or --point",
    )
    .into())
}
