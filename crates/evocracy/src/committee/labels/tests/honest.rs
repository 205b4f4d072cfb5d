//! That weights tell only how rows compare, that nothing is learnt from held-out rows, that what
//! cannot be fitted is left out, and that forged files are refused.

use super::*;
use crate::classify::Saved;
use crate::committee::labels::blend::Blend;
use crate::committee::labels::blend::HeldOut;
use crate::committee::labels::settle::Settle;
use crate::committee::labels::sources::Sources;
use crate::committee::labels::trials::Trials;
use crate::data::Input;

fn weighted<'a>(said: &'a Said, weights: &'a [f64]) -> Task<'a> {
    let target = Target::Class { codes: &said.truth, classes: &said.classes };
    Task::new(said.table.view(), "truth", target, Some(weights)).expect("a task")
}

/// Weights of another scale give the same bytes, here with a power of two; equal ones are none.
#[test]
fn the_scale_of_weights_changes_nothing() -> Result<()> {
    let said = Said::draw(120, &[0.7, 0.6, 0.6], 21);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let some: Vec<f64> = (0..120).map(|row| f64::from(row % 4) * 0.75).collect();
    let more: Vec<f64> = some.iter().map(|weight| weight * 1024.0).collect();
    let settings = [("folds".to_owned(), "2".to_owned())];
    let proba = |name: &str, weights: &[f64]| -> Result<Vec<f64>> {
        let model = make(name, &settings)?.train(&weighted(&said, weights), &run)?.model;
        Ok(model.proba(said.table.view())?.values().to_vec())
    };
    for name in ALL {
        let here = proba(name, &some)?;
        assert_eq!(here, proba(name, &more)?, "{name}");
        assert_eq!(proba(name, &[1.0; 120])?, proba(name, &[8.0; 120])?, "{name}");
        if name != "labels-vote" {
            assert_ne!(here, proba(name, &[1.0; 120])?, "{name}: weights do nothing");
        }
    }
    Ok(())
}

/// Two experts depend on each other in the rows of weight alone, and a structure shows that.
#[test]
fn weights_count_in_the_search_for_structure() -> Result<()> {
    let mut said = Said::draw(600, &[0.85, 0.85], 22);
    let mut all = columns(&said);
    // In every other row the second says what the first says.
    for row in (0..600).step_by(2) {
        all[1][row] = all[0][row];
    }
    said = Said::new(all, said.truth);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let settings = [("folds".to_owned(), "0".to_owned())];
    for name in ["evobn", "labels-hc", "labels-k2"] {
        let linked = |copied: f64, others: f64| -> Result<bool> {
            let weights: Vec<f64> =
                (0..600).map(|row| if row % 2 == 0 { copied } else { others }).collect();
            let model = make(name, &settings)?.train(&weighted(&said, &weights), &run)?.model;
            let arcs = &labels(&model).report().arcs;
            Ok(arcs.iter().any(|arc| !arc.contains(&"truth".to_owned())))
        };
        assert!(linked(1.0, 1e-3)?, "{name}");
        assert!(!linked(1e-3, 1.0)?, "{name}");
    }
    Ok(())
}

/// Numbers are cut anew in each fold.
#[test]
fn held_out_rows_do_not_cut_numbers() -> Result<()> {
    let mut rng = Seed::new(23).rng();
    let numbers: Vec<f64> = (0..80).map(|_| rng.random::<f64>()).collect();
    let truth: Vec<u32> = numbers.iter().map(|&x| u32::from(x > 0.5)).collect();
    let schema = Schema { fields: vec![Field::number("x")] };
    let table = Table::new(schema, vec![Column::Number(numbers)])?;
    let classes = Classes::new(vec!["low".into(), "high".into()])?;
    let target = Target::Class { codes: &truth, classes: &classes };
    let task = Task::new(table.view(), "truth", target, None)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let trials = Trials::new(&task, 10, &run)?.expect("enough rows");
    let first = trials.inputs(0);
    assert!(!first.fields[0].levels().is_empty());
    assert!((1..10).any(|fold| trials.inputs(fold) != first), "all folds cut at one place");
    assert_eq!(<LabelsAuto as Learner>::INPUT, Input::Mixed);
    Ok(())
}

