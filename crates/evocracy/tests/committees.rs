//! Committees: what their rules compute, what they keep, what they refuse.

mod common;

use common::{open, settings};
use evocracy::classify::{Fitted, Proba, Saved};
use evocracy::committee::diversity::majority_error;
use evocracy::committee::{Assembly, Bag, Combine, Ensemble};
use evocracy::data::{Column, Dataset, Encoding, Field, Options, Schema, Table, Task, holdout};
use evocracy::error::{Error, Result};
use evocracy::method::{Method, make};
use evocracy::model::{Core, Model};
use evocracy::run::{Pool, Run, Seed, Stop};
use proptest::prelude::*;
use rand::RngExt;
use std::sync::atomic::{AtomicUsize, Ordering};

fn train(name: &str, list: &[(&str, &str)], data: &Dataset) -> Result<Fitted<Model>> {
    common::train(make(name, &settings(list))?.as_ref(), &data.task()?, 3, 2)
}

fn fit(name: &str, list: &[(&str, &str)], data: &Dataset) -> Model {
    train(name, list, data).unwrap_or_else(|e| panic!("{name}: {e}")).model
}

fn members(model: &Model) -> &[Model] {
    match model.core() {
        Core::Committee(committee) => committee.members(),
        core => panic!("{} has no members", core.name()),
    }
}

fn said(model: &Model, data: &Dataset) -> Vec<Proba> {
    members(model).iter().map(|m| m.proba(data.features()).expect("probabilities")).collect()
}

fn close(a: &[f64], b: &[f64], what: &str) {
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < 1e-12, "{what}: {a} is not {b}");
    }
}

#[test]
fn every_rule_is_what_it_says() {
    let data = open("iris");
    for rule in ["mean", "vote", "product", "max"] {
        let model = fit("vote:tree+knn+naive-bayes", &[("rule", rule)], &data);
        let (all, got) = (said(&model, &data), model.proba(data.features()).unwrap());
        for row in 0..got.rows() {
            let of = |class: usize| all.iter().map(move |p| p.row(row)[class]);
            let mut by_hand: Vec<f64> = (0..3)
                .map(|class| match rule {
                    "mean" => of(class).sum::<f64>() / 3.0,
                    "vote" => all.iter().filter(|p| p.best(row) == class).count() as f64 / 3.0,
                    "product" => of(class).map(|p| p.max(1e-15)).product(),
                    _ => of(class).fold(0.0, f64::max),
                })
                .collect();
            let total: f64 = by_hand.iter().sum();
            for p in &mut by_hand {
                *p /= total;
            }
            close(&by_hand, got.row(row), rule);
        }
    }
}

#[test]
fn all_pairs_and_one_against_the_rest_by_hand() {
    let data = open("iris");
    let model = fit("pairs:logistic", &[("decode", "wins")], &data);
    let (all, got) = (said(&model, &data), model.proba(data.features()).unwrap());
    // The pairs are (0, 1), (0, 2), (1, 2).
    for row in [0, 75, 149] {
        let p: Vec<&[f64]> = all.iter().map(|p| p.row(row)).collect();
        let wins = [p[0][0] + p[1][0], p[0][1] + p[2][0], p[1][1] + p[2][1]];
        close(&wins.map(|w| w / 3.0), got.row(row), "pairs");
    }
    let model = fit("pairs:logistic", &[], &data);
    let (all, got) = (said(&model, &data), model.proba(data.features()).unwrap());
    for row in 0..got.rows() {
        let second: Vec<f64> = all.iter().map(|p| p.row(row)[1].clamp(1e-7, 1.0 - 1e-7)).collect();
        // The sum of squares that coupling minimises; a step to any side makes it larger.
        let misfit = |p: &[f64]| {
            let pairs = [(0, 1), (0, 2), (1, 2)].iter().zip(&second);
            pairs.map(|(&(a, b), r)| (r * p[a] - (1.0 - r) * p[b]).powi(2)).sum::<f64>()
        };
        let (p, least) = (got.row(row), misfit(got.row(row)));
        for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let mut other = p.to_vec();
            other[from] -= 1e-3;
            other[to] += 1e-3;
            assert!(misfit(&other) > least, "row {row}: {other:?} fits better than {p:?}");
        }
    }
    // Of three classes the mean of wins is at most 2/3.
    assert!(got.row(0)[0] > 0.95, "{:?}", got.row(0));
    let model = fit("one-rest:logistic", &[], &data);
    let (all, got) = (said(&model, &data), model.proba(data.features()).unwrap());
    for row in [0, 75, 149] {
        let own: Vec<f64> = all.iter().map(|p| p.row(row)[1]).collect();
        let total: f64 = own.iter().sum();
        close(&own.iter().map(|p| p / total).collect::<Vec<_>>(), got.row(row), "one-rest");
    }
}

