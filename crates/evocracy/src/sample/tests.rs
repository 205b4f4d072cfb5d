//! Samplers on a case whose answer is known, killed and continued, and of any classifier.

mod slips;

use super::chains::{Approach, Chain, Plan};
use super::external::{Program, Session};
use super::hard::{Hard, Trial, Within, Wrong};
use super::population::{rejection, sequential};
use super::prior::{Prior, Priors};
use super::settings::{Sampler, Sampling};
use super::walk::{Distance, Proposal, Target};
use super::{AbcMlp, Caller, ChainModel, Kind, SampledPart, Units, learn};
use crate::data::catalogue::{Catalogue, Load};
use crate::data::{DenseRows, View};
use crate::error::{Error, Result};
use crate::num::{chi_square_tail, normal_tail};
use crate::run::{MemoryStore, Pool, Run, Shelf, Stop, Store};
use std::sync::atomic::{AtomicU64, Ordering};

/// A threshold on a line: rows at 0.5, 1.5, ..., a row is called positive where it is above the
/// parameter.
struct Threshold {
    positive: Vec<bool>,
}

impl Threshold {
    /// Positive rows lie above negative ones, but for two.
    fn new() -> Self {
        Self { positive: vec![false, false, true, false, true, false, true, true] }
    }

    fn wrong(&self, at: f64) -> Wrong {
        let mut wrong = Wrong::default();
        for (row, &positive) in self.positive.iter().enumerate() {
            match (row as f64 + 0.5 > at, positive) {
                (true, false) => wrong.alarms += 1.0,
                (false, true) => wrong.missed += 1.0,
                _ => {}
            }
        }
        wrong
    }

    /// How probable the parameter is between every two rows, by the prior and a factor for the
    /// distance.
    fn expected(&self, distance: Distance, factor: impl Fn(f64) -> f64) -> Vec<f64> {
        let below = |x: f64| 1.0 - normal_tail((x - MEAN) / SD);
        let n = self.positive.len();
        let masses = (0..=n).map(|place| {
            let low = if place == 0 { 0.0 } else { below(place as f64 - 0.5) };
            let high = if place == n { 1.0 } else { below(place as f64 + 0.5) };
            (high - low) * factor(distance.of(self.wrong(place as f64)))
        });
        let masses: Vec<f64> = masses.collect();
        let total: f64 = masses.iter().sum();
        masses.iter().map(|mass| mass / total).collect()
    }
}

const MEAN: f64 = 4.0;
const SD: f64 = 3.0;

impl Hard for Threshold {
    fn parameters(&self) -> usize {
        1
    }

    fn totals(&self) -> [f64; 2] {
        [4.0, 4.0]
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        Ok(Box::new(ThresholdTrial(self)))
    }
}

struct ThresholdTrial<'a>(&'a Threshold);

impl Trial for ThresholdTrial<'_> {
    fn call(&mut self, at: &[f64], _: Option<&[u32]>, within: Within<'_>) -> Result<Option<Wrong>> {
        let wrong = self.0.wrong(at[0]);
        Ok(within(wrong).then_some(wrong))
    }

    fn keep(&mut self) {}
}

fn priors() -> Priors {
    Priors::new([Prior::Normal { mean: MEAN, sd: SD }]).unwrap()
}

/// Whether samples lie between the rows as often as expected: the chi-square test at 0.1 %.
fn holds(chains: &[Chain], expected: &[f64]) -> Result<(), String> {
    let mut counts = vec![0.0; expected.len()];
    for chain in chains {
        for (value, &count) in chain.values.iter().zip(&chain.counts) {
            let place = (value + 0.5).floor().clamp(0.0, expected.len() as f64 - 1.0);
            counts[place as usize] += f64::from(count);
        }
    }
    let n: f64 = counts.iter().sum();
    let (mut square, mut cells) = (0.0, 0.0);
    for (count, share) in counts.iter().zip(expected) {
        if *share == 0.0 {
            if *count > 0.0 {
                return Err(format!("{count} samples where none can be"));
            }
            continue;
        }
        square += (count - n * share).powi(2) / (n * share);
        cells += 1.0;
    }
    let tail = chi_square_tail(square, cells - 1.0);
    if tail > 1e-3 { Ok(()) } else { Err(format!("{counts:?}, expected {expected:?}: {tail}")) }
}

