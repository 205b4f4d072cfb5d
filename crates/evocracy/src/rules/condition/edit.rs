//! Changing conditions so that they still match a row: mutation within the niche of the row, and
//! crossover of two conditions that both match it.

use super::Layout;
use crate::evolve::{Rng, below};
use crate::num::bits::{has, insert};
use rand::Rng as _;
use std::ops::Range;

fn clear(condition: &mut [u64], span: Range<usize>) {
    for literal in span {
        condition[literal / 64] &= !(1 << (literal % 64));
    }
}

fn own(layout: &Layout, attribute: usize, row: &[u64]) -> Option<usize> {
    layout.span(attribute).find(|&literal| has(row, literal))
}

/// Lets the attribute have only the value it has in the row; nothing where that is missing.
pub(crate) fn narrow_to(layout: &Layout, condition: &mut [u64], attribute: usize, row: &[u64]) {
    if let Some(own) = own(layout, attribute, row) {
        for literal in layout.span(attribute).filter(|&literal| literal != own) {
            insert(condition, literal);
        }
    }
}

/// Lets the attribute have any value.
pub(crate) fn forget(layout: &Layout, condition: &mut [u64], attribute: usize) {
    clear(condition, layout.span(attribute));
}

/// Changes the test of the attribute. Where there is none, one for the row's value or for some values
/// around it is added; else the test is dropped, or allows or forbids one more value.
pub(crate) fn mutate(
    layout: &Layout,
    condition: &mut [u64],
    attribute: usize,
    row: &[u64],
    rng: &mut Rng,
) {
    let span = layout.span(attribute);
    let specified = span.clone().any(|literal| has(condition, literal));
    if span.len() <= 2 {
        if specified {
            clear(condition, span);
        } else {
            narrow_to(layout, condition, attribute, row);
        }
        return;
    }
    let Some(own) = own(layout, attribute, row) else { return clear(condition, span) };
    match (specified, below(3, rng)) {
        (false, _) if layout.ordered(attribute) => {
            // Bounded above, below or on both sides, at random bounds around the row's value.
            let (low, high) = (below(own - span.start + 1, rng), below(span.end - own, rng));
            let side = below(3, rng);
            let low = if side == 0 { span.start } else { own - low };
            let high = if side == 1 { span.end - 1 } else { own + high };
            span.filter(|l| *l < low || *l > high).for_each(|l| insert(condition, l));
        }
        (false, 0) => {
            let coins = rng.next_u64();
            for (coin, literal) in span.enumerate() {
                if literal != own && coins >> (coin % 64) & 1 == 0 {
                    insert(condition, literal);
                }
            }
        }
        (false, _) => narrow_to(layout, condition, attribute, row),
        (true, 0) => clear(condition, span),
        (true, side) => step(layout, condition, attribute, own, side == 1, rng),
    }
}

/// Allows (`widen`) or forbids one more value; that of the row stays allowed.
fn step(
    layout: &Layout,
    condition: &mut [u64],
    attribute: usize,
    own: usize,
    widen: bool,
    rng: &mut Rng,
) {
    let span = layout.span(attribute);
    let at_edge = |literal: usize| {
        // The values allowed must stay an interval.
        let beside = [literal.wrapping_sub(1), literal + 1];
        beside.iter().any(|l| !span.contains(l) || has(condition, *l))
            && (!widen || beside.iter().any(|l| span.contains(l) && !has(condition, *l)))
    };
    let fit = |&literal: &usize| {
        has(condition, literal) == widen
            && literal != own
            && (!layout.ordered(attribute) || at_edge(literal))
    };
    let count = span.clone().filter(fit).count();
    if let Some(chosen) = span.clone().filter(fit).nth(below(count, rng)) {
        condition[chosen / 64] ^= 1 << (chosen % 64);
    }
}

/// Swaps each attribute in which two conditions differ with probability 1/2.
pub(crate) fn cross_uniform(layout: &Layout, a: &mut [u64], b: &mut [u64], rng: &mut Rng) {
    let (mut coins, mut left, mut from) = (0, 0, 0);
    while let Some(literal) = difference(a, b, from) {
        if left == 0 {
            (coins, left) = (rng.next_u64(), 64);
        }
        let span = layout.span(layout.attribute(literal));
        from = span.end;
        if coins & 1 == 1 {
            swap(a, b, span);
        }
        (coins, left) = (coins >> 1, left - 1);
    }
}

/// The first literal from `from` on that only one of two sets has.
fn difference(a: &[u64], b: &[u64], from: usize) -> Option<usize> {
    let mut hide = u64::MAX << (from % 64);
    for at in from / 64..a.len() {
        let differ = (a[at] ^ b[at]) & hide;
        if differ != 0 {
            return Some(at * 64 + differ.trailing_zeros() as usize);
        }
        hide = u64::MAX;
    }
    None
}

/// Swaps the attributes between two places drawn at random.
pub(crate) fn cross_two_point(layout: &Layout, a: &mut [u64], b: &mut [u64], rng: &mut Rng) {
    let count = layout.attributes() + 1;
    let (one, other) = (below(count, rng), below(count, rng));
    let (from, to) = (one.min(other), one.max(other));
    if from < to {
        swap(a, b, layout.span(from).start..layout.span(to - 1).end);
    }
}

/// Swaps a range of literals.
fn swap(a: &mut [u64], b: &mut [u64], span: Range<usize>) {
    let mut at = span.start;
    while at < span.end {
        let (word, from) = (at / 64, at % 64);
        let count = (64 - from).min(span.end - at);
        let mask = (u64::MAX >> (64 - count)) << from;
        let differ = (a[word] ^ b[word]) & mask;
        a[word] ^= differ;
        b[word] ^= differ;
        at += count;
    }
}
