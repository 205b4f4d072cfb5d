//! Which training rows stand behind each rule of a model: how many it applies to and how many it
//! decides, by their class or the mean of their number.
//!
//! A rule may say something else than these shares: the parameters of a mixture count only
//! after heavier rules have spoken. So the rows are counted, and not read off the model.

use super::Model;
use crate::classify::{Counted, Decides, Missing, Rulebook, Standing};
use crate::data::{Cells, MISSING, Target, Task, View};
use crate::error::{Error, Result};
use crate::experts::LeafRules;
use crate::run::{Run, Ticker};

/// Rows that are looked at in one go. Sums of numbers are added up block by block, so another size
/// would round means otherwise.
const BLOCK: usize = 1024;

/// Blocks whose findings are in memory at a time.
const BLOCKS: usize = 16;

/// Rules of rows that are in memory at a time.
const FOUND: usize = 1 << 24;

/// Counts for one set of rows; sums of numbers are kept so that blocks can be added.
#[derive(Clone, Default)]
struct Sums {
    rows: u64,
    classes: Vec<u64>,
    total: f64,
    /// The sum of the block that is being added.
    block: f64,
}

impl Sums {
    fn add(&mut self, target: Target<'_>, id: usize) {
        self.rows += 1;
        match target {
            Target::Class { codes, .. } => self.classes[codes[id] as usize] += 1,
            Target::Number(values) => self.block += values[id],
        }
    }

    fn end_block(&mut self) {
        self.total += std::mem::take(&mut self.block);
    }

    fn counted(self) -> Counted {
        let number = self.classes.is_empty() && self.rows > 0;
        let mean = number.then(|| self.total / self.rows as f64);
        Counted { rows: self.rows, classes: self.classes, mean }
    }
}

/// The rules that apply to the rows of a block, row after row.
#[derive(Default)]
struct Found {
    rules: Vec<u32>,
    /// Where the rules of each row end.
    ends: Vec<usize>,
}

/// What finds the rules of a row.
struct Finder<'a> {
    book: &'a Rulebook,
    /// The way down a tree, which costs a path and not a test of every leaf.
    leaves: Option<LeafRules<'a>>,
    cells: Vec<Cells<'a>>,
    ids: Vec<usize>,
}

impl Finder<'_> {
    /// Nothing after a stop.
    fn block(&self, block: usize, run: &Run<'_>) -> Option<Found> {
        run.stop.check().ok()?;
        let (mut found, mut ticker) = (Found::default(), Ticker::new(run.stop));
        let all = block * BLOCK..self.ids.len().min((block + 1) * BLOCK);
        for &id in &self.ids[all.clone()] {
            if let Some(leaves) = &self.leaves {
                found.rules.extend(leaves.applying(&self.cells, id));
            } else {
                ticker.tick(self.book.rules.len().saturating_mul(4)).ok()?;
                let rules = self.book.rules.iter().zip(0..);
                let apply = rules
                    .filter(|(rule, _)| rule.applies(&self.cells, id, self.book.missing))
                    .map(|(_, at)| at);
                found.rules.extend(apply);
            }
            found.ends.push(found.rules.len());
        }
        run.watch.advance(all.len() as u64);
        Some(found)
    }
}

/// What stands behind the rules; nothing where that cannot be told: after a stop, and where a
/// missing value goes a way that no test tells.
pub(super) fn count(
    book: &Rulebook,
    leaves: Option<LeafRules<'_>>,
    rows: View<'_>,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Option<Vec<Standing>>> {
    let cells: Vec<Cells<'_>> = (0..rows.columns()).map(|column| rows.cells(column)).collect();
    let ids: Vec<usize> = (0..rows.rows()).map(|row| rows.row_id(row)).collect();
    if book.missing == Missing::IsSent && has_missing(book, &cells, &ids) {
        return Ok(None);
    }
    let classes = match task.target() {
        Target::Class { classes, .. } => classes.len(),
        Target::Number(_) => 0,
    };
    let rules = book.rules.len();
    run.reserve(&format!("the rows behind {rules} rules"), &[rules, 2, classes + 8])?;
    let none = Sums { classes: vec![0; classes], ..Sums::default() };
    let mut sums = vec![[none.clone(), none]; rules];
    let run = run.task("rows behind rules", ids.len() as u64);
    let blocks = ids.len().div_ceil(BLOCK);
    let finder = Finder { book, leaves, cells, ids };
    let at_a_time = match finder.leaves {
        Some(_) => BLOCKS,
        None => (FOUND / (BLOCK * rules.max(1))).clamp(1, BLOCKS),
    };
    for start in (0..blocks).step_by(at_a_time) {
        let found =
            run.pool.map(at_a_time.min(blocks - start), |at| finder.block(start + at, &run));
        for (block, found) in (start..).zip(found) {
            let Some(found) = found else { return Ok(None) };
            add(&mut sums, book, &found, task, block);
        }
    }
    let decide = !matches!(book.decides, Decides::None | Decides::Votes);
    let standing = |[applies, decides]: [Sums; 2]| Standing {
        applies: applies.counted(),
        decides: decide.then(|| decides.counted()),
    };
    Ok(Some(sums.into_iter().map(standing).collect()))
}

