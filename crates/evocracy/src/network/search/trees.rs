//! Structures of a fixed form around a class node: naive Bayes, and the tree-augmented network of
//! Friedman, Geiger and Goldszmidt (1997).

use crate::error::{Error, Result};
use crate::network::information::conditional_information;
use crate::network::{Dag, Discrete};
use crate::run::Stop;

/// The class is the only parent of every other node.
pub fn naive(nodes: usize, class: usize) -> Result<Dag> {
    let of = |node: usize| if node == class { Vec::new() } else { vec![class as u32] };
    Dag::try_from((0..nodes).map(of).collect::<Vec<_>>())
}

/// Naive Bayes with a tree on top: every other node but one has a second parent, so that the
/// conditional mutual information given the class along the tree is the largest. The tree grows
/// from the first node that is not the class; among equals the smallest numbers are taken. After a
/// stop the nodes that the tree has not reached have the class alone.
pub fn tan(data: &Discrete, class: usize, stop: &Stop) -> Result<Dag> {
    data.check_complete()?;
    let nodes = data.variables();
    if class >= nodes {
        return Err(Error::unsuitable(format!("node {class} of {nodes} variables"), ""));
    }
    let mut parents: Vec<Vec<u32>> = naive(nodes, class)?.into();
    let mut open: Vec<usize> = (0..nodes).filter(|node| *node != class).collect();
    if open.is_empty() {
        return Dag::try_from(parents);
    }
    // Prim's algorithm: the best link of each open node to the tree.
    let mut link = vec![(f64::NEG_INFINITY, 0_u32); nodes];
    let mut last = open.remove(0);
    'grow: while !open.is_empty() {
        for &node in &open {
            if stop.requested() {
                break 'grow;
            }
            let (low, high) = (node.min(last), node.max(last));
            let weight = conditional_information(data, low, high, class);
            if weight > link[node].0 {
                link[node] = (weight, last as u32);
            }
        }
        let best = (1..open.len())
            .fold(0, |best, at| if link[open[at]].0 > link[open[best]].0 { at } else { best });
        last = open.remove(best);
        parents[last].push(link[last].1);
    }
    Dag::try_from(parents)
}
