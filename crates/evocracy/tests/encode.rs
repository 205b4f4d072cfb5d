//! The dense encoder through its public face: what it makes of columns, on whose word, and what
//! it refuses.

use evocracy::data::{
    Classes, Column, Encoder, Field, Input, MISSING, MOST_LEVELS, Schema, Table, Target, Task,
};
use evocracy::error::Result;
use proptest::prelude::*;
use serde::Serialize;

const NAN: f64 = f64::NAN;

/// The columns with names by position; nominal ones have the levels `l0`, `l1`, ...
fn table(columns: Vec<Column>, levels: u32) -> Table {
    let field = |(at, column): (usize, &Column)| match column {
        Column::Number(_) => Field::number(format!("c{at}")),
        Column::Nominal(_) => {
            Field::nominal(format!("c{at}"), (0..levels).map(|level| format!("l{level}")))
        }
    };
    let fields = columns.iter().enumerate().map(field).collect();
    Table::new(Schema { fields }, columns).expect("a sound table")
}

/// The encoder fitted to the given rows with the given weights; classes do not matter to it.
fn fit(table: &Table, rows: Option<&[u32]>, weights: Option<&[f64]>) -> Encoder {
    let classes = Classes::new(vec!["no".into(), "yes".into()]).expect("two classes");
    let codes = vec![0; table.rows()];
    let target = Target::Class { codes: &codes, classes: &classes };
    let mut task = Task::new(table.view(), "class", target, weights).expect("a sound task");
    if let Some(rows) = rows {
        task = task.with_rows(rows);
    }
    Encoder::fit(Input::Dense, &task)
}

/// The inputs that the encoder makes of all rows of a table, by name.
fn inputs(encoder: &Encoder, table: &Table) -> Vec<(String, Vec<f64>)> {
    let encoded = encoder.encode(table.view()).expect("the columns fit");
    let view = encoded.view();
    let values = |input: usize| match view.gather(input) {
        Column::Number(values) => values,
        Column::Nominal(_) => panic!("a dense input is a number"),
    };
    (0..view.columns()).map(|input| (view.field(input).name.clone(), values(input))).collect()
}

/// The inputs made of one column that the encoder was fitted to.
fn of_one(column: Column, levels: u32) -> Vec<(String, Vec<f64>)> {
    let table = table(vec![column], levels);
    inputs(&fit(&table, None, None), &table)
}

fn names(inputs: &[(String, Vec<f64>)]) -> Vec<&str> {
    inputs.iter().map(|(name, _)| name.as_str()).collect()
}

fn bytes(encoder: &Encoder) -> Vec<u8> {
    rmp_serde::to_vec_named(encoder).expect("an encoder can be written")
}

/// Mean and standard deviation, straight from their definitions.
fn mean_and_deviation(values: &[f64], weights: &[f64]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let mean = values.iter().zip(weights).map(|(v, w)| v * w).sum::<f64>() / total;
    let square = |(v, w): (&f64, &f64)| w * (v - mean) * (v - mean);
    (mean, (values.iter().zip(weights).map(square).sum::<f64>() / total).sqrt())
}

