//! Several methods over several data sets (J. Demsar, Journal of Machine Learning Research 7 (2006)
//! 1-30).

use super::metric::Metric;
use super::report::SetReport;
use super::within::adjust;
use crate::error::Result;
use crate::measure::significance::{
    Alternative, Friedman, Nemenyi, Null, Wilcoxon, Zeros, wilcoxon,
};
use serde::Serialize;

/// The level at which methods are told apart over sets.
const ALPHA: f64 = 0.05;

/// Figures are compared to so many decimals: what differs by rounding alone is equal.
const DECIMALS: f64 = 1e12;

/// Methods over several data sets by one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverSets {
    /// The data sets that count.
    pub sets: Vec<String>,
    /// The methods that have the figure on all of them.
    pub methods: Vec<String>,
    /// Those that do not.
    pub left_out: Vec<String>,
    /// Friedman's test; its average ranks are in the order of the methods.
    pub friedman: Friedman,
    /// Which methods Nemenyi's test tells apart; groups hold numbers of methods, counted from 0.
    pub nemenyi: Nemenyi,
    /// Wilcoxon's signed ranks of every pair.
    pub wilcoxon: Vec<SignedRanks>,
}

/// Wilcoxon's test of two methods, paired by data set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignedRanks {
    /// The first method.
    pub first: String,
    /// The second.
    pub second: String,
    /// The test of the first less the second.
    #[serde(flatten)]
    pub test: Wilcoxon,
    /// Its p-value after Holm, for all pairs.
    pub p_adjusted: Option<f64>,
}

impl OverSets {
    /// Nothing where fewer than two sets or methods can be compared.
    pub(super) fn new(
        metric: Metric,
        sets: &[SetReport],
        names: &[String],
    ) -> Result<Option<Self>> {
        let value = |set: &SetReport, name: &str| {
            let method = set.methods.iter().find(|method| method.name == name);
            let found = method.and_then(|method| method.figures.get(&metric));
            found.map(|report| (DECIMALS * report.value).round() / DECIMALS)
        };
        // A set that nobody has the figure of was not reached, or is of another kind.
        let sets: Vec<&SetReport> =
            sets.iter().filter(|set| names.iter().any(|name| value(set, name).is_some())).collect();
        let everywhere = |name: &&String| sets.iter().all(|set| value(set, name).is_some());
        let (methods, left_out): (Vec<&String>, Vec<&String>) = names.iter().partition(everywhere);
        if sets.len() < 2 || methods.len() < 2 {
            return Ok(None);
        }
        let results: Vec<Vec<f64>> = sets
            .iter()
            .map(|set| methods.iter().filter_map(|name| value(set, name)).collect())
            .collect();
        let friedman = Friedman::new(&results, metric.better())?;
        let nemenyi = Nemenyi::new(&friedman, ALPHA)?;
        let mut pairs = Vec::new();
        for i in 0..methods.len() {
            for j in i + 1..methods.len() {
                let differences = results.iter().map(|of| of[i] - of[j]);
                let differences: Vec<f64> =
                    differences.map(|d| (DECIMALS * d).round() / DECIMALS).collect();
                let test = wilcoxon(&differences, Zeros::Drop, Alternative::TwoSided, Null::Auto)?;
                let (first, second) = (methods[i].clone(), methods[j].clone());
                pairs.push(SignedRanks { first, second, test, p_adjusted: None });
            }
        }
        adjust(pairs.iter_mut().map(|pair| (Some(pair.test.p_value), &mut pair.p_adjusted)))?;
        let owned = |names: Vec<&String>| names.into_iter().cloned().collect();
        Ok(Some(Self {
            sets: sets.iter().map(|set| set.dataset.clone()).collect(),
            methods: owned(methods),
            left_out: owned(left_out),
            friedman,
            nemenyi,
            wilcoxon: pairs,
        }))
    }
}
