//! What the calls of classes are worth, class by class and beside saying always the same.

use crate::classify::{Call, Criterion, Decision};
use crate::data::Classes;
use crate::error::Result;
use crate::measure::{Confusion, Outcomes, Regression};
use serde::Serialize;

/// Of more classes than this Matthews' coefficient is not given: it looks at every pair.
const MOST_PAIRED: usize = 1000;

/// What saying always the same gives on the judged rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Baseline {
    /// Of classes.
    Class {
        /// The most frequent class of the judged rows, the first one among equals.
        class: String,
        /// The share of rows that are of it.
        accuracy: f64,
    },
    /// Of numbers: what the mean of the judged rows misses.
    Mean {
        /// Root mean squared error.
        rmse: f64,
        /// Mean absolute error.
        mae: f64,
    },
}

/// What the calls of classes are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calls {
    /// The class that every row was called, if there is one.
    pub only: Option<String>,
    /// The mean over the classes of the share that was found.
    pub balanced_accuracy: f64,
    /// Matthews' correlation coefficient; none where truth or calls do not vary.
    pub matthews: Option<f64>,
    /// Every class against the rest.
    pub classes: Vec<CallsOfClass>,
    /// What the calls cost, where they were chosen by that.
    pub cost: Option<CallsCost>,
}

/// One class against the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallsOfClass {
    /// The class.
    pub class: String,
    /// How many rows, or how much weight, is of it.
    pub rows: f64,
    /// How many were called so.
    pub called: f64,
    /// The share of those called so that are; none where no row was.
    pub precision: Option<f64>,
    /// The share of its rows that was called so; none where there are no rows.
    pub recall: Option<f64>,
    /// The harmonic mean of the two; none where no row is so or was called so.
    pub f1: Option<f64>,
}

/// What calls cost a row on average, and what the best one of always saying the same would.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallsCost {
    /// Of the calls.
    pub mean: f64,
    /// The class that it costs least to say always.
    pub always: String,
    /// Of saying it always.
    pub mean_of_always: f64,
}

impl Baseline {
    /// Of true and called classes.
    pub(super) fn of_classes(confusion: &Confusion, classes: &Classes) -> Self {
        let sums = Sums::of(confusion);
        let mut most = 0;
        for (class, rows) in sums.rows.iter().enumerate() {
            most = if *rows > sums.rows[most] { class } else { most };
        }
        let accuracy = (sums.rows[most] / sums.total()).clamp(0.0, 1.0);
        Self::Class { class: classes.names()[most].clone(), accuracy }
    }

    /// Of true numbers.
    pub(super) fn of_numbers(truth: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let total: f64 = (0..truth.len()).map(weight).sum();
        // Each divided first: a sum of numbers may overflow where their mean does not.
        let mean = (0..truth.len()).map(|row| truth[row] * (weight(row) / total)).sum();
        let Regression { rmse, mae, .. } =
            Regression::new(truth, &vec![mean; truth.len()], weights)?;
        Ok(Self::Mean { rmse, mae })
    }
}

impl Calls {
    /// Of true and called classes, by a decision.
    pub(super) fn new(
        confusion: &Confusion,
        classes: &Classes,
        decision: &Decision,
    ) -> Result<Self> {
        let sums = Sums::of(confusion);
        let mut called = sums.called.iter().enumerate().filter(|(_, rows)| **rows > 0.0);
        let only = match (called.next(), called.next()) {
            (Some((only, _)), None) => Some(classes.names()[only].clone()),
            _ => None,
        };
        let of = |class: usize| sums.outcomes(class);
        let line = |(class, name): (usize, &String)| CallsOfClass {
            class: name.clone(),
            rows: sums.rows[class],
            called: sums.called[class],
            precision: of(class).precision(),
            recall: of(class).recall(),
            f1: of(class).f_beta(1.0),
        };
        let lines: Vec<CallsOfClass> = classes.names().iter().enumerate().map(line).collect();
        let found: Vec<f64> = lines.iter().filter_map(|line| line.recall).collect();
        let few = classes.len() <= MOST_PAIRED;
        Ok(Self {
            only,
            balanced_accuracy: found.iter().sum::<f64>() / found.len().max(1) as f64,
            matthews: few.then(|| confusion.mcc()).flatten(),
            classes: lines,
            cost: cost(confusion, &sums, classes, decision)?,
        })
    }
}

/// What the calls cost, where the decision knows what errors cost.
fn cost(
    confusion: &Confusion,
    sums: &Sums,
    classes: &Classes,
    decision: &Decision,
) -> Result<Option<CallsCost>> {
    let name = |class: usize| classes.names()[class].clone();
    if let Call::Costs(costs) = &decision.call {
        if costs.classes() != confusion.classes() {
            return Ok(None);
        }
        let mean = confusion.mean_cost(costs)?;
        let shares: Vec<f64> = sums.rows.iter().map(|rows| rows / sums.total()).collect();
        let always = costs.cheapest(&shares);
        let mean_of_always = costs.expected(&shares, always);
        return Ok(Some(CallsCost { mean, always: name(always), mean_of_always }));
    }
    let (Criterion::Cost(under), 2) = (&decision.criterion, confusion.classes()) else {
        return Ok(None);
    };
    let positive = classes.positive();
    let (Some(tpr), Some(fpr)) = (confusion.tpr(positive), confusion.fpr(positive)) else {
        return Ok(None);
    };
    let (never, ever) = (under.cost(0.0, 0.0), under.cost(1.0, 1.0));
    let always = name(if ever < never { positive } else { 1 - positive });
    Ok(Some(CallsCost { mean: under.cost(fpr, tpr), always, mean_of_always: never.min(ever) }))
}

