//! What all relevance vector machines are told of their bases.

use super::bases::{Kernel, Points};
use super::design::{Design, Dictionary, Keep};
use super::width::{Choose, Width};

/// How bases are made.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) kernel: Kernel,
    pub(super) width: Width,
    pub(super) choose: Choose,
    pub(super) levels: usize,
    pub(super) degree: usize,
    pub(super) bias: bool,
    pub(super) centres: usize,
    pub(super) bases: Keep,
}

impl Plan {
    /// The bases of a width, and those of each half of the one before.
    pub(super) fn design(&self, width: f64, points: Points<'_>) -> (Dictionary, Design) {
        let Self { kernel, degree, bias, centres, .. } = *self;
        let widths = (0..self.levels).map(|level| width / (1_u64 << level) as f64).collect();
        let dictionary = Dictionary { kernel, degree, widths, bias, centres };
        let design = Design::new(&dictionary, points.values, points.rows, self.bases);
        (dictionary, design)
    }
}

/// Declares the parameters of a machine: those of its bases, then its own.
macro_rules! machine {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident as $text:literal, centres = $centres:literal { $($own:tt)* }
    ) => {
        crate::params! {
            $(#[doc = $about])+
            pub struct $name as $text {
                /// the bases that are summed
                kernel: Kernel = Kernel::Gaussian, Kernel::CHOICES;
                /// the width of the kernel, on inputs that are standardised
                width: Width = Width::Auto, Sensible;
                /// how the width is found where it is `auto`
                choose: Choose = Choose::Cross, Choose::CHOICES;
                /// resolutions: with 3 there are kernels of the width, half of it and a quarter of it on every row
                levels: usize = 1, 1..=8;
                /// the degree of a polynomial kernel
                degree: usize = 2, 1..=16;
                /// whether a bias is among the bases; it goes like any other when it is not needed
                bias: bool = true, ..;
                /// how many training rows at most are centres of kernels, evenly drawn; 0 for all
                centres: usize = $centres, 0..=10_000_000;
                $($own)*
            }
        }

        impl $name {
            /// How its bases are made.
            fn plan(&self, bases: Keep) -> Plan {
                let Self { kernel, width, choose, levels, degree, bias, centres, .. } = *self;
                Plan { kernel, width, choose, levels, degree, bias, centres, bases }
            }
        }
    };
}

pub(super) use machine;
