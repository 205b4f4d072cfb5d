//! `evocracy demo`: the main job on a data set that comes with evocracy.

use crate::args::Demo;
use crate::draw::{Canvas, curves};
use crate::shell::{Outcome, Shell};
use crate::{reporting, words};
use anyhow::{Context, Result};
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::judge::{Judged, operating_points};
use evocracy::measure::LEVEL;
use evocracy::method;
use evocracy::model::Model;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const DATA: &str = "pima";
const METHODS: [&str; 2] = ["tree", "naive-bayes"];

pub fn run(shell: &Shell, args: &Demo) -> Result<Outcome> {
    let data = Catalogue::embedded().open(DATA, &Load::default())?;
    let split = data.published.first().context("the demo's data set has published parts")?;
    let (train, test) = (data.task()?.with_rows(&split.train), data.task()?.with_rows(&split.test));
    let (classes, _) = test.labels()?;
    let mut text = format!(
        "Who has diabetes? {} women of the data set `{DATA}`, {} columns. Two experts learn from\n{} of them and are judged on the {} others, which they have not seen.\n",
        data.table().rows(),
        data.features().columns(),
        split.train.len(),
        split.test.len(),
    );
    let (mut drawn, mut results) = (Vec::new(), Vec::new());
    let mut timing = BTreeMap::new();
    for name in METHODS {
        let (fitted, seconds) = shell
            .work(&format!("training {name}"), |run| method::make(name, &[])?.train(&train, run));
        let model = fitted?.model;
        let judged = Judged::task(&model, &test, false)?;
        text += &format!("\n{name} ({}):\n", words::size(&model.core().size()));
        let figures = judged.figures()?;
        text += &words::figures(&figures, model.classes().ok());
        if name == METHODS[0] {
            text += &first_row(&model, &data.features().with_rows(&split.test[..1]))?;
        }
        drawn.extend(curves(&judged, name));
        let points = operating_points(&judged, model.decision())?;
        text += &format!("{}\n", reporting::operating(&points, model.classes()?));
        results.push(json!({ "method": name, "test": figures, "operating_points": points }));
        timing.insert(format!("{name}_s"), seconds);
    }
    let (title, subtitle) = ("Who has diabetes?".to_owned(), "pima, 332 test rows".to_owned());
    let canvas = Canvas { path: &args.plot, look: &args.look, title, subtitle, level: LEVEL };
    let json: Value = json!({
        "dataset": DATA,
        "seed": shell.seed,
        "classes": classes.names(),
        "results": results,
        "plot": args.plot,
        "timing": timing,
    });
    shell.show(&text, &json)?;
    // A picture that fails takes nothing with it.
    shell.afterwards(canvas.roc(&drawn))?;
    shell.tell(&format!(
        "\nThe trade-off between true positives and false alarms is drawn in {}.\n\nNext, with a table of your own: evocracy fit YOUR.csv --method tree --out model.evo",
        args.plot.display()
    ))?;
    Ok(Outcome::Done)
}

/// Why the first test row gets its prediction.
fn first_row(model: &Model, row: &evocracy::data::View<'_>) -> Result<String> {
    let explanation = model.explain(*row, 0)?;
    let proba = model.proba(*row)?;
    let best = model.call(proba.row(0))?;
    let because: Vec<&str> = explanation.parts.iter().map(|part| part.because.as_str()).collect();
    Ok(format!(
        "For example, the first of these women is called `{}` with probability {:.2} because {}.\n",
        model.classes()?.names()[best],
        proba.row(0)[best],
        because.join(" and "),
    ))
}
