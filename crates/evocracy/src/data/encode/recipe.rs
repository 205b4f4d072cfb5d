//! How one input is made from one column.

use crate::data::{Cells, Column, Field, Kind, MISSING, Schema, View};
use serde::{Deserialize, Serialize};

/// One input: the column it comes from and what is made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    column: u32,
    make: Make,
}

/// What is made of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Make {
    /// The column as it is.
    Copy,
    /// (value - mean) / scale, 0 where it is missing.
    Standard { mean: f64, scale: f64 },
    /// 1 where the column has this level.
    Level(u32),
    /// 1 where the value is missing.
    Missing,
    /// The position of the level among all.
    Position,
    /// For each level 0 or 1; other entries, like missing values, give a missing value.
    Bit { bit: u32, table: Vec<u8> },
    /// 1 where the number is above this.
    Above(f64),
    /// The interval between these cuts that the number lies in, as a level.
    Cut(Vec<f64>),
}

impl Recipe {
    pub(super) fn new(column: usize, make: Make) -> Self {
        Self { column: column as u32, make }
    }

    /// The column it is made from.
    pub(super) fn column(&self) -> usize {
        self.column as usize
    }

    /// Whether it can be made of these columns.
    pub(super) fn fits(&self, raw: &Schema) -> bool {
        let Some(field) = raw.fields.get(self.column()) else { return false };
        match (&self.make, &field.kind) {
            (Make::Copy | Make::Missing, _) | (Make::Position, Kind::Nominal(_)) => true,
            (Make::Standard { mean, scale }, Kind::Number) => {
                mean.is_finite() && scale.is_finite() && *scale > 0.0
            }
            (Make::Above(cut), Kind::Number) => cut.is_finite(),
            (Make::Cut(cuts), Kind::Number) => {
                cuts.iter().all(|cut| cut.is_finite()) && cuts.is_sorted_by(|a, b| a < b)
            }
            (Make::Level(level), Kind::Nominal(levels)) => (*level as usize) < levels.len(),
            (Make::Bit { table, .. }, Kind::Nominal(levels)) => table.len() == levels.len(),
            _ => false,
        }
    }

    /// Name and kind of the input.
    pub(super) fn field(&self, raw: &Schema) -> Field {
        let field = &raw.fields[self.column()];
        let name = &field.name;
        match &self.make {
            Make::Copy => field.clone(),
            Make::Standard { .. } | Make::Position => Field::number(name.clone()),
            Make::Level(level) => {
                Field::number(format!("{name}={}", field.levels()[*level as usize]))
            }
            Make::Missing => Field::number(format!("{name} is missing")),
            Make::Bit { bit, .. } => Field::number(format!("{name} bit {bit}")),
            Make::Above(cut) => Field::number(format!("{name}>{cut}")),
            Make::Cut(cuts) => Field::nominal(name.clone(), intervals(cuts)),
        }
    }

    /// What the input of a row is made from, in words; `None` where it is the column itself.
    pub(super) fn words(&self, rows: View<'_>, row: usize) -> Option<String> {
        let (field, value) = (rows.field(self.column()), rows.show(row, self.column()));
        let name = &field.name;
        Some(match (&self.make, value) {
            (Make::Copy, _) => return None,
            (_, None) => format!("{name} is missing"),
            (Make::Missing, Some(_)) => format!("{name} is known"),
            (Make::Level(level), Some(value)) => {
                let level = &field.levels()[*level as usize];
                let is = if value == *level { "is" } else { "is not" };
                format!("{name} {is} {level}")
            }
            (_, Some(value)) => format!("{name} = {value}"),
        })
    }

    /// The input of every row in view.
    pub(super) fn inputs(&self, rows: View<'_>) -> Column {
        if self.make == Make::Copy {
            return rows.gather(self.column());
        }
        match rows.cells(self.column()) {
            Cells::Number(values) => self.of_numbers(&rows.pick(values)),
            Cells::Nominal(codes) => self.of_codes(&rows.pick(codes)),
        }
    }

    fn of_numbers(&self, values: &[f64]) -> Column {
        match &self.make {
            Make::Standard { mean, scale } => each(values, |value| standard(value, *mean, *scale)),
            Make::Above(cut) => {
                each(values, |value| if value.is_nan() { value } else { flag(value > *cut) })
            }
            Make::Cut(cuts) => {
                let code = |value: f64| cuts.partition_point(|cut| value > *cut) as u32;
                let code = |&value: &f64| if value.is_nan() { MISSING } else { code(value) };
                Column::Nominal(values.iter().map(code).collect())
            }
            _ => each(values, |value: f64| flag(value.is_nan())),
        }
    }

    fn of_codes(&self, codes: &[u32]) -> Column {
        match &self.make {
            Make::Level(level) => each(codes, |code| flag(code == *level)),
            Make::Position => {
                each(codes, |code| if code == MISSING { f64::NAN } else { f64::from(code) })
            }
            Make::Bit { table, .. } => each(codes, |code: u32| match table.get(code as usize) {
                Some(&bit) if bit < 2 => f64::from(bit),
                _ => f64::NAN,
            }),
            _ => each(codes, |code| flag(code == MISSING)),
        }
    }
}

/// A number for each cell.
fn each<T: Copy>(cells: &[T], make: impl Fn(T) -> f64) -> Column {
    Column::Number(cells.iter().map(|&cell| make(cell)).collect())
}

/// A cell in words.
pub(super) fn words(rows: View<'_>, row: usize, column: usize) -> String {
    let name = &rows.field(column).name;
    match rows.show(row, column) {
        Some(value) => format!("{name} = {value}"),
        None => format!("{name} is missing"),
    }
}

/// The intervals between cuts as people write them: closed above.
fn intervals(cuts: &[f64]) -> Vec<String> {
    match (cuts.first(), cuts.last()) {
        (Some(first), Some(last)) => {
            let mut names = vec![format!("up to {first}")];
            names.extend(cuts.windows(2).map(|pair| format!("{} to {}", pair[0], pair[1])));
            names.push(format!("above {last}"));
            names
        }
        _ => vec!["any".to_owned()],
    }
}

fn flag(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// The distance of a value from the mean in units of the scale; 0 where it is missing.
fn standard(value: f64, mean: f64, scale: f64) -> f64 {
    if value.is_nan() {
        return 0.0;
    }
    let step = value - mean;
    // The difference of huge numbers may overflow where the difference of their shares does not.
    bounded(if step.is_finite() { step / scale } else { value / scale - mean / scale })
}

/// A value too far away for a number is kept at the limit.
pub(super) fn bounded(value: f64) -> f64 {
    value.clamp(-f64::MAX, f64::MAX)
}
