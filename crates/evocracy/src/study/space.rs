//! The settings of a method as a space to be searched, read from its table of parameters.
//!
//! A genome has a number from 0 to 1 for each parameter. Numbers that have a default above 0 are
//! searched about it, on a logarithmic scale; those whose default is 0, which mostly means "not" or
//! "by itself", are 0 or something small above it, and so are whole numbers so large that they
//! bound nothing. Words and flags are all tried. Ranges are far narrower than what a parameter
//! allows, so that no setting costs many times the default.

use crate::evolve::Reals;
use crate::param::{Param, ParamKind, Value};

/// How far about its default a whole number is searched, up and down.
const WHOLE: f64 = 4.0;
/// The same for a number.
const NUMBER: f64 = 30.0;
/// A whole number so large bounds nothing.
const UNBOUNDED: f64 = 1e5;
/// The greatest whole number where the default is 0, or bounds nothing.
const MOST: f64 = 16.0;
/// Numbers whose default is 0 reach from this share of the greatest to the greatest, which is 1.
const LEAST: f64 = 1e-4;
/// The share of a gene that means 0 where that is the default.
const NOTHING: f64 = 0.25;

/// How a gene becomes the text of a value.
#[derive(Debug, Clone, PartialEq)]
enum Gene {
    /// About a default, which one half stands for.
    About { low: f64, default: f64, high: f64, whole: bool },
    /// The default, or something small above 0.
    FromNothing { high: f64, whole: bool },
    /// One of these; the default is the first.
    Words(Vec<String>),
}

/// The parameters of a method that are searched.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    genes: Vec<(&'static str, String, Gene)>,
}

impl Settings {
    /// The parameters of a table that can be searched, but for those that are set.
    pub fn new(table: &[Param], set: &[(String, String)]) -> Self {
        let free = table.iter().filter(|param| !set.iter().any(|(name, _)| name == param.name));
        let gene = |param: &Param| Some((param.name, param.default.clone(), gene(param)?));
        Self { genes: free.filter_map(gene).collect() }
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }

    /// The genomes.
    pub fn domain(&self) -> Reals {
        Reals::cube(self.genes.len(), 0.0, 1.0)
    }

    /// The genome of the defaults.
    pub fn defaults(&self) -> Vec<f64> {
        let at = |gene: &Gene| if matches!(gene, Gene::About { .. }) { 0.5 } else { 0.0 };
        self.genes.iter().map(|(_, _, gene)| at(gene)).collect()
    }

    /// The settings of a genome that differ from the defaults.
    pub fn settings(&self, genome: &[f64]) -> Vec<(String, String)> {
        let each = self.genes.iter().zip(genome);
        let texts = each.map(|((name, default, gene), &at)| (name, default, gene.text(at)));
        let changed = texts.filter_map(|(name, default, text)| {
            let text = text.filter(|text| text != default)?;
            Some(((*name).to_owned(), text))
        });
        changed.collect()
    }
}

fn gene(param: &Param) -> Option<Gene> {
    let allowed = &param.allowed;
    let whole = allowed.kind == ParamKind::Whole;
    match allowed.kind {
        ParamKind::Text => None,
        ParamKind::Flag => {
            let other = if param.default == "true" { "false" } else { "true" };
            Some(Gene::Words(vec![param.default.clone(), other.to_owned()]))
        }
        ParamKind::Choice => {
            let others = allowed.choices.iter().filter(|word| **word != param.default);
            let others = others.map(|word| (*word).to_owned());
            Some(Gene::Words(std::iter::once(param.default.clone()).chain(others).collect()))
        }
        ParamKind::Whole | ParamKind::Number => {
            let (least, most) = (allowed.low?, allowed.high.unwrap_or(f64::MAX));
            // A word in the place of a number stays: it stands for a choice of its own.
            let default: f64 = param.default.parse().ok()?;
            if default == 0.0 || whole && default >= UNBOUNDED {
                let high = most.min(if whole { MOST } else { 1.0 });
                let fits = least <= 1.0 && least < high && (whole || least == 0.0);
                return fits.then_some(Gene::FromNothing { high, whole });
            }
            let far = if whole { WHOLE } else { NUMBER };
            let (low, high) = ((default / far).max(least), (default * far).min(most));
            let searched = default > 0.0 && low > 0.0 && low < high;
            searched.then_some(Gene::About { low, default, high, whole })
        }
    }
}

impl Gene {
    /// The text of the value; nothing for the default.
    fn text(&self, at: f64) -> Option<String> {
        let number = |value: f64, whole: bool| {
            if whole { (value.round() as u64).show() } else { rounded(value).show() }
        };
        match self {
            Self::About { low, default, high, whole } => {
                if at == 0.5 {
                    return None;
                }
                let value = if at < 0.5 {
                    low * (default / low).powf(2.0 * at)
                } else {
                    default * (high / default).powf(2.0 * at - 1.0)
                };
                Some(number(value.clamp(*low, *high), *whole))
            }
            Self::FromNothing { .. } if at < NOTHING => None,
            Self::FromNothing { high, whole } => {
                let way = (at - NOTHING) / (1.0 - NOTHING);
                let low = if *whole { 1.0 } else { LEAST * high };
                Some(number((low * (high / low).powf(way)).clamp(low, *high), *whole))
            }
            Self::Words(words) => {
                let at = ((at * words.len() as f64) as usize).min(words.len() - 1);
                words.get(at).filter(|_| at > 0).cloned()
            }
        }
    }
}

/// Three digits are enough for a parameter, and can be read.
fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::evolve::Domain;
    use crate::method::{make, registry};
    use crate::run::Seed;

    /// Every method takes every setting that its space holds, or says that settings do not go
    /// together.
    #[test]
    fn the_space_of_every_method_holds_values_that_it_takes() {
        for entry in registry() {
            let settings = Settings::new(&(entry.table)(), &[]);
            if settings.is_empty() {
                continue;
            }
            assert!(settings.settings(&settings.defaults()).is_empty(), "{}", entry.name);
            let mut rng = crate::evolve::rng(Seed::new(1));
            let domain = settings.domain();
            for _ in 0..50 {
                let found = settings.settings(&domain.sample(&mut rng));
                match make(entry.name, &found) {
                    Ok(_) | Err(Error::Unsuitable { .. }) => {}
                    Err(error) => panic!("{} {found:?}: {error}", entry.name),
                }
            }
            for corner in [0.0, 1.0] {
                let found = settings.settings(&vec![corner; domain.dimensions()]);
                let made = make(entry.name, &found);
                assert!(!matches!(made, Err(Error::Param { .. })), "{} {found:?}", entry.name);
            }
        }
    }

    #[test]
    fn what_is_set_is_not_searched() {
        let entry = registry().into_iter().find(|entry| entry.name == "knn").unwrap();
        let all = Settings::new(&(entry.table)(), &[]);
        let fewer = Settings::new(&(entry.table)(), &[("k".to_owned(), "3".to_owned())]);
        assert_eq!(all.genes.len(), fewer.genes.len() + 1);
    }
}