#[test]
fn code_words_are_decoded_by_hand() {
    let data = open("iris");
    let words = [[false, false, true], [false, true, false], [true, false, false]];
    let given = [("code", "given"), ("words", "001,010,100"), ("decode", "")];
    for decode in ["probability", "hamming"] {
        let mut list = given;
        list[2].1 = decode;
        let model = fit("ecoc:naive-bayes", &list, &data);
        let (all, got) = (said(&model, &data), model.proba(data.features()).unwrap());
        for row in 0..got.rows() {
            let one: Vec<f64> = all.iter().map(|p| p.row(row)[1]).collect();
            let of = |word: &[bool; 3]| -> f64 {
                let bits = word.iter().zip(&one);
                if decode == "hamming" {
                    return bits.filter(|(bit, p)| **bit == (**p > 0.5)).count() as f64;
                }
                bits.map(|(bit, p)| if *bit { *p } else { 1.0 - p }.max(1e-9)).product()
            };
            let near = words.each_ref().map(of);
            let top = near.iter().copied().fold(0.0, f64::max);
            let by_hand = if decode == "hamming" {
                let winners = near.iter().filter(|n| **n == top).count() as f64;
                near.map(|n| if n == top { 1.0 / winners } else { 0.0 })
            } else {
                near.map(|n| n / near.iter().sum::<f64>())
            };
            close(&by_hand, got.row(row), decode);
        }
    }
}

#[test]
fn boosting_any_method_is_the_boosting_of_stumps() {
    let data = open("wdbc");
    for by in ["reweighting", "resampling"] {
        let list = [("rounds", "20"), ("by", by)];
        let fast = fit("adaboost", &list, &data);
        // A setting of the member, here its default, takes the general way.
        let general = fit("adaboost:stump", &[list[0], list[1], ("1.smoothing", "0")], &data);
        assert_eq!(members(&general).len(), 20, "{by}");
        let (fast, general) =
            (fast.proba(data.features()).unwrap(), general.proba(data.features()).unwrap());
        close(fast.values(), general.values(), by);
    }
}

/// Which way it is shows in what is saved.
#[test]
fn plain_trees_and_stumps_go_the_fast_way() {
    let data = open("iris");
    let core = |name: &str, list: &[(&str, &str)]| fit(name, list, &data).core().name();
    for name in ["bag", "bag:tree", "bag:(tree)"] {
        assert_eq!(core(name, &[("members", "3")]), "forest", "{name}");
    }
    for name in ["adaboost", "adaboost:stump"] {
        assert_eq!(core(name, &[("rounds", "3")]), "adaboost", "{name}");
    }
    // Settings of a member are heeded, even where they are its defaults.
    for (name, member) in [("bag:tree", ("1.leaf", "2")), ("bag:tree", ("1.encode", "auto"))] {
        assert_eq!(core(name, &[("members", "3"), member]), "committee", "{name}");
    }
    for (name, member) in [("adaboost:stump", "1.criterion"), ("adaboost:tree", "1.criterion")] {
        assert_eq!(core(name, &[("rounds", "3"), (member, "gini")]), "committee", "{name}");
    }
    assert_eq!(core("adaboost:tree", &[("rounds", "3")]), "committee");
    assert_eq!(core("bag:stump", &[("members", "3")]), "committee");
    let named = fit("vote:(bag:tree)", &[("1.members", "3")], &data);
    assert_eq!(members(&named)[0].core().name(), "forest");
}

