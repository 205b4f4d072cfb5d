//! Conditions against a naive matcher that reads them one attribute at a time.

use super::layout::AttributeValues;
use super::*;
use crate::classify::Test;
use crate::data::{Cells, Column, Field, MISSING, Schema, Table};
use crate::evolve::{Rng, below, chance, rng, unit};
use crate::num::bits::{self, has};
use crate::run::Seed;
use proptest::test_runner::Config as ProptestConfig;
use proptest::{prop_assert, prop_assert_eq, proptest};

/// A ternary condition as a person writes it.
fn ternary(len: usize, rng: &mut Rng) -> String {
    // Mostly wildcards: a condition of hundreds of bits would match nothing otherwise.
    let open = 1.0 - 3.0 / len as f64;
    let sign = |rng: &mut Rng| if chance(0.5, rng) { '1' } else { '0' };
    (0..len).map(|_| if chance(open, rng) { '#' } else { sign(rng) }).collect()
}

/// The literals that it forbids.
fn forbidden(text: &str) -> Vec<u64> {
    let mut set = vec![0; (text.len() * 2).div_ceil(64)];
    for (at, sign) in text.chars().enumerate() {
        let literal = match sign {
            '0' => at * 2 + 1,
            '1' => at * 2,
            _ => continue,
        };
        set[literal / 64] |= 1 << (literal % 64);
    }
    set
}

fn bits(len: usize, rows: usize, rng: &mut Rng) -> Table {
    let fields = (0..len).map(|at| Field::nominal(format!("b{at}"), ["0", "1"])).collect();
    let code = |rng: &mut Rng| if chance(0.05, rng) { MISSING } else { below(2, rng) as u32 };
    let column = |_| Column::Nominal((0..rows).map(|_| code(rng)).collect());
    Table::new(Schema { fields }, (0..len).map(column).collect()).expect("a sound table")
}

#[test]
fn ternary_populations_match_what_their_text_matches_at_all_lengths() {
    let mut rng = rng(Seed::new(1));
    let (mut hits, mut out) = (0, Vec::new());
    for len in 1..=300 {
        let table = bits(len, 8, &mut rng);
        let layout = Layout::of_view(table.view(), &[1.0; 8], 16).unwrap();
        assert_eq!(layout, Layout::bits(len));
        let rows = LiteralRows::new(&layout, table.view());
        let texts: Vec<String> =
            (0..below(150, &mut rng)).map(|_| ternary(len, &mut rng)).collect();
        let mut masks = Masks::new(layout.words());
        for text in &texts {
            masks.push(&forbidden(text));
        }
        for row in 0..8 {
            let naive = |text: &String| {
                text.chars().enumerate().all(|(at, sign)| match table.view().cells(at) {
                    Cells::Nominal(codes) if codes[row] != MISSING => {
                        sign == '#' || sign.to_digit(2) == Some(codes[row])
                    }
                    _ => true,
                })
            };
            let expected = (0..texts.len()).filter(|&at| naive(&texts[at])).map(|at| at as u32);
            let expected: Vec<u32> = expected.collect();
            masks.matching(rows.row(row), &mut out);
            assert_eq!(out, expected, "{len} bits");
            hits += expected.len();
        }
    }
    assert!(hits > 10_000, "the test must see matches: {hits}");
}

/// Numbers, levels and missing values; 70 levels reach over a word.
fn mixed(rows: usize, rng: &mut Rng) -> Table {
    let levels: Vec<String> = (0..70).map(|level| level.to_string()).collect();
    let fields = vec![
        Field::number("x"),
        Field::nominal("many", levels),
        Field::nominal("few", ["a", "b", "c"]),
        Field::number("constant"),
        Field::nominal("bit", ["0", "1"]),
        Field::number("y"),
    ];
    let number = |scale: f64, rng: &mut Rng| {
        let value = |rng: &mut Rng| (unit(rng) * scale).floor();
        let cell = |rng: &mut Rng| if chance(0.1, rng) { f64::NAN } else { value(rng) };
        Column::Number((0..rows).map(|_| cell(rng)).collect())
    };
    let code = |count: usize, rng: &mut Rng| {
        let cell =
            |rng: &mut Rng| if chance(0.1, rng) { MISSING } else { below(count, rng) as u32 };
        Column::Nominal((0..rows).map(|_| cell(rng)).collect())
    };
    let columns = vec![
        number(5.0, rng),
        code(70, rng),
        code(3, rng),
        number(1.0, rng),
        code(2, rng),
        number(1000.0, rng),
    ];
    Table::new(Schema { fields }, columns).expect("a sound table")
}

