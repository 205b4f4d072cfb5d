//! The contract of parameter tables: programs can rely on the kind and the range that they state.

use evocracy::data::catalogue::Catalogue;
use evocracy::error::Error;
use evocracy::method::{Entry, make, registry};
use evocracy::param::{Param, ParamKind};

/// Whether a method takes the value of a parameter; any other failure is an error of the test.
fn takes(entry: &Entry, param: &Param, text: &str) -> bool {
    match make(entry.name, &[(param.name.to_owned(), text.to_owned())]) {
        Ok(_) => true,
        Err(Error::Param { name, .. }) if name == param.name => false,
        Err(error) => panic!("{} {}={text}: {error}", entry.name, param.name),
    }
}

/// The ends of the range and what is just outside of them, as text.
fn ends(param: &Param) -> (Vec<String>, Vec<String>) {
    let (low, high) = (param.allowed.low, param.allowed.high);
    let whole = param.allowed.kind == ParamKind::Whole;
    let below = |end: f64| if whole { end - 1.0 } else { end.next_down() };
    let above = |end: f64| if whole { end + 1.0 } else { end.next_up() };
    let inside = low.into_iter().chain(high).map(|end| end.to_string());
    let outside = low.map(below).into_iter().chain(high.map(above)).map(|end| end.to_string());
    (inside.collect(), outside.collect())
}

#[test]
fn defaults_are_allowed_and_values_just_outside_the_range_are_refused() {
    for entry in registry() {
        for param in (entry.table)() {
            let place = format!("{} {}", entry.name, param.name);
            assert!(takes(&entry, &param, &param.default), "{place}: the default");
            let (inside, outside) = ends(&param);
            assert!(inside.iter().all(|text| takes(&entry, &param, text)), "{place}: {inside:?}");
            let refused = outside.iter().all(|text| !takes(&entry, &param, text));
            assert!(refused, "{place}: one of {outside:?} is taken");
            let words = &param.allowed.choices;
            assert!(words.iter().all(|word| takes(&entry, &param, word)), "{place}: {words:?}");
            match param.allowed.kind {
                ParamKind::Whole | ParamKind::Number => {
                    assert_eq!(inside.len(), 2, "{place} has no range");
                    assert!(!takes(&entry, &param, "many") && !takes(&entry, &param, "nan"));
                    assert!(
                        param.allowed.kind == ParamKind::Number || !takes(&entry, &param, "1.5")
                    );
                }
                ParamKind::Flag => {
                    assert!(takes(&entry, &param, "true") && takes(&entry, &param, "false"));
                    assert!(!takes(&entry, &param, "perhaps"), "{place}");
                }
                ParamKind::Choice => {
                    assert!(words.contains(&param.default.as_str()), "{place}");
                    assert!(!takes(&entry, &param, "neither of these"), "{place}");
                }
                ParamKind::Text => assert!(inside.is_empty() && words.is_empty(), "{place}"),
            }
        }
    }
}

/// What a table says is shown by every shell: it names the options of none.
#[test]
fn tables_name_no_options_of_the_command() {
    let listed = Catalogue::embedded().list().expect("a catalogue");
    let generated = listed.into_iter().flat_map(|listing| listing.parameters);
    let methods = registry().into_iter().flat_map(|entry| (entry.table)());
    for param in methods.chain(generated) {
        for text in [&param.meaning, &param.takes, &param.default] {
            assert!(!text.contains("--"), "{}: {text}", param.name);
        }
    }
}
