//! Scored genomes in parallel arrays, and how survivors are put in place.

use crate::error::{Error, Result};
use crate::evolve::{Members, Next, ScorePoints};
use serde::{Deserialize, Serialize};

/// Scored genomes. The three arrays are of one length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Population<G, P> {
    pub genomes: Vec<G>,
    pub costs: Vec<ScorePoints>,
    pub phenotypes: Vec<Option<P>>,
}

impl<G, P> Default for Population<G, P> {
    fn default() -> Self {
        Self { genomes: Vec::new(), costs: Vec::new(), phenotypes: Vec::new() }
    }
}

impl<G, P> Population<G, P> {
    pub fn len(&self) -> usize {
        self.genomes.len()
    }

    pub fn push(&mut self, genome: G, costs: ScorePoints, phenotype: Option<P>) {
        self.genomes.push(genome);
        self.costs.push(costs);
        self.phenotypes.push(phenotype);
    }

    /// The first `n`, as a strategy sees them.
    pub fn members(&self, n: usize) -> Members<'_, G> {
        Members { genomes: &self.genomes[..n], costs: &self.costs[..n] }
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.genomes.swap(i, j);
        self.costs.swap(i, j);
        self.phenotypes.swap(i, j);
    }

    fn swap_remove(&mut self, i: usize) {
        self.genomes.swap_remove(i);
        self.costs.swap_remove(i);
        self.phenotypes.swap_remove(i);
    }

    fn append(&mut self, other: &mut Self) {
        self.genomes.append(&mut other.genomes);
        self.costs.append(&mut other.costs);
        self.phenotypes.append(&mut other.phenotypes);
    }

    /// Moves all from place `from` on to the end of `other`. Neither allocates once both have
    /// been this large.
    fn move_tail(&mut self, from: usize, other: &mut Self) {
        other.genomes.extend(self.genomes.drain(from..));
        other.costs.extend(self.costs.drain(from..));
        other.phenotypes.extend(self.phenotypes.drain(from..));
    }
}

/// Puts survivors in place; holds the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct Succession {
    pub next: Next,
    /// Where each former member is now.
    at: Vec<usize>,
    /// Who is at each place now.
    who: Vec<usize>,
}

impl Succession {
    /// Refuses a decision that cannot be carried out, before anything is changed. Of the
    /// children the first `born` are real, the others spare memory.
    pub fn check(&mut self, parents: usize, born: usize) -> Result<()> {
        let Next { keep, replace, add, remove } = &self.next;
        let patched = replace.len() + add.len() + remove.len();
        let (fits, left) = if keep.is_empty() {
            let slots = replace.iter().map(|(slot, _)| *slot);
            let children = replace.iter().map(|(_, child)| *child).chain(add.iter().copied());
            let fits = few_once(slots, parents, &mut self.who)
                && few_once(children, born, &mut self.who)
                && few_once(remove.iter().copied(), parents + add.len(), &mut self.who);
            (fits, parents + add.len() - remove.len().min(parents + add.len()))
        } else {
            let all = once(keep.iter().copied(), parents + born, &mut self.who);
            (all && patched == 0, keep.len())
        };
        if fits && left > 0 {
            return Ok(());
        }
        Err(Error::unsuitable(
            "the strategy chose no survivors, one twice or one that is not there",
            "mend the strategy's `survive`",
        ))
    }

    /// Makes `population` the next one. The memory of those who died goes to `children`.
    pub fn apply<G: Clone, P>(
        &mut self,
        population: &mut Population<G, P>,
        children: &mut Population<G, P>,
    ) {
        if self.next.keep.is_empty() {
            self.patch(population, children);
        } else {
            self.rearrange(population, children);
        }
    }

    fn rearrange<G, P>(
        &mut self,
        population: &mut Population<G, P>,
        children: &mut Population<G, P>,
    ) {
        population.append(children);
        for places in [&mut self.at, &mut self.who] {
            places.clear();
            places.extend(0..population.len());
        }
        for (place, member) in self.next.keep.iter().enumerate() {
            let from = self.at[*member];
            if from != place {
                let moved = self.who[place];
                population.swap(place, from);
                self.who.swap(place, from);
                (self.at[*member], self.at[moved]) = (place, from);
            }
        }
        population.move_tail(self.next.keep.len(), children);
    }