proptest! {
    #[test]
    fn training_columns_have_mean_0_and_deviation_1(
        rows in prop::collection::vec((-1.0..1.0_f64, 0.1..10.0_f64), 2..60),
        centre in prop_oneof![Just(0.0), -1e6..1e6_f64],
        spread in prop_oneof![Just(1.0), 1e-3..1e3_f64, Just(1e-250), Just(1e250)],
        weighted: bool,
    ) {
        // Far from a tiny spread, differences between values would drown in rounding.
        let centre = if (1e-3..=1e3).contains(&spread) { centre } else { 0.0 };
        let values: Vec<f64> = rows.iter().map(|row| centre + spread * row.0).collect();
        let weights: Vec<f64> = rows.iter().map(|row| if weighted { row.1 } else { 1.0 }).collect();
        let (_, before) = mean_and_deviation(
            &rows.iter().map(|row| row.0).collect::<Vec<_>>(), &weights);
        prop_assume!(before > 1e-2);
        let table = table(vec![Column::Number(values)], 0);
        let made = inputs(&fit(&table, None, weighted.then_some(&weights[..])), &table);
        prop_assert_eq!(made.len(), 1);
        let (mean, deviation) = mean_and_deviation(&made[0].1, &weights);
        // A value is known to 1e-16 of its size, which is up to 1e11 spreads.
        prop_assert!(mean.abs() < 1e-4, "mean {}", mean);
        prop_assert!((deviation - 1.0).abs() < 1e-4, "deviation {}", deviation);
        if centre == 0.0 {
            prop_assert!(mean.abs() < 1e-12 && (deviation - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn only_the_rows_of_the_task_are_looked_at() {
    let train = [0, 2, 3, 5];
    let number = |other: f64| Column::Number(vec![1.0, other, 2.0, 4.0, other, 8.0]);
    let nominal = |other: u32| Column::Nominal(vec![0, other, 1, 0, other, 2]);
    let fitted = |number: Column, nominal: Column| {
        bytes(&fit(&table(vec![number, nominal], 5), Some(&train), None))
    };
    let once = fitted(number(3.0), nominal(0));
    assert_eq!(once, fitted(number(1e9), nominal(4)));
    assert_eq!(once, fitted(number(NAN), nominal(MISSING)));
    let all = fit(&table(vec![number(3.0), nominal(0)], 5), None, None);
    assert_ne!(once, bytes(&all), "other rows to learn from give another encoder");
}

/// A row of weight 0 is left out wherever weights count.
#[test]
fn rows_of_weight_0_are_not_looked_at() {
    let weights = [1.0, 0.0, 2.0, 1.0, 0.0, 1.0];
    let number = |other: f64| Column::Number(vec![1.0, other, 2.0, 4.0, other, 8.0]);
    let nominal = |other: u32| Column::Nominal(vec![0, other, 1, 0, other, 2]);
    let fitted = |number: Column, nominal: Column| {
        bytes(&fit(&table(vec![number, nominal], 5), None, Some(&weights)))
    };
    let once = fitted(number(3.0), nominal(0));
    assert_eq!(once, fitted(number(-7.0), nominal(4)));
    assert_eq!(once, fitted(number(NAN), nominal(MISSING)));
}

#[test]
fn a_missing_number_becomes_the_mean_and_is_marked_where_training_had_some() {
    let gaps = of_one(Column::Number(vec![1.0, NAN, 3.0, NAN]), 0);
    assert_eq!(names(&gaps), ["c0", "c0 is missing"]);
    assert_eq!(gaps[0].1, [-1.0, 0.0, 1.0, 0.0]);
    assert_eq!(gaps[1].1, [0.0, 1.0, 0.0, 1.0]);

    let whole = table(vec![Column::Number(vec![1.0, 3.0])], 0);
    let encoder = fit(&whole, None, None);
    let later = inputs(&encoder, &table(vec![Column::Number(vec![NAN, 5.0])], 0));
    assert_eq!(later, [("c0".to_owned(), vec![0.0, 3.0])]);
}

#[test]
fn a_missing_level_is_marked_where_training_had_some() {
    let gaps = of_one(Column::Nominal(vec![0, MISSING, 1, 2]), 3);
    assert_eq!(names(&gaps), ["c0=l0", "c0=l1", "c0=l2", "c0 is missing"]);
    assert_eq!(gaps[3].1, [0.0, 1.0, 0.0, 0.0]);
    assert!(gaps[..3].iter().all(|(_, values)| values[1] == 0.0));
}

#[test]
fn two_levels_make_one_input_and_more_make_one_each() {
    let two = of_one(Column::Nominal(vec![0, 1, 1]), 2);
    assert_eq!(two, [("c0=l1".to_owned(), vec![0.0, 1.0, 1.0])]);
    let three = of_one(Column::Nominal(vec![0, 1, 2]), 3);
    assert_eq!(names(&three), ["c0=l0", "c0=l1", "c0=l2"]);
    for (level, (_, values)) in three.iter().enumerate() {
        let expected: Vec<f64> = (0..3).map(|row| f64::from(u8::from(row == level))).collect();
        assert_eq!(*values, expected);
    }
    // Levels that no training row shows get no input.
    assert_eq!(names(&of_one(Column::Nominal(vec![1, 3]), 5)), ["c0=l3"]);
    assert_eq!(names(&of_one(Column::Nominal(vec![2, 2]), 5)), ["c0=l2"]);
}

#[test]
fn an_unseen_or_missing_level_is_0_everywhere() {
    let encoder = fit(&table(vec![Column::Nominal(vec![0, 1, 2])], 4), None, None);
    let later = table(vec![Column::Nominal(vec![3, MISSING])], 4);
    for (name, values) in inputs(&encoder, &later) {
        assert_eq!(values, [0.0, 0.0], "{name}");
    }
}

/// Of too many levels the heaviest are kept, the earlier ones among equals.
#[test]
fn the_most_frequent_levels_get_the_inputs() {
    let many = MOST_LEVELS as u32 + 44;
    // Every level once, the last ten once more.
    let codes: Vec<u32> = (0..many).chain(many - 10..many).collect();
    let weights: Vec<f64> = codes.iter().map(|&code| if code == 250 { 3.0 } else { 1.0 }).collect();
    let table = table(vec![Column::Nominal(codes)], many);
    let kept = |encoder: &Encoder| {
        let name = |(name, _): (String, Vec<f64>)| name["c0=l".len()..].parse().expect("a level");
        inputs(encoder, &table).into_iter().map(name).collect::<Vec<u32>>()
    };
    let expected: Vec<u32> = (0..MOST_LEVELS as u32 - 10).chain(many - 10..many).collect();
    assert_eq!(kept(&fit(&table, None, None)), expected);
    let weighted = kept(&fit(&table, None, Some(&weights)));
    assert!(weighted.contains(&250) && !weighted.contains(&(MOST_LEVELS as u32 - 11)));
    assert_eq!(weighted.len(), MOST_LEVELS);
}

#[test]
fn constant_columns_become_0() {
    for value in [0.0, 7.0, -1e300, 0.1, 5e-324] {
        let made = of_one(Column::Number(vec![value; 5]), 0);
        assert_eq!(made, [("c0".to_owned(), vec![0.0; 5])], "{value}");
    }
    // Another value later is not blown up by a spread that is only rounding.
    let encoder = fit(&table(vec![Column::Number(vec![0.1; 1000])], 0), None, None);
    let later = inputs(&encoder, &table(vec![Column::Number(vec![1.1])], 0));
    assert!((later[0].1[0] - 1.0).abs() < 1e-9, "{later:?}");
}

#[test]
fn columns_without_a_value_say_only_that() {
    let numbers = of_one(Column::Number(vec![NAN; 3]), 0);
    assert_eq!(numbers[0].1, [0.0; 3]);
    assert_eq!(numbers[1], ("c0 is missing".to_owned(), vec![1.0; 3]));
    let levels = of_one(Column::Nominal(vec![MISSING; 3]), 2);
    assert_eq!(levels, [("c0 is missing".to_owned(), vec![1.0; 3])]);
}

#[test]
fn huge_and_tiny_numbers_stay_finite_and_are_standardised() {
    let max = f64::MAX;
    for values in [
        vec![max, -max, max, -max],
        vec![max, max, max, -max],
        vec![1e200, 2e200, 3e200, 4e200],
        vec![1e-200, 2e-200, 3e-200, 4e-200],
        vec![0.0, 5e-324, 1e-323, 0.0],
    ] {
        let made = of_one(Column::Number(values.clone()), 0);
        assert!(made[0].1.iter().all(|v| v.is_finite() && v.abs() < 10.0), "{values:?}: {made:?}");
        let (mean, deviation) = mean_and_deviation(&made[0].1, &[1.0; 4]);
        // The smallest numbers there are have but a digit or two.
        let limit = if values[1] == 5e-324 { 0.5 } else { 1e-9 };
        assert!(mean.abs() < limit && (deviation - 1.0).abs() < limit, "{values:?}: {made:?}");
    }
    // Far from all training rows a value is kept at the limit of the numbers.
    let encoder = fit(&table(vec![Column::Number(vec![1e-300, 2e-300])], 0), None, None);
    let later = inputs(&encoder, &table(vec![Column::Number(vec![max, -max])], 0));
    assert_eq!(later[0].1, [max, -max]);
}

#[test]
fn every_input_knows_its_column() {
    let columns = vec![
        Column::Number(vec![1.0, NAN, 2.0]),
        Column::Nominal(vec![0, 1, 2]),
        Column::Nominal(vec![0, 1, MISSING]),
        Column::Number(vec![1.0, 2.0, 3.0]),
    ];
    let table = table(columns, 3);
    let encoder = fit(&table, None, None);
    let made = inputs(&encoder, &table);
    assert_eq!(made.len(), 2 + 3 + 2 + 1);
    for (input, (name, _)) in made.iter().enumerate() {
        let column = format!("c{}", encoder.source(input));
        assert!(name.starts_with(&column), "{name} is not made of {column}");
    }
    assert_eq!(names(&made), encoder.output(table.schema()).names().collect::<Vec<_>>());
    assert!(encoder.check(table.schema()).is_ok());
}

#[test]
fn columns_as_they_are_stay_as_they_are() -> Result<()> {
    let table = table(vec![Column::Number(vec![1.0, NAN]), Column::Nominal(vec![0, MISSING])], 1);
    let encoder = Encoder::Mixed;
    assert_eq!(encoder.output(table.schema()), *table.schema());
    let encoded = encoder.encode(table.view())?;
    assert_eq!(encoded.view().gather(1), table.columns()[1]);
    assert_eq!(encoder.source(1), 1);
    Ok(())
}

/// What a stranger could write in place of an encoder: the same names, any content.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Forged {
    Dense(Vec<ForgedRecipe>),
}

#[derive(Serialize)]
struct ForgedRecipe {
    column: u32,
    make: ForgedMake,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum ForgedMake {
    Standard { mean: f64, scale: f64 },
    Level(u32),
    Missing,
}

/// An encoder of a file with this content.
fn forged(recipes: Vec<(u32, ForgedMake)>) -> Encoder {
    let recipes = recipes.into_iter().map(|(column, make)| ForgedRecipe { column, make }).collect();
    let bytes = rmp_serde::to_vec_named(&Forged::Dense(recipes)).expect("memory takes it");
    rmp_serde::from_slice(&bytes).expect("it has the form of an encoder")
}

#[test]
fn forged_recipes_are_refused() {
    use ForgedMake::{Level, Missing, Standard};
    let fields = vec![Field::number("x"), Field::nominal("c", ["p", "q"])];
    let schema = Schema { fields };
    let refused = |recipes| forged(recipes).check(&schema).is_err();
    let standard = |mean, scale| Standard { mean, scale };
    let sound = vec![(0, standard(1.0, 2.0)), (1, Level(1)), (0, Missing), (1, Missing)];
    assert!(!refused(sound));
    assert!(refused(vec![(2, Missing)]), "a column that is not there");
    assert!(refused(vec![(u32::MAX, standard(0.0, 1.0))]), "a column far away");
    assert!(refused(vec![(1, standard(0.0, 1.0))]), "a level as a number");
    assert!(refused(vec![(0, Level(0))]), "a number as a level");
    assert!(refused(vec![(1, Level(2))]), "a level that is not there");
    for (mean, scale) in [
        (0.0, 0.0),
        (0.0, -1.0),
        (0.0, NAN),
        (0.0, f64::INFINITY),
        (NAN, 1.0),
        (f64::INFINITY, 1.0),
    ] {
        assert!(refused(vec![(0, standard(mean, scale))]), "{mean}, {scale}");
    }
    assert!(refused(Vec::new()), "no input at all: the rows would be lost");
}

#[test]
fn other_columns_than_those_of_the_fit_are_refused() {
    let encoder = fit(
        &table(vec![Column::Number(vec![1.0, 2.0]), Column::Nominal(vec![0, 1])], 2),
        None,
        None,
    );
    for columns in [
        vec![Column::Number(vec![1.0])],
        vec![Column::Nominal(vec![0]), Column::Number(vec![1.0])],
        vec![],
    ] {
        let other = table(columns, 2);
        assert!(encoder.encode(other.view()).is_err());
    }
}
