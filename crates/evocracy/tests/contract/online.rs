//! The contract of models that learn row by row: how a stream is cut into chunks changes nothing,
//! and what cannot be learnt from is an error that leaves the model as it was.

use super::mixed;
use evocracy::classify::{Classifier, Online, Proba};
use evocracy::data::{Classes, Column, Dataset, Field, MISSING, Options, Schema, Table, View};
use evocracy::error::Result;
use evocracy::experts::NaiveBayesModel;
use evocracy::rules::{MoeJointModel, MoeOnlineModel, UcsModel};
use evocracy::run::Seed;
use proptest::prelude::*;
use rand::RngExt;
use serde::Serialize;

/// Bits as numbers, some of them missing, and a class that the first two decide.
fn bits(rows: usize) -> Dataset {
    let mut rng = Seed::new(5).rng();
    let mut cells = || (0..rows).map(|_| f64::from(rng.random::<bool>())).collect::<Vec<_>>();
    let mut columns = [cells(), cells(), cells()];
    let class = (0..rows).map(|row| u32::from(columns[0][row] != columns[1][row])).collect();
    (0..rows).step_by(11).for_each(|row| columns[row % 3][row] = f64::NAN);
    let mut fields: Vec<Field> = ["a", "b", "c"].map(Field::number).to_vec();
    fields.push(Field::nominal("class", ["equal", "different"]));
    let mut columns: Vec<Column> = columns.into_iter().map(Column::Number).collect();
    columns.push(Column::Nominal(class));
    let table = Table::new(Schema { fields }, columns).expect("a sound table");
    Dataset::new("bits", table, &Options::default()).expect("a sound data set")
}

/// Levels only, some of them missing.
fn levels(rows: usize) -> Dataset {
    let code = |row: usize| if row.is_multiple_of(13) { MISSING } else { (row * row % 5) as u32 };
    let fields = vec![
        Field::nominal("level", ["p", "q", "r", "s", "t"]),
        Field::nominal("class", ["no", "yes"]),
    ];
    let columns = vec![
        Column::Nominal((0..rows).map(code).collect()),
        Column::Nominal((0..rows).map(|row| u32::from(row * row % 5 == 4)).collect()),
    ];
    let table = Table::new(Schema { fields }, columns).expect("a sound table");
    Dataset::new("levels", table, &Options::default()).expect("a sound data set")
}

/// The rows of a stream, with what the model starts from.
struct Stream {
    data: Dataset,
    labels: Vec<u32>,
    weights: Vec<f64>,
}

impl Stream {
    fn new(data: Dataset) -> Self {
        let labels = data.codes().expect("classes").to_vec();
        let weights = (0..labels.len()).map(|row| (row % 4) as f64 / 2.0).collect();
        Self { data, labels, weights }
    }

    fn classes(&self) -> &Classes {
        self.data.classes().expect("classes")
    }

    fn start<M: Online>(&self) -> M {
        let fields = self.data.features().fields().cloned().collect();
        M::start(&Schema { fields }, self.classes())
    }

    /// The model of all rows, given in chunks that end at `cuts`.
    fn learnt<M: Online>(&self, cuts: &[usize]) -> Result<M> {
        let (rows, mut model) = (self.labels.len(), self.start::<M>());
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % rows).chain([rows]).collect();
        ends.sort_unstable();
        let mut from = 0;
        for end in ends {
            let ids: Vec<u32> = (from as u32..end as u32).collect();
            let chunk = self.data.features().with_rows(&ids);
            model.learn(chunk, &self.labels[from..end], &self.weights[from..end])?;
            from = end;
        }
        Ok(model)
    }
}

/// All there is to a model, as text.
fn told<M: Serialize>(model: &M) -> String {
    serde_json::to_string(model).expect("a model can be written")
}

/// More rows than any model waits for before it learns from numbers.
const ROWS: usize = 1200;

fn chunks_do_not_matter<M: Online + Classifier + Serialize>(cuts: &[usize]) {
    for data in [bits(ROWS), levels(ROWS), mixed(ROWS, 1)] {
        let stream = Stream::new(data);
        // A table that the model cannot learn from is refused, cut or not.
        let (whole, cut) = (stream.learnt::<M>(&[]), stream.learnt::<M>(cuts));
        let name = &stream.data.name;
        match (whole, cut) {
            (Ok(whole), Ok(cut)) => {
                assert_eq!(told(&whole), told(&cut), "{name}: {cuts:?}");
                let mut proba = Proba::new();
                whole.proba_into(stream.data.features(), &mut proba).expect("probabilities");
                for row in 0..proba.rows() {
                    assert!((proba.row(row).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{name}");
                }
            }
            (whole, cut) => {
                assert!(name != "bits", "all models learn from bits");
                let error = whole.err().expect("refused");
                assert!(error.help().is_some() && cut.is_err(), "{name}: {error}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn any_cutting_of_a_stream_gives_the_same_model(
        cuts in prop::collection::vec(0..ROWS, 0..6)
    ) {
        chunks_do_not_matter::<NaiveBayesModel>(&cuts);
        chunks_do_not_matter::<MoeOnlineModel>(&cuts);
        chunks_do_not_matter::<MoeJointModel>(&cuts);
        chunks_do_not_matter::<UcsModel>(&cuts);
    }
}

fn bad_lessons_are_refused<M: Online + Serialize>() {
    for data in [bits(30), levels(30), mixed(30, 1)] {
        let stream = Stream::new(data);
        let (classes, rows) = (stream.classes().len() as u32, stream.data.features());
        let with = |at: usize, label: u32| {
            let mut labels = stream.labels.clone();
            labels[at] = label;
            labels
        };
        let weighing = |at: usize, weight: f64| {
            let mut weights = stream.weights.clone();
            weights[at] = weight;
            weights
        };
        let (labels, weights) = (&stream.labels, &stream.weights);
        let few: Vec<u32> = (0..29).collect();
        let cases: [(View<'_>, Vec<u32>, Vec<f64>); 8] = [
            (rows, with(29, classes), weights.clone()),
            (rows, with(0, u32::MAX), weights.clone()),
            (rows, labels[1..].to_vec(), weights.clone()),
            (rows, labels.clone(), weights[1..].to_vec()),
            (rows.with_rows(&few), labels.clone(), weights.clone()),
            (rows, labels.clone(), weighing(7, -1.0)),
            (rows, labels.clone(), weighing(29, f64::NAN)),
            (rows, labels.clone(), weighing(0, f64::INFINITY)),
        ];
        for (at, (rows, labels, weights)) in cases.iter().enumerate() {
            let mut model = stream.start::<M>();
            let before = told(&model);
            assert!(
                model.learn(*rows, labels, weights).is_err(),
                "{}: case {at}",
                stream.data.name
            );
            assert_eq!(told(&model), before, "{}: case {at}", stream.data.name);
        }
        let mut model = stream.start::<M>();
        let other = Field::nominal("other", ["one"]);
        let foreign = Schema { fields: vec![other] };
        let foreign = Table::new(foreign, vec![Column::Nominal(vec![0; 30])]).expect("a table");
        assert!(model.learn(foreign.view(), labels, weights).is_err(), "{}", stream.data.name);
    }
}

#[test]
fn what_cannot_be_learnt_from_is_an_error_and_changes_nothing() {
    bad_lessons_are_refused::<NaiveBayesModel>();
    bad_lessons_are_refused::<MoeOnlineModel>();
    bad_lessons_are_refused::<MoeJointModel>();
    bad_lessons_are_refused::<UcsModel>();
}