fn with_run<T>(work: impl FnOnce(&Run<'_>) -> T) -> T {
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    work(&Run::new(7, &stop, &pool))
}

fn plan(level: (Distance, Target), proposal: Proposal, approach: Approach) -> Plan {
    let levels = vec![level];
    let (burn, keep, thin) = (200, 4000, 40);
    Plan { levels, chains: 2, proposal, approach, burn, keep, thin, rounds: 6, segments: 3 }
}

#[test]
fn chains_under_a_weight_draw_from_their_density() {
    let hard = Threshold::new();
    for (c, lambda, proposal) in
        [(0.5, 1.5, Proposal::Few), (0.2, 3.0, Proposal::Few), (0.7, 1.0, Proposal::All(2.5))]
    {
        let distance = Distance::Cost { c };
        let plan = plan((distance, Target::Weight(lambda)), proposal, Approach::Anneal(500));
        let chains = with_run(|run| plan.sample(&hard, &priors(), run)).unwrap();
        let expected = hard.expected(distance, |distance| (-lambda * distance).exp());
        holds(&chains, &expected).unwrap();
        // The same samples are not those of another weight.
        let other = hard.expected(distance, |distance| (-1.3 * lambda * distance).exp());
        assert!(holds(&chains, &other).is_err());
    }
}

/// Levels that exchange their states keep their densities, each its own. An exchange that is always
/// accepted, or decided the other way round, would not pass.
#[test]
fn levels_that_exchange_states_draw_each_from_its_density() {
    let hard = Threshold::new();
    let costs = [(0.15, 2.0), (0.5, 2.0), (0.85, 1.0)];
    let level = |(c, lambda): (f64, f64)| (Distance::Cost { c }, Target::Weight(lambda));
    let plan = plan(level(costs[0]), Proposal::Few, Approach::Anneal(500));
    let plan = Plan { levels: costs.map(level).to_vec(), rounds: 8000, ..plan };
    let chains = with_run(|run| plan.sample(&hard, &priors(), run)).unwrap();
    let expected = costs.map(|(c, lambda)| {
        hard.expected(Distance::Cost { c }, |distance| (-lambda * distance).exp())
    });
    for (at, own) in chains.chunks(2).enumerate() {
        for (other, expected) in expected.iter().enumerate() {
            let found = holds(own, expected);
            assert_eq!(found.is_ok(), at == other, "level {at}, {other}: {found:?}");
        }
    }
    // Whether there are exchanges: without them chains are others.
    let alone = Plan { levels: plan.levels[..1].to_vec(), ..plan };
    let alone = with_run(|run| alone.sample(&hard, &priors(), run)).unwrap();
    assert!(alone[0].distances.len() == 4000 && alone[0] != chains[0]);
}

fn schedule(attempts: u64) -> Approach {
    Approach::Schedule { first: 0.9, stages: 4, accepted: 20, attempts }
}

#[test]
fn chains_rejection_and_populations_draw_from_the_prior_within_the_tolerance() {
    let hard = Threshold::new();
    let distance = Distance::Auc { totals: hard.totals() };
    let epsilon = 0.6;
    let inside = |distance: f64| f64::from(u8::from(distance <= epsilon));
    let expected = hard.expected(distance, inside);
    assert!(expected.contains(&0.0));
    for proposal in [Proposal::Few, Proposal::All(2.0)] {
        let plan = plan((distance, Target::Tolerance(epsilon)), proposal, schedule(10_000));
        let chains = with_run(|run| plan.sample(&hard, &priors(), run)).unwrap();
        holds(&chains, &expected).unwrap();
    }
    let with = Sampling { epsilon, samples: 4000, ..Sampling::default() };
    let drawn = with_run(|run| rejection(&with, &hard, &priors(), 1000, run)).unwrap();
    holds(&[drawn], &expected).unwrap();
    let drawn = with_run(|run| sequential(&with, &hard, &priors(), 1000, run)).unwrap();
    holds(&[drawn], &expected).unwrap();
}

#[test]
fn a_tolerance_out_of_reach_ends_with_the_best_distance_seen() {
    let hard = Threshold::new();
    let distance = Distance::Auc { totals: hard.totals() };
    let best = (0..=8).map(|at| distance.of(hard.wrong(f64::from(at)))).fold(1.0, f64::min);
    let named = format!("{best:.4}");
    let told = |error: Error| {
        let text = error.to_string();
        assert!(text.contains(&named) && error.help().is_some(), "{text}, best {named}");
        // A chain may fail on the way: what was asked for is said as well.
        assert!(text.contains("0.1000"), "{text}");
    };
    let level = (distance, Target::Tolerance(0.1));
    let plan = plan(level, Proposal::Few, schedule(3000));
    told(with_run(|run| plan.sample(&hard, &priors(), run)).unwrap_err());
    let with = Sampling { epsilon: 0.1, samples: 50, ..Sampling::default() };
    told(with_run(|run| rejection(&with, &hard, &priors(), 3000, run)).unwrap_err());
    told(with_run(|run| sequential(&with, &hard, &priors(), 3000, run)).unwrap_err());
}

/// Stops the run once so many parts were kept, as a kill would.
struct Killer<'a> {
    store: &'a MemoryStore,
    stop: &'a Stop,
    left: AtomicU64,
}

