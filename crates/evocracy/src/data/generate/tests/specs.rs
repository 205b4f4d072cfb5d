//! Names of generated data sets: what they mean, what is wrong with wrong ones.

use super::super::{Generator, GeneratorPlan, MOST_CELLS, Multiplexer, registry};
use super::made;
use crate::data::catalogue::{Catalogue, Load};
use crate::data::{Column, Goal};
use crate::error::Error;
use crate::run::Seed;
use proptest::prelude::*;

/// The message and the help of a refused name.
fn refused(spec: &str) -> String {
    let error = GeneratorPlan::parse(spec).expect_err(spec);
    format!("{error}; {}", error.help().unwrap_or_default())
}

#[test]
fn the_same_seed_gives_the_same_rows_and_another_gives_others() {
    for entry in registry() {
        let name = entry.name;
        let plan = GeneratorPlan::parse(name).expect(name);
        assert_eq!(plan.generate(3).unwrap(), plan.generate(3).unwrap(), "{name}");
        assert_ne!(plan.generate(3).unwrap(), plan.generate(4).unwrap(), "{name}");
        let fixed = GeneratorPlan::parse(&format!("{name}:seed=3")).expect(name);
        assert_eq!(plan.generate(3).unwrap(), fixed.generate(4).unwrap(), "{name}");
        assert_eq!(fixed.name(), name);
    }
}

#[test]
fn fewer_rows_are_the_first_rows_of_more() {
    for entry in registry().iter().filter(|entry| entry.name != "gen:genes") {
        let few = made(&format!("{}:rows=50", entry.name));
        let more = made(&format!("{}:rows=90", entry.name));
        let rows: Vec<u32> = (0..50).collect();
        let view = more.view().with_rows(&rows);
        for (column, values) in few.columns().iter().enumerate() {
            assert_eq!(*values, view.gather(column), "{}", entry.name);
        }
    }
}

/// Pinned for ever: a change here would silently change published results.
#[test]
fn the_rows_are_pinned() {
    let bytes = |name: &str| {
        let mut hash = crc32fast::Hasher::new();
        for column in made(name).columns() {
            let text = match column {
                Column::Nominal(codes) => format!("{codes:?}"),
                // Functions of libm may differ in the last bits between machines.
                Column::Number(values) => format!("{values:.6?}"),
            };
            hash.update(text.as_bytes());
        }
        hash.finalize()
    };
    let found: Vec<(&str, u32)> = registry().iter().map(|e| (e.name, bytes(e.name))).collect();
    let pinned = [
        ("gen:checkerboard", 729_395_331),
        ("gen:friedman1", 242_599_629),
        ("gen:genes", 973_730_819),
        ("gen:moons", 4_223_386_510),
        ("gen:multiplexer", 1_351_640_129),
        ("gen:parity", 1_184_085_031),
        ("gen:ripley", 1_640_740_481),
        ("gen:sinc", 3_411_407_482),
        ("gen:waveform", 1_130_977_816),
        ("gen:xor", 342_766_464),
    ];
    assert_eq!(found, pinned);
}

#[test]
fn sizes_and_settings_name_the_same_parameters() {
    assert_eq!(made("gen:multiplexer:11:rows=99"), made("gen:multiplexer:size=11:rows=99"));
    assert_eq!(made("gen:genes:20:30"), made("gen:genes:rows=20:genes=30"));
    let table = Multiplexer::default().size(11).generate(Seed::new(1)).unwrap();
    assert_eq!(made("gen:multiplexer:11"), table);
}

#[test]
fn slips_are_recognised() {
    for (spec, said) in [
        ("gen:mutliplexer:20", "did you mean `gen:multiplexer`?"),
        ("moons:rows=4", "no generator `moons`"),
        ("gen:", "known generators: gen:checkerboard"),
        ("gen:moons:rwos=4", "no parameter `rwos` in `gen:moons`; did you mean `rows`?"),
        ("gen:moons:sede=4", "did you mean `seed`?"),
        ("gen:moons:seed=-4", "whole number of at least 0, not `-4`"),
        ("gen:moons:train", "takes no size `train`"),
        ("gen:genes:62:2000:5", "takes no size `5` beyond rows and genes"),
        ("gen:moons:rows=4:rows=5", "given once, not `4` and `5`"),
        ("gen:multiplexer:6:size=6", "given once"),
        ("gen:moons:", "takes no size ``"),
        ("gen:multiplexer:", "not ``"),
    ] {
        assert!(refused(spec).contains(said), "{spec}: {}", refused(spec));
    }
    let error = Catalogue::embedded().open("moons", &Load::default()).unwrap_err();
    assert_eq!(error.help().as_deref(), Some("did you mean `gen:moons`?"));
}

