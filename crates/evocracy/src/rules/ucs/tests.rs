//! What the population keeps to, step by step, and what known problems must come out as.

use super::learn::{Engine, Example};
use super::macro_classifier::power;
use super::model::UcsModel;
use super::population::UcsPopulation;
use super::{Crossover, Evaluation, Guidance, Selection, Subsumption, Ucs};
use crate::classify::{Classifier, Learner, Online, Proba, Saved};
use crate::data::generate::{self, Generator, Multiplexer};
use crate::data::{Classes, Column, Dataset, Field, MISSING, Options, Schema, Table};
use crate::error::Result;
use crate::evolve::{below, chance, rng};
use crate::rules::condition::{Layout, LiteralRows, Masks};
use crate::run::{Pool, Run, Seed, Stop};
use proptest::prelude::{ProptestConfig, any};
use proptest::{prop_assert, prop_assert_eq, proptest};

fn multiplexer(bits: usize, rows: generate::RowCount, seed: u64) -> Dataset {
    let table = Multiplexer::default().size(bits).rows(rows).generate(Seed::new(seed));
    Dataset::new("mux", table.expect("bits"), &Options::default()).expect("a data set")
}

fn fit(ucs: &Ucs, data: &Dataset) -> UcsModel {
    let (stop, pool) = (Stop::new(), Pool::new(1).expect("a pool"));
    let task = data.task().expect("a task");
    ucs.fit(&task, &Run::new(1, &stop, &pool)).expect("a fit").model
}

fn accuracy(model: &UcsModel, data: &Dataset) -> f64 {
    let mut proba = Proba::new();
    model.proba_into(data.features(), &mut proba).expect("probabilities");
    let codes = data.codes().expect("classes");
    let right = (0..codes.len()).filter(|&row| proba.best(row) as u32 == codes[row]).count();
    right as f64 / codes.len() as f64
}

/// Numbers, levels and gaps; the class depends on both columns.
fn stream(rows: usize, seed: u64) -> (Table, Vec<u32>) {
    let mut rng = rng(Seed::new(seed));
    let (mut number, mut level, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let (x, code) = (below(100, &mut rng) as f64, below(3, &mut rng) as u32);
        labels.push(u32::from(x > 50.0) + u32::from(code == 2));
        number.push(if chance(0.05, &mut rng) { f64::NAN } else { x });
        level.push(if chance(0.05, &mut rng) { MISSING } else { code });
    }
    let columns = vec![Column::Number(number), Column::Nominal(level)];
    (Table::new(schema(), columns).expect("a sound table"), labels)
}

fn schema() -> Schema {
    Schema { fields: vec![Field::number("x"), Field::nominal("level", ["a", "b", "c"])] }
}

fn classes() -> Classes {
    Classes::new(["none", "one", "two", "never"].map(str::to_owned).to_vec()).expect("classes")
}

