//! Mutual information of variables, in nats, as it is in the table.

use super::Discrete;
use super::count::Base;

/// Counts of up to so many cells times states are kept as a table. More are counted as they occur,
/// as weighted rows are: two columns of names have as many cells as there are rows, each with as many
/// states.
const MOST_COUNTS: usize = 1 << 22;

/// How much two different variables say about each other. The table has no missing values.
pub fn mutual_information(data: &Discrete, a: usize, b: usize) -> f64 {
    information(data, a, b, &[])
}

/// How much two different variables say about each other where a third one is known.
pub fn conditional_information(data: &Discrete, a: usize, b: usize, given: usize) -> f64 {
    information(data, a, b, &[given as u32])
}

/// `sum n_gab ln(n_gab n_g / (n_ga n_gb)) / n`
fn information(data: &Discrete, a: usize, b: usize, given: &[u32]) -> f64 {
    if let Some(weights) = data.weights() {
        return weighted(data, a, b, given, weights);
    }
    let (mut base, mut counts) = (Base::default(), Vec::new());
    base.build(data, a, given);
    let states = data.states(b) as usize;
    if base.counts.len().saturating_mul(states) > MOST_COUNTS {
        return weighted(data, a, b, given, &vec![1.0; data.rows()]);
    }
    base.split(data, b, &mut counts);
    let part = |n: u32| if n > 1 { f64::from(n) * f64::from(n).ln() } else { 0.0 };
    let mut sum = 0.0;
    for ends in base.groups.windows(2) {
        let (first, end) = (ends[0] as usize, ends[1] as usize);
        let group = &counts[first * states..end * states];
        sum += group.iter().map(|&n| part(n)).sum::<f64>();
        sum += part(group.iter().sum());
        sum -= base.counts[first..end].iter().map(|&n| part(n)).sum::<f64>();
        let of = |state: usize| group.iter().skip(state).step_by(states).sum();
        sum -= (0..states).map(|state| part(of(state))).sum::<f64>();
    }
    (sum / data.rows().max(1) as f64).max(0.0)
}

/// The same of weighted rows: `H(a | g) + H(b | g) - H(a, b | g)`. Memory follows the rows.
fn weighted(data: &Discrete, a: usize, b: usize, given: &[u32], weights: &[f64]) -> f64 {
    let (mut base, mut cells) = (Base::default(), Vec::new());
    // The sum of n ln n over the combinations of some variables.
    let mut part = |variables: &[u32]| -> f64 {
        let Some((&node, parents)) = variables.split_last() else {
            let all: f64 = weights.iter().sum();
            return all * all.ln();
        };
        base.build(data, node as usize, parents);
        base.weigh(data, weights, &mut cells);
        cells.iter().map(|n| n * n.ln()).sum()
    };
    let [only_a, only_b, both] = [&[a][..], &[b], &[a, b]].map(|some| {
        let some: Vec<u32> = some.iter().map(|&variable| variable as u32).collect();
        part(&[given, &some].concat())
    });
    let sum = both + part(given) - only_a - only_b;
    (sum / weights.iter().sum::<f64>()).max(0.0)
}
