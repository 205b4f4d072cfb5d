//! What combiners must do with odd experts, and that the numbers are those of the definitions.

mod copies;
mod honest;
mod stops;

use super::law::Law;
use super::network::{Names, Structure};
use super::rows::{Experts, Rows};
use super::sources::{Group, Origin};
use super::terms::Term;
use super::ways::Way;
use super::{LabelsAuto, LabelsModel};
use crate::classify::{Classifier, Fitted, Learner, Proba};
use crate::data::{Classes, Column, Field, MISSING, Schema, Table, Target, Task};
use crate::error::Result;
use crate::method::make;
use crate::model::{Core, Model};
use crate::run::{Pool, Run, Seed, Stop};
use rand::RngExt;

const ALL: [&str; 13] = [
    "evobn",
    "labels-auto",
    "labels-conditional",
    "labels-k2",
    "labels-hc",
    "labels-tan",
    "labels-naive",
    "labels-loglinear",
    "labels-hidden",
    "labels-ds",
    "labels-vote",
    "labels-weighted",
    "labels-stack",
];

/// Columns of labels `a`, `b`, `c` and the truth.
struct Said {
    table: Table,
    classes: Classes,
    truth: Vec<u32>,
}

impl Said {
    fn new(columns: Vec<Vec<u32>>, truth: Vec<u32>) -> Self {
        let names = ["a", "b", "c"];
        let field = |at: usize| Field::nominal(format!("e{at}"), names);
        let fields = (0..columns.len()).map(field).collect();
        let columns = columns.into_iter().map(Column::Nominal).collect();
        let table = Table::new(Schema { fields }, columns).expect("a table");
        let classes = Classes::new(names.map(str::to_owned).to_vec()).expect("classes");
        Self { table, classes, truth }
    }

    /// Experts of these accuracies, of three classes.
    fn draw(rows: usize, accuracies: &[f64], seed: u64) -> Self {
        let mut rng = Seed::new(seed).rng();
        let truth: Vec<u32> = (0..rows as u32).map(|row| row % 3).collect();
        let say = |accuracy: &f64| {
            let one = |&class: &u32| {
                let right = rng.random_bool(*accuracy);
                if right { class } else { (class + rng.random_range(1..3)) % 3 }
            };
            truth.iter().map(one).collect()
        };
        let columns = accuracies.iter().map(say).collect();
        Self::new(columns, truth.clone())
    }

    fn task(&self) -> Task<'_> {
        let target = Target::Class { codes: &self.truth, classes: &self.classes };
        Task::new(self.table.view(), "truth", target, None).expect("a task")
    }

    fn train(&self, method: &str) -> Model {
        let (stop, pool) = (Stop::new(), Pool::new(2).expect("threads"));
        let settings = [("folds".to_owned(), "3".to_owned())];
        let method = make(method, &settings).expect("a method");
        method.train(&self.task(), &Run::new(1, &stop, &pool)).expect("a model").model
    }

    fn accuracy(&self, model: &Model) -> f64 {
        let calls = model.proba(self.table.view()).expect("probabilities").calls();
        let right = calls.iter().zip(&self.truth).filter(|(call, truth)| call == truth).count();
        right as f64 / self.truth.len() as f64
    }
}

fn labels(model: &Model) -> &LabelsModel {
    match model.core() {
        Core::Labels(labels) => labels,
        _ => panic!("a combiner"),
    }
}

