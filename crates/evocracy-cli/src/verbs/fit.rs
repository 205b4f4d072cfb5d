//! `evocracy fit`: train, judge on rows that were not seen, save.

use crate::args::Fit;
use crate::draw::{self, Canvas};
use crate::input::Input;
use crate::shell::{Outcome, Shell};
use crate::{reporting, words};
use anyhow::Result;
use evocracy::classify::{ChosenOn, Fitted};
use evocracy::data::{Dataset, Task, View};
use evocracy::error::Error;
use evocracy::judge::{
    self, Data, Deciding, Figures, Judged, Judging, Noticed, Protocol, Report, Splits,
    out_of_sample, remark, target_field,
};
use evocracy::measure::LEVEL;
use evocracy::method::{self, Method};
use evocracy::model::Model;
use evocracy::run::{FolderStore, Run, Seed, Shelf, StopReason};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub fn run(shell: &Shell, args: &Fit) -> Result<Outcome> {
    if args.refit && args.out.is_none() {
        let what = "there is nothing to refit for: the model is not saved";
        return Err(Error::unsuitable(what, "say where with --out FILE").into());
    }
    if args.data == "-" && args.test.as_deref() == Some("-") {
        let what = "standard input cannot be both the data and the test data";
        return Err(Error::unsuitable(what, "save one of them to a file").into());
    }
    let settings = settings(&args.params, args.encode.as_ref())?;
    let mut method = method::make(&args.method, &settings)?;
    if args.balance {
        method = method::balanced(method)?;
    }
    let mut timing = BTreeMap::new();
    let load = args.load(shell.seed);
    let data = timed(shell, &mut timing, "read_s", &format!("reading {}", args.data), |run| {
        shell.open(&args.data, &load, run.stop)
    })?;
    draw::check(&args.drawing, data.classes())?;
    let wanted = args.calls.wanted(data.classes())?;
    let groups = args.groups.as_ref().map(|column| data.groups(column)).transpose()?;
    let groups = groups.as_deref();
    let deciding = wanted.as_ref();
    let deciding = deciding.map(|wanted| Deciding { method: method.as_ref(), wanted, groups });
    let protocol = args.protocol(&data);
    let splits = protocol.splits(&data, Seed::new(shell.seed))?;
    let store = args.resume.as_deref().map(FolderStore::open).transpose()?;
    let mut identity =
        store.as_ref().map(|_| identity(&args.method, &settings, &data)).unwrap_or_default();
    identity.extend(wanted.as_ref().map(|wanted| format!(" {wanted:?}")));
    identity.extend(args.balance.then(|| " balanced".to_owned()));
    let shelf = store.as_ref().map_or(Shelf::none(), |store| Shelf::new(store, &identity));
    let method: &dyn Method = match &deciding {
        Some(deciding) => deciding,
        None => method.as_ref(),
    };
    let fit = Fitting { shell, args, method, data: &data, splits: &splits, shelf };
    let mut found = fit.run(protocol, &mut timing)?;
    found.resumed = store.map(|store| resumed_parts(shell, &store));
    shell.show(&found.words(args), &found.json(args, &timing)?)?;
    // A picture that fails takes nothing with it.
    shell.afterwards(found.draw(shell, args, &data))?;
    Ok(match found.report.stop {
        StopReason::Interrupted => Outcome::Interrupted,
        StopReason::Finished => Outcome::Done,
    })
}

/// How many finished parts of an earlier run were taken, after saying so.
pub(super) fn resumed_parts(shell: &Shell, store: &FolderStore) -> u64 {
    let parts = store.counts().0;
    if parts > 0 {
        shell.remark(&format!("{} taken as finished before", words::counted(parts, "part")));
    }
    if store.failed() > 0 {
        shell.remark(&format!(
            "warning: {} could not be kept in the folder of --resume",
            words::counted(store.failed(), "finished part")
        ));
    }
    parts
}

/// The parameters of the method, the encoding among them.
fn settings(params: &[(String, String)], encode: Option<&String>) -> Result<Vec<(String, String)>> {
    let mut settings = params.to_vec();
    if let Some(encoding) = encode {
        if settings.iter().any(|(name, _)| name == method::ENCODE) {
            let what = "the encoding is given twice, by --encode and by -p encode";
            return Err(Error::unsuitable(what, "leave one of them out").into());
        }
        settings.push((method::ENCODE.to_owned(), encoding.clone()));
    }
    Ok(settings)
}

