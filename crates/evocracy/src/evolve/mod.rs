//! Search by evolution. It knows nothing of data: numbers and genomes in, numbers and genomes out.

pub mod pareto;
