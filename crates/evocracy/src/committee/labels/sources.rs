//! Hidden sources: experts of a group copy what one source says, and else judge for themselves.
//!
//! Given the class `c`, the source of a group says `s` with `p(s | c)`. An expert `i` of the group
//! that can say `s` does so with the probability `r_i`; else, and where it cannot, it says `e` with
//! `q_i(e | c)`. So, with `g_i(e, s) = r_i / m` where `e` is one of the `m` labels that mean `s`,
//!
//! `p(e | c) = prod_i q_i(e_i | c) sum_s p(s | c) prod_i ((1 - r_i) + g_i(e_i, s) / q_i(e_i | c))`
//!
//! with the factor 1 for experts that cannot say `s`. The numbers come from
//! expectation-maximisation, with the class known.
//!
//! An expert alone in its group is counted as in naive Bayes, or has a source that is always right:
//! then it is right at a rate that all classes share, and only what it says else is counted class by
//! class, which takes far fewer rows. Without that choice experts that are merely good would be found
//! to have one source, the truth itself.

use super::law::{Each, MOST_ADDED};
use super::rows::{Experts, Rows};
use crate::data::MISSING;
use crate::run::Stop;
use serde::{Deserialize, Serialize};

/// The most of what an expert says that can be copied.
const MOST_COPIED: f64 = 0.999;

/// The least logarithm of a share that a file may hold: counts and smoothing end far above it, and
/// what is far below has an exponential of 0, by which copies are divided.
const LEAST_LOG: f64 = -600.0;

/// Groups of experts, each expert in one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sources {
    base: Vec<f64>,
    groups: Vec<Group>,
}

/// Experts with one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Group {
    pub experts: Vec<u32>,
    /// `ln p(s | c)`, source label after source label.
    source: Vec<f64>,
    copies: Vec<Copies>,
}

/// How an expert of a group comes to what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Copies {
    /// How much of what it says is copied.
    rate: f64,
    /// For each of its states what the source says where it was copied, or [`MISSING`].
    means: Vec<u32>,
    /// Of that, the share of this state among all that mean the same.
    share: Vec<f64>,
    /// What it can say of the source's labels.
    can: Vec<bool>,
    /// `ln q(e | c)`, state after state.
    own: Vec<f64>,
    /// What its place in the group is worth on rows that were held out.
    #[serde(default)]
    worth: Worth,
}

/// What a group gains by an expert: nats by which what both say of held-out rows is likelier than if
/// the expert were alone, in sum, with the standard error of the sum.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Worth {
    pub gain: f64,
    pub error: f64,
}

/// An expert with a source that others have too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shared {
    pub expert: u32,
    /// How much of what it says is copied.
    pub rate: f64,
    pub worth: Worth,
}

/// Where what experts copy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A source of the group, found from what its experts say; an expert alone copies nothing.
    Group,
    /// The truth.
    Truth,
}

impl Copies {
    fn new(experts: &Experts, rows: &Rows, expert: usize, rate: f64, smoothing: f64) -> Self {
        let (states, k) = (rows.states[expert], rows.classes);
        let means: Vec<u32> = (0..states)
            .map(|state| experts.vote(expert, state as u32).map_or(MISSING, |class| class as u32))
            .collect();
        let alike = |wanted: &u32| means.iter().filter(|other| *other == wanted).count();
        let share = means.iter().map(|wanted| 1.0 / alike(wanted) as f64).collect();
        let can = (0..k as u32).map(|class| means.contains(&class)).collect();
        let mut counts = vec![0.0; states * k];
        for row in 0..rows.len() {
            let state = rows.row(row)[expert];
            if state != MISSING {
                counts[state as usize * k + rows.labels[row] as usize] += rows.weights[row];
            }
        }
        let own = shares(&counts, k, smoothing);
        Self { rate, means, share, can, own, worth: Worth::default() }
    }