#[test]
fn out_of_bag_error_is_near_that_of_unseen_rows() {
    let data = open("wdbc");
    let (_, labels) = data.task().unwrap().labels().unwrap();
    let split = holdout(labels.len(), Some(&labels), 0.4, Seed::new(8)).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let method = make("bag:naive-bayes", &settings(&[("members", "30")])).unwrap();
    let task = data.task().unwrap().with_rows(&split.train);
    let model = method.train(&task, &Run::new(1, &stop, &pool)).unwrap().model;
    let oob = model.diagnostics().out_of_bag.unwrap();
    // Of thirty draws nearly every row is left out by some.
    assert!(oob.rows as f64 > 0.99 * split.train.len() as f64);
    let proba = model.proba(data.features().with_rows(&split.test)).unwrap();
    let wrong = split.test.iter().enumerate();
    let wrong = wrong.filter(|(at, row)| proba.best(*at) as u32 != labels[**row as usize]).count();
    let unseen = wrong as f64 / split.test.len() as f64;
    assert!((oob.error - unseen).abs() < 0.04);
}

/// A column of numbers, a class that has nothing to do with it, and weights of 1 to 3.
fn noise(rows: usize) -> Dataset {
    let mut rng = Seed::new(5).rng();
    let number = (0..rows).map(|_| rng.random_range(0.0..1.0)).collect();
    let class = (0..rows).map(|_| rng.random_range(0..2)).collect();
    let weight = (0..rows).map(|row| (row % 3 + 1) as f64).collect();
    let fields = vec![Field::number("x"), Field::nominal("y", ["a", "b"]), Field::number("w")];
    let columns = vec![Column::Number(number), Column::Nominal(class), Column::Number(weight)];
    let table = Table::new(Schema { fields }, columns).unwrap();
    let named = |name: &str| Some(name.to_owned());
    let options = Options { target: named("y"), weights: named("w"), ..Options::default() };
    Dataset::new("noise", table, &options).unwrap()
}

/// A method whose first training is stopped.
struct LateStart(Box<dyn Method>, AtomicUsize);

impl Method for LateStart {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        match self.1.fetch_add(1, Ordering::Relaxed) {
            0 => Err(Error::Stopped),
            _ => self.0.train_encoded(encoding, task, run),
        }
    }
}

/// When a bag is stopped, the members that are done are not the first ones. Full trees know all
/// rows of their samples, and nothing helps with others: the error out of bag must be that of
/// guessing.
#[test]
fn a_stopped_bag_is_honest_about_unseen_rows() {
    let data = noise(300);
    let full = settings(&[("prune_folds", "0"), ("leaf", "1")]);
    let late: Box<dyn Method> =
        Box::new(LateStart(make("tree", &full).unwrap(), AtomicUsize::new(0)));
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let (task, run) = (data.task().unwrap(), Run::new(1, &stop, &pool));
    let bag = Bag::default().members(20);
    let members = [late];
    let assembly = Assembly::new(&members, &task, &run).unwrap();
    let model = bag.assemble(&assembly).unwrap().model;
    assert_eq!(model.members().len(), 19);
    let notes = model.diagnostics(task.features.table().schema());
    let error = notes.out_of_bag.unwrap().error;
    assert!((0.35..0.65).contains(&error), "{error}");
    let curve = notes.learning_curve.unwrap();
    let members: Vec<usize> = curve.iter().map(|point| point.members).collect();
    assert_eq!(members, [1, 2, 5, 10, 19]);
    assert!((curve[4].error - error).abs() < 1e-12);
}

#[test]
fn members_that_heed_no_weights_are_named() {
    let (weighted, plain) = (noise(60), open("iris"));
    for name in [
        "vote:lvq+tree",
        "bma:lvq+tree",
        "local:lvq+tree",
        "stack:lvq+tree",
        "prune:lvq+tree",
        "bag:lvq",
        "cross:lvq",
        "subspace:lvq",
        "one-rest:lvq",
        "pairs:lvq",
        "ecoc:lvq",
        "adaboost:lvq",
    ] {
        let list: &[(&str, &str)] = if name == "bag:lvq" { &[("members", "3")] } else { &[] };
        let notes = fit(name, list, &weighted).diagnostics();
        assert_eq!(notes.resampled_by_weight, Some(vec!["lvq".to_owned()]), "{name}");
        let notes = fit(name, list, &plain).diagnostics();
        assert_eq!(notes.resampled_by_weight, None, "{name}");
    }
    assert_eq!(fit("vote:tree+knn", &[], &weighted).diagnostics().resampled_by_weight, None);
}

