//! How to search for the rules of a mixture: the parameters that `moe-ga` and `moe-regression`
//! share.

/// How to search, whatever the rules predict; the table below says what each field means.
#[derive(Debug, Clone, Copy)]
pub(in crate::rules) struct SearchSettings {
    pub(in crate::rules) price: f64,
    pub(in crate::rules) epochs: usize,
    pub(in crate::rules) patience: usize,
    pub(in crate::rules) births: usize,
    pub(in crate::rules) rules: usize,
    pub(in crate::rules) cuts: usize,
    pub(in crate::rules) searches: usize,
    pub(in crate::rules) average: bool,
}

/// Declares the parameters of a mixture: the first group of its own stands before `price`, the
/// second, its prior, behind it.
macro_rules! mixture_params {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident as $text:literal { $($first:tt)* } { $($prior:tt)* }
    ) => {
        crate::params! {
            $(#[doc = $about])+
            pub struct $name as $text {
                $($first)*
                /// the price of a rule, as a factor on the length of its description; 0 lets rows held
                /// back in turns choose it
                price: f64 = 0.0, 0.0..=1000.0;
                $($prior)*
                /// how often a search takes some rules out and lets others grow; 0: as often as suits
                /// the size of the table
                epochs: usize = 0, 0..=1_000_000;
                /// a search ends after so many epochs in a row for each of its rules without a gain
                patience: usize = 15, 1..=1_000_000;
                /// growth ends when so many offspring in a row are not worth their price
                births: usize = 10, 1..=1_000_000;
                /// the most rules, beside the default
                rules: usize = 200, 1..=10_000;
                /// the most cuts of a number column
                cuts: usize = 63, 1..=10_000;
                /// how many searches to make from different seeds
                searches: usize = 1, 1..=1000;
                /// whether to average all searches; else the one with the best evidence is kept
                average: bool = false, ..;
            }
        }

        impl $name {
            /// How to search.
            pub(in crate::rules) fn settings(&self) -> $crate::rules::mixture::SearchSettings {
                let Self { price, epochs, patience, births, rules, cuts, searches, average, .. } =
                    *self;
                $crate::rules::mixture::SearchSettings {
                    price, epochs, patience, births, rules, cuts, searches, average,
                }
            }
        }
    };
}

pub(in crate::rules) use mixture_params;
