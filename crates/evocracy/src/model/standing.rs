//! Which training rows stand behind each rule of a model: how many it applies to and how many it
//! decides, by their class or the mean of their number.
//!
//! A rule may say something else than these shares: the parameters of a mixture count only
//! after heavier rules have spoken. So the rows are counted, and not read off the model.

use super::Model;
use crate::classify::{Counted, Decides, Missing, Rulebook, Standing};
use crate::data::{Cells, MISSING, Target, Task, View};
use crate::error::{Error, Result};
use crate::run::Run;

/// Rows that are looked at in one go.
const BLOCK: usize = 1024;

/// Counts for one set of rows; sums of numbers are kept so that blocks can be added.
#[derive(Clone, Default)]
struct Sums {
    rows: u64,
    classes: Vec<u64>,
    total: f64,
}

impl Sums {
    fn add(&mut self, target: Target<'_>, id: usize) {
        self.rows += 1;
        match target {
            Target::Class { codes, .. } => self.classes[codes[id] as usize] += 1,
            Target::Number(values) => self.total += values[id],
        }
    }

    fn merge(&mut self, other: &Self) {
        self.rows += other.rows;
        self.classes.iter_mut().zip(&other.classes).for_each(|(all, more)| *all += more);
        self.total += other.total;
    }

    fn counted(self) -> Counted {
        let number = self.classes.is_empty() && self.rows > 0;
        let mean = number.then(|| self.total / self.rows as f64);
        Counted { rows: self.rows, classes: self.classes, mean }
    }
}

/// What stands behind the rules; nothing where that cannot be told: after a stop, and where a
/// missing value goes a way that no test tells.
pub(super) fn count(
    book: &Rulebook,
    rows: View<'_>,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Option<Vec<Standing>> {
    let cells: Vec<Cells<'_>> = (0..rows.columns()).map(|column| rows.cells(column)).collect();
    let ids: Vec<usize> = (0..rows.rows()).map(|row| rows.row_id(row)).collect();
    if book.missing == Missing::IsSent && has_missing(book, &cells, &ids) {
        return None;
    }
    let classes = match task.target() {
        Target::Class { classes, .. } => classes.len(),
        Target::Number(_) => 0,
    };
    let none = Sums { classes: vec![0; classes], ..Sums::default() };
    let none = vec![[none.clone(), none]; book.rules.len()];
    let run = run.task("rows behind rules", ids.len() as u64);
    let blocks = run.pool.map(ids.len().div_ceil(BLOCK), |block| {
        let mut sums = none.clone();
        if run.stop.requested() {
            return None;
        }
        let all = block * BLOCK..ids.len().min((block + 1) * BLOCK);
        let mut applying = Vec::new();
        for row in all.clone() {
            applying.clear();
            let applies = |rule: &usize| book.rules[*rule].applies(&cells, ids[row], book.missing);
            applying.extend((0..book.rules.len()).filter(applies));
            let id = task.row_id(row);
            for &rule in &applying {
                sums[rule][0].add(task.target(), id);
            }
            if let Some(rule) = decider(book, &applying) {
                sums[rule][1].add(task.target(), id);
            }
        }
        run.watch.advance(all.len() as u64);
        Some(sums)
    });
    let mut sums = none;
    for block in blocks {
        for (all, more) in sums.iter_mut().zip(&block?) {
            all.iter_mut().zip(more).for_each(|(all, more)| all.merge(more));
        }
    }
    let decide = book.decides != Decides::None;
    let standing = |[applies, decides]: [Sums; 2]| Standing {
        applies: applies.counted(),
        decides: decide.then(|| decides.counted()),
    };
    Some(sums.into_iter().map(standing).collect())
}

/// Whether a column whose values are tested has a missing one.
fn has_missing(book: &Rulebook, cells: &[Cells<'_>], ids: &[usize]) -> bool {
    let mut tested = vec![false; cells.len()];
    let tests = book.rules.iter().flat_map(|rule| &rule.tests);
    tests.filter(|test| !test.is_of_presence()).for_each(|test| tested[test.column()] = true);
    let missing = |cells: &Cells<'_>| match cells {
        Cells::Number(values) => ids.iter().any(|&id| values[id].is_nan()),
        Cells::Nominal(codes) => ids.iter().any(|&id| codes[id] == MISSING),
    };
    cells.iter().zip(tested).any(|(cells, tested)| tested && missing(cells))
}

/// Which of the rules that apply to a row decides on it.
fn decider(book: &Rulebook, applying: &[usize]) -> Option<usize> {
    match book.decides {
        Decides::None => None,
        Decides::First => applying.first().copied(),
        Decides::MostWeight => {
            let weight = |rule: &usize| book.rules[*rule].weight;
            let total: f64 = applying.iter().map(weight).sum();
            applying.iter().copied().find(|rule| weight(rule) > total / 2.0)
        }
    }
}

/// Refuses what a damaged file could hold.
pub(super) fn check(model: &Model) -> Result<()> {
    let Some(standing) = &model.standing else { return Ok(()) };
    let classes = model.classes().map_or(0, crate::data::Classes::len);
    let book = model.core.rules(&model.encoder.output(&model.schema));
    let sound = book.is_some_and(|book| book.rules.len() == standing.len())
        && standing.iter().all(|standing| standing.is_sound(classes));
    if sound {
        Ok(())
    } else {
        Err(Error::model_file("the rows behind its rules are inconsistent"))
    }
}
