//! Parameters: one table per struct feeds the check, the command line, Python and the docs.
//!
//! [`params!`](crate::params) turns a table of fields (type, default, range, meaning) into a
//! plain struct with public fields, `Default`, chainable setters and [`Params`].

mod usual;
mod value;

#[doc(hidden)]
pub use usual::unknown;
pub use value::{Allowed, Bounds, ParamKind, Value};

use crate::error::{Error, Result};

/// One row of a parameter table.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Param {
    /// Its name, as in `name=value`.
    pub name: &'static str,
    /// What it means.
    pub meaning: String,
    /// The values it takes, in words.
    pub takes: String,
    /// What it is when not given.
    pub default: String,
    /// The values it takes, for programs.
    #[serde(flatten)]
    pub allowed: Allowed,
}

impl Param {
    /// The row of a parameter of type `T` with these `#[doc]` lines, range and default.
    #[doc(hidden)]
    pub fn new<T: Value>(
        name: &'static str,
        docs: &[&str],
        range: &impl Bounds<T>,
        default: &T,
    ) -> Self {
        let (takes, allowed) = (range.takes(), range.allowed());
        Self { name, meaning: meaning(docs), takes, default: default.show(), allowed }
    }
}

/// A struct of parameters that was made by [`params!`](crate::params).
pub trait Params: Default {
    /// The name of the method, as on the command line.
    const NAME: &'static str;
    /// What the method is, in a line.
    fn summary() -> String;
    /// All parameters in order.
    fn table() -> Vec<Param>;
    /// Sets one parameter from text.
    fn set(&mut self, name: &str, text: &str) -> Result<()>;
    /// All values as text, in the order of the table.
    fn values(&self) -> Vec<(&'static str, String)>;
    /// Refuses values outside their range.
    fn check(&self) -> Result<()>;

    /// The defaults with the given settings, checked.
    fn with(settings: &[(String, String)]) -> Result<Self> {
        let mut params = Self::default();
        for (name, text) in settings {
            params.set(name, text)?;
        }
        params.check()?;
        Ok(params)
    }
}

/// An error for a value that a parameter does not take.
#[doc(hidden)]
pub fn refuse(of: &str, name: &str, expected: String, got: String) -> Error {
    Error::Param { of: of.to_owned(), name: name.to_owned(), expected, got }
}

/// The text of `#[doc]` attributes as one line.
#[doc(hidden)]
pub fn meaning(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Declares a struct of parameters.
///
/// ```
/// evocracy::params! {
///     /// A method of our own.
///     pub struct Mine as "mine" {
///         /// how deep to go
///         depth: usize = 4, 1..=64;
///         /// how much to shrink
///         shrink: f64 = 0.5, 0.0..=1.0;
///     }
/// }
/// use evocracy::param::Params;
/// let mine = Mine::default().depth(7);
/// assert!(mine.check().is_ok());
/// assert!(Mine::default().shrink(2.0).check().is_err());
/// let depth = &Mine::table()[0];
/// assert_eq!(depth.takes, "a whole number from 1 to 64");
/// assert_eq!((depth.allowed.low, depth.allowed.high), (Some(1.0), Some(64.0)));
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident as $text:literal {
            $( $(#[doc = $doc:literal])+ $field:ident : $ty:ty = $default:expr, $range:expr; )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $( $(#[doc = $doc])+ pub $field: $ty, )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub fn $field(mut self, value: $ty) -> Self {
                    self.$field = value;
                    self
                }
            )*
        }

        impl $crate::param::Params for $name {
            const NAME: &'static str = $text;

            fn summary() -> String {
                $crate::param::meaning(&[$($about),+])
            }

            fn table() -> Vec<$crate::param::Param> {
                vec![ $( $crate::param::Param::new::<$ty>(
                    stringify!($field),
                    &[$($doc),+],
                    &$range,
                    &$default,
                ), )* ]
            }

            #[allow(unused_variables, reason = "a method may have no parameters")]
            fn set(&mut self, name: &str, text: &str) -> $crate::error::Result<()> {
                match name {
                    $( stringify!($field) => {
                        self.$field = <$ty as $crate::param::Value>::parse(text).ok_or_else(|| {
                            $crate::param::refuse(
                                $text,
                                name,
                                $crate::param::Bounds::<$ty>::takes(&$range),
                                text.to_owned(),
                            )
                        })?;
                        Ok(())
                    } )*
                    _ => Err($crate::param::unknown($text, name, &[$( stringify!($field) ),*])),
                }
            }

            fn values(&self) -> Vec<(&'static str, String)> {
                vec![ $( (stringify!($field), $crate::param::Value::show(&self.$field)), )* ]
            }

            fn check(&self) -> $crate::error::Result<()> {
                $( if !$crate::param::Bounds::<$ty>::hold(&$range, &self.$field) {
                    return Err($crate::param::refuse(
                        $text,
                        stringify!($field),
                        $crate::param::Bounds::<$ty>::takes(&$range),
                        $crate::param::Value::show(&self.$field),
                    ));
                } )*
                Ok(())
            }
        }
    };
}

