//! A table like those of gene-expression studies: few rows, very many columns, a few of them
//! informative, some of which are masked by others that say nearly the same.
//!
//! Gene g has the values level + scale · z: the level is normal, the scale log-normal over the
//! genes, both fixed by `population`. What z is depends on the gene's [`Role`]. Levels and
//! scales do not touch correlations, so those are what the parameters say.

use super::draw::{Draw, classified};
use super::{Generator, MOST_CELLS, MOST_COLUMNS, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::param::{Params, refuse};
use crate::run::Seed;
use rand::seq::SliceRandom;

/// Mean and standard deviation of the levels, about those of log2 intensities.
const LEVEL: (f64, f64) = (8.0, 1.5);
/// The standard deviation of the logarithm of the scales, whose median is 1.
const LOG_SCALE: f64 = 0.5;

crate::params! {
    /// Like gene expression: few of many columns tell two classes apart, others mask them.
    pub struct Genes as "gen:genes" {
        /// how many rows (tissue samples)
        rows: usize = 62, 2..=MOST_CELLS;
        /// how many genes
        genes: usize = 2000, 1..=MOST_COLUMNS;
        /// how many genes differ between the classes
        informative: usize = 10, 0..=MOST_COLUMNS;
        /// the difference of the class means of an informative gene, in its standard deviations
        shift: f64 = 1.5, 0.0..=100.0;
        /// how many genes mask an informative one by being correlated with it, in turn
        masked: usize = 10, 0..=MOST_COLUMNS;
        /// the correlation of such a gene with the one it masks
        rho: f64 = 0.9, 0.0..=1.0;
        /// how many of the other genes make a block
        block: usize = 20, 1..=MOST_COLUMNS;
        /// the correlation of the genes within a block
        within: f64 = 0.3, 0.0..=1.0;
        /// the share of rows in the class tumour
        balance: f64 = 0.5, 0.01..=0.99;
        /// which population: the places, levels and scales of the genes
        population: u64 = 1, 0..;
    }
}

/// What a gene has to do with the classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Its mean in class tumour is higher by this many standard deviations (lower if negative).
    Informative {
        /// The difference of the class means.
        shift: f64,
    },
    /// It is correlated with an informative gene and knows of the classes only by it.
    Masks {
        /// The position of that gene.
        gene: usize,
    },
    /// Nothing; it is correlated with the other genes of its block.
    Noise {
        /// The number of the block.
        block: usize,
    },
}

/// What is known about a population of [`Genes`], which a study would have to find out.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    /// The role of each gene, in the order of the columns.
    pub roles: Vec<Role>,
    /// The level of each gene: its mean over both classes.
    pub levels: Vec<f64>,
    /// The scale of each gene: its standard deviation within a class, for informative ones, else
    /// over all rows.
    pub scales: Vec<f64>,
}

impl Truth {
    /// The name of a gene's column: `g0001` is the first.
    pub fn name(&self, gene: usize) -> String {
        let width = self.roles.len().to_string().len().max(4);
        format!("g{:0width$}", gene + 1)
    }

    /// The label of a gene's column, if it is more than noise.
    pub fn label(&self, gene: usize) -> Option<String> {
        match self.roles.get(gene)? {
            Role::Informative { .. } => Some("informative".to_owned()),
            Role::Masks { gene } => Some(format!("masks {}", self.name(*gene))),
            Role::Noise { .. } => None,
        }
    }

    /// The positions of the informative genes, ascending.
    pub fn informative(&self) -> Vec<usize> {
        let is = |gene: &usize| matches!(self.roles[*gene], Role::Informative { .. });
        (0..self.roles.len()).filter(is).collect()
    }
}

impl Genes {
    /// The truth about the population; it does not depend on the seed of the rows.
    pub fn truth(&self) -> Result<Truth> {
        self.check()?;
        self.shape()?;
        let seed = Seed::new(self.population).child("population", 0);
        let mut places: Vec<usize> = (0..self.genes).collect();
        places.shuffle(&mut seed.child("places", 0).rng());
        let (informative, rest) = places.split_at_mut(self.informative);
        let (masks, _) = rest.split_at_mut(self.masked);
        informative.sort_unstable();
        masks.sort_unstable();
        let mut roles: Vec<Option<Role>> = vec![None; self.genes];
        let (mut levels, mut scales) = (Vec::new(), Vec::new());
        let mut signs = Vec::new();
        for gene in 0..self.genes {
            let mut draw = Draw::new(seed, "gene", gene);
            levels.push(LEVEL.0 + LEVEL.1 * draw.normal());
            scales.push((LOG_SCALE * draw.normal()).exp());
            signs.push(if draw.chance(0.5) { 1.0 } else { -1.0 });
        }
        for &gene in informative.iter() {
            roles[gene] = Some(Role::Informative { shift: signs[gene] * self.shift });
        }
        for (&gene, &of) in masks.iter().zip(informative.iter().cycle()) {
            roles[gene] = Some(Role::Masks { gene: of });
        }
        let mut noise = 0;
        let mut block = || {
            noise += 1;
            Role::Noise { block: (noise - 1) / self.block }
        };
        let roles = roles.into_iter().map(|role| role.unwrap_or_else(&mut block)).collect();
        Ok(Truth { roles, levels, scales })
    }