#[test]
fn values_outside_their_range_are_refused() {
    for (spec, said) in [
        ("gen:multiplexer:21", "3, 6, 11, 20, 37, 70, 135, 264"),
        ("gen:multiplexer:rows=1", "from 2 to 100000000, or all"),
        ("gen:multiplexer:noise=1.5", "from 0 to 1"),
        ("gen:moons:noise=inf", "from 0"),
        ("gen:moons:noise=NaN", "from 0"),
        ("gen:waveform:41", "from 21 to 40"),
        ("gen:xor:4:k=5", "at most 4 (the bits)"),
        ("gen:parity:21:rows=all", "`all` takes at most 20"),
        ("gen:multiplexer:37:rows=all", "`all` takes at most 20"),
        ("gen:genes:genes=5:informative=6", "at most 5 (the genes)"),
        ("gen:genes:genes=15", "at most 5 (the other genes)"),
        ("gen:genes:informative=0", "0 where no gene is informative"),
        ("gen:sinc:grid=yes", "true or false"),
    ] {
        assert!(refused(spec).contains(said), "{spec}: {}", refused(spec));
    }
}

#[test]
fn absurd_sizes_are_refused_before_anything_is_made() {
    for spec in [
        "gen:moons:rows=33333334",
        "gen:moons:rows=18446744073709551615",
        "gen:moons:rows=99999999999999999999999",
        "gen:genes:rows=100000000:genes=100000",
        "gen:multiplexer:65552:rows=2000",
        "gen:parity:100000:rows=1000",
    ] {
        assert!(matches!(GeneratorPlan::parse(spec), Err(Error::Param { .. })), "{spec}");
    }
    let cells = GeneratorPlan::parse("gen:moons:rows=33333333").unwrap().shape().cells();
    assert_eq!(cells, Some(MOST_CELLS - 1));
}

#[test]
fn the_catalogue_lists_and_opens_them() {
    let catalogue = Catalogue::embedded();
    for entry in registry() {
        let data = catalogue.open(entry.name, &Load::default()).expect(entry.name);
        assert_eq!(data.classes().is_none(), data.target_name() == "y", "{}", entry.name);
        let listing = catalogue.show(&format!("{}:rows=7", entry.name)).expect(entry.name);
        assert_eq!(listing.parameters.last().map(|param| param.name), Some("seed"));
        assert!(!listing.about.is_empty() && !listing.source.is_empty());
    }
    let seeded = |seed| {
        catalogue.open("gen:moons", &Load { seed, ..Load::default() }).unwrap().table().clone()
    };
    assert_ne!(seeded(1), seeded(2));
    let mut load = Load::default();
    load.options.goal = Goal::Number;
    assert!(catalogue.open("gen:sinc:rows=2:grid=true", &load).is_ok());
}

/// Pieces that names are made of, right and wrong.
fn piece() -> impl Strategy<Value = String> {
    let name = prop::sample::select(registry().iter().map(|entry| entry.name).collect::<Vec<_>>());
    let key = prop::sample::select(vec![
        "rows",
        "noise",
        "seed",
        "bits",
        "k",
        "size",
        "genes",
        "masked",
        "informative",
        "rho",
        "block",
        "within",
        "balance",
        "shift",
        "grid",
        "fields",
        "inputs",
        "attributes",
        "",
    ]);
    let value = prop_oneof![
        (0u64..300).prop_map(|n| n.to_string()),
        (-1.0f64..2.0).prop_map(|x| x.to_string()),
        any::<f64>().prop_map(|x| x.to_string()),
        any::<u64>().prop_map(|n| n.to_string()),
        prop::sample::select(vec!["all", "true", "", "-0", "1e9", "nan"]).prop_map(str::to_owned),
    ];
    prop_oneof![
        name.prop_map(str::to_owned),
        (key, value.clone()).prop_map(|(key, value)| format!("{key}={value}")),
        value,
        "\\PC{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn random_names_are_answered(
        entry in 0..registry().len(), pieces in prop::collection::vec(piece(), 0..5), known: bool,
    ) {
        let start = if known { registry()[entry].name } else { "gen" };
        let spec = format!("{start}:{}", pieces.join(":"));
        let spec = spec.strip_suffix(':').unwrap_or(&spec);
        if let Ok(plan) = GeneratorPlan::parse(spec) {
            let cells = plan.shape().cells().expect("affordable");
            prop_assert!(cells <= MOST_CELLS);
            if cells <= 20_000 {
                let table = plan.generate(1).expect("a checked plan");
                let shape = (plan.shape().rows, plan.shape().columns);
                prop_assert_eq!((table.rows(), table.columns().len()), shape);
            }
        }
    }
}