    /// `ln(1 + g / ((1 - r) q))`: what it adds to the source's label that its state means.
    fn gain(&self, state: usize, class: usize, k: usize) -> f64 {
        let own = self.own[state * k + class].exp();
        (self.rate * self.share[state] / ((1.0 - self.rate) * own)).ln_1p()
    }
}

/// The logarithms of shares of each class, with so much added to every count.
fn shares(counts: &[f64], k: usize, smoothing: f64) -> Vec<f64> {
    let mut sums = vec![smoothing * (counts.len() / k) as f64; k];
    for (at, count) in counts.iter().enumerate() {
        sums[at % k] += count;
    }
    let each = counts.iter().enumerate();
    each.map(|(at, count)| ((count + smoothing) / sums[at % k]).ln()).collect()
}

/// A source that says the class of every row.
fn truth(k: usize) -> Vec<f64> {
    (0..k * k).map(|at| if at / k == at % k { 0.0 } else { LEAST_LOG }).collect()
}

impl Group {
    /// Fits the group to rows by so many steps of expectation-maximisation, fewer after a stop.
    pub fn fit(
        experts: &Experts,
        rows: &Rows,
        (group, origin): (&[u32], Origin),
        smoothing: f64,
        (steps, stop): (usize, &Stop),
    ) -> Self {
        let copying = group.len() > 1 || origin == Origin::Truth;
        let rate = if copying { 0.5 } else { 0.0 };
        let copies: Vec<Copies> = group
            .iter()
            .map(|&expert| Copies::new(experts, rows, expert as usize, rate, smoothing))
            .collect();
        let source = match origin {
            Origin::Group => Self::average(rows, group, &copies, smoothing),
            Origin::Truth => truth(rows.classes),
        };
        let mut fitted = Self { experts: group.to_vec(), source, copies };
        for _ in 0..if copying { steps } else { 0 } {
            if stop.requested() {
                break;
            }
            fitted = fitted.step(rows, smoothing, origin);
        }
        fitted
    }

    /// What the experts of a group say on average, with which its source begins.
    fn average(rows: &Rows, group: &[u32], copies: &[Copies], smoothing: f64) -> Vec<f64> {
        let k = rows.classes;
        let mut said = vec![0.0; k * k];
        for row in 0..rows.len() {
            for (&expert, copies) in group.iter().zip(copies) {
                let state = rows.row(row)[expert as usize];
                if let Some(&means) = copies.means.get(state as usize).filter(|&&m| m != MISSING) {
                    let part = rows.weights[row] / group.len() as f64;
                    said[means as usize * k + rows.labels[row] as usize] += part;
                }
            }
        }
        shares(&said, k, smoothing)
    }

    /// One step of expectation-maximisation.
    fn step(&self, rows: &Rows, smoothing: f64, origin: Origin) -> Self {
        let k = rows.classes;
        let mut source = vec![0.0; k * k];
        let mut own: Vec<Vec<f64>> =
            self.copies.iter().map(|copies| vec![0.0; copies.own.len()]).collect();
        // Copies and occasions to copy, as if each had been seen once.
        let mut rates = vec![(1.0, 2.0); self.copies.len()];
        let mut belief = vec![0.0; k];
        for row in 0..rows.len() {
            let (said, class, weight) =
                (rows.row(row), rows.labels[row] as usize, rows.weights[row]);
            self.believe(said, class, &mut belief);
            for (label, believed) in belief.iter().enumerate() {
                source[label * k + class] += weight * believed;
            }
            let each = self.experts.iter().zip(&self.copies).zip(own.iter_mut().zip(&mut rates));
            for ((&expert, copies), (own, rate)) in each {
                let state = said[expert as usize];
                if state == MISSING {
                    continue;
                }
                let state = state as usize;
                let able: f64 =
                    belief.iter().zip(&copies.can).filter(|(_, can)| **can).map(|(b, _)| b).sum();
                let copied = match copies.means[state] {
                    MISSING => 0.0,
                    label => {
                        // g / (g + (1 - r) q) = 1 - exp(-gain)
                        belief[label as usize] * -(-copies.gain(state, class, k)).exp_m1()
                    }
                };
                rate.0 += weight * copied;
                rate.1 += weight * able;
                own[state * k + class] += weight * (1.0 - copied);
            }
        }
        let copies = self.copies.iter().zip(own).zip(rates).map(|((old, own), (copied, all))| {
            let rate = (copied / all).min(MOST_COPIED);
            Copies { rate, own: shares(&own, k, smoothing), ..old.clone() }
        });
        let source = match origin {
            Origin::Group => shares(&source, k, smoothing),
            Origin::Truth => self.source.clone(),
        };
        Self { experts: self.experts.clone(), source, copies: copies.collect() }
    }

