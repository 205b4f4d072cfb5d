//! A handful of points side by side, compared all at once.

use super::change::Item;
use super::every;

/// How many points a leaf has room for.
pub(super) const ROOM: usize = 16;

#[derive(Debug, Clone)]
pub(super) struct Leaf<const D: usize> {
    /// By objective. Empty places are NaN: they compare false with everything.
    costs: [[f64; ROOM]; D],
    who: [u32; ROOM],
    len: usize,
}

impl<const D: usize> Leaf<D> {
    pub fn new() -> Self {
        Self { costs: [[f64::NAN; ROOM]; D], who: [0; ROOM], len: 0 }
    }

    pub fn clear(&mut self) {
        *self = Self::new();
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Who covers `y`.
    #[inline]
    pub fn cover(&self, y: &[f64; D]) -> Option<u32> {
        let mut any = false;
        for k in 0..ROOM {
            any |= every::<D>(|d| self.costs[d][k] <= y[d]);
        }
        if !any {
            return None;
        }
        let covers = |k: &usize| (0..D).all(|d| self.costs[d][*k] <= y[d]);
        (0..self.len).find(covers).map(|k| self.who[k])
    }

    /// Takes out those that `y` covers.
    pub fn take_covered(&mut self, y: &[f64; D], out: &mut Vec<u32>) {
        let mut any = false;
        for k in 0..ROOM {
            any |= every::<D>(|d| y[d] <= self.costs[d][k]);
        }
        if !any {
            return;
        }
        let mut k = 0;
        while k < self.len {
            if (0..D).all(|d| y[d] <= self.costs[d][k]) {
                out.push(self.who[k]);
                self.take(k);
            } else {
                k += 1;
            }
        }
    }

    fn take(&mut self, k: usize) {
        self.len -= 1;
        self.who[k] = self.who[self.len];
        for costs in &mut self.costs {
            costs[k] = costs[self.len];
            costs[self.len] = f64::NAN;
        }
    }

    pub fn push(&mut self, item: &Item<D>) {
        for d in 0..D {
            self.costs[d][self.len] = item.costs[d];
        }
        self.who[self.len] = item.who;
        self.len += 1;
    }

    pub fn items(&self) -> impl Iterator<Item = Item<D>> {
        (0..self.len)
            .map(|k| Item { costs: std::array::from_fn(|d| self.costs[d][k]), who: self.who[k] })
    }

    pub fn rename(&mut self, names: &[u32]) {
        self.who[..self.len].iter_mut().for_each(|who| *who = names[*who as usize]);
    }
}
