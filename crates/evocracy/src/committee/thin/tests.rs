use super::*;
use crate::data::catalogue::{Catalogue, Load};
use crate::method::Method;
use crate::run::{Pool, Stop};
use crate::sample::AbcMlp;

fn thinned(class: &str, auc: [f64; 2], rms: f64) -> Thinned {
    let class = class.to_owned();
    Thinned { before: 10, after: 4, class, auc, rms, fewer: 2.5 }
}

#[test]
fn of_several_classes_the_worst_is_told() {
    let all = vec![
        thinned("a", [0.9, 0.89], 0.01),
        thinned("b", [0.95, 0.9], 0.02),
        thinned("c", [0.8, 0.9], 0.03),
    ];
    let found = together(all).expect("three classes");
    assert_eq!((found.before, found.after, found.fewer), (30, 12, 2.5));
    assert_eq!((found.class.as_str(), found.auc, found.rms), ("b", [0.95, 0.9], 0.03));
    assert_eq!(together(Vec::new()), None);
}

/// A limit of memory is kept; what counts errors only needs none.
#[test]
fn pruning_asks_for_memory_before_it_takes_it() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let (stop, pool, task) = (Stop::new(), Pool::new(1)?, data.task()?);
    let run = Run::new(1, &stop, &pool);
    let method = AbcMlp::default().samples(38).chains(2).steps(40).lambda(4.0).width(4.0).hidden(2);
    let model = method.train(&task, &run)?.model;
    let small = Run { memory: 5_000, ..run.clone() };
    for how in [Thin::Simplex, Thin::Rvm, Thin::RvmClassification, Thin::Combination] {
        let said = thin(model.clone(), how, &task, &small).unwrap_err().to_string();
        assert!(said.contains("and the limit is"), "{how:?}: {said}");
        let (_, figures) = thin(model.clone(), how, &task, &run)?;
        assert!(figures.before >= figures.after && figures.class == "1", "{figures:?}");
    }
    assert!(thin(model, Thin::Top(19), &task, &small).is_ok());
    // As does sampling: 2 x 38 samples of 9 parameters and what is kept beside them.
    let said = method.train(&task, &small).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("38 samples of 9 parameters would need"), "{said}");
    Ok(())
}

#[test]
fn ways_are_read_and_slips_are_told() {
    assert_eq!(Thin::parse("simplex").unwrap(), Thin::Simplex);
    assert_eq!(Thin::parse("top:68").unwrap(), Thin::Top(68));
    assert_eq!(Thin::parse("auc:0.7").unwrap(), Thin::Auc(0.7));
    for wrong in ["simplx", "top:0", "top", "auc:2", ""] {
        assert!(Thin::parse(wrong).is_err(), "{wrong}");
    }
    assert!(Thin::parse("simplx").unwrap_err().help().unwrap().contains("simplex"));
}

/// Those chosen until then are no imitation of the chain.
#[test]
fn pruning_that_is_interrupted_gives_nothing() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let (stop, pool, task) = (Stop::new(), Pool::new(1)?, data.task()?);
    let run = Run::new(1, &stop, &pool);
    let method = AbcMlp::default().samples(38).chains(2).steps(40).lambda(4.0).width(4.0).hidden(2);
    let model = method.train(&task, &run)?.model;
    for how in [Thin::Simplex, Thin::Rvm, Thin::RvmClassification, Thin::Top(19), Thin::Combination]
    {
        for looks in [0, 1, 30, 40, 60, 80] {
            let stop = Stop::after(looks);
            let found = thin(model.clone(), how, &task, &Run { stop: &stop, ..run.clone() });
            // It is finished, or not there.
            match found {
                Ok((fewer, _)) => {
                    let whole = thin(model.clone(), how, &task, &run)?.0;
                    let of = |model: &Model| model.chain().map(|chain| chain.parts().to_vec());
                    assert_eq!(of(&fewer), of(&whole), "{how:?} {looks}");
                }
                Err(error) => assert!(matches!(error, Error::Stopped), "{how:?} {looks}: {error}"),
            }
        }
    }
    Ok(())
}

/// Classifiers that never say yes imitate nothing.
#[test]
fn a_machine_without_classifiers_is_an_error_that_says_so() -> Result<()> {
    let data = Catalogue::embedded().open("ripley-synth", &Load::default())?;
    let (stop, pool, task) = (Stop::new(), Pool::new(1)?, data.task()?);
    let run = Run::new(1, &stop, &pool);
    let method = AbcMlp::default().samples(19).chains(1).steps(2).lambda(4.0).hidden(0);
    let model = method.train(&task, &run)?.model;
    let mut chain = model.chain().expect("a chain").clone();
    let mut parts = chain.parts().to_vec();
    let each = parts[0].values.len() / parts[0].len();
    for sample in parts[0].values.chunks_exact_mut(each) {
        sample.fill(0.0);
        sample[each - 1] = -1.0;
    }
    chain = chain.with_parts(parts)?;
    let said = thin(model.with_chain(chain), Thin::Rvm, &task, &run).map(|_| ()).unwrap_err();
    assert!(said.to_string().contains("no sampled classifier was chosen"), "{said}");
    Ok(())
}
