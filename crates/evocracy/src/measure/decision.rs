//! Decision curves: whether acting on predicted probabilities does more good than harm.
//!
//! A. J. Vickers, E. B. Elkin, "Decision curve analysis: a novel method for evaluating
//! prediction models", Medical Decision Making 26 (2006) 565-574.

use super::ranking::Ranking;
use super::roc::Roc;
use crate::error::{Error, Result};
use serde::Serialize;

/// The net benefit at one threshold probability, in true positives per row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NetBenefit {
    /// The chance of being positive from which on one would act.
    pub threshold: f64,
    /// Of acting on the rows with at least that probability.
    pub model: f64,
    /// Of acting on all rows. Acting on none has the net benefit 0.
    pub all: f64,
}

/// The net benefit `p(t=1) T - p(t=0) F w / (1 - w)` at each threshold `w`.
///
/// The scores of the ranking must be probabilities. The prior is that of the rows unless
/// another is given, as where positives were over-sampled.
pub fn decision_curve(
    ranking: &Ranking,
    thresholds: &[f64],
    prior: Option<f64>,
) -> Result<Vec<NetBenefit>> {
    let prior = prior.unwrap_or_else(|| ranking.prior());
    let groups = ranking.groups();
    let is_chance = |p: f64| (0.0..=1.0).contains(&p);
    if !(is_chance(groups[0].score) && is_chance(groups[groups.len() - 1].score)) {
        return Err(Error::unsuitable(
            "the scores are not probabilities, so there is no net benefit",
            "calibrate the scores, or choose a point by costs instead",
        ));
    }
    if !is_chance(prior) {
        return Err(refusal("prior", "a chance between 0 and 1", prior));
    }
    let roc = Roc::from(ranking);
    let benefit = |&threshold: &f64| {
        if !(threshold > 0.0 && threshold < 1.0) {
            return Err(refusal("threshold", "a chance above 0 and below 1", threshold));
        }
        let price = (1.0 - prior) * threshold / (1.0 - threshold);
        let at = roc.at(threshold);
        let model = prior * at.tpr - price * at.fpr;
        Ok(NetBenefit { threshold, model, all: prior - price })
    };
    thresholds.iter().map(benefit).collect()
}

fn refusal(name: &str, expected: &str, got: f64) -> Error {
    Error::Param {
        of: "decision curve".to_owned(),
        name: name.to_owned(),
        expected: expected.to_owned(),
        got: got.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probabilities_have_a_net_benefit() {
        let truth = [true, true, false, false];
        let ranking = Ranking::new(&truth, &[0.9, 0.4, 0.5, 0.1], None).unwrap();
        let found = decision_curve(&ranking, &[0.2, 0.5], None).unwrap();
        assert!((found[0].model - (2.0 - 0.25) / 4.0).abs() < 1e-15);
        assert!((found[1].model - 0.0).abs() < 1e-15 && found[1].all.abs() < 1e-15);
        assert!(decision_curve(&ranking, &[1.0], None).is_err());
        assert!(decision_curve(&ranking, &[0.5], Some(2.0)).is_err());
        let logits = Ranking::new(&truth, &[2.0, 1.0, -1.0, -2.0], None).unwrap();
        assert!(decision_curve(&logits, &[0.5], None).is_err());
    }
}
