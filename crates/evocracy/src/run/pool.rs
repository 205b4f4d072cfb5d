//! The one thread pool of a run.

use crate::error::{Error, Result};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::{Mutex, PoisonError};

/// A thread pool of a given size. The shell makes one; all work borrows it.
#[derive(Debug)]
pub struct Pool(rayon::ThreadPool);

impl Pool {
    /// A pool of `threads` threads.
    pub fn new(threads: usize) -> Result<Self> {
        if !(1..=1024).contains(&threads) {
            return Err(Error::Param {
                of: "run".into(),
                name: "threads".into(),
                expected: "a whole number from 1 to 1024".into(),
                got: threads.to_string(),
            });
        }
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map(Self).map_err(|e| {
            Error::unsuitable(format!("cannot start {threads} threads: {e}"), "use fewer threads")
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.0.current_num_threads()
    }

    /// `work(0), ..., work(n - 1)`, computed in parallel, returned in order: whatever is folded
    /// from the result cannot depend on the number of threads.
    pub fn map<T: Send>(&self, n: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        if self.threads() == 1 {
            return (0..n).map(work).collect();
        }
        let mut results: Vec<Option<T>> = std::iter::repeat_with(|| None).take(n).collect();
        self.each(&mut results, |i, result| *result = Some(work(i)));
        results.into_iter().flatten().collect()
    }

    /// `work(i, &mut items[i])` for every place, in parallel. No place sees another, so nothing
    /// depends on the number of threads.
    pub fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync + Send) {
        if self.threads() == 1 {
            return items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
        }
        // Every place is asked for once, so that nobody waits for a lock.
        let places: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
        self.at_each(places.len(), &|i| {
            work(i, &mut places[i].lock().unwrap_or_else(PoisonError::into_inner));
        });
    }

    /// Not generic: the machinery of threads would else be compiled for each of its callers, a
    /// tenth of the whole library.
    fn at_each(&self, n: usize, work: &(dyn Fn(usize) + Sync)) {
        self.0.install(|| (0..n).into_par_iter().for_each(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_thread_count() -> Result<()> {
        let squares: Vec<usize> = (0..1000).map(|i| i * i).collect();
        for threads in [1, 2, 8] {
            assert_eq!(Pool::new(threads)?.map(1000, |i| i * i), squares);
        }
        for threads in [1, 2, 8] {
            let mut places = vec![1; 1000];
            Pool::new(threads)?.each(&mut places, |i, place| *place *= i * i);
            assert_eq!(places, squares);
        }
        assert!(Pool::new(0).is_err());
        Ok(())
    }
}
