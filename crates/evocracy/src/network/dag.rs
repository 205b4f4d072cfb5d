//! Directed acyclic graphs, and what is asked of them beforehand.

use super::Discrete;
use crate::error::{Error, Result};
use crate::num::bits;
use serde::{Deserialize, Serialize};

/// A directed acyclic graph: the sorted parents of each node.
///
/// Invariant: there is no cycle; every change that would make one is refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<u32>>", into = "Vec<Vec<u32>>")]
pub struct Dag {
    parents: Vec<Vec<u32>>,
}

impl Dag {
    /// So many nodes without arcs.
    pub fn new(nodes: usize) -> Self {
        Self { parents: vec![Vec::new(); nodes] }
    }

    /// A graph of arcs from parent to child.
    pub fn from_arcs(nodes: usize, arcs: &[(u32, u32)]) -> Result<Self> {
        let mut parents = vec![Vec::new(); nodes];
        for &(parent, child) in arcs {
            match parents.get_mut(child as usize) {
                Some(known) => known.push(parent),
                None => return Err(foreign(child, nodes)),
            }
        }
        Self::try_from(parents)
    }

    /// A graph known to be acyclic, with sorted parents.
    pub(super) fn trusted(parents: Vec<Vec<u32>>) -> Self {
        debug_assert!(Self::try_from(parents.clone()).is_ok());
        Self { parents }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// The parents of a node, sorted.
    #[inline]
    pub fn parents(&self, node: usize) -> &[u32] {
        &self.parents[node]
    }

    /// The children of a node, sorted.
    pub fn children(&self, node: usize) -> Vec<u32> {
        let child = |child: &u32| self.has(node as u32, *child);
        (0..self.nodes() as u32).filter(child).collect()
    }

    /// Whether there is an arc.
    pub fn has(&self, parent: u32, child: u32) -> bool {
        self.parents[child as usize].binary_search(&parent).is_ok()
    }

    /// All arcs from parent to child, by child, then by parent.
    pub fn arcs(&self) -> Vec<(u32, u32)> {
        let of = |(child, parents): (usize, &Vec<u32>)| {
            parents.iter().map(move |&parent| (parent, child as u32)).collect::<Vec<_>>()
        };
        self.parents.iter().enumerate().flat_map(of).collect()
    }

    /// Whether a directed path leads from one node to another; it does from a node to itself.
    pub fn reaches(&self, from: u32, to: u32) -> bool {
        let (mut seen, mut open) = (vec![false; self.nodes()], vec![to]);
        while let Some(node) = open.pop() {
            if node == from {
                return true;
            }
            for &parent in self.parents(node as usize) {
                if !std::mem::replace(&mut seen[parent as usize], true) {
                    open.push(parent);
                }
            }
        }
        false
    }

    /// Adds an arc, unless it would close a cycle.
    pub fn add(&mut self, parent: u32, child: u32) -> Result<()> {
        let nodes = self.nodes();
        if let Some(node) = [parent, child].into_iter().find(|node| *node as usize >= nodes) {
            return Err(foreign(node, nodes));
        }
        if self.reaches(child, parent) {
            return Err(Error::unsuitable(
                format!("an arc from node {parent} to node {child} would close a cycle"),
                "",
            ));
        }
        let known = &mut self.parents[child as usize];
        if let Err(at) = known.binary_search(&parent) {
            known.insert(at, parent);
        }
        Ok(())
    }

    /// Takes an arc away; says whether it was there.
    pub fn remove(&mut self, parent: u32, child: u32) -> bool {
        let known = &mut self.parents[child as usize];
        known.binary_search(&parent).map(|at| known.remove(at)).is_ok()
    }

    /// The nodes so that every node comes after its parents; among those that could come next, the
    /// one of the smallest number.
    pub fn order(&self) -> Vec<u32> {
        topological(&self.parents).unwrap_or_default()
    }

    /// The parents of a node, its children and their other parents, sorted: given these, no other
    /// node says anything about it.
    pub fn markov_blanket(&self, node: usize) -> Vec<u32> {
        let mut blanket = self.parents[node].clone();
        for child in self.children(node) {
            blanket.push(child);
            blanket.extend_from_slice(self.parents(child as usize));
        }
        blanket.sort_unstable();
        blanket.dedup();
        blanket.retain(|other| *other as usize != node);
        blanket
    }
}

impl TryFrom<Vec<Vec<u32>>> for Dag {
    type Error = Error;

    fn try_from(mut parents: Vec<Vec<u32>>) -> Result<Self> {
        let nodes = parents.len();
        for known in &mut parents {
            known.sort_unstable();
            known.dedup();
            if let Some(&node) = known.last().filter(|node| **node as usize >= nodes) {
                return Err(foreign(node, nodes));
            }
        }
        if topological(&parents).is_none() {
            return Err(Error::unsuitable("the arcs close a cycle", "leave out an arc of it"));
        }
        Ok(Self { parents })
    }
}

impl From<Dag> for Vec<Vec<u32>> {
    fn from(dag: Dag) -> Self {
        dag.parents
    }
}

fn foreign(node: u32, nodes: usize) -> Error {
    Error::unsuitable(format!("node {node} of a graph of {nodes} nodes"), "")
}

/// Every node after its parents, or `None` where there is a cycle.
fn topological(parents: &[Vec<u32>]) -> Option<Vec<u32>> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut waiting: Vec<usize> = parents.iter().map(Vec::len).collect();
    for (child, parents) in parents.iter().enumerate() {
        for &parent in parents {
            children[parent as usize].push(child as u32);
        }
    }
    let free =
        |(node, left): (usize, &usize)| (*left == 0).then_some(std::cmp::Reverse(node as u32));
    let mut open: std::collections::BinaryHeap<_> =
        waiting.iter().enumerate().filter_map(free).collect();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(std::cmp::Reverse(node)) = open.pop() {
        order.push(node);
        for &child in &children[node as usize] {
            waiting[child as usize] -= 1;
            if waiting[child as usize] == 0 {
                open.push(std::cmp::Reverse(child));
            }
        }
    }
    (order.len() == parents.len()).then_some(order)
}