    /// What the source may have said of a row of this class; returns `ln p(e | c)`.
    fn believe(&self, said: &[u32], class: usize, belief: &mut [f64]) -> f64 {
        let k = belief.len();
        let mut own = 0.0;
        for (label, belief) in belief.iter_mut().enumerate() {
            *belief = self.source[label * k + class];
        }
        for (&expert, copies) in self.experts.iter().zip(&self.copies) {
            let state = said[expert as usize];
            if state == MISSING {
                continue;
            }
            let state = state as usize;
            own += copies.own[state * k + class];
            if copies.rate <= 0.0 {
                continue;
            }
            let alone = (1.0 - copies.rate).ln();
            for (belief, _) in belief.iter_mut().zip(&copies.can).filter(|(_, can)| **can) {
                *belief += alone;
            }
            if copies.means[state] != MISSING {
                belief[copies.means[state] as usize] += copies.gain(state, class, k);
            }
        }
        let top = belief.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for belief in belief.iter_mut() {
            *belief = (*belief - top).exp();
            sum += *belief;
        }
        for belief in belief {
            *belief /= sum;
        }
        own + top + sum.ln()
    }

    /// Writes `ln p(e | c)` for every class, as [`Group::believe`] returns it, where an exponential
    /// for every label and class would take far longer than what is said.
    ///
    /// With `A` the product of all `1 - r_i`, the factors of a label that all can say and none says
    /// are `A`. The shares of the source's labels sum to 1, so that the sum over labels is `A` times
    /// one more than the sum of `p(s | c) (F_s / A - 1)` over the others.
    fn write(&self, said: &[u32], out: &mut [f64]) {
        let k = out.len();
        out.fill(0.0);
        let (mut copying, mut all) = (Vec::new(), 0.0);
        for (&expert, copies) in self.experts.iter().zip(&self.copies) {
            let state = said[expert as usize];
            if state == MISSING {
                continue;
            }
            let state = state as usize;
            out.iter_mut().zip(&copies.own[state * k..]).for_each(|(out, own)| *out += own);
            if copies.rate > 0.0 {
                all += (1.0 - copies.rate).ln();
                copying.push((copies, state));
            }
        }
        if copying.is_empty() {
            return;
        }
        let mut lifts = Vec::new();
        for label in 0..k {
            let cannot = copying.iter().filter(|(copies, _)| !copies.can[label]);
            let lift = -cannot.map(|(copies, _)| (1.0 - copies.rate).ln()).sum::<f64>();
            let says = |(copies, state): &(&Copies, usize)| copies.means[*state] == label as u32;
            if lift > 0.0 || copying.iter().any(says) {
                lifts.push((label, lift));
            }
        }
        let mut terms = Vec::new();
        for (class, out) in out.iter_mut().enumerate() {
            terms.clear();
            terms.push(0.0);
            for &(label, lift) in &lifts {
                let says = copying.iter().filter(|(copies, at)| copies.means[*at] == label as u32);
                let factor =
                    lift + says.map(|(copies, at)| copies.gain(*at, class, k)).sum::<f64>();
                if factor > 0.0 {
                    let beyond_one = factor + (-(-factor).exp()).ln_1p();
                    terms.push(self.source[label * k + class] + beyond_one);
                }
            }
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = terms.iter().map(|term| (term - top).exp()).sum();
            *out += all + top + sum.ln();
        }
    }

