//! Tests of rule lists, from the inside.

use super::search::Counts;
use super::*;
use crate::classify::{Classifier, Proba, Saved};
use crate::data::{Classes, Column, Field, MISSING, Schema, Table, Target};
use crate::run::{Pool, Seed, Stop, StopReason};
use rand::RngExt;
use serde_json::{Value as Json, json};

/// The fourteen days of Quinlan 1986, "Induction of Decision Trees", and whether to play.
fn weather() -> (Table, Vec<u32>) {
    // Outlook: overcast, rain, sunny; temperature: cool, hot, mild; humidity: high, normal.
    let days = [
        (2, 1, 0, 0, 0),
        (2, 1, 0, 1, 0),
        (0, 1, 0, 0, 1),
        (1, 2, 0, 0, 1),
        (1, 0, 1, 0, 1),
        (1, 0, 1, 1, 0),
        (0, 0, 1, 1, 1),
        (2, 2, 0, 0, 0),
        (2, 0, 1, 0, 1),
        (1, 2, 1, 0, 1),
        (2, 2, 1, 1, 1),
        (0, 2, 0, 1, 1),
        (0, 1, 1, 0, 1),
        (1, 2, 0, 1, 0),
    ];
    let schema = Schema {
        fields: vec![
            Field::nominal("outlook", ["overcast", "rain", "sunny"]),
            Field::nominal("temperature", ["cool", "hot", "mild"]),
            Field::nominal("humidity", ["high", "normal"]),
            Field::nominal("windy", ["no", "yes"]),
        ],
    };
    let column = |of: fn(&(u32, u32, u32, u32, u32)) -> u32| days.iter().map(of).collect();
    let columns = [column(|d| d.0), column(|d| d.1), column(|d| d.2), column(|d| d.3)];
    let table = Table::new(schema, columns.map(Column::Nominal).to_vec()).unwrap();
    (table, column(|d| d.4))
}

fn classes() -> Classes {
    Classes::new(vec!["no".into(), "yes".into()]).unwrap()
}

fn fit(
    with: &Foil,
    table: &Table,
    labels: &[u32],
    weights: Option<&[f64]>,
    seed: u64,
) -> FoilModel {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let classes = classes();
    let target = Target::Class { codes: labels, classes: &classes };
    let task = Task::new(table.view(), "play", target, weights).unwrap();
    let fitted = with.fit(&task, &Run::new(seed, &stop, &pool)).unwrap();
    assert_eq!(fitted.stop, StopReason::Finished);
    fitted.model
}

#[test]
fn the_gain_is_that_worked_out_by_hand() {
    // To play on 9 of 14 days, on 4 of 4 with an overcast sky: 4 * log2(14 / 9).
    let all = Counts { own: 9.0, other: 5.0 };
    let gain = |own, other| all.gain(Counts { own, other });
    assert!((gain(4.0, 0.0) - 2.549_719_68).abs() < 1e-8);
    // On 2 of 5 sunny ones: 2 * (log2(2 / 5) - log2(9 / 14)).
    assert!((gain(2.0, 3.0) + 1.368_996_35).abs() < 1e-8);
    assert_eq!(gain(0.0, 3.0), 0.0);
    assert_eq!(gain(9.0, 5.0), 0.0);
}

#[test]
fn the_rules_are_those_worked_out_by_hand() {
    let (table, labels) = weather();
    let model = fit(&Foil::default().least(2.0), &table, &labels, None, 1);
    let expected = "if humidity is high and outlook is sunny: no 0.800\n\
                    if outlook is rain and windy is yes: no 0.750\n\
                    else: yes 0.909\n";
    assert_eq!(model.describe(table.schema()), expected);
    assert_eq!(model.size(), [("rules", 2), ("conditions", 4)]);
    let told = model.explain(table.view(), 13).unwrap();
    assert_eq!(told.parts[0].because, "rule 2 of 2: outlook is rain and windy is yes");
    assert_eq!(told.parts[0].column, None);
    assert_eq!(model.explain(table.view(), 2).unwrap().parts[0].because, "no rule applies");
    // The second rule would apply to two rows only.
    let short = fit(&Foil::default(), &table, &labels, None, 1);
    assert_eq!(short.size(), [("rules", 1), ("conditions", 2)]);
}

/// Numbers with gaps and a level; the class follows from both.
fn mixed(rows: usize, seed: u64) -> (Table, Vec<u32>) {
    let mut rng = Seed::new(seed).rng();
    let mut number = || -> Vec<f64> {
        let cell = |_| if rng.random_bool(0.1) { f64::NAN } else { rng.random_range(0.0..1.0) };
        (0..rows).map(cell).collect()
    };
    let (x, y) = (number(), number());
    let level = |_| if rng.random_bool(0.1) { MISSING } else { rng.random_range(0..3) };
    let levels: Vec<u32> = (0..rows).map(level).collect();
    let yes = |i: usize| u32::from((x[i] > 0.6 && levels[i] == 2) || y[i] <= 0.2);
    let labels = (0..rows).map(yes).collect();
    let schema = Schema {
        fields: vec![Field::number("x"), Field::number("y"), Field::nominal("z", ["a", "b", "c"])],
    };
    let columns = vec![Column::Number(x), Column::Number(y), Column::Nominal(levels)];
    (Table::new(schema, columns).unwrap(), labels)
}

