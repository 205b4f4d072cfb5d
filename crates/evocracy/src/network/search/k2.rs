//! K2 (Cooper, Herskovits 1992): parents of each node from those before it in a given order, the
//! best one added as long as the score grows.

use super::{Learnt, above};
use crate::error::{Error, Result};
use crate::evolve::{Permutation, Rng};
use crate::network::information::mutual_information;
use crate::network::score::with;
use crate::network::{Constraints, Dag, Discrete, Scorer};
use crate::run::{Run, Stop, StopReason};

/// The structure that K2 finds for an order of the nodes.
pub fn k2(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    order: &[u32],
    run: &Run<'_>,
) -> Result<Learnt> {
    let nodes = scorer.data().variables();
    let order = Permutation::try_from(order.to_vec())?;
    if order.len() != nodes {
        return Err(Error::unsuitable(
            format!("an order of {} nodes for {nodes} variables", order.len()),
            "name every variable once",
        ));
    }
    let start = constraints.start(scorer.data())?;
    for (parent, child) in start.arcs() {
        if order.place(parent) > order.place(child) {
            return Err(Error::unsuitable(
                format!("the arc from {parent} to {child} is required against the order"),
                "change the order or the constraints",
            ));
        }
    }
    let watch = run.watch.task("K2", nodes as u64);
    let found = run.pool.map(nodes, |node| {
        if run.stop.requested() {
            return (start.parents(node).to_vec(), scorer.local(node, start.parents(node)));
        }
        let before = &order.order()[..order.place(node as u32)];
        let found = parents(scorer, constraints, node, before, start.parents(node));
        watch.advance(1);
        found
    });
    let score = found.iter().map(|(_, score)| score).sum();
    let dag = Dag::trusted(found.into_iter().map(|(parents, _)| parents).collect());
    let ended = run.stop.requested();
    let stop = if ended { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Learnt { dag, score, stop })
}

/// The parents of one node among those before it. Among equals the one of the smallest number.
fn parents(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    node: usize,
    before: &[u32],
    required: &[u32],
) -> (Vec<u32>, f64) {
    let mut chosen = required.to_vec();
    let mut score = scorer.local(node, &chosen);
    let mut open: Vec<u32> = before
        .iter()
        .copied()
        .filter(|&parent| constraints.allows(parent, node as u32) && !chosen.contains(&parent))
        .collect();
    open.sort_unstable();
    let (mut scores, mut set) = (Vec::new(), Vec::new());
    loop {
        open.retain(|&parent| {
            with(&chosen, parent, &mut set);
            constraints.fits(scorer.data(), node, &set)
        });
        scorer.extensions(node, &chosen, &open, &mut scores);
        let best = (0..open.len()).fold(None, |best: Option<usize>, at| match best {
            Some(known) if !above(scores[at], scores[known]) => best,
            _ => Some(at),
        });
        match best.filter(|&at| above(scores[at], score)) {
            Some(at) => {
                with(&chosen.clone(), open[at], &mut chosen);
                score = scores[at];
                open.remove(at);
            }
            None => return (chosen, score),
        }
    }
}

/// A random order of so many nodes.
pub fn random_order(nodes: usize, rng: &mut Rng) -> Vec<u32> {
    let mut order = Permutation::identity(nodes);
    order.shuffle(rng);
    order.into()
}

/// An order by mutual information: with `first` given, that node and then the others by how much
/// they say about it; else all by how much they say about the others together. Among equals the
/// smallest number comes first. After a stop, what was not looked at counts as saying nothing.
pub fn information_order(data: &Discrete, first: Option<usize>, stop: &Stop) -> Result<Vec<u32>> {
    data.check_complete()?;
    let nodes = data.variables();
    if let Some(first) = first.filter(|first| *first >= nodes) {
        return Err(Error::unsuitable(format!("node {first} of {nodes} variables"), ""));
    }
    let about = |a: usize, b: usize| {
        if stop.requested() { 0.0 } else { mutual_information(data, a.min(b), a.max(b)) }
    };
    let weight = |node: usize| match first {
        Some(first) if node == first => f64::INFINITY,
        Some(first) => about(first, node),
        None => (0..nodes).filter(|other| *other != node).map(|other| about(node, other)).sum(),
    };
    let weights: Vec<f64> = (0..nodes).map(weight).collect();
    let mut order: Vec<u32> = (0..nodes as u32).collect();
    order.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
    Ok(order)
}

/// The numbers of variables in an order that is given by names. Every name must be there once.
pub fn order_by_names(names: &[String], wanted: &[&str]) -> Result<Vec<u32>> {
    let place = |name: &&str| {
        if let Some(at) = names.iter().position(|known| known == name) {
            Ok(at as u32)
        } else {
            let known = names.iter().map(String::as_str);
            Err(Error::unknown("variable", name, Some("the order".into()), known))
        }
    };
    let order: Vec<u32> = wanted.iter().map(place).collect::<Result<_>>()?;
    Permutation::try_from(order.clone())?;
    if order.len() == names.len() {
        return Ok(order);
    }
    Err(Error::unsuitable(
        format!("an order of {} names for {} variables", order.len(), names.len()),
        "name every variable once",
    ))
}