#[test]
fn a_stack_learns_whom_to_believe() {
    // One column tells the class; a member that sees only noise must not count.
    let rows = 300;
    let value = |i: usize, k: u64| Seed::new(5).child("v", (i as u64) * 7 + k).value() as f64;
    let unit = |i: usize, k: u64| value(i, k) / u64::MAX as f64;
    let class: Vec<u32> = (0..rows).map(|i| u32::from(unit(i, 0) > 0.5)).collect();
    let signal = (0..rows).map(|i| f64::from(class[i]) + 0.8 * unit(i, 1)).collect();
    let noise = (0..rows).map(|i| unit(i, 2)).collect();
    let schema = Schema {
        fields: vec![
            Field::number("signal"),
            Field::number("noise"),
            Field::nominal("class", ["no", "yes"]),
        ],
    };
    let columns = vec![Column::Number(signal), Column::Number(noise), Column::Nominal(class)];
    let table = Table::new(schema, columns).unwrap();
    let data = Dataset::new("made", table, &Options::default()).unwrap();
    let blind = "(subspace:tree)";
    let name = format!("stack:logistic+{blind}");
    let model = fit(&name, &[("2.groups", "noise")], &data);
    let weights = model.explain(data.features(), 0).unwrap();
    let [seeing, blind] = [0, 1].map(|at| weights.parts[at].adds[1].abs());
    assert!(seeing > 5.0 * blind, "{seeing} {blind}");
}

#[test]
fn committees_of_committees_are_saved_and_loaded() {
    let data = open("iris");
    let name = "vote:(bag:naive-bayes)+(stack:tree+(ecoc:logistic))+forest";
    let list = [("1.members", "3"), ("3.trees", "5"), ("2.folds", "3")];
    let model = fit(name, &list, &data);
    assert_eq!(model.about().method, name);
    let bytes = model.to_bytes().unwrap();
    let loaded = Model::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    assert_eq!(loaded.proba(data.features()).unwrap(), model.proba(data.features()).unwrap());
    assert_eq!(loaded.diagnostics(), model.diagnostics());
}

#[test]
fn greedy_pruning_is_never_worse_than_all_on_the_rows_it_chooses_by() {
    let data = open("pima");
    for by in ["greedy", "rank", "diversity"] {
        let list = [("by", by), ("1.members", "12"), ("keep", "4")];
        let model = fit("prune:(bag:stump)", &list, &data);
        assert!(members(&model).len() <= 4, "{by}");
        let notes = model.diagnostics();
        assert_eq!(notes.candidates, Some(12));
        let all = notes.log2_likelihood_of_all.unwrap();
        let chosen = notes.log2_likelihood_of_chosen.unwrap();
        if by == "greedy" {
            assert!(chosen >= all - 1e-12, "{chosen} {all}");
        }
    }
}

#[test]
fn weights_sum_to_one_and_follow_the_better_member() {
    let data = open("wdbc");
    for method in ["bma", "bmc", "bayes-vote", "vote"] {
        let list: &[(&str, &str)] = if method == "vote" { &[("worth", "log-odds")] } else { &[] };
        let model = fit(&format!("{method}:stump+logistic"), list, &data);
        let Core::Committee(committee) = model.core() else { panic!("a committee") };
        let (Combine::Mean(weights) | Combine::Vote(weights)) = committee.combine() else {
            panic!("weights")
        };
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(weights[1] > weights[0], "{method}: {weights:?}");
        // A single member would have all the weight as rows grow; a combination keeps both.
        if method == "bma" {
            assert!(weights[1] > 0.999, "{weights:?}");
        }
    }
}

