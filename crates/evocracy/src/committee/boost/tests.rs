//! Tests of boosting, from the inside.

use super::rounds::{Boost, LEAST_ERROR, WeakLearner, resample};
use super::*;
use crate::classify::{Classifier, Ended, Proba, Saved, Weighting};
use crate::data::{Classes, Column, Field, Schema, Table, Target};
use crate::error::Result;
use crate::run::{Pool, Seed, Stop, StopReason};
use proptest::prelude::*;

/// An expert whose calls are given, round after round; notes the weights it was given.
struct Oracle {
    calls: Vec<Vec<u32>>,
    weights: Vec<Vec<f64>>,
}

impl WeakLearner for Oracle {
    type Expert = usize;

    fn learn(&mut self, weights: &[f64], called: &mut [u32], _seed: Seed) -> Result<usize> {
        let round = self.weights.len();
        self.weights.push(weights.to_vec());
        called.copy_from_slice(&self.calls[round]);
        Ok(round)
    }
}

fn boost(rounds: usize, classes: usize, form: Form) -> Boost {
    Boost { rounds, by: Weighting::Reweighting, form, classes }
}

fn asked(
    boost: Boost,
    calls: Vec<Vec<u32>>,
    truth: &[u32],
    given: &[f64],
) -> (rounds::Boosted<usize>, Vec<Vec<f64>>) {
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let mut oracle = Oracle { calls, weights: Vec::new() };
    let boosted = boost.run(&mut oracle, truth, given, &Run::new(1, &stop, &pool)).unwrap();
    (boosted, oracle.weights)
}

#[test]
fn the_first_rounds_by_hand() {
    // Ten rows of the same class; three are called wrongly, then one of the others.
    let truth = [1; 10];
    let calls = |wrong: &[usize]| (0..10).map(|row| u32::from(!wrong.contains(&row))).collect();
    let members = vec![calls(&[0, 1, 2]), calls(&[3]), calls(&[])];
    let (boosted, weights) = asked(boost(5, 2, Form::Samme), members, &truth, &[1.0; 10]);
    // beta = 0.3 / 0.7; the three rows then weigh half of all.
    assert!((boosted.votes[0] - (0.7_f64 / 0.3).ln()).abs() < 1e-12);
    assert!((weights[1][0] - 5.0 / 3.0).abs() < 1e-12 && (weights[1][3] - 5.0 / 7.0).abs() < 1e-12);
    assert!((boosted.rounds[1].error - 1.0 / 14.0).abs() < 1e-12);
    // The third member makes no error: its vote is capped and boosting ends.
    assert_eq!((boosted.members.len(), boosted.ended), (3, Ended::Perfect));
    assert!((boosted.votes[2] - ((1.0 - LEAST_ERROR) / LEAST_ERROR).ln()).abs() < 1e-12);
    assert_eq!(
        boosted.rounds.iter().map(|r| r.training_error).collect::<Vec<_>>(),
        [0.3, 0.1, 0.0]
    );
    let bound = 2.0 * (0.3_f64 * 0.7).sqrt();
    assert!((boosted.rounds[0].bound.unwrap() - bound).abs() < 1e-12);
    assert_eq!(boosted.rounds[0].least_margin, -1.0);
}

#[test]
fn a_member_no_better_than_chance_ends_it() {
    let truth = [0, 1, 0, 1];
    let good = vec![0, 1, 0, 0];
    let bad = vec![1, 1, 0, 0];
    let (boosted, _) =
        asked(boost(9, 2, Form::Samme), vec![good.clone(), bad.clone()], &truth, &[1.0; 4]);
    assert_eq!((boosted.members, boosted.ended), (vec![0], Ended::Chance));
    // Not even the first: it stays, alone.
    let (boosted, _) = asked(boost(9, 2, Form::Samme), vec![bad], &truth, &[1.0; 4]);
    assert_eq!((boosted.votes, boosted.ended), (vec![1.0], Ended::Chance));
    assert_eq!(boosted.rounds[0].bound, None);
    // Half of the weight wrong is enough among three classes, unless M1 is asked for.
    let (truth, calls) = ([0, 1, 2, 2], vec![vec![0, 0, 1, 2], vec![0, 1, 2, 2]]);
    let (samme, _) = asked(boost(2, 3, Form::Samme), calls.clone(), &truth, &[1.0; 4]);
    assert_eq!(samme.members.len(), 2);
    assert!((samme.votes[0] - 2.0_f64.ln()).abs() < 1e-12);
    let (m1, _) = asked(boost(2, 3, Form::M1), calls, &truth, &[1.0; 4]);
    assert_eq!((m1.members.len(), m1.ended), (1, Ended::Chance));
}

