//! A tree in words: the conditions of its splits and a drawing of the whole.

use super::model::TreeModel;
use super::nodes::Nodes;
use crate::classify::Classifier;
use crate::classify::short;
use crate::data::{Field, Kind, Schema};
use crate::error::listed;
use std::fmt::Write;

/// Deeper lines are not indented further, so that a drawing stays about as long as its tree.
const MOST_INDENT: usize = 40;

/// The condition under which a row goes to one side of a split: `glu <= 127.5`, `odor is f`.
pub(super) fn condition(nodes: &Nodes, node: usize, field: &Field, left: bool) -> String {
    let name = &field.name;
    let Kind::Nominal(levels) = &field.kind else {
        return match (nodes.threshold(node), left) {
            (f64::MAX, true) => format!("{name} is known"),
            (f64::MAX, false) => format!("{name} is missing"),
            (threshold, true) => format!("{name} <= {}", short(threshold)),
            (threshold, false) => format!("{name} > {}", short(threshold)),
        };
    };
    let side = |left| nodes.levels(node, levels.len() as u32, left);
    let names: Vec<String> = side(left).iter().map(|&l| levels[l as usize].clone()).collect();
    match (&names[..], side(!left).is_empty()) {
        ([], _) => format!("{name} is missing"),
        (_, true) => format!("{name} is known"),
        ([one], _) => format!("{name} is {one}"),
        (many, _) => format!("{name} in {{{}}}", listed(many)),
    }
}

/// Why a row without a value that the split knows goes where it goes.
pub(super) fn unknown(field: &Field, value: Option<String>) -> String {
    match value {
        None => format!("{} is missing", field.name),
        Some(level) => format!("{} is {level}, which is new here", field.name),
    }
}

/// The tree as lines: a condition, and for a leaf its class, the probability of that class and
/// the weight of the training rows that reached it.
pub(super) fn describe(model: &TreeModel, inputs: &Schema) -> String {
    let nodes = &model.nodes;
    let mut text = String::new();
    if nodes.children(0).is_none() {
        let _ = writeln!(text, "all rows{}", verdict(model, 0));
    }
    let mut stack = vec![(0, 0, String::new())];
    while let Some((node, depth, line)) = stack.pop() {
        if depth > 0 {
            let _ = writeln!(text, "{:1$}{line}", "", 2 * (depth - 1).min(MOST_INDENT));
        }
        let Some(children) = nodes.children(node) else { continue };
        // The last one pushed is written first: left before right.
        for (child, left) in children.into_iter().zip([true, false]).rev() {
            let line = format!("{}{}", side(model, node, inputs, left), verdict(model, child));
            stack.push((child, depth + 1, line));
        }
    }
    text
}

/// The condition of one side, with where missing values go if training had any.
pub(super) fn side(model: &TreeModel, node: usize, inputs: &Schema, left: bool) -> String {
    let column = model.nodes.column(node);
    let mut line = match inputs.fields.get(column) {
        Some(field) => condition(&model.nodes, node, field, left),
        None => format!("column {column}, {}", if left { "left" } else { "right" }),
    };
    let trained = model.columns[column];
    let missing = trained.missing && model.nodes.missing_left(node) == left;
    if missing && !line.ends_with(" is missing") {
        line.push_str(" or is missing");
    }
    line
}

/// What a leaf says; nothing for a split.
fn verdict(model: &TreeModel, node: usize) -> String {
    if model.nodes.children(node).is_some() {
        return String::new();
    }
    let names = model.classes().names();
    let shares = model.nodes.shares(node, names.len());
    let best =
        (1..names.len()).fold(0, |b, class| if shares[class] > shares[b] { class } else { b });
    let weight = model.nodes.weight(node);
    format!(": {} {:.3} ({weight:.6} rows)", names[best], shares[best])
        .replace(".000000 rows", " rows")
}
