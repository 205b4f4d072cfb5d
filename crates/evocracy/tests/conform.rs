//! Bringing any table to the columns of a model.

use evocracy::data::{Column, Conformed, Field, MISSING, Schema, Table};
use evocracy::error::{Error, Result};

const NAN: f64 = f64::NAN;

/// What a model was trained on.
fn trained() -> Schema {
    let fields = vec![
        Field::number("age"),
        Field::nominal("colour", ["blue", "red"]),
        Field::nominal("grade", ["1", "2", "2.5"]),
    ];
    Schema { fields }
}

fn table(columns: Vec<(Field, Column)>) -> Table {
    let (fields, columns) = columns.into_iter().unzip();
    Table::new(Schema { fields }, columns).expect("a sound table")
}

fn ages() -> (Field, Column) {
    (Field::number("age"), Column::Number(vec![30.0, NAN, 50.0]))
}

fn colours() -> (Field, Column) {
    let column = Column::Nominal(vec![1, MISSING, 0]);
    (Field::nominal("colour", ["blue", "red"]), column)
}

fn grades() -> (Field, Column) {
    (Field::nominal("grade", ["1", "2", "2.5"]), Column::Nominal(vec![2, 0, MISSING]))
}

/// The column of the conformed rows at a position.
fn column(table: &Table, at: usize) -> Result<Column> {
    Ok(trained().conform(table.view())?.view().gather(at))
}

/// What is wrong with the rows, and what to do.
fn refused(table: &Table) -> Error {
    trained().conform(table.view()).expect_err("rows that do not fit")
}

/// NaN is not equal to itself; its text is.
fn same(left: &Column, right: &Column) {
    assert_eq!(format!("{left:?}"), format!("{right:?}"));
}

#[test]
fn rows_that_fit_are_not_copied() -> Result<()> {
    let rows = table(vec![ages(), colours(), grades()]);
    assert!(matches!(trained().conform(rows.view())?, Conformed::Same(_)));
    let columns = [2, 0, 1];
    let rows = table(vec![colours(), grades(), ages()]);
    let view = rows.view().with_columns(&columns);
    assert!(matches!(trained().conform(view)?, Conformed::Same(_)), "the view has the order");
    Ok(())
}

#[test]
fn columns_are_found_by_name_in_any_order_among_others() -> Result<()> {
    let id = (Field::number("id"), Column::Number(vec![7.0, 8.0, 9.0]));
    let rows = table(vec![grades(), id, colours(), ages()]);
    let conformed = trained().conform(rows.view())?;
    assert_eq!(conformed.view().columns(), 3);
    for (at, (field, column)) in [ages(), colours(), grades()].iter().enumerate() {
        assert_eq!(conformed.view().field(at), field);
        same(&conformed.view().gather(at), column);
    }
    Ok(())
}

#[test]
fn only_the_rows_in_view_are_brought_over() -> Result<()> {
    let rows = table(vec![grades(), colours(), ages()]);
    let ids = [2, 0, 0];
    let conformed = trained().conform(rows.view().with_rows(&ids))?;
    assert_eq!(conformed.view().gather(0), Column::Number(vec![50.0, 30.0, 30.0]));
    assert_eq!(conformed.view().gather(1), Column::Nominal(vec![0, 1, 1]));
    assert_eq!(conformed.view().gather(2), Column::Nominal(vec![MISSING, 2, 2]));
    Ok(())
}

#[test]
fn levels_are_matched_by_their_text_and_new_ones_are_missing() -> Result<()> {
    let other = Field::nominal("colour", ["violet", "red", "blue"]);
    let rows = table(vec![ages(), (other, Column::Nominal(vec![0, 1, 2])), grades()]);
    assert_eq!(column(&rows, 1)?, Column::Nominal(vec![MISSING, 1, 0]));
    Ok(())
}

#[test]
fn a_number_for_a_nominal_column_is_taken_by_its_text() -> Result<()> {
    for (numbers, codes) in
        [(vec![1.0, 2.5, 2.0], vec![0, 2, 1]), (vec![3.0, NAN, 1.0], vec![MISSING, MISSING, 0])]
    {
        let grade = (Field::number("grade"), Column::Number(numbers));
        let rows = table(vec![ages(), colours(), grade]);
        assert_eq!(column(&rows, 2)?, Column::Nominal(codes));
    }
    Ok(())
}

#[test]
fn text_for_a_number_column_is_refused_by_name_and_example() {
    let words = (Field::nominal("age", ["old", "young"]), Column::Nominal(vec![MISSING, 1, 0]));
    let error = refused(&table(vec![words, colours(), grades()]));
    assert_eq!(error.kind(), "table");
    assert_eq!(
        error.to_string(),
        "column `age`: the values are text, such as `young`; expected numbers, as in the training data"
    );
}

#[test]
fn text_that_is_all_missing_is_missing_numbers() -> Result<()> {
    let nothing = (Field::nominal("age", ["old"]), Column::Nominal(vec![MISSING; 3]));
    let rows = table(vec![nothing, colours(), grades()]);
    same(&column(&rows, 0)?, &Column::Number(vec![NAN; 3]));
    // What counts is what is in view.
    let mixed = (Field::nominal("age", ["old"]), Column::Nominal(vec![0, MISSING, MISSING]));
    let rows = table(vec![mixed, colours(), grades()]);
    let conformed = trained().conform(rows.view().with_rows(&[1, 2]))?;
    same(&conformed.view().gather(0), &Column::Number(vec![NAN; 2]));
    Ok(())
}

#[test]
fn a_lacking_column_is_named_with_the_nearest() {
    let slip = (Field::number("aeg"), Column::Number(vec![1.0, 2.0, 3.0]));
    let error = refused(&table(vec![slip, colours(), grades()]));
    assert!(error.to_string().contains("lacks the column `age`"), "{error}");
    assert!(error.help().unwrap_or_default().contains("`aeg`"), "{error:?}");
    let error = refused(&table(vec![ages(), colours()]));
    assert!(error.to_string().contains("lacks the column `grade`"), "{error}");
    assert!(error.help().unwrap_or_default().contains("add the column"), "{error:?}");
}
