//! Who is compared: methods by name, with settings.

use crate::classify::Predicts;
use crate::error::Result;
use crate::method::{Entry, Method, make, registry};

/// A method that is compared.
pub struct Entrant {
    name: String,
    settings: Vec<(String, String)>,
    method: Box<dyn Method>,
}

impl Entrant {
    /// The method `name` with settings, as [`make`] takes them.
    pub fn new(name: &str, settings: &[(String, String)]) -> Result<Self> {
        let method = make(name, settings)?;
        Ok(Self { name: name.to_owned(), settings: settings.to_vec(), method })
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The settings that differ from the defaults.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The method.
    pub fn method(&self) -> &dyn Method {
        self.method.as_ref()
    }
}

/// The names of all methods that predict this and can be named alone; and of those that cannot,
/// because nobody but the caller knows their members.
pub fn fitting(predicts: Predicts) -> (Vec<&'static str>, Vec<&'static str>) {
    let alone = |entry: &Entry| {
        let members = entry.members;
        members.most == 0 || !members.default.is_empty() || !members.own.is_empty()
    };
    let entries = registry().into_iter().filter(|entry| entry.predicts == predicts);
    let (alone, others): (Vec<Entry>, Vec<Entry>) = entries.partition(alone);
    let names = |entries: Vec<Entry>| entries.iter().map(|entry| entry.name).collect();
    (names(alone), names(others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_taken_or_named_as_left_out() {
        let (classes, left) = fitting(Predicts::Class);
        assert!(classes.contains(&"forest") && classes.contains(&"vote"));
        assert!(left.contains(&"labels-vote"), "{left:?}");
        let (numbers, none) = fitting(Predicts::Number);
        assert!(numbers.contains(&"ridge") && none.is_empty());
        assert_eq!(classes.len() + left.len() + numbers.len(), registry().len());
        assert!(classes.iter().chain(&numbers).all(|name| Entrant::new(name, &[]).is_ok()));
    }
}
