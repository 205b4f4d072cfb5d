//! Tables that are large enough for a stop to come in the middle of any loop.

use std::fmt::Write as _;

/// A table: its name, rows, columns of numbers and classes.
struct Shape(&'static str, usize, usize, usize);

/// Many classes, many columns, many rows; one to combine, of experts' calls.
const SHAPES: [Shape; 4] = [
    Shape("classes.csv", 20_000, 5, 1000),
    Shape("wide.csv", 2000, 3000, 2),
    Shape("long.csv", 100_000, 10, 2),
    Shape("calls.csv", 100_000, 10, 2),
];

/// The names of the tables that methods are fitted to.
pub(super) const NAMES: [&str; 3] = ["classes.csv", "wide.csv", "long.csv"];

/// A table of a name, so many times smaller.
pub(super) fn text(name: &str, smaller: usize) -> String {
    let Some(Shape(_, rows, columns, classes)) = SHAPES.iter().find(|shape| shape.0 == name) else {
        return String::new();
    };
    let rows = rows / smaller;
    let (columns, classes) = match name {
        "wide.csv" => (columns / smaller, *classes),
        _ => (*columns, (classes / smaller).max(2)),
    };
    let mut table = (0..columns).fold(String::new(), |head, column| head + &format!("x{column},"));
    table += "class\n";
    let mut state = 1_u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as usize
    };
    for row in 0..rows {
        let class = row % classes;
        for column in 0..columns {
            // The first columns say something of the class; calls are right two times in three.
            let cell = match (name, column) {
                ("calls.csv", _) if draw() % 3 > 0 => class,
                ("calls.csv", _) => draw() % 2,
                (_, 0..3) => draw() % 1000 + 700 * (class >> column) % 5000,
                _ => draw() % 1000,
            };
            let _ = write!(table, "{cell},");
        }
        let _ = writeln!(table, "c{class}");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_their_shapes() {
        for (name, rows, cells) in [("classes.csv", 200, 6), ("wide.csv", 20, 31)] {
            let table = text(name, 100);
            assert_eq!(table.lines().count(), rows + 1, "{name}");
            assert!(table.lines().all(|line| line.split(',').count() == cells), "{name}");
        }
        assert!(NAMES.iter().all(|name| !text(name, 1000).is_empty()));
        assert!(text("calls.csv", 1000).lines().nth(1).is_some_and(|line| line.ends_with(",c0")));
    }
}
