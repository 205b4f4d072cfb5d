//! What holds whatever the rows are, and what small known problems must give.

use super::condition::{Allowed, Condition, Prices};
use super::em::Em;
use super::family::{Family, Labels, Normal};
use super::hill_climb::HillClimb;
use super::progress::Steps;
use super::rows::BinnedRows;
use super::state::{MixtureState, TrainingSet};
use crate::data::{Cells as Values, Column, Field, MISSING, Schema, Table};
use crate::num::bits;
use crate::run::{Stop, Watch};
use proptest::prelude::*;

fn training_set<'a, F>(
    rows: &'a BinnedRows,
    weights: &'a [f64],
    family: &'a F,
    prices: &'a Prices,
) -> TrainingSet<'a, F> {
    static NEVER: Stop = Stop::new();
    TrainingSet { rows, weights, family, prices, stop: &NEVER, steps: Steps::new(&Watch::new("")) }
}

/// A table of a nominal column of four levels, a number column and their gaps.
fn table(levels: &[u32], numbers: &[u32]) -> Table {
    let schema =
        Schema { fields: vec![Field::nominal("l", ["a", "b", "c", "d"]), Field::number("x")] };
    let levels = levels.iter().map(|&l| if l == 4 { MISSING } else { l }).collect();
    let numbers = numbers.iter().map(|&x| if x == 9 { f64::NAN } else { f64::from(x) }).collect();
    Table::new(schema, vec![Column::Nominal(levels), Column::Number(numbers)]).unwrap()
}

fn condition(set: u32, low: u32, high: u32, bins: u32) -> Condition {
    let mut condition = Condition::default();
    let set: Vec<bool> = (0..4).map(|level| set >> level & 1 == 1).collect();
    condition.set(0, Some(Allowed::Set(set)));
    let (low, high) = (low.min(bins - 1), high.min(bins - 1));
    condition.set(1, Some(Allowed::Range(low.min(high), low.max(high))));
    condition
}

/// Adds rules, with the weights 10 to the given powers where there are some, and holds that no step
/// of EM lowers what is maximised, and that the sums in the state are those of its members.
fn rises<F: Family>(data: &TrainingSet<'_, F>, conditions: Vec<Condition>, powers: &[i32]) {
    let mut state = MixtureState::new(data);
    for condition in conditions {
        let (member, gain) = HillClimb::new(&state).fit(condition);
        let before = state.objective();
        state.members.push(member);
        state.recompute();
        assert!((state.objective() - before - gain).abs() < 1e-6 * before.abs().max(1.0));
    }
    for (member, power) in state.members[1..].iter_mut().zip(powers) {
        member.gating = 10_f64.powi(*power);
    }
    state.recompute();
    let mut em = Em::new(data, &state.members);
    let mut now = em.objective(&state.members);
    assert!((now - state.objective()).abs() < 1e-7 * now.abs().max(1.0));
    for _ in 0..20 {
        em.step(&mut state.members);
        let next = em.objective(&state.members);
        assert!(next.is_finite());
        assert!(next >= now - 1e-9 * now.abs().max(1.0), "{now} fell to {next}");
        now = next;
    }
    em.write_back(&mut state.numerator, &mut state.denominator);
    let (numerator, denominator) = (state.numerator.clone(), state.denominator.clone());
    state.recompute();
    for row in 0..numerator.len() {
        assert!((numerator[row] - state.numerator[row]).abs() <= 1e-9 * numerator[row]);
        assert!((denominator[row] - state.denominator[row]).abs() <= 1e-9 * denominator[row]);
    }
}