/// What tells this fit from others in a folder of finished parts.
pub(super) fn identity(method: &str, settings: &[(String, String)], data: &Dataset) -> String {
    let version = env!("CARGO_PKG_VERSION");
    // The fingerprint does not know which class is the positive one.
    let positive = data.classes().map(|classes| &classes.names()[classes.positive()]);
    format!("{version} {method} {settings:?} {positive:?} {}", data.fingerprint())
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

/// One fit.
struct Fitting<'a> {
    shell: &'a Shell,
    args: &'a Fit,
    method: &'a dyn Method,
    data: &'a Dataset,
    splits: &'a Splits,
    shelf: Shelf<'a>,
}

/// What it found.
struct Found {
    report: Report,
    model: Model,
    test: Option<Judged>,
    /// How the training ended.
    trained: StopReason,
    /// How training again on all rows ended, where that was asked.
    refitted: Option<StopReason>,
    /// How many finished parts of an earlier run were taken.
    resumed: Option<u64>,
    /// Whether judged rows were looked for among those that were learnt from.
    compared: bool,
}

impl Fitting<'_> {
    fn run(&self, protocol: Protocol, timing: &mut BTreeMap<&'static str, f64>) -> Result<Found> {
        let Self { shell, args, data, splits, .. } = *self;
        let all: Vec<u32> = (0..data.table().rows() as u32).collect();
        let rows = splits.only().map_or(&all, |split| &split.train);
        let mut remarks = remark::many_texts(data);
        remarks.extend(match splits.only() {
            Some(split) => remark::repeated_rows(data, &split.train, &split.test),
            None if splits.is_empty() => None,
            None => remark::twin_rows(data, self.groups()?.as_deref()),
        });
        if let (Some(column), Some(groups)) = (&args.groups, self.groups()?) {
            let distinct: BTreeSet<u32> = groups.into_iter().collect();
            let (column, groups) = (column.clone(), distinct.len());
            remarks.push(Noticed::DependentRows { column, groups }.into());
        }
        if let (Some(table), true) = (&args.test, data.weighted()) {
            remarks.push(Noticed::UnweightedTable { table: table.clone() }.into());
        }
        let task = data.task()?.with_rows(rows);
        let what = format!("training {}", args.method);
        let fitted = timed(shell, timing, "fit_s", &what, |run| self.train(&task, run))?;
        // Saved before it is judged: whatever happens from here on, the training is not lost.
        if let Some(path) = &args.out {
            fitted.model.save(path)?;
        }
        remarks.extend(remark::unmixed(&fitted.model));
        if let Some(split) = splits.only() {
            remarks.extend(remark::unseen_levels(&fitted.model, data, &split.test));
            remarks.extend(remark::unknown_classes(data, &split.train, &split.test));
        }
        let (train, judged) = timed(shell, timing, "test_s", "judging", |run| {
            let late = Run { stop: Shell::late(), ..run.clone() };
            let train = Judged::task_in(&fitted.model, &task, data.weighted(), &late);
            // Figures, not what was said: that takes a number for each row and class.
            let train = train.and_then(|train| train.figures());
            Ok((train, self.judge(&fitted, &mut remarks, run)))
        })?;
        let (train, test, mut stop) = self.unless_stopped(train, judged)?;
        remarks.extend(test.iter().flat_map(|test| test.remarks.clone()));
        shell.remarks(&remarks);
        let refitted = self.refit(&fitted)?;
        if [Some(fitted.stop), refitted].contains(&Some(StopReason::Interrupted)) {
            stop = StopReason::Interrupted;
        }
        let mut report = Report::new(&fitted.model, &data.name, protocol, None, test.as_ref())?;
        report.train = train;
        report.method.clone_from(&args.method);
        report.data = Some(Data::new(data));
        (report.remarks, report.stop) = (remarks, stop);
        let Fitted { model, stop: trained } = fitted;
        let compared = remark::compares_rows(data);
        Ok(Found { report, model, test, trained, refitted, resumed: None, compared })
    }

    /// What was judged. Where Ctrl-C came in between there is none; any other failure ends the
    /// command, which then says where the model is that was not judged.
    fn unless_stopped(
        &self,
        train: evocracy::error::Result<Figures>,
        judged: Result<(Option<Judged>, StopReason)>,
    ) -> Result<(Option<Figures>, Option<Judged>, StopReason)> {
        let judged = train.map_err(anyhow::Error::from).map(Some).and_then(|t| Ok((t, judged?)));
        match judged {
            Ok((train, (test, stop))) => Ok((train, test, stop)),
            Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => {
                Ok((None, None, StopReason::Interrupted))
            }
            Err(error) => {
                if let Some(path) = &self.args.out {
                    let what = "the trained model is in";
                    self.shell.remark(&format!("{what} {}, not judged", path.display()));
                }
                Err(error)
            }
        }
    }

    /// The group of every row, where rows come in groups.
    fn groups(&self) -> Result<Option<Vec<u32>>> {
        let column = self.args.groups.as_ref();
        Ok(column.map(|column| self.data.groups(column)).transpose()?)
    }

    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        let run = Run { shelf: self.shelf, ..run.clone() };
        let Fitted { model, stop } = judge::train(self.method, task, &run)?;
        Ok(Fitted { model: model.with_reading(self.data.reading()), stop })
    }

    /// What is said of the rows to judge on; nothing where the work was interrupted before.
    fn judge(
        &self,
        fitted: &Fitted<Model>,
        remarks: &mut Vec<judge::Remark>,
        run: &Run<'_>,
    ) -> Result<(Option<Judged>, StopReason)> {
        let Self { data, splits, .. } = *self;
        let finished = |judged: Judged| Ok((Some(judged), StopReason::Finished));
        if let Some(test) = &self.args.test {
            return finished(self.judge_other(test, fitted, run)?);
        }
        if let Some(split) = splits.only() {
            let task = data.task()?.with_rows(&split.test);
            let run = Run { stop: Shell::late(), ..run.clone() };
            return finished(Judged::task_in(&fitted.model, &task, data.weighted(), &run)?);
        }
        let run = Run { shelf: self.shelf, ..run.clone() };
        match out_of_sample(self.method, &data.task()?, splits, data.weighted(), &run) {
            Ok(trial) => {
                if trial.stop == StopReason::Interrupted {
                    let (judged, folds) = (trial.folds(), splits.len());
                    remarks.push(Noticed::FoldsMissing { judged, folds }.into());
                }
                Ok((Some(trial.judged), trial.stop))
            }
            Err(Error::Stopped) => Ok((None, StopReason::Interrupted)),
            Err(error) => Err(error.into()),
        }
    }

    /// What the model says of the rows of another table.
    fn judge_other(&self, test: &str, fitted: &Fitted<Model>, run: &Run<'_>) -> Result<Judged> {
        // The Ctrl-C that ended the training leaves a moment to judge its result.
        let run = Run { stop: Shell::late(), ..run.clone() };
        let target = target_field(&fitted.model);
        let format = self.args.reading.format();
        let mut input = Input::open(self.shell, test, &format, &fitted.model, Some(target))?;
        let judged = judge_input(&fitted.model, &mut input, &run);
        self.shell.remarks(&input.remarks());
        judged
    }

    /// Where that was asked, trains again on all rows and saves that model in place of the judged
    /// one. How it ended: the judged model stays where the work was interrupted.
    fn refit(&self, fitted: &Fitted<Model>) -> Result<Option<StopReason>> {
        let Some(path) = self.args.out.as_ref().filter(|_| self.args.refit) else {
            return Ok(None);
        };
        if fitted.stop == StopReason::Interrupted {
            return Ok(Some(StopReason::Interrupted));
        }
        // Where nothing was held out the model has learnt from all rows already.
        if self.splits.only().is_none() {
            return Ok(None);
        }
        let what = format!("training {} on all rows", self.args.method);
        let all = self.data.task()?;
        match self.shell.work(&what, |run| self.train(&all, run)).0 {
            Ok(Fitted { model, stop: StopReason::Finished }) => model.save(path)?,
            Ok(_) => return Ok(Some(StopReason::Interrupted)),
            Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => {
                return Ok(Some(StopReason::Interrupted));
            }
            Err(error) => return Err(error),
        }
        Ok(Some(StopReason::Finished))
    }
}

