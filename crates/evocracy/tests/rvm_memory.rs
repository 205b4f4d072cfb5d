//! Relevance vector machines keep little beside their design matrix, and can do without it.

use evocracy::classify::Learner;
use evocracy::data::generate::{Generator, Moons};
use evocracy::data::{Dataset, Options};
use evocracy::kernel::{Keep, Rvm, Width};
use evocracy::run::{Pool, Run, Seed, Stop};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const ROWS: usize = 3000;

#[test]
fn training_takes_a_fifth_more_than_the_matrix_or_next_to_nothing() {
    let table = Moons::default().rows(ROWS).noise(0.25).generate(Seed::new(1)).unwrap();
    let data = Dataset::new("moons", table, &Options::default()).unwrap();
    let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
    let run = Run::new(1, &stop, &pool);
    let matrix = (ROWS * (ROWS + 1) * size_of::<f64>()) as f64;
    let mut models = Vec::new();
    for (keep, most) in [(Keep::Stored, 1.2), (Keep::Computed, 0.15)] {
        let learner = Rvm::default().width(Width::Fixed(0.7)).centres(0).explore(false).bases(keep);
        let before = MEMORY.current_usage() as f64;
        MEMORY.reset_peak_usage();
        models.push(learner.fit(&data.task().unwrap(), &run).unwrap().model);
        let peak = MEMORY.peak_usage() as f64 - before;
        assert!(peak <= most * matrix, "{keep:?}: {} of the matrix", peak / matrix);
    }
    assert_eq!(models[0], models[1]);
}
