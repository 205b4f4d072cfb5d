//! Whom to call first: gains and lift of working down a ranking.

use super::ranking::Ranking;
use serde::Serialize;

/// How far one has come after the rows that score `threshold` or more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GainPoint {
    /// The lowest score reached.
    pub threshold: f64,
    /// The share of all rows reached.
    pub share: f64,
    /// The share of positives found (cumulative gain).
    pub gain: f64,
    /// How many times more positives than among as many rows drawn blindly: gain / share.
    pub lift: f64,
}

impl Ranking {
    /// Cumulative gains and lift, one point per distinct score, the highest first.
    pub fn gains(&self) -> Vec<GainPoint> {
        let all = self.positives() + self.negatives();
        let (mut positive, mut reached) = (0.0, 0.0);
        let point = |g: &super::Group| {
            positive += g.positive;
            reached += g.positive + g.negative;
            let (share, gain) = (reached / all, positive / self.positives());
            GainPoint { threshold: g.score, share, gain, lift: gain / share }
        };
        self.groups().iter().map(point).collect()
    }
}