#[test]
fn what_cannot_be_a_committee_is_refused() {
    let data = open("iris");
    let refused = |name: &str, list: &[(&str, &str)], said: &str| {
        let error = train(name, list, &data).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(said), "{name}: {error}");
        error
    };
    refused("bag:ridge", &[], "predicts a number");
    refused("bag:tree+knn", &[], "takes one member, not 2");
    refused("tree:knn", &[], "takes no members");
    refused("stack:tree", &[("combiner", "nobody")], "no method `nobody`");
    refused("stack:tree", &[("combiner", "ridge")], "cannot be a member");
    refused("local:tree", &[("gate", "ridge")], "cannot be a member");
    refused("subspace:tree", &[("groups", "petal length (cm)|petal widht (cm)")], "no column");
    refused("ecoc", &[("code", "random"), ("bits", "1")], "same code word");
    refused("vote:tree+knn", &[("3.k", "3")], "no member for the setting");
    refused("vote:tree+knn", &[("2.depth", "3")], "no parameter `depth`");
    // The member that fails is named, and what it says to do is kept.
    let error = refused("vote:knn+(subspace:tree)", &[("2.groups", "nobody")], "no column");
    assert!(matches!(error, Error::Member { .. }), "{error}");
    assert!(error.to_string().contains("member `subspace:tree`"), "{error}");
    assert!(error.help().is_some());
}

/// One row of 60 has the second class: a third of the samples miss it.
#[test]
fn samples_of_one_class_are_drawn_anew() {
    let numbers = (0..60).map(f64::from).collect();
    let class = (0..60).map(|row| u32::from(row == 59)).collect();
    let fields = vec![Field::number("x"), Field::nominal("y", ["a", "b"])];
    let columns = vec![Column::Number(numbers), Column::Nominal(class)];
    let table = Table::new(Schema { fields }, columns).unwrap();
    let data = Dataset::new("rare", table, &Options::default()).unwrap();
    for name in ["adaboost:lvq", "adaboost:naive-bayes", "bag:lvq"] {
        let by = if name.starts_with("bag") { ("members", "20") } else { ("by", "resampling") };
        let model = fit(name, &[by], &data);
        assert!(!members(&model).is_empty(), "{name}");
    }
}

#[test]
fn weights_that_leave_one_class_are_refused() {
    let numbers = (0..40).map(f64::from).collect();
    let class: Vec<u32> = (0..40).map(|row| row % 2).collect();
    let weight = class.iter().map(|&class| f64::from(class)).collect();
    let fields = vec![Field::number("x"), Field::nominal("y", ["a", "b"]), Field::number("w")];
    let columns = vec![Column::Number(numbers), Column::Nominal(class), Column::Number(weight)];
    let table = Table::new(Schema { fields }, columns).unwrap();
    let named = |name: &str| Some(name.to_owned());
    let options = Options { target: named("y"), weights: named("w"), ..Options::default() };
    let data = Dataset::new("one", table, &options).unwrap();
    for name in ["ecoc", "pairs", "one-rest", "vote", "stack", "bag:knn", "cross", "prune"] {
        let error = train(name, &[], &data).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "all training rows have the class `b`", "{name}");
    }
}

