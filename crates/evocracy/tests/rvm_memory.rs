//! Relevance vector machines keep little beside their design matrix, which is that of a sample where
//! there are many rows, and can do without it.

use evocracy::classify::Learner;
use evocracy::data::generate::{Generator, Moons};
use evocracy::data::{Dataset, Options};
use evocracy::kernel::{Keep, Rvm, RvmModel, Width};
use evocracy::run::{Pool, Run, Seed, Stop};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What training takes at most, as a share of the matrix.
fn peak(rows: usize, learner: &Rvm) -> (f64, RvmModel) {
    let table = Moons::default().rows(rows).noise(0.25).generate(Seed::new(1)).unwrap();
    let data = Dataset::new("moons", table, &Options::default()).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let model = learner.fit(&data.task().unwrap(), &run).unwrap().model;
    let matrix = rows * (rows + 1) * size_of::<f64>();
    ((MEMORY.peak_usage() - before) as f64 / matrix as f64, model)
}

// One test: the peak is that of the whole process.
#[test]
fn training_takes_a_fifth_more_than_the_matrix_or_next_to_nothing() {
    let learner = Rvm::default().width(Width::Fixed(0.7)).centres(0);
    let (share, _) = peak(5000, &learner);
    assert!(share <= 1.2, "stored: {share} of the matrix");
    let once = learner.explore(false);
    let (_, stored) = peak(2000, &once);
    let (share, computed) = peak(2000, &once.clone().bases(Keep::Computed));
    assert!(share <= 0.25, "computed: {share} of the matrix");
    assert_eq!(stored, computed);
    // Of many rows some are searched, and the others are never in a matrix.
    let (share, _) = peak(30_000, &once.rows(1000));
    assert!(share <= 0.005, "of a sample: {share} of the matrix");
}