    /// The log-likelihood of what the group says of each row, given its class, times its weight.
    pub fn log_likelihoods(&self, rows: &Rows) -> Vec<f64> {
        let mut belief = vec![0.0; rows.classes];
        let mut of = |row: usize| {
            let class = rows.labels[row] as usize;
            rows.weights[row] * self.believe(rows.row(row), class, &mut belief)
        };
        (0..rows.len()).map(&mut of).collect()
    }

    /// The log-likelihood of what the group says, given the classes.
    #[cfg(test)]
    pub fn log_likelihood(&self, rows: &Rows) -> f64 {
        self.log_likelihoods(rows).iter().sum()
    }

    /// The group with what held-out rows say of each of its experts, in their order.
    pub fn with_worth(mut self, worth: &[Worth]) -> Self {
        self.copies.iter_mut().zip(worth).for_each(|(copies, worth)| copies.worth = *worth);
        self
    }

    fn is_sound(&self, states: &[usize], classes: usize) -> bool {
        let logs = |logs: &[f64]| logs.iter().all(|log| (LEAST_LOG..=1e-9).contains(log));
        let copies = |(&expert, copies): (&u32, &Copies)| {
            let states = states[expert as usize];
            (0.0..=MOST_COPIED).contains(&copies.rate)
                && [copies.means.len(), copies.share.len()] == [states; 2]
                && copies.means.iter().all(|&m| m == MISSING || (m as usize) < classes)
                && copies.share.iter().all(|share| (0.0..=1.0).contains(share))
                && copies.can.len() == classes
                && copies.own.len() == states * classes
                && logs(&copies.own)
                && copies.worth.gain.abs() <= MOST_ADDED
                && (0.0..=MOST_ADDED).contains(&copies.worth.error)
        };
        !self.experts.is_empty()
            && self.copies.len() == self.experts.len()
            && self.source.len() == classes * classes
            && logs(&self.source)
            && self.experts.iter().zip(&self.copies).all(copies)
    }
}

impl Sources {
    pub fn new(base: Vec<f64>, groups: Vec<Group>) -> Self {
        Self { base, groups }
    }

    pub fn base(&self) -> &[f64] {
        &self.base
    }

    /// How many sources several experts share.
    pub fn count(&self) -> usize {
        self.shared().count()
    }

    /// The experts of every shared source, with how much each of them copies.
    pub fn shared(&self) -> impl Iterator<Item = Vec<Shared>> {
        let one = |(&expert, copies): (&u32, &Copies)| Shared {
            expert,
            rate: copies.rate,
            worth: copies.worth,
        };
        let several = self.groups.iter().filter(|group| group.experts.len() > 1);
        several.map(move |group| group.experts.iter().zip(&group.copies).map(one).collect())
    }

    pub fn parts(&self, row: &[u32], each: Each<'_>) {
        let k = self.base.len();
        let mut adds = vec![0.0; k];
        let mut about = Vec::new();
        for group in &self.groups {
            about.clear();
            about.extend(group.experts.iter().filter(|&&expert| row[expert as usize] != MISSING));
            if about.is_empty() {
                continue;
            }
            group.write(row, &mut adds);
            each(&about, &adds);
        }
    }

    pub fn is_sound(&self, states: &[usize], classes: usize) -> bool {
        let mut seen = vec![false; states.len()];
        for &expert in self.groups.iter().flat_map(|group| &group.experts) {
            match seen.get_mut(expert as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => return false,
            }
        }
        seen.iter().all(|seen| *seen)
            && self.base.len() == classes
            && self.base.iter().all(|base| base.abs() <= MOST_ADDED)
            && self.groups.iter().all(|group| group.is_sound(states, classes))
    }
}

#[cfg(test)]
mod tests;