/// A network has codes of 16 bits; the next way is taken, with a remark.
#[test]
fn a_way_that_cannot_learn_is_left_out() -> Result<()> {
    let mut said = Said::draw(60, &[0.7, 0.6], 24);
    let (mut schema, cells) = said.table.into_parts();
    let levels: Vec<String> = ["a", "b", "c"].into_iter().map(str::to_owned).collect();
    let wide = levels.into_iter().chain((0..70_000).map(|at| format!("x{at}")));
    schema.fields[0] = Field::nominal("e0", wide.collect::<Vec<String>>());
    said.table = Table::new(schema, cells)?;
    let (experts, rows) = parts(&said);
    let inputs = said.table.schema().clone();
    let names =
        Names { experts: &experts, inputs: &inputs, classes: &said.classes, target: "truth" };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let settle = Settle { names: &names, rows: &rows, smoothing: 1.0, run: &run };
    let ways = [Way::Network(Structure::Evolved), Way::Weighted];
    let settled = settle.on(&ways, None, &mut Vec::new(), Vec::new())?;
    assert_eq!(settled.way, Way::Weighted);
    assert_eq!(settled.left_out.len(), 1);
    assert!(settled.left_out[0].1.to_string().contains("70003 states"));
    let refused = settle.on(&ways[..1], None, &mut Vec::new(), Vec::new());
    assert!(refused.err().expect("nothing is left").to_string().contains("states"));
    Ok(())
}

/// What would need more memory than there is for it is left out, or refused where it is asked for.
#[test]
fn a_way_that_memory_does_not_hold_is_left_out() -> Result<()> {
    let said = Said::draw(60, &[0.7, 0.6], 28);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    // Naive Bayes and the weighted vote need some hundred numbers each with all folds.
    let run = Run { memory: 6_000, ..Run::new(1, &stop, &pool) };
    let settings = [("folds".to_owned(), "3".to_owned())];
    let train = |name: &str, run: &Run<'_>| make(name, &settings)?.train(&said.task(), run);
    let model = train("labels-auto", &run)?.model;
    let report = labels(&model).report();
    let left_out: Vec<&str> = report.left_out.iter().map(|way| way.way.as_str()).collect();
    let most = ["labels-loglinear", "labels-stack", "evobn", "labels-hidden", "labels-conditional"];
    assert_eq!(left_out, most);
    assert!(report.left_out[1].why.contains("would need"), "{:?}", report.left_out[1]);
    assert!(report.compared.iter().any(|way| way.way == "labels-naive"));
    for name in ALL.iter().filter(|name| !["labels-vote", "labels-auto"].contains(name)) {
        let none = Run { memory: 1_000, ..run.clone() };
        let Err(error) = train(name, &none) else { panic!("{name} is fitted") };
        assert!(error.to_string().contains("the limit is"), "{name}: {error}");
    }
    Ok(())
}

/// A pass over the rows looks at the stop itself, and nothing begins another one after it.
#[test]
fn a_stop_ends_a_descent_within_its_rows() -> Result<()> {
    let said = Said::draw(600, &[0.7, 0.6, 0.6], 29);
    let (experts, rows) = parts(&said);
    let inputs = said.table.schema().clone();
    let names =
        Names { experts: &experts, inputs: &inputs, classes: &said.classes, target: "truth" };
    let pool = Pool::new(1)?;
    for way in [Way::Stack, Way::Loglinear] {
        for looks in [0, 3, 40, 200] {
            let stop = Stop::after(looks);
            let law = way.fit(&names, &rows, 1.0, &Run::new(1, &stop, &pool))?;
            law.check(&experts.states(), 3)?;
            // Each of three folds once or twice, then the choice of the penalty and the last descent.
            assert!((1..=8).contains(&stop.looks_after()), "{looks}: {}", stop.looks_after());
        }
    }
    Ok(())
}