    /// The class of each row: exactly the wanted share, in random order.
    fn classes(&self, seed: Seed) -> Vec<u32> {
        let ones = (self.balance * self.rows as f64).round() as usize;
        let ones = ones.clamp(1, self.rows.saturating_sub(1).max(1));
        let mut codes: Vec<u32> = (0..self.rows).map(|row| u32::from(row < ones)).collect();
        codes.shuffle(&mut seed.child("classes", 0).rng());
        codes
    }
}

/// The rows of one table.
struct GeneSample<'a> {
    params: &'a Genes,
    truth: &'a Truth,
    codes: &'a [u32],
    seed: Seed,
}

impl GeneSample<'_> {
    /// Standard normal numbers of a gene or of a block.
    fn normals(&self, of: &str, index: usize) -> impl Iterator<Item = f64> {
        let mut draw = Draw::new(self.seed, of, index);
        (0..self.codes.len()).map(move |_| draw.normal())
    }

    /// The z of a gene: mean 0 over all rows.
    fn z(&self, gene: usize) -> Vec<f64> {
        let own = self.normals("gene", gene);
        let blend = |weight: f64, shared: f64, own: f64| {
            weight * shared + (1.0 - weight * weight).sqrt() * own
        };
        match self.truth.roles[gene] {
            Role::Informative { shift } => {
                let share = self.share();
                let moved = |(&code, own): (&u32, f64)| shift * (f64::from(code) - share) + own;
                self.codes.iter().zip(own).map(moved).collect()
            }
            Role::Masks { gene: of } => {
                // Over all rows the masked gene varies by its shift too: scaled to variance 1.
                let share = self.share();
                let spread = (1.0 + self.params.shift.powi(2) * share * (1.0 - share)).sqrt();
                let masked = self.z(of);
                let near = |(z, own): (&f64, f64)| blend(self.params.rho, z / spread, own);
                masked.iter().zip(own).map(near).collect()
            }
            Role::Noise { block } => {
                let weight = self.params.within.sqrt();
                self.normals("block", block)
                    .zip(own)
                    .map(|(b, own)| blend(weight, b, own))
                    .collect()
            }
        }
    }

    /// The share of rows in class tumour.
    fn share(&self) -> f64 {
        self.codes.iter().filter(|&&code| code == 1).count() as f64 / self.codes.len() as f64
    }
}

impl Generator for Genes {
    const SIZES: &'static [&'static str] = &["rows", "genes"];
    const SOURCE: &'static str =
        "shaped like the colon data of U. Alon et al., PNAS 96 (1999) 6745";

    fn shape(&self) -> Result<Shape> {
        let no = |name: &str, expected: String, got: usize| {
            Err(refuse(Self::NAME, name, expected, got.to_string()))
        };
        if self.informative > self.genes {
            return no(
                "informative",
                format!("at most {} (the genes)", self.genes),
                self.informative,
            );
        }
        if self.informative == 0 && self.masked > 0 {
            return no("masked", "0 where no gene is informative".to_owned(), self.masked);
        }
        let left = self.genes - self.informative;
        if self.masked > left {
            return no("masked", format!("at most {left} (the other genes)"), self.masked);
        }
        Ok(Shape { rows: self.rows, columns: self.genes.saturating_add(1) })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let truth = self.truth()?;
        let codes = self.classes(seed);
        let sample = GeneSample { params: self, truth: &truth, codes: &codes, seed };
        let column = |gene: usize| {
            let (level, scale) = (truth.levels[gene], truth.scales[gene]);
            sample.z(gene).into_iter().map(|z| level + scale * z).collect()
        };
        let columns: Vec<Vec<f64>> = (0..self.genes).map(column).collect();
        let names = (0..self.genes).map(|gene| truth.name(gene));
        let table = classified(names, columns, &["normal", "tumour"], codes)?;
        let (mut schema, columns) = table.into_parts();
        for (gene, field) in schema.fields.iter_mut().take(self.genes).enumerate() {
            field.label = truth.label(gene);
        }
        Table::new(schema, columns)
    }
}
