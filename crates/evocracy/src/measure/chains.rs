//! How well chains of dependent samples have mixed: autocorrelation, effective sample size and the
//! split R-hat.
//!
//! A. Gelman, J. B. Carlin, H. S. Stern, D. B. Dunson, A. Vehtari, D. B. Rubin, "Bayesian Data
//! Analysis", third edition, 2013, sections 11.4 and 11.5. Chains are cut into halves, so that a
//! drift within a chain counts like a difference between chains.

/// Mean and variance (of n - 1) of some numbers.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// The halves of every chain, all of one length; none where a half has fewer than two samples.
fn halves<'a>(chains: &[&'a [f64]]) -> Vec<&'a [f64]> {
    let half = chains.iter().map(|chain| chain.len() / 2).min().unwrap_or(0);
    if half < 2 {
        return Vec::new();
    }
    let cut = |chain: &&'a [f64]| [&chain[..half], &chain[chain.len() - half..]];
    chains.iter().flat_map(cut).collect()
}

/// The variance within halves, and the estimate of the whole variance (11.3).
fn variances(halves: &[&[f64]]) -> Option<(f64, f64)> {
    let n = halves.first()?.len() as f64;
    let all: Vec<(f64, f64)> = halves.iter().map(|half| moments(half)).collect();
    let within = all.iter().map(|(_, variance)| variance).sum::<f64>() / all.len() as f64;
    let means: Vec<f64> = all.iter().map(|(mean, _)| *mean).collect();
    Some((within, (n - 1.0) / n * within + moments(&means).1))
}

/// The potential scale reduction of chains cut into halves (11.4): near 1 where they have mixed.
/// `None` where a chain has fewer than four samples. 1 where no sample differs from another, infinite
/// where halves differ and nothing varies within them.
pub fn split_r_hat(chains: &[&[f64]]) -> Option<f64> {
    let (within, whole) = variances(&halves(chains))?;
    Some(match (within > 0.0, whole > 0.0) {
        (true, _) => (whole / within).sqrt(),
        (false, true) => f64::INFINITY,
        (false, false) => 1.0,
    })
}

/// The longest lag that [`effective_size`] looks at: the time for a chain that hardly moves would else
/// grow with the square of its length.
const LAGS: usize = 10_000;

/// How many independent samples the chains are worth (11.8): autocorrelations are summed in pairs
/// as long as these are positive (C. J. Geyer, Statistical Science 7 (1992) 473-483). `None` where a
/// chain has fewer than four samples; 1 where none differs from another: a chain that does not move
/// tells one thing. Correlations beyond 10,000 samples are not looked at: a chain that still correlates
/// there is worth less than is said.
pub fn effective_size(chains: &[&[f64]]) -> Option<f64> {
    let halves = halves(chains);
    let (_, whole) = variances(&halves)?;
    let n = halves[0].len();
    let all = (n * halves.len()) as f64;
    if whole <= 0.0 {
        return Some(1.0);
    }
    // The autocorrelation at a lag, from the variogram (11.7).
    let correlation = |lag: usize| {
        let square = |half: &&[f64]| -> f64 {
            half[lag..].iter().zip(*half).map(|(a, b)| (a - b).powi(2)).sum()
        };
        let sum: f64 = halves.iter().map(square).sum();
        1.0 - sum / (halves.len() * (n - lag)) as f64 / (2.0 * whole)
    };
    let mut sum = 0.0;
    for lag in (1..n.saturating_sub(1).min(LAGS)).step_by(2) {
        let pair = correlation(lag) + correlation(lag + 1);
        if pair <= 0.0 {
            break;
        }
        sum += pair;
    }
    Some((all / (1.0 + 2.0 * sum)).clamp(1.0, all))
}

/// The autocorrelation of a series at a lag; 0 where nothing varies or the lag is too long.
pub fn autocorrelation(values: &[f64], lag: usize) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let of = |lag: usize| -> f64 {
        let later = values.get(lag..).unwrap_or_default();
        later.iter().zip(values).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let square = of(0);
    if square > 0.0 { of(lag) / square } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{Rng, gauss, rng};
    use crate::run::Seed;

    /// A chain whose next value is `rho` times the last plus noise.
    fn series(rho: f64, n: usize, rng: &mut Rng) -> Vec<f64> {
        let mut at = gauss(rng);
        (0..n)
            .map(|_| {
                at = rho * at + (1.0 - rho * rho).sqrt() * gauss(rng);
                at
            })
            .collect()
    }

    #[test]
    fn an_autoregressive_chain_is_worth_what_theory_says() {
        let mut rng = rng(Seed::new(8));
        for rho in [0.0, 0.5, 0.9] {
            let chains: Vec<Vec<f64>> = (0..4).map(|_| series(rho, 20_000, &mut rng)).collect();
            let chains: Vec<&[f64]> = chains.iter().map(Vec::as_slice).collect();
            let worth = effective_size(&chains).unwrap() / 80_000.0;
            let theory = (1.0 - rho) / (1.0 + rho);
            assert!((worth / theory - 1.0).abs() < 0.1, "{rho}: {worth}, not {theory}");
            assert!((autocorrelation(chains[0], 1) - rho).abs() < 0.03);
            assert!((split_r_hat(&chains).unwrap() - 1.0).abs() < 0.01);
        }
    }

    #[test]
    fn chains_that_differ_or_drift_have_a_large_r_hat() {
        let mut rng = rng(Seed::new(9));
        let same = series(0.0, 1000, &mut rng);
        let other: Vec<f64> = series(0.0, 1000, &mut rng).iter().map(|x| x + 3.0).collect();
        assert!(split_r_hat(&[&same, &other]).unwrap() > 1.5);
        let drift: Vec<f64> = same.iter().enumerate().map(|(i, x)| x + i as f64 / 200.0).collect();
        assert!(split_r_hat(&[&drift]).unwrap() > 1.5);
        assert_eq!(split_r_hat(&[&[1.0; 9]]), Some(1.0));
        assert_eq!(split_r_hat(&[&[1.0; 9], &[2.0; 9]]), Some(f64::INFINITY));
        assert_eq!(split_r_hat(&[&[1.0; 3]]), None);
        assert_eq!(effective_size(&[&[1.0; 10]]), Some(1.0));
        let apart = effective_size(&[&[1.0; 100], &[2.0; 100]]).unwrap();
        assert!((1.0..3.0).contains(&apart), "{apart}");
    }

    #[test]
    fn figures_by_hand() {
        // Halves (1, 2, 4) and (3, 5, 5): means 7/3 and 13/3, variances 7/3 and 4/3; within 11/6,
        // between means 2, whole 2/3 * 11/6 + 2 = 29/9.
        let found = split_r_hat(&[&[1.0, 2.0, 4.0, 3.0, 5.0, 5.0]]).unwrap();
        assert!((found - (29.0 / 9.0 / (11.0 / 6.0_f64)).sqrt()).abs() < 1e-12, "{found}");
    }
}
