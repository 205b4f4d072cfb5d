//! That what a group says is counted right.

use super::*;
use crate::data::{Classes, Column, Field, Schema, Table, Target, Task};
use rand::RngExt;

/// The sum over the labels that matter is the sum over all labels, also where experts cannot say
/// some of them, abstain, or copy nothing.
#[test]
fn what_a_group_says_is_summed_in_two_ways() -> crate::error::Result<()> {
    let mut rng = crate::run::Seed::new(5).rng();
    let k = 7_u32;
    let names: Vec<String> = (0..k).map(|at| at.to_string()).collect();
    let truth: Vec<u32> = (0..140).map(|row| row % k).collect();
    let columns = (0..4_u32).map(|expert| {
        let one = |&class: &u32| match rng.random_range(0..4) {
            0 => rng.random_range(0..k - expert),
            1 if expert == 2 => MISSING,
            _ => class.min(k - 1 - expert),
        };
        Column::Nominal(truth.iter().map(one).collect())
    });
    let columns = columns.collect();
    let some = |expert: u32| names[..(k - expert) as usize].to_vec();
    let fields = (0..4).map(|at| Field::nominal(format!("e{at}"), some(at))).collect();
    let table = Table::new(Schema { fields }, columns)?;
    let classes = Classes::new(names.clone())?;
    let target = Target::Class { codes: &truth, classes: &classes };
    let (experts, rows) = Rows::new(&Task::new(table.view(), "truth", target, None)?)?;
    for (group, origin) in [
        (&[0, 1, 2, 3][..], Origin::Group),
        (&[0, 2], Origin::Group),
        (&[3], Origin::Truth),
        (&[1], Origin::Group),
    ] {
        let group = Group::fit(&experts, &rows, (group, origin), 0.5, (20, &Stop::new()));
        let (mut fast, mut belief) = (vec![0.0; k as usize], vec![0.0; k as usize]);
        for row in 0..rows.len() {
            let mut said = rows.row(row).to_vec();
            if row % 5 == 0 {
                said[row % 4] = MISSING;
            }
            group.write(&said, &mut fast);
            for (class, fast) in fast.iter().enumerate() {
                let slow = group.believe(&said, class, &mut belief);
                assert!((fast - slow).abs() < 1e-9 * (1.0 + slow.abs()), "{fast} {slow}");
            }
        }
    }
    Ok(())
}
