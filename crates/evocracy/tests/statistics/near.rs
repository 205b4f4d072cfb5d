//! Comparing numbers, and drawing those that Python draws, too: see `reference/big.py`.

pub use crate::common::near;

/// `n` numbers in [0, 1).
pub fn uniform(seed: u64, n: u64) -> Vec<f64> {
    let draw = |i: u64| {
        let mut z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    };
    (1..=n).map(draw).collect()
}

/// Within `tolerance` of what is expected, in units of itself: for tails and variances.
#[track_caller]
pub fn close(name: &str, what: &str, ours: f64, theirs: f64, tolerance: f64) {
    let off = (ours - theirs).abs();
    assert!(off <= tolerance * theirs.abs(), "{name}: {what} {ours}, expected {theirs}");
}

/// Both there and near, or neither there.
#[track_caller]
pub fn same(name: &str, what: &str, ours: Option<f64>, theirs: Option<f64>, tolerance: f64) {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => near(name, what, ours, theirs, tolerance),
        (None, None) => {}
        _ => panic!("{name}: {what} {ours:?}, expected {theirs:?}"),
    }
}
