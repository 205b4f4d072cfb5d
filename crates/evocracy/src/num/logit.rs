//! Logistic regression on one number: the line `a + b x` whose logistic function fits targets.
//!
//! Newton's method on the negative log-likelihood `sum w (ln(1 + e^f) - t f)`, `f = a + b x`,
//! which is convex; a step that does not lower it is halved (as in H.-T. Lin, C.-J. Lin,
//! R. C. Weng, Machine Learning 68 (2007) 267-276). `x` is standardised first:
//! that does not change Newton's steps, but their rounding errors.

/// A fitted line on the logit scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    pub intercept: f64,
    pub slope: f64,
    /// The inverse of the information: variances of intercept and slope for unit weights.
    pub intercept_variance: f64,
    pub slope_variance: f64,
}

/// The logistic function.
pub(crate) fn logistic(x: f64) -> f64 {
    if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) }
}

/// The logarithm of the odds.
pub(crate) fn logit(p: f64) -> f64 {
    p.ln() - (-p).ln_1p()
}

/// Fits both intercept and slope to targets between 0 and 1. `None` where there is no maximum to
/// be found: all `x` equal, targets that a threshold on `x` separates, or no convergence.
pub(crate) fn line(x: &[f64], target: &[f64], weight: &[f64]) -> Option<Line> {
    let scale = Scale::of(x, weight).filter(|_| !separable(x, target, weight))?;
    let z: Vec<f64> = x.iter().map(|&x| scale.apply(x)).collect();
    let objective = Loss { z: &z, target, weight, total: weight.iter().sum() };
    let mut at = [logit(objective.mean_target()), 0.0];
    if !at[0].is_finite() {
        return None;
    }
    let mut loss = objective.loss(at);
    for _ in 0..100 {
        let derivatives = objective.derivatives(at);
        let step = derivatives.newton()?;
        // Twice what the step would gain if the loss were quadratic (the squared Newton decrement).
        let gain = (derivatives.g[0] * step[0] + derivatives.g[1] * step[1]) / objective.total;
        if gain < 1e-20 {
            return scale.undo([at[0] - step[0], at[1] - step[1]], &derivatives);
        }
        let mut share = 1.0;
        loop {
            let next = [at[0] - share * step[0], at[1] - share * step[1]];
            let there = objective.loss(next);
            // So near to the minimum rounding hides the descent, and full steps are safe.
            if gain < 1e-9 || there < loss {
                (at, loss) = (next, there);
                break;
            }
            share /= 2.0;
            if share < 1e-12 {
                return None;
            }
        }
    }
    None
}

/// Whether the targets are linearly separable: a threshold on `x` has all above 0 on one side and
/// all below 1 on the other. Then there is no maximum: ever steeper lines fit ever better (A. Albert, J. A. Anderson, Biometrika 71 (1984) 1-10).
pub(crate) fn separable(x: &[f64], target: &[f64], weight: &[f64]) -> bool {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut up, mut down) = (none, none);
    for ((&x, &t), _) in x.iter().zip(target).zip(weight).filter(|(_, w)| **w > 0.0) {
        if t > 0.0 {
            up = (up.0.min(x), up.1.max(x));
        }
        if t < 1.0 {
            down = (down.0.min(x), down.1.max(x));
        }
    }
    down.1 <= up.0 || up.1 <= down.0
}

/// The shift `a` for which the mean of `logistic(a + offset)` is the mean target; `None` where
/// the targets are all 0 or all 1.
pub(crate) fn shift(offset: &[f64], target: &[f64], weight: &[f64]) -> Option<f64> {
    let total: f64 = weight.iter().sum();
    let wanted = target.iter().zip(weight).map(|(t, w)| t * w).sum::<f64>() / total;
    if !(wanted > 0.0 && wanted < 1.0) {
        return None;
    }
    let off = |a: f64| {
        let (mut value, mut slope) = (0.0, 0.0);
        for (o, w) in offset.iter().zip(weight) {
            let p = logistic(a + o);
            value += w * p;
            slope += w * p * logistic(-a - o);
        }
        (value / total - wanted, slope / total)
    };
    // With all offsets at the lowest or highest the shift would be just this.
    let bounds = offset
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &o| (low.min(o), high.max(o)));
    let (mut low, mut high) = (logit(wanted) - bounds.1 - 1.0, logit(wanted) - bounds.0 + 1.0);
    let mut a = f64::midpoint(low, high);
    for _ in 0..200 {
        let (value, slope) = off(a);
        if value > 0.0 {
            high = a;
        } else {
            low = a;
        }
        let newton = a - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - a).abs() <= 4.0 * f64::EPSILON * a.abs().max(1e-3) {
            return Some(next);
        }
        a = next;
    }
    Some(a)
}

/// How `x` is standardised.
struct Scale {
    mean: f64,
    deviation: f64,
}

