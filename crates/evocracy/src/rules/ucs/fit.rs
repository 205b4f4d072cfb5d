//! Fitting: the training rows again and again, in an order drawn anew for every epoch.

use super::compact::{compact, doubt};
use super::curve::LearningCurve;
use super::exact::Exact;
use super::guide::Guide;
use super::learn::{Engine, Example, fitness};
use super::model::UcsModel;
use super::population::UcsPopulation;
use super::{Evaluation, Guidance, Ucs};
use crate::classify::{Fitted, Learner, Online};
use crate::data::{Input, Schema, Task};
use crate::error::Result;
use crate::evolve::{rng, shuffle};
use crate::rules::condition::{Layout, LiteralRows, Masks};
use crate::rules::relief::multisurf;
use crate::run::{Run, Stop, StopReason};

/// More attributes are chosen from before learning begins.
const WIDE: usize = 100;

/// After how many rows the stop flag is checked.
const CHECK_EVERY: u64 = 1024;

/// The training rows.
pub(super) struct TrainingRows {
    pub(super) rows: LiteralRows,
    pub(super) labels: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Learner for Ucs {
    type Model = UcsModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<UcsModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let kept: Vec<usize> = (0..task.rows()).filter(|&row| weights[row] > 0.0).collect();
        let ids: Vec<u32> = kept.iter().map(|&row| task.features.row_id(row) as u32).collect();
        let view = task.features.with_rows(&ids);
        let labels: Vec<u32> = kept.iter().map(|&row| labels[row]).collect();
        let weights: Vec<f64> = kept.iter().map(|&row| weights[row]).collect();
        let layout = Layout::of_view(view, &weights, self.bins)?;
        let schema = Schema { fields: task.features.fields().cloned().collect() };
        let mut model = UcsModel::start(&schema, classes);
        model.begin(self, layout, run.seed.child("ucs", 0));
        model.count(&labels, &weights);
        let rows = LiteralRows::new(&model.layout, view);
        let mut data = TrainingRows { rows, labels, weights };
        if self.guide == Guidance::Auto && model.layout.attributes() > WIDE {
            let weights = multisurf(&model.layout, &data.rows, &data.labels, classes.len(), run);
            model.keep_to(Guide::telling(&weights));
            data.rows = LiteralRows::new(&model.layout, view);
        }
        if self.balance {
            let factors = model.class_weights();
            let each = data.weights.iter_mut().zip(&data.labels);
            each.for_each(|(weight, &label)| *weight *= factors[label as usize]);
        }
        let stop = self.train(&mut model, &data, run);
        self.finish(&mut model, &data, run.stop);
        // Compaction may have been cut short.
        let stop = if run.stop.requested() { StopReason::Interrupted } else { stop };
        Ok(Fitted { model, stop })
    }
}

impl Ucs {
    /// The specificity limit of ExSTraCS 2.0: the most attributes of a rule such that so many rows can
    /// still hold all combinations of their values.
    fn most_attributes(&self, layout: &Layout, rows: usize) -> usize {
        let count = layout.attributes();
        if self.limit > 0 {
            return self.limit.min(count);
        }
        let values = |attribute: usize| {
            if layout.ordered(attribute) { 2 } else { layout.span(attribute).len() }
        };
        let mean = (0..count).map(values).sum::<usize>() as f64 / count.max(1) as f64;
        let limit = ((rows as f64).ln() / mean.max(1.1).ln()).ceil();
        (limit as usize).clamp(1, count)
    }

    fn train(&self, model: &mut UcsModel, data: &TrainingRows, run: &Run<'_>) -> StopReason {
        let TrainingRows { rows, labels, weights } = data;
        let classes = model.classes.len();
        model.limit = self.most_attributes(&model.layout, rows.len());
        if self.guide == Guidance::Multisurf {
            let weights = multisurf(&model.layout, rows, labels, classes, run);
            model.guide = Guide::new(&weights);
        }
        model.curve = LearningCurve::new(rows.len() as u64);
        let seed = model.seed;
        let run = run.task("ucs", self.iterations as u64);
        let mut curve = model.curve.clone();
        let mut stop = StopReason::Finished;
        model.with_engine(self, |engine| {
            if self.evaluate == Evaluation::Exact {
                engine.exact = Some(Exact::new(engine.layout, rows, labels, weights, classes));
            }
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            for time in 0..self.iterations as u64 {
                if time % CHECK_EVERY == 0 {
                    if run.stop.requested() {
                        stop = StopReason::Interrupted;
                        break;
                    }
                    run.watch.advance(CHECK_EVERY.min(self.iterations as u64 - time));
                }
                let place = (time % rows.len() as u64) as usize;
                if place == 0 {
                    let epoch = seed.child("epoch", time / rows.len() as u64);
                    shuffle(&mut order, &mut rng(epoch));
                }
                let row = order[place] as usize;
                let (label, weight) = (labels[row], weights[row]);
                let outcome = engine.step(Example { row: rows.row(row), label, weight });
                curve.add(outcome, engine.time, engine.population.members.len());
            }
        });
        model.curve = curve;
        stop
    }

    /// Evaluates every rule on the training rows, each counted once, and compacts.
    fn finish(&self, model: &mut UcsModel, data: &TrainingRows, stop: &Stop) {
        let TrainingRows { rows, labels, weights } = data;
        let classes = model.classes.len();
        let mut exact = Exact::new(&model.layout, rows, labels, weights, classes);
        for (at, member) in model.members.iter_mut().enumerate() {
            let seen = member.seen;
            exact.evaluate(&model.masks.condition(at), member);
            member.seen = seen;
            if !self.sharing {
                member.fitness = fitness(self, member);
            }
        }
        if self.compact && !stop.requested() {
            let masks = std::mem::replace(&mut model.masks, Masks::new(0));
            let population = UcsPopulation::new(masks, std::mem::take(&mut model.members), self);
            let left = compact(self, population, &model.layout, data, &model.prior(), stop);
            (model.masks, model.members) = (left.masks, left.members);
        }
        let rules = (&model.masks, &model.members[..]);
        model.doubt = doubt(self, rules, &model.layout, data, &model.prior());
        let (mut matched, votes) = (Vec::new(), model.votes());
        let unmatched = rows.each().filter(|row| {
            model.masks.matching(row, &mut matched);
            matched.iter().all(|&at| votes[at as usize] <= 0.0)
        });
        model.unmatched = unmatched.count() as f64 / rows.len() as f64;
    }
}

impl UcsModel {
    /// Lets rules test the attributes alone that the guide draws; there are no rules yet.
    fn keep_to(&mut self, guide: Guide) {
        self.layout = self.layout.keeping(|attribute| guide.weight(attribute) > 0.0);
        self.masks = Masks::new(self.layout.words());
        self.guide = guide;
    }

    /// Runs `work` on the population as an engine and takes back what it made of it.
    pub(super) fn with_engine(&mut self, ucs: &Ucs, work: impl FnOnce(&mut Engine<'_>)) {
        let masks = std::mem::take(&mut self.masks);
        let population = UcsPopulation::new(masks, std::mem::take(&mut self.members), ucs);
        let classes = self.classes.len();
        let mut engine =
            Engine::new(ucs, &self.layout, population, classes, (self.seed, self.time));
        engine.limit = self.limit;
        std::mem::swap(&mut engine.guide, &mut self.guide);
        engine.open = engine.guide.open();
        work(&mut engine);
        std::mem::swap(&mut engine.guide, &mut self.guide);
        self.time = engine.time;
        let population = engine.population;
        (self.masks, self.members) = (population.masks, population.members);
    }
}
