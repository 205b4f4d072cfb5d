//! The multilist genome (De Stefano et al. 2009, section 3): a main list of all nodes, and for
//! each place of it a sublist that says to which later places an arc leads.
//!
//! The sublists form a triangle, so that a genome can only stand for a graph without cycles.

use crate::error::{Error, Result};
use crate::evolve::{Permutation, Rate, Rng, Space, below, chance};
use crate::network::Dag;
use crate::num::bits;

/// A graph as a main list of nodes and a triangle of arcs between places.
#[derive(Debug, PartialEq, Eq)]
pub struct Multilist {
    main: Permutation,
    /// The sublists one after the other: `n - 1` bits, `n - 2` bits, and so on.
    arcs: Vec<u64>,
}

impl Clone for Multilist {
    fn clone(&self) -> Self {
        Self { main: self.main.clone(), arcs: self.arcs.clone() }
    }

    /// Reuses memory, which the derived one would not.
    fn clone_from(&mut self, source: &Self) {
        self.main.clone_from(&source.main);
        self.arcs.clone_from(&source.arcs);
    }
}

impl Multilist {
    /// A graph with its nodes in an order in which parents come first.
    pub fn of(dag: &Dag) -> Result<Self> {
        let main = Permutation::try_from(dag.order())?;
        let mut list = Self { arcs: vec![0; words(main.len())], main };
        for (parent, child) in dag.arcs() {
            let (from, to) = (list.main.place(parent), list.main.place(child));
            let at = list.index(from, to);
            bits::insert(&mut list.arcs, at);
        }
        Ok(list)
    }

    /// The main list.
    pub fn main(&self) -> &[u32] {
        self.main.order()
    }

    /// Whether an arc leads from one place of the main list to a later one.
    #[inline]
    pub fn has(&self, from: usize, to: usize) -> bool {
        bits::has(&self.arcs, self.index(from, to))
    }

    /// The parents of each node, sorted.
    pub fn parents(&self) -> Vec<Vec<u32>> {
        let main = self.main();
        let mut parents = vec![Vec::new(); main.len()];
        for (to, &child) in main.iter().enumerate() {
            let own = &mut parents[child as usize];
            own.extend((0..to).filter(|from| self.has(*from, to)).map(|from| main[from]));
            own.sort_unstable();
        }
        parents
    }

    /// The graph.
    pub fn dag(&self) -> Dag {
        Dag::trusted(self.parents())
    }

    /// Where the bit of two places stands.
    #[inline]
    fn index(&self, from: usize, to: usize) -> usize {
        let n = self.main.len();
        from * (2 * n - from - 1) / 2 + (to - from - 1)
    }

    /// Becomes the merge of the first `t` nodes of one list with the other nodes of another: the
    /// first nodes keep their sublists, all of whose arcs lead to later nodes, and the others keep
    /// their order and the arcs among themselves.
    fn merge(&mut self, head: &Self, tail: &Self, t: usize) {
        let n = head.main.len();
        let rest = tail.main().iter().filter(|node| head.main.place(**node) >= t);
        let order: Vec<u32> = head.main()[..t].iter().chain(rest).copied().collect();
        self.arcs.clear();
        self.arcs.resize(words(n), 0);
        for from in 0..n {
            let source = if from < t { head } else { tail };
            let place = |at: usize| source.main.place(order[at]);
            for to in from + 1..n {
                if source.has(place(from), place(to)) {
                    let at = self.index(from, to);
                    bits::insert(&mut self.arcs, at);
                }
            }
        }
        self.main.clone_from(&Permutation::try_from(order).unwrap_or_else(|_| head.main.clone()));
    }
}

/// How many words the triangle of `n` nodes takes.
fn words(n: usize) -> usize {
    pairs(n).div_ceil(64)
}

fn pairs(n: usize) -> usize {
    n * n.saturating_sub(1) / 2
}

/// All multilists of so many nodes, and how they vary.
#[derive(Debug, Clone, PartialEq)]
pub struct Multilists {
    /// How many nodes there are.
    pub nodes: usize,
    /// How likely an arc is in a random genome.
    pub density: f64,
    /// How likely the m-mutation is, which swaps two nodes of the main list: `p_m`.
    pub swap: f64,
    /// How likely the s-mutation is to flip each bit of the sublists: `p_s`.
    pub flip: f64,
}

impl Space for Multilists {
    type Genome = Multilist;

    fn check(&self) -> Result<()> {
        let sound = [self.density, self.swap, self.flip].iter().all(|p| (0.0..=1.0).contains(p));
        if sound && (1..=1 << 14).contains(&self.nodes) {
            return Ok(());
        }
        Err(Error::unsuitable(
            "multilists of no nodes, of too many, or that vary by what is no probability",
            "have 1 to 16384 nodes and probabilities from 0 to 1",
        ))
    }

    fn sample(&self, rng: &mut Rng) -> Result<Multilist> {
        let mut main = Permutation::identity(self.nodes);
        main.shuffle(rng);
        let mut arcs = vec![0; words(self.nodes)];
        Rate::new(self.density).each(pairs(self.nodes), rng, |at, _| bits::insert(&mut arcs, at));
        Ok(Multilist { main, arcs })
    }

    /// The t-cut of both parents at one place, and the two merges of their parts.
    fn recombine(&self, parents: [&Multilist; 2], children: [&mut Multilist; 2], rng: &mut Rng) {
        let t = 1 + below(self.nodes.saturating_sub(1), rng);
        let [first, second] = children;
        first.merge(parents[0], parents[1], t);
        second.merge(parents[1], parents[0], t);
    }

    fn mutate(&self, genome: &mut Multilist, rng: &mut Rng) {
        if chance(self.swap, rng) {
            genome.main.swap(below(self.nodes, rng), below(self.nodes, rng));
        }
        Rate::new(self.flip).each(pairs(self.nodes), rng, |at, _| {
            genome.arcs[at / 64] ^= 1 << (at % 64);
        });
    }

    fn admit(&self, genome: &Multilist) -> Result<()> {
        if genome.main.len() == self.nodes && genome.arcs.len() == words(self.nodes) {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!("a multilist of {} nodes, not {}", genome.main.len(), self.nodes),
            "",
        ))
    }

    fn key(&self, genome: &Multilist, out: &mut Vec<u64>) -> bool {
        out.extend(genome.main().iter().map(|node| u64::from(*node)));
        out.extend_from_slice(&genome.arcs);
        true
    }
}