/// An expert whose calls are given and, where they are worse than chance, turned round.
struct Turned<F>(F, Vec<Vec<u32>>, Vec<Vec<f64>>);

impl<F: Fn(Vec<u32>, &[f64]) -> Vec<u32>> WeakLearner for Turned<F> {
    type Expert = Vec<u32>;

    fn learn(&mut self, w: &[f64], called: &mut [u32], _: Seed) -> Result<Vec<u32>> {
        let calls = (self.0)(self.1[self.2.len()].clone(), w);
        self.2.push(w.to_vec());
        called.copy_from_slice(&calls);
        Ok(calls)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the members call: the weights keep their sum, half of the weight is on the
    /// mistakes of the last member, and the training error is at most the bound.
    #[test]
    fn invariants_of_the_rounds(
        (truth, calls, given) in (2usize..30).prop_flat_map(|rows| (
            prop::collection::vec(0u32..2, rows),
            prop::collection::vec(prop::collection::vec(0u32..2, rows), 12),
            prop::collection::vec(0.1f64..4.0, rows),
        ))
    ) {
        let better = |calls: Vec<u32>, weights: &[f64]| -> Vec<u32> {
            let rows = calls.iter().zip(&truth).zip(weights);
            let wrong: f64 = rows.filter(|((c, t), _)| c != t).map(|(_, w)| w).sum();
            let turn = wrong > 0.5 * weights.iter().sum::<f64>();
            calls.iter().map(|c| if turn { 1 - c } else { *c }).collect()
        };
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let mut weak = Turned(better, calls, Vec::new());
        let run = Run::new(1, &stop, &pool);
        let boosted = boost(12, 2, Form::Samme).run(&mut weak, &truth, &given, &run).unwrap();
        let sum: f64 = given.iter().sum();
        for (round, weights) in weak.2.iter().enumerate() {
            prop_assert!((weights.iter().sum::<f64>() - sum).abs() < 1e-9 * sum);
            if round > 0 && round < boosted.members.len() {
                let rows = boosted.members[round - 1].iter().zip(&truth).zip(weights);
                let wrong: f64 = rows.filter(|((c, t), _)| c != t).map(|(_, w)| w).sum();
                prop_assert!((wrong / sum - 0.5).abs() < 1e-9, "{}", wrong / sum);
            }
        }
        let mut gammas = 0.0;
        for round in &boosted.rounds {
            let Some(bound) = round.bound else { continue };
            gammas += (0.5 - round.error).powi(2);
            prop_assert!(round.training_error <= bound + 1e-9, "{round:?}");
            prop_assert!(bound <= (-2.0 * gammas).exp() + 1e-9);
            prop_assert!(round.least_margin <= round.mean_margin + 1e-12);
        }
    }

    #[test]
    fn resampling_draws_in_proportion(weights in prop::collection::vec(0.0f64..3.0, 2..20), seed: u64) {
        prop_assume!(weights.iter().any(|w| *w > 0.0));
        let drawn = resample(&weights, Seed::new(seed));
        let kept = weights.iter().filter(|w| **w > 0.0).count();
        prop_assert_eq!(drawn.iter().sum::<f64>(), kept as f64);
        prop_assert!(drawn.iter().zip(&weights).all(|(d, w)| *w > 0.0 || *d == 0.0));
    }
}

#[test]
fn resampling_meets_the_shares() {
    let mut sums = [0.0; 3];
    for seed in 0..2000 {
        let drawn = resample(&[1.0, 2.0, 5.0], Seed::new(seed));
        sums.iter_mut().zip(drawn).for_each(|(sum, d)| *sum += d);
    }
    let shares = sums.map(|sum| sum / 6000.0);
    for (share, expected) in shares.iter().zip([0.125, 0.25, 0.625]) {
        // Five standard errors.
        assert!((share - expected).abs() < 0.032, "{shares:?}");
    }
}

/// Two classes on a line, in stripes that no stump can part.
fn stripes() -> (Table, Vec<u32>) {
    let values: Vec<f64> = (0..120).map(f64::from).collect();
    let labels = (0..120).map(|row| row / 20 % 2).collect();
    let schema = Schema { fields: vec![Field::number("x")] };
    (Table::new(schema, vec![Column::Number(values)]).unwrap(), labels)
}

fn fit(params: &AdaBoost, stop: &Stop) -> Result<Fitted<AdaBoostModel>> {
    let (table, labels) = stripes();
    let classes = Classes::new(vec!["no".into(), "yes".into()]).unwrap();
    let target = Target::Class { codes: &labels, classes: &classes };
    let task = Task::new(table.view(), "y", target, None).unwrap();
    params.fit(&task, &Run::new(3, stop, &Pool::new(1).unwrap()))
}

#[test]
fn stumps_together_do_what_none_does_alone() {
    for by in [Weighting::Reweighting, Weighting::Resampling] {
        let params = AdaBoost::default().rounds(200).by(by);
        let fitted = fit(&params, &Stop::new()).unwrap();
        let model = &fitted.model;
        let last = model.rounds().last().unwrap();
        assert!(model.rounds()[0].training_error > 0.3);
        assert_eq!(last.training_error, 0.0, "{by:?}");
        assert!(last.least_margin > 0.0 && model.margins().least == last.least_margin);
        // The history speaks of the model as it is.
        let (table, labels) = stripes();
        let mut out = Proba::new();
        model.proba_into(table.view(), &mut out).unwrap();
        assert!((0..120).all(|row| out.best(row) == labels[row] as usize));
        assert_eq!(model.diagnostics(table.schema()).rounds.unwrap().len(), 200);
    }
}

#[test]
fn bolder_probabilities_call_the_same_classes() {
    let (table, _) = stripes();
    let of = |probability| {
        let params = AdaBoost::default().rounds(20).probability(probability);
        let model = fit(&params, &Stop::new()).unwrap().model;
        let mut out = Proba::new();
        model.proba_into(table.view(), &mut out).unwrap();
        out
    };
    let (share, odds) = (of(Probability::Share), of(Probability::Odds));
    for row in 0..120 {
        let sure = |p: &Proba| (p.row(row)[0] - 0.5).abs();
        assert_eq!(share.best(row), odds.best(row));
        assert!(sure(&odds) >= sure(&share) - 1e-12);
    }
}

#[test]
fn stopping_keeps_the_rounds_that_were_done() {
    struct Stopping<'a>(&'a Stop, usize);
    impl WeakLearner for Stopping<'_> {
        type Expert = ();
        fn learn(&mut self, _: &[f64], called: &mut [u32], _: Seed) -> Result<()> {
            self.1 += 1;
            if self.1 == 3 {
                self.0.request();
            }
            called.copy_from_slice(&[0, 1, 1]);
            called[self.1 % 3] ^= 1;
            Ok(())
        }
    }
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let weak = &mut Stopping(&stop, 0);
    let boosted = boost(9, 2, Form::Samme).run(weak, &[0, 1, 1], &[1.0; 3], &run).unwrap();
    assert_eq!((boosted.members.len(), boosted.stop()), (3, StopReason::Interrupted));
    assert!(matches!(fit(&AdaBoost::default(), &stop), Err(crate::error::Error::Stopped)));
}
