//! Numbers in the words of conditions.

/// A threshold to ten digits, which tells it from any value a person would write: half way
/// between two decimal numbers is rarely a short binary one.
pub(super) fn short(threshold: f64) -> String {
    let rounded: f64 = format!("{threshold:.9e}").parse().unwrap_or(threshold);
    let plain = rounded == 0.0 || (1e-5..1e15).contains(&rounded.abs());
    if plain { rounded.to_string() } else { format!("{rounded:e}") }
}
