//! Tests of the tree, from the inside.

mod forged;
mod growth;
mod naive;
mod passing;
mod pruning;

use super::columns::Columns;
use super::grow::{All, Grower, Grown};
use super::{Tree, TreeModel};
use crate::classify::Learner;
use crate::data::{Cells, Classes, Column, Field, MISSING, Schema, Table, Target, Task};
use crate::run::{Pool, Run, Stop};
use proptest::prelude::*;

/// A small table with classes and weights.
#[derive(Debug, Clone)]
struct Small {
    table: Table,
    labels: Vec<u32>,
    weights: Vec<f64>,
    classes: usize,
}

impl Small {
    fn new(columns: Vec<Column>, labels: Vec<u32>, weights: Vec<f64>, classes: usize) -> Self {
        let field = |(j, column): (usize, &Column)| match column {
            Column::Number(_) => Field::number(format!("x{j}")),
            Column::Nominal(codes) => {
                let most = codes.iter().filter(|&&c| c != MISSING).max().map_or(0, |&c| c + 1);
                Field::nominal(format!("x{j}"), (0..most.max(4)).map(|l| format!("l{l}")))
            }
        };
        let schema = Schema { fields: columns.iter().enumerate().map(field).collect() };
        Self { table: Table::new(schema, columns).unwrap(), labels, weights, classes }
    }

    fn class_names(&self) -> Classes {
        Classes::new((0..self.classes).map(|c| format!("c{c}")).collect()).unwrap()
    }

    fn grown(&self, tree: &Tree) -> Grown {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let columns = Columns::gather(self.table.view(), &run).unwrap();
        let mut grower = Grower::new(&columns, &self.labels, self.classes, tree.limits());
        grower.grow((&self.weights).into(), &mut All, &run).unwrap()
    }

    fn fit(&self, tree: &Tree) -> TreeModel {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let classes = self.class_names();
        let target = Target::Class { codes: &self.labels, classes: &classes };
        let task = Task::new(self.table.view(), "y", target, Some(&self.weights)).unwrap();
        tree.fit(&task, &Run::new(1, &stop, &pool)).unwrap().model
    }

    /// All columns as a walk wants them.
    fn cells(&self) -> Vec<(Cells<'_>, u32)> {
        let view = self.table.view();
        (0..view.columns()).map(|j| (view.cells(j), view.field(j).levels().len() as u32)).collect()
    }
}

/// Everything kept: no pruning, no smoothing, leaves of any size.
fn full() -> Tree {
    Tree::default().leaf(0.0).split(0.0).depth(1000).prune_folds(0).smoothing(0.0)
}

fn numbers(rows: usize) -> impl Strategy<Value = Column> {
    let cell = prop_oneof![5 => (-4i32..5).prop_map(f64::from), 1 => Just(f64::NAN)];
    prop::collection::vec(cell, rows).prop_map(Column::Number)
}

fn levels(rows: usize) -> impl Strategy<Value = Column> {
    let cell = prop_oneof![5 => 0u32..5, 1 => Just(MISSING)];
    prop::collection::vec(cell, rows).prop_map(Column::Nominal)
}

/// Small tables of `numbers` number and `nominal` nominal columns; the weights have exact sums.
fn small(number: usize, nominal: usize) -> impl Strategy<Value = Small> {
    (2usize..24, 2usize..5).prop_flat_map(move |(rows, classes)| {
        let weight = prop_oneof![Just(0.0), Just(0.5), Just(1.0), Just(2.0), Just(3.0)];
        (
            prop::collection::vec(numbers(rows), number),
            prop::collection::vec(levels(rows), nominal),
            prop::collection::vec(0..classes as u32, rows),
            prop::collection::vec(weight, rows),
        )
            .prop_map(move |(mut columns, nominal, labels, mut weights)| {
                columns.extend(nominal);
                weights[0] = 1.0;
                Small::new(columns, labels, weights, classes)
            })
    })
}