impl Store for Killer<'_> {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.store.get(key)
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<()> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.request();
        }
        self.store.put(key, bytes)
    }
}

#[test]
fn chains_that_were_killed_go_on_as_if_they_were_not() {
    let hard = Threshold::new();
    let level = |c: f64| (Distance::Cost { c }, Target::Weight(2.0));
    let plan = plan(level(0.4), Proposal::Few, Approach::Anneal(500));
    // Levels exchange their states within segments and from one to the next.
    let levels = vec![level(0.4), level(0.5), level(0.7)];
    let plan = Plan { levels, rounds: 60, segments: 6, ..plan };
    let whole = with_run(|run| plan.sample(&hard, &priors(), run)).unwrap();
    let store = MemoryStore::default();
    for parts in [1, 2, 2] {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let killer = Killer { store: &store, stop: &stop, left: AtomicU64::new(parts) };
        let run = Run { shelf: Shelf::new(&killer, "chains"), ..Run::new(7, &stop, &pool) };
        match plan.sample(&hard, &priors(), &run) {
            // What there is after the first round is kept.
            Ok(chains) => assert!(chains[0].distances.len() < whole[0].distances.len()),
            Err(error) => assert!(matches!(error, Error::Stopped)),
        }
    }
    assert!(store.counts().1 >= 5, "{:?}", store.counts());
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let run = Run { shelf: Shelf::new(&store, "chains"), ..Run::new(7, &stop, &pool) };
    assert_eq!(plan.sample(&hard, &priors(), &run).unwrap(), whole);
    assert!(store.counts().0 >= 5);
}

#[test]
fn draws_and_populations_that_were_killed_go_on_as_if_they_were_not() {
    let hard = Threshold::new();
    let with = Sampling { epsilon: 0.6, samples: 100, ..Sampling::default() };
    for sampler in [rejection, sequential] {
        let whole = with_run(|run| sampler(&with, &hard, &priors(), 1000, run)).unwrap();
        let store = MemoryStore::default();
        for _ in 0..2 {
            let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
            let killer = Killer { store: &store, stop: &stop, left: AtomicU64::new(1) };
            let run = Run { shelf: Shelf::new(&killer, "parts"), ..Run::new(7, &stop, &pool) };
            match sampler(&with, &hard, &priors(), 1000, &run) {
                Ok(chain) => assert!(chain.distances.len() < whole.distances.len()),
                Err(error) => assert!(matches!(error, Error::Stopped)),
            }
        }
        assert!(store.counts().1 >= 2, "{:?}", store.counts());
        let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
        let run = Run { shelf: Shelf::new(&store, "parts"), ..Run::new(7, &stop, &pool) };
        assert_eq!(sampler(&with, &hard, &priors(), 1000, &run).unwrap(), whole);
        assert!(store.counts().0 >= 2);
    }
}

/// The built-in network as a program, label by label.
#[derive(Debug)]
struct Same(Units);

struct SameSession {
    units: Units,
    rows: super::rows::Blocks,
    priors: Vec<Option<Prior>>,
    labels: Vec<bool>,
}

impl Program for Same {
    fn open(&self, rows: View<'_>) -> Result<Box<dyn Session>> {
        let dense = DenseRows::new(rows, 1e100)?;
        let [biases, votes, _] = self.0.places();
        let sd = |at: usize| match at {
            at if at < biases => 4.0 / (self.0.inputs as f64).sqrt(),
            at if at < votes => 4.0,
            _ => 1.0,
        };
        let prior = |at| Some(Prior::Normal { mean: 0.0, sd: sd(at) });
        Ok(Box::new(SameSession {
            units: self.0,
            rows: super::rows::Blocks::new(&dense, 0..dense.rows),
            priors: (0..self.0.parameters()).map(prior).collect(),
            labels: Vec::new(),
        }))
    }
}

impl Session for SameSession {
    fn priors(&self) -> &[Option<Prior>] {
        &self.priors
    }

    fn labels(&mut self, parameters: &[f64]) -> Result<&[bool]> {
        let mut out = vec![[0.0; super::rows::BLOCK]; self.rows.len()];
        self.units.add_calls(parameters, &self.rows, 1.0, &mut out);
        self.labels = out.as_flattened()[..self.rows.rows].iter().map(|y| *y > 0.0).collect();
        Ok(&self.labels)
    }
}

