//! Searches that are stopped, and what a watcher sees of them.

use super::super::family::Labels;
use super::*;
use crate::classify::{Learner, Saved};
use crate::data::catalogue::{Catalogue, Load};
use crate::run::{Pool, Stop};

/// Stopped before anything, in the folds of the highest price, and in the search of a given price.
#[test]
fn a_search_that_is_stopped_early_has_a_rule() {
    let wide = "gen:genes:rows=60:genes=166:informative=8:shift=2";
    // At a price that a person gave there may be none that is worth it, as in 60 rows.
    let cases: [(&str, &[(u32, f64)]); 2] =
        [(wide, &[(0, 0.0), (40, 0.0)]), ("wdbc", &[(0, 0.0), (40, 0.0), (3, 1.2)])];
    for (name, stops) in cases {
        let data = Catalogue::embedded().open(name, &Load::default()).unwrap();
        let pool = Pool::new(1).unwrap();
        for &(looks, price) in stops {
            let stop = Stop::after(looks);
            let run = Run::new(1, &stop, &pool);
            let method = crate::rules::MoeGa::default().price(price);
            let fitted = method.fit(&data.task().unwrap(), &run).unwrap();
            assert_eq!(fitted.stop, StopReason::Interrupted);
            let rules = fitted.model.rules(data.table().schema()).unwrap().rules;
            let tested = rules.iter().any(|rule| !rule.tests.is_empty());
            assert!(tested, "{name}: no rule after {looks} looks");
        }
    }
}

#[test]
fn what_was_found_when_time_ran_out_is_kept() {
    let data = Catalogue::embedded().open("car", &Load::default()).unwrap();
    let task = data.task().unwrap();
    let (classes, labels) = task.labels().unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let label = |row: u32| labels[row as usize];
    let family = |first: &[u32]| {
        let codes = first.iter().map(|&row| label(row)).collect();
        Labels::new(codes, classes.len(), 0.1)
    };
    let outcome = |row: u32| u64::from(label(row));
    let data = MixtureData::new(&task, &task.weights(), 63, &run, outcome, family);
    let settings = crate::rules::MoeGa::default().epochs(30).settings();
    let progress = Progress::new(&run.watch, settings);
    let chosen = data.cross_validate(&PRICES, settings, &run, (&progress, 0)).unwrap();
    stop.request();
    let learnt = data.search(chosen, settings, &run, &progress).unwrap();
    assert_eq!(learnt.stop, StopReason::Interrupted);
    assert!(learnt.mixtures[0].len() > 5);
    assert!(learnt.notes.curve[0].error < 0.1, "{:?}", learnt.notes.curve);
}