/// Whether the row fulfils the tests, as a person would find out.
fn fulfils(tests: &[Test], table: &Table, row: usize) -> bool {
    tests.iter().all(|test| match (test, table.view().cells(test.column())) {
        (Test::Among { levels, .. }, Cells::Nominal(codes)) => {
            codes[row] == MISSING || levels.contains(&codes[row])
        }
        (Test::Between { low, high, .. }, Cells::Number(values)) => {
            let value = values[row];
            value.is_nan()
                || (low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high))
        }
        _ => false,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever mutation and crossover make matches the row it was made for, is a condition, and
    /// means what its tests say, for the population as for the transposed rows.
    #[test]
    fn edited_conditions_stay_in_their_niche_and_mean_what_they_say(seed in 0..u64::MAX) {
        let mut rng = rng(Seed::new(seed));
        let count = 1 + below(200, &mut rng);
        let table = mixed(count, &mut rng);
        let layout = Layout::of_view(table.view(), &vec![1.0; count], 16).unwrap();
        let rows = LiteralRows::new(&layout, table.view());
        let transposed = Transposed::new(&layout, &rows);
        let row = below(count, &mut rng);
        let mut pair = [vec![0; layout.words()], vec![0; layout.words()]];
        let (mut out, mut covered) = (Vec::new(), Covered::new());
        for _ in 0..50 {
            for condition in &mut pair {
                mutate(&layout, condition, below(6, &mut rng), rows.row(row), &mut rng);
            }
            let [a, b] = &mut pair;
            match below(4, &mut rng) {
                0 => cross_uniform(&layout, a, b, &mut rng),
                1 => cross_two_point(&layout, a, b, &mut rng),
                2 => narrow_to(&layout, a, below(6, &mut rng), rows.row(row)),
                _ => {}
            }
            let mut masks = Masks::new(layout.words());
            for condition in &pair {
                masks.push(condition);
            }
            masks.matching(rows.row(row), &mut out);
            prop_assert_eq!(&out, &[0, 1]);
            for (at, condition) in pair.iter().enumerate() {
                prop_assert!(layout.is_condition(condition));
                let tests = layout.tests(condition);
                prop_assert_eq!(tests.len(), layout.specificity(condition));
                transposed.cover(condition, &mut covered);
                for row in 0..count {
                    masks.matching(rows.row(row), &mut out);
                    let matched = out.contains(&(at as u32));
                    prop_assert_eq!(matched, fulfils(&tests, &table, row));
                    prop_assert_eq!(matched, has(&covered, row));
                }
                prop_assert_eq!(bits::count(&covered) as usize,
                    (0..count).filter(|&row| fulfils(&tests, &table, row)).count());
            }
            prop_assert_eq!(contains(&pair[0], &pair[1]), masks.contains(0, &pair[1]));
            if contains(&pair[0], &pair[1]) {
                for row in 0..count {
                    masks.matching(rows.row(row), &mut out);
                    prop_assert!(!out.contains(&1) || out.contains(&0));
                }
            }
        }
    }

    /// Crossing swaps: what both parents forbid together stays, attribute by attribute.
    #[test]
    fn crossover_gives_each_child_whole_attributes(seed in 0..u64::MAX) {
        let mut rng = rng(Seed::new(seed));
        let table = mixed(20, &mut rng);
        let layout = Layout::of_view(table.view(), &[1.0; 20], 16).unwrap();
        let rows = LiteralRows::new(&layout, table.view());
        let mut parents = [vec![0; layout.words()], vec![0; layout.words()]];
        for parent in &mut parents {
            (0..6).for_each(|at| mutate(&layout, parent, at, rows.row(0), &mut rng));
        }
        let [mut a, mut b] = parents.clone();
        match below(2, &mut rng) {
            0 => cross_uniform(&layout, &mut a, &mut b, &mut rng),
            _ => cross_two_point(&layout, &mut a, &mut b, &mut rng),
        }
        for attribute in 0..6 {
            let part = |set: &[u64]| layout.span(attribute).map(|l| has(set, l)).collect::<Vec<_>>();
            let (old, new) = ([part(&parents[0]), part(&parents[1])], [part(&a), part(&b)]);
            prop_assert!(new == old || new == [old[1].clone(), old[0].clone()]);
        }
    }
}

#[test]
fn forged_conditions_are_told_apart() {
    let layout =
        Layout::try_from(vec![AttributeValues::Levels(2), AttributeValues::Cuts(vec![1.0, 2.0])])
            .unwrap();
    assert!(layout.is_condition(&[0b00101]));
    assert!(layout.is_condition(&[0]));
    assert!(!layout.is_condition(&[0b00011]), "a bit with no value left");
    assert!(!layout.is_condition(&[0b01000]), "two intervals");
    assert!(!layout.is_condition(&[0b10_0000]), "a literal that is not there");
    assert!(!layout.is_condition(&[0, 0]), "a word too many");
}

#[test]
fn a_file_cannot_ask_for_all_memory() {
    let forged = r#"[{"levels":4294967280},{"cuts":[1.5]}]"#;
    let refused = serde_json::from_str::<Layout>(forged).unwrap_err();
    assert!(refused.to_string().contains("4294967282 levels and intervals"), "{refused}");
    assert!(serde_json::from_str::<Layout>(r#"[{"levels":3},{"cuts":[1.5]}]"#).is_ok());
}