#[test]
fn a_program_with_the_same_calls_gives_the_same_chain() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    for sampler in [Sampler::Costs, Sampler::Epsilon] {
        let with = AbcMlp::default().sampler(sampler).samples(38).steps(20).chains(2);
        let with = with.lambda(4.0).width(4.0).epsilon(0.4).sampling();
        let task = data.task()?;
        let own = with_run(|run| learn(Kind::Mlp(7), &with, &task, run))?.model;
        let program = Same(Units::mlp(2, 7));
        let other = with_run(|run| learn(Kind::Program(&program), &with, &task, run))?.model;
        let samples = |model: &ChainModel| model.parts()[0].values.clone();
        assert_eq!(samples(&own), samples(&other));
        assert!(other.lacks_program() && !own.lacks_program());
        let error = other.answers(0, data.features()).unwrap_err();
        assert!(error.to_string().contains("never holds a command"), "{error}");
    }
    Ok(())
}

#[test]
fn standard_errors_follow_from_the_chains() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let with = AbcMlp::default().samples(380).steps(30).chains(4).lambda(4.0).width(4.0);
    let model = with_run(|run| learn(Kind::Mlp(3), &with.sampling(), &data.task()?, run))?.model;
    let errors = |model: &ChainModel| {
        with_run(|run| model.standard_errors(0, data.features(), run)).map(|found| found.unwrap())
    };
    let found = errors(&model)?;
    assert!(found.iter().all(|error| (0.0..0.5).contains(error)));
    assert!(found.iter().any(|error| *error > 0.0));
    // Two levels of two chains, all of whose samples call every row alike. Levels depend on each
    // other: where the chains of one number differ in opposite ways, their ladders agree.
    let linear = with_run(|run| learn(Kind::Mlp(0), &with.sampling(), &data.task()?, run))?.model;
    for (calls, expected) in [([1.0, -1.0, -1.0, 1.0], 0.0), ([1.0, -1.0, 1.0, -1.0], 0.5)] {
        let part = SampledPart {
            weights: vec![0.25; 4],
            values: calls.iter().flat_map(|&bias| [0.0, 0.0, bias]).collect(),
            groups: vec![[0, 0], [0, 1], [1, 0], [1, 1]],
            ..SampledPart::default()
        };
        // Of answers 1 and 0 the variance is 1/2, that of their mean 1/4.
        let found = errors(&linear.clone().with_parts(vec![part])?)?;
        assert!(found.iter().all(|error| (error - expected).abs() < 1e-12), "{:?}", &found[..3]);
    }
    Ok(())
}

/// What is kept, refused and reserved are the same samples.
#[test]
fn every_chain_gives_a_sample_and_too_few_are_refused() -> Result<()> {
    let with = |samples: usize| AbcMlp::default().samples(samples).steps(2).lambda(4.0).width(4.0);
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let task = data.task()?;
    // Few rows: what chains hold of them while they run is little.
    let few: Vec<u32> = (0..1250).step_by(50).collect();
    let task = task.with_rows(&few);
    let learn = |samples: usize, run: &Run<'_>| {
        learn(Kind::Mlp(0), &with(samples).sampling(), &task, run).map(|fitted| fitted.model)
    };
    let said = with_run(|run| learn(75, run)).map(|_| ()).unwrap_err();
    assert!(said.to_string().contains("75 samples are fewer than the 76 chains"), "{said}");
    assert!(said.help().expect("a way out").contains("76"), "{said}");
    assert_eq!([76, 77, 152, 1900].map(|n| with(n).sampling().kept()), [76, 152, 152, 1900]);
    with_run(|run| {
        // Two samples of each chain: 2 x 152 of 3 parameters and 3 figures.
        let said = learn(77, &Run { memory: 14_000, ..run.clone() }).map(|_| ()).unwrap_err();
        assert!(said.to_string().contains("152 samples of 3 parameters"), "{said}");
        let model = learn(77, &Run { memory: 15_000, ..run.clone() })?;
        let answers = model.standard_errors(0, data.features(), &Run { memory: 9, ..run.clone() });
        assert!(answers.unwrap_err().to_string().contains("4 chains on 1250 rows"));
        Ok(())
    })
}

#[test]
fn every_column_has_a_rule_and_only_networks_choose_a_width() -> Result<()> {
    let data = Catalogue::embedded().open("wdbc", &Load::default())?;
    let with = AbcMlp::default().samples(19).chains(1).steps(2).folds(2).sampling();
    for (kind, count, named) in [
        (Kind::Mlp(2), 2, &["lambda", "width"][..]),
        (Kind::Mlp(0), 30, &["lambda"]),
        (Kind::Rules(7), 30, &["lambda"]),
        (Kind::Rules(40), 40, &["lambda"]),
    ] {
        let model = with_run(|run| learn(kind, &with, &data.task()?, run))?.model;
        let Caller::Units(units) = model.caller() else { panic!("units") };
        assert_eq!((units.inputs, units.count), (30, count), "{kind:?}");
        let mixing = model.parts()[0].mixing.as_ref().expect("figures");
        let chosen: Vec<&str> = mixing.chosen.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(chosen, named, "{kind:?}");
    }
    Ok(())
}