/// Adds the rows of a block to the sums of their rules.
fn add(sums: &mut [[Sums; 2]], book: &Rulebook, found: &Found, task: &Task<'_>, block: usize) {
    let mut start = 0;
    for (row, &end) in (block * BLOCK..).zip(&found.ends) {
        let (applying, id) = (&found.rules[start..end], task.row_id(row));
        for &rule in applying {
            sums[rule as usize][0].add(task.target(), id);
        }
        if let Some(rule) = decider(book, applying) {
            sums[rule as usize][1].add(task.target(), id);
        }
        start = end;
    }
    for &rule in &found.rules {
        sums[rule as usize].iter_mut().for_each(Sums::end_block);
    }
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
fn decider(book: &Rulebook, applying: &[u32]) -> Option<u32> {
    match book.decides {
        Decides::None | Decides::Votes => None,
        Decides::First => applying.first().copied(),
        Decides::MostWeight => {
            let weight = |rule: &u32| book.rules[*rule as usize].weight;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::data::{Column, Dataset, Field, Options, Schema, Table};
    use crate::method::make;
    use crate::model::Core;
    use crate::run::{Pool, Stop};

    /// What the way of a row down a tree finds is what the tests of all leaves say.
    #[test]
    fn the_way_to_a_leaf_counts_what_its_tests_count() -> Result<()> {
        let (stop, pool) = (Stop::new(), Pool::new(2)?);
        let run = Run::new(1, &stop, &pool);
        let mut sets = vec![only_missing()?];
        for name in ["iris", "pima", "ripley-synth", "car", "kr-vs-kp", "wdbc"] {
            sets.extend(Catalogue::embedded().open(name, &Load::default()));
        }
        assert!(sets.len() > 3);
        for data in sets {
            let task = data.task()?;
            let model = whole_tree()?.train(&task, &run)?.model;
            let Core::Tree(tree) = &model.core else { panic!("{}: not a tree", data.name) };
            let (book, inputs) = model.rules().expect("a tree is rules");
            let encoded = model.encoder.encode(task.features)?;
            let way = count(&book, Some(tree.leaf_rules(&inputs)), encoded.view(), &task, &run)?;
            let tests = count(&book, None, encoded.view(), &task, &run)?;
            assert_eq!(way, tests, "{}", data.name);
            assert!(book.rules.len() > 1 && (way.is_some() || data.name != "pima"));
        }
        Ok(())
    }

    fn whole_tree() -> Result<Box<dyn crate::method::Method>> {
        let settings = [("leaf", "1"), ("prune_folds", "0")];
        make("tree", &settings.map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    /// Missing values of one column tell the classes apart but for one row, and levels tell that.
    fn only_missing() -> Result<Dataset> {
        let codes: Vec<u32> = (0..40).map(|row| u32::from(row >= 20)).collect();
        let holes = (0..40).map(|row| if row < 20 { f64::NAN } else { f64::from(row % 3) });
        let levels = (0..40).map(|row| u32::from(row == 3)).collect();
        let mut classes = codes;
        classes[3] = 1;
        let fields = vec![
            Field::number("holes"),
            Field::nominal("level", ["no", "yes"]),
            Field::nominal("class", ["a", "b"]),
        ];
        let columns = vec![
            Column::Number(holes.collect()),
            Column::Nominal(levels),
            Column::Nominal(classes),
        ];
        Dataset::new("holes", Table::new(Schema { fields }, columns)?, &Options::default())
    }

    #[test]
    fn what_is_too_much_is_refused_and_a_stop_leaves_nothing() -> Result<()> {
        let (stop, pool) = (Stop::new(), Pool::new(2)?);
        let run = Run::new(1, &stop, &pool);
        let data = Catalogue::embedded().open("iris", &Load::default())?;
        let task = data.task()?;
        let (book, _) = whole_tree()?.train(&task, &run)?.model.rules().expect("a tree is rules");
        let poor = Run { memory: 10, ..run.clone() };
        assert!(count(&book, None, task.features, &task, &poor).is_err());
        assert!(count(&book, None, task.features, &task, &run)?.is_some());
        stop.request();
        assert_eq!(count(&book, None, task.features, &task, &run)?, None);
        Ok(())
    }
}
