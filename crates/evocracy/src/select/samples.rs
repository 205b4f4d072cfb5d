//! The samples of a study: the value of every gene in every sample, and two classes.

use crate::data::{Cells, Dataset, DenseRows, MISSING};
use crate::error::{Error, Remedy, Result};

/// The fewest samples of a class: two for each half.
pub const FEWEST: usize = 4;

/// One column that can be selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Gene {
    /// The name of its column, with the level where the column is nominal.
    pub name: String,
    /// What it is, where the source says so.
    pub label: Option<String>,
    /// Its column among those learnt from, counted from 1.
    pub column: usize,
    /// Whether it says if a nominal column has a level; logarithms leave it as it is.
    pub indicator: bool,
}

/// The values of all genes, gene after gene; a missing one is NaN.
#[derive(Debug, Clone)]
pub struct Samples {
    genes: Vec<Gene>,
    cells: Vec<f64>,
    positive: Vec<bool>,
    names: [String; 2],
    constant: Vec<bool>,
}

impl Samples {
    /// The samples of a data set: its positive class against all others. A nominal column is a gene
    /// for each level but the first.
    pub fn new(data: &Dataset) -> Result<Self> {
        let (Some(classes), Some(codes)) = (data.classes(), data.codes()) else {
            return Err(Error::unsuitable(
                format!(
                    "the target `{}` is a number, and genes are selected for classes",
                    data.target_name()
                ),
                Remedy::TargetAsClasses,
            ));
        };
        if data.weighted() {
            return Err(Error::unsuitable(
                "selection counts samples, and these have weights",
                "leave out the weights",
            ));
        }
        let wanted = classes.positive();
        let positive: Vec<bool> = codes.iter().map(|&code| code as usize == wanted).collect();
        let others = match classes.names() {
            [a, b] => {
                if wanted == 0 {
                    b.clone()
                } else {
                    a.clone()
                }
            }
            all => format!("the other {} classes", all.len() - 1),
        };
        let names = [classes.names()[wanted].clone(), others];
        let (genes, cells) = columns(data);
        let samples = Self::of(genes, cells, positive, names)?;
        if samples.constant.iter().all(|constant| *constant) {
            return Err(Error::unsuitable(
                "every column has the same value, or none, in all samples",
                "give a table whose columns differ between samples",
            ));
        }
        Ok(samples)
    }

    pub(super) fn of(
        genes: Vec<Gene>,
        cells: Vec<f64>,
        positive: Vec<bool>,
        names: [String; 2],
    ) -> Result<Self> {
        for (class, name) in names.iter().enumerate() {
            let count = positive.iter().filter(|p| **p == (class == 0)).count();
            if count < FEWEST {
                return Err(Error::unsuitable(
                    format!("there are {count} samples of {name}"),
                    format!("both classes need at least {FEWEST} samples, two for each half"),
                ));
            }
        }
        // The squares of larger ones would be infinite, and the column look constant.
        let large = |cell: &f64| cell.abs() > DenseRows::LIMIT;
        if let Some(at) = cells.iter().position(large) {
            let name = &genes[at / positive.len()].name;
            return Err(Error::unsuitable(
                format!(
                    "the column `{name}` has the value {:e}, and values are at most {:e}",
                    cells[at],
                    DenseRows::LIMIT
                ),
                "scale the column, or mend the value",
            ));
        }
        let constant = cells.chunks_exact(positive.len()).map(is_constant).collect();
        Ok(Self { genes, cells, positive, names, constant })
    }

    /// The same values with other labels, such as permuted ones.
    pub fn with_labels(&self, positive: Vec<bool>) -> Result<Self> {
        if positive.len() != self.rows() {
            return Err(Error::unsuitable(
                format!("{} labels for {} samples", positive.len(), self.rows()),
                "give every sample a label",
            ));
        }
        Self::of(self.genes.clone(), self.cells.clone(), positive, self.names.clone())
    }

    /// Says what columns are, by their place among those learnt from; others keep what they have.
    pub fn describe(&mut self, label: impl Fn(usize) -> Option<String>) {
        for gene in &mut self.genes {
            if let Some(label) = label(gene.column - 1) {
                gene.label = Some(label);
            }
        }
    }

    /// The genes, in the order of the columns.
    pub fn genes(&self) -> &[Gene] {
        &self.genes
    }

    /// How many samples there are.
    pub fn rows(&self) -> usize {
        self.positive.len()
    }

    /// Which samples are of the positive class.
    pub fn positive(&self) -> &[bool] {
        &self.positive
    }

    /// The positive class and the others.
    pub fn class_names(&self) -> &[String; 2] {
        &self.names
    }

    /// The values of a gene.
    pub fn values(&self, gene: usize) -> &[f64] {
        &self.cells[gene * self.rows()..(gene + 1) * self.rows()]
    }

    /// Whether a gene has one value, or none, in all samples: it cannot be selected.
    pub fn is_constant(&self, gene: usize) -> bool {
        self.constant[gene]
    }

    /// How many genes are constant.
    pub fn constants(&self) -> usize {
        self.constant.iter().filter(|constant| **constant).count()
    }

    /// How many values are missing.
    pub fn missing(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_nan()).count()
    }

    /// The genes of a column: one, or one for each level but the first.
    pub fn find(&self, column: &str) -> Result<Vec<u32>> {
        let of = |gene: &Gene| {
            let rest = gene.name.strip_prefix(column);
            rest.is_some_and(|rest| rest.is_empty() || (gene.indicator && rest.starts_with('=')))
        };
        let found: Vec<u32> =
            (0..self.genes.len() as u32).filter(|&at| of(&self.genes[at as usize])).collect();
        if found.is_empty() {
            let names = self.genes.iter().map(|gene| gene.name.as_str());
            return Err(Error::unknown("column", column, None, names));
        }
        Ok(found)
    }

    /// The codes by which halves are stratified.
    pub(super) fn codes(labels: &[bool]) -> Vec<u32> {
        labels.iter().map(|&positive| u32::from(positive)).collect()
    }
}

fn is_constant(values: &[f64]) -> bool {
    let mut known = values.iter().filter(|value| !value.is_nan());
    let first = known.next();
    known.all(|value| Some(value) == first)
}

/// All columns that are learnt from, as numbers.
fn columns(data: &Dataset) -> (Vec<Gene>, Vec<f64>) {
    let view = data.features();
    let (mut genes, mut cells) = (Vec::new(), Vec::new());
    for column in 0..view.columns() {
        let field = view.field(column);
        let label = field.label.clone();
        match view.cells(column) {
            Cells::Number(values) => {
                let name = field.name.clone();
                genes.push(Gene { name, label, column: column + 1, indicator: false });
                cells.extend(view.pick(values));
            }
            Cells::Nominal(codes) => {
                for (code, level) in field.levels().iter().enumerate().skip(1) {
                    let name = format!("{}={level}", field.name);
                    let label = label.clone();
                    genes.push(Gene { name, label, column: column + 1, indicator: true });
                    let cell = |own: u32| match own {
                        MISSING => f64::NAN,
                        own => f64::from(u8::from(own as usize == code)),
                    };
                    cells.extend(view.pick(codes).into_iter().map(cell));
                }
            }
        }
    }
    (genes, cells)
}
