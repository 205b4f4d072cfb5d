//! The options of all relevance vector machines: their basis functions.

use super::bases::Kernel;
use super::design::{Design, Dictionary, Keep};
use super::scales::{self, Scales};
use super::training::TrainingRows;
use super::tuning::Tuning;
use super::width::{Choose, Tunable, Width, choose_width};
use crate::error::{Error, Result};
use crate::run::{Run, Stop};

/// How bases are made.
#[derive(Debug, Clone)]
pub(super) struct BasisOptions {
    pub(super) kernel: Kernel,
    pub(super) width: Width,
    pub(super) choose: Choose,
    pub(super) levels: usize,
    pub(super) degree: usize,
    pub(super) bias: bool,
    pub(super) centres: usize,
    pub(super) scales: Scales,
    pub(super) bases: Keep,
}

impl BasisOptions {
    /// Refuses a design matrix, or for the classic algorithm matrices of all bases, that would not
    /// fit into memory; so too the sums of all classes, and what is fitted to them.
    pub(super) fn reserve(
        &self,
        training: &TrainingRows,
        classes: usize,
        classic: bool,
        run: &Run<'_>,
    ) -> Result<()> {
        let rows = training.points().rows;
        // A sample has some rows of every class, however few rows it is to have.
        let drawn = self.centres.saturating_add(Tuning::CLASS_ROWS.saturating_mul(classes));
        let centres = if self.centres == 0 { rows } else { drawn.min(rows) };
        let bases = centres.saturating_mul(self.levels).saturating_add(1);
        let what = format!("the matrix of {rows} rows and {bases} bases");
        if self.bases == Keep::Stored || classic {
            run.reserve(&what, &[rows, bases, if classic { 2 } else { 1 }])?;
        }
        if classic {
            run.reserve(&format!("the covariance of {bases} bases"), &[3, bases, bases])?;
        }
        if classes > 1 {
            run.reserve(&format!("{rows} rows of {classes} classes"), &[4, rows, classes])?;
        }
        Ok(())
    }

    /// The bases of a width and, with several levels, of its halves, quarters, ...; and the rows
    /// that are their centres.
    pub(super) fn dictionary(
        &self,
        width: f64,
        training: &TrainingRows,
        labels: Option<&[u32]>,
    ) -> (Dictionary, Vec<u32>) {
        let Self { kernel, degree, bias, centres, .. } = *self;
        let widths = (0..self.levels).map(|level| width / (1_u64 << level) as f64).collect();
        let dictionary = Dictionary { kernel, degree, widths, bias, centres };
        let most = if centres == 0 { training.points().rows } else { centres };
        let rows = training.sample(labels, most, "centres");
        (dictionary, rows)
    }

    /// Their design matrix.
    pub(super) fn design(
        &self,
        width: f64,
        training: &TrainingRows,
        labels: Option<&[u32]>,
        stop: &Stop,
    ) -> Result<(Dictionary, Design)> {
        let (dictionary, rows) = self.dictionary(width, training, labels);
        dictionary.check(training.points())?;
        let design = Design::centred(&dictionary, &rows, training.points(), self.bases, stop)?;
        Ok((dictionary, design))
    }
}

/// The width and the scales for some rows: given or found, or those of another model.
pub(super) fn width_and_scales<T: Tunable>(
    all: &T,
    from: Option<(f64, &[f64])>,
    run: &Run<'_>,
) -> Result<(f64, Vec<f64>)> {
    let Some((width, scales)) = from else {
        let width = choose_width(all, run)?;
        return Ok((width, scales::learn(all, width, run)?));
    };
    let width = if let Width::Fixed(given) = all.basis_options().width { given } else { width };
    Ok((width, scales.to_vec()))
}

/// The error where the model to start from does not fit the task.
pub(super) fn mismatch() -> Error {
    Error::unsuitable(
        "the model to start from has other inputs or classes",
        "start from a model of the same columns and classes",
    )
}

/// Declares the parameters of a method: those of its bases, then its own.
macro_rules! rvm_params {
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
                width: Width = Width::Auto, WidthBounds;
                /// how the width is found where it is `auto`
                choose: Choose = Choose::Cross, Choose::CHOICES;
                /// resolutions: with 3 there are kernels of the width, half of it and a quarter of it on every row
                levels: usize = 1, 1..=8;
                /// the degree of a polynomial kernel
                degree: usize = 2, 1..=16;
                /// whether a bias is among the bases; it goes like any other when it is not needed
                bias: bool = true, ..;
                /// how many training rows at most are centres of kernels, drawn from every class; 0 for all
                centres: usize = $centres, 0..=10_000_000;
                /// whether inputs are scaled alike or each by what the evidence says
                scales: Scales = Scales::Shared, Scales::CHOICES;
                $($own)*
            }
        }

        impl $name {
            /// How its bases are made.
            fn basis_options(&self, bases: Keep) -> BasisOptions {
                let Self { kernel, width, choose, levels, degree, bias, centres, scales, .. } = *self;
                BasisOptions { kernel, width, choose, levels, degree, bias, centres, scales, bases }
            }
        }
    };
}

pub(super) use rvm_params;