/// The weights of a blend: no small change of one is better, and a way that knows nothing has none.
#[test]
fn weights_of_a_blend_are_the_best() {
    let said = Said::draw(300, &[0.8, 0.6, 0.7], 25);
    let (_, rows) = parts(&said);
    let ways: Vec<Vec<f64>> = (0..3)
        .map(|expert| {
            let mut proba = vec![0.15; 900];
            for row in 0..300 {
                let says = if expert == 2 { (row / 3) % 3 } else { rows.row(row)[expert] as usize };
                proba[row * 3 + says] = 0.7;
            }
            proba
        })
        .collect();
    let held_out = HeldOut::new(&rows, ways.iter().map(|way| &way[..]));
    let all: Vec<usize> = (0..300).collect();
    let weights = held_out.weights(&all);
    assert!(weights[0] > weights[1] && weights[1] > 0.2 && weights[2] < 0.1, "{weights:?}");
    let best = held_out.objective(&weights, &all);
    for way in 0..2 {
        for step in [-0.02, 0.02] {
            let mut other = weights.clone();
            other[way] += step;
            assert!(held_out.objective(&other, &all) < best, "{weights:?}");
        }
    }
}

/// A blend explains itself: base and parts add up to its output.
#[test]
fn a_blend_is_the_sum_of_its_parts() -> Result<()> {
    // Some copy, some do not: no way has all of the truth.
    let said = Said::draw(400, &[0.6, 0.6, 0.65, 0.7], 26);
    let mut all = columns(&said);
    for row in (0..400).filter(|row| row % 3 > 0) {
        all[1][row] = all[0][row];
    }
    let said = Said::new(all, said.truth);
    let (experts, rows) = parts(&said);
    let inputs = said.table.schema().clone();
    let names =
        Names { experts: &experts, inputs: &inputs, classes: &said.classes, target: "truth" };
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let ways = [Way::Loglinear, Way::Hidden, Way::Network(Structure::Evolved)];
    let laws: Result<Vec<Law>> = ways.iter().map(|way| way.fit(&names, &rows, 1.0, &run)).collect();
    let law = Law::Blend(Blend::new(vec![0.5, 0.4, 0.3], laws?));
    law.check(&experts.states(), 3)?;
    let mut proba = vec![0.0; 3];
    for row in [[0, 1, 2, 0], [2, 2, MISSING, 1], [MISSING; 4]] {
        law.proba(&experts, &row, &mut proba)?;
        let mut sums = vec![0.0; 3];
        let base = law.parts(&experts, &row, &mut |_, adds| {
            sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
        })?;
        sums.iter_mut().zip(base).for_each(|(sum, base)| *sum += base);
        law.link().apply(&mut sums);
        for (a, b) in sums.iter().zip(&proba) {
            assert!((a - b).abs() < 1e-9, "{sums:?} {proba:?}");
        }
    }
    let nested = Law::Blend(Blend::new(vec![1.0], vec![law]));
    assert!(nested.check(&experts.states(), 3).is_err());
    Ok(())
}

#[test]
fn forged_numbers_are_refused() -> Result<()> {
    let said = Said::draw(60, &[0.7, 0.6], 27);
    let (experts, rows) = parts(&said);
    let group = Group::fit(&experts, &rows, (&[0, 1], Origin::Group), 1.0, (3, &Stop::new()));
    let sources = Sources::new(rows.log_prior(), vec![group]);
    assert!(sources.is_sound(&rows.states, 3));
    let sound = serde_json::to_value(&sources).expect("JSON");
    for (place, value) in [
        ("/groups/0/copies/0/own/0", -1e4),
        ("/groups/0/source/1", -1e300),
        ("/groups/0/copies/1/rate", 1.5),
        ("/groups/0/copies/0/worth/gain", 1e300),
        ("/groups/0/copies/0/worth/error", -1.0),
        ("/base/0", 1e300),
    ] {
        let mut forged = sound.clone();
        *forged.pointer_mut(place).expect(place) = value.into();
        let forged: Sources = serde_json::from_value(forged).expect("the same shape");
        assert!(!forged.is_sound(&rows.states, 3), "{place}");
    }
    let model = said.train("labels-auto");
    labels(&model).check(said.table.schema())?;
    Ok(())
}
