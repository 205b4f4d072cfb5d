//! P-values of many tests at once.

use crate::error::{Error, Result};

/// Holm's adjusted p-values (S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70): calling
/// those at most alpha different makes any mistake at all with probability at most alpha.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (smaller, &at) in order.iter().enumerate() {
        let tests = (p_values.len() - smaller) as f64;
        largest = largest.max((tests * p_values[at]).min(1.0));
        adjusted[at] = largest;
    }
    Ok(adjusted)
}

/// Benjamini and Hochberg's adjusted p-values (Journal of the Royal Statistical Society B 57 (1995)
/// 289-300): of those at most alpha, a share of at most alpha is expected to be mistakes, for
/// independent tests.
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>> {
    let order = ascending(p_values)?;
    let tests = p_values.len() as f64;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest: f64 = 1.0;
    for (before, &at) in order.iter().enumerate().rev() {
        smallest = smallest.min(tests / (before + 1) as f64 * p_values[at]);
        // Rounding must not take a p-value below what it was.
        smallest = smallest.max(p_values[at]);
        adjusted[at] = smallest;
    }
    Ok(adjusted)
}

fn ascending(p_values: &[f64]) -> Result<Vec<usize>> {
    if let Some(at) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
        return Err(Error::unsuitable(
            format!("p-value {} is {}", at + 1, p_values[at]),
            "p-values lie between 0 and 1; leave out tests that have none",
        ));
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        let near = |ours: Vec<f64>, theirs: [f64; 4]| {
            ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-15)
        };
        let p = [0.01, 0.04, 0.03, 0.005];
        assert!(near(holm(&p).unwrap(), [0.03, 0.06, 0.06, 0.02]));
        assert!(near(benjamini_hochberg(&p).unwrap(), [0.02, 0.04, 0.04, 0.02]));
        assert_eq!(holm(&[]).unwrap(), [0.0; 0]);
        assert!(holm(&[f64::NAN]).is_err() && benjamini_hochberg(&[1.1]).is_err());
    }
}