/// Which node reaches which, as sets: bit `b` of row `a` where a path leads from `a` to `b`.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    words: usize,
    sets: Vec<u64>,
}

impl Reach {
    pub fn of(dag: &Dag) -> Self {
        let words = dag.nodes().div_ceil(64).max(1);
        let mut reach = Self { words, sets: vec![0; words * dag.nodes()] };
        reach.renew(dag);
        reach
    }

    /// Follows a change of the graph.
    pub fn renew(&mut self, dag: &Dag) {
        let words = self.words;
        self.sets.fill(0);
        let mut own = vec![0; words];
        for &node in dag.order().iter().rev() {
            let at = node as usize * words;
            bits::insert(&mut self.sets[at..at + words], node as usize);
            own.copy_from_slice(&self.sets[at..at + words]);
            for &parent in dag.parents(node as usize) {
                let at = parent as usize * words;
                for (word, own) in self.sets[at..at + words].iter_mut().zip(&own) {
                    *word |= own;
                }
            }
        }
    }

    #[inline]
    pub fn has(&self, from: u32, to: u32) -> bool {
        bits::has(&self.sets[from as usize * self.words..], to as usize)
    }
}

/// What a structure must have and must not have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constraints {
    /// Arcs, from parent to child, that must be there.
    pub required: Vec<(u32, u32)>,
    /// Arcs, from parent to child, that must not be there.
    pub forbidden: Vec<(u32, u32)>,
    /// The most parents of a node.
    pub max_parents: usize,
    /// The most entries of the probability table of a node.
    pub max_cells: u64,
    /// The tier of each node, or empty: no arc leads from a higher tier to a lower one.
    pub tiers: Vec<u32>,
}

impl Default for Constraints {
    fn default() -> Self {
        Self {
            required: Vec::new(),
            forbidden: Vec::new(),
            max_parents: 8,
            max_cells: 1 << 20,
            tiers: Vec::new(),
        }
    }
}

impl Constraints {
    /// At most so many parents, and nothing else.
    pub fn max_parents(max_parents: usize) -> Self {
        Self { max_parents, ..Self::default() }
    }

    /// Whether an arc may be there.
    pub fn allows(&self, parent: u32, child: u32) -> bool {
        let tier = |node: u32| self.tiers.get(node as usize).copied().unwrap_or(0);
        parent != child && tier(parent) <= tier(child) && !self.forbidden.contains(&(parent, child))
    }

    /// Whether an arc must be there.
    pub fn requires(&self, parent: u32, child: u32) -> bool {
        self.required.contains(&(parent, child))
    }

    /// Whether these parents are not too many for a node.
    pub fn fits(&self, data: &Discrete, node: usize, parents: &[u32]) -> bool {
        let mut cells = u64::from(data.states(node));
        parents.len() <= self.max_parents
            && parents.iter().all(|&parent| {
                cells = cells.saturating_mul(u64::from(data.states(parent as usize)));
                cells <= self.max_cells
            })
    }

    /// Refuses what cannot be met; otherwise the graph of the required arcs.
    pub fn start(&self, data: &Discrete) -> Result<Dag> {
        let nodes = data.variables();
        if !self.tiers.is_empty() && self.tiers.len() != nodes {
            return Err(Error::unsuitable(
                format!("{} tiers for {nodes} variables", self.tiers.len()),
                "give every variable a tier, or none",
            ));
        }
        if let Some(&(parent, child)) =
            self.required.iter().find(|(parent, child)| !self.allows(*parent, *child))
        {
            return Err(Error::unsuitable(
                format!("the arc from {parent} to {child} is required and forbidden"),
                "change the constraints",
            ));
        }
        let dag = Dag::from_arcs(nodes, &self.required)?;
        match (0..nodes).find(|node| !self.fits(data, *node, dag.parents(*node))) {
            Some(node) => Err(Error::unsuitable(
                format!("node {node} is required to have more parents than are allowed"),
                "change the constraints",
            )),
            None => Ok(dag),
        }
    }

    /// Whether a structure has all that is required and nothing that is forbidden.
    pub fn admit(&self, data: &Discrete, dag: &Dag) -> bool {
        dag.nodes() == data.variables()
            && dag.arcs().iter().all(|&(parent, child)| self.allows(parent, child))
            && self.required.iter().all(|&(parent, child)| dag.has(parent, child))
            && (0..dag.nodes()).all(|node| self.fits(data, node, dag.parents(node)))
    }
}