proptest! {
    #[test]
    fn sets_of_rows_are_those_a_naive_matcher_finds(
        cells in prop::collection::vec((0u32..5, 0u32..10), 1..200),
        set in 1u32..15, low in 0u32..9, high in 0u32..9,
    ) {
        let (levels, numbers): (Vec<u32>, Vec<u32>) = cells.into_iter().unzip();
        let table = table(&levels, &numbers);
        let used: Vec<u32> = (0..levels.len() as u32).collect();
        let (rows, became) = BinnedRows::new(table.view(), &used, 5, |_| 0);
        let cuts = rows.columns[1].cuts.clone().unwrap();
        let condition = condition(set, low, high, cuts.len() as u32 + 1);
        let covered = rows.covered_by(&condition);
        let Some(Allowed::Range(low, high)) = condition.test(1) else { unreachable!() };
        let (Values::Nominal(levels), Values::Number(numbers)) =
            (table.view().cells(0), table.view().cells(1)) else { unreachable!() };
        for (at, &row) in became.iter().enumerate() {
            let level = levels[at] == MISSING || set >> levels[at] & 1 == 1;
            let above = *low == 0 || numbers[at] > cuts[*low as usize - 1];
            let below = cuts.get(*high as usize).is_none_or(|cut| numbers[at] <= *cut);
            let number = numbers[at].is_nan() || (above && below);
            prop_assert_eq!(bits::has(&covered, row as usize), level && number);
        }
    }

    #[test]
    fn em_never_lowers_what_is_maximised(
        cells in prop::collection::vec((0u32..5, 0u32..10, 0u32..3, 1u32..4), 3..120),
        rules in prop::collection::vec((1u32..15, 0u32..9, 0u32..9), 1..6),
        alpha in 0.01f64..2.0,
        powers in prop::collection::vec(-6i32..=9, 0..6),
        outlier in prop::sample::select(vec![0.0, 1e2, -1e3, 1e6]),
    ) {
        let levels: Vec<u32> = cells.iter().map(|cell| cell.0).collect();
        let numbers: Vec<u32> = cells.iter().map(|cell| cell.1).collect();
        let table = table(&levels, &numbers);
        let used: Vec<u32> = (0..levels.len() as u32).collect();
        // Every row stays by itself.
        let (rows, became) = BinnedRows::new(table.view(), &used, 5, u64::from);
        let mut weights = vec![0.0; rows.len()];
        let (mut labels, mut values) = (vec![0; rows.len()], vec![0.0; rows.len()]);
        for (at, &row) in became.iter().enumerate() {
            weights[row as usize] = f64::from(cells[at].3);
            labels[row as usize] = cells[at].2;
            values[row as usize] = f64::from(cells[at].2) + f64::from(cells[at].1) * 0.1;
        }
        values[0] += outlier;
        let prices = Prices::new(&rows, weights.iter().sum(), 0.3);
        let bins = rows.columns[1].bins as u32;
        let conditions = || rules.iter().map(|(set, low, high)| condition(*set, *low, *high, bins));
        let labels = Labels::new(labels, 3, alpha);
        let data = training_set(&rows, &weights, &labels, &prices);
        rises(&data, conditions().collect(), &powers);
        let normal = Normal { values, alpha, spread: 0.1 };
        let data = training_set(&rows, &weights, &normal, &prices);
        rises(&data, conditions().collect(), &powers);
    }
}

proptest! {
    #[test]
    fn the_worth_of_rows_is_that_of_what_fits_them_best(
        counts in prop::collection::vec(0u32..50, 3), values in prop::collection::vec(-3f64..3.0, 1..40),
        alpha in 0.01f64..20.0, spread in 1e-3f64..1.0,
    ) {
        let check = |family: &dyn Family, stats: &[f64]| {
            let mut params = Vec::new();
            family.fit(stats, &mut params);
            let sum = family.log_likelihood(stats, &params) + family.log_prior(&params);
            (family.max_log_posterior(stats) - sum).abs() <= 1e-9 * sum.abs().max(1.0)
        };
        let stats: Vec<f64> = counts.iter().map(|&count| f64::from(count)).collect();
        prop_assert!(check(&Labels::new(vec![0; 50], 3, alpha), &stats));
        let normal = Normal { values, alpha, spread };
        let mut stats = [0.0; 3];
        (0..normal.values.len()).for_each(|row| normal.add_stats(row, 1.0, &mut stats));
        prop_assert!(check(&normal, &stats));
    }

    #[test]
    fn of_few_levels_the_best_set_is_found(
        cells in prop::collection::vec((0u32..5, 0u32..9, 0u32..3), 3..120),
    ) {
        let levels: Vec<u32> = cells.iter().map(|cell| cell.0).collect();
        let numbers: Vec<u32> = cells.iter().map(|cell| cell.1).collect();
        let table = table(&levels, &numbers);
        let used: Vec<u32> = (0..levels.len() as u32).collect();
        let (rows, became) = BinnedRows::new(table.view(), &used, 2, u64::from);
        let mut labels = vec![0; rows.len()];
        became.iter().zip(&cells).for_each(|(&row, cell)| labels[row as usize] = cell.2);
        let weights = vec![1.0; rows.len()];
        let prices = Prices::new(&rows, weights.len() as f64, 0.1);
        let labels = Labels::new(labels, 3, 0.1);
        let data = training_set(&rows, &weights, &labels, &prices);
        let state = MixtureState::new(&data);
        let climb = HillClimb::new(&state);
        let score = |condition: &Condition| {
            let mut sums = vec![0.0; climb.stride];
            bits::each(&rows.covered_by(condition), |row| climb.accumulate(row, &mut sums));
            climb.score(&sums).0 - climb.price(condition)
        };
        // A climb ends where no set of levels and no side of the cut is better.
        let found = climb.run(Condition::default(), None);
        let most = score(&found);
        let side = |side| Allowed::Range(side, side);
        for set in 1..15_u32 {
            let set = Allowed::Set((0..4).map(|level| set >> level & 1 == 1).collect());
            let mut other = found.clone();
            other.set(0, Some(set));
            prop_assert!(score(&other) <= most + 1e-6);
        }
        if rows.columns[1].bins == 2 {
            for number in [side(0), side(1)] {
                let mut other = found.clone();
                other.set(1, Some(number));
                prop_assert!(score(&other) <= most + 1e-6);
            }
        }
    }
}

#[test]
fn a_spread_that_rounding_would_lose_is_refused() {
    use crate::classify::Learner;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::run::{Pool, Run, Stop};
    let data = Catalogue::embedded().open("gen:sinc:rows=20", &Load::default()).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let method = super::MoeRegression::default().spread(1e-12);
    let error = method.fit(&data.task().unwrap(), &Run::new(1, &stop, &pool)).unwrap_err();
    assert!(error.to_string().contains("spread"), "{error}");
}