fn proba(model: &FoilModel, table: &Table) -> Proba {
    let mut proba = Proba::new();
    model.proba_into(table.view(), &mut proba).unwrap();
    proba
}

fn right(model: &FoilModel, table: &Table, labels: &[u32]) -> usize {
    let proba = proba(model, table);
    (0..labels.len()).filter(|&row| proba.best(row) as u32 == labels[row]).count()
}

#[test]
fn rules_on_numbers_and_levels_are_found_again() {
    let ((table, labels), (other, truth)) = (mixed(1000, 1), mixed(1000, 2));
    let model = fit(&Foil::default(), &table, &labels, None, 1);
    let found = right(&model, &other, &truth);
    assert!(found > 980, "{found}: {}", model.describe(table.schema()));
    assert!(model.size()[0].1 <= 4, "{}", model.describe(table.schema()));
}

#[test]
fn a_missing_value_fulfils_no_condition() {
    let (table, labels) = mixed(500, 3);
    let model = fit(&Foil::default(), &table, &labels, None, 1);
    let gaps = vec![
        Column::Number(vec![f64::NAN]),
        Column::Number(vec![f64::NAN]),
        Column::Nominal(vec![MISSING]),
    ];
    let gaps = Table::new(table.schema().clone(), gaps).unwrap();
    assert_eq!(model.explain(gaps.view(), 0).unwrap().parts[0].because, "no rule applies");
}

#[test]
fn chance_takes_conditions_that_are_near_the_best() {
    let (table, labels) = mixed(400, 4);
    let lists = |within: f64| -> Vec<FoilModel> {
        let with = Foil::default().within(within);
        (0..8).map(|seed| fit(&with, &table, &labels, None, seed)).collect()
    };
    let sure = lists(1.0);
    assert!(sure.iter().all(|model| *model == sure[0]));
    let drawn = lists(0.8);
    assert!(drawn.iter().any(|model| *model != drawn[0]));
    for model in &drawn {
        let found = right(model, &table, &labels);
        assert!(found > 380, "{found}: {}", model.describe(table.schema()));
    }
}

#[test]
fn a_weight_of_two_is_a_row_twice() {
    let (table, labels) = mixed(300, 5);
    let weights: Vec<f64> = (0..300).map(|row| f64::from(row % 3)).collect();
    let twice: Vec<u32> = (0..300).flat_map(|row| vec![row; row as usize % 3]).collect();
    let again = table.view().with_rows(&twice).to_table().unwrap();
    let labels_again: Vec<u32> = twice.iter().map(|&row| labels[row as usize]).collect();
    let a = fit(&Foil::default(), &table, &labels, Some(&weights), 1);
    assert_eq!(a, fit(&Foil::default(), &again, &labels_again, None, 1));
}

#[test]
fn a_raised_flag_gives_the_default_alone() {
    let (table, labels) = weather();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    stop.request();
    let classes = classes();
    let target = Target::Class { codes: &labels, classes: &classes };
    let task = Task::new(table.view(), "play", target, None).unwrap();
    let fitted = Foil::default().fit(&task, &Run::new(1, &stop, &pool)).unwrap();
    assert_eq!(fitted.stop, StopReason::Interrupted);
    assert_eq!(proba(&fitted.model, &table).row(0), [6.0 / 16.0, 10.0 / 16.0]);
}

#[test]
fn forged_rules_are_refused() {
    let (table, labels) = weather();
    let model = fit(&Foil::default().least(2.0), &table, &labels, None, 1);
    model.check(table.schema()).unwrap();
    let forged = |change: &dyn Fn(&mut Json)| {
        let mut json = serde_json::to_value(&model).unwrap();
        change(&mut json);
        serde_json::from_value::<FoilModel>(json).unwrap().check(table.schema()).is_err()
    };
    assert!(forged(&|json| json["columns"] = json!(3)));
    assert!(forged(&|json| json["rules"][0]["class"] = json!(2)));
    assert!(forged(&|json| json["rules"][0]["conditions"] = json!([])));
    assert!(forged(&|json| json["rules"][0]["conditions"][0]["column"] = json!(4)));
    assert!(forged(&|json| json["rules"][0]["conditions"][0]["test"] = json!({"Is": 2})));
    assert!(forged(&|json| json["rules"][0]["conditions"][0]["test"] = json!({"UpTo": 1.0})));
    assert!(forged(&|json| json["rules"][1]["proba"] = json!([0.5, 0.6])));
    assert!(forged(&|json| json["default"] = json!([1.0])));
    assert!(forged(&|json| json["prior"] = json!([2.0, -1.0])));
}
