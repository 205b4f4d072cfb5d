//! That a common source is claimed where experts copy, and only there.

use super::*;
use crate::committee::labels::grouping::partners;

/// Labels of `k` classes, the classes in turn.
fn table(k: u32, experts: Vec<Vec<u32>>, truth: Vec<u32>) -> Said {
    let names: Vec<String> = (0..k).map(|class| class.to_string()).collect();
    let fields = (0..experts.len()).map(|at| Field::nominal(format!("e{at}"), names.clone()));
    let schema = Schema { fields: fields.collect() };
    let columns = experts.into_iter().map(Column::Nominal).collect();
    let table = Table::new(schema, columns).expect("a table");
    Said { table, classes: Classes::new(names).expect("classes"), truth }
}

/// Who is right with this probability, and else says any other class.
fn say(truth: &[u32], k: u32, right: f64, rng: &mut impl RngExt) -> Vec<u32> {
    let one = |&class: &u32| {
        let right = rng.random_bool(right);
        if right { class } else { (class + rng.random_range(1..k)) % k }
    };
    truth.iter().map(one).collect()
}

/// The experts of each group with those of them that the report is sure of.
fn claimed(said: &Said) -> Vec<(usize, Vec<String>)> {
    let (stop, pool) = (Stop::new(), Pool::new(2).expect("threads"));
    let settings = [("folds".to_owned(), "0".to_owned())];
    let method = make("labels-hidden", &settings).expect("a method");
    let model = method.train(&said.task(), &Run::new(1, &stop, &pool)).expect("a model").model;
    let sources = labels(&model).report().sources.iter();
    let clear = |group: &Vec<crate::classify::CopiedExpert>| {
        let clear = group.iter().filter(|expert| expert.is_clear());
        (group.len(), clear.map(|expert| expert.name.clone()).collect())
    };
    sources.map(clear).collect()
}

/// The best of many groups gains something by chance, and experts that are good have the truth in
/// common: neither is a source.
#[test]
fn no_source_is_claimed_of_independent_experts() {
    let mut grown = 0;
    for (at, (rows, k)) in [(60, 2), (200, 2), (300, 5), (600, 20)].into_iter().enumerate() {
        for seed in 0..5 {
            let mut rng = Seed::new(100 * at as u64 + seed).rng();
            let truth: Vec<u32> = (0..rows).map(|row| row % k).collect();
            let experts = [0.55, 0.6, 0.65, 0.7, 0.75, 0.8].map(|a| say(&truth, k, a, &mut rng));
            for (size, clear) in claimed(&table(k, experts.to_vec(), truth)) {
                assert!(clear.is_empty(), "{rows} rows, {k} classes, seed {seed}: {clear:?}");
                grown = grown.max(size);
            }
        }
    }
    assert!(grown <= 3, "{grown} independent experts are taken for copies of one source");
}

/// Seven, three and two experts that copy three sources in three of four rows.
#[test]
fn sources_of_experts_that_copy_are_claimed() {
    let mut rng = Seed::new(7).rng();
    let truth: Vec<u32> = (0..500).map(|row| row % 10).collect();
    let mut experts = Vec::new();
    for size in [7, 3, 2] {
        let source = say(&truth, 10, 0.6, &mut rng);
        for _ in 0..size {
            let mut own = say(&truth, 10, 0.6, &mut rng);
            for (own, source) in own.iter_mut().zip(&source) {
                if rng.random_bool(0.75) {
                    *own = *source;
                }
            }
            experts.push(own);
        }
    }
    let groups = claimed(&table(10, experts, truth));
    let sizes: Vec<(usize, usize)> =
        groups.iter().map(|(all, clear)| (*all, clear.len())).collect();
    assert_eq!(sizes, [(7, 7), (3, 3), (2, 2)]);
    assert_eq!(groups[1].1, ["e7", "e8", "e9"]);
}

/// The second copies the first in even rows, the third in odd ones: rows of weight choose.
#[test]
fn weights_count_in_the_choice_of_partners() {
    let mut said = Said::draw(300, &[0.7, 0.7, 0.7], 31);
    let mut all = columns(&said);
    for row in 0..300 {
        all[1 + row % 2][row] = all[0][row];
    }
    said = Said::new(all, said.truth);
    let (experts, mut rows) = parts(&said);
    for (odd, partner) in [(0, 1), (1, 2)] {
        rows.weights = (0..300).map(|row| if row % 2 == odd { 1.9 } else { 0.1 }).collect();
        assert_eq!(partners(&experts, &rows, 1)[0], [partner]);
    }
}
