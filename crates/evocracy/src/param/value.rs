//! The types a parameter may have and the ranges it may be held in.

use serde::Serialize;
use std::fmt;
use std::ops::{RangeFrom, RangeFull, RangeInclusive};

/// A type that a parameter may have.
pub trait Value: Sized {
    /// The value written as `text`, if it is one.
    fn parse(text: &str) -> Option<Self>;
    /// The text that [`Value::parse`] reads back.
    fn show(&self) -> String;
}

/// What a parameter's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParamKind {
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// One of some words.
    Choice,
    /// Any text.
    Text,
}

/// The values that a parameter takes, for programs: what a range says in words may be narrower.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Allowed {
    /// What they are.
    pub kind: ParamKind,
    /// The least number that is allowed; exact for whole numbers up to 2^53.
    pub low: Option<f64>,
    /// The greatest number that is allowed.
    pub high: Option<f64>,
    /// The words of a choice, or those that may stand in place of a number.
    pub choices: Vec<&'static str>,
}

impl Allowed {
    /// All values of a kind.
    pub fn any(kind: ParamKind) -> Self {
        Self { kind, low: None, high: None, choices: Vec::new() }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64| match self.kind {
            // Whole numbers are written out, however large.
            ParamKind::Whole => value.to_string(),
            _ => value.show(),
        };
        f.write_str(match self.kind {
            ParamKind::Whole => "a whole number",
            ParamKind::Number => "a number",
            ParamKind::Flag => "true or false",
            ParamKind::Choice => return write!(f, "one of {}", self.choices.join(", ")),
            ParamKind::Text => "text",
        })?;
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, " from {} to {}", number(low), number(high))?,
            (Some(low), None) => write!(f, " of at least {}", number(low))?,
            (None, Some(high)) => write!(f, " of at most {}", number(high))?,
            (None, None) => {}
        }
        self.choices.iter().try_for_each(|word| write!(f, ", or {word}"))
    }
}

/// A range that a parameter is held in.
pub trait Bounds<T> {
    /// Whether the value is inside.
    fn hold(&self, value: &T) -> bool;
    /// The range for programs.
    fn allowed(&self) -> Allowed;
    /// The range in words.
    fn takes(&self) -> String {
        self.allowed().to_string()
    }
}

/// A number type: its values have an order.
trait Number: Value + PartialOrd {
    const KIND: ParamKind;
    fn as_f64(&self) -> f64;
}

/// The numbers of a type between two bounds.
fn between<T: Number>(low: &T, high: Option<&T>) -> Allowed {
    let (low, high) = (Some(low.as_f64()), high.map(Number::as_f64));
    Allowed { low, high, ..Allowed::any(T::KIND) }
}

macro_rules! whole_numbers {
    ($( $ty:ty ),+) => { $(
        impl Value for $ty {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn show(&self) -> String {
                self.to_string()
            }
        }
        impl Number for $ty {
            const KIND: ParamKind = ParamKind::Whole;
            fn as_f64(&self) -> f64 {
                *self as f64
            }
        }
    )+ };
}

whole_numbers!(usize, u64);

impl Value for f64 {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        let plain = *self == 0.0 || (1e-4..1e7).contains(&self.abs());
        if plain { self.to_string() } else { format!("{self:e}") }
    }
}

impl Number for f64 {
    const KIND: ParamKind = ParamKind::Number;
    fn as_f64(&self) -> f64 {
        *self
    }
}

impl Value for bool {
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for String {
    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl<T: Number> Bounds<T> for RangeInclusive<T> {
    fn hold(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn allowed(&self) -> Allowed {
        between(self.start(), Some(self.end()))
    }
}

impl<T: Number> Bounds<T> for RangeFrom<T> {
    fn hold(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn allowed(&self) -> Allowed {
        between(&self.start, None)
    }
}

impl Bounds<String> for RangeFull {
    fn hold(&self, _value: &String) -> bool {
        true
    }

    fn allowed(&self) -> Allowed {
        Allowed::any(ParamKind::Text)
    }
}

impl Bounds<bool> for RangeFull {
    fn hold(&self, _value: &bool) -> bool {
        true
    }

    fn allowed(&self) -> Allowed {
        Allowed::any(ParamKind::Flag)
    }
}
