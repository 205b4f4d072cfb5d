//! The types a parameter may have and the ranges it may be held in.

use std::ops::{RangeFrom, RangeFull, RangeInclusive};

/// A type that a parameter may have.
pub trait Value: Sized {
    /// The value written as `text`, if it is one.
    fn parse(text: &str) -> Option<Self>;
    /// The text that [`Value::parse`] reads back.
    fn show(&self) -> String;
}

/// A range that a parameter is held in.
pub trait Bounds<T> {
    /// Whether the value is inside.
    fn hold(&self, value: &T) -> bool;
    /// The range in words.
    fn takes(&self) -> String;
}

/// A number type: its values have an order and a name.
trait Number: Value + PartialOrd {
    const WHAT: &'static str;
}

macro_rules! numbers {
    ($( $ty:ty : $what:literal ),+) => { $(
        impl Value for $ty {
            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn show(&self) -> String {
                self.to_string()
            }
        }
        impl Number for $ty {
            const WHAT: &'static str = $what;
        }
    )+ };
}

numbers!(usize: "a whole number", u64: "a whole number");

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
    const WHAT: &'static str = "a number";
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

    fn takes(&self) -> String {
        format!("{} from {} to {}", T::WHAT, self.start().show(), self.end().show())
    }
}

impl<T: Number> Bounds<T> for RangeFrom<T> {
    fn hold(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn takes(&self) -> String {
        format!("{} of at least {}", T::WHAT, self.start.show())
    }
}

impl Bounds<String> for RangeFull {
    fn hold(&self, _value: &String) -> bool {
        true
    }

    fn takes(&self) -> String {
        "text".to_owned()
    }
}

impl Bounds<bool> for RangeFull {
    fn hold(&self, _value: &bool) -> bool {
        true
    }

    fn takes(&self) -> String {
        "true or false".to_owned()
    }
}
