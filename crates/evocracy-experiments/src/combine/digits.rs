//! MNIST in the place of NIST: 1000 pictures of each digit for each of TR1, TR2 and TS, drawn from the
//! training pictures. A picture is made binary and padded to 32 x 32 pixels, and described by the
//! means of an 8 x 8 grid (64 numbers) and by its central geometric moments of orders 2 to 7
//! (33 numbers). Three MLPs and three LVQs for each of the two, which differ in their seed.

use super::experts::{Expert, Parts, labels};
use super::labels::{Repeats, beside, stability};
use crate::{Compare, Experiment, Findings};
use evocracy::data::catalogue::Load;
use evocracy::data::{Cells, Column, Dataset, Field, Options, Schema, Table};
use evocracy::error::{Error, Result};
use evocracy::run::Run;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "combine-digits",
    about: "twelve experts on two descriptions of digits, combined by their labels (EvoBN, table 2)",
    run,
};

/// Pixels of a side, and how many are added before it.
const SIDE: usize = 28;
const PAD: usize = 2;
/// Cells of a side of the grid, and pixels of a side of a cell.
const GRID: usize = 8;
const CELL: usize = 4;
/// The greatest order of a moment, and how many there are from the second on.
const ORDER: i32 = 7;
const MOMENTS: usize = 33;

const PRINTED: [(&str, f64); 4] = [
    ("worst-expert/mean", 88.26),
    ("best-expert/mean", 96.70),
    ("k2/best", 98.65),
    ("evobn/best", 98.76),
];

fn run(run: &Run<'_>, quick: bool) -> Result<Findings> {
    let data = open(run)?;
    let (repeats, each) = if quick { (2, 60) } else { (10, 1000) };
    let codes = data.codes().unwrap_or_default();
    let task = run.task("repeats", repeats);
    let mut found = Repeats::default();
    let mut first = None;
    for repeat in 0..repeats {
        let run = task.child("repeat", repeat);
        let parts = Parts::of_each_class(codes, 10, [each; 3], &run);
        let labels = labels(&data, &parts, &experts(), &run)?;
        found.push(&labels, &run)?;
        first.get_or_insert(labels);
        task.watch.advance(1);
    }
    let mut rows = found.rows("");
    let hundredth = |value: f64| (100.0 * value).round() / 100.0;
    let auto = found.best_expert().max(found.best_single() - 0.2);
    beside(
        quick,
        &mut rows,
        &PRINTED,
        &[
            ("conditional/mean", Compare::AtLeast(hundredth(found.mean("stack") - 0.1))),
            ("auto/mean", Compare::AtLeast(hundredth(auto))),
        ],
    );
    if let Some(labels) = &first {
        rows.extend(stability(labels, repeats, &task)?);
    }
    Ok(rows.into())
}

/// Small ones: what they lack is what the combiner is for, and there are ten repeats.
fn experts() -> Vec<Expert> {
    let mut experts = Vec::new();
    for columns in ["mbi*", "cgm*"] {
        for _ in 0..3 {
            experts.push(Expert::new(
                "mlp",
                &[("columns", columns), ("hidden", "40"), ("epochs", "25")],
            ));
            experts.push(Expert::new(
                "lvq",
                &[("columns", columns), ("codes", "15"), ("epochs", "8")],
            ));
        }
    }
    experts
}

/// The training pictures as means and moments.
fn open(run: &Run<'_>) -> Result<Dataset> {
    let all = crate::sets::catalogue().open("mnist", &Load::default())?;
    let split = all.published.first().ok_or_else(|| Error::unsuitable("mnist has no parts", ""))?;
    let codes = all.codes().ok_or_else(|| Error::unsuitable("mnist has no classes", ""))?;
    let view = all.features();
    let mut pixels = Vec::with_capacity(SIDE * SIDE);
    for pixel in 0..SIDE * SIDE {
        let Cells::Number(values) = view.cells(pixel) else {
            return Err(Error::unsuitable("a pixel is not a number", ""));
        };
        pixels.push(values);
    }
    let rows = &split.train;
    let described = run.pool.map(rows.len(), |at| {
        let dark = |pixel: &[f64]| pixel[rows[at] as usize] > 127.0;
        describe(&pixels.iter().map(|pixel| dark(pixel)).collect::<Vec<bool>>())
    });
    let mut fields: Vec<Field> =
        (0..GRID * GRID).map(|at| Field::number(format!("mbi{}", at + 1))).collect();
    fields.extend((0..MOMENTS).map(|at| Field::number(format!("cgm{}", at + 1))));
    let mut columns: Vec<Column> = (0..fields.len())
        .map(|column| Column::Number(described.iter().map(|numbers| numbers[column]).collect()))
        .collect();
    let names = all.classes().map(|classes| classes.names().to_vec()).unwrap_or_default();
    fields.push(Field::nominal("class", names));
    columns.push(Column::Nominal(rows.iter().map(|&row| codes[row as usize]).collect()));
    Dataset::new("mnist", Table::new(Schema { fields }, columns)?, &Options::default())
}

/// Means of the grid, then central moments, each divided by the mass and brought to the scale of
/// a length by the root of its order.
fn describe(dark: &[bool]) -> Vec<f64> {
    let mut numbers = vec![0.0; GRID * GRID];
    let points: Vec<[f64; 2]> = (0..dark.len())
        .filter(|&at| dark[at])
        .map(|at| [(at % SIDE + PAD) as f64, (at / SIDE + PAD) as f64])
        .collect();
    for [x, y] in &points {
        numbers[*y as usize / CELL * GRID + *x as usize / CELL] += 1.0 / (CELL * CELL) as f64;
    }
    let mass = points.len().max(1) as f64;
    let centre = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / mass);
    for order in 2..=ORDER {
        for q in 0..=order {
            let power =
                |[x, y]: &[f64; 2]| (x - centre[0]).powi(order - q) * (y - centre[1]).powi(q);
            let moment = points.iter().map(power).sum::<f64>() / mass;
            numbers.push(moment.signum() * moment.abs().powf(1.0 / f64::from(order)));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_bar_lie_along_it() {
        let mut dark = vec![false; SIDE * SIDE];
        (4..9).for_each(|x| dark[10 * SIDE + x] = true);
        let numbers = describe(&dark);
        assert_eq!(numbers.len(), GRID * GRID + MOMENTS);
        assert!((numbers[..GRID * GRID].iter().sum::<f64>() - 5.0 / 16.0).abs() < 1e-12);
        // The squares of -2 to 2, on average 2; nothing across.
        assert!((numbers[64] - 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(&numbers[65..67], [0.0, 0.0]);
    }
}
