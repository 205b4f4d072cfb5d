//! Progress as a tree of tasks with counters. Work counts; the shell polls and draws.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A handle on one task of the progress tree. The task leaves the tree when its last handle is
/// dropped.
#[derive(Debug, Clone)]
pub struct Watch(Arc<Node>);

#[derive(Debug)]
struct Node {
    name: String,
    total: AtomicU64,
    done: AtomicU64,
    figures: Mutex<Vec<(&'static str, f64)>>,
    children: Mutex<Vec<Weak<Node>>>,
}

/// What a task looked like when it was polled.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// What is being done.
    pub name: String,
    /// Steps done.
    pub done: u64,
    /// Steps in all; 0 where that is not known.
    pub total: u64,
    /// Figures so far, such as the best error.
    pub figures: Vec<(&'static str, f64)>,
    /// The tasks below this one that are under way.
    pub children: Vec<Snapshot>,
}

impl Watch {
    /// The root of a new tree.
    pub fn new(name: &str) -> Self {
        Self(Arc::new(Node::new(name, 0)))
    }

    /// A new task below this one.
    #[must_use]
    pub fn task(&self, name: &str, total: u64) -> Self {
        let node = Arc::new(Node::new(name, total));
        let mut children = lock(&self.0.children);
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&node));
        Self(node)
    }

    /// Counts `steps` more as done.
    pub fn advance(&self, steps: u64) {
        self.0.done.fetch_add(steps, Ordering::Relaxed);
    }

    /// Says how many steps are left, as far as that is known by now: how many there are in all may
    /// show only as work goes on.
    pub fn expect(&self, left: u64) {
        let done = self.0.done.load(Ordering::Relaxed);
        self.0.total.store(done.saturating_add(left), Ordering::Relaxed);
    }

    /// Shows a figure, replacing an earlier one of the same name.
    pub fn figure(&self, name: &'static str, value: f64) {
        let mut figures = lock(&self.0.figures);
        match figures.iter_mut().find(|(known, _)| *known == name) {
            Some(entry) => entry.1 = value,
            None => figures.push((name, value)),
        }
    }

    /// The tree below this task as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.0.snapshot()
    }
}

impl Node {
    fn new(name: &str, total: u64) -> Self {
        let (figures, children) = (Mutex::default(), Mutex::default());
        let (total, done) = (AtomicU64::new(total), AtomicU64::new(0));
        Self { name: name.to_owned(), total, done, figures, children }
    }

    fn snapshot(&self) -> Snapshot {
        let children: Vec<_> = lock(&self.children).iter().filter_map(Weak::upgrade).collect();
        Snapshot {
            name: self.name.clone(),
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
            figures: lock(&self.figures).clone(),
            children: children.iter().map(|child| child.snapshot()).collect(),
        }
    }
}

/// Progress must survive a panic elsewhere, so a poisoned lock is taken as it is.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_seen_while_it_lives() {
        let root = Watch::new("fit");
        let task = root.task("epochs", 10);
        task.advance(3);
        task.figure("error", 0.5);
        task.figure("error", 0.25);
        let seen = root.snapshot();
        assert_eq!((seen.children[0].done, seen.children[0].total), (3, 10));
        assert_eq!(seen.children[0].figures, vec![("error", 0.25)]);
        task.expect(40);
        assert_eq!(root.snapshot().children[0].total, 43);
        drop(task);
        assert!(root.snapshot().children.is_empty());
    }
}