    fn patch<G: Clone, P>(
        &mut self,
        population: &mut Population<G, P>,
        children: &mut Population<G, P>,
    ) {
        for (slot, child) in &self.next.replace {
            std::mem::swap(&mut population.genomes[*slot], &mut children.genomes[*child]);
            std::mem::swap(&mut population.costs[*slot], &mut children.costs[*child]);
            std::mem::swap(&mut population.phenotypes[*slot], &mut children.phenotypes[*child]);
        }
        for child in &self.next.add {
            let costs = std::mem::take(&mut children.costs[*child]);
            let phenotype = children.phenotypes[*child].take();
            population.push(children.genomes[*child].clone(), costs, phenotype);
        }
        self.next.remove.sort_unstable_by(|a, b| b.cmp(a));
        for slot in &self.next.remove {
            population.swap_remove(*slot);
        }
    }
}

/// Whether all are below `end` and none comes twice.
fn once(mut items: impl Iterator<Item = usize>, end: usize, seen: &mut Vec<usize>) -> bool {
    seen.clear();
    seen.resize(end, 0);
    items.all(|item| seen.get_mut(item).is_some_and(|times| std::mem::replace(times, 1) == 0))
}

/// As [`once`], at a cost that goes by the number of items and not by `end`.
fn few_once(items: impl Iterator<Item = usize>, end: usize, seen: &mut Vec<usize>) -> bool {
    seen.clear();
    seen.extend(items);
    seen.sort_unstable();
    seen.last().is_none_or(|last| *last < end) && seen.windows(2).all(|pair| pair[0] < pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(names: std::ops::Range<u32>) -> Population<u32, ()> {
        let mut all = Population::default();
        names.for_each(|name| all.push(name, ScorePoints::new(1), None));
        all
    }

    #[test]
    fn survivors_stand_in_the_order_they_were_kept() -> Result<()> {
        let (mut old, mut new) = (people(0..4), people(4..8));
        let mut succession = Succession::default();
        for member in [6, 0, 3, 5, 1] {
            succession.next.keep(member);
        }
        succession.check(4, 4)?;
        succession.apply(&mut old, &mut new);
        assert_eq!(old.genomes, [6, 0, 3, 5, 1]);
        let mut spare = new.genomes.clone();
        spare.sort_unstable();
        assert_eq!(spare, [2, 4, 7]);
        Ok(())
    }

    #[test]
    fn a_patch_replaces_adds_and_removes_in_this_order() -> Result<()> {
        let (mut old, mut new) = (people(0..4), people(4..8));
        let mut succession = Succession::default();
        succession.next.replace(1, 2);
        succession.next.add(0);
        succession.next.remove(0);
        succession.next.remove(3);
        succession.check(4, 4)?;
        succession.apply(&mut old, &mut new);
        // 0 6 2 3 | 4: without place 3 it is 0 6 2 4, without place 0 it is 4 6 2.
        assert_eq!(old.genomes, [4, 6, 2]);
        Ok(())
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        let refused = |tell: fn(&mut Next)| {
            let mut succession = Succession::default();
            tell(&mut succession.next);
            succession.check(2, 2).is_err()
        };
        assert!(refused(|next| {
            next.keep(1);
            next.keep(1);
        }));
        assert!(refused(|next| next.keep(4)));
        assert!(refused(|next| next.replace(0, 2)));
        assert!(refused(|next| {
            next.replace(0, 1);
            next.add(1);
        }));
        assert!(refused(|next| next.remove(2)));
        assert!(refused(|next| {
            next.keep(0);
            next.add(1);
        }));
        assert!(refused(|next| {
            next.remove(0);
            next.remove(1);
        }));
        assert!(!refused(|_| ()));
    }
}
