//! Planted genes can be found where they were planted.

use super::super::{Generator, Genes, Role};
use super::{classes, correlation, made, mean, numbers, variance};
use crate::data::Table;
use crate::run::Seed;

fn large() -> (Genes, Table) {
    let genes = Genes::default().rows(4000).genes(300).balance(0.3).block(10);
    let table = genes.generate(Seed::new(7)).expect("sound parameters");
    (genes, table)
}

/// A correlation of n = 4,000 rows, within 5.5 standard errors of Fisher's z: there are 30,000
/// pairs, of which one exceeds that by chance once in 900 seeds.
fn assert_correlated(table: &Table, a: usize, b: usize, rho: f64) {
    let r = correlation(numbers(table, a), numbers(table, b));
    let gap = (r.atanh() - rho.atanh()).abs();
    assert!(gap < 5.5 / (table.rows() as f64 - 3.0).sqrt(), "genes {a}, {b}: {r} is not {rho}");
}

/// Class mean differences over the pooled standard deviation.
fn standardised_shift(table: &Table, gene: usize) -> f64 {
    let part = |class: u32| -> Vec<f64> {
        let all = numbers(table, gene).iter().zip(classes(table));
        all.filter(|(_, code)| **code == class).map(|(value, _)| *value).collect()
    };
    let (zero, one) = (part(0), part(1));
    let pooled = (variance(&zero) * zero.len() as f64 + variance(&one) * one.len() as f64)
        / table.rows() as f64;
    (mean(&one) - mean(&zero)) / pooled.sqrt()
}

#[test]
fn the_default_is_shaped_like_the_colon_data() {
    let table = made("gen:genes");
    assert_eq!((table.rows(), table.columns().len()), (62, 2001));
    let ones = |table: &Table| classes(table).iter().filter(|&&code| code == 1).count();
    assert_eq!(ones(&table), 31);
    assert_eq!(ones(&made("gen:genes:62:10:balance=0.645:informative=2:masked=1")), 40);
    assert_eq!(ones(&made("gen:genes:2:10:balance=0.99:informative=2:masked=1")), 1);
    let labels = |start: &str| {
        let labels = table.schema().fields.iter().filter_map(|field| field.label.as_deref());
        labels.filter(|label| label.starts_with(start)).count()
    };
    assert_eq!((labels("informative"), labels("masks g")), (10, 10));
}

#[test]
fn informative_genes_are_shifted_and_the_others_are_not() {
    let (genes, table) = large();
    let truth = genes.truth().expect("sound parameters");
    // The variance of a standardised difference d (Hedges 1981): n/(n0 n1) + d^2 / 2n.
    let (n, share) = (4000.0, 0.3);
    for (gene, role) in truth.roles.iter().enumerate() {
        let expected = match role {
            Role::Informative { shift } => *shift,
            Role::Noise { .. } => 0.0,
            Role::Masks { .. } => continue,
        };
        let error = (1.0 / (n * share * (1.0 - share)) + expected.powi(2) / (2.0 * n)).sqrt();
        let found = standardised_shift(&table, gene);
        assert!((found - expected).abs() < 4.5 * error, "gene {gene}: {found}, not {expected}");
    }
    assert_eq!(truth.informative().len(), 10);
}

#[test]
fn correlations_are_those_planted() {
    let (genes, table) = large();
    let truth = genes.truth().expect("sound parameters");
    let mut masks = 0;
    for (gene, role) in truth.roles.iter().enumerate() {
        match *role {
            Role::Masks { gene: of } => {
                masks += 1;
                assert!(matches!(truth.roles[of], Role::Informative { .. }));
                assert_correlated(&table, gene, of, 0.9);
                let label = format!("masks {}", table.schema().fields[of].name);
                assert_eq!(table.schema().fields[gene].label, Some(label));
            }
            Role::Noise { block } => {
                for (other, role) in truth.roles.iter().enumerate().take(gene).skip(gene / 2) {
                    if let Role::Noise { block: theirs } = *role {
                        let rho = if block == theirs { 0.3 } else { 0.0 };
                        assert_correlated(&table, gene, other, rho);
                    }
                }
            }
            Role::Informative { .. } => {
                assert_eq!(table.schema().fields[gene].label.as_deref(), Some("informative"));
            }
        }
    }
    assert_eq!(masks, 10);
}

#[test]
fn scales_are_log_normal() {
    let truth = Genes::default().genes(20_000).truth().expect("sound parameters");
    let logs: Vec<f64> = truth.scales.iter().map(|scale| scale.ln()).collect();
    super::assert_normal(&logs, 0.5, "n = 20,000");
    let (genes, table) = large();
    let truth = genes.truth().expect("sound parameters");
    for (gene, role) in truth.roles.iter().enumerate() {
        if let Role::Noise { .. } = role {
            let ratio = variance(numbers(&table, gene)) / truth.scales[gene].powi(2);
            assert!((ratio - 1.0).abs() < 4.5 * (2.0_f64 / 4000.0).sqrt(), "gene {gene}: {ratio}");
        }
    }
}

#[test]
fn a_seed_draws_rows_and_a_population_draws_genes() {
    let names = |spec: &str| -> Vec<(String, Option<String>)> {
        let fields = made(spec).schema().fields.clone();
        fields.into_iter().map(|field| (field.name, field.label)).collect()
    };
    assert_eq!(names("gen:genes"), names("gen:genes:seed=9"));
    assert_ne!(names("gen:genes"), names("gen:genes:population=2"));
    assert_ne!(made("gen:genes"), made("gen:genes:seed=9"));
    assert_eq!(names("gen:genes:genes=12345")[0].0, "g00001");
}