/// Declares an enum that can be a parameter: each variant with its name on the command line.
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[doc = $doc:literal])+ $variant:ident = $text:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $( $(#[doc = $doc])+ $variant, )+ }

        impl $crate::param::Value for $name {
            fn parse(text: &str) -> Option<Self> {
                match text { $( $text => Some(Self::$variant), )+ _ => None }
            }

            fn show(&self) -> String {
                match self { $( Self::$variant => $text.to_owned(), )+ }
            }
        }

        impl $name {
            /// The choices, for the range column of a parameter table.
            pub const CHOICES: $crate::param::Choices = $crate::param::Choices(&[$($text),+]);
        }
    };
}

/// The names an enum parameter takes.
#[derive(Debug, Clone, Copy)]
pub struct Choices(pub &'static [&'static str]);

impl<T: Value> Bounds<T> for Choices {
    fn hold(&self, _value: &T) -> bool {
        true
    }

    fn allowed(&self) -> Allowed {
        Allowed { choices: self.0.to_vec(), ..Allowed::any(ParamKind::Choice) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        /// A choice.
        pub enum Taste { /// one
            Sweet = "sweet", /// other
            Sour = "sour", }
    }

    params! {
        /// A method
        /// for tests.
        pub struct Cake as "cake" {
            /// how many layers
            layers: usize = 3, 1..=9;
            /// how it tastes
            taste: Taste = Taste::Sweet, Taste::CHOICES;
            /// how hot
            heat: f64 = 180.0, 0.0..;
            /// with a candle
            candle: bool = false, ..;
        }
    }

    #[test]
    fn text_sets_what_setters_set() -> Result<()> {
        let settings = [("layers", "4"), ("taste", "sour"), ("heat", "1e2"), ("candle", "true")];
        let owned: Vec<_> = settings.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        let expected = Cake::default().layers(4).taste(Taste::Sour).heat(100.0).candle(true);
        assert_eq!(Cake::with(&owned)?, expected);
        assert_eq!(Cake::summary(), "A method for tests.");
        Ok(())
    }

    #[test]
    fn bad_values_are_refused_with_what_is_expected() {
        let refused = |name: &str, text: &str| {
            Cake::with(&[(name.to_owned(), text.to_owned())]).unwrap_err().to_string()
        };
        assert!(refused("layers", "10").contains("must be a whole number from 1 to 9, not `10`"));
        assert!(refused("layers", "-1").contains("whole number"));
        assert!(refused("taste", "salt").contains("one of sweet, sour"));
        assert!(refused("heat", "nan").contains("a number of at least 0"));
        assert!(refused("heta", "1").contains("no parameter `heta`"));
    }
}
