//! `evocracy evaluate`: a saved model on rows whose classes are known.

use super::fit::judge_and;
use super::show;
use crate::args::Evaluate;
use crate::draw::{self, Canvas};
use crate::input::Input;
use crate::reporting;
use crate::shell::{Outcome, Shell};
use anyhow::Result;
use evocracy::data::{Column, MISSING, Schema, View};
use evocracy::judge::{Protocol, Report, target_field};
use evocracy::measure::LEVEL;
use evocracy::model::Model;
use serde_json::json;

pub fn run(shell: &Shell, args: &Evaluate) -> Result<Outcome> {
    if args.model.files.len() > 1 {
        return super::paired::run(shell, args);
    }
    let model = args.calls.applied(args.model.load()?)?;
    show::check_limit(&model, args.max_complexity)?;
    draw::check(&args.drawing, model.classes().ok())?;
    let format = args.reading.format();
    let target = Some(target_field(&model));
    let mut input = Input::open(shell, &args.data, &format, &model, target)?;
    let mut attained = Attained::of(&model);
    let (judged, seconds) = shell.work(&format!("evaluating {}", args.data), |run| {
        judge_and(&model, &mut input, run, |rows| match &mut attained {
            Some(attained) => attained.add(&model, rows),
            None => Ok(()),
        })
    });
    let judged = judged?;
    let protocol = Protocol::Table { name: args.data.clone() };
    let mut report = Report::new(&model, &args.data, protocol, None, Some(&judged))?;
    report.remarks.extend(input.remarks());
    shell.remarks(&report.remarks);
    let Some(figures) = &report.test else { unreachable!("rows were judged") };
    let words = format!(
        "The model {} (method {}) judged on the {} rows of {}{}.\n{}{}\n{}\n",
        args.model.files[0].display(),
        report.method,
        figures.rows(),
        args.data,
        reporting::equal(&report),
        reporting::decision(&report),
        reporting::figures(&report),
        reporting::tables(&report),
    );
    let mut json = serde_json::to_value(&report)?;
    json["timing"] = json!({ "evaluate_s": seconds });
    if let (Some(front), Some(attained)) = (model.front(), attained) {
        let most = args.max_complexity.unwrap_or(f64::INFINITY);
        json["front"] = json!({
            "training_area": front.points().training_area(most)?,
            "test_area": front.points().attained_area(&attained.rates(), most)?,
            "max_complexity": args.max_complexity,
        });
    }
    shell.show(&words, &json)?;
    if let Some(path) = &args.drawing.plot {
        let title = format!("Predicting {}", report.target);
        let subtitle = format!("{}, {} rows", args.data, figures.rows());
        let canvas = Canvas { path, look: &args.drawing.look, title, subtitle, level: LEVEL };
        let picture = args.drawing.picture(judged.classes().is_some());
        let drawn = canvas.judged(picture, &judged, figures, &report.method);
        shell.afterwards(drawn)?;
        shell.tell(&format!("The {} is in {}.", picture.words(), path.display()))?;
    }
    Ok(Outcome::Done)
}

/// What all points of a front of two classes call positive, counted chunk by chunk.
struct Attained {
    target: Schema,
    positive: u32,
    /// Whether what is not positive is negative, whatever it is called.
    rest: bool,
    /// Of every point how many positive and negative rows it calls positive.
    called: Vec<[f64; 2]>,
    rows: [f64; 2],
}

impl Attained {
    /// Nothing counted yet; none of models without rates.
    fn of(model: &Model) -> Option<Self> {
        let points = model.front()?.points();
        points.rate_places()?;
        Some(Self {
            target: Schema { fields: vec![target_field(model)] },
            positive: model.classes().ok()?.positive() as u32,
            rest: model.classes().ok()?.rest().is_some(),
            called: vec![[0.0; 2]; points.len()],
            rows: [0.0; 2],
        })
    }

    fn add(&mut self, model: &Model, rows: View<'_>) -> evocracy::error::Result<()> {
        let truth = self.target.conform(rows)?;
        let Column::Nominal(codes) = truth.view().gather(0) else { return Ok(()) };
        // Rows of classes that the model does not know are neither, unless it knows one class and
        // the rest.
        let known: Vec<usize> =
            (0..codes.len()).filter(|&row| self.rest || codes[row] != MISSING).collect();
        if known.is_empty() {
            return Ok(());
        }
        let ids: Vec<u32> = known.iter().map(|&row| rows.row_id(row) as u32).collect();
        let rows = rows.with_rows(&ids);
        let positive: Vec<bool> = known.iter().map(|&row| codes[row] == self.positive).collect();
        let found = positive.iter().filter(|positive| **positive).count() as f64;
        let own = [found, positive.len() as f64 - found];
        for (called, rates) in self.called.iter_mut().zip(model.point_rates(rows, &positive)?) {
            (0..2).for_each(|class| called[class] += rates[class] * own[class]);
        }
        (0..2).for_each(|class| self.rows[class] += own[class]);
        Ok(())
    }

    /// True and false positive rates; 0 of a class without rows.
    fn rates(&self) -> Vec<[f64; 2]> {
        let rate = |called: &[f64; 2]| {
            [0, 1].map(|class| (called[class] / self.rows[class].max(1.0)).min(1.0))
        };
        self.called.iter().map(rate).collect()
    }
}
