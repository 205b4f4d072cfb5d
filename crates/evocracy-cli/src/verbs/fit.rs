//! `evocracy fit`: train, judge on rows that were not seen, save.

use crate::args::Fit;
use crate::draw::Canvas;
use crate::input::Input;
use crate::judge::{self, Judged};
use crate::shell::{Outcome, Shell};
use crate::{notes, words};
use anyhow::Result;
use evocracy::classify::Fitted;
use evocracy::data::{Classes, Dataset, Split, Task, holdout};
use evocracy::error::Error;
use evocracy::measure::LEVEL;
use evocracy::method::{self, Method};
use evocracy::model::Model;
use evocracy::run::{Run, Seed, Stop, StopReason};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The share of rows to judge on where nothing else is said or published.
const HOLDOUT: f64 = 0.25;

pub fn run(shell: &Shell, args: &Fit) -> Result<Outcome> {
    if args.refit && args.out.is_none() {
        let what = "there is nothing to refit for: the model is not saved";
        return Err(Error::unsuitable(what, "say where with --out FILE").into());
    }
    let mut settings = args.params.clone();
    if let Some(encoding) = &args.encode {
        if settings.iter().any(|(name, _)| name == method::ENCODE) {
            let what = "the encoding is given twice, by --encode and by -p encode";
            return Err(Error::unsuitable(what, "leave one of them out").into());
        }
        settings.push((method::ENCODE.to_owned(), encoding.clone()));
    }
    let method = method::make(&args.method, &settings)?;
    let mut timing = BTreeMap::new();
    let load = args.reading.load(&args.learn, shell.seed);
    let data = timed(shell, &mut timing, "read_s", &format!("reading {}", args.data), |run| {
        Ok(shell.catalogue.open_until(run.stop, &args.data, &load)?)
    })?;
    let mut remarks = notes::columns(&data);
    let (split, how) = split(shell, args, &data)?;
    remarks.extend(notes::repeats(&data, &split.train, &split.test));
    let task = data.task()?.with_rows(&split.train);
    let what = format!("training {}", args.method);
    let fitted = timed(shell, &mut timing, "fit_s", &what, |run| Ok(method.train(&task, run)?))?;
    // Saved before it is judged: whatever happens from here on, the training is not lost.
    if let Some(path) = &args.out {
        fitted.model.save(path)?;
    }
    remarks.extend(notes::unseen(&fitted.model, &data, &split.test));
    shell.remarks(&remarks);
    let train = judge_rows(&fitted.model, &data, &split.train)?;
    let test = timed(shell, &mut timing, "test_s", "judging", |run| match &args.test {
        Some(test) => judge_other(shell, args, test, &fitted, run),
        None => judge_rows(&fitted.model, &data, &split.test),
    })?;
    let refitted = refit(shell, args, method.as_ref(), &data.task()?, &fitted)?;
    if let Some(path) = &args.drawing.plot {
        let subtitle = format!("{}, {} test rows ({how})", data.name, test.rows());
        let canvas = Canvas {
            path,
            title: format!("Predicting {}", data.target_name()),
            subtitle,
            level: LEVEL,
        };
        test.draw(&canvas, args.drawing.picture, &args.method)?;
    }
    let report = Report { args, data: &data, fitted: &fitted, train, test, how, refitted, remarks };
    shell.show(&report.words(), &report.json(shell.seed, &timing))?;
    Ok(match report.stop() {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// Runs a step with progress and notes its seconds.
fn timed<T>(
    shell: &Shell,
    timing: &mut BTreeMap<&'static str, f64>,
    name: &'static str,
    what: &str,
    work: impl FnOnce(&Run<'_>) -> Result<T>,
) -> Result<T> {
    let (result, seconds) = shell.work(what, work);
    timing.insert(name, seconds);
    result
}

/// Which rows to learn from and to judge on, and how that was decided.
fn split(shell: &Shell, args: &Fit, data: &Dataset) -> Result<(Split, String)> {
    let rows = data.table().rows();
    if let Some(test) = &args.test {
        let train = (0..rows as u32).collect();
        return Ok((Split { train, test: Vec::new() }, format!("the rows of {test}")));
    }
    if let (None, Some(split)) = (args.holdout, data.published.first()) {
        return Ok((split.clone(), "the published test part".to_owned()));
    }
    let share = args.holdout.unwrap_or(HOLDOUT);
    let split = holdout(rows, data.codes(), share, Seed::new(shell.seed))?;
    Ok((split, format!("a stratified sample, a share of {share}")))
}

fn judge_rows(model: &Model, data: &Dataset, rows: &[u32]) -> Result<Judged> {
    Judged::task(model, &data.task()?.with_rows(rows), data.weighted())
}

fn judge_other(
    shell: &Shell,
    args: &Fit,
    test: &str,
    fitted: &Fitted<Model>,
    run: &Run<'_>,
) -> Result<Judged> {
    // The Ctrl-C that ended the training was not meant for the judging of its result.
    let calm = Stop::new();
    let mut run = run.clone();
    if fitted.stop == StopReason::Interrupted {
        run.stop = &calm;
    }
    let target = judge::target_field(&fitted.model)?;
    let format = args.reading.format();
    let mut input = Input::open(shell, test, &format, &fitted.model, Some(target))?;
    let judged = Judged::input(&fitted.model, &mut input, &run);
    if let (Err(_), Some(path)) = (&judged, &args.out) {
        shell.remark(&format!("the trained model is in {}, not judged", path.display()));
    }
    shell.remarks(&input.remarks());
    judged
}

/// Where that was asked, trains again on all rows and saves that model in place of the judged
/// one. How it ended: the judged model stays where the work was interrupted.
fn refit(
    shell: &Shell,
    args: &Fit,
    method: &dyn Method,
    all: &Task<'_>,
    fitted: &Fitted<Model>,
) -> Result<Option<StopReason>> {
    let Some(path) = args.out.as_ref().filter(|_| args.refit) else { return Ok(None) };
    if fitted.stop == StopReason::Interrupted {
        return Ok(Some(StopReason::Interrupted));
    }
    let what = format!("training {} on all rows", args.method);
    match shell.work(&what, |run| method.train(all, run)).0 {
        Ok(Fitted { model, stop: StopReason::Finished }) => model.save(path)?,
        Ok(_) | Err(Error::Stopped) => return Ok(Some(StopReason::Interrupted)),
        Err(error) => return Err(error.into()),
    }
    Ok(Some(StopReason::Finished))
}

/// What is shown.
struct Report<'a> {
    args: &'a Fit,
    data: &'a Dataset,
    fitted: &'a Fitted<Model>,
    train: Judged,
    test: Judged,
    /// Which rows were judged.
    how: String,
    /// How training again on all rows ended, where that was asked.
    refitted: Option<StopReason>,
    remarks: Vec<String>,
}

impl Report<'_> {
    /// Interrupted if any of the work was.
    fn stop(&self) -> StopReason {
        match self.refitted {
            Some(StopReason::Interrupted) => StopReason::Interrupted,
            _ => self.fitted.stop,
        }
    }

    /// Where the model is.
    fn saved(&self) -> String {
        let Some(path) = &self.args.out else {
            return "The model was not saved: add --out FILE to keep it.\n".to_owned();
        };
        let which = match self.refitted {
            None => "",
            Some(StopReason::Finished) => ", trained again on all rows",
            Some(StopReason::Interrupted) => {
                ": the model that was judged; it was not trained again on all rows"
            }
        };
        format!("Saved in {}{which}.\n", path.display())
    }

    fn words(&self) -> String {
        let model = &self.fitted.model;
        let mut text = format!(
            "Trained {} on {} rows of {} to predict `{}`: {}.\n",
            self.args.method,
            model.about().rows,
            self.data.name,
            model.about().target,
            words::size(&model.core().size()),
        );
        if self.fitted.stop == StopReason::Interrupted {
            text += "Training was interrupted: this is the best so far.\n";
        }
        let rows = words::counted(self.test.rows() as u64, "row");
        text += &format!("\nJudged on {rows} it was not trained on ({}):\n", self.how);
        text += &self.test.words();
        text += &format!("On its training rows its {}.\n", self.train.in_short());
        text += &words::out_of_bag(&model.diagnostics());
        text += &words::resampled(&model.diagnostics());
        text.push('\n');
        let table = self.test.table();
        if !table.is_empty() {
            text += &format!("{table}\n\n");
        }
        text += &self.saved();
        if let Some(path) = &self.args.drawing.plot {
            let what = self.args.drawing.picture.words();
            text += &format!("The {what} is in {}.\n", path.display());
        }
        text
    }

    fn json(&self, seed: u64, timing: &BTreeMap<&'static str, f64>) -> Value {
        let model = &self.fitted.model;
        let classes = model.classes().ok();
        let params: BTreeMap<_, _> = model.about().params.iter().cloned().collect();
        json!({
            "method": self.args.method,
            "params": params,
            "dataset": self.data.name,
            "seed": seed,
            "target": model.about().target,
            "classes": classes.map(Classes::names),
            "positive": classes.map(|classes| &classes.names()[classes.positive()]),
            "train": self.train.json(),
            "test": self.test.json(),
            "test_rows_are": self.how,
            "model": {
                "size": words::size_json(&model.core().size()),
                "diagnostics": model.diagnostics(),
                "saved": self.args.out,
                "refit": self.refitted == Some(StopReason::Finished),
            },
            "remarks": self.remarks,
            "stop": self.stop(),
            "timing": timing,
        })
    }
}
