//! Tests of significance against all arrangements of a few values, and what must hold of them
//! whatever the values.

use evocracy::measure::significance::{
    Alternative, Better, Friedman, McNemar, Nemenyi, Null, Zeros, benjamini_hochberg, holm,
    mann_whitney, wilcoxon,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn adjusted_p_values_keep_the_order_and_only_grow(
        p in prop::collection::vec(0.0f64..=1.0, 0..40),
    ) {
        let (first, second) = (holm(&p).unwrap(), benjamini_hochberg(&p).unwrap());
        for i in 0..p.len() {
            prop_assert!(p[i] <= second[i] && second[i] <= first[i] + 1e-15 && first[i] <= 1.0);
            for j in 0..p.len() {
                if p[i] <= p[j] {
                    prop_assert!(first[i] <= first[j] && second[i] <= second[j]);
                }
            }
        }
    }

    #[test]
    fn counted_groups_equal_enumeration(
        values in prop::collection::vec(0i32..6, 2..9), cut in 1usize..8,
    ) {
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        let cut = cut.min(values.len() - 1);
        let wins = |chosen: u32| -> f64 {
            let is = |i: usize| chosen >> i & 1 == 1;
            (0..values.len()).filter(|&i| is(i)).map(|i| {
                let win = |j: usize| {
                    let (a, b) = (values[i], values[j]);
                    f64::midpoint(f64::from(a > b), f64::from(a >= b))
                };
                (0..values.len()).filter(|&j| !is(j)).map(win).sum::<f64>()
            }).sum()
        };
        let seen = wins((1 << cut) - 1);
        let all: Vec<f64> = (0..1u32 << values.len())
            .filter(|chosen| chosen.count_ones() as usize == cut).map(wins).collect();
        let share = |f: &dyn Fn(f64) -> bool| {
            all.iter().filter(|u| f(**u)).count() as f64 / all.len() as f64
        };
        let (less, greater) = (share(&|u| u <= seen), share(&|u| u >= seen));
        let p = |side| mann_whitney(&values[..cut], &values[cut..], side, Null::Exact).unwrap();
        prop_assert_eq!(p(Alternative::Less).u, seen);
        prop_assert!((p(Alternative::Less).p_value - less).abs() < 1e-12);
        prop_assert!((p(Alternative::Greater).p_value - greater).abs() < 1e-12);
        let two = (2.0 * less.min(greater)).min(1.0);
        prop_assert!((p(Alternative::TwoSided).p_value - two).abs() < 1e-12);
        let side = Alternative::Greater;
        let turned = mann_whitney(&values[cut..], &values[..cut], side, Null::Exact);
        prop_assert!((turned.unwrap().p_value - less).abs() < 1e-12);
    }

    #[test]
    fn counted_signs_equal_enumeration(
        values in prop::collection::vec(-5i32..6, 1..9), pratt: bool,
    ) {
        let d: Vec<f64> = values.into_iter().map(f64::from).collect();
        let zeros = if pratt { Zeros::Pratt } else { Zeros::Drop };
        let ranked: Vec<f64> = d.iter().copied().filter(|d| pratt || *d != 0.0).collect();
        let rank = |v: f64| -> f64 {
            let below = ranked.iter().filter(|d| d.abs() < v.abs()).count() as f64;
            let equal = ranked.iter().filter(|d| d.abs() == v.abs()).count() as f64;
            below + f64::midpoint(equal, 1.0)
        };
        let ranks: Vec<f64> = ranked.iter().filter(|d| **d != 0.0).map(|d| rank(*d)).collect();
        let seen: f64 = ranked.iter().filter(|d| **d > 0.0).map(|d| rank(*d)).sum();
        let sums: Vec<f64> = (0..1u32 << ranks.len()).map(|signs| {
            ranks.iter().enumerate().filter(|(i, _)| signs >> i & 1 == 1).map(|(_, r)| r).sum()
        }).collect();
        let share = |f: &dyn Fn(f64) -> bool| {
            sums.iter().filter(|s| f(**s)).count() as f64 / sums.len() as f64
        };
        let p = |side| wilcoxon(&d, zeros, side, Null::Exact).unwrap();
        prop_assert_eq!(p(Alternative::Less).above, seen);
        prop_assert!((p(Alternative::Less).p_value - share(&|s| s <= seen)).abs() < 1e-12);
        prop_assert!((p(Alternative::Greater).p_value - share(&|s| s >= seen)).abs() < 1e-12);
    }

    #[test]
    fn mcnemar_equals_coin_flips(first in 0u64..12, second in 0u64..12) {
        let all = first + second;
        let choose = |k: u64| (0..k).fold(1.0, |c, i| c * (all - i) as f64 / (i + 1) as f64);
        let tail: f64 = (0..=first.min(second)).map(choose).sum::<f64>() / 2f64.powi(all as i32);
        let test = McNemar::of(first, second);
        prop_assert!((test.p_value - (2.0 * tail).min(1.0)).abs() < 1e-12);
        let turned = McNemar::of(second, first);
        prop_assert_eq!((test.p_value, test.chi_square), (turned.p_value, turned.chi_square));
    }

    #[test]
    fn ranks_of_methods_only_know_the_order(
        rows in prop::collection::vec(prop::collection::vec(0i32..6, 4), 2..12),
    ) {
        let of = |f: &dyn Fn(i32) -> f64, better| {
            let results: Vec<Vec<f64>> =
                rows.iter().map(|r| r.iter().map(|&v| f(v)).collect()).collect();
            Friedman::new(&results, better).unwrap()
        };
        let plain = of(&f64::from, Better::Higher);
        prop_assert_eq!(&plain, &of(&|v| f64::from(v).exp(), Better::Higher));
        prop_assert_eq!(&plain, &of(&|v| -f64::from(v), Better::Lower));
        prop_assert!((plain.average_ranks.iter().sum::<f64>() - 10.0).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&plain.chi_square_p));
        let nemenyi = Nemenyi::new(&plain, 0.05).unwrap();
        for (i, row) in nemenyi.p_values.iter().enumerate() {
            for (j, p) in row.iter().enumerate() {
                prop_assert_eq!(*p, nemenyi.p_values[j][i]);
                let apart = (plain.average_ranks[i] - plain.average_ranks[j]).abs();
                let different = apart >= nemenyi.critical_difference;
                prop_assert!((*p <= 0.05) == different || (p - 0.05).abs() < 1e-9);
                let together = nemenyi.groups.iter().any(|g| g.contains(&i) && g.contains(&j));
                prop_assert_eq!(together, !different);
            }
        }
    }
}