#[test]
fn classes_without_rows_take_no_part() {
    let data = open("iris");
    // Rows of two of the three classes.
    let rows: Vec<u32> = (50..150).collect();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    for name in ["one-rest", "pairs", "ecoc", "adaboost:naive-bayes", "bag:knn", "stack"] {
        let task = data.task().unwrap().with_rows(&rows);
        let method =
            make(name, &settings(if name.starts_with("bag") { &[("members", "5")] } else { &[] }));
        let model = method.unwrap().train(&task, &Run::new(1, &stop, &pool)).unwrap().model;
        let proba = model.proba(data.features()).unwrap();
        for row in 0..150 {
            assert!(proba.row(row)[0] < 0.05, "{name}: {:?}", proba.row(row));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_majority_errs_less_the_more_experts_there_are(error in 0.01f64..0.49, n in 1u64..200) {
        let odd = 2 * n - 1;
        let (few, more) = (majority_error(odd, error).unwrap(), majority_error(odd + 2, error).unwrap());
        prop_assert!(more < few && few <= error + 1e-12);
    }
}

/// Of every rule: base and parts rebuild the output, and the evidence is columns of the rows.
#[test]
fn explanations_reach_the_columns_and_add_up() {
    type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);
    let cases: [Case<'_>; 18] = [
        ("iris", "vote:tree+logistic+naive-bayes", &[]),
        ("iris", "vote:tree+logistic+naive-bayes", &[("rule", "vote")]),
        ("iris", "vote:tree+logistic+naive-bayes", &[("rule", "product")]),
        ("iris", "vote:tree+logistic+naive-bayes", &[("rule", "max")]),
        ("iris", "pairs:logistic", &[]),
        ("iris", "pairs:tree", &[]),
        ("iris", "pairs:tree", &[("decode", "wins")]),
        ("iris", "one-rest:tree", &[]),
        ("iris", "one-rest:logistic", &[]),
        ("iris", "ecoc:tree", &[]),
        ("iris", "ecoc:logistic", &[]),
        ("iris", "ecoc:logistic", &[("decode", "hamming")]),
        ("iris", "local:tree+logistic", &[]),
        ("iris", "stack:tree+naive-bayes", &[]),
        ("pima", "stack:tree+naive-bayes", &[("combiner", "tree")]),
        ("pima", "bag:naive-bayes", &[("members", "5")]),
        ("pima", "labels-naive:tree+naive-bayes", &[]),
        ("iris", "vote:(pairs:logistic)+(ecoc:tree)", &[("rule", "vote")]),
    ];
    for (set, method, settings) in cases {
        let data = open(set);
        let model = fit(method, settings, &data);
        let proba = model.proba(data.features()).unwrap();
        let mut columns = 0;
        for row in (0..proba.rows()).step_by(proba.rows() / 9) {
            let explanation = model.explain(data.features(), row).unwrap();
            for (rebuilt, p) in explanation.rebuild().iter().zip(proba.row(row)) {
                assert!((rebuilt - p).abs() < 1e-9, "{method} {settings:?}, row {row}");
            }
            for part in &explanation.parts {
                let Some(column) = part.column else { continue };
                columns += 1;
                let name = &model.schema().fields[column].name;
                assert!(part.because.starts_with(&format!("{name} = ")), "{}", part.because);
            }
            let said = |part: &evocracy::classify::Part| part.column;
            let mut seen: Vec<usize> = explanation.parts.iter().filter_map(said).collect();
            seen.dedup();
            let all = explanation.parts.iter().filter_map(said).count();
            assert_eq!(seen.len(), all, "{method}: one part for each column");
        }
        assert!(columns > 0, "{method} {settings:?}");
    }
}

#[test]
fn a_mean_explains_with_the_weighted_parts_of_its_members() {
    let data = open("iris");
    let model = fit("vote:tree+(bag:tree)", &[], &data);
    for row in [0, 75, 149] {
        let mut by_hand = vec![vec![0.0; 3]; 4];
        let mut base = vec![0.0; 3];
        for member in members(&model) {
            let own = member.explain(data.features(), row).unwrap();
            base.iter_mut().zip(&own.base).for_each(|(sum, b)| *sum += b / 2.0);
            for part in &own.parts {
                let name = &member.schema().fields[part.column.unwrap()].name;
                let at = model.schema().fields.iter().position(|f| f.name == *name).unwrap();
                by_hand[at].iter_mut().zip(&part.adds).for_each(|(sum, a)| *sum += a / 2.0);
            }
        }
        let explanation = model.explain(data.features(), row).unwrap();
        close(&explanation.base, &base, "the base");
        for part in &explanation.parts {
            close(&part.adds, &by_hand[part.column.unwrap()], &part.because);
        }
    }
}

/// Neighbours are no columns: what they add stays with their member.
#[test]
fn evidence_that_is_no_column_stays_with_its_member() {
    let data = open("iris");
    let model = fit("vote:tree+knn", &[], &data);
    let explanation = model.explain(data.features(), 60).unwrap();
    let of_member: Vec<&str> = explanation
        .parts
        .iter()
        .filter(|part| part.column.is_none())
        .map(|part| part.because.as_str())
        .collect();
    assert_eq!(of_member.len(), 1, "{of_member:?}");
    assert!(of_member[0].starts_with("member 2 (knn) says versicolor with "), "{of_member:?}");
}