fn sound(model: &Model, said: &Said) {
    let proba = model.proba(said.table.view()).expect("probabilities");
    for row in 0..proba.rows() {
        let row = proba.row(row);
        assert!(row.iter().all(|p| (0.0..=1.0).contains(p)), "{row:?}");
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn combiners_beat_their_best_expert() {
    let accuracies = [0.7, 0.7, 0.75, 0.7, 0.65];
    let (said, new) = (Said::draw(600, &accuracies, 1), Said::draw(3000, &accuracies, 2));
    for name in ALL {
        let model = said.train(name);
        let accuracy = new.accuracy(&model);
        assert!(accuracy > 0.85, "{name}: {accuracy}");
    }
}

/// An expert that always says the same is no reason for anything.
#[test]
fn an_expert_that_always_says_the_same_changes_little() {
    let mut said = Said::draw(300, &[0.8, 0.8, 0.7], 3);
    let columns: Vec<Vec<u32>> = columns(&said).into_iter().chain([vec![1; 300]]).collect();
    said = Said::new(columns, said.truth);
    for name in ALL {
        let model = said.train(name);
        sound(&model, &said);
        let report = labels(&model).report();
        let adds = report.experts[3].adds.expect("measured");
        // One vote for a fixed class can turn some plurality; no other way heeds it much.
        let most = if name == "labels-vote" { 0.5 } else { 0.02 };
        assert!(adds.abs() < most, "{name}: {adds}");
        assert!(said.accuracy(&model) > 0.75, "{name}");
    }
}

fn columns(said: &Said) -> Vec<Vec<u32>> {
    let each = said.table.columns().iter();
    each.map(|column| match column {
        Column::Nominal(codes) => codes.clone(),
        Column::Number(_) => Vec::new(),
    })
    .collect()
}

#[test]
fn a_label_never_seen_is_a_missing_one() -> Result<()> {
    let said = Said::draw(200, &[0.8, 0.7, 0.7], 4);
    let (mut schema, mut unseen) = said.table.clone().into_parts();
    schema.fields[0] = Field::nominal("e0", ["a", "b", "c", "never seen"]);
    unseen[0] = Column::Nominal(vec![3; 200]);
    let unseen = Table::new(schema, unseen)?;
    let (schema, mut missing) = said.table.clone().into_parts();
    missing[0] = Column::Nominal(vec![MISSING; 200]);
    let missing = Table::new(schema, missing)?;
    for name in ALL {
        let model = said.train(name);
        let (a, b) = (model.proba(unseen.view())?, model.proba(missing.view())?);
        assert_eq!(a.values(), b.values(), "{name}");
        let rebuilt = model.explain(missing.view(), 5)?.rebuild();
        for (rebuilt, p) in rebuilt.iter().zip(b.row(5)) {
            assert!((rebuilt - p).abs() < 1e-9, "{name}: {rebuilt} is not {p}");
        }
    }
    Ok(())
}

/// An abstention that training shows is a label of its own.
#[test]
fn abstentions_may_say_something() {
    let mut said = Said::draw(600, &[0.6, 0.6], 5);
    let mut all = columns(&said);
    // The first expert abstains where the truth is `c`, and only there.
    for (row, code) in all[0].iter_mut().enumerate() {
        *code = if said.truth[row] == 2 { MISSING } else { (*code).min(1) };
    }
    said = Said::new(all, said.truth);
    for name in
        ALL.iter().filter(|name| !["labels-vote", "labels-weighted", "labels-ds"].contains(name))
    {
        let model = said.train(name);
        let proba = model.proba(said.table.view()).expect("probabilities");
        let found = (0..600).filter(|&row| said.truth[row] == 2 && proba.best(row) == 2).count();
        assert!(found > 190, "{name}: {found} of 200");
    }
}

#[test]
fn two_identical_experts_are_named_and_not_counted_twice() {
    let one = Said::draw(500, &[0.7, 0.6, 0.6], 6);
    let mut all = columns(&one);
    all.push(all[0].clone());
    let two = Said::new(all, one.truth.clone());
    for name in ALL {
        let model = two.train(name);
        sound(&model, &two);
        let report = labels(&model).report();
        assert_eq!(report.experts[3].same_as.as_deref(), Some("e0"), "{name}");
        assert!(report.experts[3].redundant && report.experts[0].same_as.is_none(), "{name}");
    }
    // Ways that look for dependence find it: the truth is about as likely as with one of the two.
    let likelihood =
        |said: &Said, name: &str| labels(&said.train(name)).report().compared[0].log2_likelihood;
    for name in ["evobn", "labels-hidden", "labels-loglinear", "labels-conditional"] {
        let (one, two) = (likelihood(&one, name), likelihood(&two, name));
        assert!((one - two).abs() < 0.03, "{name}: {one} and {two}");
    }
    let naive = [&one, &two].map(|said| likelihood(said, "labels-naive"));
    assert!(naive[1] < naive[0] - 0.03, "{naive:?}");
}

#[test]
fn thirty_rows_are_enough_for_an_answer() {
    let said = Said::draw(30, &[0.8, 0.7, 0.7, 0.6], 7);
    let new = Said::draw(600, &[0.8, 0.7, 0.7, 0.6], 8);
    for name in ALL {
        let model = said.train(name);
        sound(&model, &new);
        assert!(new.accuracy(&model) > 0.6, "{name}: {}", new.accuracy(&model));
    }
}

#[test]
fn one_row_is_refused_and_two_are_not() {
    let one = Said::new(vec![vec![0], vec![1]], vec![0]);
    let (stop, pool) = (Stop::new(), Pool::new(1).expect("threads"));
    for name in ALL {
        let method = make(name, &[]).expect("a method");
        let error = method.train(&one.task(), &Run::new(1, &stop, &pool)).unwrap_err();
        assert!(error.to_string().contains("class `a`"), "{name}: {error}");
    }
    let two = Said::new(vec![vec![0, 1], vec![1, 1]], vec![0, 1]);
    for name in ALL {
        let model = two.train(name);
        sound(&model, &two);
        assert!(labels(&model).report().compared.is_empty());
    }
}

#[test]
fn two_hundred_experts_are_combined() {
    let accuracies: Vec<f64> = (0..200).map(|at| 0.34 + 0.1 * f64::from(at % 3)).collect();
    let said = Said::draw(240, &accuracies, 9);
    for name in ALL {
        let settings = [("folds".to_owned(), "0".to_owned())];
        let (stop, pool) = (Stop::new(), Pool::new(2).expect("threads"));
        let method = make(name, &settings).expect("a method");
        let model = method.train(&said.task(), &Run::new(1, &stop, &pool)).expect("a model").model;
        sound(&model, &said);
        assert!(said.accuracy(&model) > 0.9, "{name}: {}", said.accuracy(&model));
    }
}

fn parts(said: &Said) -> (Experts, Rows) {
    Rows::new(&said.task()).expect("rows")
}

/// What is counted without a row is what is counted when the row is not there.
#[test]
fn terms_leave_their_row_out() {
    let said = Said::draw(60, &[0.7, 0.6, 0.5], 10);
    let (_, rows) = parts(&said);
    for parents in [vec![], vec![1], vec![2, 1]] {
        let all = Term::new(&rows, 0, &parents, 0.5).expect("a term");
        for row in [0, 7, 59] {
            let others: Vec<u32> = (0..60).filter(|&other| other != row).collect();
            let class = said.truth[row as usize] as usize;
            // The row itself is put at the end with no weight to speak of.
            let mut rest = rows.some(&[&others[..], &[row]].concat());
            rest.weights[59] = 1e-12;
            let without = Term::new(&rest, 0, &parents, 0.5).expect("a term");
            let (logs, _) = without.of_row(59, class, 3).expect("a label");
            let (_, own) = all.of_row(row as usize, class, 3).expect("a label");
            assert!((logs[class] - own).abs() < 1e-6, "{} is not {own}", logs[class]);
        }
    }
}

/// The likelihood of a group is a distribution: it sums to 1 over all that can be said.
#[test]
fn what_a_group_says_has_a_distribution() {
    let said = Said::draw(90, &[0.7, 0.6, 0.5], 11);
    let (experts, rows) = parts(&said);
    let group = Group::fit(&experts, &rows, (&[0, 1, 2], Origin::Group), 0.5, (10, &Stop::new()));
    for class in 0..3 {
        let mut all = rows.some(&[0]);
        (all.labels, all.weights) = (vec![class; 27], vec![1.0; 27]);
        all.codes = (0..27_u32).flat_map(|at| [at / 9, at / 3 % 3, at % 3]).collect();
        let sum: f64 = (0..27).map(|at| group.log_likelihood(&all.some(&[at])).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}

/// Steps of expectation-maximisation make what was said more likely, where nothing is smoothed.
#[test]
fn a_group_grows_more_likely_step_by_step() {
    let said = Said::draw(200, &[0.7, 0.6, 0.5], 12);
    let mut all = columns(&said);
    let first = all[0].clone();
    for (row, (code, first)) in all[1].iter_mut().zip(first).enumerate() {
        if row % 4 > 0 {
            *code = first;
        }
    }
    let said = Said::new(all, said.truth);
    let (experts, rows) = parts(&said);
    let stop = Stop::new();
    let both = (&[0, 1][..], Origin::Group);
    let fit = |steps| Group::fit(&experts, &rows, both, 1e-6, (steps, &stop));
    let after = |steps| fit(steps).log_likelihood(&rows);
    let path: Vec<f64> = (0..8).map(|steps| after(3 * steps)).collect();
    assert!(path.is_sorted_by(|a, b| *a <= *b + 0.5), "{path:?}");
    assert!(path[7] > path[0] + 1.0);
}

/// The naive network and naive Bayes by terms are one and the same.
#[test]
fn a_tree_over_one_expert_is_naive_bayes() -> Result<()> {
    let said = Said::draw(80, &[0.7], 13);
    let (experts, rows) = parts(&said);
    let inputs = said.table.schema().clone();
    let names =
        Names { experts: &experts, inputs: &inputs, classes: &said.classes, target: "truth" };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let tan = Way::Network(Structure::Tan).fit(&names, &rows, 1.0, &run)?;
    let naive = Way::Naive.fit(&names, &rows, 1.0, &run)?;
    let of = |law: &Law, state: u32| -> Result<Vec<f64>> {
        let mut out = vec![0.0; 3];
        law.proba(&experts, &[state], &mut out)?;
        Ok(out)
    };
    for state in 0..3 {
        for (a, b) in of(&tan, state)?.iter().zip(of(&naive, state)?) {
            // The priors are smoothed by a row for each class, and by one for all.
            assert!((a - b).abs() < 0.01, "{a} is not {b}");
        }
    }
    Ok(())
}

/// Maximum likelihood of the log-linear weights: no small change of a weight is better.
#[test]
fn descent_ends_where_no_weight_wants_to_change() {
    use super::descent::Descent;
    use super::loglinear::{no_parents, terms};
    let said = Said::draw(200, &[0.7, 0.6, 0.5], 14);
    let (_, rows) = parts(&said);
    let terms = terms(&rows, &no_parents(&rows), 1.0);
    let descent = Descent { rows: &rows, terms: &terms, weighted: true, ridge: Some(1.0) };
    let stop = Stop::new();
    let mut x = descent.start();
    let least = descent.descend(&mut x, 500, &stop);
    for at in 0..x.len() {
        for step in [-1e-2, 1e-2] {
            let mut other = x.clone();
            other[at] += step;
            assert!(descent.descend(&mut other, 0, &stop) > least, "{at} {step}");
        }
    }
}

#[test]
fn auto_says_what_it_compared() -> Result<()> {
    let said = Said::draw(300, &[0.8, 0.7, 0.6], 15);
    let model = said.train("labels-auto");
    let report = labels(&model).report();
    assert_eq!(report.compared.len(), Way::CHOICES.len() + 1);
    assert_eq!(report.compared[0].way, report.way);
    assert_eq!(report.judged_rows, 300);
    assert!(report.compared.is_sorted_by(|a, b| a.log2_likelihood >= b.log2_likelihood));
    assert!(report.compared[0].behind.abs() < 1e-12);
    // As a learner, without the registry.
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let fitted: Fitted<LabelsModel> =
        LabelsAuto::default().folds(3).fit(&said.task(), &Run::new(1, &stop, &pool))?;
    let mut proba = Proba::new();
    fitted.model.proba_into(said.table.view(), &mut proba)?;
    assert_eq!(proba.values(), model.proba(said.table.view())?.values());
    Ok(())
}

/// A column that numbers the rows says nothing of held-out ones, whatever it says of those learnt
/// from.
#[test]
fn votes_are_not_learnt_from_held_out_rows() {
    let mut said = Said::draw(90, &[0.6, 0.6], 5);
    let mut fields = said.table.schema().fields.clone();
    let levels: Vec<String> = (0..90).map(|row| format!("row {row}")).collect();
    fields.push(Field::nominal("id", levels));
    let mut cells: Vec<Column> = columns(&said).into_iter().map(Column::Nominal).collect();
    cells.push(Column::Nominal((0..90).collect()));
    said.table = Table::new(Schema { fields }, cells).expect("a table");
    for name in ["labels-weighted", "labels-hidden", "labels-auto"] {
        let model = said.train(name);
        let report = labels(&model).report();
        let own = report.compared.iter().find(|way| way.way == report.way).expect("it was tried");
        assert!(own.accuracy < 0.85, "{name}: {}", own.accuracy);
        assert_eq!(report.experts[2].accuracy, None, "{name}");
    }
}

/// A column that holds `1.0` for what the truth calls `1` votes for that class.
#[test]
fn labels_that_are_the_same_number_are_votes() -> Result<()> {
    let said = Said::draw(120, &[0.8, 0.7], 32);
    let alike = |written: [&str; 3]| -> Result<Said> {
        let fields = (0..2).map(|at| Field::nominal(format!("e{at}"), written)).collect();
        let table = Table::new(Schema { fields }, said.table.columns().to_vec())?;
        let classes = Classes::new(["1", "2", "10"].map(str::to_owned).to_vec())?;
        Ok(Said { table, classes, truth: said.truth.clone() })
    };
    let (same, other) = (alike(["1", "2", "10"])?, alike(["1.0", "2.0", "1e1"])?);
    for name in ["labels-vote", "labels-weighted", "labels-hidden"] {
        let (a, b) = (same.train(name), other.train(name));
        let (accuracy, others) = (&labels(&a).report().experts, &labels(&b).report().experts);
        assert!(accuracy[0].accuracy.is_some(), "{name}");
        assert_eq!(accuracy[0].accuracy, others[0].accuracy, "{name}");
        let (a, b) = (a.proba(same.table.view())?, b.proba(other.table.view())?);
        assert_eq!(a.values(), b.values(), "{name}");
    }
    Ok(())
}

/// Labels are compared, not their positions.
#[test]
fn other_labels_at_the_same_places_are_not_the_same() {
    let mut said = Said::draw(60, &[0.7], 6);
    let fields = vec![
        said.table.schema().fields[0].clone(),
        Field::nominal("fox", ["a"]),
        Field::nominal("hare", ["b"]),
    ];
    let mut cells: Vec<Column> = columns(&said).into_iter().map(Column::Nominal).collect();
    cells.extend([Column::Nominal(vec![0; 60]), Column::Nominal(vec![0; 60])]);
    said.table = Table::new(Schema { fields }, cells).expect("a table");
    let model = said.train("labels-naive");
    assert!(labels(&model).report().experts.iter().all(|expert| expert.same_as.is_none()));
}

/// Where training rows show abstentions, a label that they do not show is an empty cell: one more of
/// them. That is what tables make of it before a combiner reads them.
#[test]
fn a_label_never_seen_of_one_who_abstains_is_an_abstention() -> Result<()> {
    let mut said = Said::draw(300, &[0.8, 0.7, 0.7], 16);
    let mut all = columns(&said);
    // It abstains where the truth is `c`, which tells.
    for (row, code) in all[0].iter_mut().enumerate() {
        *code = if said.truth[row] == 2 { MISSING } else { *code };
    }
    said = Said::new(all, said.truth);
    let (mut schema, mut unseen) = said.table.clone().into_parts();
    schema.fields[0] = Field::nominal("e0", ["a", "b", "c", "never seen"]);
    unseen[0] = Column::Nominal(vec![3; 300]);
    let unseen = Table::new(schema, unseen)?;
    let (schema, mut empty) = said.table.clone().into_parts();
    empty[0] = Column::Nominal(vec![MISSING; 300]);
    let empty = Table::new(schema, empty)?;
    for name in ALL {
        let model = said.train(name);
        let (a, b) = (model.proba(unseen.view())?, model.proba(empty.view())?);
        assert_eq!(a.values(), b.values(), "{name}");
    }
    // The abstention is heeded.
    let proba = said.train("labels-naive").proba(unseen.view())?;
    assert!((0..300).filter(|&row| proba.best(row) == 2).count() > 250);
    Ok(())
}

/// Four of five rows are `a`, and an expert always says so: that is the prior, which counts once.
#[test]
fn a_vote_for_one_class_alone_weighs_nothing() -> Result<()> {
    let mut rng = Seed::new(17).rng();
    let truth: Vec<u32> = (0..400).map(|row| u32::from(row % 5 == 0)).collect();
    let mut say = |accuracy: f64| -> Vec<u32> {
        let one = |&class: &u32| if rng.random_bool(accuracy) { class } else { 1 - class };
        truth.iter().map(one).collect()
    };
    let mut all = vec![say(0.75), say(0.7)];
    let without = Said::new(all.clone(), truth.clone());
    all.push(vec![0; 400]);
    // One who abstains where the truth is rare, and else says the same.
    all.push(truth.iter().map(|&class| if class == 0 { 0 } else { MISSING }).collect());
    let with = Said::new(all, truth);
    let (first, second) = (without.train("labels-weighted"), with.train("labels-weighted"));
    let (a, b) = (first.proba(without.table.view())?, second.proba(with.table.view())?);
    assert_eq!(a.values(), b.values());
    let report = labels(&second).report();
    assert!(report.experts[0].relevant && !report.experts[2].relevant);
    // Those who vote for both add the logarithm of (k - 1) a / (1 - a).
    let explained = second.explain(with.table.view(), 0)?;
    assert!(explained.parts.iter().any(|part| part.adds.iter().any(|add| *add > 0.5)));
    Ok(())
}

/// Weights are learnt from what the blend says of rows, also where that is next to nothing.
#[test]
fn a_blend_learns_from_what_it_says() -> Result<()> {
    use super::blend::{Blend, HeldOut};
    let said = Said::draw(3, &[0.8], 18);
    let (experts, rows) = parts(&said);
    let law = |far: f64| {
        let mut law = Way::Naive.fit(
            &Names {
                experts: &experts,
                inputs: said.table.schema(),
                classes: &said.classes,
                target: "truth",
            },
            &rows,
            1.0,
            &Run::new(1, &Stop::new(), &Pool::new(1)?),
        )?;
        if let Law::Factors(factors) = &mut law {
            factors.base = vec![0.0, -far, -far];
        }
        Ok::<_, crate::error::Error>(law)
    };
    let laws = vec![law(60.0)?, law(1.0)?];
    let each = laws.iter().map(|law| law.probabilities(&experts, &rows, None, &Stop::new()));
    let each = each.collect::<Result<Vec<_>>>()?;
    let held_out = HeldOut::new(&rows, each.iter().map(|proba| &proba[..]));
    let weights = [0.3, 0.4];
    let blend = Law::Blend(Blend::new(weights.to_vec(), laws));
    let proba = blend.probabilities(&experts, &rows, None, &Stop::new())?;
    let likelihood: f64 = (0..3).map(|row| proba[row * 3 + rows.labels[row] as usize].ln()).sum();
    // Less what draws the weights to one half each: 10 / 2 times the squares.
    let pull = 5.0 * (0.2 * 0.2 + 0.1 * 0.1);
    let found = held_out.objective(&weights, &[0, 1, 2]);
    assert!((found - (likelihood - pull)).abs() < 1e-9, "{found} {likelihood}");
    Ok(())
}