/// Rows by class, by call, and by both where they agree.
struct Sums {
    rows: Vec<f64>,
    called: Vec<f64>,
    right: Vec<f64>,
}

impl Sums {
    fn of(confusion: &Confusion) -> Self {
        let none = vec![0.0; confusion.classes()];
        let mut sums = Self { rows: none.clone(), called: none.clone(), right: none };
        for &(truth, called, rows) in confusion.cells() {
            sums.rows[truth as usize] += rows;
            sums.called[called as usize] += rows;
            if truth == called {
                sums.right[truth as usize] += rows;
            }
        }
        sums
    }

    fn total(&self) -> f64 {
        self.rows.iter().sum()
    }

    fn outcomes(&self, class: usize) -> Outcomes {
        let (rows, called, right) = (self.rows[class], self.called[class], self.right[class]);
        Outcomes {
            true_positive: right,
            false_positive: called - right,
            false_negative: rows - right,
            true_negative: self.total() - rows - called + right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Average, Conditions, CostMatrix, Rate};

    fn classes(names: &[&str]) -> Classes {
        Classes::new(names.iter().map(|&name| name.to_owned()).collect()).expect("classes")
    }

    #[test]
    fn lines_of_classes_are_those_of_the_confusion_matrix() -> Result<()> {
        let (truth, called) = ([0, 0, 1, 2, 2, 2, 1], [0, 1, 1, 2, 0, 2, 2]);
        let confusion = Confusion::new(&truth, &called, 3, None)?;
        let calls = Calls::new(&confusion, &classes(&["a", "b", "c"]), &Decision::default())?;
        for (class, line) in calls.classes.iter().enumerate() {
            let of = confusion.outcomes(class);
            assert_eq!((line.precision, line.recall), (of.precision(), of.recall()));
            assert_eq!(line.f1, of.f_beta(1.0));
        }
        assert!((calls.balanced_accuracy - confusion.balanced_accuracy()).abs() < 1e-15);
        let recall = confusion.average(Rate::Recall, Average::Macro).expect("rows").value;
        assert!((calls.balanced_accuracy - recall).abs() < 1e-15);
        assert_eq!((calls.only, calls.cost), (None, None));
        let Baseline::Class { class, accuracy } =
            Baseline::of_classes(&confusion, &classes(&["a", "b", "c"]))
        else {
            unreachable!("classes")
        };
        assert_eq!((class.as_str(), accuracy), ("c", 3.0 / 7.0));
        Ok(())
    }

    #[test]
    fn one_call_for_all_is_named_and_does_not_correlate() -> Result<()> {
        let confusion = Confusion::new(&[0, 0, 1], &[0, 0, 0], 2, None)?;
        let calls = Calls::new(&confusion, &classes(&["no", "yes"]), &Decision::default())?;
        assert_eq!((calls.only.as_deref(), calls.matthews), (Some("no"), None));
        assert_eq!(calls.balanced_accuracy, 0.5);
        assert_eq!((calls.classes[1].precision, calls.classes[1].f1), (None, Some(0.0)));
        Ok(())
    }

    #[test]
    fn costs_are_those_of_the_conditions_or_of_the_matrix() -> Result<()> {
        let (truth, called) = ([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]);
        let confusion = Confusion::new(&truth, &called, 2, None)?;
        let two = classes(&["no", "yes"]);
        // A quarter of the others called so, half of the positives missed, one in ten positive.
        let criterion = Criterion::Cost(Conditions::new(1.0, 20.0, 0.1)?);
        let decision = Decision { criterion, ..Decision::threshold(0.3) };
        let cost = Calls::new(&confusion, &two, &decision)?.cost.expect("costs");
        assert!((cost.mean - (0.9 * 0.25 + 0.1 * 0.5 * 20.0)).abs() < 1e-12);
        assert_eq!((cost.always.as_str(), cost.mean_of_always), ("yes", 0.9));
        let matrix = CostMatrix::new(&[vec![0.0, 1.0], vec![3.0, 0.0]])?;
        let cost = Calls::new(&confusion, &two, &Decision::costs(matrix))?.cost.expect("costs");
        assert!((cost.mean - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!(cost.always, "yes");
        assert!((cost.mean_of_always - 4.0 / 6.0).abs() < 1e-12);
        Ok(())
    }

    #[test]
    fn the_mean_misses_what_numbers_vary() -> Result<()> {
        let of = |truth: &[f64], weights: Option<&[f64]>| Baseline::of_numbers(truth, weights);
        let Baseline::Mean { rmse, mae } = of(&[1.0, 3.0, 5.0, 7.0], None)? else {
            unreachable!("numbers")
        };
        assert!((rmse - 5f64.sqrt()).abs() < 1e-12 && (mae - 2.0).abs() < 1e-12);
        assert_eq!(of(&[1.0, 1.0, 7.0], None)?, of(&[1.0, 7.0], Some(&[2.0, 1.0]))?);
        Ok(())
    }
}
