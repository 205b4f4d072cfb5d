//! xor, parity and multiplexer against formulas written in another way.

use super::{assert_fair, assert_share, classes, codes, made};
use crate::data::Table;

/// A row as text, such as "01101", without its class.
fn row_text(table: &Table, row: usize) -> String {
    (0..table.columns().len() - 1).map(|j| char::from(b'0' + codes(table, j)[row] as u8)).collect()
}

/// All rows count up in binary.
fn assert_all(table: &Table, bits: usize) {
    assert_eq!((table.rows(), table.columns().len()), (1 << bits, bits + 1));
    for row in 0..table.rows() {
        assert_eq!(row_text(table, row), format!("{row:0bits$b}"));
    }
}

#[test]
fn the_multiplexer_follows_its_truth_table() {
    for (bits, address) in [(3, 1), (6, 2), (11, 3)] {
        let table = made(&format!("gen:multiplexer:{bits}:rows=all"));
        assert_all(&table, bits);
        for row in 0..table.rows() {
            let text = row_text(&table, row);
            let (head, data) = text.split_at(address);
            let chosen = usize::from_str_radix(head, 2).expect("bits");
            let expected = data.as_bytes()[chosen] - b'0';
            assert_eq!(classes(&table)[row], u32::from(expected), "{text}");
        }
    }
    let names: Vec<String> = made("gen:multiplexer").schema().names().map(str::to_owned).collect();
    assert_eq!(names, ["a0", "a1", "d0", "d1", "d2", "d3", "class"]);
}

#[test]
fn large_multiplexers_are_sampled() {
    for (bits, address) in [(20, 4), (37, 5), (70, 6), (135, 7)] {
        let table = made(&format!("gen:multiplexer:{bits}:rows=3000"));
        for row in 0..table.rows() {
            let text = row_text(&table, row);
            let (head, data) = text.split_at(address);
            let chosen = u64::from_str_radix(head, 2).expect("bits") as usize;
            assert_eq!(classes(&table)[row], u32::from(data.as_bytes()[chosen] - b'0'));
        }
        assert_fair(&table, 2);
    }
    assert_eq!(made("gen:multiplexer:20:rows=all").rows(), 1 << 20);
}

#[test]
fn xor_and_parity_follow_their_truth_tables() {
    for (spec, bits, k) in [
        ("gen:xor:k=2:bits=6:rows=all", 6, 2),
        ("gen:xor:9:k=5:rows=all", 9, 5),
        ("gen:xor:k=1:bits=1:rows=all", 1, 1),
        ("gen:parity:8:rows=all", 8, 8),
    ] {
        let table = made(spec);
        assert_all(&table, bits);
        for row in 0..table.rows() {
            let ones = row_text(&table, row)[..k].matches('1').count();
            assert_eq!(classes(&table)[row] == 1, ones % 2 == 1, "{spec}");
        }
    }
}

#[test]
fn drawn_bits_are_fair_and_independent() {
    let table = made("gen:parity:8:rows=20000");
    assert_fair(&table, 2);
    for j in 0..8 {
        let ones = codes(&table, j).iter().filter(|&&bit| bit == 1).count();
        assert_share(ones, 20_000, 0.5, "a bit");
        for i in 0..j {
            let pairs = codes(&table, i).iter().zip(codes(&table, j));
            assert_share(pairs.filter(|(a, b)| a == b).count(), 20_000, 0.5, "a pair");
        }
    }
}

#[test]
fn noise_flips_its_share_of_classes_and_leaves_the_bits() {
    for (name, noise) in
        [("multiplexer:11", 0.1), ("xor:8", 0.25), ("parity:7", 0.02), ("checkerboard", 0.3)]
    {
        let clean = made(&format!("gen:{name}:rows=40000"));
        let noisy = made(&format!("gen:{name}:rows=40000:noise={noise}"));
        let last = clean.columns().len() - 1;
        assert_eq!(clean.columns()[..last], noisy.columns()[..last]);
        let flipped = classes(&clean).iter().zip(classes(&noisy)).filter(|(a, b)| a != b).count();
        assert_share(flipped, 40_000, noise, name);
    }
    let (clean, all) = (made("gen:parity:4:rows=all"), made("gen:parity:4:rows=all:noise=1"));
    assert!(classes(&clean).iter().zip(classes(&all)).all(|(a, b)| a != b));
}
