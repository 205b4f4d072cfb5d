//! One measured figure beside the printed one.

use serde::Serialize;

/// What a figure must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Compare {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// The first, give or take the second.
    About(f64, f64),
}

/// A figure: `name` is a path such as `car/moe-ga/accuracy`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What was measured.
    pub name: String,
    /// The figure, a mean where it was measured repeatedly.
    pub measured: f64,
    /// The standard deviation over the repeats.
    pub sd: Option<f64>,
    /// How many measurements the figure is the mean of.
    pub repeats: Option<usize>,
    /// fraction, percent, bits, count, ratio, ...
    pub unit: &'static str,
    /// The figure in the paper.
    pub printed: Option<f64>,
    /// What it must be, in words: `>= 0.975`.
    pub target: Option<String>,
    /// Whether it is that.
    pub ok: Option<bool>,
}

impl Row {
    /// A figure that was measured once.
    pub fn new(name: impl Into<String>, measured: f64, unit: &'static str) -> Self {
        let (sd, repeats, printed, target, ok) = (None, None, None, None, None);
        Self { name: name.into(), measured, sd, repeats, unit, printed, target, ok }
    }

    /// The mean and standard deviation of repeated measurements.
    pub fn mean(name: impl Into<String>, values: &[f64], unit: &'static str) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        Self { sd, repeats: Some(values.len()), ..Self::new(name, mean, unit) }
    }

    /// Beside the figure of the paper.
    #[must_use]
    pub fn printed(mut self, printed: f64) -> Self {
        self.printed = Some(printed);
        self
    }

    /// With what it must be. A figure that is not a number is never that.
    #[must_use]
    pub fn target(mut self, target: Compare) -> Self {
        let (words, ok) = match target {
            Compare::AtLeast(least) => (format!(">= {least}"), self.measured >= least),
            Compare::AtMost(most) => (format!("<= {most}"), self.measured <= most),
            Compare::About(value, by) => {
                (format!("{value} +- {by}"), (self.measured - value).abs() <= by)
            }
        };
        self.target = Some(words);
        self.ok = Some(ok);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_held_against_the_figure() {
        let row = Row::mean("a/b", &[1.0, 2.0, 3.0], "count").printed(2.5);
        assert_eq!((row.measured, row.sd, row.repeats), (2.0, Some(1.0), Some(3)));
        assert_eq!(row.clone().target(Compare::AtLeast(2.0)).ok, Some(true));
        assert_eq!(row.target(Compare::AtMost(1.9)).ok, Some(false));
        let about = |value| Row::new("c", value, "count").target(Compare::About(2.0, 0.5)).ok;
        assert_eq!(
            (about(1.6), about(2.6), about(f64::NAN)),
            (Some(true), Some(false), Some(false))
        );
        let nan = Row::new("n", f64::NAN, "count");
        assert_eq!(nan.clone().target(Compare::AtMost(1.0)).ok, Some(false));
        assert_eq!(nan.target(Compare::AtLeast(1.0)).ok, Some(false));
        let json = serde_json::to_value(Row::new("x", 0.5, "fraction")).expect("JSON");
        assert!(json["printed"].is_null() && json["ok"].is_null());
    }
}
