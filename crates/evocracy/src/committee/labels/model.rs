//! A fitted combiner of labels.

use super::law::Law;
use super::rows::Experts;
use crate::classify::{Classifier, Diagnostics, Explanation, LabelReport, Part, Proba, Saved};
use crate::data::{Classes, Encoder, MISSING, Schema, View};
use crate::error::{Error, Result};
use crate::network::Network;
use serde::{Deserialize, Serialize};

/// What combines the labels of experts, and what is known of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelsModel {
    pub(super) classes: Classes,
    /// How numbers are cut into labels; files of before version 2 have that done by their model.
    #[serde(default)]
    pub(super) encoder: Encoder,
    pub(super) experts: Experts,
    pub(super) law: Law,
    pub(super) report: LabelReport,
}

impl LabelsModel {
    /// What is known of the experts.
    pub fn report(&self) -> &LabelReport {
        &self.report
    }

    /// The Bayesian network that it is, if it is one and nothing else.
    pub fn network(&self) -> Option<&Network> {
        match &self.law {
            Law::Network(law) => Some(law.network()),
            _ => None,
        }
    }
}

impl Classifier for LabelsModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let encoded = self.encoder.encode(rows)?;
        let codes = self.experts.read(encoded.view())?;
        out.reset(rows.rows(), self.classes.len());
        for (row, codes) in codes.chunks_exact(self.experts.len()).enumerate() {
            self.law.proba(&self.experts, codes, out.row_mut(row))?;
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let rows_alone = [rows.row_id(row) as u32];
        let encoded = self.encoder.encode(rows.with_rows(&rows_alone))?;
        let codes = self.experts.read(encoded.view())?;
        let said = |expert: u32| {
            let name = &rows.field(expert as usize).name;
            match rows.show(row, expert as usize) {
                Some(label) => format!("{name} = {label}"),
                None if codes[expert as usize] == MISSING => format!("{name} is missing"),
                None => format!("{name} abstains"),
            }
        };
        let mut parts = Vec::new();
        let base = self.law.parts(&self.experts, &codes, &mut |about, adds| {
            let (first, others) = (about[0], &about[1..]);
            let mut because = said(first);
            for (at, &other) in others.iter().enumerate() {
                because += if at == 0 { ", with " } else { ", " };
                because += &said(other);
            }
            let column = others.is_empty().then_some(first as usize);
            parts.push(Part { column, because, adds: adds.to_vec() });
        })?;
        Ok(Explanation { base, parts, link: self.law.link() })
    }
}

impl Saved for LabelsModel {
    const VERSION: u32 = 3;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        self.encoder.check(inputs)?;
        self.experts.check(&self.encoder.output(inputs), self.classes.len())?;
        self.law.check(&self.experts.states(), self.classes.len())?;
        let finite = |value: &f64| value.is_finite();
        let sound = self.report.experts.len() == inputs.len()
            && self.report.experts.iter().all(|expert| {
                expert.confusion.iter().flatten().all(finite)
                    && [expert.adds, expert.accuracy].iter().flatten().all(finite)
            })
            && self
                .report
                .compared
                .iter()
                .all(|way| [way.log2_likelihood, way.behind, way.error].iter().all(finite))
            && self
                .report
                .sources
                .iter()
                .flatten()
                .all(|expert| [expert.copied, expert.gain, expert.error].iter().all(finite))
            && self.report.confidence.iter().all(|share| (0.0..=1.0).contains(share));
        if sound { Ok(()) } else { Err(Error::model_file("what it says of its experts is broken")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let mut size = vec![("experts", self.experts.len() as u64)];
        size.extend(self.law.size());
        size
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        Diagnostics { labels: Some(self.report.clone()), ..Diagnostics::default() }
    }
}
