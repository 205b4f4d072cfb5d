//! Weights of which only the ratios can be meant say the same in any unit; those that may be counts
//! are counts.

use super::{answers, methods, mixed_for, train};
use evocracy::data::Task;
use evocracy::error::Result;

/// A power of two, so that scaling rounds nothing: about a million.
const MILLION: f64 = 1_048_576.0;

#[test]
fn tiny_and_huge_weights_are_taken_by_their_ratios() -> Result<()> {
    for method in methods() {
        let data = mixed_for(method.as_ref(), 64, 8);
        let task = data.task()?;
        let said = |weight: &dyn Fn(usize) -> f64| -> Result<Vec<f64>> {
            let weights: Vec<f64> = (0..64).map(weight).collect();
            let weighted =
                Task::new(task.features, task.target_name(), task.target(), Some(&weights))?;
            answers(&train(method.as_ref(), &weighted, 1, 1)?.model, task.features)
        };
        let name = method.name();
        let plain = said(&|_| 1.0)?;
        for unit in [MILLION, 1.0 / MILLION] {
            assert!(said(&|_| unit)? == plain, "{name}: all weights {unit:e}");
        }
        let several = |unit: f64| move |row: usize| unit * [0.5, 1.5][row % 2];
        let ratios = said(&several(1.0))?;
        for unit in [MILLION, 1.0 / MILLION] {
            assert!(said(&several(unit))? == ratios, "{name}: weights around {unit:e}");
        }
    }
    Ok(())
}