impl Scale {
    fn of(x: &[f64], weight: &[f64]) -> Option<Self> {
        let total: f64 = weight.iter().sum();
        let counted = || x.iter().zip(weight).filter(|(_, w)| **w > 0.0);
        let first = *counted().next()?.0;
        if counted().all(|(x, _)| *x == first) {
            return None;
        }
        let mean = counted().map(|(x, w)| x * (w / total)).sum::<f64>();
        let largest = counted().map(|(x, _)| (x - mean).abs()).fold(0.0, f64::max);
        let square: f64 = counted().map(|(x, w)| ((x - mean) / largest).powi(2) * w).sum();
        let deviation = largest * (square / total).sqrt();
        (deviation > 0.0 && deviation.is_finite() && mean.is_finite())
            .then_some(Self { mean, deviation })
    }

    fn apply(&self, x: f64) -> f64 {
        (x - self.mean) / self.deviation
    }

    fn undo(&self, at: [f64; 2], derivatives: &Derivatives) -> Option<Line> {
        let [aa, ab, bb] = derivatives.inverse()?;
        let ratio = self.mean / self.deviation;
        Some(Line {
            intercept: at[0] - at[1] * ratio,
            slope: at[1] / self.deviation,
            intercept_variance: aa - 2.0 * ratio * ab + ratio * ratio * bb,
            slope_variance: bb / self.deviation / self.deviation,
        })
    }
}

/// The negative log-likelihood of rows in the standardised input `z`.
struct Loss<'a> {
    z: &'a [f64],
    target: &'a [f64],
    weight: &'a [f64],
    total: f64,
}

impl Loss<'_> {
    fn each(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let targets = self.target.iter().zip(self.weight);
        self.z.iter().zip(targets).filter(|(_, (_, w))| **w > 0.0).map(|(z, (t, w))| (*z, *t, *w))
    }

    fn mean_target(&self) -> f64 {
        self.each().map(|(_, t, w)| t * w).sum::<f64>() / self.total
    }

    fn loss(&self, at: [f64; 2]) -> f64 {
        let of = |(z, t, w): (f64, f64, f64)| {
            let f = at[0] + at[1] * z;
            w * (f.max(0.0) - t * f + (-f.abs()).exp().ln_1p())
        };
        self.each().map(of).sum()
    }

    fn derivatives(&self, at: [f64; 2]) -> Derivatives {
        let mut sums = Derivatives { g: [0.0; 2], h: [0.0; 3] };
        for (z, t, w) in self.each() {
            let f = at[0] + at[1] * z;
            let p = logistic(f);
            let (off, curve) = (w * (p - t), w * p * logistic(-f));
            sums.g[0] += off;
            sums.g[1] += off * z;
            sums.h[0] += curve;
            sums.h[1] += curve * z;
            sums.h[2] += curve * z * z;
        }
        sums
    }
}

/// Gradient and (symmetric) Hessian.
struct Derivatives {
    g: [f64; 2],
    h: [f64; 3],
}

impl Derivatives {
    fn inverse(&self) -> Option<[f64; 3]> {
        let [aa, ab, bb] = self.h;
        let det = aa * bb - ab * ab;
        // A flat likelihood has no maximum.
        (det > 1e-20 * aa * bb && det > 0.0).then(|| [bb / det, -ab / det, aa / det])
    }

    fn newton(&self) -> Option<[f64; 2]> {
        let [aa, ab, bb] = self.inverse()?;
        Some([aa * self.g[0] + ab * self.g[1], ab * self.g[0] + bb * self.g[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_two_rates() {
        // Two distinct x: the line goes through both logits.
        let fit = line(&[1.0, 3.0], &[0.2, 0.9], &[3.0, 5.0]).unwrap();
        assert!((fit.intercept + fit.slope - logit(0.2)).abs() < 1e-12);
        assert!((fit.intercept + 3.0 * fit.slope - logit(0.9)).abs() < 1e-12);
        let far = line(&[1e6 + 1.0, 1e6 + 3.0], &[0.2, 0.9], &[3.0, 5.0]).unwrap();
        assert!((far.slope - fit.slope).abs() < 1e-9);
    }

    #[test]
    fn no_line_without_a_maximum() {
        assert_eq!(line(&[1.0, 1.0], &[0.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(line(&[1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 1.0, 1.0], &[1.0; 4]), None);
        assert_eq!(line(&[1.0, 2.0], &[1.0, 1.0], &[1.0; 2]), None);
        assert_eq!(shift(&[1.0, 2.0], &[1.0, 1.0], &[1.0; 2]), None);
    }

    #[test]
    fn a_shift_meets_the_mean() {
        let a = shift(&[-30.0, 0.0, 4.0, 30.0], &[0.0, 1.0, 0.0, 0.0], &[1.0, 2.0, 1.0, 1.0]);
        let a = a.unwrap();
        let mean: f64 =
            logistic(a - 30.0) + 2.0 * logistic(a) + logistic(a + 4.0) + logistic(a + 30.0);
        assert!((mean - 2.0).abs() < 1e-12);
    }
}