/// What a model says of rows that hold its target.
pub fn judge_input(model: &Model, input: &mut Input, run: &Run<'_>) -> Result<Judged> {
    judge_and(model, input, run, |_| Ok(()))
}

/// The same, with something else to be done with the rows.
pub fn judge_and(
    model: &Model,
    input: &mut Input,
    run: &Run<'_>,
    mut also: impl FnMut(View<'_>) -> evocracy::error::Result<()>,
) -> Result<Judged> {
    let task = run.task("rows", 0);
    let mut judging = Judging::new(model).within(run.memory);
    input.for_each(model, |rows| {
        judging.add(rows)?;
        also(rows)?;
        task.watch.advance(rows.rows() as u64);
        if run.stop.requested() { Err(Error::Stopped.into()) } else { Ok(true) }
    })?;
    Ok(judging.finish()?)
}

impl Found {
    /// Where the model is.
    fn saved(&self, args: &Fit) -> String {
        let Some(path) = &args.out else {
            return "The model was not saved: add --out FILE to keep it.\n".to_owned();
        };
        let which = match self.refitted {
            None if args.folds.is_some() || args.leave_one_out => ", trained on all rows",
            None => "",
            Some(StopReason::Finished) => ", trained again on all rows",
            Some(StopReason::Interrupted) => {
                ": the model that was judged; it was not trained again on all rows"
            }
        };
        format!("Saved in {}{which}.\n", path.display())
    }

    fn words(&self, args: &Fit) -> String {
        let report = &self.report;
        let mut text = format!(
            "Trained {} on {} rows of {} to predict `{}`: {}.\n",
            args.method,
            report.model.rows,
            report.dataset,
            report.target,
            words::size(&self.model.core().size()),
        );
        if args.balance {
            text += "All classes had the same weight in training.\n";
        }
        if self.trained == StopReason::Interrupted {
            text += "Training was interrupted: this is the best so far.\n";
        }
        if args.calls.any() && self.model.decision().is_plain() {
            text += "No threshold was chosen: the most probable class is called.\n";
        }
        text += &reporting::decision(report);
        text += self.of_each_fold();
        text += &self.judged();
        if let Some(train) = &report.train {
            text += &format!("On its training rows its {}.\n", words::in_short(train));
        }
        text += &words::out_of_bag(&report.model.diagnostics);
        text += &words::resampled(&report.model.diagnostics);
        text.push('\n');
        let tables = reporting::tables(report);
        if !tables.is_empty() {
            text += &format!("{tables}\n\n");
        }
        text += &self.saved(args);
        text
    }

    /// By what the judged rows were called, where that is not the threshold of the model.
    fn of_each_fold(&self) -> &'static str {
        let by_folds =
            matches!(self.report.protocol, Protocol::Folds { .. } | Protocol::LeaveOneOut);
        let chosen = self.model.decision().on != ChosenOn::Nothing;
        if by_folds && chosen && self.report.test.is_some() {
            return "This is the threshold of the model of all rows. The judged rows were called by thresholds of their folds, each chosen without the rows that its fold judges.\n";
        }
        ""
    }

    /// Draws the picture that was asked for.
    fn draw(&self, shell: &Shell, args: &Fit, data: &Dataset) -> Result<()> {
        let (Some(path), Some(test), Some(figures)) =
            (&args.drawing.plot, &self.test, &self.report.test)
        else {
            return Ok(());
        };
        let how = &self.report.test_rows_are;
        let subtitle = format!("{}, {} test rows ({how})", data.name, figures.rows());
        let title = format!("Predicting {}", data.target_name());
        let canvas = Canvas { path, look: &args.drawing.look, title, subtitle, level: LEVEL };
        let picture = args.drawing.picture(test.classes().is_some());
        canvas.judged(picture, test, figures, &args.method)?;
        shell.tell(&format!("The {} is in {}.", picture.words(), path.display()))
    }

    /// How good it is on rows it did not learn from.
    fn judged(&self) -> String {
        let report = &self.report;
        let Some(test) = &report.test else {
            return "\nIt was not judged: the work was interrupted.\n".to_owned();
        };
        let (rows, how) = (words::counted(test.rows() as u64, "row"), &report.test_rows_are);
        let head = match report.protocol {
            Protocol::Folds { .. } | Protocol::LeaveOneOut => match reporting::twins(report) {
                None if self.compared => {
                    format!("Judged on {rows} by models that were not trained on them ({how}):")
                }
                // An equal row may have been learnt from, which is the same to a model.
                twins => {
                    let twins = twins.unwrap_or_default();
                    format!("Judged on {rows} held back from training in turn ({how}){twins}:")
                }
            },
            // Whether rows of another table were learnt from is not known for sure.
            Protocol::Table { .. } => {
                format!("Judged on {how}, {rows}{}:", reporting::equal(report))
            }
            _ => match reporting::equal(report) {
                none if none.is_empty() && self.compared => {
                    format!("Judged on {rows} it was not trained on ({how}):")
                }
                equal => format!("Judged on {rows} held back from training ({how}){equal}:"),
            },
        };
        format!("\n{head}\n{}", reporting::figures(report))
    }

    fn json(&self, args: &Fit, timing: &BTreeMap<&'static str, f64>) -> Result<Value> {
        let mut json = serde_json::to_value(&self.report)?;
        json["model"]["saved"] = json!(args.out);
        json["model"]["balanced"] = json!(args.balance);
        json["model"]["refit"] = json!(self.refitted == Some(StopReason::Finished));
        if let Some(parts) = self.resumed {
            json["resumed_parts"] = json!(parts);
        }
        json["timing"] = json!(timing);
        Ok(json)
    }
}
