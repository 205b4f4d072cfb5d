//! The tree against an independent implementation: `tests/reference/tree.py` holds the facts on
//! which scikit-learn's trees agree whatever their tie-breaking seed.

mod embedded;

use embedded::load;
use evocracy::classify::{Classifier, Learner, Proba, Saved};
use evocracy::data::Dataset;
use evocracy::experts::{Criterion, Tree, TreeModel};
use evocracy::method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};
use serde_json::Value;

fn fit(data: &Dataset, tree: &Tree) -> TreeModel {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    tree.fit(&data.task().unwrap(), &Run::new(1, &stop, &pool)).unwrap().model
}

fn accuracy(model: &TreeModel, data: &Dataset) -> f64 {
    let mut out = Proba::new();
    model.proba_into(data.features(), &mut out).unwrap();
    let codes = data.codes().unwrap();
    let right = (0..codes.len()).filter(|&row| out.best(row) == codes[row] as usize);
    right.count() as f64 / codes.len() as f64
}

/// The fields of a saved tree, which are what the reference speaks of.
struct Inside(Value);

impl Inside {
    fn of(model: &TreeModel) -> Self {
        Self(serde_json::to_value(model).unwrap()["nodes"].clone())
    }

    fn numbers(&self, field: &str) -> Vec<f64> {
        self.0[field].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    }

    /// The impurity of the leaves, each with the share of its rows.
    fn impurity(&self, criterion: Criterion) -> f64 {
        let (weight, proba) = (self.numbers("weight"), self.numbers("proba"));
        let classes = proba.len() / weight.len();
        let leaf = |node: &usize| self.0["feature"][*node] == u32::MAX;
        let of = |node: usize| -> f64 {
            let shares = proba[node * classes..(node + 1) * classes].iter().filter(|p| **p > 0.0);
            let impurity: f64 = match criterion {
                Criterion::Gini => shares.map(|p| p * (1.0 - p)).sum(),
                Criterion::Entropy => shares.map(|p| -p * p.log2()).sum(),
            };
            impurity * weight[node] / weight[0]
        };
        (0..weight.len()).filter(leaf).map(of).sum()
    }
}

#[test]
fn trees_are_those_of_the_reference() {
    let text = include_str!("reference/tree.json");
    let reference: Value = serde_json::from_str(text).unwrap();
    let scaled = |name| load(name, None, |v| f64::from(v as f32 * 1024.0));
    let sets = [scaled("iris"), scaled("wdbc")];
    let mut compared = 0;
    for case in reference["cases"].as_array().unwrap() {
        let data = sets.iter().find(|data| case["data"] == data.name.as_str()).unwrap();
        let entropy = case["criterion"] == "entropy";
        let criterion = if entropy { Criterion::Entropy } else { Criterion::Gini };
        let depth = case["depth"].as_u64().filter(|&d| d > 0).unwrap_or(1000);
        let tree = Tree::default()
            .criterion(criterion)
            .depth(depth as usize)
            .leaf(case["leaf"].as_f64().unwrap())
            .prune(case["alpha"].as_f64().unwrap())
            .prune_folds(0)
            .smoothing(0.0);
        let model = fit(data, &tree);
        let (size, inside) = (model.size(), Inside::of(&model));
        let rows = inside.numbers("weight")[0];
        for (fact, expected) in case["facts"].as_object().unwrap() {
            let found = match fact.as_str() {
                "leaves" => size[0].1 as f64,
                "depth" => size[1].1 as f64,
                "accuracy" => accuracy(&model, data),
                "impurity" => inside.impurity(criterion),
                "root_column" => inside.numbers("feature")[0],
                "root_threshold" => inside.numbers("threshold")[0],
                "root_gain" => inside.numbers("gain")[0] / rows,
                other => panic!("unknown fact {other}"),
            };
            let expected = expected.as_f64().unwrap();
            let close = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
            assert!(close, "{fact} is {found}, not {expected}, in {case}");
            compared += 1;
        }
    }
    assert!(compared > 900, "only {compared} facts compared");
}

#[test]
fn the_default_tree_is_small_and_survives_its_file() {
    let data = load("wdbc", None, |v| v);
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let model =
        method::make("tree", &[]).unwrap().train(&data.task().unwrap(), &run).unwrap().model;
    let leaves = model.core().size()[0].1;
    assert!((3..=12).contains(&leaves), "{leaves} leaves");
    let loaded = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let (before, after) = (model.proba(data.features()), loaded.proba(data.features()));
    assert_eq!(before.unwrap(), after.unwrap());
}