/// Parameters of every kind, small enough that the population overflows all the time.
fn any_ucs(seed: u64) -> Ucs {
    let mut rng = rng(Seed::new(seed));
    let subsumption = [Subsumption::None, Subsumption::Ga, Subsumption::Set, Subsumption::Both];
    let mut coin = || chance(0.5, &mut rng);
    let ucs = Ucs::default()
        .sharing(coin())
        .selection(if coin() { Selection::Roulette } else { Selection::Tournament })
        .crossing(if coin() { Crossover::TwoPoint } else { Crossover::Uniform })
        .evaluate(if coin() { Evaluation::Exact } else { Evaluation::Rows })
        .feedback(coin())
        .balance(coin())
        .compact(coin());
    ucs.population(1 + below(60, &mut rng))
        .subsumption(subsumption[below(4, &mut rng)])
        .patience(below(30, &mut rng) as u64)
        .experience(below(10, &mut rng) as u64)
        .mutation(0.3)
        .limit(below(3, &mut rng))
        .iterations(1500)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// After every step the numerosities are at most the limit and add up, no rule is there
    /// twice, and what deletion needs is up to date.
    #[test]
    fn sums_and_limits_hold_after_every_step(seed in any::<u64>()) {
        let ucs = any_ucs(seed);
        let (table, labels) = stream(200, seed);
        let layout = Layout::of_view(table.view(), &[1.0; 200], 8).unwrap();
        let rows = LiteralRows::new(&layout, table.view());
        let empty = UcsPopulation::new(Masks::new(layout.words()), Vec::new(), &ucs);
        let mut engine = Engine::new(&ucs, &layout, empty, 4, (Seed::new(seed), 0));
        engine.limit = if ucs.limit > 0 { ucs.limit } else { 2 };
        for step in 0..600 {
            let (row, label) = (rows.row(step % 200), labels[step % 200]);
            engine.step(Example { row, label, weight: 1.0 });
            let population = &engine.population;
            let members = &population.members;
            let sum: u64 = members.iter().map(|member| u64::from(member.numerosity)).sum();
            prop_assert_eq!(sum, population.micro);
            prop_assert!(sum <= ucs.population as u64);
            prop_assert_eq!(members.len(), population.masks.len());
            let mut all: Vec<(Vec<u64>, u32)> =
                (0..members.len()).map(|at| (population.masks.condition(at), members[at].class)).collect();
            for (condition, _) in &all {
                prop_assert!(layout.is_condition(condition));
                prop_assert!(layout.specificity(condition) <= engine.limit);
            }
            all.sort();
            all.dedup();
            prop_assert_eq!(all.len(), members.len(), "a rule is there twice");
            let again = UcsPopulation::new(population.masks.clone(), members.clone(), &ucs);
            prop_assert!(population.agrees(&again));
            for member in members {
                prop_assert!(member.numerosity > 0 && member.right <= member.weight);
                prop_assert!((0.0..=1.0).contains(&member.fitness));
            }
        }
    }

    /// Whatever the parameters, probabilities sum to 1 and a file holds the model.
    #[test]
    fn probabilities_are_normalised_and_models_pass_their_own_check(seed in any::<u64>()) {
        let ucs = any_ucs(seed);
        let (table, labels) = stream(120, seed);
        let (mut schema, mut columns) = table.into_parts();
        schema.fields.push(Field::nominal("class", ["none", "one", "two"]));
        columns.push(Column::Nominal(labels));
        let table = Table::new(schema, columns).expect("a sound table");
        let data = Dataset::new("stream", table, &Options::default()).expect("a data set");
        let model = fit(&ucs, &data);
        let inputs = Schema { fields: data.features().fields().cloned().collect() };
        prop_assert!(model.check(&inputs).is_ok());
        prop_assert!(model.numerosity() <= ucs.population as u64);
        let mut proba = Proba::new();
        model.proba_into(data.features(), &mut proba).expect("probabilities");
        for row in 0..120 {
            prop_assert!((proba.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let rebuilt = model.explain(data.features(), row).expect("an explanation").rebuild();
            for (rebuilt, p) in rebuilt.iter().zip(proba.row(row)) {
                prop_assert!((rebuilt - p).abs() < 1e-9);
            }
        }
    }

    /// Any cutting of a stream gives the same bytes, also where it is cut while it waits, and
    /// where it is saved and loaded in between.
    #[test]
    fn the_chunks_of_a_stream_do_not_matter(seed in any::<u64>()) {
        let ucs = any_ucs(seed).evaluate(Evaluation::Rows).population(100);
        let (table, labels) = stream(2500, seed);
        let mut rng = rng(Seed::new(seed));
        let weights: Vec<f64> = (0..2500).map(|_| below(3, &mut rng) as f64).collect();
        let start = || UcsModel::stream(&ucs, &schema(), &classes(), Seed::new(seed));
        let mut whole = start();
        whole.learn(table.view(), &labels, &weights).expect("learnt");
        let (mut parts, mut from) = (start(), 0);
        while from < 2500 {
            let to = (from + 1 + below(700, &mut rng)).min(2500);
            let ids: Vec<u32> = (from as u32..to as u32).collect();
            let rows = table.view().with_rows(&ids);
            parts.learn(rows, &labels[from..to], &weights[from..to]).expect("learnt");
            prop_assert!(parts.check(&schema()).is_ok());
            let saved = rmp_serde::to_vec_named(&parts).expect("saved");
            parts = rmp_serde::from_slice(&saved).expect("loaded");
            from = to;
        }
        prop_assert_eq!(whole.time, weights.iter().filter(|w| **w > 0.0).count() as u64);
        prop_assert!(parts == whole);
    }
}

#[test]
fn powers_are_those_of_the_library() {
    for exponent in [0.0, 1.0, 2.0, 10.0, 33.0, 64.0, 65.0, 2.5, 0.1] {
        for base in [0.0, 0.1, 0.5, 0.99, 1.0] {
            let (ours, theirs) = (power(base, exponent), f64::powf(base, exponent));
            assert!((ours - theirs).abs() <= 1e-14, "{base}^{exponent}: {ours}, {theirs}");
        }
    }
}

#[test]
fn multiplexers_end_with_exactly_their_rules() {
    let all = |bits| multiplexer(bits, generate::RowCount::All, 1);
    let ucs = Ucs::default().iterations(50_000);
    for (data, rules) in [(all(6), 8), (all(11), 16)] {
        let model = fit(&ucs, &data);
        assert_eq!((accuracy(&model, &data), model.rule_count()), (1.0, rules));
        assert_eq!(model.unmatched, 0.0);
    }
}

#[test]
fn compaction_loses_no_training_row() {
    let data = multiplexer(11, generate::RowCount::Count(500), 3);
    for ucs in [Ucs::default().iterations(1000), Ucs::default().iterations(1000).sharing(false)] {
        let full = fit(&ucs.clone().compact(false), &data);
        let compact = fit(&ucs.clone().compact(true), &data);
        assert!(accuracy(&full, &data) < 1.0, "learning is not over");
        assert!(accuracy(&compact, &data) >= accuracy(&full, &data));
        assert!(compact.rule_count() < full.rule_count() / 2);
    }
}

#[test]
fn exact_evaluation_counts_every_training_row_once() {
    let data = multiplexer(6, generate::RowCount::Count(300), 2);
    let ucs = Ucs::default().iterations(3000).evaluate(Evaluation::Exact).compact(false);
    let model = fit(&ucs, &data);
    let codes = data.codes().expect("classes");
    let rows = LiteralRows::new(&model.layout, data.features());
    for (at, member) in model.members.iter().enumerate() {
        let mut one = Masks::new(model.layout.words());
        one.push(&model.masks.condition(at));
        let mut out = Vec::new();
        let matched = (0..300).filter(|&row| {
            one.matching(rows.row(row), &mut out);
            !out.is_empty()
        });
        let matched: Vec<usize> = matched.collect();
        let right = matched.iter().filter(|&&row| codes[row] == member.class).count();
        assert_eq!((member.weight, member.right), (matched.len() as f64, right as f64));
    }
}

#[test]
fn relief_weights_find_the_address_of_a_multiplexer() {
    let data = multiplexer(20, generate::RowCount::Count(2000), 4);
    let model = fit(&Ucs::default().iterations(1).guide(Guidance::Multisurf), &data);
    let weakest = (0..4).map(|bit| model.guide.weight(bit)).fold(f64::INFINITY, f64::min);
    let strongest = (4..20).map(|bit| model.guide.weight(bit)).fold(0.0, f64::max);
    assert!(weakest > strongest, "address {weakest}, data {strongest}");
}

#[test]
fn a_rare_class_is_learnt_where_classes_are_balanced() {
    // 1 row in 40 is rare and shares its values with as many common ones.
    let mut rng = rng(Seed::new(5));
    let codes: Vec<u32> = (0..2000).map(|row| u32::from(row % 40 == 0)).collect();
    let sign = codes.iter().map(|&code| code.max(u32::from(chance(0.04, &mut rng)))).collect();
    let fields = vec![Field::nominal("sign", ["no", "yes"]), Field::nominal("class", ["a", "b"])];
    let columns = vec![Column::Nominal(sign), Column::Nominal(codes.clone())];
    let table = Table::new(Schema { fields }, columns).expect("a sound table");
    let data = Dataset::new("rare", table, &Options::default()).expect("a data set");
    let found = |balance: bool| {
        let ucs = Ucs::default().iterations(20_000).balance(balance).sharing(false).compact(false);
        let mut proba = Proba::new();
        fit(&ucs, &data).proba_into(data.features(), &mut proba).expect("probabilities");
        let rare = (0..2000).filter(|&row| codes[row] == 1 && proba.best(row) == 1).count();
        rare as f64 / 50.0
    };
    assert_eq!(found(true), 1.0);
    assert!(found(false) < 1.0);
}

/// A stream that has learnt 2,000 rows.
fn taught() -> (UcsModel, Table) {
    let (table, labels) = stream(2000, 9);
    let mut model = UcsModel::stream(&Ucs::default(), &schema(), &classes(), Seed::new(1));
    model.learn(table.view(), &labels, &vec![1.0; 2000]).expect("learnt");
    (model, table)
}

fn proba(model: &UcsModel, table: &Table) -> Proba {
    let mut proba = Proba::new();
    model.proba_into(table.view(), &mut proba).expect("probabilities");
    proba
}

#[test]
fn hostile_streams_have_their_answers() -> Result<()> {
    let (mut model, table) = taught();
    // The class `never` has not come: no rule speaks for it, and the default rule gives it the
    // share of the row that is added to every class.
    let answers = proba(&model, &table);
    assert_eq!(model.prior()[3], 1.0 / 2004.0);
    assert!((0..2000).all(|row| answers.row(row)[3] == model.doubt * model.prior()[3]));
    // Columns come in another order, one of them with a level that was not announced: they are
    // found by name and the level is missing.
    let fields = vec![Field::nominal("level", ["c", "z"]), Field::number("x")];
    let swapped = |level: u32| {
        let columns =
            vec![Column::Nominal(vec![level; 4]), Column::Number(vec![1.0, 2.0, 60.0, 70.0])];
        Table::new(Schema { fields: fields.clone() }, columns)
    };
    let straight = |level: u32| {
        let columns =
            vec![Column::Number(vec![1.0, 2.0, 60.0, 70.0]), Column::Nominal(vec![level; 4])];
        Table::new(schema(), columns)
    };
    for (theirs, ours) in [(0, 2), (1, MISSING)] {
        let (mut a, mut b) = (model.clone(), model.clone());
        a.learn(swapped(theirs)?.view(), &[1, 1, 2, 2], &[1.0; 4])?;
        b.learn(straight(ours)?.view(), &[1, 1, 2, 2], &[1.0; 4])?;
        assert!(a == b);
    }
    // A column that is not there, a class that was not announced, weights that are not there.
    let lacking =
        Table::new(Schema { fields: vec![Field::number("x")] }, vec![Column::Number(vec![1.0])])?;
    assert!(model.learn(lacking.view(), &[0], &[1.0]).unwrap_err().to_string().contains("`level`"));
    let refused = model.learn(straight(0)?.view(), &[0, 1, 2, 4], &[1.0; 4]);
    assert!(refused.unwrap_err().to_string().contains("class number 4"));
    assert!(model.learn(straight(0)?.view(), &[0; 4], &[1.0; 3]).is_err());
    Ok(())
}

#[test]
fn a_row_that_no_rule_matches_gets_the_shares_of_the_classes() -> Result<()> {
    let bits = Schema { fields: vec![Field::nominal("bit", ["0", "1"])] };
    let two = Classes::new(vec!["no".into(), "yes".into()])?;
    // Covering never leaves the bit open, and nothing but the first row is ever bred from.
    let ucs = Ucs::default().wildcard(0.0).patience(1_000_000);
    let mut model = UcsModel::stream(&ucs, &bits, &two, Seed::new(1));
    let zeros = Table::new(bits.clone(), vec![Column::Nominal(vec![0; 30])])?;
    model.learn(zeros.view(), &[0; 30], &[1.0; 30])?;
    let both = Table::new(bits, vec![Column::Nominal(vec![0, 1])])?;
    let answers = proba(&model, &both);
    // The default rule has a part of 1 in 32 of every answer.
    let sure = 31.0 / 32.0 + 31.0 / 32.0 / 32.0;
    assert!((answers.row(0)[0] - sure).abs() < 1e-12, "{:?}", answers.row(0));
    assert_eq!(answers.row(1), [31.0 / 32.0, 1.0 / 32.0]);
    let explanation = model.explain(both.view(), 1)?;
    assert!(explanation.parts.is_empty());
    assert_eq!(explanation.base, [31.0 / 32.0, 1.0 / 32.0]);
    Ok(())
}

#[test]
fn a_stream_that_waits_answers_by_the_classes_it_has_seen() {
    let (table, labels) = stream(300, 2);
    let mut model = UcsModel::start(&schema(), &classes());
    model.learn(table.view(), &labels, &[1.0; 300]).expect("learnt");
    assert!(model.waiting.is_some() && model.check(&schema()).is_ok());
    let share = |class: u32| labels.iter().filter(|&&label| label == class).count() as f64;
    let expected: Vec<f64> = (0..4).map(|class| (share(class) + 1.0) / 304.0).collect();
    assert_eq!(proba(&model, &table).row(0), &expected[..]);
}

#[test]
fn the_memory_of_a_stream_is_bounded() {
    let ucs = Ucs::default().population(50);
    let mut model = UcsModel::stream(&ucs, &schema(), &classes(), Seed::new(1));
    let (table, labels) = stream(1000, 3);
    let mut sizes = Vec::new();
    for round in 1..=600 {
        model.learn(table.view(), &labels, &[1.0; 1000]).expect("learnt");
        if round % 150 == 0 {
            sizes.push(serde_json::to_string(&model).expect("saved").len());
        }
        assert!(model.rule_count() <= 50 && model.curve.points.len() < super::curve::MOST);
    }
    let (least, most) = (sizes.iter().min(), sizes.iter().max());
    assert!(most < least.map(|least| least * 2).as_ref(), "{sizes:?}");
}

#[test]
fn forged_models_are_refused() {
    let (model, _) = taught();
    assert!(model.check(&schema()).is_ok());
    let forge = |change: fn(&mut UcsModel)| {
        let mut forged = model.clone();
        change(&mut forged);
        forged.check(&schema()).is_err()
    };
    assert!(forge(|model| model.members[0].class = 4));
    assert!(forge(|model| model.members[0].numerosity = 0));
    assert!(forge(|model| model.members[0].numerosity = 2001));
    assert!(forge(|model| model.members[0].fitness = f64::NAN));
    assert!(forge(|model| model.members[0].right = model.members[0].weight + 1.0));
    assert!(forge(|model| model.members.truncate(1)));
    assert!(forge(|model| model.masks.push(&[u64::MAX])));
    assert!(forge(|model| model.masks = Masks::new(2)));
    assert!(forge(|model| model.counts[0] = -1.0));
    assert!(forge(|model| model.limit = 0));
    assert!(forge(|model| model.settings.push(("nu".into(), "-1".into()))));
    assert!(forge(|model| model.curve.window = 0));
    assert!(forge(|model| model.inputs.fields[0].name = "z".into()));
}

#[test]
fn tracking_and_importance_name_the_attributes_that_matter() -> Result<()> {
    let data = multiplexer(6, generate::RowCount::All, 1);
    let model = fit(&Ucs::default().iterations(30_000), &data);
    let importance = model.importance();
    assert!(importance[..2].iter().all(|share| *share > 0.999), "{importance:?}");
    // Row 0 is 000000: both address bits and the first data bit.
    let tracked = model.tracking(data.features(), 0)?;
    let used: Vec<usize> = (0..6).filter(|&bit| tracked[bit] > 0.5).collect();
    assert_eq!(used, [0, 1, 2]);
    let book = Saved::rules(&model, data.table().schema()).expect("rules");
    assert_eq!(book.rules.len(), 9);
    assert!(book.rules[..8].iter().all(|rule| rule.tests.len() == 3 && rule.support == 8.0));
    assert!(book.rules[8].tests.is_empty());
    Ok(())
}

/// The mean log2-likelihood of rows.
fn log2(model: &UcsModel, data: &Dataset) -> f64 {
    let mut proba = Proba::new();
    model.proba_into(data.features(), &mut proba).expect("probabilities");
    let labels = data.codes().expect("classes");
    crate::measure::log2_likelihood(labels, proba.values(), 2, None).expect("sound")
}

#[test]
fn compaction_keeps_the_likelihood_of_fresh_rows() {
    let noisy = |seed: u64| {
        let table = Multiplexer::default().size(6).rows(generate::RowCount::Count(1500)).noise(0.2);
        let table = table.generate(Seed::new(seed)).expect("bits");
        Dataset::new("mux", table, &Options::default()).expect("a data set")
    };
    let (train, test) = (noisy(1), noisy(2));
    let ucs = Ucs::default().iterations(30_000);
    let (whole, compact) = (fit(&ucs.clone().compact(false), &train), fit(&ucs, &train));
    assert!(compact.rule_count() < whole.rule_count() / 2);
    let (before, after) = (log2(&whole, &test), log2(&compact, &test));
    assert!(after > before - 0.03, "{before} to {after}");
    // One row in five is of the other class: 0.72 bits are the best there is.
    assert!(after > -0.8, "{after}");
}

/// A name for every row explains the training rows and no other.
#[test]
fn names_of_rows_do_not_mislead() {
    let mut rng = rng(Seed::new(5));
    let names: Vec<String> = (0..600).map(|row| format!("u{row}")).collect();
    let fields = vec![
        Field::number("x"),
        Field::nominal("name", names),
        Field::nominal("class", ["no", "yes"]),
    ];
    let x: Vec<f64> = (0..600).map(|_| below(100, &mut rng) as f64).collect();
    let class = x.iter().map(|x| u32::from((*x >= 50.0) != chance(0.15, &mut rng))).collect();
    let columns =
        vec![Column::Number(x), Column::Nominal((0..600).collect()), Column::Nominal(class)];
    let table = Table::new(Schema { fields }, columns).expect("a sound table");
    let data = Dataset::new("names", table, &Options::default()).expect("a data set");
    let task = data.task().expect("a task");
    let (train, test): (Vec<u32>, Vec<u32>) = (0..600).partition(|row| row % 4 != 0);
    let (stop, pool) = (Stop::new(), Pool::new(1).expect("a pool"));
    let ucs = Ucs::default().iterations(30_000);
    let run = Run::new(1, &stop, &pool);
    let model = ucs.fit(&task.with_rows(&train), &run).expect("a fit").model;
    let mut proba = Proba::new();
    model.proba_into(data.features().with_rows(&test), &mut proba).expect("probabilities");
    let truth = data.codes().expect("classes");
    let right = test.iter().enumerate();
    let right = right.filter(|(at, row)| proba.best(*at) as u32 == truth[**row as usize]).count();
    assert!(right * 100 > 75 * test.len(), "{right} of {}", test.len());
}
