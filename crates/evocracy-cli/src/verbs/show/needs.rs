//! What a model loses where a column is shuffled.

use super::Args;
use crate::input::Input;
use crate::shell::Shell;
use crate::{tables, words};
use anyhow::Result;
use evocracy::error::Error;
use evocracy::judge::{ColumnLoss, Loss, Needs, Shuffling, target_field};
use evocracy::model::Model;

/// How many columns a person is shown.
const SHOWN: usize = 24;

/// What the model loses on the rows that are given; nothing where none are.
pub fn measured(shell: &Shell, model: &Model, args: &Args) -> Result<Option<Needs>> {
    let Some(data) = &args.data else { return Ok(None) };
    let target = Some(target_field(model));
    let mut input = Input::open(shell, data, &args.reading.format(), model, target)?;
    let (needs, _) = shell.work("shuffling columns", |run| -> Result<Needs> {
        let mut shuffling = Shuffling::new(model, args.repeats, run.seed)?;
        input.for_each(model, |rows| {
            shuffling.add(rows)?;
            if run.stop.requested() { Err(Error::Stopped.into()) } else { Ok(true) }
        })?;
        Ok(shuffling.measure(run)?)
    });
    let needs = needs?;
    shell.remarks(&needs.remarks);
    shell.remarks(&input.remarks());
    Ok(Some(needs))
}

/// A loss with its interval, times `scale`.
fn loss(loss: Option<Loss>, scale: f64, digits: usize) -> String {
    let Some(Loss { mean, interval }) = loss else { return String::new() };
    // No sign before a zero.
    let shown = |value: f64| {
        let text = format!("{:.digits$}", scale * value);
        if text.trim_start_matches('-').bytes().all(|b| matches!(b, b'0' | b'.')) {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        }
    };
    format!("{} ({} to {})", shown(mean), shown(interval.low), shown(interval.high))
}

pub fn text(needs: &Needs, model: &Model) -> String {
    let rows = words::counted(needs.rows as u64, "row");
    let of = match needs.of_rows {
        all if all > needs.rows => format!(", drawn at random from {all},"),
        _ => String::new(),
    };
    let unknown = match needs.unknown {
        0 => String::new(),
        1 => " One more row has no target that the model knows.".to_owned(),
        more => format!(" {more} more rows have no target that the model knows."),
    };
    let before = match (needs.unshuffled.accuracy, needs.unshuffled.log2_likelihood) {
        (Some(accuracy), Some(bits)) => {
            format!("accuracy {}, log2-likelihood {bits:.3} bits a row", words::percent(accuracy))
        }
        _ => needs
            .unshuffled
            .rmse
            .map_or(String::new(), |rmse| format!("root mean square error {}", words::short(rmse))),
    };
    let mut text = format!(
        "\nWhat is lost where a column is shuffled, on {rows}{of} with {before} as they are.{unknown}\nMean of {} shuffles, with the 95 % interval of that mean over the shuffles:\n",
        needs.repeats
    );
    let header: &[&str] = if model.is_classifier() {
        &["column", "bits a row", "accuracy, in points"]
    } else {
        &["column", "error added"]
    };
    let row = |column: &ColumnLoss| {
        let name = column.column.clone();
        if model.is_classifier() {
            let (bits, accuracy) = (column.log2_likelihood, column.accuracy);
            vec![name, loss(bits, 1.0, 4), loss(accuracy, 100.0, 2)]
        } else {
            vec![name, loss(column.rmse, 1.0, 4)]
        }
    };
    text += &tables::plain(header, needs.columns.iter().take(SHOWN).map(row));
    text.push('\n');
    if needs.columns.len() > SHOWN {
        text += &format!("and {} more; --json has all.\n", needs.columns.len() - SHOWN);
    }
    let all = model.schema().len();
    if needs.columns.len() < all {
        text += &format!("Stopped: {} of {all} columns were shuffled.\n", needs.columns.len());
    }
    text
}
